//! The data of a view: everything that a client shows, in public fields.

use hansu_chess::Color;
use hansu_play::{Clocks, Ending, Millis, Offer, Sides, Source, Spectators, Start, TimeControl};
use hansu_protocol::{
    Board, ChatMessage, Moves, Offered, Phase, Ply, Refusal, Seat, Snapshot, Ticking, Turn,
    Visibility, Wish,
};

/// A game as one client sees it. The fields have the names and meanings of `GameView` in
/// `web/src/game/view.ts`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameView {
    /// True after the first snapshot.
    pub known: bool,
    /// Our seat; `None` for a spectator.
    pub seat: Option<Seat>,
    /// The last event that is part of this view.
    pub seq: u64,
    /// The phase of the game.
    pub phase: Phase,
    /// What was fixed before the first move.
    pub start: Start,
    /// When the game began.
    pub started: Option<Millis>,
    /// The position before the first move.
    pub first: Board,
    /// The moves that count.
    pub plies: Vec<Ply>,
    /// The clocks as of the last event.
    pub clocks: Option<Clocks>,
    /// The clock that runs.
    pub ticking: Option<Ticking>,
    /// The end of the game.
    pub ending: Option<Ending>,
    /// Open offers, oldest first.
    pub offers: Vec<Offered>,
    /// Since when each player has been away.
    pub left: Sides<Option<Millis>>,
    /// Chat, oldest first.
    pub chat: Vec<ChatMessage>,
    /// The next game of the series.
    pub next: Option<String>,
    /// Who may watch.
    pub visibility: Visibility,
    /// Who is connected.
    pub presence: Presence,
    /// The legal moves, if it is our turn and the server has sent them.
    pub moves: Option<Moves>,
    /// The last event that changed the board.
    pub board_seq: u64,
    /// The server's time minus ours, in milliseconds.
    pub offset: Option<i64>,
    /// The last refusal, until the next command.
    pub denied: Option<Denied>,
    /// The last declined offer, until the next offer.
    pub declined: Option<Declined>,
    /// The last time that a player gave the other.
    pub given: Option<Given>,
    /// The last event that we had when we asked for missing ones.
    pub asked: Option<u64>,
    /// The reason why the server will not take us back: `version` or `gone`.
    pub bye: Option<String>,
}

/// Who is connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Presence {
    /// White is connected.
    pub white: bool,
    /// Black is connected.
    pub black: bool,
    /// The number of spectators.
    pub spectators: u32,
}

/// A refused command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Denied {
    /// What was wanted; `None` if the command was no longer pending.
    pub wish: Option<Wish>,
    /// Why it was refused.
    pub refusal: Refusal,
    /// Counts refusals without a command between them.
    pub count: u64,
}

/// A declined offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declined {
    /// What was offered.
    pub what: Offer,
    /// The side that declined.
    pub by: Turn,
    /// The event.
    pub seq: u64,
}

/// Time that a player gave the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// The side that got it.
    pub to: Turn,
    /// How much.
    pub time: Millis,
    /// The event.
    pub seq: u64,
}

pub(crate) const fn turn(color: Color) -> Turn {
    match color {
        Color::White => Turn::White,
        Color::Black => Turn::Black,
    }
}

/// The side to move in a FEN.
pub(crate) fn turn_of(fen: &str) -> Turn {
    match fen.split(' ').nth(1) {
        Some("b") => Turn::Black,
        _ => Turn::White,
    }
}

impl GameView {
    /// The view before the first message.
    pub(crate) fn blank() -> GameView {
        GameView {
            known: false,
            seat: None,
            seq: 0,
            phase: Phase::Waiting,
            start: Start {
                time: TimeControl::Unlimited,
                source: Source::Online,
                spectators: Spectators::Silent,
                ..Start::between("", "")
            },
            started: None,
            first: Board { fen: "8/8/8/8/8/8/8/8 w - - 0 1".to_owned(), check: None },
            plies: Vec::new(),
            clocks: None,
            ticking: None,
            ending: None,
            offers: Vec::new(),
            left: Sides::default(),
            chat: Vec::new(),
            next: None,
            visibility: Visibility::Private,
            presence: Presence::default(),
            moves: None,
            board_seq: 0,
            offset: None,
            denied: None,
            declined: None,
            given: None,
            asked: None,
            bye: None,
        }
    }

    /// The board as it stands.
    pub fn board(&self) -> &Board {
        self.plies.last().map_or(&self.first, |ply| &ply.board)
    }

    /// The side to move.
    pub fn turn(&self) -> Turn {
        turn_of(&self.board().fen)
    }

    /// True if the game is under way and the side to move is ours.
    pub fn is_our_turn(&self) -> bool {
        self.phase == Phase::Playing && self.is_ours(self.turn())
    }

    /// True if we have this side's seat.
    pub fn is_ours(&self, side: Turn) -> bool {
        matches!(
            (self.seat, side),
            (Some(Seat::Both), _)
                | (Some(Seat::White), Turn::White)
                | (Some(Seat::Black), Turn::Black)
        )
    }

    /// The side to which we can give time: the other one, and on one screen the side to move.
    pub fn receiver(&self) -> Turn {
        match self.seat {
            Some(Seat::White) => Turn::Black,
            Some(Seat::Black) => Turn::White,
            Some(Seat::Both) | None => self.turn(),
        }
    }

    /// Takes everything from a snapshot. The legal moves come in a message of their own.
    pub(crate) fn replace(&mut self, snapshot: Snapshot) {
        *self = GameView {
            known: true,
            seq: snapshot.seq,
            phase: snapshot.phase,
            start: snapshot.start,
            started: snapshot.started,
            first: snapshot.first,
            plies: snapshot.plies,
            clocks: snapshot.clocks,
            ticking: snapshot.ticking,
            ending: snapshot.ending,
            offers: snapshot.offers,
            left: snapshot.left,
            chat: snapshot.chat,
            next: snapshot.next,
            visibility: snapshot.visibility,
            moves: None,
            board_seq: snapshot.seq,
            asked: None,
            seat: self.seat,
            presence: self.presence,
            offset: self.offset,
            denied: self.denied.take(),
            declined: self.declined,
            given: self.given,
            bye: self.bye.take(),
        };
    }
}
