//! Applies events to a state. Nothing is decided here and no time is computed, but an event that does
//! not fit is an error, so that a damaged log is noticed.

use std::fmt;

use hansu_chess::{Claim, Color, Game, Position, Reason as Rule};

use self::ReplayError as M;
use crate::{Clocks, Ending, Entry, Event, Offer, Phase, Reason, Sides, Start, State};

/// Why an entry does not fit a state; the state is unchanged then.
///
/// ```
/// use hansu_play::{Entry, Event, Millis, ReplayError, State, apply};
/// let entry = Entry { seq: 3, at: Millis(0), event: Event::Resumed };
/// assert_eq!(apply(&mut State::default(), &entry), Err(ReplayError::Seq { expected: 1 }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// Another entry should come first, or this one was applied already.
    Seq {
        /// The number that fits.
        expected: u64,
    },
    /// It is earlier than the entry before it, or than the move in it.
    Time,
    /// The game has not been started.
    NotStarted,
    /// The game has been started already.
    AlreadyStarted,
    /// The start position or the time control is unsound.
    Start,
    /// The move is not legal, or there is no such move to take back.
    Move,
    /// The game is adjourned, or over, or should be over.
    NotPlaying,
    /// The game is not adjourned.
    NotAdjourned,
    /// The game is not over.
    NotOver,
    /// Clocks where there are none, or none where there should be.
    Clocks,
    /// That was not offered, or was offered already.
    Offer,
    /// The player is present already, or away already.
    Presence,
    /// The game cannot end in this way.
    Ending,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            M::Seq { expected } => {
                return write!(f, "the entry numbered {expected} should come next");
            }
            M::Time => "the entry is earlier than what it follows",
            M::NotStarted => "the game has not been started",
            M::AlreadyStarted => "the game has been started already",
            M::Start => "the game cannot start so",
            M::Move => "the move does not fit the position",
            M::NotPlaying => "the game is not under way",
            M::NotAdjourned => "the game is not adjourned",
            M::NotOver => "the game is not over",
            M::Clocks => "the clocks do not fit the time control",
            M::Offer => "the offer does not fit",
            M::Presence => "the player had left, or come back, already",
            M::Ending => "the game cannot end so",
        })
    }
}

impl std::error::Error for ReplayError {}

/// Applies an event to a state.
///
/// # Errors
///
/// Why it does not fit; the state is unchanged then.
///
/// ```
/// use hansu_play::{Entry, Event, Millis, Phase, Start, State, apply};
/// let mut state = State::default();
/// let event = Event::Started(Start::between("Mina", "Jun"));
/// apply(&mut state, &Entry { seq: 1, at: Millis(0), event })?;
/// assert_eq!(state.phase(), Phase::Playing);
/// # Ok::<(), hansu_play::ReplayError>(())
/// ```
pub fn apply(state: &mut State, entry: &Entry) -> Result<(), ReplayError> {
    apply_played(state, entry, &mut None)
}

/// Applies an event to a state. `played` is the game after its move, if that is known already; the
/// state's own game is not read then.
pub(crate) fn apply_played(
    state: &mut State,
    entry: &Entry,
    played: &mut Option<Game>,
) -> Result<(), ReplayError> {
    let expected = state.seq.checked_add(1).ok_or(M::NotPlaying)?;
    if entry.seq != expected {
        return Err(M::Seq { expected });
    }
    if entry.at < state.at {
        return Err(M::Time);
    }
    match (&entry.event, &state.start) {
        (Event::Started(_), None) | (_, Some(_)) => {}
        (_, None) => return Err(M::NotStarted),
    }
    happen(state, entry, played)?;
    (state.seq, state.at) = (entry.seq, entry.at);
    Ok(())
}

/// Every arm checks everything before it changes anything.
fn happen(state: &mut State, entry: &Entry, played: &mut Option<Game>) -> Result<(), ReplayError> {
    match &entry.event {
        Event::Started(start) => {
            if state.start.is_some() {
                return Err(M::AlreadyStarted);
            }
            state.begin(start, entry)?;
        }
        &Event::Moved { uci, received, lag, clocks } => {
            state.check_clocks(clocks)?;
            if received > entry.at {
                return Err(M::Time);
            }
            let us = match played.take() {
                // The rules have played the move already, in `decide`.
                Some(game) => {
                    state.game = game;
                    !state.turn()
                }
                None => {
                    state.check_playing()?;
                    let us = state.turn();
                    state.game.play(uci.from, uci.to, uci.promotion).map_err(|_| M::Move)?;
                    us
                }
            };
            state.lag_spent[us] = state.lag_spent[us].plus(lag);
            state.offers.close_by_move(us);
            // A state is copied before every move: doubling the capacity would copy twice as much.
            let more = 1 + state.turns.len() / 8;
            if state.turns.capacity() == state.turns.len() {
                state.turns.reserve_exact(more);
            }
            state.turns.push(clocks);
            state.set_clocks(clocks, entry);
        }
        &Event::TakenBack { plies, clocks } => {
            state.check_playing()?;
            state.check_clocks(clocks)?;
            let asking = state.offered(Offer::Takeback).ok_or(M::Offer)?;
            let count = usize::from(plies);
            if state.plies_to_take_back(asking) != Some(count) {
                return Err(M::Move);
            }
            for _ in 0..count {
                state.game.take_back();
                state.turns.pop();
            }
            state.keep_gifts();
            state.offers.close_agreed(Offer::Takeback);
            state.set_clocks(clocks, entry);
        }
        &Event::Offered { what, by } => {
            state.check_offer(what)?;
            if state.offered(what).is_some() {
                return Err(M::Offer);
            }
            let offers = &mut state.offers;
            offers.open[what as usize] = Some(by);
            offers.last[what as usize][by] = Some(offers.played);
        }
        &Event::Declined { what, by } => {
            state.check_offer(what)?;
            if state.offered(what) != Some(!by) {
                return Err(M::Offer);
            }
            state.offers.open[what as usize] = None;
        }
        &Event::Adjourned { clocks } => {
            state.check_playing()?;
            state.check_clocks(clocks)?;
            state.offered(Offer::Adjournment).ok_or(M::Offer)?;
            state.offers.close_agreed(Offer::Adjournment);
            state.phase = Phase::Adjourned;
            state.set_clocks(clocks, entry);
        }
        Event::Resumed => {
            if state.phase != Phase::Adjourned {
                return Err(M::NotAdjourned);
            }
            state.offered(Offer::Resumption).ok_or(M::Offer)?;
            state.offers.close_agreed(Offer::Resumption);
            state.phase = Phase::Playing;
            state.since = entry.at;
        }
        &Event::Left { side } => {
            if state.left[side].is_some() {
                return Err(M::Presence);
            }
            state.left[side] = Some(entry.at);
        }
        &Event::Returned { side } => {
            state.left[side].take().ok_or(M::Presence)?;
        }
        &Event::Credited { time } => {
            state.check_playing()?;
            state.since = state.since.plus(time).min(entry.at);
            for color in Color::ALL {
                let left = &mut state.left[color];
                *left = left.map(|left| left.plus(time).min(entry.at));
            }
        }
        &Event::TimeGiven { to, time } => {
            state.check_playing()?;
            state.take_gift(to, time).ok_or(M::Clocks)?;
        }
        Event::Chatted { .. } => {}
        Event::RematchAgreed { next } => {
            state.check_offer(Offer::Rematch)?;
            state.offered(Offer::Rematch).ok_or(M::Offer)?;
            state.offers.close_agreed(Offer::Rematch);
            state.next = Some(next.clone());
        }
        &Event::Ended { ending, clocks } => {
            state.check_clocks(clocks)?;
            if !state.may_end(ending) {
                return Err(M::Ending);
            }
            state.phase = Phase::Ended(ending);
            state.ended_at = entry.at;
            state.offers.clear();
            state.clocks = clocks;
        }
    }
    Ok(())
}

impl State {
    fn begin(&mut self, start: &Start, entry: &Entry) -> Result<(), ReplayError> {
        let position = match &start.fen {
            Some(fen) => Position::from_fen(fen, start.variant).map_err(|_| M::Start)?,
            None => Position::start(),
        };
        let game = Game::from_position(position, start.variant);
        if game.outcome().is_some() || !start.time.is_sound() {
            return Err(M::Start);
        }
        let clocks = start.time.initial();
        self.game = game;
        self.turns = vec![clocks];
        self.start = Some(start.clone());
        self.started_at = entry.at;
        self.phase = Phase::Playing;
        self.set_clocks(clocks, entry);
        Ok(())
    }

    fn set_clocks(&mut self, clocks: Option<Clocks>, entry: &Entry) {
        self.clocks = clocks;
        self.since = entry.at;
    }

    fn check_playing(&self) -> Result<(), ReplayError> {
        if self.phase == Phase::Playing && self.game.outcome().is_none() {
            Ok(())
        } else {
            Err(M::NotPlaying)
        }
    }

    fn check_clocks(&self, clocks: Option<Clocks>) -> Result<(), ReplayError> {
        if clocks.is_some() == self.clocks.is_some() { Ok(()) } else { Err(M::Clocks) }
    }

    /// Checks that this can be offered in this phase.
    fn check_offer(&self, what: Offer) -> Result<(), ReplayError> {
        match (what, self.phase) {
            (Offer::Draw, Phase::Adjourned) => Ok(()),
            (Offer::Draw | Offer::Takeback | Offer::Adjournment, _) => self.check_playing(),
            (Offer::Resumption, Phase::Adjourned) => Ok(()),
            (Offer::Resumption, _) => Err(M::NotAdjourned),
            (Offer::Rematch, Phase::Ended(_)) if self.next.is_none() => Ok(()),
            (Offer::Rematch, _) => Err(M::NotOver),
        }
    }

    /// How many plies a takeback removes, back to before this side's last move; `None` if it has made
    /// no move.
    pub(crate) fn plies_to_take_back(&self, asking: Color) -> Option<usize> {
        let plies = if self.turn() == asking { 2 } else { 1 };
        (self.plies() >= plies).then_some(plies)
    }

    fn may_end(&self, ending: Ending) -> bool {
        let Ending { winner, reason } = ending;
        if let Some(owed) = self.owed() {
            return ending == owed;
        }
        let playing = match self.phase {
            Phase::Playing => true,
            Phase::Adjourned => false,
            Phase::New | Phase::Ended(_) => return false,
        };
        match reason {
            Reason::Chess(Rule::Resignation) => winner.is_some(),
            Reason::Chess(Rule::Agreement) => {
                winner.is_none() && self.offered(Offer::Draw).is_some()
            }
            Reason::Chess(rule @ (Rule::ThreefoldRepetition | Rule::FiftyMoves)) => {
                let claim = self.game.claim().map(Claim::reason);
                playing && winner.is_none() && claim == Some(rule)
            }
            Reason::Chess(Rule::LockedPawns) => {
                playing && winner.is_none() && self.game.position().is_locked()
            }
            Reason::Chess(_) => false,
            Reason::Timeout => playing && self.clocks.is_some() && winner == Some(!self.turn()),
            Reason::TimeoutDraw => playing && self.clocks.is_some() && winner.is_none(),
            Reason::Abandonment => playing,
            Reason::Abort => playing && winner.is_none() && self.plies() < 2,
        }
    }
}

impl crate::state::Offers {
    fn clear(&mut self) {
        self.open = Default::default();
    }

    /// Closes all offers after an agreement. The side need not wait before it offers this again.
    fn close_agreed(&mut self, what: Offer) {
        self.clear();
        self.last[what as usize] = Sides::default();
    }

    /// By moving, a side declines the other side's offers. A takeback offer ends with any move.
    fn close_by_move(&mut self, us: Color) {
        self.played = self.played.saturating_add(1);
        for what in Offer::ALL {
            let open = &mut self.open[what as usize];
            if what == Offer::Takeback || *open == Some(!us) {
                *open = None;
            }
        }
    }
}
