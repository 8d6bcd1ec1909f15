//! `hansu games import`: PGN files into the log.

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use hansu_records::store::Progress;
use hansu_records::{
    Annotations, BrokenGame, BrokenReason, Error, ImportOptions, Report, import, import_file,
};
use indicatif::ProgressBar;

use super::command_error::CommandError;
use super::words::Sentence;
use super::{Log, complain};
use crate::{BAD_INPUT, INTERRUPTED};

/// Take the games of PGN files into the log
///
/// Files may be of any size. Games that are in the log already are recognised; broken ones are
/// reported with their line, and the others are taken. An interrupted import goes on where it
/// was. Exit status: 0 if all games are in the log, 1 if one is broken, 2 if a file cannot be
/// read.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu games import club.pgn old/*.pgn
  zcat games.pgn.gz | hansu games import -")]
pub(super) struct Import {
    /// The files; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Leave comments, signs and variations out
    #[arg(long)]
    moves_only: bool,
}

/// The counts over all files.
#[derive(Default)]
struct Totals {
    added: u64,
    duplicates: u64,
    broken: u64,
    unreadable: u64,
}

impl Import {
    pub(super) fn run(&self, log: &Log, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        let stop = watch_interrupt(log);
        let mut totals = Totals::default();
        for path in &self.files {
            if self.import(path, log, &stop, &mut totals)?.is_break() {
                writeln!(out, "{}", summary(log, &totals))?;
                writeln!(out, "{}", log.text(Sentence::Interrupted))?;
                return Ok(ExitCode::from(INTERRUPTED));
            }
        }
        writeln!(out, "{}", summary(log, &totals))?;
        Ok(match totals {
            Totals { unreadable: 1.., .. } => ExitCode::from(BAD_INPUT),
            Totals { broken: 1.., .. } => ExitCode::FAILURE,
            _ => ExitCode::SUCCESS,
        })
    }

    fn import(
        &self,
        path: &Path,
        log: &Log,
        stop: &AtomicBool,
        totals: &mut Totals,
    ) -> Result<ControlFlow<()>, CommandError> {
        let file = path.display().to_string();
        let options = ImportOptions {
            annotations: if self.moves_only { Annotations::Drop } else { Annotations::Keep },
            ..ImportOptions::default()
        };
        let unreadable = |why: &dyn std::fmt::Display, totals: &mut Totals| {
            totals.unreadable += 1;
            complain(&log.text(Sentence::CannotRead(&file, &why.to_string())));
            Ok(ControlFlow::Continue(()))
        };
        let standard_input = path == Path::new("-");
        let length = match length(path) {
            Ok(length) => length,
            Err(error) => return unreadable(&error, totals),
        };
        let bar = crate::pgn::progress_bar(&file, length)
            .map_err(|error| CommandError::Failure(error.to_string()))?;
        let mut reached = Progress::default();
        let mut report = |report: Report<'_>| {
            match report {
                Report::Progress { bytes, progress } => {
                    bar.set_position(bytes);
                    reached = progress.clone();
                }
                Report::Broken(broken) => report_broken(&file, broken, log, &bar),
            }
            // Stop only between batches: the broken games of a stored batch are all reported.
            let between = matches!(report, Report::Progress { .. });
            if between && stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let done = if standard_input {
            import(&*log.store, io::stdin(), &options, &mut report)
        } else {
            import_file(&*log.store, path, &options, &mut report)
        };
        bar.finish_and_clear();
        let progress = match done {
            Ok(progress) => progress,
            Err(Error::Io(kind)) => {
                totals.add(&reached);
                return unreadable(&kind, totals);
            }
            Err(error) => {
                totals.add(&reached);
                let _ = writeln!(io::stderr(), "{}", summary(log, totals));
                return Err(error.into());
            }
        };
        totals.add(&progress);
        Ok(if progress.finished { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    }
}

impl Totals {
    fn add(&mut self, progress: &Progress) {
        self.added += progress.added;
        self.duplicates += progress.duplicates;
        self.broken += progress.broken;
    }
}

fn summary(log: &Log, totals: &Totals) -> String {
    let &Totals { added, duplicates, broken, .. } = totals;
    log.text(Sentence::Imported { added, duplicates, broken })
}

/// The length of a file in bytes; None for standard input and devices.
fn length(path: &Path) -> io::Result<Option<u64>> {
    if path == Path::new("-") {
        return Ok(None);
    }
    let about = File::open(path)?.metadata()?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(about.is_file().then_some(about.len()))
}

fn report_broken(file: &str, broken: BrokenGame, log: &Log, bar: &ProgressBar) {
    let text = match broken.why {
        BrokenReason::Pgn(reason) => log.lang.pgn_reason(reason),
        BrokenReason::Log(error) => hansu_journal::log_error(error, log.lang),
    };
    bar.suspend(|| {
        // The import continues even if standard error is closed.
        let _ = writeln!(io::stderr(), "{file}:{}: {text}", broken.line);
    });
}

/// Returns a flag that Ctrl-C sets; the import then ends between two batches. A second Ctrl-C ends
/// the program at once; everything that was reported is stored.
fn watch_interrupt(log: &Log) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let (seen, stopping) = (Arc::clone(&stop), log.text(Sentence::Stopping));
    let watched = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            #[allow(clippy::exit)] // the only way out while a read blocks
            std::process::exit(i32::from(INTERRUPTED));
        }
        let _ = writeln!(io::stderr(), "\n{stopping}");
    });
    // If no handler can be set, Ctrl-C ends the program at once, which the log survives.
    drop(watched);
    stop
}
