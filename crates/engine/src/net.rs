//! The neural network (NNUE): its file format, and its inference.
//!
//! Each side has 768 inputs (piece, colour, square), seen from its own side of the board and
//! mirrored so that its own king stands on the files a to d. They make `HIDDEN` sums a side. Each
//! sum of the first half, clipped to 0 to 1, times its partner in the second half is a value; the
//! values of both sides, the side to move first, go through the [`Layers`], of which there are 8,
//! chosen by the number of pieces. Weights are integers: those of the inputs times 255, of the three
//! layers times 128, 96 and 128.

use hansu_chess::processor::{Work, dots, run};
use hansu_chess::{Bitboard, Board, Color, Piece, Position, Square};

use crate::score::ESTIMATE_LIMIT;

/// Number of sums of each side, and of values of both.
pub const HIDDEN: usize = 512;

/// Number of neurons of the first layer: twice what [`dots`] works out at once.
const FIRST: usize = 16;

/// Number of neurons of the second layer.
const SECOND: usize = 32;

/// Number of sets of layers; the number of pieces chooses one.
pub const BUCKETS: usize = 8;

/// Number of inputs of each side.
pub const INPUTS: usize = 768;

/// The integer that stands for 1.0 in the sums.
const ONE: i16 = 255;

/// The integer that stands for 1.0 in a value (255 * 255 / 512) and in what a neuron of the first
/// layer says.
const VALUE_ONE: i32 = 127;

/// The integer that stands for 1.0 in the weights of the first layer.
const FIRST_ONE: i32 = 128;

/// The integer that stands for 1.0 in the weights of the second layer.
const SECOND_ONE: i32 = 96;

/// The integer that stands for 1.0 in the last weights.
const LAST_ONE: i32 = 128;

/// The integer that stands for 1.0 in the output.
const OUTPUT_ONE: i64 = (last_square(VALUE_ONE * SECOND_ONE) * LAST_ONE) as i64;

/// The value of an output of 1.0, in hundredths of a pawn.
const SCALE: i64 = 400;

const MAGIC: &[u8; 8] = b"HANSUNN3";

/// The sums of one side.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Sums(pub(crate) [i16; HIDDEN]);

/// What follows the values: 16 neurons, each as it is (clipped to 0 to 1) and squared, then 32,
/// clipped and squared, then the output.
#[repr(align(64))]
struct Layers {
    first: [[[i8; HIDDEN]; 8]; FIRST / 8],
    second: [[[i8; 2 * FIRST]; 8]; SECOND / 8],
    last: [i16; SECOND],
    first_biases: [i32; FIRST],
    second_biases: [i32; SECOND],
    last_bias: i32,
}

/// The weights of a net.
pub struct Net {
    inputs: Vec<Sums>,
    biases: Sums,
    layers: Vec<Layers>,
}

/// The bytes are not a net of this shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetError;

impl std::fmt::Display for NetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "not a net of {INPUTS} inputs, {HIDDEN} a side, {FIRST}, {SECOND}, {BUCKETS} outputs"
        )
    }
}

impl std::error::Error for NetError {}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Net({INPUTS} x {HIDDEN} x {FIRST} x {SECOND} x {BUCKETS})")
    }
}

/// The numbers of 16 bits in a file, in order: how many, and the largest that fits.
const NUMBERS: [(usize, i16); 4] = [
    ((INPUTS + 1) * HIDDEN, i16::MAX),
    (BUCKETS * FIRST * HIDDEN, 127),
    (BUCKETS * SECOND * 2 * FIRST, 127),
    (BUCKETS * SECOND, 1023),
];

/// The numbers of 32 bits in a file.
const BIASES: usize = BUCKETS * (FIRST + SECOND + 1);

impl Net {
    /// Size of a net's file in bytes.
    pub const BYTES: usize = MAGIC.len()
        + 16
        + 2 * (NUMBERS[0].0 + NUMBERS[1].0 + NUMBERS[2].0 + NUMBERS[3].0)
        + 4 * BIASES;

    /// What a file begins with: the magic, then the shape as u32.
    fn header() -> Vec<u8> {
        let shape = [HIDDEN, FIRST, SECOND, BUCKETS];
        [MAGIC.to_vec(), shape.map(|size| (size as u32).to_le_bytes()).concat()].concat()
    }

    /// Reads a net's file: the header, then the weights of the inputs and their biases, the weights
    /// of all first layers (by output, neuron, value), of all second layers (by output, neuron,
    /// input), of all last ones, then the biases of the first, second and last layers as i32; all
    /// in little-endian. Weights are zigzag-encoded (0, -1, 1, -2, 2… as 0, 1, 2, 3, 4…), first the
    /// low bytes of all, then the high bytes: that makes the page's gzip a quarter smaller.
    ///
    /// # Errors
    ///
    /// When the bytes are not a net of this shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        let Some(rest) = bytes.strip_prefix(&Net::header()[..]) else {
            return Err(NetError);
        };
        if bytes.len() != Net::BYTES {
            return Err(NetError);
        }
        let (numbers, biases) = rest.split_at(rest.len() - 4 * BIASES);
        let (low, high) = numbers.split_at(numbers.len() / 2);
        let numbers: Vec<i16> =
            low.iter().zip(high).map(|(&low, &high)| decode(low, high)).collect();
        let mut rest = &numbers[..];
        for (count, limit) in NUMBERS {
            let (part, later) = rest.split_at(count);
            if part.iter().any(|weight| weight.unsigned_abs() > limit.unsigned_abs()) {
                return Err(NetError);
            }
            rest = later;
        }
        let mut numbers = numbers.into_iter();
        let mut next = || numbers.next().unwrap_or(0);
        let inputs = (0..INPUTS).map(|_| sums(&mut next)).collect();
        let input_biases = sums(&mut next);
        let mut layers: Vec<Layers> = (0..BUCKETS).map(|_| Layers::default()).collect();
        for layers in &mut layers {
            layers.first.as_flattened_mut().as_flattened_mut().fill_with(|| next() as i8);
        }
        for layers in &mut layers {
            layers.second.as_flattened_mut().as_flattened_mut().fill_with(|| next() as i8);
        }
        for layers in &mut layers {
            layers.last.fill_with(&mut next);
        }
        let mut biases = biases.as_chunks::<4>().0.iter().map(|&four| i32::from_le_bytes(four));
        let mut next = || biases.next().unwrap_or(0);
        for layers in &mut layers {
            layers.first_biases.fill_with(&mut next);
        }
        for layers in &mut layers {
            layers.second_biases.fill_with(&mut next);
        }
        for layers in &mut layers {
            layers.last_bias = next();
        }
        Ok(Net { inputs, biases: input_biases, layers })
    }

    /// The bytes of a net whose weights come from a function; for tests.
    #[doc(hidden)]
    pub fn bytes_from(mut weight: impl FnMut(i16) -> i16) -> Vec<u8> {
        let mut bytes = Net::header();
        let limits = NUMBERS.into_iter().map(|(count, limit)| (count, limit.min(120)));
        let limits = limits.flat_map(|(count, limit)| std::iter::repeat_n(limit, count));
        let stored: Vec<[u8; 2]> = limits
            .map(&mut weight)
            .map(|weight| ((weight << 1) ^ (weight >> 15)).to_le_bytes())
            .collect();
        bytes.extend(stored.iter().map(|[low, _]| low));
        bytes.extend(stored.iter().map(|[_, high]| high));
        for _ in 0..BIASES {
            bytes.extend(i32::from(weight(1000)).to_le_bytes());
        }
        bytes
    }

    /// The estimate for the side to move from the sums of both sides.
    pub(crate) fn output(&self, ours: &Sums, theirs: &Sums, pieces: u32) -> i32 {
        let bucket = ((pieces.max(2) as usize - 2) / 4).min(BUCKETS - 1);
        let sum = run(Output { sums: [ours, theirs], layers: &self.layers[bucket] });
        let value = i64::from(sum) * SCALE / OUTPUT_ONE;
        let limit = i64::from(ESTIMATE_LIMIT);
        value.clamp(-limit, limit) as i32
    }
}

/// A number of a file, from its zigzag encoding.
fn decode(low: u8, high: u8) -> i16 {
    let stored = u16::from_le_bytes([low, high]);
    (stored >> 1) as i16 ^ -((stored & 1) as i16)
}

fn sums(mut next: impl FnMut() -> i16) -> Sums {
    Sums(std::array::from_fn(|_| next()))
}

impl Default for Layers {
    fn default() -> Layers {
        Layers {
            first: [[[0; HIDDEN]; 8]; FIRST / 8],
            second: [[[0; 2 * FIRST]; 8]; SECOND / 8],
            last: [0; SECOND],
            first_biases: [0; FIRST],
            second_biases: [0; SECOND],
            last_bias: 0,
        }
    }
}

/// The square of a sum of the second layer.
#[inline(always)]
const fn last_square(sum: i32) -> i32 {
    (sum * sum) >> 16
}

/// Work for the processor: all after the sums.
struct Output<'a> {
    sums: [&'a Sums; 2],
    layers: &'a Layers,
}

impl Work for Output<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Output { sums, layers } = self;
        let values = values(sums);
        // Each neuron of the first layer, then the squares of all.
        let mut neurons = [0; 2 * FIRST];
        for (half, weights) in layers.first.iter().enumerate() {
            let sums = dots(&values, weights);
            for (at, sum) in (8 * half..).zip(sums) {
                let sum = sum.wrapping_add(layers.first_biases[at]);
                let sum = sum.clamp(0, VALUE_ONE * FIRST_ONE);
                neurons[at] = ((sum + (1 << 6)) >> 7) as u8;
                neurons[FIRST + at] = ((sum * sum + (1 << 20)) >> 21) as u8;
            }
        }
        let mut output = layers.last_bias;
        for (part, weights) in layers.second.iter().enumerate() {
            let sums = dots(&neurons, weights);
            for (at, sum) in (8 * part..).zip(sums) {
                let sum = sum.wrapping_add(layers.second_biases[at]);
                let square = last_square(sum.clamp(0, VALUE_ONE * SECOND_ONE));
                output = output.wrapping_add(square * i32::from(layers.last[at]));
            }
        }
        output
    }
}

/// The products of the sums' halves, 0 to 127: our side's, then theirs.
#[inline(always)]
fn values(sums: [&Sums; 2]) -> [u8; HIDDEN] {
    let mut values = [0; HIDDEN];
    for (values, sums) in values.as_chunks_mut::<{ HIDDEN / 2 }>().0.iter_mut().zip(sums) {
        let (first, second) = sums.0.split_at(HIDDEN / 2);
        for ((value, &first), &second) in values.iter_mut().zip(first).zip(second) {
            let [first, second] = [first, second].map(|sum| sum.clamp(0, ONE) as u16);
            *value = ((first.wrapping_mul(second).wrapping_add(256)) >> 9) as u8;
        }
    }
    values
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
        let layers = &net.layers[(position.board().occupied().len() as usize - 2) / 4];
        let values: Vec<i64> = [position.turn(), !position.turn()]
            .into_iter()
            .flat_map(|view| {
                let sums = sums(view).map(|sum| i64::from(sum.clamp(0, 255)));
                (0..HIDDEN / 2).map(move |at| (sums[at] * sums[at + HIDDEN / 2] + 256) / 512)
            })
            .collect();
        let first: Vec<i64> = (0..FIRST)
            .map(|neuron| {
                let weights = &layers.first[neuron / 8][neuron % 8];
                let products = values.iter().zip(weights).map(|(value, &w)| value * i64::from(w));
                let sum = products.sum::<i64>() + i64::from(layers.first_biases[neuron]);
                sum.clamp(0, 127 * 128)
            })
            .collect();
        let squares = first.iter().map(|sum| (sum * sum + 1_048_576) / 2_097_152);
        let neurons: Vec<i64> = first.iter().map(|sum| (sum + 64) / 128).chain(squares).collect();
        let mut output = i64::from(layers.last_bias);
        for neuron in 0..SECOND {
            let weights = &layers.second[neuron / 8][neuron % 8];
            let products = neurons.iter().zip(weights).map(|(value, &w)| value * i64::from(w));
            let sum = products.sum::<i64>() + i64::from(layers.second_biases[neuron]);
            let sum = sum.clamp(0, 127 * 96);
            output += sum * sum / 65_536 * i64::from(layers.last[neuron]);
        }
        (output * 400 / (2268 * 128)) as i32
    }

    /// Its neurons are seldom at 0 or 1, unlike those of noise.
    fn own_net() -> Net {
        Net::from_bytes(include_bytes!("../net/hansu.net")).expect("a net")
    }

    #[test]
    fn incremental_equals_refreshed_equals_plain_on_random_games() {
        let mut choose = noise(11);
        for (start, net) in [(518, net()), (1, net()), (700, own_net()), (518, own_net())] {
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
        // Weights that do not fit: the high bytes of the layers' come after all low ones.
        let counts = NUMBERS.map(|(count, _)| count);
        let high = Net::header().len() + counts.iter().sum::<usize>();
        for layer in 1..4 {
            let mut bytes = Net::bytes_from(noise(1));
            bytes[high + counts[..layer].iter().sum::<usize>()] = 8;
            assert!(Net::from_bytes(&bytes).is_err(), "layer {layer}");
        }
    }
}
