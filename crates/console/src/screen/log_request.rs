//! The screen's requests to the log and the disk. They run on a thread of their own, so that a long
//! list or a slow disk never delays a key.

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

/// The most games in a list.
const MAX_GAMES: usize = 500;

/// A request to the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogRequest {
    /// The newest games that contain a text.
    Games {
        /// The number of the request.
        number: u64,
        /// The text; empty for all games.
        search: String,
    },
    /// The statistics.
    Stats {
        /// The number of the request.
        number: u64,
    },
    /// One game, to replay or resume.
    Open {
        /// The number of the request.
        number: u64,
        /// The id of the game.
        id: GameId,
    },
    /// Write a game to a file that does not exist yet.
    Export {
        /// The game.
        game: ExportSource,
        /// The path of the file.
        file: String,
    },
}

/// A game to export as PGN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExportSource {
    /// A game of the log.
    Kept(GameId),
    /// A game that is not in the log of this machine.
    Shown(Box<pgn::Record>),
}

/// An answer of the log.
#[derive(Clone, PartialEq, Debug)]
pub enum LogAnswer {
    /// To [`LogRequest::Games`].
    Games {
        /// The number of the request.
        number: u64,
        /// The games, or the message why they cannot be read.
        games: Result<Vec<Record>, String>,
    },
    /// To [`LogRequest::Stats`].
    Stats {
        /// The number of the request.
        number: u64,
        /// The statistics, or the message why they cannot be read.
        stats: Result<Box<Stats>, String>,
    },
    /// To [`LogRequest::Open`]: a game to resume.
    GoOn {
        /// The number of the request.
        number: u64,
        /// The id of the game.
        id: GameId,
    },
    /// To [`LogRequest::Open`]: a game to replay.
    Show {
        /// The number of the request.
        number: u64,
        /// The id of the game.
        id: GameId,
        /// The messages that describe the game, or the message why it cannot be read.
        messages: Result<Vec<ServerMessage>, String>,
    },
    /// To [`LogRequest::Export`]: a sentence that names the file, or that says why there is none.
    Exported(Result<String, String>),
}

impl LogRequest {
    /// Reads the log, or writes the file. Without a log only [`ExportSource::Shown`] can be written.
    pub fn answer(self, store: Option<&dyn Store>, lang: Lang, now: Millis) -> LogAnswer {
        let no_log = || lang.screen(Screen::NoLog).to_owned();
        let failed = |error: Error| log_error(error, lang);
        match self {
            LogRequest::Games { number, search } => {
                let games = store.ok_or_else(no_log).and_then(|store| {
                    let text = Some(search.trim().to_owned()).filter(|text| !text.is_empty());
                    let filter = Filter { text, ..Filter::default() };
                    let page = Page { limit: MAX_GAMES, ..Page::default() };
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
                        .and_then(|store| past::game_messages(store, id, lang, now));
                    LogAnswer::Show { number, id, messages }
                }
            },
            LogRequest::Export { game, file } => {
                let text = match game {
                    ExportSource::Kept(id) => store.ok_or_else(no_log).and_then(|store| {
                        let record = store.record(id).map_err(failed)?;
                        to_pgn(&record.ok_or_else(|| failed(Error::Damaged))?).map_err(failed)
                    }),
                    ExportSource::Shown(record) => Ok(record.to_string()),
                };
                LogAnswer::Exported(text.and_then(|text| write_new(&file, &text, lang)))
            }
        }
    }
}

/// Answers requests until the screen is gone. Of several waiting requests for lists only the last is
/// answered: a search is typed faster than a large log is searched.
pub(super) fn answer_all(
    requests: &Receiver<(LogRequest, Lang)>,
    store: Option<&dyn Store>,
    mut send: impl FnMut(LogAnswer) -> bool,
) {
    while let Ok(first) = requests.recv() {
        let mut waiting = vec![first];
        waiting.extend(requests.try_iter());
        let is_list =
            |(request, _): &(LogRequest, Lang)| matches!(request, LogRequest::Games { .. });
        let last_list = waiting.iter().rposition(is_list);
        for (at, (request, lang)) in waiting.into_iter().enumerate() {
            let is_old = matches!(request, LogRequest::Games { .. }) && Some(at) != last_list;
            if !is_old && !send(request.answer(store, lang, hansu_journal::now())) {
                return;
            }
        }
    }
}

/// Returns true if a game of this machine is unfinished. A game on a server has seats.
fn is_unfinished_here(store: &dyn Store, id: GameId) -> bool {
    use hansu_records::Source;
    let is_here = |record: &Record| {
        record.summary.status == Status::Live
            && matches!(record.summary.source, Source::Terminal | Source::Computer)
    };
    matches!(store.record(id), Ok(Some(record)) if is_here(&record))
        && store.seats(id).is_ok_and(|seats| seats.is_empty())
}

/// Writes a file that must not exist yet, and returns the sentence to show. A name without an
/// extension gets `.pgn`.
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
        // Remove the partly written file, which this function has created.
        let _ = std::fs::remove_file(path);
    }
    written
}

/// The PGN record of a game that is not in the log, from the view.
pub(super) fn record_from_view(
    seen: &hansu_client::GameView,
    game: &hansu_chess::Game,
) -> pgn::Record {
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
    let date = seen.started.map(pgn_date);
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
        // A value that PGN does not allow is left out.
        let _ = record.tags.set(name, value);
    }
    record
}

/// A date in PGN's format.
pub(super) fn pgn_date(at: Millis) -> String {
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
