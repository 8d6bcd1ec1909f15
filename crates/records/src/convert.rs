//! Converts a game of a PGN file to a game of the log, and back.
//!
//! Tags that an export derives from columns are not stored; all other tags are stored unchanged. A
//! game that is exported and imported keeps its fingerprint.

use hansu_annals::{PgnSummary, termination_of};
use hansu_chess::pgn::{self, GameResult, Line, Ply, Tags};
use hansu_chess::{Position, Variant};

use crate::dates::{self, Day};
use crate::record::OpeningName;
use crate::store::Imported;
use crate::{Error, Moves, Record, Score, Source, Status, Summary, Visibility};

pub(crate) fn from_pgn(game: &pgn::Record) -> Imported {
    let mut moves = Moves::new();
    let told = PgnSummary::of(game, |step| moves.push(step));
    Imported {
        id: told.id.and_then(|id| id.parse().ok()),
        tags: told.words,
        note: told.note,
        summary: Summary {
            white: told.white,
            black: told.black,
            score: score(game.result),
            reason: told.reason,
            started: told.started,
            ended: None,
            source: Source::Import,
            status: Status::Finished,
            visibility: Visibility::Public,
            deadline: None,
            variant: game.variant,
            start_fen: told.start_fen,
            final_fen: told.position.fen(),
            time_control: told.time_control,
            opening: told.opening.map(OpeningName::from),
            event: told.event,
            moves,
            annotations: write_annotations(game),
            headers: told.rest,
        },
    }
}

const fn score(result: GameResult) -> Score {
    match result {
        GameResult::WhiteWins => Score::White,
        GameResult::BlackWins => Score::Black,
        GameResult::Draw => Score::Draw,
        GameResult::Unknown => Score::Open,
    }
}

const fn result(score: Score) -> GameResult {
    match score {
        Score::White => GameResult::WhiteWins,
        Score::Black => GameResult::BlackWins,
        Score::Draw => GameResult::Draw,
        Score::Open => GameResult::Unknown,
    }
}

/// The movetext, if it has comments, NAGs or variations.
fn write_annotations(game: &pgn::Record) -> Option<String> {
    let plain =
        |ply: &Ply| ply.comments.is_empty() && ply.nags.is_empty() && ply.variations.is_empty();
    if game.main.plies.iter().all(plain) {
        return None;
    }
    let mut bare = pgn::Record { tags: Tags::new(), ..game.clone() };
    bare.main.comments.clear();
    let text = bare.to_string();
    // The tags end at the first empty line.
    text.split_once("\n\n").map(|(_, movetext)| movetext.to_owned())
}

/// Reads the line that [`write_annotations`] wrote; `None` if its moves are not those of the game.
fn read_annotations(summary: &Summary, start: Position) -> Option<Line> {
    let text = format!(
        "[Variant \"{}\"]\n[FEN \"{}\"]\n\n{}",
        match summary.variant {
            Variant::Standard => "Standard",
            Variant::Chess960 => "Chess960",
        },
        start.fen(),
        summary.annotations.as_ref()?
    );
    let game = pgn::Reader::new(text.as_bytes()).next_game()?.ok()?;
    let moves: Moves = game.moves().map(|step| step.uci(summary.variant)).collect();
    (moves == summary.moves).then_some(game.main)
}

pub(crate) fn to_pgn(record: &Record) -> Result<pgn::Record, Error> {
    let summary = &record.summary;
    let start = summary.start().map_err(|_| Error::Damaged)?;
    let mut main = match read_annotations(summary, start) {
        Some(line) => line,
        None => {
            let mut plies = Vec::with_capacity(summary.plies());
            let replayed = summary.moves.replay(start, usize::MAX, |step, _| {
                plies.push(Ply::from(step));
            });
            replayed.map_err(|_| Error::Damaged)?;
            Line { comments: Vec::new(), plies }
        }
    };
    main.comments = record.note.iter().cloned().collect();
    Ok(pgn::Record {
        line: 0,
        tags: tags(record),
        variant: summary.variant,
        start,
        main,
        result: result(summary.score),
    })
}

fn tags(record: &Record) -> Tags {
    let summary = &record.summary;
    let mut tags = Tags::new();
    // A value that cannot be written as a tag (one of many pages) is left out.
    let mut set = |name: &str, value: &str| {
        let _ = tags.set(name, value);
    };
    set("White", &summary.white);
    set("Black", &summary.black);
    set("Event", summary.event.as_deref().unwrap_or("?"));
    if let (None, Some(started)) = (summary.header("Date"), summary.started) {
        let date = Day::of(started).pgn();
        set("Date", &date);
        set("UTCDate", &date);
        set("UTCTime", &dates::time_of_day(started));
    }
    if let Some(opening) = &summary.opening {
        set("ECO", &opening.eco);
        set("Opening", &opening.name);
    }
    if let Some(control) = &summary.time_control {
        pgn::time_tags(control).for_each(|(name, value)| set(name, value));
    }
    if let Some(reason) = &summary.reason {
        set(PgnSummary::REASON, reason);
    }
    let unfinished = matches!(summary.status, Status::Live | Status::Adjourned);
    if let Some(word) = termination_of(summary.reason.as_deref()) {
        set("Termination", word);
    } else if unfinished {
        set("Termination", "unterminated");
    }
    // Imported games are recognised by their fingerprint, and their files did not have this tag.
    if summary.source != Source::Import {
        set(PgnSummary::ID, record.id.as_str());
    }
    if !record.tags.is_empty() {
        set(PgnSummary::WORDS, &record.tags.join(", "));
    }
    for (name, value) in &summary.headers {
        set(name, value);
    }
    tags
}
