//! The state of a game between two seats, built from its events.

use hansu_chess::{Color, Game};

use crate::clock::Turn;
use crate::giving::Gift;
use crate::{Clocks, Ending, Entry, Event, Millis, Offer, ReplayError, Sides, Start, apply};

/// The phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// Not started.
    #[default]
    New,
    /// Under way.
    Playing,
    /// Interrupted by agreement.
    Adjourned,
    /// Over.
    Ended(Ending),
}

/// A game between two seats. Only [`apply`](crate::apply) changes it, so it depends on its entries
/// and on nothing else.
///
/// ```
/// use hansu_play::{Actor, Command, Millis, Start, State, apply, decide, stamp};
/// let mut state = State::default();
/// let start = Command::Start(Start::between("Mina", "Jun"));
/// let events = decide(&state, Actor::Both, &start, Millis(0))?;
/// let entries = stamp(&state, events, Millis(0));
/// for entry in &entries {
///     apply(&mut state, entry)?;
/// }
/// assert_eq!(State::replay(&entries)?, state);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) seq: u64,
    pub(crate) at: Millis,
    pub(crate) start: Option<Start>,
    pub(crate) started_at: Millis,
    pub(crate) ended_at: Millis,
    pub(crate) game: Game,
    pub(crate) phase: Phase,
    pub(crate) clocks: Option<Clocks>,
    /// The clocks at the beginning of every turn, the present one included: one more than moves.
    pub(crate) turns: Vec<Option<Clocks>>,
    /// When the present turn began.
    pub(crate) since: Millis,
    pub(crate) lag_spent: Sides<Millis>,
    pub(crate) gifts: Vec<Gift>,
    pub(crate) offers: Offers,
    pub(crate) left: Sides<Option<Millis>>,
    pub(crate) next: Option<String>,
}

/// The open offers, and when each side last made which offer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Offers {
    pub(crate) open: [Option<Color>; Offer::ALL.len()],
    pub(crate) last: [Sides<Option<u32>>; Offer::ALL.len()],
    /// Moves played, including those that were taken back.
    pub(crate) played: u32,
}

impl Default for State {
    fn default() -> State {
        State {
            seq: 0,
            at: Millis::ZERO,
            start: None,
            started_at: Millis::ZERO,
            ended_at: Millis::ZERO,
            game: Game::start(),
            phase: Phase::New,
            clocks: None,
            turns: vec![None],
            since: Millis::ZERO,
            lag_spent: Sides::default(),
            gifts: Vec::new(),
            offers: Offers::default(),
            left: Sides::default(),
            next: None,
        }
    }
}

impl State {
    /// A copy whose game the caller replaces at once.
    pub(crate) fn without_game(&self) -> State {
        State {
            seq: self.seq,
            at: self.at,
            start: self.start.clone(),
            started_at: self.started_at,
            ended_at: self.ended_at,
            game: Game::start(),
            phase: self.phase,
            clocks: self.clocks,
            turns: self.turns.clone(),
            since: self.since,
            lag_spent: self.lag_spent,
            gifts: self.gifts.clone(),
            offers: self.offers.clone(),
            left: self.left,
            next: self.next.clone(),
        }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        // All fields are named, so that a new one cannot be forgotten here.
        let State {
            seq,
            at,
            start,
            started_at,
            ended_at,
            game,
            phase,
            clocks,
            turns,
            since,
            lag_spent,
            gifts,
            offers,
            left,
            next,
        } = self;
        // Positions and outcome follow from the start and the moves.
        game.moves() == other.game.moves()
            && (seq, at, start, started_at, ended_at)
                == (&other.seq, &other.at, &other.start, &other.started_at, &other.ended_at)
            && (phase, clocks, turns, since)
                == (&other.phase, &other.clocks, &other.turns, &other.since)
            && (lag_spent, gifts, offers, left, next)
                == (&other.lag_spent, &other.gifts, &other.offers, &other.left, &other.next)
    }
}

impl Eq for State {}

impl State {
    /// The state after these entries, which must begin with the first of the game.
    ///
    /// # Errors
    ///
    /// Why one of them does not fit.
    ///
    /// ```
    /// # use hansu_play::{Entry, Event, Millis, ReplayError, State};
    /// let resumed = Entry { seq: 1, at: Millis(0), event: Event::Resumed };
    /// assert_eq!(State::replay(&[resumed]), Err(ReplayError::NotStarted));
    /// ```
    pub fn replay<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Result<State, ReplayError> {
        let mut state = State::default();
        for entry in entries {
            apply(&mut state, entry)?;
        }
        Ok(state)
    }

    /// The number of the last entry; 0 when there is none.
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// When the last entry was committed.
    pub const fn at(&self) -> Millis {
        self.at
    }

    /// What was fixed before the first move; `None` before the start.
    pub const fn start(&self) -> Option<&Start> {
        self.start.as_ref()
    }

    /// When the game was started, if it was.
    pub fn started_at(&self) -> Option<Millis> {
        self.start.as_ref().map(|_| self.started_at)
    }

    /// When the game ended, if it has. Chat and rematch offers may come after it.
    pub fn ended_at(&self) -> Option<Millis> {
        self.ending().map(|_| self.ended_at)
    }

    /// The game of the rules: positions, moves, legal targets, refusals. It does not know
    /// resignations and flags; see [`State::ending`].
    ///
    /// ```
    /// # use hansu_play::State;
    /// assert_eq!(State::default().game().position().legal_moves().len(), 20);
    /// ```
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.game.turn()
    }

    /// The number of moves played and not taken back, counting both sides' moves.
    pub fn plies(&self) -> usize {
        self.game.moves().len()
    }

    /// The phase of the game.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// How the game ended; `None` if it has not.
    pub const fn ending(&self) -> Option<Ending> {
        match self.phase {
            Phase::Ended(ending) => Some(ending),
            Phase::New | Phase::Playing | Phase::Adjourned => None,
        }
    }

    /// The clocks as of the last event; the clock of the side to move runs from [`State::since`].
    pub const fn clocks(&self) -> Option<Clocks> {
        self.clocks
    }

    /// The clocks after the move of a ply, counted from 0.
    pub fn clocks_after(&self, ply: usize) -> Option<Clocks> {
        self.turns.get(ply.saturating_add(1)).copied().flatten()
    }

    /// When the present turn began.
    pub const fn since(&self) -> Millis {
        self.since
    }

    /// What the clocks show at `now`.
    pub fn clocks_at(&self, now: Millis) -> Option<Clocks> {
        self.with_mover(self.running().map(|turn| turn.showing(now)))
    }

    /// The clocks with another time for the side to move.
    pub(crate) fn with_mover(&self, left: Option<Millis>) -> Option<Clocks> {
        let mut clocks = self.clocks?;
        if let Some(left) = left {
            clocks[self.turn()] = left;
        }
        Some(clocks)
    }

    /// The turn whose clock runs.
    pub(crate) fn running(&self) -> Option<Turn> {
        if self.phase != Phase::Playing || self.game.outcome().is_some() {
            return None;
        }
        let us = self.turn();
        let (left, lag) = (self.clocks?[us], self.lag_left(us));
        Turn::new(&self.start.as_ref()?.time, us, self.plies(), left, self.since, lag)
    }

    /// The clock of the side to move, when it runs.
    ///
    /// ```
    /// use hansu_play::{Entry, Event, Millis, Start, State, TimeControl};
    /// let time = TimeControl::Correspondence { days: 2 };
    /// let start = Start { time, ..Start::between("Mina", "Jun") };
    /// let entry = Entry { seq: 1, at: Millis(5), event: Event::Started(start) };
    /// let ticking = State::replay(&[entry])?.ticking().unwrap();
    /// assert_eq!((ticking.left, ticking.from), (Millis::days(2), Some(Millis(5))));
    /// # Ok::<(), hansu_play::ReplayError>(())
    /// ```
    pub fn ticking(&self) -> Option<crate::Ticking> {
        self.running().map(|turn| turn.ticking())
    }

    /// The side whose clock runs, and the time from which it can be flagged; `None` while the game is
    /// adjourned, over, or without a clock.
    ///
    /// Before flagging, the caller must decide the moves that it has received already: a move counts
    /// by when it was received.
    ///
    /// ```
    /// use hansu_chess::Color;
    /// use hansu_play::{Entry, Event, Millis, Start, State, TimeControl};
    /// let start = Start {
    ///     time: TimeControl::Correspondence { days: 2 },
    ///     ..Start::between("Mina", "Jun")
    /// };
    /// let entry = Entry { seq: 1, at: Millis(5), event: Event::Started(start) };
    /// let state = State::replay(&[entry])?;
    /// assert_eq!(state.deadline(), Some((Color::White, Millis::days(2).plus(Millis(5)))));
    /// # Ok::<(), hansu_play::ReplayError>(())
    /// ```
    pub fn deadline(&self) -> Option<(Color, Millis)> {
        self.running().map(|turn| (self.turn(), turn.deadline()))
    }

    /// The lag that can still be forgiven to a side.
    pub fn lag_left(&self, color: Color) -> Millis {
        let budget = self.start.as_ref().map_or(Millis::ZERO, |start| start.time.lag_budget(color));
        budget.minus(self.lag_spent[color])
    }

    /// The side that has this offer open.
    pub fn offered(&self, what: Offer) -> Option<Color> {
        self.offers.open[what as usize]
    }

    /// Since when a player has been away; `None` if the player is present.
    pub fn away_since(&self, color: Color) -> Option<Millis> {
        self.left[color]
    }

    /// The id of the next game, if a rematch is agreed on. Its start is [`Start::rematch`] of this
    /// one.
    pub fn next_game(&self) -> Option<&str> {
        self.next.as_deref()
    }

    /// The end that the rules demand and that is not in the log yet.
    pub(crate) fn owed(&self) -> Option<Ending> {
        match self.phase {
            Phase::Playing => self.game.outcome().map(Ending::from),
            Phase::New | Phase::Adjourned | Phase::Ended(_) => None,
        }
    }
}

/// Numbers and dates decided events: numbers without gaps after the state, and the time of the
/// commit, which is never before the last entry or before a move was received.
///
/// ```
/// use hansu_play::{Event, Millis, State, stamp};
/// let entries = stamp(&State::default(), vec![Event::Resumed, Event::Resumed], Millis(9));
/// assert_eq!((entries[0].seq, entries[1].seq, entries[1].at), (1, 2, Millis(9)));
/// ```
pub fn stamp(state: &State, events: Vec<Event>, committed: Millis) -> Vec<Entry> {
    let mut at = state.at.max(committed);
    (state.seq..)
        .zip(events)
        .map(|(before, event)| {
            if let Event::Moved { received, .. } = event {
                at = at.max(received);
            }
            Entry { seq: before.saturating_add(1), at, event }
        })
        .collect()
}
