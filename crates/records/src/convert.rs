//! A game of a PGN file as a game of the log, and back.
//!
//! What the columns of the log say again on export is not kept twice; all other tags are kept as
//! they stand. A game that is exported and imported has the same fingerprint.

use hansu_chess::pgn::{self, GameResult, Line, Ply, Tags};
use hansu_chess::{Position, Reason, Variant};

use crate::dates::{self, Day, Millis};
use crate::record::Named;
use crate::store::Imported;
use crate::{Error, Moves, Record, Score, Source, Status, Summary, Visibility, names, openings};

/// Tags of our own.
const REASON: &str = "Reason";
const WORDS: &str = "Words";
const ID: &str = "GameId";

pub(crate) fn from_pgn(game: &pgn::Record) -> Imported {
    let line = played(game);
    let score = score(game.result);
    let mut tags = TagList::new(&game.tags);
    let started = tags.take_start();
    let opening = line.opening.map(Named::from);
    if let Some(opening) = &opening {
        tags.drop_if("ECO", &opening.eco);
        tags.drop_if("Opening", &opening.name);
    }
    let reason = tags.take_reason(&line, score);
    tags.take("PlyCount");
    let words = tags.take(WORDS).unwrap_or_default();
    let words = words.split(',').map(str::trim).filter(|word| !word.is_empty());
    let usual = game.start == Position::start() && game.start.fullmoves() == 1;
    let known = |text: &String| !matches!(text.as_str(), "" | "?");
    Imported {
        id: tags.take(ID).and_then(|id| id.parse().ok()),
        tags: words.map(str::to_owned).collect(),
        note: Some(game.main.comments.join("\n")).filter(|note| !note.is_empty()),
        summary: Summary {
            white: names::tidy(&tags.take("White").unwrap_or_default()),
            black: names::tidy(&tags.take("Black").unwrap_or_default()),
            score,
            reason,
            started,
            ended: None,
            source: Source::Import,
            status: Status::Finished,
            visibility: Visibility::Public,
            deadline: None,
            variant: game.variant,
            start_fen: (!usual).then(|| game.start.fen()),
            final_fen: line.position.fen(),
            time_control: tags.take_time(),
            opening,
            event: tags.take("Event").filter(known),
            moves: line.moves,
            annotations: annotations(game),
            headers: tags.rest(),
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

/// The main line, played through once.
struct Played {
    moves: Moves,
    opening: Option<openings::Opening>,
    position: Position,
    /// How often the last position stood on the board.
    repetitions: usize,
}

fn played(game: &pgn::Record) -> Played {
    let named = game.variant == Variant::Standard && game.start == Position::start();
    let mut position = game.start;
    let (mut moves, mut opening) = (Moves::new(), None);
    let mut keys = Vec::with_capacity(game.main.plies.len() + 1);
    keys.push(position.key());
    for (ply, step) in game.moves().enumerate() {
        moves.push(step.uci(game.variant));
        position = position.play(step);
        keys.push(position.key());
        if named && ply < openings::REACH {
            opening = openings::lookup(&position).or(opening);
        }
    }
    let repetitions = keys.iter().filter(|&&key| key == position.key()).count();
    Played { moves, opening, position, repetitions }
}

/// The tags of a game, from which the columns take theirs.
struct TagList(Vec<(String, String)>);

impl TagList {
    fn new(tags: &Tags) -> TagList {
        let known = |&(name, value): &(&str, &str)| {
            !matches!((name, value), ("Date", "????.??.??") | ("Site" | "Round", "?" | ""))
        };
        let tags = tags.iter().filter(known);
        TagList(tags.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    fn value(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// The time control; where the sides have different ones, both of them.
    fn take_time(&mut self) -> Option<String> {
        let both = self.take("TimeControl").filter(|text| !matches!(text.as_str(), "" | "?"));
        if both.is_some() {
            return both;
        }
        let sides = (self.value("WhiteTimeControl")?, self.value("BlackTimeControl")?);
        let odds = pgn::time_odds(sides.0, sides.1)?;
        self.take("WhiteTimeControl");
        self.take("BlackTimeControl");
        Some(odds)
    }

    fn drop_if(&mut self, name: &str, value: &str) {
        if self.value(name) == Some(value) {
            self.take(name);
        }
    }

    /// When the game began. The tags that say so go only if the time says them again.
    fn take_start(&mut self) -> Option<Millis> {
        let utc = self.value("UTCDate").and_then(Day::read);
        let day = utc.or_else(|| self.value("Date").and_then(Day::read))?;
        let time = self.value("UTCTime").and_then(dates::read_time);
        let other = || self.value("Time").and_then(dates::read_time);
        let started = day.start() + time.or_else(other).unwrap_or(0);
        let date = Day::of(started).pgn();
        let again = self.value("Date") == Some(&date)
            && self.value("UTCDate").is_none_or(|utc| utc == date)
            && self.value("UTCTime") == Some(&dates::time_of_day(started));
        if again {
            for name in ["Date", "UTCDate", "UTCTime"] {
                self.take(name);
            }
        }
        Some(started)
    }

    /// Why the game ended: as its tags say, as the board shows, or as both together leave no
    /// doubt. Where neither does, nothing is guessed.
    fn take_reason(&mut self, line: &Played, score: Score) -> Option<String> {
        let code = |text: &str| {
            text.len() <= 40 && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        };
        let written = self.take(REASON).filter(|text| !text.is_empty() && code(text));
        let termination = self.value("Termination").map(str::to_ascii_lowercase);
        let reason = written.or_else(|| {
            let outcome = line.position.outcome();
            let shown = outcome.filter(|outcome| Score::of(outcome.winner) == score);
            if let Some(outcome) = shown {
                return Some(outcome.reason.code().to_owned());
            }
            let reason = match (termination.as_deref()?, score) {
                ("time forfeit", Score::White | Score::Black) => "timeout",
                ("time forfeit", Score::Draw) => "timeout_draw",
                ("abandoned", _) => "abandonment",
                ("normal", Score::White | Score::Black) => Reason::Resignation.code(),
                ("normal", Score::Draw) if line.repetitions >= 3 => {
                    Reason::ThreefoldRepetition.code()
                }
                ("normal", Score::Draw) if line.position.halfmoves() >= 100 => {
                    Reason::FiftyMoves.code()
                }
                ("normal", Score::Draw) => Reason::Agreement.code(),
                _ => return None,
            };
            Some(reason.to_owned())
        });
        if let Some(word) = termination_of(reason.as_deref()) {
            self.drop_if("Termination", word);
        }
        reason
    }

    fn rest(self) -> Vec<(String, String)> {
        self.0
    }
}

/// PGN's word for a reason.
fn termination_of(reason: Option<&str>) -> Option<&'static str> {
    Some(match reason? {
        "timeout" | "timeout_draw" => "time forfeit",
        "abandonment" | "abort" => "abandoned",
        code if Reason::from_code(code).is_some() => "normal",
        _ => return None,
    })
}

/// The moves with what stands between them, if anything does.
fn annotations(game: &pgn::Record) -> Option<String> {
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

/// The line that [`annotations`] wrote; `None` when it is not that of the game.
fn annotated(summary: &Summary, start: Position) -> Option<Line> {
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
    let mut main = match annotated(summary, start) {
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
    // What cannot be written as a tag (a value of many pages) is left out.
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
        set(REASON, reason);
    }
    let unfinished = matches!(summary.status, Status::Live | Status::Adjourned);
    if let Some(word) = termination_of(summary.reason.as_deref()) {
        set("Termination", word);
    } else if unfinished {
        set("Termination", "unterminated");
    }
    // Imported games have other ways to be recognised, and their files did not have this tag.
    if summary.source != Source::Import {
        set(ID, record.id.as_str());
    }
    if !record.tags.is_empty() {
        set(WORDS, &record.tags.join(", "));
    }
    for (name, value) in &summary.headers {
        set(name, value);
    }
    tags
}
