//! Notices: what the user should learn when one view follows another.

use hansu_play::{Ending, Millis, Offer, Sides};
use hansu_protocol::{ChatMessage, Offered, Phase, Ply, Refusal, Turn};

use crate::{GameView, Presence};

/// A change that a client shows its user, with a sentence, a sound or a mark on the board. The
/// page's twin is `web/src/game/notices.ts`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// A snapshot has replaced the whole view; what follows has happened since the last view.
    Shown,
    /// A command was refused.
    Refused(Refusal),
    /// The game has begun.
    Started,
    /// A move was played.
    Moved {
        /// The move.
        ply: Ply,
        /// The side that moved.
        by: Turn,
    },
    /// Moves were taken back.
    TakenBack,
    /// The game was adjourned.
    Adjourned,
    /// The adjourned game goes on.
    Resumed,
    /// Something is on offer.
    Offered(Offered),
    /// An offer is no longer open, and was neither declined nor agreed to.
    Lapsed(Offered),
    /// An offer was declined.
    Declined {
        /// What was offered.
        what: Offer,
        /// The side that declined.
        by: Turn,
    },
    /// A player has left.
    Left(Turn),
    /// A player is back.
    Returned(Turn),
    /// The clock that ran got time back.
    Credited,
    /// A player gave the other time.
    Given {
        /// The side that got it.
        to: Turn,
        /// How much.
        time: Millis,
    },
    /// Connections have changed.
    Presence(Presence),
    /// A chat message.
    Chatted(ChatMessage),
    /// The game has ended.
    Ended(Ending),
    /// Both want to play again; this is the next game.
    Rematch(String),
    /// The server will not take this client back, for this reason.
    Bye(String),
}

/// The parts of the view before a message that the notices are made from.
pub(crate) struct Before {
    known: bool,
    phase: Phase,
    plies: usize,
    offers: Vec<Offered>,
    declined: Option<u64>,
    given: Option<u64>,
    left: Sides<Option<Millis>>,
    presence: Presence,
    chat: usize,
    is_ended: bool,
    has_next: bool,
    has_bye: bool,
    refusals: u64,
}

fn refusals(game: &GameView) -> u64 {
    game.denied.as_ref().map_or(0, |denied| denied.count)
}

impl Before {
    pub(crate) fn new(game: &GameView) -> Before {
        Before {
            known: game.known,
            phase: game.phase,
            plies: game.plies.len(),
            offers: game.offers.clone(),
            declined: game.declined.map(|declined| declined.seq),
            given: game.given.map(|given| given.seq),
            left: game.left,
            presence: game.presence,
            chat: game.chat.len(),
            is_ended: game.ending.is_some(),
            has_next: game.next.is_some(),
            has_bye: game.bye.is_some(),
            refusals: refusals(game),
        }
    }

    /// Adds what has happened between the view before and `after`.
    pub(crate) fn notices(&self, after: &GameView, to: &mut Vec<Notice>) {
        if let Some(denied) = &after.denied
            && refusals(after) != self.refusals
        {
            to.push(Notice::Refused(denied.refusal.clone()));
        }
        if let (false, Some(reason)) = (self.has_bye, &after.bye) {
            to.push(Notice::Bye(reason.clone()));
        }
        if self.presence != after.presence {
            to.push(Notice::Presence(after.presence));
        }
        // The first snapshot is not news.
        if !self.known || !after.known {
            return;
        }
        self.board(after, to);
        self.offers(after, to);
        for (side, before, now) in [
            (Turn::White, self.left.white, after.left.white),
            (Turn::Black, self.left.black, after.left.black),
        ] {
            match (before, now) {
                (None, Some(_)) => to.push(Notice::Left(side)),
                (Some(_), None) => to.push(Notice::Returned(side)),
                _ => {}
            }
        }
        if let Some(given) = after.given.filter(|given| Some(given.seq) != self.given) {
            to.push(Notice::Given { to: given.to, time: given.time });
        }
        to.extend(after.chat.iter().skip(self.chat).cloned().map(Notice::Chatted));
        if let (false, Some(ending)) = (self.is_ended, after.ending) {
            to.push(Notice::Ended(ending));
        }
        if let (false, Some(next)) = (self.has_next, &after.next) {
            to.push(Notice::Rematch(next.clone()));
        }
    }

    fn board(&self, after: &GameView, to: &mut Vec<Notice>) {
        if self.phase == Phase::Waiting && after.phase == Phase::Playing {
            to.push(Notice::Started);
        }
        for at in self.plies..after.plies.len() {
            let before = if at == 0 { &after.first } else { &after.plies[at - 1].board };
            let by = crate::game_view::turn_of(&before.fen);
            to.push(Notice::Moved { ply: after.plies[at].clone(), by });
        }
        if after.plies.len() < self.plies {
            to.push(Notice::TakenBack);
        }
        match (self.phase, after.phase) {
            (Phase::Playing, Phase::Adjourned) => to.push(Notice::Adjourned),
            (Phase::Adjourned, Phase::Playing) => to.push(Notice::Resumed),
            _ => {}
        }
    }

    fn offers(&self, after: &GameView, to: &mut Vec<Notice>) {
        let declined = after.declined.filter(|declined| Some(declined.seq) != self.declined);
        let gone = self.offers.iter().filter(|offer| !after.offers.contains(offer));
        for &offer in gone {
            let is_agreed = match offer.what {
                Offer::Draw => after.phase == Phase::Ended,
                Offer::Takeback => after.plies.len() < self.plies,
                Offer::Adjournment => after.phase == Phase::Adjourned,
                Offer::Resumption => after.phase == Phase::Playing,
                Offer::Rematch => after.next.is_some(),
            };
            let is_declined = declined.is_some_and(|declined| declined.what == offer.what);
            if !is_agreed && !is_declined {
                to.push(Notice::Lapsed(offer));
            }
        }
        let made = after.offers.iter().filter(|offer| !self.offers.contains(offer));
        to.extend(made.copied().map(Notice::Offered));
        if let Some(declined) = declined {
            to.push(Notice::Declined { what: declined.what, by: declined.by });
        }
    }
}
