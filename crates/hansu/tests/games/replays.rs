//! Replaying, with and without a terminal.

use super::*;

#[test]
fn without_a_terminal_all_boards_follow_each_other() {
    let log = Log::club();
    let id = log.id(&["--reason", "checkmate"]);
    for arguments in [&["replay", &id][..], &["replay", &id, "--auto"]] {
        let text = log.run(arguments).answer();
        let captions: Vec<&str> =
            text.split("\n\n").map(|block| block.lines().next().unwrap_or_default()).collect();
        assert_eq!(captions, ["Start", "1. f3", "1... e5", "2. g4", "2... Qh4#", "0-1"], "{text}");
        assert!(text.contains("2... Qh4#\nrnb1kbnr\npppp1ppp\n8\n4p3\n6Pq\n"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }
    let text = log.run(&["replay", &id, "--from", "3"]).answer();
    assert!(text.starts_with("2. g4\n"), "{text}");
    let korean = log.korean().run(&["replay", &id]).answer();
    assert!(korean.starts_with("시작\n"), "{korean}");
}

#[test]
fn bad_speeds_and_plies_are_refused() {
    let log = Log::club();
    let id = log.id(&["--reason", "checkmate"]);
    for speed in ["0", "fast", "NaN", "inf", "1e9"] {
        let line = log.run(&["replay", &id, "--speed", speed]).complaint(2);
        assert!(line.contains(speed) && line.contains("1000"), "{line}");
    }
    assert!(log.run(&["replay", &id, "--from", "5"]).complaint(2).contains("4 (the end)"));
}

/// Runs a replay in a terminal, `script`'s, with these keys.
#[cfg(target_os = "linux")]
fn in_terminal(log: &Log, arguments: &str, keys: &str) -> Run {
    let command = format!("'{}' games replay {arguments}", env!("CARGO_BIN_EXE_hansu"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env("TERM", "xterm").env("LC_ALL", log.locale);
    script.env("HANSU_DATA", log.data()).env_remove("NO_COLOR");
    finish(&mut script, keys)
}

#[cfg(target_os = "linux")]
#[test]
fn keys_step_through_the_game() {
    let log = Log::club();
    let id = log.id(&["--reason", "checkmate"]);
    // Right, right, left, End, Home, space, flip, q.
    let keys = "\u{1b}[C\u{1b}[C\u{1b}[D\u{1b}[F\u{1b}[H fq";
    let run = in_terminal(&log, &id, keys);
    assert_eq!(run.status, 0, "{run:?}");
    let mut rest = run.stdout.as_str();
    for place in ["0/4", "1/4", "2/4", "1/4", "4/4", "0/4", "1/4"] {
        let at = rest.find(place).unwrap_or_else(|| panic!("{place}: {rest:?}"));
        rest = &rest[at + place.len()..];
    }
    // The other screen is left, the cursor shown again.
    assert!(run.stdout.contains("\u{1b}[?1049h") && run.stdout.contains("\u{1b}[?25l"), "{run:?}");
    assert!(run.stdout.contains("\u{1b}[?1049l") && run.stdout.contains("\u{1b}[?25h"), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_replays_by_itself_with_its_times() {
    let log = Log::club().korean();
    let id = log.id(&["--reason", "timeout"]);
    let mut script = Command::new("sh");
    // The keys are sent when the game, 49 s long at speed 1, must be over at this speed.
    let inner = format!("'{}' games replay {id} --auto --speed 500", env!("CARGO_BIN_EXE_hansu"));
    script.args(["-c", "(sleep 2; printf q) | script -qec \"$0\" /dev/null", &inner]);
    script.env("TERM", "xterm").env("LC_ALL", log.locale).env("HANSU_DATA", log.data());
    let run = finish(&mut script, "");
    assert_eq!(run.status, 0, "{run:?}");
    for part in ["자동", "빠르기 ×500", "다음 수까지", "4/4 · 0:37"] {
        assert!(run.stdout.contains(part), "{part}: {run:?}");
    }
}

/// A game that was played a second ago: the times of its moves come from its events.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_game_is_in_the_log_with_its_times() {
    let log = Log::empty();
    let mut play = Command::new("sh");
    let script =
        "(echo f2 f3; sleep 2.9; echo e7 e5; echo g2 g4; echo d8 h4) | \"$0\" --white Mina";
    play.args(["-c", script, env!("CARGO_BIN_EXE_hansu")]).env("HANSU_DATA", log.data());
    let played = finish(&mut play, "");
    assert!(played.stdout.ends_with("1. f3\te5\n2. g4\tQh4#\n0-1\n"), "{played:?}");
    let id = log.id(&["--source", "terminal", "--player", "mina", "--reason", "checkmate"]);
    assert_eq!(log.run(&["show", &id]).answer(), "1. f3\te5\n2. g4\tQh4#\n0-1\n");
    let run = in_terminal(&log, &format!("{id} --from 2"), "q");
    // The program may need up to two seconds to start on a busy machine, and the pause may take
    // longer there; without times of its own the move would show 0:00 or nothing.
    let thought = |seconds: u8| run.stdout.contains(&format!("1... e5 · 2/4 · 0:{seconds:02}"));
    assert!((1..60).any(thought), "{run:?}");
}
