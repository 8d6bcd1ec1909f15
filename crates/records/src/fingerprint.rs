//! The fingerprint by which an import recognises a game.

use hansu_annals::Identity;
use xxhash_rust::xxh3::Xxh3;

use crate::{Holder, Summary};

/// A hash of players, date, start position, moves and result.
pub fn fingerprint(summary: &Summary) -> [u8; 16] {
    let identity = Identity {
        white: &summary.white,
        black: &summary.black,
        result: summary.score.word(),
        date: &summary.date(),
        time: &time(summary),
        round: summary.header("Round").unwrap_or("?"),
        start: summary.start_fen.as_deref().unwrap_or(""),
        moves: summary.moves.as_bytes(),
    };
    identity.hash()
}

/// The fingerprint of a private game: it differs for each holder.
pub(crate) fn of_holder(summary: &Summary, holder: &Holder) -> [u8; 16] {
    let mut hash = Xxh3::new();
    hash.update(&holder.0);
    hash.update(&fingerprint(summary));
    hash.digest128().to_be_bytes()
}

/// The time of day when a game began, as an export writes it.
pub(crate) fn time(summary: &Summary) -> String {
    hansu_annals::time(&summary.headers, summary.started)
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
