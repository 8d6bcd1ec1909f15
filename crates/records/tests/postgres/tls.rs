//! Encrypted connections to a real server with a certificate of the test's own.

use hansu_ground::{Authority, Postgres};
use hansu_records::{Archive as _, Error, GameId, Log as _, PostgresStore};

use super::{SMALL, append, open};

/// The numbers of encrypted and plain connections of the store.
fn connections(server: &Postgres) -> (u32, u32) {
    let count = |encrypted: &str| {
        let sql = format!(
            "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
             WHERE application_name = 'hansu' AND {encrypted} ssl"
        );
        server.run(&sql).expect("a count").trim().parse().expect("a number")
    };
    (count(""), count("NOT"))
}

#[test]
fn the_connection_is_encrypted_as_the_address_asks() {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = Authority::new().expect("an authority");
    let file = authority.write(folder.path()).expect("a file");
    let file = file.display().to_string().replace('/', "%2F");
    let server = Postgres::with_tls(&authority, "127.0.0.1").expect("a server");
    let place = server.fresh().expect("a place");
    let known = format!("verify-full&sslrootcert={file}");
    for (mode, encrypted) in
        [("disable", false), ("prefer", true), ("require", true), (&*known, true)]
    {
        let store = open(&format!("{place}&sslmode={mode}"));
        let game = GameId::random().expect("an id");
        store.append(append(game, 1, mode)).expect("a game");
        assert_eq!(store.check(), Ok(()));
        let (yes, no) = connections(&server);
        assert_eq!((yes > 0, no > 0), (encrypted, !encrypted), "{mode}: {yes} and {no}");
        drop(store);
        // The server needs a moment to notice that the connections are closed.
        while connections(&server) != (0, 0) {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

#[test]
fn a_certificate_that_is_not_trusted_is_not_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let [ours, foreign] = [(); 2].map(|()| Authority::new().expect("an authority"));
    let written = |authority: &Authority| {
        let file = authority.write(folder.path()).expect("a file");
        file.display().to_string().replace('/', "%2F")
    };
    let server = Postgres::with_tls(&ours, "db.example").expect("a server");
    let try_open = |options: &str| {
        let address = format!("{}?{options}", server.address());
        PostgresStore::open_with(&address, SMALL).map(drop)
    };
    // The right authority, but another host name.
    let file = written(&ours);
    assert_eq!(try_open(&format!("sslmode=verify-full&sslrootcert={file}")), Err(Error::Tls));
    // Another authority, and the authorities of the system.
    let file = written(&foreign);
    assert_eq!(try_open(&format!("sslmode=verify-full&sslrootcert={file}")), Err(Error::Tls));
    assert_eq!(try_open("sslmode=verify-full"), Err(Error::Tls));
    assert_eq!(try_open("sslmode=verify-full&sslrootcert=none.pem"), Err(Error::Tls));
    // Without a check of the certificate the connection is made.
    assert_eq!(try_open("sslmode=require"), Ok(()));
}

#[test]
fn a_server_without_tls_is_not_used_when_it_is_asked_for() {
    let server = Postgres::shared().expect("a server");
    let place = server.fresh().expect("a place");
    let opened = PostgresStore::open_with(&format!("{place}&sslmode=require"), SMALL).map(drop);
    assert_eq!(opened, Err(Error::Tls));
    assert!(PostgresStore::open_with(&place, SMALL).is_ok());
}
