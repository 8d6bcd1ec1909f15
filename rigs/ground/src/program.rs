//! Finds the `hansu` program, or builds it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context as _, Result, ensure};

/// The program under test: `HANSU_BIN` if set, otherwise the one in this program's target folder.
/// That one is built when it is missing or older than its sources.
///
/// # Errors
///
/// When it cannot be built.
pub fn hansu() -> Result<PathBuf> {
    if let Some(path) = env::var_os("HANSU_BIN") {
        return Ok(path.into());
    }
    let own = env::current_exe()?;
    // For example target/debug/hansu-load, or target/debug/deps/kill-0123 for a test.
    let folder = own.parent().context("this program is nowhere")?;
    let folder = if folder.ends_with("deps") { folder.parent() } else { Some(folder) };
    let folder = folder.context("this program is nowhere")?;
    let path = folder.join(format!("hansu{}", env::consts::EXE_SUFFIX));
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(folder);
    if !is_fresh(&path, &workspace.join("crates")) {
        build(folder, workspace)?;
    }
    ensure!(path.exists(), "{} was not built: cargo build -p hansu", path.display());
    Ok(path)
}

/// Returns true if a program is at least as new as all its sources.
fn is_fresh(program: &Path, sources: &Path) -> bool {
    let Ok(built) = fs::metadata(program).and_then(|data| data.modified()) else { return false };
    newest(sources).is_none_or(|newest| newest <= built)
}

/// When a Rust or SQL file under a folder was last changed. Tests and benchmarks do not count.
fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).ok()?;
    entries
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            if entry.file_type().ok()?.is_dir() {
                let skipped = ["tests", "load", "peers", "oracle", "benches"];
                let skip = skipped.iter().any(|name| path.ends_with(name));
                if skip { None } else { newest(&path) }
            } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "sql") {
                entry.metadata().ok()?.modified().ok()
            } else {
                None
            }
        })
        .max()
}

fn build(folder: &Path, workspace: &Path) -> Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    // The profile `test` also writes to the folder `debug`.
    let profile = if folder.ends_with("release") { "release" } else { "test" };
    let target = folder.parent().context("no target folder")?;
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--profile", profile, "-p", "hansu", "--bin", "hansu"])
        .arg("--target-dir")
        .arg(target)
        .current_dir(workspace)
        .status()
        .context("cargo does not start")?;
    ensure!(built.success(), "hansu cannot be built");
    Ok(())
}
