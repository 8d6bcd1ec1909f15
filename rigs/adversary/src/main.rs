//! `hansu-adversary`: starts servers, attacks them and reports which checks failed.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use hansu_adversary::{RunOptions, checks, run};

/// Attacks hansu serve as docs/protocol.md and docs/api.md describe it
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Kills and faults in each check that has some
    #[arg(long, default_value_t = 100)]
    rounds: u64,

    /// Parallel games in these checks
    #[arg(long, default_value_t = 24)]
    games: u64,

    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Without the checks that take long or need PostgreSQL and NATS
    #[arg(long)]
    short: bool,

    /// Print the names of the checks
    #[arg(long)]
    list: bool,

    /// Run only these checks
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
    let options = RunOptions { binary: hansu_ground::hansu()?, seed, rounds, games, long: !short };
    println!("{} with seed {seed}", options.binary.display());
    let checks = run(&options, &only);
    println!("\nSummary");
    checks.iter().for_each(|check| println!("{}", check.line()));
    let failures: Vec<String> =
        checks.iter().flat_map(hansu_adversary::report::Check::failures).collect();
    failures.iter().for_each(|what| println!("FAILED: {what}"));
    println!("{} failures", failures.len());
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
