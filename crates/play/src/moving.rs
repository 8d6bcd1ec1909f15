//! Moves, and draws that are claimed with them.

use hansu_chess::{Claim, Color, Game, Outcome, Reason as Rule, UciMove};

use crate::decide::{end_with, flag};
use crate::{Event, Millis, Moment, Reason, Refusal, State};

/// The events of a move: the move, and the end if it ends the game; or the flag that fell before it.
pub(crate) fn play(
    state: &State,
    us: Color,
    uci: UciMove,
    now: Moment,
    after: &mut Option<Game>,
) -> Result<Vec<Event>, Refusal> {
    let (events, game) = play_move(state, us, uci, now)?;
    *after = game;
    Ok(events)
}

/// The events of a move, and the game after it unless the flag fell before.
fn play_move(
    state: &State,
    us: Color,
    uci: UciMove,
    now: Moment,
) -> Result<(Vec<Event>, Option<Game>), Refusal> {
    if us != state.turn() {
        return Err(Refusal::NotYourTurn);
    }
    let mut game = state.game.clone();
    let step = game.play(uci.from, uci.to, uci.promotion)?;
    let (received, lag, left) = match state.running() {
        None => (now.received.max(state.since), Millis::ZERO, None),
        Some(turn) => match turn.stop(now) {
            Some(stopped) => (stopped.received, stopped.lag, Some(stopped.left)),
            None => return Ok((vec![flag(state, now.received)], None)),
        },
    };
    let clocks = state.with_mover(left);
    let mut events = vec![Event::Moved { uci: step.uci(game.variant()), received, lag, clocks }];
    if let Some(outcome) = by_rules(&game) {
        events.push(Event::Ended { ending: outcome.into(), clocks });
    }
    Ok((events, Some(game)))
}

/// The draw by threefold repetition or fifty moves, now or with a move.
pub(crate) fn claim_draw(
    state: &State,
    us: Color,
    with: Option<UciMove>,
    now: Moment,
    after: &mut Option<Game>,
) -> Result<Vec<Event>, Refusal> {
    if us != state.turn() {
        return Err(Refusal::NotYourTurn);
    }
    let Some(uci) = with else {
        let reason = reason(state.game.claim())?;
        return Ok(vec![end_with(state, None, reason, now.received)]);
    };
    let (mut events, game) = play_move(state, us, uci, now)?;
    // The flag fell, or the move itself has ended the game.
    let Some(game) = game else { return Ok(events) };
    let claim = match by_rules(&game) {
        None => Some(reason(game.claim())?),
        Some(_) => None,
    };
    *after = Some(game);
    let Some(reason) = claim else { return Ok(events) };
    if let Some(&Event::Moved { clocks, .. }) = events.last() {
        events.push(Event::Ended { ending: crate::Ending { winner: None, reason }, clocks });
    }
    Ok(events)
}

/// How the rules end a game here. That locked pawns end the game is decided once and kept in the log,
/// so that an older log, in which the game went on after the pawns were locked, can still be read.
///
/// ```
/// use hansu_chess::{Game, Position, Reason, Variant};
/// let wall: Position = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1".parse()?;
/// let end = hansu_play::by_rules(&Game::from_position(wall, Variant::Standard));
/// assert_eq!(end.map(|end| end.reason), Some(Reason::LockedPawns));
/// assert_eq!(hansu_play::by_rules(&Game::start()), None);
/// # Ok::<(), hansu_chess::FenError>(())
/// ```
pub fn by_rules(game: &Game) -> Option<Outcome> {
    let locked = || game.position().is_locked().then_some(Outcome::draw(Rule::LockedPawns));
    game.outcome().or_else(locked)
}

fn reason(claim: Option<Claim>) -> Result<Reason, Refusal> {
    let claim = claim.ok_or(Refusal::NothingToClaim)?;
    Ok(claim.reason().into())
}
