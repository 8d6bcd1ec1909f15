//! Whether an append may be kept; the same for every database.

use crate::dates::Millis;
use crate::{Append, Appended, Error, GameId, Once, Row, Uses};

/// What the log knows while an append is judged. Nobody else may change it until the append is
/// written.
pub(crate) trait Facts {
    /// What can go wrong.
    type Trouble;

    /// The number that an append with this client id got, among all events of a game that exists:
    /// however old a command is, the rules may allow it once more.
    fn resent(&self, game: GameId, client: &str) -> Result<Option<u64>, Self::Trouble>;

    /// Whether there is a game of that name.
    fn exists(&self, game: GameId) -> Result<bool, Self::Trouble>;

    /// Whether what this game uses up is there and good at that time.
    fn is_open(&self, uses: Uses, game: GameId, at: Millis) -> Result<bool, Self::Trouble>;

    /// Whether an invitation or a seek holds this name.
    fn is_reserved(&self, game: GameId) -> Result<bool, Self::Trouble>;

    /// Whether a game that exists is being played.
    fn is_live(&self, game: GameId) -> Result<bool, Self::Trouble>;
}

/// What is to be done with an append.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It is written, and its last event gets this number.
    Keep(u64),
    /// It is answered so, and nothing is written.
    Answer(Result<Appended, Error>),
}

/// Judges an append to a game whose last event has this number; `None` when there is no game.
pub(crate) fn judge<F: Facts>(
    log: &F,
    append: &Append,
    last: Option<u64>,
) -> Result<Verdict, F::Trouble> {
    if let (Some(_), Some(client)) = (last, &append.client)
        && let Some(seq) = log.resent(append.game, client)?
    {
        return Ok(Verdict::Answer(Ok(Appended { seq, once: Once::Again })));
    }
    let last_seq = last.unwrap_or(0);
    let conflict = Ok(Verdict::Answer(Err(Error::Conflict { last_seq })));
    // Somebody who thinks that a game begins when it has begun is late.
    if append.begins.is_some() && append.expected != 1 {
        return conflict;
    }
    let uses = append.begins.as_ref().and_then(|begins| begins.uses);
    if let Some(uses) = uses {
        let now = append.events.first().map_or(Millis::MAX, |event| event.at);
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
    // More moves of a game that has no row, or is over, are not what anyone has decided.
    if matches!(append.row, Row::Played(_)) && !(last.is_some() && log.is_live(append.game)?) {
        return Ok(Verdict::Answer(Err(Error::Damaged)));
    }
    Ok(Verdict::Keep(append.last_seq()))
}

/// Whether a game that shall follow another can begin.
fn is_new<F: Facts>(log: &F, next: &Append) -> Result<bool, F::Trouble> {
    let whole = matches!(next.row, Row::Whole(_));
    let begins = next.expected == 1 && next.client.is_none() && whole;
    let uses = next.begins.as_ref().is_some_and(|begins| begins.uses.is_some());
    Ok(begins && !uses && !log.exists(next.game)? && !log.is_reserved(next.game)?)
}
