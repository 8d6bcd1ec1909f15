//! Games that were played in a browser without the server, and are to be kept here too.

use axum::Json;
use axum::extract::State;
use hansu_journal::{summary, written};
use hansu_play::{Actor, Entry, Event, MAX_CHAT, MAX_NAME, Millis, Phase, Series, Source, visible};
use hansu_protocol as wire;
use hansu_records::store::MOST_EVENTS;
use hansu_records::{
    Append, Begins, Error, GameId, Holder, NewEvent, Seat, Side, Store, Summary, Visibility,
};
use hansu_words::{Lang, ServerRefusal};

use super::App;
use super::ask::At;
use super::body::Body;
use super::games::game;
use super::player::Player;
use super::problem::Problem;

/// The most entries of a game that is brought.
const MOST_ENTRIES: usize = 4_000;
/// So far a browser's clock may be ahead.
const AHEAD: Millis = Millis::days(1);

/// A game as it was played, checked.
struct Whole {
    entries: Vec<Entry>,
    row: Summary,
    /// Where the player sat.
    side: Side,
}

/// Keeps a game that is over. However often it is brought, it is kept once.
pub(crate) async fn keep(
    State(app): State<App>,
    player: Player,
    At(id): At<String>,
    Body(played): Body<wire::Played>,
) -> Result<Json<wire::Done>, Problem> {
    let lang = player.lang;
    let holder = player.holder().ok_or_else(|| Problem::of(ServerRefusal::NoKey, lang))?;
    let id = game(&id, lang)?;
    let latest = app.hub.now().plus(AHEAD);
    let whole = checked(&played.entries, latest).ok_or_else(|| unfit(lang))?;
    let last = whole.entries.len() as u64;
    let kept = app.hub.store.ask(move |store| write(store, id, holder, &whole)).await;
    match kept {
        Ok(()) => Ok(Json(wire::Done { seq: last })),
        Err(Foreign::Log(error)) => Err(Problem::log(error, lang)),
        Err(Foreign::Taken) => Err(Problem::of(ServerRefusal::NotYourGame, lang)),
    }
}

fn unfit(lang: Lang) -> Problem {
    Problem::of(ServerRefusal::BadRequest, lang)
}

/// Reads a game and plays it through; nothing when it is not one that two played on one screen, or
/// one against the computer, to its end.
fn checked(texts: &[String], latest: Millis) -> Option<Whole> {
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
    (plain && over && seen && sound).then(|| Whole {
        row: summary(&state, Visibility::Private),
        entries,
        side,
    })
}

/// Whether a series is one of the same browser: what was said in games of this server goes along
/// with their series, and is not for everybody who names them.
fn is_here(series: &Series) -> bool {
    series.previous.strip_prefix('~').is_some_and(|id| id.parse::<GameId>().is_ok())
}

/// Why a game is not kept.
enum Foreign {
    /// Another game has its name.
    Taken,
    Log(Error),
}

impl From<Error> for Foreign {
    fn from(error: Error) -> Foreign {
        Foreign::Log(error)
    }
}

/// Writes what is missing. The row is that of the whole game from the first piece on: between two
/// pieces no clock runs in it.
fn write(store: &dyn Store, id: GameId, holder: Holder, whole: &Whole) -> Result<(), Foreign> {
    let events: Vec<_> = whole.entries.iter().map(written).collect::<Result<_, _>>()?;
    loop {
        let known = store.record(id)?.map_or(0, |record| record.last_seq);
        let seat = Seat { side: whole.side, holder };
        if known > 0 && !is_same(store, id, seat, &events)? {
            return Err(Foreign::Taken);
        }
        let done = usize::try_from(known).unwrap_or(usize::MAX);
        let Some(left) = events.get(done..).filter(|left| !left.is_empty()) else { return Ok(()) };
        let seats = vec![seat];
        let append = Append {
            game: id,
            expected: known + 1,
            client: None,
            events: left[..left.len().min(MOST_EVENTS)].to_vec(),
            row: whole.row.clone().into(),
            begins: (known == 0).then_some(Begins { seats, uses: None }),
            next: None,
        };
        match store.append(append) {
            // Another tab brings it at the same moment.
            Ok(_) | Err(Error::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Whether what is there is the beginning of this very game, and the same player's.
fn is_same(store: &dyn Store, id: GameId, own: Seat, game: &[NewEvent]) -> Result<bool, Error> {
    let there = store.events(id, 0, game.len() + 1)?;
    let bodies = there.iter().map(|event| &event.body);
    let same = there.len() <= game.len() && bodies.eq(game[..there.len()].iter().map(|e| &e.body));
    Ok(same && store.seats(id)? == [own])
}
