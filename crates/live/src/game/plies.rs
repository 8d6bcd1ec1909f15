//! The moves of a game in the text of a snapshot.

use hansu_play::State;

use super::*;

/// How a game without moves has them in its text. Inside of a text that somebody wrote, quotation
/// marks never stand without a stroke before them.
const NONE: &str = r#""plies":[]"#;

/// The moves as they stand in the text of a snapshot, kept while people keep coming: a thousand who
/// come to watch a game are told it for little more than the price of one.
#[derive(Default)]
pub(super) struct Plies {
    count: usize,
    text: String,
    /// The last event when somebody was told.
    told: u64,
}

impl Plies {
    /// The text of a snapshot with the moves of the game put into it.
    pub(super) fn put_into(&mut self, standing: &str, state: &State) -> Text {
        self.told = state.seq();
        for ply in view::plies(state, self.count) {
            if self.count > 0 {
                self.text.push(',');
            }
            self.text.push_str(&text(&ply));
            self.count += 1;
        }
        match standing.split_once(NONE) {
            Some((before, after)) => {
                [before, r#""plies":["#, &self.text, "]", after].concat().into()
            }
            None => standing.into(),
        }
    }

    #[cfg(test)]
    pub(super) fn is_kept(&self) -> bool {
        self.count > 0
    }

    /// Something has happened: what is kept may be wrong, or kept for nobody.
    pub(super) fn heed(&mut self, entry: &Entry) {
        let taken_back = matches!(entry.event, Event::TakenBack { .. });
        if taken_back || entry.seq > self.told + RECENT as u64 {
            *self = Plies::default();
        }
    }
}
