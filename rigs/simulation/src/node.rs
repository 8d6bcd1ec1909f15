//! The machines: a table each, driven as the server drives it, by a log that may fail and a
//! process that may die.

use std::io::ErrorKind;
use std::sync::mpsc::TryRecvError;

use hansu_live::{
    Asked, Asker, CommandKey, Effect, Effects, FLAG_GRACE, Hello, LiveGame, Outage, Room,
};
use hansu_play::{Millis, Moment};
use hansu_protocol::{ClientMessage, Refusal, ServerMessage, Wish};
use hansu_records::{Append, Appended, Error, GameId, Once};
use hansu_words::Lang;

use crate::follow;
use crate::laws::{Kept, Law, hold};
use crate::log::VISIBILITY;
use crate::plan::Time;
use crate::queue::queue;
use crate::world::{EPOCH, Happening, World, holder};

/// How often tables are looked at.
const SWEEP: Time = 100;
/// How often the log is told that a node is alive.
const SECOND: Time = 1_000;
/// How often clients are told.
const PULSE: Time = 4_000;
/// A client of whom nothing is heard for so long is gone.
const SILENCE: Time = 8_500;
/// A table that nobody has used for so long is put away.
const FORGET_AFTER: Millis = Millis::seconds(30);
/// Credits below this are within what lag compensation forgives; see `hansu_live`.
pub(crate) const SLOW_COMMIT: Time = 500;

impl World {
    pub(crate) fn clock(&self, node: usize) -> Millis {
        Millis(self.nodes[node].base + self.now)
    }

    /// A node is started: from now on its clock runs by itself.
    pub(crate) fn start(&mut self, node: usize) -> Kept {
        if self.nodes[node].up {
            return Ok(());
        }
        if self.reading().is_err() {
            self.soon(400, Happening::Restart { node });
            return Ok(());
        }
        let started = self.now;
        let last = self.log.last_beat();
        let own = &mut self.nodes[node];
        own.up = true;
        own.epoch += 1;
        own.started = started;
        own.base = EPOCH.saturating_add_signed(own.wall);
        (own.table, own.flag, own.writing) = (None, None, false);
        let epoch = own.epoch;
        let clock = self.clock(node);
        let own = &mut self.nodes[node];
        own.outage = Outage::between(last, clock);
        let away = last.map_or(Millis::ZERO, |last| clock.minus(last));
        self.credits.insert(format!("outage:{}", clock.0), (away, started));
        if let Some(outage) = self.outages.last_mut().filter(|_| self.plan.nodes == 1) {
            outage.1 = started;
            if self.running.shown.is_none() {
                // What was kept and never answered can be seen from now on.
                (self.running.shown, self.running.credited) = (Some(started), true);
            }
        }
        let ticks = [SWEEP, SECOND, PULSE].map(|most| self.random.below(most));
        self.soon(ticks[0], Happening::Tick { node, epoch });
        self.soon(ticks[1], Happening::Second { node, epoch });
        self.soon(ticks[2], Happening::Pulse { node, epoch });
        self.tell(|world| format!("node {node} starts, {:?}", world.nodes[node].outage));
        if self.log.state(self.log.last()).deadline().is_some() {
            self.set(node)?;
        }
        Ok(())
    }

    /// A node dies. What it has given to the log may be kept or not.
    pub(crate) fn crash(&mut self, node: usize, down: u64) -> Kept {
        if !self.nodes[node].up {
            return Ok(());
        }
        self.report.crashes += 1;
        let own = &mut self.nodes[node];
        let epoch = own.epoch;
        own.up = false;
        own.epoch += 1;
        (own.table, own.outage) = (None, None);
        self.outages.push((self.now, Time::MAX));
        let of_node = |what: &Happening| matches!(what, Happening::Commit { node: n, epoch: e, .. } if (*n, *e) == (node, epoch));
        for open in self.take(of_node) {
            self.report.open += 1;
            let is_kept = self.random.permille(500);
            match open {
                Happening::Commit { append, given, .. } if is_kept && self.plan.nodes == 1 => {
                    // Whether it was kept is not told to anybody any more.
                    let _ = self.kept(&append, node, given)?;
                }
                // With a database elsewhere it may even arrive later.
                other if is_kept => {
                    let wait = self.waits();
                    self.soon(wait, other);
                }
                _ => {}
            }
        }
        for line in 0..self.lines.len() {
            if self.lines[line].node == node && self.lines[line].at_node {
                self.lines[line].at_node = false;
                self.lines[line].joined = None;
                self.lines[line].cut = true;
                let after = self.random.delay(20, 12_000);
                self.soon(after, Happening::ClientLost { line });
            }
        }
        let down = down.min(self.plan.peace.saturating_sub(self.now)).max(1);
        self.soon(down, Happening::Restart { node });
        Ok(())
    }

    /// The table of the game, set from the log if need be, with the credit that it is owed.
    fn set(&mut self, node: usize) -> Result<bool, crate::Broken> {
        let clock = self.clock(node);
        if self.nodes[node].table.is_none() {
            if self.reading().is_err() {
                return Ok(false);
            }
            let state = self.log.state(self.log.last()).clone();
            let start = state.start().cloned();
            let said = start.map(|start| follow::chat(self.log.entries(), &start));
            let said = said.unwrap_or_default().into();
            let room = Room::new(self.game, VISIBILITY, state, clock);
            let table = LiveGame::new(self.game, room, None, self.seats.clone(), said, clock);
            self.nodes[node].table = Some(table);
        }
        let own = &self.nodes[node];
        let (epoch, outage, table) = (own.epoch, own.outage, own.table.as_ref());
        let credit = |table: &LiveGame| table.look(|room| outage?.credit(room.state(), clock));
        if let Some(asked) = table.and_then(credit) {
            self.at(node, epoch, |table, now| table.ask(asked, now))?;
        }
        Ok(true)
    }

    /// Does something at a table, and then what the table wants done.
    pub(crate) fn at(
        &mut self,
        node: usize,
        epoch: u32,
        what: impl FnOnce(&LiveGame, Millis) -> Effects,
    ) -> Kept {
        let clock = self.clock(node);
        let own = &self.nodes[node];
        let Some(table) = own.table.as_ref().filter(|_| own.up && own.epoch == epoch) else {
            return Ok(());
        };
        for effect in what(table, clock) {
            match effect {
                Effect::Write(append) => self.write(node, append)?,
                Effect::Read { after } => {
                    let wait = self.waits();
                    self.soon(wait, Happening::Read { node, epoch, after });
                }
                Effect::LookUp { to, key, refused } => {
                    let wait = self.waits();
                    self.soon(wait, Happening::LookUp { node, epoch, to, key, refused });
                }
                Effect::Answered { .. } | Effect::Think(_) | Effect::Changed | Effect::Here(_) => {}
            }
        }
        self.pump(node);
        self.believes(node)
    }

    fn write(&mut self, node: usize, append: Box<Append>) -> Kept {
        self.tell(|_| {
            let bodies = append.events.iter().map(|event| event.body.as_str());
            let events: Vec<&str> = bodies.collect();
            format!("node {node} writes {} {:?} {events:?}", append.expected, append.client)
        });
        self.decided(node, &append)?;
        let (epoch, given) = (self.nodes[node].epoch, self.now);
        let wait = self.waits();
        let happening = match self.reading() {
            Ok(()) => {
                self.nodes[node].writing = true;
                Happening::Commit { node, epoch, append, given }
            }
            Err(error) => Happening::Wrote { node, epoch, answer: Err(error), given },
        };
        self.soon(wait, happening);
        Ok(())
    }

    /// How long the log takes for something.
    pub(crate) fn waits(&mut self) -> Time {
        let (slow, until) = self.slow;
        let usual = self.random.delay(self.plan.disk.usual, self.plan.disk.most);
        if self.now < until { slow + usual } else { usual }
    }

    /// Whether the log takes a request at all.
    pub(crate) fn reading(&mut self) -> Result<(), Error> {
        let failing = self.random.permille(self.plan.disk.failing) && !self.is_peace();
        if self.now >= self.broken && !failing {
            return Ok(());
        }
        let busy = self.random.permille(500);
        Err(if busy { Error::Busy } else { Error::Io(ErrorKind::TimedOut) })
    }

    pub(crate) fn commit(&mut self, node: usize, epoch: u32, append: &Append, given: Time) -> Kept {
        if self.nodes[node].epoch == epoch {
            self.nodes[node].writing = false;
        }
        let mut answer = self.kept(append, node, given)?;
        let doubtful = self.random.permille(self.plan.disk.doubtful) && !self.is_peace();
        if doubtful && matches!(answer, Ok(Appended { once: Once::First, .. })) {
            answer = Err(Error::Unsure);
        }
        self.report.conflicts += u64::from(matches!(answer, Err(Error::Conflict { .. })));
        self.report.resends += u64::from(matches!(answer, Ok(Appended { once: Once::Again, .. })));
        let wait = self.random.below(4);
        self.soon(wait, Happening::Wrote { node, epoch, answer, given });
        Ok(())
    }

    pub(crate) fn wrote(
        &mut self,
        node: usize,
        epoch: u32,
        answer: Result<Appended, Error>,
        given: Time,
    ) -> Kept {
        self.tell(|_| format!("node {node} is answered {answer:?}"));
        if self.nodes[node].epoch != epoch {
            return Ok(());
        }
        if let Ok(Appended { seq, once: Once::First }) = answer {
            let running = self.running;
            let append = self.log.append_of(seq);
            let begun = append.is_some_and(|a| (a.first..=a.last).contains(&running.seq));
            if begun && running.given == given {
                self.running.shown = Some(self.now);
            }
            for other in (0..self.nodes.len()).filter(|&other| other != node) {
                for _ in 0..self.random.pick(&[0, 1, 1, 1, 1, 2]).unwrap_or(1) {
                    let after = self.random.delay(5, 3_000);
                    self.soon(after, Happening::Hint { node: other, seq });
                }
            }
        }
        self.at(node, epoch, |table, now| table.wrote(answer, now))
    }

    pub(crate) fn has_read(
        &mut self,
        node: usize,
        epoch: u32,
        answer: Result<Vec<hansu_play::Entry>, Error>,
    ) -> Kept {
        self.tell(|_| format!("node {node} has read {:?}", answer.as_ref().map(Vec::len)));
        let (own, running) = (&self.nodes[node], &mut self.running);
        let seen = |entry: &hansu_play::Entry| entry.seq == running.seq;
        let found = answer.as_ref().is_ok_and(|entries| entries.iter().any(seen));
        // Who did not know whether it was kept, and has found it, shows it now.
        if own.epoch == epoch && running.node == node && running.shown.is_none() && found {
            running.shown = Some(self.now);
        }
        self.at(node, epoch, |table, now| table.read(answer, now))
    }

    pub(crate) fn tick(&mut self, node: usize, epoch: u32) -> Kept {
        if self.nodes[node].epoch == epoch {
            self.soon(SWEEP, Happening::Tick { node, epoch });
            // The server asks only tables that are due; here all are asked, to see that this is
            // the same.
            let mut slept = false;
            self.at(node, epoch, |table, now| {
                let due = table.is_due(now);
                let effects = table.tick(now);
                slept = !due && !effects.is_empty();
                effects
            })?;
            return hold(Law::Rest, !slept, || format!("node {node} was not due"));
        }
        Ok(())
    }

    pub(crate) fn second(&mut self, node: usize, epoch: u32) -> Kept {
        if self.nodes[node].epoch != epoch {
            return Ok(());
        }
        self.soon(SECOND, Happening::Second { node, epoch });
        let clock = self.clock(node);
        if self.reading().is_err() {
            return Ok(());
        }
        // As the server does: no sign of life before what is owed for the time before is paid.
        let paid = |table: &LiveGame| !table.look(Room::owes);
        let own = &self.nodes[node];
        let may = own.outage.is_none() || own.table.as_ref().is_none_or(paid);
        // The log does one thing after another: a beat does not overtake what it was given before.
        if may && !own.writing {
            self.log.beat(node, clock);
        }
        let last = self.log.last();
        let deadline = self.log.state(last).deadline();
        if self.nodes[node].table.is_none() && deadline.is_some_and(|(_, at)| at <= clock) {
            self.set(node)?;
        }
        if self.plan.nodes > 1 {
            self.at(node, epoch, |table, _| table.hint(last))?;
        }
        Ok(())
    }

    pub(crate) fn pulse(&mut self, node: usize, epoch: u32) -> Kept {
        if self.nodes[node].epoch != epoch {
            return Ok(());
        }
        self.soon(PULSE, Happening::Pulse { node, epoch });
        let clock = self.clock(node);
        let Some(seq) = self.nodes[node].table.as_ref().map(LiveGame::seq) else { return Ok(()) };
        for line in self.lines_of(node) {
            let own = &mut self.lines[line];
            if own.cut || !own.at_client {
                if self.now > own.node_heard + SILENCE {
                    self.node_lost(line)?;
                }
                continue;
            }
            own.node_heard = self.now;
            self.down(line, &ServerMessage::Beat { seq, now: clock });
        }
        let since = clock.minus(FORGET_AFTER);
        let own = &mut self.nodes[node];
        if own.table.as_ref().is_some_and(|table| table.is_forgettable(since)) {
            own.table = None;
            self.tell(|_| format!("node {node} puts the table away"));
        }
        Ok(())
    }

    fn lines_of(&self, node: usize) -> Vec<usize> {
        let epoch = self.nodes[node].epoch;
        let open = self.lines.iter().enumerate();
        open.filter(|(_, line)| line.node == node && line.epoch == epoch && line.joined.is_some())
            .map(|(number, _)| number)
            .collect()
    }

    /// Sends what tables have put into the queues of their connections.
    pub(crate) fn pump(&mut self, node: usize) {
        for line in self.lines_of(node) {
            if self.now < self.lines[line].stalled {
                continue;
            }
            while let Some((_, inbox)) = &mut self.lines[line].joined {
                match inbox.try_recv() {
                    Ok(text) => self.carry_down(line, &text),
                    Err(TryRecvError::Disconnected) => {
                        // The table has let go: too slow.
                        self.soon(0, Happening::NodeLost { line });
                        break;
                    }
                    Err(TryRecvError::Empty) => break,
                }
            }
        }
    }

    pub(crate) fn down(&mut self, line: usize, message: &ServerMessage) {
        if let Ok(text) = serde_json::to_string(message) {
            self.carry_down(line, &text);
        }
    }

    /// A node notices that a connection is gone, or closes it.
    pub(crate) fn node_lost(&mut self, line: usize) -> Kept {
        let clock = self.clock(self.lines[line].node);
        let own = &mut self.lines[line];
        if !own.at_node {
            return Ok(());
        }
        own.at_node = false;
        let (node, epoch) = (own.node, own.epoch);
        if let Some((actor, _)) = own.joined.take()
            && let Some(table) = &self.nodes[node].table
            && self.nodes[node].epoch == epoch
        {
            table.part(line as u64 + 1, actor, clock);
        }
        self.soon(1, Happening::ClientLost { line });
        Ok(())
    }

    /// A client's message arrives.
    pub(crate) fn frame(&mut self, line: usize, text: &str) -> Kept {
        let own = &self.lines[line];
        let (node, epoch) = (own.node, own.epoch);
        if !own.at_node || own.cut || self.nodes[node].epoch != epoch {
            return Ok(());
        }
        let said: ClientMessage = serde_json::from_str(text)
            .map_err(|error| crate::Broken { law: Law::View, how: error.to_string() })?;
        self.lines[line].node_heard = self.now;
        match (said, self.lines[line].joined.is_some()) {
            (ClientMessage::Hello { seq, .. }, false) => self.join(line, seq),
            (ClientMessage::Sync { seq }, true) => self.at(node, epoch, |table, _| {
                table.sync(line as u64 + 1, seq);
                Effects::default()
            }),
            (ClientMessage::Command { id, command: wish }, true) => {
                let lag = Millis(self.random.below(2 * self.plan.network.usual + 1));
                let moment = Moment::at(self.clock(node)).lagging(lag);
                // Mostly at once; a busy machine takes longer, but not as long as a flag waits.
                let busy = self.random.permille(100);
                let after = if busy { self.random.below(FLAG_GRACE.0) } else { 0 };
                let at = (self.now + after).max(self.lines[line].last_ask + 1);
                self.lines[line].last_ask = at;
                self.soon(at - self.now, Happening::Ask { line, id, wish, moment });
                Ok(())
            }
            // What does not begin with one hello is no conversation.
            _ => self.node_lost(line),
        }
    }

    fn join(&mut self, line: usize, seq: u64) -> Kept {
        let (node, client) = (self.lines[line].node, self.lines[line].client);
        if !self.set(node)? {
            return self.node_lost(line);
        }
        let holder = holder(self.clients[client].person, client);
        let (outbox, inbox) = queue();
        let Some(table) = &self.nodes[node].table else { return self.node_lost(line) };
        let actor = table.actor(Some(holder));
        self.lines[line].joined = Some((actor, inbox));
        let hello = Hello { id: line as u64 + 1, actor, seq, outbox };
        self.at(node, self.lines[line].epoch, |table, now| table.join(hello, now))
    }

    /// A command is put to the table.
    pub(crate) fn ask(&mut self, line: usize, id: String, wish: Wish, moment: Moment) -> Kept {
        let own = &self.lines[line];
        let (node, epoch) = (own.node, own.epoch);
        let Some((actor, _)) = own.joined.as_ref().filter(|_| self.nodes[node].epoch == epoch)
        else {
            return Ok(());
        };
        let (actor, person) = (*actor, own.client);
        let fresh: Option<GameId> = format!("next{:08}", self.now).parse().ok();
        let (Some(table), Some(fresh)) = (&self.nodes[node].table, fresh) else { return Ok(()) };
        let seq = table.seq();
        let command = match hansu_view::command(wish, actor, || Some(fresh.to_string())) {
            Ok(command) => command,
            Err(why) => {
                let refusal = Refusal {
                    code: why.code().to_owned(),
                    squares: Vec::new(),
                    by: Vec::new(),
                    text: String::new(),
                };
                self.down(line, &ServerMessage::Refused { id, seq, refusal });
                return Ok(());
            }
        };
        self.tell(|_| format!("node {node} is asked by {actor:?} {id}: {command:?} {moment:?}"));
        let key = CommandKey::new(actor, &self.who(person), &id);
        if let Some(given) = self.given.get_mut(&key.to_string()) {
            given.stamps.push(moment.received);
        }
        self.comes_late(node, actor, &command, moment)?;
        let by = Some(Asker { id: line as u64 + 1, lang: Lang::En, since: 0 });
        let asked = Asked { by, actor, command, moment, key: Some(key), begins: None };
        self.at(node, epoch, |table, now| table.ask(asked, now))
    }
}
