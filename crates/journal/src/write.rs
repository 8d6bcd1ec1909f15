//! Converts an entry of a game to an event of the log.

use hansu_play::{Entry, Event};
use hansu_records::{Error, NewEvent};

use crate::log_time;

/// The event of the log for an entry.
///
/// # Errors
///
/// [`Error::Damaged`] if the entry cannot be serialised, which cannot happen for an entry of a
/// game.
///
/// ```
/// use hansu_play::{Entry, Event, Millis, Start};
/// let started = Event::Started(Start::between("Mina", "Jun"));
/// let event = hansu_journal::to_event(&Entry { seq: 1, at: Millis(5), event: started })?;
/// assert_eq!(event.at, 5);
/// assert!(event.body.starts_with(r#"{"v":1,"seq":1,"at":5,"#));
/// # Ok::<(), hansu_records::Error>(())
/// ```
pub fn to_event(entry: &Entry) -> Result<NewEvent, Error> {
    let body = serde_json::to_string(entry).map_err(|_| Error::Damaged)?;
    // The time of a move is when it was received, not when it reaches the disk.
    let at = match entry.event {
        Event::Moved { received, .. } => received,
        _ => entry.at,
    };
    Ok(NewEvent { at: log_time(at), body })
}
