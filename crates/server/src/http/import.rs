//! Imports PGN files into the log.

use std::collections::HashMap;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use hansu_play::{MAX_NAME, make_visible};
use hansu_protocol as wire;
use hansu_records::store::{Imported, LONGEST_NOTE, LONGEST_TAG};
use hansu_records::{BrokenGame, BrokenReason, ImportOptions, Report, Visibility};
use hansu_words::{Lang, ServerRefusal};
use serde::Deserialize;
use tokio::sync::Semaphore;

use super::App;
use super::body::Text;
use super::params::{self, QueryParams};
use super::player::Player;
use super::problem::Problem;

/// The longest file, in bytes.
pub(crate) const LONGEST: usize = 4 * 1024 * 1024;
/// At most this many imports at once: each takes two threads, and its size in memory.
const AT_ONCE: usize = 2;
/// At most this many games per hour for one player, and for one address.
const MOST_GAMES: u64 = 20_000;
/// An hour.
const SPAN: Duration = Duration::from_secs(3_600);
/// Games per transaction: a move waits for at most one transaction, a few milliseconds.
const BATCH: usize = 8;
/// The longest text of a PGN tag that is kept, in characters.
const LONGEST_TEXT: usize = 400;
/// At most this many broken games are listed in the answer.
const MOST_ERRORS: usize = 100;

/// Whose hourly budget an import is counted against.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Payer {
    Holder([u8; 32]),
    Address(IpAddr),
}

/// Limits of imports: how many at once, and how many games in an hour.
pub(crate) struct Imports {
    permits: Arc<Semaphore>,
    spent: Mutex<HashMap<Payer, Usage>>,
}

/// What a player or an address has imported in this hour.
struct Usage {
    since: Instant,
    games: u64,
    /// True while an import is under way; it may use all that is left.
    underway: bool,
}

impl Default for Imports {
    fn default() -> Imports {
        Imports { permits: Arc::new(Semaphore::new(AT_ONCE)), spent: Mutex::default() }
    }
}

impl Imports {
    /// Begins an import, and returns how many games it may have.
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
            let fresh = Usage { since: now, games: 0, underway: true };
            spent.entry(payer).or_insert(fresh).underway = true;
        }
        Ok(left)
    }

    /// Ends an import of `games` games.
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

/// An import that is under way; it ends when this is dropped.
struct RunningImport {
    imports: Arc<Imports>,
    payers: [Payer; 2],
    games: u64,
}

impl Drop for RunningImport {
    fn drop(&mut self) {
        self.imports.end(self.payers, self.games);
    }
}

/// The query of an import.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ImportQuery {
    visibility: Option<String>,
    #[serde(rename = "lang")]
    _lang: Option<String>,
}

/// Imports games into the log. They belong to the player who imports them, and are private unless
/// `visibility` says otherwise.
pub(crate) async fn import(
    State(app): State<App>,
    player: Player,
    QueryParams(query): QueryParams<ImportQuery>,
    Text(pgn): Text,
) -> Result<Json<wire::Imported>, Problem> {
    let lang = player.lang;
    let Some(holder) = player.holder() else {
        return Err(Problem::of(ServerRefusal::NoKey, lang));
    };
    let shown = params::read("visibility", query.visibility, Visibility::from_word, lang)?;
    let Ok(permit) = app.imports.permits.clone().try_acquire_owned() else {
        return Err(Problem::of(ServerRefusal::Busy, lang));
    };
    let payers = [Payer::Holder(holder.0), Payer::Address(player.address)];
    let left = app.imports.begin(payers, Instant::now());
    let left = left.map_err(|why| Problem::of(why, lang))?;
    let options = ImportOptions {
        batch: BATCH,
        by: Some(holder),
        visibility: shown.unwrap_or(Visibility::Private),
        look: Some(clean_texts),
        gentle: true,
        most: left,
        ..ImportOptions::default()
    };
    let underway = RunningImport { imports: app.imports.clone(), payers, games: 0 };
    // The import and its accounting run in one task, which goes on when the client disconnects.
    let done = app.ask(lang, move |store| {
        let (_permit, mut underway) = (permit, underway);
        let done = read(store, &pgn, &options, lang);
        let games = done.as_ref().map_or(0, |done| done.added + done.duplicates + done.broken);
        underway.games = games;
        done.map(|done| wire::Imported { more: games >= left, ..done })
    });
    done.await.map(Json)
}

/// Cleans and shortens the texts of a game: only visible characters, within the limits.
fn clean_texts(game: &mut Imported) {
    let name = |name: &str| make_visible(name, MAX_NAME).unwrap_or_else(|| "?".to_owned());
    let text = |text: &str| make_visible(text, LONGEST_TEXT);
    let row = &mut game.summary;
    (row.white, row.black) = (name(&row.white), name(&row.black));
    row.event = row.event.as_deref().and_then(text);
    let headers = std::mem::take(&mut row.headers).into_iter();
    row.headers = headers.filter_map(|(key, value)| Some((key, text(&value)?))).collect();
    let tags = std::mem::take(&mut game.tags).into_iter();
    game.tags = tags.filter_map(|tag| make_visible(&tag, LONGEST_TAG)).collect();
    let lines = |note: String| {
        let lines = note.lines().map(|line| make_visible(line, LONGEST_NOTE).unwrap_or_default());
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
            errors.push(broken_to_wire(broken, lang));
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

fn broken_to_wire(broken: BrokenGame, lang: Lang) -> wire::Broken {
    let text = match broken.why {
        BrokenReason::Pgn(reason) => lang.pgn_reason(reason),
        BrokenReason::Log(error) => hansu_journal::log_error(error, lang),
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
        let address = Payer::Address([192, 168, 0, 7].into());
        let [anna, ben] = [1, 2].map(|byte| Payer::Holder([byte; 32]));
        assert_eq!(imports.begin([anna, address], start), Ok(MOST_GAMES));
        // One import at a time, for the player as for the address.
        assert_eq!(imports.begin([anna, address], start), Err(ServerRefusal::Busy));
        assert_eq!(imports.begin([ben, address], start), Err(ServerRefusal::Busy));
        imports.end([anna, address], MOST_GAMES - 10);
        assert_eq!(imports.begin([ben, address], start), Ok(10));
        imports.end([ben, address], 10);
        for payer in [anna, ben] {
            assert_eq!(imports.begin([payer, address], start), Err(ServerRefusal::ImportBudget));
        }
        // At another address a player has what is left of the own budget.
        let elsewhere = Payer::Address([10, 0, 0, 1].into());
        assert_eq!(imports.begin([ben, elsewhere], start), Ok(MOST_GAMES - 10));
        // An hour later the budgets are full again, except while an import is under way.
        let later = start + SPAN;
        assert_eq!(imports.begin([anna, address], later), Ok(MOST_GAMES));
        assert_eq!(imports.begin([ben, elsewhere], later), Err(ServerRefusal::Busy));
    }
}
