//! The laws: what must hold at every step and at the end, whatever goes wrong.

use std::fmt;

/// A promise of the server. The text of each variant is its definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Law {
    /// The log has no gaps, every entry follows from those before it, the row equals the entries'
    /// summary, and a rematch begins with the same append that agrees on it.
    Log,
    /// A node's state is the state after a prefix of the log.
    Node,
    /// A client's view is the game after a prefix of the log; nothing is shown before it is
    /// committed.
    View,
    /// An acknowledged command is in the log, once, at the number that was acknowledged.
    Ack,
    /// A command that was finally refused is not in the log. (A command that reached the server
    /// several times, over several connections or duplicated on its way, may still be done by
    /// another of them; it was not in the log when it was refused. `busy`, `unavailable`, `unsure`
    /// and `too_fast` are not final: the client sends again.)
    Refused,
    /// Every event has an allowed author: moves are by the player to move, the others by a player
    /// or by the server.
    Seat,
    /// A game ends by the clock only when the deadline has passed by the events' own times, so that
    /// no lag could have saved the move.
    Flag,
    /// A node waits `FLAG_GRACE` after the deadline before it calls a flag, whatever commands come.
    /// It first decides moves that it received before zero and that reach the room within the
    /// grace. With a single node, a flagged player had the time on the clock while the server was
    /// up to show the board, except for less than half a second per commit. (When a node dies
    /// between a slow commit and the credit for it, that credit is lost.)
    Fair,
    /// A game ends once.
    End,
    /// Clocks follow the rules: time is gained only by bonus, stage, credit, gift and takeback.
    Clock,
    /// Time is given back only for an outage, or for a slow commit of the event that started the
    /// clock.
    Credit,
    /// The player to move gets the targets.
    Turn,
    /// Presence messages are correct.
    Presence,
    /// After the faults, all clients and nodes know all events within a bounded time, and the log
    /// stops growing.
    Rest,
}

/// A broken law.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenLaw {
    /// The law.
    pub law: Law,
    /// The observation that breaks it.
    pub how: String,
}

impl fmt::Display for BrokenLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.law, self.how)
    }
}

impl std::error::Error for BrokenLaw {}

/// The result of a check.
pub(crate) type LawResult = Result<(), BrokenLaw>;

/// Checks a condition of a law.
pub(crate) fn check(law: Law, kept: bool, how: impl FnOnce() -> String) -> LawResult {
    if kept { Ok(()) } else { Err(BrokenLaw { law, how: how() }) }
}
