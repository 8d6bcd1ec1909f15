//! Time that a player could not use and gets back as a credit.

use hansu_play::{Actor, Command, Entry, Event, Millis, Moment, Phase, State};

use super::{CommandRequest, Pending, Room, Waiting};
use crate::CommandKey;

/// The time of a commit that takes this long or longer is credited to the clock that started with
/// it; less is within what lag compensation forgives.
const SLOW_COMMIT: Millis = Millis(500);

/// The time in which no server ran: from its last sign of life until it was started again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    from: Millis,
    until: Millis,
}

impl Outage {
    /// The outage that ends now; `None` without an earlier sign of life.
    pub fn between(last: Option<Millis>, now: Millis) -> Option<Outage> {
        last.filter(|&last| last < now).map(|from| Outage { from, until: now })
    }

    /// The credit of this outage for a game; `None` if the game was not under way in it.
    pub fn credit(self, state: &State, now: Millis) -> Option<CommandRequest> {
        if state.phase() != Phase::Playing || state.at() >= self.until {
            return None;
        }
        let time = self.until.minus(self.from.max(state.at()));
        (time > Millis::ZERO).then(|| CommandRequest {
            by: None,
            actor: Actor::System,
            command: Command::Credit { time },
            moment: Moment::at(now),
            // Done once for this outage, also if several nodes load the game, or one loads it twice.
            key: Some(CommandKey::outage(self.until)),
            begins: None,
        })
    }
}

impl Room {
    /// The log has refused all writes since this time: the side to move could not move.
    pub fn note_log_refusal(&mut self, since: Millis) {
        if self.state.ticking().is_some() {
            self.refused.get_or_insert(since.max(self.state.at()));
        }
    }

    /// Puts the owed credits before all other commands.
    pub(super) fn give_back(&mut self, now: Millis) {
        self.give_back_refused(now);
        for owed in self.owed.drain(..) {
            self.waiting.push_front(owed);
        }
    }

    /// Credits the time in which the log refused all writes.
    pub(super) fn give_back_refused(&mut self, now: Millis) {
        let Some(since) = self.refused else { return };
        if !matches!(self.pending, Pending::Nothing) {
            return;
        }
        let time = now.minus(since);
        if time < SLOW_COMMIT && self.waiting.is_empty() || self.state.ticking().is_none() {
            return;
        }
        let asked = CommandRequest {
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

    /// Credits a slow commit to a clock that started with it. A clock that was running before has
    /// lost nothing: its player could see the board all the time.
    pub(super) fn give_back_slow_commit(&mut self, entries: &[Entry], now: Millis) {
        let late = now.minus(self.state.at());
        let started = entries.iter().any(|entry| starts_a_clock(&entry.event));
        if late >= SLOW_COMMIT && started && self.state.ticking().is_some() {
            let asked = CommandRequest {
                by: None,
                actor: Actor::System,
                command: Command::Credit { time: late },
                moment: Moment::at(now),
                // Done once for this commit, however often it is tried.
                key: Some(CommandKey::slow_commit(self.state.seq())),
                begins: None,
            };
            self.waiting.push_front(Waiting { asked, tries: 0, turn: self.turn });
        }
    }
}

/// Returns true for the credit of the time in which the log refused all writes.
pub(super) fn is_for_refusal(asked: &CommandRequest) -> bool {
    asked.key.as_ref().is_some_and(CommandKey::is_for_refusal)
}

pub(super) fn is_credit(asked: &CommandRequest) -> bool {
    matches!(asked.command, Command::Credit { .. })
}

/// Returns true if the clock of the side to move starts with this event.
pub(super) fn starts_a_clock(event: &Event) -> bool {
    matches!(
        event,
        Event::Started(_) | Event::Moved { .. } | Event::TakenBack { .. } | Event::Resumed
    )
}
