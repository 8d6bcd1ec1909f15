//! Laws that hold for every sequence. The referee in `run.rs` checks resends at every step.

use std::collections::BTreeSet;

use hansu_client::{GameView, Notice, View};
use hansu_play::{Millis, Offer};
use hansu_protocol::{Language, Offered};

use crate::run::Run;

const RUNS: u64 = 20_000;

/// The parts in which a view and a fresh one must agree: everything but the client's own history.
fn comparable(seen: &GameView) -> GameView {
    let mut seen = seen.clone();
    (seen.board_seq, seen.offset, seen.asked) = (0, None, None);
    (seen.denied, seen.declined, seen.given, seen.bye) = (None, None, None, None);
    if !seen.is_our_turn() {
        seen.moves = None;
    }
    seen.offers.sort_by_key(|offer| offer.what as usize);
    seen
}

fn fresh(run: &mut Run) -> GameView {
    let mut view = View::new("fresh");
    for message in run.server.hear(View::new("fresh").hello(Language::En)) {
        let _ = view.hear(message, Millis(0));
    }
    comparable(view.game())
}

#[test]
fn after_a_reconnection_the_view_is_that_of_a_fresh_client_and_nothing_is_pending() {
    for seed in 0..RUNS {
        let mut run = Run::new(seed);
        let steps = 10 + run.random.below(80);
        for _ in 0..steps {
            run.step();
        }
        run.settle();
        assert_eq!(run.view.pending().open(), [], "seed {seed}");
        let fresh = fresh(&mut run);
        assert_eq!(comparable(run.view.game()), fresh, "seed {seed}");
        assert_eq!(run.view.game().chat, run.server.chat, "seed {seed}");
    }
}

/// The offers that are open after these notices, if `open` were open before.
fn follow(mut open: Vec<Offered>, notices: &[Notice]) -> Vec<Offered> {
    for notice in notices {
        let closed = match notice {
            Notice::Offered(offer) => {
                open.retain(|other| other.what != offer.what);
                open.push(*offer);
                continue;
            }
            Notice::Lapsed(offer) => {
                assert!(open.contains(offer), "{offer:?} lapses and was not open");
                offer.what
            }
            Notice::Declined { what, .. } => *what,
            Notice::TakenBack => Offer::Takeback,
            Notice::Adjourned => Offer::Adjournment,
            Notice::Resumed => Offer::Resumption,
            Notice::Ended(_) => Offer::Draw,
            Notice::Rematch(_) => Offer::Rematch,
            _ => continue,
        };
        open.retain(|offer| offer.what != closed);
    }
    open.sort_by_key(|offer| offer.what as usize);
    open
}

#[test]
fn notices_tell_how_each_offer_is_made_and_closed() {
    for seed in 0..5_000 {
        let mut run = Run::new(seed);
        for step in 0..60 {
            let before = comparable(run.view.game());
            let Some((input, heard)) = run.step() else { continue };
            // Over a snapshot, an offer that was closed and made again is not news.
            if before.known && !heard.notices.contains(&Notice::Shown) {
                let after = comparable(run.view.game()).offers;
                let told = follow(before.offers, &heard.notices);
                assert_eq!(told, after, "seed {seed}, step {step}: {input:?}");
            }
        }
    }
}

#[test]
fn every_kind_of_notice_comes_up() {
    let mut kinds = BTreeSet::new();
    for seed in 0..2_000 {
        let mut run = Run::new(seed);
        for _ in 0..60 {
            for notice in run.step().map(|(_, heard)| heard.notices).unwrap_or_default() {
                kinds.insert(kind(&notice));
            }
        }
    }
    let all = [
        "shown",
        "refused",
        "started",
        "moved",
        "taken_back",
        "adjourned",
        "resumed",
        "offered",
        "lapsed",
        "declined",
        "left",
        "returned",
        "credited",
        "given",
        "presence",
        "chatted",
        "ended",
        "rematch",
        "bye",
    ];
    assert_eq!(kinds, BTreeSet::from(all));
}

/// The name of a notice, as the page calls it.
pub(crate) fn kind(notice: &Notice) -> &'static str {
    match notice {
        Notice::Shown => "shown",
        Notice::Refused(_) => "refused",
        Notice::Started => "started",
        Notice::Moved { .. } => "moved",
        Notice::TakenBack => "taken_back",
        Notice::Adjourned => "adjourned",
        Notice::Resumed => "resumed",
        Notice::Offered(_) => "offered",
        Notice::Lapsed(_) => "lapsed",
        Notice::Declined { .. } => "declined",
        Notice::Left(_) => "left",
        Notice::Returned(_) => "returned",
        Notice::Credited => "credited",
        Notice::Given { .. } => "given",
        Notice::Presence(_) => "presence",
        Notice::Chatted(_) => "chatted",
        Notice::Ended(_) => "ended",
        Notice::Rematch(_) => "rematch",
        Notice::Bye(_) => "bye",
    }
}
