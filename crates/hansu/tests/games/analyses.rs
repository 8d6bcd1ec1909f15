//! `hansu analyse` with games of the log.

use std::path::PathBuf;

use hansu_records::{Analyses, GameId, KeptAnalysis, SqliteStore, log_file};

use super::*;

fn analyse(log: &Log, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hansu"));
    command.env("LC_ALL", log.locale).env("HANSU_DATA", log.data()).arg("analyse");
    finish(command.args(arguments), "")
}

fn kept(log: &Log, id: &str) -> Option<KeptAnalysis> {
    let file: PathBuf = log_file(&log.data());
    let store = SqliteStore::open(&file).expect("a log");
    store.analysis(id.parse::<GameId>().expect("an id")).expect("a log")
}

fn keep(log: &Log, id: &str, analysis: KeptAnalysis) {
    let store = SqliteStore::open(&log_file(&log.data())).expect("a log");
    store.keep_analysis(id.parse().expect("an id"), analysis).expect("kept");
}

#[test]
fn a_game_of_the_log_is_analysed_once_and_kept() {
    let log = Log::club();
    let id = log.id(&["--result", "0-1"]);
    assert_eq!(kept(&log, &id), None);
    let first = analyse(&log, &["--nodes", "2000", &id[..6]]).answer();
    assert!(first.contains("Mina – Jun  0-1") && first.contains("It is checkmate."), "{first}");
    let found = kept(&log, &id).expect("it is kept");
    assert_eq!((found.nodes, found.done, found.total), (2_000, 5, 5));
    // The second call shows the stored analysis, also if fewer nodes are requested.
    for arguments in [&[&*id][..], &["--nodes", "2000", &id], &["--nodes", "500", &id]] {
        assert_eq!(analyse(&log, arguments).answer(), first);
        assert_eq!(kept(&log, &id).as_ref(), Some(&found), "nothing was written again");
    }
    // More nodes make a new analysis, which replaces the stored one.
    assert!(analyse(&log, &["--nodes", "3000", &id]).answer().contains("3000 nodes"));
    assert_eq!(kept(&log, &id).map(|found| found.nodes), Some(3_000));
    let log = log.korean();
    assert!(has_hangul(&analyse(&log, &[&id]).answer()));
    let pgn = analyse(&log, &["--pgn", &id]).answer();
    assert!(pgn.contains("[%eval #-1]") && pgn.contains("[White \"Mina\"]"), "{pgn}");
    assert_eq!(kept(&log, &id).map(|found| found.nodes), Some(3_000));
}

#[test]
fn an_interrupted_analysis_goes_on_where_it_was() {
    let log = Log::club();
    let id = log.id(&["--result", "1/2-1/2"]);
    // Two of seven positions are done; the score 7.77 can only come from the stored text.
    let body = "1\n777 b5c6\n-5 a7a6".to_owned();
    keep(&log, &id, KeptAnalysis { nodes: 1_500, done: 2, total: 7, at: 1, body });
    let text = analyse(&log, &[&id]).answer();
    assert!(text.contains("+7.77") && text.contains("1500 nodes"), "{text}");
    let found = kept(&log, &id).expect("it is kept");
    assert_eq!((found.nodes, found.done, found.total), (1_500, 7, 7));
    assert!(found.body.starts_with("1\n777 b5c6\n-5 a7a6\n"), "{}", found.body);
}

#[test]
fn what_is_kept_and_does_not_fit_is_made_anew() {
    let log = Log::club();
    let id = log.id(&["--result", "1-0"]);
    let body = "no such thing".to_owned();
    keep(&log, &id, KeptAnalysis { nodes: 700, done: 9, total: 9, at: 1, body });
    let text = analyse(&log, &["--json", &id]).json();
    assert_eq!(text["moves"].as_array().map(Vec::len), Some(4));
    assert_eq!(kept(&log, &id).map(|found| (found.done, found.total)), Some((5, 5)));
    assert!(analyse(&log, &["nobody"]).complaint(2).contains("nobody"));
}
