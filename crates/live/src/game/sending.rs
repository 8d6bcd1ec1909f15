//! What a live game sends to its connections.

use super::*;
use crate::effects::failure;

impl Inner {
    /// The seats of the rematch: the colours are swapped.
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

    /// A snapshot of the game without its moves.
    fn snapshot_without_moves(&self) -> wire::Snapshot {
        let state = self.room.state();
        let shown = visibility(self.room.visibility());
        match (state.start(), &self.wanted) {
            (Some(start), _) => {
                let chat = self.chat.iter().cloned().collect();
                view::snapshot(state, start, chat, shown)
            }
            (None, Some(wanted)) => view::waiting(wanted.clone(), shown),
            (None, None) => view::waiting(Start::between("", ""), shown),
        }
    }

    pub(super) fn snapshot(&self) -> wire::Snapshot {
        let plies = view::plies(self.room.state(), 0).collect();
        wire::Snapshot { plies, ..self.snapshot_without_moves() }
    }

    /// Sends what came after event `seq`: those events, or a snapshot.
    pub(super) fn catch_up(&mut self, seq: u64, outbox: &Outbox) {
        let last = self.room.state().seq();
        let oldest = self.recent.front().map_or(last + 1, |(seq, _)| *seq);
        // If nothing is missing, nothing is sent: the welcome has the number of the last event.
        if seq > 0 && seq <= last && seq + 1 >= oldest {
            for (_, event) in self.recent.iter().filter(|(number, _)| *number > seq) {
                outbox(event);
            }
        } else {
            let standing = self.snapshot_without_moves();
            outbox(&self.plies.snapshot(standing, self.room.state()));
        }
    }

    pub(super) fn turn(&self) -> Option<Text> {
        view::turn(self.room.state()).map(|turn| text(&turn))
    }

    /// Sends the legal moves, if this client is to move.
    pub(super) fn send_turn(&self, actor: Actor, outbox: &Outbox) {
        if view::is_to_move(actor, self.room.state())
            && let Some(turn) = self.turn()
        {
            outbox(&turn);
        }
    }

    pub(super) fn wake_at(&self) -> Millis {
        if self.unsent_connections().is_some() {
            return Millis::ZERO;
        }
        let wake_at = self.room.wake_at();
        self.presence_due().map_or(wake_at, |due| due.min(wake_at))
    }

    pub(super) fn presence(&self) -> Presence {
        (self.room.is_there(Color::White), self.room.is_there(Color::Black), self.room.watching())
    }

    /// The connections of this node, if the other nodes do not have them yet.
    fn unsent_connections(&self) -> Option<Connections> {
        let here = self.room.connections();
        (self.room.sight() != Sight::Alone && here != self.sent_connections).then_some(here)
    }

    /// The connections to send to the other nodes now; `None` if they are unchanged.
    pub(super) fn take_unsent_connections(&mut self) -> Option<Connections> {
        let here = self.unsent_connections()?;
        self.sent_connections = here;
        Some(here)
    }

    /// When a presence message is due; `None` if all connections have the present one.
    fn presence_due(&self) -> Option<Millis> {
        let now @ (white, black, _) = self.presence();
        let SentPresence { presence, players, at } = self.sent_presence;
        let due = if players == (white, black) { at.plus(PRESENCE_DELAY) } else { Millis::ZERO };
        (presence != Some(now)).then_some(due)
    }

    /// Sends a presence message if one is due. Called with every tick and not with every arrival:
    /// when a thousand spectators join at once, each gets one message and not a thousand.
    pub(super) fn send_due_presence(&mut self, now: Millis) {
        if self.presence_due().is_some_and(|due| due <= now) {
            self.sent_presence.at = now;
            self.send_presence();
        }
    }

    fn send_presence(&mut self) {
        let now @ (white, black, _) = self.presence();
        self.sent_presence.presence = Some(now);
        self.sent_presence.players = (white, black);
        self.share(&text(&presence(now)));
    }

    /// Sends a message to every connection. One that cannot take it is closed; the client reconnects
    /// and asks for what is missing.
    pub(super) fn share(&mut self, message: &Text) {
        self.listeners.retain(|listener| (listener.outbox)(message));
    }

    /// Sends the room's notices; the other effects are left to the holder of the game.
    pub(super) fn perform(&mut self, mut effects: Effects) -> Effects {
        let mut moved = false;
        for notice in effects.take_notices() {
            match notice {
                Notice::Share(happened) => {
                    // A client that joined during an adjournment did not get its legal moves.
                    moved |= happened.board.is_some() || happened.entry.event == Event::Resumed;
                    self.share_event(*happened, &mut effects);
                }
                Notice::Tell { to, key, result } => self.send_result(to, key, result, &mut effects),
            }
        }
        if moved {
            self.send_turns();
            effects.push(Effect::Changed);
        }
        effects
    }

    /// Sends the legal moves to the clients that are to move; the others need none.
    pub(super) fn send_turns(&mut self) {
        let state = self.room.state();
        let seated = |listener: &Listener| view::is_to_move(listener.actor, state);
        if self.listeners.iter().any(seated)
            && let Some(turn) = self.turn()
        {
            self.listeners.retain(|listener| !seated(listener) || (listener.outbox)(&turn));
        }
    }

    pub(super) fn share_event(&mut self, happened: wire::Happened, effects: &mut Effects) {
        let seq = happened.entry.seq;
        self.plies.invalidate_on(&happened.entry);
        match &happened.entry.event {
            Event::Chatted { .. } => {
                let start = self.room.state().start();
                if let Some(message) =
                    start.and_then(|start| view::chat_message(&happened.entry, start))
                {
                    self.chat.push_back(message);
                    if self.chat.len() > MOST_CHAT {
                        self.chat.pop_front();
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
        if self.presence_due().is_some() {
            // Sent along with the event, it needs no packet of its own.
            self.send_presence();
        }
    }

    /// The answer to a command that is not done.
    pub(super) fn refusal_answer(&self, why: CommandError, lang: Lang) -> CommandAnswer {
        let state = self.room.state();
        let refusal = match why {
            CommandError::Refused(why) => view::refusal(why, state, lang),
            CommandError::Failed(error) => failure(error, lang),
        };
        CommandAnswer::Refused { seq: state.seq(), why, refusal }
    }

    fn send_result(
        &mut self,
        to: Asker,
        key: Option<CommandKey>,
        result: CommandResult,
        effects: &mut Effects,
    ) {
        let answer = match result {
            CommandResult::Done(seq) => CommandAnswer::Done { seq },
            CommandResult::NotDone(why) => self.refusal_answer(why, to.lang),
        };
        match (result, key) {
            (CommandResult::NotDone(CommandError::Refused(_)), Some(key)) => {
                effects.push(Effect::LookUp { to, key, refused: answer });
            }
            (_, key) => self.answer(to, key.as_ref(), answer, effects),
        }
    }

    pub(super) fn answer(
        &mut self,
        to: Asker,
        key: Option<&CommandKey>,
        answer: CommandAnswer,
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
