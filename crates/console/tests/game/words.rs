//! The options: English, reasons, the drawn board.

use hansu_console::{BoardStyle, Ink};
use hansu_words::Lang;

use super::*;

#[test]
fn a_refused_move_is_explained_when_asked_for() {
    let options = Options { why: true, ..Options::default() };
    let mut console = console(Some("4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1"), options);
    assert_eq!(
        say(&mut console, "c3 d5"),
        format!(
            "{REFUSED}나이트(c3)는 비숍(b4)에 묶여 있어 움직일 수 없어요. 비키면 킹(e1)이 체크를 \
             받아요.\n{WHITE}"
        )
    );
    // Only moves have reasons.
    assert_eq!(say(&mut console, "c3"), format!("{FORMAT}{WHITE}"));
    assert_eq!(say(&mut console, "c3 z9"), format!("{TILE}{WHITE}"));
}

#[test]
fn the_history_is_part_of_the_reason() {
    let options = Options { why: true, lang: Lang::En, ..Options::default() };
    let mut console = console(Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), options);
    for step in ["h1 h2", "e8 d8", "h2 h1", "d8 e8"] {
        say(&mut console, step);
    }
    let text = say(&mut console, "e1 g1");
    assert!(text.starts_with("You cannot move there.\n"), "{text}");
    assert!(text.contains("rook on h1 has moved"), "{text}");
    assert!(text.ends_with("\nWhite to move.\n"), "{text}");
}

#[test]
fn the_whole_game_in_english() {
    let options = Options { lang: Lang::En, ..Options::default() };
    let mut console = console(None, options);
    assert_eq!(
        console.greeting(),
        "The game begins.\n\
         To move a piece, type its tile and the tile it shall move to. ex) e2 e4\n\
         To see the moves so far, type 'record'.\n\
         To resign, type 'resign'.\n\
         rnbqkbnr\npppppppp\n8\n8\n8\n8\nPPPPPPPP\nRNBQKBNR\n\
         White to move.\n"
    );
    assert_eq!(
        say(&mut console, "e2"),
        "Please type \"(tile of the piece) (tile to move to)\".\nWhite to move.\n"
    );
    assert_eq!(say(&mut console, "e2 e9"), "Please type tiles from a1 to h8.\nWhite to move.\n");
    assert_eq!(say(&mut console, "e2 e5"), "You cannot move there.\nWhite to move.\n");
    assert!(say(&mut console, "e2 e4").ends_with("RNBQKBNR\nBlack to move.\n"));
    assert_eq!(say(&mut console, "Record"), "1. e4\nBlack to move.\n");
    let reply = console.answer(InputLine::Text("resign"));
    assert_eq!(reply.text, "White wins!!!\nThe game is over.\n1. e4\n");
}

#[test]
fn english_promotion_and_draw() {
    let options = Options { lang: Lang::En, ..Options::default() };
    let mut console = console(Some("8/P7/8/8/8/5k2/7p/7K w - - 0 1"), options);
    let question = "Which piece shall the pawn become? (Q, R, B, N)\n";
    assert_eq!(say(&mut console, "a7 a8"), question);
    assert_eq!(say(&mut console, "king"), format!("Please type one of Q, R, B, N.\n{question}"));
    assert!(say(&mut console, "bishop").starts_with("B7\n"));
    let mut console = super::console(Some("7k/8/8/8/8/8/4p3/4KB2 w - - 0 1"), options);
    let reply = console.answer(InputLine::Text("e1 e2"));
    assert!(
        reply.text.ends_with("\nThe game ends in a draw.\n1. Kxe2\n1/2-1/2\n"),
        "{}",
        reply.text
    );
}

#[test]
fn the_drawn_board_replaces_the_letters_and_nothing_else() {
    let options = Options { board: BoardStyle::Pretty(Ink::Plain), ..Options::default() };
    let mut console = console(None, options);
    assert_eq!(
        say(&mut console, "e2 e4"),
        "   a  b  c  d  e  f  g  h\n\
         8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜  8\n\
         7  ♟  ♟  ♟  ♟  ♟  ♟  ♟  ♟  7\n\
         6     ·     ·     ·     ·  6\n\
         5  ·     ·     ·     ·     5\n\
         4     ·     · [♙] ·     ·  4\n\
         3  ·     ·     ·     ·     3\n\
         2  ♙  ♙  ♙  ♙ [ ] ♙  ♙  ♙  2\n\
         1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖  1\n   \
            a  b  c  d  e  f  g  h\n\
         흑 기물을 움직여주세요.\n"
    );
}
