//! The computer in a worker of the page: questions in, replies out.

use hansu_chess::{Game, Position, UciMove, Variant};
use hansu_engine::Signals;
use hansu_module::Answers;
use hansu_protocol::{AskedLines, Kind, LinesNews};
use serde::Deserialize;

use crate::shapes::{Question, Reply, Rules, Task};
use crate::{LINES, Lines, NODES, Opponent, SHORTEST, pause, seed};

/// Moves that may lead to a position whose lines are asked for.
const MOST_MOVES: usize = 1_000;
/// Nodes before the first lines are told; then three times as many as were searched. A search in a
/// worker cannot be told to stop, but between two pieces the worker listens.
const FIRST: u64 = 10_000;

/// Answers questions as JSON.
#[derive(Debug, Default)]
pub struct Thinker {
    opponent: Opponent,
    lines: Option<Lines>,
}

/// What a worker of the page asks.
#[derive(Deserialize)]
#[serde(untagged)]
enum Asked {
    /// A question of a game.
    Play(Question),
    /// The lines of a position, as far as they are found soon: `{"lines":{"fen":"…"}}`.
    Lines { lines: AskedLines },
    /// More of the same: `{"more":{}}`.
    More {
        #[serde(rename = "more")]
        _more: Nothing,
    },
}

#[derive(Deserialize)]
struct Nothing {}

impl Thinker {
    /// Answers a question, both as JSON. Whatever the text, there is an answer.
    pub fn answer(&mut self, question: &str) -> String {
        // All map keys are strings, so serialisation cannot fail.
        let text = match serde_json::from_str(question) {
            Ok(Asked::Lines { lines }) => {
                self.lines = asked_for(&lines);
                serde_json::to_string(&self.more())
            }
            Ok(Asked::More { .. }) => serde_json::to_string(&self.more()),
            Ok(Asked::Play(asked)) => {
                serde_json::to_string(&self.reply(&asked).unwrap_or_default())
            }
            Err(_) => serde_json::to_string(&Reply::default()),
        };
        text.unwrap_or_default()
    }

    /// Searches a piece further; nothing when no position is looked at.
    pub fn more(&mut self) -> Option<LinesNews> {
        let lines = self.lines.as_mut()?;
        let piece = if lines.used() == 0 { FIRST } else { 3 * lines.used() };
        let engine = self.opponent.engine();
        lines.work(engine, piece, &Signals::default(), &mut |_| true);
        let done = lines.is_done();
        let found = lines.found()?.clone();
        if done {
            self.lines = None;
            return Some(LinesNews::Finished { found });
        }
        Some(LinesNews::Thinking { found })
    }

    /// What the computer does; nothing when there is no such game.
    pub fn reply(&mut self, asked: &Question) -> Option<Reply> {
        let game = replayed(asked)?;
        let seed = seed(&asked.game);
        match asked.task {
            Task::Move => {
                let step = self.opponent.choose(&game, asked.level, seed)?;
                let uci = Some(step.uci(game.variant()).to_string());
                // Its moves take longer and shorter, and the same move the same time.
                let draw = (seed ^ game.position().key()) >> 16;
                Some(Reply { uci, takes: None, pause: pause(draw, asked.left) })
            }
            Task::Draw => {
                let takes = Some(self.opponent.takes_draw(&game));
                Some(Reply { uci: None, takes, pause: SHORTEST })
            }
        }
    }
}

impl Answers for Thinker {
    fn answer(&mut self, request: &str) -> String {
        Thinker::answer(self, request)
    }
}

/// The game of a question, played through.
fn replayed(asked: &Question) -> Option<Game> {
    let variant = match asked.variant {
        Rules::Standard => Variant::Standard,
        Rules::Chess960 => Variant::Chess960,
    };
    played(variant, asked.fen.as_deref(), &asked.moves)
}

/// The search for lines that is asked for; `None` when the position cannot be read.
fn asked_for(asked: &AskedLines) -> Option<Lines> {
    let variant = match asked.variant {
        Kind::Standard => Variant::Standard,
        Kind::Chess960 => Variant::Chess960,
    };
    if asked.moves.len() > MOST_MOVES {
        return None;
    }
    let game = played(variant, asked.fen.as_deref(), &asked.moves)?;
    Some(Lines::of(&game, usize::from(LINES), NODES))
}

fn played(variant: Variant, fen: Option<&str>, moves: &[String]) -> Option<Game> {
    let first = match fen {
        Some(fen) => Position::from_fen(fen, variant).ok()?,
        None => Position::start(),
    };
    let mut game = Game::from_position(first, variant);
    for text in moves {
        let step: UciMove = text.parse().ok()?;
        game.play(step.from, step.to, step.promotion).ok()?;
    }
    Some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(task: Task, moves: &[&str]) -> Question {
        Question {
            seq: 1,
            level: 3,
            variant: Rules::Standard,
            fen: None,
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
            game: "~abc".to_owned(),
            task,
            left: None,
        }
    }

    #[test]
    fn the_same_question_has_the_same_reply_whoever_is_asked() {
        let question = asked(Task::Move, &["e2e4", "e7e5", "g1f3"]);
        let first = Thinker::default().reply(&question).expect("a reply");
        let mut other = Thinker::default();
        other.reply(&asked(Task::Move, &["d2d4"])).expect("a reply");
        assert_eq!(other.reply(&question), Some(first.clone()));
        let game = replayed(&question).expect("a game");
        let uci: UciMove = first.uci.expect("a move").parse().expect("UCI");
        assert!(game.position().judge(uci.from, uci.to, uci.promotion).is_ok());
        assert!(first.pause >= SHORTEST);
    }

    #[test]
    fn the_level_of_a_game_is_that_of_the_server() {
        let question = asked(Task::Move, &["e2e4"]);
        let reply = Thinker::default().reply(&question).expect("a reply");
        let game = replayed(&question).expect("a game");
        let step = Opponent::default().choose(&game, 3, seed("~abc")).expect("a move");
        assert_eq!(reply.uci, Some(step.uci(game.variant()).to_string()));
    }

    #[test]
    fn nobody_takes_a_draw_before_the_game_has_begun() {
        let reply = Thinker::default().reply(&asked(Task::Draw, &[])).expect("a reply");
        assert_eq!(reply.takes, Some(false));
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(16);
        let late = Thinker::default().reply(&asked(Task::Draw, &shuffle));
        // Four times the same position: the game is over, and nothing is asked any more.
        assert_eq!(late, None);
    }

    #[test]
    fn a_game_that_cannot_be_is_not_thought_about() {
        assert_eq!(Thinker::default().reply(&asked(Task::Move, &["e2e5"])), None);
        let broken = Question { fen: Some("8/8".to_owned()), ..asked(Task::Move, &[]) };
        assert_eq!(Thinker::default().reply(&broken), None);
    }

    fn news(thinker: &mut Thinker, question: &str) -> Option<LinesNews> {
        serde_json::from_str(&thinker.answer(question)).expect("news, or nothing")
    }

    #[test]
    fn three_lines_come_piece_by_piece_and_deeper() {
        let mut thinker = Thinker::default();
        let mut said = news(&mut thinker, r#"{"lines":{"moves":["e2e4"]}}"#);
        let (mut pieces, mut deepest, mut most) = (0, 0, 0);
        while let Some(LinesNews::Thinking { found }) = &said {
            assert_eq!(found.lines.len(), 3);
            assert!(found.depth >= deepest && found.nodes > most && found.limit == NODES);
            (pieces, deepest, most) = (pieces + 1, found.depth, found.nodes);
            said = news(&mut thinker, r#"{"more":{}}"#);
        }
        let Some(LinesNews::Finished { found }) = said else { panic!("{said:?}") };
        assert!(pieces >= 2 && found.depth > 5 && found.nodes >= NODES, "{pieces} {found:?}");
        let mut best: Vec<_> = found.lines.iter().map(|line| line.best.clone()).collect();
        best.dedup();
        assert_eq!(best.len(), 3);
        assert_eq!(news(&mut thinker, r#"{"more":{}}"#), None, "it has ended");
    }

    #[test]
    fn lines_of_an_end_are_told_at_once_and_of_no_position_never() {
        let mut thinker = Thinker::default();
        let mate = r#"{"lines":{"moves":["f2f3","e7e5","g2g4","d8h4"]}}"#;
        let Some(LinesNews::Finished { found }) = news(&mut thinker, mate) else { panic!() };
        assert_eq!((found.nodes, found.lines[0].mate), (0, Some(0)));
        for wrong in [r#"{"lines":{"fen":"8/8"}}"#, r#"{"lines":{"moves":["e2e5"]}}"#] {
            assert_eq!(news(&mut thinker, wrong), None);
        }
    }
}
