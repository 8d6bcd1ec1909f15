//! What the reader takes and refuses, example by example.

use std::io::{self, Read};

use super::*;
use crate::{FenError, Position, Variant};

fn read(text: &str) -> Vec<Result<Record, PgnError>> {
    Reader::new(text.as_bytes()).collect()
}

fn one(text: &str) -> Record {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap_or_else(|error| panic!("{error} in {text:?}"))
}

/// The main line in standard algebraic notation.
fn moves(record: &Record) -> String {
    let mut position = record.start;
    let mut words = Vec::new();
    for step in record.moves() {
        words.push(position.san(step).to_string());
        position = position.play(step);
    }
    words.join(" ")
}

/// The only error of a text, with a good game behind the bad one.
fn fault(text: &str) -> PgnError {
    let games = read(&format!("{text}\n\n[Event \"next\"]\n\n1. d4 d5 1-0\n"));
    let [Err(error), Ok(next)] = &games[..] else {
        panic!("{games:?} in {text:?}");
    };
    assert_eq!(next.tags.value("Event"), Some("next"), "{text:?}");
    assert_eq!(moves(next), "d4 d5");
    *error
}

#[test]
fn move_numbers_have_any_form() {
    for text in [
        "1. e4 e5 2. Nf3 *",
        "1.e4 e5 2.Nf3 *",
        "1. e4 1... e5 2. Nf3 *",
        "1 e4 e5 2 Nf3 *",
        "e4 e5 Nf3 *",
        "1. e4 1. ... e5 2 . Nf3 *",
        "1.e4 1...e5 2.Nf3*",
        "17. e4 99... e5 Nf3",
        "1e4 e5 2Nf3 *",
        "\u{feff}1. e4\r\n\te5\x0b\x0c2. Nf3\r\n*\r\n",
    ] {
        assert_eq!(moves(&one(text)), "e4 e5 Nf3", "{text:?}");
    }
}

#[test]
fn results_in_all_forms() {
    for result in GameResult::ALL {
        assert_eq!(one(&format!("1. e4 e5 {result}")).result, result);
        assert_eq!(one(&format!("[Result \"{result}\"]\n1. e4 e5")).result, result);
        assert_eq!(one(&format!("[Result \"{result}\"]\n1. e4 e5 *")).result, result);
    }
    assert_eq!(one("[Result \"1-0\"]\n1. e4 0-1").result, GameResult::BlackWins);
    // Behind a variation the result of the game has not come yet.
    assert_eq!(moves(&one("1. e4 (1. d4 1-0) (1. c4 *) e5 0-1")), "e4 e5");
    assert_eq!(read("*").len(), 1);
    assert_eq!(read("* * 1-0").len(), 3);
}

#[test]
fn castling_with_zeros_is_not_a_result() {
    let text = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 0-1";
    let record = one(text);
    assert!(moves(&record).ends_with("O-O O-O"));
    assert_eq!(record.result, GameResult::BlackWins);
}

#[test]
fn signs_become_numbers() {
    let record = one("1. e4! e5? 2. Nf3!! $14 Nc6 ?? 3. Bc4 !? $0 Bc5?!$255 *");
    let nags: Vec<_> = record.main.plies.iter().map(|ply| &ply.nags[..]).collect();
    assert_eq!(nags, [&[1][..], &[2], &[3, 14], &[4], &[5, 0], &[6, 255]]);
    assert_eq!(moves(&record), "e4 e5 Nf3 Nc6 Bc4 Bc5");
}

#[test]
fn comments_stay_with_their_moves() {
    let text = "{before} 1. e4{one} {two; with (all) [sorts] %\n% of things}\n\
                ; to the end } of the line\ne5 ;another\r\n2. Nf3 {} {\n} * {behind} ; and more\n";
    let record = one(text);
    assert_eq!(record.main.comments, ["before"]);
    let said: Vec<_> = record.main.plies.iter().map(|ply| &ply.comments[..]).collect();
    assert_eq!(
        said,
        [
            &["one", "two; with (all) [sorts] % % of things", "to the end } of the line"][..],
            &["another"],
            &["behind", "and more"]
        ]
    );
}

#[test]
fn variations_nest() {
    let record = one("1. e4 (1. d4 {q} d5 (1... Nf6 2. c4) (1... f5) 2. c4) (1. c4) e5 () ({x}) *");
    let [e4, e5] = &record.main.plies[..] else { panic!() };
    assert_eq!(e4.variations.len(), 2);
    assert_eq!(e4.variations[0].plies.len(), 3);
    assert_eq!(e4.variations[0].plies[1].variations.len(), 2);
    assert_eq!(e4.variations[0].plies[1].variations[0].plies.len(), 2);
    assert_eq!(e5.variations.len(), 1, "an empty one is dropped, a comment alone is kept");
    assert_eq!(e5.variations[0].comments, ["x"]);
}

#[test]
fn kept_is_what_was_asked_for() {
    let text = "{a} 1. e4 $1 {b} (1. d4 {c}) e5 (1... Zz9) {d} *";
    assert!(read(text)[0].is_err());
    let main = Reader::new(text.as_bytes()).keep(Keep::MainLine).next_game().unwrap().unwrap();
    assert_eq!((main.main.comments.len(), main.main.plies[1].comments.len()), (1, 1));
    assert!(main.main.plies.iter().all(|ply| ply.variations.is_empty()));
    let bare = Reader::new(text.as_bytes()).keep(Keep::Moves).next_game().unwrap().unwrap();
    assert!(bare.main.comments.is_empty() && bare.main.plies[1].comments.is_empty());
    assert_eq!(bare.main.plies[0].nags, [1]);
    assert_eq!(moves(&bare), "e4 e5");
}

#[test]
fn tags_with_escapes_and_without() {
    let text = r#"[Event "a \"b\" \\ c"] [ Site	"x y" ]
[Round
"1"]
[White "The "Big" One"]
[Black "C:\"]
[Annotator "] * [ {"]
[ECO-Code "A\b"]
[Empty ""]
*"#;
    let tags = one(text).tags;
    for (name, value) in [
        ("Event", r#"a "b" \ c"#),
        ("Site", "x y"),
        ("Round", "1"),
        ("White", r#"The "Big" One"#),
        ("Black", r"C:\"),
        ("Annotator", "] * [ {"),
        ("ECO-Code", r"A\b"),
        ("Empty", ""),
        ("Date", "????.??.??"),
    ] {
        assert_eq!(tags.value(name), Some(value), "{name}");
    }
}

#[test]
fn the_last_of_equal_tags_counts() {
    assert_eq!(one("[ECO \"A00\"]\n[ECO \"B01\"]\n*").tags.value("ECO"), Some("B01"));
}

#[test]
fn escape_lines_are_skipped() {
    let text =
        "% one\n[Event \"x\"]\n% [Event \"y\"]\n\n1. e4\n%e5 {\ne5 (1... c5\n%)\n2. Nf3) *\n%\n";
    let record = one(text);
    assert_eq!(moves(&record), "e4 e5");
    assert_eq!(record.main.plies[1].variations[0].plies.len(), 2);
    let main = Reader::new(text.as_bytes()).keep(Keep::MainLine).next_game().unwrap().unwrap();
    assert_eq!(moves(&main), "e4 e5");
    assert!(matches!(fault("1. e4 %e5").reason, PgnReason::Unexpected(_)));
    assert_eq!(moves(&one("\u{feff}% not a game\n1. e4 *")), "e4");
}

#[test]
fn a_byte_order_mark_among_the_moves_means_nothing() {
    assert_eq!(moves(&one("1. e4 \u{feff}e5 \u{feff}\u{feff}2. Nf3\u{feff} *")), "e4 e5 Nf3");
    assert!(matches!(fault("1. e4 \u{fe7f}e5 *").reason, PgnReason::Unexpected(_)));
}

#[test]
fn games_end_where_the_next_begins() {
    let text = "[Event \"1\"]\n1. e4 e5\n\n[Event \"2\"]\n\n[Event \"3\"]\n* [Event \"4\"]\n";
    let games = read(text);
    let events: Vec<_> = games
        .iter()
        .map(|game| game.as_ref().unwrap().tags.value("Event").unwrap_or_default())
        .collect();
    assert_eq!(events, ["1", "2", "3", "4"]);
    let lines: Vec<_> = games.iter().map(|game| game.as_ref().unwrap().line).collect();
    assert_eq!(lines, [1, 4, 6, 7]);
}

#[test]
fn nothing_is_no_game() {
    for text in ["", "\n\n", "\u{feff}", "% escape", "; comment", "{comment}\n", "1. e4 * ; c\n"] {
        let games = read(text);
        assert_eq!(games.len(), usize::from(text.contains('*')), "{text:?} {games:?}");
    }
}

#[test]
fn positions_to_start_from() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 20";
    for extra in ["", "[SetUp \"1\"]\n", "[Variant \"From Position\"]\n"] {
        let record = one(&format!("{extra}[FEN \"{fen}\"]\n\n20... O-O 21. O-O-O *"));
        assert_eq!(record.start.fen(), fen);
        assert_eq!(moves(&record), "O-O O-O-O");
    }
    let fen = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
    for name in ["Chess960", "chess 960", "Fischerandom", "Fischer Random"] {
        let record = one(&format!("[FEN \"{fen}\"]\n[Variant \"{name}\"]\n1. e4 *"));
        assert_eq!((record.variant, record.start.fen()), (Variant::Chess960, fen.to_owned()));
    }
    assert!(matches!(fault(&format!("[FEN \"{fen}\"]\n1. e4 *")).reason, PgnReason::Fen(_)));
    let error = fault("[Event \"x\"]\n[FEN \"8/8 w - -\"]\n\n1. e4 *");
    assert_eq!(error.reason, PgnReason::Fen(FenError::Board));
    assert_eq!(fault("[Variant \"Atomic\"]\n[ECO \"A\"]\n\n1. e4 e5 *").reason, PgnReason::Variant);
}

#[test]
fn faults_have_lines_and_reasons_and_the_next_game_is_read() {
    for (text, line, message) in [
        ("1. e4 e5\n2. Nf3 Ke6 *", 2, "Ke6 is not a legal move"),
        ("1. e4 e5\n2. Nf3 Ke6", 2, "Ke6 is not a legal move"),
        ("1. d4 d5 2. Nf3 Nf6\n3. Nd2 *", 2, "Nd2 could mean several moves"),
        ("1. hello *", 1, "hello is not written like a move"),
        ("1. e4 -- 2. d4 *", 1, "a null move is not a legal move"),
        ("1. e4 \u{2658}f6 *", 1, "???f6 is not expected here"),
        ("1. e4 <reserved> *", 1, "<reserved> is not expected here"),
        ("1. e4 [x] *", 1, "[x] is not expected here"),
        ("1. e4\n[x] e5 *", 2, "[x] is not expected here"),
        ("1. e4 [Event \"x\"] e5 *", 1, "[Event is not expected here"),
        ("1. e4\n} e5 *", 2, "there is nothing to close here"),
        ("1. e4\n) e5 *", 2, "there is nothing to close here"),
        ("(1. d4) 1. e4 *", 1, "a variation needs a move before it"),
        ("1. e4 ( (1. d4) 1. c4) *", 1, "a variation needs a move before it"),
        ("1. e4 $ *", 1, "$ must be followed by a number from 0 to 255"),
        ("1. e4 $256 *", 1, "$ must be followed by a number from 0 to 255"),
        ("1. e4\n{no end\n2. d4 *", 2, "the comment does not end"),
        ("1. e4 (1. d4 *", 3, "a variation does not end"),
        ("[Event x]\n[Site \"y\"]\n\n1. e4 *", 1, "a tag must be written as [Name \"value\"]"),
        (
            "[Site \"y\"]\n[Event \"x]\n[Round \"1\"]\n\n1. e4 *",
            2,
            "a tag must be written as [Name \"value\"]",
        ),
        ("[Site \"x\\\ny\"]\n\n1. e4 *", 1, "a tag must be written as [Name \"value\"]"),
        ("[]\n1. e4 *", 1, "a tag must be written as [Name \"value\"]"),
        ("\0", 1, "? is not expected here"),
    ] {
        assert_eq!(fault(text).to_string(), format!("line {line}: {message}"), "{text:?}");
    }
}

#[test]
fn a_comment_without_end_does_not_swallow_the_next_game() {
    let games = read("1. e4\n{no end\n2. d4 *\n\n[Event \"2\"]\n{y} zz *");
    let lines: Vec<_> = games.iter().map(|game| game.as_ref().unwrap_err().line).collect();
    assert_eq!(lines, [2, 6]);
    // Only behind an empty line: a comment may quote tags.
    for (between, is_comment) in [
        ("\n", true),
        ("\n \t", true),
        ("\nx\n", true),
        ("\n\n", false),
        ("\r\n \t\r\n", false),
        ("x\n\n\n", false),
    ] {
        let text = format!("1. e4 {{a{between}[Event \"2\"]\n}} e5 *");
        let games = read(&text);
        let whole = games.len() == 1 && games[0].as_ref().is_ok_and(|game| moves(game) == "e4 e5");
        assert_eq!(whole, is_comment, "{text:?}");
    }
}

#[test]
fn a_broken_game_without_tags_ends_at_its_result() {
    let games = read("1. e4 e5 2. Zz {1-0} (2. d4 0-1) d4 1-0 {x}\n1. d4 *\n1. c4 *");
    assert!(games[0].is_err() && games[1].is_ok() && games[2].is_ok());
    assert_eq!(games.len(), 3);
    // Parentheses that do not match end with the text.
    let games = read("1. e4 (1. Zz ((1. d4) e5 *\n\n1. d4 *\n");
    assert_eq!((games.len(), games[0].is_err(), games[1].is_ok()), (2, true, true));
}

#[test]
fn errors_at_the_end_end() {
    for text in
        ["{", "1. e4 (", "[", "[Event", "[Event \"x", "[Event \"x\"", "1. e4 $", "(", "\u{fe}"]
    {
        let games = read(text);
        assert_eq!(games.len(), 1, "{text:?}");
        assert!(games[0].is_err(), "{text:?}");
    }
}

/// Repeats something without using memory.
struct Repeat {
    unit: &'static [u8],
    left: u64,
    offset: usize,
}

impl Read for Repeat {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut count = 0;
        while count < into.len() && self.left > 0 {
            let piece = &self.unit[self.offset..];
            let length = piece.len().min(into.len() - count);
            into[count..count + length].copy_from_slice(&piece[..length]);
            count += length;
            self.offset += length;
            if self.offset == self.unit.len() {
                (self.offset, self.left) = (0, self.left - 1);
            }
        }
        Ok(count)
    }
}

fn flood(before: &'static str, unit: &'static str, times: u64, after: &'static str) -> impl Read {
    let unit = unit.as_bytes();
    before.as_bytes().chain(Repeat { unit, left: times, offset: 0 }).chain(after.as_bytes())
}

#[test]
fn floods_are_errors_and_the_next_game_is_read() {
    const MILLION: u64 = 1_000_000;
    for (before, unit, after, reason) in [
        ("1. e4 {", "x ", "} e5 *", PgnReason::TooLong(Part::Comment)),
        ("1. e4 {", "\n", "} e5 *", PgnReason::TooLong(Part::Comment)),
        ("1. e4 ;", "x ", "\n e5 *", PgnReason::TooLong(Part::Comment)),
        ("1. e4 ", "(", ")", PgnReason::NothingToVary),
        ("1. e4 ", "(1. d4 ", ")", PgnReason::TooDeep),
        ("1. e4 ", "e4e5", " *", PgnReason::TooLong(Part::Token)),
        ("1. e4 ", "7", " *", PgnReason::TooLong(Part::Token)),
        ("[Event \"", "x", "\"]\n\n1. e4 *", PgnReason::TooLong(Part::Tag)),
        ("[Event \"", "\\\"", "\"]\n\n1. e4 *", PgnReason::TooLong(Part::Tag)),
        ("[", "x", " \"y\"]\n\n1. e4 *", PgnReason::TooLong(Part::Tag)),
        ("[", " ", "x \"y\"]\n\n1. e4 *", PgnReason::TooLong(Part::Tag)),
        ("", "1. Nf3 Nf6 2. Ng1 Ng8 ", "*", PgnReason::TooLong(Part::Game)),
        ("1. e4 ", "(1. d4) ", "*", PgnReason::TooLong(Part::Game)),
        ("1. e4 ", "{0123456789012345678901234567890} ", "*", PgnReason::TooLong(Part::Game)),
    ] {
        let source =
            flood(before, unit, MILLION, after).chain(&b"\n\n[Event \"next\"]\n1. d4 *"[..]);
        let games: Vec<_> = Reader::new(source).collect();
        assert_eq!(games.len(), 2, "{before}{unit}");
        assert_eq!(games[0].as_ref().map_err(|error| error.reason), Err(reason), "{before}{unit}");
        assert!(games[1].is_ok(), "{before}{unit}");
    }
}

#[test]
fn a_replay_takes_floods_that_it_skips() {
    for (before, unit, after) in [
        ("1. e4 {", "x\n", "} e5 *"),
        ("1. e4 ;", "x ", "\n e5 *"),
        ("1. e4 (", "(", "zz"),
        ("1. e4 (", "()", ") e5 *"),
        ("1. e4 ", "(1. d4 (1. c4) {)} ;)\n) ", " e5 *"),
        ("1. e4 ", " \t\r\n", " e5 *"),
        ("", "% no game\n", "1. e4 e5 *"),
        ("", "[A \"b\"] ", "1. e4 e5 *"),
        ("1. e4 ", "$1", " e5 *"),
    ] {
        let mut reader = Reader::new(flood(before, unit, 1_000_000, after));
        let replayed = reader.next_replay().unwrap();
        if after == "zz" {
            assert_eq!(replayed.map_err(|e| e.reason), Err(PgnReason::UnterminatedVariation));
        } else {
            assert_eq!(replayed.map(|replayed| replayed.plies), Ok(2), "{before}{unit}");
        }
        assert!(reader.next_replay().is_none());
    }
}

#[test]
fn too_many_tags_are_an_error() {
    let tags: String = (0..300).map(|number| format!("[T{number} \"x\"]\n")).collect();
    assert_eq!(fault(&format!("{tags}\n1. e4 *")).reason, PgnReason::TooManyTags);
}

/// Gives a text in pieces of changing size.
struct Pieces<'a> {
    text: &'a [u8],
    sizes: std::iter::Cycle<std::slice::Iter<'a, usize>>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let size = *self.sizes.next().unwrap_or(&1);
        let count = size.min(into.len()).min(self.text.len());
        into[..count].copy_from_slice(&self.text[..count]);
        self.text = &self.text[count..];
        Ok(count)
    }
}

#[test]
fn how_the_source_is_cut_does_not_matter() {
    let mut text = String::new();
    for number in 0..400 {
        let long = "oops ".repeat(number * 5 % 400);
        text += &format!(
            "[Event \"{number}\"]\n[Site \"{}\"]\n\n1. e4! {{{}}} (1. d4 d5 (1... f5) ;{}\n) e5\n\
             {}\n\n",
            "s".repeat(number * 7 % 900),
            "comment\n".repeat(number * 11 % 300),
            "line ".repeat(number * 13 % 200),
            match number % 4 {
                0 => format!("2. Ke3 {{{long} *"),
                1 => format!("2. Ke3 {{{long}}}"),
                2 => format!("2. Nf3 {{{long}}}"),
                _ => "2. Nf3 *".to_owned(),
            },
        );
    }
    let whole = read(&text);
    assert_eq!(whole.len(), 400);
    assert_eq!(whole.iter().filter(|game| game.is_err()).count(), 200);
    for sizes in [&[1][..], &[3, 1, 7], &[255, 256, 257], &[4095], &[70_000, 1]] {
        let pieces = Pieces { text: text.as_bytes(), sizes: sizes.iter().cycle() };
        assert_eq!(Reader::new(pieces).collect::<Vec<_>>(), whole, "{sizes:?}");
        let pieces = Pieces { text: text.as_bytes(), sizes: sizes.iter().cycle() };
        let mut reader = Reader::new(pieces);
        let lines: Vec<_> = std::iter::from_fn(|| reader.next_replay())
            .map(|game| game.map_or_else(|error| error.line, |replayed| replayed.line))
            .collect();
        let expected: Vec<_> = whole
            .iter()
            .map(|game| game.as_ref().map_or_else(|error| error.line, |record| record.line))
            .collect();
        assert_eq!(lines, expected);
    }
}

#[test]
fn a_source_that_fails_is_an_error_once() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    for text in ["1. e4 *\n1. d4", "1. e4 *", "1. e4 *\n1. d4 (", "1. e4 *\n[A \"b"] {
        let mut reader = Reader::new(text.as_bytes().chain(Failing));
        assert_eq!(reader.next_replay().unwrap().map(|game| game.plies), Ok(1), "{text}");
        let error = reader.next_game().unwrap().unwrap_err();
        assert_eq!(error.reason, PgnReason::Read(io::ErrorKind::ConnectionReset));
        assert!(reader.next_game().is_none());
    }
}

#[test]
fn replays_show_every_position() {
    let mut shown = Vec::new();
    let mut reader = Reader::new("1. e4 (1. d4 d5) e5 {x} 2. Nf3 *".as_bytes());
    let replayed = reader.replay_with(|position, step| shown.push((*position, step)));
    let replayed = replayed.unwrap().unwrap();
    assert_eq!(shown.len(), 3);
    assert_eq!(shown[0].0, Position::start());
    let (last, step) = shown[2];
    assert_eq!(last.play(step), replayed.position);
}

#[test]
fn text_that_is_not_utf8_is_read() {
    let text = b"[White \"\xc9t\xe9\"]\n1. e4 {\xff\xfe} *\n[White \"\xed\x95\x9c\"]\n*";
    let games: Vec<_> = Reader::new(&text[..]).map(Result::unwrap).collect();
    assert_eq!(games[0].tags.value("White"), Some("Été"));
    assert_eq!(games[0].main.plies[0].comments, ["ÿþ"]);
    assert_eq!(games[1].tags.value("White"), Some("한"));
}

#[test]
fn a_move_is_the_same_whatever_follows_it_and_however_much() {
    /// Compares what was read while the end was looked for with what the text says.
    struct Compare(Vec<String>);
    impl Visitor for Compare {
        fn san(&mut self, text: RawSan<'_>) -> Result<(), PgnReason> {
            let word = str::from_utf8(text.bytes()).unwrap();
            assert_eq!(text.read(), crate::San::lenient(word), "{word}");
            self.0.push(word.to_owned());
            Ok(())
        }
    }
    let moves = [
        "e4",
        "exd5",
        "Nf3",
        "Nxf3",
        "Nbd2",
        "R1xe2",
        "Qa1xb2",
        "O-O",
        "O-O-O",
        "e8=Q",
        "e8Q",
        "exd8=N",
        "Ke1e2",
        "hm",
        "e",
        "N",
        "e9",
        "Nf3Nf3Nf3",
        "--",
        "Z0",
    ];
    for text in moves.iter().flat_map(|text| ["", "+", "#"].map(|end| format!("{text}{end}"))) {
        for behind in [" ", "\n", "\r\n", "\t", "!", "?!", " {x}", "{x}", ".", " $1", "$1", " (e4)"]
        {
            for last in ["*", "e5 *", "e5 e6 e7 e8 *", ""] {
                let game = format!("1. {text}{behind}{last}");
                let mut compare = Compare(Vec::new());
                let read = Reader::new(game.as_bytes()).visit(&mut compare);
                assert_eq!(read, Some(Ok(())), "{game:?}");
                assert_eq!(compare.0.first(), Some(&text), "{game:?}");
                let more = last.matches('e').count() + behind.matches('e').count();
                assert_eq!(compare.0.len(), 1 + more, "{game:?}");
            }
        }
    }
}

#[test]
fn a_control_character_behind_a_move_is_not_a_blank() {
    for (byte, expected) in [(0x00, false), (0x1f, false), (0x0b, true), (0x0c, true)] {
        let game = [b"1. e4", &[byte][..], b"e5 *    *"].concat();
        let replayed = Reader::new(&game[..]).next_replay().unwrap();
        assert_eq!(replayed.is_ok(), expected, "{byte:#x}");
    }
}
