//! One event of the log changes the view. The rules of offers are those of `hansu_play::apply`.

use hansu_play::{Actor, Event, Offer};
use hansu_protocol::{ChatMessage, Happened, Offered, Phase, Ply};

use crate::game_view::{Declined, GameView, Given, turn};

/// The event does not fit this client's view: the client must ask for a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ApplyError;

impl GameView {
    /// Applies the next event. The view is unchanged when it does not fit.
    pub(crate) fn apply(&mut self, happened: Happened) -> Result<(), ApplyError> {
        let Happened { entry, san, board, ticking } = happened;
        let (seq, at) = (entry.seq, entry.at);
        match entry.event {
            Event::Started(start) => {
                self.first = board.ok_or(ApplyError)?;
                self.plies.clear();
                self.phase = Phase::Playing;
                self.start = start;
                self.started = Some(at);
                self.ticking = ticking;
                self.change_board(seq);
            }
            Event::Moved { uci, clocks, .. } => {
                let (Some(board), Some(san)) = (board, san) else { return Err(ApplyError) };
                // By moving, a side declines the other's offers; a takeback outlives no move.
                let mover = self.turn();
                self.offers.retain(|offer| offer.by == mover && offer.what != Offer::Takeback);
                self.plies.push(Ply { uci: uci.to_string(), san, board, clocks });
                self.clocks = clocks.or(self.clocks);
                self.ticking = ticking;
                self.change_board(seq);
            }
            Event::Offered { what, by } => {
                self.close(what);
                self.offers.push(Offered { what, by: turn(by) });
                self.ticking = ticking;
                self.declined = None;
            }
            Event::Declined { what, by } => {
                self.close(what);
                self.ticking = ticking;
                self.declined = Some(Declined { what, by: turn(by), seq });
            }
            Event::TakenBack { plies, clocks } => {
                let left = self.plies.len().checked_sub(plies.into()).ok_or(ApplyError)?;
                self.plies.truncate(left);
                self.clocks = clocks.or(self.clocks);
                self.ticking = ticking;
                self.offers.clear();
                self.change_board(seq);
            }
            Event::Adjourned { clocks } => {
                self.phase = Phase::Adjourned;
                self.clocks = clocks.or(self.clocks);
                self.ticking = None;
                self.offers.clear();
            }
            Event::Resumed => {
                self.phase = Phase::Playing;
                self.ticking = ticking;
                self.offers.clear();
            }
            Event::Left { side } => {
                self.left[side] = Some(at);
                self.ticking = ticking;
            }
            Event::Returned { side } => {
                self.left[side] = None;
                self.ticking = ticking;
            }
            Event::Credited { time } => {
                for since in [&mut self.left.white, &mut self.left.black] {
                    *since = since.map(|since| since.plus(time).min(at));
                }
                self.ticking = ticking;
            }
            Event::TimeGiven { to, time } => {
                if let Some(clocks) = &mut self.clocks {
                    clocks[to] = clocks[to].plus(time);
                }
                self.ticking = ticking;
                self.given = Some(Given { to: turn(to), time, seq });
            }
            Event::Chatted { from, name, text } => {
                let name = match from {
                    Actor::White => self.start.names.white.clone(),
                    Actor::Black => self.start.names.black.clone(),
                    Actor::Both | Actor::System | Actor::Spectator => name.unwrap_or_default(),
                };
                self.chat.push(ChatMessage { at, from, name, text });
            }
            Event::RematchAgreed { next } => {
                self.close(Offer::Rematch);
                self.next = Some(next);
            }
            Event::Ended { ending, clocks } => {
                self.phase = Phase::Ended;
                self.clocks = clocks.or(self.clocks);
                self.ending = Some(ending);
                self.moves = None;
                self.ticking = None;
                self.offers.clear();
            }
        }
        self.seq = seq;
        self.asked = None;
        Ok(())
    }

    /// The board has changed: the legal moves from before this event no longer hold.
    fn change_board(&mut self, seq: u64) {
        self.moves = None;
        self.board_seq = seq;
    }

    fn close(&mut self, what: Offer) {
        self.offers.retain(|offer| offer.what != what);
    }
}
