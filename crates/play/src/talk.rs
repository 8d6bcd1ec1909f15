//! Commands beside the moves: chat, players who leave and return, credit for the server's outages,
//! and the claim against an absent opponent.

use hansu_chess::Color;

use crate::decide::{check_playing, end_with};
use crate::text::{MAX_CHAT, MAX_NAME, visible};
use crate::{
    Actor, Claimed, Event, Millis, Reason, Refusal, Spectators, State, TimeControl, can_mate,
};

/// How long a player must be away before the other may claim a game with clocks: one minute.
pub const ABSENCE: Millis = Millis::minutes(1);

/// The same in a game without clocks, where no time is lost meanwhile: three minutes.
pub const ABSENCE_UNTIMED: Millis = Millis::minutes(3);

/// From this number of entries on, the log of a game takes no more chat and offers, so that a player
/// cannot fill a disk. Moves and the end are always taken.
pub const MAX_ENTRIES: u64 = 20_000;

/// This many more entries are reserved for players who leave and return, so that a game whose log is
/// full of chat can still be claimed.
const DEPARTURES: u64 = 2_000;

/// Checks that the log has room for an entry that the game can do without.
pub(crate) fn check_room(state: &State) -> Result<(), Refusal> {
    if state.seq < MAX_ENTRIES { Ok(()) } else { Err(Refusal::LogFull) }
}

pub(crate) fn chat(
    state: &State,
    actor: Actor,
    text: &str,
    name: Option<&str>,
) -> Result<Vec<Event>, Refusal> {
    let spectators = state.start.as_ref().map(|start| start.spectators);
    let watching = actor == Actor::Spectator;
    if watching && spectators != Some(Spectators::Chat) {
        return Err(Refusal::ChatClosed);
    }
    check_room(state)?;
    let name = name.filter(|_| watching);
    Ok(vec![Event::Chatted {
        from: actor,
        name: name.map(|name| visible(name, MAX_NAME)).transpose()?,
        text: visible(text, MAX_CHAT)?,
    }])
}

/// Checks that the actor may report that a side left or returned.
fn check_presence(actor: Actor, side: Color) -> Result<(), Refusal> {
    match actor {
        Actor::System | Actor::Both => Ok(()),
        Actor::Spectator => Err(Refusal::NotSeated),
        Actor::White | Actor::Black if actor == Actor::seat(side) => Ok(()),
        Actor::White | Actor::Black => Err(Refusal::NotYourSeat),
    }
}

pub(crate) fn leave(state: &State, actor: Actor, side: Color) -> Result<Vec<Event>, Refusal> {
    check_presence(actor, side)?;
    if state.left[side].is_some() {
        return Err(Refusal::Unchanged);
    }
    if state.seq >= MAX_ENTRIES + DEPARTURES {
        return Err(Refusal::LogFull);
    }
    Ok(vec![Event::Left { side }])
}

pub(crate) fn come_back(state: &State, actor: Actor, side: Color) -> Result<Vec<Event>, Refusal> {
    check_presence(actor, side)?;
    state.left[side].ok_or(Refusal::Unchanged)?;
    Ok(vec![Event::Returned { side }])
}

/// Gives back time in which the server was away; never more than has passed in the longest of the
/// turn and the absences.
pub(crate) fn credit(
    state: &State,
    actor: Actor,
    time: Millis,
    now: Millis,
) -> Result<Vec<Event>, Refusal> {
    if actor != Actor::System {
        return Err(Refusal::SystemOnly);
    }
    check_playing(state)?;
    // The earliest start: of the turn, or of an absence.
    let absences = state.left.white.into_iter().chain(state.left.black);
    let oldest = absences.fold(state.since, Millis::min);
    let time = time.min(now.minus(oldest));
    if time == Millis::ZERO {
        return Err(Refusal::Unchanged);
    }
    Ok(vec![Event::Credited { time }])
}

/// Claims the game from a player who has left. In correspondence players come and go, so there is
/// nothing to claim. A side that could never give mate gets a draw, as with a flag.
pub(crate) fn claim_absence(
    state: &State,
    us: Color,
    result: Claimed,
    now: Millis,
) -> Result<Vec<Event>, Refusal> {
    if state.plies() < 2 {
        return Err(Refusal::NotUnderWay);
    }
    let most = match state.start.as_ref().map(|start| &start.time) {
        Some(TimeControl::Clock { .. } | TimeControl::Odds { .. }) => ABSENCE,
        Some(TimeControl::Unlimited) => ABSENCE_UNTIMED,
        Some(TimeControl::Correspondence { .. }) | None => return Err(Refusal::OpponentThere),
    };
    let left = state.left[!us].ok_or(Refusal::OpponentThere)?;
    if now.minus(left) < most {
        return Err(Refusal::OpponentThere);
    }
    let winner = match result {
        Claimed::Win if can_mate(state.game.position().board(), us) => Some(us),
        Claimed::Win | Claimed::Draw => None,
    };
    Ok(vec![end_with(state, winner, Reason::Abandonment, now)])
}
