//! Games of the log: lists, single games, PGN and game records (기보).

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hansu_journal::to_row;
use hansu_play::{Millis, Reason};
use hansu_protocol as wire;
use hansu_records::{
    Cursor, Filter, GameId, Order, Page, Record, Score, Seat, Side, Source, Status, Visibility,
    dates, to_notation, to_pgn,
};
use hansu_words::ServerRefusal;
use serde::Deserialize;

use super::App;
use super::games::game;
use super::params::{PathParams, QueryParams, non_blank, read};
use super::player::Player;
use super::problem::Problem;
use super::rows::wire_seat;

/// Games per page without `limit`.
const USUAL: usize = 50;
/// The largest `limit`.
const MOST: usize = 200;

/// The query of a list of games.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Search {
    player: Option<String>,
    white: Option<String>,
    black: Option<String>,
    result: Option<String>,
    reason: Option<String>,
    since: Option<String>,
    until: Option<String>,
    opening: Option<String>,
    shortest: Option<String>,
    longest: Option<String>,
    source: Option<String>,
    status: Option<String>,
    tag: Option<String>,
    text: Option<String>,
    mine: Option<String>,
    order: Option<String>,
    limit: Option<String>,
    after: Option<String>,
    /// Accepted here; [`Player`] reads it.
    #[serde(rename = "lang")]
    _lang: Option<String>,
}

impl Search {
    fn filter(self, player: &Player) -> Result<(Filter, Page), Problem> {
        let lang = player.lang;
        let mine = read("mine", self.mine, |text| text.parse::<bool>().ok(), lang)?;
        // A client without a key has no games; the all-zero holder finds none.
        let holder =
            (mine == Some(true)).then(|| player.holder().unwrap_or(hansu_records::Holder([0; 32])));
        let number = |text: &str| text.parse::<u32>().ok();
        let filter = Filter {
            player: non_blank(self.player),
            white: non_blank(self.white),
            black: non_blank(self.black),
            score: read("result", self.result, score, lang)?,
            reason: read("reason", self.reason, reason, lang)?,
            since: read("since", self.since, dates::span, lang)?.map(|(from, _)| from),
            until: read("until", self.until, dates::span, lang)?.map(|(_, to)| to),
            opening: non_blank(self.opening),
            shortest: read("shortest", self.shortest, number, lang)?,
            longest: read("longest", self.longest, number, lang)?,
            source: read("source", self.source, Source::from_word, lang)?,
            status: read("status", self.status, Status::from_word, lang)?,
            visibility: holder.is_none().then_some(Visibility::Public),
            holder,
            viewer: player.viewer(),
            tag: non_blank(self.tag),
            text: non_blank(self.text),
        };
        let order = |text: &str| match text {
            "newest" => Some(Order::Newest),
            "oldest" => Some(Order::Oldest),
            _ => None,
        };
        let limit = |text: &str| text.parse::<usize>().ok().filter(|n| (1..=MOST).contains(n));
        let page = Page {
            order: read("order", self.order, order, lang)?.unwrap_or_default(),
            after: read("after", self.after, |text| text.parse::<Cursor>().ok(), lang)?,
            limit: read("limit", self.limit, limit, lang)?.unwrap_or(USUAL),
        };
        Ok((filter, page))
    }
}

/// Parses a result: `1-0`, `0-1`, `1/2-1/2`, `*`, or a word.
fn score(text: &str) -> Option<Score> {
    match text {
        "white" => Some(Score::White),
        "black" => Some(Score::Black),
        "draw" => Some(Score::Draw),
        "open" => Some(Score::Open),
        _ => Score::from_word(text),
    }
}

fn reason(text: &str) -> Option<String> {
    Reason::from_code(text).map(|reason| reason.code().to_owned())
}

/// Public games, or with `mine=true` those of the player.
pub(crate) async fn list(
    State(app): State<App>,
    player: Player,
    QueryParams(search): QueryParams<Search>,
) -> Result<Json<wire::GameList>, Problem> {
    let (filter, page) = search.filter(&player)?;
    let mine = filter.holder;
    let (found, seats) = app
        .ask(player.lang, move |store| {
            let found = store.list(&filter, &page)?;
            let live = |game: &&Record| mine.is_some() && game.summary.status == Status::Live;
            let live: Vec<_> = found.games.iter().filter(live).map(|game| game.id).collect();
            let seats = if live.is_empty() { Vec::new() } else { store.seats_of(&live)? };
            Ok((found, seats))
        })
        .await?;
    let own = seats.iter().filter(|(_, seat)| Some(seat.holder) == mine);
    let running = own.filter_map(|(id, seat)| running(*id, *seat, &found.games)).collect();
    let next = found.next.map(|cursor| cursor.to_string());
    let games = found.games.into_iter().map(to_row).collect();
    Ok(Json(wire::GameList { games, next, running }))
}

/// The player's seat and the deadline in a game that is being played.
fn running(id: GameId, seat: Seat, games: &[Record]) -> Option<wire::Running> {
    let game = games.iter().find(|game| game.id == id)?;
    let deadline = game.summary.deadline.and_then(|at| u64::try_from(at).ok()).map(Millis);
    Some(wire::Running { game: id.to_string(), seat: wire_seat(seat.side)?, deadline })
}

/// A game of the log with the player's own tags and note. The id of a game is its link, so any
/// client that has it may see the game.
async fn find(app: &App, id: GameId, player: &Player) -> Result<Record, Problem> {
    let viewer = player.viewer();
    let found = app.ask(player.lang, move |store| store.record_for(viewer, id)).await?;
    found.ok_or_else(|| Problem::of(ServerRefusal::NoSuchGame, player.lang))
}

/// One game: its row in the log and the player's seat.
pub(crate) async fn one(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
) -> Result<Json<wire::Game>, Problem> {
    let id = game(&id, player.lang)?;
    let record = find(&app, id, &player).await?;
    let seats = app.ask(player.lang, move |store| store.seats(id)).await?;
    let holder = player.holder();
    let own = seats.iter().find(|seat| Some(seat.holder) == holder);
    let seat = own.and_then(|seat| wire_seat(seat.side));
    let live = record.summary.status == Status::Live;
    let deletable = own.is_some_and(|seat| seat.side == Side::Importer);
    Ok(Json(wire::Game { game: to_row(record), live, seat, deletable }))
}

/// Deletes a game that the player has imported.
pub(crate) async fn delete(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
) -> Result<StatusCode, Problem> {
    let id = game(&id, player.lang)?;
    let holder = player.holder();
    let deleted = app.ask(player.lang, move |store| {
        let seats = store.seats(id)?;
        let brought = |seat: &Seat| Some(seat.holder) == holder && seat.side == Side::Importer;
        seats.iter().any(brought).then(|| store.delete(id)).transpose()
    });
    let refused = || Problem::of(ServerRefusal::NotYourGame, player.lang);
    deleted.await?.map(|()| StatusCode::NO_CONTENT).ok_or_else(refused)
}

/// An answer with a text file.
fn text(kind: &'static str, name: &str, text: String) -> Response {
    let mut response = ([(header::CONTENT_TYPE, kind)], text).into_response();
    // The id of a game is letters and digits, so it cannot inject anything into the header.
    if let Ok(name) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    }
    response
}

/// A game as PGN.
pub(crate) async fn pgn(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
) -> Result<Response, Problem> {
    let record = find(&app, game(&id, player.lang)?, &player).await?;
    let pgn = to_pgn(&record).map_err(|error| Problem::log(error, player.lang))?;
    Ok(text("application/vnd.chess-pgn; charset=utf-8", &format!("hansu-{id}.pgn"), pgn))
}

/// The record of a game (기보), as the terminal game writes it.
pub(crate) async fn notation(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
) -> Result<Response, Problem> {
    let record = find(&app, game(&id, player.lang)?, &player).await?;
    let notation = to_notation(&record).map_err(|error| Problem::log(error, player.lang))?;
    Ok(text("text/plain; charset=utf-8", &format!("hansu-{id}.txt"), notation))
}
