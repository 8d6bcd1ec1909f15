//! The names of openings: of all positions of a game that have a name, the last one counts.

use hansu_chess::{Game, Position, Variant};

/// An opening of the Encyclopaedia of Chess Openings.
///
/// ```
/// use hansu_chess::Game;
/// use hansu_annals::openings;
/// let mut game = Game::start();
/// for step in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
///     game.play_san(step)?;
/// }
/// let opening = openings::classify(&game).unwrap();
/// assert_eq!((opening.eco, opening.name), ("C60", "Ruy Lopez"));
/// # Ok::<(), hansu_chess::SanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Opening {
    /// A letter A to E and two digits.
    pub eco: &'static str,
    /// `Family: Variation, Subvariation`, in English.
    pub name: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/openings.rs"));

/// How many positions have a name.
pub const fn count() -> usize {
    KEYS.len()
}

/// How many plies the longest named line has: later positions need not be looked up.
pub const fn deepest() -> usize {
    DEEPEST
}

/// The opening that a position is named after, however it was reached.
pub fn lookup(position: &Position) -> Option<Opening> {
    let at = KEYS.binary_search(&position.key()).ok()?;
    let place = usize::from(*PLACES.get(at)?);
    let (from, to) = (*ENDS.get(place)? as usize, *ENDS.get(place + 1)? as usize);
    let (eco, name) = NAMES.get(from..to)?.split_at_checked(3)?;
    Some(Opening { eco, name })
}

/// The opening of a game: the last of its positions that has a name. A transposition may reach a
/// named position later than the named line does, so a few plies more are looked at.
pub fn classify(game: &Game) -> Option<Opening> {
    reached(game, 0)
}

/// The opening that a game has reached since it had a number of plies, when it has reached one: the
/// last of its later positions that has a name.
pub fn reached(game: &Game, since: usize) -> Option<Opening> {
    let start = game.positions().first()?;
    if game.variant() != Variant::Standard || *start != Position::start() {
        return None;
    }
    let reach = game.positions().len().min(REACH + 1);
    game.positions().get(since + 1..reach)?.iter().rev().find_map(lookup)
}

/// Plies looked at: the longest line, and ten more for the time that a transposition may lose.
pub const REACH: usize = DEEPEST + 10;
