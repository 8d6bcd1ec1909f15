//! The simulation: everybody, every game, every node, and what happens next.

mod evenly;
mod games;
mod lines;

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use fastrand::Rng;

use crate::chance::{exponential, weighted};
use crate::costs::Costs;
use crate::delays::Delays;
use crate::node::{Batch, Node};
use crate::people::{Crowd, Habits, NoCrowd, PACES, part_of_day};
use crate::second::Second;

/// To which node somebody is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Balance {
    /// To the emptier of any two: as even as the fewest, and nobody's door has all newcomers.
    #[default]
    Two,
    /// To the one with the fewest connections.
    Fewest,
    /// To any.
    Random,
}

/// Which hours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hours {
    /// The busiest, on and on.
    #[default]
    Peak,
    /// A day from midnight.
    Day,
}

/// What is to be simulated.
#[derive(Clone, Debug)]
pub struct Plan {
    /// People at the peak.
    pub people: f64,
    /// Moves a second at the peak.
    pub moves: f64,
    /// Where chance begins.
    pub seed: u64,
    /// Nodes.
    pub nodes: usize,
    /// Cores of each.
    pub cores: f64,
    /// Zones over which they are spread.
    pub zones: usize,
    /// Cores of the database.
    pub pg_cores: f64,
    /// How people are sent to nodes.
    pub balance: Balance,
    /// Which hours.
    pub hours: Hours,
    /// What things cost.
    pub costs: Costs,
    /// What people do.
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

/// How people notice that their node is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// The line breaks at once.
    Reset,
    /// Nothing comes any more.
    Silence,
}

/// Something that is done to the nodes, or by very many people.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    /// A node dies.
    Kill(usize),
    /// A zone dies with everything in it: nodes, a NATS server, the primary.
    KillZone(usize),
    /// A node says goodbye and stops.
    Stop(usize),
    /// A node is started.
    Start(usize),
    /// The database is away for so many seconds.
    NoDatabase(f64),
    /// NATS is away for so many seconds.
    NoBus(f64),
    /// So many come to watch one game, within so many seconds (mean).
    Crowd(usize, f64),
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Move { game: u32, age: u32 },
    Seek { person: u32, age: u32 },
    Unwatch { person: u32, age: u32 },
    Connect { person: u32, age: u32 },
    Accepted { person: u32, age: u32, node: u16 },
    Welcome { person: u32, age: u32, node: u16 },
    Arrive,
    Visit,
    VisitMove { person: u32, age: u32 },
    Leave { person: u32, age: u32 },
    Watch { game: u32, age: u32 },
    Tick,
    Second,
    Step(usize),
}

struct Due {
    at: u64,
    serial: u64,
    event: Event,
}

impl PartialEq for Due {
    fn eq(&self, other: &Due) -> bool {
        (self.at, self.serial) == (other.at, other.serial)
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    /// The earliest is the greatest: heaps give that one.
    fn cmp(&self, other: &Due) -> Ordering {
        (other.at, other.serial).cmp(&(self.at, self.serial))
    }
}

/// Where somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Lobby,
    Seeking,
    Seat(u32),
    Watch(u32),
    Visit,
    Gone,
}

#[derive(Clone, Debug)]
struct Person {
    /// Whoever comes to the same place in memory later is somebody else.
    age: u32,
    place: Place,
    /// The node, when connected.
    node: Option<u16>,
    /// Tries in vain since the line broke.
    tries: u32,
    /// When the line broke, until it is back.
    lost: Option<f64>,
}

#[derive(Clone, Debug)]
struct Game {
    age: u32,
    live: bool,
    players: [u32; 2],
    pace: usize,
    /// Which of a node's writers has it.
    lot: usize,
    /// Moves still to come.
    left: u32,
    turn: usize,
    clocks: [f64; 2],
    watchers: Vec<u32>,
    /// People of this game by node: those nodes have a table.
    at: Vec<(u16, u32)>,
    /// Whether who is there has changed since the last tick.
    changed: bool,
    /// When the thought of whoever is to move began.
    since: f64,
}

/// How a run went.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Account {
    /// Second by second.
    pub seconds: Vec<Second>,
    /// From a player's message to its acknowledgement.
    pub delays: Delays,
    /// To the opponent's node having told it.
    pub far: Delays,
    /// How long those who lost their connection were away.
    pub absences: Delays,
    /// People who lost their connection, each time anew.
    pub lost: u64,
    /// Of these, back.
    pub back: u64,
    /// Of these, gone for good before they were back.
    pub gave_up: u64,
    /// Of these, still trying.
    pub trying: u64,
    /// Games lost on time by somebody who was not connected.
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
    events: BinaryHeap<Due>,
    serial: u64,
    steps: Vec<(f64, Step)>,
    nodes: Vec<Node>,
    people: Vec<Person>,
    free_people: Vec<u32>,
    games: Vec<Game>,
    free_games: Vec<u32>,
    live: usize,
    inside: usize,
    seekers: Vec<VecDeque<(u32, u32)>>,
    /// The games on the lobby's list, the most watched first.
    shown: Vec<u32>,
    changed: Vec<u32>,
    sums: Second,
    seeks_before: f64,
    second_delays: Delays,
    second_far: Delays,
    no_database_until: f64,
    no_bus_until: f64,
    /// How much longer the database takes for everything, being busy.
    stretch: f64,
    account: Account,
}

impl World {
    /// A crowd at the beginning of its run, and what will be done to it.
    ///
    /// # Errors
    ///
    /// When no crowd is like that.
    pub fn new(plan: Plan, steps: Vec<(f64, Step)>) -> Result<World, NoCrowd> {
        let batch = Batch::of(&plan.costs, 1.0);
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
            steps,
            nodes,
            people: Vec::new(),
            free_people: Vec::new(),
            games: Vec::new(),
            free_games: Vec::new(),
            live: 0,
            inside: 0,
            seekers: vec![VecDeque::new(); PACES.len()],
            shown: Vec::new(),
            changed: Vec::new(),
            sums: Second::default(),
            seeks_before: 0.0,
            second_delays: Delays::default(),
            second_far: Delays::default(),
            no_database_until: 0.0,
            no_bus_until: 0.0,
            stretch: 1.0,
            account: Account::default(),
            plan,
        };
        world.settle();
        Ok(world)
    }

    /// Puts everybody where they would be in the middle of it all.
    fn settle(&mut self) {
        let part = self.part();
        let crowd = self.crowd;
        for _ in 0..(crowd.begin * crowd.lasts * part).round() as usize {
            let pace = weighted(&mut self.rng, crowd.mix.iter().copied());
            let players = [self.born_inside(Place::Lobby), self.born_inside(Place::Lobby)];
            self.resume(players, pace);
        }
        for _ in 0..(crowd.watching * part).round() as usize {
            let person = self.born_inside(Place::Lobby);
            self.go_watching(person);
        }
        for _ in 0..(crowd.lobby * part).round() as usize {
            let person = self.born_inside(Place::Lobby);
            self.linger(person);
        }
        let visit = self.plan.habits.visit;
        for _ in 0..(crowd.visits * visit * part).round() as usize {
            let person = self.born_inside(Place::Visit);
            let left = self.rng.f64() * visit;
            let age = self.people[person as usize].age;
            if left > visit / 2.0 {
                self.after(left - visit / 2.0, Event::VisitMove { person, age });
            }
            self.after(left, Event::Leave { person, age });
        }
        self.after(0.0, Event::Arrive);
        self.after(0.0, Event::Visit);
        self.after(0.1, Event::Tick);
        self.after(1.0, Event::Second);
        for number in 0..self.steps.len() {
            self.after(self.steps[number].0, Event::Step(number));
        }
        // What setting the scene has cost is nobody's.
        for node in &mut self.nodes {
            *node = Node { queue: Default::default(), door: Default::default(), ..node.clone() };
        }
        self.sums = Second::default();
        self.even_out();
    }

    /// How full it is at this hour.
    fn part(&self) -> f64 {
        match self.plan.hours {
            Hours::Peak => 1.0,
            Hours::Day => part_of_day(self.now),
        }
    }

    fn after(&mut self, seconds: f64, event: Event) {
        self.serial += 1;
        let at = ((self.now + seconds.max(0.0)) * 1e6) as u64;
        self.events.push(Due { at, serial: self.serial, event });
    }

    /// Goes on until that second.
    pub fn run(&mut self, until: f64) {
        let end = (until * 1e6) as u64;
        while self.events.peek().is_some_and(|due| due.at <= end) {
            let Some(Due { at, event, .. }) = self.events.pop() else { break };
            self.now = at as f64 / 1e6;
            self.happen(event);
        }
        self.now = until;
    }

    /// Forgets what was measured until now: the beginning is not like the rest.
    pub fn forget(&mut self) {
        self.account.seconds.clear();
        self.account.delays.clear();
        self.account.far.clear();
        self.account.moves = 0;
    }

    /// How it went.
    pub fn account(&self) -> Account {
        let trying = self.people.iter().filter(|person| person.lost.is_some()).count();
        Account { trying: trying as u64, ..self.account.clone() }
    }

    /// The crowd as it was fitted.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    fn is(&self, person: u32, age: u32) -> bool {
        self.people[person as usize].age == age
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Move { game, age } => {
                if self.games[game as usize].age == age && self.games[game as usize].live {
                    self.play(game);
                }
            }
            Event::Seek { person, age } if self.is(person, age) => self.seek(person),
            Event::Unwatch { person, age } if self.is(person, age) => self.unwatch(person),
            Event::Connect { person, age } if self.is(person, age) => self.connect(person),
            Event::Accepted { person, age, node } => {
                if self.is(person, age) {
                    self.accepted(person, node);
                } else {
                    self.nodes[usize::from(node)].sockets -= 1;
                }
            }
            Event::Welcome { person, age, node } => {
                if self.is(person, age) {
                    self.welcome(person, node);
                } else {
                    self.nodes[usize::from(node)].sockets -= 1;
                }
            }
            Event::VisitMove { person, age } if self.is(person, age) => self.visit_move(person),
            Event::Leave { person, age } if self.is(person, age) => self.leave(person),
            Event::Seek { .. }
            | Event::Unwatch { .. }
            | Event::Connect { .. }
            | Event::VisitMove { .. }
            | Event::Leave { .. } => {}
            Event::Watch { game, age } => {
                let game =
                    if self.games[game as usize].age == age { game } else { self.watchable() };
                let person = self.born(Place::Watch(game));
                self.games[game as usize].watchers.push(person);
                self.connect(person);
            }
            Event::Arrive => {
                let rate = self.crowd.arrivals(&self.plan.habits) * self.part();
                let person = self.born(Place::Lobby);
                self.connect(person);
                self.linger(person);
                let next = exponential(&mut self.rng, 1.0 / rate);
                self.after(next, Event::Arrive);
            }
            Event::Visit => {
                let person = self.born(Place::Visit);
                self.connect(person);
                let (age, visit) = (self.people[person as usize].age, self.plan.habits.visit);
                self.after(visit / 2.0, Event::VisitMove { person, age });
                self.after(visit, Event::Leave { person, age });
                let rate = self.crowd.visits * self.part();
                let next = exponential(&mut self.rng, 1.0 / rate);
                self.after(next, Event::Visit);
            }
            Event::Tick => self.tick(),
            Event::Second => self.second(),
            Event::Step(number) => self.step(self.steps[number].1),
        }
    }
}

#[cfg(test)]
mod tests;
