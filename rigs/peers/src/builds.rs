//! This build against a portable one: what a library loses without target-cpu.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::arguments::Options;
use crate::positions::CASES;
use crate::report::{Better, Columns, FigureTable};
use crate::rivals::RIVALS;

const LAP_MILLISECONDS: &str = "200";

/// Runs both programs in turn, each in its own process.
pub(crate) fn table(portable: &Path, options: &Options) -> Result<FigureTable> {
    let native = std::env::current_exe().context("cannot find this program")?;
    let programs = [native, portable.to_path_buf()];
    let mut table = FigureTable::new(
        "perft, portable build as a part of this build",
        "1 = nothing lost",
        Better::Neither,
        Columns::Alike,
    );
    for case in &CASES {
        let depth = (case.bulk - u32::from(options.quick)).to_string();
        let mut column: Vec<(&str, Vec<f64>)> = Vec::new();
        for _ in 0..options.rounds {
            for rival in RIVALS.iter().filter(|rival| rival.perft.is_some()) {
                let speed = |program: &PathBuf| run(program, rival.name, case.name, &depth);
                let [native, portable] = &programs;
                let part = speed(portable)? / speed(native)?;
                match column.iter_mut().find(|(name, _)| *name == rival.name) {
                    Some((_, parts)) => parts.push(part),
                    None => column.push((rival.name, vec![part])),
                }
            }
        }
        table.column(format!("{} {depth}", case.name), &column);
    }
    Ok(table)
}

/// Runs one program; returns its nodes per second.
fn run(program: &Path, rival: &str, position: &str, depth: &str) -> Result<f64> {
    let output = Command::new(program)
        .args(["count", rival, position, depth, "--lap", LAP_MILLISECONDS])
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(output.status.success(), "{} count {rival} failed", program.display());
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace()
        .nth(1)
        .and_then(|speed| speed.parse().ok())
        .with_context(|| format!("{} says \"{}\"", program.display(), text.trim()))
}
