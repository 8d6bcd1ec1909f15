//! Reads a game's data from the tags of a PGN file.
//!
//! Tags that become columns of a list are removed; all others stay unchanged.

use hansu_chess::pgn::{self, GameResult, Tags};
use hansu_chess::{Color, Position, Reason, UciMove, Variant};

use crate::dates::{self, Day, LogTime};
use crate::names;
use crate::openings::{self, Opening};

/// The data of a game of a PGN file, as lists need it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnSummary {
    /// The id that it had in a log.
    pub id: Option<String>,
    /// The tags that users put on it (not PGN tags).
    pub words: Vec<String>,
    /// The comment before its first move.
    pub note: Option<String>,
    /// White's name, tidied.
    pub white: String,
    /// Black's name, tidied.
    pub black: String,
    /// The reason of the end, as a code.
    pub reason: Option<String>,
    /// When it began; `None` if the file does not say.
    pub started: Option<LogTime>,
    /// The start position as FEN; `None` if it is the standard one.
    pub start_fen: Option<String>,
    /// The last position.
    pub position: Position,
    /// The time control in PGN format.
    pub time_control: Option<String>,
    /// The opening.
    pub opening: Option<Opening>,
    /// PGN's `Event`.
    pub event: Option<String>,
    /// All other PGN tags, in their order.
    pub rest: Vec<(String, String)>,
}

impl PgnSummary {
    /// Hansu's own PGN tag for the reason of the end.
    pub const REASON: &'static str = "Reason";
    /// Hansu's own PGN tag for users' tags.
    pub const WORDS: &'static str = "Words";
    /// Hansu's own PGN tag for the id of a game in a log.
    pub const ID: &'static str = "GameId";

    /// Reads the tags of a game; `each` is called with every move of the main line.
    ///
    /// ```
    /// use hansu_annals::PgnSummary;
    /// use hansu_chess::pgn::Reader;
    /// let text = "[White \"Mina\"]\n[Date \"2026.11.15\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
    /// let game = Reader::new(text.as_bytes()).next_game().unwrap()?;
    /// let mut moves = 0;
    /// let told = PgnSummary::of(&game, |_| moves += 1);
    /// assert_eq!((told.white.as_str(), told.black.as_str(), moves), ("Mina", "?", 4));
    /// assert_eq!(told.reason.as_deref(), Some("checkmate"));
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    pub fn of(game: &pgn::Record, each: impl FnMut(UciMove)) -> PgnSummary {
        let line = replay(game, each);
        let mut tags = TagList::new(&game.tags);
        let started = tags.take_start();
        if let Some(opening) = line.opening {
            tags.drop_if("ECO", opening.eco);
            tags.drop_if("Opening", opening.name);
        }
        let reason = tags.take_reason(&line, game.result);
        tags.take("PlyCount");
        let words = tags.take(PgnSummary::WORDS).unwrap_or_default();
        let words = words.split(',').map(str::trim).filter(|word| !word.is_empty());
        let usual = game.start == Position::start() && game.start.fullmoves() == 1;
        let known = |text: &String| !matches!(text.as_str(), "" | "?");
        PgnSummary {
            id: tags.take(PgnSummary::ID),
            words: words.map(str::to_owned).collect(),
            note: Some(game.main.comments.join("\n")).filter(|note| !note.is_empty()),
            white: names::tidy(&tags.take("White").unwrap_or_default()),
            black: names::tidy(&tags.take("Black").unwrap_or_default()),
            reason,
            started,
            start_fen: (!usual).then(|| game.start.fen()),
            position: line.position,
            time_control: tags.take_time(),
            opening: line.opening,
            event: tags.take("Event").filter(known),
            rest: tags.rest(),
        }
    }
}

fn value<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// The date in PGN format, from the remaining tags or the start time; unknown parts are question
/// marks.
pub fn date(rest: &[(String, String)], started: Option<LogTime>) -> String {
    match (value(rest, "Date"), started) {
        (Some(date), _) => date.to_owned(),
        (None, Some(started)) => Day::of(started).pgn(),
        (None, None) => "????.??.??".to_owned(),
    }
}

/// The time of day when a game began, as an export writes it; empty if it is unknown.
pub fn time(rest: &[(String, String)], started: Option<LogTime>) -> String {
    match (value(rest, "UTCTime").or(value(rest, "Time")), started) {
        (Some(time), _) => time.to_owned(),
        // If a `Date` tag is left, the start has a time of day only if a tag says so.
        (None, Some(started)) if value(rest, "Date").is_none() => dates::time_of_day(started),
        (None, _) => String::new(),
    }
}

/// The result of an ended game.
const fn won_by(winner: Option<Color>) -> GameResult {
    match winner {
        Some(Color::White) => GameResult::WhiteWins,
        Some(Color::Black) => GameResult::BlackWins,
        None => GameResult::Draw,
    }
}

/// The result of replaying the main line.
struct Replay {
    opening: Option<Opening>,
    position: Position,
    /// How often the last position has occurred.
    repetitions: usize,
}

fn replay(game: &pgn::Record, mut each: impl FnMut(UciMove)) -> Replay {
    let named = game.variant == Variant::Standard && game.start == Position::start();
    let mut position = game.start;
    let mut opening = None;
    let mut keys = Vec::with_capacity(game.main.plies.len() + 1);
    keys.push(position.key());
    for (ply, step) in game.moves().enumerate() {
        each(step.uci(game.variant));
        position = position.play(step);
        keys.push(position.key());
        if named && ply < openings::REACH {
            opening = openings::lookup(&position).or(opening);
        }
    }
    let repetitions = keys.iter().filter(|&&key| key == position.key()).count();
    Replay { opening, position, repetitions }
}

/// The tags of a game; each value that becomes a column is taken out.
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
        value(&self.0, name)
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// The time control; both of them if the sides have different ones.
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

    /// When the game began. Its tags are removed only if an export would derive the same tags from
    /// the time.
    fn take_start(&mut self) -> Option<LogTime> {
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

    /// Why the game ended: from its own tag, from the final position, or if tags and position
    /// together leave no doubt. Otherwise `None`, never a guess.
    fn take_reason(&mut self, line: &Replay, result: GameResult) -> Option<String> {
        let code = |text: &str| {
            text.len() <= 40 && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        };
        let written = self.take(PgnSummary::REASON).filter(|text| !text.is_empty() && code(text));
        let termination = self.value("Termination").map(str::to_ascii_lowercase);
        let reason = written.or_else(|| {
            let outcome = line.position.outcome();
            let shown = outcome.filter(|outcome| won_by(outcome.winner) == result);
            if let Some(outcome) = shown {
                return Some(outcome.reason.code().to_owned());
            }
            let reason = match (termination.as_deref()?, result) {
                ("time forfeit", GameResult::WhiteWins | GameResult::BlackWins) => "timeout",
                ("time forfeit", GameResult::Draw) => "timeout_draw",
                ("abandoned", _) => "abandonment",
                ("normal", GameResult::WhiteWins | GameResult::BlackWins) => {
                    Reason::Resignation.code()
                }
                ("normal", GameResult::Draw) if line.repetitions >= 3 => {
                    Reason::ThreefoldRepetition.code()
                }
                ("normal", GameResult::Draw) if line.position.halfmoves() >= 100 => {
                    Reason::FiftyMoves.code()
                }
                ("normal", GameResult::Draw) => Reason::Agreement.code(),
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

/// PGN's word for a reason, given by its code.
pub fn termination_of(reason: Option<&str>) -> Option<&'static str> {
    Some(match reason? {
        "timeout" | "timeout_draw" => "time forfeit",
        "abandonment" | "abort" => "abandoned",
        code if Reason::from_code(code).is_some() => "normal",
        _ => return None,
    })
}
