//! Ids of commands: a command that is sent again with its id is done once, however late it comes.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::RunOptions;
use crate::http::Http;
use crate::program::{Server, Start};
use crate::report::Check;
use crate::test_game::Seats;

/// Knight moves that lead back to the first position.
const DANCE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

/// Pawn moves in between, so that no position occurs five times.
const STEPS: [[&str; 2]; 8] = [
    ["a2a3", "a7a6"],
    ["b2b3", "b7b6"],
    ["c2c3", "c7c6"],
    ["d2d3", "d7d6"],
    ["a3a4", "a6a5"],
    ["b3b4", "b6b5"],
    ["c3c4", "c6c5"],
    ["d3d4", "d6d5"],
];

/// Sends the same id again: soon, late, after a kill, after the end, and from the other seat.
pub(super) fn ids(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    for (rounds, killed) in [(1, false), (4, true), (9, false), (16, true)] {
        let seats = Seats::make(http, ["Anna", "Ben"], &json!({}))?;
        let first = dance(http, &seats, rounds)?;
        if killed {
            server.kill()?;
            server.restart()?;
        }
        let before = plies(http, &seats)?;
        let again =
            seats.command(http, &seats.white, "c0", &json!({"type": "move", "uci": "g1f3"}))?;
        let once = again.json()["seq"] == first && plies(http, &seats)? == before;
        let what = format!("the first id again after {before} moves: {}", again.brief());
        check.expect(once, format!("{what} instead of {first}"));
    }

    let seats = Seats::make(http, ["Cho", "Dan"], &json!({}))?;
    let open = json!({"type": "move", "uci": "e2e4"});
    seats.command(http, &seats.white, "same", &open)?;
    let other =
        seats.command(http, &seats.black, "same", &json!({"type": "move", "uci": "e7e5"}))?;
    check.expect(other.status == 200, format!("the other seat's id: {}", other.brief()));
    let resign = json!({"type": "resign"});
    let end = seats.command(http, &seats.white, "end", &resign)?;
    check.expect(end.status == 200, format!("resigned: {}", end.brief()));
    for killed in [false, true] {
        if killed {
            server.kill()?;
            server.restart()?;
        }
        let again = seats.command(http, &seats.white, "end", &resign)?;
        check.expect(again.json() == end.json(), format!("resigned again: {}", again.brief()));
        let again = seats.command(http, &seats.white, "same", &open)?;
        check.expect(again.json()["seq"] == 2, format!("after the end: {}", again.brief()));
    }
    Ok(())
}

fn plies(http: Http, seats: &Seats) -> Result<usize> {
    Ok(seats.state(http)?["plies"].as_array().map_or(0, Vec::len))
}

/// Plays a number of rounds; returns the event number of the first move, which is legal again at
/// the end.
fn dance(http: Http, seats: &Seats, rounds: usize) -> Result<u64> {
    let mut first = None;
    let mut number = 0;
    for round in 0..rounds {
        let steps = STEPS.get(round / 2).filter(|_| round % 2 == 1);
        for uci in steps.into_iter().flatten().chain(&DANCE) {
            let key = if number % 2 == 0 { &seats.white } else { &seats.black };
            let command = json!({"type": "move", "uci": uci});
            let done = seats.command(http, key, &format!("c{number}"), &command)?;
            ensure!(done.status == 200, "{uci}: {}", done.brief());
            first = first.or(done.json()["seq"].as_u64());
            number += 1;
        }
    }
    first.context("no move")
}
