//! Tags, notes, deletion.

use super::*;

#[test]
fn tags_go_on_and_off() {
    let log = Log::club();
    let id = log.id(&["--result", "draw"]);
    assert!(log.run(&["tag", &id]).answer().contains("no tags"));
    assert!(log.run(&["tag"]).answer().contains("No game has a tag"));
    assert_eq!(log.run(&["tag", &id, "+좋은판", "+endgame"]).answer(), "endgame\n좋은판\n");
    assert_eq!(log.id(&["--tag", "좋은판"]), id);
    assert_eq!(log.run(&["tag"]).answer().lines().count(), 2);
    // Options may stand behind tags, although tags may begin with a dash.
    let left = log.run(&["tag", &id, "-endgame", "--lang", "ko"]).answer();
    assert_eq!(left, "좋은판\n");
    let elsewhere = Log::empty().data().display().to_string();
    let line = log.run(&["tag", &id, "+x", "--data", &elsewhere]).complaint(2);
    assert!(line.contains(&id), "{line}");
    assert!(log.run(&["tag", &id, "-좋은판"]).answer().contains("no tags"));
}

#[test]
fn bad_tags_change_nothing() {
    let log = Log::club();
    let id = log.id(&["--result", "draw"]);
    for bad in ["+", "-", "+a,b", "+a\nb", "--nope"] {
        log.run(&["tag", &id, "+good", bad]).complaint(2);
    }
    let long = format!("+{}", "x".repeat(200));
    assert!(log.run(&["tag", &id, &long]).complaint(1).contains("too long"));
    assert!(log.run(&["tag", &id]).answer().contains("no tags"));
}

#[test]
fn notes_are_kept_shown_and_removed() {
    let log = Log::club();
    let id = log.id(&["--result", "draw"]);
    assert!(log.run(&["note", &id]).answer().contains("no note"));
    log.run(&["note", &id, "the", "day of the storm"]).answer();
    assert_eq!(log.run(&["note", &id]).answer(), "the day of the storm\n");
    assert_eq!(log.id(&["--text", "storm"]), id);
    log.run_with(&["note", &id, "-"], "비가\n왔다\n").answer();
    assert_eq!(log.run(&["note", &id]).answer(), "비가\n왔다\n");
    let long = "x".repeat(20_000);
    assert!(log.run_with(&["note", &id, "-"], &long).complaint(1).contains("too long"));
    assert_eq!(log.run(&["note", &id, ""]).answer(), "The note is gone.\n");
    assert!(log.run(&["note", &id]).answer().contains("no note"));
}

#[test]
fn deleting_asks_first() {
    let log = Log::club();
    let id = log.id(&["--result", "draw"]);
    for no in ["", "\n", "n\n", "yesterday\n", "\u{0}\n", "no\n"] {
        let text = log.run_with(&["delete", &id], no).answer();
        assert!(text.contains("[y/N]") && text.contains("The game stays."), "{text}");
        assert_eq!(log.games(&[]).len(), 3);
    }
    let text = log.run_with(&["delete", &id], "y\n").answer();
    assert!(text.contains("김민아") && text.contains("is deleted"), "{text}");
    log.run(&["show", &id]).complaint(2);
    let log = log.korean();
    let id = log.id(&["--reason", "timeout"]);
    let text = log.run_with(&["delete", &id], "네\n").answer();
    assert!(text.contains("완전히 지울까요?") && text.contains("지웠어요"), "{text}");
    let id = log.id(&[]);
    assert!(!log.run(&["delete", &id, "--yes"]).answer().contains("[y/N]"));
    assert!(log.games(&[]).is_empty());
}

#[test]
fn nothing_is_deleted_when_one_name_is_wrong() {
    let log = Log::club();
    let id = log.id(&["--result", "draw"]);
    log.run(&["delete", &id, "zzzz", "--yes"]).complaint(2);
    assert_eq!(log.games(&[]).len(), 3);
}
