//! Imports games from a PGN text: those that the browser does not have yet.

use std::collections::HashSet;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hansu_annals::{Identity, PgnSummary, dates};
use hansu_chess::pgn::{self, GameResult, Part, PgnError, PgnReason, Reader};
use hansu_chess::{Color, Variant};
use hansu_play::{Ending, MAX_NAME, Millis, Reason, Sides, Source, Start, make_visible};
use hansu_protocol::{Broken, Row, Visibility};
use hansu_view as view;
use hansu_words::Lang;

use crate::archive::to_wire;
use crate::messages::{FoundGame, GameBatch, ListedGame, ReadGame};

/// The longest text in bytes, the same as for an import on the server.
pub const LONGEST: usize = 4 * 1024 * 1024;
/// The most new games from one text. The list of a browser shows all its games, without pages.
pub const MOST_GAMES: u64 = 5_000;
/// The longest game that is imported, in bytes of PGN.
const LONGEST_GAME: usize = 256 * 1024;
/// The most plies of a game, as in the log of a server.
const MOST_PLIES: usize = 12_000;
/// The most errors of broken games in a response; further ones are only counted.
const MOST_ERRORS: u64 = 100;
/// The longest value of a PGN tag in a row, in characters.
const LONGEST_TEXT: usize = 400;

/// The source of imported games in the log.
const IMPORT: &str = "import";

/// The state of an import.
pub(crate) struct Reading {
    reader: Reader<CountingReader>,
    /// How many bytes of the text have been read.
    position: Arc<AtomicUsize>,
    /// Bytes of the text.
    length: usize,
    lang: Lang,
    /// The ids of the games that the browser has, and the ids that their PGN would get.
    known: HashSet<String>,
    found: u64,
    /// Number of broken games.
    errors: u64,
}

impl std::fmt::Debug for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reading").field("length", &self.length).finish_non_exhaustive()
    }
}

impl Reading {
    /// Begins to read a text; `None` when it is too long.
    pub(crate) fn new(text: String, lang: Lang, known: &[ListedGame]) -> Option<Reading> {
        if text.len() > LONGEST {
            return None;
        }
        let position = Arc::new(AtomicUsize::new(0));
        let length = text.len();
        let source = CountingReader { text: text.into_bytes(), at: Arc::clone(&position) };
        let played = known.iter().filter(|game| game.source != IMPORT);
        // Games of this browser have a date but no time in their PGN.
        let own = played.map(|game| content_id(&identity_of(game)));
        let known = known.iter().map(|game| game.id.clone()).chain(own).collect();
        let reader = Reader::new(source);
        Some(Reading { reader, position, length, lang, known, found: 0, errors: 0 })
    }

    /// Reads at most `games` games (at least one).
    pub(crate) fn next(&mut self, games: usize) -> GameBatch {
        let mut batch = GameBatch::default();
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
                Some(Err(error)) => self.note_broken(&mut batch, error),
                Some(Ok(game)) => self.add(&mut batch, &game),
            }
        }
        let part = 100 * self.position.load(Ordering::Relaxed) / self.length.max(1);
        batch.part = if batch.done { 100 } else { u8::try_from(part).unwrap_or(100) };
        batch
    }

    fn add(&mut self, batch: &mut GameBatch, game: &pgn::Record) {
        let pgn = game.to_string();
        if game.main.plies.len() > MOST_PLIES || pgn.len() > LONGEST_GAME {
            let reason = PgnReason::TooLong(Part::Game);
            return self.note_broken(batch, PgnError { line: game.line, reason });
        }
        let (summary, moves) = summarise(game);
        // The id of a game that was played in this browser and comes back from a server.
        let own = summary.id.as_ref().map(|id| format!("~{id}"));
        let row = row(None, game, summary, moves);
        let is_known = own.is_some_and(|own| self.known.contains(&own));
        if is_known || !self.known.insert(row.id.clone()) {
            batch.duplicates += 1;
            return;
        }
        self.found += 1;
        batch.games.push(FoundGame { row, pgn });
    }

    fn note_broken(&mut self, batch: &mut GameBatch, error: PgnError) {
        batch.broken += 1;
        self.errors += 1;
        if self.errors <= MOST_ERRORS {
            let text = self.lang.pgn_reason(error.reason);
            batch.errors.push(Broken { line: error.line, text });
        }
    }
}

/// Reads a game that is stored as PGN.
pub(crate) fn read_game(id: &str, text: &str) -> Option<ReadGame> {
    let game = Reader::new(text.as_bytes()).next_lenient_game()?.ok()?;
    let (summary, moves) = summarise(&game);
    let started = summary.started.map(|at| Millis(at.max(0).cast_unsigned()));
    let reason = summary.reason.as_deref().and_then(Reason::from_code);
    let row = row(Some(id), &game, summary, moves);
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
    Some(ReadGame { row, state })
}

/// The tags of a game, and its moves in UCI notation with blanks between them.
fn summarise(game: &pgn::Record) -> (PgnSummary, String) {
    let mut moves = String::with_capacity(5 * game.main.plies.len());
    let summary = PgnSummary::of(game, |step| {
        if !moves.is_empty() {
            moves.push(' ');
        }
        moves.push_str(&step.to_string());
    });
    (summary, moves)
}

/// The row of a game. Without `id` it gets the id that is derived from its content.
fn row(id: Option<&str>, game: &pgn::Record, summary: PgnSummary, moves: String) -> Row {
    let date = hansu_annals::date(&summary.rest, summary.started);
    let round = summary.rest.iter().find(|(name, _)| name == "Round");
    let identity = Identity {
        white: &summary.white,
        black: &summary.black,
        result: game.result.text(),
        date: &date,
        time: &hansu_annals::time(&summary.rest, summary.started),
        round: round.map_or("?", |(_, value)| value),
        start: summary.start_fen.as_deref().unwrap_or(""),
        moves: moves.as_bytes(),
    };
    let id = id.map_or_else(|| content_id(&identity), str::to_owned);
    let name = |name: &str| make_visible(name, MAX_NAME).unwrap_or_else(|| "?".to_owned());
    Row {
        id,
        white: name(&summary.white),
        black: name(&summary.black),
        result: game.result.text().to_owned(),
        reason: summary.reason,
        plies: game.main.plies.len() as u64,
        started: summary.started.map(dates::rfc3339),
        ended: None,
        date: make_visible(&date, LONGEST_TEXT).unwrap_or_default(),
        source: IMPORT.to_owned(),
        status: "finished".to_owned(),
        visibility: Visibility::Private,
        variant: match game.variant {
            Variant::Standard => "standard".to_owned(),
            Variant::Chess960 => "chess960".to_owned(),
        },
        start_fen: summary.start_fen,
        final_fen: summary.position.fen(),
        time_control: summary.time_control.and_then(|text| make_visible(&text, LONGEST_TEXT)),
        opening: summary.opening.map(to_wire),
        event: summary.event.and_then(|text| make_visible(&text, LONGEST_TEXT)),
        moves,
        last_seq: 0,
        tags: Vec::new(),
        note: None,
    }
}

/// The identity that a game of this browser has when its own PGN is imported.
fn identity_of(game: &ListedGame) -> Identity<'_> {
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

/// An id derived from the content: the same game gets the same id, so it is stored once.
fn content_id(identity: &Identity<'_>) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut number = u128::from_be_bytes(identity.hash());
    let mut name = String::from("~");
    for _ in 0..12 {
        name.push(char::from(DIGITS[(number % 62) as usize]));
        number /= 62;
    }
    name
}

/// A reader over a text that shares how many bytes have been read.
struct CountingReader {
    text: Vec<u8>,
    at: Arc<AtomicUsize>,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = self.at.load(Ordering::Relaxed);
        let read = self.text.get(at..).unwrap_or_default().read(buffer)?;
        self.at.store(at + read, Ordering::Relaxed);
        Ok(read)
    }
}
