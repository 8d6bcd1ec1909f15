//! The plan of a run, drawn from its seed: the clients, the nodes, and which faults happen when.

use hansu_chess::Color;
use hansu_play::{Bonus, Millis, Stage, TimeControl};

use hansu_ground::Random;

/// Simulated milliseconds since the beginning.
pub(crate) type Time = u64;

/// The plan of a run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) nodes: usize,
    pub(crate) people: Vec<Person>,
    pub(crate) time: TimeControl,
    pub(crate) fen: Option<&'static str>,
    pub(crate) network: Network,
    pub(crate) disk: Disk,
    /// Typical milliseconds between two wake-ups of a client.
    pub(crate) pace: u64,
    pub(crate) faults: Vec<(Time, Fault)>,
    /// No faults from then on.
    pub(crate) peace: Time,
    /// No new commands from then on, except resignations.
    pub(crate) quiet: Time,
    /// By then all clients and nodes must know all events.
    pub(crate) end: Time,
}

/// A kind of client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Person {
    /// Has a seat; two clients with the same seat are one player with two screens.
    Player(Color),
    /// Watches and chats.
    Watcher,
    /// Watches and sends players' commands.
    Meddler,
}

/// The delays and losses of the network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Network {
    pub(crate) usual: u64,
    pub(crate) most: u64,
    /// Of a thousand messages this many are lost, duplicated or overtaken. Websockets never do
    /// that, but a protocol with event numbers should tolerate it.
    pub(crate) loose: u64,
}

/// The delays and failures of the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disk {
    pub(crate) usual: u64,
    pub(crate) most: u64,
    /// Of a thousand requests this many fail without an effect.
    pub(crate) failing: u64,
    /// Of a thousand appends this many are committed but reported as failed: the answer was lost.
    pub(crate) doubtful: u64,
}

/// A fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// A node dies and restarts after `down` milliseconds.
    Crash { node: usize, down: u64 },
    /// The clock of a node's machine jumps by this many milliseconds, with an effect at the node's
    /// next start.
    Jump { node: usize, by: i64 },
    /// A client's connection breaks.
    Cut { person: usize },
    /// No messages pass between a client and a node for `time` milliseconds.
    Partition { person: usize, node: usize, time: u64 },
    /// A client's connection accepts no messages for `time` milliseconds.
    Stall { person: usize, time: u64 },
    /// A client is offline for `time` milliseconds.
    Away { person: usize, time: u64 },
    /// Every operation of the log takes `each` milliseconds longer, for `time` milliseconds.
    Slow { each: u64, time: u64 },
    /// Every operation of the log fails for `time` milliseconds.
    Broken { time: u64 },
    /// A player sends no commands for `time` milliseconds.
    Think { person: usize, time: u64 },
}

const POSITIONS: [&str; 6] = [
    // Close to mates and stalemates.
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    // Promotions, and then mates.
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    // Claims by the fifty-move rule and by repetition.
    "8/8/4k3/8/8/4K3/8/R7 w - - 97 80",
    // One side cannot lose on time, because the other could never mate.
    "8/8/4k3/8/8/4K3/8/N6r w - - 0 1",
    // En passant and castling.
    "r3k2r/p1p5/8/1P2p3/3pP3/8/2P4P/R3K2R w KQkq - 0 1",
];

impl Plan {
    pub(crate) fn new(random: &mut Random) -> Plan {
        let nodes = random.pick(&[1, 1, 1, 1, 2, 2, 3]).unwrap_or(1);
        let mut people = vec![Person::Player(Color::White), Person::Player(Color::Black)];
        for _ in 0..random.below(4) {
            let kinds = [
                Person::Watcher,
                Person::Watcher,
                Person::Meddler,
                Person::Player(Color::White),
                Person::Player(Color::Black),
            ];
            people.extend(random.pick(&kinds));
        }
        let fen = (random.permille(500)).then(|| random.pick(&POSITIONS)).flatten();
        let calm = random.permille(150);
        let network = Network {
            usual: random.pick(&[1, 5, 20, 60, 200]).unwrap_or(1),
            most: random.pick(&[50, 500, 2_000]).unwrap_or(50),
            loose: random.pick(&[0, 0, 0, 20, 60]).unwrap_or(0),
        };
        let disk = Disk {
            usual: random.pick(&[1, 3, 10, 40]).unwrap_or(1),
            most: random.pick(&[20, 200, 1_500]).unwrap_or(20),
            failing: if calm { 0 } else { random.pick(&[0, 0, 10, 60]).unwrap_or(0) },
            doubtful: if calm { 0 } else { random.pick(&[0, 0, 10, 40]).unwrap_or(0) },
        };
        let peace = random.between(5_000, 60_000) + 90_000 * u64::from(random.permille(80));
        let quiet = peace + random.between(5_000, 20_000);
        // Some games are slow, so that a player can leave and the other can claim the game.
        let slow = random.permille(60);
        let (peace, quiet) = if slow { (peace + 150_000, quiet + 150_000) } else { (peace, quiet) };
        let mut plan = Plan {
            nodes,
            people,
            time: if slow {
                TimeControl::sudden_death(Millis::minutes(4))
            } else {
                control(random)
            },
            fen,
            network,
            disk,
            pace: random.pick(&[30, 150, 400, 1_200]).unwrap_or(400),
            faults: Vec::new(),
            peace,
            quiet,
            end: quiet + crate::world::REST,
        };
        if !calm {
            let each = random.between(400, 6_000);
            let mut at = random.below(each);
            while at < peace {
                plan.faults.push((at, plan.fault(random)));
                at += random.between(1, 2 * each);
            }
        }
        plan
    }

    fn fault(&self, random: &mut Random) -> Fault {
        let person = random.index(self.people.len());
        let node = random.index(self.nodes);
        let time = random.delay(3_000, 25_000);
        match random.below(100) {
            0..=17 => Fault::Crash { node, down: random.delay(1_500, 30_000) },
            18..=23 => Fault::Jump { node, by: self.jump(random) },
            24..=44 => Fault::Cut { person },
            45..=56 => Fault::Partition { person, node, time },
            57..=62 => Fault::Stall { person, time },
            63..=68 if self.quiet > 150_000 => {
                Fault::Away { person, time: random.between(20_000, 120_000) }
            }
            63..=68 => Fault::Away { person, time: random.delay(9_000, 80_000) },
            69..=78 => Fault::Slow { each: random.between(100, 4_000), time },
            79..=83 => Fault::Broken { time: random.delay(800, 8_000) },
            _ => Fault::Think { person: random.index(2), time: random.delay(4_000, 70_000) },
        }
    }

    /// A single machine may have any time after a restart. The clocks of machines that share a log
    /// are synchronised, as far as NTP does.
    fn jump(&self, random: &mut Random) -> i64 {
        let most: u64 = if self.nodes > 1 {
            25
        } else {
            random.pick(&[50, 5_000, 3_600_000, 5 * 86_400_000]).unwrap_or(50)
        };
        let by = i64::try_from(random.below(most)).unwrap_or(0);
        if random.permille(500) { by } else { -by }
    }
}

fn control(random: &mut Random) -> TimeControl {
    let time = Millis(random.between(1_000, 12_000));
    let bonus = Millis(random.between(1, 1_500));
    match random.below(10) {
        0 => TimeControl::Unlimited,
        1 => TimeControl::Correspondence { days: 1 },
        2 | 3 => TimeControl::sudden_death(time),
        4 => TimeControl::delay(time, bonus),
        5 => TimeControl::bronstein(time, bonus),
        6 => TimeControl::Clock {
            stages: vec![
                Stage { moves: Some(3), time, bonus: Bonus::Increment(bonus) },
                Stage { moves: Some(2), time: Millis(2_000), bonus: Bonus::None },
            ],
        },
        7 => {
            let other = Millis(random.between(1_000, 12_000));
            let (white, black) =
                (TimeControl::fischer(time, bonus), TimeControl::sudden_death(other));
            TimeControl::odds(white, black).unwrap_or_default()
        }
        _ => TimeControl::fischer(time, bonus),
    }
}
