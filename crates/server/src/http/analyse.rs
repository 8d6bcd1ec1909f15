//! The best lines of any position, as a stream with one line of JSON for each result. The search
//! ends when the client disconnects.

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
use super::stream::{StreamLine, ndjson};
use crate::questions::{
    LinesQuestion, LinesReceiver, LinesUpdate, QuestionError, QueuePlace, Requester,
};

/// At most this many nodes per search: about a second of one processor.
const MOST_NODES: u64 = 1_000_000;
/// At most this many lines per search.
const MOST_LINES: u8 = 5;
/// At most this many moves before the position.
const MOST_MOVES: usize = 1_000;

/// Takes a place in the queue for a question of this player; returns it with its number.
pub(crate) fn take_place(app: &App, player: &Player) -> Result<(QueuePlace, usize), Problem> {
    // A class behind one address has many keys.
    let name = player.mark().unwrap_or_else(|| player.address.to_string());
    let requester = Requester { name, address: player.address };
    app.hub.questions.take(requester, Instant::now()).map_err(|why| {
        let why = match why {
            QuestionError::Full => ServerRefusal::Busy,
            QuestionError::TooManyFromOne => ServerRefusal::TooFast,
            QuestionError::Spent => ServerRefusal::AnalysisBudget,
        };
        Problem::of(why, player.lang)
    })
}

/// The position to be searched, with the moves before it.
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

/// Searches a position as long as the client is connected.
pub(crate) async fn analyse(
    State(app): State<App>,
    player: Player,
    Body(asked): Body<AskedLines>,
) -> Result<Response, Problem> {
    let game = game(&asked, player.lang)?;
    let count = asked.lines.unwrap_or(LINES).clamp(1, MOST_LINES);
    let limit = asked.nodes.unwrap_or(NODES).clamp(1, MOST_NODES);
    let (place, number) = take_place(&app, &player)?;
    let search = hansu_computer::LineSearch::of(&game, usize::from(count), limit);
    let (asked, listener) = LinesQuestion::ask(search, place);
    app.hub.computer.ask(asked);
    let first = LinesNews::Queued { place: u32::try_from(number).unwrap_or(u32::MAX) };
    let stream = LinesStream { listener, first: Some(first), stop: app.stop.clone() };
    Ok(ndjson(unfold(Some(stream), LinesStream::next)))
}

/// The stream of results to one client.
struct LinesStream {
    listener: LinesReceiver,
    first: Option<LinesNews>,
    stop: CancellationToken,
}

impl LinesStream {
    /// The next line. None after the last one, when the search is dropped, or when the server
    /// stops.
    async fn next(stream: Option<LinesStream>) -> Option<(StreamLine, Option<LinesStream>)> {
        let mut stream = stream?;
        if let Some(first) = stream.first.take() {
            return Some((to_line(&first), Some(stream)));
        }
        tokio::select! {
            biased;
            () = stream.stop.cancelled() => return None,
            news = stream.listener.found.changed() => news.ok()?,
        }
        let LinesUpdate { lines: found, done } =
            stream.listener.found.borrow_and_update().clone()?;
        Some(if done {
            (to_line(&LinesNews::Finished { found }), None)
        } else {
            (to_line(&LinesNews::Thinking { found }), Some(stream))
        })
    }
}

fn to_line(news: &LinesNews) -> StreamLine {
    // All map keys are strings, so serialisation cannot fail.
    let mut text = serde_json::to_vec(news).unwrap_or_default();
    text.push(b'\n');
    Ok(text.into())
}
