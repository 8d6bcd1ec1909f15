//! Why a notation is not a legal move: which piece was most likely meant, and why its move is
//! refused.

use std::cmp::Reverse;
use std::fmt;

use super::legality::within;
use super::{San, SanError, SanStep};
use crate::moves::CastlingSide;
use crate::{Bitboard, File, Lost, Move, Position, Rank, Refusal, Role, Square, UciMove};

/// Why a notation is not a legal move.
///
/// ```
/// use hansu_chess::{Position, Refusal, San, SanRefusal, Square};
/// let position: Position = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1".parse()?;
/// let refused = San::lenient("Nd5").unwrap().judge(&position);
/// // The knight on g1 could not go there anyway; the one on c3 is pinned.
/// let Err(SanRefusal::Move { meant, why }) = refused else { panic!("{refused:?}") };
/// assert_eq!(meant.from, Square::C3);
/// assert!(matches!(why, Refusal::Pinned { by: Square::B4, .. }));
/// # Ok::<(), hansu_chess::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SanRefusal {
    /// Several legal moves could be meant.
    Ambiguous,
    /// The side to move has no such piece there.
    NoPiece {
        /// The kind of piece that is named.
        role: Role,
    },
    /// The move is refused.
    Move {
        /// The move that was most likely meant; a castling king goes to its rook.
        meant: UciMove,
        /// Why it is refused.
        why: Refusal,
    },
}

impl fmt::Display for SanRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanRefusal::Ambiguous => f.write_str("several moves could be meant"),
            SanRefusal::NoPiece { .. } => f.write_str("no such piece"),
            SanRefusal::Move { meant, why } => write!(f, "{meant}: {}", why.code()),
        }
    }
}

impl std::error::Error for SanRefusal {}

impl San {
    /// The legal move, or the reason against the move that was most likely meant.
    ///
    /// Strictness of the notation does not matter here. A king that is sent to its castling target
    /// castles, as with [`Position::judge`].
    ///
    /// # Errors
    ///
    /// [`SanRefusal`].
    ///
    /// ```
    /// use hansu_chess::{Position, Refusal, Role, San, SanRefusal, Square};
    /// let position = Position::start();
    /// assert!(San::lenient("Nf3").unwrap().judge(&position).is_ok());
    /// let refused = San::lenient("Ke2").unwrap().judge(&position);
    /// let why = Refusal::OwnPiece { at: Square::E2 };
    /// assert_eq!(refused, Err(SanRefusal::Move { meant: "e1e2".parse().unwrap(), why }));
    /// ```
    pub fn judge(&self, position: &Position) -> Result<Move, SanRefusal> {
        match (San { lenient: true, ..*self }).to_move(position) {
            Ok(step) => return Ok(step),
            Err(SanError::Ambiguous) => return Err(SanRefusal::Ambiguous),
            Err(SanError::Illegal | SanError::Syntax) => {}
        }
        match self.step {
            SanStep::Castle(side) => judge_castling(position, side),
            SanStep::Piece { role, file, rank, capture, to, promotion } => {
                let mut pieces = position.board().of(role.of(position.turn())) & within(file, rank);
                // A pawn stays on its file unless it takes.
                let ahead = pieces & Bitboard::file(to.file());
                if role == Role::Pawn && file.is_none() && !capture && !ahead.is_empty() {
                    pieces = ahead;
                }
                let (mut legal, mut refused) = (None, None);
                for from in pieces {
                    match position.judge(from, to, promotion) {
                        Ok(_) if legal.is_some() => return Err(SanRefusal::Ambiguous),
                        Ok(step) => legal = Some(step),
                        Err(why) => {
                            let order = (telling(why), Reverse(distance(from, to)));
                            if refused.is_none_or(|(other, _, _)| order > other) {
                                refused = Some((order, UciMove { from, to, promotion }, why));
                            }
                        }
                    }
                }
                if let Some(step) = legal {
                    return Ok(step);
                }
                let (_, meant, why) = refused.ok_or(SanRefusal::NoPiece { role })?;
                Err(SanRefusal::Move { meant, why })
            }
        }
    }
}

/// Castling written as `O-O`. Without the right, [`Position::judge`] could take it for a king's
/// step.
fn judge_castling(position: &Position, side: CastlingSide) -> Result<Move, SanRefusal> {
    let king = position.king(position.turn());
    let home = Rank::First.seen_by(position.turn());
    let rights = position.castling() & Bitboard::rank(home);
    let rook = rights
        .into_iter()
        .find(|&rook| king.rank() == home && CastlingSide::of(king, rook) == side);
    let corner = match side {
        CastlingSide::King => File::H,
        CastlingSide::Queen => File::A,
    };
    let to = rook.unwrap_or_else(|| Square::new(corner, home));
    let meant = UciMove { from: king, to, promotion: None };
    match rook {
        Some(rook) => {
            position.judge(king, rook, None).map_err(|why| SanRefusal::Move { meant, why })
        }
        None => {
            let why = Refusal::CastlingRightLost { rook: to, lost: Lost::Unknown };
            Err(SanRefusal::Move { meant, why })
        }
    }
}

/// How likely a refused move was meant: the more checks it passed, the likelier.
const fn telling(why: Refusal) -> u8 {
    match why {
        Refusal::GameOver
        | Refusal::NoPiece { .. }
        | Refusal::NotYourPiece { .. }
        | Refusal::SameSquare { .. } => 0,
        Refusal::NotItsMove { .. } => 1,
        Refusal::OwnPiece { .. } => 2,
        Refusal::NothingToCapture { .. } | Refusal::NoDoubleStep { .. } => 3,
        Refusal::Blocked { .. } | Refusal::PawnBlocked { .. } => 4,
        Refusal::EnPassantExpired { .. }
        | Refusal::CastlingRightLost { .. }
        | Refusal::CastlingBlocked { .. }
        | Refusal::CastlingInCheck { .. }
        | Refusal::CastlingThroughAttack { .. }
        | Refusal::CastlingIntoAttack { .. } => 5,
        Refusal::Pinned { .. }
        | Refusal::LeavesKingInCheck { .. }
        | Refusal::KingAttacked { .. }
        | Refusal::EnPassantUncoversCheck { .. } => 6,
        Refusal::PromotionMissing { .. } | Refusal::PromotionImpossible { .. } => 7,
    }
}

/// The number of king moves between two squares.
fn distance(one: Square, other: Square) -> u8 {
    let files = (one.file() as u8).abs_diff(other.file() as u8);
    let ranks = (one.rank() as u8).abs_diff(other.rank() as u8);
    files.max(ranks)
}
