//! Copies a log in pieces: reads them from the file, and writes them to it.

use std::sync::mpsc;

use rusqlite::Connection;

use super::apply::{Answer, Work};
use super::rows::IdsIn;
use super::writer::Job;
use super::{SqliteStore, rows, waiting};
use crate::carry::{Carry, CopiedEvent, CopiedGame, OtherTables, Piece, Remark, is_of_copy};
use crate::game_row::GameRow;
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

    fn games_after(&self, after: i64, limit: usize) -> Result<Vec<CopiedGame>, Error> {
        self.readers.read(|connection| {
            let mut query = connection
                .prepare_cached("SELECT n, hash FROM games WHERE n > ?1 ORDER BY n LIMIT ?2")?;
            let rows =
                query.query_map((after, limit as i64), |row| Ok((row.get(0)?, row.get(1)?)))?;
            let found: Vec<(i64, Option<[u8; 16]>)> = rows.collect::<rusqlite::Result<_>>()?;
            found.into_iter().map(|(n, hash)| read_game(connection, n, hash)).collect()
        })
    }

    fn other_tables(&self) -> Result<OtherTables, Error> {
        self.readers.read(|connection| {
            let mut other = OtherTables::default();
            let mut query = connection.prepare("SELECT * FROM invitations ORDER BY game")?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                other.invitations.push(waiting::invitation(row)?);
            }
            let mut query = connection.prepare_cached(waiting::SEEKS)?;
            let mut rows = query.query([i64::MAX])?;
            while let Some(row) = rows.next()? {
                other.seeks.push(waiting::seek(row)?);
            }
            let mut query = connection.prepare("SELECT node, at FROM beats ORDER BY node")?;
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            other.beats = rows.collect::<rusqlite::Result<_>>()?;
            let mut query = connection.prepare("SELECT * FROM imports ORDER BY key")?;
            let rows = query.query_map([], rows::progress)?;
            other.imports = rows.collect::<rusqlite::Result<_>>()?;
            other.imports.retain(|progress| !is_of_copy(progress));
            Ok(other)
        })
    }

    fn take_in(&self, piece: &Piece, reached: &Progress) -> Result<(), Error> {
        let (sender, answer) = mpsc::sync_channel(1);
        let job = Job::Carry(Box::new((piece.clone(), reached.clone())), sender);
        self.queue.send(job).map_err(|_| Error::Closed)?;
        answer.recv().unwrap_or(Err(Error::Closed))
    }
}

fn read_game(connection: &Connection, n: i64, hash: Option<[u8; 16]>) -> Result<CopiedGame, Error> {
    let mut query = connection.prepare_cached(rows::BY_ROW)?;
    let mut found = query.query((n, None::<&[u8]>))?;
    let record = rows::record(found.next()?.ok_or(Error::Damaged)?)?;
    let mut query = connection
        .prepare_cached("SELECT at, client, body FROM events WHERE game_id = ?1 ORDER BY seq")?;
    let events = query.query_map([n], |row| {
        Ok(CopiedEvent { at: row.get(0)?, command_key: row.get(1)?, body: row.get(2)? })
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
    Ok(CopiedGame { n, record, hash, events, seats, remarks, analysis })
}

impl Work<'_> {
    /// Writes a piece of another log.
    pub(crate) fn take_in(&mut self, piece: &Piece, reached: &Progress) -> Answer<()> {
        match piece {
            Piece::Names(names) => {
                for (id, name) in names {
                    self.add_name(*id, name)?;
                }
            }
            Piece::Games(games) => {
                for game in games {
                    self.add_game(game)?;
                }
            }
            Piece::OtherTables(other) => self.add_other_tables(other)?,
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

    fn add_game(&mut self, game: &CopiedGame) -> Result<(), Error> {
        let record = &game.record;
        let mut ids = IdsIn(self.ids, self.connection);
        let row = GameRow::new(&mut ids, record.id, record.last_seq, game.hash, &record.summary)?;
        let at = row.facets.at;
        let n = row.insert(self.connection, Some(game.n))?;
        self.tallies.add(&row.facets);
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, NULL, NULL)")?;
        for (event, seq) in game.events.iter().zip(1_i64..) {
            insert.execute((n, seq, event.at, &event.command_key, &event.body))?;
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

    fn add_other_tables(&self, other: &OtherTables) -> rusqlite::Result<()> {
        for table in ["invitations", "seeks", "beats"] {
            self.connection.execute(&format!("DELETE FROM {table}"), [])?;
        }
        for one in &other.invitations {
            self.add_invitation(one)?;
        }
        for one in &other.seeks {
            self.add_seek(one)?;
        }
        for (node, at) in &other.beats {
            self.connection
                .prepare_cached("INSERT OR REPLACE INTO beats VALUES (?1, ?2)")?
                .execute((node, at))?;
        }
        other.imports.iter().try_for_each(|progress| self.write_progress(progress))
    }
}
