//! What is said at a table, and to whom.

use super::*;

impl Inner {
    /// Who sits where in the next game: colours change over.
    pub(super) fn rematch(&self) -> Begins {
        let seats = self.seats.iter().map(|seat| {
            let side = match seat.side {
                Side::White => Side::Black,
                Side::Black => Side::White,
                Side::Both => Side::Both,
            };
            Seat { side, holder: seat.holder }
        });
        Begins { seats: seats.collect(), invitation: None }
    }

    /// The game as it stands, without its moves.
    fn standing(&self) -> wire::Snapshot {
        let state = self.room.state();
        let shown = self.room.visibility();
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
                let _ = outbox.try_send(event.clone());
            }
        } else {
            let standing = text(&ServerMessage::Snapshot(Box::new(self.standing())));
            let _ = outbox.try_send(self.plies.put_into(&standing, self.room.state()));
        }
    }

    pub(super) fn turn(&self) -> Option<Utf8Bytes> {
        let state = self.room.state();
        if state.phase() != hansu_play::Phase::Playing {
            return None;
        }
        let (seq, moves) = (state.seq(), view::moves(state.game()));
        Some(text(&ServerMessage::Turn { seq, moves }))
    }

    /// Tells where to go, to whoever is to move.
    pub(super) fn show_turn(&self, actor: Actor, outbox: &Outbox) {
        let to_move = self.room.state().turn();
        if (actor == Actor::Both || actor == Actor::seat(to_move))
            && let Some(turn) = self.turn()
        {
            let _ = outbox.try_send(turn);
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
    pub(super) fn tell_others(&mut self) -> Option<Errand> {
        let here = self.untold()?;
        self.told = here;
        Some(Errand::Here(here))
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
    pub(super) fn share(&mut self, message: &Utf8Bytes) {
        self.listeners.retain(|listener| listener.outbox.try_send(message.clone()).is_ok());
    }

    pub(super) fn perform(&mut self, acts: Vec<Act>) -> Vec<Errand> {
        let mut errands = Vec::new();
        let mut moved = false;
        for act in acts {
            match act {
                Act::Write(append) => errands.push(Errand::Write(append)),
                Act::Read { after } => errands.push(Errand::Read { after }),
                Act::Share(happened) => {
                    // Who came while the game was adjourned was not told where to go.
                    moved |= happened.board.is_some() || happened.entry.event == Event::Resumed;
                    self.happened(*happened, &mut errands);
                }
                Act::Tell { to, client, told } => self.told(to, client, told, &mut errands),
            }
        }
        if moved {
            self.show_turns();
            errands.push(Errand::Changed);
        }
        errands
    }

    /// The targets go only to whoever is to move: others need none.
    pub(super) fn show_turns(&mut self) {
        let to_move = Actor::seat(self.room.state().turn());
        let seated = |actor| actor == Actor::Both || actor == to_move;
        if self.listeners.iter().any(|listener| seated(listener.actor))
            && let Some(turn) = self.turn()
        {
            self.listeners.retain(|listener| {
                !seated(listener.actor) || listener.outbox.try_send(turn.clone()).is_ok()
            });
        }
    }

    pub(super) fn happened(&mut self, happened: wire::Happened, errands: &mut Vec<Errand>) {
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
            Event::Ended { .. } => errands.push(Errand::Changed),
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

    pub(super) fn lang(&self, to: u64) -> Lang {
        let listener = self.listeners.iter().find(|listener| listener.id == to);
        let caller = || self.callers.get(&to).map(|(_, lang)| *lang);
        listener.map(|listener| listener.lang).or_else(caller).unwrap_or(Lang::En)
    }

    pub(super) fn told(
        &mut self,
        to: u64,
        client: Option<String>,
        told: Told,
        errands: &mut Vec<Errand>,
    ) {
        let seq = self.room.state().seq();
        let lang = self.lang(to);
        let answer = match told {
            Told::Done(seq) => Answer::Done { seq },
            Told::Refused(why) => {
                let refusal = view::refusal(why, self.room.state(), lang);
                if let Some(client) = client {
                    errands.push(Errand::LookUp { to, client, refusal });
                    return;
                }
                Answer::Refused { seq, refusal }
            }
            Told::Failed(error) => Answer::Refused { seq, refusal: view::failure(error, lang) },
        };
        self.answer(to, client.as_deref(), answer);
    }

    pub(super) fn answer(&mut self, to: u64, client: Option<&str>, answer: Answer) {
        let asked = |(by, name, _): &(u64, String, _)| *by == to && Some(name.as_str()) == client;
        if let Some(at) = self.open.iter().position(asked) {
            figures::answered(self.open.swap_remove(at).2.elapsed());
        }
        if let Answer::Refused { refusal, .. } = &answer {
            figures::refused(&refusal.code);
        }
        if let Some((caller, _)) = self.callers.remove(&to) {
            // Nobody listens only when the caller is gone.
            let _ = caller.send(answer);
            return;
        }
        // What stands before the colon is ours: see `client`.
        let id = client.map_or("", |client| client.split_once(':').map_or(client, |(_, id)| id));
        let id = id.to_owned();
        let message = text(&match answer {
            Answer::Done { seq } => ServerMessage::Ack { id, seq },
            Answer::Refused { seq, refusal } => ServerMessage::Refused { id, seq, refusal },
        });
        self.listeners.retain(|listener| {
            listener.id != to || listener.outbox.try_send(message.clone()).is_ok()
        });
    }
}
