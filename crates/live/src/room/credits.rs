//! Time that a player could not use, and how it is given back.

use hansu_play::{Actor, Command, Entry, Event, Millis, Moment, Phase, State};

use super::{Asked, Pending, Room, Waiting};
use crate::CommandKey;

/// A commit that takes longer than this is given back to the clock that ran meanwhile; less is
/// within what lag compensation forgives.
const SLOW_COMMIT: Millis = Millis(500);

/// When the server was last alive before it was started, and when it was started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    from: Millis,
    until: Millis,
}

impl Outage {
    /// The outage that ends now, if there was a sign of life before.
    pub fn between(last: Option<Millis>, now: Millis) -> Option<Outage> {
        last.filter(|&last| last < now).map(|from| Outage { from, until: now })
    }

    /// What gives the time that the server was away back to a game that was under way.
    pub fn credit(self, state: &State, now: Millis) -> Option<Asked> {
        if state.phase() != Phase::Playing || state.at() >= self.until {
            return None;
        }
        let time = self.until.minus(self.from.max(state.at()));
        (time > Millis::ZERO).then(|| Asked {
            by: None,
            actor: Actor::System,
            command: Command::Credit { time },
            moment: Moment::at(now),
            // Once for this outage, also when several nodes set the table, or one does so twice.
            key: Some(CommandKey::outage(self.until)),
            begins: None,
        })
    }
}

impl Room {
    /// The log has taken nothing since that moment: the side to move could not have moved.
    pub fn refuses(&mut self, since: Millis) {
        if self.state.ticking().is_some() {
            self.refused.get_or_insert(since.max(self.state.at()));
        }
    }

    /// Before anything else is decided, the time that is owed is given back.
    pub(super) fn give_back(&mut self, now: Millis) {
        self.give_back_refused(now);
        for owed in self.owed.drain(..) {
            self.waiting.push_front(owed);
        }
    }

    /// The time in which the log took nothing.
    pub(super) fn give_back_refused(&mut self, now: Millis) {
        let Some(since) = self.refused else { return };
        if !matches!(self.pending, Pending::Nothing) {
            return;
        }
        let time = now.minus(since);
        if time < SLOW_COMMIT && self.waiting.is_empty() || self.state.ticking().is_none() {
            return;
        }
        let asked = Asked {
            by: None,
            actor: Actor::System,
            command: Command::Credit { time },
            moment: Moment::at(now),
            key: Some(CommandKey::refused(since)),
            begins: None,
        };
        self.waiting.retain(|waiting| !is_for_refusal(&waiting.asked));
        self.waiting.push_front(Waiting { asked, tries: 0, turn: self.turn });
    }

    /// A clock that started while the disk was slow gets its time back. One that was running has
    /// lost nothing: its board could be seen all the while.
    pub(super) fn give_back_slow_commit(&mut self, entries: &[Entry], now: Millis) {
        let late = now.minus(self.state.at());
        let started = entries.iter().any(|entry| starts_a_clock(&entry.event));
        if late >= SLOW_COMMIT && started && self.state.ticking().is_some() {
            let asked = Asked {
                by: None,
                actor: Actor::System,
                command: Command::Credit { time: late },
                moment: Moment::at(now),
                // Once for this commit, however often it is tried.
                key: Some(CommandKey::slow_commit(self.state.seq())),
                begins: None,
            };
            self.waiting.push_front(Waiting { asked, tries: 0, turn: self.turn });
        }
    }
}

/// Whether it gives the time back in which the log took nothing.
pub(super) fn is_for_refusal(asked: &Asked) -> bool {
    asked.key.as_ref().is_some_and(CommandKey::is_for_refusal)
}

pub(super) fn is_credit(asked: &Asked) -> bool {
    matches!(asked.command, Command::Credit { .. })
}

/// Whether the clock of the side to move starts with an event.
pub(super) fn starts_a_clock(event: &Event) -> bool {
    matches!(
        event,
        Event::Started(_) | Event::Moved { .. } | Event::TakenBack { .. } | Event::Resumed
    )
}
