//! Foreign seats: without a seat's key no request can act for it.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::RunOptions;
use crate::http::{Http, Response};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::socket::Socket;
use crate::test_game::Seats;

/// A way to authenticate that must not give the seat.
struct Guise {
    name: &'static str,
    headers: Vec<(&'static str, String)>,
    query: String,
}

/// All the ways; `key` is the seat's key, which some of them put where it does not belong.
fn guises(http: Http, key: &str, stranger: &str) -> Vec<Guise> {
    let plain =
        |name, headers: Vec<(&'static str, String)>| Guise { name, headers, query: String::new() };
    let bearer = |name, text: &str| plain(name, vec![("Authorization", format!("Bearer {text}"))]);
    let short: String = key.chars().take(31).collect();
    let turned: String = key.chars().rev().collect();
    let origin = format!("http://{}", http.0);
    vec![
        plain("no key", vec![]),
        bearer("another's key", stranger),
        bearer("an empty key", ""),
        bearer("no hexadecimal digits", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"),
        bearer("a digit too few", &short),
        bearer("a digit too many", &format!("{key}0")),
        bearer("turned round", &turned),
        bearer("two keys", &format!("{stranger}, {key}")),
        bearer(
            "the game's hash as key",
            "0000000000000000000000000000000000000000000000000000000000000000",
        ),
        bearer("quotes and statements", "' OR 1=1 --"),
        plain("basic instead of bearer", vec![("Authorization", format!("Basic {key}"))]),
        plain("the key alone", vec![("Authorization", key.to_owned())]),
        plain("a header of one's own", vec![("X-Hansu-Key", key.to_owned())]),
        plain(
            "a cookie of another name",
            vec![("Cookie", format!("key={key}")), ("Origin", origin)],
        ),
        plain("a cookie without an origin", vec![("Cookie", format!("hansu={key}"))]),
        plain(
            "a cookie and a foreign origin",
            vec![("Cookie", format!("hansu={key}")), ("Origin", "http://evil.example".to_owned())],
        ),
        Guise { name: "the address", headers: vec![], query: format!("?key={key}&token={key}") },
    ]
}

impl Guise {
    fn send(&self, http: Http, method: &str, path: &str, body: Option<&Value>) -> Result<Response> {
        let mut headers: Vec<(&str, &str)> =
            self.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let body = body.map(Value::to_string);
        if body.is_some() {
            headers.push(("Content-Type", "application/json"));
        }
        let path = format!("{path}{}", self.query);
        http.send(method, &path, &headers, body.as_ref().map(String::as_bytes))
    }
}

/// Commands that strangers try.
const COMMANDS: [&str; 13] = [
    r#"{"type":"move","uci":"e7e5"}"#,
    r#"{"type":"move","uci":"d2d4"}"#,
    r#"{"type":"resign"}"#,
    r#"{"type":"offer","what":"draw"}"#,
    r#"{"type":"accept","what":"draw"}"#,
    r#"{"type":"decline","what":"draw"}"#,
    r#"{"type":"offer","what":"takeback"}"#,
    r#"{"type":"offer","what":"adjournment"}"#,
    r#"{"type":"offer","what":"rematch"}"#,
    r#"{"type":"claim_draw"}"#,
    r#"{"type":"claim_absence","result":"win"}"#,
    r#"{"type":"abort"}"#,
    r#"{"type":"chat","text":"I am Anna"}"#,
];

/// Checks that nothing happens without a seat's key.
pub(super) fn seats(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let seats = Seats::make(http, ["Anna", "Ben"], &json!({}))?;
    seats.play(http, "e2e4")?;
    // If a stranger could accept this offer, the game would end.
    let offer = json!({"type": "offer", "what": "draw"});
    let offered = seats.command(http, &seats.white, "offer", &offer)?;
    check.expect(offered.status == 200, format!("a draw offer: {}", offered.brief()));
    let ended = Seats::make(http, ["Cho", "Dan"], &json!({}))?;
    ended.play(http, "f2f3 e7e5 g2g4 d8h4")?;
    let stranger = http.key()?;
    let imported = http.send(
        "POST",
        "/api/import",
        &[("Authorization", &format!("Bearer {}", seats.white))],
        Some(b"[White \"Eva\"]\n[Black \"Fritz\"]\n\n1. e4 e5 *\n"),
    )?;
    check.expect(imported.json()["added"] == 1, format!("an import: {}", imported.brief()));
    let own = http.get("/api/games?mine=true&source=import", &seats.white)?.json();
    let brought = own["games"][0]["id"].as_str().context("the imported game")?.to_owned();
    let open =
        http.post("/api/games", &seats.white, &json!({"with": "friend", "name": "Anna"}))?.json();
    let (waiting, token) =
        (open["game"].as_str().context("a game")?, open["invitation"].as_str().context("a token")?);
    let worded =
        http.request("PUT", &format!("/api/games/{}/tags/mine", ended.game), &ended.white, None)?;
    check.expect(worded.status < 300, format!("an own tag: {}", worded.brief()));

    let before = (seats.state(http)?, ended.state(http)?);
    for guise in guises(http, &seats.black, &stranger) {
        for (number, command) in COMMANDS.iter().enumerate() {
            let command: Value = serde_json::from_str(command)?;
            let body = json!({"id": format!("s{number}"), "command": command});
            for game in [&seats.game, &ended.game, &brought] {
                let path = format!("/api/games/{game}/commands");
                let answer = guise.send(http, "POST", &path, Some(&body))?;
                expect_refused(check, &guise, &command.to_string(), &answer);
            }
        }
        let abort = json!({"id": "w", "command": {"type": "abort"}});
        let answer =
            guise.send(http, "POST", &format!("/api/games/{waiting}/commands"), Some(&abort))?;
        expect_refused(check, &guise, "withdraw an invitation", &answer);
        for game in [&seats.game, &ended.game, &brought] {
            let note = json!({"note": "forged"});
            let path = format!("/api/games/{game}");
            let answer = guise.send(http, "PUT", &format!("{path}/note"), Some(&note))?;
            expect_refused(check, &guise, "a note", &answer);
            let answer = guise.send(http, "PUT", &format!("{path}/tags/forged"), None)?;
            expect_refused(check, &guise, "a tag", &answer);
            let answer = guise.send(http, "DELETE", &format!("{path}/tags/mine"), None)?;
            expect_refused(check, &guise, "taking a tag off", &answer);
            let answer = guise.send(http, "DELETE", &path, None)?;
            expect_refused(check, &guise, "a deletion", &answer);
        }
        let path = format!("/api/games/{}/analysis", seats.game);
        let answer = guise.send(http, "POST", &path, None)?;
        expect_refused(check, &guise, "an analysis of a game being played", &answer);
    }
    sockets(http, &seats, &stranger, check)?;
    check.expect(before == (seats.state(http)?, ended.state(http)?), "a game has changed");
    let tags = http.get(&format!("/api/games/{}", ended.game), &ended.white)?.json();
    check
        .expect(tags["game"]["tags"] == json!(["mine"]), format!("tags: {}", tags["game"]["tags"]));
    check
        .expect(http.get(&format!("/api/games/{brought}"), "")?.status == 200, "an import is gone");
    check.expect(
        http.get(&format!("/api/invitations/{token}"), "")?.status == 200,
        "withdrawn by a stranger",
    );
    // The seats still work, also with a valid cookie: Black's move declines the offer.
    let (cookie, origin) = (format!("hansu={}", seats.black), format!("http://{}", http.0));
    let headers =
        [("Cookie", &*cookie), ("Origin", &*origin), ("Content-Type", "application/json")];
    let body = json!({"id": "b1", "command": {"type": "move", "uci": "e7e5"}}).to_string();
    let path = format!("/api/games/{}/commands", seats.game);
    let answer = http.send("POST", &path, &headers, Some(body.as_bytes()))?;
    check.expect(answer.status == 200, format!("Black's own move: {}", answer.brief()));
    public(options, check)
}

/// A server with a public URL serves only that host and origin, with a secure cookie.
fn public(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let start = Start::over(folder.path()).with(&["--public-url", "https://chess.example"]);
    let server = Server::start(&options.binary, start)?;
    let http = server.http();
    let own = ("Host", "chess.example");
    let me = http.send("GET", "/api/me", &[own], None)?;
    let cookie = me.header("set-cookie").unwrap_or_default().to_owned();
    let safe = cookie.starts_with("__Host-hansu=")
        && ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]
            .iter()
            .all(|word| cookie.contains(word));
    check.expect(me.status == 200 && safe, format!("the cookie on https: {cookie}"));
    let known = ("Cookie", cookie.split(';').next().unwrap_or_default());
    let body = json!({"with": "local", "name": "Anna", "other": "Ben"}).to_string();
    let loopback = format!("http://{}", http.0);
    let origins = [
        ("https://chess.example", 201),
        ("http://chess.example", 403),
        ("https://chess.example.evil.example", 403),
        ("https://evil.example", 403),
        ("null", 403),
        (loopback.as_str(), 403),
    ];
    for (origin, wanted) in origins {
        let headers = [own, known, ("Origin", origin), ("Content-Type", "application/json")];
        let answer = http.send("POST", "/api/games", &headers, Some(body.as_bytes()))?;
        check.expect(answer.status == wanted, format!("{origin}: {}", answer.brief()));
    }
    let foreign = http.send("GET", "/api/me", &[("Host", "evil.example")], None)?;
    check.expect(foreign.status == 421, format!("another host: {}", foreign.brief()));
    Ok(())
}

fn expect_refused(check: &mut Check, guise: &Guise, what: &str, answer: &Response) {
    let no = matches!(answer.status, 400 | 401 | 403 | 404 | 405 | 409 | 421 | 422);
    check.expect(no, format!("{}: {what}: {}", guise.name, answer.brief()));
}

/// The same over a websocket; and White's key cannot act for Black.
fn sockets(http: Http, seats: &Seats, stranger: &str, check: &mut Check) -> Result<()> {
    for key in ["", stranger, "zz"] {
        let Ok(socket) = Socket::enter(http, &seats.game, key, 0) else {
            check.expect(true, "");
            continue;
        };
        let welcome = socket.wait(crate::http::TIMEOUT, |told| told["type"] == "welcome")?;
        check.expect(welcome["seat"].is_null(), format!("a seat for nothing: {welcome}"));
        for (number, command) in COMMANDS.iter().enumerate() {
            let answer = socket.command(&format!("w{number}"), &serde_json::from_str(command)?)?;
            check.expect(answer["type"] == "refused", format!("{command}: {answer}"));
        }
    }
    let white = Socket::enter(http, &seats.game, &seats.white, 0)?;
    let answer = white.command("not-mine", &json!({"type": "move", "uci": "e7e5"}))?;
    check.expect(answer["type"] == "refused", format!("White moves Black's pawn: {answer}"));
    let answer = white.command("own-offer", &json!({"type": "accept", "what": "draw"}))?;
    check.expect(answer["type"] == "refused", format!("White takes White's offer: {answer}"));
    Ok(())
}
