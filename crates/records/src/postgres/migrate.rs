//! Brings a database to the version of this program, while others may be doing the same.
//!
//! `hansu` says which version the tables have and how old a program may be that still writes to
//! them, so that nodes of two versions work side by side while one is exchanged for the other.

use super::rows::single;
use super::schema::Step;
use super::session::Session;
use crate::Error;

/// Whoever holds this lock changes the tables: "Hnsu", and a number for what it guards.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1215198069, 1)";

/// The version of the tables, and the oldest version of the program that may write to them;
/// `None` when there are none.
fn marks(session: &Session) -> Result<Option<(i64, i64)>, Error> {
    // From the catalogue itself: what the server remembers of a name may be older than the lock.
    let there = session.ask(
        "SELECT EXISTS (SELECT 1 FROM pg_class
           WHERE relname = 'hansu' AND relnamespace = current_schema()::regnamespace)",
        &[],
    )?;
    if !single::<bool>(&there)? {
        return Ok(None);
    }
    let rows = session.ask("SELECT version, oldest FROM hansu", &[])?;
    let row = rows.first().ok_or(Error::Foreign)?;
    Ok(Some((row.try_get(0)?, row.try_get(1)?)))
}

/// Takes the steps that are missing, all or none.
///
/// # Errors
///
/// [`Error::Newer`] when this program is too old, [`Error::Foreign`] when the tables are
/// somebody else's, or what the server says.
pub(crate) fn migrate(session: &Session, steps: &[Step]) -> Result<(), Error> {
    let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    if let Some((version, oldest)) = marks(session)?
        && version >= known
    {
        return may_write(version, oldest, known);
    }
    session.run("BEGIN")?;
    let taken = take(session, steps, known);
    match taken {
        Ok(()) => session.run("COMMIT"),
        Err(error) => {
            let _ = session.run("ROLLBACK");
            Err(error)
        }
    }
}

/// Whether a program that knows so many steps may write.
pub(crate) fn may_write(version: i64, oldest: i64, known: i64) -> Result<(), Error> {
    if oldest > known { Err(Error::Newer { found: version, known }) } else { Ok(()) }
}

fn take(session: &Session, steps: &[Step], known: i64) -> Result<(), Error> {
    // A step may take longer than a move, and so may whoever takes it before us.
    session.be_patient()?;
    session.run(LOCK)?;
    let (version, oldest) = marks(session)?.unwrap_or((0, 0));
    may_write(version, oldest, known)?;
    let Some(missing) = usize::try_from(version).ok().and_then(|taken| steps.get(taken..)) else {
        return Ok(());
    };
    if version == 0 {
        session.run(
            "CREATE TABLE hansu (
               one boolean PRIMARY KEY DEFAULT true CHECK (one),
               version bigint NOT NULL,
               oldest bigint NOT NULL
             );
             INSERT INTO hansu (version, oldest) VALUES (0, 0)",
        )?;
    }
    for step in missing {
        session.run(step.sql).map_err(|error| match error {
            // A table of that name is there, and not ours.
            Error::Postgres(code) if &code == b"42P07" => Error::Foreign,
            other => other,
        })?;
    }
    let oldest = missing.iter().map(|step| step.oldest).fold(oldest, i64::max);
    session.query("UPDATE hansu SET version = $1, oldest = $2", &[&known, &oldest])?;
    Ok(())
}
