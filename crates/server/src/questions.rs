//! Questions to the computer beside playing: the best lines of a position, a hint. The computer's
//! threads answer them when no game waits for a move. The number of questions is bounded, in all
//! and for each player.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hansu_engine::{Engine, Signals};
use hansu_protocol::FoundLines;
use tokio::sync::watch;

use crate::limits::network;

/// At most this many questions wait or are being searched.
const MOST: usize = 64;
/// At most this many of them belong to one player: the new one, and one that is being ended.
const MOST_EACH: usize = 2;
/// Engine nodes that one player may use in an hour: two or three minutes of one processor.
const NODES_EACH: u64 = 150_000_000;
/// Engine nodes that one address may use in an hour; a class may share it.
const NODES_ADDRESS: u64 = 10 * NODES_EACH;
/// An hour.
const SPAN: Duration = Duration::from_secs(3_600);

/// The result of some work on a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Progress {
    /// The number of nodes that were searched.
    nodes: u64,
    /// True if there is more to do.
    more: bool,
}

/// A question to the computer.
pub(crate) trait Question: Send {
    /// Works on it until it is done, or until `signals` stop it because a game waits for a move.
    fn work(&mut self, engine: &mut Engine, signals: &Signals) -> Progress;
}

/// A question with its place in the queue.
pub(crate) struct QueuedQuestion {
    question: Box<dyn Question>,
    pub(crate) signals: Arc<Signals>,
    place: QueuePlace,
}

impl QueuedQuestion {
    pub(crate) fn new(
        question: Box<dyn Question>,
        signals: Arc<Signals>,
        place: QueuePlace,
    ) -> QueuedQuestion {
        QueuedQuestion { question, signals, place }
    }

    /// Works on it. Returns true if there is more to do.
    pub(crate) fn work(&mut self, engine: &mut Engine) -> bool {
        let Progress { nodes, more } = self.question.work(engine, &self.signals);
        self.place.charge(nodes);
        more
    }
}

/// Why a question is not queued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QuestionError {
    /// The queue is full.
    Full,
    /// The player has too many in the queue.
    TooManyFromOne,
    /// The player or the address has used up an hour's nodes.
    Spent,
}

/// The sender of a question: its name is the mark of its key, or its address without a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Requester {
    pub(crate) name: String,
    pub(crate) address: IpAddr,
}

/// The questions of this node, and the nodes that players and addresses have used.
#[derive(Clone, Default)]
pub(crate) struct Questions(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    askers: Vec<String>,
    spent: HashMap<String, Usage>,
}

struct Usage {
    since: Instant,
    nodes: u64,
}

impl Questions {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place in the queue; returns it with the number of places taken, this one included.
    pub(crate) fn take(
        &self,
        requester: Requester,
        now: Instant,
    ) -> Result<(QueuePlace, usize), QuestionError> {
        let mut state = self.state();
        if state.askers.len() >= MOST {
            return Err(QuestionError::Full);
        }
        if state.askers.iter().filter(|asker| **asker == requester.name).count() >= MOST_EACH {
            return Err(QuestionError::TooManyFromOne);
        }
        state.spent.retain(|_, spent| now.duration_since(spent.since) < SPAN);
        let used = |name: &str| state.spent.get(name).map_or(0, |spent| spent.nodes);
        let address = network(requester.address).to_string();
        if used(&requester.name) >= NODES_EACH || used(&address) >= NODES_ADDRESS {
            return Err(QuestionError::Spent);
        }
        state.askers.push(requester.name.clone());
        let count = state.askers.len();
        drop(state);
        Ok((QueuePlace { list: self.clone(), name: requester.name, address }, count))
    }

    /// The number of questions that wait or are being searched.
    pub(crate) fn len(&self) -> usize {
        self.state().askers.len()
    }
}

/// A place in the queue, given back when this is dropped.
pub(crate) struct QueuePlace {
    list: Questions,
    name: String,
    address: String,
}

impl QueuePlace {
    /// Counts nodes for the player and the address. Those of this machine are not counted.
    fn charge(&self, nodes: u64) {
        let loopback = self.address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if loopback {
            return;
        }
        let now = Instant::now();
        let mut state = self.list.state();
        for name in [&self.name, &self.address] {
            let fresh = Usage { since: now, nodes: 0 };
            state.spent.entry(name.clone()).or_insert(fresh).nodes += nodes;
        }
    }
}

impl Drop for QueuePlace {
    fn drop(&mut self) {
        let mut state = self.list.state();
        if let Some(at) = state.askers.iter().position(|asker| *asker == self.name) {
            state.askers.swap_remove(at);
        }
    }
}

/// The question for the best lines of a position. The lines are sent as they are found.
pub(crate) struct LinesQuestion {
    search: hansu_computer::LineSearch,
    sender: watch::Sender<Option<LinesUpdate>>,
}

/// The lines that were found so far; `done` is true when the search is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LinesUpdate {
    pub(crate) lines: FoundLines,
    pub(crate) done: bool,
}

/// The receiving end. The search ends when this is dropped.
pub(crate) struct LinesReceiver {
    pub(crate) found: watch::Receiver<Option<LinesUpdate>>,
    signals: Arc<Signals>,
}

impl Drop for LinesReceiver {
    fn drop(&mut self) {
        self.signals.stop.store(true, Ordering::Relaxed);
    }
}

impl LinesQuestion {
    /// Makes a question and the receiver of its results.
    pub(crate) fn ask(
        search: hansu_computer::LineSearch,
        place: QueuePlace,
    ) -> (QueuedQuestion, LinesReceiver) {
        let (sender, found) = watch::channel(None);
        let signals = Arc::new(Signals::default());
        let question = LinesQuestion { search, sender };
        let asked = QueuedQuestion::new(Box::new(question), signals.clone(), place);
        (asked, LinesReceiver { found, signals })
    }
}

impl Question for LinesQuestion {
    fn work(&mut self, engine: &mut Engine, signals: &Signals) -> Progress {
        let LinesQuestion { search, sender } = self;
        if sender.is_closed() {
            return Progress { nodes: 0, more: false };
        }
        let nodes = search.work(engine, u64::MAX, signals, &mut |found| {
            if let Some(lines) = found.cloned() {
                sender.send_replace(Some(LinesUpdate { lines, done: false }));
            }
            !sender.is_closed()
        });
        let more = signals.stop.load(Ordering::Relaxed) && !sender.is_closed() && !search.is_done();
        if !more && let Some(lines) = search.found().cloned() {
            sender.send_replace(Some(LinesUpdate { lines, done: true }));
        }
        Progress { nodes, more }
    }
}

/// A short question with one answer, of a few ten thousand nodes.
pub(crate) struct BriefQuestion<T, F> {
    /// Returns the answer and the number of nodes searched. None when it has run.
    pub(crate) think: Option<F>,
    pub(crate) answer: Option<tokio::sync::oneshot::Sender<T>>,
}

impl<T: Send, F: FnOnce(&mut Engine) -> (T, u64) + Send> Question for BriefQuestion<T, F> {
    fn work(&mut self, engine: &mut Engine, _: &Signals) -> Progress {
        let (Some(think), Some(answer)) = (self.think.take(), self.answer.take()) else {
            return Progress { nodes: 0, more: false };
        };
        // The client has gone.
        if answer.is_closed() {
            return Progress { nodes: 0, more: false };
        }
        let (found, nodes) = think(engine);
        let _ = answer.send(found);
        Progress { nodes, more: false }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::net::Ipv4Addr;

    use hansu_chess::{Game, Position, Variant};
    use hansu_engine::Settings;

    use super::*;

    pub(crate) fn requester(name: &str) -> Requester {
        Requester { name: name.to_owned(), address: IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)) }
    }

    fn engine() -> Engine {
        Engine::new(Settings { megabytes: 1, ..Settings::default() })
    }

    pub(crate) fn lines(
        list: &Questions,
        name: &str,
        fen: &str,
        limit: u64,
    ) -> (QueuedQuestion, LinesReceiver) {
        let (place, _) = list.take(requester(name), Instant::now()).expect("a place");
        let position: Position = fen.parse().expect("a position");
        let game = Game::from_position(position, Variant::Standard);
        LinesQuestion::ask(hansu_computer::LineSearch::of(&game, 3, limit), place)
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
        assert!(!asked.work(&mut engine), "no receiver");
    }

    #[test]
    fn one_player_cannot_fill_the_queue_nor_use_more_than_an_hours_nodes() {
        let list = Questions::default();
        let now = Instant::now();
        let mut held: Vec<QueuePlace> =
            (0..MOST_EACH).map(|_| list.take(requester("one"), now).expect("a place").0).collect();
        assert_eq!(list.take(requester("one"), now).err(), Some(QuestionError::TooManyFromOne));
        for number in held.len()..MOST {
            held.push(list.take(requester(&number.to_string()), now).expect("a place").0);
        }
        assert_eq!(list.take(requester("late"), now).err(), Some(QuestionError::Full));
        held[0].charge(NODES_EACH);
        held.clear();
        assert_eq!(list.take(requester("one"), now).err(), Some(QuestionError::Spent));
        let (other, count) = list.take(requester("other"), now).expect("a place");
        assert_eq!(count, 1);
        // Many keys of one address.
        other.charge(NODES_ADDRESS);
        assert_eq!(list.take(requester("third"), now).err(), Some(QuestionError::Spent));
        let later = Instant::now() + SPAN;
        assert!(list.take(requester("one"), later).is_ok());
        // Those of this machine are not counted.
        let here = Requester { name: "here".to_owned(), address: IpAddr::V4(Ipv4Addr::LOCALHOST) };
        let (place, _) = list.take(here, later).expect("a place");
        place.charge(2 * NODES_ADDRESS);
        drop(place);
        assert!(!list.state().spent.contains_key("here"));
    }
}
