//! Instructions per node, counted by callgrind, which a busy machine does not disturb.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::perft::Leaf;
use crate::positions::CASES;
use crate::report::{Better, Columns, FigureTable};
use crate::rivals::RIVALS;

const SCRIPT: &str = "instructions.sh";

/// Returns true if valgrind is installed.
pub(crate) fn is_available() -> bool {
    Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs the script, which builds this program for a processor that valgrind knows.
pub(crate) fn table(leaf: Leaf) -> Result<FigureTable> {
    // Set by `cargo run`; otherwise the workspace is assumed to be the current folder.
    let folder = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from("rigs/peers"), PathBuf::from);
    let rivals: Vec<&str> =
        RIVALS.iter().filter(|rival| rival.perft.is_some()).map(|rival| rival.name).collect();
    let mut command = Command::new("sh");
    command.arg(folder.join(SCRIPT)).stderr(Stdio::inherit());
    let task = match leaf {
        Leaf::Counted => "perft under callgrind, last ply counted in bulk",
        Leaf::Made => {
            command.arg("--leaves");
            "perft under callgrind, every leaf made"
        }
    };
    for case in &CASES {
        for rival in &rivals {
            command.args([rival, case.name, &case.instructions.to_string()]);
        }
    }
    let output = command.output().with_context(|| format!("cannot start {SCRIPT}"))?;
    ensure!(output.status.success(), "{SCRIPT} failed");
    let figures: Vec<f64> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::parse)
        .collect::<Result<_, _>>()
        .with_context(|| format!("{SCRIPT} says something else than numbers"))?;
    ensure!(figures.len() == CASES.len() * rivals.len(), "{SCRIPT} says too little");
    let mut table = FigureTable::new(task, "instructions per node", Better::Less, Columns::Alike);
    for (case, figures) in CASES.iter().zip(figures.chunks(rivals.len())) {
        let column: Vec<(&str, Vec<f64>)> =
            rivals.iter().zip(figures).map(|(&rival, &figure)| (rival, vec![figure])).collect();
        table.column(format!("{} {}", case.name, case.instructions), &column);
    }
    Ok(table)
}
