//! Games of the log as PGN.

use std::io::Write;

use hansu_chess::pgn;

use crate::store::Store;
use crate::{Error, Filter, Order, Page, Record, convert};

/// One game as PGN, with its result, reason, words and note.
///
/// # Errors
///
/// [`Error::Damaged`] when the moves of the log cannot be played.
pub fn to_pgn(record: &Record) -> Result<String, Error> {
    Ok(convert::to_pgn(record)?.to_string())
}

/// Writes all games that pass a filter, and says after each page how many there were. Games that
/// come in meanwhile may be among them; no game is written twice.
///
/// # Errors
///
/// What the disk or the writer says.
pub fn export(
    store: &dyn Store,
    filter: &Filter,
    order: Order,
    write: impl Write,
    report: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    let mut writer = pgn::Writer::new(write);
    let mut page = Page { order, after: None, limit: 500 };
    let mut games = 0;
    loop {
        let listing = store.list(filter, &page)?;
        for record in &listing.games {
            writer.write(&convert::to_pgn(record)?)?;
            games += 1;
        }
        report(games);
        match listing.next {
            Some(_) => page.after = listing.next,
            None => break,
        }
    }
    writer.into_inner().flush()?;
    Ok(games)
}
