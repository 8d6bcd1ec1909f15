//! Forsyth–Edwards Notation, with the castling letters of X-FEN and of Shredder-FEN.

use std::fmt;
use std::str::FromStr;

use crate::{
    Bitboard, Board, Color, Faults, File, Piece, Position, Rank, Role, Setup, Square, Variant,
};

/// Why a text is no FEN, or its position cannot be played.
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
    /// The count of moves without capture or pawn move is no number up to 65,535.
    Halfmoves,
    /// The move number is no number up to 65,535.
    Fullmoves,
    /// Something follows after the move number.
    TooLong,
    /// The FEN is well written, but nobody can play from its position.
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
        let mut board = Board::empty();
        // The number of the square reached, rank by rank from the eighth; a digit may not follow
        // another (`44` is written `8`).
        let (mut rank, mut file, mut after_digit) = (7u32, 0u32, false);
        for &byte in text.as_bytes() {
            match byte {
                b'/' => {
                    if file != 8 || rank == 0 {
                        return Err(FenError::Board);
                    }
                    (rank, file, after_digit) = (rank - 1, 0, false);
                }
                b'1'..=b'8' => {
                    file += u32::from(byte - b'0');
                    if after_digit || file > 8 {
                        return Err(FenError::Board);
                    }
                    after_digit = true;
                }
                _ => {
                    let piece = Piece::from_letter(char::from(byte)).ok_or(FenError::Board)?;
                    if file > 7 {
                        return Err(FenError::Board);
                    }
                    let at = Bitboard(1 << (rank * 8 + file));
                    board.roles[piece.role as usize] |= at;
                    board.colors[piece.color as usize] |= at;
                    (file, after_digit) = (file + 1, false);
                }
            }
        }
        if rank == 0 && file == 8 {
            Ok(board)
        } else {
            Err(FenError::Board)
        }
    }

    /// The letters of all squares, 0 for an empty one.
    fn letters(&self) -> [u8; 64] {
        let mut letters = [0; 64];
        for role in Role::ALL {
            for color in Color::ALL {
                let piece = role.of(color);
                for at in self.of(piece) {
                    letters[at.index()] = piece.letter() as u8;
                }
            }
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
        for (number, rank) in letters.chunks_exact(8).rev().enumerate() {
            if number > 0 {
                text.push(between);
            }
            let mut empty = 0;
            for &letter in rank {
                if letter == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text.push(char::from(b'0' + empty));
                    empty = 0;
                }
                text.push(char::from(letter));
            }
            if empty > 0 {
                text.push(char::from(b'0' + empty));
            }
        }
    }
}

impl Setup {
    /// Reads a FEN. The two counters at its end may be missing; castling rights may be written as
    /// in X-FEN (`KQkq`, the outermost rooks) or in Shredder-FEN (`HAha`, the rooks' files).
    ///
    /// # Errors
    ///
    /// The first field that is not well written. Whether the position makes sense is asked by
    /// [`Setup::position`].
    ///
    /// ```
    /// use hansu_chess::Setup;
    /// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -";
    /// assert_eq!(Setup::from_fen(fen), Ok(Setup::start()));
    /// ```
    pub fn from_fen(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let setup = Setup::from_fields(&mut fields)?;
        if fields.next().is_some() {
            Err(FenError::TooLong)
        } else {
            Ok(setup)
        }
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
        Ok(Setup {
            board,
            turn,
            castling,
            en_passant,
            ..Setup::empty()
        })
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
        self.written(Letters::XFen)
    }

    /// The set-up as Shredder-FEN: castling rights by the files of the rooks.
    ///
    /// ```
    /// use hansu_chess::Setup;
    /// assert!(Setup::start().shredder_fen().contains(" w HAha - "));
    /// ```
    pub fn shredder_fen(&self) -> String {
        self.written(Letters::Shredder)
    }

    fn written(&self, letters: Letters) -> String {
        let mut text = String::with_capacity(96);
        self.write_four_fields(&mut text, letters);
        text.push(' ');
        push_number(&mut text, self.halfmoves);
        text.push(' ');
        push_number(&mut text, self.fullmoves);
        text
    }

    pub(crate) fn write_four_fields(&self, text: &mut String, letters: Letters) {
        self.board.write_ranks(text, '/');
        text.push(' ');
        text.push(self.turn.letter());
        text.push(' ');
        self.write_castling(text, letters);
        text.push(' ');
        match self.en_passant {
            Some(square) => {
                text.push(square.file().letter());
                text.push(square.rank().digit());
            }
            None => text.push('-'),
        }
    }

    fn write_castling(&self, text: &mut String, letters: Letters) {
        if self.castling.is_empty() {
            text.push('-');
            return;
        }
        for color in Color::ALL {
            let home = Bitboard::rank_of(color, Rank::First);
            let cased = |letter: char| match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter.to_ascii_lowercase(),
            };
            // The king's wing first: from the h-file down.
            let mut rights = self.castling & home;
            while !rights.is_empty() {
                let rook = Square::wrap(63 - rights.0.leading_zeros());
                rights = rights - Bitboard::of(rook);
                let wing = [
                    ('k', outermost(&self.board, color, true)),
                    ('q', outermost(&self.board, color, false)),
                ]
                .into_iter()
                .find(|&(_, outer)| outer == Some(rook));
                text.push(cased(match (letters, wing) {
                    (Letters::XFen, Some((letter, _))) => letter,
                    _ => rook.file().letter(),
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

/// The rook of a side farthest from its king on one wing of the home rank.
fn outermost(board: &Board, color: Color, king_side: bool) -> Option<Square> {
    let king = board.king(color)?;
    let rooks = board.of(Role::Rook.of(color)) & Bitboard::rank_of(color, Rank::First);
    let below = rooks & Bitboard((1u64 << king as u32) - 1);
    if king_side {
        let above = rooks - below;
        (!above.is_empty()).then(|| Square::wrap(63 - above.0.leading_zeros()))
    } else {
        below.first()
    }
}

fn castling(board: &Board, text: &str) -> Result<Bitboard, FenError> {
    let mut rights = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.bytes() {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let home = Rank::First.seen_by(color);
        let at = |file| Square::new(file, home);
        let rook = match letter.to_ascii_lowercase() {
            // Without a rook there the corner stands for it, and the gate finds the fault.
            b'k' => outermost(board, color, true).unwrap_or(at(File::H)),
            b'q' => outermost(board, color, false).unwrap_or(at(File::A)),
            file => at(File::from_letter(char::from(file)).ok_or(FenError::Castling)?),
        };
        if rights.contains(rook) {
            return Err(FenError::Castling);
        }
        rights |= Bitboard::of(rook);
    }
    if rights.is_empty() {
        Err(FenError::Castling)
    } else {
        Ok(rights)
    }
}

fn number(text: &str) -> Option<u16> {
    // `parse` alone would also take a plus sign.
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

/// Like `to_string`, without asking the allocator.
pub(crate) fn push_number(text: &mut String, number: u16) {
    let mut digits = [0; 5];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    for &digit in &digits[at..] {
        text.push(char::from(digit));
    }
}

impl Position {
    /// Reads a FEN and checks the position.
    ///
    /// # Errors
    ///
    /// What is badly written, or all that keeps the position from being played.
    ///
    /// ```
    /// use hansu_chess::{Position, Variant};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -", Variant::Standard)?;
    /// assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn from_fen(text: &str, variant: Variant) -> Result<Position, FenError> {
        Setup::from_fen(text)?
            .position(variant)
            .map_err(FenError::Faults)
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
