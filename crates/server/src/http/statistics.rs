//! Wins, draws and losses: of all players, of one, of two against each other. Counts public games
//! and those of the player who sends the request.

use axum::Json;
use axum::extract::State;
use hansu_protocol as wire;
use hansu_records::Holder;
use hansu_records::stats::Facet;
use hansu_view::results::{buckets, player as row, rivals, standing, streaks, tally};
use hansu_words::ServerRefusal;
use serde::Deserialize;

use super::App;
use super::params::{PathParams, QueryParams, read};
use super::player::Player;
use super::problem::Problem;

/// Players on a list without `limit`, and opponents on a player's page.
const USUAL: usize = 50;
/// The largest `limit`.
const MOST: usize = 1_000;

/// The results of all players.
pub(crate) async fn all_players(
    State(app): State<App>,
    player: Player,
) -> Result<Json<wire::Statistics>, Problem> {
    let viewer = player.viewer();
    let all = app.ask(player.lang, move |store| {
        let totals = store.totals(viewer)?;
        Ok(wire::Statistics {
            games: totals.games(),
            totals: tally(totals),
            reasons: buckets(store.by(viewer, Facet::Reason, None)?),
            months: buckets(store.by(viewer, Facet::Month, None)?),
            openings: buckets(store.by(viewer, Facet::Opening, None)?),
            sources: buckets(store.by(viewer, Facet::Source, None)?),
        })
    });
    all.await.map(Json)
}

/// The query of a list of players.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct HowMany {
    limit: Option<String>,
    #[serde(rename = "lang")]
    _lang: Option<String>,
}

/// The players with the most games.
pub(crate) async fn players(
    State(app): State<App>,
    player: Player,
    QueryParams(HowMany { limit, .. }): QueryParams<HowMany>,
) -> Result<Json<wire::PlayerList>, Problem> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|n| (1..=MOST).contains(n));
    let limit = read("limit", limit, number, player.lang)?.unwrap_or(USUAL);
    let viewer = player.viewer();
    let players = app.ask(player.lang, move |store| store.players(viewer, limit)).await?;
    Ok(Json(wire::PlayerList { players: players.into_iter().map(row).collect() }))
}

/// The page of one player: results, streaks, opponents.
pub(crate) async fn one(
    State(app): State<App>,
    player: Player,
    PathParams(name): PathParams<String>,
) -> Result<Json<wire::PlayerPage>, Problem> {
    let viewer = player.viewer();
    let page = app.ask(player.lang, move |store| {
        let Some(stats) = store.player(viewer, &name)? else { return Ok(None) };
        let by = |facet| store.by(viewer, facet, Some(&name)).map(buckets);
        Ok(Some(wire::PlayerPage {
            player: row(stats),
            streaks: streaks(store.streaks(viewer, &name)?),
            opponents: rivals(store.opponents(viewer, &name, USUAL)?),
            reasons: by(Facet::Reason)?,
            months: by(Facet::Month)?,
            openings: by(Facet::Opening)?,
            sources: by(Facet::Source)?,
        }))
    });
    page.await?.map(Json).ok_or_else(|| Problem::of(ServerRefusal::NotFound, player.lang))
}

/// The results of the client's key, under all names that it has used; empty without a key.
pub(crate) async fn own(
    State(app): State<App>,
    player: Player,
) -> Result<Json<wire::PlayerPage>, Problem> {
    // The all-zero holder has no games.
    let holder = player.holder().unwrap_or(Holder([0; 32]));
    let own = app.ask(player.lang, move |store| store.own(holder, USUAL)).await?;
    Ok(Json(wire::PlayerPage {
        player: row(own.player),
        streaks: streaks(own.streaks),
        opponents: rivals(own.opponents),
        reasons: buckets(own.reasons),
        months: buckets(own.months),
        openings: buckets(own.openings),
        sources: buckets(own.sources),
    }))
}

/// Two players' games against each other.
pub(crate) async fn versus(
    State(app): State<App>,
    player: Player,
    PathParams((one, other)): PathParams<(String, String)>,
) -> Result<Json<wire::HeadToHead>, Problem> {
    let viewer = player.viewer();
    let games = app.ask(player.lang, move |store| {
        let both = (store.player(viewer, &one)?, store.player(viewer, &other)?);
        let (Some(one), Some(other)) = both else { return Ok(None) };
        let games = store.head_to_head(viewer, &one.name, &other.name)?;
        let both = games.white.plus(games.black);
        Ok(Some(wire::HeadToHead {
            player: one.name,
            against: other.name,
            games: both.games(),
            both: standing(both),
            white: standing(games.white),
            black: standing(games.black),
        }))
    });
    games.await?.map(Json).ok_or_else(|| Problem::of(ServerRefusal::NotFound, player.lang))
}
