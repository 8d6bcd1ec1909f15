//! Connections: who is where, who has lost the line, who comes back through which door.

use super::{Balance, Event, Notice, Person, Place, Step, World};
use crate::chance::exponential;
use crate::node::{Entry, Guest, Life, Node};

impl World {
    /// Somebody new, not yet connected.
    pub(super) fn born(&mut self, place: Place) -> u32 {
        let person = Person { age: 0, place, node: None, tries: 0, lost: None };
        let id = self.free_people.pop().unwrap_or_else(|| {
            self.people.push(person.clone());
            self.people.len() as u32 - 1
        });
        let age = self.people[id as usize].age + 1;
        self.people[id as usize] = Person { age, ..person };
        id
    }

    /// Somebody who is connected when everything begins.
    pub(super) fn born_inside(&mut self, place: Place) -> u32 {
        let person = self.born(place);
        if let Some(node) = self.pick() {
            self.nodes[usize::from(node)].sockets += 1;
            self.sit(person, node);
        }
        person
    }

    /// A node that works, as the load balancer chooses.
    fn pick(&mut self) -> Option<u16> {
        let mut up = self.nodes.iter().enumerate().filter(|(_, node)| node.is_up());
        let place = match self.plan.balance {
            Balance::Fewest => up.min_by_key(|(_, node)| node.sockets).map(|(place, _)| place),
            Balance::Random => {
                let number = self.rng.usize(..up.clone().count().max(1));
                up.nth(number).map(|(place, _)| place)
            }
            Balance::Two => {
                let count = up.clone().count().max(1);
                let two = [self.rng.usize(..count), self.rng.usize(..count)];
                let two = two.into_iter().filter_map(|number| up.clone().nth(number));
                two.min_by_key(|(_, node)| node.sockets).map(|(place, _)| place)
            }
        };
        place.map(|place| place as u16)
    }

    /// Somebody is at a node, at their place there.
    fn sit(&mut self, person: u32, node: u16) {
        self.inside += 1;
        self.people[person as usize].node = Some(node);
        match self.people[person as usize].place {
            Place::Lobby | Place::Seeking => self.nodes[usize::from(node)].lobby += 1,
            Place::Visit => self.nodes[usize::from(node)].tables += 1,
            Place::Seat(game) | Place::Watch(game) => self.join(game, node),
            Place::Gone => {}
        }
        self.news_of(person);
    }

    /// Somebody is no longer at a node.
    fn rise(&mut self, person: u32) {
        let Some(node) = self.people[person as usize].node.take() else { return };
        self.inside -= 1;
        let place = self.people[person as usize].place;
        let at = &mut self.nodes[usize::from(node)];
        at.sockets -= 1;
        match place {
            Place::Lobby | Place::Seeking => at.lobby -= 1,
            Place::Visit => put_away(at, self.now),
            Place::Seat(game) | Place::Watch(game) => self.part_from(game, node),
            Place::Gone => {}
        }
        self.news_of(person);
    }

    fn join(&mut self, game: u32, node: u16) {
        let at = &mut self.games[game as usize].at;
        if let Some((_, people)) = at.iter_mut().find(|(place, _)| *place == node) {
            *people += 1;
            return;
        }
        at.push((node, 1));
        let costs = &self.plan.costs;
        let place = &mut self.nodes[usize::from(node)];
        place.tables += 1;
        place.queue.work(self.now, costs.node_set_table / 1e6, place.speed);
        self.sums.pg_reads += 1.0;
    }

    fn part_from(&mut self, game: u32, node: u16) {
        let at = &mut self.games[game as usize].at;
        let Some(place) = at.iter().position(|(place, _)| *place == node) else { return };
        at[place].1 -= 1;
        if at[place].1 == 0 {
            at.swap_remove(place);
            put_away(&mut self.nodes[usize::from(node)], self.now);
        }
    }

    /// Everybody at somebody's game is told, with the next tick, that this one has come or gone.
    fn news_of(&mut self, person: u32) {
        if let Place::Seat(game) | Place::Watch(game) = self.people[person as usize].place
            && !std::mem::replace(&mut self.games[game as usize].changed, true)
        {
            self.changed.push(game);
        }
    }

    /// Somebody goes elsewhere: a new page with a new socket, at any node.
    pub(super) fn go(&mut self, person: u32, place: Place) {
        let online = self.people[person as usize].node.is_some();
        self.rise(person);
        if let Place::Watch(game) = self.people[person as usize].place {
            let watchers = &mut self.games[game as usize].watchers;
            if let Some(found) = watchers.iter().position(|watcher| *watcher == person) {
                watchers.swap_remove(found);
            }
        }
        self.people[person as usize].place = place;
        if let Place::Watch(game) = place {
            self.games[game as usize].watchers.push(person);
        }
        if !online {
            return;
        }
        let Some(node) = self.pick() else {
            self.lose(person, Notice::Reset);
            return;
        };
        let costs = &self.plan.costs;
        let at = &mut self.nodes[usize::from(node)];
        at.sockets += 1;
        let _ = at.door.knock(self.now, Guest::Player, costs);
        at.queue.work(self.now, costs.node_greeting / 1e6, at.speed);
        self.sums.wire_bytes += costs.wire_greeting;
        self.sums.greeted += 1.0;
        self.sit(person, node);
    }

    /// For good.
    pub(super) fn leave(&mut self, person: u32) {
        if matches!(self.people[person as usize].place, Place::Watch(_)) {
            self.go(person, Place::Lobby);
        }
        self.rise(person);
        let one = &mut self.people[person as usize];
        if one.lost.take().is_some() {
            self.account.gave_up += 1;
        }
        one.place = Place::Gone;
        one.age += 1;
        self.free_people.push(person);
    }

    /// The line breaks.
    fn lose(&mut self, person: u32, notice: Notice) {
        self.rise(person);
        let costs = &self.plan.costs;
        let one = &mut self.people[person as usize];
        if one.lost.is_none() {
            one.lost = Some(self.now);
            one.tries = 0;
            self.account.lost += 1;
        }
        let noticed = match notice {
            Notice::Reset => 0.0,
            // The last sign of life was up to one ping ago.
            Notice::Silence => costs.client_silence - self.rng.f64() * costs.program_ping,
        };
        self.try_again(person, noticed);
    }

    fn try_again(&mut self, person: u32, after: f64) {
        let costs = &self.plan.costs;
        let one = &mut self.people[person as usize];
        let base = costs.client_first * 2_f64.powi(one.tries.min(16) as i32);
        one.tries += 1;
        let wait = base.min(costs.client_longest) * (0.5 + self.rng.f64() / 2.0);
        let age = one.age;
        self.after(after + wait, Event::Connect { person, age });
    }

    pub(super) fn connect(&mut self, person: u32) {
        let costs = &self.plan.costs;
        let offered = self.nodes.iter().filter(|node| node.is_offered(self.now, costs)).count();
        let up = self.nodes.iter().filter(|node| node.is_up()).count();
        let hit = up > 0 && self.rng.usize(..offered.max(1)) < up;
        let node = if hit { self.pick() } else { None };
        let room = |node: &u16| {
            let sockets = self.nodes[usize::from(*node)].sockets as f64;
            sockets < self.plan.costs.program_connections
        };
        let Some(node) = node.filter(room) else {
            self.sums.turned_away += 1.0;
            self.try_again(person, 0.0);
            return;
        };
        let guest = match self.people[person as usize].place {
            Place::Watch(_) => Guest::Watcher,
            Place::Lobby | Place::Seeking | Place::Seat(_) | Place::Visit | Place::Gone => {
                Guest::Player
            }
        };
        let at = &mut self.nodes[usize::from(node)];
        let age = self.people[person as usize].age;
        match at.door.knock(self.now, guest, &self.plan.costs) {
            Entry::In(after) => {
                at.sockets += 1;
                self.after(after, Event::Accepted { person, age, node });
            }
            // TCP itself tries again.
            Entry::Unheard => {
                self.sums.turned_away += 1.0;
                let again = 1.0 + self.rng.f64() * 0.2;
                self.after(again, Event::Connect { person, age });
            }
            Entry::Refused => {
                self.sums.turned_away += 1.0;
                self.try_again(person, 0.0);
            }
        }
    }

    /// Whether a node died while somebody stood in its door, who then looks for another.
    fn is_gone(&mut self, person: u32, node: u16) -> bool {
        let at = &mut self.nodes[usize::from(node)];
        if at.is_up() {
            return false;
        }
        at.sockets -= 1;
        self.try_again(person, 0.0);
        true
    }

    pub(super) fn accepted(&mut self, person: u32, node: u16) {
        if self.is_gone(person, node) {
            return;
        }
        let at = &mut self.nodes[usize::from(node)];
        let work = self.plan.costs.node_greeting / 1e6;
        let wait = at.queue.work(self.now, work, at.speed);
        self.sums.greeted += 1.0;
        self.sums.wire_bytes += self.plan.costs.wire_greeting;
        if !self.has_database() && !self.is_set(person, node) {
            // The game cannot be read: 503, and the page tries again.
            self.nodes[usize::from(node)].sockets -= 1;
            self.sums.turned_away += 1.0;
            self.try_again(person, wait + work);
            return;
        }
        let age = self.people[person as usize].age;
        self.after(wait + work, Event::Welcome { person, age, node });
    }

    /// Whether what somebody wants to see can be shown at a node without reading the log.
    fn is_set(&self, person: u32, node: u16) -> bool {
        match self.people[person as usize].place {
            Place::Lobby | Place::Seeking | Place::Gone => true,
            Place::Visit => false,
            Place::Seat(game) | Place::Watch(game) => {
                self.games[game as usize].at.iter().any(|(place, _)| *place == node)
            }
        }
    }

    pub(super) fn welcome(&mut self, person: u32, node: u16) {
        if self.is_gone(person, node) {
            return;
        }
        let one = &mut self.people[person as usize];
        one.tries = 0;
        if let Some(since) = one.lost.take() {
            self.account.back += 1;
            self.account.absences.add(self.now - since);
        }
        self.sit(person, node);
    }

    /// Everybody at a node loses the line.
    fn empty(&mut self, node: usize, notice: Notice) {
        for person in 0..self.people.len() {
            if self.people[person].node == Some(node as u16) {
                self.lose(person as u32, notice);
            }
        }
    }

    fn kill(&mut self, node: usize, notice: Notice) {
        if self.nodes[node].is_up() {
            self.nodes[node].life = Life::Down { since: self.now };
            self.empty(node, notice);
        }
    }

    pub(super) fn step(&mut self, step: Step) {
        let nodes = self.nodes.len();
        match step {
            Step::Kill(node) => self.kill(node % nodes, Notice::Reset),
            Step::KillZone(zone) => {
                for node in 0..nodes {
                    if self.nodes[node].zone == zone {
                        self.kill(node, Notice::Silence);
                    } else if self.rng.usize(..self.plan.zones.max(1)) == 0 {
                        // Its NATS server was in that zone.
                        self.nodes[node].deaf_until = self.now + self.plan.costs.bus_failover;
                    }
                }
            }
            Step::Stop(node) => {
                self.nodes[node % nodes].life = Life::Stopped;
                self.empty(node % nodes, Notice::Reset);
            }
            Step::Start(node) => {
                let zone = self.nodes[node % nodes].zone;
                let sockets = self.nodes[node % nodes].sockets;
                let fresh = Node::new(zone, self.plan.cores, &self.plan.costs);
                // Those who are on the way through its old door learn there that it was closed.
                self.nodes[node % nodes] = Node { sockets, ..fresh };
            }
            Step::NoDatabase(seconds) => self.no_database_until = self.now + seconds,
            Step::NoBus(seconds) => self.no_bus_until = self.now + seconds,
            Step::Crowd(people, within) => {
                let game = self.famous();
                let age = self.games[game as usize].age;
                for _ in 0..people {
                    let after = exponential(&mut self.rng, within);
                    self.after(after, Event::Watch { game, age });
                }
            }
        }
    }
}

/// A table that nobody sits at is kept for a while.
fn put_away(node: &mut Node, now: f64) {
    node.tables -= 1;
    let place = now as usize % node.left.len();
    node.left[place] += 1;
}
