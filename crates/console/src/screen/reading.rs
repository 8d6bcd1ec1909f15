//! What the screen asks of the log and of the disk: answered on a thread of its own, so that a long
//! list or a slow disk never holds up a key.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use hansu_chess::pgn::{self, GameResult};
use hansu_journal::{log_error, log_time};
use hansu_play::Millis;
use hansu_protocol::ServerMessage;
use hansu_records::dates::Day;
use hansu_records::{Error, Filter, GameId, Page, Record, Status, Store, to_pgn};
use hansu_words::{Lang, Screen};

use super::past;
use super::stats::Stats;

/// Games that are listed at once.
const MOST: usize = 500;

/// A question to the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogRequest {
    /// The newest games with a text in them.
    Games {
        /// Tells this question from older ones.
        number: u64,
        /// What is searched for; everything when empty.
        search: String,
    },
    /// What was counted.
    Stats {
        /// Tells this question from older ones.
        number: u64,
    },
    /// One game, to look at or to go on with.
    Open {
        /// Tells this question from older ones.
        number: u64,
        /// The game.
        id: GameId,
    },
    /// Write a game into a file that does not exist yet.
    Export {
        /// The game.
        game: Exported,
        /// The name of the file, from the current folder.
        file: String,
    },
}

/// A game to be written as PGN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exported {
    /// One of the log.
    Kept(GameId),
    /// One that is not in the log of this machine.
    Shown(Box<pgn::Record>),
}

/// An answer of the log.
#[derive(Clone, PartialEq, Debug)]
pub enum LogAnswer {
    /// To [`LogRequest::Games`].
    Games {
        /// The question's.
        number: u64,
        /// The games, or why they cannot be read.
        games: Result<Vec<Record>, String>,
    },
    /// To [`LogRequest::Stats`].
    Stats {
        /// The question's.
        number: u64,
        /// What was counted, or why it cannot be read.
        stats: Result<Box<Stats>, String>,
    },
    /// To [`LogRequest::Open`]: a game to go on with.
    GoOn {
        /// The question's.
        number: u64,
        /// The game.
        id: GameId,
    },
    /// To [`LogRequest::Open`]: a game to look at.
    Show {
        /// The question's.
        number: u64,
        /// The game.
        id: GameId,
        /// The game as a client is told of it, or why it cannot be read.
        messages: Result<Vec<ServerMessage>, String>,
    },
    /// To [`LogRequest::Export`]: the file that was written, or why there is none.
    Exported(Result<String, String>),
}

impl LogRequest {
    /// Reads the log, or writes the file. Without a log only what is shown can be written.
    pub fn answer(self, store: Option<&dyn Store>, lang: Lang, now: Millis) -> LogAnswer {
        let no_log = || lang.screen(Screen::NoLog).to_owned();
        let failed = |error: Error| log_error(error, lang);
        match self {
            LogRequest::Games { number, search } => {
                let games = store.ok_or_else(no_log).and_then(|store| {
                    let text = Some(search.trim().to_owned()).filter(|text| !text.is_empty());
                    let filter = Filter { text, ..Filter::default() };
                    let page = Page { limit: MOST, ..Page::default() };
                    Ok(store.list(&filter, &page).map_err(failed)?.games)
                });
                LogAnswer::Games { number, games }
            }
            LogRequest::Stats { number } => {
                let stats = store
                    .ok_or_else(no_log)
                    .and_then(|store| Stats::read(store).map(Box::new).map_err(failed));
                LogAnswer::Stats { number, stats }
            }
            LogRequest::Open { number, id } => match store {
                Some(store) if is_unfinished_here(store, id) => LogAnswer::GoOn { number, id },
                _ => {
                    let messages = store
                        .ok_or_else(no_log)
                        .and_then(|store| past::messages(store, id, lang, now));
                    LogAnswer::Show { number, id, messages }
                }
            },
            LogRequest::Export { game, file } => {
                let text = match game {
                    Exported::Kept(id) => store.ok_or_else(no_log).and_then(|store| {
                        let record = store.record(id).map_err(failed)?;
                        to_pgn(&record.ok_or_else(|| failed(Error::Damaged))?).map_err(failed)
                    }),
                    Exported::Shown(record) => Ok(record.to_string()),
                };
                LogAnswer::Exported(text.and_then(|text| write_new(&file, &text, lang)))
            }
        }
    }
}

/// Answers questions until the screen is gone. Of several lists that are asked for only the last
/// is read: a search is typed faster than a large log is searched.
pub(super) fn answer_all(
    requests: &Receiver<(LogRequest, Lang)>,
    store: Option<&dyn Store>,
    mut tell: impl FnMut(LogAnswer) -> bool,
) {
    while let Ok(first) = requests.recv() {
        let mut waiting = vec![first];
        waiting.extend(requests.try_iter());
        let is_list =
            |(request, _): &(LogRequest, Lang)| matches!(request, LogRequest::Games { .. });
        let last_list = waiting.iter().rposition(is_list);
        for (at, (request, lang)) in waiting.into_iter().enumerate() {
            let is_old = matches!(request, LogRequest::Games { .. }) && Some(at) != last_list;
            if !is_old && !tell(request.answer(store, lang, hansu_journal::now())) {
                return;
            }
        }
    }
}

/// Whether a game was left before its end at a screen of this machine; one at a server has seats.
fn is_unfinished_here(store: &dyn Store, id: GameId) -> bool {
    use hansu_records::Source;
    let is_here = |record: &Record| {
        record.summary.status == Status::Live
            && matches!(record.summary.source, Source::Terminal | Source::Computer)
    };
    matches!(store.record(id), Ok(Some(record)) if is_here(&record))
        && store.seats(id).is_ok_and(|seats| seats.is_empty())
}

/// Writes a file that must not exist yet, and returns its whole path. A name without an ending gets
/// `.pgn`.
fn write_new(name: &str, text: &str, lang: Lang) -> Result<String, String> {
    let mut path = PathBuf::from(name.trim());
    if path.extension().is_none() {
        path.set_extension("pgn");
    }
    let shown = std::path::absolute(&path).unwrap_or_else(|_| path.clone()).display().to_string();
    let written = create_new(&path, text);
    written.map(|()| lang.screen_exported(&shown)).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => lang.screen_exists(&shown),
        _ => lang.screen_not_exported(&shown, &error.to_string()),
    })
}

fn create_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // Half a game is worse than none, and the file was not there before.
        let _ = std::fs::remove_file(path);
    }
    written
}

/// A game that is not in the log, from what is known of it.
pub(super) fn shown_record(seen: &hansu_client::Seen, game: &hansu_chess::Game) -> pgn::Record {
    let mut record = pgn::Record {
        variant: game.variant(),
        start: game.positions()[0],
        result: match seen.ending.map(hansu_play::Ending::result) {
            Some("1-0") => GameResult::WhiteWins,
            Some("0-1") => GameResult::BlackWins,
            Some("1/2-1/2") => GameResult::Draw,
            _ => GameResult::Unknown,
        },
        ..pgn::Record::default()
    };
    record.main.plies = game.moves().iter().map(|&step| step.into()).collect();
    let date = seen.started.map(day);
    let names = &seen.start.names;
    let time = seen.start.time.pgn();
    let tags = [
        ("Date", date.as_deref()),
        ("White", Some(names.white.as_str())),
        ("Black", Some(names.black.as_str())),
    ];
    let tags = tags.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)));
    let times = time.iter().flat_map(|time| pgn::time_tags(time));
    for (name, value) in tags.chain(times).filter(|(_, value)| !value.is_empty()) {
        // A value that PGN cannot hold is left out.
        let _ = record.tags.set(name, value);
    }
    record
}

/// A day as PGN writes it.
pub(super) fn day(at: Millis) -> String {
    Day::of(log_time(at)).pgn()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_lists_only_the_last_is_read() {
        let (sender, requests) = std::sync::mpsc::channel();
        let list = |number| LogRequest::Games { number, search: String::new() };
        for request in [list(1), list(2), LogRequest::Stats { number: 3 }, list(4)] {
            sender.send((request, Lang::En)).expect("taken");
        }
        drop(sender);
        let mut answered = Vec::new();
        answer_all(&requests, None, |answer| {
            answered.push(match answer {
                LogAnswer::Games { number, .. } | LogAnswer::Stats { number, .. } => number,
                other => panic!("{other:?}"),
            });
            true
        });
        assert_eq!(answered, [3, 4]);
    }
}
