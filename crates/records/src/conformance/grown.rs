//! A large log, for tests of query plans: which tables are read, and by which index.

use super::{append, id};
use crate::store::{Batch, Imported, Store};
use crate::{
    Append, Begins, Filter, Holder, OpeningName, Score, Seat, Side, Source, Status, Summary,
    Visibility,
};

/// A holder with live games.
pub const HOLDER: Holder = Holder([1; 32]);

/// The filter of the page of games to watch.
pub fn live_to_watch() -> Filter {
    Filter { visibility: Some(Visibility::Public), status: Some(Status::Live), ..Filter::default() }
}

/// Every filter alone, and some together.
pub fn filters() -> Vec<Filter> {
    let text = |text: &str| Some(text.to_owned());
    let plain = Filter::default();
    vec![
        plain.clone(),
        Filter { player: text("Anna 1"), ..plain.clone() },
        Filter { white: text("Anna 1"), ..plain.clone() },
        Filter { black: text("Ben 1"), ..plain.clone() },
        Filter { score: Some(Score::Draw), ..plain.clone() },
        Filter { reason: text("checkmate"), ..plain.clone() },
        Filter { since: Some(5), until: Some(500), ..plain.clone() },
        Filter { opening: text("B"), ..plain.clone() },
        Filter { opening: text("B01"), ..plain.clone() },
        Filter { opening: text("name"), ..plain.clone() },
        Filter { shortest: Some(1), longest: Some(4), ..plain.clone() },
        Filter { source: Some(Source::Terminal), ..plain.clone() },
        Filter { status: Some(Status::Live), ..plain.clone() },
        Filter { status: Some(Status::Finished), ..plain.clone() },
        Filter { visibility: Some(Visibility::Public), ..plain.clone() },
        Filter { visibility: Some(Visibility::Private), ..plain.clone() },
        live_to_watch(),
        Filter { holder: Some(HOLDER), ..plain.clone() },
        Filter { holder: Some(HOLDER), since: Some(5), until: Some(500), ..plain.clone() },
        Filter { holder: Some(HOLDER), score: Some(Score::Draw), ..plain.clone() },
        Filter { holder: Some(Holder([9; 32])), ..live_to_watch() },
        Filter { tag: text("word"), ..plain.clone() },
        Filter { text: text("anna"), ..plain.clone() },
        Filter { text: text("an"), ..plain.clone() },
        Filter {
            player: text("Anna 1"),
            score: Some(Score::White),
            since: Some(5),
            ..plain.clone()
        },
        Filter { text: text("anna"), tag: text("word"), shortest: Some(3), ..plain },
    ]
}

/// Fills an empty log with this many finished games, and sixty live ones.
///
/// # Panics
///
/// When the store refuses them.
pub fn fill(store: &dyn Store, games: usize) {
    let game = |number: usize| {
        let mut summary = Summary::new(
            &format!("Anna {}", number % 7),
            &format!("Ben {}", number % 5),
            Source::Import,
        );
        summary.started = Some(number as i64);
        summary.score = Score::ALL[number % 4];
        summary.status = Status::Finished;
        summary.reason = Some(["checkmate", "timeout"][number % 2].to_owned());
        summary.event = Some("Annual".to_owned());
        // Otherwise identical games of one day would be duplicates.
        summary.headers = vec![("Round".to_owned(), number.to_string())];
        summary.opening =
            Some(OpeningName { eco: format!("B0{}", number % 3), name: "Name".to_owned() });
        let tags = if number.is_multiple_of(50) { vec!["word".to_owned()] } else { vec![] };
        Imported { id: None, summary, tags, note: None }
    };
    let numbers: Vec<usize> = (0..games).collect();
    for part in numbers.chunks(2_000) {
        let games = part.iter().copied().map(game).collect();
        store.import(Batch { games, ..Batch::default() }).expect("games");
    }
    for number in 0..60 {
        let mut summary = Summary::new("Anna", "Ben", Source::Online);
        summary.started = Some(number);
        summary.visibility = Visibility::ALL[number as usize % 2];
        let seats = vec![Seat { side: Side::White, holder: HOLDER }];
        let begins = Some(Begins { seats, uses: None });
        store.append(Append { begins, ..append(id(), 1, &summary) }).expect("a game");
    }
}
