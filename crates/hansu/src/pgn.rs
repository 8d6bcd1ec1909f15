//! `hansu pgn check`: replays every game of PGN files and reports the broken ones.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use hansu_chess::pgn::{GameResult, Keep, PgnError, PgnReason, Reader};
use hansu_words::Lang;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Serialize, Serializer};

use crate::BAD_INPUT;

/// Work with files of games
#[derive(Subcommand)]
pub(crate) enum Pgn {
    Check(Check),
}

/// Replay every game of PGN files and report the broken ones
///
/// Files may be of any size. The main line of each game is played by the rules; comments and
/// variations must be well written, but their moves are not judged. Exit status: 0 if all games
/// are good, 2 if one is broken or a file cannot be read.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu pgn check games.pgn
  hansu pgn check --json *.pgn
  hansu pgn check --lenient chessbase.pgn
  zcat games.pgn.gz | hansu pgn check -")]
pub(crate) struct Check {
    /// The files; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Take what other programs write, as the import does: UCI and long algebraic moves, null
    /// moves (the line ends there), evaluation signs, variations with illegal moves
    #[arg(long)]
    lenient: bool,

    /// Write {"errors":[{"file":…,"line":…,"text":…}, …],"games":…, …}
    #[arg(long)]
    json: bool,
}

/// The counts over all files.
#[derive(Default, Serialize)]
struct Totals {
    games: u64,
    plies: u64,
    results: Results,
    broken: u64,
    unreadable: u64,
    /// Games that only lenient reading accepts; None for strict reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    mended: Option<u64>,
}

/// Games by result, in the order of [`GameResult::ALL`].
#[derive(Default)]
struct Results([u64; GameResult::ALL.len()]);

impl Results {
    fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        GameResult::ALL.map(GameResult::text).into_iter().zip(self.0)
    }
}

impl Serialize for Results {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// A broken game, or a file that cannot be read; `line` is None for a file.
#[derive(Serialize)]
struct Fault<'a> {
    file: &'a str,
    line: Option<u64>,
    text: &'a str,
}

impl Pgn {
    pub(crate) fn run(&self, lang: Lang, out: &mut impl Write) -> Result<ExitCode> {
        match self {
            Pgn::Check(check) => check.run(lang, out),
        }
    }
}

impl Check {
    fn run(&self, lang: Lang, out: &mut impl Write) -> Result<ExitCode> {
        let mut report = Report { lang, json: self.json, faults: 0, out };
        let mut totals = Totals { mended: self.lenient.then_some(0), ..Totals::default() };
        report.open()?;
        for path in &self.files {
            check_file(path, &mut totals, &mut report)?;
        }
        report.close(&totals)?;
        let bad = totals.unreadable > 0 || totals.broken > 0;
        Ok(if bad { ExitCode::from(BAD_INPUT) } else { ExitCode::SUCCESS })
    }
}

impl Totals {
    fn add(&mut self, plies: u64, ended: GameResult) {
        self.games += 1;
        self.plies += plies;
        for (count, result) in self.results.0.iter_mut().zip(GameResult::ALL) {
            *count += u64::from(result == ended);
        }
    }
}

/// The plies of the next game's main line, and its result; None at the end. Strict reading stores
/// no moves, which is faster.
fn next_game(
    reader: &mut Reader<impl Read>,
    lenient: bool,
) -> Option<Result<(u64, GameResult), PgnError>> {
    Some(if lenient {
        reader.next_game()?.map(|game| (game.main.plies.len() as u64, game.result))
    } else {
        reader.next_replay()?.map(|game| (u64::from(game.plies), game.result))
    })
}

fn check_file(path: &Path, totals: &mut Totals, report: &mut Report<'_, impl Write>) -> Result<()> {
    let file = path.display().to_string();
    let (source, length) = match open(path) {
        Ok(opened) => opened,
        Err(error) => {
            totals.unreadable += 1;
            return report.write_unreadable(&file, &error.to_string(), &ProgressBar::hidden());
        }
    };
    let bar = progress_bar(&file, length)?;
    let mut reader = Reader::new(bar.wrap_read(source)).lenient().keep(Keep::Moves);
    while let Some(game) = next_game(&mut reader, totals.mended.is_some()) {
        match game {
            Ok((plies, result)) => totals.add(plies, result),
            Err(error) => {
                if let PgnReason::Read(kind) = error.reason {
                    totals.unreadable += 1;
                    report.write_unreadable(&file, &kind.to_string(), &bar)?;
                    break;
                }
                totals.broken += 1;
                report.write_broken(&file, error.line, error.reason, &bar)?;
            }
        }
    }
    bar.finish_and_clear();
    if let Some(mended) = &mut totals.mended {
        *mended += reader.mended();
    }
    Ok(())
}

/// Opens a file or standard input. Returns its length in bytes if known.
fn open(path: &Path) -> io::Result<(Box<dyn Read>, Option<u64>)> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin().lock()), None));
    }
    let file = File::open(path)?;
    let about = file.metadata()?;
    let length = about.is_file().then_some(about.len());
    Ok((Box::new(file), length))
}

/// A progress bar on standard error; hidden unless that is a terminal.
pub(crate) fn progress_bar(file: &str, length: Option<u64>) -> Result<ProgressBar> {
    let (bar, template) = match length {
        Some(length) => (
            ProgressBar::new(length),
            "{prefix} {bar:24} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
        ),
        None => (ProgressBar::new_spinner(), "{prefix} {spinner} {bytes} {bytes_per_sec}"),
    };
    let style =
        ProgressStyle::with_template(template).context("the progress bar is badly drawn")?;
    Ok(bar.with_style(style).with_prefix(file.to_owned()))
}

/// Writes faults as they are found, so that they do not fill the memory.
struct Report<'a, W> {
    lang: Lang,
    json: bool,
    faults: u64,
    out: &'a mut W,
}

impl<W: Write> Report<'_, W> {
    fn open(&mut self) -> Result<()> {
        if self.json {
            write!(self.out, "{{\"errors\":[")?;
        }
        Ok(())
    }

    fn write_broken(
        &mut self,
        file: &str,
        line: u64,
        why: PgnReason,
        bar: &ProgressBar,
    ) -> Result<()> {
        let text = self.lang.pgn_reason(why);
        if self.json {
            return self.write_fault(&Fault { file, line: Some(line), text: &text });
        }
        if bar.is_hidden() {
            writeln!(self.out, "{file}:{line}: {text}")?;
            return Ok(());
        }
        // The bar is hidden while the line is written; flush before it is drawn again.
        bar.suspend(|| {
            writeln!(self.out, "{file}:{line}: {text}")?;
            self.out.flush()
        })?;
        Ok(())
    }

    fn write_unreadable(&mut self, file: &str, text: &str, bar: &ProgressBar) -> Result<()> {
        bar.suspend(|| {
            // Nothing is left to do if even standard error is closed.
            let _ = match self.lang {
                Lang::En => writeln!(io::stderr(), "error: cannot read {file}: {text}"),
                Lang::Ko => writeln!(io::stderr(), "error: {file}: 읽을 수 없어요. ({text})"),
            };
        });
        if self.json {
            self.write_fault(&Fault { file, line: None, text })?;
        }
        Ok(())
    }

    fn write_fault(&mut self, fault: &Fault<'_>) -> Result<()> {
        let comma = if self.faults == 0 { "" } else { "," };
        self.faults += 1;
        write!(self.out, "{comma}{}", serde_json::to_string(fault)?)?;
        Ok(())
    }

    fn close(&mut self, totals: &Totals) -> Result<()> {
        if self.json {
            // The totals continue the object that `open` began.
            let object = serde_json::to_string(totals)?;
            writeln!(self.out, "],{}", object.trim_start_matches('{'))?;
            return Ok(());
        }
        let (games, plies, broken, mended) = match self.lang {
            Lang::En => ("games", "plies", "broken", "read leniently"),
            Lang::Ko => ("게임", "수 (백과 흑 따로)", "깨진 게임", "너그럽게 읽은 게임"),
        };
        let first = [(games, totals.games), (plies, totals.plies)];
        let lines = first.into_iter().chain(totals.results.iter()).chain([(broken, totals.broken)]);
        let lines = lines.chain(totals.mended.map(|count| (mended, count)));
        let width = totals.plies.max(totals.games).max(totals.broken).to_string().len();
        for (name, number) in lines {
            // The number comes first: padding by letters would misalign the wide Hangul names.
            writeln!(self.out, "{number:>width$} {name}")?;
        }
        Ok(())
    }
}
