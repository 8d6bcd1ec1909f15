//! What a transaction writes, as one statement a table whatever the number of rows.

use std::borrow::Cow;

use super::batch::{Batch, Old};
use super::ids::Ids;
use super::session::{Step, Value, values};
use super::text::keep;
use crate::entry::{Entry, variant_number, wake};
use crate::ledger::{Facets, Ledger};
use crate::{Error, GameId, Holder, Side, Status};

/// `pending.kind` of a player's results, of which there are eight; see `ledger::kind` for others.
pub(crate) const PLAYER: i64 = 100;
/// The same of public games alone.
const SHOWN: i64 = 101;

const INSERT_GAMES: &str =
    "INSERT INTO games (n, id, at, ended, white, black, result, reason, plies,
      over_plies, source, status, visibility, variant, opening, over_opening, event, time_control,
      deadline, wake, last_seq, hash, moves, start_fen, final_fen, headers, annotations)
    SELECT n, id, at, ended, white, black, result, reason, plies,
      CASE WHEN status = 1 THEN plies END, source, status, visibility, variant, opening,
      CASE WHEN status = 1 THEN opening END, event, time_control,
      deadline, wake, last_seq, hash, moves, start_fen, final_fen, headers, annotations
    FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
      $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[],
      $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[],
      $19::bigint[], $20::bytea[], $21::bytea[], $22::text[], $23::text[], $24::text[], $25::text[])
    AS a(n, id, at, ended, white, black, result, reason, plies, source, status, visibility, variant,
      opening, event, time_control, deadline, wake, last_seq, hash, moves, start_fen, final_fen,
      headers, annotations)
    ORDER BY id COLLATE \"C\"";
/// What a move changes; none of it is in an index.
pub(crate) const UPDATE_MOVES: &str = "UPDATE games g SET last_seq = a.last_seq, plies = a.plies,
      opening = a.opening, deadline = a.deadline, wake = a.wake, moves = a.moves,
      final_fen = a.final_fen
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
      $7::bytea[], $8::text[]) AS a(n, last_seq, plies, opening, deadline, wake, moves, final_fen)
    WHERE g.n = a.n";
/// What changes seldom.
const UPDATE_REST: &str = "UPDATE games g SET ended = a.ended, white = a.white, black = a.black,
      result = a.result, reason = a.reason, event = a.event, source = a.source, status = a.status,
      visibility = a.visibility, time_control = a.time_control, hash = a.hash,
      start_fen = a.start_fen, headers = a.headers, annotations = a.annotations,
      over_plies = CASE WHEN a.status = 1 THEN g.plies END,
      over_opening = CASE WHEN a.status = 1 THEN g.opening END
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
      $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bytea[],
      $13::text[], $14::text[], $15::text[])
    AS a(n, ended, white, black, result, reason, event, source, status, visibility, time_control,
      hash, start_fen, headers, annotations)
    WHERE g.n = a.n";
pub(crate) const INSERT_EVENTS: &str = "INSERT INTO events (game, seq, at, client, body)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])";
const INSERT_SEATS: &str = "INSERT INTO seats (holder, at, game, side)
    SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[])";
const USE: &str = "UPDATE invitations SET state = 1, expires = made, body = ''
    WHERE hash = ANY($1::bytea[])";
const USE_SEEKS: &str = "DELETE FROM seeks WHERE game = ANY($1::text[])";
const SET_WAKES: &str = "INSERT INTO wakes (game, wake)
    SELECT * FROM unnest($1::bigint[], $2::bigint[])
    ON CONFLICT (game) DO UPDATE SET wake = excluded.wake";
const DROP_WAKES: &str = "DELETE FROM wakes WHERE game = ANY($1::bigint[])";
const INSERT_PENDING: &str = "INSERT INTO pending SELECT * FROM unnest($1::bigint[], $2::bigint[],
      $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
      $9::bigint[], $10::bigint[])";

/// A seat of a new game.
pub(crate) struct NewSeat {
    pub(crate) holder: Holder,
    pub(crate) at: i64,
    pub(crate) n: i64,
    pub(crate) side: Side,
}

/// A new game's row.
pub(crate) struct NewGame<'a> {
    pub(crate) n: i64,
    pub(crate) id: GameId,
    pub(crate) last_seq: u64,
    pub(crate) hash: Option<[u8; 16]>,
    pub(crate) entry: Entry<'a>,
}

/// A row that changes.
struct Change<'a> {
    n: i64,
    last_seq: u64,
    wake: Option<i64>,
    hash: Option<[u8; 16]>,
    entry: Entry<'a>,
}

/// Everything that a transaction writes.
#[derive(Default)]
pub(crate) struct Writing<'a> {
    pub(crate) new: Vec<NewGame<'a>>,
    changed: Vec<Change<'a>>,
    /// Which of the changed ones change in more than what a move changes.
    rest: Vec<usize>,
    wakes: Vec<(i64, i64)>,
    no_wakes: Vec<i64>,
    pub(crate) ledger: Ledger,
    pub(crate) seats: Vec<(Vec<u8>, i64, i64, i64)>,
    used: Vec<&'a [u8]>,
    sought: Vec<&'a str>,
    pub(crate) events: Events<'a>,
}

/// The columns of new events.
#[derive(Default)]
pub(crate) struct Events<'a> {
    n: Vec<i64>,
    seq: Vec<i64>,
    at: Vec<i64>,
    client: Vec<Option<Cow<'a, str>>>,
    body: Vec<Cow<'a, str>>,
}

impl<'a> Events<'a> {
    pub(crate) fn push(
        &mut self,
        n: i64,
        seq: i64,
        at: i64,
        client: Option<&'a str>,
        body: &'a str,
    ) {
        self.n.push(n);
        self.seq.push(seq);
        self.at.push(at);
        self.client.push(client.map(keep));
        self.body.push(keep(body));
    }
}

impl<'a> Writing<'a> {
    /// What a batch of appends writes. The ids of all its texts are known.
    pub(crate) fn of(batch: &Batch<'a>, ids: &mut Ids) -> Result<Writing<'a>, Error> {
        let mut writing = Writing::default();
        for (&id, game) in &batch.games {
            let Some(summary) = game.summary else { continue };
            let entry = Entry::new(ids, summary)?;
            match &game.old {
                None => {
                    let (n, last_seq, hash) = (game.n, game.last_seq, entry.hash());
                    writing.add(NewGame { n, id, last_seq, hash, entry });
                }
                Some(old) => writing.change(old, game.last_seq, entry),
            }
        }
        for line in &batch.lines {
            let seq = line.seq.cast_signed();
            writing.events.push(line.n, seq, line.at, line.client, line.body);
        }
        for seat in &batch.seats {
            let row = (seat.holder.0.to_vec(), seat.at, seat.n, seat.side.number());
            writing.seats.push(row);
        }
        writing.used = batch.used.iter().map(|hash| &hash[..]).collect();
        writing.sought = batch.sought.iter().map(|game| game.as_str()).collect();
        Ok(writing)
    }

    /// A new game.
    pub(crate) fn add(&mut self, game: NewGame<'a>) {
        if let Some(wake) = wake(None, game.entry.summary.deadline) {
            self.wakes.push((game.n, wake));
        }
        self.ledger.add(&game.entry.facets);
        self.new.push(game);
    }

    fn change(&mut self, old: &Old, last_seq: u64, mut entry: Entry<'a>) {
        // Lists go by the time a game began: it is given once.
        entry.facets.at = old.facets.at;
        let wake = wake(old.wake, entry.summary.deadline);
        match wake {
            Some(wake) if old.wake != Some(wake) => self.wakes.push((old.n, wake)),
            None if old.wake.is_some() => self.no_wakes.push(old.n),
            Some(_) | None => {}
        }
        let hash = entry.hash();
        let (was, is, row) = (&old.facets, &entry.facets, entry.summary);
        // Of these two a game that is over has a copy.
        let like = |facets: &Facets| Facets { plies: 0, opening: None, ..*facets };
        let texts = row.start_fen.is_some() || entry.headers.is_some() || row.annotations.is_some();
        let over = [was.status, is.status].contains(&Status::Finished);
        let same = like(was) == like(is)
            && old.ended == row.ended
            && old.time_control == entry.time_control
            && old.hash.as_deref() == hash.as_ref().map(|hash| &hash[..])
            && !(old.texts || texts || over);
        self.ledger.remove(was);
        self.ledger.add(is);
        if !same {
            self.rest.push(self.changed.len());
        }
        self.changed.push(Change { n: old.n, last_seq, wake, hash, entry });
    }

    /// The statements, without the commit.
    pub(crate) fn steps(&self) -> Vec<Step<'_>> {
        let mut steps = Vec::new();
        if !self.new.is_empty() {
            steps.push(Step::new(INSERT_GAMES, self.new_games()));
        }
        if !self.changed.is_empty() {
            steps.push(Step::new(UPDATE_MOVES, self.moves()));
        }
        if !self.rest.is_empty() {
            steps.push(Step::new(UPDATE_REST, self.rest()));
        }
        if !self.events.n.is_empty() {
            let e = &self.events;
            let values = values![&e.n, &e.seq, &e.at, &e.client, &e.body];
            steps.push(Step::new(INSERT_EVENTS, values));
        }
        if !self.seats.is_empty() {
            let holders: Vec<&[u8]> = self.seats.iter().map(|seat| &seat.0[..]).collect();
            let at = column(&self.seats, |seat| seat.1);
            let (game, side) =
                (column(&self.seats, |seat| seat.2), column(&self.seats, |seat| seat.3));
            steps.push(Step::new(INSERT_SEATS, values![holders, at, game, side]));
        }
        if !self.used.is_empty() {
            steps.push(Step::new(USE, values![&self.used]));
        }
        if !self.sought.is_empty() {
            steps.push(Step::new(USE_SEEKS, values![&self.sought]));
        }
        if !self.wakes.is_empty() {
            let (games, wakes) =
                (column(&self.wakes, |wake| wake.0), column(&self.wakes, |wake| wake.1));
            steps.push(Step::new(SET_WAKES, values![games, wakes]));
        }
        if !self.no_wakes.is_empty() {
            steps.push(Step::new(DROP_WAKES, values![&self.no_wakes]));
        }
        steps.extend(pending(&self.ledger));
        steps
    }

    fn new_games(&self) -> Vec<Value<'_>> {
        let new = &self.new;
        let facets = |of: fn(&Facets) -> i64| column(new, |game| of(&game.entry.facets));
        let perhaps = |of: fn(&Facets) -> Option<i64>| column(new, |game| of(&game.entry.facets));
        values![
            column(new, |game| game.n),
            column(new, |game| game.id.as_str()),
            facets(|f| f.at),
            column(new, |game| game.entry.summary.ended),
            facets(|f| f.white),
            facets(|f| f.black),
            facets(|f| f.score.number()),
            perhaps(|f| f.reason),
            facets(|f| f.plies),
            facets(|f| f.source),
            facets(|f| f.status.number()),
            facets(|f| f.visibility),
            column(new, |game| variant_number(game.entry.summary.variant)),
            perhaps(|f| f.opening),
            perhaps(|f| f.event),
            column(new, |game| game.entry.time_control),
            column(new, |game| game.entry.summary.deadline),
            column(new, |game| wake(None, game.entry.summary.deadline)),
            column(new, |game| game.last_seq.cast_signed()),
            column(new, |game| game.hash.as_ref().map(|hash| &hash[..])),
            column(new, |game| game.entry.summary.moves.as_bytes()),
            column(new, |game| game.entry.summary.start_fen.as_deref().map(keep)),
            column(new, |game| keep(&game.entry.summary.final_fen)),
            column(new, |game| game.entry.headers.as_deref().map(keep)),
            column(new, |game| game.entry.summary.annotations.as_deref().map(keep)),
        ]
    }

    fn moves(&self) -> Vec<Value<'_>> {
        let rows = &self.changed;
        values![
            column(rows, |row| row.n),
            column(rows, |row| row.last_seq.cast_signed()),
            column(rows, |row| row.entry.facets.plies),
            column(rows, |row| row.entry.facets.opening),
            column(rows, |row| row.entry.summary.deadline),
            column(rows, |row| row.wake),
            column(rows, |row| row.entry.summary.moves.as_bytes()),
            column(rows, |row| keep(&row.entry.summary.final_fen)),
        ]
    }

    fn rest(&self) -> Vec<Value<'_>> {
        let rows: Vec<&Change<'_>> = self.rest.iter().map(|&at| &self.changed[at]).collect();
        let rows = &rows;
        let facets = |of: fn(&Facets) -> i64| column(rows, |row| of(&row.entry.facets));
        values![
            column(rows, |row| row.n),
            column(rows, |row| row.entry.summary.ended),
            facets(|f| f.white),
            facets(|f| f.black),
            facets(|f| f.score.number()),
            column(rows, |row| row.entry.facets.reason),
            column(rows, |row| row.entry.facets.event),
            facets(|f| f.source),
            facets(|f| f.status.number()),
            facets(|f| f.visibility),
            column(rows, |row| row.entry.time_control),
            column(rows, |row| row.hash.as_ref().map(|hash| hash.to_vec())),
            column(rows, |row| row
                .entry
                .summary
                .start_fen
                .as_deref()
                .map(|text| keep(text).into_owned())),
            column(rows, |row| row.entry.headers.as_deref().map(|text| keep(text).into_owned())),
            column(rows, |row| row
                .entry
                .summary
                .annotations
                .as_deref()
                .map(|text| keep(text).into_owned())),
        ]
    }
}

/// One column of many rows.
fn column<'r, R, T>(rows: &'r [R], of: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

/// Changes of the statistics, to be folded later.
pub(crate) fn pending(ledger: &Ledger) -> Option<Step<'static>> {
    let counts = ledger
        .counts()
        .into_iter()
        .map(|((kind, value), [a, b, c, d])| (kind, value, [a, b, c, d, 0, 0, 0, 0]));
    let players = ledger.players().into_iter().map(|(id, by)| (PLAYER, id, by));
    let shown = ledger.shown().into_iter().map(|(id, by)| (SHOWN, id, by));
    let rows: Vec<(i64, i64, [i64; 8])> = counts.chain(players).chain(shown).collect();
    if rows.is_empty() {
        return None;
    }
    let mut values = values![column(&rows, |row| row.0), column(&rows, |row| row.1)];
    for place in 0..8 {
        values.push(Box::new(column(&rows, |row| row.2[place])));
    }
    Some(Step::new(INSERT_PENDING, values))
}
