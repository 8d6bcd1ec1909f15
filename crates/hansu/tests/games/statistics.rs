//! Wins, draws and losses.

use super::*;

fn number(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path}: {value}"))
}

fn sum(list: &Value, fields: &[&str]) -> u64 {
    let rows = list.as_array().expect("a list").iter();
    rows.map(|row| fields.iter().map(|field| number(row, field)).sum::<u64>()).sum()
}

#[test]
fn everybody_s_numbers_add_up() {
    let all = Log::club().run(&["stats", "--json"]).json();
    assert_eq!(number(&all, "/games"), 3);
    let results = ["white", "draws", "black"].map(|it| number(&all, &format!("/totals/{it}")));
    assert_eq!(results, [1, 1, 1]);
    let tally = ["/tally/white", "/tally/draws", "/tally/black", "/tally/open"];
    for facet in ["reasons", "months", "openings", "sources"] {
        assert_eq!(sum(&all[facet], &tally), 3, "{facet}: {all}");
    }
    // Each game has two players; wins and losses are the two sides of the same games.
    assert_eq!(sum(&all["players"], &["/games"]), 6);
    assert_eq!(sum(&all["players"], &["/white/wins", "/black/wins"]), 2);
    assert_eq!(sum(&all["players"], &["/both/losses"]), 2);
    assert_eq!(sum(&all["players"], &["/both/draws"]), 2);
}

#[test]
fn one_player_s_numbers_add_up() {
    let log = Log::club();
    let one = log.run(&["stats", "JUN", "--json"]).json();
    assert_eq!(one["name"], "Jun");
    assert_eq!((number(&one, "/games"), number(&one, "/both/wins")), (2, 2));
    assert_eq!((number(&one, "/white/wins"), number(&one, "/black/wins")), (1, 1));
    assert_eq!(number(&one, "/streaks/wins/games"), 2);
    assert_eq!(sum(&one["opponents"], &["/wins", "/draws", "/losses"]), 2);
    let standing = ["/standing/wins", "/standing/draws", "/standing/losses"];
    for facet in ["reasons", "months", "openings", "sources"] {
        assert_eq!(sum(&one[facet], &standing), 2, "{facet}: {one}");
    }
    let two = log.run(&["stats", "mina", "--versus", "jun", "--json"]).json();
    assert_eq!((&two["player"], &two["versus"]), (&"Mina".into(), &"Jun".into()));
    assert_eq!((number(&two, "/games"), number(&two, "/both/losses")), (2, 2));
    assert_eq!((number(&two, "/white/losses"), number(&two, "/black/losses")), (1, 1));
}

#[test]
fn tables_and_bars_speak_both_languages() {
    let log = Log::club();
    let english = log.run(&["stats"]).answer();
    for part in ["3 games", "White wins", "How games ended", "checkmate", "2026-02", "█", "▒"] {
        assert!(english.contains(part), "{part}: {english}");
    }
    assert!(log.run(&["stats", "Jun"]).answer().contains("longest runs: 2 wins"));
    let balance = log.run(&["stats", "Jun", "--versus", "Mina"]).answer();
    assert!(balance.starts_with("Jun 2 : 0 Mina\n"), "{balance}");
    let log = log.korean();
    let korean = log.run(&["stats", "김민아"]).answer();
    for part in ["합계", "상대별", "박준서", "끝난 이유", "합의", "▒"] {
        assert!(korean.contains(part), "{part}: {korean}");
    }
    assert!(korean.lines().all(|line| line.chars().count() <= 80), "{korean}");
    let strangers = log.run(&["stats", "김민아", "--versus", "Jun"]).answer();
    assert!(strangers.contains("아직 없어요"), "{strangers}");
}

#[test]
fn games_against_the_computer_are_counted_level_by_level() {
    let log = Log::club();
    let nobody = log.run(&["stats", "--against", "computer"]).answer();
    assert!(nobody.contains("hansu --computer 3"), "{nobody}");
    let resign = |arguments: &[&str], word: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hansu"));
        command.env("HANSU_DATA", log.data()).args(arguments);
        assert_eq!(finish(&mut command, word).status, 0, "{arguments:?}");
    };
    resign(&["--lang", "en", "--computer", "1", "--white", "Mina"], "resign\n");
    resign(&["--lang", "ko", "--computer", "1", "--as", "black", "--black", "Mina"], "기권\n");
    resign(&["--lang", "en", "--computer", "3", "--white", "Jun"], "resign\n");
    let all = log.run(&["stats", "--against", "computer", "--json"]).json();
    assert_eq!((number(&all, "/games"), number(&all, "/all/losses")), (3, 3));
    let levels: Vec<_> = (0..2).map(|row| number(&all, &format!("/levels/{row}/level"))).collect();
    assert_eq!(levels, [1, 3]);
    assert_eq!(sum(&all["levels"], &["/losses"]), 3);
    assert_eq!(sum(&all["levels"], &["/wins", "/draws"]), 0);
    let mina = log.run(&["stats", "mina", "--against", "computer"]).answer();
    assert!(mina.starts_with("Mina · Against the computer\n"), "{mina}");
    assert!(mina.contains("1 Chick") && !mina.contains("3 "), "{mina}");
    // The name of a level may be a person's, and the computer may have another name.
    resign(&["--lang", "en", "--computer", "3", "--white", "Rabbit"], "resign\n");
    resign(&["--lang", "en", "--computer", "7", "--white", "Jun", "--black", "Bob"], "resign\n");
    let all = log.run(&["stats", "--against", "computer", "--json"]).json();
    let row = |at| ["level", "losses"].map(|field| number(&all, &format!("/levels/{at}/{field}")));
    assert_eq!([row(0), row(1), row(2)], [[1, 2], [3, 2], [7, 1]]);
    assert_eq!(number(&all, "/all/losses"), 5);
    let jun = log.run(&["stats", "JUN", "--against", "computer", "--json"]).json();
    assert_eq!((number(&jun, "/games"), number(&jun, "/all/losses")), (2, 2));
    log.run(&["stats", "Nobody", "--against", "computer"]).complaint(2);
}

#[test]
fn unknown_players_are_bad_input() {
    let log = Log::club();
    for arguments in [&["stats", "Nobody"][..], &["stats", "Jun", "--versus", "Nobody"]] {
        let line = log.run(arguments).complaint(2);
        assert!(line.contains("\"Nobody\"") && line.contains("hansu games stats"), "{line}");
    }
}

#[test]
fn a_log_of_unfinished_games_has_nothing_to_count() {
    let log = Log::empty();
    let everything = log.run(&["stats", "--json"]).json();
    assert_eq!(number(&everything, "/games"), 0);
}
