//! `hansu games tag`, `note` and `delete`: changes to stored games.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use clap::{Args, FromArgMatches};
use hansu_records::stats::Viewer;
use hansu_records::store::LONGEST_NOTE;

use super::command_error::CommandError;
use super::list::write_games;
use super::text_table;
use super::words::Sentence;
use super::{Log, LogArgs};
use crate::start::quoted;

/// The longest answer to a question, in bytes.
const LONGEST_ANSWER: u64 = 1_024;

/// Put tags on a game, take them off, or show them
///
/// +WORD puts a tag on the game, -WORD takes it off. Without words the game's tags are shown,
/// without ID all tags of the log.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu games tag 3fK2 +favourite +endgame -draft
  hansu games tag 3fK2
  hansu games list --tag favourite")]
pub(super) struct Tag {
    /// The game's ID, or the beginning of it
    id: Option<String>,

    /// +WORD or -WORD
    #[arg(allow_hyphen_values = true, value_name = "+TAG|-TAG")]
    words: Vec<String>,
}

/// A change of a game's tags.
enum Change<'a> {
    Add(&'a str),
    Remove(&'a str),
}

impl Tag {
    /// Moves options of the log from the tags to `log`: since tags may begin with a dash, clap takes
    /// options behind them for tags.
    pub(super) fn with_moved_options(mut self, log: &mut LogArgs) -> Result<Tag, String> {
        let mut options = vec!["tag".to_owned()];
        let mut words = std::mem::take(&mut self.words).into_iter();
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                self.words.push(word);
                continue;
            }
            let value = if word.contains('=') { None } else { words.next() };
            options.extend([Some(word), value].into_iter().flatten());
        }
        let command = LogArgs::augment_args(clap::Command::new("tag"));
        let one_line = |error: &clap::Error| {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            line.trim_start_matches("error: ").to_owned()
        };
        let matches = command.try_get_matches_from(options).map_err(|error| one_line(&error))?;
        let more = LogArgs::from_arg_matches(&matches).map_err(|error| one_line(&error))?;
        log.data = more.data.or(log.data.take());
        log.database = more.database.or(log.database.take());
        log.lang = more.lang.or(log.lang);
        Ok(self)
    }

    pub(super) fn run(&self, log: &Log, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        let Some(id) = &self.id else { return write_all(log, out) };
        let record = log.game(id)?;
        // All changes are parsed before the first is made.
        let changes: Vec<Change<'_>> =
            self.words.iter().map(|word| change(word, log)).collect::<Result<_, _>>()?;
        for change in &changes {
            match change {
                Change::Add(tag) => log.store.tag(None, record.id, tag)?,
                Change::Remove(tag) => log.store.untag(None, record.id, tag)?,
            }
        }
        let record = log.game(record.id.as_str())?;
        if record.tags.is_empty() {
            writeln!(out, "{}", log.text(Sentence::NoTags(record.id.as_str())))?;
        }
        for tag in &record.tags {
            writeln!(out, "{tag}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn change<'a>(word: &'a str, log: &Log) -> Result<Change<'a>, CommandError> {
    let (tag, change): (&str, fn(&'a str) -> Change<'a>) = match word.strip_prefix('-') {
        Some(tag) => (tag, Change::Remove),
        None => (word.strip_prefix('+').unwrap_or(word), Change::Add),
    };
    let tag = tag.trim();
    // In PGN, commas separate tags.
    if tag.is_empty() || tag.contains(',') || tag.chars().any(char::is_control) {
        return Err(log.refuse(Sentence::BadTag(&quoted(word))));
    }
    Ok(change(tag))
}

fn write_all(log: &Log, out: &mut impl Write) -> Result<ExitCode, CommandError> {
    let tags = log.store.tags(Viewer::Keeper)?;
    if tags.is_empty() {
        writeln!(out, "{}", log.text(Sentence::NoTagsAtAll))?;
    }
    let widest = tags.iter().map(|(_, games)| games.to_string().len()).max().unwrap_or(0);
    for (tag, games) in tags {
        writeln!(out, "{games:>widest$}  {tag}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Write a note about a game, or show it
///
/// An empty text ("") takes the note away; - reads the text from standard input.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu games note 3fK2 \"the day of the storm\"
  hansu games note 3fK2")]
pub(super) struct Note {
    /// The game's ID, or the beginning of it
    id: String,

    /// The note
    text: Vec<String>,
}

impl Note {
    pub(super) fn run(&self, log: &Log, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        let record = log.game(&self.id)?;
        let text = match &self.text[..] {
            [] => {
                let none = || log.text(Sentence::NoNote(record.id.as_str()));
                writeln!(out, "{}", record.note.clone().unwrap_or_else(none))?;
                return Ok(ExitCode::SUCCESS);
            }
            [dash] if dash == "-" => standard_input(log)?,
            words => words.join(" "),
        };
        let text = text.trim();
        log.store.note(None, record.id, text)?;
        let done = if text.is_empty() { Sentence::NoteRemoved } else { Sentence::NoteKept };
        writeln!(out, "{}", log.text(done))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Reads standard input up to one byte more than the longest note; the log refuses a longer note.
fn standard_input(log: &Log) -> Result<String, CommandError> {
    let mut text = String::new();
    let most = LONGEST_NOTE as u64 + 1;
    let read = io::stdin().lock().take(most).read_to_string(&mut text);
    read.map_err(|error| log.refuse(Sentence::CannotRead("-", &error.to_string())))?;
    Ok(text)
}

/// Delete games for good; asks first
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu games delete 3fK2
  hansu games delete 3fK2 3fQ8 --yes")]
pub(super) struct Delete {
    /// The games' IDs, or the beginnings of them
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,

    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

impl Delete {
    pub(super) fn run(&self, log: &Log, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        let records =
            self.ids.iter().map(|id| log.game(id)).collect::<Result<Vec<_>, CommandError>>()?;
        for record in records {
            if !self.yes {
                write_games(log, std::slice::from_ref(&record), text_table::line_width(), out)?;
                write!(out, "{} ", log.text(Sentence::DeleteThis))?;
                out.flush()?;
                if !confirms() {
                    writeln!(out, "{}", log.text(Sentence::Kept))?;
                    continue;
                }
            }
            log.store.delete(record.id)?;
            writeln!(out, "{}", log.text(Sentence::Deleted(record.id.as_str())))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns true if the next line of standard input says yes. Everything else means no.
fn confirms() -> bool {
    let mut answer = Vec::new();
    let read = io::stdin().lock().take(LONGEST_ANSWER).read_until(b'\n', &mut answer);
    let answer = String::from_utf8_lossy(&answer).trim().to_lowercase();
    read.is_ok() && matches!(answer.as_str(), "y" | "yes" | "네" | "예" | "ㅇ" | "ㅇㅇ" | "응")
}
