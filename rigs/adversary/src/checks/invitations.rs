//! Invitations: a link gives one seat, however many guests come, and afterwards the answer says
//! what became of it.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::RunOptions;
use crate::http::{Http, Response, TIMEOUT};
use crate::program::{Server, Start};
use crate::report::Check;

fn invite(http: Http, key: &str) -> Result<(String, String)> {
    let made =
        http.post("/api/games", key, &json!({"with": "friend", "name": "Anna", "color": "white"}))?;
    let text =
        |field: &str| made.json()[field].as_str().map(str::to_owned).with_context(|| made.brief());
    Ok((text("game")?, text("invitation")?))
}

/// Accepts an invitation; repeated while the server is busy, since with a slow disk more than 64
/// requests at once wait for one game.
fn follow(http: Http, token: &str, key: &str) -> Result<Response> {
    let begin = Instant::now();
    loop {
        let answer =
            http.post(&format!("/api/invitations/{token}"), key, &json!({"name": "Ben"}))?;
        if answer.status != 503 || answer.code() != "busy" || begin.elapsed() > TIMEOUT {
            return Ok(answer);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Accepts an invitation with all keys at the same moment.
fn at_once(http: Http, token: &str, keys: &[String]) -> Vec<Result<Response>> {
    let barrier = Barrier::new(keys.len());
    std::thread::scope(|scope| {
        let come = |key: &String| {
            let (key, barrier) = (key.clone(), &barrier);
            scope.spawn(move || {
                barrier.wait();
                follow(http, token, &key)
            })
        };
        let running: Vec<_> = keys.iter().map(come).collect();
        running
            .into_iter()
            .map(|guest| guest.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a guest panicked"))))
            .collect()
    })
}

/// Invitations that are used, withdrawn, accepted by many guests at once, or accepted again.
pub(super) fn invitations(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let host = http.key()?;
    let guests: Result<Vec<String>> = (0..100).map(|_| http.key()).collect();
    let guests = guests?;

    // A hundred guests for one seat.
    let (game, token) = invite(http, &host)?;
    let own = follow(http, &token, &host)?;
    check.expect(own.status >= 400, format!("the host as guest: {}", own.brief()));
    let mut seated = None;
    for (guest, answer) in guests.iter().zip(at_once(http, &token, &guests)) {
        let answer = answer?;
        if answer.status == 201 {
            check.expect(seated.is_none(), "two guests in one chair");
            seated = Some(guest.clone());
            check.expect(answer.json()["seat"] == "black", format!("the seat: {}", answer.brief()));
        } else {
            let late = answer.status == 410 && answer.code() == "invitation_spent";
            check.expect(late, format!("a late guest: {}", answer.brief()));
        }
    }
    let seated = seated.context("of a hundred guests nobody sat down")?;

    // One guest that accepts ten times.
    let (_, other) = invite(http, &host)?;
    let often = vec![guests[0].clone(); 10];
    let answers: Result<Vec<Response>> = at_once(http, &other, &often).into_iter().collect();
    let answers = answers?;
    let first = answers.iter().filter(|answer| answer.status == 201).count();
    let again = answers.iter().filter(|answer| answer.status == 200).count();
    check.expect(
        (first, again) == (1, 9),
        format!("one guest ten times: {first} first, {again} again"),
    );
    let seats: Vec<Value> = answers.iter().map(Response::json).collect();
    check.expect(seats.windows(2).all(|two| two[0] == two[1]), "one guest, different seats");

    // The host can withdraw it, a guest cannot.
    let (unused, withdrawn) = invite(http, &host)?;
    let abort = json!({"id": "off", "command": {"type": "abort"}});
    let path = format!("/api/games/{unused}/commands");
    let refused = http.post(&path, &guests[1], &abort)?;
    check.expect(refused.status >= 400, format!("withdrawn by a guest: {}", refused.brief()));
    let done = http.post(&path, &host, &abort)?;
    check.expect(done.status == 200, format!("withdrawn by the host: {}", done.brief()));

    for restarted in [false, true] {
        if restarted {
            server.kill()?;
            server.restart()?;
        }
        for key in ["", &guests[2], &host] {
            let answer = http.get(&format!("/api/invitations/{withdrawn}"), key)?;
            let said = (answer.status, answer.code());
            check.expect(
                said == (410, "invitation_withdrawn".to_owned()),
                format!("withdrawn: {}", answer.brief()),
            );
        }
        let answer = follow(http, &withdrawn, &guests[2])?;
        check.expect(
            answer.code() == "invitation_withdrawn",
            format!("followed: {}", answer.brief()),
        );
        let answer = follow(http, &token, &seated)?;
        let told = answer.json();
        check.expect(
            answer.status == 200 && told["game"] == game.as_str() && told["seat"] == "black",
            format!("the guest again: {}", answer.brief()),
        );
        let late = guests.iter().find(|guest| **guest != seated).context("another guest")?;
        let answer = follow(http, &token, late)?;
        check.expect(
            (answer.status, answer.code()) == (410, "invitation_spent".to_owned()),
            format!("a late guest: {}", answer.brief()),
        );
        check.expect(answer.json()["game"].is_null(), "a late guest is told a private game");
        let answer = http.get(&format!("/api/invitations/{token}"), &seated)?;
        check.expect(
            answer.status == 410 && answer.json()["seat"] == "black",
            format!("a player looks at it: {}", answer.brief()),
        );
    }
    for token in ["0", &"f".repeat(32), "%00", "..%2f..", &"a".repeat(5_000)] {
        let answer = http.get(&format!("/api/invitations/{token}"), "")?;
        check.expect(
            (400..500).contains(&answer.status),
            format!("no invitation: {}", answer.brief()),
        );
    }
    check.note("expiry (seven days) not waited for");
    Ok(())
}
