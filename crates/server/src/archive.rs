//! Snapshots of games that are over, made from the log without a live game.

use hansu_chess::Color;
use hansu_journal::{LoadError, load, visibility};
use hansu_play::{Millis, Reason, Start, State};
use hansu_protocol as wire;
use hansu_records::{Error, GameId, Record, Score, Source, Status, Store};
use hansu_view as view;

use crate::series::chat;

/// The snapshot of a game that is over. None when it does not exist or is not over.
pub(crate) fn snapshot(store: &dyn Store, id: GameId) -> Result<Option<wire::Snapshot>, Error> {
    let Some(record) = store.record(id)? else { return Ok(None) };
    match (record.summary.source, record.summary.status) {
        (Source::Import, _) => imported_snapshot(&record).map(Some).ok_or(Error::Damaged),
        (_, Status::Finished | Status::Aborted) => played_snapshot(store, &record).map(Some),
        (_, Status::Live | Status::Adjourned) => Ok(None),
    }
}

/// A game that was played here.
fn played_snapshot(store: &dyn Store, record: &Record) -> Result<wire::Snapshot, Error> {
    let entries = load(store, record.id).map_err(|error| match error {
        LoadError::Log(error) => error,
        LoadError::Unreadable { .. } => Error::Damaged,
    })?;
    let state = State::replay(&entries).map_err(|_| Error::Damaged)?;
    let start = state.start().ok_or(Error::Damaged)?;
    let messages = chat(store, &entries, start).into();
    let shown = visibility(record.summary.visibility);
    let plies = view::plies(&state, 0).collect();
    Ok(wire::Snapshot { plies, ..view::snapshot(&state, start, messages, shown) })
}

/// A game of a file, which has moves but no events. None when its moves cannot be played.
fn imported_snapshot(record: &Record) -> Option<wire::Snapshot> {
    let row = &record.summary;
    let first = row.start().ok()?;
    let mut moves = Vec::with_capacity(row.plies());
    row.moves.replay(first, usize::MAX, |step, _| moves.push(step)).ok()?;
    let winner = match row.score {
        Score::White => Some(Color::White),
        Score::Black => Some(Color::Black),
        Score::Draw | Score::Open => None,
    };
    let reason = row.reason.as_deref().and_then(Reason::from_code);
    // Files often have a result without a reason: the list of games still shows the result.
    let ending = reason.map(|reason| hansu_play::Ending { winner, reason });
    let start = Start {
        names: hansu_play::Sides { white: row.white.clone(), black: row.black.clone() },
        variant: row.variant,
        fen: row.start_fen.clone(),
        source: hansu_play::Source::Imported,
        ..Start::between("", "")
    };
    let shown = visibility(row.visibility);
    Some(wire::Snapshot {
        started: row.started.map(|at| Millis(at.max(0).cast_unsigned())),
        ..view::of_file(start, &first, moves.into_iter(), ending, shown)
    })
}
