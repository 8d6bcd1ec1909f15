//! Connections: where people are, lost connections, reconnects.

use super::{Balance, ConnectionLoss, Event, Intervention, Location, Person, World};
use crate::chance::exponential;
use crate::node::{Admission, ClientKind, Node, NodeState};

impl World {
    /// Creates a person that is not connected.
    pub(super) fn new_person(&mut self, location: Location) -> u32 {
        let person = Person { generation: 0, location, node: None, tries: 0, lost: None };
        let id = self.free_people.pop().unwrap_or_else(|| {
            self.people.push(person.clone());
            self.people.len() as u32 - 1
        });
        let generation = self.people[id as usize].generation + 1;
        self.people[id as usize] = Person { generation, ..person };
        id
    }

    /// Creates a person that is connected at the beginning of the run.
    pub(super) fn new_connected_person(&mut self, location: Location) -> u32 {
        let person = self.new_person(location);
        if let Some(node) = self.pick() {
            self.nodes[usize::from(node)].sockets += 1;
            self.attach(person, node);
        }
        person
    }

    /// A working node, chosen by the load balancer.
    fn pick(&mut self) -> Option<u16> {
        let mut up = self.nodes.iter().enumerate().filter(|(_, node)| node.is_up());
        let index = match self.plan.balance {
            Balance::Fewest => up.min_by_key(|(_, node)| node.sockets).map(|(index, _)| index),
            Balance::Random => {
                let number = self.rng.usize(..up.clone().count().max(1));
                up.nth(number).map(|(index, _)| index)
            }
            Balance::Two => {
                let count = up.clone().count().max(1);
                let two = [self.rng.usize(..count), self.rng.usize(..count)];
                let two = two.into_iter().filter_map(|number| up.clone().nth(number));
                two.min_by_key(|(_, node)| node.sockets).map(|(index, _)| index)
            }
        };
        index.map(|index| index as u16)
    }

    /// Attaches a person to a node, at its location.
    fn attach(&mut self, person: u32, node: u16) {
        self.inside += 1;
        self.people[person as usize].node = Some(node);
        match self.people[person as usize].location {
            Location::Lobby | Location::Seeking => self.nodes[usize::from(node)].lobby += 1,
            Location::Visit => self.nodes[usize::from(node)].tables += 1,
            Location::Seat(game) | Location::Watch(game) => self.join(game, node),
            Location::Gone => {}
        }
        self.mark_presence_changed(person);
    }

    /// Detaches a person from its node.
    fn detach(&mut self, person: u32) {
        let Some(node) = self.people[person as usize].node.take() else { return };
        self.inside -= 1;
        let location = self.people[person as usize].location;
        let at = &mut self.nodes[usize::from(node)];
        at.sockets -= 1;
        match location {
            Location::Lobby | Location::Seeking => at.lobby -= 1,
            Location::Visit => release_live_game(at, self.now),
            Location::Seat(game) | Location::Watch(game) => self.part_from(game, node),
            Location::Gone => {}
        }
        self.mark_presence_changed(person);
    }

    fn join(&mut self, game: u32, node: u16) {
        let at = &mut self.games[game as usize].at;
        if let Some((_, people)) = at.iter_mut().find(|(index, _)| *index == node) {
            *people += 1;
            return;
        }
        at.push((node, 1));
        let costs = &self.plan.costs;
        let index = &mut self.nodes[usize::from(node)];
        index.tables += 1;
        index.queue.work(self.now, costs.node_set_table / 1e6, index.speed);
        self.sums.pg_reads += 1.0;
    }

    fn part_from(&mut self, game: u32, node: u16) {
        let at = &mut self.games[game as usize].at;
        let Some(index) = at.iter().position(|(index, _)| *index == node) else { return };
        at[index].1 -= 1;
        if at[index].1 == 0 {
            at.swap_remove(index);
            release_live_game(&mut self.nodes[usize::from(node)], self.now);
        }
    }

    /// Marks a person's game, so that the next tick sends the change of presence.
    fn mark_presence_changed(&mut self, person: u32) {
        if let Location::Seat(game) | Location::Watch(game) = self.people[person as usize].location
            && !std::mem::replace(&mut self.games[game as usize].changed, true)
        {
            self.changed.push(game);
        }
    }

    /// Moves a person to another location: a new page with a new socket, at any node.
    pub(super) fn move_to(&mut self, person: u32, location: Location) {
        let online = self.people[person as usize].node.is_some();
        self.detach(person);
        if let Location::Watch(game) = self.people[person as usize].location {
            let watchers = &mut self.games[game as usize].watchers;
            if let Some(found) = watchers.iter().position(|watcher| *watcher == person) {
                watchers.swap_remove(found);
            }
        }
        self.people[person as usize].location = location;
        if let Location::Watch(game) = location {
            self.games[game as usize].watchers.push(person);
        }
        if !online {
            return;
        }
        let Some(node) = self.pick() else {
            self.lose_connection(person, ConnectionLoss::Reset);
            return;
        };
        let costs = &self.plan.costs;
        let at = &mut self.nodes[usize::from(node)];
        at.sockets += 1;
        let _ = at.accept_queue.admit(self.now, ClientKind::Player, costs);
        at.queue.work(self.now, costs.node_greeting / 1e6, at.speed);
        self.sums.wire_bytes += costs.wire_greeting;
        self.sums.greeted += 1.0;
        self.attach(person, node);
    }

    /// Removes a person for good.
    pub(super) fn leave(&mut self, person: u32) {
        if matches!(self.people[person as usize].location, Location::Watch(_)) {
            self.move_to(person, Location::Lobby);
        }
        self.detach(person);
        let one = &mut self.people[person as usize];
        if one.lost.take().is_some() {
            self.stats.gave_up += 1;
        }
        one.location = Location::Gone;
        one.generation += 1;
        self.free_people.push(person);
    }

    /// Breaks a person's connection.
    fn lose_connection(&mut self, person: u32, notice: ConnectionLoss) {
        self.detach(person);
        let costs = &self.plan.costs;
        let one = &mut self.people[person as usize];
        if one.lost.is_none() {
            one.lost = Some(self.now);
            one.tries = 0;
            self.stats.lost += 1;
        }
        let noticed = match notice {
            ConnectionLoss::Reset => 0.0,
            // The last message was up to one ping interval ago.
            ConnectionLoss::Silence => costs.client_silence - self.rng.f64() * costs.program_ping,
        };
        self.try_again(person, noticed);
    }

    fn try_again(&mut self, person: u32, after: f64) {
        let costs = &self.plan.costs;
        let one = &mut self.people[person as usize];
        let base = costs.client_first * 2_f64.powi(one.tries.min(16) as i32);
        one.tries += 1;
        let wait = base.min(costs.client_longest) * (0.5 + self.rng.f64() / 2.0);
        let generation = one.generation;
        self.after(after + wait, Event::Connect { person, generation });
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
        let guest = match self.people[person as usize].location {
            Location::Watch(_) => ClientKind::Watcher,
            Location::Lobby
            | Location::Seeking
            | Location::Seat(_)
            | Location::Visit
            | Location::Gone => ClientKind::Player,
        };
        let at = &mut self.nodes[usize::from(node)];
        let generation = self.people[person as usize].generation;
        match at.accept_queue.admit(self.now, guest, &self.plan.costs) {
            Admission::In(after) => {
                at.sockets += 1;
                self.after(after, Event::Accepted { person, generation, node });
            }
            // TCP retries by itself.
            Admission::BacklogFull => {
                self.sums.turned_away += 1.0;
                let again = 1.0 + self.rng.f64() * 0.2;
                self.after(again, Event::Connect { person, generation });
            }
            Admission::Refused => {
                self.sums.turned_away += 1.0;
                self.try_again(person, 0.0);
            }
        }
    }

    /// If the node died while a person was in its accept queue, the person tries another one.
    /// Returns true in that case.
    fn retry_if_node_died(&mut self, person: u32, node: u16) -> bool {
        let at = &mut self.nodes[usize::from(node)];
        if at.is_up() {
            return false;
        }
        at.sockets -= 1;
        self.try_again(person, 0.0);
        true
    }

    pub(super) fn handle_accepted(&mut self, person: u32, node: u16) {
        if self.retry_if_node_died(person, node) {
            return;
        }
        let at = &mut self.nodes[usize::from(node)];
        let work = self.plan.costs.node_greeting / 1e6;
        let wait = at.queue.work(self.now, work, at.speed);
        self.sums.greeted += 1.0;
        self.sums.wire_bytes += self.plan.costs.wire_greeting;
        if !self.has_database() && !self.is_loaded(person, node) {
            // The game cannot be read: 503, and the page tries again.
            self.nodes[usize::from(node)].sockets -= 1;
            self.sums.turned_away += 1.0;
            self.try_again(person, wait + work);
            return;
        }
        let generation = self.people[person as usize].generation;
        self.after(wait + work, Event::Welcome { person, generation, node });
    }

    /// Returns true if a node can serve a person without reading the database.
    fn is_loaded(&self, person: u32, node: u16) -> bool {
        match self.people[person as usize].location {
            Location::Lobby | Location::Seeking | Location::Gone => true,
            Location::Visit => false,
            Location::Seat(game) | Location::Watch(game) => {
                self.games[game as usize].at.iter().any(|(index, _)| *index == node)
            }
        }
    }

    pub(super) fn welcome(&mut self, person: u32, node: u16) {
        if self.retry_if_node_died(person, node) {
            return;
        }
        let one = &mut self.people[person as usize];
        one.tries = 0;
        if let Some(since) = one.lost.take() {
            self.stats.back += 1;
            self.stats.absences.add(self.now - since);
        }
        self.attach(person, node);
    }

    /// Breaks all connections of a node.
    fn disconnect_all(&mut self, node: usize, notice: ConnectionLoss) {
        for person in 0..self.people.len() {
            if self.people[person].node == Some(node as u16) {
                self.lose_connection(person as u32, notice);
            }
        }
    }

    fn kill(&mut self, node: usize, notice: ConnectionLoss) {
        if self.nodes[node].is_up() {
            self.nodes[node].state = NodeState::Down { since: self.now };
            self.disconnect_all(node, notice);
        }
    }

    pub(super) fn intervene(&mut self, step: Intervention) {
        let nodes = self.nodes.len();
        match step {
            Intervention::Kill(node) => self.kill(node % nodes, ConnectionLoss::Reset),
            Intervention::KillZone(zone) => {
                for node in 0..nodes {
                    if self.nodes[node].zone == zone {
                        self.kill(node, ConnectionLoss::Silence);
                    } else if self.rng.usize(..self.plan.zones.max(1)) == 0 {
                        // This node's NATS server was in that zone.
                        self.nodes[node].bus_lost_until = self.now + self.plan.costs.bus_failover;
                    }
                }
            }
            Intervention::Stop(node) => {
                self.nodes[node % nodes].state = NodeState::Stopped;
                self.disconnect_all(node % nodes, ConnectionLoss::Reset);
            }
            Intervention::Start(node) => {
                let zone = self.nodes[node % nodes].zone;
                let sockets = self.nodes[node % nodes].sockets;
                let fresh = Node::new(zone, self.plan.cores, &self.plan.costs);
                // Connections in the accept queue of the old process stay counted until their
                // events come.
                self.nodes[node % nodes] = Node { sockets, ..fresh };
            }
            Intervention::NoDatabase(seconds) => self.no_database_until = self.now + seconds,
            Intervention::NoBus(seconds) => self.no_bus_until = self.now + seconds,
            Intervention::Crowd(people, within) => {
                let game = self.make_famous_game();
                let generation = self.games[game as usize].generation;
                for _ in 0..people {
                    let after = exponential(&mut self.rng, within);
                    self.after(after, Event::Watch { game, generation });
                }
            }
        }
    }
}

/// Counts a live game without people as kept in memory for a while.
fn release_live_game(node: &mut Node, now: f64) {
    node.tables -= 1;
    let index = now as usize % node.left.len();
    node.left[index] += 1;
}
