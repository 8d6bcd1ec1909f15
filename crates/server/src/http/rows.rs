//! What the log knows, as the API tells it.

use hansu_chess::Variant;
use hansu_protocol as wire;
use hansu_records::{Record, Side, dates};

/// A game.
pub(crate) fn row(record: Record) -> wire::Row {
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
        visibility: hansu_live::visibility(summary.visibility),
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

/// A seat.
pub(crate) const fn place(side: Side) -> Option<wire::Place> {
    match side {
        Side::White => Some(wire::Place::White),
        Side::Black => Some(wire::Place::Black),
        Side::Both => Some(wire::Place::Both),
        Side::Importer => None,
    }
}

#[cfg(test)]
mod tests {
    use hansu_records::{GameId, Named, Score, Source, Summary};

    use super::*;

    #[test]
    fn the_api_and_the_command_line_write_games_alike() {
        let mut game = hansu_chess::Game::start();
        game.play_san("e4").unwrap();
        let mut summary = Summary::new("Mina", "Jun", Source::Online);
        summary.follow(&game);
        summary.opening = Some(Named { eco: "B00".to_owned(), name: "King's Pawn".to_owned() });
        summary.score = Score::Draw;
        summary.reason = Some("agreement".to_owned());
        let record = Record {
            id: GameId::random().unwrap(),
            summary,
            last_seq: 7,
            tags: vec!["club".to_owned()],
            note: Some("a note".to_owned()),
        };
        let told = serde_json::to_value(&record).unwrap();
        assert_eq!(serde_json::to_value(row(record)).unwrap(), told);
    }
}
