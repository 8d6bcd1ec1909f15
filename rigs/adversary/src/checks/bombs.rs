//! Bombs: after any input the server is ready, and another game goes on.

mod frames;
mod requests;
mod slow;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use crate::RunOptions;
use crate::http::{Http, TIMEOUT};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::test_game::{Seats, TestGame};
use hansu_ground::Random;

/// A game that must go on, with the count of its moves.
pub(super) struct Bystander<'a> {
    http: Http,
    moves: &'a AtomicUsize,
}

impl Bystander<'_> {
    /// Checks after a bomb that the server is ready and that the game makes two more moves.
    fn check_progress(&self, check: &mut Check, bomb: &str) {
        check.expect(self.http.is_ready(), format!("not ready after {bomb}"));
        let before = self.moves.load(Ordering::Relaxed);
        let begin = Instant::now();
        while self.moves.load(Ordering::Relaxed) < before + 2 {
            if begin.elapsed() > TIMEOUT {
                check.fail(format!("a game beside does not go on after {bomb}"));
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        check.expect(true, "");
    }
}

/// Sends bad requests and frames, and runs slow clients.
pub(super) fn bombs(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let mut random = Random::new(options.seed ^ 8);
    let (stop, moves) = (AtomicBool::new(false), AtomicUsize::new(0));
    let audit = std::thread::scope(|scope| -> Result<_> {
        let chance = random.fork();
        let beside = scope.spawn(|| play(http, chance, &stop, &moves));
        let bystander = Bystander { http, moves: &moves };
        let thrown = throw(options, http, &bystander, check);
        stop.store(true, Ordering::Relaxed);
        let ledgers = beside.join().map_err(|_| anyhow::anyhow!("the bystander panicked"))??;
        thrown?;
        let mut all = crate::ledger::Audit::default();
        for ledger in ledgers {
            all += ledger.audit(http)?;
        }
        Ok(all)
    })?;
    check.expect(audit.is_clean(), format!("the game beside: {}", audit.line()));
    check.note(format!("a game beside: {}", audit.line()));
    ensure!(server.is_running(), "the server has ended");
    let status = server.stop()?;
    check.expect(status.success(), format!("SIGTERM after all bombs: {status}"));
    Ok(())
}

fn throw(
    options: &RunOptions,
    http: Http,
    bystander: &Bystander<'_>,
    check: &mut Check,
) -> Result<()> {
    // Slow clients run in the background of the others.
    let slow = if options.long { Some(slow::Slow::begin(http)?) } else { None };
    requests::requests(http, bystander, check)?;
    frames::frames(http, bystander, check)?;
    if let Some(slow) = slow {
        slow.end(bystander, check)?;
    } else {
        check.note("slow senders and readers: only in the long run");
    }
    Ok(())
}

/// Plays games one after the other until stopped.
fn play(
    http: Http,
    mut random: Random,
    stop: &AtomicBool,
    moves: &AtomicUsize,
) -> Result<Vec<crate::ledger::Ledger>> {
    let mut ledgers = Vec::new();
    let mut before = 0;
    while !stop.load(Ordering::Relaxed) {
        let seats = Seats::make(http, ["Anna", "Ben"], &json!({}))?;
        let mut game = TestGame::new(&[http], &seats, random.fork());
        let played = game.play(|played| {
            moves.store(before + played, Ordering::Relaxed);
            played < 200 && !stop.load(Ordering::Relaxed)
        })?;
        before += played;
        ledgers.push(game.ledger);
    }
    Ok(ledgers)
}
