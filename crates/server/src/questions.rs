//! What people ask the computer beside playing: the best lines of a position, a hint. Each is
//! answered by the computer's threads when no game waits for a move. The list of questions is
//! bounded, for all and for each asker.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hansu_engine::{Engine, Signals};
use hansu_protocol::FoundLines;
use tokio::sync::watch;

use crate::limits::network;

/// Questions that may wait or be worked on.
const MOST: usize = 64;
/// How many of them one asker may have: the one that is wanted, and one that is being left.
const MOST_EACH: usize = 2;
/// Nodes that one asker may use in an hour: two or three minutes of one processor …
const NODES_EACH: u64 = 150_000_000;
/// … and one address, behind which a class may sit.
const NODES_ADDRESS: u64 = 10 * NODES_EACH;
/// An hour.
const SPAN: Duration = Duration::from_secs(3_600);

/// What came of some work on a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Worked {
    /// Nodes that were searched.
    nodes: u64,
    /// Whether there is more to do.
    more: bool,
}

/// Something that is asked of the computer.
pub(crate) trait Question: Send {
    /// Works on it until it is done, or until it is told to stop because a game waits.
    fn work(&mut self, engine: &mut Engine, signals: &Signals) -> Worked;
}

/// A question with its place.
pub(crate) struct Asked {
    question: Box<dyn Question>,
    pub(crate) signals: Arc<Signals>,
    place: Place,
}

impl Asked {
    pub(crate) fn new(question: Box<dyn Question>, signals: Arc<Signals>, place: Place) -> Asked {
        Asked { question, signals, place }
    }

    /// Works on it. True when there is more to do.
    pub(crate) fn work(&mut self, engine: &mut Engine) -> bool {
        let Worked { nodes, more } = self.question.work(engine, &self.signals);
        self.place.charge(nodes);
        more
    }
}

/// Why a question is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotAsked {
    /// Too many wait.
    Full,
    /// The asker has asked too many at once.
    TooManyOfOne,
    /// The asker has used up an hour's nodes.
    Spent,
}

/// Who asks: a key, or an address without one; and the address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Who {
    pub(crate) name: String,
    pub(crate) address: IpAddr,
}

/// The questions of this node, and what askers have used.
#[derive(Clone, Default)]
pub(crate) struct Questions(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    askers: Vec<String>,
    spent: HashMap<String, Spent>,
}

struct Spent {
    since: Instant,
    nodes: u64,
}

impl Questions {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place. How many have one is told, this one included.
    pub(crate) fn take(&self, who: Who, now: Instant) -> Result<(Place, usize), NotAsked> {
        let mut state = self.state();
        if state.askers.len() >= MOST {
            return Err(NotAsked::Full);
        }
        if state.askers.iter().filter(|asker| **asker == who.name).count() >= MOST_EACH {
            return Err(NotAsked::TooManyOfOne);
        }
        state.spent.retain(|_, spent| now.duration_since(spent.since) < SPAN);
        let used = |name: &str| state.spent.get(name).map_or(0, |spent| spent.nodes);
        let address = network(who.address).to_string();
        if used(&who.name) >= NODES_EACH || used(&address) >= NODES_ADDRESS {
            return Err(NotAsked::Spent);
        }
        state.askers.push(who.name.clone());
        let count = state.askers.len();
        drop(state);
        Ok((Place { list: self.clone(), name: who.name, address }, count))
    }

    /// How many wait or are worked on.
    pub(crate) fn len(&self) -> usize {
        self.state().askers.len()
    }
}

/// A place in the list, given back when this is dropped.
pub(crate) struct Place {
    list: Questions,
    name: String,
    address: String,
}

impl Place {
    /// Writes down what was used. This machine's own is not counted.
    fn charge(&self, nodes: u64) {
        let loopback = self.address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if loopback {
            return;
        }
        let now = Instant::now();
        let mut state = self.list.state();
        for name in [&self.name, &self.address] {
            let fresh = Spent { since: now, nodes: 0 };
            state.spent.entry(name.clone()).or_insert(fresh).nodes += nodes;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.list.state();
        if let Some(at) = state.askers.iter().position(|asker| *asker == self.name) {
            state.askers.swap_remove(at);
        }
    }
}

/// The best lines of a position, told as they are found.
pub(crate) struct Lines {
    search: hansu_computer::Lines,
    tell: watch::Sender<Option<Found>>,
}

/// What was found by now, and whether that is all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) lines: FoundLines,
    pub(crate) done: bool,
}

/// The listener's end. The search ends when this is dropped.
pub(crate) struct Listener {
    pub(crate) found: watch::Receiver<Option<Found>>,
    signals: Arc<Signals>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.signals.stop.store(true, Ordering::Relaxed);
    }
}

impl Lines {
    /// A question, and where its answers come.
    pub(crate) fn ask(search: hansu_computer::Lines, place: Place) -> (Asked, Listener) {
        let (tell, found) = watch::channel(None);
        let signals = Arc::new(Signals::default());
        let question = Lines { search, tell };
        let asked = Asked::new(Box::new(question), signals.clone(), place);
        (asked, Listener { found, signals })
    }
}

impl Question for Lines {
    fn work(&mut self, engine: &mut Engine, signals: &Signals) -> Worked {
        let Lines { search, tell } = self;
        if tell.is_closed() {
            return Worked { nodes: 0, more: false };
        }
        let nodes = search.work(engine, u64::MAX, signals, &mut |found| {
            if let Some(lines) = found.cloned() {
                tell.send_replace(Some(Found { lines, done: false }));
            }
            !tell.is_closed()
        });
        let more = signals.stop.load(Ordering::Relaxed) && !tell.is_closed() && !search.is_done();
        if !more && let Some(lines) = search.found().cloned() {
            tell.send_replace(Some(Found { lines, done: true }));
        }
        Worked { nodes, more }
    }
}

/// A question that is answered at once, in a few ten thousand nodes.
pub(crate) struct Brief<T, F> {
    /// Works it out, with the nodes that it took.
    pub(crate) think: Option<F>,
    pub(crate) answer: Option<tokio::sync::oneshot::Sender<T>>,
}

impl<T: Send, F: FnOnce(&mut Engine) -> (T, u64) + Send> Question for Brief<T, F> {
    fn work(&mut self, engine: &mut Engine, _: &Signals) -> Worked {
        let (Some(think), Some(answer)) = (self.think.take(), self.answer.take()) else {
            return Worked { nodes: 0, more: false };
        };
        // The client has gone.
        if answer.is_closed() {
            return Worked { nodes: 0, more: false };
        }
        let (found, nodes) = think(engine);
        let _ = answer.send(found);
        Worked { nodes, more: false }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::net::Ipv4Addr;

    use hansu_chess::{Game, Position, Variant};
    use hansu_engine::Settings;

    use super::*;

    pub(crate) fn who(name: &str) -> Who {
        Who { name: name.to_owned(), address: IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)) }
    }

    fn engine() -> Engine {
        Engine::new(Settings { megabytes: 1, ..Settings::default() })
    }

    pub(crate) fn lines(list: &Questions, name: &str, fen: &str, limit: u64) -> (Asked, Listener) {
        let (place, _) = list.take(who(name), Instant::now()).expect("a place");
        let position: Position = fen.parse().expect("a position");
        let game = Game::from_position(position, Variant::Standard);
        Lines::ask(hansu_computer::Lines::of(&game, 3, limit), place)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn three_lines_are_found_within_the_limit_and_charged() {
        let list = Questions::default();
        let (mut asked, listener) = lines(&list, "a", START, 20_000);
        assert!(!asked.work(&mut engine()));
        let found = listener.found.borrow().clone().expect("lines");
        assert!(found.done && found.lines.depth >= 3, "{found:?}");
        assert!(found.lines.nodes <= 21_000, "{found:?}");
        let best: Vec<_> = found.lines.lines.iter().filter_map(|line| line.best.clone()).collect();
        assert_eq!(best.len(), 3);
        assert!(best[0] != best[1] && best[1] != best[2], "{best:?}");
        assert_eq!(list.state().spent["a"].nodes, found.lines.nodes);
        assert_eq!(list.state().spent["10.0.0.1"].nodes, found.lines.nodes);
        drop(asked);
        assert_eq!(list.len(), 0);
    }

    #[test]
    fn fewer_moves_are_fewer_lines_and_an_end_is_told_without_a_search() {
        let list = Questions::default();
        let (mut asked, listener) = lines(&list, "a", "k7/8/1K6/8/8/8/8/1R6 b - - 0 1", 5_000);
        assert!(!asked.work(&mut engine()));
        assert_eq!(listener.found.borrow().as_ref().expect("one").lines.lines.len(), 1);
        let (mut asked, listener) = lines(&list, "b", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", 5_000);
        assert!(!asked.work(&mut engine()));
        let found = listener.found.borrow().clone().expect("the end");
        assert_eq!((found.done, found.lines.nodes, found.lines.lines[0].mate), (true, 0, Some(0)));
    }

    #[test]
    fn a_search_that_was_interrupted_goes_on_and_one_that_was_left_does_not() {
        let list = Questions::default();
        let (mut asked, listener) = lines(&list, "a", START, 40_000);
        let signals = asked.signals.clone();
        let mut engine = engine();
        // A game waits: the search is told to stop.
        let more = std::thread::scope(|scope| {
            let stops = scope.spawn(|| {
                while listener.found.borrow().is_none() {
                    std::thread::yield_now();
                }
                signals.stop.store(true, Ordering::Relaxed);
            });
            let more = asked.work(&mut engine);
            stops.join().expect("it stops");
            more
        });
        if more {
            assert!(!listener.found.borrow().as_ref().expect("some").done);
            asked.signals.stop.store(false, Ordering::Relaxed);
            assert!(!asked.work(&mut engine));
        }
        assert!(listener.found.borrow().as_ref().expect("all").done);
        let (mut asked, listener) = lines(&list, "b", START, u64::MAX);
        drop(listener);
        assert!(!asked.work(&mut engine), "nobody listens");
    }

    #[test]
    fn nobody_fills_the_list_nor_uses_more_than_an_hours_nodes() {
        let list = Questions::default();
        let now = Instant::now();
        let mut held: Vec<Place> =
            (0..MOST_EACH).map(|_| list.take(who("one"), now).expect("a place").0).collect();
        assert_eq!(list.take(who("one"), now).err(), Some(NotAsked::TooManyOfOne));
        for number in held.len()..MOST {
            held.push(list.take(who(&number.to_string()), now).expect("a place").0);
        }
        assert_eq!(list.take(who("late"), now).err(), Some(NotAsked::Full));
        held[0].charge(NODES_EACH);
        held.clear();
        assert_eq!(list.take(who("one"), now).err(), Some(NotAsked::Spent));
        let (other, count) = list.take(who("other"), now).expect("a place");
        assert_eq!(count, 1);
        // Many keys of one address.
        other.charge(NODES_ADDRESS);
        assert_eq!(list.take(who("third"), now).err(), Some(NotAsked::Spent));
        let later = Instant::now() + SPAN;
        assert!(list.take(who("one"), later).is_ok());
        // This machine's own are not counted.
        let here = Who { name: "here".to_owned(), address: IpAddr::V4(Ipv4Addr::LOCALHOST) };
        let (place, _) = list.take(here, later).expect("a place");
        place.charge(2 * NODES_ADDRESS);
        drop(place);
        assert!(!list.state().spent.contains_key("here"));
    }
}
