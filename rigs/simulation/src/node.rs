//! The nodes: each runs the live game as the server does, over a log that may fail and in a process
//! that may die.

use std::io::ErrorKind;
use std::sync::mpsc::TryRecvError;

use hansu_live::{
    Asker, CommandKey, CommandRequest, Effect, Effects, FLAG_GRACE, Hello, LiveGame, Outage, Room,
};
use hansu_play::{Millis, Moment};
use hansu_protocol::{ClientMessage, Refusal, ServerMessage, Wish};
use hansu_records::{Append, Appended, Error, GameId, Once};
use hansu_words::Lang;

use crate::follow;
use crate::laws::{Law, LawResult, check};
use crate::log::VISIBILITY;
use crate::plan::Time;
use crate::queue::queue;
use crate::world::{EPOCH, Happening, World, holder};

/// Interval of the live game's ticks.
const SWEEP: Time = 100;
/// Interval of a node's heartbeats to the log.
const SECOND: Time = 1_000;
/// Interval of beats to clients.
const PULSE: Time = 4_000;
/// A connection counts as lost after this long without a message from the client.
const SILENCE: Time = 8_500;
/// An unused live game is unloaded after this time.
const FORGET_AFTER: Millis = Millis::seconds(30);
/// Slower commits get a credit; see `hansu_live`.
pub(crate) const SLOW_COMMIT: Time = 500;

impl World {
    pub(crate) fn clock(&self, node: usize) -> Millis {
        Millis(self.nodes[node].base + self.now)
    }

    /// Starts a node: from now on its clock runs by itself.
    pub(crate) fn start(&mut self, node: usize) -> LawResult {
        if self.nodes[node].up {
            return Ok(());
        }
        if self.log_available().is_err() {
            self.schedule(400, Happening::Restart { node });
            return Ok(());
        }
        let started = self.now;
        let last = self.log.last_beat();
        let own = &mut self.nodes[node];
        own.up = true;
        own.epoch += 1;
        own.started = started;
        own.base = EPOCH.saturating_add_signed(own.wall);
        (own.live_game, own.flag, own.writing) = (None, None, false);
        let epoch = own.epoch;
        let clock = self.clock(node);
        let own = &mut self.nodes[node];
        own.outage = Outage::between(last, clock);
        let away = last.map_or(Millis::ZERO, |last| clock.minus(last));
        self.credits.insert(format!("outage:{}", clock.0), (away, started));
        if let Some(outage) = self.outages.last_mut().filter(|_| self.plan.nodes == 1) {
            outage.1 = started;
            if self.current_turn.shown.is_none() {
                // A commit that was never answered becomes visible now.
                (self.current_turn.shown, self.current_turn.credited) = (Some(started), true);
            }
        }
        let ticks = [SWEEP, SECOND, PULSE].map(|most| self.random.below(most));
        self.schedule(ticks[0], Happening::Tick { node, epoch });
        self.schedule(ticks[1], Happening::Second { node, epoch });
        self.schedule(ticks[2], Happening::Pulse { node, epoch });
        self.trace_line(|world| format!("node {node} starts, {:?}", world.nodes[node].outage));
        if self.log.state(self.log.last()).deadline().is_some() {
            self.load_game(node)?;
        }
        Ok(())
    }

    /// Kills a node. Its open appends may be committed or not.
    pub(crate) fn crash(&mut self, node: usize, down: u64) -> LawResult {
        if !self.nodes[node].up {
            return Ok(());
        }
        self.report.crashes += 1;
        let own = &mut self.nodes[node];
        let epoch = own.epoch;
        own.up = false;
        own.epoch += 1;
        (own.live_game, own.outage) = (None, None);
        self.outages.push((self.now, Time::MAX));
        let of_node = |what: &Happening| matches!(what, Happening::Commit { node: n, epoch: e, .. } if (*n, *e) == (node, epoch));
        for open in self.take_scheduled(of_node) {
            self.report.open += 1;
            let is_kept = self.random.permille(500);
            match open {
                Happening::Commit { append, submitted, .. } if is_kept && self.plan.nodes == 1 => {
                    // The answer reaches no node any more.
                    let _ = self.commit_append(&append, node, submitted)?;
                }
                // A separate database may receive it even later.
                other if is_kept => {
                    let wait = self.log_delay();
                    self.schedule(wait, other);
                }
                _ => {}
            }
        }
        for link in 0..self.links.len() {
            if self.links[link].node == node && self.links[link].at_node {
                self.links[link].at_node = false;
                self.links[link].joined = None;
                self.links[link].cut = true;
                let after = self.random.delay(20, 12_000);
                self.schedule(after, Happening::ClientLost { link });
            }
        }
        let down = down.min(self.plan.peace.saturating_sub(self.now)).max(1);
        self.schedule(down, Happening::Restart { node });
        Ok(())
    }

    /// Loads the live game from the log if needed, and requests the credit for an outage. Returns
    /// false if the log fails.
    fn load_game(&mut self, node: usize) -> Result<bool, crate::BrokenLaw> {
        let clock = self.clock(node);
        if self.nodes[node].live_game.is_none() {
            if self.log_available().is_err() {
                return Ok(false);
            }
            let state = self.log.state(self.log.last()).clone();
            let start = state.start().cloned();
            let said = start.map(|start| follow::chat(self.log.entries(), &start));
            let said = said.unwrap_or_default().into();
            let room = Room::new(self.game, VISIBILITY, state, clock);
            let live_game = LiveGame::new(self.game, room, None, self.seats.clone(), said, clock);
            self.nodes[node].live_game = Some(live_game);
        }
        let own = &self.nodes[node];
        let (epoch, outage, live_game) = (own.epoch, own.outage, own.live_game.as_ref());
        let credit =
            |live_game: &LiveGame| live_game.look(|room| outage?.credit(room.state(), clock));
        if let Some(asked) = live_game.and_then(credit) {
            self.call_game(node, epoch, |live_game, now| live_game.ask(asked, now))?;
        }
        Ok(true)
    }

    /// Calls the live game and performs its effects.
    pub(crate) fn call_game(
        &mut self,
        node: usize,
        epoch: u32,
        what: impl FnOnce(&LiveGame, Millis) -> Effects,
    ) -> LawResult {
        let clock = self.clock(node);
        let own = &self.nodes[node];
        let Some(live_game) = own.live_game.as_ref().filter(|_| own.up && own.epoch == epoch)
        else {
            return Ok(());
        };
        for effect in what(live_game, clock) {
            match effect {
                Effect::Write(append) => self.write(node, append)?,
                Effect::Read { after } => {
                    let wait = self.log_delay();
                    self.schedule(wait, Happening::Read { node, epoch, after });
                }
                Effect::LookUp { to, key, refused } => {
                    let wait = self.log_delay();
                    self.schedule(wait, Happening::LookUp { node, epoch, to, key, refused });
                }
                Effect::Answered { .. }
                | Effect::Think(_)
                | Effect::Changed
                | Effect::Connections(_) => {}
            }
        }
        self.pump(node);
        self.check_node(node)
    }

    fn write(&mut self, node: usize, append: Box<Append>) -> LawResult {
        self.trace_line(|_| {
            let bodies = append.events.iter().map(|event| event.body.as_str());
            let events: Vec<&str> = bodies.collect();
            format!("node {node} writes {} {:?} {events:?}", append.expected, append.command_key)
        });
        self.check_flag(node, &append)?;
        let (epoch, submitted) = (self.nodes[node].epoch, self.now);
        let wait = self.log_delay();
        let happening = match self.log_available() {
            Ok(()) => {
                self.nodes[node].writing = true;
                Happening::Commit { node, epoch, append, submitted }
            }
            Err(error) => Happening::Wrote { node, epoch, answer: Err(error), submitted },
        };
        self.schedule(wait, happening);
        Ok(())
    }

    /// A random duration of a log operation.
    pub(crate) fn log_delay(&mut self) -> Time {
        let (slow, until) = self.slow;
        let usual = self.random.delay(self.plan.disk.usual, self.plan.disk.most);
        if self.now < until { slow + usual } else { usual }
    }

    /// An error if the log does not accept requests now.
    pub(crate) fn log_available(&mut self) -> Result<(), Error> {
        let failing = self.random.permille(self.plan.disk.failing) && !self.is_peace();
        if self.now >= self.log_fails_until && !failing {
            return Ok(());
        }
        let busy = self.random.permille(500);
        Err(if busy { Error::Busy } else { Error::Io(ErrorKind::TimedOut) })
    }

    pub(crate) fn commit(
        &mut self,
        node: usize,
        epoch: u32,
        append: &Append,
        submitted: Time,
    ) -> LawResult {
        if self.nodes[node].epoch == epoch {
            self.nodes[node].writing = false;
        }
        let mut answer = self.commit_append(append, node, submitted)?;
        let doubtful = self.random.permille(self.plan.disk.doubtful) && !self.is_peace();
        if doubtful && matches!(answer, Ok(Appended { once: Once::First, .. })) {
            answer = Err(Error::Unsure);
        }
        self.report.conflicts += u64::from(matches!(answer, Err(Error::Conflict { .. })));
        self.report.resends += u64::from(matches!(answer, Ok(Appended { once: Once::Again, .. })));
        let wait = self.random.below(4);
        self.schedule(wait, Happening::Wrote { node, epoch, answer, submitted });
        Ok(())
    }

    pub(crate) fn wrote(
        &mut self,
        node: usize,
        epoch: u32,
        answer: Result<Appended, Error>,
        submitted: Time,
    ) -> LawResult {
        self.trace_line(|_| format!("node {node} is answered {answer:?}"));
        if self.nodes[node].epoch != epoch {
            return Ok(());
        }
        if let Ok(Appended { seq, once: Once::First }) = answer {
            let running = self.current_turn;
            let append = self.log.append_of(seq);
            let begun = append.is_some_and(|a| (a.first..=a.last).contains(&running.seq));
            if begun && running.submitted == submitted {
                self.current_turn.shown = Some(self.now);
            }
            for other in (0..self.nodes.len()).filter(|&other| other != node) {
                for _ in 0..self.random.pick(&[0, 1, 1, 1, 1, 2]).unwrap_or(1) {
                    let after = self.random.delay(5, 3_000);
                    self.schedule(after, Happening::Hint { node: other, seq });
                }
            }
        }
        self.call_game(node, epoch, |live_game, now| live_game.finish_write(answer, now))
    }

    pub(crate) fn has_read(
        &mut self,
        node: usize,
        epoch: u32,
        answer: Result<Vec<hansu_play::Entry>, Error>,
    ) -> LawResult {
        self.trace_line(|_| format!("node {node} has read {:?}", answer.as_ref().map(Vec::len)));
        let (own, running) = (&self.nodes[node], &mut self.current_turn);
        let seen = |entry: &hansu_play::Entry| entry.seq == running.seq;
        let found = answer.as_ref().is_ok_and(|entries| entries.iter().any(seen));
        // A node with a doubtful commit that finds it in the log shows it now.
        if own.epoch == epoch && running.node == node && running.shown.is_none() && found {
            running.shown = Some(self.now);
        }
        self.call_game(node, epoch, |live_game, now| live_game.finish_read(answer, now))
    }

    pub(crate) fn tick(&mut self, node: usize, epoch: u32) -> LawResult {
        if self.nodes[node].epoch == epoch {
            self.schedule(SWEEP, Happening::Tick { node, epoch });
            // The server ticks only live games that are due. Here every tick runs, to check that
            // the others would do nothing.
            let mut slept = false;
            self.call_game(node, epoch, |live_game, now| {
                let due = live_game.is_due(now);
                let effects = live_game.tick(now);
                slept = !due && !effects.is_empty();
                effects
            })?;
            return check(Law::Rest, !slept, || format!("node {node} was not due"));
        }
        Ok(())
    }

    pub(crate) fn each_second(&mut self, node: usize, epoch: u32) -> LawResult {
        if self.nodes[node].epoch != epoch {
            return Ok(());
        }
        self.schedule(SECOND, Happening::Second { node, epoch });
        let clock = self.clock(node);
        if self.log_available().is_err() {
            return Ok(());
        }
        // As in the server: no heartbeat before the credit for an outage is written.
        let paid = |live_game: &LiveGame| !live_game.look(Room::owes);
        let own = &self.nodes[node];
        let may = own.outage.is_none() || own.live_game.as_ref().is_none_or(paid);
        // The log works in order: a heartbeat does not overtake an earlier append.
        if may && !own.writing {
            self.log.beat(node, clock);
        }
        let last = self.log.last();
        let deadline = self.log.state(last).deadline();
        if self.nodes[node].live_game.is_none() && deadline.is_some_and(|(_, at)| at <= clock) {
            self.load_game(node)?;
        }
        if self.plan.nodes > 1 {
            self.call_game(node, epoch, |live_game, _| live_game.hint(last))?;
        }
        Ok(())
    }

    pub(crate) fn pulse(&mut self, node: usize, epoch: u32) -> LawResult {
        if self.nodes[node].epoch != epoch {
            return Ok(());
        }
        self.schedule(PULSE, Happening::Pulse { node, epoch });
        let clock = self.clock(node);
        let Some(seq) = self.nodes[node].live_game.as_ref().map(LiveGame::seq) else {
            return Ok(());
        };
        for link in self.links_of(node) {
            let own = &mut self.links[link];
            if own.cut || !own.at_client {
                if self.now > own.node_heard + SILENCE {
                    self.node_lost(link)?;
                }
                continue;
            }
            own.node_heard = self.now;
            self.send_to_client(link, &ServerMessage::Beat { seq, now: clock });
        }
        let since = clock.minus(FORGET_AFTER);
        let own = &mut self.nodes[node];
        if own.live_game.as_ref().is_some_and(|live_game| live_game.is_forgettable(since)) {
            own.live_game = None;
            self.trace_line(|_| format!("node {node} unloads the live game"));
        }
        Ok(())
    }

    fn links_of(&self, node: usize) -> Vec<usize> {
        let epoch = self.nodes[node].epoch;
        let open = self.links.iter().enumerate();
        open.filter(|(_, link)| link.node == node && link.epoch == epoch && link.joined.is_some())
            .map(|(number, _)| number)
            .collect()
    }

    /// Sends the messages from the connections' queues.
    pub(crate) fn pump(&mut self, node: usize) {
        for link in self.links_of(node) {
            if self.now < self.links[link].stalled {
                continue;
            }
            while let Some((_, inbox)) = &mut self.links[link].joined {
                match inbox.try_recv() {
                    Ok(text) => self.send_text_to_client(link, &text),
                    Err(TryRecvError::Disconnected) => {
                        // The live game has dropped the connection, which was too slow.
                        self.schedule(0, Happening::NodeLost { link });
                        break;
                    }
                    Err(TryRecvError::Empty) => break,
                }
            }
        }
    }

    pub(crate) fn send_to_client(&mut self, link: usize, message: &ServerMessage) {
        if let Ok(text) = serde_json::to_string(message) {
            self.send_text_to_client(link, &text);
        }
    }

    /// A node notices the end of a connection, or closes it.
    pub(crate) fn node_lost(&mut self, link: usize) -> LawResult {
        let clock = self.clock(self.links[link].node);
        let own = &mut self.links[link];
        if !own.at_node {
            return Ok(());
        }
        own.at_node = false;
        let (node, epoch) = (own.node, own.epoch);
        if let Some((actor, _)) = own.joined.take()
            && let Some(live_game) = &self.nodes[node].live_game
            && self.nodes[node].epoch == epoch
        {
            live_game.leave(link as u64 + 1, actor, clock);
        }
        self.schedule(1, Happening::ClientLost { link });
        Ok(())
    }

    /// A client's message arrives.
    pub(crate) fn receive_at_node(&mut self, link: usize, text: &str) -> LawResult {
        let own = &self.links[link];
        let (node, epoch) = (own.node, own.epoch);
        if !own.at_node || own.cut || self.nodes[node].epoch != epoch {
            return Ok(());
        }
        let said: ClientMessage = serde_json::from_str(text)
            .map_err(|error| crate::BrokenLaw { law: Law::View, how: error.to_string() })?;
        self.links[link].node_heard = self.now;
        match (said, self.links[link].joined.is_some()) {
            (ClientMessage::Hello { seq, .. }, false) => self.join(link, seq),
            (ClientMessage::Sync { seq }, true) => self.call_game(node, epoch, |live_game, _| {
                live_game.sync(link as u64 + 1, seq);
                Effects::default()
            }),
            (ClientMessage::Command { id, command: wish }, true) => {
                let lag = Millis(self.random.below(2 * self.plan.network.usual + 1));
                let moment = Moment::at(self.clock(node)).lagging(lag);
                // Usually at once; a busy machine takes longer, but less than the grace of a flag.
                let busy = self.random.permille(100);
                let after = if busy { self.random.below(FLAG_GRACE.0) } else { 0 };
                let at = (self.now + after).max(self.links[link].last_ask + 1);
                self.links[link].last_ask = at;
                self.schedule(at - self.now, Happening::Ask { link, id, wish, moment });
                Ok(())
            }
            // A connection must begin with exactly one hello.
            _ => self.node_lost(link),
        }
    }

    fn join(&mut self, link: usize, seq: u64) -> LawResult {
        let (node, client) = (self.links[link].node, self.links[link].client);
        if !self.load_game(node)? {
            return self.node_lost(link);
        }
        let holder = holder(self.clients[client].person, client);
        let (outbox, inbox) = queue();
        let Some(live_game) = &self.nodes[node].live_game else { return self.node_lost(link) };
        let actor = live_game.actor(Some(holder));
        self.links[link].joined = Some((actor, inbox));
        let hello = Hello { id: link as u64 + 1, actor, seq, outbox };
        self.call_game(node, self.links[link].epoch, |live_game, now| live_game.join(hello, now))
    }

    /// A command reaches the live game.
    pub(crate) fn ask(&mut self, link: usize, id: String, wish: Wish, moment: Moment) -> LawResult {
        let own = &self.links[link];
        let (node, epoch) = (own.node, own.epoch);
        let Some((actor, _)) = own.joined.as_ref().filter(|_| self.nodes[node].epoch == epoch)
        else {
            return Ok(());
        };
        let (actor, person) = (*actor, own.client);
        let fresh: Option<GameId> = format!("next{:08}", self.now).parse().ok();
        let (Some(live_game), Some(fresh)) = (&self.nodes[node].live_game, fresh) else {
            return Ok(());
        };
        let seq = live_game.seq();
        let command = match hansu_view::command(wish, actor, || Some(fresh.to_string())) {
            Ok(command) => command,
            Err(why) => {
                let refusal = Refusal {
                    code: why.code().to_owned(),
                    squares: Vec::new(),
                    by: Vec::new(),
                    text: String::new(),
                };
                self.send_to_client(link, &ServerMessage::Refused { id, seq, refusal });
                return Ok(());
            }
        };
        self.trace_line(|_| {
            format!("node {node} is asked by {actor:?} {id}: {command:?} {moment:?}")
        });
        let key = CommandKey::new(actor, &self.holder_name(person), &id);
        if let Some(command) = self.issued.get_mut(&key.to_string()) {
            command.stamps.push(moment.received);
        }
        self.check_late_move(node, actor, &command, moment)?;
        let by = Some(Asker { id: link as u64 + 1, lang: Lang::En, since: 0 });
        let asked = CommandRequest { by, actor, command, moment, key: Some(key), begins: None };
        self.call_game(node, epoch, |live_game, now| live_game.ask(asked, now))
    }
}
