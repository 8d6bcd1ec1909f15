//! Imports PGN files of any size, in bounded memory; an interrupted import continues where it
//! stopped.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Instant;

use hansu_chess::pgn::{self, Keep, PgnReason, Reader};
use xxhash_rust::xxh3::Xxh3;

use crate::store::{Batch, Imported, Progress, Store};
use crate::{Error, Holder, Visibility, convert};

/// How a file is imported.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// Identifies the source, so that an interrupted import can continue; `None` starts from the
    /// beginning. [`import_file`] computes it.
    pub key: Option<String>,
    /// Games in one transaction.
    pub batch: usize,
    /// Keep or drop comments, NAGs and variations.
    pub annotations: Annotations,
    /// The holder who imports the games; `None` is the keeper of the log.
    pub by: Option<Holder>,
    /// The visibility of the imported games.
    pub visibility: Visibility,
    /// Called with every game before it is written, and may change it.
    pub look: Option<fn(&mut Imported)>,
    /// If true, the import pauses after each batch for three times as long as the batch took, so
    /// that live games seldom wait.
    pub gentle: bool,
    /// At most this many games are imported; the rest is left out.
    pub most: u64,
}

/// What to do with comments, NAGs and variations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Annotations {
    /// They are kept and exported again.
    Keep,
    /// Only the moves are kept.
    Drop,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            key: None,
            batch: 5_000,
            annotations: Annotations::Keep,
            by: None,
            visibility: Visibility::Public,
            look: None,
            gentle: false,
            most: u64::MAX,
        }
    }
}

/// What an import reports while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Report<'a> {
    /// The games up to here are in the log.
    Progress {
        /// Bytes of the source that were read.
        bytes: u64,
        /// The numbers of games so far.
        progress: &'a Progress,
    },
    /// A game that is left out.
    Broken(BrokenGame),
}

/// A game that could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BrokenGame {
    /// The line in the file.
    pub line: u64,
    /// The reason.
    pub why: BrokenReason,
}

/// Why a game could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BrokenReason {
    /// It is not PGN, or not chess.
    Pgn(PgnReason),
    /// The log refuses it.
    Log(Error),
}

impl std::fmt::Display for BrokenGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.why {
            BrokenReason::Pgn(reason) => write!(f, "line {}: {reason}", self.line),
            BrokenReason::Log(error) => write!(f, "line {}: {error}", self.line),
        }
    }
}

/// Imports a file. A second call after an interruption continues after the last game in the log; a
/// second call after the end finds only duplicates.
///
/// # Errors
///
/// When the file cannot be read or the log cannot be written; what was reported is in the log.
pub fn import_file(
    store: &dyn Store,
    file: &Path,
    options: &ImportOptions,
    report: &mut dyn FnMut(Report<'_>) -> ControlFlow<()>,
) -> Result<Progress, Error> {
    let mut source = File::open(file)?;
    let mut options = options.clone();
    // Pipes have no length and cannot be read twice.
    if options.key.is_none() && source.metadata()?.is_file() {
        options.key = Some(file_key(&mut source)?);
        source.rewind()?;
    }
    import(store, source, &options, report)
}

/// A hash of the beginning of a file, and its length.
fn file_key(source: &mut File) -> Result<String, Error> {
    let length = source.metadata()?.len();
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 64 * 1024];
    let mut beginning = source.take(1024 * 1024);
    loop {
        let read = beginning.read(&mut buffer)?;
        if read == 0 {
            return Ok(format!("{:032x}-{length}", hash.digest128()));
        }
        hash.update(&buffer[..read]);
    }
}

/// Imports games from any source. One thread reads while another writes.
///
/// If `report` breaks between two batches, the import ends as after an interruption.
///
/// # Errors
///
/// When the source cannot be read or the log cannot be written; what was reported is in the log.
pub fn import(
    store: &dyn Store,
    source: impl Read + Send,
    options: &ImportOptions,
    report: &mut dyn FnMut(Report<'_>) -> ControlFlow<()>,
) -> Result<Progress, Error> {
    let before = match &options.key {
        Some(key) => store.progress(key)?.filter(|progress| !progress.finished),
        None => None,
    };
    let mut progress = before.unwrap_or_else(|| Progress {
        key: options.key.clone().unwrap_or_default(),
        ..Progress::default()
    });
    let skip = progress.seen;
    let bytes = Arc::new(AtomicU64::new(0));
    let source = CountingReader { source, bytes: Arc::clone(&bytes) };
    std::thread::scope(|scope| {
        // Two batches ahead: enough to keep both threads at work.
        let (sender, chunks) = sync_channel(2);
        scope.spawn(move || read(source, skip, options, &sender));
        write(store, options, &chunks, &mut progress, &bytes, report)?;
        Ok(progress)
    })
}

/// What the reading thread sends to the writing thread.
enum Chunk {
    /// Good games, broken games, and the number of both.
    Games(Vec<Imported>, Vec<BrokenGame>, u64),
    Failed(io::ErrorKind),
    End,
}

fn write(
    store: &dyn Store,
    options: &ImportOptions,
    chunks: &Receiver<Chunk>,
    progress: &mut Progress,
    bytes: &AtomicU64,
    report: &mut dyn FnMut(Report<'_>) -> ControlFlow<()>,
) -> Result<(), Error> {
    loop {
        let (games, broken) = match chunks.recv() {
            Ok(Chunk::Games(games, broken, seen)) => {
                progress.seen += seen;
                (games, broken)
            }
            Ok(Chunk::End) => {
                progress.finished = true;
                (Vec::new(), Vec::new())
            }
            Ok(Chunk::Failed(kind)) => return Err(Error::Io(kind)),
            // The reader sends `End` or `Failed` before it ends.
            Err(_) => return Err(Error::Closed),
        };
        progress.broken += broken.len() as u64;
        let kept = (!progress.key.is_empty()).then(|| progress.clone());
        let begun = Instant::now();
        let answer = store.import(Batch { games, progress: kept, by: options.by })?;
        if options.gentle {
            std::thread::sleep(3 * begun.elapsed());
        }
        progress.added += answer.added;
        progress.duplicates += answer.duplicates;
        for game in broken {
            if report(Report::Broken(game)).is_break() {
                return Ok(());
            }
        }
        let bytes = bytes.load(Ordering::Relaxed);
        if report(Report::Progress { bytes, progress }).is_break() || progress.finished {
            return Ok(());
        }
    }
}

/// Reads until the end, or until the receiver is gone.
fn read(source: impl Read, skip: u64, options: &ImportOptions, sender: &SyncSender<Chunk>) {
    let keep = match options.annotations {
        Annotations::Keep => Keep::Everything,
        Annotations::Drop => Keep::Moves,
    };
    let mut reader = Reader::new(source).keep(keep).lenient();
    // Games that are already in the log are read again but not written: reading is the cheap part.
    for _ in 0..skip {
        if reader.next_game().is_none() {
            break;
        }
    }
    let most = options.batch.max(1);
    let (mut games, mut broken, mut bytes) = (Vec::new(), Vec::new(), 0);
    let mut left = options.most;
    loop {
        let next = if left > 0 { reader.next_game() } else { None };
        left = left.saturating_sub(1);
        match next {
            Some(Ok(ref game)) => match to_imported(game, options) {
                Ok(game) => {
                    bytes += weight(&game);
                    games.push(game);
                }
                Err(error) => {
                    broken.push(BrokenGame { line: game.line, why: BrokenReason::Log(error) });
                }
            },
            Some(Err(pgn::PgnError { reason: PgnReason::Read(kind), .. })) => {
                let _ = sender.send(Chunk::Failed(kind));
                return;
            }
            Some(Err(error)) => {
                broken.push(BrokenGame { line: error.line, why: BrokenReason::Pgn(error.reason) });
            }
            None => {}
        }
        let seen = games.len() + broken.len();
        if seen >= most || bytes >= HEAVIEST || (next.is_none() && seen > 0) {
            let chunk =
                Chunk::Games(std::mem::take(&mut games), std::mem::take(&mut broken), seen as u64);
            bytes = 0;
            if sender.send(chunk).is_err() {
                return;
            }
        }
        if next.is_none() {
            let _ = sender.send(Chunk::End);
            return;
        }
    }
}

/// A batch with this many bytes of text is full, even if it has few games.
const HEAVIEST: usize = 8 * 1024 * 1024;

/// Roughly the memory of a game's long texts, in bytes.
fn weight(game: &Imported) -> usize {
    let headers: usize = game.summary.headers.iter().map(|(k, v)| k.len() + v.len()).sum();
    let annotations = game.summary.annotations.as_ref().map_or(0, String::len);
    headers + annotations + game.note.as_ref().map_or(0, String::len)
}

fn to_imported(game: &pgn::Record, options: &ImportOptions) -> Result<Imported, Error> {
    let mut game = convert::from_pgn(game);
    if options.annotations == Annotations::Drop {
        // The reader leaves out comments and variations, but not NAGs.
        game.summary.annotations = None;
    }
    game.summary.visibility = options.visibility;
    if let Some(look) = options.look {
        look(&mut game);
    }
    game.limits()?;
    Ok(game)
}

/// Counts the bytes that are read through it.
struct CountingReader<R> {
    source: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
