//! One game on this node: commands in, effects out.
//!
//! It has no sockets, no store and no clock of its own, so that a simulation can drive it through
//! every failure. The rule it keeps: an event is published only after the log has it, and the log,
//! not the room, decides what has happened. One append is under way at a time; commands that come
//! meanwhile wait in their order of arrival.

use std::collections::VecDeque;

use hansu_chess::Color;
use hansu_journal::{row, to_event};
use hansu_play::{
    Actor, Command, Decision, Entry, Event, Millis, Moment, Phase, Refusal, Source, State, act,
    apply, decide,
};
use hansu_records::{Append, Appended, Begins, Error, GameId, Once, Visibility};
use hansu_view::{is_by_time, is_too_late};

pub use self::credits::Outage;
use self::credits::{is_credit, is_for_refusal, starts_a_clock};
use self::people::People;
pub use self::people::{Connections, Sight};
use crate::{Asker, CommandError, CommandKey, CommandResult, Effect, Effects, Notice};

/// At most this many commands wait in one game; the next one is refused as busy.
pub const MOST_WAITING: usize = 64;
/// A command is decided again at most this many times after a conflict with another writer.
const MOST_TRIES: u8 = 4;
/// A player without a connection for this long has left.
pub const GRACE: Millis = Millis::seconds(8);
/// A flag falls this long after its deadline, so that a move that was received in time and is still
/// on its way through the server comes first.
pub const FLAG_GRACE: Millis = Millis(50);
/// The same if the player to move is, or may be, connected to another node: that node flags first,
/// and this one only if it does not.
pub const FAR_GRACE: Millis = Millis::seconds(1);

/// A command with its sender.
#[derive(Clone, Debug)]
pub struct CommandRequest {
    /// Where the answer goes; `None` for a command of the server itself.
    pub by: Option<Asker>,
    /// The sender's seat or role in the game.
    pub actor: Actor,
    /// The command.
    pub command: Command,
    /// When it was received.
    pub moment: Moment,
    /// The key under which the log keeps it.
    pub key: Option<CommandKey>,
    /// The seats of the game that this may begin: this game, or its rematch.
    pub begins: Option<Begins>,
}

/// A command that is not answered yet.
#[derive(Debug)]
struct Waiting {
    asked: CommandRequest,
    /// How often it was decided and could not be written.
    tries: u8,
    /// The turn in which it came.
    turn: u64,
}

/// The answer of the log that the room waits for.
#[derive(Debug)]
enum Pending {
    Nothing,
    /// To a write.
    Write {
        waiting: Waiting,
        entries: Vec<Entry>,
        next: Box<State>,
    },
    /// To a read; then the command is decided again, unless the log has it.
    Read {
        again: Option<Waiting>,
        /// Entries of a write that failed with [`Error::Unsure`]: the log may have them.
        doubt: Vec<Entry>,
        /// [`Room::hinted`] when the read began.
        hinted: u64,
    },
}

/// One game on this node.
#[derive(Debug)]
pub struct Room {
    game: GameId,
    visibility: Visibility,
    state: State,
    pending: Pending,
    waiting: VecDeque<Waiting>,
    /// Credits of time that the log did not take yet.
    owed: Vec<Waiting>,
    /// Since when the log refuses all writes, within the running turn: no flag falls before this
    /// time is credited.
    refused: Option<Millis>,
    /// Entries of a write that failed with [`Error::Unsure`] while the log could not be read.
    doubt: Vec<Entry>,
    /// The number of turns that began while the room was here.
    turn: u64,
    people: People,
    /// The highest event number that the log is said to have.
    hinted: u64,
    /// The last event when the computer was last asked.
    asked_computer: Option<u64>,
}

impl Room {
    /// A room for a game in the state that the log has.
    pub fn new(game: GameId, visibility: Visibility, state: State, now: Millis) -> Room {
        Room {
            game,
            visibility,
            state,
            pending: Pending::Nothing,
            waiting: VecDeque::new(),
            owed: Vec::new(),
            refused: None,
            doubt: Vec::new(),
            turn: 0,
            people: People::gone_since(now),
            hinted: 0,
            asked_computer: None,
        }
    }

    /// The state of the game as far as this node has it.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Who may watch.
    pub fn visibility(&self) -> Visibility {
        self.visibility
    }

    /// Returns true if the room waits for nothing: no command and no answer of the log.
    pub fn is_idle(&self) -> bool {
        let asked = self.waiting.is_empty() && self.owed.is_empty();
        let known = self.doubt.is_empty() && self.hinted <= self.state.seq();
        matches!(self.pending, Pending::Nothing) && asked && known
    }

    /// Returns true if a credit of time is not in the log yet.
    pub fn owes(&self) -> bool {
        let pending = match &self.pending {
            Pending::Nothing => None,
            Pending::Write { waiting, .. } => Some(waiting),
            Pending::Read { again, .. } => again.as_ref(),
        };
        let mut all = pending.into_iter().chain(&self.waiting).chain(&self.owed);
        all.any(|waiting| is_credit(&waiting.asked))
    }

    /// The commands that are not decided yet, or must be decided again.
    pub fn undecided(&self) -> impl Iterator<Item = &CommandRequest> {
        let again = match &self.pending {
            Pending::Read { again, .. } => again.as_ref(),
            Pending::Nothing | Pending::Write { .. } => None,
        };
        again.into_iter().chain(&self.waiting).map(|waiting| &waiting.asked)
    }

    /// Takes a command.
    pub fn ask(&mut self, asked: CommandRequest, now: Millis, effects: &mut Effects) {
        if self.waiting.len() >= MOST_WAITING {
            tell(&asked, CommandResult::NotDone(CommandError::Failed(Error::Busy)), effects);
            return;
        }
        let turn = self.turn;
        self.waiting.push_back(Waiting { asked, tries: 0, turn });
        self.give_back(now);
        self.go_on(now, effects);
        self.ask_computer(effects);
    }

    /// Does what is due at this time: reads the log after a failure, gives time back, asks the
    /// computer, flags, ends the game where the rules demand it, marks players as left or returned.
    pub fn tick(&mut self, now: Millis, effects: &mut Effects) {
        if !self.doubt.is_empty() && matches!(self.pending, Pending::Nothing) {
            let doubt = std::mem::take(&mut self.doubt);
            return self.reread(None, doubt, effects);
        }
        self.follow_hint(effects);
        self.give_back(now);
        self.go_on(now, effects);
        if !self.is_idle() {
            return;
        }
        self.ask_computer(effects);
        let due = self.due_commands().find(|(at, _)| *at <= now);
        if let Some((_, command)) = due {
            let moment = Moment::at(now);
            let actor = Actor::System;
            self.ask(
                CommandRequest { by: None, actor, command, moment, key: None, begins: None },
                now,
                effects,
            );
        }
    }

    /// The earliest time at which a tick may have something to do.
    pub fn wake_at(&self) -> Millis {
        if !self.is_idle() || self.computer_task().is_some() || self.refused.is_some() {
            return Millis::ZERO;
        }
        self.due_commands().map(|(at, _)| at).min().unwrap_or(Millis(u64::MAX))
    }

    /// The commands of the server itself, each with the time from which it is due; the most urgent
    /// first.
    fn due_commands(&self) -> impl Iterator<Item = (Millis, Command)> {
        let over = self.state.game().outcome().map(|_| Millis::ZERO);
        let fallen = || self.state.deadline().map(|(side, at)| at.plus(self.flag_grace(side)));
        let flag = over.or_else(fallen).map(|at| (at, Command::Flag));
        let watched = self.state.start().is_none_or(|start| start.source == Source::Online);
        let people = Color::ALL.into_iter().filter(move |_| watched).filter_map(|side| {
            match (self.state.away_since(side), self.people.gone(side)) {
                (None, Some(since)) if self.people.is_sure() => {
                    Some((since.plus(GRACE), Command::Leave { side }))
                }
                (Some(_), _) if self.is_here(side) => {
                    Some((Millis::ZERO, Command::Return { side }))
                }
                _ => None,
            }
        });
        let playing = self.state.phase() == Phase::Playing;
        flag.into_iter().chain(people).filter(move |_| playing)
    }

    /// Takes the log's answer to [`Effect::Write`].
    pub fn finish_write(
        &mut self,
        answer: Result<Appended, Error>,
        now: Millis,
        effects: &mut Effects,
    ) {
        let pending = std::mem::replace(&mut self.pending, Pending::Nothing);
        let Pending::Write { mut waiting, entries, next } = pending else {
            self.pending = pending;
            return;
        };
        match answer {
            Ok(Appended { seq, once: Once::First }) => {
                self.state = *next;
                for entry in &entries {
                    self.publish(entry, effects);
                }
                tell(&waiting.asked, CommandResult::Done(seq), effects);
                if is_for_refusal(&waiting.asked) {
                    self.refused = None;
                }
                self.give_back_slow_commit(&entries, now);
            }
            Ok(Appended { seq, once: Once::Again }) => {
                tell(&waiting.asked, CommandResult::Done(seq), effects);
                if seq > self.state.seq() {
                    return self.hint(seq, effects);
                }
            }
            Err(Error::Conflict { last_seq }) if waiting.tries < MOST_TRIES => {
                waiting.tries += 1;
                self.hinted = self.hinted.max(last_seq);
                self.reread(Some(waiting), Vec::new(), effects);
                return;
            }
            // The log may have it: to write it again without reading could do it twice.
            Err(Error::Unsure) if waiting.tries < MOST_TRIES => {
                waiting.tries += 1;
                self.reread(Some(waiting), entries, effects);
                return;
            }
            Err(error) => {
                if error == Error::Unsure {
                    self.doubt = entries;
                }
                self.fail(waiting, error, effects);
            }
        }
        self.proceed(now, effects);
    }

    /// Publishes an event that the log has and that is part of the state.
    fn publish(&mut self, entry: &Entry, effects: &mut Effects) {
        if starts_a_clock(&entry.event) {
            self.turn += 1;
            self.refused = None;
        }
        if let Event::Returned { side } = entry.event {
            self.people.forget_absence(side);
        }
        let happened = hansu_view::happened(&self.state, entry);
        effects.notify(Notice::Share(Box::new(happened)));
    }

    /// Publishes an event of another node. Its credit covers the time up to the event.
    fn publish_remote(&mut self, entry: &Entry, effects: &mut Effects) {
        if matches!(entry.event, Event::Credited { .. }) {
            self.refused = self.refused.map(|since| since.max(entry.at));
        }
        self.publish(entry, effects);
    }

    /// The log did not take the command, or cannot say and is read with the next tick. A credit is
    /// tried again with the next tick; a client can send its command again.
    fn fail(&mut self, waiting: Waiting, error: Error, effects: &mut Effects) {
        tell(&waiting.asked, CommandResult::NotDone(CommandError::Failed(error)), effects);
        if waiting.asked.key.as_ref().is_some_and(CommandKey::is_computers) {
            // The next tick asks the computer again.
            self.asked_computer = None;
        }
        if !matches!(error, Error::Conflict { .. } | Error::Spent | Error::TooLong(_)) {
            self.note_log_refusal(waiting.asked.moment.received);
        }
        // A credit for the log's refusal is made anew, since its time has grown.
        if is_credit(&waiting.asked) && !is_for_refusal(&waiting.asked) {
            self.owed.push(Waiting { tries: 0, ..waiting });
        }
    }

    /// Takes the log's answer to [`Effect::Read`].
    pub fn finish_read(
        &mut self,
        answer: Result<Vec<Entry>, Error>,
        now: Millis,
        effects: &mut Effects,
    ) {
        let pending = std::mem::replace(&mut self.pending, Pending::Nothing);
        let Pending::Read { again, doubt, hinted } = pending else {
            self.pending = pending;
            return;
        };
        let known = self.state.seq();
        let answer = match answer {
            // The first append was in doubt, and was not kept.
            Err(Error::NoSuchGame) if known == 0 => Ok(Vec::new()),
            answer => answer,
        };
        let kept = !doubt.is_empty()
            && answer.as_ref().is_ok_and(|entries| {
                let new = entries.iter().filter(|entry| entry.seq > known);
                new.take(doubt.len()).eq(&doubt)
            });
        let mut credited = false;
        let caught_up = answer.and_then(|entries| {
            credited = entries.iter().any(|entry| matches!(entry.event, Event::Credited { .. }));
            for entry in entries.iter().filter(|entry| entry.seq > known) {
                apply(&mut self.state, entry).map_err(|_| Error::Damaged)?;
                self.publish_remote(entry, effects);
            }
            Ok(())
        });
        let passes = |error: &Error| !matches!(error, Error::NoSuchGame | Error::Damaged);
        let failed = caught_up.as_ref().is_err_and(passes);
        let caught_up = match caught_up {
            Err(error) if !doubt.is_empty() => {
                // A game that does not exist cannot have the entries.
                self.doubt = if error == Error::NoSuchGame { Vec::new() } else { doubt };
                Err(Error::Unsure)
            }
            Ok(()) if kept => {
                let seq = known + doubt.len() as u64;
                if let Some(done) = again {
                    tell(&done.asked, CommandResult::Done(seq), effects);
                }
                if seq == self.state.seq() {
                    self.give_back_slow_commit(&doubt, now);
                }
                return self.proceed(now, effects);
            }
            other => other,
        };
        match (caught_up, again) {
            (_, None) => {}
            // Another node was first, with the credit for the same outage.
            (Ok(()), Some(again)) if credited && is_credit(&again.asked) => {
                tell(
                    &again.asked,
                    CommandResult::NotDone(CommandError::Refused(Refusal::Unchanged)),
                    effects,
                );
            }
            // A command of the server itself may no longer be due; the next tick decides.
            (Ok(()), Some(again)) if is_due(&again.asked) => {}
            (Ok(()), Some(again)) => self.waiting.push_front(again),
            (Err(error), Some(again)) => self.fail(again, error, effects),
        }
        self.proceed(now, effects);
        if failed {
            // The next tick reads again: an immediate read would loop.
            self.hinted = self.hinted.max(hinted);
        }
    }

    /// Continues after an answer of the log.
    fn proceed(&mut self, now: Millis, effects: &mut Effects) {
        self.go_on(now, effects);
        self.follow_hint(effects);
        self.ask_computer(effects);
    }

    /// The log is said to have event `seq`: reads the log if it is missing here.
    pub fn hint(&mut self, seq: u64, effects: &mut Effects) {
        self.hinted = self.hinted.max(seq);
        self.follow_hint(effects);
    }

    fn follow_hint(&mut self, effects: &mut Effects) {
        if self.hinted > self.state.seq() && matches!(self.pending, Pending::Nothing) {
            self.reread(None, Vec::new(), effects);
        }
    }

    /// Takes entries that another node has written. Entries that follow the state are applied; any
    /// other is a hint to read the log.
    pub fn receive_entries(&mut self, entries: &[Entry], now: Millis, effects: &mut Effects) {
        let known = self.state.seq();
        for entry in entries.iter().filter(|entry| entry.seq > known) {
            let waits = !matches!(self.pending, Pending::Nothing);
            if waits || apply(&mut self.state, entry).is_err() {
                return self.hint(entries.iter().map(|e| e.seq).max().unwrap_or(known), effects);
            }
            self.publish_remote(entry, effects);
        }
        if self.state.seq() > known {
            self.go_on(now, effects);
        }
    }

    fn reread(&mut self, again: Option<Waiting>, doubt: Vec<Entry>, effects: &mut Effects) {
        // A hint that comes from now on may be newer than what this read returns.
        let hinted = std::mem::take(&mut self.hinted);
        self.pending = Pending::Read { again, doubt, hinted };
        effects.push(Effect::Read { after: self.state.seq() });
    }

    /// Decides the waiting commands in order, until one must be written or read for.
    fn go_on(&mut self, now: Millis, effects: &mut Effects) {
        while matches!(self.pending, Pending::Nothing) {
            let next = self.waiting.iter().position(|waiting| !self.is_early(&waiting.asked, now));
            let Some(waiting) = next.and_then(|place| self.waiting.remove(place)) else { return };
            self.try_one(waiting, now, effects);
        }
    }

    /// Returns true if the command would flag the side to move too early. Its move, received in
    /// time, may still be on its way to the room, or the side is owed time. No command flags it
    /// before the grace is over and the time is credited.
    fn is_early(&self, asked: &CommandRequest, now: Millis) -> bool {
        let Some(ticking) = self.state.ticking() else { return false };
        let zero = ticking.from.map_or(ticking.until, |from| from.plus(ticking.left));
        let graced = now < ticking.until.plus(self.flag_grace(self.state.turn()));
        let owes = !self.owed.is_empty() || self.refused.is_some();
        if asked.moment.received < zero || !graced && !owes {
            return false;
        }
        let events = decide(&self.state, asked.actor, &asked.command, asked.moment);
        events.is_ok_and(|events| is_by_time(events.iter()))
    }

    fn try_one(&mut self, mut waiting: Waiting, now: Millis, effects: &mut Effects) {
        let asked = &waiting.asked;
        // Time lost in one turn is not credited in another.
        if is_credit(asked) && waiting.turn != self.turn {
            return tell(
                asked,
                CommandResult::NotDone(CommandError::Refused(Refusal::Unchanged)),
                effects,
            );
        }
        let Decision { entries, after } = match self.act(asked, now) {
            Ok(acted) => acted,
            // Another node may have made it legal a moment ago: read the log before refusing.
            Err(_) if self.people.has_others() && waiting.tries == 0 && asked.by.is_some() => {
                waiting.tries += 1;
                return self.reread(Some(waiting), Vec::new(), effects);
            }
            Err(refusal) => {
                return tell(
                    asked,
                    CommandResult::NotDone(CommandError::Refused(refusal)),
                    effects,
                );
            }
        };
        let late = is_too_late(&self.state, &asked.command, asked.moment, &entries);
        if late && asked.by.is_some() {
            // The flag is a command of the server. This one is decided after it, and refused.
            let flag = CommandRequest {
                by: None,
                actor: Actor::System,
                command: Command::Flag,
                moment: asked.moment,
                key: None,
                begins: None,
            };
            self.waiting.push_front(waiting);
            waiting = Waiting { asked: flag, tries: 0, turn: self.turn };
        }
        let asked = &waiting.asked;
        match self.prepare(asked, &entries, &after, now) {
            Ok(append) => {
                self.pending = Pending::Write { waiting, entries, next: Box::new(after) };
                effects.push(Effect::Write(Box::new(append)));
            }
            Err(error) => tell(asked, CommandResult::NotDone(CommandError::Failed(error)), effects),
        }
    }

    fn act(&self, asked: &CommandRequest, now: Millis) -> Result<Decision, Refusal> {
        act(&self.state, asked.actor, &asked.command, asked.moment, now)
    }

    fn prepare(
        &self,
        asked: &CommandRequest,
        entries: &[Entry],
        after: &State,
        now: Millis,
    ) -> Result<Append, Error> {
        let mut append = self.append(self.game, entries, after)?;
        append.command_key = asked.key.as_ref().map(ToString::to_string);
        if matches!(asked.command, Command::Start(_)) {
            append.begins.clone_from(&asked.begins);
        }
        if let Some(id) = after.next_game().filter(|_| self.state.next_game().is_none()) {
            let mut next = self.rematch(id, after, now)?;
            next.begins.clone_from(&asked.begins);
            append.next = Some(Box::new(next));
        }
        Ok(append)
    }

    /// The first append of the rematch.
    fn rematch(&self, id: &str, after: &State, now: Millis) -> Result<Append, Error> {
        let id = id.parse().map_err(|_| Error::Damaged)?;
        let start = after.start().zip(after.ending());
        let start = start.map(|(start, ending)| start.rematch(self.game.as_str(), ending));
        let begin = Command::Start(start.ok_or(Error::Damaged)?);
        // A start that was valid is still valid with the colours swapped.
        let begun = act(&State::default(), Actor::System, &begin, Moment::at(now), now);
        let Decision { entries, after } = begun.map_err(|_| Error::Damaged)?;
        self.append(id, &entries, &after)
    }

    fn append(&self, game: GameId, entries: &[Entry], after: &State) -> Result<Append, Error> {
        Ok(Append {
            game,
            expected: entries.first().map_or(0, |entry| entry.seq),
            command_key: None,
            events: entries.iter().map(to_event).collect::<Result<_, _>>()?,
            row: row(entries, after, self.visibility),
            begins: None,
            next: None,
        })
    }
}

/// Returns true for a command that the server itself gave because it was due.
fn is_due(asked: &CommandRequest) -> bool {
    let due =
        matches!(asked.command, Command::Flag | Command::Leave { .. } | Command::Return { .. });
    due && asked.by.is_none()
}

fn tell(asked: &CommandRequest, result: CommandResult, effects: &mut Effects) {
    if let Some(to) = asked.by {
        effects.notify(Notice::Tell { to, key: asked.key.clone(), result });
    }
}

mod credits;
mod people;
#[cfg(test)]
mod tests;
mod thinking;
