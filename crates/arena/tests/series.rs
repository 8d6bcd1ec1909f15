//! Matches between levels, and against programs that do not behave.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use hansu_arena::{Fault, OPENING_PLIES, Pace, PlayedGame, PlayerError, Series, Sprt, Tally};
use hansu_chess::{Move, Position};
use hansu_engine::Signals;

fn series<'a>(players: [&'a str; 2], games: u64) -> Series<'a> {
    Series { players, pace: Pace::Nodes(200), games, threads: 2, seed: 7, test: None }
}

fn run(series: &Series<'_>) -> Tally {
    series.run(&Signals::default(), &|_, _| ()).expect("the players start")
}

/// A program that speaks UCI and answers `go` with this line of a shell script.
fn program(folder: &Path, answer: &str) -> String {
    let script = format!(
        "while read -r line; do case \"$line\" in\n\
         uci) echo uciok;;\n isready) echo readyok;;\n go*) {answer};;\n quit) exit;;\n\
         esac; done\n"
    );
    let path = folder.join("engine.sh");
    fs::write(&path, script).expect("a file");
    format!("cmd:sh {}", path.display())
}

/// The faults of a match that a program loses against level 1, both games of it.
fn faults(answer: &str, pace: Pace) -> Vec<(usize, Fault)> {
    let folder = tempfile::tempdir().expect("a folder");
    let program = program(folder.path(), answer);
    let series = Series { pace, threads: 1, ..series(["level:1", &program], 2) };
    let tally = run(&series);
    assert_eq!((tally.results, tally.pairs.0), ([2, 0, 0], [0, 0, 0, 0, 1]), "{answer}");
    tally.faults
}

#[test]
fn both_games_of_a_pair_have_one_balanced_opening_and_both_colours() {
    let all: Mutex<Vec<(usize, Vec<Move>)>> = Mutex::default();
    let seen = |games: &[PlayedGame<'_>; 2], _: &Tally| {
        assert_eq!([games[0].white, games[1].white], [0, 1]);
        assert_eq!(games[0].pair, games[1].pair);
        let mut all = all.lock().expect("not poisoned");
        all.extend(games.iter().map(|game| (game.pair as usize, game.moves.to_vec())));
    };
    let series = series(["level:1", "level:2"], 8);
    let tally = series.run(&Signals::default(), &seen).expect("levels exist");
    assert_eq!((tally.games(), tally.pairs.count(), tally.faults.len()), (8, 4, 0));
    let all = all.into_inner().expect("not poisoned");
    for (pair, moves) in &all {
        let opening = &moves[..OPENING_PLIES];
        let same = all.iter().filter(|(_, other)| &other[..OPENING_PLIES] == opening);
        let pairs: Vec<usize> = same.map(|(pair, _)| *pair).collect();
        assert_eq!(pairs, [*pair; 2], "each pair has an opening of its own");
        let end = moves.iter().try_fold(Position::start(), |position, &step| {
            position.legal_moves().contains(&step).then(|| position.play(step))
        });
        assert!(end.is_some(), "every move is legal");
    }
}

#[test]
fn the_same_match_with_nodes_has_the_same_result() {
    for players in [["hand", "own"], ["level:2", "level:3"]] {
        let both = series(players, 8);
        let [first, again] = [2, 1].map(|threads| run(&Series { threads, ..both }));
        assert_eq!(first, again, "{players:?}");
    }
    assert_eq!(run(&series(["own", "own"], 6)).pairs.0, [0, 0, 3, 0, 0]);
}

#[test]
fn a_test_ends_the_match_when_it_is_decided() {
    let test = Sprt::new(0.0, 50.0);
    let tally = run(&Series { test, ..series(["level:4", "level:1"], 200) });
    assert!((32..200).contains(&tally.games()), "{tally:?}");
}

#[test]
fn a_stopped_match_counts_whole_pairs_only() {
    let signals = Signals::default();
    let seen = |_: &[PlayedGame<'_>; 2], _: &Tally| signals.stop.store(true, Relaxed);
    let series = series(["level:1", "level:1"], 1_000);
    let tally = series.run(&signals, &seen).expect("levels exist");
    // Two threads: a second pair may end while the first is noted.
    assert!((1..=2).contains(&tally.pairs.count()), "{tally:?}");
    assert_eq!(tally.games(), 2 * tally.pairs.count());
}

#[test]
fn a_program_that_answers_illegal_moves_loses_and_the_match_goes_on() {
    let illegal = |answer: &str| (1, Fault::Illegal(answer.to_owned()));
    let nodes = Pace::Nodes(100);
    assert_eq!(faults("echo bestmove a1a1", nodes), [illegal("a1a1"), illegal("a1a1")]);
    assert_eq!(faults("echo bestmove", nodes), [illegal(""), illegal("")]);
    assert_eq!(faults("echo 'bestmove (none)'", nodes), [illegal("(none)"), illegal("(none)")]);
}

#[test]
fn a_program_that_ends_loses_and_is_started_again() {
    let gone = (1, Fault::Gone);
    assert_eq!(faults("exit 3", Pace::Nodes(100)), [gone.clone(), gone.clone()]);
    assert_eq!(faults("kill -9 $$", Pace::Nodes(100)), [gone.clone(), gone.clone()]);
    // The second program knows that it is not the first.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("started").display().to_string();
    let once = format!("[ -e {file} ] && echo bestmove a1a1; touch {file}; exit");
    let illegal = (1, Fault::Illegal("a1a1".to_owned()));
    assert_eq!(faults(&once, Pace::Nodes(100)), [gone, illegal]);
}

/// Level 1 has a clock as well: enough for a busy machine.
const CLOCK: Pace =
    Pace::Clock { time: Duration::from_secs(6), increment: Duration::from_secs(60) };

#[test]
fn a_program_that_is_silent_loses_on_time() {
    assert_eq!(faults(":", CLOCK), [(1, Fault::Time), (1, Fault::Time)]);
}

#[test]
fn a_program_that_writes_all_the_time_but_no_move_loses_on_time() {
    let chatter = "while :; do echo info string; done";
    assert_eq!(faults(chatter, CLOCK), [(1, Fault::Time), (1, Fault::Time)]);
}

#[test]
fn a_player_that_does_not_exist_is_an_error() {
    let error = |name: &str| {
        series([name, "level:1"], 2).run(&Signals::default(), &|_, _| ()).expect_err(name)
    };
    assert_eq!(error("level:11"), PlayerError::Level("level:11".to_owned()));
    assert!(matches!(error("nobody"), PlayerError::Net(..)));
    assert!(matches!(error("cmd:/no/such/engine"), PlayerError::Start(..)));
    let folder = tempfile::tempdir().expect("a folder");
    let program = program(folder.path(), "echo bestmove 0000");
    assert_eq!(error(&format!("{program},Hash")), PlayerError::Option("Hash".to_owned()));
}
