//! Turns a filter into a statement that starts from the smallest index, for both databases.
//!
//! The counters of the statistics give the number of games that match each part of a filter, so the
//! choice needs no estimate: the smallest part drives, the others are checked row by row. An index
//! on `(column, at)` gives its games in the order of the list, so a page ends as soon as it is
//! full. Parts that match several values (a range of lengths, `B9`, a text) have no order: they
//! drive only when they match few games, else the list is walked by time until the page is full.

use std::marker::PhantomData;

use crate::dates::LogTime;
use crate::search_text::{EcoCode, SearchText, within};
use crate::tallies::{NONE, UNKNOWN, kind};
use crate::{Error, Filter, Holder, Order, Page, Score, Status, Visibility, names};

/// Tables whose texts can be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Texts {
    /// Names of players.
    Names,
    /// Occasions, reasons, time controls.
    Words,
    /// Notes of users; the ids are those of the games.
    Notes,
}

/// One arm of a `UNION`: what follows `FROM`, and a condition.
pub(crate) type Arm = (String, String);

/// A database that plans are made for: its counters, and its dialect of SQL.
pub(crate) trait Database {
    /// The expression for the number of plies of a game.
    const PLIES: &'static str;

    /// What follows `FROM` to read the games `g` whose row numbers come from another table, which
    /// is read first.
    fn games_of(table: &str, n: &str) -> String;
    /// A player's id and number of games.
    fn player(&self, name: &str) -> Result<Option<(i64, i64)>, Error>;
    /// The number of games of these players.
    fn games_of_players(&self, ids: &[i64]) -> Result<i64, Error>;
    /// The id of a reason.
    fn word(&self, text: &str) -> Result<Option<i64>, Error>;
    /// The number of games counted under some values of a kind, in these columns.
    fn counter_sum(&self, kind: i64, columns: &str, values: &str) -> Result<i64, Error>;
    /// The number of games with a seat of this holder, up to 50,000.
    fn seats_of(&self, holder: &[u8; 32]) -> Result<i64, Error>;
    /// The number of games with a tag, up to 50,000.
    fn games_with_tag(&self, tag: &str) -> Result<i64, Error>;
    /// The openings whose code begins with this text.
    fn openings_of(&self, code: &str) -> Result<Vec<i64>, Error>;
    /// The openings with this in their name.
    fn openings_named(&self, part: &str) -> Result<Vec<i64>, Error>;
    /// The ids of texts that contain this text, at most [`crate::search_text::MOST_IDS`]; `None` if
    /// there are more.
    fn find_ids(&self, text: &SearchText, texts: Texts) -> Result<Option<Vec<i64>>, Error>;

    /// The table of games, read by an index.
    fn games(index: &str) -> String;
    /// The games of some openings; for a single opening each arm is in the order of an index.
    fn with_opening(set: &str) -> Vec<Arm>;
    /// The games of a range of lengths.
    fn with_plies(range: &str) -> Vec<Arm>;
    /// A literal for bytes.
    fn bytes(bytes: &[u8]) -> String;
    /// A query for the ids of texts that match the parameter `:find`.
    fn search(text: &SearchText, texts: Texts) -> String;
    /// The value of the parameter `:find`.
    fn find(text: &SearchText) -> String;
    /// The query for a page of the games that the arms give.
    fn page(arms: &[String], sort: Sort, by: &str, limit: usize) -> String;
}

/// How a page is brought into order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// Each arm, read by its index, is already in the order of the list.
    Walk,
    /// Few games: all are read and sorted.
    Gather,
}

/// At most this many games are read and sorted for one page, which takes a few milliseconds.
const GATHER: i64 = 8_000;

/// Assumed number of unfinished games; no counter has it.
const OPEN: i64 = 1_000;

/// A query and its text parameters.
#[derive(Debug)]
pub(crate) struct Query {
    pub(crate) sql: String,
    pub(crate) texts: Vec<(&'static str, String)>,
}

/// A part of the filter that can drive the query.
struct Start {
    /// The number of games it gives.
    games: i64,
    /// True if it gives them in the order of the list.
    ordered: bool,
    /// Joined with `UNION ALL`.
    arms: Vec<Arm>,
    /// The columns that order the list.
    sort_key: SortKey,
}

/// The columns that order a list: time and row number.
#[derive(Clone, Copy)]
struct SortKey {
    at: &'static str,
    n: &'static str,
}

/// A game's own row.
const ROW: SortKey = SortKey { at: "g.at", n: "g.n" };
/// The copy in `seats`, whose index has the games of a holder in order.
const SEAT: SortKey = SortKey { at: "s.at", n: "s.game" };

impl Start {
    fn index<D: Database>(games: i64, index: &str, condition: &str) -> Start {
        let arms = vec![(D::games(index), condition.to_owned())];
        Start { games, ordered: true, arms, sort_key: ROW }
    }
}

/// A filter with names turned into ids.
pub(crate) struct Plan<D> {
    database: PhantomData<D>,
    conditions: Vec<String>,
    since: Option<LogTime>,
    until: Option<LogTime>,
    starts: Vec<Start>,
    texts: Vec<(&'static str, String)>,
}

impl<D: Database> Plan<D> {
    /// `None` if no game can match, for instance because no player has that name.
    pub(crate) fn new(database: &D, filter: &Filter) -> Result<Option<Plan<D>>, Error> {
        let mut plan = Plan {
            database: PhantomData,
            conditions: Vec::new(),
            since: filter.since,
            until: filter.until,
            starts: Vec::new(),
            texts: Vec::new(),
        };
        let possible = plan.people(database, filter)?
            && plan.reason(database, filter)?
            && plan.opening(database, filter)?
            && plan.kinds(database, filter)?;
        if !possible {
            return Ok(None);
        }
        plan.visibility(database, filter)?;
        plan.holder(database, filter)?;
        plan.tag(database, filter)?;
        plan.text(database, filter)?;
        Ok(Some(plan))
    }

    fn equal(&mut self, games: i64, index: &str, condition: String) {
        self.starts.push(Start::index::<D>(games, index, &condition));
        self.conditions.push(condition);
    }

    fn people(&mut self, database: &D, filter: &Filter) -> Result<bool, Error> {
        let colours =
            [(&filter.white, "games_white", "white"), (&filter.black, "games_black", "black")];
        for (name, index, column) in colours {
            let Some(name) = name else { continue };
            let Some((id, games)) = database.player(name)? else {
                return Ok(false);
            };
            self.equal(games, index, format!("g.{column} = {id}"));
        }
        if let Some(name) = &filter.player {
            let Some((id, games)) = database.player(name)? else {
                return Ok(false);
            };
            let arm = |index, condition| (D::games(index), condition);
            self.starts.push(Start {
                games,
                ordered: true,
                arms: vec![
                    arm("games_white", format!("g.white = {id}")),
                    arm("games_black", format!("g.black = {id} AND g.white <> {id}")),
                ],
                sort_key: ROW,
            });
            self.conditions.push(format!("(g.white = {id} OR g.black = {id})"));
        }
        Ok(true)
    }

    fn reason(&mut self, database: &D, filter: &Filter) -> Result<bool, Error> {
        let Some(reason) = &filter.reason else {
            return Ok(true);
        };
        let id = database.word(reason)?;
        let Some(id) = id else { return Ok(false) };
        // Result and reason are the only parts of a filter that usually exclude each other (a draw
        // is never a resignation), so one index has both, and each result is an arm of its own.
        let scores = filter.score.as_ref().map_or(Score::ALL, std::slice::from_ref);
        let mut games = 0;
        let mut arms = Vec::new();
        for score in scores {
            games += database.counter_sum(kind::REASON, column(*score), &format!("= {id}"))?;
            arms.push((
                D::games("games_reason"),
                format!("g.reason = {id} AND g.result = {}", score.number()),
            ));
        }
        self.starts.push(Start { games, ordered: true, arms, sort_key: ROW });
        self.conditions.push(format!("g.reason = {id}"));
        Ok(true)
    }

    fn opening(&mut self, database: &D, filter: &Filter) -> Result<bool, Error> {
        let Some(opening) = filter.opening.as_ref().filter(|text| !text.trim().is_empty()) else {
            return Ok(true);
        };
        let ids = match EcoCode::read(opening) {
            Some(code) => database.openings_of(code.text())?,
            None => database.openings_named(opening)?,
        };
        let set = within(&ids);
        let games = database.counter_sum(kind::OPENING, ANY, &set)?;
        let ordered = ids.len() == 1;
        self.starts.push(Start { games, ordered, arms: D::with_opening(&set), sort_key: ROW });
        self.conditions.push(format!("g.opening {set}"));
        Ok(!ids.is_empty())
    }

    fn kinds(&mut self, database: &D, filter: &Filter) -> Result<bool, Error> {
        if let Some(score) = filter.score {
            let games = database.counter_sum(kind::ALL, column(score), &format!("= {NONE}"))?;
            self.equal(games, "games_result", format!("g.result = {}", score.number()));
        }
        if let Some(source) = filter.source {
            let games =
                database.counter_sum(kind::SOURCE, ANY, &format!("= {}", source.number()))?;
            self.equal(games, "games_source", format!("g.source = {}", source.number()));
        }
        match filter.status {
            // Nearly all games: useless as a start.
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
            let games = database.counter_sum(kind::PLIES, ANY, &range)?;
            let condition = format!("{} {range}", D::PLIES);
            let arms = D::with_plies(&range);
            self.starts.push(Start { games: games + OPEN, ordered: false, arms, sort_key: ROW });
            self.conditions.push(condition);
        }
        Ok(true)
    }

    fn visibility(&mut self, database: &D, filter: &Filter) -> Result<(), Error> {
        let Some(number) = filter.visibility.map(Visibility::number) else { return Ok(()) };
        let games = database.counter_sum(kind::VISIBILITY, ANY, &format!("= {number}"))?;
        let condition = format!("g.visibility = {number}");
        self.equal(games, "games_visibility", condition.clone());
        // Public unfinished games have an index of their own; it is smaller than either part alone.
        if let Some(status) = filter.status.filter(|status| *status != Status::Finished) {
            let both = format!("{condition} AND {}", open(status));
            self.starts.push(Start::index::<D>(games.min(OPEN) - 1, "games_open", &both));
        }
        Ok(())
    }

    fn holder(&mut self, database: &D, filter: &Filter) -> Result<(), Error> {
        let Some(Holder(hash)) = filter.holder else { return Ok(()) };
        let games = database.seats_of(&hash)?;
        let holder = D::bytes(&hash);
        self.starts.push(Start {
            games,
            ordered: true,
            arms: vec![(D::games_of("seats s", "s.game"), format!("s.holder = {holder}"))],
            sort_key: SEAT,
        });
        self.conditions.push(format!(
            "EXISTS (SELECT 1 FROM seats WHERE holder = {holder} AND at = g.at AND game = g.n)"
        ));
        Ok(())
    }

    fn tag(&mut self, database: &D, filter: &Filter) -> Result<(), Error> {
        let Some(tag) = filter.tag.as_deref().map(names::fold) else {
            return Ok(());
        };
        let games = database.games_with_tag(&tag)?;
        self.texts.push((":tag", tag));
        let tagged = format!("SELECT game FROM tags WHERE tag = :tag{}", written_by::<D>(filter));
        // Two holders may have put the same tag on a game.
        let once = format!("(SELECT DISTINCT game FROM ({tagged}) AS every) AS t");
        self.starts.push(Start {
            games,
            ordered: false,
            arms: vec![(D::games_of(&once, "t.game"), "1".to_owned())],
            sort_key: ROW,
        });
        self.conditions.push(format!("g.n IN ({tagged})"));
        Ok(())
    }

    fn text(&mut self, database: &D, filter: &Filter) -> Result<(), Error> {
        let Some(text) = filter.text.as_ref().filter(|text| !text.trim().is_empty()) else {
            return Ok(());
        };
        let text = SearchText::new(text);
        let people = database.find_ids(&text, Texts::Names)?;
        let events = database.find_ids(&text, Texts::Words)?;
        let openings = match EcoCode::read(&text.folded).filter(EcoCode::is_whole) {
            Some(code) => database.openings_of(code.text())?,
            None => database.openings_named(&text.folded)?,
        };
        let written = written_by::<D>(filter);
        let notes = format!("{}{written}", D::search(&text, Texts::Notes));
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
            Some(ids) => database.games_of_players(ids)?,
            None => 0,
        };
        let all_people = D::search(&text, Texts::Names);
        add("white", &people, all_people.clone(), played);
        add("black", &people, all_people, 0);
        let held = match &events {
            Some(ids) => database.counter_sum(kind::EVENT, ANY, &within(ids))?,
            None => 0,
        };
        add("event", &events, D::search(&text, Texts::Words), held);
        let opened = database.counter_sum(kind::OPENING, ANY, &within(&openings))?;
        add("opening", &Some(openings), String::new(), opened);

        let tagged = format!("SELECT game FROM tags WHERE tag = :text{written}");
        let mut any: Vec<String> =
            sets.iter().map(|(column, set)| format!("g.{column} {set}")).collect();
        any.push(format!("g.n IN ({notes})"));
        any.push(format!("g.n IN ({tagged})"));
        if let Some(games) = games {
            let arms = sets.iter().flat_map(|(column, set)| match column.as_str() {
                "opening" => D::with_opening(set),
                _ => vec![(D::games(&format!("games_{column}")), format!("g.{column} {set}"))],
            });
            let mut union: Vec<String> = arms
                .map(|(from, condition)| format!("SELECT g.n FROM {from} WHERE {condition}"))
                .collect();
            union.extend([notes, tagged]);
            self.starts.push(Start {
                games,
                ordered: false,
                arms: vec![(
                    D::games_of(&format!("({}) AS found", union.join(" UNION ")), "found.n"),
                    "1".to_owned(),
                )],
                sort_key: ROW,
            });
        }
        self.conditions.push(format!("({})", any.join(" OR ")));
        self.texts.extend([(":find", D::find(&text)), (":text", text.folded)]);
        Ok(())
    }

    /// The rows of a page, as `(at, n)`.
    pub(crate) fn page(&self, page: &Page) -> Query {
        let (less, way) = match page.order {
            Order::Newest => ("<", "DESC"),
            Order::Oldest => (">", "ASC"),
        };
        let start = self.start(|start| start.ordered || start.games <= GATHER);
        let SortKey { at, n } = sort_key(start);
        let behind =
            page.after.map(|after| format!("({at}, {n}) {less} ({}, {})", after.at, after.n));
        let arms = self.arms(start, behind, &format!("{at} AS at, {n} AS n"));
        let limit = page.limit.min(Page::MOST) + 1;
        let sort = match start {
            Some(start) if !start.ordered || start.games <= GATHER => Sort::Gather,
            _ => Sort::Walk,
        };
        self.statement(D::page(&arms, sort, &format!("at {way}, n {way}"), limit))
    }

    /// The number of games.
    pub(crate) fn count(&self) -> Query {
        // A count needs no order: the smallest part drives, however large it is.
        let arms = self.arms(self.start(|_| true), None, "g.n AS n").join(" UNION ALL ");
        self.statement(format!("SELECT count(*) FROM ({arms}) AS found"))
    }

    fn statement(&self, sql: String) -> Query {
        // A parameter that this query does not use cannot be bound to it.
        let used = |text: &&(&'static str, String)| sql.contains(text.0);
        let texts = self.texts.iter().filter(used).cloned().collect();
        Query { sql, texts }
    }

    /// The smallest start that satisfies `will_do`.
    fn start(&self, will_do: impl Fn(&Start) -> bool) -> Option<&Start> {
        self.starts.iter().filter(|start| will_do(start)).min_by_key(|start| start.games)
    }

    fn arms(&self, start: Option<&Start>, behind: Option<String>, what: &str) -> Vec<String> {
        let in_order = vec![(D::games("games_at"), "1".to_owned())];
        let arms = start.map_or(&in_order, |start| &start.arms);
        let mut conditions = self.conditions.clone();
        let at = sort_key(start).at;
        conditions.extend(self.since.map(|since| format!("{at} >= {since}")));
        // Games without a date do not match an upper bound.
        conditions.extend(self.until.map(|until| format!("{at} > {UNKNOWN} AND {at} < {until}")));
        conditions.extend(behind);
        let arms = arms.iter().map(|(from, condition)| {
            let mut all = vec![condition.clone()];
            all.extend(conditions.iter().filter(|other| *other != condition).cloned());
            all.retain(|condition| condition != "1");
            let clause = if all.is_empty() { "" } else { " WHERE " };
            format!("SELECT {what} FROM {from}{clause}{}", all.join(" AND "))
        });
        arms.collect()
    }
}

/// Limits a query to the tags and notes that the viewer may read.
fn written_by<D: Database>(filter: &Filter) -> String {
    let holder = filter.viewer.reads();
    holder.map_or_else(String::new, |holder| format!(" AND holder = {}", D::bytes(holder)))
}

fn sort_key(start: Option<&Start>) -> SortKey {
    start.map_or(ROW, |start| start.sort_key)
}

/// The index of unfinished games is partial: its condition must be repeated, or it is not used.
fn open(status: Status) -> String {
    format!("g.status = {} AND g.status <> 1", status.number())
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

/// The sum of all columns of `counts`.
const ANY: &str = "white + draws + black + open";
