//! What the log knows of a game beside its events.

use std::fmt;
use std::str::FromStr;

use hansu_annals::Score;
use hansu_chess::{FenError, Game, Position, Variant};

use crate::coded::coded;
use crate::dates::{self, Millis};
use crate::store::LONGEST_NAME;
use crate::{Moves, openings};

/// The name of a game: twelve letters and digits that nobody can guess.
///
/// The first four follow the time, so that new games stand together in an index; the other eight
/// are random (47 bits), so that several processes do not collide.
///
/// ```
/// use hansu_records::GameId;
/// let id = GameId::random()?;
/// assert_eq!(id.to_string().parse(), Ok(id));
/// # Ok::<(), hansu_records::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId([u8; 12]);

/// A text that is no [`GameId`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameIdError;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl GameId {
    /// A new name.
    ///
    /// # Errors
    ///
    /// When the operating system has no random numbers.
    pub fn random() -> Result<GameId, crate::Error> {
        let mut seed = [0; 8];
        getrandom::fill(&mut seed).map_err(|_| crate::Error::NoRandomness)?;
        // Two minutes a step: the four digits come round after 56 years, which does no harm.
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

    /// The name as text.
    pub fn as_str(&self) -> &str {
        // Only ASCII digits and letters get in.
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
    /// Where a game stands.
    Status {
        /// Being played.
        Live = 0, "live";
        /// Over, with or without a result.
        Finished = 1, "finished";
        /// Given up before it began; it counts for nobody.
        Aborted = 2, "aborted";
        /// To be gone on with another day.
        Adjourned = 3, "adjourned";
    }
}

impl Status {
    /// Whether the game counts in the statistics: it is over.
    pub(crate) const fn counts(self) -> bool {
        matches!(self, Status::Finished)
    }
}

coded! {
    /// Where a game comes from.
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
    /// Who may find a game.
    Visibility {
        /// Everybody.
        Public = 0, "public";
        /// Whoever has its link.
        Private = 1, "private";
    }
}

/// An opening as the log keeps it; its names may be older than the table of this version.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Named {
    /// A letter A to E and two digits.
    pub eco: String,
    /// The name in English.
    pub name: String,
}

impl Named {
    pub(crate) fn fits(&self) -> bool {
        self.eco.len() <= LONGEST_NAME && self.name.len() <= LONGEST_NAME
    }
}

impl From<openings::Opening> for Named {
    fn from(opening: openings::Opening) -> Named {
        Named { eco: opening.eco.to_owned(), name: opening.name.to_owned() }
    }
}

/// What a game's row says. It is given anew with every append and replaces the row.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Summary {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The result.
    pub score: Score,
    /// Why, as a code: `checkmate`, `timeout`, …
    pub reason: Option<String>,
    /// When it began; `None` only when a PGN file does not know.
    pub started: Option<Millis>,
    /// When it ended.
    pub ended: Option<Millis>,
    /// Where it comes from.
    pub source: Source,
    /// Where it stands.
    pub status: Status,
    /// Who may find it.
    pub visibility: Visibility,
    /// When somebody must look at it again (a flag, a limit of adjournment).
    pub deadline: Option<Millis>,
    /// How the pieces were set up and castle.
    pub variant: Variant,
    /// The start, when it is not the usual one.
    pub start_fen: Option<String>,
    /// The position now, or at the end: the one that the moves lead to.
    pub final_fen: String,
    /// As PGN writes it: `300+3`, `40/7200:3600`, `-`.
    pub time_control: Option<String>,
    /// The opening.
    pub opening: Option<Named>,
    /// The occasion: PGN's `Event`.
    pub event: Option<String>,
    /// The moves that count (takebacks are gone).
    pub moves: Moves,
    /// PGN tags beyond those above, in their order.
    pub headers: Vec<(String, String)>,
    /// The moves once more as PGN writes them, when comments, signs or variations stand between
    /// them.
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

    /// Takes over start, moves, opening and position of a game, and how the rules ended it.
    pub fn follow(&mut self, game: &Game) {
        self.variant = game.variant();
        let start = game.positions().first().copied().unwrap_or_default();
        let usual = start == Position::start() && start.fullmoves() == 1;
        self.start_fen = (!usual).then(|| start.fen());
        self.moves = Moves::of(game);
        self.final_fen = game.position().fen();
        self.opening = openings::classify(game).map(Named::from);
        if let Some(outcome) = game.outcome() {
            self.score = Score::of(outcome.winner);
            self.reason = Some(outcome.reason.code().to_owned());
        }
    }

    /// The position from which the game was played.
    ///
    /// # Errors
    ///
    /// When the start is no position (a damaged log).
    pub fn start(&self) -> Result<Position, FenError> {
        match &self.start_fen {
            Some(fen) => Position::from_fen(fen, self.variant),
            None => Ok(Position::start()),
        }
    }

    /// How many plies were played.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// A PGN tag beyond the columns.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(key, _)| key == name);
        found.next().map(|(_, value)| value.as_str())
    }

    /// The date as PGN writes it; unknown parts are question marks.
    pub fn date(&self) -> String {
        hansu_annals::date(&self.headers, self.started)
    }
}

/// A game of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its name.
    pub id: GameId,
    /// Its row.
    pub summary: Summary,
    /// The number of its last event; 0 for imported games, which have none.
    pub last_seq: u64,
    /// The words a user put on it, in order.
    pub tags: Vec<String>,
    /// What a user wrote about it.
    pub note: Option<String>,
}
