//! PGN files into the log.

use std::collections::HashMap;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use hansu_play::{MAX_NAME, made_visible};
use hansu_protocol as wire;
use hansu_records::store::{Imported, LONGEST_NOTE, LONGEST_TAG};
use hansu_records::{Broken, ImportOptions, Report, Visibility, Why};
use hansu_words::{Lang, ServerRefusal};
use serde::Deserialize;
use tokio::sync::Semaphore;

use super::App;
use super::ask::{self, Asking};
use super::body::Text;
use super::player::Player;
use super::problem::Problem;

/// The longest file, in bytes.
pub(crate) const LONGEST: usize = 4 * 1024 * 1024;
/// Files that are read at once: each takes two threads and its size in memory.
const AT_ONCE: usize = 2;
/// Games that one player, and one address, may bring in an hour.
const MOST_GAMES: u64 = 20_000;
/// An hour.
const SPAN: Duration = Duration::from_secs(3_600);
/// Games in one transaction: a move waits for one of them at the most, a few milliseconds.
const BATCH: usize = 8;
/// The longest text of a PGN tag that is kept, in characters.
const LONGEST_TEXT: usize = 400;
/// Broken games that are told one by one.
const MOST_ERRORS: usize = 100;

/// Who pays for an import.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Payer {
    Holder([u8; 32]),
    Address(IpAddr),
}

/// What imports may take: how many at once, and how many games in an hour.
pub(crate) struct Imports {
    places: Arc<Semaphore>,
    /// Since when, and how many games.
    spent: Mutex<HashMap<Payer, (Instant, u64)>>,
}

impl Default for Imports {
    fn default() -> Imports {
        Imports { places: Arc::new(Semaphore::new(AT_ONCE)), spent: Mutex::default() }
    }
}

impl Imports {
    /// Takes all that is left to both of them, so that a second import does not take it again.
    fn take(&self, payers: [Payer; 2], now: Instant) -> u64 {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.retain(|_, (since, _)| now.duration_since(*since) < SPAN);
        let used = |payer| spent.get(payer).map_or(0, |(_, games)| *games);
        let left = MOST_GAMES - payers.iter().map(used).max().unwrap_or(0).min(MOST_GAMES);
        for payer in payers {
            spent.entry(payer).or_insert((now, 0)).1 += left;
        }
        left
    }

    /// Gives back what was not needed.
    fn give_back(&self, payers: [Payer; 2], games: u64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        for payer in payers {
            if let Some((_, used)) = spent.get_mut(&payer) {
                *used = used.saturating_sub(games);
            }
        }
    }
}

/// What a request may say of its games.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Wishes {
    visibility: Option<String>,
    #[serde(rename = "lang")]
    _lang: Option<String>,
}

/// Reads games into the log. They belong to the player who brings them, and are private unless
/// something else is asked for.
pub(crate) async fn import(
    State(app): State<App>,
    player: Player,
    Asking(wishes): Asking<Wishes>,
    Text(pgn): Text,
) -> Result<Json<wire::Imported>, Problem> {
    let lang = player.lang;
    let Some(holder) = player.holder() else {
        return Err(Problem::of(ServerRefusal::NoKey, lang));
    };
    let shown = ask::read("visibility", wishes.visibility, Visibility::from_word, lang)?;
    let Ok(place) = app.imports.places.clone().try_acquire_owned() else {
        return Err(Problem::of(ServerRefusal::Busy, lang));
    };
    let payers = [Payer::Holder(holder.0), Payer::Address(player.address)];
    let left = app.imports.take(payers, Instant::now());
    if left == 0 {
        return Err(Problem::of(ServerRefusal::ImportBudget, lang));
    }
    let options = ImportOptions {
        batch: BATCH,
        by: Some(holder),
        visibility: shown.unwrap_or(Visibility::Private),
        look: Some(look),
        gentle: true,
        most: left,
        ..ImportOptions::default()
    };
    let imports = app.imports.clone();
    // All of it is done where the file is read: that goes on when the client leaves.
    let done = app.ask(lang, move |store| {
        let _place = place;
        let done = read(store, &pgn, &options, lang);
        let games = done.as_ref().map_or(0, |done| done.added + done.duplicates + done.broken);
        imports.give_back(payers, left.saturating_sub(games));
        done.map(|done| wire::Imported { more: games >= left, ..done })
    });
    done.await.map(Json)
}

/// Texts of a file as people may see them.
fn look(game: &mut Imported) {
    let name = |name: &str| made_visible(name, MAX_NAME).unwrap_or_else(|| "?".to_owned());
    let text = |text: &str| made_visible(text, LONGEST_TEXT);
    let row = &mut game.summary;
    (row.white, row.black) = (name(&row.white), name(&row.black));
    row.event = row.event.as_deref().and_then(text);
    let headers = std::mem::take(&mut row.headers).into_iter();
    row.headers = headers.filter_map(|(key, value)| Some((key, text(&value)?))).collect();
    let tags = std::mem::take(&mut game.tags).into_iter();
    game.tags = tags.filter_map(|tag| made_visible(&tag, LONGEST_TAG)).collect();
    let lines = |note: String| {
        let lines = note.lines().map(|line| made_visible(line, LONGEST_NOTE).unwrap_or_default());
        lines.collect::<Vec<_>>().join("\n")
    };
    game.note = game.note.take().map(lines).filter(|note| !note.is_empty());
}

fn read(
    store: &dyn hansu_records::Store,
    pgn: &Bytes,
    options: &ImportOptions,
    lang: Lang,
) -> Result<wire::Imported, hansu_records::Error> {
    let mut errors = Vec::new();
    let mut report = |report: Report<'_>| {
        if let Report::Broken(broken) = report
            && errors.len() < MOST_ERRORS
        {
            errors.push(told(broken, lang));
        }
        ControlFlow::Continue(())
    };
    let progress = hansu_records::import(store, &pgn[..], options, &mut report)?;
    Ok(wire::Imported {
        added: progress.added,
        duplicates: progress.duplicates,
        broken: progress.broken,
        more: false,
        errors,
    })
}

fn told(broken: Broken, lang: Lang) -> wire::Broken {
    let text = match broken.why {
        Why::Pgn(reason) => lang.pgn_reason(reason),
        Why::Log(error) => hansu_journal::log_error(error, lang),
    };
    wire::Broken { line: broken.line, text }
}
