//! Everything together: time, what is about to happen, and the machines and people it happens to.

use std::collections::{BTreeMap, BTreeSet};

use hansu_live::{Answer, Asker, CommandKey, LiveGame, Outage};
use hansu_play::{
    Actor, Command, Entry, Millis, Moment, Sides, Source, Spectators, Start, State, decide, stamp,
};
use hansu_protocol::{ServerMessage, Wish};
use hansu_records::{Append, Appended, Error, GameId, Holder, Seat, Side};

use crate::client::Client;
use crate::laws::{Broken, Kept, Law};
use crate::log::{Log, VISIBILITY};
use crate::plan::{Fault, Person, Plan, Time};
use crate::queue::Inbox;
use crate::referee::{Author, Limit, Referee};
use crate::report::Report;
use hansu_ground::Random;

/// What machines' clocks show at the beginning.
pub(crate) const EPOCH: u64 = 1_800_000_000_000;

/// How long everybody has to learn everything, when nobody wants anything any more.
pub(crate) const REST: Time = 45_000;

/// Something that is about to happen.
#[derive(Debug)]
pub(crate) enum Happening {
    /// A client's message arrives at its node.
    Frame { line: usize, text: String },
    /// A node has found the time to look at a command.
    Ask { line: usize, id: String, wish: Wish, moment: Moment },
    /// A server's message arrives at its client.
    Told { line: usize, text: String },
    /// A line takes messages again.
    Flows { line: usize },
    /// A node notices that a connection is gone.
    NodeLost { line: usize },
    /// A client notices that a connection is gone.
    ClientLost { line: usize },
    /// An append reaches the log.
    Commit { node: usize, epoch: u32, append: Box<Append>, given: Time },
    /// The log's answer reaches the node.
    Wrote { node: usize, epoch: u32, answer: Result<Appended, Error>, given: Time },
    /// A node asks for what it has missed.
    Read { node: usize, epoch: u32, after: u64 },
    /// The answer to that.
    HasRead { node: usize, epoch: u32, answer: Result<Vec<Entry>, Error> },
    /// A node asks whether a command was done.
    LookUp { node: usize, epoch: u32, to: Asker, key: CommandKey, refused: Answer },
    /// The answer to that.
    LookedUp {
        node: usize,
        epoch: u32,
        to: Asker,
        key: CommandKey,
        refused: Answer,
        answer: Result<Option<u64>, Error>,
    },
    /// A node hears from another that the log knows more.
    Hint { node: usize, seq: u64 },
    /// A node looks at its tables.
    Tick { node: usize, epoch: u32 },
    /// Every second: signs of life to the log, games whose time is up, and what others have done.
    Second { node: usize, epoch: u32 },
    /// Every four seconds: signs of life to clients, and tables that nobody needs.
    Pulse { node: usize, epoch: u32 },
    /// A node comes back.
    Restart { node: usize },
    /// Something goes wrong.
    Fault(Fault),
    /// A client looks at the screen.
    Wake { client: usize },
}

/// A machine with a server.
pub(crate) struct Node {
    pub(crate) up: bool,
    pub(crate) epoch: u32,
    /// What its clock showed when the world began.
    pub(crate) base: u64,
    /// How far the machine's own clock is off.
    pub(crate) wall: i64,
    pub(crate) table: Option<LiveGame>,
    pub(crate) outage: Option<Outage>,
    pub(crate) started: Time,
    /// The flag that it has called last, and after which event.
    pub(crate) flag: Option<(Limit, u64)>,
    /// Whether the log has not done yet what it was given.
    pub(crate) writing: bool,
}

/// A connection between a client and a node.
pub(crate) struct Line {
    pub(crate) client: usize,
    pub(crate) node: usize,
    pub(crate) epoch: u32,
    /// At the node, once it has said hello.
    pub(crate) joined: Option<(Actor, Inbox)>,
    pub(crate) at_node: bool,
    pub(crate) at_client: bool,
    /// Nothing gets through any more.
    pub(crate) cut: bool,
    pub(crate) stalled: Time,
    pub(crate) node_heard: Time,
    pub(crate) last_up: Time,
    pub(crate) last_down: Time,
    pub(crate) last_ask: Time,
}

/// A command that somebody has given, by its name in the log.
pub(crate) struct Given {
    pub(crate) author: Author,
    pub(crate) wish: Wish,
    pub(crate) client: usize,
    /// When nodes have received it.
    pub(crate) stamps: Vec<Millis>,
    pub(crate) acked: Option<u64>,
    pub(crate) refused: Option<String>,
    /// Over how many connections it had been sent when it was refused.
    pub(crate) lines: usize,
}

/// The turn that runs: when what began it was given to the log, and when it could be seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Running {
    pub(crate) seq: u64,
    /// The node that gave it.
    pub(crate) node: usize,
    pub(crate) given: Time,
    pub(crate) shown: Option<Time>,
    /// Whether nothing is left to be given back for a slow commit.
    pub(crate) credited: bool,
}

/// The world.
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
    pub(crate) lines: Vec<Line>,
    pub(crate) given: BTreeMap<String, Given>,
    pub(crate) running: Running,
    /// What outages can be credited, by the names of the credits: how much, and for turns that
    /// began before when.
    pub(crate) credits: BTreeMap<String, (Millis, Time)>,
    /// When the only node was away.
    pub(crate) outages: Vec<(Time, Time)>,
    /// Between whom nothing gets through, until when.
    pub(crate) walls: BTreeMap<(usize, usize), Time>,
    /// How long the log takes for everything, until when.
    pub(crate) slow: (u64, Time),
    pub(crate) broken: Time,
    pub(crate) seats: Vec<Seat>,
    pub(crate) seen: BTreeSet<(usize, u64)>,
    /// Moves in time that came after their node had called a flag: the node, and the flag's number.
    pub(crate) late: Vec<(usize, u64)>,
    pub(crate) report: Report,
    pub(crate) story: Option<Vec<String>>,
}

impl World {
    /// The world of a seed.
    pub(crate) fn new(seed: u64, tells: bool) -> Result<World, Broken> {
        let mut random = Random::new(seed);
        let plan = Plan::new(&mut random);
        let impossible = |how: &str| Broken { law: Law::Log, how: how.to_owned() };
        let game: GameId =
            format!("sim{:09}", seed % 1_000_000_000).parse().map_err(|_| impossible("no id"))?;
        let nodes = (0..plan.nodes).map(|_| Node {
            up: false,
            epoch: 0,
            base: 0,
            wall: 0,
            table: None,
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
            lines: Vec::new(),
            given: BTreeMap::new(),
            running: Running::default(),
            credits: BTreeMap::new(),
            outages: Vec::new(),
            walls: BTreeMap::new(),
            slow: (0, 0),
            broken: 0,
            seats,
            seen: BTreeSet::new(),
            late: Vec::new(),
            report: Report { runs: 1, ..Report::default() },
            story: tells.then(Vec::new),
            plan,
            random,
        };
        world.begin()?;
        Ok(world)
    }

    /// Writes the start of the game and sets everything going.
    fn begin(&mut self) -> Kept {
        let start = Start {
            names: Sides { white: "White".to_owned(), black: "Black".to_owned() },
            fen: self.plan.fen.map(str::to_owned),
            time: self.plan.time.clone(),
            source: Source::Online,
            spectators: Spectators::Chat,
            ..Start::between("", "")
        };
        let broken = |how: String| Broken { law: Law::Log, how };
        let none = State::default();
        let at = Millis(EPOCH);
        let events = decide(&none, Actor::System, &Command::Start(start), at)
            .map_err(|refusal| broken(format!("no start: {refusal}")))?;
        let entries = stamp(&none, events, at);
        let state = State::replay(&entries).map_err(|misfit| broken(misfit.to_string()))?;
        let events = entries.iter().map(hansu_journal::written).collect::<Result<_, _>>();
        let append = Append {
            game: self.game,
            expected: 1,
            client: None,
            events: events.map_err(|error| broken(error.to_string()))?,
            row: hansu_journal::summary(&state, VISIBILITY).into(),
            begins: None,
            next: None,
        };
        self.log.beat(0, at);
        self.kept(&append, 0, 0)?.map_err(|error| broken(error.to_string()))?;
        self.running = Running { seq: 1, shown: Some(0), ..Running::default() };
        self.tell(|world| format!("{:#?}", world.plan));
        for node in 0..self.nodes.len() {
            self.start(node)?;
        }
        for client in 0..self.clients.len() {
            let at = self.random.below(300);
            self.soon(at, Happening::Wake { client });
        }
        for (at, fault) in self.plan.faults.clone() {
            self.soon(at, Happening::Fault(fault));
        }
        Ok(())
    }

    /// Something will happen in a while; among what happens at the same moment chance decides.
    pub(crate) fn soon(&mut self, after: Time, happening: Happening) {
        self.serial += 1;
        let tie = self.random.number();
        self.queue.insert((self.now + after, tie, self.serial), happening);
    }

    /// Takes what a crash stops out of the queue.
    pub(crate) fn take(&mut self, which: impl Fn(&Happening) -> bool) -> Vec<Happening> {
        self.queue.extract_if(.., |_, happening| which(happening)).map(|(_, what)| what).collect()
    }

    /// Writes a line of the story, if somebody wants to read it.
    pub(crate) fn tell(&mut self, line: impl FnOnce(&World) -> String) {
        if self.story.is_some() {
            let line = format!("{:>7} {}", self.now, line(self));
            if let Some(story) = &mut self.story {
                story.push(line);
            }
        }
    }

    pub(crate) fn is_peace(&self) -> bool {
        self.now >= self.plan.peace
    }

    /// Runs to the end.
    pub(crate) fn run(&mut self) -> Kept {
        while let Some(((at, ..), happening)) = self.queue.pop_first() {
            if at > self.plan.end {
                break;
            }
            self.now = at;
            self.report.happenings += 1;
            self.happen(happening)?;
        }
        self.now = self.plan.end;
        self.rest()
    }

    fn happen(&mut self, happening: Happening) -> Kept {
        match happening {
            Happening::Frame { line, text } => self.frame(line, &text),
            Happening::Ask { line, id, wish, moment } => self.ask(line, id, wish, moment),
            Happening::Told { line, text } => self.told(line, &text),
            Happening::Flows { line } => {
                self.pump(self.lines[line].node);
                Ok(())
            }
            Happening::NodeLost { line } => self.node_lost(line),
            Happening::ClientLost { line } => {
                self.client_lost(line);
                Ok(())
            }
            Happening::Commit { node, epoch, append, given } => {
                self.commit(node, epoch, &append, given)
            }
            Happening::Wrote { node, epoch, answer, given } => {
                self.wrote(node, epoch, answer, given)
            }
            Happening::Read { node, epoch, after } => {
                let answer = self.reading().map(|()| self.log.after(after));
                let wait = self.waits();
                self.soon(wait, Happening::HasRead { node, epoch, answer });
                Ok(())
            }
            Happening::HasRead { node, epoch, answer } => self.has_read(node, epoch, answer),
            Happening::LookUp { node, epoch, to, key, refused } => {
                let answer = self.reading().map(|()| self.log.answered(&key.to_string()));
                let wait = self.waits();
                let looked = Happening::LookedUp { node, epoch, to, key, refused, answer };
                self.soon(wait, looked);
                Ok(())
            }
            Happening::LookedUp { node, epoch, to, key, refused, answer } => {
                self.at(node, epoch, |table, _| table.looked_up(to, &key, answer, refused))
            }
            Happening::Hint { node, seq } => {
                let epoch = self.nodes[node].epoch;
                self.at(node, epoch, |table, _| table.hint(seq))
            }
            Happening::Tick { node, epoch } => self.tick(node, epoch),
            Happening::Second { node, epoch } => self.second(node, epoch),
            Happening::Pulse { node, epoch } => self.pulse(node, epoch),
            Happening::Restart { node } => self.start(node),
            Happening::Fault(fault) => self.fault(fault),
            Happening::Wake { client } => self.wake(client),
        }
    }

    /// The game is over: a little more of everything, and then it shall come to rest.
    pub(crate) fn is_over(&mut self) {
        let peace = self.now + self.random.below(8_000);
        self.plan.peace = self.plan.peace.min(peace);
        let quiet = self.plan.peace + self.random.below(6_000);
        self.plan.quiet = self.plan.quiet.min(quiet);
        self.plan.end = self.plan.quiet + REST;
        for until in self.walls.values_mut().chain([&mut self.slow.1, &mut self.broken]) {
            *until = (*until).min(peace);
        }
        for client in &mut self.clients {
            client.away = client.away.min(peace);
        }
        for line in 0..self.lines.len() {
            if self.lines[line].stalled > peace {
                self.lines[line].stalled = peace;
                self.soon(peace - self.now + 1, Happening::Flows { line });
            }
        }
        for node in 0..self.nodes.len() {
            self.soon(peace - self.now, Happening::Restart { node });
        }
    }

    /// Something goes wrong.
    fn fault(&mut self, fault: Fault) -> Kept {
        if self.is_peace() {
            return Ok(());
        }
        self.tell(|_| format!("fault: {fault:?}"));
        self.report.faults += 1;
        match fault {
            Fault::Crash { node, down } => self.crash(node, down)?,
            Fault::Jump { node, by } => self.nodes[node].wall += by,
            Fault::Cut { person } => {
                if let Some(line) = self.clients[person].line {
                    self.cut(line);
                }
            }
            Fault::Partition { person, node, time } => {
                let until = (self.now + time).min(self.plan.peace);
                self.walls.insert((person, node), until);
                for line in &mut self.lines {
                    line.cut |= (line.client, line.node) == (person, node);
                }
            }
            Fault::Stall { person, time } => {
                if let Some(line) = self.clients[person].line {
                    let until = (self.now + time).min(self.plan.peace);
                    self.lines[line].stalled = until;
                    self.soon(until.saturating_sub(self.now) + 1, Happening::Flows { line });
                }
            }
            Fault::Away { person, time } => {
                self.clients[person].away = (self.now + time).min(self.plan.peace);
                self.hang_up(person);
            }
            Fault::Slow { each, time } => {
                self.slow = (each, (self.now + time).min(self.plan.peace));
            }
            Fault::Broken { time } => self.broken = (self.now + time).min(self.plan.peace),
            Fault::Think { person, time } => {
                self.clients[person].thinks = (self.now + time).min(self.plan.quiet);
            }
        }
        Ok(())
    }

    /// A connection breaks; both ends will notice, each in its time.
    fn cut(&mut self, line: usize) {
        self.lines[line].cut = true;
        let (node, client) = (self.random.delay(100, 9_500), self.random.delay(100, 9_500));
        self.soon(node, Happening::NodeLost { line });
        self.soon(client, Happening::ClientLost { line });
    }
}

/// Who somebody is to the server. Two screens of one player have one key.
pub(crate) fn holder(person: Person, number: usize) -> Holder {
    let first = match person {
        Person::Player(color) => color as u8,
        Person::Watcher | Person::Meddler => 0x80 | u8::try_from(number).unwrap_or(0x7f),
    };
    Holder([first; 32])
}

/// A server's message, as it is read by a client.
pub(crate) fn message(text: &str) -> Result<ServerMessage, Broken> {
    serde_json::from_str(text)
        .map_err(|error| Broken { law: Law::View, how: format!("{error} in {text}") })
}
