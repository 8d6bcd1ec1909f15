//! The names of openings: the last position of a game that has a name gives its opening.

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

/// The number of positions that have a name.
pub const fn count() -> usize {
    KEYS.len()
}

/// The number of plies of the longest named line.
pub const fn deepest() -> usize {
    DEEPEST
}

/// The opening of a position, whatever moves led to it.
pub fn lookup(position: &Position) -> Option<Opening> {
    let at = KEYS.binary_search(&position.key()).ok()?;
    let place = usize::from(*NAME_INDEXES.get(at)?);
    let (from, to) = (*ENDS.get(place)? as usize, *ENDS.get(place + 1)? as usize);
    let (eco, name) = NAMES.get(from..to)?.split_at_checked(3)?;
    Some(Opening { eco, name })
}

/// The opening of a game: the last of its positions that has a name, among the first [`REACH`]
/// plies.
pub fn classify(game: &Game) -> Option<Opening> {
    reached(game, 0)
}

/// The opening of the last named position after the first `since` plies; `None` if none of these
/// positions has a name.
pub fn reached(game: &Game, since: usize) -> Option<Opening> {
    let start = game.positions().first()?;
    if game.variant() != Variant::Standard || *start != Position::start() {
        return None;
    }
    let reach = game.positions().len().min(REACH + 1);
    game.positions().get(since + 1..reach)?.iter().rev().find_map(lookup)
}

/// Plies that are looked up: the longest named line, and ten more because a transposition may reach
/// a named position later than the named line does.
pub const REACH: usize = DEEPEST + 10;
