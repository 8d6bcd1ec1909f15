//! What a transaction writes: one statement for each table, whatever the number of rows.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::batch::{Batch, OldRow};
use super::ids::Ids;
use super::session::{Statement, Value, values};
use super::text::encode_text;
use crate::game_row::{COLUMNS, Column, GameRow, Ids as _, column_list, hash_of, wake};
use crate::tallies::Tallies;
use crate::{Error, Holder, Played, Row, Side};

/// `pending.kind` of a player's results, with eight counters; see `tallies::kind` for others.
pub(crate) const PLAYER: i64 = 100;
/// The same, of public games only.
const SHOWN: i64 = 101;

/// Copies of two columns, set only when a game is finished, for indexes without live games.
const OVER: [(&str, &str); 2] = [("over_plies", "plies"), ("over_opening", "opening")];

/// The rows of a statement's parameters as table `a`: row number and all columns.
fn parameter_table() -> String {
    let arrays = COLUMNS.iter().zip(2..).map(|(column, at)| match column {
        Column::Number(..) => format!("${at}::bigint[]"),
        Column::Text(..) => format!("${at}::text[]"),
        Column::Bytes(..) => format!("${at}::bytea[]"),
    });
    let arrays: Vec<String> = arrays.collect();
    let names = column_list(&COLUMNS, |_, name| name.to_owned());
    format!("unnest($1::bigint[], {}) AS a(n, {names})", arrays.join(", "))
}

static INSERT_GAMES: LazyLock<String> = LazyLock::new(|| {
    let names = column_list(&COLUMNS, |_, name| name.to_owned());
    let [over, values] = [
        OVER.map(|(name, _)| name.to_owned()).join(", "),
        OVER.map(|(_, of)| format!("CASE WHEN status = 1 THEN {of} END")).join(", "),
    ];
    format!(
        "INSERT INTO games (n, {names}, {over}) SELECT n, {names}, {values} FROM {}
         ORDER BY id COLLATE \"C\"",
        parameter_table()
    )
});
static UPDATE_GAMES: LazyLock<String> = LazyLock::new(|| {
    let set = column_list(&COLUMNS, |_, name| format!("{name} = a.{name}"));
    let over = OVER.map(|(name, of)| format!("{name} = CASE WHEN a.status = 1 THEN a.{of} END"));
    format!(
        "UPDATE games g SET {set}, {} FROM {} WHERE g.n = a.n",
        over.join(", "),
        parameter_table()
    )
});
/// The columns that a move changes; none of them is in an index.
const PLAY: &str = "UPDATE games g SET last_seq = a.last_seq, plies = g.plies + a.plies,
      opening = coalesce(a.opening, g.opening), deadline = a.deadline, wake = a.wake,
      moves = g.moves || a.moves, final_fen = coalesce(a.final_fen, g.final_fen)
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
      $7::bytea[], $8::text[]) AS a(n, last_seq, plies, opening, deadline, wake, moves, final_fen)
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

/// A row to which moves are added.
struct AddedMoves<'a> {
    n: i64,
    last_seq: u64,
    wake: Option<i64>,
    opening: Option<i64>,
    played: &'a Played,
}

/// Everything that a transaction writes.
#[derive(Default)]
pub(crate) struct Writing<'a> {
    /// New rows with their row numbers.
    new: Vec<(i64, GameRow<'a>)>,
    changed: Vec<(i64, GameRow<'a>)>,
    added: Vec<AddedMoves<'a>>,
    wakes: Vec<(i64, i64)>,
    no_wakes: Vec<i64>,
    pub(crate) tallies: Tallies,
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
    command_key: Vec<Option<Cow<'a, str>>>,
    body: Vec<Cow<'a, str>>,
}

impl<'a> Events<'a> {
    pub(crate) fn push(
        &mut self,
        n: i64,
        seq: i64,
        at: i64,
        command_key: Option<&'a str>,
        body: &'a str,
    ) {
        self.n.push(n);
        self.seq.push(seq);
        self.at.push(at);
        self.command_key.push(command_key.map(encode_text));
        self.body.push(encode_text(body));
    }
}

impl<'a> Writing<'a> {
    /// The writes of a batch of appends. `ids` has the ids of all its texts.
    pub(crate) fn of(batch: &'a Batch<'_>, ids: &mut Ids) -> Result<Writing<'a>, Error> {
        let mut writing = Writing::default();
        for (&id, game) in &batch.games {
            let last_seq = game.last_seq;
            match (game.row.as_deref(), &game.old) {
                (None, _) => {}
                (Some(Row::Whole(summary)), old) => {
                    let mut row = GameRow::new(ids, id, last_seq, hash_of(summary), summary)?;
                    match old {
                        None => writing.add(game.n, row),
                        Some(old) => {
                            row.follow(&old.facets, old.wake);
                            writing.wake(old, row.wake);
                            writing.tallies.remove(&old.facets);
                            writing.tallies.add(&row.facets);
                            writing.changed.push((game.n, row));
                        }
                    }
                }
                (Some(Row::Played(played)), old) => {
                    let old = old.as_ref().ok_or(Error::Damaged)?;
                    let wake = wake(old.wake, played.deadline);
                    let opening = played.opening.as_ref();
                    let opening = opening.map(|opening| ids.opening(opening)).transpose()?;
                    writing.wake(old, wake);
                    writing.added.push(AddedMoves { n: game.n, last_seq, wake, opening, played });
                }
            }
        }
        for event in &batch.events {
            let seq = event.seq.cast_signed();
            writing.events.push(event.n, seq, event.at, event.command_key, event.body);
        }
        for seat in &batch.seats {
            let row = (seat.holder.0.to_vec(), seat.at, seat.n, seat.side.number());
            writing.seats.push(row);
        }
        writing.used = batch.used.iter().map(|hash| &hash[..]).collect();
        writing.sought = batch.sought.iter().map(|game| game.as_str()).collect();
        Ok(writing)
    }

    /// Adds a new game.
    pub(crate) fn add(&mut self, n: i64, row: GameRow<'a>) {
        self.wakes.extend(row.wake.map(|wake| (n, wake)));
        self.tallies.add(&row.facets);
        self.new.push((n, row));
    }

    /// Changes when a game is checked again.
    fn wake(&mut self, old: &OldRow, wake: Option<i64>) {
        match wake {
            Some(wake) if old.wake != Some(wake) => self.wakes.push((old.n, wake)),
            None if old.wake.is_some() => self.no_wakes.push(old.n),
            Some(_) | None => {}
        }
    }

    /// The statements, without the commit.
    pub(crate) fn statements(&self) -> Vec<Statement<'_>> {
        let mut statements = Vec::new();
        if !self.new.is_empty() {
            statements.push(Statement::new(&INSERT_GAMES, rows(&self.new)));
        }
        if !self.changed.is_empty() {
            statements.push(Statement::new(&UPDATE_GAMES, rows(&self.changed)));
        }
        if !self.added.is_empty() {
            statements.push(Statement::new(PLAY, self.moves()));
        }
        if !self.events.n.is_empty() {
            let e = &self.events;
            let values = values![&e.n, &e.seq, &e.at, &e.command_key, &e.body];
            statements.push(Statement::new(INSERT_EVENTS, values));
        }
        if !self.seats.is_empty() {
            let holders: Vec<&[u8]> = self.seats.iter().map(|seat| &seat.0[..]).collect();
            let at = column(&self.seats, |seat| seat.1);
            let (game, side) =
                (column(&self.seats, |seat| seat.2), column(&self.seats, |seat| seat.3));
            statements.push(Statement::new(INSERT_SEATS, values![holders, at, game, side]));
        }
        if !self.used.is_empty() {
            statements.push(Statement::new(USE, values![&self.used]));
        }
        if !self.sought.is_empty() {
            statements.push(Statement::new(USE_SEEKS, values![&self.sought]));
        }
        if !self.wakes.is_empty() {
            let (games, wakes) =
                (column(&self.wakes, |wake| wake.0), column(&self.wakes, |wake| wake.1));
            statements.push(Statement::new(SET_WAKES, values![games, wakes]));
        }
        if !self.no_wakes.is_empty() {
            statements.push(Statement::new(DROP_WAKES, values![&self.no_wakes]));
        }
        statements.extend(pending(&self.tallies));
        statements
    }

    fn moves(&self) -> Vec<Value<'_>> {
        let rows = &self.added;
        let fen = |row: &AddedMoves<'_>| {
            (!row.played.moves.is_empty()).then(|| row.played.position.fen())
        };
        values![
            column(rows, |row| row.n),
            column(rows, |row| row.last_seq.cast_signed()),
            column(rows, |row| row.played.moves.len() as i64),
            column(rows, |row| row.opening),
            column(rows, |row| row.played.deadline),
            column(rows, |row| row.wake),
            column(rows, |row| row.played.moves.as_bytes()),
            column(rows, fen),
        ]
    }
}

/// The parameters of [`parameter_table`].
fn rows<'r>(rows: &'r [(i64, GameRow<'_>)]) -> Vec<Value<'r>> {
    let mut values = values![column(rows, |row| row.0)];
    values.extend(COLUMNS.iter().map(|of| -> Value<'r> {
        match of {
            Column::Number(_, of) => Box::new(column(rows, |row| of(&row.1))),
            Column::Text(_, of) => Box::new(column(rows, |row| of(&row.1).map(encode_text))),
            Column::Bytes(_, of) => Box::new(column(rows, |row| of(&row.1))),
        }
    }));
    values
}

/// One column of many rows.
fn column<'r, R, T>(rows: &'r [R], of: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

/// A statement that stores changes of the statistics, to be merged later.
pub(crate) fn pending(tallies: &Tallies) -> Option<Statement<'static>> {
    let counts = tallies
        .counts()
        .into_iter()
        .map(|((kind, value), [a, b, c, d])| (kind, value, [a, b, c, d, 0, 0, 0, 0]));
    let players = tallies.players().into_iter().map(|(id, by)| (PLAYER, id, by));
    let shown = tallies.public_players().into_iter().map(|(id, by)| (SHOWN, id, by));
    let rows: Vec<(i64, i64, [i64; 8])> = counts.chain(players).chain(shown).collect();
    if rows.is_empty() {
        return None;
    }
    let mut values = values![column(&rows, |row| row.0), column(&rows, |row| row.1)];
    for place in 0..8 {
        values.push(Box::new(column(&rows, |row| row.2[place])));
    }
    Some(Statement::new(INSERT_PENDING, values))
}
