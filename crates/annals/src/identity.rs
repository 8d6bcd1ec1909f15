//! The properties by which two games are recognised as the same game.

use xxhash_rust::xxh3::Xxh3;

use crate::names;

/// Players, date, start position, moves and result of a game.
///
/// Event and site are left out: collections spell them differently. The round and the time of day
/// are included, because two players may play the same moves twice a day.
///
/// ```
/// use hansu_annals::Identity;
/// let game = |white| Identity {
///     white,
///     black: "Lee",
///     result: "1-0",
///     date: "2026.11.15",
///     time: "",
///     round: "?",
///     start: "",
///     moves: b"e2e4",
/// };
/// assert_eq!(game("KIM  min").hash(), game("Kim Min").hash());
/// assert_ne!(game("Kim").hash(), game("Kim Min").hash());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity<'a> {
    /// White's name, in any spelling that [`names::fold`] makes equal.
    pub white: &'a str,
    /// Black's name.
    pub black: &'a str,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'a str,
    /// The day as PGN writes it.
    pub date: &'a str,
    /// The time of day; empty if it is unknown.
    pub time: &'a str,
    /// PGN's `Round`.
    pub round: &'a str,
    /// The start position as FEN; empty if it is the standard one.
    pub start: &'a str,
    /// The moves, in one form for all games that are compared.
    pub moves: &'a [u8],
}

impl Identity<'_> {
    /// The fingerprint: equal for equal games.
    pub fn hash(&self) -> [u8; 16] {
        let mut hash = Xxh3::new();
        let mut part = |bytes: &[u8]| {
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        part(names::fold(self.white).as_bytes());
        part(names::fold(self.black).as_bytes());
        part(self.result.as_bytes());
        part(self.date.as_bytes());
        part(self.time.as_bytes());
        part(if matches!(self.round, "" | "-") { "?" } else { self.round }.as_bytes());
        part(self.start.as_bytes());
        part(self.moves);
        hash.digest128().to_be_bytes()
    }
}
