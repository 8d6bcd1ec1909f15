//! Uploads of games that a browser has played: kept once, private, without effect on other games.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use crate::RunOptions;
use crate::http::{Http, Response};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::test_game::Seats;
use hansu_ground::Random;

/// A local game as docs/protocol.md writes events.
fn local_game_entries() -> Vec<String> {
    let at = 1_794_700_000_000_u64;
    let mut entries = vec![json!({
        "v": 1, "seq": 1, "at": at, "type": "started",
        "names": {"white": "Anna", "black": "Ben"}, "variant": "standard",
        "time": {"kind": "unlimited"}, "source": "local", "spectators": "silent",
    })];
    for (seq, uci) in (2..).zip(["f2f3", "e7e5", "g2g4", "d8h4"]) {
        let at = at + 1_000 * seq;
        entries.push(json!({
            "v": 1, "seq": seq, "at": at, "type": "moved", "uci": uci, "received": at,
        }));
    }
    entries.push(json!({
        "v": 1, "seq": 6, "at": at + 5_000, "type": "ended", "winner": "black",
        "reason": "checkmate",
    }));
    entries.iter().map(Value::to_string).collect()
}

fn bring(http: Http, game: &str, key: &str, entries: &[String]) -> Result<Response> {
    let path = format!("/api/games/{game}/entries");
    http.request("PUT", &path, key, Some(&json!({ "entries": entries })))
}

/// A game id as a browser may choose it.
fn id(random: &mut Random) -> String {
    format!("{:012x}", random.number() >> 16)
}

/// Uploads that are repeated while the server is killed, forged, or over foreign games.
pub(super) fn uploads(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let mut random = Random::new(options.seed ^ 19);
    let (anna, thief) = (http.key()?, http.key()?);
    let entries = local_game_entries();

    for round in 0..options.rounds {
        let game = id(&mut random);
        let pause = Duration::from_micros(random.below(4_000));
        std::thread::scope(|scope| -> Result<()> {
            let sent = scope.spawn(|| bring(http, &game, &anna, &entries));
            std::thread::sleep(pause);
            server.kill()?;
            drop(sent.join());
            server.restart()
        })?;
        for _ in 0..2 {
            let again = bring(http, &game, &anna, &entries)?;
            check.expect(again.status == 200, format!("round {round}: {}", again.brief()));
        }
        let mine = http.get("/api/games?mine=true&limit=200", &anna)?;
        let rows = mine.json();
        let rows = rows["games"].as_array().cloned().unwrap_or_default();
        let kept = rows.iter().filter(|row| row["id"] == game.as_str()).count();
        check.expect(kept == 1, format!("{game} is kept {kept} times"));
        let listed = http.get("/api/games?limit=200", &thief)?.text();
        check.expect(!listed.contains(&game), format!("{game} is listed to strangers"));
        let stolen = bring(http, &game, &thief, &entries)?;
        check.expect(stolen.status == 403, format!("brought by another: {}", stolen.brief()));
    }
    check_forged(http, &thief, &entries, &mut random, check)?;
    over_a_game(http, &thief, &entries, check)
}

/// Invalid entries are not kept.
fn check_forged(
    http: Http,
    key: &str,
    entries: &[String],
    random: &mut Random,
    check: &mut Check,
) -> Result<()> {
    let without = |place: usize| {
        let mut entries = entries.to_vec();
        entries.remove(place);
        entries
    };
    let with = |place: usize, from: &str, to: &str| {
        let mut entries = entries.to_vec();
        entries[place] = entries[place].replace(from, to);
        entries
    };
    let mut swapped = entries.to_vec();
    swapped.swap(1, 2);
    let ways: Vec<(&str, Vec<String>)> = vec![
        ("nothing", Vec::new()),
        ("no start", without(0)),
        ("no end", without(5)),
        ("a gap", without(2)),
        ("another order", swapped),
        ("twice", [entries, entries].concat()),
        ("an illegal move", with(1, "f2f3", "f2f5")),
        ("another winner", with(5, "black", "white")),
        ("not JSON", with(1, "{", "[")),
        ("a number too large", with(1, "\"seq\":2", "\"seq\":18446744073709551615")),
        ("too many", vec![entries[0].clone(); 5_000]),
        ("deep", vec!["[".repeat(100_000)]),
    ];
    for (name, entries) in ways {
        let game = id(random);
        let answer = bring(http, &game, key, &entries)?;
        let refused = (400..500).contains(&answer.status);
        check.expect(refused, format!("{name}: {}", answer.brief()));
        let kept = http.get(&format!("/api/games/{game}"), key)?;
        check.expect(kept.status == 404, format!("{name} is kept: {}", kept.brief()));
    }
    let nobody = bring(http, &id(random), "", entries)?;
    check.expect(nobody.status == 401, format!("without a key: {}", nobody.brief()));
    Ok(())
}

/// An upload does not change a running game.
fn over_a_game(http: Http, thief: &str, entries: &[String], check: &mut Check) -> Result<()> {
    let seats = Seats::make(http, ["Cho", "Dan"], &json!({}))?;
    seats.play(http, "e2e4")?;
    let before = seats.state(http)?;
    for key in [thief, &seats.white, &seats.black] {
        let answer = bring(http, &seats.game, key, entries)?;
        check.expect(answer.status >= 400, format!("over a game: {}", answer.brief()));
    }
    let plies = |state: &Value| state["plies"].clone();
    check.expect(plies(&before) == plies(&seats.state(http)?), "another game's entries were taken");
    seats.command(http, &seats.black, "on", &json!({"type": "move", "uci": "e7e5"}))?;
    Ok(())
}
