//! The documents that follow one thing through the code name functions and files that exist.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a file, or of all files of a folder.
fn source(path: &Path) -> String {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder");
        return entries.map(|entry| source(&entry.expect("an entry").path())).collect();
    }
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn is_path(word: &str) -> bool {
    word.contains('/') && word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.contains(' ')
}

fn is_function(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
}

fn defines(code: &str, name: &str) -> bool {
    [
        format!("fn {name}("),
        format!("fn {name}<"),
        format!("function {name}("),
        format!("  {name}("),
    ]
    .iter()
    .any(|definition| code.contains(definition))
}

/// How many functions a document names; fails on one that no file named so far in it defines.
fn follow(document: &str) -> usize {
    let text = source(&root().join(document));
    let mut named = 0;
    let mut code = String::new();
    for (number, word) in text.split('`').enumerate() {
        // Every second piece is between two backticks.
        if number % 2 == 0 {
            continue;
        }
        if is_path(word) {
            code += &source(&root().join(word));
        }
    }
    for (number, word) in text.split('`').enumerate() {
        if number % 2 == 1 && is_function(word) && word != "null" {
            named += 1;
            assert!(defines(&code, word), "{document} names {word}, which is gone");
        }
    }
    named
}

#[test]
fn the_way_of_a_move_exists() {
    assert!(follow("docs/one-move.md") >= 20);
}

#[test]
fn the_way_of_a_refusal_exists() {
    assert!(follow("docs/one-refusal.md") >= 8);
}

#[test]
fn what_the_pages_of_hard_things_name_exists() {
    for (page, least) in [
        ("docs/several-nodes.md", 7),
        ("docs/a-thousand-arrive.md", 7),
        ("docs/the-tail.md", 6),
        ("docs/query-plans.md", 3),
    ] {
        let named = follow(page);
        assert!(named >= least, "{page} names {named}");
    }
}
