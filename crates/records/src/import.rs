//! PGN files into the log: any size, in bounded memory, and again where it was interrupted.

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

/// How a file is read.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// What tells the source from others, so that an interrupted import goes on; `None` starts
    /// from the beginning. [`import_file`] finds it out.
    pub key: Option<String>,
    /// Games in one transaction.
    pub batch: usize,
    /// Whether comments, signs and variations are kept.
    pub annotations: Annotations,
    /// Who brings the games; `None` is the keeper of the log.
    pub by: Option<Holder>,
    /// Who may find them.
    pub visibility: Visibility,
    /// Looks at every game before it is kept, and may change it.
    pub look: Option<fn(&mut Imported)>,
    /// Whether the log rests between two batches for three times as long as the last one took, so
    /// that games that are being played seldom wait.
    pub gentle: bool,
    /// The most games that are taken; the rest is left out.
    pub most: u64,
}

/// What to do with comments, signs and variations.
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

/// What an import says while it works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Report<'a> {
    /// Everything up to here is in the log.
    Progress {
        /// Bytes of the source that were read.
        bytes: u64,
        /// What became of the games so far.
        progress: &'a Progress,
    },
    /// A game that is left out.
    Broken(Broken),
}

/// A game that could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Where in the file.
    pub line: u64,
    /// Why.
    pub why: Why,
}

/// Why a game could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is not PGN, or not chess.
    Pgn(PgnReason),
    /// The log does not take it.
    Log(Error),
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.why {
            Why::Pgn(reason) => write!(f, "line {}: {reason}", self.line),
            Why::Log(error) => write!(f, "line {}: {error}", self.line),
        }
    }
}

/// Imports a file. A second call after an interruption goes on behind what is in the log; a
/// second call after the end finds nothing but duplicates.
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
/// The report may end the import between two batches; it then returns as after an interruption.
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
    let source = Counted { source, bytes: Arc::clone(&bytes) };
    std::thread::scope(|scope| {
        // Two batches ahead: enough to keep both threads at work.
        let (sender, pieces) = sync_channel(2);
        scope.spawn(move || read(source, skip, options, &sender));
        write(store, options, &pieces, &mut progress, &bytes, report)?;
        Ok(progress)
    })
}

/// What the reading thread hands over.
enum Piece {
    /// Games, those that are broken, and how many were seen for them.
    Games(Vec<Imported>, Vec<Broken>, u64),
    Failed(io::ErrorKind),
    End,
}

fn write(
    store: &dyn Store,
    options: &ImportOptions,
    pieces: &Receiver<Piece>,
    progress: &mut Progress,
    bytes: &AtomicU64,
    report: &mut dyn FnMut(Report<'_>) -> ControlFlow<()>,
) -> Result<(), Error> {
    loop {
        let (games, broken) = match pieces.recv() {
            Ok(Piece::Games(games, broken, seen)) => {
                progress.seen += seen;
                (games, broken)
            }
            Ok(Piece::End) => {
                progress.finished = true;
                (Vec::new(), Vec::new())
            }
            Ok(Piece::Failed(kind)) => return Err(Error::Io(kind)),
            // The reader ends only after it has said so.
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

/// Reads until the end, or until nobody takes what was read.
fn read(source: impl Read, skip: u64, options: &ImportOptions, sender: &SyncSender<Piece>) {
    let keep = match options.annotations {
        Annotations::Keep => Keep::Everything,
        Annotations::Drop => Keep::Moves,
    };
    let mut reader = Reader::new(source).keep(keep).lenient();
    // Games that are in the log are read once more, but not written: reading is the small part.
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
            Some(Ok(ref game)) => match imported(game, options) {
                Ok(game) => {
                    bytes += weight(&game);
                    games.push(game);
                }
                Err(error) => broken.push(Broken { line: game.line, why: Why::Log(error) }),
            },
            Some(Err(pgn::PgnError { reason: PgnReason::Read(kind), .. })) => {
                let _ = sender.send(Piece::Failed(kind));
                return;
            }
            Some(Err(error)) => {
                broken.push(Broken { line: error.line, why: Why::Pgn(error.reason) });
            }
            None => {}
        }
        let seen = games.len() + broken.len();
        if seen >= most || bytes >= HEAVIEST || (next.is_none() && seen > 0) {
            let piece =
                Piece::Games(std::mem::take(&mut games), std::mem::take(&mut broken), seen as u64);
            bytes = 0;
            if sender.send(piece).is_err() {
                return;
            }
        }
        if next.is_none() {
            let _ = sender.send(Piece::End);
            return;
        }
    }
}

/// A batch is full with so many bytes of text, however few its games are.
const HEAVIEST: usize = 8 * 1024 * 1024;

/// About the memory of what can be long.
fn weight(game: &Imported) -> usize {
    let headers: usize = game.summary.headers.iter().map(|(k, v)| k.len() + v.len()).sum();
    let annotations = game.summary.annotations.as_ref().map_or(0, String::len);
    headers + annotations + game.note.as_ref().map_or(0, String::len)
}

fn imported(game: &pgn::Record, options: &ImportOptions) -> Result<Imported, Error> {
    let mut game = convert::from_pgn(game);
    if options.annotations == Annotations::Drop {
        // The reader leaves out comments and variations, but not signs.
        game.summary.annotations = None;
    }
    game.summary.visibility = options.visibility;
    if let Some(look) = options.look {
        look(&mut game);
    }
    game.limits()?;
    Ok(game)
}

/// Counts what goes through it.
struct Counted<R> {
    source: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
