//! Stolen keys, and codes for one more device: a player that signs out keeps everything, and the
//! old key is worthless, also after kills.

use std::sync::Barrier;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::RunOptions;
use crate::http::{Http, Response};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::test_game::Seats;
use hansu_ground::Random;

const RENEW: &str = "/api/keys/renew";

/// The key in a response.
fn key_in(answer: &Response) -> Result<String> {
    answer.json()["key"].as_str().map(str::to_owned).with_context(|| answer.brief())
}

/// Kills the server at random moments while a player signs out; afterwards the new key has
/// everything.
pub(super) fn devices(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let mut random = Random::new(options.seed ^ 14);
    for round in 0..options.rounds {
        let seats = Seats::make(http, ["Anna", "Ben"], &json!({}))?;
        seats.play(http, "e2e4 e7e5")?;
        let promised = http.post(RENEW, &seats.white, &json!({}))?;
        check.expect(promised.json()["again"] == true, format!("promised: {}", promised.brief()));
        let new = key_in(&promised)?;
        let body = json!({"key": new});
        let pause = Duration::from_micros(random.below(4_000));
        let status = std::thread::scope(|scope| -> Result<Option<u16>> {
            let asked = scope.spawn(|| http.post(RENEW, &seats.white, &body));
            std::thread::sleep(pause);
            server.kill()?;
            let answer = asked.join().ok().and_then(Result::ok);
            server.restart()?;
            Ok(answer.map(|answer| answer.status))
        })?;
        if status.is_none() {
            // The answer was lost, so the request is sent again, as docs/api.md says.
            let again = http.post(RENEW, &seats.white, &body)?;
            check.expect(again.status == 200, format!("round {round}: {}", again.brief()));
        }
        check_ownership(http, &seats, &new, check)?;
    }
    codes(http, check)
}

/// The new key plays White; the old one, which a thief may have, is refused.
fn check_ownership(http: Http, seats: &Seats, new: &str, check: &mut Check) -> Result<()> {
    let step = json!({"type": "move", "uci": "g1f3"});
    for (id, wish) in [("stolen", step.clone()), ("given up", json!({"type": "resign"}))] {
        let stolen = seats.command(http, &seats.white, id, &wish)?;
        check.expect(stolen.status >= 400, format!("with the old key: {}", stolen.brief()));
    }
    let again = http.post(RENEW, &seats.white, &json!({"key": http.key()?}))?;
    check.expect(again.status < 500, format!("the thief signs out: {}", again.brief()));
    let own = seats.command(http, new, "own", &step)?;
    check.expect(own.status == 200, format!("with the new key: {}", own.brief()));
    Ok(())
}

/// A code works once, even for 20 requests at the same moment; wrong codes are refused.
fn codes(http: Http, check: &mut Check) -> Result<()> {
    let key = http.key()?;
    let made = http.post("/api/passes", &key, &Value::Null)?;
    ensure!(made.status == 201, "a code: {}", made.brief());
    let code = made.json()["code"].as_str().context("a code")?.to_owned();
    let barrier = Barrier::new(20);
    let answers: Vec<Result<Response>> = std::thread::scope(|scope| {
        let use_up = || {
            barrier.wait();
            http.post(&format!("/api/passes/{code}"), "", &Value::Null)
        };
        let all: Vec<_> = (0..20).map(|_| scope.spawn(use_up)).collect();
        all.into_iter().filter_map(|one| one.join().ok()).collect()
    });
    let mut used = 0;
    for answer in answers {
        let answer = answer?;
        if answer.status == 200 {
            used += 1;
            check.expect(key_in(&answer)? == key, "the code gave another key");
        } else {
            check.expect(answer.status == 404, format!("a used code: {}", answer.brief()));
        }
    }
    check.expect(used == 1, format!("a code was used {used} times"));
    for wrong in ["", "aaaa-aaaa-aaaa", "../keys", "%00", &"a".repeat(5_000)] {
        let answer = http.post(&format!("/api/passes/{wrong}"), "", &Value::Null)?;
        let refused = (400..500).contains(&answer.status);
        check.expect(refused, format!("the code {wrong:.20}: {}", answer.brief()));
    }
    Ok(())
}
