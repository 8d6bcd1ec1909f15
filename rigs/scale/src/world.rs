//! The simulation: all people, games and nodes, and the queue of events.

mod background;
mod connections;
mod games;

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use fastrand::Rng;

use crate::chance::{exponential, weighted_index};
use crate::costs::Costs;
use crate::delays::Delays;
use crate::node::{Node, TransactionTime};
use crate::people::{Crowd, CrowdError, Habits, PACES, part_of_day};
use crate::second::Second;

/// How the load balancer chooses a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Balance {
    /// The node with fewer connections of two random ones: as even as `Fewest`, and newcomers do
    /// not all go to one node.
    #[default]
    Two,
    /// The node with the fewest connections.
    Fewest,
    /// A random node.
    Random,
}

/// The simulated hours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hours {
    /// The peak, without an end.
    #[default]
    Peak,
    /// A day from midnight.
    Day,
}

/// The parameters of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// People at the peak.
    pub people: f64,
    /// Moves a second at the peak.
    pub moves: f64,
    /// The seed of all random draws.
    pub seed: u64,
    /// Nodes.
    pub nodes: usize,
    /// Cores of each.
    pub cores: f64,
    /// Zones over which they are spread.
    pub zones: usize,
    /// Cores of the database.
    pub pg_cores: f64,
    /// How the load balancer chooses a node.
    pub balance: Balance,
    /// The simulated hours.
    pub hours: Hours,
    /// The costs.
    pub costs: Costs,
    /// The people's habits.
    pub habits: Habits,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            people: 150_000.0,
            moves: 16_000.0,
            seed: 1,
            nodes: 12,
            cores: 4.0,
            zones: 3,
            pg_cores: 16.0,
            balance: Balance::default(),
            hours: Hours::default(),
            costs: Costs::default(),
            habits: Habits::default(),
        }
    }
}

/// How a connection to a dead node ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConnectionLoss {
    /// It is reset at once.
    Reset,
    /// No more data comes.
    Silence,
}

/// A planned change of the system: a fault, a restart, or a rush of people.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Intervention {
    /// A node dies.
    Kill(usize),
    /// A zone dies with everything in it: nodes, a NATS server, the primary.
    KillZone(usize),
    /// A node says goodbye and stops.
    Stop(usize),
    /// A node is started.
    Start(usize),
    /// The database is away for this many seconds.
    NoDatabase(f64),
    /// NATS is away for this many seconds.
    NoBus(f64),
    /// This many people come to watch one game, after a mean time of this many seconds.
    Crowd(usize, f64),
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Move { game: u32, generation: u32 },
    Seek { person: u32, generation: u32 },
    Unwatch { person: u32, generation: u32 },
    Connect { person: u32, generation: u32 },
    Accepted { person: u32, generation: u32, node: u16 },
    Welcome { person: u32, generation: u32, node: u16 },
    Arrive,
    Visit,
    VisitMove { person: u32, generation: u32 },
    Leave { person: u32, generation: u32 },
    Watch { game: u32, generation: u32 },
    Tick,
    Second,
    Intervention(usize),
}

struct ScheduledEvent {
    at: u64,
    serial: u64,
    event: Event,
}

impl PartialEq for ScheduledEvent {
    fn eq(&self, other: &ScheduledEvent) -> bool {
        (self.at, self.serial) == (other.at, other.serial)
    }
}

impl Eq for ScheduledEvent {}

impl PartialOrd for ScheduledEvent {
    fn partial_cmp(&self, other: &ScheduledEvent) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ScheduledEvent {
    /// The earliest is the greatest, since `BinaryHeap` pops the greatest.
    fn cmp(&self, other: &ScheduledEvent) -> Ordering {
        (other.at, other.serial).cmp(&(self.at, self.serial))
    }
}

/// Where a person is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Location {
    Lobby,
    Seeking,
    Seat(u32),
    Watch(u32),
    Visit,
    Gone,
}

#[derive(Clone, Debug)]
struct Person {
    /// Counts the uses of this slot: events of an earlier person are ignored.
    generation: u32,
    location: Location,
    /// The node, while connected.
    node: Option<u16>,
    /// Failed attempts since the connection broke.
    tries: u32,
    /// When the connection broke; `None` while connected.
    lost: Option<f64>,
}

#[derive(Clone, Debug)]
struct Game {
    generation: u32,
    live: bool,
    players: [u32; 2],
    pace: usize,
    /// A random number that selects the node's writer for this game.
    writer_number: usize,
    /// Remaining moves.
    left: u32,
    turn: usize,
    clocks: [f64; 2],
    watchers: Vec<u32>,
    /// The nodes where this game is live, with the number of people there.
    at: Vec<(u16, u32)>,
    /// True if the people present have changed since the last tick.
    changed: bool,
    /// When the player to move began to think.
    since: f64,
}

/// The results of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunStats {
    /// The figures of each second.
    pub seconds: Vec<Second>,
    /// From a player's message to its acknowledgement.
    pub delays: Delays,
    /// From a player's message until the opponent's node has sent it.
    pub far: Delays,
    /// How long people that lost their connection were away.
    pub absences: Delays,
    /// Lost connections.
    pub lost: u64,
    /// Of these, people that are back.
    pub back: u64,
    /// Of these, people that left before they were back.
    pub gave_up: u64,
    /// Of these, people that still try to connect.
    pub trying: u64,
    /// Games lost on time by a player that was not connected.
    pub flagged: u64,
    /// Games that ended.
    pub ended: u64,
    /// Moves.
    pub moves: u64,
}

/// The simulation.
pub struct World {
    plan: Plan,
    crowd: Crowd,
    rng: Rng,
    now: f64,
    events: BinaryHeap<ScheduledEvent>,
    serial: u64,
    interventions: Vec<(f64, Intervention)>,
    nodes: Vec<Node>,
    people: Vec<Person>,
    free_people: Vec<u32>,
    games: Vec<Game>,
    free_games: Vec<u32>,
    live: usize,
    inside: usize,
    seekers: Vec<VecDeque<(u32, u32)>>,
    /// The games on the lobby's list.
    listed: Vec<u32>,
    changed: Vec<u32>,
    sums: Second,
    seeks_before: f64,
    second_delays: Delays,
    second_far: Delays,
    no_database_until: f64,
    no_bus_until: f64,
    /// Factor by which the database is slower because of its load.
    stretch: f64,
    stats: RunStats,
}

impl World {
    /// A fitted crowd in a steady state, and the interventions to come.
    ///
    /// # Errors
    ///
    /// When no crowd is like that.
    pub fn new(plan: Plan, interventions: Vec<(f64, Intervention)>) -> Result<World, CrowdError> {
        let batch = TransactionTime::of(&plan.costs, 1.0);
        let way =
            (plan.costs.node_move + plan.costs.node_heard) / 1e6 + plan.costs.nats_latency / 1e3;
        let lag = batch.fixed + batch.each + way;
        let crowd = Crowd::fit(plan.people, plan.moves, &plan.habits, lag)?;
        let zones = plan.zones.max(1);
        let nodes = (0..plan.nodes.max(1))
            .map(|number| Node::new(number % zones, plan.cores, &plan.costs))
            .collect();
        let mut world = World {
            rng: Rng::with_seed(plan.seed),
            crowd,
            now: 0.0,
            events: BinaryHeap::new(),
            serial: 0,
            interventions,
            nodes,
            people: Vec::new(),
            free_people: Vec::new(),
            games: Vec::new(),
            free_games: Vec::new(),
            live: 0,
            inside: 0,
            seekers: vec![VecDeque::new(); PACES.len()],
            listed: Vec::new(),
            changed: Vec::new(),
            sums: Second::default(),
            seeks_before: 0.0,
            second_delays: Delays::default(),
            second_far: Delays::default(),
            no_database_until: 0.0,
            no_bus_until: 0.0,
            stretch: 1.0,
            stats: RunStats::default(),
            plan,
        };
        world.settle();
        Ok(world)
    }

    /// Creates the people and games of a steady state.
    fn settle(&mut self) {
        let part = self.load_share();
        let crowd = self.crowd;
        for _ in 0..(crowd.begin * crowd.lasts * part).round() as usize {
            let pace = weighted_index(&mut self.rng, crowd.mix.iter().copied());
            let players = [
                self.new_connected_person(Location::Lobby),
                self.new_connected_person(Location::Lobby),
            ];
            self.resume(players, pace);
        }
        for _ in 0..(crowd.watching * part).round() as usize {
            let person = self.new_connected_person(Location::Lobby);
            self.go_watching(person);
        }
        for _ in 0..(crowd.lobby * part).round() as usize {
            let person = self.new_connected_person(Location::Lobby);
            self.wait_in_lobby(person);
        }
        let visit = self.plan.habits.visit;
        for _ in 0..(crowd.visits * visit * part).round() as usize {
            let person = self.new_connected_person(Location::Visit);
            let left = self.rng.f64() * visit;
            let generation = self.people[person as usize].generation;
            if left > visit / 2.0 {
                self.after(left - visit / 2.0, Event::VisitMove { person, generation });
            }
            self.after(left, Event::Leave { person, generation });
        }
        self.after(0.0, Event::Arrive);
        self.after(0.0, Event::Visit);
        self.after(0.1, Event::Tick);
        self.after(1.0, Event::Second);
        for number in 0..self.interventions.len() {
            self.after(self.interventions[number].0, Event::Intervention(number));
        }
        // The work of creating them does not count.
        for node in &mut self.nodes {
            *node = Node {
                queue: Default::default(),
                accept_queue: Default::default(),
                ..node.clone()
            };
        }
        self.sums = Second::default();
        self.plan_background();
    }

    /// The number of people at this hour, as a share of the peak.
    fn load_share(&self) -> f64 {
        match self.plan.hours {
            Hours::Peak => 1.0,
            Hours::Day => part_of_day(self.now),
        }
    }

    fn after(&mut self, seconds: f64, event: Event) {
        self.serial += 1;
        let at = ((self.now + seconds.max(0.0)) * 1e6) as u64;
        self.events.push(ScheduledEvent { at, serial: self.serial, event });
    }

    /// Runs until this second.
    pub fn run(&mut self, until: f64) {
        let end = (until * 1e6) as u64;
        while self.events.peek().is_some_and(|due| due.at <= end) {
            let Some(ScheduledEvent { at, event, .. }) = self.events.pop() else { break };
            self.now = at as f64 / 1e6;
            self.handle(event);
        }
        self.now = until;
    }

    /// Drops the measurements so far, since the beginning is not typical.
    pub fn reset_measurements(&mut self) {
        self.stats.seconds.clear();
        self.stats.delays.clear();
        self.stats.far.clear();
        self.stats.moves = 0;
    }

    /// The results so far.
    pub fn stats(&self) -> RunStats {
        let trying = self.people.iter().filter(|person| person.lost.is_some()).count();
        RunStats { trying: trying as u64, ..self.stats.clone() }
    }

    /// The fitted crowd.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    fn is_current(&self, person: u32, generation: u32) -> bool {
        self.people[person as usize].generation == generation
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Move { game, generation } => {
                if self.games[game as usize].generation == generation
                    && self.games[game as usize].live
                {
                    self.play(game);
                }
            }
            Event::Seek { person, generation } if self.is_current(person, generation) => {
                self.seek(person);
            }
            Event::Unwatch { person, generation } if self.is_current(person, generation) => {
                self.unwatch(person);
            }
            Event::Connect { person, generation } if self.is_current(person, generation) => {
                self.connect(person);
            }
            Event::Accepted { person, generation, node } => {
                if self.is_current(person, generation) {
                    self.handle_accepted(person, node);
                } else {
                    self.nodes[usize::from(node)].sockets -= 1;
                }
            }
            Event::Welcome { person, generation, node } => {
                if self.is_current(person, generation) {
                    self.welcome(person, node);
                } else {
                    self.nodes[usize::from(node)].sockets -= 1;
                }
            }
            Event::VisitMove { person, generation } if self.is_current(person, generation) => {
                self.visit_move(person);
            }
            Event::Leave { person, generation } if self.is_current(person, generation) => {
                self.leave(person);
            }
            Event::Seek { .. }
            | Event::Unwatch { .. }
            | Event::Connect { .. }
            | Event::VisitMove { .. }
            | Event::Leave { .. } => {}
            Event::Watch { game, generation } => {
                let game = if self.games[game as usize].generation == generation {
                    game
                } else {
                    self.watchable()
                };
                let person = self.new_person(Location::Watch(game));
                self.games[game as usize].watchers.push(person);
                self.connect(person);
            }
            Event::Arrive => {
                let rate = self.crowd.arrivals(&self.plan.habits) * self.load_share();
                let person = self.new_person(Location::Lobby);
                self.connect(person);
                self.wait_in_lobby(person);
                let next = exponential(&mut self.rng, 1.0 / rate);
                self.after(next, Event::Arrive);
            }
            Event::Visit => {
                let person = self.new_person(Location::Visit);
                self.connect(person);
                let (generation, visit) =
                    (self.people[person as usize].generation, self.plan.habits.visit);
                self.after(visit / 2.0, Event::VisitMove { person, generation });
                self.after(visit, Event::Leave { person, generation });
                let rate = self.crowd.visits * self.load_share();
                let next = exponential(&mut self.rng, 1.0 / rate);
                self.after(next, Event::Visit);
            }
            Event::Tick => self.tick(),
            Event::Second => self.finish_second(),
            Event::Intervention(number) => self.intervene(self.interventions[number].1),
        }
    }
}

#[cfg(test)]
mod tests;
