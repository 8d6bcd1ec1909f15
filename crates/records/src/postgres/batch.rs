//! Appends that share a transaction: reading the state of their games, judging and writing them.
//!
//! Two round trips. The first locks every game of the batch, in the order of their ids so that the
//! batches of several nodes cannot deadlock, and reads what is needed to judge; the second writes
//! everything and commits. There is no query in between, except for the ids of new texts.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use tokio_postgres::Row;
use xxhash_rust::xxh3::xxh3_64;

use super::ids::Ids;
use super::key_cache::KeyCache;
use super::migrate::may_write;
use super::rows::{bytes, game};
use super::schema::MIGRATIONS;
use super::session::{Session, Statement, values};
use super::text::decode_text;
use super::writing::{NewSeat, Writing};
use crate::dates::LogTime;
use crate::game_row::{COLUMNS, JUDGED, column_list};
use crate::judge::{Facts, Verdict, judge};
use crate::tallies::Facets;
use crate::{
    Append, Appended, Begins, Error, GameId, InvitationState, Once, Row as Change, Status, Uses,
};

pub(crate) const BEGIN: &str = "BEGIN";
pub(crate) const COMMIT: &str = "COMMIT";
const VERSION: &str = "SELECT version, oldest FROM hansu";
/// Advisory locks on the ids of new games and invitations, held until the commit: neither has a row
/// yet that could be locked.
pub(crate) const LOCK_NAMES: &str = "SELECT pg_advisory_xact_lock(k)
    FROM (SELECT DISTINCT k FROM unnest($1::bigint[]) AS k ORDER BY k) AS keys";
pub(crate) static LOCK_GAMES: LazyLock<String> = LazyLock::new(|| {
    let names = column_list(&COLUMNS[..JUDGED], |_, name| name.to_owned());
    format!(
        "SELECT {names}, id, n, last_seq FROM games WHERE id = ANY($1::text[])
         ORDER BY id FOR NO KEY UPDATE"
    )
});
/// The command keys of events that the cache does not have. With a plain join the server would read
/// all events of the game and only then discard the old ones.
const CLIENTS: &str = "SELECT a.id, e.seq, e.client
    FROM unnest($1::text[], $2::bigint[]) AS a(id, known)
    JOIN games g ON g.id = a.id
    CROSS JOIN LATERAL (SELECT seq, client FROM events
      WHERE game = g.n AND seq > a.known AND client IS NOT NULL
      OFFSET 0) e";
const INVITATIONS: &str = "SELECT hash, game, expires, state FROM invitations
    WHERE hash = ANY($1::bytea[]) OR game = ANY($2::text[]) ORDER BY game FOR UPDATE";
const SEEKS: &str = "SELECT game FROM seeks WHERE game = ANY($1::text[]) ORDER BY game FOR UPDATE";
const NUMBERS: &str = "SELECT nextval('games_n') FROM generate_series(1, $1::bigint)";
const FIND_DOUBTFUL: &str = "SELECT a.i, e.seq, e.at, e.client, e.body
    FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) AS a(i, id, first, last)
    JOIN games g ON g.id = a.id
    JOIN events e ON e.game = g.n AND e.seq BETWEEN a.first AND a.last";

/// The key of the advisory lock of a game id.
pub(crate) fn name_lock(game: GameId) -> i64 {
    xxh3_64(game.as_str().as_bytes()).cast_signed()
}

/// The columns of a game's row that a change needs.
pub(crate) struct OldRow {
    pub(crate) n: i64,
    pub(crate) last_seq: u64,
    pub(crate) wake: Option<i64>,
    pub(crate) facets: Facets,
}

impl OldRow {
    /// Reads a row of [`LOCK_GAMES`].
    pub(crate) fn read(row: &Row) -> Result<(GameId, OldRow), Error> {
        let old = OldRow {
            n: row.try_get(JUDGED + 1)?,
            last_seq: row.try_get::<_, i64>(JUDGED + 2)?.cast_unsigned(),
            wake: row.try_get(JUDGED - 1)?,
            facets: Facets::read(row, 0)?,
        };
        Ok((game(row, JUDGED)?, old))
    }
}

/// A game of the batch.
pub(crate) struct Game<'a> {
    pub(crate) n: i64,
    /// Its row before the batch; `None` for a new game.
    pub(crate) old: Option<OldRow>,
    pub(crate) last_seq: u64,
    /// The change of its row by its appends; `None` if none was accepted.
    pub(crate) row: Option<Cow<'a, Change>>,
}

/// An event to be written.
pub(crate) struct EventRow<'a> {
    pub(crate) n: i64,
    pub(crate) seq: u64,
    pub(crate) at: LogTime,
    pub(crate) command_key: Option<&'a str>,
    pub(crate) body: &'a str,
}

/// Why a batch was not committed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BatchError {
    /// Nothing of the batch is in the log.
    NotWritten(Error),
    /// The connection was lost during the commit. Carries the answers for the case that it
    /// happened.
    Unknown(Vec<Result<Appended, Error>>),
}

impl From<Error> for BatchError {
    fn from(error: Error) -> BatchError {
        BatchError::NotWritten(error)
    }
}

/// The state of one transaction.
pub(crate) struct Batch<'a> {
    appends: &'a [&'a Append],
    /// For each append: the number that it got in a commit with unknown result.
    doubtful: &'a [Option<u64>],
    pub(crate) games: BTreeMap<GameId, Game<'a>>,
    key_cache: &'a mut KeyCache,
    reservations: Vec<Reservation>,
    numbers: Vec<i64>,
    /// For each append: true if such a commit has written it.
    written: Vec<bool>,
    pub(crate) events: Vec<EventRow<'a>>,
    pub(crate) seats: Vec<NewSeat>,
    pub(crate) used: Vec<&'a [u8; 32]>,
    pub(crate) sought: Vec<&'a GameId>,
}

/// An invitation or a seek: it reserves the id of its game.
struct Reservation {
    uses: Uses,
    game: GameId,
    expires: LogTime,
    open: bool,
}

impl<'a> Batch<'a> {
    /// Writes the appends that are accepted and returns an answer for each; they are on the disk
    /// when this returns.
    pub(crate) fn write(
        session: &Session,
        ids: &mut Ids,
        key_cache: &'a mut KeyCache,
        appends: &'a [&'a Append],
        doubtful: &'a [Option<u64>],
    ) -> Result<Vec<Result<Appended, Error>>, BatchError> {
        key_cache.make_room(2 * appends.len());
        let mut batch = Batch {
            appends,
            doubtful,
            games: BTreeMap::new(),
            key_cache,
            reservations: Vec::new(),
            numbers: Vec::new(),
            written: vec![false; appends.len()],
            events: Vec::new(),
            seats: Vec::new(),
            used: Vec::new(),
            sought: Vec::new(),
        };
        batch.read(session)?;
        let answers = batch.judge()?;
        let rows = || batch.games.values().filter_map(|game| game.row.as_deref());
        let whole = rows().filter_map(|row| match row {
            Change::Whole(summary) => Some(&**summary),
            Change::Played(_) => None,
        });
        let reached = rows().filter_map(|row| match row {
            Change::Whole(_) => None,
            Change::Played(played) => played.opening.as_ref(),
        });
        ids.learn(session, whole, reached)?;
        let writing = Writing::of(&batch, ids)?;
        let mut statements = writing.statements();
        statements.push(Statement::new(COMMIT, vec![]));
        match session.pipeline(&statements) {
            Ok(_) => Ok(answers),
            // Everything was sent: the commit may have happened.
            Err(Error::Away) => Err(BatchError::Unknown(answers)),
            Err(error) => Err(BatchError::NotWritten(error)),
        }
    }

    /// All appends, including the first appends of rematches.
    fn each(&self) -> impl Iterator<Item = &'a Append> {
        self.appends.iter().flat_map(|&append| [Some(append), append.next.as_deref()]).flatten()
    }

    /// Locks the games and reads what is needed to judge.
    fn read(&mut self, session: &Session) -> Result<(), Error> {
        let ids: Vec<&str> = self.each().map(|append| append.game.as_str()).collect();
        let beginning: Vec<&Append> = self.each().filter(|append| append.expected == 1).collect();
        let names: Vec<&str> = beginning.iter().map(|append| append.game.as_str()).collect();
        let claims: Vec<i64> = beginning.iter().map(|append| name_lock(append.game)).collect();
        let hashes: Vec<&[u8]> = self.each().filter_map(invitation).map(|hash| &hash[..]).collect();
        let named = self.appends.iter().filter(|append| append.command_key.is_some());
        let asked: BTreeSet<GameId> = named.map(|append| append.game).collect();
        let asking: Vec<&str> = asked.iter().map(GameId::as_str).collect();
        let known: Vec<i64> =
            asked.iter().map(|game| self.key_cache.last_seq(*game).cast_signed()).collect();
        let mut statements = vec![Statement::new(BEGIN, vec![]), Statement::new(VERSION, vec![])];
        let (mut locked, mut invited, mut sought) = (0, 0, 0);
        let (mut resent, mut numbered, mut found) = (0, 0, 0);
        let mut ask = |at: &mut usize, sql, values| {
            *at = statements.len();
            statements.push(Statement::new(sql, values));
        };
        if !claims.is_empty() {
            ask(&mut 0, LOCK_NAMES, values![claims]);
        }
        ask(&mut locked, &LOCK_GAMES, values![ids]);
        // Separate statements, so that they see everything that was committed before the locks were
        // taken.
        if !asking.is_empty() {
            ask(&mut resent, CLIENTS, values![asking, known]);
        }
        if !(hashes.is_empty() && names.is_empty()) {
            let numbers = names.len() as i64;
            ask(&mut invited, INVITATIONS, values![hashes, names.clone()]);
            ask(&mut sought, SEEKS, values![names]);
            ask(&mut numbered, NUMBERS, values![numbers]);
        }
        if self.doubtful.iter().any(Option::is_some) {
            ask(&mut found, FIND_DOUBTFUL, self.doubts());
        }
        let mut rows = session.pipeline(&statements)?;
        let mut taken =
            |at: usize| if at == 0 { Vec::new() } else { std::mem::take(&mut rows[at]) };
        for row in taken(1) {
            let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
            may_write(row.try_get(0)?, row.try_get(1)?, known)?;
        }
        for row in taken(locked) {
            let (id, old) = OldRow::read(&row)?;
            if asked.contains(&id) {
                if !self.key_cache.is_same_game(id, old.n) {
                    // The game was deleted and another one has its id. The retry reads everything
                    // again.
                    return Err(Error::Busy);
                }
                self.key_cache.set_last_seq(id, old.n, old.last_seq);
            }
            let game = Game { n: old.n, last_seq: old.last_seq, old: Some(old), row: None };
            self.games.insert(id, game);
        }
        for row in taken(resent) {
            let game: &str = row.try_get(0)?;
            let game = game.parse().map_err(|_| Error::Damaged)?;
            let seq = row.try_get::<_, i64>(1)?.cast_unsigned();
            self.key_cache.add_key(game, seq, &decode_text(row.try_get(2)?));
        }
        for row in taken(invited) {
            self.reservations.push(Reservation {
                uses: Uses::Invitation(bytes(&row, 0)?),
                game: game(&row, 1)?,
                expires: row.try_get(2)?,
                open: row.try_get::<_, i64>(3)? == InvitationState::Open.number(),
            });
        }
        for row in taken(sought) {
            let game = game(&row, 0)?;
            self.reservations.push(Reservation {
                uses: Uses::Seek,
                game,
                expires: LogTime::MAX,
                open: true,
            });
        }
        for row in taken(numbered).iter().rev() {
            self.numbers.push(row.try_get(0)?);
        }
        self.find_committed(&taken(found))
    }

    /// The event numbers that the doubtful appends would have.
    fn doubts(&self) -> Vec<super::session::Value<'a>> {
        let (mut numbers, mut ids, mut first, mut last) = (vec![], vec![], vec![], vec![]);
        for (number, (append, doubt)) in self.appends.iter().zip(self.doubtful).enumerate() {
            if let Some(seq) = doubt {
                numbers.push(number as i64);
                ids.push(append.game.as_str());
                first.push(append.expected.cast_signed());
                last.push(seq.cast_signed());
            }
        }
        values![numbers, ids, first, last]
    }

    /// A doubtful append is in the log if its events have its numbers, texts and command key. A
    /// commit still running has ended by now: it held the lock that this transaction waited for.
    fn find_committed(&mut self, rows: &[Row]) -> Result<(), Error> {
        let mut found = vec![0; self.appends.len()];
        for row in rows {
            let number = usize::try_from(row.try_get::<_, i64>(0)?).map_err(|_| Error::Damaged)?;
            let append = self.appends.get(number).ok_or(Error::Damaged)?;
            let seq = row.try_get::<_, i64>(1)?.cast_unsigned();
            let place = usize::try_from(seq - append.expected).map_err(|_| Error::Damaged)?;
            let Some(event) = append.events.get(place) else { continue };
            let last = place + 1 == append.events.len();
            let command_key = append.command_key.as_deref().filter(|_| last);
            let same = event.at == row.try_get::<_, i64>(2)?
                && command_key == row.try_get::<_, Option<String>>(3)?.map(decode_text).as_deref()
                && event.body == decode_text(row.try_get(4)?);
            found[number] += usize::from(same);
        }
        for (number, (append, doubt)) in self.appends.iter().zip(self.doubtful).enumerate() {
            self.written[number] = doubt.is_some() && found[number] == append.events.len();
        }
        Ok(())
    }

    fn judge(&mut self) -> Result<Vec<Result<Appended, Error>>, Error> {
        let appends = self.appends;
        let mut answers = Vec::with_capacity(appends.len());
        for (number, append) in appends.iter().enumerate() {
            if let Some(seq) = self.doubtful[number].filter(|_| self.written[number]) {
                answers.push(Ok(Appended { seq, once: Once::First }));
                continue;
            }
            let last = self.games.get(&append.game).map(|game| game.last_seq);
            answers.push(match judge(self, append, last)? {
                Verdict::Answer(answer) => answer,
                Verdict::Keep(seq) => {
                    self.keep(append)?;
                    if let Some(next) = &append.next {
                        self.keep(next)?;
                    }
                    Ok(Appended { seq, once: Once::First })
                }
            });
        }
        Ok(answers)
    }

    fn keep(&mut self, append: &'a Append) -> Result<(), Error> {
        let game = match self.games.entry(append.game) {
            std::collections::btree_map::Entry::Occupied(game) => game.into_mut(),
            std::collections::btree_map::Entry::Vacant(place) => {
                let n = self.numbers.pop().ok_or(Error::Damaged)?;
                let begins = append.begins.as_ref();
                let Change::Whole(summary) = &append.row else { return Err(Error::Damaged) };
                let at = summary.started.unwrap_or(crate::tallies::UNKNOWN);
                for seat in begins.map(Begins::by_holder).unwrap_or_default() {
                    self.seats.push(NewSeat { holder: seat.holder, at, n, side: seat.side });
                }
                match begins.and_then(|begins| begins.uses.as_ref()) {
                    Some(Uses::Invitation(hash)) => self.used.push(hash),
                    Some(Uses::Seek) => self.sought.push(&append.game),
                    None => {}
                }
                let used = self.reservations.iter_mut().filter(|one| one.game == append.game);
                used.for_each(|one| one.open = false);
                place.insert(Game { n, old: None, last_seq: 0, row: None })
            }
        };
        let (n, seq) = (game.n, append.last_seq());
        for (event, number) in append.events.iter().zip(append.expected..) {
            let command_key = append.command_key.as_deref().filter(|_| number == seq);
            self.events.push(EventRow {
                n,
                seq: number,
                at: event.at,
                command_key,
                body: &event.body,
            });
        }
        game.last_seq = seq;
        match (&mut game.row, &append.row) {
            (Some(row), Change::Played(played)) => row.to_mut().extend(played),
            (row, next) => *row = Some(Cow::Borrowed(next)),
        }
        if self.key_cache.last_seq(append.game) + 1 == append.expected {
            self.key_cache.set_last_seq(append.game, n, seq);
            if let Some(command_key) = &append.command_key {
                self.key_cache.add_key(append.game, seq, command_key);
            }
        }
        Ok(())
    }
}

fn invitation(append: &Append) -> Option<&[u8; 32]> {
    match append.begins.as_ref()?.uses.as_ref()? {
        Uses::Invitation(hash) => Some(hash),
        Uses::Seek => None,
    }
}

impl Facts for Batch<'_> {
    type Error = Error;

    fn resent(&self, game: GameId, command_key: &str) -> Result<Option<u64>, Error> {
        Ok(self.key_cache.find(game, command_key))
    }

    fn exists(&self, game: GameId) -> Result<bool, Error> {
        Ok(self.games.contains_key(&game))
    }

    fn is_open(&self, uses: Uses, game: GameId, at: LogTime) -> Result<bool, Error> {
        let good = |one: &&Reservation| one.open && one.uses == uses && one.game == game;
        Ok(self.reservations.iter().filter(good).any(|one| one.expires > at))
    }

    fn is_reserved(&self, game: GameId) -> Result<bool, Error> {
        Ok(self.reservations.iter().any(|one| one.game == game))
    }

    fn is_live(&self, game: GameId) -> Result<bool, Error> {
        let Some(game) = self.games.get(&game) else { return Ok(false) };
        let status = match game.row.as_deref() {
            Some(Change::Whole(summary)) => Some(summary.status),
            Some(Change::Played(_)) | None => game.old.as_ref().map(|old| old.facets.status),
        };
        Ok(status == Some(Status::Live))
    }
}
