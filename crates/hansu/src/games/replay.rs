//! `hansu games replay`: a game again, move by move.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use hansu_records::Record;

use super::board;
use super::command_error::CommandError;
use super::playthrough::Playthrough;
use super::screen::{self, Pace};
use super::show::read_ply;
use super::words::{Label, Sentence};
use super::{Log, timing};
use crate::start::quoted;

/// The time for each move of a game without recorded times.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Replay a game in the terminal, step by step or by itself
///
/// Keys: right or space next, left back, Home and End, up and down five moves, a automatic,
/// + and - speed, f flip, q quit. Without a terminal all boards are written one after another.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu games replay 3fK2
  hansu games replay 3fK2 --auto --speed 10
  hansu games replay 3fK2 | less")]
pub(super) struct Replay {
    /// The game's ID, or the beginning of it
    id: String,

    /// Begin by itself, with the time that each move took
    #[arg(long)]
    auto: bool,

    /// This many times faster
    #[arg(long, value_name = "X", default_value = "1")]
    speed: String,

    /// Begin after this many plies
    #[arg(long, value_name = "PLY", default_value = "0")]
    from: String,
}

impl Replay {
    pub(super) fn run(&self, log: &Log, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        let record = log.game(&self.id)?;
        let playthrough = Playthrough::of(&record, log)?;
        let from = read_ply(&self.from, playthrough.moves.len(), log)?;
        let speed = self.speed.parse().ok().filter(|speed| (0.01..=1000.0).contains(speed));
        let speed = speed.ok_or_else(|| log.refuse(Sentence::BadSpeed(&quoted(&self.speed))))?;
        if !io::stdout().is_terminal() {
            write_all(&record, &playthrough, from, log, out)?;
            return Ok(ExitCode::SUCCESS);
        }
        let (waits, pace) = match timing::waits(&record, log)? {
            Some(waits) => (waits, Pace::Recorded),
            None => (vec![DEFAULT_TIME; playthrough.moves.len()], Pace::Even),
        };
        let mut show = screen::ReplayScreen::new(log.lang, &record, &playthrough, &waits, pace);
        show.begin(from, speed);
        if self.auto {
            show.start();
        }
        let shown = screen::run(&mut show, out);
        shown.map_err(|error| {
            CommandError::Failure(log.text(Sentence::NoTerminal(&error.to_string())))
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes all boards, each under its move.
fn write_all(
    record: &Record,
    playthrough: &Playthrough,
    from: usize,
    log: &Log,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    for ply in from..=playthrough.moves.len() {
        let (position, last) = playthrough.at(ply);
        let start = || Label::Start.text(log.lang).to_owned();
        writeln!(out, "{}", last.map_or_else(start, super::playthrough::PlayedMove::caption))?;
        writeln!(out, "{}", board::plain(position))?;
    }
    writeln!(out, "{}", record.summary.score)?;
    Ok(())
}
