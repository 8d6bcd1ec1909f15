//! The data of a game apart from its events.

use std::fmt;
use std::str::FromStr;

use hansu_annals::Score;
use hansu_chess::{FenError, Game, Position, Variant};

use crate::coded::coded;
use crate::dates::{self, LogTime};
use crate::store::LONGEST_NAME;
use crate::{Moves, openings};

/// The id of a game: twelve letters and digits that cannot be guessed.
///
/// The first four characters follow the time, so that new games are neighbours in an index; the
/// other eight are random (47 bits), so that several processes do not collide.
///
/// ```
/// use hansu_records::GameId;
/// let id = GameId::random()?;
/// assert_eq!(id.to_string().parse(), Ok(id));
/// # Ok::<(), hansu_records::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId([u8; 12]);

/// The text is not a [`GameId`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameIdError;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl GameId {
    /// A new random id.
    ///
    /// # Errors
    ///
    /// When the operating system has no random numbers.
    pub fn random() -> Result<GameId, crate::Error> {
        let mut seed = [0; 8];
        getrandom::fill(&mut seed).map_err(|_| crate::Error::NoRandomness)?;
        // One step is two minutes: the four digits repeat after 56 years, which does no harm.
        let mut slot = (dates::now() / 120_000).unsigned_abs();
        let mut random = u64::from_le_bytes(seed);
        let mut id = [0; 12];
        for place in id[..4].iter_mut().rev() {
            *place = DIGITS[(slot % 62) as usize];
            slot /= 62;
        }
        for place in &mut id[4..] {
            *place = DIGITS[(random % 62) as usize];
            random /= 62;
        }
        Ok(GameId(id))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        // Only ASCII letters and digits are stored.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameId({self})")
    }
}

impl FromStr for GameId {
    type Err = GameIdError;

    fn from_str(text: &str) -> Result<GameId, GameIdError> {
        let bytes: [u8; 12] = text.as_bytes().try_into().map_err(|_| GameIdError)?;
        let known = bytes.iter().all(u8::is_ascii_alphanumeric);
        known.then_some(GameId(bytes)).ok_or(GameIdError)
    }
}

impl fmt::Display for GameIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a game is twelve letters and digits")
    }
}

impl std::error::Error for GameIdError {}

coded! {
    /// The status of a game.
    Status {
        /// Being played.
        Live = 0, "live";
        /// Over, with or without a result.
        Finished = 1, "finished";
        /// Aborted before it began; it is not counted.
        Aborted = 2, "aborted";
        /// Adjourned, to be resumed later.
        Adjourned = 3, "adjourned";
    }
}

impl Status {
    /// True if the game counts in the statistics: it is finished.
    pub(crate) const fn counts(self) -> bool {
        matches!(self, Status::Finished)
    }
}

coded! {
    /// The source of a game.
    Source {
        /// The terminal game.
        Terminal = 0, "terminal";
        /// Two players at one screen.
        Local = 1, "local";
        /// Two players over the network.
        Online = 2, "online";
        /// Against the computer.
        Computer = 3, "computer";
        /// A PGN file.
        Import = 4, "import";
    }
}

coded! {
    /// Who can find a game.
    Visibility {
        /// All users.
        Public = 0, "public";
        /// Only users with its link.
        Private = 1, "private";
    }
}

/// An opening as the log stores it; it may come from an older table of openings.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OpeningName {
    /// A letter A to E and two digits.
    pub eco: String,
    /// The name in English.
    pub name: String,
}

impl OpeningName {
    pub(crate) fn fits(&self) -> bool {
        self.eco.len() <= LONGEST_NAME && self.name.len() <= LONGEST_NAME
    }
}

impl From<openings::Opening> for OpeningName {
    fn from(opening: openings::Opening) -> OpeningName {
        OpeningName { eco: opening.eco.to_owned(), name: opening.name.to_owned() }
    }
}

/// The columns of a game's row.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Summary {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The result.
    pub score: Score,
    /// The reason of the end, as a code: `checkmate`, `timeout`, …
    pub reason: Option<String>,
    /// When it began; `None` only if a PGN file does not say.
    pub started: Option<LogTime>,
    /// When it ended.
    pub ended: Option<LogTime>,
    /// The source.
    pub source: Source,
    /// The status.
    pub status: Status,
    /// The visibility.
    pub visibility: Visibility,
    /// When the game must be checked again (flag fall, limit of an adjournment).
    pub deadline: Option<LogTime>,
    /// Standard chess or Chess960.
    pub variant: Variant,
    /// The start position, unless it is the standard one.
    pub start_fen: Option<String>,
    /// The current or last position: the one after all moves.
    pub final_fen: String,
    /// As PGN writes it: `300+3`, `40/7200:3600`, `-`.
    pub time_control: Option<String>,
    /// The opening.
    pub opening: Option<OpeningName>,
    /// The occasion: PGN's `Event`.
    pub event: Option<String>,
    /// The moves, without those that were taken back.
    pub moves: Moves,
    /// All other PGN tags, in their order.
    pub headers: Vec<(String, String)>,
    /// The PGN movetext, if it has comments, NAGs or variations.
    pub annotations: Option<String>,
}

impl Summary {
    /// A game that begins now.
    ///
    /// ```
    /// use hansu_records::{Source, Summary};
    /// let summary = Summary::new("Anna", "Ben", Source::Terminal);
    /// assert_eq!(summary.moves.len(), 0);
    /// ```
    pub fn new(white: &str, black: &str, source: Source) -> Summary {
        Summary {
            white: white.to_owned(),
            black: black.to_owned(),
            score: Score::Open,
            reason: None,
            started: Some(dates::now()),
            ended: None,
            source,
            status: Status::Live,
            visibility: Visibility::Public,
            deadline: None,
            variant: Variant::Standard,
            start_fen: None,
            final_fen: Position::start().fen(),
            time_control: None,
            opening: None,
            event: None,
            moves: Moves::new(),
            headers: Vec::new(),
            annotations: None,
        }
    }

    /// Copies the start, moves, opening and position of a game, and its outcome by the rules.
    pub fn follow(&mut self, game: &Game) {
        self.variant = game.variant();
        let start = game.positions().first().copied().unwrap_or_default();
        let usual = start == Position::start() && start.fullmoves() == 1;
        self.start_fen = (!usual).then(|| start.fen());
        self.moves = Moves::of(game);
        self.final_fen = game.position().fen();
        self.opening = openings::classify(game).map(OpeningName::from);
        if let Some(outcome) = game.outcome() {
            self.score = Score::of(outcome.winner);
            self.reason = Some(outcome.reason.code().to_owned());
        }
    }

    /// The position from which the game was played.
    ///
    /// # Errors
    ///
    /// When the start is not a valid position (a damaged log).
    pub fn start(&self) -> Result<Position, FenError> {
        match &self.start_fen {
            Some(fen) => Position::from_fen(fen, self.variant),
            None => Ok(Position::start()),
        }
    }

    /// The number of plies.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// A PGN tag beyond the columns.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(key, _)| key == name);
        found.next().map(|(_, value)| value.as_str())
    }

    /// The date in PGN format; unknown parts are question marks.
    pub fn date(&self) -> String {
        hansu_annals::date(&self.headers, self.started)
    }
}

/// A game of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its id.
    pub id: GameId,
    /// Its row.
    pub summary: Summary,
    /// The number of its last event; 0 for imported games, which have none.
    pub last_seq: u64,
    /// The tags that the viewer sees, in order.
    pub tags: Vec<String>,
    /// The notes that the viewer sees.
    pub note: Option<String>,
}
