//! What only this store can show.

use super::{config, place};
use crate::Error;

#[test]
fn an_address_is_shown_without_its_password() {
    let config = config("postgres://anna:secret@db.example:6432/chess").unwrap();
    assert_eq!(place(&config), "postgres://db.example:6432/chess");
    for wrong in
        ["", "games.db", "http://x", "postgres://h:x/", "postgres:///d", "postgres://h/?x=y"]
    {
        assert_eq!(super::config(wrong).err(), Some(Error::Address), "{wrong}");
    }
}

#[test]
fn who_asks_for_encryption_does_not_get_a_connection_without() {
    for asked in [
        "sslmode=require",
        "sslmode=verify-ca",
        "sslmode=verify-full&sslrootcert=a.pem",
        "application_name=x&sslmode=require",
        "sslmode=%72equire",
        "sslnegotiation=direct",
        "channel_binding=require",
    ] {
        let address = format!("postgres://db.example/chess?{asked}");
        assert_eq!(config(&address).err(), Some(Error::Tls), "{asked}");
    }
    for asked in ["", "?sslmode=disable", "?sslmode=prefer"] {
        assert!(config(&format!("postgres://db.example/chess{asked}")).is_ok(), "{asked}");
    }
}
