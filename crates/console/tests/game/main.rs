//! Black-box tests of the line game: the answer to each line, byte for byte, and what is stored.

mod input;
mod kept;
mod laws;
mod remote;
mod transcripts;
mod words;

use hansu_console::{Console, InputLine, KeptGame, Next, Options};
use hansu_play::{Source, Start};

const WHITE: &str = "백 기물을 움직여주세요.\n";
const BLACK: &str = "흑 기물을 움직여주세요.\n";
const FORMAT: &str = "입력은 \"(기물의 타일) (이동할 타일)\" 형식에 맞춰 해주세요.\n";
const TILE: &str = "타일은 a1 ~ h8 내에서 입력해주세요.\n";
const REFUSED: &str = "해당 칸으로는 이동할 수 없습니다.\n";
const AFTER_E4: &str =
    "rnbqkbnr\npppppppp\n8\n8\n4P3\n8\nPPPP1PPP\nRNBQKBNR\n흑 기물을 움직여주세요.\n";

fn start(fen: Option<&str>) -> Start {
    Start { source: Source::Terminal, fen: fen.map(str::to_owned), ..Start::between("?", "?") }
}

/// A game without a log.
fn console(fen: Option<&str>, options: Options) -> Console {
    let game = KeptGame::start(&start(fen), None).expect("a game can start here");
    Console::new(game, options)
}

/// The answer to a line of a game that continues without a notice.
fn say(console: &mut Console, text: &str) -> String {
    let reply = console.answer(InputLine::Text(text));
    assert_eq!(
        (reply.notice.as_str(), reply.next),
        ("", Next::Continue),
        "{text:?}: {}",
        reply.text
    );
    reply.text
}

/// The board of a game as in its FEN, a line for each rank.
fn ranks(console: &Console) -> String {
    let fen = console.game().state().game().position().fen();
    let board = fen.split(' ').next().unwrap_or_default();
    board.replace('/', "\n") + "\n"
}
