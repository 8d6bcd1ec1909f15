//! What a move wins or loses when both sides go on taking on its target, and whether it gives
//! check.

use crate::moves::Kind;
use crate::sliders::{self, Sliders, Task};
use crate::{Bitboard, Move, Position, Role, Square, attacks};

/// What pieces are worth in an exchange, in hundredths of a pawn. The king takes last, and only
/// when nothing takes back.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// What a kind of piece is worth in an exchange.
///
/// ```
/// use hansu_chess::{Role, exchange_value};
/// assert_eq!(exchange_value(Role::Rook), 500);
/// ```
#[inline(always)]
pub const fn exchange_value(role: Role) -> i32 {
    VALUES[role as usize]
}

impl Position {
    /// True if a move wins at least `threshold` (in hundredths of a pawn) when both sides go on
    /// taking on its target with the least valuable piece, and stop when that is better. Pins are
    /// not looked at.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let position: Position = "4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1".parse()?;
    /// let step = position.judge(Square::F3, Square::E5, None)?;
    /// assert!(position.see_at_least(step, -220));
    /// assert!(!position.see_at_least(step, -219));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn see_at_least(&self, step: Move, threshold: i32) -> bool {
        let mut occupied = self.board.occupied() - Bitboard::of(step.from);
        let mut won = self.taken(step).map_or(0, exchange_value);
        let mut standing = exchange_value(step.role);
        match step.kind {
            Kind::Castle => return threshold <= 0,
            Kind::Promotion(role) => {
                won += exchange_value(role) - exchange_value(Role::Pawn);
                standing = exchange_value(role);
            }
            Kind::EnPassant => {
                let taken = Square::new(step.to.file(), step.from.rank());
                occupied = occupied - Bitboard::of(taken);
            }
            Kind::Plain | Kind::DoubleStep => {}
        }
        let balance = won - threshold;
        if balance < 0 {
            return false;
        }
        if balance >= standing {
            return true;
        }
        occupied |= Bitboard::of(step.to);
        sliders::run(Exchange { position: self, to: step.to, occupied, balance, standing })
    }

    /// True if the other side is in check after a move.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
    /// assert!(position.gives_check(position.judge(Square::A1, Square::A8, None)?));
    /// assert!(!position.gives_check(position.judge(Square::A1, Square::A7, None)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gives_check(&self, step: Move) -> bool {
        let Move { from, to, role, kind: Kind::Plain | Kind::DoubleStep } = step else {
            return self.play(step).is_check();
        };
        let king = self.king(!self.turn);
        let occupied = (self.board.occupied() - Bitboard::of(from)) | Bitboard::of(to);
        let uncovers = !attacks::line(king, from).is_empty();
        let direct = match role {
            Role::Pawn => attacks::pawn(self.turn, to).contains(king),
            Role::Knight => attacks::knight(to).contains(king),
            Role::King => false,
            Role::Bishop | Role::Rook | Role::Queen => {
                attacks::piece(role.of(self.turn), to, Bitboard::EMPTY).contains(king)
                    && !attacks::between(to, king).meets(occupied)
            }
        };
        direct || uncovers && self.uncovers_check(king, from, occupied)
    }

    /// True if a slider of the side to move other than the moved piece attacks the king now.
    fn uncovers_check(&self, king: Square, from: Square, occupied: Bitboard) -> bool {
        let queens = self.board.of_role(Role::Queen);
        let ours = self.board.of_color(self.turn) - Bitboard::of(from);
        let line = attacks::line(king, from);
        let sliders = (self.board.of_role(Role::Bishop) | queens)
            & ours
            & attacks::bishop(king, Bitboard::EMPTY)
            | (self.board.of_role(Role::Rook) | queens)
                & ours
                & attacks::rook(king, Bitboard::EMPTY);
        (sliders & line).into_iter().any(|by| !attacks::between(king, by).meets(occupied))
    }
}

/// The taking back and forth after the first move.
struct Exchange<'a> {
    position: &'a Position,
    to: Square,
    occupied: Bitboard,
    /// What the side that has just taken is ahead of what was asked, not below 0.
    balance: i32,
    /// What the piece on the target is worth.
    standing: i32,
}

impl Task for Exchange<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> bool {
        let Exchange { position, to, mut occupied, mut balance, standing } = self;
        let board = &position.board;
        let queens = board.of_role(Role::Queen);
        let diagonal = board.of_role(Role::Bishop) | queens;
        let straight = board.of_role(Role::Rook) | queens;
        let mut attackers = board.attackers_with(sliders, to, position.turn, occupied)
            | board.attackers_with(sliders, to, !position.turn, occupied);
        let mut side = position.turn;
        // `balance` is seen from the side that took last: what is left when the piece is lost.
        balance -= standing;
        loop {
            side = !side;
            attackers &= occupied;
            let ours = attackers & board.of_color(side);
            if ours.is_empty() {
                break;
            }
            let Some(role) = Role::ALL.into_iter().find(|&role| ours.meets(board.of_role(role)))
            else {
                break;
            };
            if role == Role::King && (attackers - ours).meets(board.of_color(!side)) {
                // The king may not take what is protected.
                break;
            }
            let by = (ours & board.of_role(role)).first_or_a1();
            occupied = occupied - Bitboard::of(by);
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= sliders.bishop(to, occupied) & diagonal;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= sliders.rook(to, occupied) & straight;
            }
            balance = -balance - 1 - exchange_value(role);
            if balance >= 0 {
                side = !side;
                break;
            }
        }
        // The side that cannot or need not go on has lost the question.
        side != position.turn
    }
}
