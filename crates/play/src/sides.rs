//! Values for each of the two sides, and the actors of a game.

use std::ops::{Index, IndexMut};

use hansu_chess::Color;
use serde::{Deserialize, Serialize};

/// One value for White, one for Black.
///
/// ```
/// use hansu_chess::Color;
/// use hansu_play::Sides;
/// let mut scores = Sides { white: 1, black: 2 };
/// scores[Color::Black] += 1;
/// assert_eq!(scores.swapped(), Sides { white: 3, black: 1 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sides<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> Sides<T> {
    /// The two values swapped.
    ///
    /// ```
    /// # use hansu_play::Sides;
    /// assert_eq!(Sides { white: 1, black: 2 }.swapped(), Sides { white: 2, black: 1 });
    /// ```
    pub fn swapped(self) -> Sides<T> {
        Sides { white: self.black, black: self.white }
    }
}

impl<T: Clone> Sides<T> {
    /// The same value for both.
    pub fn both(value: T) -> Sides<T> {
        Sides { white: value.clone(), black: value }
    }
}

impl<T> Index<Color> for Sides<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for Sides<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}

/// The sender of a command. The caller must prove it (cookie, token, keyboard); this crate decides
/// what the actor may do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The player on White's seat.
    White,
    /// The player on Black's seat.
    Black,
    /// Two players on one screen: plays for the side to move, and its offers are agreed at once.
    Both,
    /// The server: flags, presence, clock credit.
    System,
    /// A spectator.
    Spectator,
}

impl Actor {
    /// The player on a side's seat.
    pub const fn seat(color: Color) -> Actor {
        match color {
            Color::White => Actor::White,
            Color::Black => Actor::Black,
        }
    }
}
