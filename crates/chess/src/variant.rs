//! Standard chess and Chess960.

/// The two ways to set up and castle.
///
/// ```
/// use hansu_chess::{Position, Variant};
/// let fen = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
/// assert!(Position::from_fen(fen, Variant::Standard).is_err());
/// assert!(Position::from_fen(fen, Variant::Chess960).is_ok());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// King on the e-file, rooks in the corners.
    #[default]
    Standard,
    /// King between two rooks anywhere on the first rank; castling ends where it always does.
    Chess960,
}
