//! Imports of PGN, requested as the page does: text in, text out.

use hansu_archive::{
    Archive, FoundGame, GameBatch, GameMoves, LONGEST, ListedGame, MOST_GAMES, Request, Response,
};
use hansu_protocol::Language;
use proptest::prelude::*;

fn ask(archive: &mut Archive, request: &Request) -> Response {
    let text = serde_json::to_string(request).expect("requests are JSON");
    serde_json::from_str(&archive.answer(&text)).expect("answers are JSON")
}

/// Imports a whole text, seven games at a time.
fn read(text: &str, known: &[ListedGame], lang: Language) -> (Vec<FoundGame>, GameBatch) {
    let mut archive = Archive::default();
    let begin = Request::Read { text: text.to_owned(), lang, known: known.to_vec() };
    assert_eq!(ask(&mut archive, &begin), Response::default());
    let (mut games, mut sum) = (Vec::new(), GameBatch::default());
    loop {
        let batch = ask(&mut archive, &Request::Next { games: 7 }).batch.expect("a batch");
        assert!(batch.part >= sum.part && batch.games.len() <= 7);
        games.extend(batch.games);
        sum.duplicates += batch.duplicates;
        sum.broken += batch.broken;
        sum.errors.extend(batch.errors);
        (sum.part, sum.done, sum.more) = (batch.part, batch.done, batch.more);
        if sum.done {
            assert_eq!(sum.part, 100);
            return (games, sum);
        }
    }
}

fn listed(found: &FoundGame) -> ListedGame {
    let row = serde_json::to_value(&found.row).expect("a row");
    serde_json::from_value(row).expect("as the page sends it")
}

const CLUB: &str = "[Event \"Club\"]\n[White \"Mina\"]\n[Black \"Jun\"]\n[Date \"2026.11.15\"]\n\
    [Round \"2\"]\n[Result \"1-0\"]\n\n1. e4 {Best.} e5 (1... c5 2. Nf3) 2. Qh5 Nc6 3. Bc4 Nf6 \
    4. Qxf7# 1-0\n\n";

#[test]
fn a_game_is_told_as_the_log_of_a_server_tells_it() {
    let (games, sum) = read(CLUB, &[], Language::En);
    assert_eq!((games.len(), sum.duplicates, sum.broken), (1, 0, 0));
    let row = &games[0].row;
    assert_eq!((&*row.white, &*row.black, &*row.result), ("Mina", "Jun", "1-0"));
    assert_eq!(
        (row.reason.as_deref(), row.plies, &*row.date),
        (Some("checkmate"), 7, "2026.11.15")
    );
    assert_eq!((&*row.source, &*row.status, row.last_seq), ("import", "finished", 0));
    assert_eq!(row.started.as_deref(), Some("2026-11-15T00:00:00Z"));
    assert_eq!(row.opening.as_ref().map(|o| &*o.eco), Some("C20"));
    assert!(row.id.len() == 13 && row.id.starts_with('~'), "{}", row.id);
    assert!(games[0].pgn.contains("(1... c5 2. Nf3)") && games[0].pgn.contains("{Best.}"));
}

#[test]
fn what_was_kept_is_read_again_for_a_review() {
    let (games, _) = read(CLUB, &[], Language::En);
    let FoundGame { row, pgn } = games[0].clone();
    let look = Request::Look { id: row.id.clone(), pgn };
    let looked = ask(&mut Archive::default(), &look).looked.expect("the game");
    assert_eq!(looked.row, row);
    let san: Vec<&str> = looked.state.plies.iter().map(|ply| &*ply.san).collect();
    assert_eq!(san, ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]);
    assert_eq!(looked.state.start.names.white, "Mina");
    assert!(looked.state.ending.is_some());
    let nothing = Request::Look { id: "~x".to_owned(), pgn: "1. e5".to_owned() };
    assert!(ask(&mut Archive::default(), &nothing).error.is_some());
}

#[test]
fn a_game_that_is_there_is_not_found_again() {
    let other = CLUB.replace("Jun", "Ben");
    let (games, sum) = read(&format!("{CLUB}{CLUB}{other}"), &[], Language::En);
    assert_eq!((games.len(), sum.duplicates), (2, 1));
    let known: Vec<ListedGame> = games.iter().map(listed).collect();
    let spelled = CLUB.replace("Mina", "MINA ");
    let (again, sum) = read(&format!("{spelled}{other}"), &known, Language::En);
    assert_eq!((again.len(), sum.duplicates), (0, 2));
}

#[test]
fn a_game_that_was_played_here_is_recognised_in_its_own_pgn() {
    let played = ListedGame {
        id: "~abcdefghijkl".to_owned(),
        white: "White".to_owned(),
        black: "Black".to_owned(),
        result: "0-1".to_owned(),
        date: "2026.11.17".to_owned(),
        source: "local".to_owned(),
        status: "finished".to_owned(),
        played: GameMoves { moves: "f2f3 e7e5 g2g4 d8h4".to_owned(), ..GameMoves::default() },
        ..ListedGame::default()
    };
    let pgn = |more: &str| {
        format!(
            "[White \"White\"]\n[Black \"Black\"]\n[Date \"2026.11.17\"]\n{more}\
             [Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"
        )
    };
    let (games, sum) =
        read(&pgn("[Reason \"checkmate\"]\n"), std::slice::from_ref(&played), Language::En);
    assert_eq!((games.len(), sum.duplicates), (0, 1));
    // From a server it comes with its name and with the time of day.
    let named = pgn("[UTCTime \"10:00:00\"]\n[GameId \"abcdefghijkl\"]\n");
    let (games, sum) = read(&named, &[played], Language::En);
    assert_eq!((games.len(), sum.duplicates), (0, 1));
}

#[test]
fn broken_games_are_counted_with_a_reason_in_both_languages() {
    let text = format!("{CLUB}[White \"X\"]\n\n1. e4 e5 2. Ke5 *\n\n1. d4 *\n");
    let (games, sum) = read(&text, &[], Language::En);
    assert_eq!((games.len(), sum.broken, sum.errors.len()), (2, 1, 1));
    assert_eq!(sum.errors[0].text, "Ke5 is not a legal move.");
    let (_, sum) = read(&text, &[], Language::Ko);
    assert_eq!(sum.errors[0].text, "둘 수 없는 수예요: Ke5");
    // All errors are counted, but only the first 100 are listed.
    let (_, sum) = read(&"1. e5 *\n".repeat(1_000), &[], Language::En);
    assert_eq!((sum.broken, sum.errors.len()), (1_000, 100));
}

#[test]
fn there_are_limits() {
    let long = Request::Read { text: " ".repeat(LONGEST + 1), lang: Language::En, known: vec![] };
    let refused = ask(&mut Archive::default(), &long).error.expect("a refusal");
    assert_eq!(refused.code, "too_large");
    let mut text = String::new();
    for number in 0..MOST_GAMES + 3 {
        text.push_str(&format!("[Round \"{number}\"]\n\n1. e4 *\n"));
    }
    let (games, sum) = read(&text, &[], Language::En);
    assert_eq!((games.len() as u64, sum.more), (MOST_GAMES, true));
    // The rest comes the next time.
    let known: Vec<ListedGame> = games.iter().map(listed).collect();
    let (games, sum) = read(&text, &known, Language::En);
    assert_eq!((games.len(), sum.duplicates, sum.more), (3, MOST_GAMES, false));
}

#[test]
fn openings_have_their_names_and_other_starts_none() {
    let game = |variant: &str, start_fen: Option<&str>, moves: &str| GameMoves {
        variant: variant.to_owned(),
        start_fen: start_fen.map(str::to_owned),
        moves: moves.to_owned(),
    };
    let games = vec![
        game("standard", None, "e2e4 e7e5 g1f3 b8c6 f1b5"),
        game("chess960", None, "e2e4"),
        game("standard", Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), "e2e4"),
        game("standard", None, ""),
        game("standard", None, "e2e4 nonsense"),
    ];
    let named = ask(&mut Archive::default(), &Request::Name { games }).openings.expect("names");
    let names: Vec<_> = named.iter().map(|o| o.as_ref().map(|o| &*o.name)).collect();
    assert_eq!(names, [Some("Ruy Lopez"), None, None, None, Some("King's Pawn Game")]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the text, there is an answer, and reading comes to its end.
    #[test]
    fn nothing_that_is_read_breaks_it(text in "[\\x20-\\x7e\\n]{0,300}", raw in ".{0,200}") {
        read(&text, &[], Language::Ko);
        read(&raw, &[], Language::En);
        let mut archive = Archive::default();
        prop_assert!(archive.answer(&raw).contains("bad_request"));
        let look = Request::Look { id: raw.clone(), pgn: text.clone() };
        ask(&mut archive, &look);
        let moves = GameMoves { moves: text, start_fen: None, variant: raw };
        ask(&mut archive, &Request::Name { games: vec![moves] });
    }
}
