//! Games that a browser says it has played: kept once, private, and without effect on other games.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use crate::Hall;
use crate::http::{Answer, Http};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::table::Seats;
use hansu_ground::Random;

/// A game on one screen, as docs/protocol.md writes events.
fn played() -> Vec<String> {
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

fn bring(http: Http, game: &str, key: &str, entries: &[String]) -> Result<Answer> {
    let path = format!("/api/games/{game}/entries");
    http.ask("PUT", &path, key, Some(&json!({ "entries": entries })))
}

/// The name of a game as a browser may choose it.
fn id(random: &mut Random) -> String {
    format!("{:012x}", random.number() >> 16)
}

/// Brought again and again while the server is killed; forged in every line; over foreign games.
pub(super) fn uploads(hall: &Hall, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&hall.binary, Start::over(folder.path()))?;
    let http = server.http();
    let mut random = Random::new(hall.seed ^ 19);
    let (anna, thief) = (http.key()?, http.key()?);
    let entries = played();

    for round in 0..hall.rounds {
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
    forged(http, &thief, &entries, &mut random, check)?;
    over_a_game(http, &thief, &entries, check)
}

/// Entries that are not a game: none of them is kept.
fn forged(
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

/// A game that is under way does not become another by it.
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
