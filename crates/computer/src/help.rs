//! Help in a game against the computer: what to play, what is threatened, and if a move is a
//! blunder. The server and a worker of the page use the same code.

use hansu_chess::{Game, Move, Position, UciMove, Variant};
use hansu_engine::{
    Engine, Judgement, Limits, NoTime, SearchResult, Signals, Study, is_mate, lesson,
};
use hansu_protocol::{AskedHint, Hint};
use hansu_words::Lang;

use crate::opponent::earlier;

/// Nodes of one search: about as many as the computer searches at its middle levels.
const NODES: u64 = 60_000;
/// The gain from which a free move of the opponent counts as a threat, in hundredths of a pawn. The
/// tempo alone is worth about a third of that.
const THREAT: i32 = 150;

/// A checked request for help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Help {
    /// What to play.
    Move,
    /// What the opponent threatens.
    Threat,
    /// If this move is a blunder.
    Warning(Move),
}

impl Help {
    /// Checks a request against the last position of a game; `None` when its move is not legal
    /// there.
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

    /// The hint, and the number of nodes it took. `seq` is the number of the last event of the
    /// game.
    pub fn answer(self, engine: &mut Engine, game: &Game, seq: u64, lang: Lang) -> (Hint, u64) {
        match self {
            Help::Move => best(engine, game, seq),
            Help::Threat => threat(engine, game, seq),
            Help::Warning(step) => warning(engine, game, step, seq, lang),
        }
    }
}

fn search(engine: &mut Engine, position: &Position, earlier: &[u64]) -> SearchResult {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    engine.search(position, earlier, &limits, &Signals::default(), &NoTime, &mut |_| ())
}

fn hint(seq: u64, position: &Position, step: Option<Move>, variant: Variant) -> Hint {
    Hint {
        seq,
        uci: step.map(|step| step.uci(variant).to_string()),
        san: step.map(|step| position.san(step).to_string()),
        text: None,
    }
}

/// The best move.
fn best(engine: &mut Engine, game: &Game, seq: u64) -> (Hint, u64) {
    let found = search(engine, game.position(), &earlier(game));
    (hint(seq, game.position(), found.best, game.variant()), found.nodes)
}

/// The best move of the opponent if the player passed, when it wins at least `THREAT`.
fn threat(engine: &mut Engine, game: &Game, seq: u64) -> (Hint, u64) {
    let position = game.position();
    let nothing = hint(seq, position, None, game.variant());
    // A check is an obvious threat, and passing is not possible in check.
    if position.is_check() {
        return (nothing, 0);
    }
    let passed = position.pass();
    let now = search(engine, position, &earlier(game));
    let free = search(engine, &passed, &[]);
    let nodes = now.nodes + free.nodes;
    // `now.score` is the player's, so the sum is what a free move gains for the opponent.
    let gain = free.score + now.score;
    let mate = is_mate(free.score) && free.score > 0;
    if gain < THREAT && !mate {
        return (nothing, nodes);
    }
    (hint(seq, &passed, free.best, game.variant()), nodes)
}

/// If a move is a blunder: the reply that punishes it, and a sentence why.
fn warning(engine: &mut Engine, game: &Game, step: Move, seq: u64, lang: Lang) -> (Hint, u64) {
    let position = game.position();
    let mut study = Study::new(position, &[step]);
    while study.step(engine, NODES, &Signals::default()) {}
    let mut result = hint(seq, position, None, game.variant());
    let found = study.analysis().plies.into_iter().next();
    if let Some(found) = found.filter(|found| found.judgement == Judgement::Blunder) {
        // The better move is not told: the player is to find it.
        let allowed = lesson(position, step, None, found.reply);
        result = hint(seq, &position.play(step), found.reply, game.variant());
        result.text = Some(lang.lesson(&allowed, position, step));
    }
    (result, 2 * NODES)
}
