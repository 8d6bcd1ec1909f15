//! `hansu games`: the log on the command line.

mod against;
mod analyse;
mod board;
mod change;
mod command_error;
mod export;
mod filters;
mod import;
mod list;
mod playthrough;
mod replay;
mod screen;
mod show;
mod stats;
mod text_table;
mod timing;
mod words;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};
use hansu_records::{Error, GameId, Record, Store, data_dir, log_file};
use hansu_words::Lang;

pub(crate) use self::analyse::Analyse;
use self::command_error::CommandError;
use self::words::Sentence;
use crate::log_address::{LogAddress, database};
use crate::start::quoted;
use crate::why::languages;

/// The most games that the message for an ambiguous id lists.
const CANDIDATES: usize = 4;

/// The log of all games: list, show, replay, import, export, count
///
/// Every game that is played or imported is kept. A game is named by the first letters of its ID,
/// as many as no other game shares. Exit status: 0 if all went well, 1 if something failed or a
/// game of a file is broken, 2 if the input cannot be used.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu games list --player Mina --since 2026-01
  hansu games show 3fK2
  hansu games import club.pgn
  hansu games stats Mina --versus Jun
  hansu games list --database postgres://hansu@db/hansu")]
pub(crate) struct Games {
    #[command(flatten)]
    log: LogArgs,

    #[command(subcommand)]
    command: Command,
}

/// The options for the log and the language. They have ids of their own: for an equal id clap would
/// pass down the default of the terminal game's option.
#[derive(Args, Clone, Default)]
struct LogArgs {
    /// The folder of the log [default: HANSU_DATA, else the system's folder for data]
    #[arg(id = "games-data", long = "data", value_name = "DIR", global = true)]
    data: Option<PathBuf>,

    /// A PostgreSQL database instead of a folder; its password is taken from the address or from
    /// PGPASSWORD
    #[arg(
        id = "games-database",
        long = "database",
        value_name = "URL",
        global = true,
        conflicts_with = "games-data",
        value_parser = database
    )]
    database: Option<LogAddress>,

    /// The language of messages [default: Korean in a Korean locale, else English]
    #[arg(id = "games-lang", long = "lang", value_name = "LANG", value_parser = languages(), global = true)]
    lang: Option<Lang>,
}

#[derive(Subcommand)]
enum Command {
    List(list::List),
    Show(show::Show),
    Replay(replay::Replay),
    Export(export::Export),
    Import(import::Import),
    Tag(change::Tag),
    Note(change::Note),
    Delete(change::Delete),
    Stats(stats::Stats),
}

impl Games {
    pub(crate) fn run(self, locale: Lang, out: &mut impl Write) -> Result<ExitCode> {
        let Games { mut log, command } = self;
        let command = match command {
            Command::Tag(tag) => match tag.with_moved_options(&mut log) {
                Ok(tag) => Command::Tag(tag),
                Err(text) => return Err(anyhow!(text)),
            },
            other => other,
        };
        let lang = log.lang.unwrap_or(locale);
        let done = Log::open(log, lang).and_then(|log| match command {
            Command::List(command) => command.run(&log, out),
            Command::Show(command) => command.run(&log, out),
            Command::Replay(command) => command.run(&log, out),
            Command::Export(command) => command.run(&log, out),
            Command::Import(command) => command.run(&log, out),
            Command::Tag(command) => command.run(&log, out),
            Command::Note(command) => command.run(&log, out),
            Command::Delete(command) => command.run(&log, out),
            Command::Stats(command) => command.run(&log, out),
        });
        exit_status(done, lang, out)
    }
}

/// The exit status of a command. Writes the message of a failure.
fn exit_status(
    done: Result<ExitCode, CommandError>,
    lang: Lang,
    out: &mut impl Write,
) -> Result<ExitCode> {
    match done {
        Ok(status) => Ok(status),
        Err(CommandError::Input(text)) => Err(anyhow!(text)),
        Err(CommandError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Err(error.into())
        }
        Err(stop) => {
            // The output before the failure comes first.
            let _ = out.flush();
            complain(&stop.text(lang));
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Writes one line to standard error.
fn complain(text: &str) {
    // Nothing is left to do if even standard error is closed.
    let _ = writeln!(io::stderr(), "error: {text}");
}

/// An open log, and the language of messages.
struct Log {
    store: Arc<dyn Store>,
    lang: Lang,
}

impl Log {
    fn open(log: LogArgs, lang: Lang) -> Result<Log, CommandError> {
        let address = match log.database {
            Some(address) => address,
            None => {
                let folder = data_dir(log.data, std::env::var_os("HANSU_DATA"))?;
                LogAddress::File(log_file(&folder))
            }
        };
        Ok(Log { store: address.open()?, lang })
    }

    /// The text of a sentence in the user's language.
    fn text(&self, message: Sentence<'_>) -> String {
        message.text(self.lang)
    }

    /// The error for input that cannot be used.
    fn refuse(&self, message: Sentence<'_>) -> CommandError {
        CommandError::Input(self.text(message))
    }

    /// The one game whose id begins with this text.
    fn game(&self, beginning: &str) -> Result<Record, CommandError> {
        let found = self.store.find(beginning, CANDIDATES + 1)?;
        match found[..] {
            [] => Err(self.refuse(Sentence::NoSuchGame(&quoted(beginning)))),
            [id] => self.store.record(id)?.ok_or(CommandError::Log(Error::NoSuchGame)),
            _ => {
                let mut names: Vec<&str> =
                    found.iter().take(CANDIDATES).map(GameId::as_str).collect();
                if found.len() > CANDIDATES {
                    names.push("…");
                }
                Err(self.refuse(Sentence::SeveralGames(&quoted(beginning), &names.join(", "))))
            }
        }
    }

    /// The message when no game passes a filter: the log is empty, or the filter is too narrow.
    fn no_games_text(&self, filter: &hansu_records::Filter) -> Result<String, CommandError> {
        let unfiltered = *filter == hansu_records::Filter::default();
        let empty = unfiltered || self.store.count(&hansu_records::Filter::default())? == 0;
        Ok(self.text(if empty { Sentence::EmptyLog } else { Sentence::NonePasses }))
    }
}
