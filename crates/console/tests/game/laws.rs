//! Properties that hold for any input.

use hansu_console::{BoardStyle, Ink};
use hansu_words::Lang;
use proptest::prelude::*;

use super::*;

/// A line: mostly legal moves, some words, some rubbish.
#[derive(Clone, Debug)]
enum Typed {
    Legal(prop::sample::Index),
    Tiles(u8, u8),
    Word(&'static str),
    Rubbish(String),
    Bytes(Vec<u8>),
}

fn typed() -> impl Strategy<Value = Typed> {
    prop_oneof![
        12 => any::<prop::sample::Index>().prop_map(Typed::Legal),
        4 => (0..64u8, 0..64u8).prop_map(|(from, to)| Typed::Tiles(from, to)),
        3 => prop::sample::select(vec!["기보", "q", "퀸", "n", "record", "", "e2 e4 e5", "\u{feff}"])
            .prop_map(Typed::Word),
        1 => ".{0,40}".prop_map(Typed::Rubbish),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Typed::Bytes),
    ]
}

fn name(index: usize) -> String {
    hansu_chess::Square::from_index(index).map(|at| at.to_string()).unwrap_or_default()
}

/// The text of a legal move without its promotion.
fn legal(console: &Console, index: prop::sample::Index) -> String {
    let game = console.game().state().game();
    let position = game.position();
    let pairs = (0..64).flat_map(|from| (0..64).map(move |to| (from, to)));
    let moves: Vec<String> = pairs
        .filter_map(|(from, to)| {
            let square = hansu_chess::Square::from_index;
            let refusal = position.refusal(square(from)?, square(to)?, None);
            let playable =
                matches!(refusal, None | Some(hansu_chess::Refusal::PromotionMissing { .. }));
            playable.then(|| format!("{} {}", name(from), name(to)))
        })
        .collect();
    if moves.is_empty() { String::new() } else { index.get(&moves).clone() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// No line breaks the game, the board on the screen is always the game's, and every answer ends
    /// with a newline.
    #[test]
    fn any_lines_at_all(
        lines in prop::collection::vec(typed(), 0..120),
        late in any::<bool>(),
        why in any::<bool>(),
        english in any::<bool>(),
    ) {
        let fen = late.then_some("1n2k2r/PPP3pp/8/8/8/8/ppp3PP/R3K2R w KQk - 0 1");
        let lang = if english { Lang::En } else { Lang::Ko };
        let mut console = console(fen, Options { why, lang, ..Options::default() });
        prop_assert!(console.greeting().contains(&ranks(&console)));
        for line in lines {
            let before = console.game().state().plies();
            let text;
            let line = match &line {
                Typed::Legal(index) => {
                    text = legal(&console, *index);
                    InputLine::Text(&text)
                }
                &Typed::Tiles(from, to) => {
                    text = format!("{} {}", name(from.into()), name(to.into()));
                    InputLine::Text(&text)
                }
                Typed::Word(word) => InputLine::Text(word),
                Typed::Rubbish(rubbish) => InputLine::Text(rubbish),
                Typed::Bytes(bytes) => InputLine::from(bytes.as_slice()),
            };
            let reply = console.answer(line);
            prop_assert!(reply.notice.is_empty());
            let after = console.game().state().plies();
            prop_assert!(after <= before + 1);
            if after > before {
                prop_assert!(reply.text.starts_with(&ranks(&console)), "{}", reply.text);
            } else {
                prop_assert!(!reply.text.contains(&ranks(&console)), "{}", reply.text);
            }
            if reply.next == Next::End {
                prop_assert!(console.game().state().ending().is_some());
                prop_assert_eq!(console.answer(InputLine::Text("기보")).text, "");
                break;
            }
            prop_assert!(reply.text.ends_with('\n'));
            prop_assert!(!reply.text.contains('\u{1b}'), "{}", reply.text);
        }
    }
}

proptest! {
    /// The drawn board shows the same pieces on the same tiles.
    #[test]
    fn both_boards_agree(indexes in prop::collection::vec(any::<prop::sample::Index>(), 0..60)) {
        let mut plain = console(None, Options::default());
        let pretty = Options { board: BoardStyle::Pretty(Ink::Plain), ..Options::default() };
        let mut drawn = console(None, pretty);
        for index in indexes {
            let text = legal(&plain, index);
            let (one, other) = (plain.answer(InputLine::Text(&text)), drawn.answer(InputLine::Text(&text)));
            prop_assert_eq!(one.next, other.next);
            if one.text.contains("(Q, R, B, N)") || one.next == Next::End {
                break;
            }
            let letters: String = one.text.lines().take(8).flat_map(str::chars)
                .flat_map(|c| match c.to_digit(10) {
                    Some(empty) => ".".repeat(empty as usize),
                    None => c.to_string(),
                }.chars().collect::<Vec<_>>())
                .collect();
            let pieces: String = other.text.lines().skip(1).take(8)
                .flat_map(|line| (0..8).filter_map(|at| line.chars().nth(3 + 3 * at)))
                .map(letter)
                .collect();
            prop_assert_eq!(letters, pieces);
        }
    }
}

fn letter(symbol: char) -> char {
    let symbols = "♔♕♖♗♘♙♚♛♜♝♞♟";
    let at = symbols.chars().position(|known| known == symbol);
    at.and_then(|at| "KQRBNPkqrbnp".chars().nth(at)).unwrap_or('.')
}
