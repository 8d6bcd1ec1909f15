//! Measures how costs grow with the games in the log: ten thousand, a hundred thousand, a million,
//! in a file and in PostgreSQL.
//!
//! `cargo run --release -p hansu-records --example growth -- [LARGEST] [PICTURE.svg]` prints a table
//! and draws it. With a million it takes a quarter of an hour and four gigabytes in the folder for
//! temporary files.

mod parts;

use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hansu_chess::UciMove;
use hansu_ground::Postgres;
use hansu_records::stats::{Facet, Viewer};
use hansu_records::{
    Filter, ImportOptions, Page, PostgresStore, Score, SqliteStore, Status, Store, import_file,
};

use self::parts::{Dice, Outcome, appends, line, timed, write_games};

/// Concurrent callers while appends are measured.
const WAITING: usize = 64;

/// An operation, and its time at each size in milliseconds.
struct Row {
    name: &'static str,
    times: Vec<f64>,
}

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let largest: usize = arguments.next().map_or(Ok(1_000_000), |games| games.parse())?;
    let picture = arguments.next().map(PathBuf::from);
    let mut sizes = vec![10_000];
    while sizes.last().is_some_and(|last| last * 10 <= largest) {
        sizes.extend(sizes.last().map(|last| last * 10));
    }
    let folder = std::env::temp_dir().join(format!("hansu-growth-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let result = grow(&folder, &sizes, picture.as_deref());
    fs::remove_dir_all(&folder)?;
    result
}

fn grow(folder: &Path, sizes: &[usize], picture: Option<&Path>) -> Outcome {
    let server = Postgres::start()?;
    let file = folder.join("games.db");
    let stores: [(&str, Box<dyn Store>); 2] = [
        ("a file (SQLite)", Box::new(SqliteStore::open(&file)?)),
        ("PostgreSQL", Box::new(PostgresStore::open(&server.address())?)),
    ];
    let mut all = Vec::new();
    for (name, store) in &stores {
        let mut rows: Vec<Row> = Vec::new();
        let mut stored = 0;
        for &size in sizes {
            let pgn = folder.join("games.pgn");
            write_games(&pgn, stored..size)?;
            let start = Instant::now();
            let mut silent = |_: hansu_records::Report<'_>| ControlFlow::Continue(());
            import_file(&**store, &pgn, &ImportOptions::default(), &mut silent)?;
            let rate = (size - stored) as f64 / start.elapsed().as_secs_f64();
            eprintln!("{name}: {size} games, {rate:.0} taken in a second");
            stored = size;
            // The server's maintenance after this many inserts must not be measured.
            if *name == "PostgreSQL" {
                server.run("VACUUM ANALYZE")?;
                server.run("CHECKPOINT")?;
            }
            for (number, (name, time)) in ask(&**store)?.into_iter().enumerate() {
                if rows.len() <= number {
                    rows.push(Row { name, times: Vec::new() });
                }
                rows[number].times.push(time);
            }
        }
        table(name, sizes, &rows);
        all.push((*name, rows));
    }
    let bytes = server.run("SELECT pg_database_size(current_database())")?;
    println!("on the disk: a file {} bytes, PostgreSQL {bytes} bytes", file.metadata()?.len());
    if let Some(picture) = picture {
        fs::write(picture, draw(sizes, &all))?;
    }
    Ok(())
}

/// Runs every operation; returns the median time of several tries.
fn ask(store: &dyn Store) -> Result<Vec<(&'static str, f64)>, Box<dyn std::error::Error>> {
    let text = |text: &str| Some(text.to_owned());
    let plain = Filter::default();
    let (page, many) = (Page::default(), "player00000");
    let player = Filter { player: text(many), ..plain.clone() };
    let found = Filter { text: text("player0001"), ..plain.clone() };
    let draws = Filter { score: Some(Score::Draw), ..plain.clone() };
    let live = Filter { status: Some(Status::Live), ..plain.clone() };
    let list = |filter: &Filter| Ok(store.list(filter, &page)?.games.len());
    let mut rows = vec![
        ("list: the newest 50", timed(|| list(&plain))?.1),
        ("list: games under way", timed(|| list(&live))?.1),
        ("search: a player's newest 50", timed(|| list(&player))?.1),
        ("search: part of a name", timed(|| list(&found))?.1),
        ("count: draws", timed(|| Ok(store.count(&draws)? as usize))?.1),
        ("statistics: totals", timed(|| Ok(store.totals(Viewer::Keeper)?.games() as usize))?.1),
        (
            "statistics: months",
            timed(|| Ok(store.by(Viewer::Keeper, Facet::Month, None)?.len()))?.1,
        ),
        ("statistics: the 50 busiest", timed(|| Ok(store.players(Viewer::Keeper, 50)?.len()))?.1),
        (
            "statistics: one player",
            timed(|| Ok(usize::from(store.player(Viewer::Keeper, many)?.is_some())))?.1,
        ),
    ];
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let lines: Vec<Vec<UciMove>> = (0..WAITING).map(|_| line(&mut dice)).collect();
    let time = Duration::from_secs(4);
    let (alone, _) = appends(store, &lines[..1], 1, time)?;
    rows.push(("append: one waits", time.as_secs_f64() * 1e3 / alone.max(1) as f64));
    let (many, _) = appends(store, &lines, 1, time)?;
    rows.push(("append: each of 64", time.as_secs_f64() * 1e3 / many.max(1) as f64));
    Ok(rows)
}

fn table(name: &str, sizes: &[usize], rows: &[Row]) {
    println!("\n{name}, in milliseconds:\n");
    let heads: String =
        sizes.iter().fold(String::new(), |heads, size| heads + &format!(" {size} |"));
    println!("| games |{heads}\n|---|{}", "---|".repeat(sizes.len()));
    for row in rows {
        let times =
            row.times.iter().fold(String::new(), |text, time| text + &format!(" {time:.2} |"));
        println!("| {} |{times}", row.name);
    }
}

const PANEL: (f64, f64) = (330.0, 300.0);
const COLOURS: [&str; 11] = [
    "#1b4f72", "#2e86c1", "#117a65", "#27ae60", "#7d6608", "#b9770e", "#d35400", "#c0392b",
    "#8e44ad", "#515a5a", "#000000",
];
/// The decades that a picture shows, in milliseconds.
const DECADES: std::ops::RangeInclusive<i32> = -2..=3;

/// Both axes are logarithmic: constant cost is a horizontal line, linear cost a diagonal.
fn draw(sizes: &[usize], all: &[(&str, Vec<Row>)]) -> String {
    let width = 70.0 + all.len() as f64 * (PANEL.0 + 60.0) + 190.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        PANEL.1 + 80.0
    );
    let (low, high) = (f64::from(*DECADES.start()), f64::from(*DECADES.end()));
    let up = |time: f64| {
        let at = (time.max(1e-9).log10().clamp(low, high) - low) / (high - low);
        40.0 + PANEL.1 * (1.0 - at)
    };
    let across =
        |place: usize| PANEL.0 * place as f64 / sizes.len().saturating_sub(1).max(1) as f64;
    for (panel, (name, rows)) in all.iter().enumerate() {
        let left = 70.0 + panel as f64 * (PANEL.0 + 60.0);
        let (right, foot) = (left + PANEL.0, 40.0 + PANEL.1);
        let _ = writeln!(svg, "<text x=\"{left:.0}\" y=\"22\" font-size=\"13\">{name}</text>");
        for decade in DECADES {
            let y = up(10_f64.powi(decade));
            let _ = writeln!(
                svg,
                "<path d=\"M{left:.0} {y:.1}H{right:.0}\" stroke=\"#dde\"/>\
                 <text x=\"{:.0}\" y=\"{:.1}\" fill=\"#667\" text-anchor=\"end\">{} ms</text>",
                left - 6.0,
                y + 4.0,
                10_f64.powi(decade)
            );
        }
        for (place, size) in sizes.iter().enumerate() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.0}\" y=\"{:.0}\" fill=\"#667\" text-anchor=\"middle\">{size}</text>",
                left + across(place),
                foot + 18.0
            );
        }
        for (row, colour) in rows.iter().zip(COLOURS) {
            let points: Vec<String> = row
                .times
                .iter()
                .enumerate()
                .map(|(place, time)| format!("{:.1},{:.1}", left + across(place), up(*time)))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                points.join(" ")
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.0}\" fill=\"#667\" text-anchor=\"middle\">games in the log</text>",
            left + PANEL.0 / 2.0,
            foot + 34.0
        );
    }
    let left = width - 190.0;
    let names = all.first().map(|(_, rows)| rows.as_slice()).unwrap_or_default();
    for (number, (row, colour)) in names.iter().zip(COLOURS).enumerate() {
        let y = 52.0 + number as f64 * 20.0;
        let _ = writeln!(
            svg,
            "<path d=\"M{left:.0} {:.0}h18\" stroke=\"{colour}\" stroke-width=\"3\"/>\
             <text x=\"{:.0}\" y=\"{y:.0}\">{}</text>",
            y - 4.0,
            left + 24.0,
            row.name
        );
    }
    svg.push_str("</svg>\n");
    svg
}
