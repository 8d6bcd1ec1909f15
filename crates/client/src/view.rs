//! The view of one client: messages in, notices and messages to send out.

use hansu_play::{Event, Millis};
use hansu_protocol::{
    ClientMessage, Happened, Language, Moves, Phase, Refusal, ServerMessage, VERSION, Wish,
};

use crate::notice::{Before, Notice};
use crate::{Denied, GameView, Pending, Presence};

/// A time difference larger than this means that a clock was set, not that a message was slow.
const CLOCK_WAS_SET: u64 = 5_000;

/// What follows from a message of the server.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[must_use]
pub struct ViewOutput {
    /// What to show the user, in this order.
    pub notices: Vec<Notice>,
    /// What to send to the server, in this order.
    pub send: Vec<ClientMessage>,
}

/// What one client knows of a game, and its pending commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    game: GameView,
    pending: Pending,
}

impl View {
    /// The view before the first message. The ids of commands begin with `mark`, which must be
    /// different in each run of the program.
    pub fn new(mark: &str) -> View {
        View { game: GameView::blank(), pending: Pending::new(mark) }
    }

    /// The game as this client sees it.
    pub fn game(&self) -> &GameView {
        &self.game
    }

    /// The commands that are not answered yet.
    pub fn pending(&self) -> &Pending {
        &self.pending
    }

    /// The first message on each connection.
    pub fn hello(&self, lang: Language) -> ClientMessage {
        ClientMessage::Hello { v: VERSION, seq: self.game.seq, lang }
    }

    /// Makes a command: returns the message to send. The command is pending until it is acknowledged
    /// or refused, and is sent again after each `welcome`.
    #[must_use]
    pub fn wish(&mut self, wish: Wish) -> ClientMessage {
        self.game.denied = None;
        self.pending.issue(wish)
    }

    /// Asks why a move may not be played: returns the message to send. The question is not pending
    /// and is not sent again.
    #[must_use]
    pub fn why(&mut self, uci: &str) -> ClientMessage {
        self.game.denied = None;
        ClientMessage::Why { uci: uci.to_owned() }
    }

    /// Takes a message of the server that arrived at `now`, by the client's clock.
    pub fn hear(&mut self, message: ServerMessage, now: Millis) -> ViewOutput {
        let before = Before::new(&self.game);
        let mut output = ViewOutput::default();
        match message {
            ServerMessage::Welcome { seat, seq, now: theirs, .. } => {
                self.game.seat = seat;
                self.game.offset = Some(difference(theirs, now));
                self.game.asked = None;
                self.game.bye = None;
                // The server has fewer events than we do: this is another log.
                if seq < self.game.seq {
                    output.send.push(ClientMessage::Sync { seq: 0 });
                }
                output.send.extend(self.pending.resend());
            }
            ServerMessage::Snapshot(snapshot) => {
                self.game.replace(*snapshot);
                self.pending.reach(self.game.seq);
                output.notices.push(Notice::Shown);
            }
            ServerMessage::Event(happened) => self.apply_event(*happened, &mut output),
            ServerMessage::Turn { seq, moves } => self.set_moves(seq, moves, &mut output),
            ServerMessage::Ack { id, seq } => {
                self.pending.acknowledge(&id, seq, self.game.seq);
                self.ask_missing(seq, &mut output);
            }
            ServerMessage::Refused { id, seq, refusal } => {
                self.refuse(&id, refusal);
                self.ask_missing(seq, &mut output);
            }
            ServerMessage::Why { seq, uci, refusal } => {
                if let Some(refusal) = refusal {
                    self.deny(Some(Wish::Move { uci }), refusal);
                }
                self.ask_missing(seq, &mut output);
            }
            ServerMessage::Presence { white, black, spectators } => {
                self.game.presence = Presence { white, black, spectators };
            }
            ServerMessage::Beat { seq, now: theirs } => {
                self.game.offset = Some(nearer(self.game.offset, difference(theirs, now)));
                self.ask_missing(seq, &mut output);
            }
            ServerMessage::Bye { reason } => {
                // After any other reason the client may come back.
                if reason == "version" || reason == "gone" {
                    self.game.bye = Some(reason);
                }
            }
        }
        before.notices(&self.game, &mut output.notices);
        output
    }

    fn apply_event(&mut self, happened: Happened, output: &mut ViewOutput) {
        let seq = happened.entry.seq;
        if self.game.known && seq <= self.game.seq {
            return;
        }
        if !self.game.known || seq > self.game.seq + 1 {
            return self.ask_missing(seq, output);
        }
        let event = happened.entry.event.clone();
        if self.game.apply(happened).is_err() {
            self.game.asked = Some(self.game.seq);
            output.send.push(ClientMessage::Sync { seq: 0 });
            return;
        }
        self.pending.reach(seq);
        match event {
            Event::Moved { uci, .. } => self.pending.complete_move(&uci.to_string()),
            Event::Credited { .. } => output.notices.push(Notice::Credited),
            // When a game goes on, the server sends the legal moves only on request.
            Event::Resumed if self.game.is_our_turn() && self.game.moves.is_none() => {
                output.send.push(ClientMessage::Sync { seq });
            }
            _ => {}
        }
    }

    fn set_moves(&mut self, seq: u64, moves: Moves, output: &mut ViewOutput) {
        if !self.game.known || seq > self.game.seq {
            return self.ask_missing(seq, output);
        }
        if seq >= self.game.board_seq && self.game.phase == Phase::Playing {
            self.game.moves = Some(moves);
        }
    }

    fn refuse(&mut self, id: &str, refusal: Refusal) {
        let wish = self.pending.refuse(id);
        self.deny(wish, refusal);
    }

    fn deny(&mut self, wish: Option<Wish>, refusal: Refusal) {
        let count = self.game.denied.as_ref().map_or(0, |denied| denied.count) + 1;
        self.game.denied = Some(Denied { wish, refusal, count });
    }

    /// Asks for missing events when the server has some, once for each last known event.
    fn ask_missing(&mut self, seq: u64, output: &mut ViewOutput) {
        let last = self.game.seq;
        if seq > last && self.game.asked != Some(last) {
            self.game.asked = Some(last);
            output.send.push(ClientMessage::Sync { seq: last });
        }
    }
}

/// The server's time minus ours, in milliseconds.
fn difference(theirs: Millis, ours: Millis) -> i64 {
    theirs.0.cast_signed().saturating_sub(ours.0.cast_signed())
}

/// A delay makes the server's time look earlier, so the later of two measurements is better. The
/// old one loses a millisecond each time, so that a drift of the clocks is followed.
fn nearer(old: Option<i64>, sample: i64) -> i64 {
    match old {
        Some(old) if sample.abs_diff(old) <= CLOCK_WAS_SET => sample.max(old - 1),
        _ => sample,
    }
}
