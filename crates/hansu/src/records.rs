//! `hansu records`: copies a whole log to another address.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use hansu_records::carry::{CopyOutcome, Stage, copy};
use hansu_words::Lang;
use indicatif::{ProgressBar, ProgressStyle};

use crate::INTERRUPTED;
use crate::log_address::LogAddress;
use crate::log_error::log_error;

/// The log as a whole: copy it to another place
#[derive(Subcommand)]
pub(crate) enum Records {
    Copy(Copy),
}

/// Copy a log into an empty one, from a file into a database or back
///
/// Nothing should write to either of them meanwhile. A copy that was interrupted goes on where it
/// was. In the end both logs are read and compared row by row. Exit status: 0 if they are the same,
/// 1 if not, 2 if the input cannot be used.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu records copy --from games.db --to postgres://hansu@db.example/hansu
  hansu records copy --from postgres://hansu@db.example/hansu --to backup.db

The password of a database is taken from PGPASSWORD: in an address others could see it.")]
pub(crate) struct Copy {
    /// The log to copy: a file, or postgres://user@host/database
    #[arg(long, value_name = "FILE|URL")]
    from: LogAddress,

    /// The log that is made: a file, or postgres://user@host/database
    #[arg(long, value_name = "FILE|URL")]
    to: LogAddress,
}

impl Records {
    pub(crate) fn run(&self, lang: Lang, out: &mut impl Write) -> Result<ExitCode> {
        let Records::Copy(copy) = self;
        copy.run(lang, out)
    }
}

/// A sentence of this command.
enum Sentence<'a> {
    NoSource(&'a str),
    Same { games: u64, events: u64, hash: u128 },
    Differs(u64),
    NotEmpty(&'a str),
    Stopped,
    Failed(&'a str, &'a str),
    Copying,
    Comparing,
}

impl Sentence<'_> {
    fn text(&self, lang: Lang) -> String {
        match (self, lang) {
            (Sentence::NoSource(file), Lang::En) => format!("there is no log at {file}"),
            (Sentence::NoSource(file), Lang::Ko) => format!("기록이 없어요: {file}"),
            (Sentence::Same { games, events, hash }, Lang::En) => {
                format!("Both logs are the same: {games} games, {events} events, hash {hash:032x}.")
            }
            (Sentence::Same { games, events, hash }, Lang::Ko) => {
                format!("두 기록이 똑같아요: 게임 {games}판, 사건 {events}개, 해시 {hash:032x}.")
            }
            (Sentence::Differs(rows), Lang::En) => format!(
                "{rows} rows differ. Was one of the logs written to meanwhile? Copy again into an \
                 empty one."
            ),
            (Sentence::Differs(rows), Lang::Ko) => format!(
                "{rows}줄이 달라요. 복사하는 동안 누가 기록을 썼나요? 빈 기록에 다시 복사해 주세요."
            ),
            (Sentence::NotEmpty(place), Lang::En) => {
                format!("{place} has records of its own. Copy into an empty log.")
            }
            (Sentence::NotEmpty(place), Lang::Ko) => {
                format!("이미 다른 기록이 있어요: {place}. 빈 기록에 복사해 주세요.")
            }
            (Sentence::Stopped, Lang::En) => {
                "Interrupted. What was copied stays; run the same command to go on.".to_owned()
            }
            (Sentence::Stopped, Lang::Ko) => {
                "중단했어요. 복사한 것은 그대로 있고, 같은 명령을 다시 실행하면 이어서 해요."
                    .to_owned()
            }
            (Sentence::Failed(place, why), _) => format!("{place}: {why}"),
            (Sentence::Copying, Lang::En) => "copying".to_owned(),
            (Sentence::Copying, Lang::Ko) => "복사".to_owned(),
            (Sentence::Comparing, Lang::En) => "comparing".to_owned(),
            (Sentence::Comparing, Lang::Ko) => "비교".to_owned(),
        }
    }
}

impl Copy {
    fn run(&self, lang: Lang, out: &mut impl Write) -> Result<ExitCode> {
        let complain = |say: Sentence<'_>| {
            // Nothing is left to do if even standard error is closed.
            let _ = writeln!(io::stderr(), "error: {}", say.text(lang));
            ExitCode::FAILURE
        };
        if let LogAddress::File(file) = &self.from
            && !file.is_file()
        {
            return Err(anyhow::anyhow!(
                Sentence::NoSource(&file.display().to_string()).text(lang)
            ));
        }
        let mut logs = Vec::new();
        for address in [&self.from, &self.to] {
            match address.open() {
                Ok(log) => logs.push(log),
                Err(error) => {
                    return Ok(complain(Sentence::Failed(
                        &address.redacted(),
                        &log_error(error, lang),
                    )));
                }
            }
        }
        let stop = watch_interrupt();
        let bar = progress_bar()?;
        let mut report = |stage: Stage| {
            let (say, games, all) = match stage {
                Stage::Copying { games, all } => (Sentence::Copying, games, all),
                Stage::Comparing { games, all } => (Sentence::Comparing, games, all),
            };
            bar.set_prefix(say.text(lang));
            bar.set_length(all.max(games));
            bar.set_position(games);
            if stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let copied = copy(&*logs[0], &*logs[1], &mut report);
        bar.finish_and_clear();
        Ok(match copied {
            Ok(CopyOutcome::Same { games, events, hash }) => {
                writeln!(out, "{}", Sentence::Same { games, events, hash }.text(lang))?;
                ExitCode::SUCCESS
            }
            Ok(CopyOutcome::Differs { rows }) => complain(Sentence::Differs(rows)),
            Ok(CopyOutcome::NotEmpty) => complain(Sentence::NotEmpty(&self.to.redacted())),
            Ok(CopyOutcome::Stopped) => {
                writeln!(out, "{}", Sentence::Stopped.text(lang))?;
                ExitCode::from(INTERRUPTED)
            }
            Err(error) => {
                let places = format!("{} → {}", self.from.redacted(), self.to.redacted());
                complain(Sentence::Failed(&places, &log_error(error, lang)))
            }
        })
    }
}

/// A progress bar on standard error; hidden unless that is a terminal.
fn progress_bar() -> Result<ProgressBar> {
    let style = ProgressStyle::with_template("{prefix} {bar:24} {pos}/{len} {per_sec} {eta}")
        .context("the progress bar is badly drawn")?;
    Ok(ProgressBar::new(0).with_style(style))
}

/// Returns a flag that Ctrl-C sets; the copy then ends between two batches.
fn watch_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    // If no handler can be set, Ctrl-C ends the program at once, which both logs survive.
    drop(ctrlc::set_handler(move || seen.store(true, Ordering::Relaxed)));
    stop
}
