//! Kills, stops and freezes while games are played: acknowledged moves are kept, once and in order.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use rustix::process::Signal;
use serde_json::json;

use crate::RunOptions;
use crate::http::{Http, TIMEOUT};
use crate::ledger::{Audit, Ledger};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::test_game::{Seats, TestGame};
use hansu_ground::Random;

/// After this many moves a game is left and a new one started.
const LONGEST: usize = 160;

/// Players that play games one after the other through all faults.
pub(super) struct Crowd {
    stop: AtomicBool,
    moves: AtomicU64,
    done: Mutex<(Vec<Ledger>, Vec<String>)>,
}

impl Crowd {
    pub(super) fn new() -> Crowd {
        let (stop, moves) = (AtomicBool::new(false), AtomicU64::new(0));
        Crowd { stop, moves, done: Mutex::default() }
    }

    /// Plays until the crowd is stopped; keeps the ledgers and the errors.
    pub(super) fn play(&self, servers: &[Http], mut random: Random) {
        while !self.stop.load(Ordering::Relaxed) {
            let server = random.pick(servers);
            // No game can be made while the server is down.
            let seats = server.map(|http| Seats::make(http, ["Anna", "Ben"], &json!({})));
            let Some(Ok(seats)) = seats else {
                std::thread::sleep(Duration::from_millis(50));
                continue;
            };
            let mut game = TestGame::new(servers, &seats, random.fork());
            let known = std::cell::Cell::new(0);
            let played = game.play(|moves| {
                let more = moves.saturating_sub(known.replace(moves));
                self.moves.fetch_add(more as u64, Ordering::Relaxed);
                moves < LONGEST && !self.stop.load(Ordering::Relaxed)
            });
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            done.0.push(game.ledger);
            if let Err(error) = played {
                done.1.push(format!("{error:#}"));
                return;
            }
        }
    }

    /// The number of moves sent so far.
    pub(super) fn moves(&self) -> u64 {
        self.moves.load(Ordering::Relaxed)
    }

    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits until this many more moves were sent.
    pub(super) fn wait_for_moves(&self, more: u64) -> Result<()> {
        let (wanted, begin) = (self.moves() + more, Instant::now());
        while self.moves() < wanted {
            ensure!(begin.elapsed() < 2 * TIMEOUT, "games do not go on");
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Compares all ledgers with a server's games.
    pub(super) fn audit(&self, http: Http, check: &mut Check) -> Result<Audit> {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = Audit::default();
        for ledger in &done.0 {
            let audit = ledger.audit(http)?;
            let game = &ledger.game;
            check.expect(audit.is_clean(), format!("{game}: {}", audit.line()));
            all += audit;
        }
        for trouble in &done.1 {
            check.fail(trouble.clone());
        }
        check.expect(all.acknowledged > 0, "nothing was played");
        Ok(all)
    }
}

/// Kills, stops and freezes one server.
pub(super) fn kills(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let crowd = Crowd::new();
    let mut random = Random::new(options.seed);
    let dealt = std::thread::scope(|scope| -> Result<[u64; 3]> {
        for _ in 0..options.games {
            let random = random.fork();
            scope.spawn(|| crowd.play(&[http], random));
        }
        let dealt = deal(options, &mut server, &crowd, &mut random);
        crowd.stop();
        dealt
    })?;
    let [kills, stops, freezes] = dealt;
    check.note(format!("{kills} kills, {stops} stops, {freezes} freezes"));
    let audit = crowd.audit(http, check)?;
    check.note(audit.line());
    // The kill removes everything that was only in the server's memory.
    server.kill()?;
    server.restart()?;
    let after = crowd.audit(http, check)?;
    check.expect(audit == after, format!("after one more kill: {}", after.line()));
    check.expect(audit.resent > 0, "nothing was in flight when the server was killed");
    Ok(())
}

/// Runs the rounds: of five, two are kills, one a stop, one a freeze, and one a kill while players
/// reconnect.
fn deal(
    options: &RunOptions,
    server: &mut Server,
    crowd: &Crowd,
    random: &mut Random,
) -> Result<[u64; 3]> {
    let mut dealt = [0; 3];
    for round in 0..options.rounds {
        if round % 5 != 4 {
            crowd.wait_for_moves(options.games)?;
        }
        std::thread::sleep(Duration::from_millis(random.below(300)));
        match round % 5 {
            2 => {
                let status = server.stop()?;
                ensure!(status.success(), "SIGTERM ended the server with {status}");
                server.restart()?;
                dealt[1] += 1;
            }
            3 => {
                server.signal(Signal::STOP)?;
                std::thread::sleep(Duration::from_millis(100 + random.below(1_500)));
                server.signal(Signal::CONT)?;
                dealt[2] += 1;
            }
            _ => {
                server.kill()?;
                server.restart()?;
                dealt[0] += 1;
            }
        }
    }
    crowd.wait_for_moves(2 * options.games)?;
    Ok(dealt)
}
