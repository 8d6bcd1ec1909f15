//! Time that one player gives the other.

use hansu_chess::Color;

use crate::decide::check_playing;
use crate::talk::check_room;
use crate::{Actor, Clocks, Event, Millis, Refusal, State, TimeControl};

/// How much time is given at once.
///
/// ```
/// # use hansu_play::{GIFT, Millis};
/// assert_eq!(GIFT, Millis::seconds(15));
/// ```
pub const GIFT: Millis = Millis::seconds(15);

/// How often a side can be given time in one game: ten minutes in all.
///
/// ```
/// assert_eq!(hansu_play::MAX_GIFTS, 40);
/// ```
pub const MAX_GIFTS: usize = 40;

/// Time that was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gift {
    /// The turn in which it was given, counted from 0.
    turn: usize,
    to: Color,
    time: Millis,
}

/// Gives a side time: the other player does, or one of two at one screen.
pub(crate) fn give(state: &State, actor: Actor, to: Color) -> Result<Vec<Event>, Refusal> {
    check_playing(state)?;
    let clocks = state.counting().filter(|_| actor != Actor::seat(to)).ok_or(Refusal::NoGift)?;
    let gifts = state.gifts.iter().filter(|gift| gift.to == to).count();
    if gifts >= MAX_GIFTS || clocks[to].plus(GIFT) > TimeControl::MAX_TIME {
        return Err(Refusal::EnoughGiven);
    }
    check_room(state)?;
    Ok(vec![Event::TimeGiven { to, time: GIFT }])
}

impl State {
    /// The clocks of a game in which they count down from move to move.
    fn counting(&self) -> Option<Clocks> {
        let start = self.start.as_ref()?;
        self.clocks.filter(|_| !start.time.stages(Color::White).is_empty())
    }

    /// A side gets time; `None` where no clock counts down.
    pub(crate) fn take_gift(&mut self, to: Color, time: Millis) -> Option<()> {
        let mut clocks = self.counting()?;
        clocks[to] = clocks[to].plus(time);
        self.clocks = Some(clocks);
        self.gifts.push(Gift { turn: self.plies(), to, time });
        Some(())
    }

    /// The clocks at the beginning of the turn before the last moves, with what was given since:
    /// a takeback does not take gifts back.
    pub(crate) fn clocks_before(&self, plies: usize) -> Option<Clocks> {
        let turn = self.plies().checked_sub(plies)?;
        let mut clocks = (*self.turns.get(turn)?)?;
        for gift in self.gifts.iter().filter(|gift| gift.turn >= turn) {
            clocks[gift.to] = clocks[gift.to].plus(gift.time);
        }
        Some(clocks)
    }

    /// What was given in turns that are gone counts as given in this one.
    pub(crate) fn keep_gifts(&mut self) {
        let now = self.plies();
        for gift in &mut self.gifts {
            gift.turn = gift.turn.min(now);
        }
    }
}
