//! Shared by the examples: games to append and to import, and time measurement.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use hansu_chess::{Game, Position, UciMove, Variant};
use hansu_records::{Append, Error, GameId, NewEvent, Played, Row, Source, Store, Summary, dates};

pub(crate) type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A game that a writer plays.
struct Board {
    id: GameId,
    game: Game,
    summary: Summary,
}

impl Board {
    fn new(number: usize) -> Result<Board, Error> {
        let (white, black) = (format!("Anna {number}"), format!("Ben {number}"));
        let mut summary = Summary::new(&white, &black, Source::Online);
        summary.time_control = Some("300+3".to_owned());
        Ok(Board { id: GameId::random()?, game: Game::start(), summary })
    }

    /// The next move, which changes the deadline, as the server would write it.
    fn step(&mut self, step: &UciMove) -> Option<Append> {
        self.game.play(step.from, step.to, step.promotion).ok()?;
        let (seq, now) = (self.game.moves().len() as u64, dates::now());
        let row = if seq == 1 || self.game.outcome().is_some() {
            self.summary.follow(&self.game);
            self.summary.deadline = Some(now + 300_000);
            self.summary.clone().into()
        } else {
            let plies = self.game.moves().len() - 1;
            Row::Played(Played::since(&self.game, plies, Some(now + 300_000)))
        };
        let body = format!(
            r#"{{"v":1,"seq":{seq},"at":{now},"kind":"moved","uci":"{step}","received":{now},"clocks":{{"white":300000,"black":300000}}}}"#
        );
        Some(Append {
            game: self.id,
            expected: seq,
            command_key: Some(format!("{}-{seq}", self.id)),
            events: vec![NewEvent { at: now, body }],
            row,
            begins: None,
            next: None,
        })
    }
}

/// One writer thread for each line, which plays it repeatedly on `each` boards at once.
pub(crate) fn appends(
    store: &dyn Store,
    lines: &[Vec<UciMove>],
    each: usize,
    time: Duration,
) -> Result<(u64, Duration), Error> {
    let start = Instant::now();
    let write = |number: usize, line: &[UciMove]| -> Result<(u64, Duration), Error> {
        let (mut appends, mut slowest) = (0, Duration::ZERO);
        loop {
            let boards = (0..each).map(|_| Board::new(number));
            let mut boards: Vec<Board> = boards.collect::<Result<_, _>>()?;
            for step in line {
                for board in &mut boards {
                    if start.elapsed() >= time {
                        return Ok((appends, slowest));
                    }
                    let began = Instant::now();
                    let Some(append) = board.step(step) else { continue };
                    store.append(append)?;
                    appends += 1;
                    slowest = slowest.max(began.elapsed());
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let lines = lines.iter().enumerate();
        let threads: Vec<_> =
            lines.map(|(number, line)| scope.spawn(move || write(number, line))).collect();
        let mut sum = (0, Duration::ZERO);
        for thread in threads {
            let (appends, slowest) = thread.join().map_err(|_| Error::Closed)??;
            sum = (sum.0 + appends, sum.1.max(slowest));
        }
        Ok(sum)
    })
}

/// Small random numbers (xorshift64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

/// Random games of 40 to 120 plies between 20,000 players, with the tags of a large server.
pub(crate) fn write_games(file: &Path, games: std::ops::Range<usize>) -> Outcome {
    let mut out = BufWriter::new(File::create(file)?);
    let mut dice = Dice(0x2545_f491_4f6c_dd1d ^ games.start as u64);
    // Random play is slow to generate; a pool of lines, cut at random plies, is as good.
    let pool: Vec<Vec<String>> = (0..500).map(|_| sans(&line(&mut dice))).collect();
    let all = games.end.max(1);
    for number in games {
        let line = &pool[dice.roll(pool.len())];
        let plies = (40 + dice.roll(80)).min(line.len());
        let result = ["1-0", "0-1", "1/2-1/2"][dice.roll(3)];
        // The square of a random number: some players play much more than others.
        let player = |dice: &mut Dice| {
            let some = dice.roll(20_000);
            some * some / 20_000
        };
        let day = number * 3_650 / all;
        write!(
            out,
            "[Event \"Rated Blitz game\"]\n[Site \"https://example.org/{number:08x}\"]\n\
             [Date \"{:04}.{:02}.{:02}\"]\n[Round \"-\"]\n[White \"player{:05}\"]\n\
             [Black \"player{:05}\"]\n[Result \"{result}\"]\n[UTCTime \"{:02}:{:02}:{:02}\"]\n\
             [WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n[TimeControl \"{}+{}\"]\n\
             [Termination \"{}\"]\n\n",
            2013 + day / 365,
            1 + day / 31 % 12,
            1 + day % 28,
            player(&mut dice),
            player(&mut dice),
            number % 24,
            number % 60,
            number % 59,
            1000 + dice.roll(1500),
            1000 + dice.roll(1500),
            60 * (1 + dice.roll(10)),
            dice.roll(4),
            ["Normal", "Time forfeit"][dice.roll(2)],
        )?;
        for (ply, san) in line[..plies].iter().enumerate() {
            if ply % 2 == 0 {
                write!(out, "{}. ", ply / 2 + 1)?;
            }
            write!(out, "{san} ")?;
        }
        write!(out, "{result}\n\n")?;
    }
    Ok(out.flush()?)
}

pub(crate) fn line(dice: &mut Dice) -> Vec<UciMove> {
    loop {
        let mut game = Game::start();
        while game.moves().len() < 120 && game.outcome().is_none() {
            let moves = game.position().legal_moves();
            let step = moves[dice.roll(moves.len())];
            if game.play(step.from(), step.to(), step.promotion()).is_err() {
                break;
            }
        }
        if game.moves().len() == 120 {
            return game.moves().iter().map(|step| step.uci(Variant::Standard)).collect();
        }
    }
}

fn sans(line: &[UciMove]) -> Vec<String> {
    let mut position = Position::start();
    let mut sans = Vec::with_capacity(line.len());
    for step in line {
        let Ok(step) = step.to_move(&position) else { break };
        sans.push(position.san(step).to_string());
        position = position.play(step);
    }
    sans
}

/// The first and the median time of several tries in milliseconds, and the result of the last.
pub(crate) fn timed(
    mut work: impl FnMut() -> Result<usize, Error>,
) -> Result<(f64, f64, usize), Error> {
    let mut times = Vec::new();
    let mut found = 0;
    for _ in 0..7 {
        let start = Instant::now();
        found = work()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let first = times[0];
    times.sort_by(f64::total_cmp);
    Ok((first, times[times.len() / 2], found))
}
