//! SIGKILL at random moments.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hansu_chess::Variant;
use hansu_records::stats::Viewer;
use hansu_records::{Archive, Filter, GameId, Log, SqliteStore};

use crate::child::{Dice, command, read_acknowledged, read_output};

fn kills() -> u64 {
    std::env::var("HANSU_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(200)
}

pub(crate) fn kill() {
    let place = tempfile::tempdir().expect("a folder");
    let seed = std::process::id().into();
    println!("seed {seed}");
    let mut dice = Dice(seed);
    let mut known: HashMap<PathBuf, HashMap<GameId, u64>> = HashMap::new();
    let (mut acks, mut early) = (0, 0);
    for number in 0..kills() {
        // A new file every twenty kills, so that some kills hit its creation.
        let file = place.path().join(format!("games{}.db", number / 20));
        // Sometimes another process has the log open all the time: then recovery runs beside it.
        let other = (number % 3 == 2).then(|| SqliteStore::open(&file).expect("a log"));
        let mut child = command("play", &file, seed + number).spawn().expect("a child");
        std::thread::sleep(Duration::from_micros(500 + dice.roll(150_000)));
        child.kill().expect("a kill");
        let text = read_output(&mut child);
        child.wait().expect("an end");
        assert!(!text.contains("error"), "{text}");
        let games = known.entry(file.clone()).or_default();
        let new = read_acknowledged(&text);
        acks += new.len();
        early += usize::from(new.is_empty());
        let mut here: HashMap<GameId, u64> = HashMap::new();
        for (game, seq) in &new {
            let last = games.entry(*game).or_default();
            // The first one may come after events that a killed child wrote but did not
            // acknowledge.
            match here.insert(*game, *seq) {
                Some(before) => assert_eq!(*seq, before + 1, "each event once, in order: {game}"),
                None => assert!(*seq > *last, "{game}: event {seq} was acknowledged before"),
            }
            *last = *seq;
        }
        drop(other);
        if !file.exists() {
            // Killed before it created the file.
            assert!(new.is_empty());
            continue;
        }
        let touched: Vec<GameId> = new.iter().map(|(game, _)| *game).collect();
        verify(&file, games, Some(&touched));
    }
    for (file, mut games) in known {
        if file.exists() {
            verify(&file, &mut games, None);
        }
    }
    println!("{} kills, {acks} acknowledged events, {early} killed before the first", kills());
    assert!(acks as u64 > kills(), "the children must get to write something");
}

/// Everything that was acknowledged is there, in order, without gaps, and is a legal game. Events
/// that were written but not acknowledged count from now on.
fn verify(file: &Path, games: &mut HashMap<GameId, u64>, touched: Option<&[GameId]>) {
    let store = SqliteStore::open(file).expect("a sound log");
    if touched.is_none() {
        store.check().expect("a sound log");
        let all = store.count(&Filter::default()).expect("a count");
        assert!(all >= games.len() as u64);
    }
    for (game, last) in games.iter_mut() {
        if touched.is_some_and(|touched| !touched.contains(game)) {
            continue;
        }
        let events = store.events(*game, 0, usize::MAX).expect("an acknowledged game");
        let seqs: Vec<u64> = events.iter().map(|event| event.seq).collect();
        assert_eq!(seqs, (1..=events.len() as u64).collect::<Vec<_>>(), "no gaps");
        assert!(events.len() as u64 >= *last, "{game}: event {last} was acknowledged");
        *last = events.len() as u64;
        let record = store.record(*game).expect("a log").expect("a game");
        assert_eq!(record.last_seq, *last, "the row goes with its events");
        let bodies: Vec<&str> = events.iter().map(|event| event.body.as_str()).collect();
        assert_eq!(record.summary.moves.to_string(), bodies.join(" "));
        let start = record.summary.start().expect("a start");
        let played = record.summary.moves.game(start, Variant::Standard).expect("legal moves");
        assert_eq!(played.position().fen(), record.summary.final_fen, "every position replays");
    }
}

pub(crate) fn import() {
    const GAMES: usize = 3_000;
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("games.db");
    std::fs::write(file.with_extension("pgn"), collection(GAMES)).expect("a file");
    let mut dice = Dice(std::process::id().into());
    let (mut interrupted, mut complete, mut finished) = (0, false, None);
    for _ in 0..200 {
        let mut child = command("import", &file, 0).spawn().expect("a child");
        // On a busy machine a child gets little done: each later child may live longer.
        let most = 60 * (1 + interrupted / 20);
        std::thread::sleep(Duration::from_millis(10 + dice.roll(most)));
        child.kill().expect("a kill");
        let text = read_output(&mut child);
        child.wait().expect("an end");
        let numbers = |line: &str| -> Vec<u64> {
            line.split(' ').filter_map(|word| word.parse().ok()).collect()
        };
        if let Some(line) = text.lines().find(|line| line.starts_with("finished")) {
            finished = Some(numbers(line));
            break;
        }
        interrupted += 1;
        // Reported games are there; a batch is there completely or not at all.
        let last = text.split_inclusive('\n').rfind(|line| line.ends_with('\n'));
        let reported = last.map_or(0, |line| numbers(line.trim_end())[0]);
        if file.exists() {
            let store = SqliteStore::open(&file).expect("a sound log");
            let games = store.count(&Filter::default()).expect("a count");
            assert!(games >= reported, "{reported} games were reported, {games} are there");
            assert!(games % 40 == 0 || games == GAMES as u64, "{games}");
            assert_eq!(store.totals(Viewer::Keeper).expect("totals").games(), games);
            complete |= games == GAMES as u64;
        }
    }
    println!("{interrupted} interruptions");
    assert!(interrupted > 0, "the import was too fast to be interrupted");
    // A child that is killed between the end and its report has imported everything: the next one
    // finds only duplicates.
    let all = GAMES as u64;
    let done = finished == Some(vec![all, 0]) || complete && finished == Some(vec![0, all]);
    assert!(done, "all of it, nothing twice: {finished:?}");
    let store = SqliteStore::open(&file).expect("a sound log");
    store.check().expect("a sound log");
    assert_eq!(store.count(&Filter::default()), Ok(GAMES as u64));
}

/// Small games, all different.
fn collection(games: usize) -> String {
    let line = |round| {
        format!(
            "[White \"Anna\"]\n[Black \"Ben {}\"]\n[Round \"{round}\"]\n[Result \"1-0\"]\n\n\
             1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n",
            round % 50
        )
    };
    (0..games).map(line).collect()
}
