//! The process that writes, and how it is started.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use hansu_chess::{Game, Variant};
use hansu_records::stats::Viewer;
use hansu_records::store::{Batch, Imported};
use hansu_records::{
    Append, Archive, Error, Filter, GameId, ImportOptions, Log, NewEvent, Once, Page, Played,
    Report, Row, Source, SqliteStore, Status, Summary, import_file,
};

/// The environment variable with the task of a child process.
pub(crate) const TASK: &str = "HANSU_DURABILITY_TASK";
const FILE: &str = "HANSU_DURABILITY_FILE";
const SEED: &str = "HANSU_DURABILITY_SEED";

/// A command that runs this program as a writer.
pub(crate) fn command(task: &str, file: &Path, seed: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    set(&mut command, task, file, seed);
    command
}

pub(crate) fn set(command: &mut Command, task: &str, file: &Path, seed: u64) {
    command
        .env(TASK, task)
        .env(FILE, file)
        .env(SEED, seed.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
}

/// Everything that a child has printed.
pub(crate) fn read_output(child: &mut Child) -> String {
    let mut text = String::new();
    let mut output = child.stdout.take().expect("a pipe");
    output.read_to_string(&mut text).expect("text");
    text
}

/// The events that a child acknowledged: game and event number.
pub(crate) fn read_acknowledged(text: &str) -> Vec<(GameId, u64)> {
    // A line that was cut off by a kill has no line end.
    let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    let acks = whole.filter_map(|line| line.strip_prefix("ack ")?.split_once(' '));
    acks.map(|(id, seq)| (id.parse().expect("an id"), seq.parse().expect("a number"))).collect()
}

/// One write, so that a line is printed completely or not at all.
fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("{line}\n").as_bytes()).expect("a listener");
    output.flush().expect("a listener");
}

pub(crate) fn run(task: &str) -> ExitCode {
    let file = std::env::var_os(FILE).expect("a file");
    let file = Path::new(&file);
    let seed = std::env::var(SEED).expect("a seed").parse().expect("a number");
    let done = match task {
        "play" => SqliteStore::open(file).and_then(|store| play(&store, seed, usize::MAX)),
        "share" => SqliteStore::open(file).and_then(|store| share(&store, seed)),
        "import" => {
            SqliteStore::open(file).and_then(|store| import(&store, &file.with_extension("pgn")))
        }
        "open" => SqliteStore::open(file).map(|_| ()),
        _ => Err(Error::NoSuchGame),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error {error:?}"));
            ExitCode::FAILURE
        }
    }
}

/// Some random numbers (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % sides.max(1)
    }
}

/// Three threads play random games; every move is an event, some are sent twice. Every second
/// process first continues games of a killed one.
fn play(store: &SqliteStore, seed: u64, plies: usize) -> Result<(), Error> {
    let live = Filter { status: Some(Status::Live), ..Filter::default() };
    let mut left = match seed % 2 {
        0 => store.list(&live, &Page { limit: 3, ..Page::default() })?.games,
        _ => Vec::new(),
    };
    let answers: Vec<Result<(), Error>> = std::thread::scope(|scope| {
        let players: Vec<_> = (0..3)
            .map(|thread| {
                let record = left.pop();
                let dice = Dice(seed * 10 + thread);
                scope.spawn(move || match record {
                    Some(record) => {
                        let row = &record.summary;
                        let start = row.start().expect("a start");
                        let game = row.moves.game(start, Variant::Standard).expect("legal moves");
                        going_on(store, dice, record.id, record.last_seq, game, row.clone(), plies)
                    }
                    None => new_game(store, dice, plies),
                })
            })
            .collect();
        players.into_iter().map(|player| player.join().expect("no panic")).collect()
    });
    answers.into_iter().collect()
}

fn new_game(store: &SqliteStore, dice: Dice, plies: usize) -> Result<(), Error> {
    let summary = Summary::new("Anna", "Ben", Source::Terminal);
    going_on(store, dice, GameId::random()?, 0, Game::start(), summary, plies)
}

fn going_on(
    store: &SqliteStore,
    mut dice: Dice,
    mut id: GameId,
    mut seq: u64,
    mut game: Game,
    mut summary: Summary,
    plies: usize,
) -> Result<(), Error> {
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let step = moves[dice.roll(moves.len() as u64) as usize];
        let step = game.play(step.from(), step.to(), step.promotion()).expect("a legal move");
        summary.follow(&game);
        if game.outcome().is_some() {
            summary.status = Status::Finished;
        }
        let append = Append {
            game: id,
            expected: seq + 1,
            command_key: Some(format!("move {}", seq + 1)),
            events: vec![NewEvent { at: 0, body: step.uci(Variant::Standard).to_string() }],
            row: if seq == 0 || game.outcome().is_some() {
                summary.clone().into()
            } else {
                Row::Played(Played::since(&game, game.moves().len() - 1, None))
            },
            begins: None,
            next: None,
        };
        seq = store.append(append.clone())?.seq;
        say(&format!("ack {id} {seq}"));
        if dice.roll(8) == 0 {
            let again = store.append(append)?;
            assert_eq!((again.seq, again.once), (seq, Once::Again), "a resend");
        }
        if game.outcome().is_some() {
            game = Game::start();
            summary = Summary::new("Anna", "Ben", Source::Terminal);
            (id, seq) = (GameId::random()?, 0);
        }
    }
    Ok(())
}

/// Writes its own games, one game that all processes write to, and imported games.
fn share(store: &SqliteStore, seed: u64) -> Result<(), Error> {
    let shared: GameId = "SharedGame00".parse().expect("an id");
    let mut last = 0;
    for number in 0..40 {
        play(store, seed * 2 + 1, 3)?;
        let append = |last: u64| Append {
            game: shared,
            expected: last + 1,
            command_key: Some(format!("{seed} {number}")),
            events: vec![NewEvent { at: 0, body: format!("{seed} {number}") }],
            row: Summary::new("All", "Together", Source::Online).into(),
            begins: None,
            next: None,
        };
        // Another process may win any number of times.
        last = loop {
            match store.append(append(last)) {
                Ok(answer) => break answer.seq,
                Err(Error::Conflict { last_seq }) => last = last_seq,
                Err(error) => return Err(error),
            }
        };
        say(&format!("ack {shared} {last}"));
        let mut summary = Summary::new("From", "File", Source::Import);
        summary.headers = vec![("Round".to_owned(), format!("{seed}.{number}"))];
        summary.status = Status::Finished;
        let game = Imported { id: None, summary, tags: vec![], note: None };
        store.import(Batch { games: vec![game], ..Batch::default() })?;
        store.list(&Filter::default(), &Page::default())?;
        store.totals(Viewer::Keeper)?;
    }
    Ok(())
}

fn import(store: &SqliteStore, file: &Path) -> Result<(), Error> {
    let options = ImportOptions { batch: 40, ..ImportOptions::default() };
    let progress = import_file(store, file, &options, &mut |report| {
        if let Report::Progress { progress, .. } = report {
            say(&format!("seen {} {}", progress.seen, progress.added));
        }
        std::ops::ControlFlow::Continue(())
    })?;
    say(&format!("finished {} {}", progress.added, progress.duplicates));
    Ok(())
}
