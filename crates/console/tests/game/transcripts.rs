//! The files in `transcripts/`: lines that begin with `> ` are input, all others are output. They
//! were written by hand from the description of the game, not copied from its output.

use std::fs;
use std::path::Path;

use hansu_console::{Input, converse};

use super::*;

/// Plays the input and returns all output.
fn played(fen: Option<&str>, typed: &str) -> String {
    let mut console = console(fen, Options::default());
    let greeting = console.greeting();
    let (mut out, mut notices) = (Vec::new(), Vec::new());
    converse(&mut console, &greeting, Input::Plain(typed.as_bytes()), &mut out, &mut notices)
        .expect("no input or output fails");
    assert!(notices.is_empty(), "{}", String::from_utf8_lossy(&notices));
    String::from_utf8(out).expect("UTF-8")
}

#[test]
fn every_transcript_is_played_byte_for_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut count = 0;
    for file in fs::read_dir(folder).expect("the transcripts") {
        let path = file.expect("a transcript").path();
        let text = fs::read_to_string(&path).expect("a transcript");
        let (fen, text) = match text.strip_prefix("# fen: ").and_then(|rest| rest.split_once('\n'))
        {
            Some((fen, text)) => (Some(fen), text),
            None => (None, text.as_str()),
        };
        let (mut typed, mut expected) = (String::new(), String::new());
        for line in text.split_inclusive('\n') {
            match line.strip_prefix("> ") {
                Some(line) => typed.push_str(line),
                None => expected.push_str(line),
            }
        }
        assert_eq!(played(fen, &typed), expected, "{}", path.display());
        // Also line by line: each answer must be complete before the next line is read.
        answers_come_at_their_places(fen, text, &path);
        count += 1;
    }
    assert!(count >= 17, "only {count} transcripts");
}

fn answers_come_at_their_places(fen: Option<&str>, text: &str, path: &Path) {
    let mut console = console(fen, Options::default());
    let mut parts = text.split("> ");
    assert_eq!(Some(console.greeting().as_str()), parts.next(), "{}", path.display());
    for part in parts {
        let (typed, expected) = part.split_once('\n').expect("a typed line and its answer");
        let reply = console.answer(InputLine::Text(typed));
        assert_eq!(reply.text, expected, "{typed:?} in {}", path.display());
    }
}
