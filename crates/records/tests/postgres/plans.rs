//! Query plans of the server: no statement may read all of a table that grows with history.
//!
//! The server logs the plan of every statement of the store, with its real values (`auto_explain`),
//! so that no statement is missed.

use hansu_chess::Game;
use hansu_ground::Postgres;
use hansu_records::conformance::grown::{HOLDER, fill, filters};
use hansu_records::stats::{Facet, Viewer};
use hansu_records::{
    Analyses, Append, Archive, Begins, Error, GameId, Holder, Invitation, Invitations,
    KeptAnalysis, Log, Once, Order, Page, Played, Row, Seat, Seek, Side, Uses,
};
use serde_json::Value;

use super::{append, given, open};

const GAMES: usize = 6_000;

/// Tables with a row for every game, event or player of a game.
const GROWING: [&str; 5] = ["games", "events", "seats", "invitations", "analyses"];
/// Indexes of unfinished games: there are few, so these may be read completely.
const FEW: [&str; 3] = ["games_unfinished", "games_status", "games_open"];
/// The most rows of growing tables that one statement during play may touch, whatever the size of
/// the log.
const IN_PLAY: u64 = 100;

/// A plan and its statement.
struct Plan {
    sql: String,
    root: Value,
}

/// A server that logs its plans.
struct Watched {
    server: Postgres,
    address: String,
    read: usize,
}

impl Watched {
    fn new() -> Watched {
        let server = Postgres::hasty().expect("a server");
        let settings = [
            "session_preload_libraries=auto_explain",
            "auto_explain.log_min_duration=0",
            "auto_explain.log_format=json",
            "auto_explain.log_analyze=on",
            "auto_explain.log_timing=off",
        ];
        let settings = settings.map(|setting| format!("%20-c%20{}", setting.replace('=', "%3D")));
        let address = format!("{}{}", server.fresh().expect("a place"), settings.concat());
        Watched { server, address, read: 0 }
    }

    /// The plans since the last call.
    fn plans(&mut self) -> Vec<Plan> {
        let log = self.server.log();
        let new = &log[self.read..];
        self.read = log.len();
        // A plan is the lines after this word, each starting with a tab.
        new.split("  plan:\n").skip(1).map(plan).collect()
    }

    fn schema(&self) -> &str {
        let name = self.address.split("search_path%3D").nth(1).expect("a name");
        name.split('%').next().expect("a name")
    }
}

fn plan(text: &str) -> Plan {
    let lines = text.lines().map_while(|line| line.strip_prefix('\t'));
    let json: Value = serde_json::from_str(&lines.collect::<Vec<_>>().join("\n")).expect("a plan");
    Plan {
        sql: json["Query Text"].as_str().expect("a statement").to_owned(),
        root: json["Plan"].clone(),
    }
}

fn text<'a>(node: &'a Value, key: &str) -> &'a str {
    node[key].as_str().unwrap_or_default()
}

/// Collects the nodes of a plan that read a growing table from end to end. `ends_early` is true if
/// a node above takes only the first rows.
fn scans(node: &Value, ends_early: bool, found: &mut Vec<String>) {
    let kind = text(node, "Node Type");
    let (table, index) = (text(node, "Relation Name"), text(node, "Index Name"));
    let of_growing = |name: &str| {
        GROWING
            .iter()
            .any(|table| name.strip_prefix(table).is_some_and(|rest| rest.starts_with('_')))
    };
    if kind == "Seq Scan" && GROWING.contains(&table) {
        found.push(format!("{kind} of {table}"));
    }
    let whole = node.get("Index Cond").is_none() && !ends_early && !FEW.contains(&index);
    if of_growing(index) && whole {
        found.push(format!("all of {index}"));
    }
    let ends_early = match kind {
        "Limit" => true,
        // These read all of their input before they return a row.
        "Sort" | "Aggregate" | "Hash" | "Materialize" | "WindowAgg" | "SetOp" => false,
        _ => ends_early && text(node, "Subplan Name").is_empty(),
    };
    for child in node["Plans"].as_array().into_iter().flatten() {
        scans(child, ends_early, found);
    }
}

/// The number of rows of growing tables that a plan has touched.
fn touched_rows(node: &Value) -> u64 {
    let number = |key: &str| node[key].as_u64().unwrap_or(0);
    let own = if GROWING.contains(&text(node, "Relation Name")) {
        let rows = number("Actual Rows")
            + number("Rows Removed by Filter")
            + number("Rows Removed by Index Recheck");
        rows * number("Actual Loops")
    } else {
        0
    };
    own + node["Plans"].as_array().into_iter().flatten().map(touched_rows).sum::<u64>()
}

/// Fails if any plan reads a growing table from end to end.
fn check(plans: &[Plan]) {
    // The migration may read whole tables, once.
    let asked = plans.iter().filter(|plan| !plan.sql.contains("CREATE TABLE"));
    let bad: Vec<String> = asked
        .filter_map(|Plan { sql, root }| {
            let mut found = Vec::new();
            scans(root, false, &mut found);
            (!found.is_empty()).then(|| format!("{found:?}\n{sql}\n{root:#}\n"))
        })
        .collect();
    assert!(bad.is_empty(), "{} of {}\n{}", bad.len(), plans.len(), bad.join("\n"));
}

fn invitation(number: u8) -> Invitation {
    Invitation {
        hash: [number; 32],
        game: GameId::random().expect("an id"),
        body: "{}".to_owned(),
        holder: Holder([2; 32]),
        made: 0,
        expires: 5_000,
        state: hansu_records::InvitationState::Open,
    }
}

#[test]
fn no_statement_reads_a_table_that_grows_from_end_to_end() {
    let mut watched = Watched::new();
    let store = open(&watched.address);
    fill(&store, GAMES);
    for number in 0..200 {
        let holder = Holder([100 + number / 4; 32]);
        let invitation = Invitation { holder, expires: 1 << 40, ..invitation(50 + number) };
        store.invite(invitation).expect("an invitation");
    }
    let schema = watched.schema().to_owned();
    for table in GROWING {
        watched.server.run(&format!("ANALYZE {schema}.{table}")).expect("numbers");
    }
    check(&watched.plans());

    // The statements of play, which must not depend on the size of the log.
    let game = GameId::random().expect("an id");
    let guest = invitation(1);
    store.invite(guest.clone()).expect("an invitation");
    let seats = vec![Seat { side: Side::White, holder: HOLDER }];
    let begins = Some(Begins { seats: seats.clone(), uses: Some(Uses::Invitation(guest.hash)) });
    store.append(Append { begins, ..append(guest.game, 1, "guest") }).expect("a game");
    let begins = Some(Begins { seats, uses: None });
    store.append(Append { begins, ..append(game, 1, "one") }).expect("a game");
    for seq in 2..=12 {
        let mut step = append(game, seq, &format!("event {seq}"));
        given(&mut step).deadline = Some(1_000 * seq as i64);
        if seq % 2 == 0 {
            let moves = Played::since(&Game::start(), 0, Some(1_000 * seq as i64));
            step.row = Row::Played(moves);
        }
        store.append(step.clone()).expect("an event");
        assert_eq!(store.append(step).map(|answer| answer.once), Ok(Once::Again));
        let late = Append { command_key: None, ..append(game, seq, "late") };
        assert_eq!(store.append(late), Err(Error::Conflict { last_seq: seq }));
    }
    store.events(game, 5, 100).expect("events");
    store.find_command(game, "event 7").expect("an answer");
    store.seats(game).expect("seats");
    store.record(game).expect("a log").expect("a game");
    store.find(&game.as_str()[..5], 10).expect("names");
    assert_eq!(store.overdue(1 << 30, 50).map(|due| due.len()), Ok(1));
    let waits = invitation(2);
    store.invite(waits.clone()).expect("an invitation");
    store.invitation(&waits.hash).expect("a log").expect("an invitation");
    store.invitation_of(waits.game).expect("a log").expect("an invitation");
    store.withdraw(waits.game).expect("withdrawn");
    store.invite(invitation(3)).expect("an invitation");
    let seek = Seek {
        game: GameId::random().expect("an id"),
        node: "n1".to_owned(),
        body: "{}".to_owned(),
        holder: Holder([3; 32]),
        made: 1,
    };
    store.seek(seek.clone()).expect("a seek");
    assert_eq!(store.seeks(10).as_deref(), Ok(&[seek.clone()][..]));
    store.cancel_seek(seek.game).expect("cancelled");
    assert_eq!(store.sweep_invitations(6_000), Ok(2));
    store.beat("node", 1).expect("a beat");
    store.last_beat().expect("a beat");
    store.tag(None, game, "good").expect("a word");
    store.note(None, game, "a note").expect("a note");
    store.untag(None, game, "good").expect("a word");
    let found = KeptAnalysis { nodes: 1, done: 1, total: 1, at: 1, body: "found".to_owned() };
    for game in [game, guest.game] {
        store.keep_analysis(game, found.clone()).expect("an analysis");
        assert_eq!(store.analysis(game), Ok(Some(found.clone())));
    }
    store.delete(guest.game).expect("deleted");
    let plans = watched.plans();
    assert!(plans.len() > 100, "{} statements", plans.len());
    check(&plans);
    for Plan { sql, root } in &plans {
        let touched = touched_rows(root);
        assert!(touched <= IN_PLAY, "{touched} rows\n{sql}\n{root:#}");
    }

    // Lists, searches and counts.
    for filter in filters() {
        for order in [Order::Newest, Order::Oldest] {
            for after in [None, "500_500".parse().ok()] {
                store.list(&filter, &Page { order, after, limit: 50 }).expect("a page");
            }
        }
        store.count(&filter).expect("a number");
    }
    check(&watched.plans());

    // Statistics.
    store.totals(Viewer::Keeper).expect("numbers");
    for facet in [Facet::Reason, Facet::Month, Facet::Opening, Facet::Source] {
        store.by(Viewer::Keeper, facet, None).expect("numbers");
        store.by(Viewer::Keeper, facet, Some("Anna 1")).expect("numbers");
    }
    store.player(Viewer::Keeper, "Anna 1").expect("a log").expect("a player");
    store.players(Viewer::Keeper, 20).expect("players");
    store.head_to_head(Viewer::Keeper, "Anna 1", "Ben 2").expect("numbers");
    store.opponents(Viewer::Keeper, "Anna 1", 10).expect("players");
    store.streaks(Viewer::Keeper, "Anna 1").expect("numbers");
    store.own(hansu_records::Holder([1; 32]), 10).expect("numbers");
    store.tags(Viewer::Keeper).expect("words");
    store.progress("a file").expect("a log");
    let plans = watched.plans();
    assert!(plans.len() > 20, "{} statements", plans.len());
    check(&plans);
    // The check itself must detect a scan, both a sequential one and one of a whole index.
    for (setting, seen) in [("on", "Seq Scan of games"), ("off", "all of games_")] {
        let sql = format!(
            "SET enable_seqscan = {setting}; SET enable_bitmapscan = off;
            SELECT n FROM games WHERE ended = 5 ORDER BY n"
        );
        watched.server.run_at(&watched.address, &sql).expect("a number");
        let plans = watched.plans();
        let plan = plans.iter().find(|plan| plan.sql.contains("ended = 5")).expect("a plan");
        let mut found = Vec::new();
        scans(&plan.root, false, &mut found);
        assert!(found.len() == 1 && found[0].starts_with(seen), "{found:?}");
        assert!(touched_rows(&plan.root) >= GAMES as u64);
    }
}
