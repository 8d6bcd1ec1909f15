//! UCI by script: whole sessions, odd commands, garbage, and how soon `stop` is answered.

use std::io::{BufRead, BufReader, Cursor, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use hansu_chess::{Position, UciMove, Variant};
use hansu_engine::run_uci;

#[derive(Clone, Default)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The output of the engine for a script.
fn run_script(script: impl Into<Vec<u8>>) -> String {
    let buffer = SharedBuffer::default();
    run_uci(Cursor::new(script.into()), buffer.clone()).expect("a script can be read");
    let bytes = buffer.0.lock().expect("not poisoned").clone();
    String::from_utf8(bytes).expect("text")
}

fn best(text: &str) -> &str {
    let line = text.lines().rfind(|line| line.starts_with("bestmove")).expect("an answer");
    line.split(' ').nth(1).expect("a move")
}

/// A session in which the test waits for responses.
struct Conversation {
    to: Sender<Vec<u8>>,
    from: Receiver<String>,
}

struct ChannelReader {
    lines: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for ChannelReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.lines.recv().unwrap_or_default();
        }
        let len = self.rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&self.rest[..len]);
        self.rest.drain(..len);
        Ok(len)
    }
}

struct LineSender(Sender<String>, Vec<u8>);

impl Write for LineSender {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&std::mem::take(&mut self.1)).into_owned();
                let _ = self.0.send(line);
            } else {
                self.1.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Conversation {
    fn begin() -> Conversation {
        let (to, lines) = channel();
        let (lines_out, from) = channel();
        thread::spawn(move || {
            let reader = BufReader::new(ChannelReader { lines, rest: Vec::new() });
            run_uci(reader, LineSender(lines_out, Vec::new())).expect("a channel can be read");
        });
        Conversation { to, from }
    }

    fn say(&self, text: &str) {
        self.to.send(format!("{text}\n").into_bytes()).expect("the engine runs");
    }

    fn wait(&self, start: &str) -> String {
        loop {
            let line = self.from.recv_timeout(Duration::from_secs(60)).expect("an answer");
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Waits for a line that begins with `start`; fails if a `bestmove` comes first.
    fn nothing_before(&self, start: &str) {
        loop {
            let line = self.from.recv_timeout(Duration::from_secs(60)).expect("an answer");
            assert!(!line.starts_with("bestmove"));
            if line.starts_with(start) {
                return;
            }
        }
    }
}

#[test]
fn uci_lists_name_and_options() {
    let text = run_script("uci\nisready\nquit\n");
    assert!(text.starts_with("id name Hansu"));
    for option in
        ["Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "UCI_Chess960", "UCI_ShowWDL"]
    {
        assert!(text.contains(&format!("option name {option} type ")), "{option}");
    }
    assert!(text.trim_end().ends_with("uciok\nreadyok"));
}

#[test]
fn every_kind_of_limit_ends_with_one_legal_move() {
    let limits = [
        "depth 4",
        "nodes 500",
        "nodes 1",
        "nodes 0",
        "movetime 20",
        "movetime 0",
        "wtime 100 btime 100",
        "wtime 0 btime 0",
        "wtime -500 btime -500 winc 0",
        "wtime 1 btime 1 winc 1 binc 1 movestogo 1",
        "wtime 300 btime 300 movestogo 0",
        "mate 1 nodes 2000",
        "depth 3 searchmoves a2a3 h2h3",
        "wtime 99999999999999 depth 2",
        "depth 999999999999 nodes 300",
        "depth two nodes 300",
    ];
    for limit in limits {
        let text = run_script(format!("position startpos\ngo {limit}\n"));
        assert_eq!(text.matches("bestmove").count(), 1, "{limit}");
        let step: UciMove = best(&text).parse().expect("a move");
        assert!(step.to_move(&Position::start()).is_ok(), "{limit}");
    }
    let text = run_script("position startpos\ngo depth 3 searchmoves a2a3\n");
    assert_eq!(best(&text), "a2a3");
}

#[test]
fn stop_is_answered_within_ten_milliseconds() {
    let engine = Conversation::begin();
    for order in ["go infinite", "go ponder wtime 1000 btime 1000", "go depth 60"] {
        let answered = || {
            engine.say("position startpos moves e2e4 e7e5 g1f3");
            engine.say(order);
            thread::sleep(Duration::from_millis(60));
            engine.say("isready");
            engine.wait("readyok");
            let start = Instant::now();
            engine.say("stop");
            engine.wait("bestmove");
            start.elapsed()
        };
        // A machine that is busy with something else makes most of them late, but not all.
        let mut tries = (0..100).map(|_| answered());
        assert!(tries.any(|time| time < Duration::from_millis(10)), "{order}");
    }
}

#[test]
fn an_endless_search_waits_for_stop_even_when_there_is_nothing_left() {
    let engine = Conversation::begin();
    engine.say("position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    engine.say("go infinite depth 2");
    engine.nothing_before("info depth 2");
    thread::sleep(Duration::from_millis(80));
    engine.say("isready");
    engine.nothing_before("readyok");
    engine.say("stop");
    assert!(engine.wait("bestmove").starts_with("bestmove a1a8"));
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let engine = Conversation::begin();
    engine.say("position startpos moves e2e4");
    engine.say("go ponder wtime 300 btime 300");
    thread::sleep(Duration::from_millis(400));
    engine.say("isready");
    engine.nothing_before("readyok");
    engine.say("ponderhit");
    engine.wait("bestmove");
}

#[test]
fn several_lines_are_different_moves_in_order() {
    let text = run_script("setoption name MultiPV value 4\nposition startpos\ngo depth 6\n");
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(" depth 6 ")).collect();
    assert_eq!(lines.len(), 4);
    let first = |line: &&str| {
        line.split(" pv ").nth(1).and_then(|pv| pv.split(' ').next()).expect("a move").to_owned()
    };
    let mut moves: Vec<String> = lines.iter().map(first).collect();
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 4);
}

#[test]
fn chances_are_shown_when_asked_for() {
    let text = run_script("setoption name UCI_ShowWDL value true\nposition startpos\ngo depth 3\n");
    assert!(text.contains(" wdl "));
}

#[test]
fn castling_is_written_as_the_variant_has_it() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let go = format!("position fen {fen}\ngo depth 1 searchmoves ");
    assert_eq!(best(&run_script(format!("{go}e1g1\n"))), "e1g1");
    let text = run_script(format!("setoption name UCI_Chess960 value true\n{go}e1h1\n"));
    assert_eq!(best(&text), "e1h1");
}

#[test]
fn a_position_without_moves_gets_a_null_bestmove() {
    let text = run_script("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3\n");
    assert_eq!(best(&text), "0000");
    assert!(text.contains("score cp 0"));
    let text = run_script("position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1\ngo wtime 100 btime 100\n");
    assert_eq!(best(&text), "0000");
    assert!(text.contains("score mate 0"));
}

#[test]
fn garbage_changes_nothing() {
    let mut script = b"\n\n   \nxyzzy\nposition\nposition fen\nposition fen 8/8 w\nposition moves e2e4\n\
        setoption\nsetoption name\nsetoption name Hash value -5\nsetoption name Threads value many\n\
        setoption name Hash\nsetoption value 3\ngo perft\nstop\nponderhit\nregister later\ndebug on\n\
        position startpos moves e2e5\nposition startpos moves e2e4 garbage e7e5\n"
        .to_vec();
    // Random bytes, and a very long line.
    let mut number = 1u32;
    for _ in 0..20_000 {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        script.push((number >> 24) as u8);
    }
    script.push(b'\n');
    script.extend("x ".repeat(200_000).into_bytes());
    script.extend(b"\nposition startpos moves e2e4\njoho go depth 3\n");
    let text = run_script(script);
    let step: UciMove = best(&text).parse().expect("a move");
    let after = Position::start();
    let after =
        after.play("e2e4".parse::<UciMove>().expect("a move").to_move(&after).expect("legal"));
    assert!(step.to_move(&after).is_ok());
}

#[test]
fn commands_during_a_search_do_not_confuse_it() {
    let engine = Conversation::begin();
    engine.say("position startpos");
    engine.say("go infinite");
    engine.say("go depth 3");
    engine.wait("bestmove");
    engine.wait("bestmove");
    engine.say("go infinite");
    engine.say("setoption name Hash value 2");
    engine.wait("bestmove");
    engine.say("go infinite");
    engine.say("ucinewgame");
    engine.wait("bestmove");
    engine.say("stop");
    engine.say("stop");
    engine.say("go nodes 100");
    engine.wait("bestmove");
    engine.say("quit");
}

#[test]
fn chess960_games_are_played_legally() {
    let mut position = Position::chess960(283).expect("a start");
    let start = position.setup().shredder_fen();
    let mut moves = String::new();
    for _ in 0..30 {
        let text = run_script(format!(
            "setoption name UCI_Chess960 value true\nposition fen {start} moves{moves}\ngo nodes 400\n"
        ));
        let Ok(step) = best(&text).parse::<UciMove>() else {
            break;
        };
        let step = step.to_move(&position).expect("legal");
        moves.push_str(&format!(" {}", step.uci(Variant::Chess960)));
        position = position.play(step);
    }
    assert!(moves.len() > 50);
}

#[test]
fn reading_line_by_line_needs_no_newline_at_the_end() {
    let mut reader = Cursor::new(b"uci".to_vec());
    assert!(reader.fill_buf().is_ok());
    assert!(run_script("uci").contains("uciok"));
}
