//! A game of the log in the form of lists: for the API, and for `--json` on the command line.

use hansu_chess::Variant;
use hansu_protocol as wire;
use hansu_records::{Record, Visibility, dates};

/// Converts a game of the log to a row of the protocol.
///
/// ```
/// use hansu_records::{GameId, Record, Source, Summary};
/// let summary = Summary::new("Mina", "Jun", Source::Online);
/// let id = GameId::random()?;
/// let record = Record { id, summary, last_seq: 1, tags: vec![], note: None };
/// let row = hansu_journal::to_row(record);
/// assert_eq!((row.white.as_str(), row.result.as_str(), row.plies), ("Mina", "*", 0));
/// # Ok::<(), hansu_records::Error>(())
/// ```
pub fn to_row(record: Record) -> wire::Row {
    let Record { id, summary, last_seq, tags, note } = record;
    wire::Row {
        id: id.to_string(),
        result: summary.score.to_string(),
        plies: summary.plies() as u64,
        started: summary.started.map(dates::rfc3339),
        ended: summary.ended.map(dates::rfc3339),
        date: summary.date(),
        source: summary.source.to_string(),
        status: summary.status.to_string(),
        visibility: visibility(summary.visibility),
        variant: match summary.variant {
            Variant::Standard => "standard".to_owned(),
            Variant::Chess960 => "chess960".to_owned(),
        },
        opening: summary.opening.map(|named| wire::Opening { eco: named.eco, name: named.name }),
        moves: summary.moves.to_string(),
        white: summary.white,
        black: summary.black,
        reason: summary.reason,
        start_fen: summary.start_fen,
        final_fen: summary.final_fen,
        time_control: summary.time_control,
        event: summary.event,
        last_seq,
        tags,
        note,
    }
}

/// The protocol's value of a visibility.
///
/// ```
/// use hansu_records::Visibility;
/// let shown = hansu_journal::visibility(Visibility::Private);
/// assert_eq!(shown, hansu_protocol::Visibility::Private);
/// ```
pub const fn visibility(visibility: Visibility) -> wire::Visibility {
    match visibility {
        Visibility::Public => wire::Visibility::Public,
        Visibility::Private => wire::Visibility::Private,
    }
}
