//! Pawns that are locked for ever, and positions that are dead because of them.
//!
//! A position is dead when no series of legal moves leads to mate (FIDE 5.2.2). With pawns this is
//! hard to prove in general and easy where every pawn stands behind another pawn and nothing can
//! ever be captured by a pawn, or take one: then the pawns are walls, and only kings and bishops
//! move. Everything here overrates what the pieces can do (they pass through each other, and kings
//! may stand side by side), so that `true` is a proof and `false` means "not proven".

use crate::attacks;
use crate::{Bitboard, Color, Piece, Position, Role, Square};

/// One side behind its locked pawns.
struct Side {
    pawns: Bitboard,
    /// What the pawns attack.
    guarded: Bitboard,
    /// Where the king may ever stand.
    king: Bitboard,
    /// Where a bishop may ever stand.
    bishops: Bitboard,
}

impl Position {
    /// True if the pawns are locked for ever and neither side can give mate behind them.
    ///
    /// `false` means that it was not proven. Positions without pawns are left to
    /// [`Position::is_dead`].
    ///
    /// ```
    /// use hansu_chess::Position;
    /// let wall: Position = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1".parse()?;
    /// assert!(wall.is_locked());
    /// let gap: Position = "4k3/8/8/p1p3p1/P1P3P1/8/8/4K3 w - - 0 1".parse()?;
    /// assert!(!gap.is_locked());
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn is_locked(&self) -> bool {
        let board = &self.board;
        let pawns = board.of_role(Role::Pawn);
        let others =
            board.of_role(Role::Knight) | board.of_role(Role::Rook) | board.of_role(Role::Queen);
        let ahead = |color| match color {
            Color::White => Bitboard(self.pawns(color).0 << 8),
            Color::Black => Bitboard(self.pawns(color).0 >> 8),
        };
        if pawns.is_empty()
            || !others.is_empty()
            || !((ahead(Color::White) | ahead(Color::Black)) - pawns).is_empty()
            || self.en_passant.is_some()
        {
            return false;
        }
        let Some(white) = self.side(Color::White) else { return false };
        let Some(black) = self.side(Color::Black) else { return false };
        !white.can_be_disturbed(&black)
            && !black.can_be_disturbed(&white)
            && !white.can_be_mated(&black)
            && !black.can_be_mated(&white)
    }

    fn pawns(&self, color: Color) -> Bitboard {
        self.board.of(Piece { color, role: Role::Pawn })
    }

    /// Where a side's pieces may ever stand; `None` when one of them may take a pawn, or a pawn may
    /// take a pawn.
    fn side(&self, color: Color) -> Option<Side> {
        let guarded_by = |color| {
            let pawns = self.pawns(color).into_iter();
            pawns.fold(Bitboard::EMPTY, |all, from| all | attacks::pawn(color, from))
        };
        let (pawns, theirs) = (self.pawns(color), self.pawns(!color));
        let (guarded, forbidden) = (guarded_by(color), guarded_by(!color));
        let king =
            flood(Bitboard::of(self.king(color)), |from| attacks::king(from) - pawns - forbidden);
        let bishop = Piece { color, role: Role::Bishop };
        let bishops =
            flood(self.board.of(bishop), |from| attacks::bishop(from, pawns | theirs) - pawns);
        let takes_pawns = (guarded | king | bishops).meets(theirs);
        (!takes_pawns).then_some(Side { pawns, guarded, king, bishops })
    }
}

impl Side {
    /// True if the pawns give check now, or may take a bishop: a bishop that is taken unlocks one.
    fn can_be_disturbed(&self, by: &Side) -> bool {
        self.guarded.meets(by.king | by.bishops)
    }

    /// True if there is a square where the king could be in check with all squares around it
    /// denied, wherever the pieces come from.
    fn can_be_mated(&self, by: &Side) -> bool {
        let denied = self.pawns | self.bishops | by.pawns | by.guarded | by.bishops;
        (self.king & by.bishops).into_iter().any(|at| {
            let open = attacks::king(at) - denied;
            let elsewhere = by.king - attacks::king(at) - Bitboard::of(at);
            elsewhere.into_iter().any(|opponent| (open - attacks::king(opponent)).is_empty())
        })
    }
}

/// All squares that steps lead to, the first ones included.
fn flood(first: Bitboard, steps: impl Fn(Square) -> Bitboard) -> Bitboard {
    let (mut reached, mut fresh) = (first, first);
    while let Some(from) = fresh.pop() {
        let new = steps(from) - reached;
        reached |= new;
        fresh |= new;
    }
    reached
}
