//! What holds whatever is typed.

use hansu_console::{BoardStyle, Ink};
use hansu_words::Lang;
use proptest::prelude::*;

use super::*;

/// A line: mostly moves of the position, some words, some rubbish.
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
    let game = console.table().state().game();
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

    /// No line stops the game or leaves another board on the screen than the game's own; every
    /// answer ends in a whole line.
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
        prop_assert!(console.opening().contains(&ranks(&console)));
        for line in lines {
            let before = console.table().state().plies();
            let text;
            let line = match &line {
                Typed::Legal(index) => {
                    text = legal(&console, *index);
                    Line::Text(&text)
                }
                &Typed::Tiles(from, to) => {
                    text = format!("{} {}", name(from.into()), name(to.into()));
                    Line::Text(&text)
                }
                Typed::Word(word) => Line::Text(word),
                Typed::Rubbish(rubbish) => Line::Text(rubbish),
                Typed::Bytes(bytes) => Line::from(bytes.as_slice()),
            };
            let said = console.answer(line);
            prop_assert!(said.notice.is_empty());
            let after = console.table().state().plies();
            prop_assert!(after <= before + 1);
            if after > before {
                prop_assert!(said.text.starts_with(&ranks(&console)), "{}", said.text);
            } else {
                prop_assert!(!said.text.contains(&ranks(&console)), "{}", said.text);
            }
            if said.next == Next::End {
                prop_assert!(console.table().state().ending().is_some());
                prop_assert_eq!(console.answer(Line::Text("기보")).text, "");
                break;
            }
            prop_assert!(said.text.ends_with('\n'));
            prop_assert!(!said.text.contains('\u{1b}'), "{}", said.text);
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
            let (one, other) = (plain.answer(Line::Text(&text)), drawn.answer(Line::Text(&text)));
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
