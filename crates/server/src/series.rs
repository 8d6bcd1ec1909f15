//! One game after the other between the same two: what was said goes along.

use std::collections::VecDeque;

use hansu_ledger::load;
use hansu_play::{Start, State};
use hansu_protocol as wire;
use hansu_records::GameId;

use crate::hub::Hub;
use crate::view;

/// How far back chat goes along.
const EARLIER_GAMES: usize = 5;

impl Hub {
    /// What was said in a game, and in those of its series before it.
    pub(crate) fn said(
        &self,
        entries: &[hansu_play::Entry],
        start: &Start,
    ) -> VecDeque<wire::Said> {
        let mut said: VecDeque<wire::Said> =
            entries.iter().filter_map(|entry| view::said(entry, start)).collect();
        let mut before = start.series.as_ref().map(|series| series.previous.clone());
        for _ in 0..EARLIER_GAMES {
            let Some(id) = before.take().and_then(|id| id.parse::<GameId>().ok()) else { break };
            let Ok(entries) = load(&*self.store, id) else { break };
            let Ok(state) = State::replay(&entries) else { break };
            let Some(start) = state.start() else { break };
            for entry in entries.iter().rev() {
                if let Some(line) = view::said(entry, start) {
                    said.push_front(line);
                }
            }
            before = start.series.as_ref().map(|series| series.previous.clone());
        }
        said
    }
}
