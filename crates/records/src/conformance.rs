//! The behaviour that every store must have. A store's tests call [`run`] with a function that
//! makes an empty store; a failed expectation panics after printing the name of the case.

mod analyses;
mod appends;
mod games;
pub mod grown;
mod holders;
mod lists;
pub(crate) mod live;
mod stats;
mod waiting;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::store::Store;
use crate::{Append, GameId, NewEvent, Source, Summary};

/// A case: the behaviour that it protects, and the test.
type Case = (&'static str, fn(&dyn Store));

/// Cases that run at once: while one waits for its store, another can use the processor.
const AT_ONCE: usize = 3;

/// Runs every case on a store of its own.
///
/// # Panics
///
/// When the store fails a case.
pub fn run(make: &(dyn Fn() -> Box<dyn Store> + Sync)) {
    let cases = [
        analyses::CASES,
        lists::CASES,
        live::CASES,
        appends::CASES,
        holders::CASES,
        games::CASES,
        stats::CASES,
        waiting::CASES,
    ]
    .concat();
    assert!(cases.len() >= 40, "cases got lost");
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((name, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    try_one(name, *case, &*make());
                }
            });
        }
    });
}

fn try_one(name: &str, case: fn(&dyn Store), store: &dyn Store) {
    let tried = catch_unwind(AssertUnwindSafe(|| {
        case(store);
        assert_eq!(store.check(), Ok(()), "the log must be sound afterwards");
    }));
    if let Err(panic) = tried {
        eprintln!("case: {name}");
        resume_unwind(panic);
    }
}

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // xorshift64: enough to mix cases.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.roll(choices.len())]
    }
}

fn id() -> GameId {
    GameId::random().expect("random numbers")
}

fn event(text: &str) -> NewEvent {
    NewEvent { at: 1_000, body: text.to_owned() }
}

/// An append of one event.
fn append(game: GameId, expected: u64, summary: &Summary) -> Append {
    Append {
        game,
        expected,
        command_key: None,
        events: vec![event(&format!("event {expected}"))],
        row: summary.clone().into(),
        begins: None,
        next: None,
    }
}

/// A game with its first event.
fn begin(store: &dyn Store, summary: &Summary) -> GameId {
    let game = id();
    let answer = store.append(append(game, 1, summary)).expect("a new game");
    assert_eq!(answer.seq, 1);
    game
}

fn anna_and_ben() -> Summary {
    Summary::new("Anna", "Ben", Source::Terminal)
}
