//! Standard algebraic notation: syntax first, legality second.
//!
//! Strict reading takes exactly what would be written for a legal move. Lenient reading also takes
//! `0-0` for `O-O`, a promotion without `=`, annotation signs (`!?`), more disambiguation than
//! needed, and missing or wrong `x`, `+` and `#`.

use std::fmt;
use std::str::FromStr;

use crate::attacks;
use crate::moves::{CastlingSide, Kind};
use crate::sliders::{self, Sliders, Task};
use crate::{Bitboard, Color, File, Move, Position, Rank, Role, Square};

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

/// What is written of the move itself.
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
        /// Whether `x` is written.
        capture: bool,
        /// Where it goes.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// `O-O` or `O-O-O`.
    Castle(CastlingSide),
}

/// A move as it is written, not judged yet.
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

/// Why a text is no legal move.
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
    /// No legal move is written so.
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

// ---------------------------------------------------------------------------------------------
// Syntax.

impl San {
    /// Reads leniently, see the words at the top of this file.
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
        let suffix = match text.last() {
            Some(b'+') => Suffix::Check,
            Some(b'#') => Suffix::Mate,
            _ => Suffix::None,
        };
        let text = &text[..text.len() - usize::from(suffix != Suffix::None)];
        if let Some(step) = common_step(text, lenient) {
            return Ok(San { step, suffix, lenient });
        }
        let step = match text {
            b"O-O" => SanStep::Castle(CastlingSide::King),
            b"O-O-O" => SanStep::Castle(CastlingSide::Queen),
            b"0-0" if lenient => SanStep::Castle(CastlingSide::King),
            b"0-0-0" if lenient => SanStep::Castle(CastlingSide::Queen),
            _ => piece_step(text, lenient)?,
        };
        Ok(San { step, suffix, lenient })
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

/// Nearly all moves, with hardly a branch; the others are left to [`piece_step`].
#[inline(always)]
fn common_step(text: &[u8], lenient: bool) -> Option<SanStep> {
    let [head @ .., file, rank] = text else { return None };
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    let role = FIRST[usize::from(text[0])]?;
    if (file | rank) > 7 {
        return None;
    }
    let to = Square::wrap(u32::from(rank) * 8 + u32::from(file));
    let capture = head.last() == Some(&b'x');
    let head = &head[usize::from(role != Role::Pawn).min(head.len())..];
    let from = &head[..head.len() - usize::from(capture).min(head.len())];
    let (file, rank) = match *from {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(File::ALL[usize::from(file - b'a') & 7]), None),
        _ => return None,
    };
    if !lenient
        && (role == Role::King && file.is_some()
            || role == Role::Pawn
                && (file.is_some() != capture || matches!(to.rank(), Rank::First | Rank::Eighth)))
    {
        return None;
    }
    Some(SanStep::Piece { role, file, rank, capture, to, promotion: None })
}

#[cold]
#[inline(never)]
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
        // There is one king, so it is never told apart.
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

// ---------------------------------------------------------------------------------------------
// Legality.

impl San {
    /// The one legal move that is written so. If the notation was read strictly, it must be
    /// written exactly as Hansu writes it.
    ///
    /// # Errors
    ///
    /// [`SanError::Illegal`] or [`SanError::Ambiguous`].
    ///
    /// ```
    /// use hansu_chess::{Position, San};
    /// let position = Position::start();
    /// assert!("e4".parse::<San>()?.to_move(&position).is_ok());
    /// assert!("e4+".parse::<San>()?.to_move(&position).is_err());
    /// assert!(San::lenient("e4+")?.to_move(&position).is_ok());
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    #[inline]
    pub fn to_move(&self, position: &Position) -> Result<Move, SanError> {
        struct Resolve<'a>(&'a San, &'a Position);
        impl Task for Resolve<'_> {
            type Output = Result<Move, SanError>;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> Result<Move, SanError> {
                self.0.resolve(self.1, sliders)
            }
        }
        sliders::run(Resolve(self, position))
    }

    #[inline(always)]
    fn resolve<S: Sliders>(&self, position: &Position, sliders: S) -> Result<Move, SanError> {
        let step = match self.step {
            SanStep::Castle(side) => castling(position, side)?,
            SanStep::Piece { role: Role::Pawn, file, rank, capture, to, promotion } => {
                let step = pawn_move(position, sliders, file, capture, to, promotion)?;
                if rank.is_some_and(|rank| step.from.rank() != rank) {
                    return Err(SanError::Illegal);
                }
                step
            }
            SanStep::Piece { role, file, rank, capture, to, promotion } => {
                let them = position.board.of_color(!position.turn);
                if promotion.is_some() || (capture != them.contains(to) && !self.lenient) {
                    return Err(SanError::Illegal);
                }
                let mut from = candidates(position, sliders, role, to);
                if let Some(file) = file {
                    from &= Bitboard::file(file);
                }
                if let Some(rank) = rank {
                    from &= Bitboard::rank(rank);
                }
                let from = legal_ones(position, sliders, from, to);
                if from.is_several() {
                    return Err(SanError::Ambiguous);
                }
                let from = from.first().ok_or(SanError::Illegal)?;
                if !self.lenient
                    && disambiguation(position, sliders, role, from, to) != (file, rank)
                {
                    return Err(SanError::Illegal);
                }
                Move { from, to, role, kind: Kind::Plain }
            }
        };
        if self.lenient || suffix(position, sliders, step) == self.suffix {
            Ok(step)
        } else {
            Err(SanError::Illegal)
        }
    }
}

impl Position {
    /// A move of this position in standard algebraic notation.
    ///
    /// ```
    /// use hansu_chess::{Position, Square};
    /// let position = Position::start();
    /// let step = position.judge(Square::G1, Square::F3, None)?;
    /// assert_eq!(position.san(step).to_string(), "Nf3");
    /// # Ok::<(), hansu_chess::Refusal>(())
    /// ```
    #[inline]
    pub fn san(&self, step: Move) -> San {
        struct Write<'a>(&'a Position, Move);
        impl Task for Write<'_> {
            type Output = San;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> San {
                let Write(position, step) = self;
                let suffix = suffix(position, sliders, step);
                San { step: written(position, sliders, step), suffix, lenient: false }
            }
        }
        sliders::run(Write(self, step))
    }
}

#[inline(always)]
fn written<S: Sliders>(position: &Position, sliders: S, step: Move) -> SanStep {
    if let Some(side) = step.castling() {
        return SanStep::Castle(side);
    }
    let Move { from, to, role, .. } = step;
    let capture = position.board.of_color(!position.turn).contains(to) || step.is_en_passant();
    let (file, rank) = match role {
        Role::Pawn => (capture.then(|| from.file()), None),
        _ => disambiguation(position, sliders, role, from, to),
    };
    SanStep::Piece { role, file, rank, capture, to, promotion: step.promotion() }
}

/// Pieces of a kind that reach a square, pinned or not.
#[inline(always)]
fn candidates<S: Sliders>(position: &Position, sliders: S, role: Role, to: Square) -> Bitboard {
    let board = &position.board;
    if board.of_color(position.turn).contains(to) {
        return Bitboard::EMPTY;
    }
    let reach = match role {
        Role::Knight => attacks::knight(to),
        Role::King => attacks::king(to),
        Role::Bishop => sliders.bishop(to, board.occupied()),
        Role::Rook => sliders.rook(to, board.occupied()),
        _ => sliders.bishop(to, board.occupied()) | sliders.rook(to, board.occupied()),
    };
    reach & board.of(role.of(position.turn))
}

/// Those pieces that may go to a square without leaving their king attacked.
#[inline(always)]
fn legal_ones<S: Sliders>(position: &Position, sliders: S, from: Bitboard, to: Square) -> Bitboard {
    // A loop, not an iterator's adapters: those would not be inlined into the function that is
    // compiled for the processor at hand.
    let (mut rest, mut legal) = (from, Bitboard::EMPTY);
    while let Some(from) = rest.first() {
        let bit = Bitboard::of(from);
        rest = rest - bit;
        if is_safe(position, sliders, from, to) {
            legal |= bit;
        }
    }
    legal
}

#[inline(always)]
fn is_safe<S: Sliders>(position: &Position, sliders: S, from: Square, to: Square) -> bool {
    let board = &position.board;
    let occupied = (board.occupied() - Bitboard::of(from)) | Bitboard::of(to);
    let king = position.king(position.turn);
    let king = if from == king { to } else { king };
    (board.attackers_with(sliders, king, !position.turn, occupied) - Bitboard::of(to)).is_empty()
}

/// File, rank or both of a piece, as far as they are needed to tell it from others of its kind
/// that could legally go there as well.
#[inline(always)]
fn disambiguation<S: Sliders>(
    position: &Position,
    sliders: S,
    role: Role,
    from: Square,
    to: Square,
) -> (Option<File>, Option<Rank>) {
    if role == Role::King {
        return (None, None);
    }
    let rivals = candidates(position, sliders, role, to) - Bitboard::of(from);
    if rivals.is_empty() {
        return (None, None);
    }
    let rivals = legal_ones(position, sliders, rivals, to);
    if rivals.is_empty() {
        (None, None)
    } else if !rivals.meets(Bitboard::file(from.file())) {
        (Some(from.file()), None)
    } else if !rivals.meets(Bitboard::rank(from.rank())) {
        (None, Some(from.rank()))
    } else {
        (Some(from.file()), Some(from.rank()))
    }
}

#[inline(always)]
fn suffix<S: Sliders>(position: &Position, sliders: S, step: Move) -> Suffix {
    if !gives_check(position, sliders, step) {
        Suffix::None
    } else if position.play(step).has_moves() {
        Suffix::Check
    } else {
        Suffix::Mate
    }
}

/// Looks from the enemy's king at the board as it will be, without making the move.
#[inline(always)]
fn gives_check<S: Sliders>(position: &Position, sliders: S, step: Move) -> bool {
    let Move { from, to, role, kind } = step;
    if matches!(kind, Kind::EnPassant | Kind::Castle) {
        return position.play(step).is_check();
    }
    let board = &position.board;
    let king = position.king(!position.turn);
    let (gone, come) = (Bitboard::of(from), Bitboard::of(to));
    let us = board.of_color(position.turn) - gone;
    let occupied = (board.occupied() - gone) | come;
    let straight = (board.of_role(Role::Rook) | board.of_role(Role::Queen)) & us;
    let diagonal = (board.of_role(Role::Bishop) | board.of_role(Role::Queen)) & us;
    let (straight, diagonal) = match step.promotion().unwrap_or(role) {
        Role::Pawn if attacks::pawn(position.turn, to).contains(king) => return true,
        Role::Knight if attacks::knight(to).contains(king) => return true,
        Role::Pawn | Role::Knight | Role::King => (straight, diagonal),
        Role::Bishop => (straight, diagonal | come),
        Role::Rook => (straight | come, diagonal),
        Role::Queen => (straight | come, diagonal | come),
    };
    sliders.rook(king, occupied).meets(straight) || sliders.bishop(king, occupied).meets(diagonal)
}

fn castling(position: &Position, side: CastlingSide) -> Result<Move, SanError> {
    let king = position.king(position.turn);
    let home = Bitboard::rank_of(position.turn, Rank::First);
    (position.castling & home)
        .into_iter()
        .find(|&rook| CastlingSide::of(king, rook) == side)
        .and_then(|rook| position.judge(king, rook, None).ok())
        .ok_or(SanError::Illegal)
}

#[inline(always)]
fn pawn_move<S: Sliders>(
    position: &Position,
    sliders: S,
    file: Option<File>,
    capture: bool,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, SanError> {
    let board = &position.board;
    let white = position.turn == Color::White;
    let pawns = board.of(Role::Pawn.of(position.turn));
    let back = |square: Square| {
        Square::wrap(if white { (square as u32).wrapping_sub(8) } else { square as u32 + 8 })
    };
    let last = to.rank() == Rank::Eighth.seen_by(position.turn);
    // A pawn never comes from its own first rank; there `back` would leave the board.
    if promotion.is_some() != last || to.rank() == Rank::First.seen_by(position.turn) {
        return Err(SanError::Illegal);
    }
    let mut kind = promotion.map_or(Kind::Plain, Kind::Promotion);
    let from = match file {
        Some(file) if file != to.file() => {
            let from = Square::new(file, back(to).rank());
            if !attacks::pawn(position.turn, from).contains(to) || !pawns.contains(from) {
                return Err(SanError::Illegal);
            }
            if position.en_passant == Some(to) {
                if !position.en_passant_exposes(from, to).is_empty() {
                    return Err(SanError::Illegal);
                }
                return Ok(Move { from, to, role: Role::Pawn, kind: Kind::EnPassant });
            }
            if !board.of_color(!position.turn).contains(to) {
                return Err(SanError::Illegal);
            }
            from
        }
        _ => {
            let one = back(to);
            if capture || board.occupied().contains(to) {
                return Err(SanError::Illegal);
            }
            if pawns.contains(one) {
                one
            } else if to.rank() == Rank::Fourth.seen_by(position.turn)
                && !board.occupied().contains(one)
                && pawns.contains(back(one))
            {
                kind = Kind::DoubleStep;
                back(one)
            } else {
                return Err(SanError::Illegal);
            }
        }
    };
    if is_safe(position, sliders, from, to) {
        Ok(Move { from, to, role: Role::Pawn, kind })
    } else {
        Err(SanError::Illegal)
    }
}
