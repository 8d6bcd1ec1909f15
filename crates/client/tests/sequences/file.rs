//! The file of sequences for the page's test: made here, and checked for drift.
//!
//! `make sequences` generates the file (it runs this test with `HANSU_WRITE=1`).

use std::fmt::Write as _;
use std::path::Path;

use hansu_client::{Notice, View, ViewOutput};
use hansu_protocol::Turn;
use serde_json::{Map, Value, json};

use crate::laws::kind;
use crate::run::{Input, Run};

const SEQUENCES: u64 = 30;
const STEPS: usize = 40;
const LARGEST: usize = 200_000;

/// The fields that both reducers have, in the page's names. Long lists by their length and end.
fn digest(view: &View) -> Map<String, Value> {
    let seen = view.game();
    let plies: Vec<&str> = seen.plies.iter().map(|ply| ply.uci.as_str()).collect();
    let pending = view.pending().open().iter();
    let digest = json!({
        "known": seen.known,
        "seat": seen.seat,
        "seq": seen.seq,
        "phase": seen.phase,
        "start": [json!(seen.start.names.white), json!(seen.start.time), json!(seen.start.fen)],
        "started": seen.started,
        "first": seen.first.fen,
        "plies": plies.join(" "),
        "last": seen.plies.last().map(|ply| json!([ply.san, ply.board.check, ply.clocks])),
        "fen": seen.board().fen,
        "clocks": seen.clocks,
        "ticking": seen.ticking,
        "ending": seen.ending,
        "offers": seen.offers,
        "left": seen.left,
        "chat": seen.chat.len(),
        "said": seen.chat.last().map(|said| json!([said.name, said.text])),
        "next": seen.next,
        "visibility": seen.visibility,
        "presence": [
            json!(seen.presence.white), json!(seen.presence.black), json!(seen.presence.spectators)
        ],
        "moves": seen.moves.as_ref().map(|moves| json!(moves.targets)),
        "boardSeq": seen.board_seq,
        "offset": seen.offset,
        "pending": pending.map(|one| json!([one.id, one.acked])).collect::<Vec<_>>(),
        "denied": seen.denied.as_ref().map(|one| json!([one.wish, one.refusal.code, one.count])),
        "declined": seen.declined.map(|one| json!([one.what, one.by, one.seq])),
        "given": seen.given.map(|one| json!([one.to, one.time, one.seq])),
        "asked": seen.asked,
        "bye": seen.bye,
        "count": view.pending().issued(),
    });
    let Value::Object(digest) = digest else { unreachable!("an object") };
    digest
}

fn name(side: Turn) -> &'static str {
    match side {
        Turn::White => "white",
        Turn::Black => "black",
    }
}

/// A notice in one line; `None` for those that the page does not have.
fn line(notice: &Notice) -> Option<String> {
    let more = match notice {
        Notice::Shown
        | Notice::Lapsed(_)
        | Notice::Credited
        | Notice::Given { .. }
        | Notice::Presence(_)
        | Notice::Bye(_) => return None,
        Notice::Started | Notice::TakenBack | Notice::Adjourned | Notice::Resumed => String::new(),
        Notice::Refused(refusal) => refusal.code.clone(),
        Notice::Moved { ply, by } => format!("{} {}", ply.san, name(*by)),
        Notice::Offered(offer) => format!("{} {}", text(&offer.what), name(offer.by)),
        Notice::Declined { what, by } => format!("{} {}", text(what), name(*by)),
        Notice::Left(side) | Notice::Returned(side) => name(*side).to_owned(),
        Notice::Chatted(said) => said.text.clone(),
        Notice::Ended(ending) => text(&json!(ending)["reason"]),
        Notice::Rematch(next) => next.clone(),
    };
    Some(format!("{} {more}", kind(notice)).trim_end().to_owned())
}

fn text(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).expect("a value");
    value.as_str().unwrap_or_default().to_owned()
}

/// One step as an object: the input, what it changed in the digest, messages sent and notices.
fn step(input: &Input, heard: &ViewOutput, before: &Map<String, Value>, view: &View) -> Value {
    let after = digest(view);
    let mut step = Map::new();
    match input {
        Input::Hear(message, now) => {
            step.insert("hear".to_owned(), json!(message));
            step.insert("now".to_owned(), json!(now));
        }
        Input::Wish(wish) => {
            step.insert("wish".to_owned(), json!(wish));
        }
    }
    let changed = after.into_iter().filter(|(field, value)| before.get(field) != Some(value));
    step.insert("view".to_owned(), Value::Object(changed.collect()));
    if !heard.send.is_empty() {
        step.insert("send".to_owned(), json!(heard.send));
    }
    let told: Vec<String> = heard.notices.iter().filter_map(line).collect();
    if !told.is_empty() {
        step.insert("notices".to_owned(), json!(told));
    }
    Value::Object(step)
}

fn sequences() -> String {
    let mut text = String::from("[\n");
    for seed in 0..SEQUENCES {
        let mut run = Run::new(5_000_000 + seed);
        let mut lines = Vec::new();
        for _ in 0..STEPS {
            let before = digest(&run.view);
            if let Some((input, heard)) = run.step() {
                lines.push(step(&input, &heard, &before, &run.view).to_string());
            }
        }
        let end = if seed + 1 == SEQUENCES { "" } else { "," };
        writeln!(text, "[\n{}\n]{end}", lines.join(",\n")).expect("writing to a text");
    }
    text.push_str("]\n");
    text
}

#[test]
fn the_file_of_sequences_is_what_the_generator_writes() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/game/sequences.json");
    let made = sequences();
    assert!(made.len() <= LARGEST, "{} bytes", made.len());
    if std::env::var_os("HANSU_WRITE").is_some() {
        std::fs::write(&file, &made).expect("web/src/game/sequences.json");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == made, "web/src/game/sequences.json is behind: run `make sequences`");
}
