//! Turns the opening names that the package `esca` carries into a sorted table.
//!
//! The names are the public-domain set of lichess-org/chess-openings. They come through Cargo as a
//! build dependency, so that they are versioned and checked like everything else; of that package
//! only the tables are read here, and none of its code reaches the library.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use hansu_chess::{Position, San};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let tables = package_folder("esca")?.join("data").join("openings");
    println!("cargo::rerun-if-changed={}", tables.display());
    let mut openings = BTreeMap::new();
    for volume in ["a", "b", "c", "d", "e"] {
        read_volume(&tables.join(format!("{volume}.tsv")), &mut openings)?;
    }
    // Fewer would mean that the package has changed its format; failing the build is better than
    // shipping a program without opening names.
    if openings.len() < 3_000 {
        return Err(format!("only {} opening names were found", openings.len()).into());
    }
    let deepest = openings.values().map(|line| line.plies).max().unwrap_or(0);
    let length = openings.len();
    // The keys are a table of their own, which fits into the processor's first-level cache. The
    // names are one sorted text, in which neighbours are similar: compressed for the download of
    // the page it has half the size of a table of texts in the order of the keys.
    let mut names: Vec<String> = openings.values().map(OpeningLine::text).collect();
    names.sort_unstable();
    names.dedup();
    let mut ends = vec![0];
    for name in &names {
        ends.push(ends.last().unwrap_or(&0) + name.len());
    }
    let indexes = openings.values().map(|line| names.binary_search(&line.text()).unwrap_or(0));
    let mut code = format!(
        "const DEEPEST: usize = {deepest};\nstatic KEYS: [u64; {length}] = {:?};\n",
        openings.keys().collect::<Vec<_>>()
    );
    writeln!(code, "static NAME_INDEXES: [u16; {length}] = {:?};", indexes.collect::<Vec<_>>())?;
    writeln!(code, "static ENDS: [u32; {}] = {ends:?};", ends.len())?;
    writeln!(code, "static NAMES: &str = {:?};", names.concat())?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("openings.rs"), code)?;
    Ok(())
}

/// One named position.
struct OpeningLine {
    eco: String,
    name: String,
    plies: usize,
}

impl OpeningLine {
    /// The code, which has three characters, followed by the name.
    fn text(&self) -> String {
        format!("{}{}", self.eco, self.name)
    }
}

/// Reads `eco`, `name` and `pgn`, one opening per line after the header.
fn read_volume(path: &Path, openings: &mut BTreeMap<u64, OpeningLine>) -> Outcome<()> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    for row in text.lines().skip(1) {
        let mut cells = row.split('\t');
        let (Some(eco), Some(name), Some(moves)) = (cells.next(), cells.next(), cells.next())
        else {
            return Err(format!("{}: {row}", path.display()).into());
        };
        if eco.len() != 3 {
            return Err(format!("{}: {row}", path.display()).into());
        }
        let mut position = Position::start();
        let mut plies = 0;
        for word in moves.split_whitespace() {
            if word.starts_with(|letter: char| letter.is_ascii_digit()) {
                continue;
            }
            let step = San::lenient(word)
                .and_then(|san| san.to_move(&position))
                .map_err(|error| format!("{row}: {word}: {error}"))?;
            position = position.play(step);
            plies += 1;
        }
        // A position has one name; if the set has two, the first one wins.
        openings.entry(position.key()).or_insert_with(|| OpeningLine {
            eco: eco.to_owned(),
            name: name.to_owned(),
            plies,
        });
    }
    Ok(())
}

/// Where Cargo keeps the source of a package that this build depends on.
fn package_folder(name: &str) -> Outcome<PathBuf> {
    let listing = metadata(&["--offline"]).or_else(|_| metadata(&[]))?;
    listing["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|package| package["name"] == name)
        .and_then(|package| package["manifest_path"].as_str())
        .and_then(|manifest| Path::new(manifest).parent())
        .map(Path::to_path_buf)
        .ok_or_else(|| format!("Cargo does not know the package {name}").into())
}

fn metadata(more: &[&str]) -> Outcome<serde_json::Value> {
    let output = Command::new(env::var("CARGO")?)
        .args(["metadata", "--format-version=1", "--filter-platform"])
        .arg(env::var("HOST")?)
        .arg("--manifest-path")
        .arg(Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("Cargo.toml"))
        .args(more)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
