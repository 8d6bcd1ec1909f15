//! PGN files into the log.

use std::ops::ControlFlow;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use hansu_protocol as wire;
use hansu_records::{Broken, ImportOptions, Report, Why};
use hansu_words::{Lang, ServerRefusal};

use super::App;
use super::body::Text;
use super::player::Player;
use super::problem::Problem;

/// The longest file, in bytes.
pub(crate) const LONGEST: usize = 4 * 1024 * 1024;
/// Files that are read at once: each takes two threads and its size in memory.
pub(crate) const AT_ONCE: usize = 2;
/// Broken games that are told one by one.
const MOST_ERRORS: usize = 100;

/// Reads games into the log.
pub(crate) async fn import(
    State(app): State<App>,
    player: Player,
    Text(pgn): Text,
) -> Result<Json<wire::Imported>, Problem> {
    let lang = player.lang;
    let Ok(_place) = app.imports.clone().try_acquire_owned() else {
        return Err(Problem::of(ServerRefusal::Busy, lang));
    };
    app.ask(lang, move |store| read(store, &pgn, lang)).await.map(Json)
}

fn read(
    store: &dyn hansu_records::Store,
    pgn: &Bytes,
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
    let options = ImportOptions::default();
    let progress = hansu_records::import(store, &pgn[..], &options, &mut report)?;
    Ok(wire::Imported {
        added: progress.added,
        duplicates: progress.duplicates,
        broken: progress.broken,
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
