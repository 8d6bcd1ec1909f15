//! `hansu games export`: games of the log as a PGN file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hansu_records::{Error, Filter, Order, export};

use super::Log;
use super::command_error::CommandError;
use super::filters::Filters;
use super::words::Sentence;

/// Write games as PGN, the first game first
///
/// The file is complete or it is not there: it takes its name when all games are in it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu games export all.pgn
  hansu games export --player Mina --since 2026 > mina.pgn")]
pub(super) struct Export {
    /// The file [default: standard output]
    file: Option<PathBuf>,

    #[command(flatten)]
    filters: Filters,
}

impl Export {
    pub(super) fn run(&self, log: &Log, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        let filter = self.filters.filter(log)?;
        match self.file.as_deref().filter(|file| *file != Path::new("-")) {
            None => {
                let games = write_games(log, &filter, &mut *out)?;
                if games == 0 {
                    // Standard output is for the games.
                    let _ = writeln!(io::stderr(), "{}", log.no_games_text(&filter)?);
                }
            }
            Some(path) => {
                let games = write_file(log, &filter, path)?;
                let file = path.display().to_string();
                writeln!(out, "{}", log.text(Sentence::Exported { games, file: &file }))?;
                if games == 0 {
                    writeln!(out, "{}", log.no_games_text(&filter)?)?;
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn write_games(log: &Log, filter: &Filter, out: impl Write) -> Result<u64, CommandError> {
    // `export` reports only the kind of a write error.
    export(&*log.store, filter, Order::Oldest, out, &mut |_| {}).map_err(|error| match error {
        Error::Io(kind) => CommandError::Output(kind.into()),
        other => CommandError::Log(other),
    })
}

fn write_file(log: &Log, filter: &Filter, path: &Path) -> Result<u64, CommandError> {
    let failed = |error: &dyn std::fmt::Display| {
        let file = path.display().to_string();
        CommandError::Failure(log.text(Sentence::CannotWrite(&file, &error.to_string())))
    };
    // A pipe or a device cannot be replaced by a file.
    let special = fs::metadata(path).is_ok_and(|about| !about.is_file());
    let target = if special { path.to_path_buf() } else { temporary_path(path) };
    let file = File::create(&target).map_err(|error| failed(&error))?;
    let mut file = BufWriter::new(file);
    let games = write_games(log, filter, &mut file).and_then(|games| {
        file.flush()?;
        if !special {
            file.get_ref().sync_all()?;
            fs::rename(&target, path)?;
        }
        Ok(games)
    });
    if games.is_err() && !special {
        // The first error is reported, not this one.
        let _ = fs::remove_file(&target);
    }
    games.map_err(|stop| match stop {
        CommandError::Output(error) => failed(&error),
        other => other,
    })
}

/// A temporary name in the same folder, used until the file is complete.
fn temporary_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}
