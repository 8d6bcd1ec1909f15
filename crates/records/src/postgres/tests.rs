//! Tests for this store only.

use hansu_ground::Postgres;

use super::schema::MIGRATIONS;
use super::{PostgresStore, SslMode, Trust, config, display_address};
use crate::stats::{Facet, Viewer};
use crate::{Archive, Error, Filter, Holder};

#[test]
fn what_was_written_before_owners_belongs_to_the_players() {
    let server = Postgres::shared().expect("a server");
    let address = server.fresh().expect("a place");
    let schema = address.rsplit("%3D").next().expect("a name");
    let game = |n: i64, id: &str, visibility: i64, at: i64| {
        format!(
            "INSERT INTO games VALUES ({n}, '{id}', {at}, NULL, 1, 2, 0, NULL, 4, 4, 2, 1,
               {visibility}, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, '', NULL, '', NULL, NULL);
             INSERT INTO tags VALUES ('kept', {at}, {n});
             INSERT INTO notes VALUES ({n}, 'a trap', 'a trap', '{{}}');"
        )
    };
    let seat = |last: &str, side: i64| {
        let zeros = "00".repeat(31);
        format!("INSERT INTO seats VALUES ('\\x{zeros}{last}', 1700000000000, 1, {side});")
    };
    let before = [
        format!("SET search_path TO {schema};"),
        MIGRATIONS[0].sql.to_owned(),
        MIGRATIONS[1].sql.to_owned(),
        "CREATE TABLE hansu (one boolean PRIMARY KEY DEFAULT true CHECK (one),
           version bigint NOT NULL, oldest bigint NOT NULL);
         INSERT INTO hansu (version, oldest) VALUES (2, 1);
         INSERT INTO names VALUES (1, 'Anna', 'anna', '{}'), (2, 'Ben', 'ben', '{}');
         INSERT INTO players VALUES (1, 2, 2, 0, 0, 0, 0, 0, 0, 0), (2, 2, 0, 0, 0, 0, 0, 0, 2, 0);
         INSERT INTO counts VALUES (0, 0, 2, 0, 0, 0), (4, 2, 2, 0, 0, 0);"
            .to_owned(),
        game(1, "PrivateGame1", 1, 1_700_000_000_000),
        game(2, "PublicGame01", 0, -86_400_000),
        seat("01", 0),
        seat("02", 1),
    ];
    server.run(&before.join("\n")).expect("tables of version 2");
    let store = PostgresStore::open(&address).expect("a log");
    let holder = |last| {
        let mut hash = [0; 32];
        hash[31] = last;
        Viewer::Guest(Some(Holder(hash)))
    };
    let seen = |viewer, game: &str| {
        let record = store.record_for(viewer, game.parse().expect("an id")).expect("a log");
        let record = record.expect("a game");
        (record.tags.len(), record.note.is_some())
    };
    for (viewer, sees, games) in [
        (holder(1), (1, true), 2),
        (holder(2), (1, true), 2),
        (holder(3), (0, false), 1),
        (Viewer::Guest(None), (0, false), 1),
    ] {
        assert_eq!(seen(viewer, "PrivateGame1"), sees, "{viewer:?}");
        assert_eq!(seen(viewer, "PublicGame01"), (0, false), "{viewer:?}");
        assert_eq!(store.totals(viewer).expect("a log").white, games, "{viewer:?}");
        let anna = store.player(viewer, "anna").expect("a log").expect("a player");
        assert_eq!(anna.white.wins, games, "{viewer:?}");
    }
    let months = store.by(holder(3), Facet::Month, None).expect("a log");
    assert_eq!(months.iter().map(|month| month.label.as_str()).collect::<Vec<_>>(), ["1969-12"]);
    assert_eq!(seen(Viewer::Keeper, "PublicGame01"), (1, true));
    let found = Filter { viewer: Viewer::Keeper, tag: Some("kept".into()), ..Filter::default() };
    assert_eq!(store.count(&found), Ok(2));
    assert_eq!(store.totals(Viewer::Keeper).expect("a log").white, 2);
    assert_eq!(store.check(), Ok(()));
}

#[test]
fn an_address_is_shown_without_its_password() {
    let (config, _) = config("postgres://anna:secret@db.example:6432/chess").unwrap();
    assert_eq!(display_address(&config), "postgres://db.example:6432/chess");
    for wrong in
        ["", "games.db", "http://x", "postgres://h:x/", "postgres:///d", "postgres://h/?x=y"]
    {
        assert_eq!(super::config(wrong).err(), Some(Error::Address), "{wrong}");
    }
}

#[test]
fn an_address_says_how_the_connection_is_encrypted() {
    let asked = |options: &str| config(&format!("postgres://db.example/chess{options}"));
    for (options, mode, trust) in [
        ("", SslMode::Prefer, Trust::Any),
        ("?sslmode=disable", SslMode::Disable, Trust::Any),
        ("?sslmode=prefer", SslMode::Prefer, Trust::Any),
        ("?sslmode=require", SslMode::Require, Trust::Any),
        ("?application_name=x&sslmode=%72equire", SslMode::Require, Trust::Any),
        ("?sslmode=verify-full", SslMode::Require, Trust::System),
        (
            "?sslrootcert=%2Fetc%2Fmy%20ca.pem&sslmode=verify-full",
            SslMode::Require,
            Trust::File("/etc/my ca.pem".to_owned()),
        ),
    ] {
        let (config, trusted) = asked(options).expect(options);
        assert_eq!((config.get_ssl_mode(), trusted), (mode, trust), "{options}");
    }
    // Never silently weaker than the address requires.
    for options in [
        "?sslmode=verify-ca",
        "?sslmode=allow",
        "?sslmode=",
        "?sslrootcert=a.pem",
        "?sslmode=require&sslrootcert=a.pem",
        "?channel_binding=require",
    ] {
        assert_eq!(asked(options).err(), Some(Error::Tls), "{options}");
    }
    for twice in ["?sslmode=require&sslmode=disable", "?sslmode=disable&sslmode=require"] {
        assert_eq!(asked(twice).err(), Some(Error::Address), "{twice}");
    }
}
