//! All parsers against hostile text: no panic, no quadratic time, no unbounded memory. The fuzz
//! targets do the same for longer.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use hansu_chess::pgn::{Keep, MAX_GAME, Part, PgnError, PgnReason, Reader, Writer};
use hansu_chess::{FenError, Position, San, SanError, Setup, Square, UciError, UciMove, Variant};
use proptest::prelude::*;

// -------------------------------------------------------------------------------------------------
// An allocator that counts: the tests that measure memory or time hold the lock meanwhile.

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static ALONE: Mutex<()> = Mutex::new(());

// SAFETY: everything is handed to the system's allocator unchanged; only numbers are kept.
#[allow(unsafe_code)] // an allocator cannot be written without
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How many bytes were held at most beyond those held before.
fn peak_of(work: impl FnOnce()) -> usize {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    work();
    PEAK.load(Ordering::Relaxed) - before
}

fn alone() -> std::sync::MutexGuard<'static, ()> {
    // A failure of another test must not fail this one.
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

// -------------------------------------------------------------------------------------------------
// Sources of any length that are never held in memory.

/// A head, a piece repeated a given number of times, a tail.
struct Endless {
    head: &'static [u8],
    piece: &'static [u8],
    left: usize,
    at: usize,
    tail: &'static [u8],
}

impl Endless {
    fn new(head: &'static str, piece: &'static str, times: usize, tail: &'static str) -> Endless {
        let (head, piece, tail) = (head.as_bytes(), piece.as_bytes(), tail.as_bytes());
        Endless { head, piece, left: times, at: 0, tail }
    }
}

impl Read for Endless {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let from_head = self.head.read(into)?;
        if from_head > 0 {
            return Ok(from_head);
        }
        let mut filled = 0;
        while filled < into.len() && self.left > 0 {
            let taken = (&self.piece[self.at..]).read(&mut into[filled..])?;
            filled += taken;
            self.at += taken;
            if self.at == self.piece.len() {
                (self.at, self.left) = (0, self.left - 1);
            }
        }
        if filled > 0 { Ok(filled) } else { self.tail.read(into) }
    }
}

const MEGA: usize = 1 << 20;

/// Games and errors, by all three ways to read.
fn read_all(source: impl Fn() -> Endless) -> [(usize, Option<PgnError>); 3] {
    let mut results = [(0, None); 3];
    for game in Reader::new(source()) {
        match game {
            Ok(_) => results[0].0 += 1,
            Err(error) => results[0].1 = results[0].1.or(Some(error)),
        }
    }
    for game in Reader::new(source()).keep(Keep::Moves) {
        match game {
            Ok(_) => results[1].0 += 1,
            Err(error) => results[1].1 = results[1].1.or(Some(error)),
        }
    }
    let mut reader = Reader::new(source());
    while let Some(game) = reader.next_replay() {
        match game {
            Ok(_) => results[2].0 += 1,
            Err(error) => results[2].1 = results[2].1.or(Some(error)),
        }
    }
    results
}

#[test]
fn a_comment_of_300_megabytes_needs_no_memory() {
    let _alone = alone();
    let source = || Endless::new("1. e4 {", "all work and no play ", 15 * MEGA, "} e5 *");
    let mut seen = [(0, None); 3];
    let peak = peak_of(|| seen = read_all(source));
    assert!(peak < 16 * MEGA, "{peak} bytes");
    // A visitor that wants the comment gets an error: it is too long. Others do not.
    assert_eq!(seen[0].1.map(|error| error.reason), Some(PgnReason::TooLong(Part::Comment)));
    assert_eq!((seen[1], seen[2]), ((1, None), (1, None)));
}

#[test]
fn long_lines_of_every_kind_need_no_memory() {
    let _alone = alone();
    // Eight bytes a piece: one line of 64 MB each for the two that are easiest to make, less for
    // the others.
    for (name, head, piece, tail, games) in [
        ("a long word", "1. ", "eeeeeeee", " *\n\n1. e4 *", 1),
        ("a long tag", "[Event \"", "spam and", "\"]\n\n*\n\n[Event \"B\"]\n\n1. e4 *", 1),
        ("many tags", "", "[A \"b\"]\n", "\n*\n\n[Event \"B\"]\n\n1. e4 *", 1),
        ("a % line", "%", "ignored ", "\n1. e4 *", 1),
        ("a line comment", "1. e4 ;", "ignored ", "\ne5 *", 0),
        ("blanks", "1. e4 ", "        ", "e5 *", 1),
        ("newlines", "1. e4 ", "\n\n\n\n\n\n\n\n", "e5 *", 1),
        ("numbers", "1. e4 ", "1. 2... ", "e5 *", 1),
        ("open braces", "1. e4 {", "{{{{{{{{", "} e5 *", 0),
        ("closing parentheses", "1. e4 ", "))))))))", " e5 *\n\n1. e4 *", 0),
        ("quotes", "[Event \"", "\\\"\\\"\\\"\\\"", "\"]\n\n*\n\n[Event \"B\"]\n\n1. e4 *", 1),
        ("null bytes", "1. e4 ", "\0\0\0\0\0\0\0\0", " e5 *\n\n[Event \"B\"]\n\n1. e4 *", 0),
    ] {
        let times = if name.starts_with("a long") { 8 * MEGA } else { MEGA };
        let mut seen = [(0, None); 3];
        let peak = peak_of(|| seen = read_all(|| Endless::new(head, piece, times, tail)));
        assert!(peak < 16 * MEGA, "{name}: {peak} bytes");
        for (way, (found, error)) in seen.into_iter().enumerate() {
            assert!(found >= games, "{name}, way {way}: {found} games, {error:?}");
            assert!(found > 0 || error.is_some(), "{name}, way {way}: nothing at all");
        }
    }
}

#[test]
fn a_game_that_never_ends_is_bounded() {
    let _alone = alone();
    for (head, piece) in [("", "Nf3 Nf6 Ng1 Ng8 "), ("1. e4 ", "{a} {b} ")] {
        // As many bytes as a record may take, and more.
        let source = || Endless::new(head, piece, MAX_GAME / 32, "*");
        let mut seen = [(0, None); 3];
        let peak = peak_of(|| seen = read_all(source));
        // A record may take MAX_GAME and, while its lists grow, as much again.
        assert!(peak < 4 * MAX_GAME, "{piece}: {peak} bytes");
        let reason = seen[0].1.map(|error| error.reason);
        assert_eq!(reason, Some(PgnReason::TooLong(Part::Game)), "{piece}");
        assert_eq!(seen[2], (1, None), "a replay keeps nothing and reads on");
    }
}

#[test]
fn a_million_nested_parentheses_are_refused_without_recursion() {
    let _alone = alone();
    for source in [
        || Endless::new("1. e4 ", "(", MEGA, " *\n\n[Event \"B\"]\n\n1. d4 *"),
        || Endless::new("1. e4 ", "(1. d4 ", MEGA, " *\n\n[Event \"B\"]\n\n1. d4 *"),
    ] {
        let mut seen = [(0, None); 3];
        let peak = peak_of(|| seen = read_all(source));
        assert!(peak < 16 * MEGA, "{peak} bytes");
        for (found, error) in seen {
            assert!(error.is_some(), "the nest is no game");
            assert_eq!(found, 1, "the game after it is");
        }
    }
}

#[test]
fn lines_of_64_megabytes_are_refused_by_the_other_readers() {
    let _alone = alone();
    for byte in ["8", " ", "!", "0"] {
        let text = byte.repeat(64 * MEGA / byte.len());
        assert!(Setup::from_fen(&text).is_err());
        assert_eq!(text.parse::<UciMove>(), Err(UciError));
        assert_eq!(text.parse::<San>(), Err(SanError::Syntax));
        assert_eq!(San::lenient(&text), Err(SanError::Syntax));
        assert!(text.parse::<Square>().is_err());
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for fen in
            [format!("{start} {text}"), format!("{start} w {text}"), format!("{start} w - {text}")]
        {
            assert!(Setup::from_fen(&fen).is_err());
        }
        let number = Setup::from_fen(&format!("{start} w - - {text} 1"));
        assert!(number.is_err() || byte == "0" || byte == " ", "{byte}");
    }
}

// -------------------------------------------------------------------------------------------------
// Time.

/// The processor's time of this thread where the system tells it, else the wall's: a busy machine
/// must not look like a slow algorithm.
fn clock(wall: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.map_or_else(|| wall.elapsed().as_secs_f64(), |time| time / 1e9)
}

/// The best of three.
fn seconds(work: impl Fn()) -> f64 {
    let wall = Instant::now();
    let once = || {
        let started = clock(wall);
        work();
        clock(wall) - started
    };
    (0..3).map(|_| once()).fold(f64::INFINITY, f64::min)
}

#[test]
fn four_times_as_much_takes_about_four_times_as_long() {
    let _alone = alone();
    for (name, head, piece, tail) in [
        ("a word", "1. ", "eeeeeeee", " *"),
        ("moves", "", "Nf3 Nf6 Ng1 Ng8 ", "*"),
        ("games", "", "1. e4 e5 *\n\n", ""),
        ("broken games", "", "1. e5 d4 *\n\n", ""),
        ("comments", "1. e4 ", "{a {b} ", "*"),
        ("variations", "1. e4 ", "(1. d4 (1. c4)) ", "*"),
        ("nests", "1. e4 ", "(1. d4 ", "*"),
        ("parentheses", "1. e4 ", "(", "*"),
        ("open comments", "1. e4 ", "{ ( [ \n\n", "*"),
        ("open tags", "", "[Event \"\n", "*"),
        ("tags", "", "[A \"b\"]\n", "*"),
        ("unfinished games", "", "[Event \"A\"]\n\n1. e4 {\n\n", "*"),
        ("percent lines", "", "%\n", "*"),
        ("quotes", "[Event \"", "\\", "*"),
    ] {
        let length = MEGA / 2 / piece.len();
        let time = |times: usize| {
            seconds(|| {
                let seen = read_all(|| Endless::new(head, piece, times, tail));
                assert!(seen.iter().all(|way| way.0 > 0 || way.1.is_some()), "{name}");
            })
        };
        let (short, long) = (time(length), time(4 * length));
        // Below four milliseconds one measures the machine, not the reader.
        assert!(long < 12.0 * short.max(0.004), "{name}: {short} s, then {long} s");
    }
}

// -------------------------------------------------------------------------------------------------
// Random and mutated text.

/// Things that mean something to one parser or another.
const WORDS: [&str; 40] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "8/8/8/KPp4r/8/8/8/4k3",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR",
    "w",
    "b",
    "KQkq",
    "HFhf",
    "-",
    "e3",
    "c6",
    "0",
    "1",
    "65536",
    "e4",
    "Nf3",
    "exd5",
    "e8=Q+",
    "O-O-O",
    "0-0",
    "R1a3#",
    "Qa1xb2",
    "e2e4",
    "e7e8q",
    "[Event \"A\"]",
    "[FEN \"",
    "\"]",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "$7",
    "1.",
    "1...",
    "1-0",
    "*",
    "\n",
    "\r\n",
    "\u{feff}",
];

fn texts() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop::collection::vec(any::<u8>(), 0..120);
    let printable = prop::collection::vec(0x20u8..0x7f, 0..120);
    let separators = prop_oneof![Just(""), Just(" "), Just(" "), Just("\n")];
    let word = (prop::sample::select(&WORDS[..]), separators);
    let words = prop::collection::vec(word, 0..24).prop_map(|words| {
        words.into_iter().flat_map(|(word, after)| [word, after]).collect::<String>().into_bytes()
    });
    let mutated = (words.clone(), prop::collection::vec((any::<u16>(), any::<u8>()), 0..4));
    let mutated = mutated.prop_map(|(mut text, changes)| {
        for (at, byte) in changes {
            let length = text.len().max(1);
            if let Some(old) = text.get_mut(usize::from(at) % length) {
                *old = byte;
            }
        }
        text
    });
    prop_oneof![bytes, printable, words, mutated]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_a_parser_panic(bytes in texts()) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = text.parse::<Square>();
        if let Ok(uci) = text.parse::<UciMove>() {
            prop_assert_eq!(uci.to_string(), text.as_ref());
            let _ = uci.to_move(&Position::start());
        }
        for san in [text.parse::<San>(), San::lenient(&text)].into_iter().flatten() {
            let _ = san.to_move(&Position::start());
            prop_assert_eq!(San::lenient(&san.to_string()).map(|again| again.step), Ok(san.step));
        }
        for variant in [Variant::Standard, Variant::Chess960] {
            match Position::from_fen(&text, variant) {
                Ok(position) => {
                    let again = Position::from_fen(&position.fen(), variant);
                    prop_assert_eq!(again.map(|again| again.setup()), Ok(position.setup()));
                }
                Err(FenError::Faults(faults)) => prop_assert!(!faults.is_empty()),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
        for game in Reader::new(&bytes[..]) {
            match game {
                Ok(record) => {
                    let mut written = Vec::new();
                    Writer::new(&mut written).write(&record).unwrap();
                    let again = Reader::new(&written[..]).next_game().unwrap();
                    prop_assert!(again.unwrap().moves().eq(record.moves()));
                }
                Err(error) => prop_assert!(error.line > 0 && !error.to_string().is_empty()),
            }
        }
    }
}
