//! The judge: if a move is not legal, why, with the squares that prove it.
//!
//! It shares no code with the generator beyond tables and attacks; that the two agree on every
//! triple of from, to and promotion is the first law of this crate's tests.

use crate::attacks::{self, between};
use crate::castling::Wing;
use crate::castling::castling_targets;
use crate::moves::{CastlingSide, Kind};
use crate::{Bitboard, Board, Color, Move, Position, Rank, Role, Square};

/// Why a move is refused. Squares named `by` hold the pieces that prove it.
///
/// ```
/// use hansu_chess::{Bitboard, Position, Refusal, Square};
/// let position: Position = "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1".parse()?;
/// let refusal = position.refusal(Square::C3, Square::D5, None).unwrap();
/// assert!(matches!(refusal, Refusal::Pinned { by: Square::B4, .. }));
/// assert_eq!(refusal.code(), "pinned");
/// assert_eq!(refusal.by(), Bitboard::of(Square::B4));
/// # Ok::<(), hansu_chess::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Refusal {
    /// The game has ended.
    GameOver,
    /// Nothing stands on the square.
    NoPiece {
        /// The empty square.
        at: Square,
    },
    /// The piece there is the opponent's.
    NotYourPiece {
        /// Where it stands.
        at: Square,
    },
    /// The piece would stay where it is.
    SameSquare {
        /// Where it stands.
        at: Square,
    },
    /// A piece of one's own stands on the target.
    OwnPiece {
        /// The target.
        at: Square,
    },
    /// This kind of piece does not move so.
    NotItsMove {
        /// The kind of piece.
        role: Role,
        /// Where it stands.
        at: Square,
    },
    /// A piece stands in the way.
    Blocked {
        /// The nearest piece in the way.
        at: Square,
    },
    /// A pawn moves diagonally only to take something.
    NothingToCapture {
        /// The empty target.
        at: Square,
    },
    /// A pawn cannot step onto or over a piece.
    PawnBlocked {
        /// The piece before it.
        at: Square,
    },
    /// A pawn steps two squares only from where it started.
    NoDoubleStep {
        /// Where the pawn stands.
        at: Square,
    },
    /// The piece would leave the line between its king and an attacker.
    Pinned {
        /// The pinned piece.
        at: Square,
        /// The attacker.
        by: Square,
        /// The line from the king to the attacker, both included.
        line: Bitboard,
    },
    /// The king is in check, and would still be.
    LeavesKingInCheck {
        /// Where the king stands.
        king: Square,
        /// The pieces that would still give check.
        by: Bitboard,
    },
    /// The king would step onto an attacked square.
    KingAttacked {
        /// The target.
        at: Square,
        /// The pieces that attack it.
        by: Bitboard,
    },
    /// Castling towards this rook is no longer allowed.
    CastlingRightLost {
        /// Where the rook stands or stood.
        rook: Square,
        /// Why the right is lost.
        lost: Lost,
    },
    /// A piece stands between, or where king or rook would arrive.
    CastlingBlocked {
        /// The piece in the way, the nearest to the king.
        at: Square,
    },
    /// One does not castle out of check.
    CastlingInCheck {
        /// Where the king stands.
        king: Square,
        /// The pieces that give check.
        by: Bitboard,
    },
    /// The king would cross an attacked square.
    CastlingThroughAttack {
        /// The square.
        at: Square,
        /// The pieces that attack it.
        by: Bitboard,
    },
    /// The king would arrive on an attacked square.
    CastlingIntoAttack {
        /// The square.
        at: Square,
        /// The pieces that attack it.
        by: Bitboard,
    },
    /// En passant is possible only directly after the other pawn's double step.
    EnPassantExpired {
        /// The pawn that cannot be taken.
        pawn: Square,
    },
    /// With both pawns gone from the rank the king would be in check.
    EnPassantUncoversCheck {
        /// Where the king stands.
        king: Square,
        /// The pieces that would give check.
        by: Bitboard,
    },
    /// A pawn that reaches the last rank must become something.
    PromotionMissing {
        /// The square it reaches.
        at: Square,
    },
    /// Only a pawn on the last rank is promoted, and only to queen, rook, bishop or knight.
    PromotionImpossible {
        /// The target.
        at: Square,
    },
}

/// Why a castling right is lost.
///
/// ```
/// use hansu_chess::{Game, Lost, Refusal, Square};
/// let mut game = Game::start();
/// for step in ["Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7", "Rg1", "a6", "Rh1", "a5"] {
///     game.play_san(step)?;
/// }
/// assert_eq!(
///     game.refusal(Square::E1, Square::G1, None),
///     Some(Refusal::CastlingRightLost { rook: Square::H1, lost: Lost::RookMoved })
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lost {
    /// The history is not known.
    Unknown,
    /// The king has moved.
    KingMoved,
    /// The rook has moved.
    RookMoved,
    /// The rook was taken.
    RookTaken,
}

impl Refusal {
    /// A short code for programs; it never changes.
    ///
    /// ```
    /// # use hansu_chess::Refusal;
    /// assert_eq!(Refusal::GameOver.code(), "game_over");
    /// ```
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::GameOver => "game_over",
            Refusal::NoPiece { .. } => "no_piece",
            Refusal::NotYourPiece { .. } => "not_your_piece",
            Refusal::SameSquare { .. } => "same_square",
            Refusal::OwnPiece { .. } => "own_piece",
            Refusal::NotItsMove { .. } => "not_its_move",
            Refusal::Blocked { .. } => "blocked",
            Refusal::NothingToCapture { .. } => "nothing_to_capture",
            Refusal::PawnBlocked { .. } => "pawn_blocked",
            Refusal::NoDoubleStep { .. } => "no_double_step",
            Refusal::Pinned { .. } => "pinned",
            Refusal::LeavesKingInCheck { .. } => "leaves_king_in_check",
            Refusal::KingAttacked { .. } => "king_attacked",
            Refusal::CastlingRightLost { lost, .. } => match lost {
                Lost::Unknown => "castling_right_lost",
                Lost::KingMoved => "castling_king_moved",
                Lost::RookMoved => "castling_rook_moved",
                Lost::RookTaken => "castling_rook_taken",
            },
            Refusal::CastlingBlocked { .. } => "castling_blocked",
            Refusal::CastlingInCheck { .. } => "castling_in_check",
            Refusal::CastlingThroughAttack { .. } => "castling_through_attack",
            Refusal::CastlingIntoAttack { .. } => "castling_into_attack",
            Refusal::EnPassantExpired { .. } => "en_passant_expired",
            Refusal::EnPassantUncoversCheck { .. } => "en_passant_uncovers_check",
            Refusal::PromotionMissing { .. } => "promotion_missing",
            Refusal::PromotionImpossible { .. } => "promotion_impossible",
        }
    }

    /// The squares in question, without those of [`Refusal::by`].
    ///
    /// ```
    /// # use hansu_chess::{Bitboard, Refusal, Square};
    /// let refusal = Refusal::Blocked { at: Square::E4 };
    /// assert_eq!(refusal.squares(), Bitboard::of(Square::E4));
    /// ```
    pub fn squares(&self) -> Bitboard {
        match *self {
            Refusal::GameOver => Bitboard::EMPTY,
            Refusal::Pinned { by, line, .. } => line - Bitboard::of(by),
            Refusal::NoPiece { at }
            | Refusal::NotYourPiece { at }
            | Refusal::SameSquare { at }
            | Refusal::OwnPiece { at }
            | Refusal::NotItsMove { at, .. }
            | Refusal::Blocked { at }
            | Refusal::NothingToCapture { at }
            | Refusal::PawnBlocked { at }
            | Refusal::NoDoubleStep { at }
            | Refusal::KingAttacked { at, .. }
            | Refusal::CastlingBlocked { at }
            | Refusal::CastlingThroughAttack { at, .. }
            | Refusal::CastlingIntoAttack { at, .. }
            | Refusal::PromotionMissing { at }
            | Refusal::PromotionImpossible { at }
            | Refusal::CastlingRightLost { rook: at, .. }
            | Refusal::EnPassantExpired { pawn: at }
            | Refusal::LeavesKingInCheck { king: at, .. }
            | Refusal::CastlingInCheck { king: at, .. }
            | Refusal::EnPassantUncoversCheck { king: at, .. } => Bitboard::of(at),
        }
    }

    /// The squares of the enemy's pieces that forbid the move.
    ///
    /// ```
    /// # use hansu_chess::{Bitboard, Refusal};
    /// assert_eq!(Refusal::GameOver.by(), Bitboard::EMPTY);
    /// ```
    pub fn by(&self) -> Bitboard {
        match *self {
            Refusal::Pinned { by, .. } => Bitboard::of(by),
            Refusal::LeavesKingInCheck { by, .. }
            | Refusal::KingAttacked { by, .. }
            | Refusal::CastlingInCheck { by, .. }
            | Refusal::CastlingThroughAttack { by, .. }
            | Refusal::CastlingIntoAttack { by, .. }
            | Refusal::EnPassantUncoversCheck { by, .. } => by,
            _ => Bitboard::EMPTY,
        }
    }
}

impl std::fmt::Display for Refusal {
    /// The code; sentences for users are not part of this crate.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

impl std::error::Error for Refusal {}

impl Position {
    /// The legal move from a square to another, or the reason against it. A king castles by moving
    /// to where castling takes it or onto its own rook.
    ///
    /// # Errors
    ///
    /// Why the move is not legal.
    ///
    /// ```
    /// use hansu_chess::{Position, Refusal, Square};
    /// let position = Position::start();
    /// assert!(position.judge(Square::E2, Square::E4, None).is_ok());
    /// assert_eq!(
    ///     position.judge(Square::A1, Square::A3, None),
    ///     Err(Refusal::Blocked { at: Square::A2 })
    /// );
    /// ```
    pub fn judge(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, Refusal> {
        let piece = self.board.piece_at(from).ok_or(Refusal::NoPiece { at: from })?;
        if piece.color != self.turn {
            return Err(Refusal::NotYourPiece { at: from });
        }
        if from == to {
            return Err(Refusal::SameSquare { at: from });
        }
        let role = piece.role;
        let kind = match role {
            Role::King => match self.castling_attempt(from, to) {
                Some(rook) => {
                    self.judge_castling(from, rook)?;
                    no_promotion(promotion, to)?;
                    return Ok(Move { from, to: rook, role, kind: Kind::Castle });
                }
                None => self.reach(role, from, to)?,
            },
            Role::Pawn => self.pawn_reach(from, to)?,
            _ => self.reach(role, from, to)?,
        };
        self.keeps_king_safe(role, kind, from, to)?;
        let last = Rank::Eighth.seen_by(self.turn);
        let kind = match promotion {
            Some(becomes) if role == Role::Pawn && to.rank() == last => {
                if !Role::PROMOTIONS.contains(&becomes) {
                    return Err(Refusal::PromotionImpossible { at: to });
                }
                Kind::Promotion(becomes)
            }
            None if role == Role::Pawn && to.rank() == last => {
                return Err(Refusal::PromotionMissing { at: to });
            }
            _ => {
                no_promotion(promotion, to)?;
                kind
            }
        };
        Ok(Move { from, to, role, kind })
    }

    /// Why a move is not legal; `None` exactly when it is.
    ///
    /// ```
    /// use hansu_chess::{Position, Refusal, Square};
    /// let position = Position::start();
    /// assert_eq!(position.refusal(Square::E2, Square::E4, None), None);
    /// assert_eq!(
    ///     position.refusal(Square::E7, Square::E5, None),
    ///     Some(Refusal::NotYourPiece { at: Square::E7 })
    /// );
    /// ```
    pub fn refusal(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Refusal> {
        self.judge(from, to, promotion).err()
    }

    /// True if a piece other than a pawn reaches a square, leaving its king aside.
    fn reach(&self, role: Role, from: Square, to: Square) -> Result<Kind, Refusal> {
        if self.board.of_color(self.turn).contains(to) {
            return Err(Refusal::OwnPiece { at: to });
        }
        if !attacks::piece(role.of(self.turn), from, Bitboard::EMPTY).contains(to) {
            return Err(Refusal::NotItsMove { role, at: from });
        }
        // Nothing is between two squares that a knight or a king goes between.
        match nearest(between(from, to) & self.board.occupied(), from) {
            Some(at) => Err(Refusal::Blocked { at }),
            None => Ok(Kind::Plain),
        }
    }

    fn pawn_reach(&self, from: Square, to: Square) -> Result<Kind, Refusal> {
        let forward = if self.turn == Color::White { 1 } else { -1 };
        let occupied = self.board.occupied();
        if self.board.of_color(self.turn).contains(to) && from.file() != to.file() {
            return Err(Refusal::OwnPiece { at: to });
        }
        if attacks::pawn(self.turn, from).contains(to) {
            if occupied.contains(to) {
                return Ok(Kind::Plain);
            }
            if self.stepped_over == Some(to) {
                return Ok(Kind::EnPassant);
            }
            let beside = Square::new(to.file(), from.rank());
            let could_have = from.rank() == Rank::Fifth.seen_by(self.turn)
                && self.board.of(Role::Pawn.of(!self.turn)).contains(beside);
            return Err(if could_have {
                Refusal::EnPassantExpired { pawn: beside }
            } else {
                Refusal::NothingToCapture { at: to }
            });
        }
        let (one, two) = (from.offset(0, forward), from.offset(0, 2 * forward));
        if Some(to) != one && Some(to) != two {
            return Err(Refusal::NotItsMove { role: Role::Pawn, at: from });
        }
        let double = Some(to) == two;
        if double && from.rank() != Rank::Second.seen_by(self.turn) {
            return Err(Refusal::NoDoubleStep { at: from });
        }
        let way = between(from, to) | Bitboard::of(to);
        match nearest(way & occupied, from) {
            Some(at) => Err(Refusal::PawnBlocked { at }),
            None if double => Ok(Kind::DoubleStep),
            None => Ok(Kind::Plain),
        }
    }

    /// True if the king is safe after a move that the piece itself could make.
    fn keeps_king_safe(
        &self,
        role: Role,
        kind: Kind,
        from: Square,
        to: Square,
    ) -> Result<(), Refusal> {
        let them = !self.turn;
        let king = self.king(self.turn);
        let taken = match kind {
            Kind::EnPassant => Square::new(to.file(), from.rank()),
            _ => to,
        };
        let gone = Bitboard::of(from) | Bitboard::of(taken);
        let occupied = (self.board.occupied() - gone) | Bitboard::of(to);
        if role == Role::King {
            let by = self.board.attackers(to, them, occupied) - Bitboard::of(to);
            return if by.is_empty() { Ok(()) } else { Err(Refusal::KingAttacked { at: to, by }) };
        }
        let by = self.board.attackers(king, them, occupied) - Bitboard::of(taken);
        if by.is_empty() {
            return Ok(());
        }
        let uncovered = by - self.checkers();
        // With both pawns between king and attacker, neither is pinned alone.
        let pinner = uncovered.into_iter().find(|&by| {
            let line = between(king, by);
            line.contains(from) && !line.contains(taken)
        });
        Err(match pinner {
            Some(by) => {
                let ends = Bitboard::of(king) | Bitboard::of(by);
                Refusal::Pinned { at: from, by, line: between(king, by) | ends }
            }
            None if uncovered.is_empty() => Refusal::LeavesKingInCheck { king, by },
            None => Refusal::EnPassantUncoversCheck { king, by: uncovered },
        })
    }

    /// The rook with which a king's move means to castle: its own rook as target, or two squares
    /// towards one from where kings start.
    fn castling_attempt(&self, from: Square, to: Square) -> Option<Square> {
        let home = Rank::First.seen_by(self.turn);
        if from.rank() != home || to.rank() != home {
            return None;
        }
        let rights = self.castling & Bitboard::rank(home);
        let own_rook = self.board.of(Role::Rook.of(self.turn)).contains(to);
        if own_rook && (rights.contains(to) || self.on_king_start(from)) {
            return Some(to);
        }
        if attacks::king(from).contains(to) {
            return None;
        }
        let side = CastlingSide::of(from, to);
        if to.file() != side.king_file() {
            return None;
        }
        let allowed = rights.into_iter().find(|&rook| CastlingSide::of(from, rook) == side);
        let corner = match side {
            CastlingSide::King => crate::File::H,
            CastlingSide::Queen => crate::File::A,
        };
        allowed.or_else(|| self.on_king_start(from).then(|| Square::new(corner, home)))
    }

    fn on_king_start(&self, square: Square) -> bool {
        Board::start().king(self.turn) == Some(square)
    }

    fn judge_castling(&self, king: Square, rook: Square) -> Result<(), Refusal> {
        if !self.castling.contains(rook) {
            return Err(Refusal::CastlingRightLost { rook, lost: Lost::Unknown });
        }
        let occupied = self.board.occupied();
        let wing = Wing::new(king.file() as u8, rook.file() as u8);
        let on_rank = |files: u8| Bitboard(u64::from(files) << (king as u32 & 56));
        if let Some(at) = nearest(on_rank(wing.path) & occupied, king) {
            return Err(Refusal::CastlingBlocked { at });
        }
        let by = self.checkers();
        if !by.is_empty() {
            return Err(Refusal::CastlingInCheck { king, by });
        }
        let (king_to, rook_to) = castling_targets(king, rook);
        let mut walk = on_rank(wing.walk);
        while let Some(at) = nearest(walk, king) {
            walk = walk - Bitboard::of(at);
            let by = self.board.attackers(at, !self.turn, occupied - Bitboard::of(king));
            if !by.is_empty() {
                return Err(if at == king_to {
                    Refusal::CastlingIntoAttack { at, by }
                } else {
                    Refusal::CastlingThroughAttack { at, by }
                });
            }
        }
        let gone = Bitboard::of(king) | Bitboard::of(rook);
        let after = (occupied - gone) | Bitboard::of(rook_to);
        let by = self.board.attackers(king_to, !self.turn, after);
        if by.is_empty() { Ok(()) } else { Err(Refusal::CastlingIntoAttack { at: king_to, by }) }
    }
}

fn no_promotion(promotion: Option<Role>, to: Square) -> Result<(), Refusal> {
    match promotion {
        Some(_) => Err(Refusal::PromotionImpossible { at: to }),
        None => Ok(()),
    }
}

/// The square of a set that is nearest to another, along ranks and files.
fn nearest(squares: Bitboard, to: Square) -> Option<Square> {
    let distance = |square: Square| {
        let files = (square.file() as i32 - to.file() as i32).abs();
        let ranks = (square.rank() as i32 - to.rank() as i32).abs();
        files.max(ranks)
    };
    squares.into_iter().min_by_key(|&square| distance(square))
}
