//! Time: late moves are refused, and time is given back when the server could not accept moves.

use std::time::Duration;

use anyhow::{Context as _, Result};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::RunOptions;
use crate::http::{Http, TIMEOUT};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::socket::{Received, Socket};
use crate::test_game::Seats;
use hansu_ground::Random;

/// A move is sent at most this long before or after the deadline, in milliseconds.
const AROUND: u64 = 300;

/// A time control without a bonus.
pub(super) fn clock(millis: u64) -> Value {
    json!({"time": {"kind": "clock", "stages": [{"time": millis, "bonus": {"increment": 0}}]}})
}

/// Checks deadlines and credits.
pub(super) fn time(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let mut random = Random::new(options.seed ^ 10);
    let games = if options.long { 60 } else { 12 };
    let late = std::thread::scope(|scope| {
        let players: Vec<_> = (0..games)
            .map(|_| {
                let offset = random.below(AROUND * 2);
                scope.spawn(move || deadline(http, offset))
            })
            .collect();
        players.into_iter().map(std::thread::ScopedJoinHandle::join).collect::<Vec<_>>()
    });
    let (mut taken, mut flagged) = (0, 0);
    for result in late {
        match result {
            Ok(Ok(Late::Taken)) => taken += 1,
            Ok(Ok(Late::Flagged)) => flagged += 1,
            Ok(Ok(Late::Wrong(what))) => check.fail(what),
            Ok(Err(error)) => check.fail(format!("{error:#}")),
            Err(_) => check.fail("a player panicked"),
        }
    }
    check.expect(taken + flagged == games, "a move had neither answer");
    check.note(format!("moves around the deadline: {taken} in time, {flagged} too late"));
    // In the long run the freeze is longer than a player's time.
    let (millis, freeze) = if options.long { (20_000, 21_000) } else { (120_000, 3_000) };
    frozen(&server, [millis, freeze], check)
}

/// The result of a move around its deadline.
enum Late {
    Taken,
    Flagged,
    Wrong(String),
}

/// Sends a move up to [`AROUND`] milliseconds before or after the deadline. It must be either
/// accepted and kept, or refused because the flag fell.
fn deadline(http: Http, offset: u64) -> Result<Late> {
    let seats = Seats::make(http, ["Anna", "Ben"], &clock(2_000))?;
    // The first moves take no time; White's second move does.
    let socket = Socket::enter(http, &seats.game, &seats.white, 0)?;
    let welcome = socket.wait(TIMEOUT, |told| told["type"] == "welcome")?;
    let now = welcome["now"].as_u64().context("the server's time")?;
    let heard = std::time::Instant::now();
    seats.play(http, "e2e4 e7e5")?;
    let told = socket.wait(TIMEOUT, |told| {
        told["ticking"]["side"] == "white" && told["entry"]["uci"] == "e7e5"
    })?;
    let ticking = &told["ticking"];
    let end = ticking["from"].as_u64().zip(ticking["left"].as_u64());
    let (from, left) = end.context("from when on, and how much")?;
    let wait = Duration::from_millis((from + left + offset).saturating_sub(now + AROUND));
    std::thread::sleep(wait.saturating_sub(heard.elapsed()));
    let answer = socket.command("late", &json!({"type": "move", "uci": "g1f3"}))?;
    let end = std::time::Instant::now() + TIMEOUT;
    // In both cases White's or Black's flag falls in the end.
    let state = loop {
        let state = seats.state(http)?;
        if state["phase"] == "ended" || std::time::Instant::now() > end {
            break state;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let plies = state["plies"].as_array().map_or(0, Vec::len);
    let loser_wins = if plies == 3 { "white" } else { "black" };
    let outcome = state.to_string();
    let timeout = state["phase"] == "ended" && outcome.contains("\"timeout\"");
    let right = timeout && outcome.contains(&format!("\"winner\":\"{loser_wins}\""));
    Ok(match (answer["type"].as_str(), plies) {
        _ if !right => Late::Wrong(format!("no flag for {loser_wins}: {outcome}")),
        (Some("ack"), 3) => Late::Taken,
        (Some("refused"), 2) => Late::Flagged,
        (told, plies) => Late::Wrong(format!("{told:?}, and {plies} moves stand: {answer}")),
    })
}

/// When the process is frozen while a clock runs, the time is given back.
fn frozen(server: &Server, [millis, freeze]: [u64; 2], check: &mut Check) -> Result<()> {
    let http = server.http();
    let seats = Seats::make(http, ["Anna", "Ben"], &clock(millis))?;
    seats.play(http, "e2e4 e7e5")?;
    let socket = Socket::enter(http, &seats.game, &seats.white, 0)?;
    socket.wait(TIMEOUT, |told| told["type"] == "turn")?;
    server.signal(Signal::STOP)?;
    std::thread::sleep(Duration::from_millis(freeze));
    server.signal(Signal::CONT)?;
    let answer = socket.command("after", &json!({"type": "move", "uci": "g1f3"}));
    let answer = match answer {
        Ok(answer) => answer,
        // The server may have closed the connection: reconnect and send the command again.
        Err(_) => Socket::enter(http, &seats.game, &seats.white, 0)?
            .command("after", &json!({"type": "move", "uci": "g1f3"}))?,
    };
    check.expect(answer["type"] == "ack", format!("a move after the freeze: {answer}"));
    let state = seats.state(http)?;
    let plies = state["plies"].as_array().map_or(0, Vec::len);
    check.expect(plies == 3, format!("{plies} moves after the freeze"));
    let credited = credits(http, &seats)?;
    check.expect(credited >= freeze / 2, format!("{credited} ms given back of {freeze}"));
    Ok(())
}

/// The milliseconds that were given back in a game, summed over its events.
pub(super) fn credits(http: Http, seats: &Seats) -> Result<u64> {
    let socket = Socket::enter(http, &seats.game, "", 1)?;
    let welcome = socket.wait(TIMEOUT, |told| told["type"] == "welcome")?;
    let last = welcome["seq"].as_u64().unwrap_or(0);
    let mut sum = 0;
    loop {
        match socket.receive(TIMEOUT).context("events")? {
            Received::Message(told) if told["type"] == "event" => {
                let entry = &told["entry"];
                if entry["type"] == "credited" {
                    sum += entry["time"].as_u64().unwrap_or(0);
                }
                if entry["seq"].as_u64() >= Some(last) {
                    return Ok(sum);
                }
            }
            Received::Message(_) => {}
            Received::Closed(code) => anyhow::bail!("closed with {code}"),
        }
    }
}
