//! Statistics, compared with counting all games again.

use std::collections::BTreeMap;

use super::{Case, Dice, append, id};
use crate::stats::{Facet, Standing, Tally};
use crate::store::{Batch, Imported, Store};
use crate::{GameId, Named, Record, Score, Source, Status, Summary, dates, names};

pub(super) const CASES: &[Case] = &[
    ("counters equal a recount, whatever happens to games", recount),
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
    summary.opening = (dice.roll(3) > 0)
        .then(|| Named { eco: dice.pick(&["A00", "B00"]).to_owned(), name: "Name".to_owned() });
    summary.headers = vec![("Round".to_owned(), dice.roll(1_000_000_000).to_string())];
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

/// Everything that is counted, counted again.
fn compare(store: &dyn Store, games: &[GameId]) {
    let records = games.iter().map(|&game| store.record(game).expect("a log").expect("a game"));
    let counted: Vec<Record> =
        records.filter(|record| record.summary.status == Status::Finished).collect();
    assert_eq!(store.totals(), Ok(tally(counted.iter())));
    for facet in [Facet::Reason, Facet::Month, Facet::Opening, Facet::Source] {
        for who in [None, Some("ANNA"), Some("Ben")] {
            let mut wanted: BTreeMap<String, Tally> = BTreeMap::new();
            for game in &counted {
                let seats = [&game.summary.white, &game.summary.black];
                let times = who.map_or(1, |who| seats.iter().filter(|name| is(name, who)).count());
                for label in label(facet, game).into_iter().cycle().take(times) {
                    add(wanted.entry(label).or_default(), game.summary.score);
                }
            }
            let found = store.by(facet, who).expect("a log");
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
            assert_eq!(found, wanted, "{facet:?} {who:?}");
        }
    }
    for who in PEOPLE {
        let white = || counted.iter().filter(|game| is(&game.summary.white, who));
        let black = || counted.iter().filter(|game| is(&game.summary.black, who));
        let stats = store.player(who).expect("a log").expect("a player");
        assert_eq!(stats.white, Standing::of_white(tally(white())), "{who}");
        assert_eq!(stats.black, Standing::of_black(tally(black())), "{who}");
        for other in PEOPLE {
            let met = store.head_to_head(who, other).expect("a log");
            let white = white().filter(|game| is(&game.summary.black, other));
            let black = black().filter(|game| is(&game.summary.white, other));
            assert_eq!(met.white, Standing::of_white(tally(white)), "{who} {other}");
            assert_eq!(met.black, Standing::of_black(tally(black)), "{who} {other}");
            let listed = store.opponents(who, 10).expect("a log");
            let listed = listed.iter().find(|(name, _)| is(name, other));
            let sum = met.white.plus(met.black);
            assert_eq!(listed.map_or(0, |(_, s)| s.games()), sum.games(), "{who} {other}");
        }
    }
    let players = store.players(10).expect("a log");
    assert!(players.is_sorted_by(|a, b| a.both().games() >= b.both().games()));
    let seats: u64 = players.iter().map(|player| player.both().games()).sum();
    assert_eq!(seats, 2 * counted.len() as u64);
    assert_eq!(store.players(1).expect("a log"), players[..1.min(players.len())]);
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
                store.append(append(game, 1, &summary)).expect("a game");
                seqs.insert(game, 1);
                games.push(game);
            }
            2 => {
                let game = Imported { id: Some(id()), summary, tags: vec![], note: None };
                games.extend(game.id);
                let batch = Batch { games: vec![game], progress: None };
                store.import(batch).expect("a batch");
            }
            3 if !games.is_empty() => {
                // The row of a game changes in any way; it began when it began.
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

fn empty(store: &dyn Store) {
    assert_eq!(store.totals(), Ok(Tally::default()));
    assert_eq!(store.by(Facet::Month, None), Ok(vec![]));
    assert_eq!(store.by(Facet::Reason, Some("x")), Ok(vec![]));
    assert_eq!(store.player("x"), Ok(None));
    assert_eq!(store.players(5), Ok(vec![]));
    assert_eq!(store.opponents("x", 5), Ok(vec![]));
    assert_eq!(store.streaks("x").map(|streaks| streaks.current), Ok(0));
    assert_eq!(store.head_to_head("x", "y").map(|met| met.white.games()), Ok(0));
}

fn runs(store: &dyn Store) {
    // Anna: win, win, loss, win as Black, then a draw; told out of order.
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
    let streaks = store.streaks("anna").expect("a log");
    assert_eq!((streaks.wins.games, streaks.wins.until), (2, Some(2)));
    assert_eq!((streaks.losses.games, streaks.losses.until), (1, Some(3)));
    assert_eq!((streaks.unbeaten.games, streaks.unbeaten.until), (2, Some(2)));
    assert_eq!(streaks.current, 0);
    assert_eq!(store.streaks("Ben").expect("a log").wins.games, 1);
}
