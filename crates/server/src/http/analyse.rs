//! The best lines of any position, one line of JSON for each result. The search ends when the client
//! leaves.

use std::time::Instant;

use axum::extract::State;
use axum::response::Response;
use futures_util::stream::unfold;
use hansu_chess::{Game, UciMove};
use hansu_computer::{LINES, NODES};
use hansu_protocol::{AskedLines, LinesNews};
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};
use tokio_util::sync::CancellationToken;

use super::App;
use super::body::Body;
use super::player::Player;
use super::problem::Problem;
use super::stream::{Line, lines};
use crate::questions::{Found, Lines, Listener, NotAsked, Place, Who};

/// The most nodes that a search gets: about a second of one processor.
const MOST_NODES: u64 = 1_000_000;
/// The most lines.
const MOST_LINES: u8 = 5;
/// Moves that may lead to a position.
const MOST_MOVES: usize = 1_000;

/// Takes a place for a question of this player.
pub(crate) fn place(app: &App, player: &Player) -> Result<(Place, usize), Problem> {
    // A class behind one address asks with many keys.
    let name = player.mark().unwrap_or_else(|| player.address.to_string());
    let who = Who { name, address: player.address };
    app.hub.questions.take(who, Instant::now()).map_err(|why| {
        let why = match why {
            NotAsked::Full => ServerRefusal::Busy,
            NotAsked::TooManyOfOne => ServerRefusal::TooFast,
            NotAsked::Spent => ServerRefusal::AnalysisBudget,
        };
        Problem::of(why, player.lang)
    })
}

/// The position that is asked about, with those before it.
fn game(asked: &AskedLines, lang: Lang) -> Result<Game, Problem> {
    let variant = view::variant(asked.variant);
    let bad = |why| Problem::new(axum::http::StatusCode::BAD_REQUEST, why);
    let start = view::position(asked.fen.as_deref(), variant, lang).map_err(bad)?;
    if asked.moves.len() > MOST_MOVES {
        return Err(Problem::of(ServerRefusal::TooLarge, lang));
    }
    let mut game = Game::from_position(start, variant);
    for text in &asked.moves {
        let wrong = || Problem::of(ServerRefusal::BadMove, lang);
        let step: UciMove = text.parse().map_err(|_| wrong())?;
        game.play(step.from, step.to, step.promotion).map_err(|_| wrong())?;
    }
    Ok(game)
}

/// Searches a position, as long as the client listens.
pub(crate) async fn analyse(
    State(app): State<App>,
    player: Player,
    Body(asked): Body<AskedLines>,
) -> Result<Response, Problem> {
    let game = game(&asked, player.lang)?;
    let count = asked.lines.unwrap_or(LINES).clamp(1, MOST_LINES);
    let limit = asked.nodes.unwrap_or(NODES).clamp(1, MOST_NODES);
    let (place, number) = place(&app, &player)?;
    let search = hansu_computer::Lines::of(&game, usize::from(count), limit);
    let (asked, listener) = Lines::ask(search, place);
    app.hub.computer.ask(asked);
    let first = LinesNews::Queued { place: u32::try_from(number).unwrap_or(u32::MAX) };
    let ear = Ear { listener, first: Some(first), stop: app.stop.clone() };
    Ok(lines(unfold(Some(ear), Ear::next)))
}

/// One who listens.
struct Ear {
    listener: Listener,
    first: Option<LinesNews>,
    stop: CancellationToken,
}

impl Ear {
    /// The next news; none after the last, when the search is gone, or when the server stops.
    async fn next(ear: Option<Ear>) -> Option<(Line, Option<Ear>)> {
        let mut ear = ear?;
        if let Some(first) = ear.first.take() {
            return Some((line(&first), Some(ear)));
        }
        tokio::select! {
            biased;
            () = ear.stop.cancelled() => return None,
            news = ear.listener.found.changed() => news.ok()?,
        }
        let Found { lines: found, done } = ear.listener.found.borrow_and_update().clone()?;
        Some(if done {
            (line(&LinesNews::Finished { found }), None)
        } else {
            (line(&LinesNews::Thinking { found }), Some(ear))
        })
    }
}

fn line(news: &LinesNews) -> Line {
    // All map keys are strings, so serialisation cannot fail.
    let mut text = serde_json::to_vec(news).unwrap_or_default();
    text.push(b'\n');
    Ok(text.into())
}
