//! Appends that share a transaction: what the log knows of their games, and what each is answered.
//!
//! Two ways there and back. The first locks every game of the batch, in the order of their ids so
//! that the batches of several nodes cannot hold each other up in a circle, and reads what is
//! needed to judge; the second writes everything and commits. In between nothing is asked, unless
//! somebody has a name that was never heard.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use tokio_postgres::Row;
use xxhash_rust::xxh3::xxh3_64;

use super::ids::Ids;
use super::migrate::may_write;
use super::recent::Recent;
use super::rows::{bytes, game};
use super::schema::STEPS;
use super::session::{Session, Step, values};
use super::text::read;
use super::writing::{NewSeat, Writing};
use crate::dates::Millis;
use crate::entry::{COLUMNS, JUDGED, listed};
use crate::judge::{Facts, Verdict, judge};
use crate::ledger::Facets;
use crate::{
    Append, Appended, Begins, Error, GameId, InvitationState, Once, Row as Change, Status, Uses,
};

pub(crate) const BEGIN: &str = "BEGIN";
pub(crate) const COMMIT: &str = "COMMIT";
const VERSION: &str = "SELECT version, oldest FROM hansu";
/// Held by whoever makes a game or an invitation of that name, until the commit: neither has a row
/// yet that could be locked.
pub(crate) const CLAIM: &str = "SELECT pg_advisory_xact_lock(k)
    FROM (SELECT DISTINCT k FROM unnest($1::bigint[]) AS k ORDER BY k) AS keys";
pub(crate) static LOCK_GAMES: LazyLock<String> = LazyLock::new(|| {
    let names = listed(&COLUMNS[..JUDGED], |_, name| name.to_owned());
    format!(
        "SELECT {names}, id, n, last_seq FROM games WHERE id = ANY($1::text[])
         ORDER BY id FOR NO KEY UPDATE"
    )
});
/// The client ids of events, from where they are unknown here. Written as a join the server would
/// read all events of the game and leave out the old ones then.
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
const WRITTEN: &str = "SELECT a.i, e.seq, e.at, e.client, e.body
    FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) AS a(i, id, first, last)
    JOIN games g ON g.id = a.id
    JOIN events e ON e.game = g.n AND e.seq BETWEEN a.first AND a.last";

/// What the lock of a name is called.
pub(crate) fn claim(game: GameId) -> i64 {
    xxh3_64(game.as_str().as_bytes()).cast_signed()
}

/// The row of a game as far as a change needs it.
pub(crate) struct Old {
    pub(crate) n: i64,
    pub(crate) last_seq: u64,
    pub(crate) wake: Option<i64>,
    pub(crate) facets: Facets,
}

impl Old {
    /// Reads what [`LOCK_GAMES`] gives.
    pub(crate) fn read(row: &Row) -> Result<(GameId, Old), Error> {
        let old = Old {
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
    /// As it was before; `None` when it begins here.
    pub(crate) old: Option<Old>,
    pub(crate) last_seq: u64,
    /// What its appends make of its row; `None` when none was kept.
    pub(crate) row: Option<Cow<'a, Change>>,
}

/// An event to be written.
pub(crate) struct Line<'a> {
    pub(crate) n: i64,
    pub(crate) seq: u64,
    pub(crate) at: Millis,
    pub(crate) client: Option<&'a str>,
    pub(crate) body: &'a str,
}

/// What became of a batch that was not committed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// Nothing of it is in the log.
    Not(Error),
    /// The connection was lost in the commit. What each append would have been answered.
    Unknown(Vec<Result<Appended, Error>>),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Not(error)
    }
}

/// The state of one transaction.
pub(crate) struct Batch<'a> {
    appends: &'a [&'a Append],
    /// By append: the number it got in a commit of which nobody knows whether it happened.
    doubtful: &'a [Option<u64>],
    pub(crate) games: BTreeMap<GameId, Game<'a>>,
    recent: &'a mut Recent,
    waiting: Vec<Waiting>,
    numbers: Vec<i64>,
    /// By append: that it is in the log, after such a commit.
    written: Vec<bool>,
    pub(crate) lines: Vec<Line<'a>>,
    pub(crate) seats: Vec<NewSeat>,
    pub(crate) used: Vec<&'a [u8; 32]>,
    pub(crate) sought: Vec<&'a GameId>,
}

/// An invitation or a seek.
struct Waiting {
    uses: Uses,
    game: GameId,
    expires: Millis,
    open: bool,
}

impl<'a> Batch<'a> {
    /// Writes what can be written and says what each is answered; on the disk when this returns.
    pub(crate) fn write(
        session: &Session,
        ids: &mut Ids,
        recent: &'a mut Recent,
        appends: &'a [&'a Append],
        doubtful: &'a [Option<u64>],
    ) -> Result<Vec<Result<Appended, Error>>, Failure> {
        recent.make_room(2 * appends.len());
        let mut batch = Batch {
            appends,
            doubtful,
            games: BTreeMap::new(),
            recent,
            waiting: Vec::new(),
            numbers: Vec::new(),
            written: vec![false; appends.len()],
            lines: Vec::new(),
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
        let mut steps = writing.steps();
        steps.push(Step::new(COMMIT, vec![]));
        match session.together(&steps) {
            Ok(_) => Ok(answers),
            // All of it was sent: the commit may have been reached.
            Err(Error::Away) => Err(Failure::Unknown(answers)),
            Err(error) => Err(Failure::Not(error)),
        }
    }

    /// All appends, with those of games that follow.
    fn each(&self) -> impl Iterator<Item = &'a Append> {
        self.appends.iter().flat_map(|&append| [Some(append), append.next.as_deref()]).flatten()
    }

    /// Locks the games and reads what the log knows.
    fn read(&mut self, session: &Session) -> Result<(), Error> {
        let ids: Vec<&str> = self.each().map(|append| append.game.as_str()).collect();
        let beginning: Vec<&Append> = self.each().filter(|append| append.expected == 1).collect();
        let names: Vec<&str> = beginning.iter().map(|append| append.game.as_str()).collect();
        let claims: Vec<i64> = beginning.iter().map(|append| claim(append.game)).collect();
        let hashes: Vec<&[u8]> = self.each().filter_map(invitation).map(|hash| &hash[..]).collect();
        let named = self.appends.iter().filter(|append| append.client.is_some());
        let asked: BTreeSet<GameId> = named.map(|append| append.game).collect();
        let asking: Vec<&str> = asked.iter().map(GameId::as_str).collect();
        let known: Vec<i64> =
            asked.iter().map(|game| self.recent.last_seq(*game).cast_signed()).collect();
        let mut steps = vec![Step::new(BEGIN, vec![]), Step::new(VERSION, vec![])];
        let (mut locked, mut invited, mut sought) = (0, 0, 0);
        let (mut resent, mut numbered, mut found) = (0, 0, 0);
        let mut ask = |at: &mut usize, sql, values| {
            *at = steps.len();
            steps.push(Step::new(sql, values));
        };
        if !claims.is_empty() {
            ask(&mut 0, CLAIM, values![claims]);
        }
        ask(&mut locked, &LOCK_GAMES, values![ids]);
        // Statements of their own, so that they see what was committed before the locks were ours.
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
            ask(&mut found, WRITTEN, self.doubts());
        }
        let mut rows = session.together(&steps)?;
        let mut taken =
            |at: usize| if at == 0 { Vec::new() } else { std::mem::take(&mut rows[at]) };
        for row in taken(1) {
            let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
            may_write(row.try_get(0)?, row.try_get(1)?, known)?;
        }
        for row in taken(locked) {
            let (id, old) = Old::read(&row)?;
            if asked.contains(&id) {
                if !self.recent.is_true(id, old.n) {
                    // It was deleted, and another has its name. All is read anew.
                    return Err(Error::Busy);
                }
                self.recent.reach(id, old.n, old.last_seq);
            }
            let game = Game { n: old.n, last_seq: old.last_seq, old: Some(old), row: None };
            self.games.insert(id, game);
        }
        for row in taken(resent) {
            let game: &str = row.try_get(0)?;
            let game = game.parse().map_err(|_| Error::Damaged)?;
            let seq = row.try_get::<_, i64>(1)?.cast_unsigned();
            self.recent.learn(game, seq, &read(row.try_get(2)?));
        }
        for row in taken(invited) {
            self.waiting.push(Waiting {
                uses: Uses::Invitation(bytes(&row, 0)?),
                game: game(&row, 1)?,
                expires: row.try_get(2)?,
                open: row.try_get::<_, i64>(3)? == InvitationState::Open.number(),
            });
        }
        for row in taken(sought) {
            let game = game(&row, 0)?;
            self.waiting.push(Waiting { uses: Uses::Seek, game, expires: Millis::MAX, open: true });
        }
        for row in taken(numbered).iter().rev() {
            self.numbers.push(row.try_get(0)?);
        }
        self.recognise(&taken(found))
    }

    /// The places in the log where the appends in doubt would be.
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

    /// An append is in the log when its events stand at their places, with its name. Whoever was
    /// still committing them has been waited for: the lock was his.
    fn recognise(&mut self, rows: &[Row]) -> Result<(), Error> {
        let mut found = vec![0; self.appends.len()];
        for row in rows {
            let number = usize::try_from(row.try_get::<_, i64>(0)?).map_err(|_| Error::Damaged)?;
            let append = self.appends.get(number).ok_or(Error::Damaged)?;
            let seq = row.try_get::<_, i64>(1)?.cast_unsigned();
            let place = usize::try_from(seq - append.expected).map_err(|_| Error::Damaged)?;
            let Some(event) = append.events.get(place) else { continue };
            let last = place + 1 == append.events.len();
            let client = append.client.as_deref().filter(|_| last);
            let same = event.at == row.try_get::<_, i64>(2)?
                && client == row.try_get::<_, Option<String>>(3)?.map(read).as_deref()
                && event.body == read(row.try_get(4)?);
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
                let at = summary.started.unwrap_or(crate::ledger::UNKNOWN);
                for seat in begins.map(Begins::by_holder).unwrap_or_default() {
                    self.seats.push(NewSeat { holder: seat.holder, at, n, side: seat.side });
                }
                match begins.and_then(|begins| begins.uses.as_ref()) {
                    Some(Uses::Invitation(hash)) => self.used.push(hash),
                    Some(Uses::Seek) => self.sought.push(&append.game),
                    None => {}
                }
                let used = self.waiting.iter_mut().filter(|one| one.game == append.game);
                used.for_each(|one| one.open = false);
                place.insert(Game { n, old: None, last_seq: 0, row: None })
            }
        };
        let (n, seq) = (game.n, append.last_seq());
        for (event, number) in append.events.iter().zip(append.expected..) {
            let client = append.client.as_deref().filter(|_| number == seq);
            self.lines.push(Line { n, seq: number, at: event.at, client, body: &event.body });
        }
        game.last_seq = seq;
        match (&mut game.row, &append.row) {
            (Some(row), Change::Played(played)) => row.to_mut().extend(played),
            (row, next) => *row = Some(Cow::Borrowed(next)),
        }
        if self.recent.last_seq(append.game) + 1 == append.expected {
            self.recent.reach(append.game, n, seq);
            if let Some(client) = &append.client {
                self.recent.learn(append.game, seq, client);
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
    type Trouble = Error;

    fn resent(&self, game: GameId, client: &str) -> Result<Option<u64>, Error> {
        Ok(self.recent.find(game, client))
    }

    fn exists(&self, game: GameId) -> Result<bool, Error> {
        Ok(self.games.contains_key(&game))
    }

    fn is_open(&self, uses: Uses, game: GameId, at: Millis) -> Result<bool, Error> {
        let good = |one: &&Waiting| one.open && one.uses == uses && one.game == game;
        Ok(self.waiting.iter().filter(good).any(|one| one.expires > at))
    }

    fn is_reserved(&self, game: GameId) -> Result<bool, Error> {
        Ok(self.waiting.iter().any(|one| one.game == game))
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
