//! The operations of the log on the server.

use super::queries::{Plan, number_parameters};
use super::rows::{self, number, single};
use super::session::Session;
use super::text::{decode_text, encode_text};
use super::writer::Job;
use super::{PostgresStore, changes};
use crate::batch::prepare;
use crate::counting;
use crate::dates::LogTime;
use crate::game_row;
use crate::plan::Database;
use crate::stats::{Bucket, Facet, HeadToHead, Own, PlayerStats, Standing, Streaks, Tally, Viewer};
use crate::store::{
    Archive, Batch, BatchAnswer, Done, Event, Invitations, LONGEST_INVITATION, LONGEST_NAME,
    LONGEST_NOTE, Log, Progress, author, is_beginning, tidy_tag, within,
};
use crate::tallies::kind;
use crate::{
    Append, Cursor, Error, Filter, GameId, Holder, Invitation, Listing, Page, Part, Record, Seat,
    Seek,
};

fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// The row number of a game.
fn row_of(session: &Session, game: GameId) -> Result<i64, Error> {
    let row = session.first("SELECT n FROM games WHERE id = $1", &[&game.as_str()])?;
    Ok(row.ok_or(Error::NoSuchGame)?.try_get(0)?)
}

impl Log for PostgresStore {
    fn submit(&self, append: Append, done: Done) {
        if let Err(error) = append.limits() {
            return done(Err(error));
        }
        let refused = self.offer(append.game, Job::Append(Box::new(append), done));
        if let Err((Job::Append(_, done), error)) = refused {
            done(Err(error));
        }
    }

    fn events(&self, game: GameId, after: u64, most: usize) -> Result<Vec<Event>, Error> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        self.read(|session| {
            let n = row_of(session, game)?;
            let rows = session.query(
                "SELECT seq, at, body FROM events WHERE game = $1 AND seq > $2
                 ORDER BY seq LIMIT $3",
                &[&n, &after, &limit(most)],
            )?;
            rows.iter().map(rows::event).collect()
        })
    }

    fn find_command(&self, game: GameId, command_key: &str) -> Result<Option<u64>, Error> {
        self.read(|session| {
            let row = session.first(
                "SELECT e.seq FROM games g JOIN events e ON e.game = g.n
                 WHERE g.id = $1 AND e.client = $2 ORDER BY e.seq LIMIT 1",
                &[&game.as_str(), &encode_text(command_key)],
            )?;
            row.map(|row| number(&row, 0)).transpose()
        })
    }

    fn seats(&self, game: GameId) -> Result<Vec<Seat>, Error> {
        self.read(|session| {
            let n = row_of(session, game)?;
            let sql = "SELECT side, holder FROM seats WHERE game = $1 ORDER BY side";
            session.query(sql, &[&n])?.iter().map(rows::seat).collect()
        })
    }

    fn seats_of(&self, games: &[GameId]) -> Result<Vec<(GameId, Seat)>, Error> {
        let ids: Vec<&str> = games.iter().map(GameId::as_str).collect();
        self.read(|session| {
            let sql = "SELECT s.side, s.holder, g.id FROM games g CROSS JOIN LATERAL
                 (SELECT side, holder FROM seats WHERE game = g.n OFFSET 0) AS s
                 WHERE g.id = ANY($1::text[]) ORDER BY g.id, s.side";
            let rows = session.query(sql, &[&ids])?;
            rows.iter().map(|row| Ok((rows::game(row, 2)?, rows::seat(row)?))).collect()
        })
    }

    fn beat(&self, node: &str, at: LogTime) -> Result<(), Error> {
        within(node.len() <= LONGEST_NAME, Part::Node)?;
        self.flush()?;
        // The given time, not the maximum: a clock that was wrong and is corrected must count.
        self.change(|session| {
            session.query(
                "INSERT INTO beats (node, at) VALUES ($1, $2)
                 ON CONFLICT (node) DO UPDATE SET at = excluded.at",
                &[&encode_text(node), &at],
            )
        })
        .map(drop)
    }

    fn last_beat(&self) -> Result<Option<LogTime>, Error> {
        self.read(|session| single(&session.query("SELECT max(at) FROM beats", &[])?))
    }

    fn beats(&self) -> Result<Vec<(String, LogTime)>, Error> {
        self.read(|session| {
            let rows = session.query("SELECT node, at FROM beats ORDER BY node", &[])?;
            rows.iter().map(|row| Ok((decode_text(row.try_get(0)?), row.try_get(1)?))).collect()
        })
    }

    fn sweep_beats(&self, before: LogTime) -> Result<u64, Error> {
        self.change(|session| {
            let sql = "DELETE FROM beats WHERE at < $1 RETURNING 1::bigint";
            Ok(session.query(sql, &[&before])?.len() as u64)
        })
    }

    fn last_events(&self, games: &[GameId]) -> Result<Vec<(GameId, u64)>, Error> {
        let ids: Vec<&str> = games.iter().map(GameId::as_str).collect();
        self.read(|session| {
            let sql = "SELECT id, last_seq FROM games WHERE id = ANY($1::text[])";
            let rows = session.query(sql, &[&ids])?;
            rows.iter().map(|row| Ok((rows::game(row, 0)?, number(row, 1)?))).collect()
        })
    }

    fn clock(&self) -> Result<LogTime, Error> {
        self.read(|session| {
            let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
            single(&session.query(sql, &[])?)
        })
    }

    fn record(&self, game: GameId) -> Result<Option<Record>, Error> {
        self.record_for(Viewer::Keeper, game)
    }

    fn overdue(&self, now: LogTime, most: usize) -> Result<Vec<(GameId, LogTime)>, Error> {
        self.read(|session| {
            // `OFFSET 0` stops the planner from starting with `games`: few games have a deadline,
            // and it would read all of them to find those.
            let rows = session.query(
                "SELECT g.id, g.deadline FROM wakes w CROSS JOIN LATERAL
                   (SELECT id, deadline FROM games WHERE n = w.game OFFSET 0) AS g
                 WHERE w.wake <= $1 AND g.deadline <= $1 ORDER BY g.deadline LIMIT $2",
                &[&now, &limit(most)],
            )?;
            rows.iter().map(|row| Ok((rows::game(row, 0)?, row.try_get(1)?))).collect()
        })
    }
}

impl Invitations for PostgresStore {
    fn invite(&self, invitation: Invitation) -> Result<(), Error> {
        within(invitation.body.len() <= LONGEST_INVITATION, Part::Invitation)?;
        self.change(|session| changes::invite(session, &invitation)).map(drop)
    }

    fn invitation(&self, hash: &[u8; 32]) -> Result<Option<Invitation>, Error> {
        self.read(|session| {
            let row = session.first(
                "SELECT hash, game, body, holder, made, expires, state FROM invitations WHERE hash = $1",
                &[&&hash[..]],
            )?;
            row.as_ref().map(rows::invitation).transpose()
        })
    }

    fn invitation_of(&self, game: GameId) -> Result<Option<Invitation>, Error> {
        self.read(|session| {
            let row = session.first(
                "SELECT hash, game, body, holder, made, expires, state FROM invitations WHERE game = $1",
                &[&game.as_str()],
            )?;
            row.as_ref().map(rows::invitation).transpose()
        })
    }

    fn withdraw(&self, game: GameId) -> Result<(), Error> {
        self.change(|session| {
            let sql = "UPDATE invitations SET state = 2, expires = made, body = ''
                WHERE game = $1 AND state = 0 RETURNING 1::bigint";
            session.first(sql, &[&game.as_str()])?.map(drop).ok_or(Error::NoSuchGame)
        })
    }

    fn sweep_invitations(&self, now: LogTime) -> Result<u64, Error> {
        // Rows that another transaction is changing are skipped.
        self.change(|session| {
            let swept = session.query(
                "DELETE FROM invitations WHERE hash IN (SELECT hash FROM invitations
                   WHERE expires <= $1 AND state <> 1 FOR UPDATE SKIP LOCKED) RETURNING 1::bigint",
                &[&now],
            )?;
            Ok(swept.len() as u64)
        })
    }

    fn seek(&self, seek: Seek) -> Result<(), Error> {
        within(seek.body.len() <= LONGEST_INVITATION, Part::Invitation)?;
        within(seek.node.len() <= LONGEST_NAME, Part::Node)?;
        self.change(|session| changes::seek(session, &seek))
    }

    fn seeks(&self, most: usize) -> Result<Vec<Seek>, Error> {
        self.read(|session| {
            let rows = session.query(
                "SELECT game, node, body, holder, made FROM seeks ORDER BY made, game LIMIT $1",
                &[&limit(most)],
            )?;
            rows.iter().map(rows::seek).collect()
        })
    }

    fn cancel_seek(&self, game: GameId) -> Result<(), Error> {
        self.change(|session| {
            let sql = "DELETE FROM seeks WHERE game = $1 RETURNING 1::bigint";
            session.first(sql, &[&game.as_str()])?.map(drop).ok_or(Error::NoSuchGame)
        })
    }
}

impl Archive for PostgresStore {
    fn find(&self, beginning: &str, most: usize) -> Result<Vec<GameId>, Error> {
        if !is_beginning(beginning) {
            return Ok(Vec::new());
        }
        self.read(|session| {
            // `{` sorts after all letters and digits.
            let rows = session.query(
                "SELECT id FROM games WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3",
                &[&beginning, &format!("{beginning}{{"), &limit(most)],
            )?;
            rows.iter().map(|row| rows::game(row, 0)).collect()
        })
    }

    fn list(&self, filter: &Filter, page: &Page) -> Result<Listing, Error> {
        self.read(|session| {
            let Some(plan) = Plan::new(session, filter)? else {
                return Ok(Listing { games: Vec::new(), next: None });
            };
            let (sql, texts) = number_parameters(&plan.page(page));
            let mut found: Vec<Cursor> = Vec::new();
            for row in session.query_once(&sql, &texts)? {
                found.push(Cursor { at: row.try_get(0)?, n: row.try_get(1)? });
            }
            let most = page.limit.min(Page::MOST);
            let more = found.len() > most;
            found.truncate(most);
            let numbers: Vec<i64> = found.iter().map(|cursor| cursor.n).collect();
            let mut records = rows::records(session, filter.viewer, &numbers)?;
            // A game that was deleted meanwhile is left out.
            let games = numbers.iter().filter_map(|n| records.remove(n)).collect();
            Ok(Listing { games, next: found.last().copied().filter(|_| more) })
        })
    }

    fn count(&self, filter: &Filter) -> Result<u64, Error> {
        self.read(|session| {
            if *filter == Filter::default() {
                return all_games(session);
            }
            let Some(plan) = Plan::new(session, filter)? else { return Ok(0) };
            let (sql, texts) = number_parameters(&plan.count());
            let rows = session.query_once(&sql, &texts)?;
            rows.first().map_or(Ok(0), |row| number(row, 0))
        })
    }

    fn record_for(&self, viewer: Viewer, game: GameId) -> Result<Option<Record>, Error> {
        self.read(|session| {
            let row = session.first(rows::BY_ID, &[&game.as_str(), &viewer.reads()])?;
            row.as_ref().map(game_row::record).transpose()
        })
    }

    fn tag(&self, by: Option<Holder>, game: GameId, tag: &str) -> Result<(), Error> {
        let tag = tidy_tag(tag)?;
        self.change(|session| changes::tag(session, author(by.as_ref()), game, &encode_text(&tag)))
    }

    fn untag(&self, by: Option<Holder>, game: GameId, tag: &str) -> Result<(), Error> {
        let tag = tidy_tag(tag)?;
        self.change(|session| {
            changes::untag(session, author(by.as_ref()), game, &encode_text(&tag))
        })
    }

    fn tags(&self, viewer: Viewer) -> Result<Vec<(String, u64)>, Error> {
        self.read(|session| {
            let rows = match viewer.reads() {
                None => session.query(
                    "SELECT tag, count(DISTINCT game) FROM tags GROUP BY tag ORDER BY tag",
                    &[],
                )?,
                Some(holder) => session.query(
                    "SELECT tag, count(*) FROM tags WHERE holder = $1 GROUP BY tag ORDER BY tag",
                    &[&holder],
                )?,
            };
            rows.iter().map(|row| Ok((decode_text(row.try_get(0)?), number(row, 1)?))).collect()
        })
    }

    fn note(&self, by: Option<Holder>, game: GameId, note: &str) -> Result<(), Error> {
        within(note.len() <= LONGEST_NOTE, Part::Note)?;
        self.change(|session| changes::note(session, author(by.as_ref()), game, note.trim()))
    }

    fn delete(&self, game: GameId) -> Result<(), Error> {
        self.change(|session| changes::delete(session, game))
    }

    fn import(&self, batch: Batch) -> Result<BatchAnswer, Error> {
        let (batch, hashes) = prepare(batch)?;
        let mut ids = self.ids();
        let done = self.change(|session| {
            // After a rollback the ids may not exist.
            changes::import(session, &mut ids, &batch, &hashes).inspect_err(|_| ids.forget())
        });
        if done.is_err() {
            ids.forget();
        }
        done
    }

    fn progress(&self, key: &str) -> Result<Option<Progress>, Error> {
        self.read(|session| {
            let row = session.first(
                "SELECT key, seen, added, duplicates, broken, finished FROM imports WHERE key = $1",
                &[&encode_text(key)],
            )?;
            row.as_ref().map(rows::progress).transpose()
        })
    }

    fn totals(&self, viewer: Viewer) -> Result<Tally, Error> {
        self.read(|session| counting::totals(session, viewer))
    }

    fn by(&self, viewer: Viewer, facet: Facet, player: Option<&str>) -> Result<Vec<Bucket>, Error> {
        self.read(|session| counting::by(session, viewer, facet, player))
    }

    fn player(&self, viewer: Viewer, name: &str) -> Result<Option<PlayerStats>, Error> {
        self.read(|session| counting::player(session, viewer, name))
    }

    fn players(&self, viewer: Viewer, most: usize) -> Result<Vec<PlayerStats>, Error> {
        self.read(|session| counting::players(session, viewer, most))
    }

    fn head_to_head(&self, viewer: Viewer, one: &str, other: &str) -> Result<HeadToHead, Error> {
        self.read(|session| counting::head_to_head(session, viewer, one, other))
    }

    fn opponents(
        &self,
        viewer: Viewer,
        name: &str,
        most: usize,
    ) -> Result<Vec<(String, Standing)>, Error> {
        self.read(|session| counting::opponents(session, viewer, name, most))
    }

    fn streaks(&self, viewer: Viewer, name: &str) -> Result<Streaks, Error> {
        self.read(|session| counting::streaks(session, viewer, name))
    }

    fn own(&self, holder: Holder, opponents: usize) -> Result<Own, Error> {
        self.read(|session| crate::own::own(session, &holder, opponents))
    }

    fn check(&self) -> Result<(), Error> {
        // A separate connection: the check may take long and reads everything.
        let session = self.connector.open()?;
        session.allow_long_statements()?;
        session.run("SET enable_seqscan = on; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
        for unsound in UNSOUND {
            if single(&session.query_once(unsound, &[])?)? {
                return Err(Error::Damaged);
            }
        }
        session.run("ROLLBACK")
    }
}

/// Finished games have a counter; the few others are counted by a query.
fn all_games(session: &Session) -> Result<u64, Error> {
    let finished = session.counter_sum(kind::ALL, "white + draws + black + open", "= 0")?;
    let others: i64 = single(&session.query("SELECT count(*) FROM games WHERE status <> 1", &[])?)?;
    Ok((finished + others).max(0).cast_unsigned())
}

/// Each finds a kind of damage: gaps in events, rows of missing games, counters that differ from a
/// recount.
const UNSOUND: [&str; 4] = [
    "SELECT EXISTS (SELECT 1 FROM games g FULL JOIN (SELECT game, count(*) AS events, min(seq) AS
        first, max(seq) AS last FROM events GROUP BY game) AS e ON e.game = g.n
      WHERE g.n IS NULL OR g.last_seq <> coalesce(e.last, 0) OR e.events <> e.last OR e.first <> 1)",
    "SELECT EXISTS (SELECT 1 FROM (SELECT game FROM seats UNION ALL SELECT game FROM tags UNION ALL
        SELECT game FROM notes UNION ALL SELECT game FROM wakes) AS part
      LEFT JOIN games g ON g.n = part.game WHERE g.n IS NULL)
     OR EXISTS (SELECT 1 FROM games g LEFT JOIN wakes w ON w.game = g.n
      WHERE g.wake IS DISTINCT FROM w.wake OR (g.wake IS NULL) <> (g.deadline IS NULL))",
    "SELECT EXISTS (SELECT 1 FROM
        (SELECT value, sum(white) AS white, sum(draws) AS draws, sum(black) AS black,
           sum(open) AS open
         FROM (SELECT value, white, draws, black, open FROM counts WHERE kind = 4
           UNION ALL SELECT value, c0, c1, c2, c3 FROM pending WHERE kind = 4) AS kept
         GROUP BY value) AS kept
      FULL JOIN (SELECT source, count(*) FILTER (WHERE result = 0) AS white,
          count(*) FILTER (WHERE result = 1) AS draws, count(*) FILTER (WHERE result = 2) AS black,
          count(*) FILTER (WHERE result = 3) AS open
        FROM games WHERE status = 1 GROUP BY source) AS found ON found.source = kept.value
      WHERE (coalesce(kept.white, 0), coalesce(kept.draws, 0), coalesce(kept.black, 0),
          coalesce(kept.open, 0))
        <> (coalesce(found.white, 0), coalesce(found.draws, 0), coalesce(found.black, 0),
          coalesce(found.open, 0)))",
    "SELECT EXISTS (SELECT 1 FROM
        (SELECT id, sum(games) AS games FROM (SELECT id, games FROM players UNION ALL
           SELECT value, c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 FROM pending WHERE kind = 100)
           AS kept GROUP BY id) AS kept
      FULL JOIN (SELECT id, count(*) AS games FROM (SELECT white AS id FROM games WHERE status = 1
          UNION ALL SELECT black FROM games WHERE status = 1) AS seats GROUP BY id) AS found
        ON found.id = kept.id
      WHERE coalesce(kept.games, 0) <> coalesce(found.games, 0))",
];
