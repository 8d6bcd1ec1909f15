//! Opponents of ten strengths. They are limited by nodes, so they play the same on every machine.
//!
//! A weak level searches all of its own moves, but not deep; it overlooks replies (see
//! `blindness.rs`) and misjudges each move by a bounded random error. Everything random comes from
//! the game's seed: a level plays differently in every game, but chooses the same move when the
//! same position is searched again.

use hansu_chess::{Move, Position};

use crate::blindness::{Blindness, draw};
use crate::engine::Engine;
use crate::limits::{Limits, NoTime, Signals};
use crate::score::{MATE, MAX_PLY};

/// How strong the computer plays: from 1, a child's first opponent, to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// The parameters of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// No new depth is begun after this many nodes; twice as many end the search.
    pub nodes: u64,
    /// The largest depth of the search, in plies; `None` for no limit.
    pub depth: Option<u32>,
    /// Number of moves that are compared (MultiPV).
    pub lines: usize,
    /// The largest random error in the judgement of a move, in hundredths of a pawn.
    pub error: i32,
    /// How many of 1,000 ordinary quiet replies are overlooked.
    pub blindness: u32,
    /// If true, captures that win a piece for nothing are never overlooked.
    pub sees_losses: bool,
}

impl Strength {
    /// A strength. With little blindness, captures that win a piece for nothing are always seen.
    pub const fn new(
        nodes: u64,
        depth: Option<u32>,
        lines: usize,
        error: i32,
        blindness: u32,
    ) -> Strength {
        let sees_losses = blindness <= SEES_LOSSES;
        Strength { nodes, depth, lines, error, blindness, sees_losses }
    }
}

const STRENGTHS: [Strength; 10] = [
    Strength::new(2_000, Some(1), 64, 600, 950),
    Strength::new(6_000, Some(2), 64, 190, 600),
    Strength::new(8_000, Some(3), 48, 80, 250),
    Strength::new(12_000, Some(5), 16, 58, 150),
    Strength::new(12_000, Some(7), 8, 41, 88),
    Strength::new(12_000, Some(9), 5, 27, 36),
    Strength::new(18_000, Some(13), 3, 14, 7),
    Strength::new(32_000, None, 2, 10, 0),
    Strength::new(110_000, None, 2, 5, 0),
    Strength::new(300_000, None, 1, 0, 0),
];

/// With at most this blindness (level 3 and up), a capture that wins a piece for nothing is always
/// seen.
const SEES_LOSSES: u32 = 300;

/// In the first plies every level compares at least this many moves, and varies its judgement of
/// them by at least and at most this much: different openings, but natural ones. With less in its
/// first move, level 9 opened 35 of 40 games alike; a position that was set up with fewer pieces is
/// not an opening.
const OPENING_LINES: usize = 4;
const FIRST_ERRORS: [i32; 2] = [70, 80];
const OPENING_ERRORS: [i32; 2] = [30, 80];
const OPENING_PLIES: usize = 8;

impl Level {
    /// The weakest.
    pub const FIRST: Level = Level(1);
    /// The strongest.
    pub const LAST: Level = Level(10);

    /// A level by its number, from 1 to 10.
    ///
    /// ```
    /// use hansu_engine::Level;
    /// assert_eq!(Level::new(4).map(Level::number), Some(4));
    /// assert_eq!(Level::new(11), None);
    /// ```
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= 10 { Some(Level(number)) } else { None }
    }

    /// The number, from 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=10).map(Level)
    }

    /// The parameters of this level.
    pub const fn strength(self) -> Strength {
        STRENGTHS[self.0 as usize - 1]
    }

    /// The move that an opponent of this level plays; `None` when there is no legal one. `earlier`
    /// are the keys of the positions before this one; `seed` is the same for a whole game.
    ///
    /// ```
    /// use hansu_chess::Position;
    /// use hansu_engine::{Engine, Level, Settings, Signals};
    /// let mut engine = Engine::new(Settings::default());
    /// let start = Position::start();
    /// let step = Level::FIRST.choose(&mut engine, &start, &[], 7, &Signals::default());
    /// assert!(step.is_some_and(|step| start.legal_moves().contains(&step)));
    /// ```
    pub fn choose(
        self,
        engine: &mut Engine,
        position: &Position,
        earlier: &[u64],
        seed: u64,
        signals: &Signals,
    ) -> Option<Move> {
        self.strength().choose(engine, position, earlier, seed, signals)
    }
}

impl Strength {
    /// The move that an opponent of this strength plays, as in [`Level::choose`].
    pub fn choose(
        &self,
        engine: &mut Engine,
        position: &Position,
        earlier: &[u64],
        seed: u64,
        signals: &Signals,
    ) -> Option<Move> {
        let &Strength { nodes, depth, lines, error, blindness, sees_losses } = self;
        let (lines, error) = match earlier.len() {
            OPENING_PLIES.. => (lines, error),
            plies => {
                let first = plies < 2 && position.board().occupied().len() == 32;
                let [least, most] = if first { FIRST_ERRORS } else { OPENING_ERRORS };
                (lines.max(OPENING_LINES), error.clamp(least, most))
            }
        };
        let blindness =
            (blindness > 0).then_some(Blindness { seed, thousandths: blindness, sees_losses });
        if blindness.is_some() {
            // The table of an earlier search lacks other replies than this one overlooks.
            engine.clear();
        }
        let limits = Limits {
            nodes: Some(2 * nodes),
            soft_nodes: Some(nodes),
            depth,
            lines,
            blindness,
            ..Limits::default()
        };
        let mut scored: Vec<(u32, Move, i32)> = Vec::new();
        let answer = engine.search(position, earlier, &limits, signals, &NoTime, &mut |news| {
            if let Some(&step) = news.moves.first() {
                scored.retain(|(_, known, _)| *known != step);
                scored.push((news.depth, step, news.score));
            }
        });
        if error == 0 {
            return answer.best;
        }
        let deepest = scored.iter().map(|(depth, ..)| *depth).max().unwrap_or(0);
        let key = position.key();
        scored
            .into_iter()
            .filter(|(depth, ..)| *depth == deepest)
            .max_by_key(|(_, step, score)| {
                perceived_score(*score)
                    + judgement_error(seed, key, *step, error)
                    + capture_bonus(position, *step, error)
            })
            .map(|(_, step, _)| step)
            .or(answer.best)
    }
}

/// The score as a weak player feels it: a mate is worth a little more than a queen, and a near mate
/// more than a far one.
fn perceived_score(score: i32) -> i32 {
    let mate = MATE - i32::try_from(MAX_PLY).unwrap_or(0);
    let near = |plies: i32| 40 * (10 - plies).max(0);
    if score >= mate {
        1_200 + near(MATE - score)
    } else if score <= -mate {
        -1_200 - near(MATE + score)
    } else {
        score.clamp(-1_100, 1_100)
    }
}

/// A bonus for taking a piece that hangs. Without it, a level that overlooks the escapes of the
/// piece would put the capture off.
fn capture_bonus(position: &Position, step: Move, error: i32) -> i32 {
    let wins = position.is_capture(step) && position.see_at_least(step, 200);
    if wins { (2 * error + 40).min(250) } else { 0 }
}

/// The random error in the judgement of a move, from `-most` to `most`. Half of it is taste, the
/// same for a whole game (by role and by region of the board), half depends on the position.
fn judgement_error(seed: u64, key: u64, step: Move, most: i32) -> i32 {
    let bounded = |random: u64| {
        let most = i64::from(most);
        i64::try_from(random % (2 * most.unsigned_abs() + 1)).unwrap_or(0) - most
    };
    let zone = step.to().index() as u64 % 8 / 3 + 8 * (step.to().index() as u64 / 24);
    let taste = bounded(draw(seed, 0, 64 * step.role() as u64 + zone));
    let moment = bounded(draw(seed, key, u64::from(step.to_bits())));
    i32::try_from((taste + moment) / 2).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Settings;

    fn choose_move(level: u8, fen: &str, seed: u64) -> Option<Move> {
        let mut engine = Engine::new(Settings { megabytes: 1, ..Settings::default() });
        let position: Position = fen.parse().expect(fen);
        let level = Level::new(level).expect("a level");
        level.choose(&mut engine, &position, &[], seed, &Signals::default())
    }

    #[test]
    fn a_level_plays_the_same_move_twice_and_other_moves_in_other_games() {
        let start = Position::start().fen();
        for level in 1..=10 {
            let once = choose_move(level, &start, 1);
            assert_eq!(once, choose_move(level, &start, 1), "level {level}");
            let mut games = std::collections::BTreeMap::new();
            for step in (0..12).filter_map(|seed| choose_move(level, &start, seed)) {
                *games.entry(step.to_bits()).or_insert(0) += 1;
            }
            let most = games.values().max();
            assert!(games.len() > 2 && most <= Some(&8), "level {level}: {games:?}");
        }
    }

    #[test]
    fn errors_are_bounded_and_grow_towards_the_weak_levels() {
        let errors: Vec<i32> = Level::all().map(|level| level.strength().error).collect();
        assert!(errors.is_sorted_by(|weak, strong| weak > strong), "{errors:?}");
        let step = Position::start().legal_moves()[0];
        for seed in 0..10_000 {
            assert!(judgement_error(seed, seed * 31, step, 50).abs() <= 50);
        }
    }

    #[test]
    fn strong_levels_mate_and_take_what_hangs() {
        for level in 5..=10 {
            let mate = choose_move(level, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 3);
            assert_eq!(mate.map(|m| m.to().to_string()).as_deref(), Some("a8"), "level {level}");
            let queen = choose_move(level, "3q2k1/8/8/8/8/8/8/3RK3 w - - 0 1", 3);
            assert_eq!(queen.map(|m| m.to().to_string()).as_deref(), Some("d8"), "level {level}");
        }
    }

    #[test]
    fn a_mate_in_one_is_preferred_to_a_longer_one() {
        // Two rooks: Ra8 mates at once, much else mates later.
        for level in 3..=10 {
            for seed in 0..if level < 8 { 8 } else { 1 } {
                let mate = choose_move(level, "6k1/1R6/8/8/8/8/8/R5K1 w - - 0 1", seed);
                assert_eq!(mate.map(|m| m.to().to_string()).as_deref(), Some("a8"), "{level}");
            }
        }
    }

    #[test]
    fn without_a_legal_move_there_is_none() {
        assert_eq!(choose_move(3, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3), None);
    }
}
