//! Games of the log as PGN.

use std::io::Write;

use hansu_chess::{Color, Reason, pgn};

use crate::store::Store;
use crate::{Error, Filter, Order, Page, Record, Score, convert};

/// One game as PGN, with its result, reason, tags and note.
///
/// # Errors
///
/// [`Error::Damaged`] when the moves of the log cannot be played.
pub fn to_pgn(record: &Record) -> Result<String, Error> {
    Ok(convert::to_pgn(record)?.to_string())
}

/// One game in the notation of the terminal game (기보): `1. e4\te5`, one move of each side per line,
/// and the result at the end unless a player resigned. Each line ends in a newline; a game without
/// moves is one empty line.
///
/// # Errors
///
/// [`Error::Damaged`] when the moves of the log cannot be played.
pub fn to_notation(record: &Record) -> Result<String, Error> {
    let row = &record.summary;
    let mut text = String::with_capacity(row.plies() * 8);
    let mut before = row.start().map_err(|_| Error::Damaged)?;
    let replayed = row.moves.replay(before, usize::MAX, |step, &after| {
        let (number, san) = (before.fullmoves(), before.san(step));
        let begins = text.is_empty();
        text.push_str(&match (before.turn(), begins) {
            (Color::White, true) => format!("{number}. {san}"),
            (Color::White, false) => format!("\n{number}. {san}"),
            (Color::Black, true) => format!("{number}. ...\t{san}"),
            (Color::Black, false) => format!("\t{san}"),
        });
        before = after;
    });
    replayed.map_err(|_| Error::Damaged)?;
    let resigned = row.reason.as_deref() == Some(Reason::Resignation.code());
    if row.score != Score::Open && !resigned {
        let newline = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{newline}{}", row.score));
    }
    text.push('\n');
    Ok(text)
}

/// Writes all games that pass a filter, and reports the number of games after each page. Games that
/// are added during the export may be included; no game is written twice.
///
/// # Errors
///
/// An error of the log or of the writer.
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
