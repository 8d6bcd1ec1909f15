//! One game on this node: commands in, what is to be done out.
//!
//! Pure, so that a simulation can drive it through every misfortune: no sockets, no store, no
//! clock of its own. The rule it keeps: nothing is told to anybody before the log has it, and the
//! log, not the room, says what has happened. One append is under way at a time; what comes
//! meanwhile waits in the order in which it came.

use std::collections::VecDeque;

use hansu_chess::Color;
use hansu_journal::{row, written};
use hansu_play::{
    Acted, Actor, Command, Entry, Event, Millis, Moment, Phase, Refusal, Source, State, act, apply,
    decide,
};
use hansu_records::{Append, Appended, Begins, Error, GameId, Once, Visibility};
use hansu_view::{is_by_time, is_too_late};

pub use self::credits::Outage;
use self::credits::{is_credit, is_for_refusal, starts_a_clock};
use self::people::People;
pub use self::people::{Here, Sight};
use crate::{Asker, CommandKey, Effect, Effects, NotDone, Notice, Told};

/// Commands that may wait for one game; the next is answered "busy".
pub const MOST_WAITING: usize = 64;
/// How often a command is decided anew because somebody else was first.
const MOST_TRIES: u8 = 4;
/// A player who is gone for so long has left.
pub const GRACE: Millis = Millis::seconds(8);
/// A flag falls this much later than its moment, so that a move that was received in time and is
/// still on its way through the server comes first.
pub const FLAG_GRACE: Millis = Millis(50);
/// The same when whoever is to move sits at another node, or may: that node flags in time, and this
/// one only when it does not.
pub const FAR_GRACE: Millis = Millis::seconds(1);

/// A command and whom to answer.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Whom to answer; none when the server itself asks.
    pub by: Option<Asker>,
    /// As whom.
    pub actor: Actor,
    /// What.
    pub command: Command,
    /// When it was received.
    pub moment: Moment,
    /// The key under which the log keeps it.
    pub key: Option<CommandKey>,
    /// Who sits down in the game that this may begin: itself, or a rematch.
    pub begins: Option<Begins>,
}

/// A command on its way.
#[derive(Debug)]
struct Waiting {
    asked: Asked,
    /// How often it was decided in vain.
    tries: u8,
    /// The turn in which it was asked.
    turn: u64,
}

/// What the room waits for.
#[derive(Debug)]
enum Pending {
    Nothing,
    /// The log, to write.
    Written {
        waiting: Waiting,
        entries: Vec<Entry>,
        next: Box<State>,
    },
    /// The log, to read; then the command is decided anew, unless the log turns out to have it.
    Read {
        again: Option<Waiting>,
        /// What was given to a log that does not know whether it kept it.
        doubt: Vec<Entry>,
        /// What had been hinted at by then.
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
    /// Time that shall be given back and that the log did not take yet.
    owed: Vec<Waiting>,
    /// Since when the log takes nothing, as far as the running turn goes: no flag falls before that
    /// time is given back.
    refused: Option<Millis>,
    /// What the log may have kept: it could not say, and could not be read since.
    doubt: Vec<Entry>,
    /// Counts the turns that began here.
    turn: u64,
    people: People,
    /// The last event of which somebody has said that the log has it.
    hinted: u64,
    /// The event after which the computer was asked to do something.
    asked_computer: Option<u64>,
}

impl Room {
    /// A game as the log has it.
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

    /// The game as far as it is known here.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Who may watch.
    pub fn visibility(&self) -> Visibility {
        self.visibility
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        let asked = self.waiting.is_empty() && self.owed.is_empty();
        let known = self.doubt.is_empty() && self.hinted <= self.state.seq();
        matches!(self.pending, Pending::Nothing) && asked && known
    }

    /// Whether there is time to be given back that the log does not have yet.
    pub fn owes(&self) -> bool {
        let pending = match &self.pending {
            Pending::Nothing => None,
            Pending::Written { waiting, .. } => Some(waiting),
            Pending::Read { again, .. } => again.as_ref(),
        };
        let mut all = pending.into_iter().chain(&self.waiting).chain(&self.owed);
        all.any(|waiting| is_credit(&waiting.asked))
    }

    /// What was asked and is not decided yet, or has to be decided anew.
    pub fn undecided(&self) -> impl Iterator<Item = &Asked> {
        let again = match &self.pending {
            Pending::Read { again, .. } => again.as_ref(),
            Pending::Nothing | Pending::Written { .. } => None,
        };
        again.into_iter().chain(&self.waiting).map(|waiting| &waiting.asked)
    }

    /// Somebody wants something.
    pub fn ask(&mut self, asked: Asked, now: Millis, effects: &mut Effects) {
        if self.waiting.len() >= MOST_WAITING {
            tell(&asked, Told::Not(NotDone::Failed(Error::Busy)), effects);
            return;
        }
        let turn = self.turn;
        self.waiting.push_back(Waiting { asked, tries: 0, turn });
        self.give_back(now);
        self.go_on(now, effects);
        self.ask_computer(effects);
    }

    /// What the server itself has to do about the game at this moment: flags, ends that the rules
    /// demand, players who left or came back.
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
        let due = self.dues().find(|(at, _)| *at <= now);
        if let Some((_, command)) = due {
            let moment = Moment::at(now);
            let actor = Actor::System;
            self.ask(
                Asked { by: None, actor, command, moment, key: None, begins: None },
                now,
                effects,
            );
        }
    }

    /// From when on a tick may have something to do.
    pub fn wakes(&self) -> Millis {
        if !self.is_idle() || self.thought().is_some() || self.refused.is_some() {
            return Millis::ZERO;
        }
        self.dues().map(|(at, _)| at).min().unwrap_or(Millis(u64::MAX))
    }

    /// What the server has to do about the game, and from when on; what is more urgent first.
    fn dues(&self) -> impl Iterator<Item = (Millis, Command)> {
        let over = self.state.game().outcome().map(|_| Millis::ZERO);
        let fallen = || self.state.deadline().map(|(side, at)| at.plus(self.flag_grace(side)));
        let flag = over.or_else(fallen).map(|at| (at, Command::Flag));
        let watched = self.state.start().is_none_or(|start| start.source == Source::Online);
        let people = Color::ALL.into_iter().filter(move |_| watched).filter_map(|side| {
            match (self.state.left(side), self.people.gone(side)) {
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

    /// The log has answered.
    pub fn wrote(&mut self, answer: Result<Appended, Error>, now: Millis, effects: &mut Effects) {
        let pending = std::mem::replace(&mut self.pending, Pending::Nothing);
        let Pending::Written { mut waiting, entries, next } = pending else {
            self.pending = pending;
            return;
        };
        match answer {
            Ok(Appended { seq, once: Once::First }) => {
                self.state = *next;
                for entry in &entries {
                    self.happened(entry, effects);
                }
                tell(&waiting.asked, Told::Done(seq), effects);
                if is_for_refusal(&waiting.asked) {
                    self.refused = None;
                }
                self.give_back_slow_commit(&entries, now);
            }
            Ok(Appended { seq, once: Once::Again }) => {
                tell(&waiting.asked, Told::Done(seq), effects);
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
            // It may stand in the log: whoever tried again without looking would do it twice.
            Err(Error::Unsure) if waiting.tries < MOST_TRIES => {
                waiting.tries += 1;
                self.reread(Some(waiting), entries, effects);
                return;
            }
            Err(error) => {
                if error == Error::Unsure {
                    self.doubt = entries;
                }
                self.failed(waiting, error, effects);
            }
        }
        self.proceed(now, effects);
    }

    /// An event that the log has and that is part of the state now.
    fn happened(&mut self, entry: &Entry, effects: &mut Effects) {
        if starts_a_clock(&entry.event) {
            self.turn += 1;
            self.refused = None;
        }
        if let Event::Returned { side } = entry.event {
            self.people.returned(side);
        }
        let happened = hansu_view::happened(&self.state, entry);
        effects.notify(Notice::Share(Box::new(happened)));
    }

    /// An event of another node. Time that it has given back is given back until then.
    fn happened_elsewhere(&mut self, entry: &Entry, effects: &mut Effects) {
        if matches!(entry.event, Event::Credited { .. }) {
            self.refused = self.refused.map(|since| since.max(entry.at));
        }
        self.happened(entry, effects);
    }

    /// The log did not take it, and nothing has happened, or it cannot say, and is read with the
    /// next tick. A credit is tried again with the next tick; everybody else can ask again.
    fn failed(&mut self, waiting: Waiting, error: Error, effects: &mut Effects) {
        tell(&waiting.asked, Told::Not(NotDone::Failed(error)), effects);
        if waiting.asked.key.as_ref().is_some_and(CommandKey::is_computers) {
            // It is asked again with the next tick.
            self.asked_computer = None;
        }
        if !matches!(error, Error::Conflict { .. } | Error::Spent | Error::TooLong(_)) {
            self.refuses(waiting.asked.moment.received);
        }
        // Such a credit is made anew: the time has grown.
        if is_credit(&waiting.asked) && !is_for_refusal(&waiting.asked) {
            self.owed.push(Waiting { tries: 0, ..waiting });
        }
    }

    /// What the log had after the last event that was known here.
    pub fn read(&mut self, answer: Result<Vec<Entry>, Error>, now: Millis, effects: &mut Effects) {
        let pending = std::mem::replace(&mut self.pending, Pending::Nothing);
        let Pending::Read { again, doubt, hinted } = pending else {
            self.pending = pending;
            return;
        };
        let known = self.state.seq();
        let answer = match answer {
            // Its beginning was in doubt, and was not kept.
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
                self.happened_elsewhere(entry, effects);
            }
            Ok(())
        });
        let passes = |error: &Error| !matches!(error, Error::NoSuchGame | Error::Damaged);
        let failed = caught_up.as_ref().is_err_and(passes);
        let caught_up = match caught_up {
            Err(error) if !doubt.is_empty() => {
                // A game that is gone is nobody's to wait for.
                self.doubt = if error == Error::NoSuchGame { Vec::new() } else { doubt };
                Err(Error::Unsure)
            }
            Ok(()) if kept => {
                let seq = known + doubt.len() as u64;
                if let Some(done) = again {
                    tell(&done.asked, Told::Done(seq), effects);
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
            // Another node was first, and gave the time back for the same outage.
            (Ok(()), Some(again)) if credited && is_credit(&again.asked) => {
                tell(&again.asked, Told::Not(NotDone::Refused(Refusal::Unchanged)), effects);
            }
            // What the server does by itself may be due no longer; the next tick knows.
            (Ok(()), Some(again)) if is_due(&again.asked) => {}
            (Ok(()), Some(again)) => self.waiting.push_front(again),
            (Err(error), Some(again)) => self.failed(again, error, effects),
        }
        self.proceed(now, effects);
        if failed {
            // The next tick asks again: at once would be again and again.
            self.hinted = self.hinted.max(hinted);
        }
    }

    /// Goes on with whatever there is to do after an answer of the log.
    fn proceed(&mut self, now: Millis, effects: &mut Effects) {
        self.go_on(now, effects);
        self.follow_hint(effects);
        self.ask_computer(effects);
    }

    /// Somebody has heard that the log knows more.
    pub fn hint(&mut self, seq: u64, effects: &mut Effects) {
        self.hinted = self.hinted.max(seq);
        self.follow_hint(effects);
    }

    fn follow_hint(&mut self, effects: &mut Effects) {
        if self.hinted > self.state.seq() && matches!(self.pending, Pending::Nothing) {
            self.reread(None, Vec::new(), effects);
        }
    }

    /// Another node has told what it has written. What follows on what is known here is taken as
    /// told; anything else is a hint to read the log.
    pub fn heard(&mut self, entries: &[Entry], now: Millis, effects: &mut Effects) {
        let known = self.state.seq();
        for entry in entries.iter().filter(|entry| entry.seq > known) {
            let waits = !matches!(self.pending, Pending::Nothing);
            if waits || apply(&mut self.state, entry).is_err() {
                return self.hint(entries.iter().map(|e| e.seq).max().unwrap_or(known), effects);
            }
            self.happened_elsewhere(entry, effects);
        }
        if self.state.seq() > known {
            self.go_on(now, effects);
        }
    }

    fn reread(&mut self, again: Option<Waiting>, doubt: Vec<Entry>, effects: &mut Effects) {
        // What is heard from here on may be later than what will be read.
        let hinted = std::mem::take(&mut self.hinted);
        self.pending = Pending::Read { again, doubt, hinted };
        effects.push(Effect::Read { after: self.state.seq() });
    }

    /// Decides what waits until something has to be written.
    fn go_on(&mut self, now: Millis, effects: &mut Effects) {
        while matches!(self.pending, Pending::Nothing) {
            let next = self.waiting.iter().position(|waiting| !self.is_early(&waiting.asked, now));
            let Some(waiting) = next.and_then(|place| self.waiting.remove(place)) else { return };
            self.try_one(waiting, now, effects);
        }
    }

    /// Whether a command would flag somebody whose move, received in time, may still be on its way
    /// to the room, or who is owed time: until the grace is over and the time is given back no flag
    /// falls, whoever asks for whatever.
    fn is_early(&self, asked: &Asked, now: Millis) -> bool {
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
        // What was lost in one turn is not given back in another.
        if is_credit(asked) && waiting.turn != self.turn {
            return tell(asked, Told::Not(NotDone::Refused(Refusal::Unchanged)), effects);
        }
        let Acted { entries, after } = match self.act(asked, now) {
            Ok(acted) => acted,
            // Somebody may have made it legal elsewhere, a moment ago: nobody is refused on the
            // word of a node that has not asked the log.
            Err(_) if self.people.has_others() && waiting.tries == 0 && asked.by.is_some() => {
                waiting.tries += 1;
                return self.reread(Some(waiting), Vec::new(), effects);
            }
            Err(refusal) => return tell(asked, Told::Not(NotDone::Refused(refusal)), effects),
        };
        let late = is_too_late(&self.state, &asked.command, asked.moment, &entries);
        if late && asked.by.is_some() {
            // The flag is the server's to write. The command is decided again after it, and refused.
            let flag = Asked {
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
                self.pending = Pending::Written { waiting, entries, next: Box::new(after) };
                effects.push(Effect::Write(Box::new(append)));
            }
            Err(error) => tell(asked, Told::Not(NotDone::Failed(error)), effects),
        }
    }

    fn act(&self, asked: &Asked, now: Millis) -> Result<Acted, Refusal> {
        act(&self.state, asked.actor, &asked.command, asked.moment, now)
    }

    fn prepare(
        &self,
        asked: &Asked,
        entries: &[Entry],
        after: &State,
        now: Millis,
    ) -> Result<Append, Error> {
        let mut append = self.append(self.game, entries, after)?;
        append.client = asked.key.as_ref().map(ToString::to_string);
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

    /// The beginning of the next game of a series.
    fn rematch(&self, id: &str, after: &State, now: Millis) -> Result<Append, Error> {
        let id = id.parse().map_err(|_| Error::Damaged)?;
        let start = after.start().zip(after.ending());
        let start = start.map(|(start, ending)| start.rematch(self.game.as_str(), ending));
        let begin = Command::Start(start.ok_or(Error::Damaged)?);
        // What was a game is one with colours changed over.
        let begun = act(&State::default(), Actor::System, &begin, Moment::at(now), now);
        let Acted { entries, after } = begun.map_err(|_| Error::Damaged)?;
        self.append(id, &entries, &after)
    }

    fn append(&self, game: GameId, entries: &[Entry], after: &State) -> Result<Append, Error> {
        Ok(Append {
            game,
            expected: entries.first().map_or(0, |entry| entry.seq),
            client: None,
            events: entries.iter().map(written).collect::<Result<_, _>>()?,
            row: row(entries, after, self.visibility),
            begins: None,
            next: None,
        })
    }
}

/// Whether the server does it by itself when it is time, asked by nobody.
fn is_due(asked: &Asked) -> bool {
    let due =
        matches!(asked.command, Command::Flag | Command::Leave { .. } | Command::Return { .. });
    due && asked.by.is_none()
}

fn tell(asked: &Asked, told: Told, effects: &mut Effects) {
    if let Some(to) = asked.by {
        effects.notify(Notice::Tell { to, key: asked.key.clone(), told });
    }
}

mod credits;
mod people;
#[cfg(test)]
mod tests;
mod thinking;
