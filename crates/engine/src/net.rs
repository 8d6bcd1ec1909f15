//! The neural network (NNUE): its file format, and its inference.
//!
//! Each side has 768 inputs (piece, colour, square), seen from its own side of the board and
//! mirrored so that its own king stands on the files a to d. The sums of both (`HIDDEN` numbers
//! each, the side to move first) go through a squared clipped ReLU into one of 8 outputs, chosen by
//! the number of pieces. Weights are integers: the first layer times 255, the second times 64.

use hansu_chess::processor::{Work, run};
use hansu_chess::{Bitboard, Board, Color, Piece, Position, Square};

use crate::score::ESTIMATE_LIMIT;

/// Size of the hidden layer, for each side.
pub const HIDDEN: usize = 512;

/// Number of outputs; the number of pieces chooses one.
pub const BUCKETS: usize = 8;

/// Number of inputs of each side.
pub const INPUTS: usize = 768;

/// The integer that stands for 1.0 in the first layer.
const ONE: i16 = 255;

/// The integer that stands for 1.0 in the second layer.
const OUTPUT_ONE: i32 = 64;

/// The value of an output of 1.0, in hundredths of a pawn.
const SCALE: i32 = 400;

const MAGIC: &[u8; 8] = b"HANSUNN2";

/// The hidden layer of one side, before the activation.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Sums(pub(crate) [i16; HIDDEN]);

/// The weights of a net.
pub struct Net {
    inputs: Vec<Sums>,
    biases: Sums,
    outputs: Vec<[Sums; 2]>,
    output_biases: [i32; BUCKETS],
}

/// The bytes are not a net of this shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetError;

impl std::fmt::Display for NetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not a net of {INPUTS} inputs, {HIDDEN} a side and {BUCKETS} outputs")
    }
}

impl std::error::Error for NetError {}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Net({INPUTS} x {HIDDEN} x {BUCKETS})")
    }
}

impl Net {
    /// Size of a net's file in bytes.
    pub const BYTES: usize =
        MAGIC.len() + 8 + 2 * (INPUTS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN) + 4 * BUCKETS;

    /// Reads a net's file: the magic, `HIDDEN` and `BUCKETS` as u32, then the weights of the
    /// inputs, their biases, and the weights of the outputs, the biases of the outputs as i32; all
    /// in little-endian. Weights are zigzag-encoded (0, -1, 1, -2, 2… as 0, 1, 2, 3, 4…), first the
    /// low bytes of all, then the high bytes: that makes the page's gzip a quarter smaller.
    ///
    /// # Errors
    ///
    /// When the bytes are not a net of this shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        let shape = [HIDDEN as u32, BUCKETS as u32].map(u32::to_le_bytes).concat();
        let rest = bytes.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix(&shape[..]));
        let Some(rest) = rest else {
            return Err(NetError);
        };
        if bytes.len() != Net::BYTES {
            return Err(NetError);
        }
        let (numbers, biases) = rest.split_at(rest.len() - 4 * BUCKETS);
        let (low, high) = numbers.split_at(numbers.len() / 2);
        let mut numbers = low.iter().zip(high).map(|(&low, &high)| {
            let stored = u16::from_le_bytes([low, high]);
            (stored >> 1) as i16 ^ -((stored & 1) as i16)
        });
        let mut sums = || Sums(std::array::from_fn(|_| numbers.next().unwrap_or(0)));
        let inputs = (0..INPUTS).map(|_| sums()).collect();
        let input_biases = sums();
        let outputs: Vec<[Sums; 2]> = (0..BUCKETS).map(|_| [sums(), sums()]).collect();
        // The product of a weight and a clipped sum must fit into 16 bits.
        if outputs.as_flattened().iter().any(|sums| sums.0.iter().any(|w| w.abs() > 127)) {
            return Err(NetError);
        }
        let mut biases = biases.chunks_exact(4);
        let output_biases = std::array::from_fn(|_| {
            biases.next().map_or(0, |four| i32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        });
        Ok(Net { inputs, biases: input_biases, outputs, output_biases })
    }

    /// The bytes of a net whose weights come from a function; for tests.
    #[doc(hidden)]
    pub fn bytes_from(mut weight: impl FnMut(i16) -> i16) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((HIDDEN as u32).to_le_bytes());
        bytes.extend((BUCKETS as u32).to_le_bytes());
        let limits = [((INPUTS + 1) * HIDDEN, 120), (BUCKETS * 2 * HIDDEN, 127)];
        let limits = limits.into_iter().flat_map(|(len, limit)| std::iter::repeat_n(limit, len));
        let stored: Vec<[u8; 2]> = limits
            .map(&mut weight)
            .map(|weight| ((weight << 1) ^ (weight >> 15)).to_le_bytes())
            .collect();
        bytes.extend(stored.iter().map(|[low, _]| low));
        bytes.extend(stored.iter().map(|[_, high]| high));
        for _ in 0..BUCKETS {
            bytes.extend(i32::from(weight(1000)).to_le_bytes());
        }
        bytes
    }

    /// The estimate for the side to move from the sums of both sides.
    pub(crate) fn output(&self, ours: &Sums, theirs: &Sums, pieces: u32) -> i32 {
        let bucket = ((pieces.max(2) as usize - 2) / 4).min(BUCKETS - 1);
        let weights = &self.outputs[bucket];
        let sum = run(Output { sums: [ours, theirs], weights });
        let one = i32::from(ONE);
        let value = (sum / one + self.output_biases[bucket]) * SCALE / (one * OUTPUT_ONE);
        value.clamp(-ESTIMATE_LIMIT, ESTIMATE_LIMIT)
    }
}

/// Work for the processor: the second layer.
struct Output<'a> {
    sums: [&'a Sums; 2],
    weights: &'a [Sums; 2],
}

impl Work for Output<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let mut total = 0i32;
        for (sums, weights) in self.sums.into_iter().zip(self.weights) {
            for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
                let sum = sum.clamp(0, ONE);
                // 255 * 127 fits into 16 bits; so the square is taken in two steps.
                total = total
                    .wrapping_add(i32::from(sum.wrapping_mul(weight)).wrapping_mul(i32::from(sum)));
            }
        }
        total
    }
}

/// The number of an input: a piece on a square as a side sees it.
#[inline(always)]
fn input(view: Color, mirrored: bool, piece: Piece, square: Square) -> usize {
    let foreign = usize::from(piece.color != view);
    let flip = if view == Color::Black { 56 } else { 0 } | if mirrored { 7 } else { 0 };
    (foreign * 6 + piece.role as usize) * 64 + (square.index() ^ flip)
}

/// The pieces that stand on a new board but not on an old one (`on`), and the reverse (`off`).
struct Difference {
    on: [(Piece, Square); 32],
    off: [(Piece, Square); 32],
    ons: usize,
    offs: usize,
}

impl Difference {
    #[inline(always)]
    fn new(old: &Board, new: &Board) -> Difference {
        let nothing = (hansu_chess::Role::Pawn.of(Color::White), Square::A1);
        let mut all = Difference { on: [nothing; 32], off: [nothing; 32], ons: 0, offs: 0 };
        for role in hansu_chess::Role::ALL {
            for color in Color::ALL {
                let piece = role.of(color);
                let (was, is) = (old.of(piece), new.of(piece));
                if was == is {
                    continue;
                }
                for square in Bitboard(is.0 & !was.0) {
                    all.on[all.ons % 32] = (piece, square);
                    all.ons += 1;
                }
                for square in Bitboard(was.0 & !is.0) {
                    all.off[all.offs % 32] = (piece, square);
                    all.offs += 1;
                }
            }
        }
        all
    }
}

/// Work for the processor: the sums of a position from those of another and their difference.
struct Update<'a> {
    net: &'a Net,
    from: &'a Sums,
    changes: &'a Difference,
    view: Color,
    mirrored: bool,
    to: &'a mut Sums,
}

impl Work for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Update { net, from, changes, view, mirrored, to } = self;
        let row = |(piece, square)| &net.inputs[input(view, mirrored, piece, square)].0;
        let on = |at: usize| row(changes.on[at]);
        let off = |at: usize| row(changes.off[at]);
        match (changes.ons, changes.offs) {
            // A quiet move.
            (1, 1) => {
                let (on, off) = (on(0), off(0));
                for at in 0..HIDDEN {
                    to.0[at] = from.0[at].wrapping_add(on[at]).wrapping_sub(off[at]);
                }
            }
            // A capture.
            (1, 2) => {
                let (on, first, second) = (on(0), off(0), off(1));
                for at in 0..HIDDEN {
                    let off = first[at].wrapping_add(second[at]);
                    to.0[at] = from.0[at].wrapping_add(on[at]).wrapping_sub(off);
                }
            }
            // Two moves, or castling.
            (2, 2) => {
                let (on, more, first, second) = (on(0), on(1), off(0), off(1));
                for at in 0..HIDDEN {
                    let off = first[at].wrapping_add(second[at]);
                    let on = on[at].wrapping_add(more[at]);
                    to.0[at] = from.0[at].wrapping_add(on).wrapping_sub(off);
                }
            }
            (ons, offs) => {
                *to = *from;
                for number in 0..ons.min(32) {
                    for (sum, weight) in to.0.iter_mut().zip(on(number)) {
                        *sum = sum.wrapping_add(*weight);
                    }
                }
                for number in 0..offs.min(32) {
                    for (sum, weight) in to.0.iter_mut().zip(off(number)) {
                        *sum = sum.wrapping_sub(*weight);
                    }
                }
            }
        }
    }
}

/// The accumulators of the positions along a line. Sums are computed when an estimate needs them.
pub(crate) struct Accumulators {
    /// By ply.
    stack: Vec<Accumulator>,
    /// By side and mirroring: the board and sums that were computed last from `recent`. Used when
    /// no earlier ply has sums with the same mirroring, for example after the king crossed the
    /// middle.
    recent: [[(Board, Sums); 2]; 2],
}

#[derive(Clone, Copy)]
struct Accumulator {
    board: Board,
    sums: [Sums; 2],
    /// By side: true if the sums are those of the mirrored board, `None` if they are not computed.
    mirrored: [Option<bool>; 2],
}

impl Accumulators {
    pub(crate) fn new(net: &Net, plies: usize) -> Accumulators {
        let empty =
            Accumulator { board: Board::empty(), sums: [net.biases; 2], mirrored: [None; 2] };
        Accumulators { stack: vec![empty; plies], recent: [[(Board::empty(), net.biases); 2]; 2] }
    }

    /// Sets the position of a ply.
    #[inline(always)]
    pub(crate) fn enter(&mut self, ply: usize, position: &Position) {
        let entry = &mut self.stack[ply];
        entry.board = *position.board();
        entry.mirrored = [None; 2];
    }

    /// The estimate at this ply for the side to move.
    pub(crate) fn evaluate(&mut self, net: &Net, ply: usize, position: &Position) -> i32 {
        // Both sides usually start from the same earlier ply and share the difference.
        let mut difference = None;
        for view in Color::ALL {
            let mirrored = position.king(view).index() % 8 >= 4;
            if self.stack[ply].mirrored[view as usize].is_none() {
                self.compute(net, ply, view, mirrored, &mut difference);
            }
        }
        let us = position.turn() as usize;
        let entry = &self.stack[ply];
        net.output(&entry.sums[us], &entry.sums[1 - us], entry.board.occupied().len())
    }

    #[inline(always)]
    fn compute(
        &mut self,
        net: &Net,
        ply: usize,
        view: Color,
        mirrored: bool,
        difference: &mut Option<(usize, Difference)>,
    ) {
        let side = view as usize;
        let (earlier, rest) = self.stack.split_at_mut(ply);
        let entry = &mut rest[0];
        // Up to six plies back the difference is small; beyond that, `recent` is usually closer.
        let near = earlier.iter().rev().take(6);
        let source = near.enumerate().find(|(_, earlier)| earlier.mirrored[side] == Some(mirrored));
        if let Some((back, earlier)) = source {
            if difference.as_ref().is_none_or(|(known, _)| *known != back) {
                *difference = Some((back, Difference::new(&earlier.board, &entry.board)));
            }
            if let Some((_, changes)) = difference {
                let (from, to) = (&earlier.sums[side], &mut entry.sums[side]);
                run(Update { net, from, changes, view, mirrored, to });
            }
        } else {
            let (board, sums) = &mut self.recent[side][usize::from(mirrored)];
            let changes = &Difference::new(board, &entry.board);
            let to = &mut entry.sums[side];
            run(Update { net, from: sums, changes, view, mirrored, to });
            (*board, *sums) = (entry.board, entry.sums[side]);
        }
        entry.mirrored[side] = Some(mirrored);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: u64) -> impl FnMut(i16) -> i16 {
        let mut state = seed;
        move |limit| {
            state =
                state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            ((state >> 33) % (2 * limit as u64 + 1)) as i16 - limit
        }
    }

    fn net() -> Net {
        Net::from_bytes(&Net::bytes_from(noise(3))).expect("a net")
    }

    fn evaluate_afresh(net: &Net, position: &Position) -> i32 {
        let mut fresh = Accumulators::new(net, 1);
        fresh.enter(0, position);
        fresh.evaluate(net, 0, position)
    }

    /// The same in the simplest way.
    fn evaluate_plainly(net: &Net, position: &Position) -> i32 {
        let sums = |view: Color| {
            let mirrored = position.king(view).index() % 8 >= 4;
            let mut sums = net.biases.0;
            for (square, piece) in position.board().pieces() {
                let row = &net.inputs[input(view, mirrored, piece, square)].0;
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
            sums
        };
        let bucket = (position.board().occupied().len() as usize - 2) / 4;
        let mut total = 0i64;
        for (view, weights) in
            [position.turn(), !position.turn()].into_iter().zip(&net.outputs[bucket])
        {
            for (&sum, &weight) in sums(view).iter().zip(&weights.0) {
                let sum = i64::from(sum.clamp(0, 255));
                total += sum * sum * i64::from(weight);
            }
        }
        ((total / 255 + i64::from(net.output_biases[bucket])) * 400 / (255 * 64)) as i32
    }

    #[test]
    fn incremental_equals_refreshed_equals_plain_on_random_games() {
        let net = net();
        let mut choose = noise(11);
        for start in [518, 1, 700] {
            let mut accumulators = Accumulators::new(&net, 400);
            let mut position = Position::chess960(start).expect("a start");
            for ply in 0..300 {
                accumulators.enter(ply, &position);
                if choose(9) > -7 {
                    let value = accumulators.evaluate(&net, ply, &position);
                    assert_eq!(value, evaluate_afresh(&net, &position));
                    assert_eq!(value, evaluate_plainly(&net, &position));
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[choose(9999).unsigned_abs() as usize % moves.len()]);
            }
        }
    }

    #[test]
    fn a_mirrored_position_has_the_same_value() {
        let net = net();
        let mut choose = noise(5);
        let mut position = Position::start();
        for _ in 0..200 {
            let other = position.setup().mirrored().position(hansu_chess::Variant::Standard);
            assert_eq!(
                evaluate_afresh(&net, &position),
                evaluate_afresh(&net, &other.expect("sound"))
            );
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[choose(9999).unsigned_abs() as usize % moves.len()]);
        }
    }

    #[test]
    fn bytes_of_another_shape_are_refused() {
        assert!(Net::from_bytes(b"").is_err());
        let mut bytes = Net::bytes_from(noise(1));
        assert!(Net::from_bytes(&bytes[1..]).is_err());
        assert!(Net::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        bytes[0] ^= 1;
        assert!(Net::from_bytes(&bytes).is_err());
    }
}
