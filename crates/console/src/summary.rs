//! The row of a game in the log, as the state of the game gives it.

use hansu_play::{Millis, Phase, Reason, State};
use hansu_records::{Score, Source, Status, Summary, dates};

/// What the log shall say of a game.
///
/// ```
/// use hansu_play::State;
/// use hansu_records::Status;
/// assert_eq!(hansu_console::summary(&State::default()).status, Status::Live);
/// ```
pub fn summary(state: &State) -> Summary {
    let (white, black, from) = match state.start() {
        Some(start) => (start.names.white.as_str(), start.names.black.as_str(), start.source),
        None => ("?", "?", hansu_play::Source::Terminal),
    };
    let mut row = Summary::new(white, black, source(from));
    row.follow(state.game());
    row.started = state.started_at().map(millis);
    row.deadline = state.deadline().map(|(_, at)| millis(at));
    row.status = match state.phase() {
        Phase::New | Phase::Playing => Status::Live,
        Phase::Adjourned => Status::Adjourned,
        Phase::Ended(ending) => {
            row.reason = Some(ending.reason.code().to_owned());
            row.ended = Some(millis(state.at()));
            if ending.reason == Reason::Abort {
                row.score = Score::Open;
                Status::Aborted
            } else {
                row.score = Score::of(ending.winner);
                Status::Finished
            }
        }
    };
    row
}

const fn source(source: hansu_play::Source) -> Source {
    match source {
        hansu_play::Source::Terminal => Source::Terminal,
        hansu_play::Source::Local => Source::Local,
        hansu_play::Source::Online => Source::Online,
        hansu_play::Source::Computer => Source::Computer,
        hansu_play::Source::Imported => Source::Import,
    }
}

/// The log counts in signed numbers, since files know games from before 1970.
pub(crate) fn millis(time: Millis) -> dates::Millis {
    i64::try_from(time.0).unwrap_or(i64::MAX)
}
