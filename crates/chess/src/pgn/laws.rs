//! Laws: what is written is read again as the same game, and nothing read breaks anything.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::{Game, Move, Position, Variant};

/// A random game; every number chooses among the possibilities at its place.
#[derive(Clone, Debug)]
struct Seeds {
    plies: Plies,
    result: usize,
    tags: Vec<(String, String)>,
    start: usize,
    comments: Vec<String>,
}

/// Moves, each chosen by a number, and what follows them.
type Plies = Vec<(u16, Annotations)>;

/// What follows a move: glyphs, comments and variations.
#[derive(Clone, Debug)]
struct Annotations {
    nags: Vec<u8>,
    comments: Vec<String>,
    variations: Vec<(Vec<String>, Plies)>,
}

const STARTS: [(Variant, &str); 5] = [
    (Variant::Standard, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    (Variant::Standard, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17"),
    (Variant::Standard, "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1"),
    (Variant::Chess960, "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1"),
    (Variant::Chess960, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
];

/// How a move is written that is not standard notation.
#[derive(Clone, Copy, Debug)]
enum Style {
    Uci,
    /// `Ng1-f3`
    Long,
    /// `N:f3`
    Colon,
}

impl Style {
    fn to_text(self, position: &Position, step: Move, variant: Variant) -> String {
        let san = position.san(step).to_string();
        let uci = step.uci(variant).to_string();
        let castles = san.starts_with('O');
        match self {
            Style::Uci => uci,
            Style::Long if castles => san,
            Style::Long => {
                let piece = san.chars().next().filter(char::is_ascii_uppercase);
                let sign = if san.contains('x') { 'x' } else { '-' };
                let (from, to) = uci.split_at(2);
                piece.into_iter().chain(from.chars()).chain([sign]).chain(to.chars()).collect()
            }
            Style::Colon => san.replace('x', ":").replace('O', "o"),
        }
    }
}

fn comment() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,100}",
        "\\PC{0,30}",
        "[a-z ]{0,400}",
        "[\\[\\]{}();%\"\\\\ \n$]{0,20}",
        Just("\n\n[Event \"x\"]\n".to_owned()),
        Just("%".to_owned()),
    ]
}

fn comments() -> impl Strategy<Value = Vec<String>> {
    prop_oneof![5 => Just(Vec::new()), 2 => vec(comment(), 0..3)]
}

fn plies(length: usize) -> impl Strategy<Value = Plies> {
    let annotations = |variations: BoxedStrategy<_>| {
        (vec(any::<u8>(), 0..3), comments(), variations)
            .prop_map(|(nags, comments, variations)| Annotations { nags, comments, variations })
            .boxed()
    };
    let leaf = annotations(Just(Vec::new()).boxed());
    let annotations = leaf.prop_recursive(4, 60, 6, move |inner| {
        let line = (comments(), vec((any::<u16>(), inner), 0..5));
        annotations(prop_oneof![4 => Just(Vec::new()), 1 => vec(line, 0..3)].boxed())
    });
    vec((any::<u16>(), annotations), 0..length)
}

fn seeds() -> impl Strategy<Value = Seeds> {
    let name = prop_oneof![
        Just("Event".to_owned()),
        Just("White".to_owned()),
        Just("Date".to_owned()),
        "[A-Za-z_][A-Za-z0-9_]{0,12}"
    ];
    let value =
        prop_oneof!["[ -~]{0,40}", "\\PC{0,20}", "[\"\\\\\\]\n]{0,6}", Just("?".to_owned())];
    (plies(40), 0..4usize, vec((name, value), 0..10), 0..STARTS.len(), comments()).prop_map(
        |(plies, result, tags, start, comments)| Seeds { plies, result, tags, start, comments },
    )
}

/// The legal move that a number chooses.
fn choose(position: &Position, number: u16) -> Option<Move> {
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    (!moves.is_empty()).then(|| moves[usize::from(number) % moves.len()])
}

fn line(start: Position, comments: &[String], plies: &[(u16, Annotations)]) -> Line {
    let mut position = start;
    let mut line = Line { comments: comments.to_vec(), plies: Vec::new() };
    for (number, annotations) in plies {
        let Some(step) = choose(&position, *number) else { break };
        line.plies.push(Ply {
            step,
            nags: annotations.nags.clone(),
            comments: annotations.comments.clone(),
            variations: annotations
                .variations
                .iter()
                .map(|(comments, plies)| self::line(position, comments, plies))
                .collect(),
        });
        position = position.play(step);
    }
    line
}

fn record(seeds: &Seeds) -> Record {
    let (variant, fen) = STARTS[seeds.start];
    let start = Position::from_fen(fen, variant).unwrap();
    let mut tags = Tags::new();
    for (name, value) in &seeds.tags {
        // Names that are kept elsewhere may come up.
        _ = tags.set(name, value);
    }
    let main = line(start, &seeds.comments, &seeds.plies);
    Record { line: 1, tags, variant, start, main, result: GameResult::ALL[seeds.result] }
}

/// As it will be read: comments without superfluous blanks, nothing empty.
fn tidy(line: &Line) -> Line {
    let comments = |comments: &[String]| {
        comments
            .iter()
            .map(|text| text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|text| !text.is_empty())
            .collect()
    };
    let ply = |ply: &Ply| Ply {
        step: ply.step,
        nags: ply.nags.clone(),
        comments: comments(&ply.comments),
        variations: ply.variations.iter().map(tidy).filter(|line| !line.is_empty()).collect(),
    };
    Line { comments: comments(&line.comments), plies: line.plies.iter().map(ply).collect() }
}

fn only(text: &str) -> Record {
    let mut games: Vec<_> = Reader::new(text.as_bytes()).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_again(seeds in seeds()) {
        let record = record(&seeds);
        let text = record.to_string();
        let read = only(&text);
        prop_assert_eq!(read.start.fen(), record.start.fen());
        let mut expected = record.clone();
        expected.main = tidy(&record.main);
        prop_assert_eq!(&read, &expected, "{}", text);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn lenient_reading_changes_nothing_that_strict_reading_takes(seeds in seeds()) {
        let text = record(&seeds).to_string();
        let mut reader = Reader::new(text.as_bytes()).lenient();
        let read = reader.next_game().unwrap().unwrap();
        prop_assert_eq!(read, only(&text));
        prop_assert_eq!(reader.mended(), 0);
        prop_assert!(reader.next_game().is_none());
    }

    #[test]
    fn moves_of_other_notations_are_the_same_moves(
        numbers in vec(any::<u16>(), 1..80),
        start in 0..STARTS.len(),
        style in prop_oneof![Just(Style::Uci), Just(Style::Long), Just(Style::Colon)],
    ) {
        let (variant, fen) = STARTS[start];
        let start = Position::from_fen(fen, variant).unwrap();
        let (mut position, mut moves, mut words) = (start, Vec::new(), String::new());
        for number in numbers {
            let Some(step) = choose(&position, number) else { break };
            words += &style.to_text(&position, step, variant);
            words.push(' ');
            position = position.play(step);
            moves.push(step);
        }
        let variant = if variant == Variant::Chess960 { "Chess960" } else { "Standard" };
        let text = format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n{words}*\n");
        let read = Reader::new(text.as_bytes()).lenient().next_game().unwrap();
        let read = read.unwrap_or_else(|error| panic!("{error} in\n{text}"));
        prop_assert!(read.moves().eq(moves.iter().copied()), "{}", text);
    }

    #[test]
    fn lines_are_short(seeds in seeds()) {
        let text = record(&seeds).to_string();
        let (_, movetext) = text.split_once("\n\n").unwrap();
        for line in movetext.lines().filter(|line| line.chars().count() >= 80) {
            // One word that is too long by itself, or a comment that cannot be broken.
            prop_assert!(!line.contains(' ') || line.contains("; "), "{}", line);
        }
    }

    #[test]
    fn many_games_are_read_again(all in vec(seeds(), 0..5)) {
        let mut writer = Writer::new(Vec::new());
        for seeds in &all {
            writer.write(&record(seeds)).unwrap();
        }
        let file = writer.into_inner();
        let games: Vec<_> = Reader::new(&file[..]).map(Result::unwrap).collect();
        prop_assert_eq!(games.len(), all.len());
        let mut again = Writer::new(Vec::new());
        for game in &games {
            again.write(game).unwrap();
        }
        prop_assert_eq!(again.into_inner(), file);
    }

    #[test]
    fn a_replay_reaches_the_end_of_the_main_line(seeds in seeds()) {
        let record = record(&seeds);
        let text = record.to_string();
        let replayed = Reader::new(text.as_bytes()).next_replay().unwrap().unwrap();
        prop_assert_eq!(replayed.position, record.position());
        prop_assert_eq!(replayed.plies as usize, record.main.plies.len());
        prop_assert_eq!(replayed.result, record.result);
    }

    #[test]
    fn nothing_breaks_the_reader(text in vec(any::<u8>(), 0..300)) {
        survives(&text);
    }

    #[test]
    fn nothing_almost_right_breaks_the_reader(
        words in vec(prop_oneof![
            Just("1. e4 "), Just("e5 "), Just("("), Just(")"), Just("{"), Just("}"), Just(";"),
            Just("\n"), Just("\n\n"), Just("[Event \"x\"]"), Just("[Event \""), Just("\"]"),
            Just("["), Just("%"), Just("*"), Just("1-0"), Just(" 0-0"), Just("$1"), Just("$"),
            Just("!?"), Just("\u{feff}"), Just("Nf3"), Just("\\\""), Just("[FEN \"8/8\"]\n"),
            Just("--"), Just("1/2-1/2\n"), Just("\0"), Just("é"), Just("..."), Just("g1f3 "),
            Just("Z0 "), Just("½-½"), Just("+- "), Just("(Ke3 "), Just("0000 "), Just("$999"),
            Just("1/2 "), Just("e2-e4 "), Just("exd6 e.p. ")
        ], 0..60),
    ) {
        survives(words.concat().as_bytes());
    }
}

/// Reads in every way; games written are read again.
fn survives(text: &[u8]) {
    for keep in [Keep::Everything, Keep::MainLine, Keep::Moves] {
        let strict = Reader::new(text).keep(keep);
        let lenient = Reader::new(text).keep(keep).lenient();
        for reader in [strict, lenient] {
            let mut games = 0;
            for game in reader {
                games += 1;
                assert!(games <= text.len(), "more games than bytes");
                if let Ok(record) = game {
                    let written = record.to_string();
                    let read = only(&written);
                    assert_eq!(Record { line: 1, ..record }, Record { line: 1, ..read });
                }
            }
        }
    }
    let mut reader = Reader::new(text);
    let replayed = std::iter::from_fn(|| reader.next_replay()).count();
    assert!(replayed <= text.len());
}

#[test]
fn a_game_becomes_a_record_and_back() {
    let mut game = Game::start();
    for step in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6"] {
        game.play_san(step).unwrap();
    }
    game.agree_draw().unwrap();
    let record = only(&Record::from(&game).to_string());
    assert!(record.moves().eq(game.moves().iter().copied()));
    assert_eq!(record.position(), *game.position());
    assert_eq!(record.result, GameResult::Draw);
}

#[test]
fn the_export_format_to_the_letter() {
    let text = "[Black \"B\"]\n[ECO \"C20\"]\n[Event \"E\"]\n[White \"W\\\\\"]\n\
                [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
                1. e4 {one} Ke7 (1... Kd7 2. e5 (2. Kd2 $1) Ke6) 2. e5 Ke6 {a } b} 3. Kd2 1-0";
    assert_eq!(
        only(&text.replace("{a } b}", ";a } b\n")).to_string(),
        "[Event \"E\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"W\\\\\"]\n\
         [Black \"B\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n\
         [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[ECO \"C20\"]\n\n\
         1. e4 {one} 1... Ke7 (1... Kd7 2. e5 (2. Kd2 $1) 2... Ke6) 2. e5 Ke6 ; a } b\n\
         3. Kd2 1-0\n"
    );
}
