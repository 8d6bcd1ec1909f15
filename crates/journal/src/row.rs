//! The row of a game in the log, as the state of the game gives it.

use hansu_play::{Phase, Reason, State};
use hansu_records::{Score, Source, Status, Summary, Visibility};

use crate::log_time;

/// What the log shall say of a game.
///
/// ```
/// use hansu_play::State;
/// use hansu_records::{Status, Visibility};
/// let row = hansu_journal::summary(&State::default(), Visibility::Private);
/// assert_eq!((row.status, row.visibility), (Status::Live, Visibility::Private));
/// ```
pub fn summary(state: &State, visibility: Visibility) -> Summary {
    let (white, black, from) = match state.start() {
        Some(start) => (start.names.white.as_str(), start.names.black.as_str(), start.source),
        None => ("?", "?", hansu_play::Source::Terminal),
    };
    let mut row = Summary::new(white, black, source(from));
    row.follow(state.game());
    row.visibility = visibility;
    row.time_control = state.start().and_then(|start| start.time.pgn());
    row.started = state.started_at().map(log_time);
    row.deadline = state.deadline().map(|(_, at)| log_time(at));
    row.status = match state.phase() {
        Phase::New | Phase::Playing => Status::Live,
        Phase::Adjourned => Status::Adjourned,
        Phase::Ended(ending) => {
            row.reason = Some(ending.reason.code().to_owned());
            row.ended = state.ended_at().map(log_time);
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
