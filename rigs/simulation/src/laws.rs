//! What must hold at every step and at the end, whatever goes wrong.

use std::fmt;

/// A promise of the server. Each is told in words, since these words are what is promised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Law {
    /// The log has no gaps, every entry follows from those before it, the row beside it says the
    /// same, and a rematch begins with the very append that agrees on it.
    Log,
    /// What a node believes is a beginning of the log.
    Node,
    /// What a client shows is a beginning of the log, and nothing is shown before it is kept.
    View,
    /// An acknowledged command is in the log, once, at the number that was acknowledged.
    Ack,
    /// A command that was refused for good is not in the log. (A command that reached the server
    /// several times, over several connections or doubled on its way, may still get in by another
    /// of them; it was not in the log when it was refused. `busy`, `unavailable`,
    /// `unsure` and `too_fast` say nothing for good: the client sends again.)
    Refused,
    /// Every event is by somebody who may: moves by whoever sits there and is to move, the rest by
    /// the seats or by the server.
    Seat,
    /// A game ends by the clock only when the deadline has passed by the events' own times: then no
    /// lag could have saved the move any more.
    Flag,
    /// A node that flags waits `FLAG_GRACE` from the deadline on, whoever asks; a move that it has
    /// received before zero and that reaches the room within that grace is decided first. With a
    /// single node: whoever is flagged has had the time on the clock while the server was there
    /// to show the board, except for less than half a second a commit. (When a node dies between
    /// a slow commit and the credit for it, that credit is lost.)
    Fair,
    /// A game ends once.
    End,
    /// Clocks come out as the rules say: nothing is gained but by bonus, stage, credit and takeback.
    Clock,
    /// Time is given back only for an outage or for a slow commit of what started the clock.
    Credit,
    /// Whoever is to move is told where to.
    Turn,
    /// Who is there is told as it is.
    Presence,
    /// When the misfortunes are over, everybody knows everything within a bounded time, and the
    /// log comes to rest.
    Rest,
}

/// A law that was broken, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Which.
    pub law: Law,
    /// What was seen.
    pub how: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.law, self.how)
    }
}

impl std::error::Error for Broken {}

/// Nothing is broken, or something is.
pub(crate) type Kept = Result<(), Broken>;

/// Holds a law.
pub(crate) fn hold(law: Law, kept: bool, how: impl FnOnce() -> String) -> Kept {
    if kept { Ok(()) } else { Err(Broken { law, how: how() }) }
}
