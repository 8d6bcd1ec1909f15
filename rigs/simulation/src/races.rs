//! Races of two or three commands with each other and with a deadline, in one room or in two rooms
//! over one log, in every order of stamps, arrivals and commits.
//!
//! Races of two are enumerated; races of three are drawn at random.

mod race_run;

use hansu_chess::Color;
use hansu_live::CommandKey;
use hansu_play::{
    Actor, Bonus, Claimed, Command, Entry, Event, Millis, Offer, Phase, Sides, Source, Stage,
    Start, State, TimeControl, apply, decide, stamp,
};
use hansu_records::{Append, GameId};

use self::race_run::RaceRun;
use crate::laws::{BrokenLaw, Law, LawResult, check};
use crate::log::{Log, VISIBILITY};
use crate::referee::{Author, Limit, Referee};
use crate::world::EPOCH;
use hansu_ground::Random;

/// The commands that race, with their actors. White is to move.
const RACERS: [(Actor, RacerCommand); 17] = [
    (Actor::White, RacerCommand::Move),
    (Actor::White, RacerCommand::Other),
    (Actor::Black, RacerCommand::Move),
    (Actor::White, RacerCommand::Resign),
    (Actor::Black, RacerCommand::Resign),
    (Actor::White, RacerCommand::Offer),
    (Actor::Black, RacerCommand::Offer),
    (Actor::White, RacerCommand::Accept),
    (Actor::Black, RacerCommand::Accept),
    (Actor::Black, RacerCommand::Decline),
    (Actor::White, RacerCommand::ClaimDraw),
    (Actor::Black, RacerCommand::ClaimAbsence),
    (Actor::White, RacerCommand::Chat),
    (Actor::Black, RacerCommand::Abort),
    (Actor::Spectator, RacerCommand::Move),
    (Actor::System, RacerCommand::Credit),
    (Actor::White, RacerCommand::Again),
];

/// Milliseconds after zero at which a command is received: before, at and after zero, the deadline
/// and the end of the grace.
const STAMPS: [i64; 6] = [-1, 0, 499, 500, 501, 550];
/// Milliseconds until it reaches the room.
const DELAYS: [u64; 2] = [0, 45];
/// The number of possible actions between two arrivals: nothing, one of the two rooms' appends is
/// committed, or a room ticks.
const BETWEEN: u64 = 4;
/// The number of games before a race.
const GAMES: u64 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RacerCommand {
    Move,
    /// Another move.
    Other,
    Resign,
    Offer,
    Accept,
    Decline,
    ClaimDraw,
    ClaimAbsence,
    Chat,
    Abort,
    Credit,
    /// The first racer's command, sent again.
    Again,
}

/// The plan of a race.
#[derive(Clone, Debug)]
struct Race {
    game: u64,
    racers: Vec<Racer>,
    /// The order in which the commands reach their rooms.
    order: Vec<usize>,
    /// The action after each arrival, below [`BETWEEN`].
    between: Vec<u64>,
    /// The room that comes first at the end.
    first: usize,
}

#[derive(Clone, Copy, Debug)]
struct Racer {
    actor: Actor,
    racing: RacerCommand,
    stamp: i64,
    delay: u64,
    room: usize,
}

/// The number of races of two.
pub const PAIRS: u64 = {
    let racer = RACERS.len() as u64 * STAMPS.len() as u64 * DELAYS.len() as u64;
    // Two rooms for the second racer, two orders, two actions in between, two orders at the end.
    GAMES * racer * racer * 2 * 2 * BETWEEN * BETWEEN * 2
};

/// Splits a number into digits with varying games, the lowest first.
struct Digits(u64);

impl Digits {
    fn below(&mut self, most: u64) -> u64 {
        let digit = self.0 % most;
        self.0 /= most;
        digit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

impl Race {
    /// The race of two with this number, below [`PAIRS`].
    fn pair(number: u64) -> Race {
        let mut digits = Digits(number);
        let game = digits.below(GAMES);
        let mut racer = |room: usize| {
            let (actor, racing) = digits.pick(&RACERS);
            let (stamp, delay) = (digits.pick(&STAMPS), digits.pick(&DELAYS));
            Racer { actor, racing, stamp, delay, room }
        };
        let mut racers = vec![racer(0), racer(0)];
        racers[1].room = digits.below(2) as usize;
        let order = if digits.below(2) == 0 { vec![0, 1] } else { vec![1, 0] };
        let between = vec![digits.below(BETWEEN), digits.below(BETWEEN)];
        Race { game, racers, order, between, first: digits.below(2) as usize }
    }

    /// A random race of three.
    fn triple(random: &mut Random) -> Race {
        let draw = |random: &mut Random, most: u64| random.below(most) as usize;
        let racers = (0..3).map(|_| {
            let (actor, racing) = RACERS[draw(random, RACERS.len() as u64)];
            let (stamp, delay) = (STAMPS[draw(random, 6)], DELAYS[draw(random, 2)]);
            Racer { actor, racing, stamp, delay, room: draw(random, 2) }
        });
        let racers = racers.collect();
        let mut order = vec![0, 1, 2];
        for place in (1..3).rev() {
            order.swap(place, draw(random, place as u64 + 1));
        }
        let between = (0..3).map(|_| random.below(BETWEEN)).collect();
        Race { game: random.below(GAMES), racers, order, between, first: draw(random, 2) }
    }
}

/// The games before a race.
pub struct RaceGames {
    games: Vec<RaceGame>,
}

#[derive(Clone)]
struct RaceGame {
    log: Log,
    referee: Referee,
    limit: Limit,
}

impl RaceGames {
    /// Plays the games up to their races.
    ///
    /// # Errors
    ///
    /// When a law breaks even without a race.
    pub fn new() -> Result<RaceGames, BrokenLaw> {
        (0..GAMES).map(prepare_game).collect::<Result<_, _>>().map(|games| RaceGames { games })
    }

    /// Runs a race of two.
    ///
    /// # Errors
    ///
    /// The law that was broken, and in which race.
    pub fn pair(&self, number: u64) -> Result<(), BrokenLaw> {
        self.run(&Race::pair(number % PAIRS), number)
    }

    /// Runs a race of three.
    ///
    /// # Errors
    ///
    /// The law that was broken, and in which race.
    pub fn triple(&self, seed: u64) -> Result<(), BrokenLaw> {
        self.run(&Race::triple(&mut Random::new(seed)), seed)
    }

    fn run(&self, race: &Race, number: u64) -> Result<(), BrokenLaw> {
        let base = &self.games[race.game as usize];
        let mut race_run = RaceRun::new(base, race);
        race_run.run(race).map_err(|BrokenLaw { law, how }| BrokenLaw {
            law,
            how: format!(
                "race {number}, {race:?}: {how}\n{:?}",
                race_run.log.entries_after(base.log.last())
            ),
        })
    }
}

fn act(log: &mut Vec<Entry>, state: &mut State, actor: Actor, command: &Command, at: u64) {
    let at = Millis(EPOCH + at);
    // These commands are legal; if one were not, the race would fail.
    let events = decide(state, actor, command, at).unwrap_or_default();
    for entry in stamp(state, events, at) {
        if apply(state, &entry).is_ok() {
            log.push(entry);
        }
    }
}

/// One of the games: White is to move, with an offer, an absence or another condition.
fn prepare_game(game: u64) -> Result<RaceGame, BrokenLaw> {
    let step = |uci: &str| Command::Move { uci: uci.parse().unwrap_or_else(|_| no_move()) };
    let offer = |what| Command::Offer { what, next: None };
    let bonus = Bonus::Increment(Millis(1_000));
    let time = TimeControl::Clock {
        stages: vec![Stage { moves: None, time: Millis::seconds(120), bonus }],
    };
    // White mates with Qg7 or lets Black live with Qf6.
    let mating = "7k/5Q2/6K1/8/8/8/8/r7 w - - 0 1";
    let start = Start {
        names: Sides { white: "White".to_owned(), black: "Black".to_owned() },
        fen: (game == 3).then(|| mating.to_owned()),
        time: time.clone(),
        source: Source::Online,
        ..Start::between("", "")
    };
    let (mut log, mut state) = (Vec::new(), State::default());
    let mut play = |actor, command: &Command, at| act(&mut log, &mut state, actor, command, at);
    play(Actor::System, &Command::Start(start), 0);
    let moves: &[&str] = match game {
        // One move each, so that the race does not begin with first moves.
        3 => &["f7f6", "h8g8"],
        // The knights return, and the position occurs for the third time.
        4 => &["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"],
        _ => &["e2e4", "e7e5"],
    };
    for (ply, uci) in moves.iter().enumerate() {
        let seat = if ply % 2 == 0 { Actor::White } else { Actor::Black };
        play(seat, &step(uci), 100);
    }
    match game {
        1 => play(Actor::Black, &offer(Offer::Draw), 200),
        2 => play(Actor::Black, &offer(Offer::Takeback), 200),
        5 => play(Actor::System, &Command::Leave { side: Color::White }, 200),
        6 => {
            play(Actor::Black, &Command::Resign, 200);
            play(Actor::Black, &offer(Offer::Rematch), 300);
        }
        7 => play(Actor::Black, &Command::Resign, 200),
        _ => {}
    }
    let id: GameId =
        "race00000000".parse().map_err(|_| BrokenLaw { law: Law::Log, how: String::new() })?;
    let mut base = RaceGame {
        log: Log::new(id),
        referee: Referee::new(time),
        limit: Limit { zero: Millis::ZERO, deadline: Millis::ZERO },
    };
    for entry in &log {
        let author = match &entry.event {
            Event::Moved { .. } => Author::Moves(base.log.state(base.log.last()).turn()),
            Event::Offered { by, .. } => Author::Seated(*by),
            Event::Ended { .. } => Author::Seated(Color::Black),
            _ => Author::Server,
        };
        base.commit(entry, author)?;
    }
    let us = state.turn();
    // In a finished game, stamps count from a time after the end.
    let over = Millis(EPOCH + 60_000);
    let none = Limit { zero: over, deadline: over };
    base.limit = match state.phase() {
        Phase::Playing => base.referee.limit(us).unwrap_or(none),
        Phase::New | Phase::Adjourned | Phase::Ended(_) => none,
    };
    Ok(base)
}

fn no_move() -> hansu_chess::UciMove {
    use hansu_chess::Square;
    hansu_chess::UciMove { from: Square::A1, to: Square::A1, promotion: None }
}

impl RaceGame {
    fn commit(&mut self, entry: &Entry, author: Author) -> LawResult {
        let last = self.log.last();
        let mut next = self.log.state(last).clone();
        let broken = |how: String| BrokenLaw { law: Law::Log, how };
        apply(&mut next, entry).map_err(|misfit| broken(misfit.to_string()))?;
        let event = hansu_journal::to_event(entry).map_err(|error| broken(error.to_string()))?;
        let append = Append {
            game: self.log.game(),
            expected: last + 1,
            command_key: None,
            events: vec![event],
            row: hansu_journal::summary(&next, VISIBILITY).into(),
            begins: None,
            next: None,
        };
        let before = self.log.state(last).clone();
        self.referee.check_entry(&before, entry, author)?;
        let answer = self.log.append(&append, 0, 0)?;
        check(Law::Log, answer.is_ok(), || format!("{answer:?}"))
    }
}

fn offer_of(race: &Race) -> Offer {
    match race.game {
        2 => Offer::Takeback,
        5 => Offer::Adjournment,
        6 | 7 => Offer::Rematch,
        _ => Offer::Draw,
    }
}

/// The racer whose command this one sends.
fn original(race: &Race, number: usize) -> usize {
    if race.racers[number].racing == RacerCommand::Again { 0 } else { number }
}

fn actor(race: &Race, number: usize) -> Actor {
    race.racers[original(race, number)].actor
}

fn key(race: &Race, number: usize) -> CommandKey {
    CommandKey::new(actor(race, number), "", &format!("r{}", original(race, number)))
}

fn author(racer: &Racer) -> Author {
    let seat = match racer.actor {
        Actor::White => Color::White,
        Actor::Black => Color::Black,
        Actor::System => return Author::Server,
        Actor::Both | Actor::Spectator => return Author::Watcher,
    };
    match racer.racing {
        RacerCommand::Move | RacerCommand::Other | RacerCommand::ClaimDraw => Author::Moves(seat),
        RacerCommand::Abort => Author::Aborts(seat),
        _ => Author::Seated(seat),
    }
}

fn command(race: &Race, number: usize) -> Option<Command> {
    let racer = race.racers[original(race, number)];
    let uci = |white: &str, black: &str| {
        let text = if racer.actor == Actor::Black { black } else { white };
        text.parse().unwrap_or_else(|_| no_move())
    };
    let what = offer_of(race);
    let next = (what == Offer::Rematch).then(|| "next00000000".to_owned());
    Some(match (racer.racing, race.game) {
        (RacerCommand::Move, 3) => Command::Move { uci: uci("f6g7", "a1a6") },
        (RacerCommand::Move, _) => Command::Move { uci: uci("g1f3", "g8f6") },
        (RacerCommand::Other, 3) => Command::Move { uci: uci("f6d8", "a1a6") },
        (RacerCommand::Other, _) => Command::Move { uci: uci("b1c3", "b8c6") },
        (RacerCommand::Resign, _) => Command::Resign,
        (RacerCommand::Offer, _) => Command::Offer { what, next },
        (RacerCommand::Accept, _) => Command::Accept { what, next },
        (RacerCommand::Decline, _) => Command::Decline { what },
        (RacerCommand::ClaimDraw, 4) => Command::ClaimDraw { with: None },
        (RacerCommand::ClaimDraw, _) => Command::ClaimDraw { with: Some(uci("g1f3", "g8f6")) },
        (RacerCommand::ClaimAbsence, _) => Command::ClaimAbsence { result: Claimed::Win },
        (RacerCommand::Chat, _) => Command::Chat { text: "hm".to_owned(), name: None },
        (RacerCommand::Abort, _) => Command::Abort,
        (RacerCommand::Credit, _) => Command::Credit { time: Millis(300) },
        // The first racer cannot repeat its own command.
        (RacerCommand::Again, _) => return None,
    })
}
