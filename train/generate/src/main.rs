//! `hansu-generate`: games of the engine against itself, training records out of them, and matches.

mod arena;
mod arguments;
mod games;
mod ladder;
mod race;
mod self_play;
mod unpack;

use std::process::ExitCode;

use arguments::Arguments;

const USAGE: &str = "\
hansu-generate play --out FILE [--threads N] [--seconds S] [--games N] [--seed N] [--nodes N]
                    [--net hand|own|FILE]
    Plays games against itself and appends them to FILE.
hansu-generate unpack --out FILE GAMES...
    Turns games into records of 36 bytes for the trainer.
hansu-generate count GAMES...
    How many games and positions there are.
hansu-generate arena A B [--games N] [--nodes N | --time S+I] [--threads N] [--seed N]
                     [--sprt ELO0,ELO1] [--review NODES]
    As `hansu arena`, whose help describes the players, with statistics of mistakes. With --review,
    each position is looked at again with that many nodes: accuracy of the levels by phase, while
    games are open.
hansu-generate ladder [PLAYER…] [--from LEVEL] [--to LEVEL] [--games N] [--threads N] [--seed N]
                      [--review NODES]
    Each level (or player) against the next, and how often they give pieces away and miss mates in
    one.
hansu-generate race CMD CMD [--depth N] [--rounds N]
    Two UCI engines (cmd:… as above) search the bench's positions to a depth in turn: time and nodes.";

/// A command, and the names of its options.
type Command = (fn(&Arguments) -> Result<(), String>, &'static [&'static str]);

fn command(name: &str) -> Option<Command> {
    Some(match name {
        "play" => (self_play::run, &["out", "threads", "seconds", "games", "seed", "nodes", "net"]),
        "unpack" => (unpack::run, &["out"]),
        "count" => (unpack::count, &[]),
        "arena" => (arena::run, &["games", "nodes", "time", "threads", "seed", "sprt", "review"]),
        "ladder" => {
            (ladder::run, &["from", "to", "games", "nodes", "time", "threads", "seed", "review"])
        }
        "race" => (race::run, &["depth", "rounds"]),
        _ => return None,
    })
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--help" || word == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let done = match words.split_first().and_then(|(name, rest)| Some((command(name)?, rest))) {
        Some(((run, options), rest)) => {
            Arguments::parse(rest, options).and_then(|arguments| run(&arguments))
        }
        None => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
