//! Computes the row of a game in the log from the game's state.

use hansu_play::{Entry, Event, Phase, Reason, State};
use hansu_records::{Played, Row, Score, Source, Status, Summary, Visibility};

use crate::log_time;

/// The change of a game's row by entries; `after` is the state after them. Nearly all entries of a
/// live game change only moves and deadline: for those no whole row is made.
///
/// ```
/// use hansu_play::{Entry, Event, Millis, Start, State};
/// use hansu_records::{Row, Visibility};
/// let event = Event::Started(Start::between("Mina", "Jun"));
/// let started = [Entry { seq: 1, at: Millis(5), event }];
/// let state = State::replay(&started)?;
/// let row = hansu_journal::row(&started, &state, Visibility::Private);
/// assert!(matches!(row, Row::Whole(_)));
/// # Ok::<(), hansu_play::ReplayError>(())
/// ```
pub fn row<'e>(
    entries: impl IntoIterator<Item = &'e Entry>,
    after: &State,
    visibility: Visibility,
) -> Row {
    let (mut whole, mut played) = (after.phase() != Phase::Playing, 0);
    for entry in entries {
        match entry.event {
            Event::Moved { .. } => played += 1,
            Event::Offered { .. }
            | Event::Declined { .. }
            | Event::Left { .. }
            | Event::Returned { .. }
            | Event::Credited { .. }
            | Event::TimeGiven { .. }
            | Event::Chatted { .. } => {}
            Event::Started(_)
            | Event::TakenBack { .. }
            | Event::Adjourned { .. }
            | Event::Resumed
            | Event::RematchAgreed { .. }
            | Event::Ended { .. } => whole = true,
        }
    }
    let game = after.game();
    match game.moves().len().checked_sub(played) {
        Some(plies) if !whole => Row::Played(Played::since(game, plies, deadline(after))),
        _ => summary(after, visibility).into(),
    }
}

fn deadline(state: &State) -> Option<i64> {
    state.deadline().map(|(_, at)| log_time(at))
}

/// The whole row of a game.
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
    row.deadline = deadline(state);
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
