//! Changes that are not appends: tags, notes, deletions, imports, invitations, seeks. Each runs in
//! its own transaction, on the caller's thread.

use std::collections::HashSet;
use std::iter;

use xxhash_rust::xxh3::xxh3_64;

use super::batch::{LOCK_GAMES, LOCK_NAMES, OldRow, name_lock};
use super::ids::{Ids, gram_text};
use super::rows::{game, single};
use super::session::{Session, Statement, values};
use super::text::encode_text;
use super::writing::{Writing, pending};
use crate::game_row::GameRow;
use crate::store::{Batch, BatchAnswer, MOST_INVITATIONS, MOST_TAGS, Progress, author, within};
use crate::tallies::Tallies;
use crate::{Error, GameId, Invitation, Part, Seek, Side};

/// The lock of imports: without it two nodes that import the same file would not see each other's
/// games.
const IMPORT: &str = "SELECT pg_advisory_xact_lock(1215198069, 2)";

/// Locks a game and reads its row.
fn lock(session: &Session, game: GameId) -> Result<OldRow, Error> {
    let row = session.first(&LOCK_GAMES, &[&vec![game.as_str()]])?;
    Ok(OldRow::read(&row.ok_or(Error::NoSuchGame)?)?.1)
}

pub(crate) fn tag(session: &Session, by: &[u8], game: GameId, tag: &str) -> Result<(), Error> {
    let old = lock(session, game)?;
    let tags: i64 =
        single(&session.query("SELECT count(*) FROM tags WHERE game = $1", &[&old.n])?)?;
    within(tags < MOST_TAGS as i64, Part::Tags)?;
    tag_all(session, &[(by, tag, old.facets.at, old.n)])
}

pub(crate) fn untag(session: &Session, by: &[u8], game: GameId, tag: &str) -> Result<(), Error> {
    let old = lock(session, game)?;
    let sql = "DELETE FROM tags WHERE tag = $1 AND game = $2 AND (holder = $3 OR $3 = '')";
    session.query(sql, &[&tag, &old.n, &by])?;
    Ok(())
}

const SET_NOTE: &str = "INSERT INTO notes (game, holder, text, folded, grams)
    VALUES ($1, $5, $2, $3, string_to_array($4, chr(30)))
    ON CONFLICT (game, holder) DO UPDATE SET text = excluded.text, folded = excluded.folded,
      grams = excluded.grams";

pub(crate) fn note(session: &Session, by: &[u8], game: GameId, note: &str) -> Result<(), Error> {
    let old = lock(session, game)?;
    write_note(session, by, old.n, note)
}

/// Sets a note. An empty note of the keeper deletes the notes of all holders.
pub(crate) fn write_note(session: &Session, by: &[u8], n: i64, note: &str) -> Result<(), Error> {
    if note.is_empty() {
        let sql = "DELETE FROM notes WHERE game = $1 AND (holder = $2 OR $2 = '')";
        session.query(sql, &[&n, &by])?;
    } else {
        let text = encode_text(note);
        let folded = text.to_lowercase();
        session.query(SET_NOTE, &[&n, &text, &folded, &gram_text(&folded), &by])?;
    }
    Ok(())
}

pub(crate) fn delete(session: &Session, game: GameId) -> Result<(), Error> {
    let old = lock(session, game)?;
    let mut tallies = Tallies::default();
    tallies.remove(&old.facets);
    let mut statements: Vec<Statement<'_>> = [
        "DELETE FROM notes WHERE game = $1",
        "DELETE FROM events WHERE game = $1",
        "DELETE FROM tags WHERE game = $1",
        "DELETE FROM seats WHERE game = $1",
        "DELETE FROM invitations WHERE game = (SELECT id FROM games WHERE n = $1)",
        "DELETE FROM wakes WHERE game = $1",
        "DELETE FROM games WHERE n = $1",
    ]
    .map(|sql| Statement::new(sql, values![old.n]))
    .into();
    statements.extend(pending(&tallies));
    session.pipeline(&statements)?;
    Ok(())
}

/// Takes the locks; a conflict if a game with this id has begun, or the id is reserved.
fn free(session: &Session, game: GameId, claims: &Vec<i64>) -> Result<(), Error> {
    session.query(LOCK_NAMES, &[claims])?;
    let name = game.as_str();
    let begun = session.first("SELECT last_seq FROM games WHERE id = $1", &[&name])?;
    let last_seq = begun.map(|row| row.try_get::<_, i64>(0)).transpose()?;
    let waits = "SELECT 1::bigint FROM invitations WHERE game = $1
        UNION ALL SELECT 1::bigint FROM seeks WHERE game = $1";
    let last_seq = match last_seq {
        None => session.first(waits, &[&name])?.map(|_| 0),
        begun => begun,
    };
    match last_seq {
        Some(last_seq) => Err(Error::Conflict { last_seq: last_seq.cast_unsigned() }),
        None => Ok(()),
    }
}

pub(crate) fn seek(session: &Session, seek: &Seek) -> Result<(), Error> {
    free(session, seek.game, &vec![name_lock(seek.game)])?;
    add_seek(session, seek)
}

pub(crate) fn add_seek(session: &Session, seek: &Seek) -> Result<(), Error> {
    session
        .query(
            "INSERT INTO seeks (game, node, body, holder, made) VALUES ($1, $2, $3, $4, $5)",
            &[
                &seek.game.as_str(),
                &encode_text(&seek.node),
                &encode_text(&seek.body),
                &&seek.holder.0[..],
                &seek.made,
            ],
        )
        .map(drop)
}

pub(crate) fn invite(session: &Session, invitation: &Invitation) -> Result<(), Error> {
    // Locks the id, so that no node begins a game with it meanwhile, and the holder, so that two
    // nodes do not exceed the limit of invitations together.
    let claims = vec![name_lock(invitation.game), xxh3_64(&invitation.holder.0).cast_signed()];
    free(session, invitation.game, &claims)?;
    let (hash, holder) = (&invitation.hash[..], &invitation.holder.0[..]);
    let open: i64 = single(&session.query(
        "SELECT count(*) FROM invitations WHERE holder = $1 AND expires > $2",
        &[&holder, &invitation.made],
    )?)?;
    let taken = "SELECT 1::bigint FROM invitations WHERE hash = $1";
    if session.first(taken, &[&hash])?.is_some() {
        return Err(Error::Conflict { last_seq: 0 });
    }
    if open >= MOST_INVITATIONS as i64 {
        return Err(Error::TooMany);
    }
    // Of two invitations with the same hash to different games, the first one wins.
    if add_invitation(session, invitation)? { Ok(()) } else { Err(Error::Conflict { last_seq: 0 }) }
}

/// Returns false if another invitation has the hash or the id.
pub(crate) fn add_invitation(session: &Session, invitation: &Invitation) -> Result<bool, Error> {
    let (hash, holder) = (&invitation.hash[..], &invitation.holder.0[..]);
    let (name, body) = (invitation.game.as_str(), encode_text(&invitation.body));
    let added = session.query(
        "INSERT INTO invitations (hash, game, body, holder, made, expires, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING 1::bigint",
        &[
            &hash,
            &name,
            &body,
            &holder,
            &invitation.made,
            &invitation.expires,
            &invitation.state.number(),
        ],
    )?;
    Ok(!added.is_empty())
}

/// Imports games of a file; games that the log has already are left out.
pub(crate) fn import(
    session: &Session,
    ids: &mut Ids,
    batch: &Batch,
    hashes: &[[u8; 16]],
) -> Result<BatchAnswer, Error> {
    session.query(IMPORT, &[])?;
    let named: Vec<GameId> = batch.games.iter().filter_map(|game| game.id).collect();
    let claims: Vec<i64> = named.iter().map(|game| name_lock(*game)).collect();
    session.query(LOCK_NAMES, &[&claims])?;
    let sought: Vec<&[u8]> = hashes.iter().map(|hash| &hash[..]).collect();
    let mut known: HashSet<Vec<u8>> = HashSet::new();
    for row in session.query("SELECT hash FROM games WHERE hash = ANY($1::bytea[])", &[&sought])? {
        known.insert(row.try_get(0)?);
    }
    let mut taken = existing_games(session, &named)?;
    let mut new = Vec::new();
    for (game, hash) in batch.games.iter().zip(hashes) {
        let there = known.contains(&hash[..]) || game.id.is_some_and(|id| taken.contains(&id));
        if !there {
            known.insert(hash.to_vec());
            taken.extend(game.id);
            new.push((game, hash));
        }
    }
    let unnamed = new.iter().filter(|(game, _)| game.id.is_none()).count();
    let mut unused = unused_ids(session, unnamed)?;
    ids.learn(session, new.iter().map(|(game, _)| &game.summary), iter::empty())?;
    let numbers = session.query(
        "SELECT nextval('games_n') FROM generate_series(1, $1::bigint)",
        &[&(new.len() as i64)],
    )?;
    let mut writing = Writing::default();
    let by = author(batch.by.as_ref());
    let mut tags = Vec::new();
    for ((game, hash), row) in new.iter().zip(&numbers) {
        let n: i64 = row.try_get(0)?;
        let id = game.id.or_else(|| unused.pop()).ok_or(Error::Damaged)?;
        let row = GameRow::new(ids, id, 0, Some(**hash), &game.summary)?;
        let at = row.facets.at;
        tags.extend(game.tags.iter().map(|tag| (by, tag.as_str(), at, n)));
        if !by.is_empty() {
            writing.seats.push((by.to_vec(), at, n, Side::Importer.number()));
        }
        writing.add(n, row);
    }
    session.pipeline(&writing.statements())?;
    tag_all(session, &tags)?;
    for (row, (game, _)) in numbers.iter().zip(&new) {
        if let Some(note) = game.note.as_ref().filter(|note| !note.is_empty()) {
            write_note(session, by, row.try_get(0)?, note)?;
        }
    }
    let added = new.len() as u64;
    let answer = BatchAnswer { added, duplicates: batch.games.len() as u64 - added };
    if let Some(progress) = &batch.progress {
        let reached = Progress {
            added: progress.added + answer.added,
            duplicates: progress.duplicates + answer.duplicates,
            ..progress.clone()
        };
        write_progress(session, &reached)?;
    }
    Ok(answer)
}

/// Adds tags: author, tag, the game's start time and row number.
pub(crate) fn tag_all(session: &Session, tags: &[(&[u8], &str, i64, i64)]) -> Result<(), Error> {
    let holders: Vec<&[u8]> = tags.iter().map(|(by, ..)| *by).collect();
    let words: Vec<_> = tags.iter().map(|(_, tag, ..)| encode_text(tag)).collect();
    let times: Vec<i64> = tags.iter().map(|(_, _, at, _)| *at).collect();
    let games: Vec<i64> = tags.iter().map(|(.., n)| *n).collect();
    session.query(
        "INSERT INTO tags (holder, tag, at, game)
         SELECT * FROM unnest($1::bytea[], $2::text[], $3::bigint[], $4::bigint[])
         ON CONFLICT DO NOTHING",
        &[&holders, &words, &times, &games],
    )?;
    Ok(())
}

pub(crate) fn write_progress(session: &Session, progress: &Progress) -> Result<(), Error> {
    let number = u64::cast_signed;
    session.query(
        "INSERT INTO imports AS i (key, seen, added, duplicates, broken, finished)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (key) DO UPDATE SET seen = excluded.seen, added = excluded.added,
           duplicates = excluded.duplicates, broken = excluded.broken,
           finished = excluded.finished",
        &[
            &encode_text(&progress.key),
            &number(progress.seen),
            &number(progress.added),
            &number(progress.duplicates),
            &number(progress.broken),
            &progress.finished,
        ],
    )?;
    Ok(())
}

/// Which of these ids belong to existing games.
fn existing_games(session: &Session, ids: &[GameId]) -> Result<HashSet<GameId>, Error> {
    let ids: Vec<&str> = ids.iter().map(GameId::as_str).collect();
    let rows = session.query("SELECT id FROM games WHERE id = ANY($1::text[])", &[&ids])?;
    rows.iter().map(|row| game(row, 0)).collect()
}

/// Random ids that no game, invitation or seek has.
fn unused_ids(session: &Session, wanted: usize) -> Result<Vec<GameId>, Error> {
    let mut unused: HashSet<GameId> = HashSet::new();
    while unused.len() < wanted {
        while unused.len() < wanted {
            unused.insert(GameId::random()?);
        }
        let ids: Vec<&str> = unused.iter().map(GameId::as_str).collect();
        let sql = "SELECT id FROM games WHERE id = ANY($1::text[])
            UNION ALL SELECT game FROM invitations WHERE game = ANY($1::text[])
            UNION ALL SELECT game FROM seeks WHERE game = ANY($1::text[])";
        for row in session.query(sql, &[&ids])? {
            unused.remove(&game(&row, 0)?);
        }
    }
    Ok(unused.into_iter().collect())
}
