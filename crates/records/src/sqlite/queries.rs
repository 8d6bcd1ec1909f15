//! Turns a filter into a statement that starts from the smallest index.
//!
//! The counters of the statistics tell how many games each part of a filter lets through, so the
//! choice needs no guess: the smallest part drives, the others are checked row by row. An index on
//! `(what, at)` gives its games in the order of the list, so a page ends as soon as it is full.
//! Parts that match several values (a range of lengths, `B9`, a text) have no order: they drive
//! only when they match few games, else the list is walked by time until the page is full.

use rusqlite::{Connection, OptionalExtension};

use super::schema::{UNKNOWN, kind};
use super::tail::PLIES;
use super::typed::{Code, Text, openings, within};
use crate::dates::Millis;
use crate::{Error, Filter, Holder, Order, Page, Score, Status, Visibility, names};

/// So many games may be gathered and sorted for one page: a few milliseconds.
const GATHER: i64 = 8_000;

/// As many games as are thought not to be over: nobody counts them.
const OPEN: i64 = 1_000;

/// A statement and the texts it needs.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) sql: String,
    pub(crate) texts: Vec<(&'static str, String)>,
}

/// Something to start from.
struct Start {
    /// How many games it gives.
    games: i64,
    /// Whether it gives them in the order of the list.
    ordered: bool,
    /// What follows `FROM`, and a condition; several are put together.
    arms: Vec<(String, String)>,
    /// Where it has the place of a game in the list.
    place: Place,
}

/// The columns by which a list goes: time and number.
#[derive(Clone, Copy)]
struct Place {
    at: &'static str,
    n: &'static str,
}

/// A game's own row.
const ROW: Place = Place { at: "g.at", n: "g.n" };
/// The copy in `seats`, whose index has the games of a holder in order.
const SEAT: Place = Place { at: "s.at", n: "s.game" };

impl Start {
    fn index(games: i64, ordered: bool, index: &str, condition: &str) -> Start {
        Start {
            games,
            ordered,
            arms: vec![(format!("games g INDEXED BY {index}"), condition.to_owned())],
            place: ROW,
        }
    }
}

/// A filter with names turned into ids.
pub(crate) struct Plan {
    conditions: Vec<String>,
    since: Option<Millis>,
    until: Option<Millis>,
    starts: Vec<Start>,
    texts: Vec<(&'static str, String)>,
}

impl Plan {
    /// `None` when no game can pass, for instance because nobody has that name.
    pub(crate) fn new(connection: &Connection, filter: &Filter) -> Result<Option<Plan>, Error> {
        let mut plan = Plan {
            conditions: Vec::new(),
            since: filter.since,
            until: filter.until,
            starts: Vec::new(),
            texts: Vec::new(),
        };
        let possible = plan.people(connection, filter)?
            && plan.reason(connection, filter)?
            && plan.opening(connection, filter)?
            && plan.kinds(connection, filter)?;
        if !possible {
            return Ok(None);
        }
        plan.visibility(connection, filter)?;
        plan.holder(connection, filter)?;
        plan.tag(connection, filter)?;
        plan.text(connection, filter)?;
        Ok(Some(plan))
    }

    fn equal(&mut self, games: i64, index: &str, condition: String) {
        self.starts.push(Start::index(games, true, index, &condition));
        self.conditions.push(condition);
    }

    fn people(&mut self, connection: &Connection, filter: &Filter) -> Result<bool, Error> {
        let colours =
            [(&filter.white, "games_white", "white"), (&filter.black, "games_black", "black")];
        for (name, index, column) in colours {
            let Some(name) = name else { continue };
            let Some((id, games)) = player(connection, name)? else {
                return Ok(false);
            };
            self.equal(games, index, format!("g.{column} = {id}"));
        }
        if let Some(name) = &filter.player {
            let Some((id, games)) = player(connection, name)? else {
                return Ok(false);
            };
            let arm = |index, condition| (format!("games g INDEXED BY {index}"), condition);
            self.starts.push(Start {
                games,
                ordered: true,
                arms: vec![
                    arm("games_white", format!("g.white = {id}")),
                    arm("games_black", format!("g.black = {id} AND g.white <> {id}")),
                ],
                place: ROW,
            });
            self.conditions.push(format!("(g.white = {id} OR g.black = {id})"));
        }
        Ok(true)
    }

    fn reason(&mut self, connection: &Connection, filter: &Filter) -> Result<bool, Error> {
        let Some(reason) = &filter.reason else {
            return Ok(true);
        };
        let id: Option<i64> = connection
            .prepare_cached("SELECT id FROM words WHERE text = ?1")?
            .query_row([reason], |row| row.get(0))
            .optional()?;
        let Some(id) = id else { return Ok(false) };
        // Draws are never resignations: of all parts of a filter only these two exclude each other
        // as a rule, so their index has both, and each result is an arm of its own.
        let scores = filter.score.as_ref().map_or(Score::ALL, std::slice::from_ref);
        let mut games = 0;
        let mut arms = Vec::new();
        for score in scores {
            games += counted(connection, kind::REASON, column(*score), &format!("= {id}"))?;
            arms.push((
                "games g INDEXED BY games_reason".to_owned(),
                format!("g.reason = {id} AND g.result = {}", score.number()),
            ));
        }
        self.starts.push(Start { games, ordered: true, arms, place: ROW });
        self.conditions.push(format!("g.reason = {id}"));
        Ok(true)
    }

    fn opening(&mut self, connection: &Connection, filter: &Filter) -> Result<bool, Error> {
        let Some(opening) = filter.opening.as_ref().filter(|text| !text.trim().is_empty()) else {
            return Ok(true);
        };
        let ids = match Code::read(opening) {
            Some(code) => code.openings(connection)?,
            None => openings(connection, opening)?,
        };
        let games = counted(connection, kind::OPENING, ANY, &within(&ids))?;
        if let [id] = ids[..] {
            self.equal(games, "games_opening", format!("g.opening = {id}"));
        } else {
            let condition = format!("g.opening {}", within(&ids));
            let start = Start::index(games, false, "games_opening", &condition);
            self.starts.push(start);
            self.conditions.push(condition);
        }
        Ok(!ids.is_empty())
    }

    fn kinds(&mut self, connection: &Connection, filter: &Filter) -> Result<bool, Error> {
        if let Some(score) = filter.score {
            let all = format!("SELECT {} FROM counts WHERE kind = {}", column(score), kind::ALL);
            let games = connection
                .prepare_cached(&all)?
                .query_row([], |row| row.get(0))
                .optional()?
                .unwrap_or(0);
            self.equal(games, "games_result", format!("g.result = {}", score.number()));
        }
        if let Some(source) = filter.source {
            let games = counted(connection, kind::SOURCE, ANY, &format!("= {}", source.number()))?;
            self.equal(games, "games_source", format!("g.source = {}", source.number()));
        }
        match filter.status {
            // Nearly all games: nothing to start from.
            Some(Status::Finished) => self.conditions.push("g.status = 1".to_owned()),
            Some(status) => self.equal(OPEN, "games_status", open(status)),
            None => {}
        }
        if filter.shortest.is_some() || filter.longest.is_some() {
            let range = format!(
                "BETWEEN {} AND {}",
                filter.shortest.unwrap_or(0),
                filter.longest.unwrap_or(u32::MAX)
            );
            let games = counted(connection, kind::PLIES, ANY, &range)?;
            let condition = format!("{PLIES} {range}");
            // The index has only games that are over; of the others there are few.
            let arm = |index, condition| (format!("games g INDEXED BY {index}"), condition);
            let arms = vec![
                arm("games_plies", format!("g.plies {range} AND g.status = 1")),
                arm("games_status", format!("{condition} AND g.status <> 1")),
            ];
            self.starts.push(Start { games: games + OPEN, ordered: false, arms, place: ROW });
            self.conditions.push(condition);
        }
        Ok(true)
    }

    fn visibility(&mut self, connection: &Connection, filter: &Filter) -> Result<(), Error> {
        let Some(number) = filter.visibility.map(Visibility::number) else { return Ok(()) };
        let games = counted(connection, kind::VISIBILITY, ANY, &format!("= {number}"))?;
        let condition = format!("g.visibility = {number}");
        self.equal(games, "games_visibility", condition.clone());
        // Games to be watched stand in an index of their own, whatever else is played unseen; it
        // is better than either part alone.
        if let Some(status) = filter.status.filter(|status| *status != Status::Finished) {
            let both = format!("{condition} AND {}", open(status));
            self.starts.push(Start::index(games.min(OPEN) - 1, true, "games_open", &both));
        }
        Ok(())
    }

    fn holder(&mut self, connection: &Connection, filter: &Filter) -> Result<(), Error> {
        let Some(Holder(hash)) = filter.holder else { return Ok(()) };
        let games = connection
            .prepare_cached(
                "SELECT count(*) FROM (SELECT 1 FROM seats WHERE holder = ?1 LIMIT 50000)",
            )?
            .query_row([hash], |row| row.get(0))?;
        let holder: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        self.starts.push(Start {
            games,
            ordered: true,
            arms: vec![(
                "seats s CROSS JOIN games g ON g.n = s.game".to_owned(),
                format!("s.holder = x'{holder}'"),
            )],
            place: SEAT,
        });
        self.conditions.push(format!(
            "EXISTS (SELECT 1 FROM seats WHERE holder = x'{holder}' AND at = g.at AND game = g.n)"
        ));
        Ok(())
    }

    fn tag(&mut self, connection: &Connection, filter: &Filter) -> Result<(), Error> {
        let Some(tag) = filter.tag.as_deref().map(names::fold) else {
            return Ok(());
        };
        let games = connection
            .prepare_cached("SELECT count(*) FROM (SELECT 1 FROM tags WHERE tag = ?1 LIMIT 50000)")?
            .query_row([&tag], |row| row.get(0))?;
        self.texts.push((":tag", tag));
        self.starts.push(Start {
            games,
            ordered: false,
            arms: vec![(
                "tags t CROSS JOIN games g ON g.n = t.game".to_owned(),
                "t.tag = :tag".to_owned(),
            )],
            place: ROW,
        });
        let tagged = "g.n IN (SELECT game FROM tags WHERE tag = :tag)";
        self.conditions.push(tagged.to_owned());
        Ok(())
    }

    fn text(&mut self, connection: &Connection, filter: &Filter) -> Result<(), Error> {
        let Some(text) = filter.text.as_ref().filter(|text| !text.trim().is_empty()) else {
            return Ok(());
        };
        let text = Text::new(text);
        let people = text.ids(connection, "names", "folded")?;
        let events = text.ids(connection, "words", "text")?;
        let openings = match Code::read(&text.folded).filter(Code::is_whole) {
            Some(code) => code.openings(connection)?,
            None => openings(connection, &text.folded)?,
        };
        let notes = text.search("notes", "text", "game");
        let mut sets = Vec::new();
        let mut games = Some(0);
        let mut add = |column: &str, ids: &Option<Vec<i64>>, all: String, counted: i64| {
            match ids {
                Some(ids) => {
                    sets.push((column.to_owned(), within(ids)));
                    games = games.map(|games: i64| games.saturating_add(counted));
                }
                None => {
                    sets.push((column.to_owned(), format!("IN ({all})")));
                    games = None;
                }
            };
        };
        let played = match &people {
            Some(ids) => played(connection, ids)?,
            None => 0,
        };
        let all_people = text.search("names", "folded", "id");
        add("white", &people, all_people.clone(), played);
        add("black", &people, all_people, 0);
        let held = match &events {
            Some(ids) => counted(connection, kind::EVENT, ANY, &within(ids))?,
            None => 0,
        };
        add("event", &events, text.search("words", "text", "id"), held);
        let opened = counted(connection, kind::OPENING, ANY, &within(&openings))?;
        add("opening", &Some(openings), String::new(), opened);

        let tagged = "SELECT game FROM tags WHERE tag = :text";
        let mut any: Vec<String> =
            sets.iter().map(|(column, set)| format!("g.{column} {set}")).collect();
        any.push(format!("g.n IN ({notes})"));
        any.push(format!("g.n IN ({tagged})"));
        if let Some(games) = games {
            let mut union: Vec<String> = sets
                .iter()
                .map(|(column, set)| {
                    format!("SELECT n FROM games INDEXED BY games_{column} WHERE {column} {set}")
                })
                .collect();
            union.extend([notes, tagged.to_owned()]);
            self.starts.push(Start {
                games,
                ordered: false,
                arms: vec![(
                    format!(
                        "({}) AS found CROSS JOIN games g ON g.n = found.n",
                        union.join(" UNION ")
                    ),
                    "1".to_owned(),
                )],
                place: ROW,
            });
        }
        self.conditions.push(format!("({})", any.join(" OR ")));
        self.texts.extend([(":text", text.folded), (":find", text.find)]);
        Ok(())
    }

    /// The rows of a page, as `(at, n)`.
    pub(crate) fn page(&self, page: &Page) -> Statement {
        let (less, way) = match page.order {
            Order::Newest => ("<", "DESC"),
            Order::Oldest => (">", "ASC"),
        };
        let start = self.start(|start| start.ordered || start.games <= GATHER);
        let Place { at, n } = place(start);
        let behind =
            page.after.map(|after| format!("({at}, {n}) {less} ({}, {})", after.at, after.n));
        let arms = self.arms(start, behind, &format!("{at} AS at, {n} AS n"));
        let limit = page.limit.min(Page::MOST) + 1;
        self.statement(format!("{arms} ORDER BY at {way}, n {way} LIMIT {limit}"))
    }

    /// The number of games.
    pub(crate) fn count(&self) -> Statement {
        // Nothing has to be in order: the smallest part will do, however large.
        let arms = self.arms(self.start(|_| true), None, "g.n AS n");
        self.statement(format!("SELECT count(*) FROM ({arms})"))
    }

    fn statement(&self, sql: String) -> Statement {
        // A text that this statement does not use cannot be bound to it.
        let used = |text: &&(&'static str, String)| sql.contains(text.0);
        let texts = self.texts.iter().filter(used).cloned().collect();
        Statement { sql, texts }
    }

    /// The smallest of those that will do.
    fn start(&self, will_do: impl Fn(&Start) -> bool) -> Option<&Start> {
        self.starts.iter().filter(|start| will_do(start)).min_by_key(|start| start.games)
    }

    fn arms(&self, start: Option<&Start>, behind: Option<String>, what: &str) -> String {
        let in_order = vec![("games g INDEXED BY games_at".to_owned(), "1".to_owned())];
        let arms = start.map_or(&in_order, |start| &start.arms);
        let mut conditions = self.conditions.clone();
        let at = place(start).at;
        conditions.extend(self.since.map(|since| format!("{at} >= {since}")));
        // Games without a date are not before anything.
        conditions.extend(self.until.map(|until| format!("{at} > {UNKNOWN} AND {at} < {until}")));
        conditions.extend(behind);
        let arms = arms.iter().map(|(from, condition)| {
            let mut all = vec![condition.clone()];
            all.extend(conditions.iter().filter(|other| *other != condition).cloned());
            all.retain(|condition| condition != "1");
            let clause = if all.is_empty() { "" } else { " WHERE " };
            format!("SELECT {what} FROM {from}{clause}{}", all.join(" AND "))
        });
        arms.collect::<Vec<_>>().join(" UNION ALL ")
    }
}

fn place(start: Option<&Start>) -> Place {
    start.map_or(ROW, |start| start.place)
}

/// The index of such games leaves finished ones out, and must be told that this does so too.
fn open(status: Status) -> String {
    format!("g.status = {} AND g.status <> 1", status.number())
}

/// A player's id and number of games.
pub(crate) fn player(connection: &Connection, name: &str) -> Result<Option<(i64, i64)>, Error> {
    Ok(connection
        .prepare_cached("SELECT id, games FROM names WHERE folded = ?1")?
        .query_row([names::fold(name)], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?)
}

fn played(connection: &Connection, ids: &[i64]) -> Result<i64, Error> {
    let sql = format!("SELECT total(games) FROM names WHERE id {}", within(ids));
    Ok(connection.query_row(&sql, [], |row| row.get::<_, f64>(0))? as i64)
}

/// The column of `counts` for a result.
const fn column(score: Score) -> &'static str {
    match score {
        Score::White => "white",
        Score::Draw => "draws",
        Score::Black => "black",
        Score::Open => "open",
    }
}

/// All columns of `counts` together.
const ANY: &str = "white + draws + black + open";

fn counted(connection: &Connection, kind: i64, what: &str, values: &str) -> Result<i64, Error> {
    let sql = format!("SELECT total({what}) FROM counts WHERE kind = {kind} AND value {values}");
    Ok(connection.query_row(&sql, [], |row| row.get::<_, f64>(0))? as i64)
}
