//! Squares, files and ranks.

use std::fmt;
use std::str::FromStr;

use crate::Color;

/// A column of the board, `a` to `h`.
///
/// ```
/// use hansu_chess::File;
/// assert_eq!(File::from_letter('e'), Some(File::E));
/// assert_eq!(File::E.letter(), 'e');
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // eight self-explanatory names
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files from `a` to `h`.
    ///
    /// ```
    /// # use hansu_chess::File;
    /// assert_eq!(File::ALL[7], File::H);
    /// ```
    pub const ALL: [File; 8] =
        [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

    /// The small letter.
    ///
    /// ```
    /// # use hansu_chess::File;
    /// assert_eq!(File::C.letter(), 'c');
    /// ```
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file a small letter names.
    ///
    /// ```
    /// # use hansu_chess::File;
    /// assert_eq!(File::from_letter('i'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<File> {
        match letter {
            'a'..='h' => Some(File::ALL[letter as usize - 'a' as usize]),
            _ => None,
        }
    }
}

/// A row of the board, 1 to 8.
///
/// ```
/// use hansu_chess::{Color, Rank};
/// assert_eq!(Rank::from_digit('4'), Some(Rank::Fourth));
/// assert_eq!(Rank::Second.seen_by(Color::Black), Rank::Seventh);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // eight self-explanatory names
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks from the first to the eighth.
    ///
    /// ```
    /// # use hansu_chess::Rank;
    /// assert_eq!(Rank::ALL[0], Rank::First);
    /// ```
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

    /// The digit.
    ///
    /// ```
    /// # use hansu_chess::Rank;
    /// assert_eq!(Rank::Eighth.digit(), '8');
    /// ```
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank a digit names.
    ///
    /// ```
    /// # use hansu_chess::Rank;
    /// assert_eq!(Rank::from_digit('9'), None);
    /// ```
    pub const fn from_digit(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Some(Rank::ALL[digit as usize - '1' as usize]),
            _ => None,
        }
    }

    /// The same rank counted from a side's own edge.
    ///
    /// ```
    /// # use hansu_chess::{Color, Rank};
    /// assert_eq!(Rank::First.seen_by(Color::Black), Rank::Eighth);
    /// ```
    pub const fn seen_by(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank::ALL[7 - self as usize],
        }
    }
}

// One list serves the names and the numbering.
macro_rules! squares {
    ($($name:ident)*) => {
        /// A square of the board, numbered from `a1` along the ranks to `h8`.
        ///
        /// ```
        /// use hansu_chess::{File, Rank, Square};
        /// let square: Square = "e4".parse()?;
        /// assert_eq!(square, Square::E4);
        /// assert_eq!((square.file(), square.rank()), (File::E, Rank::Fourth));
        /// assert_eq!(square.to_string(), "e4");
        /// # Ok::<(), hansu_chess::SquareError>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)] // 64 self-explanatory names
        pub enum Square { $($name),* }

        impl Square {
            /// All squares, `a1` first and `h8` last.
            ///
            /// ```
            /// # use hansu_chess::Square;
            /// assert_eq!(Square::ALL[63], Square::H8);
            /// ```
            pub const ALL: [Square; 64] = [$(Square::$name),*];
        }
    };
}

squares! {
        A1 B1 C1 D1 E1 F1 G1 H1
        A2 B2 C2 D2 E2 F2 G2 H2
        A3 B3 C3 D3 E3 F3 G3 H3
        A4 B4 C4 D4 E4 F4 G4 H4
        A5 B5 C5 D5 E5 F5 G5 H5
        A6 B6 C6 D6 E6 F6 G6 H6
        A7 B7 C7 D7 E7 F7 G7 H7
        A8 B8 C8 D8 E8 F8 G8 H8
}

impl Square {
    /// The square with this number, of which only the low six bits count.
    #[inline(always)]
    pub(crate) const fn wrap(index: u32) -> Square {
        crate::unchecked::square(index)
    }

    /// The square where a file and a rank cross.
    ///
    /// ```
    /// # use hansu_chess::{File, Rank, Square};
    /// assert_eq!(Square::new(File::B, Rank::Seventh), Square::B7);
    /// ```
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::wrap(rank as u32 * 8 + file as u32)
    }

    /// The square with this number, counted from `a1` = 0 to `h8` = 63.
    ///
    /// ```
    /// # use hansu_chess::Square;
    /// assert_eq!(Square::from_index(63), Some(Square::H8));
    /// assert_eq!(Square::from_index(64), None);
    /// ```
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 { Some(Square::wrap(index as u32)) } else { None }
    }

    /// Its number, 0 to 63.
    ///
    /// ```
    /// # use hansu_chess::Square;
    /// assert_eq!(Square::B1.index(), 1);
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its file.
    ///
    /// ```
    /// # use hansu_chess::{File, Square};
    /// assert_eq!(Square::G3.file(), File::G);
    /// ```
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[self as usize % 8]
    }

    /// Its rank.
    ///
    /// ```
    /// # use hansu_chess::{Rank, Square};
    /// assert_eq!(Square::G3.rank(), Rank::Third);
    /// ```
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize / 8]
    }

    /// The square mirrored from top to bottom: what the other side sees.
    ///
    /// ```
    /// # use hansu_chess::Square;
    /// assert_eq!(Square::C2.mirrored(), Square::C7);
    /// ```
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square::wrap(self as u32 ^ 56)
    }

    /// The square some files to the right and ranks up, if it is on the board.
    ///
    /// ```
    /// # use hansu_chess::Square;
    /// assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
    /// assert_eq!(Square::H4.offset(1, 0), None);
    /// ```
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self as i8 % 8 + files;
        let rank = self as i8 / 8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Square::from_index((rank * 8 + file) as usize)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that is not the name of a square.
///
/// ```
/// use hansu_chess::{Square, SquareError};
/// assert_eq!("j9".parse::<Square>(), Err(SquareError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquareError;

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a letter a to h and a digit 1 to 8")
    }
}

impl std::error::Error for SquareError {}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Ok(Square::wrap(u32::from(rank - b'1') * 8 + u32::from(file - b'a')))
            }
            _ => Err(SquareError),
        }
    }
}
