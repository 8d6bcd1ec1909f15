//! PGN import and export: no losses, no duplicates, broken games are reported.

use std::ops::ControlFlow;

use hansu_chess::{Game, Variant};
use hansu_records::{
    Annotations, Append, Archive, Error, Filter, GameId, ImportOptions, Log as _, NewEvent, Order,
    Page, Record, Report, Score, Source, SqliteStore, Status, Store, Summary, export, import,
    import_file, to_pgn,
};

struct Log {
    store: SqliteStore,
    place: tempfile::TempDir,
}

fn log() -> Log {
    let place = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(&place.path().join("games.db")).expect("a new log");
    Log { store, place }
}

/// Imports a text; returns the games added, duplicates, and the lines of broken games.
fn take(store: &dyn Store, text: &str) -> (u64, u64, Vec<u64>) {
    let mut lines = Vec::new();
    let progress = import(store, text.as_bytes(), &ImportOptions::default(), &mut |report| {
        if let Report::Broken(broken) = report {
            lines.push(broken.line);
        }
        ControlFlow::Continue(())
    })
    .expect("an import");
    assert_eq!(progress.broken, lines.len() as u64);
    assert_eq!(progress.seen, progress.added + progress.duplicates + progress.broken);
    (progress.added, progress.duplicates, lines)
}

fn all(store: &dyn Store) -> Vec<Record> {
    store.list(&Filter::default(), &Page { limit: 1_000, ..Page::default() }).expect("a list").games
}

fn give(store: &dyn Store) -> String {
    let mut text = Vec::new();
    export(store, &Filter::default(), Order::Oldest, &mut text, &mut |_| {}).expect("an export");
    String::from_utf8(text).expect("UTF-8")
}

const OPERA: &str = r#"[Event "Opera"]
[Site "Paris FRA"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]
[WhiteElo "2690"]
[Annotator "\"me\" \\ myself"]

{Played during the Barber of Seville.} 1. e4 e5 2. Nf3 d6 3. d4 Bg4 $6 {a weak move} 4. dxe5
Bxf3 (4... dxe5 5. Qxd8+ Kxd8 6. Nxe5) 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+
Nxb8 17. Rd8# 1-0
"#;

#[test]
fn a_game_of_a_file_becomes_a_row() {
    let log = log();
    assert_eq!(take(&log.store, OPERA), (1, 0, vec![]));
    let record = all(&log.store).remove(0);
    let row = &record.summary;
    assert_eq!(row.white, "Morphy, Paul");
    assert_eq!((row.score, row.reason.as_deref()), (Score::White, Some("checkmate")));
    assert_eq!((row.plies(), row.source, row.status), (33, Source::Import, Status::Finished));
    assert_eq!(row.opening.as_ref().map(|opening| opening.eco.as_str()), Some("C41"));
    assert_eq!(row.date(), "1858.??.??");
    assert_eq!(row.event.as_deref(), Some("Opera"));
    assert_eq!(row.header("Annotator"), Some("\"me\" \\ myself"));
    assert_eq!(row.header("WhiteElo"), Some("2690"));
    assert_eq!(row.final_fen, "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17");
    assert_eq!(record.note.as_deref(), Some("Played during the Barber of Seville."));
    let game = row.moves.game(row.start().expect("a start"), Variant::Standard);
    assert_eq!(game.expect("legal moves").position().fen(), row.final_fen);
}

#[test]
fn what_was_imported_is_exported_again() {
    let log = log();
    take(&log.store, OPERA);
    let text = give(&log.store);
    for part in [
        "[Date \"1858.??.??\"]",
        "[Site \"Paris FRA\"]",
        "[Annotator \"\\\"me\\\" \\\\ myself\"]",
        "{Played during the Barber of Seville.} 1. e4",
        "3. d4 Bg4 $6 {a weak move}",
        "(4... dxe5 5. Qxd8+ Kxd8 6. Nxe5)",
        "17. Rd8# 1-0",
        "[Termination \"normal\"]",
        "[ECO \"C41\"]",
    ] {
        assert!(text.contains(part) || text.replace('\n', " ").contains(part), "{part}\n{text}");
    }
    assert_eq!(take(&log.store, &text), (0, 1, vec![]), "it is known");
    let other = self::log();
    assert_eq!(take(&other.store, &text), (1, 0, vec![]));
    let text_again = give(&other.store);
    assert_eq!(text_again, text, "a second round changes nothing");
}

#[test]
fn games_in_other_notations_are_the_same_games() {
    let log = log();
    let tags = "[White \"Anna\"]\n[Black \"Ben\"]\n[Date \"2026.11.17\"]\n\n";
    let short = format!("{tags}1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *\n");
    let long = format!("{tags}1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 += a7-a6 4. O-O *\n");
    let uci = format!("{tags}e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 *\n");
    assert_eq!(take(&log.store, &long), (1, 0, vec![]));
    assert_eq!(take(&log.store, &(short + &uci)), (0, 2, vec![]));
    // A null move ends the main line; what follows becomes a comment.
    let null = format!("{tags}1. d4 d5 2. -- e5 *\n");
    assert_eq!(take(&log.store, &null), (1, 0, vec![]));
    assert!(give(&log.store).contains("1. d4 d5 {-- e5} *"));
}

/// A game that was played here, as the terminal would write it.
fn played(store: &dyn Store, moves: &str, status: Status) -> GameId {
    let mut game = Game::start();
    for step in moves.split_whitespace() {
        game.play_san(step).expect("a legal move");
    }
    let mut summary = Summary::new("Anna", "벤", Source::Terminal);
    summary.follow(&game);
    summary.status = status;
    let id = GameId::random().expect("a name");
    store
        .append(Append {
            game: id,
            expected: 1,
            command_key: None,
            events: vec![NewEvent { at: 1, body: "{}".to_owned() }],
            row: summary.into(),
            begins: None,
            next: None,
        })
        .expect("a game");
    id
}

#[test]
fn games_played_here_come_back_as_themselves() {
    let log = log();
    let mate = played(&log.store, "f3 e5 g4 Qh4#", Status::Finished);
    played(&log.store, "e4 e5", Status::Live);
    played(&log.store, "d4", Status::Adjourned);
    log.store.tag(None, mate, "short").expect("a word");
    log.store.note(None, mate, "the } of {it}").expect("a note");
    let text = give(&log.store);
    assert_eq!(take(&log.store, &text), (0, 3, vec![]), "{text}");
    let other = self::log();
    assert_eq!(take(&other.store, &text), (3, 0, vec![]));
    let (ours, theirs) = (log.store.record(mate), other.store.record(mate));
    let (ours, theirs) = (ours.unwrap().unwrap(), theirs.unwrap().expect("the same name"));
    assert_eq!(theirs.tags, ["short"]);
    assert_eq!(theirs.note, ours.note);
    assert_eq!(theirs.summary.source, Source::Import);
    assert_eq!(theirs.summary.reason.as_deref(), Some("checkmate"));
    assert_eq!(theirs.summary.moves, ours.summary.moves);
    assert_eq!(theirs.summary.final_fen, ours.summary.final_fen);
    let seconds = |record: &Record| record.summary.started.map(|at| at / 1_000);
    assert_eq!(seconds(&theirs), seconds(&ours));
    assert!(to_pgn(&ours).expect("PGN").contains("[Black \"벤\"]"));
}

#[test]
fn broken_games_are_named_and_the_rest_is_taken() {
    let log = log();
    let text = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 Ke7 *\n\n\
                [White \"C\"]\n\n1. e4 e5 2. Bd8 *\n\n[White \"D\"]\n\n1. d4 *\n";
    assert_eq!(take(&log.store, text), (2, 0, vec![7, 11]));
    let long =
        format!("[White \"{}\"]\n\n1. e4 *\n\n[White \"E\"]\n\n1. c4 *\n", "x".repeat(1_000));
    assert_eq!(take(&log.store, &long), (1, 0, vec![1]), "too long a name");
    assert_eq!(log.store.count(&Filter::default()), Ok(3));
}

#[test]
fn chess960_and_other_starts_come_back() {
    let text = "[White \"A\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
        [FEN \"1r2kr2/pppppppp/8/8/8/8/PPPPPPPP/1R2KR2 w KQkq - 0 1\"]\n\n\
        1. g3 g6 2. O-O *\n\n\
        [White \"B\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 30\"]\n\n30. e4 {good} *\n";
    let log = log();
    assert_eq!(take(&log.store, text), (2, 0, vec![]));
    let out = give(&log.store);
    assert!(out.contains("2. O-O *") && out.contains("30. e4 {good} *"), "{out}");
    assert_eq!(take(&log.store, &out), (0, 2, vec![]), "{out}");
    let other = self::log();
    take(&other.store, &out);
    assert_eq!(give(&other.store), out);
}

#[test]
fn reasons_come_from_the_tags_and_the_board_only() {
    let game = |number: u32, termination: &str, result: &str, moves: &str| {
        format!(
            "[White \"A\"]\n[Round \"{number}\"]\n{termination}\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let tag = |word: &str| format!("[Termination \"{word}\"]");
    let knights = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let text = [
        game(1, &tag("Normal"), "1-0", "1. e4 e5"),
        game(2, &tag("Time forfeit"), "0-1", "1. e4 e5"),
        game(3, &tag("normal"), "1/2-1/2", knights),
        game(4, &tag("normal"), "1/2-1/2", "1. e4 e5"),
        game(5, "", "1-0", "1. e4 e5"),
        game(6, "", "0-1", "1. f3 e5 2. g4 Qh4#"),
        game(7, &tag("Abandoned"), "1-0", "1. e4"),
        game(8, &tag("rules infraction"), "1-0", "1. e4"),
    ]
    .concat();
    let log = log();
    assert_eq!(take(&log.store, &text), (8, 0, vec![]));
    let mut records = all(&log.store);
    records.sort_by_key(|record| record.summary.header("Round").map(str::to_owned));
    let reasons: Vec<_> = records.iter().map(|r| r.summary.reason.as_deref()).collect();
    let wanted = [
        Some("resignation"),
        Some("timeout"),
        Some("threefold_repetition"),
        Some("agreement"),
        None,
        Some("checkmate"),
        Some("abandonment"),
        None,
    ];
    assert_eq!(reasons, wanted);
    assert_eq!(records[7].summary.header("Termination"), Some("rules infraction"));
    let out = give(&log.store);
    assert_eq!(take(&log.store, &out), (0, 8, vec![]));
}

#[test]
fn a_file_is_gone_on_with_after_a_stop() {
    let log = log();
    let file = log.place.path().join("games.pgn");
    let game = |round| format!("[Round \"{round}\"]\n\n1. e4 e5 *\n\n");
    let mut text: String = (0..95).map(game).collect();
    text.push_str("1. e4 Ke7 *\n\n");
    text.extend((95..250).map(game));
    std::fs::write(&file, &text).expect("a file");
    let options = ImportOptions { batch: 20, ..ImportOptions::default() };
    let mut batches = 0;
    let stopped = import_file(&log.store, &file, &options, &mut |report| {
        if let Report::Progress { bytes, progress } = report {
            assert!(bytes > 0 && progress.seen > 0);
            batches += 1;
        }
        if batches == 6 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .expect("a part");
    assert_eq!((stopped.seen, stopped.added, stopped.broken), (120, 119, 1));
    assert!(!stopped.finished);
    assert_eq!(log.store.count(&Filter::default()), Ok(119));
    let mut first = None;
    let rest = import_file(&log.store, &file, &options, &mut |report| {
        if let Report::Progress { progress, .. } = report {
            first.get_or_insert(progress.seen);
        }
        ControlFlow::Continue(())
    })
    .expect("the rest");
    assert_eq!(first, Some(140), "it goes on where it stopped");
    assert_eq!((rest.added, rest.duplicates, rest.broken, rest.finished), (250, 0, 1, true));
    // A second import finds nothing new.
    let again = import_file(&log.store, &file, &options, &mut |_| ControlFlow::Continue(()));
    let again = again.expect("an import");
    assert_eq!((again.added, again.duplicates, again.broken), (0, 250, 1));
}

#[test]
fn a_source_that_fails_is_an_error_and_what_was_reported_stays() {
    struct Failing(std::io::Cursor<Vec<u8>>);
    impl std::io::Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(std::io::ErrorKind::ConnectionReset.into()),
                read => Ok(read),
            }
        }
    }
    let log = log();
    let text = (0..50).map(|round| format!("[Round \"{round}\"]\n\n1. e4 *\n\n"));
    let source = Failing(std::io::Cursor::new(text.collect::<String>().into_bytes()));
    let options = ImportOptions { batch: 10, ..ImportOptions::default() };
    let failed = import(&log.store, source, &options, &mut |_| ControlFlow::Continue(()));
    assert_eq!(failed, Err(Error::Io(std::io::ErrorKind::ConnectionReset)));
    assert!(log.store.count(&Filter::default()).expect("a count") >= 40);
    let missing = log.place.path().join("missing.pgn");
    let none = import_file(&log.store, &missing, &options, &mut |_| ControlFlow::Continue(()));
    assert_eq!(none, Err(Error::Io(std::io::ErrorKind::NotFound)));
}

#[test]
fn annotations_can_be_left_out() {
    let log = log();
    let options = ImportOptions { annotations: Annotations::Drop, ..ImportOptions::default() };
    let plain = import(&log.store, OPERA.as_bytes(), &options, &mut |_| ControlFlow::Continue(()));
    assert_eq!(plain.expect("an import").added, 1);
    let record = all(&log.store).remove(0);
    assert_eq!((record.summary.annotations, record.note), (None, None));
    assert_eq!(take(&log.store, OPERA), (0, 1, vec![]), "it is the same game");
}

#[test]
fn different_times_are_two_tags_in_a_file_and_one_text_in_the_log() {
    let game = |tags: &str, round: u8| format!("[Round \"{round}\"]\n{tags}\n1. e4 e5 *\n\n");
    let tag = |name: &str, value: &str| format!("[{name} \"{value}\"]\n");
    let both =
        |white: &str, black: &str| tag("WhiteTimeControl", white) + &tag("BlackTimeControl", black);
    for (tags, kept, written) in [
        (both("180+2", "40/5400:60"), Some("W180+2 B40/5400:60"), both("180+2", "40/5400:60")),
        // Values that are not in the standard form stay unchanged.
        (both("3 minutes", "60"), None, both("3 minutes", "60")),
        (tag("WhiteTimeControl", "60"), None, tag("WhiteTimeControl", "60")),
        // A common tag has priority over the tags of each side.
        (tag("TimeControl", "300") + &both("60", "60"), Some("300"), both("60", "60")),
        (tag("TimeControl", "?") + &both("60", "30"), Some("W60 B30"), both("60", "30")),
        (tag("TimeControl", "5 min B 3"), Some("5 min B 3"), tag("TimeControl", "5 min B 3")),
    ] {
        let log = log();
        assert_eq!(take(&log.store, &game(&tags, 1)), (1, 0, vec![]), "{tags}");
        let record = all(&log.store).remove(0);
        assert_eq!(record.summary.time_control.as_deref(), kept, "{tags}");
        let out = give(&log.store);
        assert!(out.contains(&written), "{tags}: {out}");
        assert_eq!(
            out.contains("[TimeControl \""),
            kept.is_some_and(|kept| !kept.starts_with('W'))
        );
        assert_eq!(take(&log.store, &out), (0, 1, vec![]), "it is the same game");
    }
}

/// Random games with random tags, comments, NAGs and variations: export and import give the same
/// game.
#[test]
fn random_games_survive_the_round_trip() {
    let mut seed = 7_u64;
    let mut roll = |sides: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % sides
    };
    let mut text = String::new();
    for number in 0..300 {
        for (name, values) in [
            ("White", ["Anna", "김 민수", "?", "ANNA"]),
            ("Black", ["Ben", "O'Neill \\\"Ed\\\"", "Zoë", ""]),
            ("Date", ["2024.02.29", "1999.??.??", "????.??.??", "soon"]),
            ("UTCTime", ["12:34:56", "00:00:00", "25:00", ""]),
            ("TimeControl", ["300+3", "-", "?", "40/7200:3600"]),
            ("WhiteTimeControl", ["60", "?", "40/7200:3600", "W60 B60"]),
            ("BlackTimeControl", ["60+1", "-", "5 minutes", "0"]),
            ("Termination", ["Normal", "normal", "Time forfeit", "odd"]),
            ("ECO", ["A00", "B00", "C20", "x"]),
        ] {
            if roll(3) > 0 {
                text += &format!("[{name} \"{}\"]\n", values[roll(4)]);
            }
        }
        text += &format!("[Round \"{number}\"]\n\n");
        if roll(5) == 0 {
            text += "{before the first move} ";
        }
        let mut game = Game::start();
        for _ in 0..roll(80) {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.outcome().is_some() {
                break;
            }
            let (step, other) = (moves[roll(moves.len())], moves[roll(moves.len())]);
            let variation = game.position().san(other).to_string();
            text += &format!("{} ", game.position().san(step));
            game.play(step.from(), step.to(), step.promotion()).expect("a legal move");
            match roll(30) {
                0 => text += "$3 ",
                1 => text += "{a   comment; with [%clk 0:01:02]} ",
                2 => text += &format!("({variation} {{so}}) "),
                _ => {}
            }
        }
        text += ["1-0", "0-1", "1/2-1/2", "*"][roll(4)];
        text += "\n\n";
    }
    let (one, two) = (log(), log());
    assert_eq!(take(&one.store, &text), (300, 0, vec![]));
    let out = give(&one.store);
    assert_eq!(take(&one.store, &out), (0, 300, vec![]));
    assert_eq!(take(&two.store, &out), (300, 0, vec![]));
    assert_eq!(give(&two.store), out);
    // Each log has its own ids, and the order of tags does not matter.
    let plain = |mut record: Record| {
        record.id = "000000000000".parse().expect("a name");
        record.summary.headers.sort();
        record
    };
    let sorted = |store: &dyn Store| {
        let mut records: Vec<Record> = all(store).into_iter().map(plain).collect();
        records.sort_by_key(|record| record.summary.header("Round").map(str::to_owned));
        records
    };
    for (ours, theirs) in sorted(&one.store).iter().zip(&sorted(&two.store)) {
        assert_eq!(ours, theirs);
    }
}
