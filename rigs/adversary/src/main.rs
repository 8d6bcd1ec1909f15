//! `hansu-adversary`: attacks a server of its own and says what fell.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use hansu_adversary::{Hall, checks, run};

/// Attacks hansu serve as docs/protocol.md and docs/api.md describe it
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Kills and faults in each check that deals them out
    #[arg(long, default_value_t = 100)]
    rounds: u64,

    /// Games at once meanwhile
    #[arg(long, default_value_t = 24)]
    games: u64,

    /// What chance is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Without the checks that need waiting or other servers
    #[arg(long)]
    short: bool,

    /// Prints the names of the checks
    #[arg(long)]
    list: bool,

    /// Only these checks
    only: Vec<String>,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    if arguments.list {
        checks::ALL.iter().for_each(|(name, _)| println!("{name}"));
        return Ok(ExitCode::SUCCESS);
    }
    let Arguments { rounds, games, seed, short, only, .. } = arguments;
    let unknown = only.iter().find(|name| !checks::ALL.iter().any(|(known, _)| known == name));
    if let Some(unknown) = unknown {
        anyhow::bail!("there is no check {unknown}: see --list");
    }
    let hall = Hall { binary: hansu_ground::hansu()?, seed, rounds, games, long: !short };
    println!("{} with seed {seed}", hall.binary.display());
    let checks = run(&hall, &only);
    println!("\nSummary");
    checks.iter().for_each(|check| println!("{}", check.line()));
    let failures: Vec<String> =
        checks.iter().flat_map(hansu_adversary::report::Check::failures).collect();
    failures.iter().for_each(|what| println!("FAILED: {what}"));
    println!("{} failures", failures.len());
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
