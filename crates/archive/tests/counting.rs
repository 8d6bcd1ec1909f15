//! The statistics of a browser's games are those that the log of a server gives for the same games.

use std::ops::ControlFlow;

use hansu_archive::{Archive, CountedResults, ListedGame, Request, Response};
use hansu_protocol::{Bucket, Language};
use hansu_records::stats::{self, Facet, Viewer};
use hansu_records::{Archive as _, ImportOptions, SqliteStore, import};

fn ask(archive: &mut Archive, request: &Request) -> Response {
    let text = serde_json::to_string(request).expect("requests are JSON");
    serde_json::from_str(&archive.answer(&text)).expect("answers are JSON")
}

const NAMES: [&str; 8] = ["Mina", "MINA", "Jun", "한 수", "?", "Guest", "White", "Ben  Kim"];
const LINES: [&str; 6] = [
    "1. e4 e5 2. Nf3 Nc6 3. Bb5",
    "1. d4 d5 2. c4",
    "1. f3 e5 2. g4 Qh4#",
    "1. e4 c5",
    "1. c4 e6 2. Nc3 Nf6 3. d4 Bb4",
    "",
];
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
const ENDS: [&str; 3] = ["normal", "time forfeit", "unterminated"];

/// Many games, a few of them without a date.
fn games(count: u64) -> String {
    let mut seed = 7_u64;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut text = String::new();
    for round in 0..count {
        let line = LINES[draw(LINES.len())];
        let result = if line.ends_with('#') { "0-1" } else { RESULTS[draw(4)] };
        let date = match draw(5) {
            0 => "????.??.??".to_owned(),
            _ => format!("20{:02}.{:02}.{:02}", 20 + draw(3), 1 + draw(12), 1 + draw(28)),
        };
        text.push_str(&format!(
            "[White \"{}\"]\n[Black \"{}\"]\n[Date \"{date}\"]\n[UTCTime \"10:{:02}:{:02}\"]\n\
             [Round \"{round}\"]\n[Termination \"{}\"]\n[Result \"{result}\"]\n\n{line} {result}\n\n",
            NAMES[draw(NAMES.len())],
            NAMES[draw(NAMES.len())],
            round / 60,
            round % 60,
            ENDS[draw(3)],
        ));
    }
    text
}

fn counted(rows: &[ListedGame], player: Option<&str>) -> CountedResults {
    let count = Request::Count { games: rows.to_vec(), player: player.map(str::to_owned) };
    *ask(&mut Archive::default(), &count).counted.expect("results")
}

type Numbers = (String, [u64; 4], Option<[u64; 4]>);

/// In an order of their own: games that are equally frequent have none.
fn ours(buckets: &[Bucket]) -> Vec<Numbers> {
    let mut all: Vec<Numbers> = buckets
        .iter()
        .map(|Bucket { label, tally, standing }| {
            let seen = standing.as_ref().map(|s| [s.wins, s.draws, s.losses, s.open]);
            (label.clone(), [tally.white, tally.draws, tally.black, tally.open], seen)
        })
        .collect();
    all.sort();
    all
}

fn theirs(store: &SqliteStore, facet: Facet, player: Option<&str>) -> Vec<Numbers> {
    let buckets = store.by(Viewer::Keeper, facet, player).expect("buckets");
    let mut all: Vec<Numbers> = buckets
        .into_iter()
        .map(|stats::Bucket { label, tally, standing }| {
            let seen = standing.map(|s| [s.wins, s.draws, s.losses, s.open]);
            (label, [tally.white, tally.draws, tally.black, tally.open], seen)
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_browser_counts_as_a_server_does() {
    let text = games(400);
    let mut archive = Archive::default();
    let read = Request::Read { text: text.clone(), lang: Language::En, known: Vec::new() };
    ask(&mut archive, &read);
    let batch = ask(&mut archive, &Request::Next { games: 1_000 }).batch.expect("all of them");
    assert_eq!((batch.games.len(), batch.broken, batch.duplicates), (400, 0, 0));
    let row = |found| serde_json::to_value(found).and_then(serde_json::from_value).expect("a row");
    let rows: Vec<ListedGame> = batch.games.into_iter().map(|found| row(found.row)).collect();

    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(&folder.path().join("games.db")).expect("a log");
    let mut quiet = |_: hansu_records::Report<'_>| ControlFlow::Continue(());
    let done = import(&store, text.as_bytes(), &ImportOptions::default(), &mut quiet);
    assert_eq!(done.expect("an import").added, 400);

    let CountedResults { players, all, .. } = counted(&rows, None);
    let all = all.expect("all games");
    assert_eq!(all.games, 400);
    let totals = store.totals(Viewer::Keeper).expect("totals");
    assert_eq!(
        [all.totals.white, all.totals.draws, all.totals.black, all.totals.open],
        [totals.white, totals.draws, totals.black, totals.open]
    );
    assert_eq!(ours(&all.reasons), theirs(&store, Facet::Reason, None));
    assert_eq!(ours(&all.months), theirs(&store, Facet::Month, None));
    assert_eq!(ours(&all.openings), theirs(&store, Facet::Opening, None));
    assert_eq!(ours(&all.sources), theirs(&store, Facet::Source, None));
    // Months in order, everything else by how often it was.
    assert!(all.months.is_sorted_by_key(|bucket| bucket.label.clone()));
    let games = |bucket: &Bucket| ours(std::slice::from_ref(bucket))[0].1.iter().sum::<u64>();
    assert!(all.openings.is_sorted_by_key(|bucket| std::cmp::Reverse(games(bucket))));

    // No word for a missing name is among the people.
    let log = store.players(Viewer::Keeper, 100).expect("players");
    let folded = |name: &str| hansu_records::names::fold(name);
    let mut there: Vec<(String, u64)> =
        log.iter().map(|one| (folded(&one.name), one.both().games())).collect();
    let mut here: Vec<(String, u64)> =
        players.iter().map(|one| (folded(&one.name), one.games)).collect();
    there.sort();
    here.sort();
    assert_eq!((here.len(), &here), (4, &there));

    for name in ["mina", "Jun", "한 수", "ben kim", "guest"] {
        let page = counted(&rows, Some(name)).player.expect("the player");
        let known = store.player(Viewer::Keeper, name).expect("stats").expect("the player");
        let both = known.both();
        let seen = &page.player.both;
        assert_eq!(
            [seen.wins, seen.draws, seen.losses, seen.open],
            [both.wins, both.draws, both.losses, both.open],
            "{name}"
        );
        assert_eq!(
            (page.player.white.wins, page.player.black.wins),
            (known.white.wins, known.black.wins)
        );
        for (facet, buckets) in [
            (Facet::Reason, &page.reasons),
            (Facet::Month, &page.months),
            (Facet::Opening, &page.openings),
            (Facet::Source, &page.sources),
        ] {
            assert_eq!(ours(buckets), theirs(&store, facet, Some(name)), "{name} {facet:?}");
        }
        let runs = store.streaks(Viewer::Keeper, name).expect("streaks");
        let told = &page.streaks;
        assert_eq!(
            (told.wins.games, told.unbeaten.games, told.losses.games, told.current),
            (runs.wins.games, runs.unbeaten.games, runs.losses.games, runs.current),
            "{name}"
        );
        let met = store.opponents(Viewer::Keeper, name, 50).expect("opponents");
        let mut there: Vec<_> = met.iter().map(|(name, s)| (folded(name), s.games())).collect();
        let games = |s: &hansu_protocol::Standing| s.wins + s.draws + s.losses + s.open;
        let mut here: Vec<_> =
            page.opponents.iter().map(|one| (folded(&one.name), games(&one.standing))).collect();
        there.sort();
        here.sort();
        assert_eq!(here, there, "{name}");
    }
    assert_eq!(counted(&rows, Some("Zoe")).player, None);
}

#[test]
fn the_computer_is_an_opponent_and_not_among_the_people() {
    let level = hansu_words::Lang::En.level(3);
    let game = |white: &str, black: &str, source: &str, status: &str| ListedGame {
        white: white.to_owned(),
        black: black.to_owned(),
        source: source.to_owned(),
        status: status.to_owned(),
        result: "1-0".to_owned(),
        started: Some("2026-11-17T10:00:00.123Z".to_owned()),
        ..ListedGame::default()
    };
    let rows = [
        game("Mina", level, "computer", "finished"),
        game("Mina", "Jun", "local", "finished"),
        game("Mina", "Jun", "local", "live"),
        game("Mina", "Jun", "local", "aborted"),
    ];
    let CountedResults { players, all, .. } = counted(&rows, None);
    let names: Vec<&str> = players.iter().map(|one| &*one.name).collect();
    assert_eq!((names, all.expect("all").games), (vec!["Mina", "Jun"], 2));
    let page = counted(&rows, Some("Mina")).player.expect("Mina");
    assert_eq!((page.player.both.wins, page.months[0].label.as_str()), (2, "2026-11"));
    let mut met: Vec<&str> = page.opponents.iter().map(|one| &*one.name).collect();
    met.sort_unstable();
    let mut known = vec!["Jun", level];
    known.sort_unstable();
    assert_eq!(met, known);
}
