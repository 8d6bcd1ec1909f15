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
/// The computer resigns, if it may, when its score is at most this at two of its turns in a row …
const HOPELESS: i32 = -1_000;
/// … and at least this many plies were played.
const RESIGN_AFTER: usize = 40;
/// Nodes of each search before it resigns.
const RESIGN_NODES: u64 = 20_000;
/// The shortest pause before a move, in milliseconds. An instant reply would feel like a machine.
pub const SHORTEST: u64 = 350;
/// The most that is added to the pause of a move that needs no thought, in milliseconds.
const BRIEF: u64 = 250;
/// What each sensible move adds to the pause on average, in milliseconds …
const PER_MOVE: u64 = 40;
/// … up to this many moves.
const MOST_SENSIBLE: usize = 24;
/// The first plies of a game, which need no thought.
const OPENING: usize = 8;
/// A loss of this much by exchanges, in hundredths of a pawn, is a threat.
const THREAT: i32 = 200;

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
        self.score(game, game.moves().len(), DRAW_NODES).abs() <= EVEN
    }

    /// True if a computer that may resign does: late, and without hope now and at its turn before.
    pub fn resigns(&mut self, game: &Game) -> bool {
        let plies = game.moves().len();
        plies >= RESIGN_AFTER
            && [plies, plies - 2]
                .into_iter()
                .all(|ply| self.score(game, ply, RESIGN_NODES) <= HOPELESS)
    }

    /// The score of a position of a game for its side to move, after so many plies.
    fn score(&mut self, game: &Game, ply: usize, nodes: u64) -> i32 {
        self.engine.clear();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (position, keys) = (&game.positions()[ply], keys_before(game, ply));
        let signals = Signals::default();
        self.engine.search(position, &keys, &limits, &signals, &NoTime, &mut |_| ()).score
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
    keys_before(game, game.moves().len())
}

/// The keys of the positions before the one after so many plies.
fn keys_before(game: &Game, ply: usize) -> Vec<u64> {
    game.positions().iter().map(Position::key).take(ply).collect()
}

/// The seed of a game from its id: the same for the whole game, on every machine.
pub fn seed(game: &str) -> u64 {
    game.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The pause before a move of the computer, in milliseconds, like that of a person: short in the
/// opening, for the only move and for taking back; else by the number of moves that lose nothing,
/// and longer when a piece is threatened. At most 1/40 of the remaining time. `draw` is a random
/// number, `left` the remaining time on its clock in milliseconds.
///
/// ```
/// use hansu_chess::Game;
/// use hansu_computer::{SHORTEST, pause};
/// assert!(pause(&Game::start(), 7, None) >= SHORTEST);
/// assert!(pause(&Game::start(), 7, Some(2_000)) <= 50);
/// ```
pub fn pause(game: &Game, draw: u64, left: Option<u64>) -> u64 {
    let most = left.map_or(u64::MAX, |left| left / 40);
    let position = game.position();
    let moves = position.legal_moves();
    let needs_thought = game.moves().len() >= OPENING && moves.len() > 1 && !can_take_back(game);
    let added = if needs_thought {
        let sensible = moves.into_iter().filter(|&step| position.see_at_least(step, 0));
        let thought = PER_MOVE * sensible.take(MOST_SENSIBLE).count() as u64;
        let thought = if is_threatened(position) { 2 * thought } else { thought };
        // Half to one and a half times as long.
        thought / 2 + draw % (thought + 1)
    } else {
        draw % BRIEF
    };
    (SHORTEST + added).min(most)
}

/// True if the opponent has just captured and can be captured there without a loss.
fn can_take_back(game: &Game) -> bool {
    let (Some(&last), [.., before, now]) = (game.moves().last(), game.positions()) else {
        return false;
    };
    before.taken(last).is_some()
        && now
            .legal_moves()
            .into_iter()
            .any(|step| step.to() == last.to() && now.see_at_least(step, 0))
}

/// True in check, and when the opponent could win a piece if it were to move.
fn is_threatened(position: &Position) -> bool {
    if position.is_check() {
        return true;
    }
    let passed = position.pass();
    passed.legal_moves().into_iter().any(|step| passed.see_at_least(step, THREAT))
}

#[cfg(test)]
mod tests {
    use hansu_chess::{UciMove, Variant};

    use super::*;

    fn game(fen: &str, moves: &[&str]) -> Game {
        let first = Position::from_fen(fen, Variant::Standard).expect("a position");
        let mut game = Game::from_position(first, Variant::Standard);
        for text in moves {
            let step: UciMove = text.parse().expect("a move");
            game.play(step.from, step.to, step.promotion).expect("a legal move");
        }
        game
    }

    /// Moves a king to a position that was there least often.
    fn walk(game: &mut Game) {
        let king = game.position().king(game.position().turn());
        let moves = game.position().legal_moves();
        let steps = moves.into_iter().filter(|step| step.from() == king);
        let seen = |step: &Move| {
            let key = game.position().play(*step).key();
            game.positions().iter().filter(|old| old.key() == key).count()
        };
        let step = steps.min_by_key(seen).expect("a king's move");
        game.play(step.from(), step.to(), None).expect("a legal move");
    }

    /// A game in which only the kings have moved.
    fn shuffle(fen: &str, plies: usize) -> Game {
        let mut game = game(fen, &[]);
        (0..plies).for_each(|_| walk(&mut game));
        game
    }

    /// White has a queen and a rook against nothing, far from Black's king.
    const LOST: &str = "7k/8/8/8/8/8/8/1QR4K w - - 0 1";

    #[test]
    fn a_lost_game_is_resigned_late_and_by_the_side_that_has_lost_it() {
        let mut opponent = Opponent::default();
        assert!(!opponent.resigns(&shuffle(LOST, 39)), "too early");
        let late = shuffle(LOST, 41);
        assert!(late.outcome().is_none());
        assert!(opponent.resigns(&late), "Black");
        assert!(!opponent.resigns(&shuffle(LOST, 42)), "White");
        let even = shuffle("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", 41);
        assert!(!opponent.resigns(&even));
    }

    #[test]
    fn a_piece_that_was_lost_by_the_last_move_alone_is_not_resigned_at_once() {
        // Two walls of pawns keep the kings apart; the queen's file is open.
        let walls = "2k4q/8/8/ppppppp1/PPPPPPP1/8/8/2K3RR w - - 0 1";
        let mut game = shuffle(walls, 40);
        let square = |name: &str| name.parse().expect("a square");
        game.play(square("h1"), square("h8"), None).expect("the queen is taken");
        let mut opponent = Opponent::default();
        assert!(!opponent.resigns(&game));
        walk(&mut game);
        walk(&mut game);
        assert!(opponent.resigns(&game), "a turn later");
    }

    fn mean_pause(game: &Game) -> u64 {
        (0..1_000).map(|draw| pause(game, draw * 7_919, None)).sum::<u64>() / 1_000
    }

    #[test]
    fn more_sensible_moves_take_longer_and_taking_back_does_not() {
        let quiet = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "d2d3", "g8f6"];
        let start = Position::start().fen();
        let many = mean_pause(&game(&start, &quiet));
        let few = mean_pause(&game("8/8/8/4k3/8/8/8/4K2R w - - 0 1", &[]));
        assert!(few < SHORTEST + BRIEF, "the opening: {few}");
        let kings = ["e1e2", "e8e7", "e2e3", "e7e6", "e3f3", "e6f6", "f3g3", "f6g6"];
        let few = mean_pause(&game("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", &kings));
        assert!(SHORTEST + 100 < few && few + 200 < many, "{few} {many}");
        let taken = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1", "g8e7", "b5c6"];
        let back = mean_pause(&game(&start, &taken));
        assert!(back < SHORTEST + BRIEF, "{back}");
        let attacked = [&quiet[..], &["c1g5", "h7h6"]].concat();
        assert!(mean_pause(&game(&start, &attacked)) > many + 200);
    }
}
