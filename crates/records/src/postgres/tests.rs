//! What only this store can show.

use super::{config, place};
use crate::Error;

#[test]
fn an_address_is_shown_without_its_password() {
    let config = config("postgres://anna:secret@db.example:6432/chess").unwrap();
    assert_eq!(place(&config), "postgres://db.example:6432/chess");
    for wrong in ["", "games.db", "http://x", "postgres://h/d?sslmode=require", "postgres://h:x/"] {
        assert_eq!(super::config(wrong).err(), Some(Error::Address), "{wrong}");
    }
}
