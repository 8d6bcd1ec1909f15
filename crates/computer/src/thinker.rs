//! The computer in a worker of the page: questions in, replies out.

use hansu_chess::{Game, Position, UciMove, Variant};
use hansu_module::Answers;

use crate::shapes::{Question, Reply, Rules, Task};
use crate::{Opponent, SHORTEST, pause, seed};

/// Answers questions as JSON.
#[derive(Debug, Default)]
pub struct Thinker {
    opponent: Opponent,
}

impl Thinker {
    /// Answers a question, both as JSON. Whatever the text, there is an answer.
    pub fn answer(&mut self, question: &str) -> String {
        let reply = serde_json::from_str(question).ok().and_then(|asked| self.reply(&asked));
        // All map keys are strings, so serialisation cannot fail.
        serde_json::to_string(&reply.unwrap_or_default()).unwrap_or_default()
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
    let first = match &asked.fen {
        Some(fen) => Position::from_fen(fen, variant).ok()?,
        None => Position::start(),
    };
    let mut game = Game::from_position(first, variant);
    for text in &asked.moves {
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
}
