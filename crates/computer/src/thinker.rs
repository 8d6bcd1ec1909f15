//! The computer in a worker of the page: requests in, responses out.

use hansu_chess::{Game, Position, UciMove, Variant};
use hansu_engine::Signals;
use hansu_module::Respond;
use hansu_protocol::{AskedLines, Hint, LinesNews};
use hansu_view::{lang, variant};
use serde::Deserialize;

use crate::messages::{AskedHelp, AskedReview, GameMoves, Question, Reply, ReviewProgress, Task};
use crate::review::Review;
use crate::{Help, LINES, LineSearch, NODES, Opponent, SHORTEST, pause, seed};

/// The largest number of moves before a position whose lines are requested.
const MOST_MOVES: usize = 1_000;
/// Nodes of the first piece of a line search; each further piece has three times as many nodes as
/// were searched before. A search in a worker cannot be interrupted; the worker receives messages
/// only between two pieces.
const FIRST: u64 = 10_000;

/// The computer in a worker: answers requests as JSON.
#[derive(Debug, Default)]
pub struct Thinker {
    opponent: Opponent,
    lines: Option<LineSearch>,
    review: Option<Review>,
}

/// A request of the page.
#[derive(Deserialize)]
#[serde(untagged)]
enum WorkerRequest {
    /// A question of a game.
    Play(Question),
    /// The first piece of a line search: `{"lines":{"fen":"…"}}`.
    Lines { lines: AskedLines },
    /// The next piece of the same search: `{"more":{}}`.
    More {
        #[serde(rename = "more")]
        _more: Nothing,
    },
    /// Help in a game: `{"hint":{"asked":{"want":"move"},"game":{},"seq":1}}`.
    Hint { hint: AskedHelp },
    /// Begins or resumes the review of a game: `{"review":{"game":{"moves":["e2e4"]}}}`.
    Review { review: AskedReview },
    /// Searches one more position of the review: `{"look":{}}`.
    Look {
        #[serde(rename = "look")]
        _look: Nothing,
    },
}

#[derive(Deserialize)]
struct Nothing {}

impl Thinker {
    /// Answers a request; both are JSON. Malformed requests get a default [`Reply`].
    pub fn answer(&mut self, question: &str) -> String {
        // All map keys are strings, so serialisation cannot fail.
        let text = match serde_json::from_str(question) {
            Ok(WorkerRequest::Lines { lines }) => {
                self.lines = line_search(&lines);
                serde_json::to_string(&self.more())
            }
            Ok(WorkerRequest::More { .. }) => serde_json::to_string(&self.more()),
            Ok(WorkerRequest::Hint { hint }) => serde_json::to_string(&self.hint(&hint)),
            Ok(WorkerRequest::Review { review }) => {
                self.review = begin_review(&review);
                serde_json::to_string(&self.review.as_ref().map(Review::progress))
            }
            Ok(WorkerRequest::Look { .. }) => serde_json::to_string(&self.review_next()),
            Ok(WorkerRequest::Play(asked)) => {
                serde_json::to_string(&self.reply(&asked).unwrap_or_default())
            }
            Err(_) => serde_json::to_string(&Reply::default()),
        };
        text.unwrap_or_default()
    }

    /// Searches the next piece; `None` when no line search is open.
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

    /// Help for the player to move; `None` when the game or the move is invalid or the game is
    /// over.
    pub fn hint(&mut self, asked: &AskedHelp) -> Option<Hint> {
        let game = asked.game.replay()?;
        let help = Help::of(&game, &asked.asked).filter(|_| game.outcome().is_none())?;
        Some(help.answer(self.opponent.engine(), &game, asked.seq, lang(asked.game.lang)).0)
    }

    /// Searches one more position of the review; `None` when no review is open.
    pub fn review_next(&mut self) -> Option<ReviewProgress> {
        let review = self.review.as_mut()?;
        review.step(self.opponent.engine());
        Some(review.progress())
    }

    /// The computer's reply; `None` when the game is invalid or over.
    pub fn reply(&mut self, asked: &Question) -> Option<Reply> {
        let game = replay_question(asked)?;
        let seed = seed(&asked.game);
        match asked.task {
            Task::Move if asked.resigns && self.opponent.resigns(&game) => {
                Some(Reply { resigns: true, pause: SHORTEST, ..Reply::default() })
            }
            Task::Move => {
                let step = self.opponent.choose(&game, asked.level, seed)?;
                let uci = Some(step.uci(game.variant()).to_string());
                // The pause varies from move to move, but is the same for the same position.
                let draw = (seed ^ game.position().key()) >> 16;
                let pause = pause(&game, draw, asked.left);
                Some(Reply { uci, pause, ..Reply::default() })
            }
            Task::Draw => {
                let takes = Some(self.opponent.takes_draw(&game));
                Some(Reply { takes, pause: SHORTEST, ..Reply::default() })
            }
        }
    }
}

impl Respond for Thinker {
    fn answer(&mut self, request: &str) -> String {
        Thinker::answer(self, request)
    }
}

/// Replays the game of a question.
fn replay_question(asked: &Question) -> Option<Game> {
    replay(variant(asked.variant), asked.fen.as_deref(), &asked.moves)
}

/// The requested line search; `None` when the position cannot be read.
fn line_search(asked: &AskedLines) -> Option<LineSearch> {
    if asked.moves.len() > MOST_MOVES {
        return None;
    }
    let game = replay(variant(asked.variant), asked.fen.as_deref(), &asked.moves)?;
    Some(LineSearch::of(&game, usize::from(LINES), NODES))
}

/// The requested review; `None` when a move of the game is not legal.
fn begin_review(asked: &AskedReview) -> Option<Review> {
    Some(Review::of(&asked.game.replay()?, asked.kept.as_ref(), lang(asked.game.lang)))
}

impl GameMoves {
    fn replay(&self) -> Option<Game> {
        replay(variant(self.variant), self.fen.as_deref(), &self.moves)
    }
}

/// Replays a game; `None` when the position or a move is invalid.
fn replay(variant: Variant, fen: Option<&str>, moves: &[String]) -> Option<Game> {
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
    use hansu_protocol::{AnalysisState, Kind};

    use super::*;

    fn make_question(task: Task, moves: &[&str]) -> Question {
        Question {
            seq: 1,
            level: 3,
            variant: Kind::Standard,
            fen: None,
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
            game: "~abc".to_owned(),
            task,
            left: None,
            resigns: false,
        }
    }

    #[test]
    fn the_same_question_has_the_same_reply_from_every_instance() {
        let question = make_question(Task::Move, &["e2e4", "e7e5", "g1f3"]);
        let first = Thinker::default().reply(&question).expect("a reply");
        let mut other = Thinker::default();
        other.reply(&make_question(Task::Move, &["d2d4"])).expect("a reply");
        assert_eq!(other.reply(&question), Some(first.clone()));
        let game = replay_question(&question).expect("a game");
        let uci: UciMove = first.uci.expect("a move").parse().expect("UCI");
        assert!(game.position().judge(uci.from, uci.to, uci.promotion).is_ok());
        assert!(first.pause >= SHORTEST);
    }

    #[test]
    fn the_level_of_a_game_is_that_of_the_server() {
        let question = make_question(Task::Move, &["e2e4"]);
        let reply = Thinker::default().reply(&question).expect("a reply");
        let game = replay_question(&question).expect("a game");
        let step = Opponent::default().choose(&game, 3, seed("~abc")).expect("a move");
        assert_eq!(reply.uci, Some(step.uci(game.variant()).to_string()));
    }

    #[test]
    fn the_computer_takes_no_draw_before_the_game_has_begun() {
        let reply = Thinker::default().reply(&make_question(Task::Draw, &[])).expect("a reply");
        assert_eq!(reply.takes, Some(false));
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(16);
        let late = Thinker::default().reply(&make_question(Task::Draw, &shuffle));
        // Four times the same position: the game is over, and nothing is asked any more.
        assert_eq!(late, None);
    }

    #[test]
    fn a_game_that_cannot_be_is_not_thought_about() {
        assert_eq!(Thinker::default().reply(&make_question(Task::Move, &["e2e5"])), None);
        let broken = Question { fen: Some("8/8".to_owned()), ..make_question(Task::Move, &[]) };
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

    /// White's rook and Black's queen attack each other; White is to move.
    const HANGING: &str = r#""fen":"6k1/5ppp/8/8/8/8/q7/R5K1 w - - 0 1""#;

    fn hint(asked: &str, game: &str) -> Option<Hint> {
        let question = format!(r#"{{"seq":3,"hint":{{"asked":{asked},"game":{game},"seq":7}}}}"#);
        serde_json::from_str(&Thinker::default().answer(&question)).expect("a hint, or nothing")
    }

    #[test]
    fn help_says_what_to_play_what_is_threatened_and_what_a_blunder_allows() {
        let game = format!("{{{HANGING}}}");
        let best = hint(r#"{"want":"move"}"#, &game).expect("a hint");
        assert_eq!(
            (best.seq, best.uci.as_deref(), best.san.as_deref()),
            (7, Some("a1a2"), Some("Rxa2"))
        );
        let threat = hint(r#"{"want":"threat"}"#, &game).expect("a hint");
        assert_eq!(threat.san.as_deref(), Some("Qxa1+"));
        let korean = format!(r#"{{{HANGING},"lang":"ko"}}"#);
        let asked = r#"{"want":"warning","uci":"g1f1"}"#;
        let [one, other] = [&game, &korean].map(|game| hint(asked, game).expect("a hint"));
        assert_eq!(one.uci.as_deref(), Some("a2a1"));
        assert!(one.text.is_some() && one.text != other.text);
        let fine = hint(r#"{"want":"warning","uci":"a1a2"}"#, &game).expect("a hint");
        assert_eq!((fine.uci, fine.text), (None, None));
    }

    #[test]
    fn there_is_no_help_for_a_move_that_is_none_nor_in_a_game_that_is_over() {
        let mate = r#"{"moves":["f2f3","e7e5","g2g4","d8h4"]}"#;
        assert_eq!(hint(r#"{"want":"move"}"#, mate), None);
        assert_eq!(hint(r#"{"want":"warning","uci":"e2e5"}"#, "{}"), None);
        assert_eq!(hint(r#"{"want":"threat"}"#, r#"{"fen":"8/8"}"#), None);
    }

    const FOOLS: &str = r#"{"moves":["f2f3","e7e5","g2g4","d8h4"]}"#;

    fn review(thinker: &mut Thinker, kept: &str) -> Option<ReviewProgress> {
        let question = format!(r#"{{"review":{{"game":{FOOLS},"kept":{kept}}}}}"#);
        serde_json::from_str(&thinker.answer(&question)).expect("a review, or nothing")
    }

    #[test]
    fn a_review_is_made_in_steps_and_gone_on_with_from_what_was_kept() {
        let mut thinker = Thinker::default();
        let mut said = review(&mut thinker, "null").expect("a review");
        let mut looks = 0;
        while let AnalysisState::Running { done, total } = said.state {
            assert_eq!((done, total, said.kept.done), (looks, 5, looks));
            // Another worker goes on from here.
            if looks == 2 {
                thinker = Thinker::default();
                let kept = serde_json::to_string(&said.kept).expect("text");
                assert_eq!(review(&mut thinker, &kept).as_ref(), Some(&said));
            }
            said = thinker.review_next().expect("a step");
            looks += 1;
        }
        assert_eq!(looks, 5);
        let AnalysisState::Finished { analysis } = &said.state else { panic!("{said:?}") };
        assert_eq!(analysis.moves[2].grade, hansu_protocol::Grade::Blunder);
        assert!(analysis.moves[2].text.contains("checkmate"));
        // What is complete is told without a search.
        let kept = serde_json::to_string(&said.kept).expect("text");
        assert_eq!(review(&mut Thinker::default(), &kept).expect("it").state, said.state);
    }

    #[test]
    fn no_game_has_no_review() {
        let mut thinker = Thinker::default();
        assert_eq!(thinker.answer(r#"{"review":{"game":{"moves":["e2e5"]}}}"#), "null");
        assert_eq!(thinker.answer(r#"{"look":{}}"#), "null");
    }
}
