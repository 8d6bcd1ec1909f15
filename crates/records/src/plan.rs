//! Turns a filter into a statement that starts from the smallest index, in whatever database.
//!
//! The counters of the statistics tell how many games each part of a filter lets through, so the
//! choice needs no guess: the smallest part drives, the others are checked row by row. An index on
//! `(what, at)` gives its games in the order of the list, so a page ends as soon as it is full.
//! Parts that match several values (a range of lengths, `B9`, a text) have no order: they drive
//! only when they match few games, else the list is walked by time until the page is full.

use std::marker::PhantomData;

use crate::dates::Millis;
use crate::ledger::{NONE, UNKNOWN, kind};
use crate::typed::{Code, Text, within};
use crate::{Error, Filter, Holder, Order, Page, Score, Status, Visibility, names};

/// Tables whose texts can be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Texts {
    /// Names of players.
    Names,
    /// Occasions, reasons, time controls.
    Words,
    /// What users wrote about games; the ids are those of the games.
    Notes,
}

/// A place to start from: what follows `FROM`, and a condition.
pub(crate) type Arm = (String, String);

/// A database that plans are made for: what it knows, and how it wants to be asked.
pub(crate) trait Database {
    /// How long a game is.
    const PLIES: &'static str;

    /// The games `g` whose numbers another table gives, which is read first: what follows `FROM`.
    fn games_of(table: &str, n: &str) -> String;
    /// A player's id and number of games.
    fn player(&self, name: &str) -> Result<Option<(i64, i64)>, Error>;
    /// How many games these players have played.
    fn played(&self, ids: &[i64]) -> Result<i64, Error>;
    /// The id of a reason.
    fn word(&self, text: &str) -> Result<Option<i64>, Error>;
    /// How many games are counted under some values of a kind, in these columns.
    fn counted(&self, kind: i64, columns: &str, values: &str) -> Result<i64, Error>;
    /// How many games a holder sits at, up to some bound.
    fn seats_of(&self, holder: &[u8; 32]) -> Result<i64, Error>;
    /// How many games have a word on them, up to some bound.
    fn tagged(&self, tag: &str) -> Result<i64, Error>;
    /// The openings whose code begins so.
    fn openings_of(&self, code: &str) -> Result<Vec<i64>, Error>;
    /// The openings with this in their name.
    fn openings_named(&self, part: &str) -> Result<Vec<i64>, Error>;
    /// The ids of texts that have this in them, at most [`crate::typed::MOST_IDS`]; `None` when
    /// there are more.
    fn found(&self, text: &Text, texts: Texts) -> Result<Option<Vec<i64>>, Error>;

    /// The table of games, read by an index.
    fn games(index: &str) -> String;
    /// The games of some openings, each arm in the order of an index if it is one opening.
    fn with_opening(set: &str) -> Vec<Arm>;
    /// The games of a range of lengths.
    fn with_plies(range: &str) -> Vec<Arm>;
    /// Bytes in a statement.
    fn bytes(bytes: &[u8]) -> String;
    /// The ids of texts that have it in them, as `:find` says it.
    fn search(text: &Text, texts: Texts) -> String;
    /// What `:find` is.
    fn find(text: &Text) -> String;
    /// A page of what the arms give.
    fn page(arms: &[String], sort: Sort, by: &str, limit: usize) -> String;
}

/// How a page comes into its order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// Each arm is in the order of the list already, if it is read by its index.
    Walk,
    /// Few games: all are gathered and sorted.
    Gather,
}

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
    /// Several are put together.
    arms: Vec<Arm>,
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
    fn index<D: Database>(games: i64, index: &str, condition: &str) -> Start {
        let arms = vec![(D::games(index), condition.to_owned())];
        Start { games, ordered: true, arms, place: ROW }
    }
}

/// A filter with names turned into ids.
pub(crate) struct Plan<D> {
    database: PhantomData<D>,
    conditions: Vec<String>,
    since: Option<Millis>,
    until: Option<Millis>,
    starts: Vec<Start>,
    texts: Vec<(&'static str, String)>,
}

impl<D: Database> Plan<D> {
    /// `None` when no game can pass, for instance because nobody has that name.
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
                place: ROW,
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
        // Draws are never resignations: of all parts of a filter only these two exclude each other
        // as a rule, so their index has both, and each result is an arm of its own.
        let scores = filter.score.as_ref().map_or(Score::ALL, std::slice::from_ref);
        let mut games = 0;
        let mut arms = Vec::new();
        for score in scores {
            games += database.counted(kind::REASON, column(*score), &format!("= {id}"))?;
            arms.push((
                D::games("games_reason"),
                format!("g.reason = {id} AND g.result = {}", score.number()),
            ));
        }
        self.starts.push(Start { games, ordered: true, arms, place: ROW });
        self.conditions.push(format!("g.reason = {id}"));
        Ok(true)
    }

    fn opening(&mut self, database: &D, filter: &Filter) -> Result<bool, Error> {
        let Some(opening) = filter.opening.as_ref().filter(|text| !text.trim().is_empty()) else {
            return Ok(true);
        };
        let ids = match Code::read(opening) {
            Some(code) => database.openings_of(code.text())?,
            None => database.openings_named(opening)?,
        };
        let set = within(&ids);
        let games = database.counted(kind::OPENING, ANY, &set)?;
        let ordered = ids.len() == 1;
        self.starts.push(Start { games, ordered, arms: D::with_opening(&set), place: ROW });
        self.conditions.push(format!("g.opening {set}"));
        Ok(!ids.is_empty())
    }

    fn kinds(&mut self, database: &D, filter: &Filter) -> Result<bool, Error> {
        if let Some(score) = filter.score {
            let games = database.counted(kind::ALL, column(score), &format!("= {NONE}"))?;
            self.equal(games, "games_result", format!("g.result = {}", score.number()));
        }
        if let Some(source) = filter.source {
            let games = database.counted(kind::SOURCE, ANY, &format!("= {}", source.number()))?;
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
            let games = database.counted(kind::PLIES, ANY, &range)?;
            let condition = format!("{} {range}", D::PLIES);
            let arms = D::with_plies(&range);
            self.starts.push(Start { games: games + OPEN, ordered: false, arms, place: ROW });
            self.conditions.push(condition);
        }
        Ok(true)
    }

    fn visibility(&mut self, database: &D, filter: &Filter) -> Result<(), Error> {
        let Some(number) = filter.visibility.map(Visibility::number) else { return Ok(()) };
        let games = database.counted(kind::VISIBILITY, ANY, &format!("= {number}"))?;
        let condition = format!("g.visibility = {number}");
        self.equal(games, "games_visibility", condition.clone());
        // Games to be watched stand in an index of their own, whatever else is played unseen; it
        // is better than either part alone.
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
            place: SEAT,
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
        let games = database.tagged(&tag)?;
        self.texts.push((":tag", tag));
        let tagged = format!("SELECT game FROM tags WHERE tag = :tag{}", written_by::<D>(filter));
        // Two people may have put the same word on a game.
        let once = format!("(SELECT DISTINCT game FROM ({tagged}) AS every) AS t");
        self.starts.push(Start {
            games,
            ordered: false,
            arms: vec![(D::games_of(&once, "t.game"), "1".to_owned())],
            place: ROW,
        });
        self.conditions.push(format!("g.n IN ({tagged})"));
        Ok(())
    }

    fn text(&mut self, database: &D, filter: &Filter) -> Result<(), Error> {
        let Some(text) = filter.text.as_ref().filter(|text| !text.trim().is_empty()) else {
            return Ok(());
        };
        let text = Text::new(text);
        let people = database.found(&text, Texts::Names)?;
        let events = database.found(&text, Texts::Words)?;
        let openings = match Code::read(&text.folded).filter(Code::is_whole) {
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
            Some(ids) => database.played(ids)?,
            None => 0,
        };
        let all_people = D::search(&text, Texts::Names);
        add("white", &people, all_people.clone(), played);
        add("black", &people, all_people, 0);
        let held = match &events {
            Some(ids) => database.counted(kind::EVENT, ANY, &within(ids))?,
            None => 0,
        };
        add("event", &events, D::search(&text, Texts::Words), held);
        let opened = database.counted(kind::OPENING, ANY, &within(&openings))?;
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
                place: ROW,
            });
        }
        self.conditions.push(format!("({})", any.join(" OR ")));
        self.texts.extend([(":find", D::find(&text)), (":text", text.folded)]);
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
        let sort = match start {
            Some(start) if !start.ordered || start.games <= GATHER => Sort::Gather,
            _ => Sort::Walk,
        };
        self.statement(D::page(&arms, sort, &format!("at {way}, n {way}"), limit))
    }

    /// The number of games.
    pub(crate) fn count(&self) -> Statement {
        // Nothing has to be in order: the smallest part will do, however large.
        let arms = self.arms(self.start(|_| true), None, "g.n AS n").join(" UNION ALL ");
        self.statement(format!("SELECT count(*) FROM ({arms}) AS found"))
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

    fn arms(&self, start: Option<&Start>, behind: Option<String>, what: &str) -> Vec<String> {
        let in_order = vec![(D::games("games_at"), "1".to_owned())];
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
        arms.collect()
    }
}

/// Only words and notes that the viewer reads.
fn written_by<D: Database>(filter: &Filter) -> String {
    let holder = filter.viewer.reads();
    holder.map_or_else(String::new, |holder| format!(" AND holder = {}", D::bytes(holder)))
}

fn place(start: Option<&Start>) -> Place {
    start.map_or(ROW, |start| start.place)
}

/// The index of such games leaves finished ones out, and must be told that this does so too.
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

/// All columns of `counts` together.
const ANY: &str = "white + draws + black + open";
