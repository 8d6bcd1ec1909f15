//! The computer as a player: a bounded pool of threads that think for all games of this node, and
//! answer questions and look at games that are over when none of them waits for a move.

mod queue;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hansu_engine::{Engine, Level, Limits, NoTime, Settings, Signals};
use hansu_live::{Task, Think};
use hansu_play::{Command, Millis, Offer};
use hansu_records::GameId;

use self::queue::{Next, Queue};
use crate::analyses::Run;
use crate::questions::Asked;

/// The table of each thread, in MiB: levels are bounded by nodes, and need no more.
const TABLE: usize = 4;
/// A draw is taken when the computer thinks the game to be within this, in hundredths of a pawn …
const EVEN: i32 = 15;
/// … and this many moves were played.
const DRAW_AFTER: usize = 60;
/// How long a move takes at least; an answer within a millisecond feels like a machine.
const SHORTEST: Duration = Duration::from_millis(350);
/// How much longer it may take.
const SPREAD: u64 = 900;

/// What is called with the command that a thought has led to.
type Done = Box<dyn FnOnce(Command) + Send>;

struct Job {
    game: GameId,
    think: Think,
    done: Done,
}

/// The pool.
pub(crate) struct Computer {
    queue: Arc<Queue>,
    waiting: Arc<AtomicUsize>,
}

impl Computer {
    /// Starts the threads: half of the processors, so that people come first.
    pub(crate) fn start() -> Computer {
        let queue = Arc::new(Queue::default());
        let waiting = Arc::new(AtomicUsize::new(0));
        let threads =
            std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2).max(1);
        for number in 0..threads {
            let (queue, waiting) = (queue.clone(), waiting.clone());
            let name = format!("computer-{number}");
            // A thread that cannot be started is done without; with none, thoughts wait for ever,
            // and people can still resign.
            let _ = std::thread::Builder::new()
                .name(name)
                .stack_size(16 << 20)
                .spawn(move || work(&queue, &waiting));
        }
        Computer { queue, waiting }
    }

    /// Thinks about something. False when too many wait.
    pub(crate) fn think(&self, game: GameId, think: Think, done: Done) -> bool {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let taken = self.queue.think(Job { game, think, done });
        if !taken {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        taken
    }

    /// Looks at a game that is over, whenever no game waits for a move.
    pub(crate) fn study(&self, run: Box<Run>) {
        self.queue.study(run);
    }

    /// Answers a question, whenever no game waits for a move.
    pub(crate) fn ask(&self, asked: Asked) {
        self.queue.ask(asked);
    }

    /// How many thoughts wait or are under way.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

impl Drop for Computer {
    fn drop(&mut self) {
        self.queue.close();
    }
}

fn work(queue: &Queue, waiting: &AtomicUsize) {
    let mut engine = Engine::new(Settings { megabytes: TABLE, threads: 1, ..Settings::default() });
    // The game whose positions the engine remembers.
    let mut studied = None;
    while let Some(next) = queue.next() {
        match next {
            Next::Thought(Job { game, think, done }) => {
                studied = None;
                if let Some(command) = decide(&mut engine, game, &think) {
                    done(command);
                }
                waiting.fetch_sub(1, Ordering::Relaxed);
            }
            Next::Question(mut asked) => {
                studied = None;
                engine.clear();
                let more = asked.work(&mut engine);
                queue.asked(asked, more);
            }
            Next::Study(mut run) => {
                if studied.replace(run.game) != Some(run.game) {
                    engine.clear();
                }
                if run.step(&mut engine) {
                    queue.go_on(run);
                }
            }
        }
    }
}

/// What the computer does.
fn decide(engine: &mut Engine, game: GameId, think: &Think) -> Option<Command> {
    let positions = think.game.positions();
    let position = think.game.position();
    let earlier: Vec<u64> = positions
        .iter()
        .take(positions.len().saturating_sub(1))
        .map(hansu_chess::Position::key)
        .collect();
    let level = Level::new(think.computer.level).unwrap_or(Level::LAST);
    engine.clear();
    Some(match think.task {
        Task::Move => {
            let seed = seed(game);
            let signals = Signals::default();
            let step = level.choose(engine, position, &earlier, seed, &signals)?;
            Command::Move { uci: step.uci(think.game.variant()) }
        }
        Task::Answer(what @ Offer::Rematch) => {
            Command::Accept { what, next: Some(GameId::random().ok()?.to_string()) }
        }
        Task::Answer(Offer::Draw) => {
            let what = Offer::Draw;
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let found = engine
                .search(position, &earlier, &limits, &Signals::default(), &NoTime, &mut |_| ())
                .score;
            let even = think.game.moves().len() >= DRAW_AFTER && found.abs() <= EVEN;
            if even { Command::Accept { what, next: None } } else { Command::Decline { what } }
        }
        Task::Answer(what) => Command::Accept { what, next: None },
    })
}

/// The same for a whole game, whichever node thinks and however often it is started.
fn seed(game: GameId) -> u64 {
    game.as_str().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// How long the computer waits with its move, as a person would: longer now and then, shorter when
/// its clock is short.
pub(crate) fn pause(think: &Think) -> Duration {
    let spread = RandomState::new().hash_one(think.seq) % SPREAD;
    let wanted = SHORTEST + Duration::from_millis(spread);
    let most = think.left.map_or(u64::MAX, |Millis(left)| left / 40);
    match think.task {
        Task::Move => wanted.min(Duration::from_millis(most)),
        Task::Answer(_) => SHORTEST,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use hansu_chess::{Color, Game};
    use hansu_play as play;

    use super::*;

    fn think(task: Task, left: Option<u64>) -> Think {
        let computer = play::Computer { side: Color::White, level: 3 };
        Think { computer, seq: 1, task, game: Game::start(), left: left.map(Millis) }
    }

    #[test]
    fn thoughts_come_back_as_commands_and_the_queue_is_counted() {
        let pool = Computer::start();
        let (sender, answers) = mpsc::channel();
        for task in [Task::Move, Task::Answer(Offer::Takeback), Task::Answer(Offer::Draw)] {
            let sender = sender.clone();
            let id = "computer0000".parse().expect("an id");
            let done: Done = Box::new(move |command| sender.send(command).expect("a listener"));
            assert!(pool.think(id, think(task, None), done));
        }
        let mut told: Vec<Command> = (0..3)
            .map(|_| answers.recv_timeout(Duration::from_secs(60)).expect("an answer"))
            .collect();
        told.sort_by_key(|command| match command {
            Command::Move { .. } => 0,
            Command::Accept { .. } => 1,
            _ => 2,
        });
        assert!(matches!(told[0], Command::Move { .. }), "{told:?}");
        assert_eq!(told[1], Command::Accept { what: Offer::Takeback, next: None });
        // Nobody takes a draw before the game has begun.
        assert_eq!(told[2], Command::Decline { what: Offer::Draw });
    }

    #[test]
    fn a_short_clock_is_not_spent_on_manners() {
        for _ in 0..100 {
            assert!(pause(&think(Task::Move, Some(2_000))) <= Duration::from_millis(50));
            assert!(pause(&think(Task::Move, None)) >= SHORTEST);
        }
    }
}
