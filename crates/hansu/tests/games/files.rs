//! Import and export.

use super::*;

#[test]
fn broken_games_are_reported_and_the_others_taken() {
    let log = Log::empty();
    let file = log.file("club.pgn", CLUB);
    let run = log.run(&["import", &file]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(run.stdout, "3 added, 0 known already, 1 broken\n");
    assert_eq!(run.stderr, format!("{file}:23: Ke3 is not a legal move.\n"));
    assert_eq!(log.games(&[]).len(), 3);
}

#[test]
fn games_are_taken_once() {
    let log = Log::club();
    let file = log.file("again.pgn", CLUB);
    let run = log.run(&["import", &file, &file]);
    assert_eq!(run.stdout, "0 added, 6 known already, 2 broken\n");
    assert_eq!(log.games(&[]).len(), 3);
}

#[test]
fn files_that_cannot_be_read_do_not_stop_the_others() {
    let log = Log::empty().korean();
    let file = log.file("club.pgn", CLUB);
    let folder = log.folder.path().display().to_string();
    let run = log.run(&["import", "no-such.pgn", &folder, &file]);
    assert_eq!(run.status, 2, "{run:?}");
    assert_eq!(run.stdout, "추가 3판, 이미 있음 0판, 깨짐 1판\n");
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{run:?}");
    assert!(lines[0].starts_with("error: no-such.pgn: 읽을 수 없어요."), "{run:?}");
    assert!(lines[1].contains("읽을 수 없어요."), "{run:?}");
    assert!(lines[2].ends_with(":23: 둘 수 없는 수예요: Ke3"), "{run:?}");
    assert_eq!(log.run(&["import"]).status, 2);
}

#[test]
fn what_is_exported_comes_back_the_same() {
    let log = Log::club();
    let id = log.id(&["--result", "draw"]);
    log.run(&["tag", &id, "+fine"]).answer();
    log.run(&["note", &id, "a note"]).answer();
    let text = log.run(&["export"]).answer();
    let other = Log::empty();
    let taken = other.run_with(&["import", "-"], &text).answer();
    assert_eq!(taken, "3 added, 0 known already, 0 broken\n");
    assert_eq!(other.run(&["export"]).answer(), text);
    let bare = |log: &Log| {
        let mut games = log.games(&[]);
        for game in &mut games {
            game["id"] = Value::Null;
        }
        games
    };
    assert_eq!(bare(&other), bare(&log));
    let again = log.run_with(&["import", "-"], &text).answer();
    assert_eq!(again, "0 added, 3 known already, 0 broken\n");
}

#[test]
fn an_export_goes_to_a_file_and_through_filters() {
    let log = Log::club();
    let file = log.file("out.pgn", "an older export\n");
    let said = log.run(&["export", &file, "--player", "mina"]).answer();
    assert_eq!(said, format!("2 games written to {file}\n"));
    let text = std::fs::read_to_string(&file).expect("written");
    assert_eq!(text.matches("[Event ").count(), 2, "{text}");
    // The first game first.
    assert!(text.find("2026.01.10") < text.find("2026.02.13"), "{text}");
    assert_eq!(log.run(&["export", "--player", "mina"]).answer(), text);
    let folder = log.folder.path().read_dir().expect("a folder");
    assert_eq!(folder.count(), 2, "only the log and the file are left");
}

#[test]
fn an_export_that_fails_leaves_nothing() {
    let log = Log::club();
    let file = log.folder.path().join("no-such-folder").join("out.pgn").display().to_string();
    let line = log.run(&["export", &file]).complaint(1);
    assert!(line.contains("out.pgn") && !exists(&file), "{line}");
    let run = Log::empty().run(&["export"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert!(run.stderr.contains("hansu games import"), "{run:?}");
}

/// An interrupted import leaves only complete games, and the next import continues it.
#[cfg(unix)]
#[test]
fn an_interrupted_import_goes_on() {
    let log = Log::empty();
    let games: String = (0..6_000)
        .map(|n| format!("[White \"W{n}\"]\n[Black \"B{n}\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n"))
        .collect();
    let file = log.file("many.pgn", &games);
    let mut child = log
        .command()
        .args(["import", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // Interrupt as soon as the log has a game.
    while child.try_wait().expect("a child").is_none() {
        if log.data().join("games.db").exists() && !log.games(&["--limit", "1"]).is_empty() {
            let id = child.id().to_string();
            let _ = Command::new("kill").args(["-INT", &id]).status();
            break;
        }
    }
    let output = child.wait_with_output().expect("it ends");
    let status = output.status.code().expect("it ends by itself");
    assert!(matches!(status, 0 | 130), "{output:?}");
    let kept = log.games(&[]).len();
    if status == 130 {
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("run the same command to go on"), "{text}");
        assert!(text.starts_with(&format!("{kept} added")), "{kept}: {text}");
    }
    let text = log.run(&["import", &file]).answer();
    assert_eq!(log.games(&[]).len(), 6_000, "{text}");
}

/// The bar and the report share a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_sees_a_bar() {
    let log = Log::empty();
    let file = log.file("club.pgn", CLUB);
    let command = format!("'{}' games import '{file}'", env!("CARGO_BIN_EXE_hansu"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]);
    script.env("LC_ALL", "C").env("TERM", "xterm").env("HANSU_DATA", log.data());
    let run = finish(&mut script, "");
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.contains("B/"), "no bar: {run:?}");
    assert!(run.stdout.contains(":23: Ke3 is not a legal move."), "{run:?}");
    assert!(run.stdout.ends_with("3 added, 0 known already, 1 broken\r\n"), "{run:?}");
}
