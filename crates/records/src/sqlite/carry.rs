//! The log as pieces that another log takes in, and back.

use std::sync::mpsc;

use rusqlite::Connection;

use super::apply::{Answer, Work};
use super::rows::IdsIn;
use super::writer::Job;
use super::{SqliteStore, rows, waiting};
use crate::carry::{Carry, Line, Piece, Remark, Rest, Whole, is_of_copy};
use crate::entry::Entry;
use crate::store::Progress;
use crate::{Error, Holder, names};

impl Carry for SqliteStore {
    fn names_after(&self, after: i64, limit: usize) -> Result<Vec<(i64, String)>, Error> {
        self.readers.read(|connection| {
            let mut query = connection
                .prepare_cached("SELECT id, name FROM names WHERE id > ?1 ORDER BY id LIMIT ?2")?;
            let rows =
                query.query_map((after, limit as i64), |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn games_after(&self, after: i64, limit: usize) -> Result<Vec<Whole>, Error> {
        self.readers.read(|connection| {
            let mut query = connection
                .prepare_cached("SELECT n, hash FROM games WHERE n > ?1 ORDER BY n LIMIT ?2")?;
            let rows =
                query.query_map((after, limit as i64), |row| Ok((row.get(0)?, row.get(1)?)))?;
            let found: Vec<(i64, Option<[u8; 16]>)> = rows.collect::<rusqlite::Result<_>>()?;
            found.into_iter().map(|(n, hash)| whole(connection, n, hash)).collect()
        })
    }

    fn rest(&self) -> Result<Rest, Error> {
        self.readers.read(|connection| {
            let mut rest = Rest::default();
            let mut query = connection.prepare("SELECT * FROM invitations ORDER BY game")?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                rest.invitations.push(waiting::invitation(row)?);
            }
            let mut query = connection.prepare_cached(waiting::SEEKS)?;
            let mut rows = query.query([i64::MAX])?;
            while let Some(row) = rows.next()? {
                rest.seeks.push(waiting::seek(row)?);
            }
            let mut query = connection.prepare("SELECT node, at FROM beats ORDER BY node")?;
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rest.beats = rows.collect::<rusqlite::Result<_>>()?;
            let mut query = connection.prepare("SELECT * FROM imports ORDER BY key")?;
            let rows = query.query_map([], rows::progress)?;
            rest.imports = rows.collect::<rusqlite::Result<_>>()?;
            rest.imports.retain(|progress| !is_of_copy(progress));
            Ok(rest)
        })
    }

    fn take_in(&self, piece: &Piece, reached: &Progress) -> Result<(), Error> {
        let (sender, answer) = mpsc::sync_channel(1);
        let job = Job::Carry(Box::new((piece.clone(), reached.clone())), sender);
        self.queue.send(job).map_err(|_| Error::Closed)?;
        answer.recv().unwrap_or(Err(Error::Closed))
    }
}

fn whole(connection: &Connection, n: i64, hash: Option<[u8; 16]>) -> Result<Whole, Error> {
    let mut query = connection.prepare_cached(rows::BY_ROW)?;
    let mut found = query.query((n, None::<&[u8]>))?;
    let record = rows::record(found.next()?.ok_or(Error::Damaged)?)?;
    let mut query = connection
        .prepare_cached("SELECT at, client, body FROM events WHERE game_id = ?1 ORDER BY seq")?;
    let events = query.query_map([n], |row| {
        Ok(Line { at: row.get(0)?, client: row.get(1)?, body: row.get(2)? })
    })?;
    let events = events.collect::<rusqlite::Result<_>>()?;
    let seats = waiting::seats(connection, record.id)?;
    let mut query = connection.prepare_cached(
        "SELECT holder, 0, tag FROM tags WHERE game = ?1
         UNION ALL SELECT holder, 1, text FROM notes WHERE game = ?1 ORDER BY 1, 2, 3",
    )?;
    let remarks = query.query_map([n], |row| {
        Ok(Remark { holder: row.get(0)?, is_note: row.get(1)?, text: row.get(2)? })
    })?;
    let remarks = remarks.collect::<rusqlite::Result<_>>()?;
    let analysis = super::analysis::of_row(connection, n)?;
    Ok(Whole { n, record, hash, events, seats, remarks, analysis })
}

impl Work<'_> {
    /// Takes a piece of another log in.
    pub(crate) fn take_in(&mut self, piece: &Piece, reached: &Progress) -> Answer<()> {
        match piece {
            Piece::Names(names) => {
                for (id, name) in names {
                    self.add_name(*id, name)?;
                }
            }
            Piece::Games(games) => {
                for game in games {
                    self.add_whole(game)?;
                }
            }
            Piece::Rest(rest) => self.add_rest(rest)?,
        }
        self.write_progress(reached)?;
        Ok(Ok(()))
    }

    fn add_name(&self, id: i64, name: &str) -> rusqlite::Result<()> {
        let folded = names::fold(name);
        for (sql, text) in [
            ("INSERT INTO names (id, name, folded) VALUES (?1, ?2, ?3)", name),
            ("INSERT INTO names_text (rowid, folded) VALUES (?1, ?3)", ""),
        ] {
            let mut insert = self.connection.prepare_cached(sql)?;
            insert.execute(rusqlite::params![id, text, folded])?;
        }
        Ok(())
    }

    fn add_whole(&mut self, game: &Whole) -> Result<(), Error> {
        let record = &game.record;
        let mut ids = IdsIn(self.ids, self.connection);
        let entry = Entry::new(&mut ids, record.id, record.last_seq, game.hash, &record.summary)?;
        let at = entry.facets.at;
        let n = entry.insert(self.connection, Some(game.n))?;
        self.ledger.add(&entry.facets);
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, NULL, NULL)")?;
        for (line, seq) in game.events.iter().zip(1_i64..) {
            insert.execute((n, seq, line.at, &line.client, &line.body))?;
        }
        drop(insert);
        self.sit(n, at, &game.seats)?;
        for Remark { holder, is_note, text } in &game.remarks {
            if *is_note {
                let holder = <[u8; 32]>::try_from(&holder[..]).ok().map(Holder);
                self.note(holder.as_ref(), n, text)?;
            } else {
                self.add_tag(holder, text, at, n)?;
            }
        }
        if let Some(analysis) = &game.analysis {
            self.keep_analysis(n, analysis)?;
        }
        Ok(())
    }

    fn add_rest(&self, rest: &Rest) -> rusqlite::Result<()> {
        for table in ["invitations", "seeks", "beats"] {
            self.connection.execute(&format!("DELETE FROM {table}"), [])?;
        }
        for one in &rest.invitations {
            self.add_invitation(one)?;
        }
        for one in &rest.seeks {
            self.add_seek(one)?;
        }
        for (node, at) in &rest.beats {
            self.connection
                .prepare_cached("INSERT OR REPLACE INTO beats VALUES (?1, ?2)")?
                .execute((node, at))?;
        }
        rest.imports.iter().try_for_each(|progress| self.write_progress(progress))
    }
}
