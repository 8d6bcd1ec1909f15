//! Uploads of games that were played in a browser without the server.

use axum::Json;
use axum::extract::State;
use hansu_journal::{summary, to_event};
use hansu_play::{Actor, Entry, Event, MAX_CHAT, MAX_NAME, Millis, Phase, Series, Source, visible};
use hansu_protocol as wire;
use hansu_records::store::MOST_EVENTS;
use hansu_records::{
    Append, Begins, Error, GameId, Holder, NewEvent, Seat, Side, Store, Summary, Visibility,
};
use hansu_words::{Lang, ServerRefusal};

use super::App;
use super::body::Body;
use super::games::game;
use super::params::PathParams;
use super::player::Player;
use super::problem::Problem;

/// At most this many entries per game.
const MOST_ENTRIES: usize = 4_000;
/// A browser's clock may be ahead by at most this.
const AHEAD: Millis = Millis::days(1);

/// An uploaded game that was checked.
struct CheckedGame {
    entries: Vec<Entry>,
    row: Summary,
    /// The player's seat.
    side: Side,
}

/// Writes a game that is over to the log. A game that is uploaded again is written once.
pub(crate) async fn keep(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
    Body(played): Body<wire::Played>,
) -> Result<Json<wire::Done>, Problem> {
    let lang = player.lang;
    let holder = player.holder().ok_or_else(|| Problem::of(ServerRefusal::NoKey, lang))?;
    let id = game(&id, lang)?;
    let latest = app.hub.now().plus(AHEAD);
    let whole = check(&played.entries, latest).ok_or_else(|| bad_game(lang))?;
    let last = whole.entries.len() as u64;
    let kept = app.hub.store.ask(move |store| write(store, id, holder, &whole)).await;
    match kept {
        Ok(()) => Ok(Json(wire::Done { seq: last })),
        Err(UploadError::Log(error)) => Err(Problem::log(error, lang)),
        Err(UploadError::Taken) => Err(Problem::of(ServerRefusal::NotYourGame, lang)),
    }
}

fn bad_game(lang: Lang) -> Problem {
    Problem::of(ServerRefusal::BadRequest, lang)
}

/// Parses a game and replays it. None unless it is a finished game of two players on one screen or
/// against the computer.
fn check(texts: &[String], latest: Millis) -> Option<CheckedGame> {
    if texts.len() > MOST_ENTRIES {
        return None;
    }
    let entries: Vec<Entry> =
        texts.iter().map(|text| serde_json::from_str(text).ok()).collect::<Option<_>>()?;
    let state = hansu_play::State::replay(&entries).ok()?;
    let start = state.start()?;
    let (side, source) = match start.people() {
        Actor::White => (Side::White, Source::Computer),
        Actor::Black => (Side::Black, Source::Computer),
        _ => (Side::Both, Source::Local),
    };
    let plain = start.source == source && start.series.as_ref().is_none_or(is_here);
    let over = matches!(state.phase(), Phase::Ended(_));
    let names = [&start.names.white, &start.names.black];
    let seen = names.iter().all(|name| visible(name, MAX_NAME).as_ref() == Ok(*name));
    let sound = entries.iter().all(|Entry { at, event, .. }| {
        *at <= latest
            && match event {
                Event::Chatted { name, text, .. } => {
                    name.is_none() && visible(text, MAX_CHAT).as_ref() == Ok(text)
                }
                Event::RematchAgreed { .. } => false,
                _ => true,
            }
    });
    (plain && over && seen && sound).then(|| CheckedGame {
        row: summary(&state, Visibility::Private),
        entries,
        side,
    })
}

/// True if a series is of games in the same browser. The chat of a game on this server is shown in
/// the next game of its series, so an uploaded game must not name one as its predecessor.
fn is_here(series: &Series) -> bool {
    series.previous.strip_prefix('~').is_some_and(|id| id.parse::<GameId>().is_ok())
}

/// Why an uploaded game is not written.
enum UploadError {
    /// Another game has its id.
    Taken,
    Log(Error),
}

impl From<Error> for UploadError {
    fn from(error: Error) -> UploadError {
        UploadError::Log(error)
    }
}

/// Writes the events that are missing in the log, at most `MOST_EVENTS` per append. The row is that
/// of the finished game from the first append on, so that no clock runs in it between two appends.
fn write(
    store: &dyn Store,
    id: GameId,
    holder: Holder,
    whole: &CheckedGame,
) -> Result<(), UploadError> {
    let events: Vec<_> = whole.entries.iter().map(to_event).collect::<Result<_, _>>()?;
    loop {
        let known = store.record(id)?.map_or(0, |record| record.last_seq);
        let seat = Seat { side: whole.side, holder };
        if known > 0 && !is_same(store, id, seat, &events)? {
            return Err(UploadError::Taken);
        }
        let done = usize::try_from(known).unwrap_or(usize::MAX);
        let Some(left) = events.get(done..).filter(|left| !left.is_empty()) else { return Ok(()) };
        let seats = vec![seat];
        let append = Append {
            game: id,
            expected: known + 1,
            command_key: None,
            events: left[..left.len().min(MOST_EVENTS)].to_vec(),
            row: whole.row.clone().into(),
            begins: (known == 0).then_some(Begins { seats, uses: None }),
            next: None,
        };
        match store.append(append) {
            // Another tab uploads it at the same moment.
            Ok(_) | Err(Error::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// True if the events in the log are the beginning of this game, and its seat is the same player's.
fn is_same(store: &dyn Store, id: GameId, own: Seat, game: &[NewEvent]) -> Result<bool, Error> {
    let there = store.events(id, 0, game.len() + 1)?;
    let bodies = there.iter().map(|event| &event.body);
    let same = there.len() <= game.len() && bodies.eq(game[..there.len()].iter().map(|e| &e.body));
    Ok(same && store.seats(id)? == [own])
}
