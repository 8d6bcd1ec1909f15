//! Copies a log in pieces: reads them from the database, and writes them to it.

use std::collections::HashMap;
use std::iter;

use super::batch::LOCK_NAMES;
use super::changes::{tag_all, write_note, write_progress};
use super::ids::Ids;
use super::rows;
use super::session::{Session, Statement, values};
use super::text::{decode_text, encode_text};
use super::writing::Writing;
use super::{PostgresStore, batch};
use crate::carry::{Carry, CopiedEvent, CopiedGame, OtherTables, Piece, Remark, is_of_copy};
use crate::game_row::GameRow;
use crate::stats::Viewer;
use crate::store::Progress;
use crate::{Error, Seat, names};

fn most(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

impl Carry for PostgresStore {
    fn names_after(&self, after: i64, limit: usize) -> Result<Vec<(i64, String)>, Error> {
        self.read(|session| {
            let sql = "SELECT id, name FROM names WHERE id > $1 ORDER BY id LIMIT $2";
            let rows = session.query(sql, &[&after, &most(limit)])?;
            rows.iter().map(|row| Ok((row.try_get(0)?, decode_text(row.try_get(1)?)))).collect()
        })
    }

    fn games_after(&self, after: i64, limit: usize) -> Result<Vec<CopiedGame>, Error> {
        self.read(|session| {
            // One snapshot for games and everything that belongs to them.
            session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
            let games = read_games(session, after, limit);
            session.run("ROLLBACK")?;
            games
        })
    }

    fn other_tables(&self) -> Result<OtherTables, Error> {
        self.read(|session| {
            let mut other = OtherTables::default();
            let sql =
                "SELECT hash, game, body, holder, made, expires, state FROM invitations ORDER BY game";
            for row in session.query(sql, &[])? {
                other.invitations.push(rows::invitation(&row)?);
            }
            let sql = "SELECT game, node, body, holder, made FROM seeks ORDER BY made, game";
            for row in session.query(sql, &[])? {
                other.seeks.push(rows::seek(&row)?);
            }
            for row in session.query("SELECT node, at FROM beats ORDER BY node", &[])? {
                other.beats.push((decode_text(row.try_get(0)?), row.try_get(1)?));
            }
            let sql = "SELECT key, seen, added, duplicates, broken, finished FROM imports
                ORDER BY key";
            for row in session.query(sql, &[])? {
                other.imports.push(rows::progress(&row)?);
            }
            other.imports.retain(|progress| !is_of_copy(progress));
            Ok(other)
        })
    }

    fn take_in(&self, piece: &Piece, reached: &Progress) -> Result<(), Error> {
        let mut ids = self.ids();
        let done = self.change(|session| {
            let done = match piece {
                Piece::Names(names) => add_names(session, names),
                Piece::Games(games) => add_games(session, &mut ids, games),
                Piece::OtherTables(other) => add_other_tables(session, other),
            };
            done.and_then(|()| write_progress(session, reached)).inspect_err(|_| ids.forget())
        });
        if done.is_err() {
            ids.forget();
        }
        done
    }
}

fn read_games(session: &Session, after: i64, limit: usize) -> Result<Vec<CopiedGame>, Error> {
    let found = session.query(
        "SELECT n, hash FROM games WHERE n > $1 ORDER BY n LIMIT $2",
        &[&after, &most(limit)],
    )?;
    let numbers: Vec<i64> = found.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    let mut records = rows::records(session, Viewer::Keeper, &numbers)?;
    let mut events: HashMap<i64, Vec<CopiedEvent>> = HashMap::new();
    let sql = "SELECT game, at, client, body FROM events WHERE game = ANY($1::bigint[])
        ORDER BY game, seq";
    for row in session.query(sql, &[&numbers])? {
        events.entry(row.try_get(0)?).or_default().push(CopiedEvent {
            at: row.try_get(1)?,
            command_key: row.try_get::<_, Option<String>>(2)?.map(decode_text),
            body: decode_text(row.try_get(3)?),
        });
    }
    let mut seats: HashMap<i64, Vec<Seat>> = HashMap::new();
    let sql =
        "SELECT side, holder, game FROM seats WHERE game = ANY($1::bigint[]) ORDER BY game, side";
    for row in session.query(sql, &[&numbers])? {
        seats.entry(row.try_get(2)?).or_default().push(rows::seat(&row)?);
    }
    let mut remarks: HashMap<i64, Vec<Remark>> = HashMap::new();
    let sql = "SELECT holder, 0::bigint, tag, game FROM tags WHERE game = ANY($1::bigint[])
        UNION ALL SELECT holder, 1::bigint, text, game FROM notes WHERE game = ANY($1::bigint[])
        ORDER BY 4, 1, 2, 3";
    for row in session.query(sql, &[&numbers])? {
        remarks.entry(row.try_get(3)?).or_default().push(Remark {
            holder: row.try_get(0)?,
            is_note: row.try_get::<_, i64>(1)? == 1,
            text: decode_text(row.try_get(2)?),
        });
    }
    let mut analyses = super::analysis::of_rows(session, &numbers)?;
    let mut games = Vec::with_capacity(found.len());
    for row in &found {
        let n: i64 = row.try_get(0)?;
        let hash: Option<&[u8]> = row.try_get(1)?;
        games.push(CopiedGame {
            n,
            record: records.remove(&n).ok_or(Error::Damaged)?,
            hash: hash.map(|hash| hash.try_into().map_err(|_| Error::Damaged)).transpose()?,
            events: events.remove(&n).unwrap_or_default(),
            seats: seats.remove(&n).unwrap_or_default(),
            remarks: remarks.remove(&n).unwrap_or_default(),
            analysis: analyses.remove(&n),
        });
    }
    Ok(games)
}

fn add_names(session: &Session, names: &[(i64, String)]) -> Result<(), Error> {
    let ids: Vec<i64> = names.iter().map(|(id, _)| *id).collect();
    let written: Vec<_> = names.iter().map(|(_, name)| encode_text(name)).collect();
    let folded: Vec<String> = names.iter().map(|(_, name)| names::fold(name)).collect();
    let grams: Vec<String> = folded.iter().map(|folded| super::ids::gram_text(folded)).collect();
    session.query(
        "INSERT INTO names (id, name, folded, grams)
         SELECT id, name, folded, string_to_array(grams, chr(30))
         FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS a(id, name, folded, grams)",
        &[&ids, &written, &folded, &grams],
    )?;
    session.query(
        "SELECT setval(pg_get_serial_sequence('names', 'id'), (SELECT max(id) FROM names))",
        &[],
    )?;
    Ok(())
}

fn add_games(session: &Session, ids: &mut Ids, games: &[CopiedGame]) -> Result<(), Error> {
    let claims: Vec<i64> = games.iter().map(|game| batch::name_lock(game.record.id)).collect();
    session.query(LOCK_NAMES, &[&claims])?;
    ids.learn(session, games.iter().map(|game| &game.record.summary), iter::empty())?;
    let mut writing = Writing::default();
    let mut tags = Vec::new();
    for game in games {
        let (record, n) = (&game.record, game.n);
        let row = GameRow::new(ids, record.id, record.last_seq, game.hash, &record.summary)?;
        let at = row.facets.at;
        for seat in &game.seats {
            writing.seats.push((seat.holder.0.to_vec(), at, n, seat.side.number()));
        }
        for (event, seq) in game.events.iter().zip(1..) {
            writing.events.push(n, seq, event.at, event.command_key.as_deref(), &event.body);
        }
        let words = game.remarks.iter().filter(|remark| !remark.is_note);
        tags.extend(words.map(|remark| (&remark.holder[..], remark.text.as_str(), at, n)));
        writing.add(n, row);
    }
    session.pipeline(&writing.statements())?;
    tag_all(session, &tags)?;
    for game in games {
        for note in game.remarks.iter().filter(|remark| remark.is_note) {
            write_note(session, &note.holder, game.n, &note.text)?;
        }
        if let Some(analysis) = &game.analysis {
            super::analysis::write(session, game.n, analysis)?;
        }
    }
    session.query("SELECT setval('games_n', (SELECT max(n) FROM games))", &[])?;
    Ok(())
}

fn add_other_tables(session: &Session, other: &OtherTables) -> Result<(), Error> {
    session.run("DELETE FROM invitations; DELETE FROM seeks; DELETE FROM beats")?;
    for one in &other.invitations {
        super::changes::add_invitation(session, one)?;
    }
    for one in &other.seeks {
        super::changes::add_seek(session, one)?;
    }
    let nodes: Vec<_> = other.beats.iter().map(|(node, _)| encode_text(node)).collect();
    let times: Vec<i64> = other.beats.iter().map(|(_, at)| *at).collect();
    let sql = "INSERT INTO beats (node, at) SELECT * FROM unnest($1::text[], $2::bigint[])";
    session.pipeline(&[Statement::new(sql, values![nodes, times])])?;
    other.imports.iter().try_for_each(|progress| write_progress(session, progress))
}
