//! An entry of a game as an event of the log.

use hansu_play::{Entry, Event};
use hansu_records::{Error, NewEvent};

use crate::log_time;

/// The event to be kept for an entry.
///
/// # Errors
///
/// [`Error::Damaged`] when the entry cannot be written down, which no entry of a game does.
///
/// ```
/// use hansu_play::{Entry, Event, Millis, Start};
/// let started = Event::Started(Start::between("Mina", "Jun"));
/// let event = hansu_journal::written(&Entry { seq: 1, at: Millis(5), event: started })?;
/// assert_eq!(event.at, 5);
/// assert!(event.body.starts_with(r#"{"v":1,"seq":1,"at":5,"#));
/// # Ok::<(), hansu_records::Error>(())
/// ```
pub fn written(entry: &Entry) -> Result<NewEvent, Error> {
    let body = serde_json::to_string(entry).map_err(|_| Error::Damaged)?;
    // A move is dated by when it was made, not by when it reached the disk.
    let at = match entry.event {
        Event::Moved { received, .. } => received,
        _ => entry.at,
    };
    Ok(NewEvent { at: log_time(at), body })
}
