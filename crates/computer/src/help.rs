//! Help in a game against the computer: what to play, what is threatened, whether a move is a
//! blunder. The same for a server and for a worker of the page.

use hansu_chess::{Game, Move, Position, UciMove, Variant};
use hansu_engine::{Answer, Engine, Judgement, Limits, NoTime, Signals, Study, is_mate, lesson};
use hansu_protocol::{AskedHint, Hint};
use hansu_words::Lang;

use crate::opponent::earlier;

/// Nodes of one search: as long as the computer itself thinks at its middle levels.
const NODES: u64 = 60_000;
/// What a free move must win to be a threat, in hundredths of a pawn: the move itself is worth
/// about a third of that.
const THREAT: i32 = 150;

/// What a player wants to know, checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Help {
    /// What to play.
    Move,
    /// What is threatened.
    Threat,
    /// Whether this move is a blunder.
    Warning(Move),
}

impl Help {
    /// What is asked in the last position of a game; nothing when it is about a move that is not
    /// legal there.
    ///
    /// ```
    /// use hansu_chess::Game;
    /// use hansu_computer::Help;
    /// use hansu_protocol::AskedHint;
    /// let wrong = AskedHint::Warning { uci: "e2e5".into() };
    /// assert_eq!(Help::of(&Game::start(), &wrong), None);
    /// assert_eq!(Help::of(&Game::start(), &AskedHint::Threat), Some(Help::Threat));
    /// ```
    pub fn of(game: &Game, asked: &AskedHint) -> Option<Help> {
        Some(match asked {
            AskedHint::Move => Help::Move,
            AskedHint::Threat => Help::Threat,
            AskedHint::Warning { uci } => {
                Help::Warning(uci.parse::<UciMove>().ok()?.to_move(game.position()).ok()?)
            }
        })
    }

    /// The answer, and the nodes that it took. `seq` is the last event of the game.
    pub fn answer(self, engine: &mut Engine, game: &Game, seq: u64, lang: Lang) -> (Hint, u64) {
        match self {
            Help::Move => best(engine, game, seq),
            Help::Threat => threat(engine, game, seq),
            Help::Warning(step) => warning(engine, game, step, seq, lang),
        }
    }
}

fn search(engine: &mut Engine, position: &Position, earlier: &[u64]) -> Answer {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    engine.search(position, earlier, &limits, &Signals::default(), &NoTime, &mut |_| ())
}

fn told(seq: u64, position: &Position, step: Option<Move>, variant: Variant) -> Hint {
    Hint {
        seq,
        uci: step.map(|step| step.uci(variant).to_string()),
        san: step.map(|step| position.san(step).to_string()),
        text: None,
    }
}

/// What to play.
fn best(engine: &mut Engine, game: &Game, seq: u64) -> (Hint, u64) {
    let found = search(engine, game.position(), &earlier(game));
    (told(seq, game.position(), found.best, game.variant()), found.nodes)
}

/// What the opponent would play, if it were to move, as far as that wins something.
fn threat(engine: &mut Engine, game: &Game, seq: u64) -> (Hint, u64) {
    let position = game.position();
    let nothing = told(seq, position, None, game.variant());
    // A check is a threat that everybody sees, and one cannot pass there.
    if position.is_check() {
        return (nothing, 0);
    }
    let passed = position.pass();
    let now = search(engine, position, &earlier(game));
    let free = search(engine, &passed, &[]);
    let nodes = now.nodes + free.nodes;
    // Both as the opponent sees them.
    let gain = free.score + now.score;
    let mate = is_mate(free.score) && free.score > 0;
    if gain < THREAT && !mate {
        return (nothing, nodes);
    }
    (told(seq, &passed, free.best, game.variant()), nodes)
}

/// Whether a move is a blunder, and why.
fn warning(engine: &mut Engine, game: &Game, step: Move, seq: u64, lang: Lang) -> (Hint, u64) {
    let position = game.position();
    let mut study = Study::new(position, &[step]);
    while study.step(engine, NODES, &Signals::default()) {}
    let mut hint = told(seq, position, None, game.variant());
    let found = study.analysis().plies.into_iter().next();
    if let Some(found) = found.filter(|found| found.judgement == Judgement::Blunder) {
        // What it allows, not what would be better: that is for oneself to find.
        let allowed = lesson(position, step, None, found.reply);
        hint = told(seq, &position.play(step), found.reply, game.variant());
        hint.text = Some(lang.lesson(&allowed, position, step));
    }
    (hint, 2 * NODES)
}
