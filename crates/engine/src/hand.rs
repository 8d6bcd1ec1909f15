//! The handwritten evaluation: material, squares, mobility, pawns, kings. It made the first
//! training data for the net, and is used where there is no net.

use hansu_chess::{Bitboard, Color, Position, Role, Square, attacks};

/// A value in the middlegame and in the endgame.
type Pair = [i32; 2];

const MATERIAL: [Pair; 6] = [[88, 112], [335, 315], [350, 335], [475, 550], [985, 1030], [0, 0]];

/// How much each role counts towards the middlegame.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

const TEMPO: i32 = 14;

/// Bonus of a passed pawn, by its rank as its own side sees it.
const PASSED: [Pair; 8] =
    [[0, 0], [0, 8], [2, 14], [8, 30], [26, 58], [52, 104], [85, 165], [0, 0]];

const ISOLATED: Pair = [-12, -13];
const DOUBLED: Pair = [-7, -18];
const PAWN_PROTECTED: Pair = [9, 7];
const BISHOP_PAIR: Pair = [26, 48];
const ROOK_OPEN: Pair = [28, 8];
const ROOK_HALF_OPEN: Pair = [12, 8];
const SHIELD: i32 = 10;
const PAWN_THREAT: Pair = [42, 34];

/// By role: the usual number of targets, and the value of each one more.
const MOBILITY: [(i32, Pair); 6] =
    [(0, [0, 0]), (4, [5, 5]), (6, [5, 6]), (7, [3, 6]), (13, [2, 5]), (0, [0, 0])];

/// By role: the danger for each attacked square on or beside the enemy king.
const ATTACK: [i32; 6] = [0, 4, 4, 5, 7, 0];

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// The value of a square for a role, as White sees the board.
const fn square_value(role: usize, square: usize) -> Pair {
    let (file, rank) = ((square % 8) as i32, (square / 8) as i32);
    let near_file = if file < 4 { file } else { 7 - file };
    let near_rank = if rank < 4 { rank } else { 7 - rank };
    let centre = near_file + near_rank;
    match role {
        0 => {
            let middle = if near_file == 3 {
                9
            } else if near_file == 2 {
                3
            } else {
                0
            };
            let forward = [0, 0, 1, 2, 4, 7, 10, 0][rank as usize];
            [
                (forward - 1) * (4 + middle / 3) + if rank < 2 { -middle } else { middle },
                forward * 4,
            ]
        }
        1 => {
            let outpost = if rank >= 3 && rank <= 5 { 10 } else { 0 };
            [-42 + 11 * centre + outpost, -36 + 10 * centre + outpost / 2]
        }
        2 => [-16 + 6 * centre - if rank == 0 { 6 } else { 0 }, -12 + 4 * centre],
        3 => {
            let seventh = if rank == 6 { 16 } else { 0 };
            [-8 + 4 * near_file + seventh, seventh / 2 + rank]
        }
        4 => [-6 + 2 * centre, -22 + 8 * centre],
        _ => {
            let home = if rank == 0 {
                [24, 34, 14, -14, -10, -2, 36, 26][file as usize]
            } else {
                -14 - 14 * (if rank < 5 { rank } else { 5 }) - 6 * near_file
            };
            [home, -44 + 13 * centre]
        }
    }
}

/// Material and squares, by colour, role and square.
static SQUARES: [[[Pair; 64]; 6]; 2] = {
    let mut table = [[[[0; 2]; 64]; 6]; 2];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let [middle, end] = square_value(role, square);
            let worth = [MATERIAL[role][0] + middle, MATERIAL[role][1] + end];
            table[0][role][square] = worth;
            table[1][role][square ^ 56] = worth;
            square += 1;
        }
        role += 1;
    }
    table
};

/// All squares ahead of a square on its own and the neighbouring files, as White sees the board.
const fn span(square: usize) -> u64 {
    let (file, rank) = (square % 8, square / 8);
    let mut files = FILE_A << file;
    if file > 0 {
        files |= FILE_A << (file - 1);
    }
    if file < 7 {
        files |= FILE_A << (file + 1);
    }
    if rank == 7 { 0 } else { files & (!0 << (8 * (rank + 1))) }
}

static SPANS: [[u64; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        table[0][square] = span(square);
        table[1][square ^ 56] = span(square).swap_bytes();
        square += 1;
    }
    table
};

fn neighbours(file: usize) -> u64 {
    let own = FILE_A << file;
    (if file > 0 { own >> 1 } else { 0 }) | (if file < 7 { own << 1 } else { 0 })
}

fn distance(a: Square, b: Square) -> i32 {
    let files = (a.index() % 8).abs_diff(b.index() % 8);
    let ranks = (a.index() / 8).abs_diff(b.index() / 8);
    files.max(ranks) as i32
}

struct Sum(Pair);

impl Sum {
    #[inline(always)]
    fn add(&mut self, worth: Pair, times: i32) {
        self.0[0] += worth[0] * times;
        self.0[1] += worth[1] * times;
    }
}

/// One side's view of the board.
struct View<'a> {
    position: &'a Position,
    us: Color,
    pawns: [u64; 2],
    pawn_attacks: [u64; 2],
}

impl View<'_> {
    fn pieces(&self, sum: &mut Sum, phase: &mut i32) {
        let board = self.position.board();
        let (us, them) = (self.us, !self.us);
        let occupied = board.occupied();
        let own = board.of_color(us).0;
        let area = !(own & board.of_role(Role::Pawn).0 | self.pawn_attacks[them as usize]);
        let enemy_king = self.position.king(them);
        let ring = attacks::king(enemy_king).0 | 1 << enemy_king.index();
        let (mut danger, mut attackers) = (0, 0);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let (usual, worth) = MOBILITY[role as usize];
            for from in board.of(role.of(us)) {
                *phase += PHASE[role as usize];
                sum.add(SQUARES[us as usize][role as usize][from.index()], 1);
                let targets = match role {
                    Role::Knight => attacks::knight(from),
                    Role::Bishop => attacks::bishop(from, occupied),
                    Role::Rook => attacks::rook(from, occupied),
                    _ => attacks::queen(from, occupied),
                };
                sum.add(worth, (targets.0 & area).count_ones() as i32 - usual);
                let near = (targets.0 & ring).count_ones() as i32;
                danger += ATTACK[role as usize] * near;
                attackers += i32::from(near > 0);
                if role == Role::Rook {
                    let file = FILE_A << (from.index() % 8);
                    if self.pawns[us as usize] & file == 0 {
                        let open = self.pawns[them as usize] & file == 0;
                        sum.add(if open { ROOK_OPEN } else { ROOK_HALF_OPEN }, 1);
                    }
                }
            }
        }
        if board.of(Role::Bishop.of(us)).len() >= 2 {
            sum.add(BISHOP_PAIR, 1);
        }
        if attackers > 1 {
            // Quadratic: several attackers together are more dangerous.
            sum.add([(danger * danger / 16).min(400), danger], 1);
        }
        let pieces = board.of_color(them).0 & !self.pawns[them as usize];
        let threatened = pieces & self.pawn_attacks[us as usize] & !(1 << enemy_king.index());
        sum.add(PAWN_THREAT, threatened.count_ones() as i32);
    }

    fn king(&self, sum: &mut Sum) {
        let king = self.position.king(self.us);
        sum.add(SQUARES[self.us as usize][Role::King as usize][king.index()], 1);
        let file = king.index() % 8;
        let front = SPANS[self.us as usize][king.index()] & self.pawns[self.us as usize];
        let close = attacks::king(king).0 & front;
        let behind = front & !close & (FILE_A << file | neighbours(file));
        let shield = 2 * close.count_ones() as i32 + i32::from(behind != 0);
        sum.add([SHIELD * shield.min(7) / 2, 0], 1);
    }

    fn pawns(&self, sum: &mut Sum) {
        let (us, them) = (self.us as usize, !self.us as usize);
        let (own_king, enemy_king) = (self.position.king(self.us), self.position.king(!self.us));
        let occupied = self.position.board().occupied();
        for at in Bitboard(self.pawns[us]) {
            sum.add(SQUARES[us][Role::Pawn as usize][at.index()], 1);
            let file = at.index() % 8;
            if self.pawns[us] & neighbours(file) == 0 {
                sum.add(ISOLATED, 1);
            }
            let ahead = SPANS[us][at.index()];
            if self.pawns[us] & ahead & FILE_A << file != 0 {
                sum.add(DOUBLED, 1);
            }
            if self.pawn_attacks[us] >> at.index() & 1 != 0 {
                sum.add(PAWN_PROTECTED, 1);
            }
            let passed =
                self.pawns[them] & ahead == 0 && self.pawns[us] & ahead & FILE_A << file == 0;
            if passed {
                let rank = at.rank().seen_by(self.us) as usize;
                let [middle, end] = PASSED[rank];
                let stop = at.offset(0, if self.us == Color::White { 1 } else { -1 });
                let (mut escort, mut blocked) = (0, false);
                if let Some(stop) = stop {
                    escort = 5 * distance(enemy_king, stop) - 3 * distance(own_king, stop);
                    blocked = occupied.contains(stop);
                }
                let weight = rank as i32 - 2;
                let end = end + escort * weight.max(0) / 2;
                sum.add(if blocked { [middle / 2, end * 2 / 3] } else { [middle, end] }, 1);
            }
        }
    }
}

/// The estimate for the side to move, in hundredths of a pawn.
pub(crate) fn evaluate(position: &Position) -> i32 {
    let board = position.board();
    let pawns = Color::ALL.map(|color| board.of(Role::Pawn.of(color)).0);
    let pawn_attacks =
        Color::ALL.map(|color| attacks::pawns(color, Bitboard(pawns[color as usize])).0);
    let mut phase = 0;
    let [white, black] = Color::ALL.map(|us| {
        let view = View { position, us, pawns, pawn_attacks };
        let mut sum = Sum([0; 2]);
        view.pieces(&mut sum, &mut phase);
        view.king(&mut sum);
        view.pawns(&mut sum);
        sum.0
    });
    let phase = phase.min(FULL_PHASE);
    let (middle, mut end) = (white[0] - black[0], white[1] - black[1]);
    let stronger = if end > 0 { Color::White } else { Color::Black };
    end += drive(position, stronger, pawns) * if end > 0 { 1 } else { -1 };
    let mut score = (middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;
    if pawns[stronger as usize] == 0 {
        score = without_pawns(position, stronger, score);
    }
    if position.turn() == Color::Black {
        score = -score;
    }
    score + TEMPO
}

/// Bonus against a bare king: for its nearness to the edge (with bishop and knight, to a corner of
/// the bishop's colour) and for the nearness of the kings.
fn drive(position: &Position, stronger: Color, pawns: [u64; 2]) -> i32 {
    let board = position.board();
    if board.of_color(!stronger).len() > 1 || pawns[stronger as usize] != 0 {
        return 0;
    }
    let (ours, theirs) = (position.king(stronger), position.king(!stronger));
    let near = |at: usize| at.min(7 - at) as i32;
    let (file, rank) = (theirs.index() % 8, theirs.index() / 8);
    let mut push = 20 * (6 - near(file) - near(rank)) + 12 * (7 - distance(ours, theirs));
    let bishops = board.of(Role::Bishop.of(stronger));
    let only_minor = board.of_color(stronger).len() == 3
        && bishops.len() == 1
        && !board.of(Role::Knight.of(stronger)).is_empty();
    if only_minor {
        let corners = if bishops.meets(Bitboard::DARK) {
            [Square::A1, Square::H8]
        } else {
            [Square::H1, Square::A8]
        };
        let apart = |corner: Square| {
            (corner.index() % 8).abs_diff(file) + (corner.index() / 8).abs_diff(rank)
        };
        let nearest = corners.map(apart).into_iter().min().unwrap_or(0) as i32;
        let knight =
            board.of(Role::Knight.of(stronger)).first().map_or(0, |at| distance(at, theirs));
        push = 60 * (14 - nearest) + 14 * (7 - distance(ours, theirs)) - 4 * knight;
    }
    push
}

/// Scales the score down where the stronger side has no pawns and too little to win.
fn without_pawns(position: &Position, stronger: Color, score: i32) -> i32 {
    let board = position.board();
    let material = |color: Color| -> i32 {
        [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .map(|role| MATERIAL[role as usize][1] * board.of(role.of(color)).len() as i32)
            .sum()
    };
    let (ours, theirs) = (material(stronger), material(!stronger));
    let knights_alone = ours == 2 * MATERIAL[Role::Knight as usize][1]
        && board.of(Role::Knight.of(stronger)).len() == 2;
    if ours < 400 || ours - theirs < 400 || knights_alone { score / 8 } else { score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_even_but_for_the_tempo() {
        assert_eq!(evaluate(&Position::start()), TEMPO);
    }

    #[test]
    fn a_queen_more_is_much() {
        let position: Position = "4k3/8/8/8/8/8/PPPP4/3QK3 w - - 0 1".parse().expect("sound");
        assert!(evaluate(&position) > 1200);
        assert!(evaluate(&position.pass()) < -1200);
    }
}
