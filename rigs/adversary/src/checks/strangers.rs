//! Strangers learn nothing about private games; tags and notes are visible only to their writers.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::RunOptions;
use crate::http::{Http, escape};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::socket::Socket;
use crate::test_game::Seats;
use hansu_ground::Random;

/// A game that ends by mate.
const MATE: &str = "f2f3 e7e5 g2g4 d8h4";

/// The paths of everything that lists, counts or searches.
fn questions(names: &[&str], words: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = [
        "/api/games",
        "/api/games?limit=200&order=oldest",
        "/api/games?status=live",
        "/api/games?status=ended",
        "/api/games?source=online",
        "/api/games?source=import",
        "/api/games?result=0-1",
        "/api/games?reason=checkmate",
        "/api/games?opening=A00",
        "/api/games?mine=true",
        "/api/players",
        "/api/players?limit=1000",
        "/api/statistics",
        "/api/tags",
        "/api/lobby",
        "/metrics",
    ]
    .map(str::to_owned)
    .to_vec();
    for name in names.iter().map(|name| escape(name)) {
        for filter in ["player", "white", "black", "text"] {
            all.push(format!("/api/games?{filter}={name}"));
        }
        all.push(format!("/api/players/{name}"));
        for other in names.iter().map(|name| escape(name)) {
            all.push(format!("/api/players/{name}/against/{other}"));
        }
    }
    for word in words.iter().map(|word| escape(word)) {
        all.push(format!("/api/games?tag={word}"));
        all.push(format!("/api/games?text={word}"));
    }
    all
}

/// The answers to strangers are the same before and after private games were played.
pub(super) fn strangers(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let mut random = Random::new(options.seed ^ 3);
    let mut secret = |kind: &str| format!("{kind}{:08x}", random.number() >> 32);
    let [anna, ben, eva] = [secret("Anna"), secret("Ben"), secret("Eva")];
    let [tag, note, chat] = [secret("tag"), secret("note"), secret("chat")];
    let secrets = [&anna, &ben, &eva, &tag, &note, &chat].map(String::as_str);

    // A public game, so that there is something to count.
    let public = Seats::make(http, ["Cho", "Dan"], &json!({"visibility": "public"}))?;
    public.play(http, MATE)?;
    let stranger = http.key()?;
    let asked = questions(&["Cho", "Dan"], &[]);
    let before = answers(http, &asked, &["", &stranger])?;

    let private = Seats::make(http, [&anna, &ben], &json!({}))?;
    let said = json!({"type": "chat", "text": chat});
    private.command(http, &private.white, "chat", &said)?;
    private.play(http, MATE)?;
    let live = Seats::make(http, [&anna, &ben], &json!({}))?;
    live.play(http, "e2e4")?;
    let bearer = format!("Bearer {}", private.white);
    let file =
        format!("[White \"{eva}\"]\n[Black \"{anna}\"]\n[Event \"{note}\"]\n\n1. e4 e5 1-0\n");
    http.send("POST", "/api/import", &[("Authorization", &bearer)], Some(file.as_bytes()))?;
    // White tags and annotates a private game and a public one.
    for (seats, key) in [(&private, &private.white), (&public, &public.white)] {
        let path = format!("/api/games/{}", seats.game);
        let put = http.request("PUT", &format!("{path}/tags/{tag}"), key, None)?;
        check.expect(put.status < 300, format!("a tag: {}", put.brief()));
        let put =
            http.request("PUT", &format!("{path}/note"), key, Some(&json!({"note": note})))?;
        check.expect(put.status < 300, format!("a note: {}", put.brief()));
    }

    for restarted in [false, true] {
        if restarted {
            server.kill()?;
            server.restart()?;
        }
        let after = answers(http, &asked, &["", &stranger])?;
        for ((path, before), after) in asked.iter().zip(&before).zip(&after) {
            let same = path == "/metrics" || before == after;
            check.expect(same, format!("{path} has changed: {before} and {after}"));
        }
        learns_nothing(http, &stranger, &secrets, &[&private.game, &live.game], check)?;
        // The other player does not see White's tags and notes either.
        for (seats, key) in
            [(&private, &private.black), (&public, &public.black), (&private, &stranger)]
        {
            writing_is_its_writers(http, &seats.game, key, [&tag, &note], check)?;
        }
        let own = http.get(&format!("/api/games/{}", private.game), &private.white)?.text();
        check.expect(own.contains(&tag) && own.contains(&note), format!("the writer's own: {own}"));
        let mine = http.get(&format!("/api/players/{anna}"), &private.white)?;
        check.expect(mine.status == 200, format!("one's own statistics: {}", mine.brief()));
    }
    Ok(())
}

fn answers(http: Http, paths: &[String], keys: &[&str]) -> Result<Vec<String>> {
    let ask = |path: &String| -> Result<String> {
        let told: Result<Vec<String>> =
            keys.iter().map(|key| Ok(http.get(path, key)?.brief())).collect();
        Ok(told?.join(" | "))
    };
    paths.iter().map(ask).collect()
}

fn learns_nothing(
    http: Http,
    stranger: &str,
    secrets: &[&str],
    games: &[&str],
    check: &mut Check,
) -> Result<()> {
    let (names, words) = secrets.split_at_checked(3).context("three names")?;
    for path in questions(names, words) {
        for key in ["", stranger, "zz", &"0".repeat(32)] {
            let answer = http.get(&path, key)?;
            // Answers do not repeat what was searched for either.
            let told = answer.text();
            let leak = secrets.iter().chain(games).find(|secret| told.contains(**secret));
            check.expect(leak.is_none(), format!("{path} tells of {leak:?}: {}", answer.brief()));
            check.expect(answer.status < 500, format!("{path}: {}", answer.brief()));
        }
    }
    let lobby = Socket::connect(http, "/api/lobby/socket", stranger)?;
    lobby.send_json(&json!({"type": "hello", "v": 1, "lang": "en"}))?;
    let told = lobby.wait(crate::http::TIMEOUT, |told| told["type"] == "lobby")?.to_string();
    let leak = secrets.iter().chain(games).find(|secret| told.contains(**secret));
    check.expect(leak.is_none(), format!("the lobby tells of {leak:?}"));
    Ok(())
}

/// A client with a game's link sees the game, but not its players' tags and notes.
fn writing_is_its_writers(
    http: Http,
    game: &str,
    key: &str,
    words: [&str; 2],
    check: &mut Check,
) -> Result<()> {
    for path in ["", "/state", "/pgn", "/record"] {
        let told = http.get(&format!("/api/games/{game}{path}"), key)?.text();
        let leak = words.iter().find(|word| told.contains(**word));
        check.expect(leak.is_none(), format!("{game}{path} tells of {leak:?}"));
    }
    for word in words {
        for path in [
            format!("/api/games?mine=true&tag={word}"),
            format!("/api/games?mine=true&text={word}"),
            format!("/api/games?text={word}"),
            format!("/api/games?tag={word}"),
        ] {
            let found = http.get(&path, key)?.json();
            let none = found["games"].as_array().is_none_or(Vec::is_empty);
            check.expect(none, format!("{path} finds {}", found["games"]));
        }
    }
    let tags = http.get("/api/tags", key)?.json();
    check.expect(tags["tags"] == Value::Array(vec![]), format!("tags of another: {tags}"));
    Ok(())
}
