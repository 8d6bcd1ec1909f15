//! What is said at a table, and to whom.

use super::*;
use crate::effects::failure;

impl Inner {
    /// Who sits where in the next game: colours change over.
    pub(super) fn rematch(&self) -> Begins {
        let seats = self.seats.iter().map(|seat| {
            let side = match seat.side {
                Side::White => Side::Black,
                Side::Black => Side::White,
                side @ (Side::Both | Side::Importer) => side,
            };
            Seat { side, holder: seat.holder }
        });
        Begins { seats: seats.collect(), uses: None }
    }

    /// The game as it stands, without its moves.
    fn standing(&self) -> wire::Snapshot {
        let state = self.room.state();
        let shown = visibility(self.room.visibility());
        match (state.start(), &self.wanted) {
            (Some(start), _) => {
                let said = self.said.iter().cloned().collect();
                view::snapshot(state, start, said, shown)
            }
            (None, Some(wanted)) => view::waiting(wanted.clone(), shown),
            (None, None) => view::waiting(Start::between("", ""), shown),
        }
    }

    pub(super) fn snapshot(&self) -> wire::Snapshot {
        let plies = view::plies(self.room.state(), 0).collect();
        wire::Snapshot { plies, ..self.standing() }
    }

    /// Sends what is missing after an event: the events themselves, or everything.
    pub(super) fn catch_up(&mut self, seq: u64, outbox: &Outbox) {
        let last = self.room.state().seq();
        let oldest = self.recent.front().map_or(last + 1, |(seq, _)| *seq);
        // Nothing to send is also an answer: the welcome said which event is the last.
        if seq > 0 && seq <= last && seq + 1 >= oldest {
            for (_, event) in self.recent.iter().filter(|(number, _)| *number > seq) {
                outbox(event);
            }
        } else {
            let standing = self.standing();
            outbox(&self.plies.snapshot(standing, self.room.state()));
        }
    }

    pub(super) fn turn(&self) -> Option<Text> {
        view::turn(self.room.state()).map(|turn| text(&turn))
    }

    /// Tells where to go, to whoever is to move.
    pub(super) fn show_turn(&self, actor: Actor, outbox: &Outbox) {
        if view::is_to_move(actor, self.room.state())
            && let Some(turn) = self.turn()
        {
            outbox(&turn);
        }
    }

    pub(super) fn wakes(&self) -> Millis {
        if self.untold().is_some() {
            return Millis::ZERO;
        }
        let wakes = self.room.wakes();
        self.to_show().map_or(wakes, |due| due.min(wakes))
    }

    pub(super) fn presence(&self) -> Presence {
        (self.room.is_there(Color::White), self.room.is_there(Color::Black), self.room.watching())
    }

    /// Who is connected here, when the other nodes were told otherwise.
    fn untold(&self) -> Option<Here> {
        let here = self.room.here();
        (self.room.sight() != Sight::Alone && here != self.told).then_some(here)
    }

    /// Tells the other nodes who is connected here when that has changed.
    pub(super) fn tell_others(&mut self) -> Option<Here> {
        let here = self.untold()?;
        self.told = here;
        Some(here)
    }

    /// When everybody is to be told who is there; nothing when they know.
    fn to_show(&self) -> Option<Millis> {
        let now @ (white, black, _) = self.presence();
        let Shown { presence, players, at } = self.shown;
        let due = if players == (white, black) { at.plus(CROWD) } else { Millis::ZERO };
        (presence != Some(now)).then_some(due)
    }

    /// Says who is there when that has changed. Called with every tick and not with every arrival:
    /// a thousand spectators who come at once are one message each and not a thousand.
    pub(super) fn show_presence(&mut self, now: Millis) {
        if self.to_show().is_some_and(|due| due <= now) {
            self.shown.at = now;
            self.say_presence();
        }
    }

    fn say_presence(&mut self) {
        let now @ (white, black, _) = self.presence();
        self.shown.presence = Some(now);
        self.shown.players = (white, black);
        self.share(&text(&presence(now)));
    }

    /// To everybody. Who does not take it is dropped: the connection closes, and whoever it is
    /// comes back and asks for what is missing.
    pub(super) fn share(&mut self, message: &Text) {
        self.listeners.retain(|listener| (listener.outbox)(message));
    }

    /// Tells the people what the room has to say; the rest is left to the holder of the game.
    pub(super) fn perform(&mut self, mut effects: Effects) -> Effects {
        let mut moved = false;
        for notice in effects.take_notices() {
            match notice {
                Notice::Share(happened) => {
                    // A client that came during an adjournment was not told where to go.
                    moved |= happened.board.is_some() || happened.entry.event == Event::Resumed;
                    self.happened(*happened, &mut effects);
                }
                Notice::Tell { to, key, told } => self.told(to, key, told, &mut effects),
            }
        }
        if moved {
            self.show_turns();
            effects.push(Effect::Changed);
        }
        effects
    }

    /// The targets go only to whoever is to move: others need none.
    pub(super) fn show_turns(&mut self) {
        let state = self.room.state();
        let seated = |listener: &Listener| view::is_to_move(listener.actor, state);
        if self.listeners.iter().any(seated)
            && let Some(turn) = self.turn()
        {
            self.listeners.retain(|listener| !seated(listener) || (listener.outbox)(&turn));
        }
    }

    pub(super) fn happened(&mut self, happened: wire::Happened, effects: &mut Effects) {
        let seq = happened.entry.seq;
        self.plies.heed(&happened.entry);
        match &happened.entry.event {
            Event::Chatted { .. } => {
                let start = self.room.state().start();
                if let Some(said) = start.and_then(|start| view::said(&happened.entry, start)) {
                    self.said.push_back(said);
                    if self.said.len() > MOST_SAID {
                        self.said.pop_front();
                    }
                }
            }
            Event::Ended { .. } => effects.push(Effect::Changed),
            _ => {}
        }
        let message = text(&ServerMessage::Event(Box::new(happened)));
        self.recent.push_back((seq, message.clone()));
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        self.share(&message);
        if self.to_show().is_some() {
            // It goes along, and costs nobody a packet of its own.
            self.say_presence();
        }
    }

    /// The answer for a command that is not done.
    pub(super) fn not_done(&self, why: NotDone, lang: Lang) -> Answer {
        let state = self.room.state();
        let refusal = match why {
            NotDone::Refused(why) => view::refusal(why, state, lang),
            NotDone::Failed(error) => failure(error, lang),
        };
        Answer::Refused { seq: state.seq(), why, refusal }
    }

    fn told(&mut self, to: Asker, key: Option<CommandKey>, told: Told, effects: &mut Effects) {
        let answer = match told {
            Told::Done(seq) => Answer::Done { seq },
            Told::Not(why) => self.not_done(why, to.lang),
        };
        match (told, key) {
            (Told::Not(NotDone::Refused(_)), Some(key)) => {
                effects.push(Effect::LookUp { to, key, refused: answer });
            }
            (_, key) => self.answer(to, key.as_ref(), answer, effects),
        }
    }

    pub(super) fn answer(
        &mut self,
        to: Asker,
        key: Option<&CommandKey>,
        answer: Answer,
        effects: &mut Effects,
    ) {
        let asker = self.listeners.iter().position(|listener| listener.id == to.id);
        if let Some(place) = asker {
            let message = answer.message(key.map_or("", CommandKey::id));
            if !(self.listeners[place].outbox)(&message) {
                self.listeners.remove(place);
            }
        }
        effects.push(Effect::Answered { to, answer });
    }
}
