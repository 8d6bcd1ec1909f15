//! Checks the laws of flags: when a flag may fall, and which moves must be decided before it.

use hansu_live::{CommandRequest, FLAG_GRACE};
use hansu_play::{Actor, Command, Event, Moment, Phase, Reason, decide};
use hansu_records::Append;

use crate::laws::{Law, LawResult, check};
use crate::node::SLOW_COMMIT;
use crate::plan::Time;
use crate::referee::Author;
use crate::world::World;

impl World {
    /// Checks an append of a node that ends the game by time.
    pub(crate) fn check_flag(&mut self, node: usize, append: &Append) -> LawResult {
        let before = append.expected - 1;
        if before != self.log.last() {
            return Ok(());
        }
        let state = self.log.state(before).clone();
        let last = append.events.last().map_or("", |event| event.body.as_str());
        let Ok(entry) = serde_json::from_str::<hansu_play::Entry>(last) else { return Ok(()) };
        let author = self.author(append.command_key.as_deref())?;
        if state.phase() != Phase::Playing || !is_by_time(&entry.event, author) {
            return Ok(());
        }
        let us = state.turn();
        let Some(limit) = self.referee.limit(us) else { return Ok(()) };
        let clock = self.clock(node);
        let how = |what: &str| format!("{what}: {clock:?} {limit:?} by {author:?}: {entry:?}");
        let waited = clock >= limit.deadline.plus(FLAG_GRACE);
        check(Law::Fair, waited, || how("a flag without grace"))?;
        let moves = |asked: &CommandRequest| {
            let events = decide(&state, asked.actor, &asked.command, asked.moment);
            asked.moment.received < limit.zero
                && matches!(events.as_deref(), Ok([Event::Moved { .. }, ..]))
        };
        let command = append.command_key.as_ref().and_then(|name| self.issued.get(name));
        let in_time = author == Author::Moves(us)
            && command
                .is_some_and(|command| command.stamps.iter().all(|stamp| *stamp < limit.zero));
        check(Law::Fair, !in_time, || how("a flag for a move in time"))?;
        let live_game = self.nodes[node].live_game.as_ref();
        let overtaken =
            live_game.is_some_and(|live_game| live_game.look(|room| room.undecided().any(moves)));
        check(Law::Fair, !overtaken, || how("a flag before a move that waits"))?;
        if self.plan.nodes == 1 && self.plan.disk.doubtful == 0 {
            let running = self.current_turn;
            // The credit for a slow commit is lost when the node dies before the credit is
            // committed.
            let died = self.outages.iter().any(|&(began, _)| began >= running.submitted);
            let shown = match running.shown {
                Some(shown) if !died || running.credited => shown,
                _ => running.submitted,
            };
            let seen = self.seen_since(shown);
            let allowance = self.referee.allowance(us).unwrap_or_default();
            check(Law::Fair, seen + SLOW_COMMIT + 5 >= allowance.0, || {
                how(&format!("a flag after {seen} ms of {allowance:?}"))
            })?;
        }
        self.nodes[node].flag = Some((limit, before));
        Ok(())
    }

    /// How long the only node has been up since a moment.
    fn seen_since(&self, from: Time) -> Time {
        let away = self
            .outages
            .iter()
            .map(|&(began, ended)| ended.min(self.now).saturating_sub(began.max(from)));
        (self.now - from).saturating_sub(away.sum())
    }

    /// A move reaches the room: if it was received in time although its node has connected_at a flag,
    /// records it.
    pub(crate) fn check_late_move(
        &mut self,
        node: usize,
        actor: Actor,
        command: &Command,
        moment: Moment,
    ) -> LawResult {
        let Some((limit, before)) = self.nodes[node].flag else { return Ok(()) };
        let state = self.log.state(before);
        let in_time = moment.received < limit.zero
            && moment.received >= state.since()
            && self.clock(node) < limit.deadline.plus(FLAG_GRACE)
            && matches!(
                decide(state, actor, command, moment).as_deref(),
                Ok([Event::Moved { .. }, ..])
            );
        if in_time {
            self.late.push((node, before + 1));
        }
        self.check_late_moves()
    }

    /// Checks that no flag is committed that its node has connected_at while a move in time was on its
    /// way to the room.
    pub(crate) fn check_late_moves(&self) -> LawResult {
        for &(node, seq) in &self.late {
            let append = self.log.append_of(seq).filter(|append| append.node == node);
            let flagged = append.is_some()
                && self.log.entry(seq).is_some_and(|entry| {
                    matches!(entry.event, Event::Ended { ending, .. }
                        if matches!(ending.reason, Reason::Timeout | Reason::TimeoutDraw))
                });
            check(Law::Fair, !flagged, || {
                format!("the flag at {seq} fell while a move in time was on its way")
            })?;
        }
        Ok(())
    }
}

/// Returns true if an event ends the game by the clock.
pub(crate) fn is_by_time(event: &Event, author: Author) -> bool {
    let Event::Ended { ending, .. } = event else { return false };
    match ending.reason {
        Reason::Timeout | Reason::TimeoutDraw => true,
        Reason::Abort => !matches!(author, Author::Aborts(_)),
        Reason::Chess(_) | Reason::Abandonment => false,
    }
}
