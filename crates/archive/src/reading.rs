//! Games out of a PGN text: those that the browser does not have yet.

use std::collections::HashSet;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hansu_annals::{Identity, Told, dates};
use hansu_chess::pgn::{self, GameResult, Part, PgnError, PgnReason, Reader};
use hansu_chess::{Color, Variant};
use hansu_play::{Ending, MAX_NAME, Millis, Reason, Sides, Source, Start, made_visible};
use hansu_protocol::{Broken, Row, Visibility};
use hansu_view as view;
use hansu_words::Lang;

use crate::desk::named;
use crate::shapes::{Batch, Found, Listed, Looked};

/// The longest text, in bytes: as much as a server takes.
pub const LONGEST: usize = 4 * 1024 * 1024;
/// New games of one text; the list of a browser shows them all.
pub const MOST_GAMES: u64 = 5_000;
/// The longest game that is kept, in bytes of PGN.
const LONGEST_GAME: usize = 256 * 1024;
/// The most plies of a game, as in the log of a server.
const MOST_PLIES: usize = 12_000;
/// Broken games that are told one by one.
const MOST_ERRORS: u64 = 100;
/// The longest text of a PGN tag that is shown, in characters.
const LONGEST_TEXT: usize = 400;

/// The log's word for where such a game comes from.
const IMPORT: &str = "import";

/// A text that is being read.
pub(crate) struct Reading {
    reader: Reader<Taken>,
    /// How many bytes the reader has taken.
    taken: Arc<AtomicUsize>,
    length: usize,
    lang: Lang,
    /// The names of the games that the browser has, and those that a text would give them.
    known: HashSet<String>,
    found: u64,
    told: u64,
}

impl std::fmt::Debug for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reading").field("length", &self.length).finish_non_exhaustive()
    }
}

impl Reading {
    /// At the beginning of a text; `None` when it is too long.
    pub(crate) fn new(text: String, lang: Lang, known: &[Listed]) -> Option<Reading> {
        if text.len() > LONGEST {
            return None;
        }
        let taken = Arc::new(AtomicUsize::new(0));
        let length = text.len();
        let source = Taken { text: text.into_bytes(), at: Arc::clone(&taken) };
        let played = known.iter().filter(|game| game.source != IMPORT);
        // What this browser writes of its games has a day and no time.
        let again = played.map(|game| name_of(&identity_of(game)));
        let known = known.iter().map(|game| game.id.clone()).chain(again).collect();
        let reader = Reader::new(source);
        Some(Reading { reader, taken, length, lang, known, found: 0, told: 0 })
    }

    /// The next games.
    pub(crate) fn next(&mut self, games: usize) -> Batch {
        let mut batch = Batch::default();
        for _ in 0..games.max(1) {
            if self.found >= MOST_GAMES {
                batch.more = self.reader.next_lenient_game().is_some();
                batch.done = true;
                break;
            }
            match self.reader.next_lenient_game() {
                None => {
                    batch.done = true;
                    break;
                }
                Some(Err(error)) => self.broken(&mut batch, error),
                Some(Ok(game)) => self.take(&mut batch, &game),
            }
        }
        let part = 100 * self.taken.load(Ordering::Relaxed) / self.length.max(1);
        batch.part = if batch.done { 100 } else { u8::try_from(part).unwrap_or(100) };
        batch
    }

    fn take(&mut self, batch: &mut Batch, game: &pgn::Record) {
        let pgn = game.to_string();
        if game.main.plies.len() > MOST_PLIES || pgn.len() > LONGEST_GAME {
            let reason = PgnReason::TooLong(Part::Game);
            return self.broken(batch, PgnError { line: game.line, reason });
        }
        let (told, moves) = told(game);
        // A game that was played in this browser, and comes back from a server.
        let own = told.id.as_ref().map(|id| format!("~{id}"));
        let row = row(None, game, told, moves);
        let there = own.is_some_and(|own| self.known.contains(&own));
        if there || !self.known.insert(row.id.clone()) {
            batch.duplicates += 1;
            return;
        }
        self.found += 1;
        batch.games.push(Found { row, pgn });
    }

    fn broken(&mut self, batch: &mut Batch, error: PgnError) {
        batch.broken += 1;
        self.told += 1;
        if self.told <= MOST_ERRORS {
            let text = self.lang.pgn_reason(error.reason);
            batch.errors.push(Broken { line: error.line, text });
        }
    }
}

/// A game that was kept as PGN.
pub(crate) fn look(id: &str, text: &str) -> Option<Looked> {
    let game = Reader::new(text.as_bytes()).next_lenient_game()?.ok()?;
    let (told, moves) = told(&game);
    let started = told.started.map(|at| Millis(at.max(0).cast_unsigned()));
    let reason = told.reason.as_deref().and_then(Reason::from_code);
    let row = row(Some(id), &game, told, moves);
    let winner = match game.result {
        GameResult::WhiteWins => Some(Color::White),
        GameResult::BlackWins => Some(Color::Black),
        GameResult::Draw | GameResult::Unknown => None,
    };
    let start = Start {
        names: Sides { white: row.white.clone(), black: row.black.clone() },
        variant: game.variant,
        fen: row.start_fen.clone(),
        source: Source::Imported,
        ..Start::between("", "")
    };
    let ending = reason.map(|reason| Ending { winner, reason });
    let mut state = view::of_file(start, &game.start, game.moves(), ending, Visibility::Private);
    state.started = started;
    Some(Looked { row, state })
}

/// What the tags tell, and the moves as UCI writes them.
fn told(game: &pgn::Record) -> (Told, String) {
    let mut moves = String::with_capacity(5 * game.main.plies.len());
    let told = Told::of(game, |step| {
        if !moves.is_empty() {
            moves.push(' ');
        }
        moves.push_str(&step.to_string());
    });
    (told, moves)
}

/// The row of a game, with the name that its content gives it unless it has one.
fn row(id: Option<&str>, game: &pgn::Record, told: Told, moves: String) -> Row {
    let date = hansu_annals::date(&told.rest, told.started);
    let round = told.rest.iter().find(|(name, _)| name == "Round");
    let identity = Identity {
        white: &told.white,
        black: &told.black,
        result: game.result.text(),
        date: &date,
        time: &hansu_annals::time(&told.rest, told.started),
        round: round.map_or("?", |(_, value)| value),
        start: told.start_fen.as_deref().unwrap_or(""),
        moves: moves.as_bytes(),
    };
    let id = id.map_or_else(|| name_of(&identity), str::to_owned);
    let name = |name: &str| made_visible(name, MAX_NAME).unwrap_or_else(|| "?".to_owned());
    Row {
        id,
        white: name(&told.white),
        black: name(&told.black),
        result: game.result.text().to_owned(),
        reason: told.reason,
        plies: game.main.plies.len() as u64,
        started: told.started.map(dates::rfc3339),
        ended: None,
        date: made_visible(&date, LONGEST_TEXT).unwrap_or_default(),
        source: IMPORT.to_owned(),
        status: "finished".to_owned(),
        visibility: Visibility::Private,
        variant: match game.variant {
            Variant::Standard => "standard".to_owned(),
            Variant::Chess960 => "chess960".to_owned(),
        },
        start_fen: told.start_fen,
        final_fen: told.position.fen(),
        time_control: told.time_control.and_then(|text| made_visible(&text, LONGEST_TEXT)),
        opening: told.opening.map(named),
        event: told.event.and_then(|text| made_visible(&text, LONGEST_TEXT)),
        moves,
        last_seq: 0,
        tags: Vec::new(),
        note: None,
    }
}

/// A game of this browser, as it would be found in its own PGN.
fn identity_of(game: &Listed) -> Identity<'_> {
    Identity {
        white: &game.white,
        black: &game.black,
        result: &game.result,
        date: &game.date,
        time: "",
        round: "?",
        start: game.played.start_fen.as_deref().unwrap_or(""),
        moves: game.played.moves.as_bytes(),
    }
}

/// The name that a game has by its content: the same game has the same name, so it is kept once.
fn name_of(identity: &Identity<'_>) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut number = u128::from_be_bytes(identity.hash());
    let mut name = String::from("~");
    for _ in 0..12 {
        name.push(char::from(DIGITS[(number % 62) as usize]));
        number /= 62;
    }
    name
}

/// A text as a source that says how much of it was taken.
struct Taken {
    text: Vec<u8>,
    at: Arc<AtomicUsize>,
}

impl Read for Taken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = self.at.load(Ordering::Relaxed);
        let read = self.text.get(at..).unwrap_or_default().read(buffer)?;
        self.at.store(at + read, Ordering::Relaxed);
        Ok(read)
    }
}
