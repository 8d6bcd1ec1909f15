//! A game whose process was killed has every move that was shown.

use super::*;

const ROUNDS: usize = 30;

/// Small random numbers; the same in every run, so that a failure can be reproduced.
fn random(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

/// The record of the newest unfinished game.
fn resumed(data: &Path) -> String {
    let (status, text, trouble) = run(&["resume"], data, "기보\n");
    assert_eq!((status, trouble.as_str()), (Some(0), ""), "{text}");
    let mut lines: Vec<&str> = text.lines().collect();
    // The line with the id, eight ranks, a prompt; the record; a prompt.
    assert!(lines.len() >= 12, "{text}");
    lines.pop();
    lines.split_off(10).join("\n")
}

#[test]
fn a_game_killed_after_any_move_has_all_moves() {
    let place = tempfile::tempdir().expect("a folder");
    let mut seed = 7;
    for _ in 0..ROUNDS {
        let plies = 1 + random(&mut seed) % LINE.len();
        let mut player = Player::new(&[], place.path());
        player.until_prompt();
        for (step, _) in &LINE[..plies] {
            assert_eq!(player.play(step).len(), 9);
        }
        player.child.kill().expect("killed");
        player.child.wait().expect("dead");
        assert_eq!(resumed(place.path()), record(plies));
    }
}

/// Killed while writing: every move that was shown is stored, and at most the typed ones.
#[test]
fn a_game_killed_at_any_moment_has_what_was_shown() {
    let place = tempfile::tempdir().expect("a folder");
    let mut seed = 11;
    for _ in 0..ROUNDS {
        let mut player = Player::new(&[], place.path());
        player.until_prompt();
        // At least one move, so that this game is the newest, not the one before.
        player.play(LINE[0].0);
        let typed: Vec<&str> = LINE[1..].iter().map(|&(step, _)| step).collect();
        player.type_line(&typed.join("\n"));
        std::thread::sleep(Duration::from_micros(random(&mut seed) as u64 % 20_000));
        player.child.kill().expect("killed");
        player.child.wait().expect("dead");
        let mut shown = 1;
        while let Some(line) = player.line() {
            shown += usize::from(line == WHITE || line == BLACK);
        }
        let kept = resumed(place.path());
        assert!(
            (shown..=LINE.len()).any(|plies| kept == record(plies)),
            "{shown} shown, but kept: {kept}"
        );
    }
}

#[test]
fn a_resumed_game_can_be_killed_and_resumed_again() {
    let place = tempfile::tempdir().expect("a folder");
    for (ply, (step, _)) in LINE.iter().enumerate() {
        let arguments: &[&str] = if ply == 0 { &[] } else { &["resume"] };
        let mut player = Player::new(arguments, place.path());
        player.until_prompt();
        assert_eq!(player.play(step).len(), 9, "{step}");
        player.child.kill().expect("killed");
        player.child.wait().expect("dead");
    }
    assert_eq!(resumed(place.path()), record(LINE.len()));
}
