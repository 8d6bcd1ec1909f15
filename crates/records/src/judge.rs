//! Decides whether an append is accepted; the same for both databases.

use crate::dates::LogTime;
use crate::{Append, Appended, Error, GameId, Once, Row, Uses};

/// What the log contains while an append is judged. No other writer may change it until the append
/// is written.
pub(crate) trait Facts {
    /// The error of a lookup.
    type Error;

    /// The last event number of the append with this command key, searched among all events of an
    /// existing game: the rules might allow even an old command a second time.
    fn resent(&self, game: GameId, command_key: &str) -> Result<Option<u64>, Self::Error>;

    /// Returns true if a game with this id exists.
    fn exists(&self, game: GameId) -> Result<bool, Self::Error>;

    /// Returns true if the invitation or seek is open for this game at this time.
    fn is_open(&self, uses: Uses, game: GameId, at: LogTime) -> Result<bool, Self::Error>;

    /// Returns true if an invitation or a seek reserves this id.
    fn is_reserved(&self, game: GameId) -> Result<bool, Self::Error>;

    /// Returns true if an existing game is live.
    fn is_live(&self, game: GameId) -> Result<bool, Self::Error>;
}

/// What is to be done with an append.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Write it; its last event gets this number.
    Keep(u64),
    /// Write nothing, and give this answer.
    Answer(Result<Appended, Error>),
}

/// Judges an append to a game whose last event has this number; `None` when there is no game.
pub(crate) fn judge<F: Facts>(
    log: &F,
    append: &Append,
    last: Option<u64>,
) -> Result<Verdict, F::Error> {
    if let (Some(_), Some(command_key)) = (last, &append.command_key)
        && let Some(seq) = log.resent(append.game, command_key)?
    {
        return Ok(Verdict::Answer(Ok(Appended { seq, once: Once::Again })));
    }
    let last_seq = last.unwrap_or(0);
    let conflict = Ok(Verdict::Answer(Err(Error::Conflict { last_seq })));
    // Seats come only with the first events; otherwise the game has already begun.
    if append.begins.is_some() && append.expected != 1 {
        return conflict;
    }
    let uses = append.begins.as_ref().and_then(|begins| begins.uses);
    if let Some(uses) = uses {
        let now = append.events.first().map_or(LogTime::MAX, |event| event.at);
        if !log.is_open(uses, append.game, now)? {
            return Ok(Verdict::Answer(Err(Error::Spent)));
        }
    }
    if append.expected != last_seq + 1 {
        return conflict;
    }
    if last.is_none() && uses.is_none() && log.is_reserved(append.game)? {
        return conflict;
    }
    if let Some(next) = &append.next
        && (next.game == append.game || !is_new(log, next)?)
    {
        return conflict;
    }
    // Moves can be added only to a live game that has a row.
    if matches!(append.row, Row::Played(_)) && !(last.is_some() && log.is_live(append.game)?) {
        return Ok(Verdict::Answer(Err(Error::Damaged)));
    }
    Ok(Verdict::Keep(append.last_seq()))
}

/// Returns true if the rematch game can begin.
fn is_new<F: Facts>(log: &F, next: &Append) -> Result<bool, F::Error> {
    let whole = matches!(next.row, Row::Whole(_));
    let begins = next.expected == 1 && next.command_key.is_none() && whole;
    let uses = next.begins.as_ref().is_some_and(|begins| begins.uses.is_some());
    Ok(begins && !uses && !log.exists(next.game)? && !log.is_reserved(next.game)?)
}
