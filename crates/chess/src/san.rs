//! Standard algebraic notation: the syntax. Its meaning in a position is the second step, in the
//! module `legality`.
//!
//! Strict reading takes exactly what would be written for a legal move. Lenient reading also takes
//! `0-0` for `O-O`, a promotion without `=`, annotation signs (`!?`), more disambiguation than
//! needed, and missing or wrong `x`, `+` and `#`.

use std::fmt;
use std::str::FromStr;

use crate::{CastlingSide, File, Rank, Role, Square};

mod legality;
mod refused;

pub use refused::SanRefusal;

/// What follows a move: nothing, `+` or `#`.
///
/// ```
/// use hansu_chess::{Position, Square, Suffix};
/// let position: Position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
/// let mate = position.judge(Square::A1, Square::A8, None)?;
/// assert_eq!(position.san(mate).suffix, Suffix::Mate);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Suffix {
    /// Nothing.
    None,
    /// `+`
    Check,
    /// `#`
    Mate,
}

/// The move itself, without what follows it.
///
/// ```
/// use hansu_chess::{CastlingSide, San, SanStep};
/// let san: San = "O-O-O".parse()?;
/// assert_eq!(san.step, SanStep::Castle(CastlingSide::Queen));
/// # Ok::<(), hansu_chess::SanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SanStep {
    /// A piece goes to a square.
    Piece {
        /// The kind of piece.
        role: Role,
        /// The file it comes from, where that is written.
        file: Option<File>,
        /// The rank it comes from, where that is written.
        rank: Option<Rank>,
        /// True if `x` is written.
        capture: bool,
        /// Where it goes.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// `O-O` or `O-O-O`.
    Castle(CastlingSide),
}

/// A move as it is written; it need not be legal.
///
/// ```
/// use hansu_chess::{Position, San, SanError};
/// let san: San = "Nf3".parse()?;
/// let step = san.to_move(&Position::start())?;
/// assert_eq!(step.to().to_string(), "f3");
/// assert_eq!("Nf3!".parse::<San>(), Err(SanError::Syntax));
/// assert!(San::lenient("Nf3!").is_ok());
/// # Ok::<(), SanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct San {
    /// The move.
    pub step: SanStep,
    /// What follows it.
    pub suffix: Suffix,
    lenient: bool,
}

/// Why a text is not a legal move.
///
/// ```
/// use hansu_chess::{Position, San, SanError};
/// let position: Position = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1".parse().unwrap();
/// let san: San = "Rf1".parse()?;
/// assert!(san.to_move(&position).is_ok());
/// let san: San = "Rb2".parse()?;
/// assert_eq!(san.to_move(&position), Err(SanError::Illegal));
/// # Ok::<(), SanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SanError {
    /// It is not written like a move.
    Syntax,
    /// No legal move has this notation.
    Illegal,
    /// Several legal moves could be meant.
    Ambiguous,
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SanError::Syntax => "not written like a move",
            SanError::Illegal => "not a legal move",
            SanError::Ambiguous => "several moves could be meant",
        })
    }
}

impl std::error::Error for SanError {}

impl San {
    /// Reads leniently: see the beginning of `san.rs` for what is accepted.
    ///
    /// # Errors
    ///
    /// [`SanError::Syntax`].
    ///
    /// ```
    /// use hansu_chess::San;
    /// assert_eq!(San::lenient("0-0!?")?.to_string(), "O-O");
    /// assert_eq!(San::lenient("e8Q")?.to_string(), "e8=Q");
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    pub fn lenient(text: &str) -> Result<San, SanError> {
        San::read(text.as_bytes(), true)
    }

    #[inline]
    pub(crate) fn read(text: &[u8], lenient: bool) -> Result<San, SanError> {
        let mut text = text;
        if lenient {
            while let [rest @ .., b'!' | b'?'] = text {
                text = rest;
            }
        }
        match pack(text).and_then(|(word, length)| San::common(word, length)) {
            Some(san) if lenient || san.is_strict() => Ok(San { lenient, ..san }),
            _ => uncommon(text, lenient),
        }
    }

    /// Nearly all moves: `e4`, `exd5`, `Nf3`, `Nxf3`, `Nbd2`, `R1xe2`, with `+`, `#` or nothing
    /// behind, read leniently. `word` is the text, its first byte lowest, and anything above its
    /// `length` of up to eight bytes. `None` leaves the text to others.
    ///
    /// No branch depends on which of these shapes it is: in a game they look random, and a
    /// mispredicted branch costs as much time as all the rest of this function.
    #[inline(always)]
    pub(crate) fn common(word: u64, length: u32) -> Option<San> {
        // The last byte on top.
        let end = word << (64u32.wrapping_sub(8 * length) & 63);
        let suffix = match (end >> 56) as u8 {
            b'+' => Suffix::Check,
            b'#' => Suffix::Mate,
            _ => Suffix::None,
        };
        let marked = u32::from(suffix != Suffix::None);
        let end = end << (8 * marked);
        let rank = ((end >> 56) as u8).wrapping_sub(b'1');
        let file = ((end >> 48) as u8).wrapping_sub(b'a');
        let role = FIRST[usize::from(word as u8)]?;
        if (file | rank) > 7 {
            return None;
        }
        let to = Square::wrap(u32::from(rank) * 8 + u32::from(file));
        let capture = (end >> 40) as u8 == b'x';
        let letter = u32::from(role != Role::Pawn);
        // What else there is must tell where the piece comes from.
        let told = length.wrapping_sub(marked + 2 + u32::from(capture) + letter);
        if told > 1 {
            return None;
        }
        let byte = (word >> (8 * letter)) as u8;
        let (file, rank) = ORIGIN[if told == 1 { usize::from(byte) } else { UNTOLD }]?;
        let step = SanStep::Piece { role, file, rank, capture, to, promotion: None };
        Some(San { step, suffix, lenient: true })
    }

    /// True if a move of a common shape is also one for strict reading.
    #[inline(always)]
    fn is_strict(self) -> bool {
        match self.step {
            // There is one king, so it needs no file or rank.
            SanStep::Piece { role: Role::King, file, rank, .. } => file.is_none() && rank.is_none(),
            // A pawn's file is written exactly when it takes; the last rank needs a promotion.
            SanStep::Piece { role: Role::Pawn, file, capture, to, .. } => {
                file.is_some() == capture && !matches!(to.rank(), Rank::First | Rank::Eighth)
            }
            SanStep::Piece { .. } | SanStep::Castle(_) => true,
        }
    }

    /// Writes the move at the end of a text.
    ///
    /// ```
    /// use hansu_chess::San;
    /// let san: San = "exd8=N+".parse()?;
    /// let mut text = String::from("12. ");
    /// san.push_to(&mut text);
    /// assert_eq!(text, "12. exd8=N+");
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    pub fn push_to(&self, text: &mut String) {
        match self.step {
            SanStep::Castle(CastlingSide::King) => text.push_str("O-O"),
            SanStep::Castle(CastlingSide::Queen) => text.push_str("O-O-O"),
            SanStep::Piece { role, file, rank, capture, to, promotion } => {
                if role != Role::Pawn {
                    text.push(role.letter());
                }
                text.extend(file.map(File::letter));
                text.extend(rank.map(Rank::digit));
                if capture {
                    text.push('x');
                }
                text.push(to.file().letter());
                text.push(to.rank().digit());
                if let Some(role) = promotion {
                    text.push('=');
                    text.push(role.letter());
                }
            }
        }
        match self.suffix {
            Suffix::None => {}
            Suffix::Check => text.push('+'),
            Suffix::Mate => text.push('#'),
        }
    }
}

/// The kind of piece by the first letter; a file means a pawn.
static FIRST: [Option<Role>; 256] = {
    let mut table = [None; 256];
    table[b'N' as usize] = Some(Role::Knight);
    table[b'B' as usize] = Some(Role::Bishop);
    table[b'R' as usize] = Some(Role::Rook);
    table[b'Q' as usize] = Some(Role::Queen);
    table[b'K' as usize] = Some(Role::King);
    let mut file = b'a';
    while file <= b'h' {
        table[file as usize] = Some(Role::Pawn);
        file += 1;
    }
    table
};

/// Stands in [`ORIGIN`] for no byte at all.
const UNTOLD: usize = 256;

/// The file or rank that a byte between piece and target stands for.
static ORIGIN: [Option<(Option<File>, Option<Rank>)>; UNTOLD + 1] = {
    let mut table = [None; UNTOLD + 1];
    table[UNTOLD] = Some((None, None));
    let mut number = 0;
    while number < 8 {
        table[b'a' as usize + number] = Some((Some(File::ALL[number]), None));
        table[b'1' as usize + number] = Some((None, Some(Rank::ALL[number])));
        number += 1;
    }
    table
};

/// Two to eight bytes as a number, the first one lowest, and how many they are.
#[inline(always)]
fn pack(text: &[u8]) -> Option<(u64, u32)> {
    let length = text.len() as u32;
    let word = if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        if text.len() > 8 {
            return None;
        }
        // These overlap, and agree where they do.
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        u64::from(first) | u64::from(last) << (8 * (length - 4))
    } else {
        let (first, last) = (text.first_chunk()?, text.last()?);
        u64::from(u16::from_le_bytes(*first)) | u64::from(*last) << (8 * (length - 1))
    };
    Some((word, length))
}

/// All moves without a common shape.
#[cold]
#[inline(never)]
fn uncommon(text: &[u8], lenient: bool) -> Result<San, SanError> {
    let (text, suffix) = match text {
        [rest @ .., b'+'] => (rest, Suffix::Check),
        [rest @ .., b'#'] => (rest, Suffix::Mate),
        _ => (text, Suffix::None),
    };
    let step = match text {
        b"O-O" => SanStep::Castle(CastlingSide::King),
        b"O-O-O" => SanStep::Castle(CastlingSide::Queen),
        b"0-0" if lenient => SanStep::Castle(CastlingSide::King),
        b"0-0-0" if lenient => SanStep::Castle(CastlingSide::Queen),
        _ => piece_step(text, lenient)?,
    };
    Ok(San { step, suffix, lenient })
}

fn piece_step(text: &[u8], lenient: bool) -> Result<SanStep, SanError> {
    let (role, text) = match text {
        [b'N', rest @ ..] => (Role::Knight, rest),
        [b'B', rest @ ..] => (Role::Bishop, rest),
        [b'R', rest @ ..] => (Role::Rook, rest),
        [b'Q', rest @ ..] => (Role::Queen, rest),
        [b'K', rest @ ..] => (Role::King, rest),
        _ => (Role::Pawn, text),
    };
    let promoted = |letter: u8| match letter {
        b'Q' => Ok(Some(Role::Queen)),
        b'R' => Ok(Some(Role::Rook)),
        b'B' => Ok(Some(Role::Bishop)),
        b'N' => Ok(Some(Role::Knight)),
        _ => Err(SanError::Syntax),
    };
    let (text, promotion) = match text {
        [rest @ .., b'=', letter] if role == Role::Pawn => (rest, promoted(*letter)?),
        [rest @ .., letter @ (b'Q' | b'R' | b'B' | b'N')] if lenient && role == Role::Pawn => {
            (rest, promoted(*letter)?)
        }
        _ => (text, None),
    };
    let [rest @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text else {
        return Err(SanError::Syntax);
    };
    let to = Square::wrap(u32::from(rank - b'1') * 8 + u32::from(file - b'a'));
    let (rest, capture) = match rest {
        [rest @ .., b'x'] => (rest, true),
        _ => (rest, false),
    };
    let file_of = |letter: u8| File::ALL[usize::from(letter - b'a') & 7];
    let rank_of = |digit: u8| Rank::ALL[usize::from(digit - b'1') & 7];
    let (file, rank) = match *rest {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file_of(file)), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank_of(rank))),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file_of(file)), Some(rank_of(rank))),
        _ => return Err(SanError::Syntax),
    };
    if !lenient {
        // A pawn's file is written exactly when it takes, its rank never; and a pawn on the last
        // rank is promoted.
        let pawn_faults = role == Role::Pawn
            && (file.is_some() != capture
                || rank.is_some()
                || promotion.is_some() != matches!(to.rank(), Rank::First | Rank::Eighth));
        // There is one king, so it needs no file or rank.
        if pawn_faults || role == Role::King && (file.is_some() || rank.is_some()) {
            return Err(SanError::Syntax);
        }
    }
    Ok(SanStep::Piece { role, file, rank, capture, to, promotion })
}

impl FromStr for San {
    type Err = SanError;

    /// Reads strictly.
    fn from_str(text: &str) -> Result<San, SanError> {
        San::read(text.as_bytes(), false)
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(8);
        self.push_to(&mut text);
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The short way gives what the long way gives, or leaves the text to it.
    fn assert_same(text: &[u8]) {
        for lenient in [false, true] {
            let signed = lenient && matches!(text.last(), Some(b'!' | b'?'));
            if !signed {
                assert_eq!(San::read(text, lenient), uncommon(text, lenient), "{text:?} {lenient}");
            }
        }
    }

    #[test]
    fn common_shapes_read_the_same_as_by_the_long_way() {
        // Both ends of each range, their neighbours, and bytes that are not letters.
        let letters = *b"abhi`NKOPQRx0189+#=-\0\xe1";
        let mut count = 0;
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..4 {
            texts = texts
                .iter()
                .flat_map(|text| letters.iter().map(|&letter| [text, &[letter][..]].concat()))
                .collect();
            texts.iter().for_each(|text| assert_same(text));
            count += texts.len();
        }
        assert_eq!(count, 22 + 22usize.pow(2) + 22usize.pow(3) + 22usize.pow(4));
        assert_same(b"");
    }

    #[test]
    fn long_moves_read_the_same_as_by_the_long_way() {
        for piece in ["", "N", "K", "e", "P"] {
            for from in ["", "a", "h", "1", "8", "a1", "i", "9", "aa", "11", "xx"] {
                for capture in ["", "x", "xx", "-"] {
                    for to in ["e4", "a1", "h8", "e9", "i4", "4e", "e"] {
                        for end in
                            ["", "+", "#", "++", "#+", "=Q", "Q", "=Q#", "=K", "=", "!", "  "]
                        {
                            assert_same([piece, from, capture, to, end].concat().as_bytes());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn two_to_eight_bytes_become_a_number() {
        let text = b"Nb1xd2+!?e.p.";
        for length in 0..=text.len() {
            let mut bytes = [0; 8];
            let expected = (2..=8).contains(&length).then(|| {
                bytes[..length].copy_from_slice(&text[..length]);
                (u64::from_le_bytes(bytes), length as u32)
            });
            assert_eq!(pack(&text[..length]), expected, "{length}");
            assert_same(&text[..length]);
        }
    }

    #[test]
    fn what_stands_behind_a_move_does_not_matter_to_it() {
        for text in ["e4", "exd5", "hxg8", "Nf3", "Nxf3+", "Nhf3", "R1xe2#", "R8e2", "Qa1xb2+"] {
            let expected = San::read(text.as_bytes(), true).unwrap();
            for behind in [*b"        ", *b"\n1. e4 d", [0; 8], [0xff; 8]] {
                let mut word = behind;
                word[..text.len()].copy_from_slice(text.as_bytes());
                let read = San::common(u64::from_le_bytes(word), text.len() as u32);
                let is_common = text != "Qa1xb2+";
                assert_eq!(read, is_common.then_some(expected), "{text} {behind:?}");
            }
        }
    }
}
