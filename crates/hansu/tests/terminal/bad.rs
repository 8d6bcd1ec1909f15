//! Unusable folders, names and positions: the message of one line, its advice, the exit status.

use super::*;

/// The one line on standard error.
fn complaint(arguments: &[&str], data: &Path, status: i32) -> String {
    let (found, text, trouble) = run(arguments, data, "e2 e4\n");
    assert_eq!((found, text.as_str()), (Some(status), ""), "{arguments:?}: {trouble}");
    assert_eq!(trouble.lines().count(), 1, "{trouble}");
    trouble.strip_prefix("error: ").expect("an error").trim_end().to_owned()
}

#[test]
fn a_log_that_cannot_be_opened_stops_the_game_before_it_begins() {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("file");
    std::fs::write(&file, "no folder").expect("a file");
    let folder = place.path().join("folder");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("games.db"), "no database ".repeat(1_000)).expect("a file");
    for data in [&file, &file.join("below"), &folder] {
        let line = complaint(&[], data, 1);
        assert!(line.contains("--no-record") && line.contains("--data"), "{line}");
        let line = complaint(&["--lang", "en"], data, 1);
        assert!(line.contains("play with --no-record"), "{line}");
        complaint(&["resume"], data, 1);
        let (status, text, _) = run(&["--no-record"], data, "기권\n");
        assert_eq!(status, Some(0));
        assert!(text.ends_with("흑 승리!!!\n게임을 종료합니다.\n\n"), "{text}");
    }
}

#[test]
fn the_flag_names_the_folder_before_the_environment() {
    let place = tempfile::tempdir().expect("a folder");
    let (flag, env) = (place.path().join("flag"), place.path().join("env"));
    let (status, ..) = run(&["--data", flag.to_str().expect("UTF-8")], &env, "e2 e4\n");
    assert_eq!((status, flag.is_dir(), env.exists()), (Some(0), true, false));
}

#[test]
fn an_unknown_game_is_bad_input() {
    let place = tempfile::tempdir().expect("a folder");
    let line = complaint(&["resume", "nothing"], place.path(), 2);
    assert!(line.starts_with("\"nothing\": 그런 게임이 없어요."), "{line}");
    let line = complaint(&["resume", "\u{1b}[31m", "--lang", "en"], place.path(), 2);
    assert!(line.contains("hansu games list") && !line.contains('\u{1b}'), "{line}");
    let line = complaint(&["resume", "--lang", "en"], place.path(), 2);
    assert!(line.starts_with("No game is unfinished."), "{line}");
}

#[test]
fn names_and_positions_are_checked_before_anything_is_made() {
    let place = tempfile::tempdir().expect("a folder");
    let data = place.path().join("data");
    for (arguments, words) in [
        (&["--white", ""][..], "이름이나 메시지가 비어 있어요."),
        (&["--black", "a\nb"], "이름이나 메시지에는 줄바꿈이나"),
        (&["--white", &"한".repeat(65)], "너무 길어요. 이름은 64자,"),
        (&["--fen", "8/8/8 w - - 0 1"], "FEN의 \"8/8/8\" 부분이 잘못됐어요."),
        (&["--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "이미 끝난 국면"),
        (&["--lang", "en", "--white", " "], "A name or a message cannot be empty."),
    ] {
        let line = complaint(arguments, &data, 2);
        assert!(line.starts_with(words), "{line}");
    }
    assert!(!data.exists());
}

#[test]
fn flags_of_the_game_are_not_flags_of_commands() {
    let place = tempfile::tempdir().expect("a folder");
    for arguments in [&["--why", "moves"][..], &["--no-record", "--data", "x"], &["--board", "3d"]]
    {
        let (status, text, trouble) = run(arguments, place.path(), "");
        assert_eq!((status, text.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(trouble.starts_with("error: "), "{trouble}");
    }
}
