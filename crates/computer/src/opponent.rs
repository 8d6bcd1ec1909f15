//! The computer as an opponent of a person, on the server, in the terminal and in the page.

use hansu_chess::{Game, Move, Position};
use hansu_engine::{Engine, Level, Limits, NoTime, Settings, Signals};

/// Size of the transposition table in MiB: levels are limited by nodes and need no more.
const TABLE_MEGABYTES: usize = 4;
/// The computer accepts a draw when its score is at most this, in hundredths of a pawn …
const EVEN: i32 = 15;
/// … and at least this many plies were played.
const DRAW_AFTER: usize = 60;
/// Nodes of the search before it accepts a draw.
const DRAW_NODES: u64 = 20_000;
/// The shortest pause before a move, in milliseconds. An instant reply would feel like a machine.
pub const SHORTEST: u64 = 350;
/// The largest addition to the pause, in milliseconds.
const SPREAD: u64 = 900;

/// The computer as a player, with an engine of its own.
pub struct Opponent {
    engine: Engine,
}

impl Opponent {
    /// Its move in a game; `None` when there is no legal move. `seed` is the same for a whole game.
    pub fn choose(&mut self, game: &Game, level: u8, seed: u64) -> Option<Move> {
        let level = Level::new(level).unwrap_or(Level::LAST);
        self.engine.clear();
        let signals = Signals::default();
        level.choose(&mut self.engine, game.position(), &earlier(game), seed, &signals)
    }

    /// True if it accepts a draw: after at least 60 plies, and with an even score.
    pub fn takes_draw(&mut self, game: &Game) -> bool {
        if game.moves().len() < DRAW_AFTER {
            return false;
        }
        self.engine.clear();
        let limits = Limits { nodes: Some(DRAW_NODES), ..Limits::default() };
        let (position, signals) = (game.position(), Signals::default());
        let found =
            self.engine.search(position, &earlier(game), &limits, &signals, &NoTime, &mut |_| ());
        found.score.abs() <= EVEN
    }

    /// The engine, for other searches.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }
}

impl Default for Opponent {
    fn default() -> Opponent {
        let settings = Settings { megabytes: TABLE_MEGABYTES, threads: 1, ..Settings::default() };
        Opponent { engine: Engine::new(settings) }
    }
}

impl std::fmt::Debug for Opponent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opponent").finish_non_exhaustive()
    }
}

/// The keys of the positions before the last one.
pub(crate) fn earlier(game: &Game) -> Vec<u64> {
    game.positions().iter().map(Position::key).take(game.moves().len()).collect()
}

/// The seed of a game from its id: the same for the whole game, on every machine.
pub fn seed(game: &str) -> u64 {
    game.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The pause before a move of the computer, in milliseconds, like that of a person: of varying
/// length, at most 1/40 of the remaining time. `draw` is a random number, `left` the remaining time
/// on its clock in milliseconds.
///
/// ```
/// use hansu_computer::{SHORTEST, pause};
/// assert!(pause(7, None) >= SHORTEST);
/// assert!(pause(7, Some(2_000)) <= 50);
/// ```
pub fn pause(draw: u64, left: Option<u64>) -> u64 {
    let most = left.map_or(u64::MAX, |left| left / 40);
    (SHORTEST + draw % SPREAD).min(most)
}
