//! How games end.

use std::fmt;

use crate::{Bitboard, Color, Position, Role};

/// Why a game has ended.
///
/// ```
/// use hansu_chess::Reason;
/// assert_eq!(Reason::FiftyMoves.code(), "fifty_moves");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Checkmate.
    Checkmate,
    /// A player gave up.
    Resignation,
    /// No legal move, and no check.
    Stalemate,
    /// Neither side has the pieces to give mate.
    DeadPosition,
    /// The pawns are locked for ever, and neither side can give mate behind them.
    LockedPawns,
    /// The same position for the fifth time: a draw by itself.
    FivefoldRepetition,
    /// Seventy-five moves without capture or pawn move: a draw by itself.
    SeventyFiveMoves,
    /// The same position for the third time: a draw because a player claimed it.
    ThreefoldRepetition,
    /// Fifty moves without capture or pawn move: a draw because a player claimed it.
    FiftyMoves,
    /// The players agreed on a draw.
    Agreement,
}

impl Reason {
    /// All reasons.
    ///
    /// ```
    /// # use hansu_chess::Reason;
    /// assert_eq!(Reason::ALL.len(), 10);
    /// ```
    pub const ALL: [Reason; 10] = [
        Reason::Checkmate,
        Reason::Resignation,
        Reason::Stalemate,
        Reason::DeadPosition,
        Reason::LockedPawns,
        Reason::FivefoldRepetition,
        Reason::SeventyFiveMoves,
        Reason::ThreefoldRepetition,
        Reason::FiftyMoves,
        Reason::Agreement,
    ];

    /// A short code for programs; it never changes.
    ///
    /// ```
    /// # use hansu_chess::Reason;
    /// assert_eq!(Reason::Checkmate.code(), "checkmate");
    /// ```
    pub const fn code(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Resignation => "resignation",
            Reason::Stalemate => "stalemate",
            Reason::DeadPosition => "dead_position",
            Reason::LockedPawns => "locked_pawns",
            Reason::FivefoldRepetition => "fivefold_repetition",
            Reason::SeventyFiveMoves => "seventy_five_moves",
            Reason::ThreefoldRepetition => "threefold_repetition",
            Reason::FiftyMoves => "fifty_moves",
            Reason::Agreement => "agreement",
        }
    }

    /// The reason with this code.
    ///
    /// ```
    /// # use hansu_chess::Reason;
    /// assert_eq!(Reason::from_code("stalemate"), Some(Reason::Stalemate));
    /// ```
    pub fn from_code(code: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

/// How a game has ended.
///
/// ```
/// use hansu_chess::{Color, Outcome, Reason};
/// let outcome = Outcome { winner: Some(Color::Black), reason: Reason::Checkmate };
/// assert_eq!(outcome.result(), "0-1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner; `None` in a draw.
    pub winner: Option<Color>,
    /// The reason of the end.
    pub reason: Reason,
}

impl Outcome {
    /// A draw for a reason.
    ///
    /// ```
    /// # use hansu_chess::{Outcome, Reason};
    /// assert_eq!(Outcome::draw(Reason::Agreement).winner, None);
    /// ```
    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }

    /// A win for a reason.
    ///
    /// ```
    /// # use hansu_chess::{Color, Outcome, Reason};
    /// assert_eq!(Outcome::win(Color::White, Reason::Resignation).result(), "1-0");
    /// ```
    pub const fn win(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    /// The result as it is written: `1-0`, `0-1` or `1/2-1/2`.
    ///
    /// ```
    /// # use hansu_chess::{Outcome, Reason};
    /// assert_eq!(Outcome::draw(Reason::Stalemate).result(), "1/2-1/2");
    /// ```
    pub const fn result(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.result())
    }
}

impl Position {
    /// True if the side to move is checkmated.
    ///
    /// ```
    /// use hansu_chess::Position;
    /// let mate: Position = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3".parse()?;
    /// assert!(mate.is_checkmate());
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_moves()
    }

    /// True if there is no legal move, and no check.
    ///
    /// ```
    /// use hansu_chess::Position;
    /// let stalemate: Position = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert!(stalemate.is_stalemate());
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_moves()
    }

    /// True if neither side has the pieces to give mate: two kings, with at most one knight, or
    /// with bishops all on squares of one colour.
    ///
    /// ```
    /// use hansu_chess::Position;
    /// let dead: Position = "8/8/4k3/8/8/3KB3/8/8 w - - 0 1".parse()?;
    /// assert!(dead.is_dead());
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn is_dead(&self) -> bool {
        let board = &self.board;
        let heavy =
            board.of_role(Role::Pawn) | board.of_role(Role::Rook) | board.of_role(Role::Queen);
        if !heavy.is_empty() {
            return false;
        }
        let (knights, bishops) = (board.of_role(Role::Knight), board.of_role(Role::Bishop));
        if knights.is_empty() {
            !bishops.meets(Bitboard::DARK) || (bishops - Bitboard::DARK).is_empty()
        } else {
            bishops.is_empty() && !knights.is_several()
        }
    }

    /// How the game ends in this position by itself; repetitions and earlier moves are not known
    /// here.
    ///
    /// ```
    /// use hansu_chess::{Position, Reason};
    /// let stalemate: Position = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert_eq!(stalemate.outcome().map(|o| o.reason), Some(Reason::Stalemate));
    /// assert_eq!(Position::start().outcome(), None);
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_moves() {
            return Some(if self.is_check() {
                Outcome::win(!self.turn, Reason::Checkmate)
            } else {
                Outcome::draw(Reason::Stalemate)
            });
        }
        if self.is_dead() {
            return Some(Outcome::draw(Reason::DeadPosition));
        }
        (self.halfmoves >= 150).then_some(Outcome::draw(Reason::SeventyFiveMoves))
    }
}
