//! The simulated world: time, the queue of happenings, the nodes and the clients.

use std::collections::{BTreeMap, BTreeSet};

use hansu_live::{Asker, CommandAnswer, CommandKey, LiveGame, Outage};
use hansu_play::{
    Actor, Command, Entry, Millis, Moment, Sides, Source, Spectators, Start, State, decide, stamp,
};
use hansu_protocol::{ServerMessage, Wish};
use hansu_records::{Append, Appended, Error, GameId, Holder, Seat, Side};

use crate::client::Client;
use crate::laws::{BrokenLaw, Law, LawResult};
use crate::log::{Log, VISIBILITY};
use crate::plan::{Fault, Person, Plan, Time};
use crate::queue::Inbox;
use crate::referee::{Author, Limit, Referee};
use crate::report::Report;
use hansu_ground::Random;

/// The time of all clocks at the beginning.
pub(crate) const EPOCH: u64 = 1_800_000_000_000;

/// How long clients and nodes have to learn all events after the last command.
pub(crate) const REST: Time = 45_000;

/// A scheduled happening.
#[derive(Debug)]
pub(crate) enum Happening {
    /// A client's message arrives at its node.
    NodeFrame { link: usize, text: String },
    /// A node handles a command.
    Ask { link: usize, id: String, wish: Wish, moment: Moment },
    /// A server's message arrives at its client.
    ClientFrame { link: usize, text: String },
    /// A stalled connection accepts messages again.
    Unstall { link: usize },
    /// A node notices the end of a connection.
    NodeLost { link: usize },
    /// A client notices the end of a connection.
    ClientLost { link: usize },
    /// An append reaches the log.
    Commit { node: usize, epoch: u32, append: Box<Append>, submitted: Time },
    /// The log's answer reaches the node.
    Wrote { node: usize, epoch: u32, answer: Result<Appended, Error>, submitted: Time },
    /// A node reads the entries it has missed.
    Read { node: usize, epoch: u32, after: u64 },
    /// The log's answer reaches the node.
    HasRead { node: usize, epoch: u32, answer: Result<Vec<Entry>, Error> },
    /// A node looks up whether a command was done.
    LookUp { node: usize, epoch: u32, to: Asker, key: CommandKey, refused: CommandAnswer },
    /// The log's answer reaches the node.
    LookedUp {
        node: usize,
        epoch: u32,
        to: Asker,
        key: CommandKey,
        refused: CommandAnswer,
        answer: Result<Option<u64>, Error>,
    },
    /// A node receives the bus message of another that the log has more entries.
    Hint { node: usize, seq: u64 },
    /// A node ticks its live game.
    Tick { node: usize, epoch: u32 },
    /// Every second: a heartbeat to the log, a check for games whose time is up, and for missed
    /// entries.
    Second { node: usize, epoch: u32 },
    /// Every four seconds: beats to clients, and unloading of unused live games.
    Pulse { node: usize, epoch: u32 },
    /// A node restarts.
    Restart { node: usize },
    /// A fault happens.
    Fault(Fault),
    /// A client wakes up.
    Wake { client: usize },
}

/// A node: a machine with a server.
pub(crate) struct Node {
    pub(crate) up: bool,
    pub(crate) epoch: u32,
    /// The time of its clock at simulated time 0.
    pub(crate) base: u64,
    /// The error of the machine's clock, in milliseconds.
    pub(crate) wall: i64,
    pub(crate) live_game: Option<LiveGame>,
    pub(crate) outage: Option<Outage>,
    pub(crate) started: Time,
    /// The limit of the last flag that it connected_at, and the number of the event before it.
    pub(crate) flag: Option<(Limit, u64)>,
    /// True while an append is under way.
    pub(crate) writing: bool,
}

/// A connection between a client and a node.
pub(crate) struct Link {
    pub(crate) client: usize,
    pub(crate) node: usize,
    pub(crate) epoch: u32,
    /// The actor and the queue at the node, once `hello` has arrived.
    pub(crate) joined: Option<(Actor, Inbox)>,
    pub(crate) at_node: bool,
    pub(crate) at_client: bool,
    /// True once no messages pass any more.
    pub(crate) cut: bool,
    pub(crate) stalled: Time,
    pub(crate) node_heard: Time,
    pub(crate) last_up: Time,
    pub(crate) last_down: Time,
    pub(crate) last_ask: Time,
}

/// A command of a client.
pub(crate) struct IssuedCommand {
    pub(crate) author: Author,
    pub(crate) wish: Wish,
    pub(crate) client: usize,
    /// When nodes received it.
    pub(crate) stamps: Vec<Millis>,
    pub(crate) acked: Option<u64>,
    pub(crate) refused: Option<String>,
    /// The number of connections over which it had been sent when it was refused.
    pub(crate) links: usize,
}

/// The current turn: when the event that began it was submitted to the log, and when it became
/// visible.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CurrentTurn {
    pub(crate) seq: u64,
    /// The node that submitted the event.
    pub(crate) node: usize,
    pub(crate) submitted: Time,
    pub(crate) shown: Option<Time>,
    /// True once no credit for a slow commit is due any more.
    pub(crate) credited: bool,
}

/// The simulated world.
pub(crate) struct World {
    pub(crate) plan: Plan,
    pub(crate) random: Random,
    pub(crate) now: Time,
    queue: BTreeMap<(Time, u64, u64), Happening>,
    serial: u64,
    pub(crate) game: GameId,
    pub(crate) log: Log,
    pub(crate) referee: Referee,
    pub(crate) nodes: Vec<Node>,
    pub(crate) clients: Vec<Client>,
    pub(crate) links: Vec<Link>,
    pub(crate) issued: BTreeMap<String, IssuedCommand>,
    pub(crate) current_turn: CurrentTurn,
    /// The credits for outages, by command key: the maximum, and the restart before which the turn
    /// must have begun.
    pub(crate) credits: BTreeMap<String, (Millis, Time)>,
    /// Begin and end of the outages of the only node.
    pub(crate) outages: Vec<(Time, Time)>,
    /// Partitions between a client and a node, with their ends.
    pub(crate) partitions: BTreeMap<(usize, usize), Time>,
    /// How much longer every log operation takes, and until when.
    pub(crate) slow: (u64, Time),
    pub(crate) log_fails_until: Time,
    pub(crate) seats: Vec<Seat>,
    pub(crate) checked_nodes: BTreeSet<(usize, u64)>,
    /// Moves in time that came after their node had connected_at a flag: the node, and the flag's event
    /// number.
    pub(crate) late: Vec<(usize, u64)>,
    pub(crate) report: Report,
    pub(crate) trace: Option<Vec<String>>,
}

impl World {
    /// Creates the world of a seed; with `tracing` it keeps a trace.
    pub(crate) fn new(seed: u64, tracing: bool) -> Result<World, BrokenLaw> {
        let mut random = Random::new(seed);
        let plan = Plan::new(&mut random);
        let impossible = |how: &str| BrokenLaw { law: Law::Log, how: how.to_owned() };
        let game: GameId =
            format!("sim{:09}", seed % 1_000_000_000).parse().map_err(|_| impossible("no id"))?;
        let nodes = (0..plan.nodes).map(|_| Node {
            up: false,
            epoch: 0,
            base: 0,
            wall: 0,
            live_game: None,
            outage: None,
            started: 0,
            flag: None,
            writing: false,
        });
        let clients = plan.people.iter().enumerate().map(|(n, &who)| Client::new(n, who));
        let seats = vec![
            Seat {
                side: Side::White,
                holder: holder(Person::Player(hansu_chess::Color::White), 0),
            },
            Seat {
                side: Side::Black,
                holder: holder(Person::Player(hansu_chess::Color::Black), 0),
            },
        ];
        let mut world = World {
            now: 0,
            queue: BTreeMap::new(),
            serial: 0,
            game,
            log: Log::new(game),
            referee: Referee::new(plan.time.clone()),
            nodes: nodes.collect(),
            clients: clients.collect(),
            links: Vec::new(),
            issued: BTreeMap::new(),
            current_turn: CurrentTurn::default(),
            credits: BTreeMap::new(),
            outages: Vec::new(),
            partitions: BTreeMap::new(),
            slow: (0, 0),
            log_fails_until: 0,
            seats,
            checked_nodes: BTreeSet::new(),
            late: Vec::new(),
            report: Report { runs: 1, ..Report::default() },
            trace: tracing.then(Vec::new),
            plan,
            random,
        };
        world.begin()?;
        Ok(world)
    }

    /// Writes the start of the game and schedules the first happenings.
    fn begin(&mut self) -> LawResult {
        let start = Start {
            names: Sides { white: "White".to_owned(), black: "Black".to_owned() },
            fen: self.plan.fen.map(str::to_owned),
            time: self.plan.time.clone(),
            source: Source::Online,
            spectators: Spectators::Chat,
            ..Start::between("", "")
        };
        let broken = |how: String| BrokenLaw { law: Law::Log, how };
        let none = State::default();
        let at = Millis(EPOCH);
        let events = decide(&none, Actor::System, &Command::Start(start), at)
            .map_err(|refusal| broken(format!("no start: {refusal}")))?;
        let entries = stamp(&none, events, at);
        let state = State::replay(&entries).map_err(|misfit| broken(misfit.to_string()))?;
        let events = entries.iter().map(hansu_journal::to_event).collect::<Result<_, _>>();
        let append = Append {
            game: self.game,
            expected: 1,
            command_key: None,
            events: events.map_err(|error| broken(error.to_string()))?,
            row: hansu_journal::summary(&state, VISIBILITY).into(),
            begins: None,
            next: None,
        };
        self.log.beat(0, at);
        self.commit_append(&append, 0, 0)?.map_err(|error| broken(error.to_string()))?;
        self.current_turn = CurrentTurn { seq: 1, shown: Some(0), ..CurrentTurn::default() };
        self.trace_line(|world| format!("{:#?}", world.plan));
        for node in 0..self.nodes.len() {
            self.start(node)?;
        }
        for client in 0..self.clients.len() {
            let at = self.random.below(300);
            self.schedule(at, Happening::Wake { client });
        }
        for (at, fault) in self.plan.faults.clone() {
            self.schedule(at, Happening::Fault(fault));
        }
        Ok(())
    }

    /// Schedules a happening. Those at the same moment come in random order.
    pub(crate) fn schedule(&mut self, after: Time, happening: Happening) {
        self.serial += 1;
        let tie = self.random.number();
        self.queue.insert((self.now + after, tie, self.serial), happening);
    }

    /// Removes the happenings that fit from the queue.
    pub(crate) fn take_scheduled(&mut self, which: impl Fn(&Happening) -> bool) -> Vec<Happening> {
        self.queue.extract_if(.., |_, happening| which(happening)).map(|(_, what)| what).collect()
    }

    /// Adds a line to the trace, if there is one.
    pub(crate) fn trace_line(&mut self, line: impl FnOnce(&World) -> String) {
        if self.trace.is_some() {
            let line = format!("{:>7} {}", self.now, line(self));
            if let Some(trace) = &mut self.trace {
                trace.push(line);
            }
        }
    }

    pub(crate) fn is_peace(&self) -> bool {
        self.now >= self.plan.peace
    }

    /// Runs to the end.
    pub(crate) fn run(&mut self) -> LawResult {
        while let Some(((at, ..), happening)) = self.queue.pop_first() {
            if at > self.plan.end {
                break;
            }
            self.now = at;
            self.report.happenings += 1;
            self.happen(happening)?;
        }
        self.now = self.plan.end;
        self.check_end_state()
    }

    fn happen(&mut self, happening: Happening) -> LawResult {
        match happening {
            Happening::NodeFrame { link, text } => self.receive_at_node(link, &text),
            Happening::Ask { link, id, wish, moment } => self.ask(link, id, wish, moment),
            Happening::ClientFrame { link, text } => self.receive_at_client(link, &text),
            Happening::Unstall { link } => {
                self.pump(self.links[link].node);
                Ok(())
            }
            Happening::NodeLost { link } => self.node_lost(link),
            Happening::ClientLost { link } => {
                self.client_lost(link);
                Ok(())
            }
            Happening::Commit { node, epoch, append, submitted } => {
                self.commit(node, epoch, &append, submitted)
            }
            Happening::Wrote { node, epoch, answer, submitted } => {
                self.wrote(node, epoch, answer, submitted)
            }
            Happening::Read { node, epoch, after } => {
                let answer = self.log_available().map(|()| self.log.entries_after(after));
                let wait = self.log_delay();
                self.schedule(wait, Happening::HasRead { node, epoch, answer });
                Ok(())
            }
            Happening::HasRead { node, epoch, answer } => self.has_read(node, epoch, answer),
            Happening::LookUp { node, epoch, to, key, refused } => {
                let answer = self.log_available().map(|()| self.log.find_command(&key.to_string()));
                let wait = self.log_delay();
                let looked = Happening::LookedUp { node, epoch, to, key, refused, answer };
                self.schedule(wait, looked);
                Ok(())
            }
            Happening::LookedUp { node, epoch, to, key, refused, answer } => {
                self.call_game(node, epoch, |live_game, _| {
                    live_game.finish_look_up(to, &key, answer, refused)
                })
            }
            Happening::Hint { node, seq } => {
                let epoch = self.nodes[node].epoch;
                self.call_game(node, epoch, |live_game, _| live_game.hint(seq))
            }
            Happening::Tick { node, epoch } => self.tick(node, epoch),
            Happening::Second { node, epoch } => self.each_second(node, epoch),
            Happening::Pulse { node, epoch } => self.pulse(node, epoch),
            Happening::Restart { node } => self.start(node),
            Happening::Fault(fault) => self.fault(fault),
            Happening::Wake { client } => self.wake(client),
        }
    }

    /// The game is over: ends the faults and the run a little later.
    pub(crate) fn begin_end_phase(&mut self) {
        let peace = self.now + self.random.below(8_000);
        self.plan.peace = self.plan.peace.min(peace);
        let quiet = self.plan.peace + self.random.below(6_000);
        self.plan.quiet = self.plan.quiet.min(quiet);
        self.plan.end = self.plan.quiet + REST;
        for until in
            self.partitions.values_mut().chain([&mut self.slow.1, &mut self.log_fails_until])
        {
            *until = (*until).min(peace);
        }
        for client in &mut self.clients {
            client.offline_until = client.offline_until.min(peace);
        }
        for link in 0..self.links.len() {
            if self.links[link].stalled > peace {
                self.links[link].stalled = peace;
                self.schedule(peace - self.now + 1, Happening::Unstall { link });
            }
        }
        for node in 0..self.nodes.len() {
            self.schedule(peace - self.now, Happening::Restart { node });
        }
    }

    /// A fault happens.
    fn fault(&mut self, fault: Fault) -> LawResult {
        if self.is_peace() {
            return Ok(());
        }
        self.trace_line(|_| format!("fault: {fault:?}"));
        self.report.faults += 1;
        match fault {
            Fault::Crash { node, down } => self.crash(node, down)?,
            Fault::Jump { node, by } => self.nodes[node].wall += by,
            Fault::Cut { person } => {
                if let Some(link) = self.clients[person].link {
                    self.cut(link);
                }
            }
            Fault::Partition { person, node, time } => {
                let until = (self.now + time).min(self.plan.peace);
                self.partitions.insert((person, node), until);
                for link in &mut self.links {
                    link.cut |= (link.client, link.node) == (person, node);
                }
            }
            Fault::Stall { person, time } => {
                if let Some(link) = self.clients[person].link {
                    let until = (self.now + time).min(self.plan.peace);
                    self.links[link].stalled = until;
                    self.schedule(until.saturating_sub(self.now) + 1, Happening::Unstall { link });
                }
            }
            Fault::Away { person, time } => {
                self.clients[person].offline_until = (self.now + time).min(self.plan.peace);
                self.hang_up(person);
            }
            Fault::Slow { each, time } => {
                self.slow = (each, (self.now + time).min(self.plan.peace));
            }
            Fault::Broken { time } => self.log_fails_until = (self.now + time).min(self.plan.peace),
            Fault::Think { person, time } => {
                self.clients[person].idle_until = (self.now + time).min(self.plan.quiet);
            }
        }
        Ok(())
    }

    /// Breaks a connection; both ends notice it later, independently.
    fn cut(&mut self, link: usize) {
        self.links[link].cut = true;
        let (node, client) = (self.random.delay(100, 9_500), self.random.delay(100, 9_500));
        self.schedule(node, Happening::NodeLost { link });
        self.schedule(client, Happening::ClientLost { link });
    }
}

/// The holder of a client's key. Two clients of one player have the same key.
pub(crate) fn holder(person: Person, number: usize) -> Holder {
    let first = match person {
        Person::Player(color) => color as u8,
        Person::Watcher | Person::Meddler => 0x80 | u8::try_from(number).unwrap_or(0x7f),
    };
    Holder([first; 32])
}

/// Parses a server's message as a client does.
pub(crate) fn message(text: &str) -> Result<ServerMessage, BrokenLaw> {
    serde_json::from_str(text)
        .map_err(|error| BrokenLaw { law: Law::View, how: format!("{error} in {text}") })
}
