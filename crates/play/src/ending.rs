//! How a game between two seats ends, and when time cannot win it.

use std::fmt;

use hansu_chess::{Bitboard, Board, Color, Outcome, Role};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::code;

/// Why a game has ended: by the rules, by the players, by the clock.
///
/// ```
/// use hansu_play::Reason;
/// assert_eq!(Reason::Timeout.code(), "timeout");
/// assert_eq!(Reason::from_code("checkmate"), Some(hansu_chess::Reason::Checkmate.into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A reason of the rules of chess.
    Chess(hansu_chess::Reason),
    /// A flag fell.
    Timeout,
    /// A flag fell, but the other side could never have given mate.
    TimeoutDraw,
    /// A player left and did not come back; the other claimed a win or a draw.
    Abandonment,
    /// The game ended before both sides had moved. Such a game does not count.
    Abort,
}

impl From<hansu_chess::Reason> for Reason {
    fn from(reason: hansu_chess::Reason) -> Reason {
        Reason::Chess(reason)
    }
}

impl Reason {
    /// The reasons beyond the rules of chess.
    const BEYOND: [Reason; 4] =
        [Reason::Timeout, Reason::TimeoutDraw, Reason::Abandonment, Reason::Abort];

    /// All reasons.
    pub fn all() -> impl Iterator<Item = Reason> {
        hansu_chess::Reason::ALL.into_iter().map(Reason::Chess).chain(Reason::BEYOND)
    }

    /// A short name for programs; it never changes.
    ///
    /// ```
    /// # use hansu_play::Reason;
    /// assert_eq!(Reason::TimeoutDraw.code(), "timeout_draw");
    /// ```
    pub const fn code(self) -> &'static str {
        match self {
            Reason::Chess(reason) => reason.code(),
            Reason::Timeout => "timeout",
            Reason::TimeoutDraw => "timeout_draw",
            Reason::Abandonment => "abandonment",
            Reason::Abort => "abort",
        }
    }

    /// The reason with this code.
    ///
    /// ```
    /// # use hansu_play::Reason;
    /// assert_eq!(Reason::from_code("abort"), Some(Reason::Abort));
    /// assert_eq!(Reason::from_code("boredom"), None);
    /// ```
    pub fn from_code(code: &str) -> Option<Reason> {
        Reason::all().find(|reason| reason.code() == code)
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Reason, D::Error> {
        code::read(from, "the reason of an ending", Reason::from_code)
    }
}

/// How a game has ended.
///
/// ```
/// use hansu_chess::Color;
/// use hansu_play::{Ending, Reason};
/// let ending = Ending { winner: Some(Color::Black), reason: Reason::Timeout };
/// assert_eq!(ending.result(), "0-1");
/// assert_eq!(Ending { winner: None, reason: Reason::Abort }.result(), "*");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ending {
    /// The winner; none in a draw or an aborted game.
    #[serde(with = "code::optional_color")]
    #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\" | \"none\""))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub winner: Option<Color>,
    /// Why it ended.
    #[cfg_attr(feature = "ts", ts(type = "Reason"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub reason: Reason,
}

impl Ending {
    /// The result as PGN writes it: `1-0`, `0-1`, `1/2-1/2`, or `*` for an aborted game.
    ///
    /// ```
    /// # use hansu_play::{Ending, Reason};
    /// assert_eq!(Ending { winner: None, reason: Reason::TimeoutDraw }.result(), "1/2-1/2");
    /// ```
    pub const fn result(self) -> &'static str {
        match (self.winner, self.reason) {
            (Some(Color::White), _) => "1-0",
            (Some(Color::Black), _) => "0-1",
            (None, Reason::Abort) => "*",
            (None, _) => "1/2-1/2",
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        Ending { winner: outcome.winner, reason: outcome.reason.into() }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.result())
    }
}

/// Returns true if a side could still give mate, even with the other side's help (FIDE 6.9).
///
/// The law asks for "any possible series of legal moves". This function looks only at the pieces:
///
/// - a bare king never mates;
/// - king and one knight need an enemy piece that blocks its own king; a queen cannot be that piece,
///   because wherever it blocks it also captures or covers;
/// - king and bishops on one colour need an enemy pawn, knight, or bishop on the other colour;
///   rooks and queens can always interpose;
/// - everything else can mate.
///
/// What the pieces alone do not show (blocked pawn chains, a forced stalemate) counts as "can mate",
/// so this approximation errs only in favour of the side that still has time.
///
/// ```
/// use hansu_chess::{Color, Position};
/// use hansu_play::can_mate;
/// let position: Position = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1".parse()?;
/// assert!(can_mate(position.board(), Color::White));
/// assert!(!can_mate(position.board(), Color::Black));
/// # Ok::<(), hansu_chess::FenError>(())
/// ```
pub fn can_mate(board: &Board, us: Color) -> bool {
    let own = |role: Role| board.of(role.of(us));
    let enemy = |role: Role| board.of(role.of(!us));
    let heavy = own(Role::Pawn) | own(Role::Rook) | own(Role::Queen);
    if !heavy.is_empty() {
        return true;
    }
    let (knights, bishops) = (own(Role::Knight), own(Role::Bishop));
    let small = enemy(Role::Pawn) | enemy(Role::Knight);
    if !knights.is_empty() {
        let in_the_way = small | enemy(Role::Bishop) | enemy(Role::Rook);
        return knights.is_several() || !bishops.is_empty() || !in_the_way.is_empty();
    }
    if bishops.is_empty() {
        return false;
    }
    let all = bishops | enemy(Role::Bishop);
    let both_colours = all.meets(Bitboard::DARK) && !(all - Bitboard::DARK).is_empty();
    both_colours || !small.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mating_material_of_white() {
        for (pieces, can) in [
            ("4k3/8/8/8/8/8/8/4K3", false),
            ("3qk3/8/8/8/8/8/8/4K3", false),
            ("4k3/8/8/8/8/8/P7/4K3", true),
            ("4k3/8/8/8/8/8/8/R3K3", true),
            ("4k3/8/8/8/8/8/8/Q3K3", true),
            // Knights.
            ("4k3/8/8/8/8/8/8/N3K3", false),
            ("q3k3/8/8/8/8/8/8/N3K3", false),
            ("r3k3/8/8/8/8/8/8/N3K3", true),
            ("b3k3/8/8/8/8/8/8/N3K3", true),
            ("n3k3/8/8/8/8/8/8/N3K3", true),
            ("4k3/p7/8/8/8/8/8/N3K3", true),
            ("4k3/8/8/8/8/8/8/NN2K3", true),
            ("4k3/8/8/8/8/8/8/NB2K3", true),
            ("4k3/8/8/8/8/8/8/BN2K3", true),
            // Bishops: a1 and c1 are dark, b1 and d1 light, a8 light, b8 dark.
            ("4k3/8/8/8/8/8/8/B3K3", false),
            ("4k3/8/8/8/8/8/8/1B2K3", false),
            ("q3k3/8/8/8/8/8/8/B3K3", false),
            ("r3k3/8/8/8/8/8/8/B3K3", false),
            ("n3k3/8/8/8/8/8/8/B3K3", true),
            ("4k3/p7/8/8/8/8/8/B3K3", true),
            ("1b2k3/8/8/8/8/8/8/B3K3", false),
            ("b3k3/8/8/8/8/8/8/B3K3", true),
            ("b3k3/8/8/8/8/8/8/1B2K3", false),
            ("4k3/8/8/8/8/8/8/B1B1K3", false),
            ("4k3/8/8/8/8/8/8/BB2K3", true),
        ] {
            let board = Board::from_fen(pieces).expect("a board");
            assert_eq!(can_mate(&board, Color::White), can, "{pieces}");
            assert_eq!(can_mate(&board.mirrored(), Color::Black), can, "{pieces} mirrored");
        }
    }

    #[test]
    fn codes_name_their_reasons() {
        for reason in Reason::all() {
            assert_eq!(Reason::from_code(reason.code()), Some(reason));
            let ending = Ending { winner: None, reason };
            let result = if reason == Reason::Abort { "*" } else { "1/2-1/2" };
            assert_eq!(ending.result(), result);
        }
    }
}
