//! The view of one client: messages in, notices and messages to send out.

use hansu_play::{Event, Millis};
use hansu_protocol::{
    ClientMessage, Happened, Language, Moves, Phase, Refusal, ServerMessage, VERSION, Wish,
};

use crate::notice::{Before, Notice};
use crate::{Denied, Pending, Presence, Seen};

/// A time difference larger than this means that a clock was set, not that a message was slow.
const CLOCK_WAS_SET: u64 = 5_000;

/// The result of a message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[must_use]
pub struct Heard {
    /// What is worth telling, in the order in which it is told.
    pub notices: Vec<Notice>,
    /// What to send to the server, in this order.
    pub send: Vec<ClientMessage>,
}

/// What one client knows of a game, and the commands it waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    seen: Seen,
    pending: Pending,
}

impl View {
    /// The view before the first message. The ids of commands begin with `mark`, which must be
    /// different in each run of the program.
    pub fn new(mark: &str) -> View {
        View { seen: Seen::blank(), pending: Pending::new(mark) }
    }

    /// The game as this client sees it.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    /// The commands that are not answered yet.
    pub fn pending(&self) -> &Pending {
        &self.pending
    }

    /// The first message on each connection.
    pub fn hello(&self, lang: Language) -> ClientMessage {
        ClientMessage::Hello { v: VERSION, seq: self.seen.seq, lang }
    }

    /// The client wants something: returns the message to send. The command is pending until it is
    /// acknowledged or refused, and is sent again after each `welcome`.
    #[must_use]
    pub fn wish(&mut self, wish: Wish) -> ClientMessage {
        self.seen.denied = None;
        self.pending.issue(wish)
    }

    /// The client asks why a move may not be played: returns the message to send. Nothing is
    /// pending, and nothing is sent again.
    #[must_use]
    pub fn why(&mut self, uci: &str) -> ClientMessage {
        self.seen.denied = None;
        ClientMessage::Why { uci: uci.to_owned() }
    }

    /// Takes a message of the server that arrived at `now`, by the client's clock.
    pub fn hear(&mut self, message: ServerMessage, now: Millis) -> Heard {
        let before = Before::new(&self.seen);
        let mut heard = Heard::default();
        match message {
            ServerMessage::Welcome { seat, seq, now: theirs, .. } => {
                self.seen.seat = seat;
                self.seen.offset = Some(difference(theirs, now));
                self.seen.asked = None;
                self.seen.bye = None;
                // The server knows less than we do: this is another log.
                if seq < self.seen.seq {
                    heard.send.push(ClientMessage::Sync { seq: 0 });
                }
                heard.send.extend(self.pending.resend());
            }
            ServerMessage::Snapshot(snapshot) => {
                self.seen.replace(*snapshot);
                self.pending.reach(self.seen.seq);
                heard.notices.push(Notice::Shown);
            }
            ServerMessage::Event(happened) => self.happened(*happened, &mut heard),
            ServerMessage::Turn { seq, moves } => self.turn(seq, moves, &mut heard),
            ServerMessage::Ack { id, seq } => {
                self.pending.acknowledge(&id, seq, self.seen.seq);
                self.ask_missing(seq, &mut heard);
            }
            ServerMessage::Refused { id, seq, refusal } => {
                self.refused(&id, refusal);
                self.ask_missing(seq, &mut heard);
            }
            ServerMessage::Why { seq, uci, refusal } => {
                if let Some(refusal) = refusal {
                    self.deny(Some(Wish::Move { uci }), refusal);
                }
                self.ask_missing(seq, &mut heard);
            }
            ServerMessage::Presence { white, black, spectators } => {
                self.seen.presence = Presence { white, black, spectators };
            }
            ServerMessage::Beat { seq, now: theirs } => {
                self.seen.offset = Some(nearer(self.seen.offset, difference(theirs, now)));
                self.ask_missing(seq, &mut heard);
            }
            ServerMessage::Bye { reason } => {
                // After any other reason the client may come back.
                if reason == "version" || reason == "gone" {
                    self.seen.bye = Some(reason);
                }
            }
        }
        before.notices(&self.seen, &mut heard.notices);
        heard
    }

    fn happened(&mut self, happened: Happened, heard: &mut Heard) {
        let seq = happened.entry.seq;
        if self.seen.known && seq <= self.seen.seq {
            return;
        }
        if !self.seen.known || seq > self.seen.seq + 1 {
            return self.ask_missing(seq, heard);
        }
        let event = happened.entry.event.clone();
        if self.seen.apply(happened).is_err() {
            self.seen.asked = Some(self.seen.seq);
            heard.send.push(ClientMessage::Sync { seq: 0 });
            return;
        }
        self.pending.reach(seq);
        match event {
            Event::Moved { uci, .. } => self.pending.moved(&uci.to_string()),
            Event::Credited { .. } => heard.notices.push(Notice::Credited),
            // When a game goes on, the server sends the legal moves only on request.
            Event::Resumed if self.seen.is_our_turn() && self.seen.moves.is_none() => {
                heard.send.push(ClientMessage::Sync { seq });
            }
            _ => {}
        }
    }

    fn turn(&mut self, seq: u64, moves: Moves, heard: &mut Heard) {
        if !self.seen.known || seq > self.seen.seq {
            return self.ask_missing(seq, heard);
        }
        if seq >= self.seen.board_seq && self.seen.phase == Phase::Playing {
            self.seen.moves = Some(moves);
        }
    }

    fn refused(&mut self, id: &str, refusal: Refusal) {
        let wish = self.pending.refuse(id);
        self.deny(wish, refusal);
    }

    fn deny(&mut self, wish: Option<Wish>, refusal: Refusal) {
        let count = self.seen.denied.as_ref().map_or(0, |denied| denied.count) + 1;
        self.seen.denied = Some(Denied { wish, refusal, count });
    }

    /// Asks for missing events when the server has some, once for each last known event.
    fn ask_missing(&mut self, seq: u64, heard: &mut Heard) {
        let last = self.seen.seq;
        if seq > last && self.seen.asked != Some(last) {
            self.seen.asked = Some(last);
            heard.send.push(ClientMessage::Sync { seq: last });
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
