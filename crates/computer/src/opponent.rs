//! How the computer plays against a person, wherever it thinks.

use hansu_chess::{Game, Move, Position};
use hansu_engine::{Engine, Level, Limits, NoTime, Settings, Signals};

/// The table of positions, in MiB: levels are bounded by nodes, and need no more.
const TABLE: usize = 4;
/// A draw is taken when the computer thinks the game to be within this, in hundredths of a pawn …
const EVEN: i32 = 15;
/// … and this many moves were played.
const DRAW_AFTER: usize = 60;
/// How many nodes it looks at before it takes a draw.
const DRAW_NODES: u64 = 20_000;
/// How long a move takes at least, in milliseconds; an answer within one feels like a machine.
pub const SHORTEST: u64 = 350;
/// How much longer it may take.
const SPREAD: u64 = 900;

/// The computer at one side of any game.
pub struct Opponent {
    engine: Engine,
}

impl Opponent {
    /// Its move in a game; none when it has none. `seed` is the same for a whole game.
    pub fn choose(&mut self, game: &Game, level: u8, seed: u64) -> Option<Move> {
        let level = Level::new(level).unwrap_or(Level::LAST);
        self.engine.clear();
        let signals = Signals::default();
        level.choose(&mut self.engine, game.position(), &earlier(game), seed, &signals)
    }

    /// Whether it takes a draw: late enough, and in a game that it thinks is even.
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

    /// The engine itself, for other questions.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }
}

impl Default for Opponent {
    fn default() -> Opponent {
        let settings = Settings { megabytes: TABLE, threads: 1, ..Settings::default() };
        Opponent { engine: Engine::new(settings) }
    }
}

impl std::fmt::Debug for Opponent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opponent").finish_non_exhaustive()
    }
}

/// The positions before the last, by their keys.
pub(crate) fn earlier(game: &Game) -> Vec<u64> {
    game.positions().iter().map(Position::key).take(game.moves().len()).collect()
}

/// The seed of a game from its name: the same for the whole game, wherever it is thought about and
/// however often.
pub fn seed(game: &str) -> u64 {
    game.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// How long the computer waits with its move, in milliseconds, as a person would: longer now and
/// then, shorter when its clock is short. `draw` is any number, `left` what its clock has left.
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
