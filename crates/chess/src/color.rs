//! The two sides.

use std::fmt;
use std::ops::Not;

/// One of the two sides.
///
/// ```
/// use hansu_chess::Color;
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::Black.to_string(), "black");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// Moves first.
    White,
    /// Moves second.
    Black,
}

impl Color {
    /// Both sides, White first.
    ///
    /// ```
    /// # use hansu_chess::Color;
    /// assert_eq!(Color::ALL, [Color::White, Color::Black]);
    /// ```
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The other side, usable in constants.
    ///
    /// ```
    /// # use hansu_chess::Color;
    /// assert_eq!(Color::White.other(), Color::Black);
    /// ```
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// The letter FEN uses: `w` or `b`.
    ///
    /// ```
    /// # use hansu_chess::Color;
    /// assert_eq!(Color::Black.letter(), 'b');
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        self.other()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// A side known at compile time, so that the generator is built once for each and never asks.
pub(crate) trait Side: Copy {
    /// The opponent.
    type Them: Side;
    /// Which side this is.
    const COLOR: Color;
    /// True if this is White (constants of a trait cannot be compared in a condition as cheaply).
    const WHITE: bool;
}

#[derive(Clone, Copy)]
pub(crate) struct White;

#[derive(Clone, Copy)]
pub(crate) struct Black;

impl Side for White {
    type Them = Black;
    const COLOR: Color = Color::White;
    const WHITE: bool = true;
}

impl Side for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
    const WHITE: bool = false;
}
