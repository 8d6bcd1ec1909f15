//! The operations of the log on the file.

use std::sync::mpsc;

use rusqlite::OptionalExtension;

use super::apply::Edit;
use super::queries::Plan;
use super::tail::deadline;
use super::waiting::OtherWrite;
use super::writer::Job;
use super::{SqliteStore, rows, waiting};
use crate::batch::prepare;
use crate::counting;
use crate::dates::LogTime;
use crate::stats::{Bucket, Facet, HeadToHead, Own, PlayerStats, Standing, Streaks, Tally, Viewer};
use crate::store::{
    Archive, Batch, BatchAnswer, Done, Event, Invitations, LONGEST_INVITATION, LONGEST_NAME,
    LONGEST_NOTE, Log, Progress, is_beginning, tidy_tag, within,
};
use crate::{
    Append, Cursor, Error, Filter, GameId, Holder, Invitation, Listing, Page, Part, Record, Seat,
    Seek,
};

impl SqliteStore {
    pub(super) fn edit(&self, game: GameId, edit: Edit) -> Result<(), Error> {
        let (sender, answer) = mpsc::sync_channel(1);
        self.offer(Job::Edit(game, edit, sender)).map_err(|(_, error)| error)?;
        answer.recv().unwrap_or(Err(Error::Closed))
    }

    pub(super) fn other_write(&self, write: OtherWrite) -> Result<u64, Error> {
        let (sender, answer) = mpsc::sync_channel(1);
        self.offer(Job::OtherWrite(write, sender)).map_err(|(_, error)| error)?;
        answer.recv().unwrap_or(Err(Error::Closed))
    }
}

fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

impl Log for SqliteStore {
    fn submit(&self, append: Append, done: Done) {
        if let Err(error) = append.limits() {
            return done(Err(error));
        }
        let refused = self.offer(Job::Append(Box::new(append), done));
        if let Err((Job::Append(_, done), error)) = refused {
            done(Err(error));
        }
    }

    fn events(&self, game: GameId, after: u64, most: usize) -> Result<Vec<Event>, Error> {
        self.readers.read(|connection| {
            let n: Option<i64> = connection
                .prepare_cached("SELECT n FROM games WHERE id = ?1")?
                .query_row([game.as_str()], |row| row.get(0))
                .optional()?;
            let n = n.ok_or(Error::NoSuchGame)?;
            let after = i64::try_from(after).unwrap_or(i64::MAX);
            let mut query = connection.prepare_cached(
                "SELECT seq, at, body FROM events WHERE game_id = ?1 AND seq > ?2
                 ORDER BY seq LIMIT ?3",
            )?;
            let rows = query.query_map((n, after, limit(most)), |row| {
                Ok(Event {
                    seq: row.get::<_, i64>(0)?.cast_unsigned(),
                    at: row.get(1)?,
                    body: row.get(2)?,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn find_command(&self, game: GameId, command_key: &str) -> Result<Option<u64>, Error> {
        self.readers.read(|connection| {
            let seq = connection
                .prepare_cached(
                    "SELECT e.seq FROM games g CROSS JOIN events e ON e.game_id = g.n
                     WHERE g.id = ?1 AND e.client = ?2",
                )?
                .query_row((game.as_str(), command_key), |row| row.get::<_, i64>(0))
                .optional()?;
            Ok(seq.map(i64::cast_unsigned))
        })
    }

    fn seats(&self, game: GameId) -> Result<Vec<Seat>, Error> {
        self.readers.read(|connection| waiting::seats(connection, game))
    }

    fn beat(&self, node: &str, at: LogTime) -> Result<(), Error> {
        within(node.len() <= LONGEST_NAME, Part::Node)?;
        self.other_write(OtherWrite::Beat(node.to_owned(), at)).map(drop)
    }

    fn beats(&self) -> Result<Vec<(String, LogTime)>, Error> {
        self.readers.read(|connection| {
            let mut query =
                connection.prepare_cached("SELECT node, at FROM beats ORDER BY node")?;
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn last_beat(&self) -> Result<Option<LogTime>, Error> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached("SELECT max(at) FROM beats")?;
            Ok(query.query_row([], |row| row.get(0))?)
        })
    }

    fn record(&self, game: GameId) -> Result<Option<Record>, Error> {
        self.record_for(Viewer::Keeper, game)
    }

    fn overdue(&self, now: LogTime, most: usize) -> Result<Vec<(GameId, LogTime)>, Error> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(concat!(
                "SELECT id, due FROM (SELECT g.id, ",
                deadline!(),
                " AS due
                   FROM games g INDEXED BY games_wake WHERE g.wake IS NOT NULL AND g.wake <= ?1)
                 WHERE due <= ?1 ORDER BY due LIMIT ?2"
            ))?;
            let rows = query
                .query_map((now, limit(most)), |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
            rows.map(|row| {
                let (id, deadline) = row?;
                Ok((id.parse().map_err(|_| Error::Damaged)?, deadline))
            })
            .collect()
        })
    }
}

impl Invitations for SqliteStore {
    fn invite(&self, invitation: Invitation) -> Result<(), Error> {
        within(invitation.body.len() <= LONGEST_INVITATION, Part::Invitation)?;
        self.other_write(OtherWrite::Invite(Box::new(invitation))).map(drop)
    }

    fn invitation(&self, hash: &[u8; 32]) -> Result<Option<Invitation>, Error> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(waiting::BY_HASH)?;
            query.query([hash])?.next()?.map(waiting::invitation).transpose()
        })
    }

    fn invitation_of(&self, game: GameId) -> Result<Option<Invitation>, Error> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(waiting::BY_GAME)?;
            query.query([game.as_str()])?.next()?.map(waiting::invitation).transpose()
        })
    }

    fn withdraw(&self, game: GameId) -> Result<(), Error> {
        match self.other_write(OtherWrite::Withdraw(game))? {
            0 => Err(Error::NoSuchGame),
            _ => Ok(()),
        }
    }

    fn sweep_invitations(&self, now: LogTime) -> Result<u64, Error> {
        self.other_write(OtherWrite::Sweep(now))
    }

    fn seek(&self, seek: Seek) -> Result<(), Error> {
        within(seek.body.len() <= LONGEST_INVITATION, Part::Invitation)?;
        within(seek.node.len() <= LONGEST_NAME, Part::Node)?;
        self.other_write(OtherWrite::Seek(Box::new(seek))).map(drop)
    }

    fn seeks(&self, most: usize) -> Result<Vec<Seek>, Error> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(waiting::SEEKS)?;
            let mut rows = query.query([limit(most)])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push(waiting::seek(row)?);
            }
            Ok(found)
        })
    }

    fn cancel_seek(&self, game: GameId) -> Result<(), Error> {
        match self.other_write(OtherWrite::Cancel(game))? {
            0 => Err(Error::NoSuchGame),
            _ => Ok(()),
        }
    }
}

impl Archive for SqliteStore {
    fn find(&self, beginning: &str, most: usize) -> Result<Vec<GameId>, Error> {
        if !is_beginning(beginning) {
            return Ok(Vec::new());
        }
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT id FROM games WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3",
            )?;
            // `{` sorts after all letters and digits.
            let rows = query
                .query_map((beginning, format!("{beginning}{{"), limit(most)), |row| {
                    row.get::<_, String>(0)
                })?;
            rows.map(|id| id?.parse().map_err(|_| Error::Damaged)).collect()
        })
    }

    fn list(&self, filter: &Filter, page: &Page) -> Result<Listing, Error> {
        self.readers.read(|connection| {
            let Some(plan) = Plan::new(connection, filter)? else {
                return Ok(Listing { games: Vec::new(), next: None });
            };
            let statement = plan.page(page);
            let mut query = connection.prepare(&statement.sql)?;
            let texts: Vec<(&str, &dyn rusqlite::ToSql)> =
                statement.texts.iter().map(|(name, text)| (*name, text as _)).collect();
            let found = query.query_map(texts.as_slice(), |row| {
                Ok(Cursor { at: row.get("at")?, n: row.get("n")? })
            })?;
            let mut found: Vec<Cursor> = found.collect::<rusqlite::Result<_>>()?;
            let most = page.limit.min(Page::MOST);
            let more = found.len() > most;
            found.truncate(most);
            let mut query = connection.prepare_cached(rows::BY_ROW)?;
            let mut games = Vec::with_capacity(found.len());
            for cursor in &found {
                let mut rows = query.query((cursor.n, filter.viewer.reads()))?;
                games.push(rows::record(rows.next()?.ok_or(Error::Damaged)?)?);
            }
            let next = found.last().copied().filter(|_| more);
            Ok(Listing { games, next })
        })
    }

    fn count(&self, filter: &Filter) -> Result<u64, Error> {
        self.readers.read(|connection| {
            let Some(plan) = Plan::new(connection, filter)? else {
                return Ok(0);
            };
            let statement = plan.count();
            let mut query = connection.prepare(&statement.sql)?;
            let texts: Vec<(&str, &dyn rusqlite::ToSql)> =
                statement.texts.iter().map(|(name, text)| (*name, text as _)).collect();
            let count: i64 = query.query_row(texts.as_slice(), |row| row.get(0))?;
            Ok(count.max(0).cast_unsigned())
        })
    }

    fn record_for(&self, viewer: Viewer, game: GameId) -> Result<Option<Record>, Error> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(rows::BY_ID)?;
            let mut rows = query.query((game.as_str(), viewer.reads()))?;
            rows.next()?.map(rows::record).transpose()
        })
    }

    fn tag(&self, by: Option<Holder>, game: GameId, tag: &str) -> Result<(), Error> {
        self.edit(game, Edit::Tag(by, tidy_tag(tag)?))
    }

    fn untag(&self, by: Option<Holder>, game: GameId, tag: &str) -> Result<(), Error> {
        self.edit(game, Edit::Untag(by, tidy_tag(tag)?))
    }

    fn tags(&self, viewer: Viewer) -> Result<Vec<(String, u64)>, Error> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(match viewer {
                Viewer::Keeper => "SELECT tag, count(DISTINCT game) FROM tags GROUP BY tag",
                Viewer::Guest(_) => "SELECT tag, count(*) FROM tags WHERE holder = ?1 GROUP BY tag",
            })?;
            let rows = query.query_map(rusqlite::params_from_iter(viewer.reads()), |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)?.max(0).cast_unsigned()))
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn note(&self, by: Option<Holder>, game: GameId, note: &str) -> Result<(), Error> {
        within(note.len() <= LONGEST_NOTE, Part::Note)?;
        self.edit(game, Edit::Note(by, note.trim().to_owned()))
    }

    fn delete(&self, game: GameId) -> Result<(), Error> {
        self.edit(game, Edit::Delete)
    }

    fn import(&self, batch: Batch) -> Result<BatchAnswer, Error> {
        let (batch, hashes) = prepare(batch)?;
        let (sender, answer) = mpsc::sync_channel(1);
        self.queue.send(Job::Import(Box::new(batch), hashes, sender)).map_err(|_| Error::Closed)?;
        answer.recv().unwrap_or(Err(Error::Closed))
    }

    fn progress(&self, key: &str) -> Result<Option<Progress>, Error> {
        self.readers.read(|connection| {
            let progress = connection
                .prepare_cached("SELECT * FROM imports WHERE key = ?1")?
                .query_row([key], rows::progress)
                .optional()?;
            Ok(progress)
        })
    }

    fn totals(&self, viewer: Viewer) -> Result<Tally, Error> {
        self.readers.read(|connection| counting::totals(connection, viewer))
    }

    fn by(&self, viewer: Viewer, facet: Facet, player: Option<&str>) -> Result<Vec<Bucket>, Error> {
        self.readers.read(|connection| counting::by(connection, viewer, facet, player))
    }

    fn player(&self, viewer: Viewer, name: &str) -> Result<Option<PlayerStats>, Error> {
        self.readers.read(|connection| counting::player(connection, viewer, name))
    }

    fn players(&self, viewer: Viewer, most: usize) -> Result<Vec<PlayerStats>, Error> {
        self.readers.read(|connection| counting::players(connection, viewer, most))
    }

    fn head_to_head(&self, viewer: Viewer, one: &str, other: &str) -> Result<HeadToHead, Error> {
        self.readers.read(|connection| counting::head_to_head(connection, viewer, one, other))
    }

    fn opponents(
        &self,
        viewer: Viewer,
        name: &str,
        most: usize,
    ) -> Result<Vec<(String, Standing)>, Error> {
        self.readers.read(|connection| counting::opponents(connection, viewer, name, most))
    }

    fn streaks(&self, viewer: Viewer, name: &str) -> Result<Streaks, Error> {
        self.readers.read(|connection| counting::streaks(connection, viewer, name))
    }

    fn own(&self, holder: Holder, opponents: usize) -> Result<Own, Error> {
        self.readers.read(|connection| crate::own::own(connection, &holder, opponents))
    }

    fn check(&self) -> Result<(), Error> {
        self.readers.read(|connection| {
            let verdict: String =
                connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
            if verdict == "ok" { Ok(()) } else { Err(Error::Damaged) }
        })
    }
}
