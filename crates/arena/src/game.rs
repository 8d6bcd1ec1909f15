//! One game of a match: a balanced opening, the moves of both players, adjudication.

use std::str::FromStr;
use std::time::{Duration, Instant};

use hansu_chess::{Color, Position};
use hansu_engine::{Engine, Limits, NoTime, Signals};

use crate::player::{Budget, GameLine, Player};
use crate::random::{Random, opening};
use crate::uci::{Fault, Halt};

/// How many plies of each game are the opening's.
pub const OPENING_PLIES: usize = 8;

/// Openings with a larger score for either side (hundredths of a pawn) are discarded.
const MOST_UNEVEN: i32 = 80;

/// The nodes of the search that scores an opening.
const OPENING_NODES: u64 = 6_000;

/// A game is adjudicated when the scores of both engines agree for this many plies: a win from
/// `WON` on, a draw up to `DRAWN` after `DRAWN_AFTER` plies.
const WON: i32 = 1500;
const WON_PLIES: u32 = 8;
const DRAWN: i32 = 8;
const DRAWN_PLIES: u32 = 16;
const DRAWN_AFTER: usize = 80;
const MOST_PLIES: usize = 500;

/// Exceeding the clock by less than this is not a loss: the machine may have been busy.
const GRACE: Duration = Duration::from_millis(10);

/// The limit for each move of a match. Levels have limits of their own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pace {
    /// Nodes a move: the same games on every machine.
    Nodes(u64),
    /// A clock.
    Clock {
        /// The time of each player for the game.
        time: Duration,
        /// What is added after each move.
        increment: Duration,
    },
}

impl FromStr for Pace {
    type Err = ();

    /// Reads `8+0.08`: seconds for the game, and seconds for each move.
    fn from_str(text: &str) -> Result<Pace, ()> {
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            let number = text.parse::<f64>().ok().filter(|number| (0.0..1e6).contains(number));
            number.map(Duration::from_secs_f64).ok_or(())
        };
        let (time, increment) = (seconds(time)?, seconds(increment)?);
        if time.is_zero() { Err(()) } else { Ok(Pace::Clock { time, increment }) }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Points of White in halves: 0, 1 or 2.
    pub points: usize,
    /// Why a player lost that was not lost on the board.
    pub fault: Option<Fault>,
}

impl Ending {
    fn drawn() -> Ending {
        Ending { points: 1, fault: None }
    }

    fn won(winner: Color) -> Ending {
        Ending { points: if winner == Color::White { 2 } else { 0 }, fault: None }
    }
}

/// A random opening that `judge` scores as even. It depends on the pair's number alone; the number
/// of the game also on who has White.
pub(crate) fn draw_fair_opening(pair: u64, white: usize, judge: &mut Engine) -> GameLine {
    let mut random = Random::new(pair);
    let number = pair.wrapping_mul(2).wrapping_add(white as u64);
    loop {
        let Some((moves, position)) = opening(&mut random, OPENING_PLIES) else {
            continue;
        };
        let limits = Limits { nodes: Some(OPENING_NODES), ..Limits::default() };
        judge.clear();
        let answer =
            judge.search(&position, &[], &limits, &Signals::default(), &NoTime, &mut |_| ());
        if answer.score.abs() > MOST_UNEVEN {
            continue;
        }
        let mut keys = Vec::new();
        let mut now = Position::start();
        for &step in &moves {
            keys.push(now.key());
            now = now.play(step);
        }
        return GameLine { number, moves, keys, position };
    }
}

/// What the scores of both players have agreed on, and for how many plies.
#[derive(Default)]
struct Adjudication {
    won: u32,
    drawn: u32,
    last_sign: i32,
}

impl Adjudication {
    /// Notes a score for the side to move after this many plies; the ending that it decides.
    fn note(&mut self, score: i32, turn: Color, plies: usize) -> Option<Ending> {
        let for_white = if turn == Color::White { score } else { -score };
        let same = for_white.signum() == self.last_sign;
        self.won = if for_white.abs() >= WON { if same { self.won + 1 } else { 1 } } else { 0 };
        self.last_sign = for_white.signum();
        self.drawn = if score.abs() <= DRAWN && plies > DRAWN_AFTER { self.drawn + 1 } else { 0 };
        if self.won >= WON_PLIES {
            return Some(Ending::won(if for_white > 0 { Color::White } else { Color::Black }));
        }
        (self.drawn >= DRAWN_PLIES).then(Ending::drawn)
    }
}

/// The ending that the rules make of a position, threefold repetition and fifty moves included.
fn ending_by_rules(line: &GameLine) -> Option<Ending> {
    let position = line.position;
    if let Some(outcome) = position.outcome() {
        return Some(outcome.winner.map_or_else(Ending::drawn, Ending::won));
    }
    let repeated = line.keys.iter().filter(|&&key| key == position.key()).count() >= 2;
    let over = repeated || position.halfmoves() >= 100 || line.moves.len() >= MOST_PLIES;
    over.then(Ending::drawn)
}

/// Plays a game from its opening to its end; White is the first player. `None` if the match was
/// stopped.
pub(crate) fn play(
    players: &mut [&mut Player; 2],
    line: &mut GameLine,
    pace: Pace,
    signals: &Signals,
) -> Option<Ending> {
    let loses = |color: Color, halt: Halt| match halt {
        Halt::Fault(fault) => Some(Ending { fault: Some(fault), ..Ending::won(!color) }),
        Halt::Stopped => None,
    };
    for color in [Color::White, Color::Black] {
        if let Err(halt) = players[color as usize].begin_game(signals) {
            return loses(color, halt);
        }
    }
    let mut left = match pace {
        Pace::Nodes(_) => [Duration::ZERO; 2],
        Pace::Clock { time, .. } => [time; 2],
    };
    let mut adjudication = Adjudication::default();
    loop {
        if let Some(ending) = ending_by_rules(line) {
            return Some(ending);
        }
        let turn = line.position.turn();
        let budget = match pace {
            Pace::Nodes(nodes) => Budget::Nodes(nodes),
            Pace::Clock { increment, .. } => Budget::Clock { left, increment },
        };
        let start = Instant::now();
        let chosen = players[turn as usize].choose(line, budget, signals);
        if let Pace::Clock { increment, .. } = pace {
            let (spent, clock) = (start.elapsed(), &mut left[turn as usize]);
            if spent > *clock + GRACE && chosen != Err(Halt::Stopped) {
                return loses(turn, Halt::Fault(Fault::Time));
            }
            *clock = clock.saturating_sub(spent) + increment;
        }
        let (step, score) = match chosen {
            Ok(chosen) => chosen,
            Err(halt) => return loses(turn, halt),
        };
        if let Some(ending) = adjudication.note(score, turn, line.moves.len()) {
            return Some(ending);
        }
        line.keys.push(line.position.key());
        line.moves.push(step);
        line.position = line.position.play(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_seconds_and_an_increment() {
        let pace = |time, increment| {
            let [time, increment] = [time, increment].map(Duration::from_millis);
            Ok(Pace::Clock { time, increment })
        };
        assert_eq!("8+0.08".parse(), pace(8_000, 80));
        assert_eq!("60".parse(), pace(60_000, 0));
        for odd in ["", "0", "0+1", "+1", "1+", "-1+1", "x", "1e9", "nan", "1+1+1"] {
            assert_eq!(odd.parse::<Pace>(), Err(()), "{odd}");
        }
    }

    #[test]
    fn scores_that_agree_decide_a_game() {
        let notes = |scores: &[i32], plies: usize| {
            let mut adjudication = Adjudication::default();
            let mut turn = Color::White;
            let mut last = None;
            for &score in scores {
                last = adjudication.note(
                    if turn == Color::White { score } else { -score },
                    turn,
                    plies,
                );
                turn = !turn;
            }
            last
        };
        assert_eq!(notes(&[1500; 7], 20), None);
        assert_eq!(notes(&[1500; 8], 20), Some(Ending::won(Color::White)));
        assert_eq!(notes(&[-1500; 8], 20), Some(Ending::won(Color::Black)));
        assert_eq!(notes(&[1500, 1500, 1500, 1499, 1500, 1500, 1500, 1500], 20), None);
        // Each player believes that it wins.
        assert_eq!(notes(&[1500, -1500, 1500, -1500, 1500, -1500, 1500, -1500], 20), None);
        assert_eq!(notes(&[8; 16], 81), Some(Ending::drawn()));
        assert_eq!(notes(&[8; 16], 80), None);
        assert_eq!(notes(&[9; 16], 81), None);
    }
}
