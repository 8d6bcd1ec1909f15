//! The tables in Markdown, for docs/scale.md.

use std::fmt::Write as _;

use crate::costs::{Costs, SOURCES};
use crate::people::{Crowd, Habits, PACES};
use crate::scenario::{Scenario, WHEN, before_and_after, until_back};
use crate::second::{Second, mean, most};
use crate::sizing::Sizing;
use crate::world::{Plan, RunStats};

/// A number with a comma at every thousand, and one decimal if it is below 9.95 and not whole.
pub fn number(value: f64) -> String {
    if value.abs() < 9.95 && value != value.round() {
        return format!("{value:.1}");
    }
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 && digits != "0" { format!("−{text}") } else { text }
}

fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

/// Seconds as milliseconds; a dash for 0, when there was nothing to measure.
fn millis(seconds: f64) -> String {
    if seconds == 0.0 { "–".to_owned() } else { format!("{} ms", number(seconds * 1e3)) }
}

fn megabytes(bytes: f64) -> String {
    format!("{} MB", number(bytes / 1e6))
}

/// A Markdown table.
fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// The table of figures and their sources.
pub fn costs(costs: &Costs) -> String {
    let mut costs = costs.clone();
    let rows: Vec<Vec<String>> = SOURCES
        .iter()
        .map(|source| {
            let value = costs.get_mut(source.name).map_or(0.0, |value| *value);
            vec![
                format!("`{}`", source.name),
                format!("{} {}", number(value), source.unit),
                source.provenance.to_string(),
                source.from.to_owned(),
            ]
        })
        .collect();
    table(&["figure", "value", "known", "what it is"], &rows)
}

/// The table of the crowd at the peak.
pub fn crowd(crowd: &Crowd, habits: &Habits) -> String {
    let playing = crowd.begin * crowd.lasts;
    let mut rows = vec![
        vec!["people connected".to_owned(), number(crowd.people)],
        vec!["moves a second".to_owned(), number(crowd.moves)],
        vec!["games being played with clocks".to_owned(), number(playing)],
        vec!["games that begin each second".to_owned(), number(crowd.begin)],
        vec![
            "a game lasts".to_owned(),
            format!("{} s, {} moves of either side", number(crowd.lasts), number(crowd.plies)),
        ],
        vec!["people who watch".to_owned(), number(crowd.watching)],
        vec![
            "people in the lobby".to_owned(),
            format!("{}, each for {} s", number(crowd.lobby), number(crowd.pause)),
        ],
        vec![
            "correspondence visits each second".to_owned(),
            format!("{} of {} s", number(crowd.visits), number(habits.visit)),
        ],
    ];
    for (pace, mix) in PACES.iter().zip(crowd.mix) {
        rows.push(vec![
            pace.name.to_owned(),
            format!(
                "{} of games begun, {} of games in play, {} s a move",
                percent(pace.share),
                percent(mix),
                number(pace.think * crowd.slow)
            ),
        ]);
    }
    table(&["at the peak", ""], &rows)
}

/// A row of the table of scenarios.
pub fn summary(scenario: Scenario, stats: &RunStats) -> Vec<String> {
    let (before, after) = before_and_after(stats);
    let after = if scenario == Scenario::Peak { before } else { after };
    let back = match until_back(stats, 0.99) {
        // In an upgrade it happens several times.
        _ if stats.lost == 0 || scenario == Scenario::Upgrade => "–".to_owned(),
        Some(seconds) => format!("{} s", number(seconds)),
        None => "not yet".to_owned(),
    };
    let absence = if stats.lost == 0 {
        "–".to_owned()
    } else {
        let share = |part| format!("{:.1} s", stats.absences.share(part));
        format!("{} / {}", share(0.5), share(0.99))
    };
    let spread = |part: fn(&Second) -> f64| {
        format!("{} / {}", percent(mean(after, part)), percent(most(after, part)))
    };
    vec![
        scenario.description().to_owned(),
        number(stats.lost as f64),
        absence,
        back,
        spread(|second| second.busiest),
        millis(most(after, |second| second.queue)),
        millis(most(after, |second| second.p99)),
        millis(most(after, |second| second.far_p99)),
        number(stats.flagged as f64),
    ]
}

/// The heads of [`summary`].
pub const SUMMARY: [&str; 9] = [
    "what happens",
    "lost their line",
    "away, median / p99",
    "99 % back after",
    "busiest node, mean / most",
    "longest queue of work",
    "move kept, worst second's p99",
    "… seen by the opponent",
    "games lost on time while away",
];

/// A row with the load of the database and of NATS.
pub fn load(scenario: Scenario, stats: &RunStats) -> Vec<String> {
    let (before, after) = before_and_after(stats);
    let after = if scenario == Scenario::Peak { before } else { after };
    let two = |part: fn(&Second) -> f64| {
        format!("{} / {}", number(mean(after, part)), number(most(after, part)))
    };
    let nodes = |second: &Second| second.nodes.max(1.0);
    let messages = most(after, |second| (second.nats_in + second.nats_out) / nodes(second));
    let bytes = most(after, |second| second.nats_bytes / nodes(second));
    vec![
        scenario.description().to_owned(),
        two(|second| second.appends),
        two(|second| second.commits),
        two(|second| second.pg_reads + second.pg_seeks),
        two(|second| second.pg_polled),
        format!("{:.1} / {:.1}", mean(after, |s| s.pg_cores), most(after, |s| s.pg_cores)),
        two(|second| second.nats_in),
        two(|second| second.nats_out),
        format!("{}, {}", number(messages), megabytes(bytes)),
        megabytes(most(after, |second| second.wire_bytes)),
    ]
}

/// The heads of [`load`].
pub const LOAD: [&str; 10] = [
    "mean / most of a second",
    "appends",
    "commits",
    "reads",
    "games asked for by polling",
    "database's cores",
    "messages into NATS",
    "out of NATS",
    "a node's most: messages, bytes",
    "to people, most",
];

/// The two tables of all scenarios.
pub fn scenarios(runs: &[(Scenario, RunStats)]) -> String {
    let rows: Vec<_> = runs.iter().map(|(scenario, stats)| summary(*scenario, stats)).collect();
    let loads: Vec<_> = runs.iter().map(|(scenario, stats)| load(*scenario, stats)).collect();
    format!("{}\n{}", table(&SUMMARY, &rows), table(&LOAD, &loads))
}

/// The seconds of a timeline, relative to [`WHEN`].
const MOMENTS: [f64; 16] =
    [-2.0, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 12.0, 14.0, 17.0, 21.0, 22.0, 25.0, 30.0, 40.0, 60.0];

/// The timeline of one run.
pub fn timeline(stats: &RunStats) -> String {
    let mut rows = Vec::new();
    for moment in MOMENTS {
        let found = stats.seconds.iter().find(|second| (second.at - WHEN - moment).abs() < 0.5);
        let Some(second) = found else { continue };
        rows.push(vec![
            format!("{} s", number(moment)),
            number(second.outside),
            number(second.greeted),
            number(second.turned_away),
            number(second.moves),
            number(second.refused),
            format!("{} / {}", percent(second.busy), percent(second.busiest)),
            millis(second.p99),
            millis(second.far_p99),
            format!("{:.1}", second.pg_cores),
            number(second.nats_out),
        ]);
    }
    let head = [
        "second",
        "without a line",
        "greeted",
        "turned away",
        "moves",
        "refused",
        "nodes busy, mean / most",
        "move kept p99",
        "seen p99",
        "database's cores",
        "out of NATS",
    ];
    table(&head, &rows)
}

/// The table of the peak with several numbers of nodes.
pub fn by_nodes(runs: &[(Plan, RunStats)]) -> String {
    let rows: Vec<_> = runs
        .iter()
        .map(|(plan, stats)| {
            let (calm, _) = before_and_after(stats);
            let of = |part: fn(&Second) -> f64| mean(calm, part);
            vec![
                plan.nodes.to_string(),
                number(of(|second| second.moves)),
                percent(of(|second| second.busy)),
                number(of(|second| second.most_sockets)),
                number(of(|second| second.most_tables)),
                format!("{} MB", number(of(|second| second.memory))),
                number(of(|second| second.commits)),
                format!(
                    "{:.2}",
                    of(|second| second.appends) / of(|second| second.commits).max(1.0)
                ),
                format!("{:.1}", of(|second| second.pg_cores)),
                number(of(|second| second.nats_out)),
                millis(stats.delays.share(0.5)),
                millis(stats.delays.share(0.99)),
                millis(stats.far.share(0.99)),
            ]
        })
        .collect();
    let head = [
        "nodes",
        "moves/s",
        "busy",
        "sockets each",
        "tables each",
        "memory each",
        "commits/s",
        "appends a commit",
        "database's cores",
        "out of NATS/s",
        "kept p50",
        "kept p99",
        "seen p99",
    ];
    table(&head, &rows)
}

/// The table of the required resources.
pub fn sizing(plan: &Plan, found: &Sizing) -> String {
    let row = |what: &str, much: String| vec![what.to_owned(), much];
    let rows = vec![
        row("cores of all nodes that work at the peak", format!("{:.1}", found.cores)),
        row(
            "nodes so that two zones carry all, at most 60 % busy",
            found.nodes_by_cores.to_string(),
        ),
        row("… with places for everybody (limit less a tenth)", found.nodes_by_sockets.to_string()),
        row("… without dropped reminders (queue to NATS)", found.nodes_by_tables.to_string()),
        row("memory of a node when a zone is gone", format!("{} MB", number(found.memory))),
        row("appends a second", number(found.appends)),
        row("commits a second", number(found.commits)),
        row(
            "… of what was measured as the limit of two cores",
            percent(found.commits / plan.costs.pg_commit_limit),
        ),
        row("the database's cores that work", format!("{:.1}", found.pg_cores)),
        row("connections to it", number(found.connections)),
        row("to people", format!("{}/s", megabytes(found.wire[0]))),
        row("… of which the lobby's list", percent(found.wire[1] / found.wire[0].max(1.0))),
        row("messages in and out of NATS", format!("{} a second", number(found.nats[0]))),
        row(
            "… of which reminders of who is at a table",
            percent(found.nats[1] / found.nats[0].max(1.0)),
        ),
        row("… of which changes of the lobby", percent(found.nats[2] / found.nats[0].max(1.0))),
        row("cores of NATS that work", format!("{:.1}", found.nats_cores)),
        row("the database's log (WAL) at the peak", format!("{}/s", megabytes(found.wal))),
        row("moves a day", format!("{} million", number(found.day[0] / 1e6))),
        row("games a day", format!("{:.1} million", found.day[1] / 1e6)),
        row("transactions a day", format!("{} million", number(found.day[2] / 1e6))),
        row("the database grows by, a day", format!("{} GB", number(found.grows[0] / 1e9))),
        row("… of which events", percent(found.events / found.grows[0].max(1.0))),
        row("… a year", format!("{} TB", number(found.grows[1] / 1e12))),
        row(
            "… a year, with the events of finished games folded into one row",
            format!("{:.1} TB", found.folded / 1e12),
        ),
        row(
            "until old rows must be frozen (200 million transactions)",
            format!("{:.1} h", found.freezing[0]),
        ),
        row("until it would stop if they were not", format!("{:.0} h", found.freezing[1])),
    ];
    table(&["needed", ""], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_can_be_read() {
        for (value, text) in [
            (0.0, "0"),
            (0.25, "0.2"),
            (3.0, "3"),
            (9.96, "10"),
            (12.4, "12"),
            (999.6, "1,000"),
            (16_000.0, "16,000"),
            (1_234_567.0, "1,234,567"),
            (-2.0, "−2"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
