//! One game after the other between the same two: rematches, with what was said going along.

use std::collections::VecDeque;
use std::sync::Arc;

use hansu_ledger::load;
use hansu_play::{Start, State};
use hansu_protocol as wire;
use hansu_records::{Begins, GameId, Seat, Side};

use crate::hub::{Hub, NoTable, blocking};
use crate::room::Room;
use crate::table::{Answer, Table};
use crate::view;

/// How far back chat goes along.
const EARLIER_GAMES: usize = 5;

impl Hub {
    /// Sees to the next game of a series. The players have just heard of it and are on their way:
    /// they shall find it begun.
    pub(crate) fn promise(self: &Arc<Hub>, table: &Arc<Table>, next: &str) {
        let Ok(id) = next.parse::<GameId>() else { return };
        let kept = self.promised().entry(id).or_default().clone();
        let (hub, table) = (self.clone(), table.clone());
        tokio::spawn(async move {
            hub.rematch(&table, id).await;
            hub.promised().remove(&id);
            kept.cancel();
        });
    }

    /// Begins the next game of a series; again when a crash came between the agreement and it.
    async fn rematch(self: &Arc<Hub>, table: &Arc<Table>, id: GameId) {
        let Some(start) = table.look(|room| {
            let state = room.state();
            let (start, ending) = (state.start()?, state.ending()?);
            let mut next = start.rematch(&table.id.to_string(), ending);
            if start.variant == hansu_chess::Variant::Chess960 && start.fen.is_some() {
                next.fen = start.fen.clone();
            }
            Some(next)
        }) else {
            return;
        };
        if self.find(id).await.is_ok() {
            return;
        }
        let seats = table.seats().into_iter().map(|seat| Seat {
            side: match seat.side {
                Side::White => Side::Black,
                Side::Black => Side::White,
                Side::Both => Side::Both,
            },
            ..seat
        });
        let shown = table.look(Room::visibility);
        let begins = Begins { seats: seats.collect(), invitation: None };
        let begun = self.begin(id, start, shown, begins, hansu_words::Lang::En).await;
        match begun {
            Ok((next, Answer::Done { .. })) => {
                // The table was set empty: what was said before goes along.
                let hub = self.clone();
                if let Ok(Ok(said)) = blocking(move || hub.earlier(id)).await {
                    next.bring(said);
                }
            }
            Ok((_, Answer::Refused { refusal, .. })) => {
                tracing::warn!(game = %id, code = refusal.code, "a rematch did not begin");
            }
            Err(error) => tracing::warn!(game = %id, ?error, "a rematch did not begin"),
        }
    }

    fn earlier(&self, id: GameId) -> Result<VecDeque<wire::Said>, NoTable> {
        let entries = load(&*self.store, id).map_err(|_| NoTable::NoSuchGame)?;
        let state = State::replay(&entries).map_err(|_| NoTable::NoSuchGame)?;
        Ok(state.start().map(|start| self.said(&entries, start)).unwrap_or_default())
    }

    /// Makes sure that a rematch that was agreed on exists.
    pub(crate) async fn mend(self: &Arc<Hub>, table: &Arc<Table>) {
        if let Some(next) = table.look(|room| room.state().next_game().map(str::to_owned))
            && let Ok(id) = next.parse()
            && self.known(id).is_none()
            && !self.promised().contains_key(&id)
        {
            self.rematch(table, id).await;
        }
    }

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
