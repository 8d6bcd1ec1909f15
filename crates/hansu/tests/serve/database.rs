//! `hansu serve --database` and `hansu records copy`, with a real PostgreSQL.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use hansu_ground::Postgres;
use hansu_ground::clients::{GameClient, Pair, clock, get};
use hansu_ground::process::{GRACE, Process};
use hansu_protocol::{Phase, Wish};
use serde_json::json;

use crate::HANSU;

fn serve(address: &str, folder: &Path) -> Process {
    Process::over(HANSU, ["--database".as_ref(), address.as_ref()], folder, "warn")
}

fn copy(from: &str, to: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hansu"))
        .args(["records", "copy", "--from", from, "--to", to])
        .env("LANG", "en_US.UTF-8")
        .output()
        .expect("hansu records copy")
}

/// The output of a successful copy: the numbers of games and events, and the hash.
fn copied(from: &str, to: &str) -> String {
    let run = copy(from, to);
    let told = String::from_utf8(run.stdout).expect("text");
    assert_eq!((run.status.code(), &*run.stderr), (Some(0), &b""[..]), "{told}");
    told.trim().strip_prefix("Both logs are the same: ").expect("a hash").to_owned()
}

/// The line on standard error of a copy that ended with this status.
fn complaint(from: &str, to: &str, status: i32) -> String {
    let run = copy(from, to);
    let told = String::from_utf8(run.stderr).expect("text");
    assert_eq!((run.status.code(), &*run.stdout), (Some(status), &b""[..]), "{told}");
    told
}

#[tokio::test]
async fn a_game_goes_on_in_a_database_and_in_a_file_and_in_a_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let postgres = Postgres::hasty().expect("a server");
    let [first, second] = [(); 2].map(|()| postgres.fresh().expect("a place"));
    let file = hansu_records::log_file(folder.path());
    let file = file.to_str().expect("a path");

    let mut server = serve(&first, folder.path());
    let mut pair = Pair::meet(server.at, json!({ "time": clock(600_000) })).await;
    pair.play("e2e4 e7e5").await;
    let seq = pair.white.seq;
    server.signal("-KILL");
    assert_eq!(server.wait_for_exit(GRACE).await, None);
    let mut server = serve(&first, folder.path());
    let mut white = GameClient::join(server.at, &pair.game, Some(&pair.keys[0])).await;
    let snapshot = white.snapshot().await;
    assert!(snapshot.seq >= seq && snapshot.phase == Phase::Playing, "{snapshot:?}");
    white.go("g1f3").await.expect("the game goes on");
    server.signal("-TERM");
    assert_eq!(server.wait_for_exit(GRACE).await, Some(0));
    assert!(!Path::new(file).exists(), "the log is in the database alone");

    let told = copied(&first, file);
    assert!(told.starts_with("1 games, "), "{told}");
    assert_eq!(copied(&first, file), told, "a copy that is there is only compared");
    let mut server = Process::start(HANSU, folder.path(), "warn");
    let mut black = GameClient::join(server.at, &pair.game, Some(&pair.keys[1])).await;
    assert_eq!(black.snapshot().await.plies.len(), 3);
    black.go("b8c6").await.expect("the game goes on");
    server.signal("-TERM");
    assert_eq!(server.wait_for_exit(GRACE).await, Some(0));

    let there = copied(file, &second);
    assert_ne!(there, told);
    let back = folder.path().join("back.db");
    assert_eq!(copied(&second, back.to_str().expect("a path")), there);
    let server = serve(&second, folder.path());
    let mut white = GameClient::join(server.at, &pair.game, Some(&pair.keys[0])).await;
    assert_eq!(white.snapshot().await.plies.len(), 4);
    white.go("f1b5").await.expect("the game goes on");

    // The file has changed since it was copied.
    assert!(complaint(&first, file, 1).contains("rows differ"));
}

/// Returns true once commits wait for a standby: PostgreSQL applies a new setting with a delay.
fn waits_for_nobody(postgres: &Postgres, number: u32) -> bool {
    std::thread::scope(|scope| {
        let probe = scope.spawn(move || postgres.run(&format!("CREATE TABLE probe{number} ()")));
        while !probe.is_finished() {
            let cancelled = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
                WHERE wait_event = 'SyncRep' AND query LIKE 'CREATE TABLE probe%'";
            if postgres.run(cancelled).expect("a number") != "0" {
                return true;
            }
        }
        false
    })
}

/// The database is killed when a move is committed and not acknowledged, and stays away for longer
/// than all timeouts: whether the move is stored is unknown until the log is read.
#[tokio::test]
async fn a_move_whose_commit_was_not_answered_is_there_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut postgres = Postgres::start().expect("a database");
    let server = serve(&postgres.address(), folder.path());
    let mut pair = Pair::meet(server.at, json!({ "time": clock(600_000) })).await;
    pair.play("e2e4 e7e5").await;
    let seq = pair.white.seq;
    // Commits wait for a standby that does not exist: they are done, but not acknowledged.
    let set = |postgres: &Postgres, what: &str| {
        postgres.run(&format!("ALTER SYSTEM {what}")).expect("a setting");
        postgres.run("SELECT pg_reload_conf()").expect("read again");
    };
    set(&postgres, "SET synchronous_standby_names = 'nobody'");
    assert!((0..100).any(|number| waits_for_nobody(&postgres, number)), "the setting is in force");
    let step = Wish::Move { uci: "g1f3".to_owned() };
    pair.white.send("knight", step.clone()).await;
    let waits = "SELECT count(*) FROM pg_stat_activity JOIN pg_locks USING (pid)
        WHERE wait_event = 'SyncRep' AND relation = 'events'::regclass";
    let end = Instant::now() + Duration::from_secs(30);
    while postgres.run(waits).expect("a number") == "0" {
        assert!(Instant::now() < end, "the commit must wait");
    }
    postgres.kill().expect("killed");
    let (white, black) = (&mut pair.white, &mut pair.black);
    let restarted = async {
        let told = white.answer("knight").await.expect_err("nobody knows");
        assert_eq!(told.code, "unsure");
        // Meanwhile each request gets the answer that nothing was done.
        let refused = get(server.at, "/api/games").send().await.refusal();
        assert_eq!((refused.0, refused.1.as_str()), (503, "unavailable"));
        let restart = tokio::task::spawn_blocking(move || {
            postgres.restart().expect("a database");
            set(&postgres, "RESET synchronous_standby_names");
            postgres
        });
        let (postgres, ()) = tokio::join!(restart, white.reach(seq + 1));
        postgres.expect("a database")
    };
    // Both keep reading: a client that answers no ping for 8.5 s is disconnected.
    let (_postgres, ()) = tokio::join!(restarted, black.reach(seq + 1));
    pair.white.send("knight", step).await;
    assert_eq!(pair.white.answer("knight").await, Ok(seq + 1), "the same command, the same answer");
    // Until the server has reconnected to its database, requests get the answer to try again.
    let end = Instant::now() + Duration::from_secs(60);
    while let Err(refusal) = pair.black.go("b8c6").await {
        assert!(refusal.code == "unavailable" && Instant::now() < end, "{refusal:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut late = GameClient::join(server.at, &pair.game, None).await;
    let moves: Vec<String> =
        late.snapshot().await.plies.iter().map(|ply| ply.uci.clone()).collect();
    assert_eq!(moves, ["e2e4", "e7e5", "g1f3", "b8c6"]);
}

#[test]
fn what_cannot_be_copied_is_refused_and_no_password_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let [none, one, other] = ["none.db", "one.db", "other.db"]
        .map(|name| folder.path().join(name).display().to_string());
    for name in [&one, &other] {
        let store = hansu_records::SqliteStore::open(name.as_ref()).expect("a log");
        hansu_records::Log::beat(&store, name, 1).expect("a beat");
    }
    assert!(complaint(&none, &one, 2).contains("there is no log"));
    assert!(!Path::new(&none).exists(), "nothing is made there");
    assert!(complaint(&one, &other, 1).contains("records of its own"));
    let away = "postgres://anna:secret@127.0.0.1:1/games?password=secret";
    for told in [complaint(&one, away, 1), complaint(away, &none, 1)] {
        assert!(told.contains("postgres://127.0.0.1:1/games"), "{told}");
        assert!(!told.contains("secret"), "{told}");
    }
    let encrypted = "postgres://anna:secret@127.0.0.1:1/games?sslmode=verify-ca";
    let told = complaint(&one, encrypted, 1);
    assert!(told.contains("sslmode=verify-full") && !told.contains("secret"), "{told}");
}

/// Runs `hansu games` on the log in a database and returns its output.
fn games(address: &str, words: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_hansu"))
        .arg("games")
        .args(words)
        .args(["--database", address, "--lang", "en"])
        .output()
        .expect("hansu games");
    assert_eq!((run.status.code(), &*run.stderr), (Some(0), &b""[..]), "{words:?}");
    String::from_utf8(run.stdout).expect("text")
}

#[test]
fn the_games_of_a_database_are_listed_shown_tagged_exported_and_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let postgres = Postgres::hasty().expect("a server");
    let address = postgres.fresh().expect("a place");
    let file = folder.path().join("two.pgn");
    let pgn = "[White \"Mina\"]\n[Black \"Jun\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
    std::fs::write(&file, pgn).expect("a file");
    games(&address, &["import", file.to_str().expect("a path")]);
    let list = games(&address, &["list", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&list).expect("JSON");
    let id = listed[0]["id"].as_str().unwrap_or_else(|| panic!("no id: {list}"));
    assert!(games(&address, &["show", id]).contains("Qxf7#"));
    games(&address, &["tag", id, "+school"]);
    assert!(games(&address, &["list", "--tag", "school"]).contains("Mina"));
    assert!(games(&address, &["export"]).contains("[White \"Mina\"]"));
    assert!(games(&address, &["stats", "Mina"]).contains("Jun"));
}
