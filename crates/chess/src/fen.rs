//! Forsyth–Edwards Notation, with the castling letters of X-FEN and of Shredder-FEN.

use std::fmt;
use std::str::FromStr;

use crate::{
    Bitboard, Board, CastlingSide, Color, Faults, File, Piece, Position, Rank, Role, Setup, Square,
    Variant,
};

/// Why a text is not a FEN, or its position cannot be played.
///
/// ```
/// use hansu_chess::{FenError, Position};
/// assert_eq!("8/8/8 w - - 0 1".parse::<Position>(), Err(FenError::Board));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenError {
    /// The board is not eight ranks of eight files.
    Board,
    /// The side to move is neither `w` nor `b`.
    Turn,
    /// The castling rights are neither `-` nor letters that name rooks.
    Castling,
    /// The en passant square is neither `-` nor a square.
    EnPassant,
    /// The count of moves without capture or pawn move is not a number up to 65,535.
    Halfmoves,
    /// The move number is not a number up to 65,535.
    Fullmoves,
    /// Something follows after the move number.
    TooLong,
    /// The FEN is well-formed, but its position cannot be played.
    Faults(Faults),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenError::Board => "the board must be eight ranks of eight files, such as 8/8/8/…",
            FenError::Turn => "the side to move must be w or b",
            FenError::Castling => "the castling rights must be - or letters such as KQkq",
            FenError::EnPassant => "the en passant field must be - or a square such as e3",
            FenError::Halfmoves => "the fifth field must be a number from 0 to 65535",
            FenError::Fullmoves => "the sixth field must be a number from 1 to 65535",
            FenError::TooLong => "a FEN has at most six fields",
            FenError::Faults(faults) => return write!(f, "{faults}"),
        })
    }
}

impl std::error::Error for FenError {}

/// What a byte of the board's field does: which of the sixteen sets it marks (a piece's number, or
/// one of those below), how far it goes on along the squares, and how far the end of the rank goes.
#[derive(Clone, Copy)]
struct Mark {
    set: u8,
    step: i8,
    end: i8,
}

impl Mark {
    const DIGIT: u8 = 12;
    const SLASH: u8 = 13;
    const WRONG: u8 = 14;

    const fn of_piece(piece: Piece) -> u8 {
        piece.role as u8 * 2 + piece.color as u8
    }

    const fn of_byte(byte: u8) -> Mark {
        match Piece::from_letter(byte as char) {
            Some(piece) => Mark { set: Mark::of_piece(piece), step: 1, end: 0 },
            None => match byte {
                b'1'..=b'8' => Mark { set: Mark::DIGIT, step: (byte - b'0') as i8, end: 0 },
                b'/' => Mark { set: Mark::SLASH, step: -16, end: -8 },
                _ => Mark { set: Mark::WRONG, step: 0, end: 0 },
            },
        }
    }
}

static MARKS: [Mark; 256] = {
    let mut marks = [Mark::of_byte(0); 256];
    let mut byte = 0;
    while byte < 256 {
        marks[byte] = Mark::of_byte(byte as u8);
        byte += 1;
    }
    marks
};

/// A text buffer on the stack, with room for more than any FEN (at most 93 letters).
pub(crate) struct FenBuffer {
    bytes: [u8; 128],
    len: usize,
}

impl FenBuffer {
    fn new() -> FenBuffer {
        FenBuffer { bytes: [0; 128], len: 0 }
    }

    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.push_if(true, byte);
    }

    /// Always writes the byte, but advances only if it stays: without a branch.
    #[inline(always)]
    fn push_if(&mut self, stays: bool, byte: u8) {
        self.bytes[self.len % 128] = byte;
        self.len += usize::from(stays);
    }

    fn push_number(&mut self, number: u16) {
        let mut digits = [0; 5];
        let mut rest = number;
        let mut count = 0;
        while rest > 0 || count == 0 {
            digits[count] = b'0' + (rest % 10) as u8;
            rest /= 10;
            count += 1;
        }
        for &digit in digits[..count].iter().rev() {
            self.push(digit);
        }
    }

    fn push_to(&self, text: &mut String) {
        // Only ASCII was pushed, so this never leaves anything out.
        text.push_str(std::str::from_utf8(&self.bytes[..self.len % 128]).unwrap_or_default());
    }
}

impl Board {
    /// Reads the first field of a FEN.
    ///
    /// # Errors
    ///
    /// [`FenError::Board`] unless it is eight ranks of eight files.
    ///
    /// ```
    /// use hansu_chess::Board;
    /// let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    /// assert_eq!(Board::from_fen(text), Ok(Board::start()));
    /// ```
    pub fn from_fen(text: &str) -> Result<Board, FenError> {
        // Every byte takes the same path, without an unpredictable branch. Together with the same
        // measure in the key: 1.54 times shakmaty's speed instead of 1.33.
        let mut sets = [0u64; 16];
        // The square reached, and the one after the last of its rank.
        let (mut square, mut end) = (56i32, 64i32);
        let (mut before, mut wrong) = (Mark::SLASH, text.len() > 71);
        for &byte in text.as_bytes().iter().take(71) {
            let mark = MARKS[usize::from(byte)];
            sets[usize::from(mark.set & 15)] |= 1 << (square & 63);
            wrong |= mark.set == Mark::WRONG;
            wrong |= mark.set == Mark::SLASH && square != end;
            // A digit may not follow another: `44` is written `8`.
            wrong |= mark.set == Mark::DIGIT && before == Mark::DIGIT;
            square += i32::from(mark.step);
            end += i32::from(mark.end);
            wrong |= square > end;
            before = mark.set;
        }
        if wrong || square != 8 || end != 8 {
            return Err(FenError::Board);
        }
        let mut board = Board::empty();
        for role in Role::ALL {
            for color in Color::ALL {
                let squares = Bitboard(sets[usize::from(Mark::of_piece(role.of(color)))]);
                board.roles[role as usize] |= squares;
                board.colors[color as usize] |= squares;
            }
        }
        Ok(board)
    }

    /// The letters of all squares; those of empty ones mean nothing.
    fn letters(&self) -> [u8; 64] {
        let mut letters = [0; 64];
        for at in self.occupied() {
            letters[at.index()] = self.piece_on(at).letter() as u8;
        }
        letters
    }

    /// Writes the ranks from the eighth to the first with something between them: `/` in a FEN,
    /// a newline in the terminal game.
    ///
    /// ```
    /// use hansu_chess::Board;
    /// let mut lines = String::new();
    /// Board::start().write_ranks(&mut lines, '\n');
    /// assert!(lines.starts_with("rnbqkbnr\npppppppp\n8\n"));
    /// ```
    pub fn write_ranks(&self, text: &mut String, between: char) {
        let letters = self.letters();
        for rank in Rank::ALL.into_iter().rev() {
            if rank != Rank::Eighth {
                text.push(between);
            }
            let mut line = FenBuffer::new();
            self.push_rank(&mut line, &letters, rank);
            line.push_to(text);
        }
    }

    #[inline(always)]
    fn push_rank(&self, line: &mut FenBuffer, letters: &[u8; 64], rank: Rank) {
        let mut next = rank as usize * 8;
        for at in self.occupied() & Bitboard::rank(rank) {
            let empty = at.index() - next;
            line.push_if(empty > 0, b'0' + empty as u8);
            line.push(letters[at.index()]);
            next = at.index() + 1;
        }
        let empty = rank as usize * 8 + 8 - next;
        line.push_if(empty > 0, b'0' + empty as u8);
    }
}

impl Setup {
    /// Reads a FEN. The two counters at its end may be missing; castling rights may be written as
    /// in X-FEN (`KQkq`, the outermost rooks) or in Shredder-FEN (`HAha`, the rooks' files).
    ///
    /// # Errors
    ///
    /// The first field that is malformed. [`Setup::position`] checks if the position makes sense.
    ///
    /// ```
    /// use hansu_chess::Setup;
    /// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -";
    /// assert_eq!(Setup::from_fen(fen), Ok(Setup::start()));
    /// ```
    pub fn from_fen(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let setup = Setup::from_fields(&mut fields)?;
        if fields.next().is_some() { Err(FenError::TooLong) } else { Ok(setup) }
    }

    fn from_fields<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<Setup, FenError> {
        let mut setup = Setup::from_four_fields(fields)?;
        if let Some(text) = fields.next() {
            setup.halfmoves = number(text).ok_or(FenError::Halfmoves)?;
        }
        if let Some(text) = fields.next() {
            setup.fullmoves = number(text).ok_or(FenError::Fullmoves)?;
        }
        Ok(setup)
    }

    /// The four fields that FEN and EPD share.
    pub(crate) fn from_four_fields<'a>(
        fields: &mut impl Iterator<Item = &'a str>,
    ) -> Result<Setup, FenError> {
        let board = Board::from_fen(fields.next().ok_or(FenError::Board)?)?;
        let turn = match fields.next() {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            _ => return Err(FenError::Turn),
        };
        let castling = castling(&board, fields.next().ok_or(FenError::Castling)?)?;
        let en_passant = match fields.next() {
            Some("-") => None,
            Some(square) => Some(square.parse().map_err(|_| FenError::EnPassant)?),
            None => return Err(FenError::EnPassant),
        };
        Ok(Setup { board, turn, castling, en_passant, ..Setup::empty() })
    }

    /// The set-up as FEN, castling as in X-FEN.
    ///
    /// ```
    /// use hansu_chess::Setup;
    /// assert_eq!(
    ///     Setup::start().fen(),
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    /// );
    /// ```
    pub fn fen(&self) -> String {
        self.fen_with(Letters::XFen)
    }

    /// The set-up as Shredder-FEN: castling rights by the files of the rooks.
    ///
    /// ```
    /// use hansu_chess::Setup;
    /// assert!(Setup::start().shredder_fen().contains(" w HAha - "));
    /// ```
    pub fn shredder_fen(&self) -> String {
        self.fen_with(Letters::Shredder)
    }

    fn fen_with(&self, letters: Letters) -> String {
        let mut line = self.four_fields(letters);
        line.push(b' ');
        line.push_number(self.halfmoves);
        line.push(b' ');
        line.push_number(self.fullmoves);
        let mut text = String::with_capacity(line.len);
        line.push_to(&mut text);
        text
    }

    pub(crate) fn write_four_fields(&self, text: &mut String, letters: Letters) {
        self.four_fields(letters).push_to(text);
    }

    fn four_fields(&self, letters: Letters) -> FenBuffer {
        let mut line = FenBuffer::new();
        let pieces = self.board.letters();
        for rank in Rank::ALL.into_iter().rev() {
            line.push_if(rank != Rank::Eighth, b'/');
            self.board.push_rank(&mut line, &pieces, rank);
        }
        line.push(b' ');
        line.push(self.turn.letter() as u8);
        line.push(b' ');
        self.push_castling(&mut line, letters);
        line.push(b' ');
        match self.en_passant {
            Some(square) => {
                line.push(square.file().letter() as u8);
                line.push(square.rank().digit() as u8);
            }
            None => line.push(b'-'),
        }
        line
    }

    fn push_castling(&self, line: &mut FenBuffer, letters: Letters) {
        if self.castling.is_empty() {
            line.push(b'-');
            return;
        }
        for color in Color::ALL {
            let cased = |letter: u8| match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter.to_ascii_lowercase(),
            };
            // The king's wing first: from the h-file down.
            let mut rights = self.castling & Bitboard::rank_of(color, Rank::First);
            while let Some(rook) = last(rights) {
                rights = rights - Bitboard::of(rook);
                line.push(cased(match letters {
                    Letters::XFen
                        if outermost(&self.board, color, CastlingSide::King) == Some(rook) =>
                    {
                        b'k'
                    }
                    Letters::XFen
                        if outermost(&self.board, color, CastlingSide::Queen) == Some(rook) =>
                    {
                        b'q'
                    }
                    _ => rook.file().letter() as u8,
                }));
            }
        }
    }
}

/// How castling rights are written.
#[derive(Clone, Copy)]
pub(crate) enum Letters {
    XFen,
    Shredder,
}

/// The square of a set with the highest number.
fn last(squares: Bitboard) -> Option<Square> {
    (!squares.is_empty()).then(|| Square::wrap(63 - squares.0.leading_zeros()))
}

/// The rook of a side farthest from its king on one wing of the home rank.
fn outermost(board: &Board, color: Color, side: CastlingSide) -> Option<Square> {
    let king = board.king(color)?;
    let rooks = board.of(Role::Rook.of(color)) & Bitboard::rank_of(color, Rank::First);
    let below = rooks & Bitboard((1u64 << king as u32) - 1);
    match side {
        CastlingSide::King => last(rooks - below),
        CastlingSide::Queen => below.first(),
    }
}

fn castling(board: &Board, text: &str) -> Result<Bitboard, FenError> {
    let mut rights = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.bytes() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let home = Rank::First.seen_by(color);
        let at = |file| Square::new(file, home);
        let rook = match letter.to_ascii_lowercase() {
            // Without a rook there the corner stands for it, and the gate finds the fault.
            b'k' => outermost(board, color, CastlingSide::King).unwrap_or(at(File::H)),
            b'q' => outermost(board, color, CastlingSide::Queen).unwrap_or(at(File::A)),
            file => at(File::from_letter(char::from(file)).ok_or(FenError::Castling)?),
        };
        if rights.contains(rook) {
            return Err(FenError::Castling);
        }
        rights |= Bitboard::of(rook);
    }
    if rights.is_empty() { Err(FenError::Castling) } else { Ok(rights) }
}

fn number(text: &str) -> Option<u16> {
    // `parse` alone would also take a plus sign.
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

impl Position {
    /// Reads a FEN and checks the position.
    ///
    /// # Errors
    ///
    /// The malformed field, or all reasons why the position cannot be played.
    ///
    /// ```
    /// use hansu_chess::{Position, Variant};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -", Variant::Standard)?;
    /// assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn from_fen(text: &str, variant: Variant) -> Result<Position, FenError> {
        Setup::from_fen(text)?.position(variant).map_err(FenError::Faults)
    }

    /// The position as FEN, castling as in X-FEN, the en passant square only when a capture there
    /// is legal.
    ///
    /// ```
    /// use hansu_chess::Position;
    /// assert!(Position::start().fen().ends_with(" w KQkq - 0 1"));
    /// ```
    pub fn fen(&self) -> String {
        self.setup().fen()
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN of standard chess; [`Position::from_fen`] takes the variant.
    fn from_str(text: &str) -> Result<Position, FenError> {
        Position::from_fen(text, Variant::Standard)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}
