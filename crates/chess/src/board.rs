//! Where the pieces stand, and nothing else.

use crate::{Bitboard, Color, Piece, Role, Square};

/// Pieces on squares: at most one on each, otherwise unchecked.
///
/// ```
/// use hansu_chess::{Board, Color, Role, Square};
/// let mut board = Board::start();
/// assert_eq!(board.piece_at(Square::E1), Some(Role::King.of(Color::White)));
/// board.set(Square::E4, Some(Role::Queen.of(Color::Black)));
/// board.set(Square::E2, None);
/// assert_eq!(board.occupied().len(), 32);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    pub(crate) roles: [Bitboard; 6],
    pub(crate) colors: [Bitboard; 2],
}

impl Board {
    /// A board with nothing on it.
    ///
    /// ```
    /// # use hansu_chess::Board;
    /// assert!(Board::empty().occupied().is_empty());
    /// ```
    pub const fn empty() -> Board {
        Board { roles: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2] }
    }

    /// The starting set-up.
    ///
    /// ```
    /// # use hansu_chess::Board;
    /// assert_eq!(Board::start().occupied().len(), 32);
    /// ```
    pub const fn start() -> Board {
        Board {
            roles: [
                Bitboard(0x00ff_0000_0000_ff00),
                Bitboard(0x4200_0000_0000_0042),
                Bitboard(0x2400_0000_0000_0024),
                Bitboard(0x8100_0000_0000_0081),
                Bitboard(0x0800_0000_0000_0008),
                Bitboard(0x1000_0000_0000_0010),
            ],
            colors: [Bitboard(0xffff), Bitboard(0xffff << 48)],
        }
    }

    /// The squares with a piece on them.
    ///
    /// ```
    /// # use hansu_chess::{Board, Square};
    /// assert!(!Board::start().occupied().contains(Square::E4));
    /// ```
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0].0 | self.colors[1].0)
    }

    /// The squares of one side's pieces.
    ///
    /// ```
    /// # use hansu_chess::{Board, Color};
    /// assert_eq!(Board::start().of_color(Color::Black).len(), 16);
    /// ```
    #[inline(always)]
    pub const fn of_color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The squares of one kind of piece, of both sides.
    ///
    /// ```
    /// # use hansu_chess::{Board, Role};
    /// assert_eq!(Board::start().of_role(Role::Pawn).len(), 16);
    /// ```
    #[inline(always)]
    pub const fn of_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// The squares of one kind of piece of one side.
    ///
    /// ```
    /// # use hansu_chess::{Board, Color, Role};
    /// assert_eq!(Board::start().of(Role::Pawn.of(Color::White)).len(), 8);
    /// ```
    #[inline(always)]
    pub const fn of(&self, piece: Piece) -> Bitboard {
        Bitboard(self.roles[piece.role as usize].0 & self.colors[piece.color as usize].0)
    }

    /// The kind of piece on a square.
    ///
    /// ```
    /// # use hansu_chess::{Board, Role, Square};
    /// assert_eq!(Board::start().role_at(Square::D8), Some(Role::Queen));
    /// ```
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.of_role(role).contains(square))
    }

    /// Whose piece is on a square.
    ///
    /// ```
    /// # use hansu_chess::{Board, Color, Square};
    /// assert_eq!(Board::start().color_at(Square::D8), Some(Color::Black));
    /// ```
    #[inline]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.of_color(color).contains(square))
    }

    /// The piece on a square.
    ///
    /// ```
    /// # use hansu_chess::{Board, Square};
    /// assert_eq!(Board::start().piece_at(Square::E4), None);
    /// ```
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Some(Piece { color: self.color_at(square)?, role: self.role_at(square)? })
    }

    /// The piece on a square that is known to be occupied, found without a branch.
    #[inline(always)]
    pub(crate) fn piece_on(&self, square: Square) -> Piece {
        let on = |role: Role| usize::from(self.of_role(role).contains(square));
        let role = on(Role::Knight)
            + 2 * on(Role::Bishop)
            + 3 * on(Role::Rook)
            + 4 * on(Role::Queen)
            + 5 * on(Role::King);
        let black = self.of_color(Color::Black).contains(square);
        Piece { color: Color::ALL[usize::from(black)], role: Role::ALL[role % 6] }
    }

    /// Puts a piece on a square, or empties it.
    ///
    /// ```
    /// # use hansu_chess::{Board, Square};
    /// let mut board = Board::start();
    /// board.set(Square::A1, None);
    /// assert_eq!(board.piece_at(Square::A1), None);
    /// ```
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        let at = Bitboard::of(square);
        for set in self.roles.iter_mut().chain(&mut self.colors) {
            *set = *set - at;
        }
        if let Some(piece) = piece {
            self.roles[piece.role as usize] |= at;
            self.colors[piece.color as usize] |= at;
        }
    }

    /// The pieces with their squares, `a1` first.
    ///
    /// ```
    /// # use hansu_chess::Board;
    /// let letters: String = Board::start().pieces().take(3).map(|(_, p)| p.letter()).collect();
    /// assert_eq!(letters, "RNB");
    /// ```
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// Where a side's king stands. (A [`Position`](crate::Position) always has one; the first if
    /// there are several.)
    ///
    /// ```
    /// # use hansu_chess::{Board, Color, Square};
    /// assert_eq!(Board::start().king(Color::Black), Some(Square::E8));
    /// ```
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.of(Role::King.of(color)).first()
    }

    /// The pieces of a side that attack a square when these squares are occupied.
    ///
    /// ```
    /// # use hansu_chess::{Bitboard, Board, Color, Square};
    /// let board = Board::start();
    /// let by = board.attackers(Square::F3, Color::White, board.occupied());
    /// assert_eq!(by.len(), 3); // the pawns e2 and g2, the knight g1
    /// ```
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        struct Attackers<'a>(&'a Board, Square, Color, Bitboard);
        impl crate::sliders::Task for Attackers<'_> {
            type Output = Bitboard;
            #[inline(always)]
            fn run<S: crate::sliders::Sliders>(self, sliders: S) -> Bitboard {
                self.0.attackers_with(sliders, self.1, self.2, self.3)
            }
        }
        crate::sliders::run(Attackers(self, square, by, occupied))
    }

    #[inline(always)]
    pub(crate) fn attackers_with<S: crate::sliders::Sliders>(
        &self,
        sliders: S,
        square: Square,
        by: Color,
        occupied: Bitboard,
    ) -> Bitboard {
        use crate::attacks::{king, knight, pawn};
        let queens = self.of_role(Role::Queen);
        let all = pawn(!by, square) & self.of_role(Role::Pawn)
            | knight(square) & self.of_role(Role::Knight)
            | king(square) & self.of_role(Role::King)
            | sliders.bishop(square, occupied) & (self.of_role(Role::Bishop) | queens)
            | sliders.rook(square, occupied) & (self.of_role(Role::Rook) | queens);
        all & self.of_color(by)
    }

    /// The squares that the pieces of a side attack.
    ///
    /// ```
    /// # use hansu_chess::{Board, Color};
    /// let attacked = Board::start().attacked_by(Color::White);
    /// // All of the first three ranks but the corners, which nothing guards.
    /// assert_eq!(attacked.len(), 22);
    /// ```
    pub fn attacked_by(&self, by: Color) -> Bitboard {
        struct Attacked<'a>(&'a Board, Color);
        impl crate::sliders::Task for Attacked<'_> {
            type Output = Bitboard;
            #[inline(always)]
            fn run<S: crate::sliders::Sliders>(self, sliders: S) -> Bitboard {
                let Attacked(board, by) = self;
                let (own, occupied) = (board.of_color(by), board.occupied());
                let queens = board.of_role(Role::Queen);
                let mut attacked = crate::attacks::pawns(by, board.of_role(Role::Pawn) & own);
                for from in board.of_role(Role::Knight) & own {
                    attacked |= crate::attacks::knight(from);
                }
                for from in (board.of_role(Role::Bishop) | queens) & own {
                    attacked |= sliders.bishop(from, occupied);
                }
                for from in (board.of_role(Role::Rook) | queens) & own {
                    attacked |= sliders.rook(from, occupied);
                }
                for from in board.of_role(Role::King) & own {
                    attacked |= crate::attacks::king(from);
                }
                attacked
            }
        }
        crate::sliders::run(Attacked(self, by))
    }

    /// The board mirrored from top to bottom, colours exchanged.
    ///
    /// ```
    /// # use hansu_chess::Board;
    /// assert_eq!(Board::start().mirrored(), Board::start());
    /// ```
    pub fn mirrored(&self) -> Board {
        let [white, black] = self.colors;
        Board {
            roles: self.roles.map(Bitboard::mirrored),
            colors: [black.mirrored(), white.mirrored()],
        }
    }
}
