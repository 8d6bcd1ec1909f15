//! Measures the log on this machine: durable appends, import, memory, lists.
//!
//! `cargo run --release -p hansu-records --example figures -- [GAMES] [FOLDER]`; with 0 games only the
//! appends. `… figures -- postgres [ADDRESS]` measures appends to a PostgreSQL, one of its own unless
//! an address is given.

mod parts;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hansu_chess::UciMove;
use hansu_records::stats::{Facet, Viewer};
use hansu_records::{
    Archive, Error, Filter, Holder, ImportOptions, Order, Page, PostgresOptions, PostgresStore,
    Score, Source, SqliteStore, Status, Visibility, export, import_file,
};

use self::parts::{Dice, Outcome, appends, line, timed, write_games};

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.next_if(|first| first == "postgres").is_some() {
        return postgres(arguments.next());
    }
    let games = arguments.next().map_or(Ok(200_000), |games| games.parse())?;
    let folder = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("hansu-figures-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let result = measure(&folder, games);
    fs::remove_dir_all(&folder)?;
    result
}

fn measure(folder: &Path, games: usize) -> Outcome {
    let store = SqliteStore::open(&folder.join("appends.db"))?;
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let lines: Vec<Vec<UciMove>> = (0..64).map(|_| line(&mut dice)).collect();
    for (writers, each) in [(1, 1), (64, 1), (64, 80)] {
        let (seconds, used, sent) = (4.0, processor_time(), written_bytes());
        let time = Duration::from_secs_f64(seconds);
        let (appends, slowest) = appends(&store, &lines[..writers], each, time)?;
        println!(
            "durable moves, {writers:>2} writers with {each:>2} timed games each: {:>6.0} per second, \
             slowest {:.0} ms; each {:.0} µs of processor time, {:.1} KB written",
            appends as f64 / seconds,
            slowest.as_secs_f64() * 1e3,
            (processor_time() - used) * 1e6 / appends as f64,
            (written_bytes() - sent) as f64 / 1e3 / appends as f64,
        );
    }
    drop(store);
    if games == 0 {
        return Ok(());
    }

    let pgn = folder.join("games.pgn");
    write_games(&pgn, 0..games)?;
    let bytes = pgn.metadata()?.len();
    let before = peak_memory();
    let file = folder.join("games.db");
    let store = SqliteStore::open(&file)?;
    let (start, used) = (Instant::now(), processor_time());
    let mut silent = |_: hansu_records::Report<'_>| ControlFlow::Continue(());
    let progress = import_file(&store, &pgn, &ImportOptions::default(), &mut silent)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "import: {} games of {:.0} MB in {seconds:.1} s, {:.0} games per second; {} duplicates, {} broken",
        progress.added,
        bytes as f64 / 1e6,
        progress.added as f64 / seconds,
        progress.duplicates,
        progress.broken
    );
    println!("  processor time {:.1} s, of both threads together", processor_time() - used);
    println!("peak memory: {} MB (before the import {} MB)", peak_memory() / 1024, before / 1024);
    let start = Instant::now();
    let again = import_file(&store, &pgn, &ImportOptions::default(), &mut silent)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "import again: {} duplicates in {seconds:.1} s, {:.0} games per second",
        again.duplicates,
        again.seen as f64 / seconds
    );
    drop(store);
    println!("file: {:.0} MB", file.metadata()?.len() as f64 / 1e6);

    let store = SqliteStore::open(&file)?;
    lists(&store)?;
    statistics(&store)?;
    let start = Instant::now();
    let filter = Filter { opening: Some("A".to_owned()), ..Filter::default() };
    let written = export(&store, &filter, Order::Oldest, std::io::sink(), &mut |_| {})?;
    let rate = written as f64 / start.elapsed().as_secs_f64();
    println!("export: {written} games, {rate:.0} per second");
    Ok(())
}

/// Appends to a PostgreSQL over one, two and four connections, with more and more concurrent
/// callers.
fn postgres(address: Option<String>) -> Outcome {
    let server = if address.is_none() { Some(hansu_ground::Postgres::start()?) } else { None };
    let own = server.as_ref().map(hansu_ground::Postgres::address);
    let address = address.or(own).ok_or("no address")?;
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let lines: Vec<Vec<UciMove>> = (0..1_024).map(|_| line(&mut dice)).collect();
    for writers in [1, 2, 4] {
        let options = PostgresOptions { writers, ..PostgresOptions::default() };
        let store = PostgresStore::open_with(&address, options)?;
        for waiting in [1, 16, 64, 256, 1_024] {
            let (seconds, used) = (5.0, processor_time());
            let time = Duration::from_secs_f64(seconds);
            let (appends, slowest) = appends(&store, &lines[..waiting], 1, time)?;
            println!(
                "durable moves in PostgreSQL over {writers} connections, {waiting:>4} waiting: \
                 {:>6.0} per second, slowest {:.0} ms; each {:.0} µs of processor time here",
                appends as f64 / seconds,
                slowest.as_secs_f64() * 1e3,
                (processor_time() - used) * 1e6 / appends as f64,
            );
        }
        store.check()?;
    }
    Ok(())
}

/// Peak memory of this process in KiB, from the kernel.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// Processor time of this process in seconds, from the kernel (in hundredths).
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is the name, in brackets; user and system time are the 14th and 15th.
    let fields = stat.rsplit(')').next().unwrap_or_default().split(' ');
    fields.skip(12).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Bytes that this process has written, from the kernel.
fn written_bytes() -> u64 {
    let io = fs::read_to_string("/proc/self/io").unwrap_or_default();
    let sent = io.lines().find_map(|line| line.strip_prefix("wchar: "));
    sent.and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}

fn show(name: &str, work: impl FnMut() -> Result<usize, Error>) -> Result<(), Error> {
    let (first, middle, found) = timed(work)?;
    println!("  {name:<44} {found:>8} rows, first {first:>7.2} ms, middle {middle:>7.2} ms");
    Ok(())
}

fn lists(store: &SqliteStore) -> Outcome {
    let text = |text: &str| Some(text.to_owned());
    let plain = Filter::default();
    let year = 365 * 86_400_000_i64;
    let filters = [
        ("all", plain.clone()),
        ("player with many games", Filter { player: text("player00000"), ..plain.clone() }),
        ("player with few games", Filter { player: text("player19990"), ..plain.clone() }),
        ("draws", Filter { score: Some(Score::Draw), ..plain.clone() }),
        ("reason timeout", Filter { reason: text("timeout"), ..plain.clone() }),
        ("a year", Filter { since: Some(45 * year), until: Some(46 * year), ..plain.clone() }),
        ("opening A", Filter { opening: text("A"), ..plain.clone() }),
        ("opening B90", Filter { opening: text("B90"), ..plain.clone() }),
        ("opening by name", Filter { opening: text("dutch"), ..plain.clone() }),
        ("100 plies and more", Filter { shortest: Some(100), ..plain.clone() }),
        ("exactly 41 plies", Filter { shortest: Some(41), longest: Some(41), ..plain.clone() }),
        ("source terminal", Filter { source: Some(Source::Terminal), ..plain.clone() }),
        ("live", Filter { status: Some(Status::Live), ..plain.clone() }),
        ("public", Filter { visibility: Some(Visibility::Public), ..plain.clone() }),
        ("private", Filter { visibility: Some(Visibility::Private), ..plain.clone() }),
        (
            "live, to be watched",
            Filter {
                visibility: Some(Visibility::Public),
                status: Some(Status::Live),
                ..plain.clone()
            },
        ),
        ("nobody's seats", Filter { holder: Some(Holder([0; 32])), ..plain.clone() }),
        ("text player0001", Filter { text: text("player0001"), ..plain.clone() }),
        ("text r1", Filter { text: text("r1"), ..plain.clone() }),
        ("text nowhere", Filter { text: text("nowhere"), ..plain.clone() }),
        (
            "draws by timeout",
            Filter { score: Some(Score::Draw), reason: text("timeout"), ..plain.clone() },
        ),
        (
            "player, wins as White, opening A, long",
            Filter {
                white: text("player00000"),
                score: Some(Score::White),
                opening: text("A"),
                shortest: Some(80),
                ..plain.clone()
            },
        ),
        (
            "two who have not met",
            Filter { white: text("player19990"), black: text("player19991"), ..plain.clone() },
        ),
    ];
    println!("first pages of 50:");
    for (name, filter) in &filters {
        show(name, || Ok(store.list(filter, &Page::default())?.games.len()))?;
    }
    println!("counts:");
    for (name, filter) in &filters {
        show(name, || Ok(store.count(filter)? as usize))?;
    }
    let mut page = Page { limit: 1_000, ..Page::default() };
    for _ in 0..50 {
        page.after = store.list(&plain, &page)?.next.or(page.after);
    }
    page.limit = 50;
    show("page 1,000 of all", || Ok(store.list(&plain, &page)?.games.len()))?;
    Ok(())
}

fn statistics(store: &SqliteStore) -> Outcome {
    println!("statistics:");
    show("totals", || Ok(store.totals(Viewer::Keeper)?.games() as usize))?;
    show("by month", || Ok(store.by(Viewer::Keeper, Facet::Month, None)?.len()))?;
    show("by reason", || Ok(store.by(Viewer::Keeper, Facet::Reason, None)?.len()))?;
    show("by opening", || Ok(store.by(Viewer::Keeper, Facet::Opening, None)?.len()))?;
    show("players", || Ok(store.players(Viewer::Keeper, 50)?.len()))?;
    let most = store.players(Viewer::Keeper, 1)?.remove(0).name;
    show("one player", || {
        Ok(store.player(Viewer::Keeper, &most)?.map_or(0, |p| p.both().games() as usize))
    })?;
    show("one player by opening", || {
        Ok(store.by(Viewer::Keeper, Facet::Opening, Some(&most))?.len())
    })?;
    show("opponents", || Ok(store.opponents(Viewer::Keeper, &most, 50)?.len()))?;
    show("streaks", || Ok(store.streaks(Viewer::Keeper, &most)?.wins.games as usize))?;
    show("head to head", || {
        Ok(store.head_to_head(Viewer::Keeper, &most, "player00001")?.white.games() as usize)
    })?;
    Ok(())
}
