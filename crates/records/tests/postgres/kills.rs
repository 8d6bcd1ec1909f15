//! A server that is killed, frozen or unreachable: nothing acknowledged is lost or duplicated.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hansu_ground::Postgres;
use hansu_records::{Append, Appended, Archive, Error, GameId, Log, Once, PostgresStore};

use super::{append, open};

const WRITERS: usize = 12;

/// The acknowledged appends of a writer: text and event number.
type Acknowledged = Vec<(String, u64)>;

/// Appends texts to a game until `stop` is set; resends each with its command key until it is
/// acknowledged.
fn write(
    store: &PostgresStore,
    game: GameId,
    stop: &AtomicBool,
    done: &AtomicUsize,
) -> Acknowledged {
    let (mut told, mut last) = (Acknowledged::new(), 0);
    for number in 0.. {
        let text = format!("{game} {number}");
        let seq = loop {
            match store.append(append(game, last + 1, &text)) {
                Ok(answer) => break answer.seq,
                Err(Error::Conflict { last_seq }) => last = last_seq,
                Err(Error::Away | Error::Unsure | Error::Busy) => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(other) => panic!("{other}"),
            }
        };
        told.push((text, seq));
        last = last.max(seq);
        done.fetch_add(1, Ordering::Relaxed);
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    told
}

/// Checks that the log has everything that was acknowledged, once, without gaps.
fn compare(store: &PostgresStore, game: GameId, told: &Acknowledged) {
    let events = store.events(game, 0, usize::MAX >> 1).expect("events");
    let mut found: HashMap<&str, u64> = HashMap::new();
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(event.seq, seq, "no gaps in {game}");
        assert_eq!(found.insert(&event.body, seq), None, "{} is there twice", event.body);
    }
    for (text, seq) in told {
        assert_eq!(found.get(text.as_str()), Some(seq), "{text} was acknowledged");
    }
    assert_eq!(events.len(), told.len(), "everything was acknowledged in the end");
}

#[test]
fn what_a_killed_server_acknowledged_is_there_once() {
    let kills = std::env::var("HANSU_KILLS").ok().and_then(|kills| kills.parse().ok());
    let kills: usize = kills.unwrap_or(5).min(50);
    let mut server = Postgres::start().expect("a server");
    let store = open(&server.address());
    let games: Vec<GameId> = (0..WRITERS).map(|_| GameId::random().expect("an id")).collect();
    let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    let progress = |least: usize| {
        let (before, end) =
            (done.load(Ordering::Relaxed), Instant::now() + Duration::from_secs(60));
        while done.load(Ordering::Relaxed) < before + least {
            assert!(Instant::now() < end, "play does not go on");
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let told: Vec<Acknowledged> = std::thread::scope(|scope| {
        let writers: Vec<_> = games
            .iter()
            .map(|&game| {
                scope.spawn({
                    let (store, stop, done) = (&store, &stop, &done);
                    move || write(store, game, stop, done)
                })
            })
            .collect();
        for kill in 0..kills {
            // Each kill at another moment.
            progress(100 + 37 * kill);
            server.kill().expect("killed");
            std::thread::sleep(Duration::from_millis(50 * (kill as u64 % 4)));
            server.restart().expect("a server");
        }
        progress(100);
        stop.store(true, Ordering::Relaxed);
        writers.into_iter().map(|writer| writer.join().expect("no panic")).collect()
    });
    for (&game, told) in games.iter().zip(&told) {
        compare(&store, game, told);
    }
    assert_eq!(store.check(), Ok(()));
}

#[test]
fn a_server_that_is_away_is_said_to_be_away_and_comes_back() {
    let mut server = Postgres::start().expect("a server");
    let store = open(&server.address());
    let game = GameId::random().expect("an id");
    store.append(append(game, 1, "one")).expect("an event");
    server.kill().expect("killed");
    let start = Instant::now();
    assert_eq!(store.append(append(game, 2, "two")), Err(Error::Away));
    assert_eq!(store.record(game), Err(Error::Away));
    assert_eq!(store.beat("node", 1), Err(Error::Away));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    // Once the server is known to be away, appends do not wait.
    let start = Instant::now();
    for _ in 0..20 {
        assert_eq!(store.append(append(game, 2, "two")), Err(Error::Away));
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!(PostgresStore::open(&server.address()).err(), Some(Error::Away));
    server.restart().expect("a server");
    let end = Instant::now() + Duration::from_secs(60);
    while store.append(append(game, 2, "two")).is_err() {
        assert!(Instant::now() < end, "it must come back");
    }
    assert_eq!(store.events(game, 0, 10).map(|events| events.len()), Ok(2));
}

/// The connection is cut during the commit, before anything is stored.
#[test]
fn an_append_whose_commit_failed_without_a_word_is_written_after_all() {
    let server = Postgres::start().expect("a server");
    let address = server.fresh().expect("a place");
    let store = open(&address);
    let game = GameId::random().expect("an id");
    store.append(append(game, 1, "one")).expect("an event");
    let schema = address.rsplit("%3D").next().expect("a name");
    // A deferred trigger runs in the commit; this one ends its own connection, once.
    server
        .run(&format!(
            "SET search_path = {schema};
             CREATE SEQUENCE tries;
             CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
               IF NEW.body = 'cut' AND nextval('{schema}.tries') = 1 THEN
                 PERFORM pg_terminate_backend(pg_backend_pid());
                 PERFORM pg_sleep(1);
               END IF;
               RETURN NULL;
             END $$;
             CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON events
               DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cut()"
        ))
        .expect("a trigger");
    let answer = store.append(append(game, 2, "cut")).expect("in the end");
    assert_eq!((answer.seq, answer.once), (2, Once::First));
    assert_eq!(store.events(game, 0, 10).map(|events| events.len()), Ok(2));
    let tries = server.run(&format!("SELECT last_value FROM {schema}.tries")).expect("a number");
    assert_eq!(tries, "2");
    assert_eq!(store.check(), Ok(()));
}

/// The connection is cut after the commit, before its answer is sent: the server waits for a
/// synchronous replica that does not exist.
#[test]
fn an_append_whose_commit_was_not_answered_is_found_in_the_log() {
    let server = Postgres::start().expect("a server");
    let store = open(&server.address());
    let game = GameId::random().expect("an id");
    store.append(append(game, 1, "one")).expect("an event");
    let set = |what: &str| {
        server.run(&format!("ALTER SYSTEM {what}")).expect("a setting");
        server.run("SELECT pg_reload_conf()").expect("read again");
    };
    let waits = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    for named in [true, false] {
        set("SET synchronous_standby_names = 'nobody'");
        let end = Instant::now() + Duration::from_secs(60);
        // The server's processes reload the setting one after another: until all have done so,
        // commits succeed.
        let (last, answer) = loop {
            let last = store.record(game).expect("a log").expect("a game").last_seq;
            let command_key = named.then(|| format!("two {last}"));
            let second = Append { command_key, ..append(game, last + 1, "two") };
            let answer = std::thread::scope(|scope| {
                let writer = scope.spawn(|| store.append(second));
                while server.run(&format!("SELECT count(*) {waits}")).expect("a number") == "0" {
                    if writer.is_finished() {
                        return None;
                    }
                    assert!(Instant::now() < end, "the commit must wait");
                }
                server.run(&format!("SELECT pg_terminate_backend(pid) {waits}")).expect("cut");
                set("RESET synchronous_standby_names");
                Some(writer.join().expect("no panic"))
            });
            if let Some(answer) = answer {
                break (last, answer);
            }
        };
        assert_eq!(answer, Ok(Appended { seq: last + 1, once: Once::First }));
        let events = store.events(game, 0, 10_000).expect("events");
        assert_eq!(events.len() as u64, last + 1, "written once");
    }
    assert_eq!(store.check(), Ok(()));
}

#[test]
fn a_server_that_hangs_does_not_hang_its_callers_for_ever() {
    let server = Postgres::start().expect("a server");
    let store = open(&server.address());
    let game = GameId::random().expect("an id");
    store.append(append(game, 1, "one")).expect("an event");
    server.freeze();
    let start = Instant::now();
    let answer = store.append(append(game, 2, "two"));
    assert!(matches!(answer, Err(Error::Away | Error::Unsure)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
    server.thaw();
    // Whatever happened to it, the same command key gives one answer.
    let end = Instant::now() + Duration::from_secs(60);
    let mut expected = 2;
    let seq = loop {
        match store.append(append(game, expected, "two")) {
            Ok(answer) => break answer.seq,
            Err(Error::Conflict { last_seq }) => expected = last_seq + 1,
            Err(_) => assert!(Instant::now() < end, "it must come back"),
        }
    };
    let events = store.events(game, 0, 10).expect("events");
    assert_eq!((seq, events.len(), events[1].body.as_str()), (2, 2, "two"));
}
