//! Migrates a database to the version of this program; several nodes may do so at once.
//!
//! The table `hansu` has the version of the tables and the oldest program version that may still
//! write to them, so that nodes of two versions can run side by side during an upgrade.

use super::rows::single;
use super::schema::Migration;
use super::session::Session;
use crate::Error;

/// The lock for changes of the tables: "Hnsu" as a number, and the number of what it guards.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1215198069, 1)";

/// The version of the tables, and the oldest version of the program that may write to them;
/// `None` when there are none.
fn marks(session: &Session) -> Result<Option<(i64, i64)>, Error> {
    // From the catalogue itself: the server's cached lookup of a name may be older than the lock.
    let there = session.query_once(
        "SELECT EXISTS (SELECT 1 FROM pg_class
           WHERE relname = 'hansu' AND relnamespace = current_schema()::regnamespace)",
        &[],
    )?;
    if !single::<bool>(&there)? {
        return Ok(None);
    }
    let rows = session.query_once("SELECT version, oldest FROM hansu", &[])?;
    let row = rows.first().ok_or(Error::Foreign)?;
    Ok(Some((row.try_get(0)?, row.try_get(1)?)))
}

/// Runs the missing migrations, all or none.
///
/// # Errors
///
/// [`Error::Newer`] if this program is too old, [`Error::Foreign`] if the tables belong to another
/// program, or a database error.
pub(crate) fn migrate(session: &Session, migrations: &[Migration]) -> Result<(), Error> {
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    if let Some((version, oldest)) = marks(session)?
        && version >= known
    {
        return may_write(version, oldest, known);
    }
    session.run("BEGIN")?;
    let taken = take(session, migrations, known);
    match taken {
        Ok(()) => session.run("COMMIT"),
        Err(error) => {
            let _ = session.run("ROLLBACK");
            Err(error)
        }
    }
}

/// An error if a program with `known` migrations is too old to write.
pub(crate) fn may_write(version: i64, oldest: i64, known: i64) -> Result<(), Error> {
    if oldest > known { Err(Error::Newer { found: version, known }) } else { Ok(()) }
}

fn take(session: &Session, migrations: &[Migration], known: i64) -> Result<(), Error> {
    // A migration may take longer than other statements, and so may waiting for another node's.
    session.allow_long_statements()?;
    session.run(LOCK)?;
    let (version, oldest) = marks(session)?.unwrap_or((0, 0));
    may_write(version, oldest, known)?;
    let Some(missing) = usize::try_from(version).ok().and_then(|taken| migrations.get(taken..))
    else {
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
    for migration in missing {
        session.run(migration.sql).map_err(|error| match error {
            // A table with this name exists and belongs to another program.
            Error::Postgres(code) if &code == b"42P07" => Error::Foreign,
            other => other,
        })?;
    }
    let oldest = missing.iter().map(|migration| migration.oldest).fold(oldest, i64::max);
    session.query("UPDATE hansu SET version = $1, oldest = $2", &[&known, &oldest])?;
    Ok(())
}
