//! Gifts: time that one player gives the other.

use hansu_chess::Color;

use crate::decide::check_playing;
use crate::talk::check_room;
use crate::{Actor, Clocks, Event, Millis, Refusal, State, TimeControl};

/// The time of one gift: 15 s.
pub const GIFT: Millis = Millis::seconds(15);

/// A side gets at most this many gifts in one game: ten minutes in all.
pub const MAX_GIFTS: usize = 40;

/// A gift that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gift {
    /// The turn in which it was made, counted from 0.
    turn: usize,
    to: Color,
    time: Millis,
}

/// Gives a side time. The other player can, or either player on one screen for both sides.
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
    /// The clocks; `None` without clocks, and in correspondence, where every move has its own time.
    fn counting(&self) -> Option<Clocks> {
        let start = self.start.as_ref()?;
        self.clocks.filter(|_| !start.time.stages(Color::White).is_empty())
    }

    /// Adds a gift to a side's clock; `None` if the game has no clocks to which it can be added.
    pub(crate) fn take_gift(&mut self, to: Color, time: Millis) -> Option<()> {
        let mut clocks = self.counting()?;
        clocks[to] = clocks[to].plus(time);
        self.clocks = Some(clocks);
        self.gifts.push(Gift { turn: self.plies(), to, time });
        Some(())
    }

    /// The clocks at the beginning of the turn `plies` moves ago, plus the gifts since then: a
    /// takeback does not take gifts back.
    pub(crate) fn clocks_before(&self, plies: usize) -> Option<Clocks> {
        let turn = self.plies().checked_sub(plies)?;
        let mut clocks = (*self.turns.get(turn)?)?;
        for gift in self.gifts.iter().filter(|gift| gift.turn >= turn) {
            clocks[gift.to] = clocks[gift.to].plus(gift.time);
        }
        Some(clocks)
    }

    /// After a takeback, gifts of the removed turns count as made in this one.
    pub(crate) fn keep_gifts(&mut self) {
        let now = self.plies();
        for gift in &mut self.gifts {
            gift.turn = gift.turn.min(now);
        }
    }
}
