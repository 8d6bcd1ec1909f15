//! Statistics, compared with counting all games again.

use std::collections::BTreeMap;

use super::{Case, Dice, append, id};
use crate::stats::{Facet, Standing, Tally, Viewer};
use crate::store::{Batch, Imported, Store};
use crate::{
    Append, Begins, GameId, Holder, OpeningName, Record, Score, Seat, Side, Source, Status,
    Summary, Visibility, dates, names,
};

pub(super) const CASES: &[Case] = &[
    ("counters equal a recount, whatever happens to games", recount),
    ("a name that is only in private games is not told", private),
    ("names that are nobody's are not players", nameless),
    ("a key has its own results, under whatever names", own),
    ("an empty log has empty statistics", empty),
    ("runs follow the order of games", runs),
];

const PEOPLE: [&str; 5] = ["Anna", "Ben", "Cho", "Dad", "anna"];

fn random_summary(dice: &mut Dice) -> Summary {
    let mut summary = Summary::new(dice.pick(&PEOPLE), dice.pick(&PEOPLE), dice.pick(Source::ALL));
    summary.score = dice.pick(Score::ALL);
    summary.status =
        dice.pick(&[Status::Finished, Status::Finished, Status::Live, Status::Aborted]);
    summary.started = Some(dice.roll(400) as i64 * 86_400_000);
    summary.reason = (dice.roll(3) > 0).then(|| dice.pick(&["checkmate", "timeout"]).to_owned());
    summary.opening = (dice.roll(3) > 0).then(|| OpeningName {
        eco: dice.pick(&["A00", "B00"]).to_owned(),
        name: "Name".to_owned(),
    });
    summary.headers = vec![("Round".to_owned(), dice.roll(1_000_000_000).to_string())];
    summary.visibility = dice.pick(Visibility::ALL);
    summary
}

fn add(tally: &mut Tally, score: Score) {
    match score {
        Score::White => tally.white += 1,
        Score::Draw => tally.draws += 1,
        Score::Black => tally.black += 1,
        Score::Open => tally.open += 1,
    }
}

fn tally<'a>(games: impl Iterator<Item = &'a Record>) -> Tally {
    let mut tally = Tally::default();
    games.for_each(|game| add(&mut tally, game.summary.score));
    tally
}

fn as_black(Tally { white, draws, black, open }: Tally) -> Standing {
    Standing { wins: black, draws, losses: white, open }
}

fn is(name: &str, who: &str) -> bool {
    names::fold(name) == names::fold(who)
}

fn label(facet: Facet, game: &Record) -> Option<String> {
    let row = &game.summary;
    Some(match facet {
        Facet::Reason => row.reason.clone().unwrap_or_else(|| "-".to_owned()),
        Facet::Month => dates::rfc3339(row.started?)[..7].to_owned(),
        Facet::Opening => match &row.opening {
            Some(opening) => format!("{} {}", opening.eco, opening.name),
            None => "-".to_owned(),
        },
        Facet::Source => row.source.word().to_owned(),
    })
}

/// A player with a seat in some of the games.
const HOLDER: Holder = Holder([7; 32]);

/// Compares all statistics with a recount, for each kind of viewer.
fn compare(store: &dyn Store, games: &[GameId]) {
    let records = games.iter().map(|&game| store.record(game).expect("a log").expect("a game"));
    let finished: Vec<Record> =
        records.filter(|record| record.summary.status == Status::Finished).collect();
    let has_seat = |game: &Record| {
        let seats = store.seats(game.id).expect("a log");
        seats.iter().any(|seat| seat.holder == HOLDER)
    };
    for viewer in [Viewer::Keeper, Viewer::Guest(None), Viewer::Guest(Some(HOLDER))] {
        let sees = |game: &&Record| {
            game.summary.visibility == Visibility::Public
                || viewer == Viewer::Keeper
                || viewer == Viewer::Guest(Some(HOLDER)) && has_seat(game)
        };
        let seen: Vec<Record> = finished.iter().filter(sees).cloned().collect();
        compare_seen(store, viewer, &seen);
    }
    compare_own(store, &finished);
}

/// Compares the holder's own results with a recount.
fn compare_own(store: &dyn Store, finished: &[Record]) {
    let with = |side: Side| {
        let has = |game: &&Record| {
            let seats = store.seats(game.id).expect("a log");
            seats.contains(&Seat { side, holder: HOLDER })
        };
        finished.iter().filter(has).collect::<Vec<_>>()
    };
    let (white, black) = (with(Side::White), with(Side::Black));
    let own = store.own(HOLDER, 10).expect("a log");
    assert_eq!(own.player.white, Standing::of_white(tally(white.iter().copied())));
    assert_eq!(own.player.black, as_black(tally(black.iter().copied())));
    let games = (white.len() + black.len()) as u64;
    let met: u64 = own.opponents.iter().map(|(_, standing)| standing.games()).sum();
    assert_eq!(met, games, "everybody here has a name");
    let all: Vec<&Record> = white.into_iter().chain(black).collect();
    for (facet, found) in [
        (Facet::Reason, own.reasons),
        (Facet::Month, own.months),
        (Facet::Opening, own.openings),
        (Facet::Source, own.sources),
    ] {
        let mut wanted: BTreeMap<String, Tally> = BTreeMap::new();
        for game in &all {
            let label = label(facet, game);
            label.into_iter().for_each(|label| {
                add(wanted.entry(label).or_default(), game.summary.score);
            });
        }
        let found: BTreeMap<_, _> = found.into_iter().map(|b| (b.label, b.tally)).collect();
        assert_eq!(found, wanted, "{facet:?}");
    }
}

fn compare_seen(store: &dyn Store, viewer: Viewer, counted: &[Record]) {
    assert_eq!(store.totals(viewer), Ok(tally(counted.iter())));
    for facet in [Facet::Reason, Facet::Month, Facet::Opening, Facet::Source] {
        for who in [None, Some("ANNA"), Some("Ben")] {
            let mut wanted: BTreeMap<String, Tally> = BTreeMap::new();
            for game in counted {
                let seats = [&game.summary.white, &game.summary.black];
                let times = who.map_or(1, |who| seats.iter().filter(|name| is(name, who)).count());
                for label in label(facet, game).into_iter().cycle().take(times) {
                    add(wanted.entry(label).or_default(), game.summary.score);
                }
            }
            let found = store.by(viewer, facet, who).expect("a log");
            if facet == Facet::Month {
                assert!(found.is_sorted_by_key(|bucket| bucket.label.clone()));
            } else {
                assert!(found.is_sorted_by(|a, b| a.tally.games() >= b.tally.games()));
            }
            for bucket in &found {
                assert_eq!(bucket.standing.is_some(), who.is_some());
                let games = bucket.standing.map_or(bucket.tally.games(), Standing::games);
                assert_eq!(games, bucket.tally.games());
            }
            let found: BTreeMap<_, _> = found.into_iter().map(|b| (b.label, b.tally)).collect();
            assert_eq!(found, wanted, "{viewer:?} {facet:?} {who:?}");
        }
    }
    for who in PEOPLE {
        compare_player(store, viewer, counted, who);
    }
    let players = store.players(viewer, 10).expect("a log");
    assert!(players.is_sorted_by(|a, b| a.both().games() >= b.both().games()));
    let seats: u64 = players.iter().map(|player| player.both().games()).sum();
    assert_eq!(seats, 2 * counted.len() as u64);
    assert_eq!(store.players(viewer, 1).expect("a log"), players[..1.min(players.len())]);
}

fn compare_player(store: &dyn Store, viewer: Viewer, counted: &[Record], who: &str) {
    let white = || counted.iter().filter(|game| is(&game.summary.white, who));
    let black = || counted.iter().filter(|game| is(&game.summary.black, who));
    match store.player(viewer, who).expect("a log") {
        Some(stats) => {
            assert_eq!(stats.white, Standing::of_white(tally(white())), "{who}");
            assert_eq!(stats.black, as_black(tally(black())), "{who}");
        }
        None => assert_eq!(white().count() + black().count(), 0, "{who}"),
    }
    let mut order: Vec<&Record> =
        white().chain(black().filter(|game| !is(&game.summary.white, who))).collect();
    order.retain(|game| game.summary.score != Score::Open);
    let last = order.iter().map(|game| game.summary.started).max();
    let streaks = store.streaks(viewer, who).expect("a log");
    assert!(streaks.unbeaten.games <= order.len() as u64, "{viewer:?} {who}");
    assert!(streaks.unbeaten.until <= last.flatten(), "{viewer:?} {who}");
    for other in PEOPLE {
        let met = store.head_to_head(viewer, who, other).expect("a log");
        let white = white().filter(|game| is(&game.summary.black, other));
        let black = black().filter(|game| is(&game.summary.white, other));
        assert_eq!(met.white, Standing::of_white(tally(white)), "{who} {other}");
        assert_eq!(met.black, as_black(tally(black)), "{who} {other}");
        let listed = store.opponents(viewer, who, 10).expect("a log");
        let listed = listed.iter().find(|(name, _)| is(name, other));
        let sum = met.white.plus(met.black);
        assert_eq!(listed.map_or(0, |(_, s)| s.games()), sum.games(), "{who} {other}");
    }
}

fn recount(store: &dyn Store) {
    let mut dice = Dice(0xc0de);
    let mut games: Vec<GameId> = Vec::new();
    let mut seqs: BTreeMap<GameId, u64> = BTreeMap::new();
    for round in 0..300 {
        let summary = random_summary(&mut dice);
        match dice.roll(5) {
            0 | 1 => {
                let game = id();
                let side = dice.pick(&[Side::White, Side::Black, Side::Both]);
                let seats = vec![Seat { side, holder: HOLDER }];
                let begins = (dice.roll(2) == 0).then_some(Begins { seats, uses: None });
                let begin = Append { begins, ..append(game, 1, &summary) };
                store.append(begin).expect("a game");
                seqs.insert(game, 1);
                games.push(game);
            }
            2 => {
                let game = Imported { id: Some(id()), summary, tags: vec![], note: None };
                games.extend(game.id);
                let by = (dice.roll(2) == 0).then_some(HOLDER);
                let batch = Batch { games: vec![game], by, ..Batch::default() };
                store.import(batch).expect("a batch");
            }
            3 if !games.is_empty() => {
                // Any column of a row may change, except its start time.
                let game = dice.pick(&games);
                let seq = seqs.entry(game).or_default();
                *seq += 1;
                store.append(append(game, *seq, &summary)).expect("an event");
            }
            4 if dice.roll(3) == 0 && !games.is_empty() => {
                let game = games.swap_remove(dice.roll(games.len()));
                seqs.remove(&game);
                store.delete(game).expect("deleted");
            }
            _ => {}
        }
        if round % 60 == 59 {
            compare(store, &games);
        }
    }
}

fn private(store: &dyn Store) {
    let mut summary = Summary::new("Pupil", "Friend", Source::Online);
    summary.visibility = Visibility::Private;
    (summary.score, summary.status) = (Score::White, Status::Finished);
    let seats = vec![Seat { side: Side::White, holder: HOLDER }];
    let begins = Some(Begins { seats, uses: None });
    store.append(Append { begins, ..append(id(), 1, &summary) }).expect("a game");
    let stranger = Viewer::Guest(Some(Holder([8; 32])));
    for viewer in [Viewer::Guest(None), stranger] {
        assert_eq!(store.player(viewer, "pupil"), Ok(None));
        assert_eq!(store.players(viewer, 5), Ok(vec![]));
        assert_eq!(store.opponents(viewer, "pupil", 5), Ok(vec![]));
        assert_eq!(store.totals(viewer).map(Tally::games), Ok(0));
        assert_eq!(store.by(viewer, Facet::Source, None), Ok(vec![]));
        assert_eq!(store.streaks(viewer, "pupil").map(|streaks| streaks.current), Ok(0));
    }
    let own = Viewer::Guest(Some(HOLDER));
    assert_eq!(store.players(own, 5).map(|players| players.len()), Ok(2));
    assert_eq!(store.streaks(own, "pupil").map(|streaks| streaks.current), Ok(1));
}

fn nameless(store: &dyn Store) {
    let games = [
        ("Guest", "Anna"),
        ("Anna", "손님 (2)"),
        ("백", "흑"),
        ("White", "BLACK"),
        ("?", "Anna"),
        ("Guest", "Guest (2)"),
        ("Ben", "Anna"),
    ];
    for (white, black) in games {
        let mut summary = Summary::new(white, black, Source::Local);
        (summary.score, summary.status) = (Score::White, Status::Finished);
        store.append(append(id(), 1, &summary)).expect("a game");
    }
    let names = |limit| -> Vec<String> {
        let players = store.players(Viewer::Keeper, limit).expect("a log");
        players.into_iter().map(|player| player.name).collect()
    };
    assert_eq!(names(10), ["Anna", "Ben"]);
    assert_eq!(names(1), ["Anna"], "though others have more games");
    let met = store.opponents(Viewer::Keeper, "anna", 1).expect("a log");
    assert_eq!(met.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Ben"]);
    // Their games are still counted, and a search by the name finds them.
    assert_eq!(store.totals(Viewer::Keeper).map(Tally::games), Ok(7));
    let guest = store.player(Viewer::Keeper, "guest").expect("a log").expect("games");
    assert_eq!(guest.both().games(), 2);
}

fn own(store: &dyn Store) {
    let other = Holder([8; 32]);
    let seat = |side, holder| Seat { side, holder };
    // Start time, names, result, seats, visibility.
    let games = [
        (1, "Mina", "Jun", Score::White, vec![seat(Side::White, HOLDER)], Visibility::Public),
        (2, "Jun", "미나", Score::Black, vec![seat(Side::Black, HOLDER)], Visibility::Private),
        (3, "Guest", "Mina", Score::White, vec![seat(Side::Black, HOLDER)], Visibility::Public),
        // Another holder's game under the same name, a game at one screen, an aborted game.
        (4, "Mina", "Jun", Score::Black, vec![seat(Side::White, other)], Visibility::Private),
        (5, "Mina", "Jun", Score::Black, vec![seat(Side::Both, HOLDER)], Visibility::Public),
        (6, "Mina", "Jun", Score::Open, vec![seat(Side::White, HOLDER)], Visibility::Public),
    ];
    for (at, white, black, score, seats, visibility) in games {
        let mut summary = Summary::new(white, black, Source::Online);
        (summary.started, summary.score, summary.visibility) = (Some(at), score, visibility);
        summary.status = if at == 6 { Status::Aborted } else { Status::Finished };
        let begins = Some(Begins { seats, uses: None });
        store.append(Append { begins, ..append(id(), 1, &summary) }).expect("a game");
    }
    // An imported game does not count as a result of its importer.
    let mut summary = Summary::new("Mina", "Jun", Source::Import);
    (summary.score, summary.status) = (Score::White, Status::Finished);
    let game = Imported { id: Some(id()), summary, tags: vec![], note: None };
    let batch = Batch { games: vec![game], by: Some(HOLDER), ..Batch::default() };
    store.import(batch).expect("a batch");

    let own = store.own(HOLDER, 5).expect("a log");
    assert_eq!(own.player.name, "Mina", "the name of the last game");
    let standing = |wins, losses| Standing { wins, losses, ..Standing::default() };
    assert_eq!((own.player.white, own.player.black), (standing(1, 0), standing(1, 1)));
    assert_eq!(own.opponents, [("Jun".to_owned(), standing(2, 0))]);
    assert_eq!((own.streaks.wins.games, own.streaks.wins.until), (2, Some(2)));
    assert_eq!(own.streaks.current, -1);
    let [source] = &own.sources[..] else { panic!("{:?}", own.sources) };
    assert_eq!((source.label.as_str(), source.standing), ("online", Some(standing(2, 1))));
    let theirs = store.own(other, 5).expect("a log").player;
    assert_eq!((theirs.white, theirs.black), (standing(0, 1), standing(0, 0)));
    let stranger = store.own(Holder([9; 32]), 5).expect("a log");
    assert_eq!((stranger.player.name.as_str(), stranger.player.both().games()), ("", 0));
    assert!(stranger.opponents.is_empty() && stranger.months.is_empty());
}

fn empty(store: &dyn Store) {
    assert_eq!(store.totals(Viewer::Keeper), Ok(Tally::default()));
    assert_eq!(store.by(Viewer::Keeper, Facet::Month, None), Ok(vec![]));
    assert_eq!(store.by(Viewer::Keeper, Facet::Reason, Some("x")), Ok(vec![]));
    assert_eq!(store.player(Viewer::Keeper, "x"), Ok(None));
    assert_eq!(store.players(Viewer::Keeper, 5), Ok(vec![]));
    assert_eq!(store.opponents(Viewer::Keeper, "x", 5), Ok(vec![]));
    assert_eq!(store.streaks(Viewer::Keeper, "x").map(|streaks| streaks.current), Ok(0));
    assert_eq!(store.head_to_head(Viewer::Keeper, "x", "y").map(|met| met.white.games()), Ok(0));
}

fn runs(store: &dyn Store) {
    // Anna: win, win, loss, win as Black, then a draw; appended out of order.
    let games = [
        (3, "Anna", "Ben", Score::Black),
        (1, "Anna", "Ben", Score::White),
        (5, "Ben", "Anna", Score::Draw),
        (2, "Anna", "Ben", Score::White),
        (4, "Ben", "Anna", Score::Black),
        (6, "Anna", "Ben", Score::Open),
    ];
    for (at, white, black, score) in games {
        let mut summary = Summary::new(white, black, Source::Local);
        (summary.started, summary.score, summary.status) = (Some(at), score, Status::Finished);
        store.append(append(id(), 1, &summary)).expect("a game");
    }
    let streaks = store.streaks(Viewer::Keeper, "anna").expect("a log");
    assert_eq!((streaks.wins.games, streaks.wins.until), (2, Some(2)));
    assert_eq!((streaks.losses.games, streaks.losses.until), (1, Some(3)));
    assert_eq!((streaks.unbeaten.games, streaks.unbeaten.until), (2, Some(2)));
    assert_eq!(streaks.current, 0);
    assert_eq!(store.streaks(Viewer::Keeper, "Ben").expect("a log").wins.games, 1);
}
