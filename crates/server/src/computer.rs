//! The computer as a player: a pool of threads that chooses moves for all games of this node. When
//! no game waits for a move, it answers questions and analyses games that are over.

mod priority;
mod queue;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hansu_computer::{Opponent, SHORTEST, seed};
use hansu_live::Think;
use hansu_play::{Command, Millis, Offer, Task};
use hansu_records::GameId;

use self::queue::{Next, Queue};
use crate::analyses::AnalysisRun;
use crate::questions::QueuedQuestion;

/// Called with the command that the computer has chosen.
type Done = Box<dyn FnOnce(Command) + Send>;

struct Job {
    game: GameId,
    think: Think,
    done: Done,
}

/// The pool of threads and its queue.
pub(crate) struct Computer {
    queue: Arc<Queue>,
    waiting: Arc<AtomicUsize>,
}

impl Computer {
    /// Starts one thread for every two processors: the other half is for the server.
    pub(crate) fn start() -> Computer {
        let queue = Arc::new(Queue::default());
        let waiting = Arc::new(AtomicUsize::new(0));
        let threads =
            std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2).max(1);
        for number in 0..threads {
            let (queue, waiting) = (queue.clone(), waiting.clone());
            let name = format!("computer-{number}");
            // A thread that cannot be started is left out. Without any, the computer never moves,
            // and its opponents can still resign.
            let _ = std::thread::Builder::new()
                .name(name)
                .stack_size(16 << 20)
                .spawn(move || work(&queue, &waiting));
        }
        Computer { queue, waiting }
    }

    /// Queues a thought. Returns false when the queue is full.
    pub(crate) fn think(&self, game: GameId, think: Think, done: Done) -> bool {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let taken = self.queue.think(Job { game, think, done });
        if !taken {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        taken
    }

    /// Queues an analysis; it runs whenever no game waits for a move.
    pub(crate) fn study(&self, run: Box<AnalysisRun>) {
        self.queue.study(run);
    }

    /// Queues a question; it is answered whenever no game waits for a move.
    pub(crate) fn ask(&self, asked: QueuedQuestion) {
        self.queue.ask(asked);
    }

    /// The number of thoughts that wait or are under way.
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
    priority::lower();
    let mut opponent = Opponent::default();
    // The game whose positions are in the engine's hash table.
    let mut studied = None;
    while let Some(next) = queue.next() {
        match next {
            Next::Thought(Job { game, think, done }) => {
                studied = None;
                if let Some(command) = decide(&mut opponent, game, &think) {
                    done(command);
                }
                waiting.fetch_sub(1, Ordering::Relaxed);
            }
            Next::Question(mut asked) => {
                studied = None;
                opponent.engine().clear();
                let more = asked.work(opponent.engine());
                queue.finish_question(asked, more);
            }
            Next::Study(mut run) => {
                if studied.replace(run.game) != Some(run.game) {
                    opponent.engine().clear();
                }
                if run.step(opponent.engine()) {
                    queue.requeue(run);
                }
            }
        }
    }
}

/// The computer's command for a task. None when there is no legal move.
fn decide(opponent: &mut Opponent, game: GameId, think: &Think) -> Option<Command> {
    Some(match think.task {
        Task::Move if think.computer.resigns && opponent.resigns(&think.game) => Command::Resign,
        Task::Move => {
            let step = opponent.choose(&think.game, think.computer.level, seed(game.as_str()))?;
            Command::Move { uci: step.uci(think.game.variant()) }
        }
        Task::Answer(what @ Offer::Rematch) => {
            Command::Accept { what, next: Some(GameId::random().ok()?.to_string()) }
        }
        Task::Answer(what @ Offer::Draw) if !opponent.takes_draw(&think.game) => {
            Command::Decline { what }
        }
        Task::Answer(what) => Command::Accept { what, next: None },
    })
}

/// How long the computer waits before its command is carried out.
pub(crate) fn pause(think: &Think) -> Duration {
    Duration::from_millis(match think.task {
        Task::Move => {
            let draw = RandomState::new().hash_one(think.seq);
            hansu_computer::pause(&think.game, draw, think.left.map(|Millis(left)| left))
        }
        Task::Answer(_) => SHORTEST,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use hansu_chess::{Color, Game, Variant};
    use hansu_play as play;

    use super::*;

    fn think(task: Task, left: Option<u64>) -> Think {
        let computer = play::Computer { side: Color::White, level: 3, resigns: false };
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
        let mut commands: Vec<Command> = (0..3)
            .map(|_| answers.recv_timeout(Duration::from_secs(60)).expect("an answer"))
            .collect();
        commands.sort_by_key(|command| match command {
            Command::Move { .. } => 0,
            Command::Accept { .. } => 1,
            _ => 2,
        });
        assert!(matches!(commands[0], Command::Move { .. }), "{commands:?}");
        assert_eq!(commands[1], Command::Accept { what: Offer::Takeback, next: None });
        // The computer takes no draw before the first move.
        assert_eq!(commands[2], Command::Decline { what: Offer::Draw });
    }

    /// A game of 41 plies in which White has two rooks more.
    fn lost() -> Game {
        let fen = "7k/R7/8/8/8/8/8/2R4K w - - 0 1";
        let first = hansu_chess::Position::from_fen(fen, Variant::Standard).expect("a position");
        let mut game = Game::from_position(first, Variant::Standard);
        let walk = "h1 g1 f1 e1 d1 d2 e2 f2 g2 h2 h3 g3 f3 e3 d3 d4 e4 f4 g4 h4 h5 g5";
        let squares: Vec<_> = walk.split(' ').map(|name| name.parse().expect("a square")).collect();
        for (number, pair) in squares.windows(2).enumerate() {
            if number > 0 {
                let moves = game.position().legal_moves();
                let reply = moves.into_iter().next().expect("a move");
                game.play(reply.from(), reply.to(), None).expect("a legal move");
            }
            game.play(pair[0], pair[1], None).expect("a legal move");
        }
        game
    }

    #[test]
    fn it_resigns_only_where_it_may() {
        let id: GameId = "computer0000".parse().expect("an id");
        for resigns in [false, true] {
            let computer = play::Computer { side: Color::Black, level: 3, resigns };
            let think = Think { computer, game: lost(), ..think(Task::Move, None) };
            let command = decide(&mut Opponent::default(), id, &think);
            assert_eq!(command == Some(Command::Resign), resigns, "{command:?}");
            assert!(command.is_some());
        }
    }

    #[test]
    fn a_short_clock_is_not_spent_on_manners() {
        for _ in 0..100 {
            assert!(pause(&think(Task::Move, Some(2_000))) <= Duration::from_millis(50));
            assert!(pause(&think(Task::Move, None)) >= Duration::from_millis(SHORTEST));
        }
    }
}
