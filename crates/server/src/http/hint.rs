//! Help in a game against the computer: what to play, what is threatened, whether a move is a
//! blunder. Games between people have none.

use axum::Json;
use axum::extract::State;
use hansu_chess::{Game, Move, Position, UciMove, Variant};
use hansu_engine::{Answer, Engine, Judgement, Limits, NoTime, Signals, Study, is_mate, lesson};
use hansu_play::{Actor, Phase};
use hansu_protocol::{AskedHint, Hint};
use hansu_words::{Lang, ServerRefusal};
use tokio::sync::oneshot;

use super::App;
use super::analyse::place;
use super::ask::At;
use super::body::Body;
use super::games::game;
use super::player::Player;
use super::problem::Problem;
use crate::questions::{Asked, Brief};

/// Nodes of one search: as long as the computer itself thinks at its middle levels.
const NODES: u64 = 60_000;
/// What a free move must win to be a threat, in hundredths of a pawn: the move itself is worth
/// about a third of that.
const THREAT: i32 = 150;

/// Answers a player who is to move against the computer.
pub(crate) async fn hint(
    State(app): State<App>,
    player: Player,
    At(id): At<String>,
    Body(asked): Body<AskedHint>,
) -> Result<Json<Hint>, Problem> {
    let lang = player.lang;
    let id = game(&id, lang)?;
    let table = app.hub.table(id).await.map_err(|why| Problem::table(why, lang))?;
    let actor = table.actor(player.holder());
    if actor == Actor::Spectator {
        return Err(Problem::of(ServerRefusal::NotYourGame, lang));
    }
    let found = table.look(|room| {
        let state = room.state();
        let computer = state.start()?.computer?;
        let ours = Actor::seat(!computer.side) == actor && state.turn() != computer.side;
        let playing = state.phase() == Phase::Playing && state.game().outcome().is_none();
        (ours && playing).then(|| (state.game().clone(), state.seq()))
    });
    let (game, seq) = found.ok_or_else(|| Problem::of(ServerRefusal::NoHint, lang))?;
    let step = match &asked {
        AskedHint::Warning { uci } => Some(legal(&game, uci, lang)?),
        AskedHint::Move | AskedHint::Threat => None,
    };
    let (place, _) = place(&app, &player)?;
    let (answer, answered) = oneshot::channel();
    let think = move |engine: &mut Engine| match (asked, step) {
        (AskedHint::Threat, _) => threat(engine, &game, seq),
        (_, Some(step)) => warning(engine, &game, step, seq, lang),
        (_, None) => best(engine, &game, seq),
    };
    let question = Brief { think: Some(think), answer: Some(answer) };
    app.hub.computer.ask(Asked::new(Box::new(question), Default::default(), place));
    let hint = answered.await.map_err(|_| Problem::of(ServerRefusal::Busy, lang))?;
    Ok(Json(hint))
}

fn legal(game: &Game, uci: &str, lang: Lang) -> Result<Move, Problem> {
    let wrong = || Problem::of(ServerRefusal::BadMove, lang);
    let step: UciMove = uci.parse().map_err(|_| wrong())?;
    step.to_move(game.position()).map_err(|_| wrong())
}

fn search(engine: &mut Engine, position: &Position, earlier: &[u64]) -> Answer {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    engine.search(position, earlier, &limits, &Signals::default(), &NoTime, &mut |_| ())
}

fn earlier(game: &Game) -> Vec<u64> {
    game.positions().iter().take(game.moves().len()).map(Position::key).collect()
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
