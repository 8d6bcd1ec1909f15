//! What the tags of a PGN file tell of a game.
//!
//! What a list says of a game is taken out of them; all others stay as they stand.

use hansu_chess::pgn::{self, GameResult, Tags};
use hansu_chess::{Color, Position, Reason, UciMove, Variant};

use crate::dates::{self, Day, Millis};
use crate::names;
use crate::openings::{self, Opening};

/// A game of a PGN file as a list tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The name that it had in a log.
    pub id: Option<String>,
    /// Words that were put on it.
    pub words: Vec<String>,
    /// What stands before its first move.
    pub note: Option<String>,
    /// White's name, tidied.
    pub white: String,
    /// Black's name, tidied.
    pub black: String,
    /// Why it ended, as a code.
    pub reason: Option<String>,
    /// When it began, as far as the file knows.
    pub started: Option<Millis>,
    /// The first position, when it is not the usual one.
    pub start_fen: Option<String>,
    /// The last position.
    pub position: Position,
    /// The clock, as PGN writes it.
    pub time_control: Option<String>,
    /// The opening.
    pub opening: Option<Opening>,
    /// The occasion.
    pub event: Option<String>,
    /// All other tags, in their order.
    pub rest: Vec<(String, String)>,
}

impl Told {
    /// The tag of our own for the reason of the end.
    pub const REASON: &'static str = "Reason";
    /// The tag of our own for words on a game.
    pub const WORDS: &'static str = "Words";
    /// The tag of our own for the name of a game in a log.
    pub const ID: &'static str = "GameId";

    /// Reads the tags; `each` gets the moves of the main line.
    ///
    /// ```
    /// use hansu_annals::Told;
    /// use hansu_chess::pgn::Reader;
    /// let text = "[White \"Mina\"]\n[Date \"2026.11.15\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
    /// let game = Reader::new(text.as_bytes()).next_game().unwrap()?;
    /// let mut moves = 0;
    /// let told = Told::of(&game, |_| moves += 1);
    /// assert_eq!((told.white.as_str(), told.black.as_str(), moves), ("Mina", "?", 4));
    /// assert_eq!(told.reason.as_deref(), Some("checkmate"));
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    pub fn of(game: &pgn::Record, each: impl FnMut(UciMove)) -> Told {
        let line = played(game, each);
        let mut tags = TagList::new(&game.tags);
        let started = tags.take_start();
        if let Some(opening) = line.opening {
            tags.drop_if("ECO", opening.eco);
            tags.drop_if("Opening", opening.name);
        }
        let reason = tags.take_reason(&line, game.result);
        tags.take("PlyCount");
        let words = tags.take(Told::WORDS).unwrap_or_default();
        let words = words.split(',').map(str::trim).filter(|word| !word.is_empty());
        let usual = game.start == Position::start() && game.start.fullmoves() == 1;
        let known = |text: &String| !matches!(text.as_str(), "" | "?");
        Told {
            id: tags.take(Told::ID),
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

/// The day as PGN writes it, from the tags that were left and the time; unknown parts are question
/// marks.
pub fn date(rest: &[(String, String)], started: Option<Millis>) -> String {
    match (value(rest, "Date"), started) {
        (Some(date), _) => date.to_owned(),
        (None, Some(started)) => Day::of(started).pgn(),
        (None, None) => "????.??.??".to_owned(),
    }
}

/// The time of day at which a game began, as an export writes it.
pub fn time(rest: &[(String, String)], started: Option<Millis>) -> String {
    match (value(rest, "UTCTime").or(value(rest, "Time")), started) {
        (Some(time), _) => time.to_owned(),
        // A game of a file has a time only when its tags say so.
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

/// The main line, played through once.
struct Played {
    opening: Option<Opening>,
    position: Position,
    /// How often the last position stood on the board.
    repetitions: usize,
}

fn played(game: &pgn::Record, mut each: impl FnMut(UciMove)) -> Played {
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
    Played { opening, position, repetitions }
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
        value(&self.0, name)
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
    fn take_reason(&mut self, line: &Played, result: GameResult) -> Option<String> {
        let code = |text: &str| {
            text.len() <= 40 && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        };
        let written = self.take(Told::REASON).filter(|text| !text.is_empty() && code(text));
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
