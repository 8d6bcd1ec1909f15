//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::perft::Count;

/// Measures hansu-chess against other chess libraries, interleaved in one run.
#[derive(Debug, Parser)]
#[command(name = "peers")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) options: Options,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Legal moves to a depth, counted in bulk at the last ply
    Perft,
    /// Legal moves to a depth, with every leaf position made
    Leaves,
    /// Moves read from and written as standard algebraic notation
    San,
    /// Positions read from and written as FEN
    Fen,
    /// Games read from PGN, with and without replaying them
    Pgn,
    /// Instructions per perft node, counted by callgrind
    Instructions,
    /// This build against a portable one, given by --portable
    Builds,
    /// All of the above
    All,
    /// One perft of one library, and nothing else
    Count(Count),
}

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Measured rounds, after one that only warms up
    #[arg(long, global = true, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
    /// Also write all figures to this file
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Smaller trees and files: seconds instead of minutes, with less exact figures
    #[arg(long, global = true)]
    pub(crate) quick: bool,
    /// This program built without target-cpu, to compare with
    #[arg(long, global = true, value_name = "BINARY")]
    pub(crate) portable: Option<PathBuf>,
}
