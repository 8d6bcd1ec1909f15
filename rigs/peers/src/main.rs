//! Measures Hansu's rules library against other libraries and prints tables.

mod arguments;
mod builds;
mod clock;

mod games;
mod hansu;
mod instructions;
mod notation;
mod perft;
mod pgn;
mod positions;
mod race;
mod report;
mod rivals;

mod statistics;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;

use crate::arguments::{Arguments, Command, Options};
use crate::perft::Leaf;
use crate::report::Report;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let options = &arguments.options;
    let mut report = Report::new(options);
    match &arguments.command {
        Command::Count(count) => return count.run(),
        Command::Perft => report.add(perft::table(Leaf::Counted, options)?),
        Command::Leaves => report.add(perft::table(Leaf::Made, options)?),
        Command::San => report.add(notation::san(options)?),
        Command::Fen => report.add(notation::fen(options)?),
        Command::Pgn => report.add(pgn::table(options)?),
        Command::Instructions => {
            for leaf in [Leaf::Counted, Leaf::Made] {
                report.add(instructions::table(leaf)?);
            }
        }
        Command::Builds => {
            let Some(other) = &options.portable else {
                bail!("`builds` needs --portable BINARY to compare this build with");
            };
            report.add(builds::table(other, options)?);
        }
        Command::All => all(&mut report, options)?,
    }
    if let Some(path) = &options.json {
        report.write(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Runs all tasks; prints a line for each that cannot be measured on this machine.
fn all(report: &mut Report, options: &Options) -> Result<()> {
    report.add(perft::table(Leaf::Counted, options)?);
    report.add(perft::table(Leaf::Made, options)?);
    report.add(notation::san(options)?);
    report.add(notation::fen(options)?);
    report.add(pgn::table(options)?);
    match &options.portable {
        Some(other) => report.add(builds::table(other, options)?),
        None => println!("portable build: not compared (no --portable BINARY)\n"),
    }
    if instructions::is_available() {
        for leaf in [Leaf::Counted, Leaf::Made] {
            report.add(instructions::table(leaf)?);
        }
    } else {
        println!("instructions per node: not counted (valgrind is not installed)\n");
    }
    Ok(())
}
