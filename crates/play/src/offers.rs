//! Draws, takebacks, adjournment, resumption, rematch: one side offers, the other answers.

use hansu_chess::Color;

use crate::decide::{end_with, flag};
use crate::talk::check_room;
use crate::text::is_id;
use crate::{Actor, Event, Millis, Offer, Phase, Refusal, State};

/// Makes an offer. If the other side has offered the same, or on one screen for both sides, this is
/// an agreement.
pub(crate) fn offer(
    state: &State,
    actor: Actor,
    what: Offer,
    next: Option<&str>,
    now: Millis,
) -> Result<Vec<Event>, Refusal> {
    check_phase(state, what)?;
    let by = match (actor, what) {
        (Actor::White, _) => Color::White,
        (Actor::Black, _) => Color::Black,
        // On one screen the last move is taken back, whichever side made it.
        (_, Offer::Takeback) => !state.turn(),
        _ => state.turn(),
    };
    if let Some(open) = state.offered(what) {
        let own = open == by && actor != Actor::Both;
        // An agreement to a rematch needs the id of the next game.
        let unnamed = what == Offer::Rematch && next.is_none();
        return if own || unnamed {
            Err(Refusal::AlreadyOffered)
        } else {
            agree(state, what, open, next, now)
        };
    }
    if what == Offer::Takeback && state.plies_to_take_back(by).is_none() {
        return Err(Refusal::NothingToTakeBack);
    }
    let offers = &state.offers;
    if let Some(last) = offers.last[what as usize][by]
        && offers.played.saturating_sub(last) < what.pause()
    {
        return Err(Refusal::OfferedTooSoon);
    }
    check_room(state)?;
    let mut events = vec![Event::Offered { what, by }];
    if actor == Actor::Both && what != Offer::Rematch {
        events.extend(agree(state, what, by, None, now)?);
    }
    Ok(events)
}

/// Accepts an offer of the other side.
pub(crate) fn accept(
    state: &State,
    actor: Actor,
    what: Offer,
    next: Option<&str>,
    now: Millis,
) -> Result<Vec<Event>, Refusal> {
    let by = answering(state, actor, what)?;
    agree(state, what, !by, next, now)
}

/// Declines an offer of the other side.
pub(crate) fn decline(state: &State, actor: Actor, what: Offer) -> Result<Vec<Event>, Refusal> {
    let by = answering(state, actor, what)?;
    Ok(vec![Event::Declined { what, by }])
}

/// The side that answers an offer.
fn answering(state: &State, actor: Actor, what: Offer) -> Result<Color, Refusal> {
    check_phase(state, what)?;
    let open = state.offered(what).ok_or(Refusal::NothingOffered)?;
    if actor == Actor::seat(open) { Err(Refusal::NothingOffered) } else { Ok(!open) }
}

/// Checks that this can be offered or answered in this phase.
fn check_phase(state: &State, what: Offer) -> Result<(), Refusal> {
    match (what, state.phase) {
        (_, Phase::New) => Err(Refusal::NotStarted),
        (Offer::Rematch, Phase::Ended(_)) if state.next.is_some() => Err(Refusal::RematchAgreed),
        (Offer::Rematch, Phase::Ended(_)) => Ok(()),
        (Offer::Rematch, _) => Err(Refusal::GameNotOver),
        (_, Phase::Ended(_)) => Err(Refusal::GameOver),
        (Offer::Draw, _) | (Offer::Resumption, Phase::Adjourned) => Ok(()),
        (Offer::Resumption, Phase::Playing) => Err(Refusal::NotAdjourned),
        (Offer::Takeback | Offer::Adjournment, Phase::Playing) => Ok(()),
        (Offer::Takeback | Offer::Adjournment, Phase::Adjourned) => Err(Refusal::Adjourned),
    }
}

/// The event of an agreement: what both sides wanted.
fn agree(
    state: &State,
    what: Offer,
    asking: Color,
    next: Option<&str>,
    now: Millis,
) -> Result<Vec<Event>, Refusal> {
    let event = match what {
        Offer::Draw => end_with(state, None, hansu_chess::Reason::Agreement.into(), now),
        Offer::Takeback => {
            let plies = state.plies_to_take_back(asking).ok_or(Refusal::NothingToTakeBack)?;
            Event::TakenBack {
                // One or two.
                plies: plies as u8,
                clocks: state.clocks_before(plies),
            }
        }
        Offer::Adjournment => match state.running().map(|turn| turn.paused(now)) {
            // A clock at zero is flagged, since the delay would save it when the game goes on.
            Some(None) => flag(state, now),
            Some(left @ Some(_)) => Event::Adjourned { clocks: state.with_mover(left) },
            None => Event::Adjourned { clocks: None },
        },
        Offer::Resumption => Event::Resumed,
        Offer::Rematch => Event::RematchAgreed {
            next: next.filter(|id| is_id(id)).ok_or(Refusal::BadId)?.to_owned(),
        },
    };
    Ok(vec![event])
}
