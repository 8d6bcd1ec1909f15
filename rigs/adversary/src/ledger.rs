//! What was acknowledged to a game's players, and its comparison with what the server has.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::http::Http;

/// A move that was sent.
#[derive(Clone, PartialEq, Debug)]
pub struct SentMove {
    /// The command's id.
    pub id: String,
    /// The move.
    pub uci: String,
    /// The number of the event in its acknowledgement; `None` while it is in flight.
    pub acked: Option<u64>,
}

/// All moves that both sides sent in one game, in order, and all events received.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The game.
    pub game: String,
    /// The moves. Only the last one can be in flight, because the sides take turns.
    pub sent: Vec<SentMove>,
    /// The moves received as events, by event number.
    pub seen: BTreeMap<u64, String>,
    /// Events that were received twice with different moves.
    pub contradictions: u64,
    /// Commands that were acknowledged twice with different numbers.
    pub renumbered: u64,
    /// Commands that were sent again with the same id.
    pub resent: u64,
}

/// The result of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Audit {
    /// Moves that were acknowledged.
    pub acknowledged: u64,
    /// Moves that were acknowledged and are missing.
    pub lost: u64,
    /// Moves that are there more often than sent.
    pub doubled: u64,
    /// Moves that are in another order.
    pub reordered: u64,
    /// Commands sent again.
    pub resent: u64,
}

impl AddAssign for Audit {
    fn add_assign(&mut self, other: Audit) {
        self.acknowledged += other.acknowledged;
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.reordered += other.reordered;
        self.resent += other.resent;
    }
}

impl Audit {
    /// Returns true if everything acknowledged was kept, once and in order.
    pub fn is_clean(&self) -> bool {
        (self.lost, self.doubled, self.reordered) == (0, 0, 0)
    }

    /// The counts as one line.
    pub fn line(&self) -> String {
        let Audit { acknowledged, lost, doubled, reordered, resent } = self;
        format!(
            "{acknowledged} acknowledged / {lost} lost / {doubled} doubled / {reordered} reordered \
             ({resent} resent)"
        )
    }
}

impl Ledger {
    /// An empty ledger of a game.
    pub fn new(game: &str) -> Ledger {
        Ledger { game: game.to_owned(), ..Ledger::default() }
    }

    /// Records an acknowledgement. The same command must always get the same number.
    pub fn record_ack(&mut self, id: &str, seq: u64) {
        let Some(sent) = self.sent.iter_mut().find(|sent| sent.id == id) else { return };
        match sent.acked {
            Some(known) if known != seq => self.renumbered += 1,
            Some(_) => {}
            None => sent.acked = Some(seq),
        }
    }

    /// Records a received event.
    pub fn record_event(&mut self, entry: &Value) {
        let (Some(seq), Some(uci)) = (entry["seq"].as_u64(), entry["uci"].as_str()) else { return };
        let known = self.seen.entry(seq).or_insert_with(|| uci.to_owned());
        if known != uci {
            self.contradictions += 1;
        }
    }

    /// Compares with the moves that the server has.
    pub fn compare(&self, kept: &[String]) -> Audit {
        let promised: Vec<&SentMove> =
            self.sent.iter().filter(|sent| sent.acked.is_some()).collect();
        let mut audit = Audit { resent: self.resent, ..Audit::default() };
        audit.acknowledged = count(promised.len());
        audit.reordered = self.contradictions;
        audit.doubled = self.renumbered;
        // A move in flight may have been done, once and as the last.
        let flying = self.sent.last().filter(|sent| sent.acked.is_none());
        let most = promised.len() + usize::from(flying.is_some());
        audit.doubled += count(kept.len().saturating_sub(most));
        for (place, sent) in promised.iter().enumerate() {
            if kept.get(place) == Some(&sent.uci) {
                continue;
            }
            let elsewhere = kept.iter().skip(place.saturating_sub(2)).take(5);
            if elsewhere.into_iter().any(|uci| *uci == sent.uci) {
                audit.reordered += 1;
            } else {
                audit.lost += 1;
            }
        }
        if let (Some(flying), Some(last)) = (flying, kept.get(promised.len())) {
            audit.doubled += u64::from(*last != flying.uci);
        }
        // Event numbers must rise in the order of sending.
        let numbers: Vec<u64> = promised.iter().filter_map(|sent| sent.acked).collect();
        let rising = numbers.windows(2).filter(|pair| pair.first() >= pair.last());
        audit.reordered += count(rising.count());
        for sent in promised {
            let seen = sent.acked.and_then(|seq| self.seen.get(&seq));
            audit.reordered += u64::from(seen.is_some_and(|uci| *uci != sent.uci));
        }
        audit
    }

    /// Requests the game in every form that has moves, and compares.
    ///
    /// # Errors
    ///
    /// When the server does not answer, or its answers contradict each other.
    pub fn audit(&self, http: Http) -> Result<Audit> {
        let game = &self.game;
        let state = http.get(&format!("/api/games/{game}/state"), "")?;
        ensure!(state.status == 200, "{game}: {}", state.brief());
        let state = state.json();
        let plies = state["plies"].as_array().context("no plies")?;
        let words = |field: &str| -> Vec<String> {
            plies.iter().filter_map(|ply| ply[field].as_str()).map(str::to_owned).collect()
        };
        let (kept, written) = (words("uci"), words("san"));
        let pgn = http.get(&format!("/api/games/{game}/pgn"), "")?.text();
        ensure!(movetext(&pgn) == written, "{game}: the PGN differs from the state: {pgn}");
        let row = http.get(&format!("/api/games/{game}"), "")?.json();
        let moves = row["game"]["moves"].as_str().unwrap_or_default();
        ensure!(
            moves.split_whitespace().eq(kept.iter().map(String::as_str)),
            "{game}: its row differs"
        );
        Ok(self.compare(&kept))
    }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// The moves of one game in PGN, without numbers, comments and result.
fn movetext(pgn: &str) -> Vec<String> {
    let text = pgn.split_once("\n\n").map_or("", |(_, moves)| moves);
    let mut words = Vec::new();
    let mut comment = false;
    for word in text.split_whitespace() {
        comment |= word.starts_with('{');
        let number = word.trim_end_matches('.').chars().all(|sign| sign.is_ascii_digit());
        let result = ["1-0", "0-1", "1/2-1/2", "*"].contains(&word);
        if !comment && !number && !result {
            words.push(word.to_owned());
        }
        comment &= !word.ends_with('}');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger() -> Ledger {
        let mut ledger = Ledger::new("g");
        for (number, uci) in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().enumerate() {
            let id = format!("c{number}");
            ledger.sent.push(SentMove { id: id.clone(), uci: uci.to_owned(), acked: None });
            ledger.record_ack(&id, 2 + count(number));
        }
        ledger
    }

    fn moves(moves: &str) -> Vec<String> {
        moves.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn what_is_kept_once_and_in_order_is_clean() {
        let audit = ledger().compare(&moves("e2e4 e7e5 g1f3 b8c6"));
        assert!(audit.is_clean() && audit.acknowledged == 4, "{audit:?}");
    }

    #[test]
    fn a_lost_move_is_counted() {
        assert_eq!(ledger().compare(&moves("e2e4 e7e5 g1f3")).lost, 1);
        assert_eq!(ledger().compare(&moves("")).lost, 4);
    }

    #[test]
    fn a_doubled_move_is_counted() {
        assert_eq!(ledger().compare(&moves("e2e4 e7e5 g1f3 b8c6 b8c6")).doubled, 1);
        let mut ledger = ledger();
        ledger.record_ack("c0", 7);
        assert_eq!(ledger.compare(&moves("e2e4 e7e5 g1f3 b8c6")).doubled, 1);
    }

    #[test]
    fn another_order_is_counted() {
        assert_eq!(ledger().compare(&moves("g1f3 e7e5 e2e4 b8c6")).reordered, 2);
        let mut ledger = ledger();
        ledger.record_event(&serde_json::json!({"seq": 2, "uci": "d2d4"}));
        assert_eq!(ledger.compare(&moves("e2e4 e7e5 g1f3 b8c6")).reordered, 1);
    }

    #[test]
    fn a_move_in_flight_may_have_been_done_or_not() {
        let mut ledger = ledger();
        let flying = SentMove { id: "c4".to_owned(), uci: "f1b5".to_owned(), acked: None };
        ledger.sent.push(flying);
        assert!(ledger.compare(&moves("e2e4 e7e5 g1f3 b8c6")).is_clean());
        assert!(ledger.compare(&moves("e2e4 e7e5 g1f3 b8c6 f1b5")).is_clean());
        assert!(!ledger.compare(&moves("e2e4 e7e5 g1f3 b8c6 f1c4")).is_clean());
    }

    #[test]
    fn movetext_is_read_without_numbers_comments_and_result() {
        let pgn = "[Event \"?\"]\n\n1. e4 {[%clk 0:05:00] good} e5 2. Nf3 *\n";
        assert_eq!(movetext(pgn), ["e4", "e5", "Nf3"]);
    }
}
