//! The players of a match: this engine, its levels, or other programs by UCI.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use hansu_chess::{Color, Move, Position, UciMove, Variant};
use hansu_engine::{
    ClockState, Engine, Evaluator, Level, Limits, Net, Settings, Signals, Strength, SystemTime,
};

use crate::uci::{Fault, Halt, UciEngine};

/// In a match without a clock, a program that is silent for this long loses.
const PATIENCE: Duration = Duration::from_secs(600);

/// In a match with a clock, a program that is silent loses this long after its time has run out.
const PATIENCE_WITH_CLOCK: Duration = Duration::from_secs(1);

/// What this engine keeps of its clock: the machine may be busy.
const OVERHEAD: Duration = Duration::from_millis(20);

/// The score of a level's every move, so that its games are never adjudicated.
const UNDECIDED: i32 = 100;

/// Why a player cannot be made from its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerError {
    /// Not a level from 1 to 10, or not a strength.
    Level(String),
    /// A net's file that cannot be read, and why.
    Net(String, String),
    /// A program that cannot be started, and why.
    Start(String, String),
    /// A program that does not speak UCI.
    NotUci(String),
    /// An option without a value.
    Option(String),
}

/// The limit for one move.
#[derive(Clone, Copy)]
pub(crate) enum Budget {
    Nodes(u64),
    /// Remaining times, White first, and the time added after each move.
    Clock {
        left: [Duration; 2],
        increment: Duration,
    },
}

/// The moves of a game so far, the keys of the positions before each, and the current position.
pub(crate) struct GameLine {
    /// What levels draw their errors from: each game of a match has a number of its own.
    pub(crate) number: u64,
    pub(crate) moves: Vec<Move>,
    pub(crate) keys: Vec<u64>,
    pub(crate) position: Position,
}

pub(crate) enum Player {
    Own(Box<Engine>),
    /// A level of this engine.
    Level(Box<Engine>, Strength),
    Uci(UciEngine),
}

/// The static evaluation by name: `hand`, `own` (the net that comes with the engine) or a net's
/// file.
///
/// # Errors
///
/// If the file cannot be read or is not a net.
pub fn evaluator(name: &str) -> Result<Evaluator, PlayerError> {
    let unusable = |why: String| PlayerError::Net(name.to_owned(), why);
    match name {
        "hand" => Ok(Evaluator::Hand),
        "own" => Ok(Evaluator::best()),
        file => {
            let bytes = std::fs::read(file).map_err(|error| unusable(error.to_string()))?;
            let net = Net::from_bytes(&bytes).map_err(|error| unusable(error.to_string()))?;
            Ok(Evaluator::Net(Arc::new(net)))
        }
    }
}

/// The strength that a name stands for: `level:4`, or `strength:NODES/DEPTH/LINES/ERROR/BLINDNESS`
/// with a depth of 0 for none. `None` for other players, `Some(None)` if the name is malformed.
fn parse_strength(name: &str) -> Option<Option<Strength>> {
    if let Some(level) = name.strip_prefix("level:") {
        return Some(level.parse().ok().and_then(Level::new).map(Level::strength));
    }
    let numbers = name.strip_prefix("strength:")?.split('/').map(|part| part.parse::<u32>().ok());
    let numbers: Option<Vec<u32>> = numbers.collect();
    let made = |numbers: Vec<u32>| {
        let [nodes, depth, lines, error, blindness] = numbers[..] else { return None };
        let (lines, error) = (usize::try_from(lines).ok()?, i32::try_from(error).ok()?);
        Some(Strength::new(nodes.into(), (depth > 0).then_some(depth), lines, error, blindness))
    };
    Some(numbers.and_then(made))
}

impl Player {
    /// A player by its name on the command line.
    pub(crate) fn new(name: &str) -> Result<Player, PlayerError> {
        if let Some(strength) = parse_strength(name) {
            let strength = strength.ok_or_else(|| PlayerError::Level(name.to_owned()))?;
            let settings = Settings { megabytes: 2, ..Settings::default() };
            return Ok(Player::Level(Box::new(Engine::new(settings)), strength));
        }
        if let Some(command) = name.strip_prefix("cmd:") {
            return Ok(Player::Uci(UciEngine::start(command)?));
        }
        let settings = Settings { megabytes: 16, threads: 1, evaluator: evaluator(name)? };
        Ok(Player::Own(Box::new(Engine::new(settings))))
    }

    pub(crate) fn begin_game(&mut self, signals: &Signals) -> Result<(), Halt> {
        match self {
            Player::Own(engine) | Player::Level(engine, _) => engine.clear(),
            Player::Uci(engine) => engine.begin_game(signals)?,
        }
        Ok(())
    }

    /// A move and its score for the side to move.
    pub(crate) fn choose(
        &mut self,
        line: &GameLine,
        budget: Budget,
        signals: &Signals,
    ) -> Result<(Move, i32), Halt> {
        let (step, score) = match self {
            Player::Own(engine) => {
                let limits = limits(budget, line.position.turn());
                let time = SystemTime::start();
                let (position, keys) = (&line.position, &line.keys);
                let answer = engine.search(position, keys, &limits, signals, &time, &mut |_| ());
                (answer.best, answer.score)
            }
            Player::Level(engine, strength) => {
                let (position, keys) = (&line.position, &line.keys);
                let step = strength.choose(engine, position, keys, line.number, signals);
                (step, UNDECIDED)
            }
            Player::Uci(engine) => {
                let go = engine.go.clone().unwrap_or_else(|| go_command(budget));
                let within = match budget {
                    Budget::Nodes(_) => PATIENCE,
                    Budget::Clock { left, .. } => {
                        left[line.position.turn() as usize] + PATIENCE_WITH_CLOCK
                    }
                };
                let reply = engine.search(&position_command(line), &go, within, signals)?;
                let step = reply.best.parse::<UciMove>().ok();
                let step = step.and_then(|step| step.to_move(&line.position).ok());
                let illegal = || Halt::Fault(Fault::Illegal(reply.best.clone()));
                (Some(step.ok_or_else(illegal)?), reply.score)
            }
        };
        // What a search that was stopped answers does not count.
        if signals.stop.load(Relaxed) {
            return Err(Halt::Stopped);
        }
        let step = step.ok_or_else(|| Halt::Fault(Fault::Illegal("0000".to_owned())))?;
        Ok((step, score))
    }
}

fn limits(budget: Budget, turn: Color) -> Limits {
    match budget {
        Budget::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        Budget::Clock { left, increment } => Limits {
            clock: ClockState { left: Some(left[turn as usize]), increment },
            overhead: OVERHEAD,
            ..Limits::default()
        },
    }
}

fn position_command(line: &GameLine) -> String {
    let mut text = "position startpos moves".to_owned();
    for step in &line.moves {
        text.push(' ');
        text.push_str(&step.uci(Variant::Standard).to_string());
    }
    text
}

fn go_command(budget: Budget) -> String {
    match budget {
        Budget::Nodes(nodes) => format!("go nodes {nodes}"),
        Budget::Clock { left: [white, black], increment } => format!(
            "go wtime {} btime {} winc {2} binc {2}",
            white.as_millis(),
            black.as_millis(),
            increment.as_millis()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_strengths_have_names() {
        assert_eq!(parse_strength("own"), None);
        assert_eq!(parse_strength("level:3"), Some(Level::new(3).map(Level::strength)));
        for odd in
            ["level:0", "level:11", "level:x", "strength:", "strength:1/2/3", "strength:-1/0/1/0/0"]
        {
            assert_eq!(parse_strength(odd), Some(None), "{odd}");
        }
        let made = parse_strength("strength:500/0/4/30/20").flatten().expect("a strength");
        assert_eq!((made.nodes, made.depth, made.lines), (500, None, 4));
    }

    #[test]
    fn a_file_that_is_no_net_is_an_error() {
        assert!(
            matches!(evaluator("/no/such/net"), Err(PlayerError::Net(file, _)) if file == "/no/such/net")
        );
        assert!(matches!(evaluator("/dev/null"), Err(PlayerError::Net(..))));
    }
}
