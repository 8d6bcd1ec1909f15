//! Lists and counts, compared with a simple implementation of the filters.

use super::{Case, Dice, append, begin, id};
use crate::store::{Batch, Imported, Store};
use crate::{
    Append, Begins, Cursor, Filter, GameId, Holder, Moves, OpeningName, Order, Page, Record, Score,
    Seat, Side, Source, Status, Summary, Visibility, names,
};

pub(super) const CASES: &[Case] = &[
    ("every filter lists and counts what it says", filters),
    ("pages neither repeat nor lose a game", pages),
    ("games that come in do not disturb the next page", steady),
    ("odd texts are only texts", odd),
    ("cursors survive being written down", cursors),
];

const PEOPLE: [&str; 6] = ["Anna", "Ben", "Kim Min", "김민수", "O'Neill, \"Ed\"", "An"];
const REASONS: [&str; 3] = ["checkmate", "resignation", "timeout"];
const EVENTS: [&str; 3] = ["Club Final", "School 50%", "Rated blitz game"];
const OPENINGS: [(&str, &str); 4] = [
    ("B90", "Sicilian Defense: Najdorf Variation"),
    ("B20", "Sicilian Defense"),
    ("C60", "Ruy Lopez"),
    ("A00", "Anderssen's Opening"),
];
const HOLDERS: [Holder; 3] = [Holder([0; 32]), Holder([7; 32]), Holder([255; 32])];
/// Threads that read at once.
const READERS: usize = 3;
const TAGS: [&str; 3] = ["good", "lost on time", "anna"];

fn random_game(dice: &mut Dice) -> Imported {
    let mut summary = Summary::new(dice.pick(&PEOPLE), dice.pick(&PEOPLE), dice.pick(Source::ALL));
    summary.score = dice.pick(Score::ALL);
    summary.status = dice.pick(Status::ALL);
    summary.visibility = dice.pick(Visibility::ALL);
    // Few different times, so that many games share one.
    summary.started = (dice.roll(8) > 0).then(|| dice.roll(20) as i64 * 86_400_000);
    summary.reason = (dice.roll(4) > 0).then(|| dice.pick(&REASONS).to_owned());
    summary.event = (dice.roll(3) == 0).then(|| dice.pick(&EVENTS).to_owned());
    summary.opening = (dice.roll(4) > 0).then(|| {
        let (eco, name) = dice.pick(&OPENINGS);
        OpeningName { eco: eco.to_owned(), name: name.to_owned() }
    });
    let step: hansu_chess::UciMove = "e2e4".parse().expect("a move");
    summary.moves = std::iter::repeat_n(step, dice.roll(60)).collect::<Moves>();
    summary.headers = vec![("Round".to_owned(), dice.roll(1_000_000_000).to_string())];
    let tags = TAGS.iter().filter(|_| dice.roll(5) == 0);
    let tags = tags.map(|&tag| tag.to_owned()).collect();
    let note = (dice.roll(6) == 0).then(|| "Remember the Najdorf, Anna!".to_owned());
    Imported { id: None, summary, tags, note }
}

/// A log of random games, some played here and some from a file.
fn fill(store: &dyn Store, games: usize) -> Vec<Record> {
    let mut dice = Dice(0x5eed);
    for number in 0..games {
        let game = random_game(&mut dice);
        if number % 3 == 0 {
            let id = id();
            let seat = |side, dice: &mut Dice| Seat { side, holder: dice.pick(&HOLDERS) };
            let seats = match dice.roll(3) {
                0 => vec![],
                1 => vec![seat(Side::Both, &mut dice)],
                _ => vec![seat(Side::White, &mut dice), seat(Side::Black, &mut dice)],
            };
            let begins = Some(Begins { seats, uses: None });
            store.append(Append { begins, ..append(id, 1, &game.summary) }).expect("a game");
            for tag in &game.tags {
                store.tag(None, id, tag).expect("a word");
            }
            store.note(None, id, game.note.as_deref().unwrap_or("")).expect("a note");
        } else {
            let batch = Batch { games: vec![game], ..Batch::default() };
            store.import(batch).expect("a batch");
        }
    }
    let all = whole(store, &Filter::default(), Order::Newest, Page::MOST);
    assert_eq!(all.len(), games);
    all
}

/// All pages.
fn whole(store: &dyn Store, filter: &Filter, order: Order, limit: usize) -> Vec<Record> {
    let mut page = Page { order, after: None, limit };
    let mut games = Vec::new();
    loop {
        let listing = store.list(filter, &page).expect("a list");
        assert!(listing.games.len() <= limit);
        assert!(listing.next.is_none() || listing.games.len() == limit);
        games.extend(listing.games);
        match listing.next {
            None => return games,
            next => page.after = next,
        }
    }
}

/// A simple implementation of a filter.
fn passes(filter: &Filter, record: &Record, seats: &[Seat]) -> bool {
    let row = &record.summary;
    let same = |wanted: &Option<String>, name: &str| {
        wanted.as_ref().is_none_or(|wanted| names::fold(wanted) == names::fold(name))
    };
    let holds = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let opening = |wanted: &str, shortest: usize| {
        row.opening.as_ref().is_some_and(|opening| {
            let code = wanted.len() >= shortest
                && wanted.len() <= 3
                && wanted.starts_with(|letter: char| "ABCDEabcde".contains(letter))
                && wanted[1..].bytes().all(|byte| byte.is_ascii_digit());
            if code {
                opening.eco.starts_with(&wanted.to_uppercase())
            } else {
                holds(&opening.name, wanted)
            }
        })
    };
    let plies = row.plies() as u32;
    let text = |text: &String| {
        let part = names::fold(text);
        names::fold(&row.white).contains(&part)
            || names::fold(&row.black).contains(&part)
            || row.event.as_ref().is_some_and(|event| holds(event, &part))
            || opening(&part, 3)
            || record.note.as_ref().is_some_and(|note| holds(note, &part))
            || record.tags.contains(&part)
    };
    let either = same(&filter.player, &row.white) || same(&filter.player, &row.black);
    either
        && same(&filter.white, &row.white)
        && same(&filter.black, &row.black)
        && filter.score.is_none_or(|score| score == row.score)
        && (filter.reason.is_none() || filter.reason == row.reason)
        && filter.since.is_none_or(|since| row.started.is_some_and(|at| at >= since))
        && filter.until.is_none_or(|until| row.started.is_some_and(|at| at < until))
        && filter.opening.as_ref().is_none_or(|wanted| opening(wanted, 1))
        && filter.shortest.is_none_or(|shortest| plies >= shortest)
        && filter.longest.is_none_or(|longest| plies <= longest)
        && filter.source.is_none_or(|source| source == row.source)
        && filter.status.is_none_or(|status| status == row.status)
        && filter.visibility.is_none_or(|visibility| visibility == row.visibility)
        && filter.holder.is_none_or(|holder| seats.iter().any(|seat| seat.holder == holder))
        && filter.tag.as_ref().is_none_or(|tag| record.tags.contains(&names::fold(tag)))
        && filter.text.as_ref().is_none_or(text)
}

fn random_filter(dice: &mut Dice) -> Filter {
    let mut filter = Filter::default();
    for _ in 0..=dice.roll(3) {
        let name = |dice: &mut Dice| {
            let people = ["anna", "Ben", "KIM MIN", "김민수", "o'neill, \"ed\"", "Nobody"];
            Some(dice.pick(&people).to_owned())
        };
        let day = |dice: &mut Dice| Some(dice.roll(22) as i64 * 86_400_000);
        let texts = [
            "an",
            "anna",
            "naj",
            "김민",
            "김",
            "50%",
            "%",
            "_",
            "b90",
            "B9",
            "final",
            "o'neill",
            "\"ed",
            "lost on time",
            "zzz",
            "GOOD",
            "i",
        ];
        let openings = ["B", "b9", "B90", "C60", "sicilian", "'s", "E", "ruy lopez"];
        match dice.roll(16) {
            0 => filter.player = name(dice),
            1 => filter.white = name(dice),
            2 => filter.black = name(dice),
            3 => filter.score = Some(dice.pick(Score::ALL)),
            4 => filter.reason = Some(dice.pick(&["checkmate", "timeout", "x"]).to_owned()),
            5 => filter.since = day(dice),
            6 => filter.until = day(dice),
            7 => filter.opening = Some(dice.pick(&openings).to_owned()),
            8 => filter.shortest = Some(dice.roll(60) as u32),
            9 => filter.longest = Some(dice.roll(60) as u32),
            10 => filter.source = Some(dice.pick(Source::ALL)),
            11 => filter.status = Some(dice.pick(Status::ALL)),
            12 => filter.tag = Some(dice.pick(&["Good", "lost on time", "none"]).to_owned()),
            13 => filter.visibility = Some(dice.pick(Visibility::ALL)),
            14 => filter.holder = Some(dice.pick(&[HOLDERS[0], HOLDERS[1], Holder([9; 32])])),
            _ => filter.text = Some(dice.pick(&texts).to_owned()),
        }
    }
    filter
}

fn filters(store: &dyn Store) {
    let all = fill(store, 400);
    let seats: Vec<Vec<Seat>> =
        all.iter().map(|record| store.seats(record.id).expect("seats")).collect();
    let mut dice = Dice(0xf117e4);
    let asked: Vec<(Filter, usize)> =
        (0..1_500).map(|_| (random_filter(&mut dice), 1 + dice.roll(200))).collect();
    let found = |(filter, limit): &(Filter, usize)| {
        let passing =
            all.iter().zip(&seats).filter(|(record, seats)| passes(filter, record, seats));
        let wanted: Vec<GameId> = passing.map(|(record, _)| record.id).collect();
        let listed = whole(store, filter, Order::Newest, *limit);
        let listed: Vec<GameId> = listed.iter().map(|record| record.id).collect();
        assert_eq!(listed, wanted, "{filter:?}");
        assert_eq!(store.count(filter), Ok(wanted.len() as u64), "{filter:?}");
        let mut backwards = whole(store, filter, Order::Oldest, 150);
        backwards.reverse();
        let backwards: Vec<GameId> = backwards.iter().map(|record| record.id).collect();
        assert_eq!(backwards, wanted, "{filter:?}, oldest first");
        !wanted.is_empty()
    };
    // Readers do not disturb each other.
    let some: usize = std::thread::scope(|scope| {
        let parts = asked.chunks(asked.len().div_ceil(READERS));
        let readers: Vec<_> = parts
            .map(|part| scope.spawn(|| part.iter().filter(|asked| found(asked)).count()))
            .collect();
        readers.into_iter().map(|reader| reader.join().expect("no panic")).sum()
    });
    assert!(some > 500, "most filters must find something, {some} did");
}

fn pages(store: &dyn Store) {
    let all = fill(store, 60);
    for limit in [1, 2, 7, 59, 60, 61] {
        assert_eq!(whole(store, &Filter::default(), Order::Newest, limit), all);
    }
    let starts: Vec<_> = all.iter().map(|record| record.summary.started).collect();
    assert!(starts.is_sorted_by(|one, two| one >= two), "newest first, unknown last");
    let huge = Page { limit: usize::MAX, ..Page::default() };
    assert_eq!(store.list(&Filter::default(), &huge).map(|l| l.games.len()), Ok(60));
    let none = Page { limit: 0, ..Page::default() };
    let listing = store.list(&Filter::default(), &none).expect("a list");
    assert_eq!((listing.games.len(), listing.next), (0, None));
}

fn steady(store: &dyn Store) {
    let mut summary = Summary::new("Anna", "Ben", Source::Local);
    let game = |store: &dyn Store, summary: &mut Summary, at| {
        summary.started = Some(at);
        begin(store, summary)
    };
    let games: Vec<_> = (0..6).map(|at| game(store, &mut summary, at)).collect();
    let page = Page { limit: 3, ..Page::default() };
    let first = store.list(&Filter::default(), &page).expect("a page");
    game(store, &mut summary, 100);
    store.delete(games[5]).expect("deleted");
    let next = Page { after: first.next, ..page };
    let second = store.list(&Filter::default(), &next).expect("a page");
    let ids: Vec<_> = first.games.iter().chain(&second.games).map(|r| r.id).collect();
    let newest: Vec<_> = games.into_iter().rev().collect();
    assert_eq!(ids, newest);
}

fn odd(store: &dyn Store) {
    fill(store, 20);
    let empty = Some(" ".to_owned());
    let nothing = Filter { text: empty.clone(), opening: empty, ..Filter::default() };
    assert_eq!(store.count(&nothing), Ok(20), "an empty text asks for nothing");
    for text in ["'", "\"", "\"\"\"", "a AND b", "NEAR(", "*", "\\", "%%%", "\0", "", "ﬀ", "-x"] {
        let odd = Some(text.to_owned());
        for filter in [
            Filter { text: odd.clone(), ..Filter::default() },
            Filter { player: odd.clone(), ..Filter::default() },
            Filter { opening: odd.clone(), ..Filter::default() },
            Filter { tag: odd.clone(), ..Filter::default() },
            Filter { reason: odd.clone(), ..Filter::default() },
        ] {
            let listed = store.list(&filter, &Page::default());
            assert!(listed.is_ok(), "{filter:?}: {listed:?}");
        }
    }
}

fn cursors(store: &dyn Store) {
    fill(store, 10);
    let page = Page { limit: 4, ..Page::default() };
    let listing = store.list(&Filter::default(), &page).expect("a page");
    let cursor = listing.next.expect("a next page");
    assert_eq!(cursor.to_string().parse::<Cursor>(), Ok(cursor));
    for text in ["", "_", "1", "1_x", "1_2_3"] {
        assert!(text.parse::<Cursor>().is_err(), "{text}");
    }
}
