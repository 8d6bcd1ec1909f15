//! Seeking, playing, watching.

use super::{Event, Game, Location, World};
use crate::chance::{exponential, rank};
use crate::node::TransactionTime;
use crate::people::{Crowd, PACES, plies, think};

/// Games on the lobby's list.
const MOST_LISTED: usize = 50;
/// Seconds after which a disconnected player to move is checked again.
const IMPATIENCE: f64 = 0.25;

impl World {
    fn new_game(&mut self, players: [u32; 2], pace: usize) -> u32 {
        let slot = self.free_games.pop().unwrap_or_else(|| {
            let generation = 0;
            self.games.push(Game {
                generation,
                live: false,
                players,
                pace,
                writer_number: 0,
                left: 0,
                turn: 0,
                clocks: [0.0; 2],
                watchers: Vec::new(),
                at: Vec::new(),
                changed: false,
                since: 0.0,
            });
            self.games.len() as u32 - 1
        });
        let left = plies(&mut self.rng, &PACES[pace]);
        let writer_number = self.rng.usize(..1 << 16);
        let game = &mut self.games[slot as usize];
        game.generation += 1;
        game.writer_number = writer_number;
        (game.live, game.players, game.pace, game.turn) = (true, players, pace, 0);
        (game.left, game.clocks) = (left, [PACES[pace].time; 2]);
        self.live += 1;
        if self.listed.len() < MOST_LISTED {
            self.listed.push(slot);
        }
        slot
    }

    /// Begins a game of two players.
    fn begin(&mut self, players: [u32; 2], pace: usize, pause: f64) {
        let game = self.new_game(players, pace);
        for player in players {
            self.move_to(player, Location::Seat(game));
        }
        self.sums.begun += 1.0;
        if let Some(node) = self.people[players[0] as usize].node {
            // The game's row, its seats and the used invitation cost about as much as two moves.
            self.append(node, game);
            self.append(node, game);
        }
        self.games[game as usize].since = self.now;
        self.start_thinking(game, pause);
    }

    /// Creates a game that is already in play at the beginning of the run.
    pub(super) fn resume(&mut self, players: [u32; 2], pace: usize) {
        let id = self.new_game(players, pace);
        for player in players {
            self.move_to(player, Location::Seat(id));
        }
        // A long game is found in play with a higher probability.
        let longest = 300.0;
        let mut length = self.games[id as usize].left;
        while self.rng.f64() * longest > f64::from(length) {
            length = plies(&mut self.rng, &PACES[pace]);
        }
        let left = self.rng.u32(1..=length);
        // The moves played before have used time.
        let (pace, slow) = (&PACES[pace], self.crowd.slow);
        let (mut clocks, mut turn) = ([pace.time; 2], 0);
        for _ in left..length {
            clocks[turn] += pace.increment - think(&mut self.rng, pace, slow, clocks[turn]);
            turn = 1 - turn;
        }
        let game = &mut self.games[id as usize];
        (game.left, game.clocks, game.turn) = (left, clocks, turn);
        self.start_thinking(id, 0.0);
    }

    /// The player to move begins to think after this many seconds.
    fn start_thinking(&mut self, id: u32, pause: f64) {
        let game = &self.games[id as usize];
        let pace = &PACES[game.pace];
        let thought = think(&mut self.rng, pace, self.crowd.slow, game.clocks[game.turn]);
        let generation = game.generation;
        let game = &mut self.games[id as usize];
        game.since = self.now + pause;
        game.clocks[game.turn] += pace.increment - thought;
        self.after(pause + thought, Event::Move { game: id, generation });
    }

    /// The duration of a transaction at the current load.
    fn batch(&self) -> TransactionTime {
        TransactionTime::of(&self.plan.costs, self.stretch)
    }

    /// Appends an event and sends it to all people at the game. Returns the seconds until it is
    /// acknowledged, and until the last node has sent it.
    pub(super) fn append(&mut self, node: u16, game: u32) -> (f64, f64) {
        let costs = &self.plan.costs;
        let batch = self.batch();
        let (own, now) = (usize::from(node), self.now);
        let writer_number = self.games[game as usize].writer_number;
        let at = &self.games[game as usize].at;
        let here = at.iter().find(|(index, _)| *index == node).map_or(0, |(_, people)| *people);
        let more = f64::from(here.saturating_sub(2));
        let work = (costs.node_move + costs.node_recipient * more) / 1e6;
        let speed = self.nodes[own].speed;
        let wait = self.nodes[own].queue.work(now, work, speed);
        // The further recipients get it after the commit.
        let before = wait + costs.node_move / 1e6;
        let writers = self.nodes[own].writers.len();
        let writer = &mut self.nodes[own].writers[writer_number % writers];
        let kept = writer.append(now + before, batch);
        let done = before + kept.after;
        let (mut far, mut heard) = (done, 0.0);
        let told = self.has_bus(own);
        for &(index, people) in at {
            let other = usize::from(index);
            if other == own {
                continue;
            }
            let more = f64::from(people.saturating_sub(1));
            let work = (costs.node_heard + costs.node_recipient * more) / 1e6;
            let speed = self.nodes[other].speed;
            let wait = self.nodes[other].queue.work(now, work, speed);
            let way = if told && self.has_bus(other) {
                heard += 1.0;
                costs.nats_latency / 1e3
            } else {
                self.sums.pg_reads += 1.0;
                self.rng.f64() * costs.program_poll + 2.0 * costs.pg_trip / 1e3
            };
            far = far.max(done + way + wait + work);
        }
        let everybody: f64 = at.iter().map(|(_, people)| f64::from(*people)).sum();
        self.sums.wire_bytes += everybody * costs.wire_event;
        self.sums.appends += 1.0;
        self.sums.commits += kept.commits;
        if told {
            // The sending node receives its own message too.
            self.sums.nats_in += 1.0;
            self.sums.nats_out += heard + 1.0;
            self.sums.nats_bytes += costs.nats_event * (heard + 2.0);
        }
        (done, far)
    }

    fn has_bus(&self, node: usize) -> bool {
        self.now >= self.no_bus_until && self.now >= self.nodes[node].bus_lost_until
    }

    /// Returns true while the database is reachable.
    pub(super) fn has_database(&self) -> bool {
        self.now >= self.no_database_until
    }

    /// Makes the move of the player to move.
    pub(super) fn play(&mut self, id: u32) {
        let game = &self.games[id as usize];
        let (generation, turn) = (game.generation, game.turn);
        let mover = game.players[turn];
        let Some(node) = self.people[mover as usize].node else {
            // A disconnected player: the clock runs, except while the database is away.
            if self.has_database() {
                self.games[id as usize].clocks[turn] -= IMPATIENCE;
                if self.games[id as usize].clocks[turn] < 0.0 {
                    self.stats.flagged += 1;
                    self.end(id);
                    return;
                }
            }
            self.after(IMPATIENCE, Event::Move { game: id, generation });
            return;
        };
        if !self.has_database() {
            self.sums.refused += 1.0;
            let again = 0.7 + 0.6 * self.rng.f64();
            self.after(again, Event::Move { game: id, generation });
            return;
        }
        let (done, far) = self.append(node, id);
        self.sums.moves += 1.0;
        self.stats.moves += 1;
        self.sums.wire_bytes += self.plan.costs.wire_turn;
        self.second_delays.add(done);
        self.second_far.add(far);
        if self.rng.f64() < self.plan.habits.chatter {
            self.append(node, id);
        }
        let game = &mut self.games[id as usize];
        game.left -= 1;
        game.turn = 1 - turn;
        if game.left == 0 {
            self.end(id);
        } else {
            self.start_thinking(id, far);
        }
    }

    fn end(&mut self, id: u32) {
        let game = &mut self.games[id as usize];
        game.live = false;
        game.generation += 1;
        let (players, pace) = (game.players, game.pace);
        let watchers = std::mem::take(&mut game.watchers);
        self.live -= 1;
        self.stats.ended += 1;
        self.listed.retain(|shown| *shown != id);
        let both = players.iter().all(|player| self.people[*player as usize].node.is_some());
        if both && self.rng.f64() < self.plan.habits.rematch && self.has_database() {
            self.begin([players[1], players[0]], pace, self.plan.habits.begin[1]);
        } else {
            for player in players {
                self.after_game(player);
            }
        }
        for watcher in watchers {
            let next = self.watchable();
            self.move_to(watcher, Location::Watch(next));
        }
        self.games[id as usize].at.clear();
        self.free_games.push(id);
    }

    fn after_game(&mut self, player: u32) {
        if self.rng.f64() < self.plan.habits.leave {
            self.leave(player);
        } else if self.rng.f64() < self.crowd.to_watch {
            self.go_watching(player);
        } else {
            self.move_to(player, Location::Lobby);
            self.wait_in_lobby(player);
        }
    }

    /// Lets a person stay in the lobby for a while and then seek.
    pub(super) fn wait_in_lobby(&mut self, person: u32) {
        let pause = exponential(&mut self.rng, self.crowd.pause);
        let generation = self.people[person as usize].generation;
        self.after(pause, Event::Seek { person, generation });
    }

    pub(super) fn seek(&mut self, person: u32) {
        let generation = self.people[person as usize].generation;
        if self.people[person as usize].location != Location::Lobby {
            return;
        }
        if self.people[person as usize].node.is_none() || !self.has_database() {
            let again = 1.0 + self.rng.f64();
            self.after(again, Event::Seek { person, generation });
            return;
        }
        self.sums.seeks += 1.0;
        let pace = Crowd::draw_pace(&mut self.rng);
        while let Some((other, then)) = self.seekers[pace].pop_front() {
            let them = &self.people[other as usize];
            if them.generation != then || them.location != Location::Seeking {
                continue;
            }
            if them.node.is_none() {
                // This seek ended with its connection.
                self.people[other as usize].location = Location::Lobby;
                self.after(1.0, Event::Seek { person: other, generation: then });
                continue;
            }
            self.begin([other, person], pace, self.plan.habits.begin[0]);
            return;
        }
        self.people[person as usize].location = Location::Seeking;
        self.seekers[pace].push_back((person, generation));
    }

    pub(super) fn go_watching(&mut self, person: u32) {
        let game = self.watchable();
        self.move_to(person, Location::Watch(game));
        let generation = self.people[person as usize].generation;
        let stays = exponential(&mut self.rng, self.plan.habits.watch);
        self.after(stays, Event::Unwatch { person, generation });
    }

    pub(super) fn unwatch(&mut self, person: u32) {
        if matches!(self.people[person as usize].location, Location::Watch(_)) {
            self.move_to(person, Location::Lobby);
            self.wait_in_lobby(person);
        }
    }

    /// A game to watch: one of the lobby's list, or any.
    pub(super) fn watchable(&mut self) -> u32 {
        if !self.listed.is_empty() && self.rng.f64() < self.plan.habits.famous {
            return self.listed[rank(&mut self.rng, self.listed.len())];
        }
        for _ in 0..1_000 {
            let game = self.rng.usize(..self.games.len().max(1));
            if self.games.get(game).is_some_and(|game| game.live) {
                return game as u32;
            }
        }
        self.listed.first().copied().unwrap_or(0)
    }

    /// The most watched game, which from now on does not end.
    pub(super) fn make_famous_game(&mut self) -> u32 {
        let most = |game: &u32| self.games[*game as usize].watchers.len();
        let game = self.listed.iter().copied().max_by_key(most).unwrap_or(0);
        self.games[game as usize].left = u32::MAX / 2;
        self.games[game as usize].clocks = [1e6; 2];
        // The first on the list is chosen with the highest probability.
        self.listed.retain(|shown| *shown != game);
        self.listed.insert(0, game);
        game
    }

    /// Appends the watchers' chat of a tenth of a second.
    pub(super) fn chat(&mut self) {
        for index in 0..self.listed.len() {
            let id = self.listed[index];
            let watchers = &self.games[id as usize].watchers;
            let lines = watchers.len() as f64 * 0.1 / self.plan.habits.watcher_chat;
            let mut lines = (lines + self.rng.f64()) as usize;
            while lines > 0 && self.has_database() {
                lines -= 1;
                let watchers = &self.games[id as usize].watchers;
                let Some(who) = self.rng.choice(watchers.iter().copied()) else { break };
                if let Some(node) = self.people[who as usize].node {
                    self.append(node, id);
                }
            }
        }
    }

    pub(super) fn visit_move(&mut self, person: u32) {
        let Some(node) = self.people[person as usize].node else { return };
        if !self.has_database() {
            return;
        }
        // The opponent is not connected: a live game with one person.
        let (costs, own) = (self.plan.costs.clone(), usize::from(node));
        let batch = self.batch();
        let speed = self.nodes[own].speed;
        let before = self.nodes[own].queue.work(self.now, costs.node_move / 1e6, speed)
            + costs.node_move / 1e6;
        let writer = self.rng.usize(..self.nodes[own].writers.len());
        let writer = &mut self.nodes[own].writers[writer];
        let kept = writer.append(self.now + before, batch);
        self.second_delays.add(before + kept.after);
        self.stats.moves += 1;
        self.sums.moves += 1.0;
        self.sums.appends += 1.0;
        self.sums.commits += kept.commits;
        self.sums.wire_bytes += costs.wire_event;
        if self.has_bus(own) {
            self.sums.nats_in += 1.0;
            self.sums.nats_out += 1.0;
            self.sums.nats_bytes += 2.0 * costs.nats_event;
        }
    }
}
