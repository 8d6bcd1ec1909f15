//! The queue of analyses of games that are over. The computer's threads work on it when no game
//! waits for a move. Results are written to the log every few seconds: a server that stops loses a
//! few positions.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hansu_chess::Variant;
use hansu_computer::review_nodes;
use hansu_engine::{Engine, Signals, Study};
use hansu_protocol::AnalysisState;
use hansu_records::{GameId, KeptAnalysis, Record, Status, Store, dates};
use hansu_teacher::{restore, to_text, to_wire};
use hansu_words::Lang;

use crate::store::AsyncStore;

/// At most this many analyses wait or run.
const MOST: usize = 64;
/// At most this many of them belong to one player.
const MOST_EACH: usize = 3;
/// Time between two writes of an analysis that runs.
const WRITE_INTERVAL: Duration = Duration::from_secs(3);
/// An unfinished analysis that was written within this time, in milliseconds, runs at another node.
const FRESH: i64 = 30_000;

/// An analysis that waits or runs.
struct QueuedAnalysis {
    game: GameId,
    asker: String,
    /// The number of positions that are done; None while it waits.
    done: Option<usize>,
    total: usize,
}

/// The analyses of this node, in the order of the requests.
#[derive(Clone, Default)]
pub(crate) struct Analyses(Arc<Mutex<Vec<QueuedAnalysis>>>);

/// Why an analysis is not queued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BeginError {
    /// The queue is full.
    Full,
    /// The player has too many in the queue.
    TooManyFromOne,
}

impl Analyses {
    fn entries(&self) -> MutexGuard<'_, Vec<QueuedAnalysis>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of analyses that wait or run.
    pub(crate) fn len(&self) -> usize {
        self.entries().len()
    }

    /// The progress of the analysis of a game at this node; None when it is not in the queue.
    pub(crate) fn state(&self, game: GameId) -> Option<AnalysisState> {
        let entries = self.entries();
        let at = entries.iter().position(|entry| entry.game == game)?;
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Some(match entries[at].done {
            Some(done) => {
                AnalysisState::Running { done: number(done), total: number(entries[at].total) }
            }
            None => {
                let before = entries[..at].iter().filter(|entry| entry.done.is_none()).count();
                AnalysisState::Queued { place: number(before + 1) }
            }
        })
    }

    /// Puts the analysis of a game into the queue; None when it is in there already.
    pub(crate) fn begin(
        &self,
        found: StoredAnalysis,
        asker: &str,
        store: AsyncStore,
    ) -> Result<Option<Box<AnalysisRun>>, BeginError> {
        let mut entries = self.entries();
        if entries.iter().any(|entry| entry.game == found.game) {
            return Ok(None);
        }
        if entries.len() >= MOST {
            return Err(BeginError::Full);
        }
        if entries.iter().filter(|entry| entry.asker == asker).count() >= MOST_EACH {
            return Err(BeginError::TooManyFromOne);
        }
        let StoredAnalysis { game, study, variant, nodes, .. } = found;
        let total = study.total();
        entries.push(QueuedAnalysis { game, asker: asker.to_owned(), done: None, total });
        let (list, kept) = (self.clone(), Instant::now());
        Ok(Some(Box::new(AnalysisRun { game, study, variant, nodes, kept, store, list })))
    }
}

/// A game that can be analysed, with what the log has of its analysis.
pub(crate) struct StoredAnalysis {
    game: GameId,
    study: Study,
    variant: Variant,
    nodes: u64,
    /// True if another node is working on it.
    elsewhere: bool,
}

/// Why a game cannot be analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnalysisError {
    NoSuchGame,
    StillPlayed,
    Log(hansu_records::Error),
}

impl From<hansu_records::Error> for AnalysisError {
    fn from(error: hansu_records::Error) -> AnalysisError {
        AnalysisError::Log(error)
    }
}

impl StoredAnalysis {
    /// Reads a game and its analysis from the log.
    pub(crate) fn read(store: &dyn Store, game: GameId) -> Result<StoredAnalysis, AnalysisError> {
        let record = store.record(game)?.ok_or(AnalysisError::NoSuchGame)?;
        if matches!(record.summary.status, Status::Live | Status::Adjourned) {
            return Err(AnalysisError::StillPlayed);
        }
        let mut study = study(&record).ok_or(hansu_records::Error::Damaged)?;
        let kept = store.analysis(game)?;
        let usual = review_nodes(study.total());
        let mut found = StoredAnalysis {
            game,
            variant: record.summary.variant,
            nodes: kept.as_ref().map_or(usual, |kept| kept.nodes),
            elsewhere: false,
            study: study.clone(),
        };
        if let Some(kept) = kept {
            restore(&mut study, &kept.body);
            found.elsewhere = !kept.is_complete() && (dates::now() - kept.at).abs() < FRESH;
            // The command line may have begun an analysis with more nodes, which would take too
            // long here.
            if study.is_complete() || kept.nodes <= usual || found.elsewhere {
                found.study = study;
            } else {
                found.nodes = usual;
            }
        }
        Ok(found)
    }

    /// The state of the analysis, when it is finished or runs at another node. None when it is to
    /// be queued here.
    pub(crate) fn state(&self, lang: Lang) -> Option<AnalysisState> {
        if let Some(analysis) = to_wire(&self.study, self.variant, self.nodes, lang) {
            return Some(AnalysisState::Finished { analysis });
        }
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.elsewhere.then(|| AnalysisState::Running {
            done: number(self.study.done()),
            total: number(self.study.total()),
        })
    }
}

/// The moves of a game as a study; None when they cannot be played.
fn study(record: &Record) -> Option<Study> {
    let row = &record.summary;
    let start = row.start().ok()?;
    let mut moves = Vec::with_capacity(row.plies());
    row.moves.replay(start, usize::MAX, |step, _| moves.push(step)).ok()?;
    Some(Study::new(&start, &moves))
}

/// An analysis in the queue. It leaves the queue when this is dropped.
pub(crate) struct AnalysisRun {
    pub(crate) game: GameId,
    study: Study,
    variant: Variant,
    nodes: u64,
    kept: Instant,
    store: AsyncStore,
    list: Analyses,
}

impl AnalysisRun {
    /// Analyses one position. Returns false when nothing is left to do.
    pub(crate) fn step(&mut self, engine: &mut Engine) -> bool {
        self.update_progress();
        let more = self.study.step(engine, self.nodes, &Signals::default());
        if more && !self.study.is_complete() && self.kept.elapsed() < WRITE_INTERVAL {
            return true;
        }
        match self.write() {
            Ok(()) => more && !self.study.is_complete(),
            // The game was deleted.
            Err(hansu_records::Error::NoSuchGame) => false,
            Err(error) => {
                tracing::warn!(%error, game = %self.game, "an analysis is not kept");
                // The next write also has what is found until then.
                more && !self.study.is_complete()
            }
        }
    }

    /// Writes the analysis to the log, also before it begins: another node sees that it runs here.
    pub(crate) fn write(&mut self) -> Result<(), hansu_records::Error> {
        self.kept = Instant::now();
        let analysis = KeptAnalysis {
            nodes: self.nodes,
            done: self.study.done() as u64,
            total: self.study.total() as u64,
            at: dates::now(),
            body: to_text(&self.study, self.variant),
        };
        self.store.keep_analysis(self.game, analysis)
    }

    /// Updates the progress in the queue.
    fn update_progress(&self) {
        let mut entries = self.list.entries();
        if let Some(entry) = entries.iter_mut().find(|entry| entry.game == self.game) {
            entry.done = Some(self.study.done());
        }
    }
}

impl Drop for AnalysisRun {
    fn drop(&mut self) {
        self.list.entries().retain(|entry| entry.game != self.game);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use hansu_records::{Append, NewEvent, Source, SqliteStore, Summary};

    use super::*;

    pub(crate) fn store() -> (tempfile::TempDir, AsyncStore) {
        let place = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&place.path().join("games.db")).expect("a log");
        (place, AsyncStore::new(Arc::new(store)))
    }

    /// A game that is over.
    fn over(store: &AsyncStore) -> GameId {
        let game = GameId::random().expect("an id");
        let mut summary = Summary::new("Anna", "Ben", Source::Online);
        for step in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            summary.moves.push(step.parse().expect("a move"));
        }
        summary.status = Status::Finished;
        let events = vec![NewEvent { at: 1, body: "over".to_owned() }];
        let begins = None;
        let append = Append {
            game,
            expected: 1,
            command_key: None,
            events,
            row: summary.into(),
            begins,
            next: None,
        };
        store.append(append).expect("a game");
        game
    }

    pub(crate) fn begin(
        list: &Analyses,
        store: &AsyncStore,
        asker: &str,
    ) -> Result<Box<AnalysisRun>, BeginError> {
        let found = StoredAnalysis::read(&**store, over(store)).expect("a game");
        Ok(list.begin(found, asker, store.clone())?.expect("a place"))
    }

    #[test]
    fn places_are_counted_and_given_back() {
        let (_place, store) = store();
        let list = Analyses::default();
        let mut engine = Engine::new(hansu_engine::Settings {
            megabytes: 1,
            ..hansu_engine::Settings::default()
        });
        let mut first = begin(&list, &store, "a").expect("a place");
        let second = begin(&list, &store, "b").expect("a place");
        assert_eq!(list.state(first.game), Some(AnalysisState::Queued { place: 1 }));
        assert_eq!(list.state(second.game), Some(AnalysisState::Queued { place: 2 }));
        // The same game is not queued twice.
        let again = StoredAnalysis::read(&*store, first.game).expect("a game");
        assert!(list.begin(again, "c", store.clone()).expect("no refusal").is_none());
        assert!(first.step(&mut engine));
        let running = Some(AnalysisState::Running { done: 0, total: 5 });
        assert_eq!(list.state(first.game), running);
        assert_eq!(list.state(second.game), Some(AnalysisState::Queued { place: 1 }));
        while first.step(&mut engine) {}
        let game = first.game;
        drop(first);
        assert_eq!((list.state(game), list.len()), (None, 1));
        let found = StoredAnalysis::read(&*store, game).expect("a game");
        assert!(matches!(found.state(Lang::En), Some(AnalysisState::Finished { .. })));
        drop(second);
        assert_eq!(list.len(), 0);
    }

    #[test]
    fn one_player_cannot_fill_the_queue_nor_many() {
        let (_place, store) = store();
        let list = Analyses::default();
        let mut held = Vec::new();
        for _ in 0..MOST_EACH {
            held.push(begin(&list, &store, "one").expect("a place"));
        }
        assert_eq!(begin(&list, &store, "one").err(), Some(BeginError::TooManyFromOne));
        for number in held.len()..MOST {
            held.push(begin(&list, &store, &number.to_string()).expect("a place"));
        }
        assert_eq!(begin(&list, &store, "late").err(), Some(BeginError::Full));
        held.pop();
        assert!(begin(&list, &store, "late").is_ok());
    }

    #[test]
    fn what_another_node_is_at_is_not_begun_here_and_what_was_left_is_gone_on_with() {
        let (_place, store) = store();
        let game = over(&store);
        let kept = |at| {
            let body = "1\n-32000\n31999 d8h4".to_owned();
            let analysis = KeptAnalysis { nodes: 900, done: 2, total: 5, at, body };
            store.keep_analysis(game, analysis).expect("kept");
            StoredAnalysis::read(&*store, game).expect("a game")
        };
        let running = Some(AnalysisState::Running { done: 2, total: 5 });
        assert_eq!(kept(dates::now()).state(Lang::En), running);
        let left = kept(dates::now() - 10 * FRESH);
        assert_eq!((left.state(Lang::En), left.study.done(), left.nodes), (None, 2, 900));
    }
}
