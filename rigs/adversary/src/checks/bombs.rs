//! Bombs: whatever comes over the wire, the server is ready afterwards and a game beside goes on.

mod frames;
mod requests;
mod slow;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use crate::Hall;
use crate::http::{Http, PATIENCE};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::table::{Seats, Table};
use hansu_ground::Random;

/// A game that must go on, and a way to look whether it does.
pub(super) struct Bystander<'a> {
    http: Http,
    moves: &'a AtomicUsize,
}

impl Bystander<'_> {
    /// After each bomb: ready, and two moves more.
    fn goes_on(&self, check: &mut Check, bomb: &str) {
        check.expect(self.http.is_ready(), format!("not ready after {bomb}"));
        let before = self.moves.load(Ordering::Relaxed);
        let begin = Instant::now();
        while self.moves.load(Ordering::Relaxed) < before + 2 {
            if begin.elapsed() > PATIENCE {
                check.fail(format!("a game beside does not go on after {bomb}"));
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        check.expect(true, "");
    }
}

/// Requests, frames and slowness.
pub(super) fn bombs(hall: &Hall, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&hall.binary, Start::over(folder.path()))?;
    let http = server.http();
    let mut random = Random::new(hall.seed ^ 8);
    let (stop, moves) = (AtomicBool::new(false), AtomicUsize::new(0));
    let audit = std::thread::scope(|scope| -> Result<_> {
        let chance = random.fork();
        let beside = scope.spawn(|| play(http, chance, &stop, &moves));
        let bystander = Bystander { http, moves: &moves };
        let thrown = throw(hall, http, &bystander, check);
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

fn throw(hall: &Hall, http: Http, bystander: &Bystander<'_>, check: &mut Check) -> Result<()> {
    // These take their time; they end beside the others.
    let slow = if hall.long { Some(slow::Slow::begin(http)?) } else { None };
    requests::requests(http, bystander, check)?;
    frames::frames(http, bystander, check)?;
    if let Some(slow) = slow {
        slow.end(bystander, check)?;
    } else {
        check.note("slow senders and readers: only in the long run");
    }
    Ok(())
}

/// Games one after the other, until told to stop.
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
        let mut table = Table::new(&[http], &seats, random.fork());
        let played = table.play(|played| {
            moves.store(before + played, Ordering::Relaxed);
            played < 200 && !stop.load(Ordering::Relaxed)
        })?;
        before += played;
        ledgers.push(table.ledger);
    }
    Ok(ledgers)
}
