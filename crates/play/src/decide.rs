//! Decides commands: the events that follow, or the reason why a command is refused.

use hansu_chess::{Color, Game, Position};

use crate::apply::apply_played;

use crate::text::{MAX_NAME, visible};
use crate::{
    Actor, Command, Ending, Entry, Event, Millis, Moment, Phase, Reason, Refusal, Sides, Start,
    State, can_mate, giving, moving, offers, stamp, talk,
};

/// The events that follow from a command received at the moment `now`.
///
/// Time comes first: if a command arrives after the deadline of the side to move, the game ends on
/// time, whatever the command was (except chat, presence and clock credit).
///
/// # Errors
///
/// Why the command is refused.
///
/// ```
/// use hansu_play::{Actor, Command, Event, Millis, Refusal, Start, State, apply, decide, stamp};
/// let mut state = State::default();
/// let start = Command::Start(Start::between("Mina", "Jun"));
/// for entry in stamp(&state, decide(&state, Actor::System, &start, Millis(0))?, Millis(0)) {
///     apply(&mut state, &entry)?;
/// }
/// let e4 = Command::Move { uci: "e2e4".parse()? };
/// assert_eq!(decide(&state, Actor::Black, &e4, Millis(9)), Err(Refusal::NotYourTurn));
/// assert!(matches!(
///     decide(&state, Actor::White, &e4, Millis(9))?[..],
///     [Event::Moved { received: Millis(9), .. }]
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decide(
    state: &State,
    actor: Actor,
    command: &Command,
    now: impl Into<Moment>,
) -> Result<Vec<Event>, Refusal> {
    decide_played(state, actor, command, now.into(), &mut None)
}

/// What follows from a command, as [`act`] decides it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The entries for the log.
    pub entries: Vec<Entry>,
    /// The state after them.
    pub after: State,
}

/// Decides a command received at the moment `now`, and computes the state once its events are
/// committed: [`decide`], [`stamp`] and [`apply`](crate::apply) in one. The rules run only once.
///
/// # Errors
///
/// Why the command is refused.
///
/// ```
/// use hansu_play::{Decision, Actor, Command, Millis, Start, State, act};
/// let start = Command::Start(Start::between("Mina", "Jun"));
/// let Decision { entries, after } =
///     act(&State::default(), Actor::System, &start, Millis(0), Millis(3))?;
/// assert_eq!((entries[0].seq, entries[0].at, after.seq()), (1, Millis(3), 1));
/// # Ok::<(), hansu_play::Refusal>(())
/// ```
pub fn act(
    state: &State,
    actor: Actor,
    command: &Command,
    now: impl Into<Moment>,
    committed: Millis,
) -> Result<Decision, Refusal> {
    let mut played = None;
    let events = decide_played(state, actor, command, now.into(), &mut played)?;
    let mut entries = stamp(state, events, committed);
    let mut after = match &played {
        Some(_) => state.without_game(),
        None => state.clone(),
    };
    // Decided events always fit. If one did not, the log must not get it.
    let fits =
        entries.iter().take_while(|entry| apply_played(&mut after, entry, &mut played).is_ok());
    let fits = fits.count();
    entries.truncate(fits);
    if entries.is_empty() { Err(Refusal::Unchanged) } else { Ok(Decision { entries, after }) }
}

/// [`decide`], which also puts the game after a move into `played`, so that the rules need not play it
/// again.
fn decide_played(
    state: &State,
    actor: Actor,
    command: &Command,
    now: Moment,
    played: &mut Option<Game>,
) -> Result<Vec<Event>, Refusal> {
    let at = now.received;
    match command {
        Command::Start(start) => begin(state, actor, start),
        _ if state.phase == Phase::New => Err(Refusal::NotStarted),
        Command::Chat { text, name } => talk::chat(state, actor, text, name.as_deref()),
        &Command::Leave { side } => talk::leave(state, actor, side),
        &Command::Return { side } => talk::come_back(state, actor, side),
        &Command::Credit { time } => talk::credit(state, actor, time, at),
        &Command::Move { uci } => in_time(state, actor, at, |us| {
            check_playing(state)?;
            moving::play(state, us, uci, now, played)
        }),
        &Command::ClaimDraw { with } => in_time(state, actor, at, |us| {
            check_playing(state)?;
            moving::claim_draw(state, us, with, now, played)
        }),
        &Command::ClaimAbsence { result } => in_time(state, actor, at, |us| {
            check_playing(state)?;
            talk::claim_absence(state, us, result, at)
        }),
        Command::Resign => in_time(state, actor, at, |us| match state.phase {
            Phase::Ended(_) => Err(Refusal::GameOver),
            Phase::New | Phase::Playing | Phase::Adjourned => {
                let reason = hansu_chess::Reason::Resignation.into();
                Ok(vec![end_with(state, Some(!us), reason, at)])
            }
        }),
        Command::Offer { what, next } => {
            in_time(state, actor, at, |_| offers::offer(state, actor, *what, next.as_deref(), at))
        }
        Command::Accept { what, next } => {
            in_time(state, actor, at, |_| offers::accept(state, actor, *what, next.as_deref(), at))
        }
        &Command::Decline { what } => {
            in_time(state, actor, at, |_| offers::decline(state, actor, what))
        }
        Command::Abort => in_time(state, official(actor), at, |_| {
            check_playing(state)?;
            if state.plies() < 2 {
                Ok(vec![end_with(state, None, Reason::Abort, at)])
            } else {
                Err(Refusal::TooLateToAbort)
            }
        }),
        &Command::GiveTime { to } => in_time(state, actor, at, |_| giving::give(state, actor, to)),
        // If the flag has fallen, `in_time` finds it.
        Command::Flag => in_time(state, official(actor), at, |_| {
            check_playing(state)?;
            Err(match state.clocks {
                Some(_) => Refusal::TimeLeft,
                None => Refusal::NoClock,
            })
        }),
    }
}

/// Decides a player's command with `wanted`, unless the game ends on time or by the rules first.
fn in_time(
    state: &State,
    actor: Actor,
    now: Millis,
    wanted: impl FnOnce(Color) -> Result<Vec<Event>, Refusal>,
) -> Result<Vec<Event>, Refusal> {
    let us = match actor {
        Actor::White => Color::White,
        Actor::Black => Color::Black,
        // On one screen for both sides, the side to move.
        Actor::Both => state.turn(),
        Actor::System | Actor::Spectator => return Err(Refusal::NotSeated),
    };
    // A log that stops between a mating move and its end is completed first.
    if let Some(owed) = state.owed() {
        return Ok(vec![end(state, owed, now)]);
    }
    match state.deadline() {
        Some((_, deadline)) if now >= deadline => Ok(vec![flag(state, now)]),
        Some(_) | None => wanted(us),
    }
}

/// The server acts as both players in commands where it makes no difference which player gives them.
fn official(actor: Actor) -> Actor {
    match actor {
        Actor::System => Actor::Both,
        Actor::White | Actor::Black | Actor::Both | Actor::Spectator => actor,
    }
}

/// Checks that the game is under way, neither adjourned nor over.
pub(crate) fn check_playing(state: &State) -> Result<(), Refusal> {
    match state.phase {
        Phase::New => Err(Refusal::NotStarted),
        Phase::Playing if state.owed().is_some() => Err(Refusal::GameOver),
        Phase::Playing => Ok(()),
        Phase::Adjourned => Err(Refusal::Adjourned),
        Phase::Ended(_) => Err(Refusal::GameOver),
    }
}

fn begin(state: &State, actor: Actor, start: &Start) -> Result<Vec<Event>, Refusal> {
    if state.phase != Phase::New {
        return Err(Refusal::AlreadyStarted);
    }
    if actor == Actor::Spectator {
        return Err(Refusal::NotSeated);
    }
    if !start.time.is_sound() {
        return Err(Refusal::BadTime);
    }
    let position = match &start.fen {
        Some(fen) => Position::from_fen(fen, start.variant).map_err(Refusal::Position)?,
        None => Position::start(),
    };
    if moving::by_rules(&Game::from_position(position, start.variant)).is_some() {
        return Err(Refusal::PositionOver);
    }
    Ok(vec![Event::Started(Start {
        names: Sides {
            white: visible(&start.names.white, MAX_NAME)?,
            black: visible(&start.names.black, MAX_NAME)?,
        },
        // In normal form, whatever spelling came in.
        fen: start.fen.as_ref().map(|_| position.fen()),
        time: start.time.clone().plain(),
        ..start.clone()
    })])
}

/// The end of the game on time: the clock of the side to move has run out.
pub(crate) fn flag(state: &State, now: Millis) -> Event {
    let them = !state.turn();
    let (winner, reason) = if state.running().is_some_and(|turn| turn.is_first_move()) {
        (None, Reason::Abort)
    } else if can_mate(state.game.position().board(), them) {
        (Some(them), Reason::Timeout)
    } else {
        (None, Reason::TimeoutDraw)
    };
    end_with(state, winner, reason, now)
}

pub(crate) fn end_with(state: &State, winner: Option<Color>, reason: Reason, now: Millis) -> Event {
    end(state, Ending { winner, reason }, now)
}

fn end(state: &State, ending: Ending, now: Millis) -> Event {
    Event::Ended { ending, clocks: state.clocks_at(now) }
}
