//! Single games: tags, notes, deletion, deadlines, ids, imports.

use super::{Case, anna_and_ben, append, begin, id};
use crate::stats::Viewer;
use crate::store::{Batch, BatchAnswer, Imported, LONGEST_NOTE, MOST_TAGS, Progress, Store};
use crate::{
    Error, Filter, Holder, Page, Part, Score, Seat, Side, Source, Status, Summary, Visibility,
};

pub(super) const CASES: &[Case] = &[
    ("words and notes are kept, changed and taken away", words),
    ("words and notes are seen by those who wrote them", owners),
    ("games of a file belong to who brought them", brought),
    ("a deleted game is gone with all that belongs to it", delete),
    ("deadlines come in order until they are gone", deadlines),
    ("a game is found by the beginning of its name", beginnings),
    ("capitals do not make another player, but are kept", capitals),
    ("every field of a row comes back", fields),
    ("a file's games are added once", duplicates),
    ("a batch and its progress are kept together", progress),
];

fn words(store: &dyn Store) {
    let game = begin(store, &anna_and_ben());
    for word in ["Final", "  good   game ", "final"] {
        store.tag(None, game, word).expect("a word");
    }
    store.note(None, game, " a note \n").expect("a note");
    let record = || store.record(game).expect("a log").expect("a game");
    assert_eq!(record().tags, ["final", "good game"]);
    assert_eq!(record().note.as_deref(), Some("a note"));
    assert_eq!(store.tags(Viewer::Keeper), Ok(vec![("final".into(), 1), ("good game".into(), 1)]));
    store.untag(None, game, "FINAL").expect("gone");
    store.untag(None, game, "never there").expect("nothing to do");
    store.note(None, game, "another").expect("a note");
    assert_eq!(record().tags, ["good game"]);
    assert_eq!(record().note.as_deref(), Some("another"));
    store.note(None, game, "").expect("no note");
    assert_eq!(record().note, None);
    for nobody in [
        store.tag(None, id(), "x"),
        store.untag(None, id(), "x"),
        store.note(None, id(), "x"),
        store.delete(id()),
    ] {
        assert_eq!(nobody, Err(Error::NoSuchGame));
    }
    let long = store.note(None, game, &"x".repeat(LONGEST_NOTE + 1));
    assert_eq!(long, Err(Error::TooLong(Part::Note)));
    for empty in ["", "  "] {
        assert_eq!(store.tag(None, game, empty), Err(Error::TooLong(Part::Tags)));
    }
    for number in 1..MOST_TAGS {
        store.tag(None, game, &format!("word {number}")).expect("a word");
    }
    let more = store.tag(None, game, "one more");
    assert_eq!(more, Err(Error::TooLong(Part::Tags)));
}

const ANNA: Holder = Holder([1; 32]);
const BEN: Holder = Holder([2; 32]);

fn owners(store: &dyn Store) {
    let game = begin(store, &anna_and_ben());
    store.tag(Some(ANNA), game, "hers").expect("a word");
    store.tag(Some(ANNA), game, "shared").expect("a word");
    store.tag(Some(BEN), game, "shared").expect("a word");
    store.note(Some(ANNA), game, "what Anna thinks").expect("a note");
    store.note(Some(BEN), game, "what Ben thinks").expect("a note");
    let seen = |viewer| {
        let record = store.record_for(viewer, game).expect("a log").expect("a game");
        let filter = Filter { viewer, ..Filter::default() };
        let listed = store.list(&filter, &Page::default()).expect("a list").games;
        assert_eq!(listed, std::slice::from_ref(&record), "{viewer:?}");
        (record.tags, record.note)
    };
    let (anna, ben) = (Viewer::Guest(Some(ANNA)), Viewer::Guest(Some(BEN)));
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    assert_eq!(seen(anna), (words(&["hers", "shared"]), Some("what Anna thinks".to_owned())));
    assert_eq!(seen(ben), (words(&["shared"]), Some("what Ben thinks".to_owned())));
    assert_eq!(seen(Viewer::Guest(None)), (vec![], None));
    let both = Some("what Anna thinks\nwhat Ben thinks".to_owned());
    assert_eq!(seen(Viewer::Keeper), (words(&["hers", "shared"]), both));
    assert_eq!(store.tags(ben), Ok(vec![("shared".to_owned(), 1)]));
    assert_eq!(store.tags(Viewer::Guest(None)), Ok(vec![]));
    assert_eq!(store.tags(Viewer::Keeper).map(|tags| tags.len()), Ok(2));
    let tagged = |viewer, tag: &str| {
        let filter = Filter { viewer, tag: Some(tag.to_owned()), ..Filter::default() };
        let listed = store.list(&filter, &Page::default()).expect("a list").games.len() as u64;
        assert_eq!(store.count(&filter), Ok(listed));
        listed
    };
    assert_eq!((tagged(anna, "hers"), tagged(ben, "hers")), (1, 0));
    assert_eq!((tagged(ben, "shared"), tagged(Viewer::Keeper, "shared")), (1, 1));
    let found = |viewer, text: &str| {
        store.count(&Filter { viewer, text: Some(text.to_owned()), ..Filter::default() })
    };
    for text in ["Anna thinks", "hers"] {
        assert_eq!((found(anna, text), found(ben, text)), (Ok(1), Ok(0)), "{text}");
        assert_eq!(found(Viewer::Guest(None), text), Ok(0), "{text}");
    }
    store.untag(Some(BEN), game, "shared").expect("gone");
    store.note(Some(BEN), game, "").expect("gone");
    assert_eq!(seen(ben), (vec![], None));
    assert_eq!(seen(anna).0.len(), 2);
    store.untag(None, game, "shared").expect("gone");
    store.note(None, game, "").expect("gone");
    assert_eq!(seen(anna), (words(&["hers"]), None));
}

fn brought(store: &dyn Store) {
    // Built once: games that began in different seconds differ.
    let one = Summary { source: Source::Import, status: Status::Finished, ..anna_and_ben() };
    let game = |visibility| {
        let summary = Summary { visibility, ..one.clone() };
        Imported { id: None, summary, tags: vec!["mine".to_owned()], note: None }
    };
    let bring = |by, visibility| {
        let batch = Batch { games: vec![game(visibility)], by, ..Batch::default() };
        store.import(batch).expect("a batch").added
    };
    // Other players do not learn of a private game; a public one is stored once.
    assert_eq!(bring(Some(ANNA), Visibility::Private), 1);
    assert_eq!(bring(Some(ANNA), Visibility::Private), 0);
    assert_eq!(bring(Some(BEN), Visibility::Private), 1);
    assert_eq!(bring(Some(BEN), Visibility::Public), 1);
    assert_eq!(bring(Some(ANNA), Visibility::Public), 0);
    let mine =
        Filter { holder: Some(ANNA), viewer: Viewer::Guest(Some(ANNA)), ..Filter::default() };
    let mine = store.list(&mine, &Page::default()).expect("a list").games;
    let [mine] = &mine[..] else { panic!("{mine:?}") };
    assert_eq!(mine.tags, ["mine"]);
    let seats = store.seats(mine.id).expect("a game");
    assert_eq!(seats, [Seat { side: Side::Importer, holder: ANNA }]);
    assert_eq!(store.tags(Viewer::Guest(Some(BEN))), Ok(vec![("mine".to_owned(), 2)]));
}

fn delete(store: &dyn Store) {
    let mut summary = anna_and_ben();
    summary.status = Status::Finished;
    summary.score = Score::White;
    let (game, other) = (begin(store, &summary), begin(store, &summary));
    store.tag(None, game, "word").expect("a word");
    store.note(None, game, "something special").expect("a note");
    store.delete(game).expect("deleted");
    assert_eq!(store.record(game), Ok(None));
    assert_eq!(store.events(game, 0, 1), Err(Error::NoSuchGame));
    assert_eq!(store.delete(game), Err(Error::NoSuchGame));
    assert_eq!(store.tags(Viewer::Keeper), Ok(vec![]));
    assert_eq!(store.totals(Viewer::Keeper).map(crate::stats::Tally::games), Ok(1));
    let special = Filter { text: Some("special".to_owned()), ..Filter::default() };
    assert_eq!(store.count(&special), Ok(0));
    assert!(store.record(other).expect("a log").is_some());
    // The id may be used again.
    store.append(append(game, 1, &summary)).expect("a new game");
    assert_eq!(store.record(game).map(|r| r.map(|r| r.tags.len())), Ok(Some(0)));
}

fn deadlines(store: &dyn Store) {
    let mut summary = anna_and_ben();
    let mut games = Vec::new();
    for deadline in [300, 100, 200, 900] {
        summary.deadline = Some(deadline);
        games.push(begin(store, &summary));
    }
    summary.deadline = None;
    begin(store, &summary);
    let overdue = store.overdue(300, 10).expect("a log");
    assert_eq!(overdue, [(games[1], 100), (games[2], 200), (games[0], 300)]);
    assert_eq!(store.overdue(300, 1), Ok(vec![(games[1], 100)]));
    store.append(append(games[1], 2, &summary)).expect("no deadline");
    assert_eq!(store.overdue(150, 10), Ok(vec![]));
    // Deadlines change back and forth, by little and by much; only the latest counts.
    let mut at = |game, seq, deadline| {
        summary.deadline = Some(deadline);
        store.append(append(game, seq, &summary)).expect("another deadline");
    };
    let steps = [1_000, 30_000, 61_000, 59_000, 500_000, 530_000, 440_000, 439_000, 5_000_000];
    for (seq, deadline) in (2..).zip(steps) {
        at(games[3], seq, deadline);
        assert_eq!(
            store.overdue(deadline - 1, 10).map(|g| g.contains(&(games[3], deadline))),
            Ok(false)
        );
        assert_eq!(
            store.overdue(deadline, 10).map(|g| g.contains(&(games[3], deadline))),
            Ok(true)
        );
    }
    // The order is that of the current deadlines, whatever they were before.
    at(games[0], 2, 100_000);
    at(games[0], 3, 120_000);
    at(games[2], 2, 110_000);
    let overdue = store.overdue(120_000, 10).expect("a log");
    assert_eq!(overdue, [(games[2], 110_000), (games[0], 120_000)]);
}

fn beginnings(store: &dyn Store) {
    let game = begin(store, &anna_and_ben());
    for length in 8..=12 {
        assert_eq!(store.find(&game.as_str()[..length], 5), Ok(vec![game]));
    }
    for odd in ["", "%", "'", "zzzzzzzzzzzzz"] {
        assert_eq!(store.find(odd, 5), Ok(vec![]), "{odd}");
    }
}

fn capitals(store: &dyn Store) {
    let first = begin(store, &Summary::new("Kim Min", "Lee", Source::Local));
    let second = begin(store, &Summary::new("LEE", " KIM  MIN", Source::Local));
    let players = Filter { player: Some("kim min".to_owned()), ..Filter::default() };
    assert_eq!(store.count(&players), Ok(2));
    let name = |game| store.record(game).expect("a log").expect("a game").summary;
    assert_eq!(name(first).white, "Kim Min");
    assert_eq!((name(second).white.as_str(), name(second).black.as_str()), ("LEE", "KIM MIN"));
}

fn fields(store: &dyn Store) {
    let summary = Summary {
        white: "가나".to_owned(),
        black: "Ö \"the\" O'Neill".to_owned(),
        score: Score::Draw,
        reason: Some("agreement".to_owned()),
        started: Some(-1_234_567),
        ended: Some(5),
        source: Source::Computer,
        status: Status::Adjourned,
        visibility: Visibility::Private,
        deadline: Some(6),
        variant: hansu_chess::Variant::Chess960,
        start_fen: Some("nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1".to_owned()),
        final_fen: "8/8/4k3/8/8/3K4/8/8 w - - 0 1".to_owned(),
        time_control: Some("300+3".to_owned()),
        opening: Some(crate::OpeningName {
            eco: "A00".to_owned(),
            name: "Some Opening".to_owned(),
        }),
        event: Some("Club".to_owned()),
        moves: ["e2e4", "e7e8q"].iter().filter_map(|step| step.parse().ok()).collect(),
        headers: vec![
            ("Site".to_owned(), "a\tb\nc = d".to_owned()),
            ("Round".to_owned(), String::new()),
        ],
        annotations: Some("1. e4 {so} *".to_owned()),
    };
    let game = begin(store, &summary);
    let mut kept = store.record(game).expect("a log").expect("a game").summary;
    // Control characters cannot stand in a tag.
    assert_eq!(kept.header("Site"), Some("a b c = d"));
    kept.headers.clone_from(&summary.headers);
    assert_eq!(kept, summary);
    let unknown = Summary { started: None, event: None, opening: None, ..summary };
    let game = begin(store, &unknown);
    let kept = store.record(game).expect("a log").expect("a game").summary;
    assert_eq!((kept.started, kept.event, kept.opening), (None, None, None));
}

fn file_game(round: u32) -> Imported {
    let mut summary = Summary::new("Anna", "Ben", Source::Import);
    summary.started = Some(0);
    summary.status = Status::Finished;
    summary.score = Score::Draw;
    summary.headers = vec![("Round".to_owned(), round.to_string())];
    Imported {
        id: None,
        summary,
        tags: vec!["Good".to_owned()],
        note: Some("from a file".to_owned()),
    }
}

fn duplicates(store: &dyn Store) {
    let batch = |rounds: &[u32]| Batch {
        games: rounds.iter().copied().map(file_game).collect(),
        progress: None,
        by: None,
    };
    let answer = store.import(batch(&[1, 2, 3, 2]));
    assert_eq!(answer, Ok(BatchAnswer { added: 3, duplicates: 1 }));
    let answer = store.import(batch(&[3, 4]));
    assert_eq!(answer, Ok(BatchAnswer { added: 1, duplicates: 1 }));
    let listing = store.list(&Filter::default(), &Page::default()).expect("a list");
    assert_eq!(listing.games.len(), 4);
    for game in listing.games {
        assert_eq!((game.tags, game.note), (vec!["good".into()], Some("from a file".into())));
        assert_eq!(game.last_seq, 0);
        assert_eq!(store.events(game.id, 0, 1), Ok(vec![]));
    }
    // A game that was played here and is imported again.
    let mut summary = anna_and_ben();
    summary.status = Status::Finished;
    let game = begin(store, &summary);
    summary.source = Source::Import;
    let back = Imported { id: None, summary, tags: vec![], note: None };
    let named = Imported { id: Some(game), ..file_game(9) };
    let games = vec![back, named];
    let answer = store.import(Batch { games, ..Batch::default() });
    assert_eq!(answer, Ok(BatchAnswer { added: 0, duplicates: 2 }));
    // An unknown id is kept.
    let elsewhere = Imported { id: Some(id()), ..file_game(10) };
    let name = elsewhere.id.expect("a name");
    store.import(Batch { games: vec![elsewhere], ..Batch::default() }).expect("a log");
    assert!(store.record(name).expect("a log").is_some());
}

fn progress(store: &dyn Store) {
    assert_eq!(store.progress("file"), Ok(None));
    let mut progress = Progress { key: "file".to_owned(), seen: 2, ..Progress::default() };
    let mut batch = Batch {
        games: vec![file_game(1), file_game(1)],
        progress: Some(progress.clone()),
        by: None,
    };
    store.import(batch.clone()).expect("a batch");
    progress.added = 1;
    progress.duplicates = 1;
    assert_eq!(store.progress("file"), Ok(Some(progress.clone())));
    // A batch with a game that is too long is not kept at all.
    let mut long = file_game(7);
    long.summary.white = "x".repeat(1_000);
    batch.games = vec![file_game(6), long];
    batch.progress = Some(Progress { seen: 9, ..progress.clone() });
    assert_eq!(store.import(batch), Err(Error::TooLong(Part::Name)));
    assert_eq!(store.progress("file"), Ok(Some(progress)));
    assert_eq!(store.count(&Filter::default()), Ok(1));
}
