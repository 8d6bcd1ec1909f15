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
    spent: Mutex<HashMap<Payer, Spent>>,
}

/// What a player or an address has imported.
struct Spent {
    since: Instant,
    games: u64,
    /// Whether an import is under way; it may need all that is left.
    underway: bool,
}

impl Default for Imports {
    fn default() -> Imports {
        Imports { places: Arc::new(Semaphore::new(AT_ONCE)), spent: Mutex::default() }
    }
}

impl Imports {
    /// How many games an import may bring that begins now.
    fn begin(&self, payers: [Payer; 2], now: Instant) -> Result<u64, ServerRefusal> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.retain(|_, spent| spent.underway || now.duration_since(spent.since) < SPAN);
        let known = || payers.iter().filter_map(|payer| spent.get(payer));
        if known().any(|spent| spent.underway) {
            return Err(ServerRefusal::Busy);
        }
        let used = known().map(|spent| spent.games).max().unwrap_or(0);
        let left = MOST_GAMES.saturating_sub(used);
        if left == 0 {
            return Err(ServerRefusal::ImportBudget);
        }
        for payer in payers {
            let fresh = Spent { since: now, games: 0, underway: true };
            spent.entry(payer).or_insert(fresh).underway = true;
        }
        Ok(left)
    }

    /// An import has ended; `games` is how many it has brought.
    fn end(&self, payers: [Payer; 2], games: u64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        for payer in payers {
            if let Some(spent) = spent.get_mut(&payer) {
                spent.games += games;
                spent.underway = false;
            }
        }
    }
}

/// An import, until it ends, however it does.
struct Underway {
    imports: Arc<Imports>,
    payers: [Payer; 2],
    games: u64,
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.imports.end(self.payers, self.games);
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
    let left = app.imports.begin(payers, Instant::now());
    let left = left.map_err(|why| Problem::of(why, lang))?;
    let options = ImportOptions {
        batch: BATCH,
        by: Some(holder),
        visibility: shown.unwrap_or(Visibility::Private),
        look: Some(look),
        gentle: true,
        most: left,
        ..ImportOptions::default()
    };
    let underway = Underway { imports: app.imports.clone(), payers, games: 0 };
    // All of it is done where the file is read: that goes on when the client leaves.
    let done = app.ask(lang, move |store| {
        let (_place, mut underway) = (place, underway);
        let done = read(store, &pgn, &options, lang);
        let games = done.as_ref().map_or(0, |done| done.added + done.duplicates + done.broken);
        underway.games = games;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_and_an_address_have_a_budget_for_an_hour() {
        let imports = Imports::default();
        let start = Instant::now();
        let house = Payer::Address([192, 168, 0, 7].into());
        let [anna, ben] = [1, 2].map(|byte| Payer::Holder([byte; 32]));
        assert_eq!(imports.begin([anna, house], start), Ok(MOST_GAMES));
        // One at a time, for the player as for the address.
        assert_eq!(imports.begin([anna, house], start), Err(ServerRefusal::Busy));
        assert_eq!(imports.begin([ben, house], start), Err(ServerRefusal::Busy));
        imports.end([anna, house], MOST_GAMES - 10);
        assert_eq!(imports.begin([ben, house], start), Ok(10));
        imports.end([ben, house], 10);
        for payer in [anna, ben] {
            assert_eq!(imports.begin([payer, house], start), Err(ServerRefusal::ImportBudget));
        }
        // Elsewhere each has what is left of their own.
        let elsewhere = Payer::Address([10, 0, 0, 1].into());
        assert_eq!(imports.begin([ben, elsewhere], start), Ok(MOST_GAMES - 10));
        // An hour later everything is as at first, but for what is still under way.
        let later = start + SPAN;
        assert_eq!(imports.begin([anna, house], later), Ok(MOST_GAMES));
        assert_eq!(imports.begin([ben, elsewhere], later), Err(ServerRefusal::Busy));
    }
}
