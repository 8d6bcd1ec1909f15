//! Matches with statistics of the players' mistakes; the match itself is `hansu-arena`'s.

use std::cell::RefCell;
use std::time::Instant;

use hansu_arena::{Pace, PlayedGame, Series, Sprt, Tally, Verdict};
use hansu_engine::{Engine, Settings, Signals};

use crate::arguments::{Arguments, player_error};
use crate::ladder;

thread_local! {
    /// The engine that looks at games again; made when first needed.
    static JUDGE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let [a, b] = &arguments.plain[..] else {
        return Err("arena A B".to_owned());
    };
    play_match(a, b, arguments)?;
    ladder::print_stats();
    Ok(())
}

pub(crate) fn play_match(a: &str, b: &str, arguments: &Arguments) -> Result<(), String> {
    let pace = match arguments.text("time") {
        Some(text) => text.parse().map_err(|()| format!("--time {text}: not a time"))?,
        None => Pace::Nodes(arguments.number("nodes", 5_000)?),
    };
    let test = arguments.text("sprt").map(|text| {
        text.parse::<Sprt>().map_err(|()| format!("--sprt {text}: not two bounds, as 0,5"))
    });
    let series = Series {
        players: [a, b],
        pace,
        games: arguments.number("games", 1000)?,
        threads: arguments.threads()?,
        seed: arguments.number("seed", 1)?,
        test: test.transpose()?,
    };
    let review: u64 = arguments.number("review", 0)?;
    let every = if matches!(pace, Pace::Nodes(_)) { 20 } else { 5 };
    let begin = Instant::now();
    let seen = |games: &[PlayedGame<'_>; 2], tally: &Tally| {
        for game in games {
            ladder::add_game([a, b], game);
            if review > 0 {
                JUDGE.with_borrow_mut(|judge| {
                    let settings = || Settings { megabytes: 4, ..Settings::default() };
                    let judge = judge.get_or_insert_with(|| Engine::new(settings()));
                    ladder::add_review([a, b], game, judge, review);
                });
            }
        }
        if tally.pairs.count().is_multiple_of(every) {
            print_tally(&series, tally, begin);
        }
    };
    let tally = series.run(&Signals::default(), &seen).map_err(|error| player_error(&error))?;
    print_tally(&series, &tally, begin);
    for (player, fault) in &tally.faults {
        println!("{} lost by {fault:?}", series.players[*player]);
    }
    Ok(())
}

fn print_tally(series: &Series<'_>, tally: &Tally, begin: Instant) {
    let elo = tally
        .pairs
        .elo()
        .map_or_else(|| "unknown".to_owned(), |(elo, error)| format!("{elo:.1} ± {error:.1}"));
    let test = series.test.map_or_else(String::new, |test| {
        let [low, high] = test.bounds();
        let verdict = match test.verdict(&tally.pairs) {
            Some(Verdict::Accepted) => " accepted",
            Some(Verdict::Rejected) => " rejected",
            None => "",
        };
        format!(", LLR {:.2} [{low}, {high}]{verdict}", test.ratio(&tally.pairs))
    });
    let [wins, draws, losses] = tally.results;
    println!(
        "{:.0} s: +{wins} ={draws} -{losses}, pairs {:?}, Elo {elo}{test}, faults {}",
        begin.elapsed().as_secs_f64(),
        tally.pairs.0,
        tally.faults.len()
    );
}
