//! Rematches: the score of a series is right, however long the series is.

use std::collections::BTreeMap;

use hansu_chess::{Color, Variant};
use hansu_play::{Ending, Reason, Start, TimeControl};
use proptest::collection::vec;
use proptest::prelude::*;

/// Any end of a game: who wins, and why.
fn endings() -> impl Strategy<Value = Ending> {
    let reasons: Vec<Reason> = Reason::all().collect();
    (0..3_u8, 0..reasons.len()).prop_map(move |(winner, reason)| {
        let reason = reasons[reason];
        let winner = match winner {
            0 => Some(Color::White),
            1 => Some(Color::Black),
            _ => None,
        };
        // An aborted game has no winner.
        Ending { winner: winner.filter(|_| reason != Reason::Abort), reason }
    })
}

proptest! {
    #[test]
    fn scores_add_up_over_chains_of_rematches(ends in vec(endings(), 1..40)) {
        let first = Start {
            variant: Variant::Chess960,
            time: TimeControl::Correspondence { days: 3 },
            ..Start::between("Mina", "Jun")
        };
        let (mut start, mut games, mut points) = (first.clone(), 0, BTreeMap::new());
        for (number, &ending) in ends.iter().enumerate() {
            // The test counts by name, the crate by colour.
            if ending.reason != Reason::Abort {
                games += 1;
                for color in Color::ALL {
                    let won = match ending.winner {
                        None => 1,
                        Some(winner) => 2 * u32::from(winner == color),
                    };
                    *points.entry(start.names[color].clone()).or_insert(0_u32) += won;
                }
            }
            let before = start.clone();
            start = start.rematch(&format!("game-{number}"), ending);
            prop_assert_eq!(&start.names.white, &before.names.black);
            prop_assert_eq!(&start.names.black, &before.names.white);
            let series = start.series.clone().expect("a series");
            prop_assert_eq!(series.previous, format!("game-{number}"));
            prop_assert_eq!(series.games, games);
            prop_assert_eq!(series.score.white + series.score.black, 2 * games);
            for color in Color::ALL {
                let known = points.get(&start.names[color]).copied().unwrap_or(0);
                prop_assert_eq!(series.score[color], known);
            }
            // Everything else of the first game stays as it was.
            let same = Start { names: first.names.clone(), series: None, ..start.clone() };
            prop_assert_eq!(&same, &first);
        }
    }
}
