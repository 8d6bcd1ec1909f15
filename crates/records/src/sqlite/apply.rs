//! The writes inside a transaction.

use std::borrow::Cow;
use std::sync::LazyLock;

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::rows::{self, Ids, IdsIn};
use super::tail::{TailCache, last_seq};
use super::waiting;
use crate::analysis::KeptAnalysis;
use crate::dates::LogTime;
use crate::game_row::{COLUMNS, GameRow, JUDGED, LISTED, column_list, hash_of};
use crate::judge::{Facts, Verdict, judge};
use crate::store::{Batch, BatchAnswer, MOST_TAGS, Progress, author, within};
use crate::tallies::{Facets, Tallies};
use crate::{
    Append, Appended, Error, GameId, Holder, Once, Part, Played, Row, Seat, Side, Status, Summary,
    Uses,
};

/// A change to a game that is not an event.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Tag(Option<Holder>, String),
    Untag(Option<Holder>, String),
    Note(Option<Holder>, String),
    Analysis(Box<KeptAnalysis>),
    Delete,
}

/// The answer to a job (inner result), unless the whole transaction must be rolled back (outer).
pub(crate) type Answer<T> = Result<Result<T, Error>, Error>;

/// The state of one transaction.
pub(crate) struct Work<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) ids: &'a mut Ids,
    pub(crate) tails: &'a mut TailCache,
    pub(crate) tallies: Tallies,
}

/// The row of a game before a change.
struct OldRow {
    n: i64,
    /// The game's last event, including events that the row does not have yet.
    last_seq: u64,
    facets: Facets,
    wake: Option<i64>,
    /// The first [`LISTED`] of [`COLUMNS`].
    cells: Vec<Value>,
}

static OLD_ROW: LazyLock<String> = LazyLock::new(|| {
    let names = column_list(&COLUMNS[..LISTED], |_, name| format!("g.{name}"));
    format!("SELECT {names}, n, {} FROM games g WHERE id = ?1", last_seq!())
});

impl Work<'_> {
    fn old(&self, id: GameId) -> Result<Option<OldRow>, Error> {
        let mut query = self.connection.prepare_cached(&OLD_ROW)?;
        let mut rows = query.query([id.as_str()])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        Ok(Some(OldRow {
            n: row.get(LISTED)?,
            last_seq: row.get::<_, i64>(LISTED + 1)?.cast_unsigned(),
            facets: Facets::read(row, 0)?,
            wake: row.get(JUDGED - 1)?,
            cells: (0..LISTED).map(|at| row.get(at)).collect::<rusqlite::Result<_>>()?,
        }))
    }

    /// Writes events and the resulting row.
    pub(crate) fn append(&mut self, append: &Append) -> Answer<Appended> {
        if let Some((n, played)) = self.tails.append_to_tail(append) {
            self.insert(n, append, Some(played))?;
            return Ok(Ok(Appended { seq: append.last_seq(), once: Once::First }));
        }
        let old = self.old(append.game)?;
        let last = old.as_ref().map(|old| old.last_seq);
        let seq = match judge(&Judged { work: self, old: old.as_ref() }, append, last)? {
            Verdict::Keep(seq) => seq,
            Verdict::Answer(answer) => return Ok(answer),
        };
        let summary = match &append.row {
            Row::Whole(summary) => Cow::Borrowed(&**summary),
            Row::Played(played) => {
                let mut summary = self.before(append.game, old.as_ref())?;
                played.apply(&mut summary);
                Cow::Owned(summary)
            }
        };
        let mut ids = IdsIn(self.ids, self.connection);
        let mut row = GameRow::new(&mut ids, append.game, seq, hash_of(&summary), &summary)?;
        let n = match &old {
            None => {
                let n = row.insert(self.connection, None)?;
                if let Some(begins) = &append.begins {
                    self.begin(append.game, n, row.facets.at, begins)?;
                }
                n
            }
            Some(old) => {
                row.follow(&old.facets, old.wake);
                let (sql, values) = changes(old, &row);
                self.connection.prepare_cached(&sql)?.execute(params_from_iter(values))?;
                row.update_line(self.connection, old.n)?;
                self.tallies.remove(&old.facets);
                old.n
            }
        };
        self.tallies.add(&row.facets);
        let wake = row.wake;
        self.insert(n, append, None)?;
        self.tails.store_row(self.connection, append, n, wake, summary)?;
        if let Some(next) = &append.next {
            // `judge` has checked it before anything was written: a failure now rolls back
            // everything.
            self.append(next)??;
        }
        Ok(Ok(Appended { seq, once: Once::First }))
    }

    /// The row of a game with the moves played since it was written.
    fn before(&self, game: GameId, old: Option<&OldRow>) -> Result<Summary, Error> {
        let old = old.ok_or(Error::Damaged)?;
        if let Some(summary) = self.tails.summary(game, old.n, old.last_seq) {
            return Ok(summary);
        }
        let mut query = self.connection.prepare_cached(rows::BY_ROW)?;
        let mut found = query.query((old.n, None::<&[u8]>))?;
        Ok(rows::record(found.next()?.ok_or(Error::Damaged)?)?.summary)
    }

    /// Inserts the events; the last one carries what the row does not have.
    fn insert(&self, n: i64, append: &Append, unsaid: Option<&Played>) -> rusqlite::Result<()> {
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
        let last = append.last_seq();
        for (event, number) in append.events.iter().zip(append.expected..) {
            let command_key = append.command_key.as_ref().filter(|_| number == last);
            let unsaid = unsaid.filter(|_| number == last);
            let (moves, deadline) =
                (unsaid.map(|played| played.moves.as_bytes()), unsaid.and_then(|p| p.deadline));
            let seq = number.cast_signed();
            insert.execute((n, seq, event.at, command_key, &event.body, moves, deadline))?;
        }
        Ok(())
    }

    /// Changes tags, a note or the analysis of a game, or deletes it.
    pub(crate) fn edit(&mut self, game: GameId, edit: &Edit) -> Answer<()> {
        let Some(old) = self.old(game)? else {
            return Ok(Err(Error::NoSuchGame));
        };
        match edit {
            Edit::Tag(by, tag) => return self.tag(by.as_ref(), old.n, old.facets.at, tag),
            Edit::Untag(by, tag) => {
                self.connection
                    .prepare_cached(
                        "DELETE FROM tags WHERE game = ?1 AND tag = ?2 AND (holder = ?3 OR ?3 = x'')",
                    )?
                    .execute((old.n, tag, author(by.as_ref())))?;
            }
            Edit::Note(by, note) => self.note(by.as_ref(), old.n, note)?,
            Edit::Analysis(analysis) => self.keep_analysis(old.n, analysis)?,
            Edit::Delete => {
                self.tails.remove(game);
                self.delete(&old)?;
            }
        }
        Ok(Ok(()))
    }

    fn tag(&self, by: Option<&Holder>, n: i64, at: i64, tag: &str) -> Answer<()> {
        let tags: i64 = self
            .connection
            .prepare_cached("SELECT count(*) FROM tags WHERE game = ?1")?
            .query_row([n], |row| row.get(0))?;
        if let Err(error) = within(tags < MOST_TAGS as i64, Part::Tags) {
            return Ok(Err(error));
        }
        self.add_tag(author(by), tag, at, n)?;
        Ok(Ok(()))
    }

    pub(crate) fn add_tag(&self, by: &[u8], tag: &str, at: i64, n: i64) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("INSERT OR IGNORE INTO tags VALUES (?1, ?2, ?3, ?4)")?
            .execute((by, tag, at, n))?;
        Ok(())
    }

    /// Sets a note. An empty note of the keeper deletes the notes of all holders.
    pub(crate) fn note(&self, by: Option<&Holder>, n: i64, note: &str) -> rusqlite::Result<()> {
        let by = author(by);
        let all = note.is_empty() && by.is_empty();
        let mut gone = self.connection.prepare_cached(
            "DELETE FROM notes WHERE game = ?1 AND (holder = ?2 OR ?3) RETURNING id, text",
        )?;
        let gone = gone.query_map((n, by, all), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let gone: Vec<(i64, String)> = gone.collect::<rusqlite::Result<_>>()?;
        for before in gone {
            self.connection
                .prepare_cached(
                    "INSERT INTO notes_text (notes_text, rowid, text) VALUES ('delete', ?1, ?2)",
                )?
                .execute(before)?;
        }
        if !note.is_empty() {
            let id: i64 = self
                .connection
                .prepare_cached(
                    "INSERT INTO notes (game, holder, text) VALUES (?1, ?2, ?3) RETURNING id",
                )?
                .query_row((n, by, note), |row| row.get(0))?;
            self.connection
                .prepare_cached("INSERT INTO notes_text (rowid, text) VALUES (?1, ?2)")?
                .execute((id, note))?;
        }
        Ok(())
    }

    fn delete(&mut self, old: &OldRow) -> rusqlite::Result<()> {
        self.note(None, old.n, "")?;
        for table in [
            "DELETE FROM events WHERE game_id = ?1",
            "DELETE FROM lines WHERE game = ?1",
            "DELETE FROM tags WHERE game = ?1",
            "DELETE FROM seats WHERE game = ?1",
            "DELETE FROM analyses WHERE game = ?1",
            "DELETE FROM invitations WHERE game = (SELECT id FROM games WHERE n = ?1)",
            "DELETE FROM games WHERE n = ?1",
        ] {
            self.connection.prepare_cached(table)?.execute([old.n])?;
        }
        self.tallies.remove(&old.facets);
        Ok(())
    }

    /// Imports games of a file; games that the log has already are left out.
    pub(crate) fn import(&mut self, batch: &Batch, hashes: &[[u8; 16]]) -> Answer<BatchAnswer> {
        let mut answer = BatchAnswer::default();
        for (game, hash) in batch.games.iter().zip(hashes) {
            let there = self
                .connection
                .prepare_cached("SELECT 1 FROM games WHERE hash = ?1")?
                .exists([hash])?;
            let taken = game.id.map(|id| self.exists(id)).transpose()?.unwrap_or(false);
            if there || taken {
                answer.duplicates += 1;
                continue;
            }
            let id = match game.id {
                Some(id) => id,
                None => self.unused_id()?,
            };
            let mut ids = IdsIn(self.ids, self.connection);
            let row = GameRow::new(&mut ids, id, 0, Some(*hash), &game.summary)?;
            let n = row.insert(self.connection, None)?;
            self.tallies.add(&row.facets);
            let by = batch.by.as_ref();
            for tag in &game.tags {
                self.tag(by, n, row.facets.at, tag)??;
            }
            if let Some(note) = &game.note {
                self.note(by, n, note)?;
            }
            if let Some(&holder) = by {
                self.sit(n, row.facets.at, &[Seat { side: Side::Importer, holder }])?;
            }
            answer.added += 1;
        }
        if let Some(progress) = &batch.progress {
            self.write_progress(&Progress {
                added: progress.added + answer.added,
                duplicates: progress.duplicates + answer.duplicates,
                ..progress.clone()
            })?;
        }
        Ok(Ok(answer))
    }

    pub(crate) fn write_progress(&self, progress: &Progress) -> rusqlite::Result<()> {
        let number = u64::cast_signed;
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO imports VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
            .execute((
                &progress.key,
                number(progress.seen),
                number(progress.added),
                number(progress.duplicates),
                number(progress.broken),
                i64::from(progress.finished),
            ))?;
        Ok(())
    }

    /// At full speed two games of the same minute may draw the same id about once a day.
    fn unused_id(&self) -> Result<GameId, Error> {
        loop {
            let id = GameId::random()?;
            if !self.exists(id)? && !self.is_reserved(id)? {
                return Ok(id);
            }
        }
    }
}

/// Sets only columns that have changed, because SQLite updates the index of every column that is
/// named: a move updates no index, or seldom that of `wake`.
fn changes<'e>(old: &OldRow, row: &'e GameRow<'_>) -> (String, Vec<ToSqlOutput<'e>>) {
    let mut values = vec![ToSqlOutput::from(old.n)];
    let mut set = Vec::new();
    for (column, was) in COLUMNS.iter().zip(&old.cells) {
        let is = column.cell(row);
        if is != ValueRef::from(was) {
            values.push(ToSqlOutput::Borrowed(is));
            set.push(format!("{} = ?{}", column.name(), values.len()));
        }
    }
    (format!("UPDATE games SET {} WHERE n = ?1", set.join(", ")), values)
}

impl Work<'_> {
    fn exists(&self, game: GameId) -> rusqlite::Result<bool> {
        self.connection.prepare_cached("SELECT 1 FROM games WHERE id = ?1")?.exists([game.as_str()])
    }

    fn is_reserved(&self, game: GameId) -> rusqlite::Result<bool> {
        self.connection.prepare_cached(waiting::RESERVED)?.exists([game.as_str()])
    }
}

/// The log while an append is judged, with the row of its game, which has been read already.
struct Judged<'a> {
    work: &'a Work<'a>,
    old: Option<&'a OldRow>,
}

impl Facts for Judged<'_> {
    type Error = rusqlite::Error;

    fn resent(&self, game: GameId, command_key: &str) -> rusqlite::Result<Option<u64>> {
        let Some(old) = self.old else { return Ok(None) };
        if self.work.tails.is_new(game, old.n, old.last_seq, command_key) {
            return Ok(None);
        }
        let mut query = self
            .work
            .connection
            .prepare_cached("SELECT seq FROM events WHERE game_id = ?1 AND client = ?2")?;
        let seq = query.query_row((old.n, command_key), |row| row.get::<_, i64>(0));
        Ok(seq.optional()?.map(i64::cast_unsigned))
    }

    fn exists(&self, game: GameId) -> rusqlite::Result<bool> {
        self.work.exists(game)
    }

    fn is_open(&self, uses: Uses, game: GameId, at: LogTime) -> rusqlite::Result<bool> {
        let connection = self.work.connection;
        let game = game.as_str();
        match uses {
            Uses::Invitation(hash) => {
                connection.prepare_cached(waiting::IS_OPEN)?.exists((hash, game, at))
            }
            Uses::Seek => connection.prepare_cached(waiting::IS_SOUGHT)?.exists([game]),
        }
    }

    fn is_reserved(&self, game: GameId) -> rusqlite::Result<bool> {
        self.work.is_reserved(game)
    }

    fn is_live(&self, _: GameId) -> rusqlite::Result<bool> {
        Ok(self.old.is_some_and(|old| old.facets.status == Status::Live))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Log, NewEvent, Source, SqliteStore};

    /// The indexes that a statement writes to, including partial indexes that may not have the row.
    fn touched_indexes(connection: &Connection, sql: &str) -> Vec<String> {
        let mut query = connection.prepare(&format!("EXPLAIN {sql}")).unwrap();
        let nothing = vec![Value::Null; query.parameter_count()];
        let rows = query
            .query_map(params_from_iter(nothing), |row| Ok((row.get(1)?, row.get(3)?)))
            .unwrap();
        let written: Vec<(String, i64)> = rows.map(Result::unwrap).collect();
        let mut indexes = connection
            .prepare("SELECT rootpage, name FROM sqlite_schema WHERE type = 'index'")
            .unwrap();
        let indexes = indexes.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let indexes: Vec<(i64, String)> = indexes.map(Result::unwrap).collect();
        let is_written = |root| written.contains(&("OpenWrite".to_owned(), root));
        let mut names: Vec<String> = indexes
            .into_iter()
            .filter(|&(root, _)| is_written(root))
            .map(|(_, name)| name)
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_move_touches_no_index() {
        let place = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&place.path().join("games.db")).unwrap();
        let game = GameId::random().unwrap();
        let mut summary = Summary::new("Anna", "Ben", Source::Online);
        summary.deadline = Some(1_000);
        summary.time_control = Some("300+3".to_owned());
        let events = vec![NewEvent { at: 0, body: String::new() }];
        let append = Append {
            game,
            expected: 1,
            command_key: None,
            events,
            row: summary.clone().into(),
            begins: None,
            next: None,
        };
        store.append(append).unwrap();
        let connection = Connection::open(store.file()).unwrap();
        let mut ids = Ids::default();
        let mut after = |summary: &Summary| {
            let work = Work {
                connection: &connection,
                ids: &mut Ids::default(),
                tails: &mut TailCache::default(),
                tallies: Tallies::default(),
            };
            let old = work.old(game).unwrap().unwrap();
            let mut ids = IdsIn(&mut ids, &connection);
            let mut row = GameRow::new(&mut ids, game, 2, hash_of(summary), summary).unwrap();
            row.follow(&old.facets, old.wake);
            touched_indexes(&connection, &changes(&old, &row).0)
        };
        // Chat.
        assert_eq!(after(&summary), [] as [&str; 0]);
        summary.moves.push("e2e4".parse().unwrap());
        // The index of lengths is named, but its condition leaves live games out.
        assert_eq!(after(&summary), ["games_plies"]);
        // `wake` stays while it is at most a minute before the deadline.
        for (deadline, found) in [(30_999, true), (2_000, true), (-29_001, false), (31_001, false)]
        {
            summary.deadline = Some(deadline);
            let indexes: &[&str] =
                if found { &["games_plies"] } else { &["games_plies", "games_wake"] };
            assert_eq!(after(&summary), indexes, "{deadline}");
        }
        summary.status = Status::Finished;
        assert!(after(&summary).len() > 6, "the check itself must see an index");
    }
}
