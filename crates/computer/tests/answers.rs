//! The file of answers for the page's test (`web/e2e/answers.spec.ts`): the computer in a browser
//! must give the same ones. Made here, and checked for drift.
//!
//! `make answers` generates the file (it runs this test with `HANSU_WRITE=1`); a new net or another
//! search changes it.

use std::path::Path;

use hansu_computer::Thinker;
use serde_json::{Value, json};

/// The start positions of the games; an empty text is the usual one.
const STARTS: [&str; 4] = [
    "",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQR1K1 w - - 4 11",
    "8/5pk1/4p1p1/3rP2p/3R1P1P/6P1/5K2/8 b - - 0 40",
    "4r1k1/1pp2ppp/p1nb4/3p1q2/3P4/1QPB1N2/PP3PPP/4R1K1 b - - 3 19",
];
/// The levels take turns; the upper ones are left out, since they search for long.
const LEVELS: [u8; 7] = [1, 2, 3, 4, 5, 6, 7];
const PLIES: usize = 7;

/// Asks the questions of some games, of the free board, for help and of a review.
fn asked_and_answered() -> Vec<(Value, Value)> {
    let mut thinker = Thinker::default();
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    let mut ask = |request: Value| {
        let answer = thinker.answer(&request.to_string());
        let answer: Value = serde_json::from_str(&answer).expect("answers are JSON");
        pairs.push((request, answer.clone()));
        answer
    };
    for (number, start) in STARTS.into_iter().enumerate() {
        let fen = if start.is_empty() { Value::Null } else { json!(start) };
        let mut moves: Vec<String> = Vec::new();
        for ply in 0..PLIES {
            let answer = ask(json!({
                "seq": ply,
                "level": LEVELS[(ply + number) % LEVELS.len()],
                "variant": "standard",
                "fen": fen,
                "moves": moves,
                "game": format!("answers-{number}"),
                "task": "move",
            }));
            let uci = answer["uci"].as_str().expect("a move, since no game is over so early");
            moves.push(uci.to_owned());
        }
        let game = json!({ "variant": "standard", "fen": fen, "moves": moves });
        let fen = if start.is_empty() { STARTS[1] } else { start };
        ask(json!({ "lines": { "fen": fen } }));
        ask(json!({ "more": {} }));
        ask(json!({ "hint": { "asked": { "want": "move" }, "game": game, "seq": 1 } }));
        ask(json!({ "hint": { "asked": { "want": "threat" }, "game": game, "seq": 1 } }));
        ask(json!({ "review": { "game": game } }));
        ask(json!({ "look": {} }));
        ask(json!({ "look": {} }));
    }
    pairs
}

#[test]
fn the_file_has_the_answers_of_this_program() {
    let pairs = asked_and_answered();
    // No request was malformed.
    let empty = json!({ "pause": 0 });
    for (request, answer) in &pairs {
        assert!(!answer.is_null() && *answer != empty, "{request} has no answer");
    }
    let lines: Vec<String> =
        pairs.iter().map(|(asked, told)| format!("[{asked},{told}]")).collect();
    let text = format!("[{}]\n", lines.join(",\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/e2e/answers.json");
    if std::env::var_os("HANSU_WRITE").is_some() {
        std::fs::write(&path, &text).expect("the file can be written");
    }
    let stored = std::fs::read_to_string(&path).expect("web/e2e/answers.json exists");
    assert!(stored == text, "web/e2e/answers.json is stale: make answers");
}
