//! Listing and filtering.

use hansu_records::{Append, GameId, Log as _, NewEvent, Source, SqliteStore, Summary, Visibility};

use super::*;

#[test]
fn an_empty_log_says_how_to_fill_it() {
    for arguments in [&["list"][..], &["stats"]] {
        let english = Log::empty().run(arguments).answer();
        assert!(english.contains("hansu games import"), "{english}");
        let korean = Log::empty().korean().run(arguments).answer();
        assert!(has_hangul(&korean) && korean.contains("hansu games import"), "{korean}");
    }
    assert_eq!(Log::empty().run(&["list", "--json"]).answer(), "[]\n");
}

#[test]
fn json_tells_of_every_game_the_latest_first() {
    let games = Log::club().games(&[]);
    assert_eq!(games.len(), 3);
    let field = |name: &str| games.iter().map(|game| game[name].clone()).collect::<Vec<_>>();
    assert_eq!(field("white"), ["Jun", "김민아", "Mina"]);
    assert_eq!(field("black"), ["Mina", "박준서", "Jun"]);
    assert_eq!(field("result"), ["1-0", "1/2-1/2", "0-1"]);
    assert_eq!(field("reason"), ["timeout", "agreement", "checkmate"]);
    assert_eq!(field("plies"), [4, 6, 4]);
    assert_eq!(field("source"), ["import"; 3]);
    assert_eq!(field("visibility"), ["public"; 3]);
    assert_eq!(games[2]["started"], "2026-01-10T00:00:00Z");
    assert!(games.iter().all(|game| game["id"].as_str().is_some_and(|id| id.len() == 12)));
}

#[test]
fn the_operator_sees_private_games_too() {
    let log = Log::club();
    let file = hansu_records::log_file(&log.data());
    let store = SqliteStore::open(&file).expect("the log");
    let mut summary = Summary::new("Mina", "Jun", Source::Online);
    summary.visibility = Visibility::Private;
    let append = Append {
        game: GameId::random().expect("random numbers"),
        expected: 1,
        command_key: None,
        events: vec![NewEvent { at: 0, body: "{}".to_owned() }],
        row: summary.into(),
        begins: None,
        next: None,
    };
    store.append(append).expect("a game");
    drop(store);
    let games = log.games(&[]);
    let seen: Vec<_> = games.iter().map(|game| game["visibility"].clone()).collect();
    assert_eq!(seen, ["private", "public", "public", "public"]);
}

#[test]
fn filters_choose_games() {
    let log = Log::club();
    let cases: [(&[&str], usize); 26] = [
        (&["--player", "mina"], 2),
        (&["--white", "Mina"], 1),
        (&["--black", "Mina"], 1),
        (&["--player", "nobody"], 0),
        (&["--result", "1/2-1/2"], 1),
        (&["--result", "black"], 1),
        (&["--result", "*"], 0),
        (&["--reason", "checkmate"], 1),
        (&["--reason", "time"], 1),
        (&["--since", "2026-02"], 2),
        (&["--since", "2026-02-12"], 1),
        (&["--until", "2026-01"], 1),
        (&["--until", "2026-02-11"], 2),
        (&["--until", "2025"], 0),
        (&["--opening", "ruy lopez"], 1),
        (&["--eco", "B"], 1),
        (&["--length", "5.."], 1),
        (&["--length", "..4"], 2),
        (&["--length", "6"], 1),
        (&["--source", "import"], 3),
        (&["--source", "online"], 0),
        (&["--status", "finished"], 3),
        (&["--text", "club"], 2),
        (&["--tag", "none"], 0),
        (&["--player", "mina", "--result", "1-0"], 1),
        (&["--limit", "2"], 2),
    ];
    for (arguments, expected) in cases {
        assert_eq!(log.games(arguments).len(), expected, "{arguments:?}");
    }
    let none = log.run(&["list", "--player", "nobody"]).answer();
    assert!(none.contains("Leave out a filter"), "{none}");
}

#[test]
fn pages_follow_each_other() {
    let log = Log::club();
    let all = log.games(&["--oldest"]);
    for (page, game) in ["1", "2", "3"].into_iter().zip(&all) {
        assert_eq!(
            log.games(&["--oldest", "--limit", "1", "--page", page]),
            std::slice::from_ref(game)
        );
    }
    assert!(log.games(&["--limit", "1", "--page", "4"]).is_empty());
    let first = log.run(&["list", "--limit", "2"]).answer();
    assert!(first.ends_with("\n1–2 of 3 games · next: --page 2\n"), "{first}");
    let second = log.run(&["list", "--limit", "2", "--page", "2"]).answer();
    assert!(second.ends_with("\n3–3 of 3 games\n"), "{second}");
    assert!(log.run(&["list", "--page", "9"]).complaint(2).contains("--page 1"));
}

#[test]
fn bad_filters_are_shown_with_what_to_write() {
    let cases = [
        (["--result", "won"], "1/2-1/2"),
        (["--reason", "boredom"], "checkmate"),
        (["--since", "yesterday"], "2026-11-15"),
        (["--until", "2026-02-30"], "2026-11-15"),
        (["--length", "9..1"], "20..60"),
        (["--source", "moon"], "terminal"),
        (["--status", "odd"], "adjourned"),
    ];
    for (arguments, expected) in cases {
        let all = [&["list"], &arguments[..]].concat();
        for log in [Log::empty(), Log::empty().korean()] {
            let line = log.run(&all).complaint(2);
            assert!(line.contains(expected) && line.contains(arguments[1]), "{line}");
            assert_eq!(has_hangul(&line), log.locale != "C", "{line}");
        }
    }
}

/// A Hangul letter is two columns wide, so letters cannot simply be counted.
#[test]
fn the_table_is_aligned_and_fits() {
    let log = Log::club();
    let long = CLUB.replace("김민아", &"한".repeat(60)).replace("2026.02.11", "2026.03.01");
    log.run_with(&["import", "-"], &long);
    for log in [log.run(&["list"]).answer(), log.korean().run(&["list"]).answer()] {
        let places = |text: &str| -> usize {
            text.chars().map(|it| if ('가'..='힣').contains(&it) { 2 } else { 1 }).sum()
        };
        let rows: Vec<&str> = log.lines().filter(|line| line.contains("2026-")).collect();
        assert_eq!(rows.len(), 4, "{log}");
        let results = [" 1-0", " 0-1", " 1/2-1/2"];
        let column = |row: &str| {
            let at = results.iter().find_map(|result| row.find(result));
            places(&row[..at.expect("a result")])
        };
        for row in &rows {
            assert_eq!(column(row), column(rows[0]), "{log}");
            assert!(places(row) <= 80, "{log}");
        }
    }
}

#[test]
fn the_log_is_where_the_option_says_else_the_environment() {
    let (log, other) = (Log::club(), Log::empty());
    let folder = other.data().display().to_string();
    assert_eq!(log.run(&["list", "--json", "--data", &folder]).answer(), "[]\n");
    assert_eq!(log.run(&["--data", &folder, "list", "--json"]).answer(), "[]\n");
    assert_eq!(log.games(&[]).len(), 3);
    let file = other.file("in-the-way", "");
    let line = log.run(&["list", "--data", &file]).complaint(1);
    assert!(line.contains("--data DIR"), "{line}");
}

#[test]
fn the_option_for_the_language_comes_before_the_locale() {
    let korean = Log::club().run(&["list", "--lang", "ko"]).answer();
    assert!(korean.contains("게임 3판"), "{korean}");
    let english = Log::club().korean().run(&["list", "--lang", "en"]).answer();
    assert!(english.contains("3 games"), "{english}");
}

#[test]
fn a_file_that_is_no_log_is_left_alone() {
    let log = Log::empty();
    std::fs::create_dir(log.data()).expect("a folder");
    let file = log.data().join("games.db");
    std::fs::write(&file, "this is a diary, not a database".repeat(100)).expect("written");
    let line = log.run(&["list"]).complaint(1);
    assert!(line.contains("backup"), "{line}");
    let after = std::fs::read_to_string(&file).expect("still there");
    assert!(after.starts_with("this is a diary"));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let log = Log::club();
    for arguments in [&["list"][..], &["list", "--json"], &["export"], &["stats"]] {
        let mut child = log
            .command()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{:?}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn help_fits_one_screen_and_has_examples() {
    let log = Log::empty();
    for command in ["list", "show", "replay", "export", "import", "tag", "note", "delete", "stats"]
    {
        let text = log.run(&[command, "--help"]).answer();
        assert!(text.contains("Examples:"), "{text}");
        let short = log.run(&[command, "-h"]).answer();
        assert!(short.lines().count() <= 45, "{short}");
    }
}
