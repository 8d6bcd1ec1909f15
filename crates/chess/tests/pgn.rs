//! PGN at its limits, and written to the letter. (What is read and refused otherwise stands beside
//! the reader, in `src/pgn/tests.rs`.)

use std::collections::HashSet;
use std::io::Read;

use hansu_chess::pgn::{
    GameResult, Keep, MAX_COMMENT, MAX_DEPTH, MAX_TAG, MAX_TAG_VALUE, MAX_TAGS, MAX_TOKEN, Part,
    PgnError, PgnReason, Raw, RawSan, Reader, Record, TagError, Tags, Visitor, Word,
};
use hansu_chess::{FenError, Game, SanError};

/// The first game of a text, and whether a good one behind it is read.
fn first(text: &str) -> Result<Record, PgnError> {
    let all = format!("{text}\n\n[Event \"next\"]\n\n1. d4 d5 1-0\n");
    let mut reader = Reader::new(all.as_bytes());
    let game = reader.next_game().expect("a game");
    let next = reader.next_game().expect("another").expect("a good one");
    assert_eq!(next.tags.value("Event"), Some("next"));
    assert_eq!((next.main.plies.len(), next.result), (2, GameResult::WhiteWins));
    assert!(reader.next_game().is_none());
    game
}

fn reason(text: &str) -> Option<PgnReason> {
    first(text).err().map(|error| error.reason)
}

// -------------------------------------------------------------------------------------------------
// Limits: what is just short enough is read, one more is an error.

#[test]
fn words_have_a_longest_length() {
    let digits = |length: usize| format!("1. e4 {} e5 *", "1".repeat(length));
    assert_eq!(reason(&digits(MAX_TOKEN)), None);
    assert_eq!(reason(&digits(MAX_TOKEN + 1)), Some(PgnReason::TooLong(Part::Token)));
    let letters = |length: usize| format!("1. {} *", "e".repeat(length));
    assert!(matches!(reason(&letters(MAX_TOKEN)), Some(PgnReason::NotAMove(_))));
    assert_eq!(reason(&letters(MAX_TOKEN + 1)), Some(PgnReason::TooLong(Part::Token)));
    // Castling with zeros goes another way.
    let zeros = |length: usize| format!("1. 0-{} *", "0".repeat(length - 2));
    assert!(matches!(reason(&zeros(MAX_TOKEN)), Some(PgnReason::NotAMove(_))));
    assert_eq!(reason(&zeros(MAX_TOKEN + 1)), Some(PgnReason::TooLong(Part::Token)));
}

#[test]
fn comments_have_a_longest_length_for_those_who_want_them() {
    for (open, close) in [("{", "}"), (";", "\n")] {
        for before in ["", "{a comment before} "] {
            let text =
                |length: usize| format!("1. e4 {before}{open}{}{close} e5 *", "x".repeat(length));
            let record = first(&text(MAX_COMMENT)).unwrap();
            assert_eq!(record.main.plies.len(), 2);
            let comments = &record.main.plies[0].comments;
            assert_eq!(comments.last().map(String::len), Some(MAX_COMMENT));
            let long = text(MAX_COMMENT + 1);
            assert_eq!(reason(&long), Some(PgnReason::TooLong(Part::Comment)), "{open}{before}");
            let bare = Reader::new(long.as_bytes()).keep(Keep::Moves).next_game();
            assert_eq!(bare.unwrap().map(|record| record.main.plies.len()), Ok(2));
        }
    }
}

#[test]
fn the_longest_comment_may_come_in_pieces() {
    for (open, close) in [("{", "}"), (";", "\n")] {
        for length in [MAX_COMMENT, MAX_COMMENT + 1] {
            let text = format!("1. e4 {open}{}{close} e5 *", "x".repeat(length));
            let end = "1. e4 ".len() + open.len() + length;
            for cut in end - 2..=end + 2 {
                let (one, two) = text.as_bytes().split_at(cut);
                let game = Reader::new(one.chain(two)).next_game().unwrap();
                let plies = game.map(|record| record.main.plies.len()).map_err(|e| e.reason);
                let too_long = Err(PgnReason::TooLong(Part::Comment));
                assert_eq!(plies, if length == MAX_COMMENT { Ok(2) } else { too_long }, "{cut}");
            }
        }
    }
}

#[test]
fn no_visitor_is_handed_a_longer_comment() {
    struct Longest(usize);
    impl Visitor for Longest {
        fn san(&mut self, _: RawSan<'_>) -> Result<(), PgnReason> {
            Ok(())
        }
        fn comment(&mut self, text: Raw<'_>) -> Result<(), PgnReason> {
            self.0 = self.0.max(text.bytes().len());
            Ok(())
        }
    }
    for (open, close) in [("{", "}"), (";", "\n")] {
        let longest = |length: usize| {
            let text = format!("1. e4 {open}{}{close} e5 *", "x".repeat(length));
            let mut visitor = Longest(0);
            let read = Reader::new(text.as_bytes()).visit(&mut visitor).unwrap();
            read.map(|()| visitor.0).map_err(|error| error.reason)
        };
        assert_eq!(longest(MAX_COMMENT), Ok(MAX_COMMENT));
        assert_eq!(longest(MAX_COMMENT + 1), Err(PgnReason::TooLong(Part::Comment)));
    }
}

#[test]
fn a_comment_in_latin_1_counts_as_long_as_it_becomes() {
    let read = |length: usize| {
        let text = [&b"1. e4 {"[..], &vec![0xe9; length], b"} e5 *"].concat();
        let game = Reader::new(&text[..]).next_game().unwrap();
        game.map(|record| record.main.plies[0].comments[0].len()).map_err(|error| error.reason)
    };
    assert_eq!(read(MAX_COMMENT / 2), Ok(MAX_COMMENT));
    assert_eq!(read(MAX_COMMENT / 2 + 1), Err(PgnReason::TooLong(Part::Comment)));
}

#[test]
fn variations_have_a_greatest_depth() {
    let nested =
        |depth: usize| format!("1. e4 {}{} e5 *", "(1. d4 ".repeat(depth), ")".repeat(depth));
    let mut line = &first(&nested(MAX_DEPTH)).unwrap().main;
    let mut depth = 0;
    while let Some(inner) = line.plies[0].variations.first() {
        (line, depth) = (inner, depth + 1);
    }
    assert_eq!(depth, MAX_DEPTH);
    assert_eq!(reason(&nested(MAX_DEPTH + 1)), Some(PgnReason::TooDeep));
}

#[test]
fn tags_have_a_longest_length() {
    // `[A "`, the value, `"]`.
    let tag = |length: usize| format!("[A \"{}\"]\n\n1. e4 *", "x".repeat(length - 6));
    let skipped = |length: usize| {
        let text = tag(length);
        Reader::new(text.as_bytes()).next_replay().unwrap().map(|game| game.plies)
    };
    assert_eq!(skipped(MAX_TAG), Ok(1));
    let error = skipped(MAX_TAG + 1).map_err(|error| error.reason);
    assert_eq!(error, Err(PgnReason::TooLong(Part::Tag)));
    let value =
        |length: usize| first(&tag(length + 6)).map(|record| record.tags.value("A").map(str::len));
    assert_eq!(value(MAX_TAG_VALUE), Ok(Some(MAX_TAG_VALUE)));
    assert_eq!(value(MAX_TAG_VALUE + 1).map_err(|e| e.reason), Err(PgnReason::TooLong(Part::Tag)));
}

#[test]
fn a_tag_has_a_name() {
    assert_eq!(reason("[ \"nameless\"]\n\n1. e4 *"), Some(PgnReason::Tag));
    assert_eq!(reason("[\"nameless\"]\n\n1. e4 *"), Some(PgnReason::Tag));
}

#[test]
fn only_at_the_beginning_of_a_line_a_percent_sign_hides_it() {
    assert_eq!(reason("% [Event \"hidden\n1. e4 *"), None);
    assert!(reason(" % [Event \"hidden\n1. e4 *").is_some());
}

#[test]
fn a_reader_that_is_interrupted_is_asked_again() {
    struct Interrupted<'a>(&'a [u8], bool);

    impl Read for Interrupted<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(std::io::ErrorKind::Interrupted.into()) } else { self.0.read(into) }
        }
    }

    let mut reader = Reader::new(Interrupted(b"1. e4 e5 1-0", false));
    let game = reader.next_game().unwrap().unwrap();
    assert_eq!((game.main.plies.len(), game.result), (2, GameResult::WhiteWins));
    assert!(reader.next_game().is_none());
}

#[test]
fn each_game_is_replayed_from_its_own_beginning() {
    let text = "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ Kd7 2. Qa7+ 1-0\n\n1. e4 *\n";
    let mut reader = Reader::new(text.as_bytes());
    let mut next = || reader.next_replay().unwrap().unwrap();
    let (one, two) = (next(), next());
    assert_eq!((one.plies, one.line, one.result), (3, 1, GameResult::WhiteWins));
    assert_eq!((two.plies, two.line, two.result), (1, 5, GameResult::Unknown));
}

#[test]
fn the_longest_tag_may_come_in_pieces() {
    // Unescaped quotes inside the value: only the end of the line shows where it ends.
    for (quote, length) in [("x", MAX_TAG), ("\"", MAX_TAG), ("x", MAX_TAG + 1)] {
        let text = format!("[A \"{quote}{}\"]\n\n1. e4 *", "x".repeat(length - 7));
        for cut in length - 2..=length + 2 {
            let (one, two) = text.as_bytes().split_at(cut);
            let replayed = Reader::new(one.chain(two)).next_replay().unwrap();
            let plies = replayed.map(|game| game.plies).map_err(|error| error.reason);
            let too_long = Err(PgnReason::TooLong(Part::Tag));
            assert_eq!(plies, if length == MAX_TAG { Ok(1) } else { too_long }, "{quote} {cut}");
        }
    }
}

#[test]
fn a_record_keeps_so_many_tags() {
    let six = ["Event", "Site", "Date", "Round", "White", "Black"];
    let others =
        |count: usize| -> String { (0..count).map(|n| format!("[T{n} \"x\"]\n")).collect() };
    let most = MAX_TAGS - six.len();
    let record = first(&format!("{}\n1. e4 *", others(most))).unwrap();
    assert_eq!(record.tags.iter().count(), MAX_TAGS);
    assert_eq!(reason(&format!("{}\n1. e4 *", others(most + 1))), Some(PgnReason::TooManyTags));
}

#[test]
fn a_fen_as_long_as_a_value_may_be_is_looked_at() {
    let fen = |blanks: usize| {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let text = format!("[FEN \"{fen}{}\"]\n\n1. Ke2 *", " ".repeat(blanks - fen.len()));
        Reader::new(text.as_bytes()).next_replay().unwrap().map(|game| game.plies)
    };
    assert_eq!(fen(MAX_TAG_VALUE), Ok(1));
    assert!(fen(MAX_TAG_VALUE + 1).is_err());
}

// -------------------------------------------------------------------------------------------------
// Blanks and ends, where the reader's buffer does not help.

#[test]
fn blanks_of_every_length_and_kind_mean_nothing() {
    // More than the reader holds at once.
    const FLOOD: usize = 300_000;
    for blank in ["\n", "\r\n", " ", "\t", "\x0b", "\x0c", "% no game\n", "\u{feff}"] {
        for count in [0, 1, 2, FLOOD / blank.len()] {
            let blanks = blank.repeat(count);
            let text = format!("{blanks}\n1. e4 e5 *\n{blanks}\n1. d4 *\n{blanks}");
            let games: Vec<_> = Reader::new(text.as_bytes()).collect();
            let seen: Vec<_> =
                games.iter().flatten().map(|game| (game.line, game.main.plies.len())).collect();
            let lines = blanks.matches('\n').count() as u64;
            let expected = [(lines + 2, 2), (2 * lines + 4, 1)];
            assert_eq!((games.len(), &seen[..]), (2, &expected[..]), "{count} times {blank:?}");
        }
    }
}

#[test]
fn a_second_event_begins_a_game_wherever_the_source_is_cut() {
    let text = "[Event \"1\"]\n[Event \"2\"]\n\n1. e4 *";
    for cut in 0..=text.len() {
        let (one, two) = text.as_bytes().split_at(cut);
        let plies: Vec<_> = Reader::new(one.chain(two))
            .map(|game| game.map(|record| record.main.plies.len()))
            .collect();
        assert_eq!(plies, [Ok(0), Ok(1)], "{cut}");
    }
}

#[test]
fn a_skipped_variation_may_hold_anything() {
    for inside in ["1. d4", "", "()", "((1. c4) 1. d4)", "{)}", "; )\n", "\n%)\n", "[x]", "%"] {
        let text = format!("1. e4 ({inside}) e5 (\n) 2. Nf3 1-0\n1. d4 *");
        let mut reader = Reader::new(text.as_bytes());
        let plies: Vec<_> = std::iter::from_fn(|| reader.next_replay())
            .map(|game| game.map(|game| (game.plies, game.result)))
            .collect();
        let expected = [Ok((3, GameResult::WhiteWins)), Ok((1, GameResult::Unknown))];
        assert_eq!(plies, expected, "{inside:?}");
    }
    let open = "1. e4 (1. d4\n[Event \"next\"]\n\n1. d4 *";
    let mut reader = Reader::new(open.as_bytes());
    let error = reader.next_replay().unwrap().unwrap_err();
    assert_eq!((error.line, error.reason), (1, PgnReason::UnterminatedVariation));
    assert_eq!(reader.next_replay().unwrap().map(|game| game.plies), Ok(1));
}

#[test]
fn behind_a_broken_game_the_next_begins_at_its_tags_or_behind_a_result() {
    // The broken part, and how many good games follow it.
    for (broken, good) in [
        ("1. Zz *\n", 1),
        ("1. Zz 1-0 {said} ", 1),
        ("1. Zz 1-0 ;said\n", 1),
        ("1. Zz 1/2-1/2\t ", 1),
        ("1. Zz (1. d4 1-0) 0-1\n", 1),
        ("1. Zz {1-0 *} 0-1\n", 1),
        ("1. Zz ;1-0 *\n0-1\n", 1),
        ("1. Zz\n%1-0 *\n0-1\n", 1),
        ("1. Zz) 0-1\n", 1),
        ("1. Zz e4* ", 1),
        ("1. Zz ! ? ]*\n", 1),
        ("1. Zz 1-0-0 2-1 11-0 *\n", 1),
        // A result in open parentheses counts before an empty line only.
        ("1. Zz ((1. d4 1-0\n\n", 1),
        ("1. Zz ((1. d4 1-0\n", 0),
        ("1. Zz ((1. d4 1-0 \r\n \r\n", 1),
        ("1. Zz [x 1-0\n", 1),
        ("1. Zz\n[Event \"x\"]\n\n1. e4 *\n", 2),
        ("1. Zz {no end\n\n[Event \"x\"]\n\n1. e4 *\n", 2),
        // Broken tags: up to the end of their movetext, or to the next Event.
        ("[Event \"x\"]\n[bad]\n[Site \"y\"]\n\n1. e4 *\n", 1),
        ("[Event \"x\"]\n[bad]\n[Event \"y\"]\n\n1. e4 *\n", 2),
        ("[bad]\n[Event \"y\"]\n\n1. e4 *\n", 1),
        ("[bad]\n[Event\"y\"]\n[Event \"z\"]\n1. e4 *\n", 2),
        ("[bad]\n[Event \"y\"]\n[EventDate \"z\"]\n1. e4 *\n", 1),
    ] {
        let text = format!("{broken}1. d4 d5 *");
        let games: Vec<_> = Reader::new(text.as_bytes()).collect();
        assert!(games[0].is_err(), "{broken:?}: {games:?}");
        let rest = games.iter().skip(1).filter(|game| game.is_ok()).count();
        assert_eq!((rest, games.len()), (good, good + 1), "{broken:?}: {games:?}");
        let mut reader = Reader::new(text.as_bytes());
        assert_eq!(std::iter::from_fn(|| reader.next_replay()).count(), good + 1, "{broken:?}");
    }
}

// -------------------------------------------------------------------------------------------------
// Texts of errors.

#[test]
fn every_reason_has_words_of_its_own() {
    let word = Word::new(b"Ke9");
    let reasons = [
        PgnReason::Unexpected(word),
        PgnReason::Tag,
        PgnReason::NotAMove(word),
        PgnReason::IllegalMove(word),
        PgnReason::AmbiguousMove(word),
        PgnReason::NullMove,
        PgnReason::Fen(FenError::Turn),
        PgnReason::Variant,
        PgnReason::Nag,
        PgnReason::TooLong(Part::Token),
        PgnReason::TooLong(Part::Tag),
        PgnReason::TooLong(Part::Comment),
        PgnReason::TooLong(Part::Game),
        PgnReason::TooManyTags,
        PgnReason::TooDeep,
        PgnReason::UnterminatedComment,
        PgnReason::UnterminatedVariation,
        PgnReason::NothingToClose,
        PgnReason::NothingToVary,
        PgnReason::Read(std::io::ErrorKind::TimedOut),
    ];
    let texts: HashSet<String> = reasons.iter().map(PgnReason::to_string).collect();
    assert_eq!(texts.len(), reasons.len());
    assert!(texts.iter().all(|text| text.len() > 10), "{texts:#?}");
    let error = PgnError { line: 12, reason: PgnReason::Nag };
    assert!(error.to_string().starts_with("line 12: $ must"), "{error}");
    assert!(reasons[0].to_string().contains("Ke9") && reasons[6].to_string().contains("w or b"));
    assert_eq!(reason("1. -- *"), Some(PgnReason::NullMove));
    assert_eq!(reason("1. Z0 *"), Some(PgnReason::NullMove));
    let tag_errors =
        [TagError::Name, TagError::KeptElsewhere, TagError::TooLong, TagError::TooMany];
    let texts: HashSet<String> = tag_errors.map(|error| error.to_string()).into();
    assert!(texts.len() == 4 && texts.iter().all(|text| text.len() > 10));
}

#[test]
fn a_word_is_shown_as_far_as_it_is_short_and_harmless() {
    for (text, shown) in [
        (&b""[..], ""),
        (b"Nf3", "Nf3"),
        (b"a b~!", "a b~!"),
        (b"\x1b[2J\x7f\xff\n", "?[2J???"),
        (b"123456789012345", "123456789012345"),
        (b"1234567890123456", "123456789012345…"),
        (b"12345678901234567890", "123456789012345…"),
    ] {
        let word = Word::new(text);
        assert_eq!(word.to_string(), shown);
        assert_eq!(format!("{word:?}"), format!("\"{shown}\""));
    }
    // A word goes on to the next blank, but not for ever.
    assert_eq!(reason("1. e4 <a b *").unwrap().to_string(), "<a is not expected here");
    assert_eq!(reason("1. e4 <a\tb *").unwrap().to_string(), "<a is not expected here");
}

// -------------------------------------------------------------------------------------------------
// Tags.

#[test]
fn tags_keep_their_order_and_the_seven_come_first() {
    let mut tags = Tags::new();
    let set = [("ECO", "C20"), ("White", "Anna"), ("Opening", "x"), ("Round", "3"), ("ECO", "C21")];
    for (name, value) in set {
        assert_eq!(tags.set(name, value), Ok(()));
    }
    let listed: Vec<_> = tags.iter().collect();
    assert_eq!(
        listed,
        [
            ("Event", "?"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "3"),
            ("White", "Anna"),
            ("Black", "?"),
            ("ECO", "C21"),
            ("Opening", "x"),
        ]
    );
    tags.remove("White");
    tags.remove("ECO");
    tags.remove("nothing");
    let left = ["White", "ECO", "Opening", "Round"].map(|name| tags.value(name));
    assert_eq!(left, [Some("?"), None, Some("x"), Some("3")]);
    // What is not known is the same as what was never set.
    let mut unknown = Tags::new();
    assert_eq!(unknown.set("Date", "????.??.??"), Ok(()));
    assert_eq!(unknown, Tags::new());
}

#[test]
fn tags_refuse_what_they_cannot_keep() {
    let mut tags = Tags::new();
    let longest = "x".repeat(255);
    for name in ["A", "a_b", "A+", "A#", "A=", "A:", "A-1", "0", &longest] {
        assert_eq!(tags.set(name, "v"), Ok(()), "{name}");
    }
    for name in ["", "a b", "a\"", "é", "a]", &"x".repeat(256)] {
        assert_eq!(tags.set(name, "v"), Err(TagError::Name), "{name}");
    }
    for name in ["Result", "FEN", "SetUp", "Variant", "fen", "RESULT"] {
        assert_eq!(tags.set(name, "v"), Err(TagError::KeptElsewhere), "{name}");
    }
    assert_eq!(tags.set("A", &"x".repeat(MAX_TAG_VALUE)), Ok(()));
    assert_eq!(tags.set("A", &"x".repeat(MAX_TAG_VALUE + 1)), Err(TagError::TooLong));
    assert_eq!(tags.set("A", "one\ntwo\u{7f}three"), Ok(()));
    assert_eq!(tags.value("A"), Some("one two three"));
    let mut full = Tags::new();
    for number in 0..MAX_TAGS - 6 {
        assert_eq!(full.set(&format!("T{number}"), "x"), Ok(()));
    }
    assert_eq!(full.set("More", "x"), Err(TagError::TooMany));
    assert_eq!(full.set("T7", "y"), Ok(()));
    assert_eq!(full.set("White", "y"), Ok(()));
}

// -------------------------------------------------------------------------------------------------
// Writing.

fn write(text: &str) -> String {
    let record = Reader::new(text.as_bytes()).next_game().expect("a game").expect("a good game");
    let written = record.to_string();
    written.split_once("\n\n").expect("tags and moves").1.to_owned()
}

#[test]
fn numbers_are_written_where_a_reader_needs_them() {
    for (read, expected) in [
        ("e4 e5 Nf3 *", "1. e4 e5 2. Nf3 *\n"),
        ("e4 {a} e5 *", "1. e4 {a} 1... e5 *\n"),
        ("e4 ;a } b\n e5 *", "1. e4 ; a } b\n1... e5 *\n"),
        ("e4 $1$2 e5! *", "1. e4 $1 $2 e5 $1 *\n"),
        ("{a}{b c} e4 *", "{a} {b c} 1. e4 *\n"),
        ("e4 (d4 d5) (c4 c5 {x}) e5 1-0", "1. e4 (1. d4 d5) (1. c4 c5 {x}) 1... e5 1-0\n"),
        ("e4 e5 (c5 (e6 d4) Nf3) Nf3 *", "1. e4 e5 (1... c5 (1... e6 2. d4) 2. Nf3) 2. Nf3 *\n"),
        ("e4 ({a} d4) () e5 1/2-1/2", "1. e4 ({a} 1. d4) 1... e5 1/2-1/2\n"),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 31\"]\n Kd8 Kd1 Ke8 0-1",
            "31... Kd8 32. Kd1 Ke8 0-1\n",
        ),
        ("*", "*\n"),
    ] {
        assert_eq!(write(read), expected, "{read}");
    }
}

#[test]
fn lines_are_filled_up_to_79_columns_and_no_further() {
    for length in 1..100 {
        // A comment of one long word: `1. e4 {` and it and `}`.
        let word = "é".repeat(length);
        let text = write(&format!("1. e4 {{{word}}} e5 *"));
        let fits = "1. e4 {".chars().count() + length < 79;
        let first = if fits { format!("1. e4 {{{word}}}") } else { "1. e4".to_owned() };
        let line = text.lines().next().unwrap();
        assert!(line.starts_with(&first), "{length}: {text}");
        assert_eq!(line == "1. e4", !fits, "{length}: {text}");
        assert!(!text.contains("  ") && !text.contains(" \n") && !text.contains("\n\n"));
    }
    let knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(20);
    let text = write(&format!("{knights}*"));
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.windows(2) {
        let next = pair[1].split(' ').next().unwrap();
        assert!(pair[0].len() <= 79 && pair[0].len() + 1 + next.len() > 79, "{pair:?}");
    }
}

#[test]
fn the_result_and_the_start_follow_the_seven_tags() {
    let mut game = Game::start();
    game.play_san("f3").unwrap();
    assert_eq!(game.play_san("e9"), Err(SanError::Syntax));
    let read = |text: &str| Reader::new(text.as_bytes()).next_game().unwrap().unwrap().to_string();
    assert_eq!(
        read("[ECO \"A\\\"\\\\\"]\n[White \"Anna\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n0-1"),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Anna\"]\n\
         [Black \"?\"]\n[Result \"0-1\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\
         [ECO \"A\\\"\\\\\"]\n\n0-1\n"
    );
    let chess960 = "[Variant \"Chess960\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n*";
    assert!(
        read(chess960).contains("[Result \"*\"]\n[Variant \"Chess960\"]\n\n*"),
        "{}",
        read(chess960)
    );
}
