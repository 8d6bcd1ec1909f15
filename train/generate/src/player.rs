//! The players of a match: engines in this process, or other programs by UCI.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use hansu_chess::{Color, Move, Position, UciMove, Variant};
use hansu_engine::{ClockState, Engine, Level, Limits, Settings, Signals, Strength, SystemTime};

use crate::arguments::evaluator;
use crate::ladder;

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
    pub(crate) moves: Vec<Move>,
    pub(crate) keys: Vec<u64>,
    pub(crate) position: Position,
}

/// A line from a UCI engine, and the last score and number of nodes before it.
#[derive(Default)]
struct UciReply {
    line: String,
    score: i32,
    nodes: u64,
}

pub(crate) enum Player {
    Own(Box<Engine>),
    /// A level of this engine, its name on the command line, and the seed of its game.
    Level(Box<Engine>, Strength, String, u64),
    Uci {
        child: Child,
        to: ChildStdin,
        from: BufReader<ChildStdout>,
        /// Replaces the `go` command of the match's limit: `go depth 6`.
        go: Option<String>,
    },
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
    pub(crate) fn new(name: &str) -> Result<Player, String> {
        if let Some(strength) = parse_strength(name) {
            let strength = strength.ok_or_else(|| format!("{name}: not a level"))?;
            let settings = Settings { megabytes: 2, ..Settings::default() };
            let engine = Box::new(Engine::new(settings));
            return Ok(Player::Level(engine, strength, name.to_owned(), 0));
        }
        let Some(command) = name.strip_prefix("cmd:") else {
            let settings = Settings { megabytes: 16, threads: 1, evaluator: evaluator(name)? };
            return Ok(Player::Own(Box::new(Engine::new(settings))));
        };
        let mut parts = command.split(',');
        let program = parts.next().unwrap_or_default();
        let mut words = program.split_whitespace();
        let mut child = Command::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|why| format!("{program}: {why}"))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{program}: no pipes"));
        };
        let mut player = Player::Uci { child, to, from: BufReader::new(from), go: None };
        player.send("uci")?;
        player.read_until("uciok")?;
        for option in parts {
            match (option.split_once('='), &mut player) {
                (Some(("go", limit)), Player::Uci { go, .. }) => *go = Some(format!("go {limit}")),
                (Some((option, value)), player) => {
                    player.send(&format!("setoption name {option} value {value}"))?;
                }
                (None, _) => return Err(format!("{option}: not an option (NAME=VALUE)")),
            }
        }
        Ok(player)
    }

    fn send(&mut self, text: &str) -> Result<(), String> {
        match self {
            Player::Own(_) | Player::Level(..) => Ok(()),
            Player::Uci { to, .. } => {
                writeln!(to, "{text}").and_then(|()| to.flush()).map_err(|why| why.to_string())
            }
        }
    }

    /// Reads up to a line that begins with `start`.
    fn read_until(&mut self, start: &str) -> Result<UciReply, String> {
        let Player::Uci { from, .. } = self else {
            return Ok(UciReply::default());
        };
        let (mut score, mut nodes) = (0, 0);
        loop {
            let mut line = String::new();
            if from.read_line(&mut line).map_err(|why| why.to_string())? == 0 {
                return Err("the engine has gone".to_owned());
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            if let Some(at) = words.iter().position(|&word| word == "score") {
                let number = words.get(at + 2).and_then(|text| text.parse::<i32>().ok());
                score = match (words.get(at + 1), number) {
                    (Some(&"cp"), Some(number)) => number,
                    (Some(&"mate"), Some(number)) => 30_000 * number.signum(),
                    _ => score,
                };
            }
            if let Some(at) = words.iter().position(|&word| word == "nodes") {
                nodes = words.get(at + 1).and_then(|text| text.parse().ok()).unwrap_or(nodes);
            }
            if line.starts_with(start) {
                return Ok(UciReply { line, score, nodes });
            }
        }
    }

    pub(crate) fn begin_game(&mut self) -> Result<(), String> {
        match self {
            Player::Own(engine) => engine.clear(),
            Player::Level(engine, _, _, seed) => {
                engine.clear();
                *seed += 1;
            }
            Player::Uci { .. } => {
                self.send("ucinewgame")?;
                self.send("isready")?;
                self.read_until("readyok")?;
            }
        }
        Ok(())
    }

    /// How long a UCI engine searches a position to a depth, and how many nodes it counts.
    pub(crate) fn race(&mut self, position: &Position, depth: u32) -> Result<(f64, u64), String> {
        self.begin_game()?;
        let start = Instant::now();
        self.send(&format!("position fen {}", position.fen()))?;
        self.send(&format!("go depth {depth}"))?;
        let reply = self.read_until("bestmove")?;
        Ok((start.elapsed().as_secs_f64(), reply.nodes))
    }

    /// A move and its score for the side to move.
    pub(crate) fn choose(
        &mut self,
        line: &GameLine,
        budget: Budget,
    ) -> Result<(Move, i32), String> {
        match self {
            Player::Own(engine) => {
                let limits = limits(budget, line.position.turn());
                let time = SystemTime::start();
                let signals = Signals::default();
                let answer = engine.search(
                    &line.position,
                    &line.keys,
                    &limits,
                    &signals,
                    &time,
                    &mut |_| (),
                );
                answer.best.map(|step| (step, answer.score)).ok_or_else(|| "no move".to_owned())
            }
            Player::Level(engine, strength, name, seed) => {
                // The opening is mixed into the seed: no two games are alike.
                let seed = line.keys.get(7).copied().unwrap_or(0) ^ *seed;
                let signals = Signals::default();
                let step = strength.choose(engine, &line.position, &line.keys, seed, &signals);
                let step = step.ok_or_else(|| "no move".to_owned())?;
                ladder::add_move(name, &line.position, step);
                // A constant score, so that such games are never adjudicated.
                Ok((step, 100))
            }
            Player::Uci { go, .. } => {
                let command = go.clone().unwrap_or_else(|| go_command(budget));
                let mut text = "position startpos moves".to_owned();
                for step in &line.moves {
                    text.push(' ');
                    text.push_str(&step.uci(Variant::Standard).to_string());
                }
                self.send(&text)?;
                self.send(&command)?;
                let UciReply { line: answer, score, .. } = self.read_until("bestmove")?;
                let word = answer.split_whitespace().nth(1).unwrap_or_default();
                let step = word.parse::<UciMove>().map_err(|_| format!("{word} is no move"))?;
                let step = step.to_move(&line.position).map_err(|why| format!("{word}: {why}"))?;
                Ok((step, score))
            }
        }
    }
}

fn limits(budget: Budget, turn: Color) -> Limits {
    match budget {
        Budget::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        Budget::Clock { left, increment } => Limits {
            clock: ClockState { left: Some(left[turn as usize]), increment },
            overhead: Duration::from_millis(20),
            ..Limits::default()
        },
    }
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

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.send("quit");
        if let Player::Uci { child, .. } = self {
            std::thread::sleep(Duration::from_millis(50));
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
