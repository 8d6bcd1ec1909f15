//! Lines as keyboards, pipes and other programs send them.

use hansu_console::{ConversationEnd, Input, converse};

use super::*;

fn bytes(typed: &[u8]) -> (String, ConversationEnd) {
    let mut console = console(None, Options::default());
    let mut out = Vec::new();
    let read = converse(&mut console, "", Input::Plain(typed), &mut out, &mut Vec::new())
        .expect("no input or output fails");
    (String::from_utf8(out).expect("UTF-8"), read)
}

fn said_to(typed: &[u8]) -> String {
    bytes(typed).0
}

#[test]
fn capitals_blanks_tabs_and_line_ends_make_no_difference() {
    for typed in [
        &b"e2 e4\n"[..],
        b"e2 e4",
        b"E2 E4\n",
        b"e2 E4\r\n",
        b"\te2 \t  e4   \r\n",
        "\u{3000}e2\u{a0}e4\n".as_bytes(),
    ] {
        assert_eq!(said_to(typed), AFTER_E4, "{typed:?}");
    }
}

#[test]
fn a_byte_order_mark_is_accepted_before_the_first_line_only() {
    assert_eq!(said_to("\u{feff}e2 e4\r\n".as_bytes()), AFTER_E4);
    assert_eq!(said_to("\u{feff}기보\n".as_bytes()), format!("\n{WHITE}"));
    assert_eq!(said_to("\n\u{feff}e2 e4\n".as_bytes()), format!("{FORMAT}{WHITE}{TILE}{WHITE}"));
}

#[test]
fn decomposed_hangul_is_understood() {
    let record = "\u{1100}\u{1175}\u{1107}\u{1169}\n";
    let resign = "\u{1100}\u{1175}\u{1100}\u{116f}\u{11ab}\n";
    let (text, read) = bytes(format!("{record}{resign}").as_bytes());
    assert_eq!(text, format!("\n{WHITE}흑 승리!!!\n게임을 종료합니다.\n\n"));
    assert_eq!(read, ConversationEnd::GameOver);
}

#[test]
fn decomposed_names_of_pieces_are_understood() {
    // 퀸, 룩, 비숍, 나이트 as macOS decomposes them.
    for (name, letter) in [
        ("\u{110f}\u{1171}\u{11ab}", 'Q'),
        ("\u{1105}\u{116e}\u{11a8}", 'R'),
        ("\u{1107}\u{1175}\u{1109}\u{116d}\u{11b8}", 'B'),
        ("\u{1102}\u{1161}\u{110b}\u{1175}\u{1110}\u{1173}", 'N'),
    ] {
        let mut console = console(Some("8/P6k/8/8/8/8/p7/7K w - - 0 1"), Options::default());
        assert_eq!(say(&mut console, "a7 a8"), "승급할 기물을 입력해주세요. (Q, R, B, N)\n");
        assert!(say(&mut console, name).starts_with(&format!("{letter}7\n")), "{name}");
    }
}

#[test]
fn bytes_that_are_no_text_are_a_format_error() {
    for typed in [&b"\xff\n"[..], b"e2 \xff\n", b"\xb1\xe2\xba\xb8\n", b"e2 e4\xc3\n"] {
        assert_eq!(said_to(typed), format!("{FORMAT}{WHITE}"), "{typed:?}");
    }
    assert_eq!(said_to(b"\xff\ne2 e4\n"), format!("{FORMAT}{WHITE}{AFTER_E4}"));
    let mut console = console(Some("8/P6k/8/8/8/8/p7/7K w - - 0 1"), Options::default());
    say(&mut console, "a7 a8");
    let reply = console.answer(InputLine::Unreadable);
    assert!(reply.text.starts_with("Q, R, B, N 중 하나를 입력해주세요.\n"), "{}", reply.text);
}

#[test]
fn a_line_that_is_far_too_long_is_a_format_error() {
    let mut typed = b"e2 e4".to_vec();
    typed.resize(10_000_000, b' ');
    typed.extend(b"x\ne2 e4\n");
    assert_eq!(said_to(&typed), format!("{FORMAT}{WHITE}{AFTER_E4}"));
}

#[test]
fn control_characters_are_no_tiles() {
    assert_eq!(said_to(b"e2\0 e4\n"), format!("{TILE}{WHITE}"));
    assert_eq!(said_to(b"\x1b[A e4\n"), format!("{TILE}{WHITE}"));
}

#[test]
fn the_end_of_the_input_ends_nothing_but_the_conversation() {
    assert_eq!(bytes(b""), (String::new(), ConversationEnd::NoMoreLines));
    assert_eq!(bytes(b"e2 e4\n"), (AFTER_E4.to_owned(), ConversationEnd::NoMoreLines));
    let mut console = console(Some("8/P6k/8/8/8/8/p7/7K w - - 0 1"), Options::default());
    let mut out = Vec::new();
    let input = Input::Plain(&b"a7 a8\n"[..]);
    let read = converse(&mut console, "", input, &mut out, &mut Vec::new());
    assert_eq!(read.ok(), Some(ConversationEnd::NoMoreLines));
    assert_eq!(out, "승급할 기물을 입력해주세요. (Q, R, B, N)\n".as_bytes());
    assert_eq!(console.game().state().plies(), 0);
}

#[test]
fn nothing_is_read_after_the_end_of_the_game() {
    let mut console = console(None, Options::default());
    let mut rest = "기권\ne2 e4\n".as_bytes();
    let mut out = Vec::new();
    let read = converse(&mut console, "", Input::Plain(&mut rest), &mut out, &mut Vec::new());
    assert_eq!(read.ok(), Some(ConversationEnd::GameOver));
    assert_eq!(rest, b"e2 e4\n");
    let reply = console.answer(InputLine::Text("e2 e4"));
    assert_eq!((reply.text.as_str(), reply.next), ("", Next::End));
}

#[test]
fn the_fifth_repetition_is_a_draw() {
    let mut console = console(None, Options::default());
    let dance = ["g1 f3", "g8 f6", "f3 g1", "f6 g8"];
    for step in dance.iter().cycle().take(15) {
        say(&mut console, step);
    }
    let reply = console.answer(InputLine::Text("f6 g8"));
    assert_eq!(reply.next, Next::End);
    let pairs: String = (1..=8)
        .map(|number| {
            let pair = if number % 2 == 1 { "Nf3\tNf6" } else { "Ng1\tNg8" };
            format!("{number}. {pair}\n")
        })
        .collect();
    let start = "rnbqkbnr\npppppppp\n8\n8\n8\n8\nPPPPPPPP\nRNBQKBNR\n";
    let draw = "무승부로 게임을 종료합니다.\n";
    assert_eq!(reply.text, format!("{start}{draw}{pairs}1/2-1/2\n"));
}

#[test]
fn seventy_five_moves_are_a_draw() {
    let mut console = console(Some("4k3/8/8/8/8/8/8/R3K3 w - - 149 100"), Options::default());
    let reply = console.answer(InputLine::Text("a1 a2"));
    assert_eq!(reply.next, Next::End);
    assert!(
        reply.text.ends_with("무승부로 게임을 종료합니다.\n100. Ra2\n1/2-1/2\n"),
        "{}",
        reply.text
    );
}
