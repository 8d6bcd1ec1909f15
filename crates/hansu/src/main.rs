//! The `hansu` binary: parses the arguments and runs a command.

mod arena;
mod board;
mod connection;
mod folder_lock;
mod games;
mod join;
mod log_address;
mod log_error;
mod moves;
mod network;
mod page;
mod perft;
mod pgn;
mod records;
mod remote;
mod seats;
mod serve;
mod start;
mod terminal;
mod watchdog;
mod why;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use hansu_words::Lang;

/// Exit status for input that cannot be used; clap uses the same for arguments.
const BAD_INPUT: u8 = 2;

/// Exit status after Ctrl-C, as shells expect it: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

/// Chess in one file; without a command, a game for two in the terminal.
#[derive(Parser)]
#[command(name = "hansu", version, about = ABOUT)]
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    play: terminal::Play,
}

/// With the example above the commands the help is a line shorter than with one below.
const ABOUT: &str = "\
Chess in one file; without a command, a game for two in the terminal.
Example: hansu serve --open   opens the board in the browser";

#[derive(Subcommand)]
enum Command {
    Board(board::Board),
    Resume(terminal::Resume),
    Serve(serve::Serve),
    Join(join::Join),
    Invite(join::Invite),
    Games(Box<games::Games>),
    Analyse(Box<games::Analyse>),
    Arena(Box<arena::Arena>),
    #[command(subcommand)]
    Records(records::Records),
    Moves(moves::Moves),
    Why(why::Why),
    Perft(perft::Perft),
    /// The computer for other programs: UCI on standard input and output
    Uci,
    #[command(subcommand)]
    Pgn(pgn::Pgn),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = BufWriter::new(io::stdout());
    let done = run(cli, &mut out).and_then(|status| {
        out.flush()?;
        Ok(status)
    });
    match done {
        Ok(status) => status,
        // The reader closed the pipe, as in `hansu moves | head -1`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if even standard error is closed.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn run(cli: Cli, out: &mut impl Write) -> Result<ExitCode> {
    let lang = locale();
    match cli.command {
        Some(Command::Board(command)) => command.run(lang)?,
        Some(Command::Join(command)) => command.run(out)?,
        Some(Command::Invite(command)) => command.run(out)?,
        Some(Command::Serve(command)) => command.run(lang, out)?,
        Some(Command::Games(command)) => return command.run(lang, out),
        Some(Command::Analyse(command)) => return command.run(lang, out),
        Some(Command::Arena(command)) => return command.run(lang, out),
        Some(Command::Records(command)) => return command.run(lang, out),
        Some(Command::Moves(command)) => command.run(lang, out)?,
        Some(Command::Why(command)) => command.run(lang, out)?,
        Some(Command::Perft(command)) => command.run(lang, out)?,
        Some(Command::Uci) => {
            hansu_engine::run_uci(io::BufReader::new(io::stdin()), io::stdout())?;
        }
        Some(Command::Pgn(command)) => return command.run(lang, out),
        Some(Command::Resume(command)) => return command.run(out),
        None => return cli.play.run(out),
    }
    Ok(ExitCode::SUCCESS)
}

/// The language that the environment asks for.
fn locale() -> Lang {
    let value = |name| std::env::var(name).ok();
    Lang::from_locale(
        value("LC_ALL").as_deref(),
        value("LC_MESSAGES").as_deref(),
        value("LANG").as_deref(),
    )
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
