//! `hansu why`.

use super::*;
use serde_json::json;

const THROUGH: &str = "6k1/8/b7/8/8/8/8/4K2R w K - 0 1";
const PINNED: &str = "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1";
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

#[test]
fn a_legal_move_is_legal() {
    assert_eq!(run(["why", "e2e4"]).answer(), "legal\n");
    assert_eq!(run(["why", "e2e4", "--lang", "ko"]).answer(), "둘 수 있는 수예요.\n");
    let text = run(["why", "e2e4", "--json"]).answer();
    assert_eq!(text, "{\"move\":\"e2e4\",\"refusal\":null}\n");
}

#[test]
fn a_refusal_comes_with_its_proof() {
    let text = run(["why", "e1g1", "--json", "--fen", THROUGH]).answer();
    let start = r#"{"move":"e1g1","refusal":{"code":"castling_through_attack","squares":["f1"],"by":["a6"]},"text":""#;
    assert!(text.starts_with(start), "{text}");
    let value = run(["why", "c3d5", "--json", "--fen", PINNED]).json();
    assert_eq!(
        value["refusal"],
        json!({"code": "pinned", "squares": ["e1", "d2", "c3"], "by": ["b4"]})
    );
    assert!(value["text"].as_str().is_some_and(|text| text.contains("pinned by the bishop on b4")));
}

#[test]
fn refusals_are_sentences_in_both_languages() {
    let sentence = run(["why", "e1g1", "--fen", THROUGH]).answer();
    assert_eq!(
        sentence,
        "f1 is attacked by the bishop on a6, and a king cannot castle through an attacked square.\n"
    );
    let sentence = run(["why", "c3d5", "--fen", PINNED, "--lang", "ko"]).answer();
    assert!(
        sentence.starts_with("나이트(c3)는 비숍(b4)에 묶여 있어 움직일 수 없어요."),
        "{sentence}"
    );
    let value = run(["why", "c3d5", "--json", "--lang", "ko", "--fen", PINNED]).json();
    assert!(value["text"].as_str().is_some_and(has_hangul), "{value}");
    assert_eq!(value["refusal"]["code"], "pinned");
}

#[test]
fn the_locale_speaks_unless_lang_does() {
    assert!(has_hangul(&run_in_korean(&["why", "e2e5"]).answer()));
    assert_eq!(run_in_korean(&["why", "e2e4"]).answer(), "둘 수 있는 수예요.\n");
    assert_eq!(run_in_korean(&["why", "e2e4", "--lang", "en"]).answer(), "legal\n");
    let overruled =
        finish(hansu().env("LANG", "ko_KR.UTF-8").env("LC_ALL", "C").args(["why", "e2e4"]));
    assert_eq!(overruled.answer(), "legal\n");
    let line = run(["why", "e2e4", "--lang", "ko", "--fen", "x"]).refusal();
    assert!(has_hangul(&line), "{line}");
}

#[test]
fn a_promotion_needs_no_letter_here() {
    let fen = "3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
    for step in ["e7e8", "e7e8q", "e7e8n", "e7d8", "e7d8r"] {
        assert_eq!(run(["why", step, "--fen", fen]).answer(), "legal\n", "{step}");
        let value = run(["why", step, "--json", "--fen", fen]).json();
        assert_eq!(value, json!({"move": step, "refusal": null}));
    }
    let value = run(["why", "e7f8", "--json", "--fen", fen]).json();
    assert_eq!(value["refusal"]["code"], "nothing_to_capture");
    let value = run(["why", "e1e2q", "--json", "--fen", fen]).json();
    assert_eq!(value["refusal"]["code"], "promotion_impossible");
}

#[test]
fn nothing_is_legal_when_the_game_is_over() {
    let over = [
        (MATED, "e1f2", "Black wins by checkmate."),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "h8h7", "Draw by stalemate"),
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", "d3d4", "Draw by dead position"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 150 90", "a1a2", "Draw by the seventy-five-move rule"),
    ];
    for (fen, step, end) in over {
        let value = run(["why", step, "--json", "--fen", fen]).json();
        assert_eq!(
            value["refusal"],
            json!({"code": "game_over", "squares": [], "by": []}),
            "{fen}"
        );
        assert!(value["text"].as_str().is_some_and(|text| text.contains(end)), "{value}");
    }
    let text = run(["why", "e1f2", "--fen", MATED, "--lang", "ko"]).answer();
    assert_eq!(text, "게임이 끝났어요. 체크메이트로 흑이 이겼어요.\n");
}

#[test]
fn chess960_castles_either_way() {
    let fen = "4k3/8/8/8/8/8/8/1K4R1 w G - 0 1";
    assert_eq!(run(["why", "b1g1", "--chess960", "--fen", fen]).answer(), "legal\n");
    let fen = "7k/8/8/8/8/8/8/1K2R1R1 w G - 0 1";
    let value = run(["why", "b1g1", "--chess960", "--json", "--fen", fen]).json();
    assert_eq!(value["refusal"]["code"], "castling_blocked");
    assert_eq!(value["refusal"]["squares"], json!(["e1"]));
}

#[test]
fn what_is_no_move_is_bad_input() {
    for text in ["", "e2", "e2-e4", "e2e9", "E2E4", "e7e8k", "Nf3", "0000", "é2e4", "e2e4 ", "백"]
    {
        let line = run(["why", text]).refusal();
        assert!(line.starts_with("bad move \""), "{line}");
        assert!(line.ends_with("e2e4, e7e8q."), "{line}");
    }
    let line = run(["why", "e9", "--lang", "ko"]).refusal();
    assert!(line.starts_with("\"e9\": 수가 아니에요."), "{line}");
    let run = run(["why", "e2e4", "--lang", "fr"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("[possible values: ko, en]"), "{}", run.stderr);
}
