//! What makes two games the same game, wherever they were found.

use xxhash_rust::xxh3::Xxh3;

use crate::dates;
use crate::{Holder, Summary, names};

/// A hash of who played when, from where, what, and how it ended.
///
/// The occasion and the place are left out: collections spell them differently. The round and the
/// time of day are in it, since two players may play the same moves twice a day.
pub fn fingerprint(summary: &Summary) -> [u8; 16] {
    let mut hash = Xxh3::new();
    let mut part = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(names::fold(&summary.white).as_bytes());
    part(names::fold(&summary.black).as_bytes());
    part(summary.score.word().as_bytes());
    part(summary.date().as_bytes());
    part(time(summary).as_bytes());
    let round = summary.header("Round").unwrap_or("?");
    part(if matches!(round, "" | "-") { "?" } else { round }.as_bytes());
    part(summary.start_fen.as_deref().unwrap_or("").as_bytes());
    part(summary.moves.as_bytes());
    hash.digest128().to_be_bytes()
}

/// The same, for games that only their holder is to know of.
pub(crate) fn of_holder(summary: &Summary, holder: &Holder) -> [u8; 16] {
    let mut hash = Xxh3::new();
    hash.update(&holder.0);
    hash.update(&fingerprint(summary));
    hash.digest128().to_be_bytes()
}

/// The time of day at which a game began, as an export writes it.
pub(crate) fn time(summary: &Summary) -> String {
    match (summary.header("UTCTime").or(summary.header("Time")), summary.started) {
        (Some(time), _) => time.to_owned(),
        // An imported game has a time only when its tags say so.
        (None, Some(started)) if summary.header("Date").is_none() => dates::time_of_day(started),
        (None, _) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Score, Source};

    #[test]
    fn spelling_does_not_matter_but_the_game_does() {
        let mut one = Summary::new("Kim  Min", "Lee", Source::Terminal);
        let mut two = one.clone();
        two.white = "KIM MIN".to_owned();
        two.event = Some("Club".to_owned());
        two.source = Source::Import;
        assert_eq!(fingerprint(&one), fingerprint(&two));
        one.score = Score::Draw;
        assert_ne!(fingerprint(&one), fingerprint(&two));
        two.score = Score::Draw;
        assert_eq!(fingerprint(&one), fingerprint(&two));
        two.moves.push("e2e4".parse().unwrap());
        assert_ne!(fingerprint(&one), fingerprint(&two));
    }
}
