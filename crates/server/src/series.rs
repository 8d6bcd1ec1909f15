//! Series of games between the same two players: the chat goes on from one game to the next.

use std::collections::VecDeque;

use hansu_journal::load;
use hansu_play::{Entry, Start, State};
use hansu_protocol as wire;
use hansu_records::{GameId, Store};
use hansu_view as view;
use hansu_view::MOST_CHAT;

/// Chat of at most this many earlier games is shown.
const EARLIER_GAMES: usize = 5;

/// The last `MOST_CHAT` chat messages of a game and of the earlier games of its series.
pub(crate) fn chat(
    store: &dyn Store,
    entries: &[Entry],
    start: &Start,
) -> VecDeque<wire::ChatMessage> {
    let mut messages: VecDeque<wire::ChatMessage> =
        entries.iter().filter_map(|entry| view::chat_message(entry, start)).collect();
    let mut before = start.series.as_ref().map(|series| series.previous.clone());
    for _ in 0..EARLIER_GAMES {
        let Some(id) = before.take().and_then(|id| id.parse::<GameId>().ok()) else { break };
        let Ok(entries) = load(store, id) else { break };
        let Ok(state) = State::replay(&entries) else { break };
        let Some(start) = state.start() else { break };
        for entry in entries.iter().rev() {
            if let Some(message) = view::chat_message(entry, start) {
                messages.push_front(message);
            }
        }
        before = start.series.as_ref().map(|series| series.previous.clone());
    }
    messages.drain(..messages.len().saturating_sub(MOST_CHAT));
    messages
}
