//! The terminal game, driven by another program.

use super::*;

#[test]
fn every_sentence_arrives_before_the_next_line_is_typed() {
    let place = tempfile::tempdir().expect("a folder");
    let mut player = Player::new(&[], place.path());
    let opening = player.until_prompt();
    assert_eq!(opening.len(), 13, "{opening:?}");
    assert_eq!((opening[0].as_str(), opening[12].as_str()), ("게임을 시작합니다.", WHITE));
    for (ply, (step, _)) in LINE.iter().enumerate() {
        let lines = player.play(step);
        let prompt = if ply % 2 == 0 { BLACK } else { WHITE };
        assert_eq!((lines.len(), lines[8].as_str()), (9, prompt), "{step}: {lines:?}");
    }
    let said = player.play("기보");
    assert_eq!(said[..10].join("\n"), record(20));
    assert_eq!(player.leave(), (Some(0), String::new()));
}

#[test]
fn the_example_byte_for_byte() {
    let place = tempfile::tempdir().expect("a folder");
    let (status, text, trouble) = run(&[], place.path(), "f2 f3\ne7 e5\ng2 g4\nd8 h4\n");
    assert_eq!((status, trouble.as_str()), (Some(0), ""));
    let expected = "\
게임을 시작합니다.
기물을 움직이려면 기물의 타일과 움직일 타일을 입력해 주세요. ex) e2 e4
기보를 보고싶으면 '기보'를 입력해주세요.
기권을 하고싶으면 '기권'을 입력해주세요.
rnbqkbnr
pppppppp
8
8
8
8
PPPPPPPP
RNBQKBNR
백 기물을 움직여주세요.
rnbqkbnr
pppppppp
8
8
8
5P2
PPPPP1PP
RNBQKBNR
흑 기물을 움직여주세요.
rnbqkbnr
pppp1ppp
8
4p3
8
5P2
PPPPP1PP
RNBQKBNR
백 기물을 움직여주세요.
rnbqkbnr
pppp1ppp
8
4p3
6P1
5P2
PPPPP2P
RNBQKBNR
흑 기물을 움직여주세요.
rnb1kbnr
pppp1ppp
8
4p3
6Pq
5P2
PPPPP2P
RNBQKBNR
흑 승리!!!
게임을 종료합니다.
1. f3\te5
2. g4\tQh4#
0-1
";
    assert_eq!(text, expected);
    assert_eq!(run(&["--no-record"], place.path(), "f2 f3\ne7 e5\ng2 g4\nd8 h4\n").1, expected);
}

#[test]
fn flags_change_what_they_name() {
    let place = tempfile::tempdir().expect("a folder");
    let play = |arguments: &[&str], typed| {
        let (status, text, trouble) = run(arguments, place.path(), typed);
        assert_eq!((status, trouble.as_str()), (Some(0), ""), "{arguments:?}");
        text
    };
    let text = play(&["--lang", "en", "--why"], "a1 a3\n");
    assert!(text.contains("You cannot move there.\nThe pawn on a2 stands in the way"), "{text}");
    let text = play(&["--board", "pretty"], "e2 e4\n");
    assert!(text.contains("4     ·     · [♙] ·     ·  4\n"), "{text}");
    assert!(!text.contains('\u{1b}'), "colours in a pipe: {text}");
    let text = play(&["--fen", "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1"], "");
    assert!(text.ends_with("8\n8\n8\n8\n8\n4k3\n4p3\n4K3\n흑 기물을 움직여주세요.\n"), "{text}");
    let chess960 = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1";
    assert!(play(&["--chess960", "--fen", chess960], "").contains("\nNRBKQBRN\n"));
    play(&["--white", "민아", "--black", "Jun"], "e2 e4\n");
    let text = play(&["resume"], "");
    assert!(text.starts_with("이어서 두는 게임: "), "{text}");
    assert!(text.contains("(백 민아, 흑 Jun)\nrnbqkbnr\n"), "{text}");
    let text = play(&["resume", "--lang", "en"], "");
    assert!(text.contains("(White 민아, Black Jun)\n"), "{text}");
}

#[test]
fn a_position_of_chess960_castles_onto_the_rook() {
    let place = tempfile::tempdir().expect("a folder");
    let fen = "1r1k2r1/pppppppp/8/8/8/8/PPPPPPPP/1R1K2R1 w GBgb - 0 1";
    let typed = "d1 g1\nd8 b8\n기보\n";
    let (status, text, _) = run(&["--chess960", "--fen", fen], place.path(), typed);
    assert_eq!(status, Some(0));
    assert!(text.contains("\n1. O-O\tO-O-O\n"), "{text}");
    // It is resumed by the same rules.
    let (_, text, _) = run(&["resume"], place.path(), "");
    assert!(text.contains("\n2kr2r1\npppppppp\n"), "{text}");
}

#[test]
fn without_a_record_nothing_is_left_behind() {
    let place = tempfile::tempdir().expect("a folder");
    let data = place.path().join("data");
    let (status, _, trouble) = run(&["--no-record"], &data, "e2 e4\n");
    assert_eq!((status, trouble.as_str(), data.exists()), (Some(0), "", false));
    // Opening the program and leaving it stores no game either.
    run(&[], &data, "기보\n");
    let (status, text, trouble) = run(&["resume"], &data, "");
    assert_eq!((status, text.as_str()), (Some(2), ""));
    assert!(trouble.contains("끝나지 않은 게임이 없어요."), "{trouble}");
}

#[test]
fn two_programs_share_a_log() {
    let place = tempfile::tempdir().expect("a folder");
    let mut players = [0, 1].map(|_| Player::new(&[], place.path()));
    for player in &players {
        player.until_prompt();
    }
    for (step, _) in &LINE[..8] {
        for player in &mut players {
            assert_eq!(player.play(step).len(), 9, "{step}");
        }
    }
    for player in players {
        assert_eq!(player.leave(), (Some(0), String::new()));
    }
}

#[test]
fn two_programs_share_a_game() {
    let place = tempfile::tempdir().expect("a folder");
    let mut one = Player::new(&[], place.path());
    one.until_prompt();
    one.play("e2 e4");
    let mut other = Player::new(&["resume"], place.path());
    assert_eq!(other.until_prompt().len(), 10);
    assert_eq!(other.play("e7 e5").len(), 9);
    let lines = one.play("c7 c5");
    assert_eq!((lines.len(), lines[3].as_str(), lines[8].as_str()), (9, "4p3", WHITE));
    assert_eq!(one.play("g1 f3").len(), 9);
    let (status, notice) = one.leave();
    assert_eq!(status, Some(0));
    assert_eq!(notice, "다른 창에서 이 게임을 이어서 뒀어요. 지금은 이런 상태예요.\n");
    assert_eq!(other.play("").last().map(String::as_str), Some(BLACK));
    assert_eq!(other.play("기보"), ["1. e4\te5", "2. Nf3", BLACK]);
}
