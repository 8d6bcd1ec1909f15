//! Moves as the Universal Chess Interface writes them: `e2e4`, `e7e8q`.

use std::fmt;
use std::str::FromStr;

use crate::{Move, Position, Refusal, Role, Square, Variant};

/// A move as it is written; it need not be legal.
///
/// ```
/// use hansu_chess::{Position, Role, Square, UciMove};
/// let text: UciMove = "e7e8q".parse()?;
/// assert_eq!(text, UciMove { from: Square::E7, to: Square::E8, promotion: Some(Role::Queen) });
/// assert_eq!(text.to_string(), "e7e8q");
/// assert!(text.to_move(&Position::start()).is_err());
/// # Ok::<(), hansu_chess::UciError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UciMove {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes; when castling in Chess960, the rook.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
}

/// The error for a text that is not a move in UCI notation.
///
/// ```
/// use hansu_chess::{UciError, UciMove};
/// assert_eq!("e2-e4".parse::<UciMove>(), Err(UciError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciError;

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move is two squares and, for a promotion, one of q r b n: e2e4, e7e8q")
    }
}

impl std::error::Error for UciError {}

impl FromStr for UciMove {
    type Err = UciError;

    fn from_str(text: &str) -> Result<UciMove, UciError> {
        // All of it ASCII, so that cutting cannot fall into a character.
        if !text.is_ascii() || !matches!(text.len(), 4 | 5) {
            return Err(UciError);
        }
        let promotion = match &text[4..] {
            "" => None,
            "q" => Some(Role::Queen),
            "r" => Some(Role::Rook),
            "b" => Some(Role::Bishop),
            "n" => Some(Role::Knight),
            _ => return Err(UciError),
        };
        let square = |text: &str| text.parse().map_err(|_| UciError);
        Ok(UciMove { from: square(&text[..2])?, to: square(&text[2..4])?, promotion })
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl UciMove {
    /// Converts it to a legal move of a position. Castling may be written as the king's two squares
    /// or as the king taking its rook.
    ///
    /// # Errors
    ///
    /// Why it is not legal.
    ///
    /// ```
    /// # use hansu_chess::{Position, UciMove};
    /// let text: UciMove = "g1f3".parse()?;
    /// assert!(text.to_move(&Position::start()).is_ok());
    /// # Ok::<(), hansu_chess::UciError>(())
    /// ```
    pub fn to_move(self, position: &Position) -> Result<Move, Refusal> {
        position.judge(self.from, self.to, self.promotion)
    }
}

impl Move {
    /// The move as UCI writes it: castling as two squares of the king in standard chess, as the
    /// king taking its rook in Chess960.
    ///
    /// ```
    /// use hansu_chess::{Position, Square, Variant};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castling = position.judge(Square::E1, Square::G1, None)?;
    /// assert_eq!(castling.uci(Variant::Standard).to_string(), "e1g1");
    /// assert_eq!(castling.uci(Variant::Chess960).to_string(), "e1h1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn uci(self, variant: Variant) -> UciMove {
        let to = match variant {
            Variant::Standard => self.to(),
            Variant::Chess960 => self.to,
        };
        UciMove { from: self.from, to, promotion: self.promotion() }
    }
}
