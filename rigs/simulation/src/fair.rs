//! Holds the law of flags: when one falls, and what must come before it.

use hansu_live::{Asked, FLAG_GRACE};
use hansu_play::{Actor, Command, Event, Moment, Phase, Reason, decide};
use hansu_records::Append;

use crate::laws::{Kept, Law, hold};
use crate::node::SLOW_COMMIT;
use crate::plan::Time;
use crate::referee::Author;
use crate::world::World;

impl World {
    /// A flag is about to be written: was it time?
    pub(crate) fn decided(&mut self, node: usize, append: &Append) -> Kept {
        let before = append.expected - 1;
        if before != self.log.last() {
            return Ok(());
        }
        let state = self.log.state(before).clone();
        let last = append.events.last().map_or("", |event| event.body.as_str());
        let Ok(entry) = serde_json::from_str::<hansu_play::Entry>(last) else { return Ok(()) };
        let author = self.author(append.client.as_deref())?;
        if state.phase() != Phase::Playing || !is_by_time(&entry.event, author) {
            return Ok(());
        }
        let us = state.turn();
        let Some(limit) = self.referee.limit(us) else { return Ok(()) };
        let clock = self.clock(node);
        let how = |what: &str| format!("{what}: {clock:?} {limit:?} by {author:?}: {entry:?}");
        let waited = clock >= limit.deadline.plus(FLAG_GRACE);
        hold(Law::Fair, waited, || how("a flag without grace"))?;
        let moves = |asked: &Asked| {
            let events = decide(&state, asked.actor, &asked.command, asked.moment);
            asked.moment.received < limit.zero
                && matches!(events.as_deref(), Ok([Event::Moved { .. }, ..]))
        };
        let given = append.client.as_ref().and_then(|name| self.given.get(name));
        let in_time = author == Author::Moves(us)
            && given.is_some_and(|given| given.stamps.iter().all(|stamp| *stamp < limit.zero));
        hold(Law::Fair, !in_time, || how("a flag for a move in time"))?;
        let table = self.nodes[node].table.as_ref();
        let overtaken = table.is_some_and(|table| table.look(|room| room.undecided().any(moves)));
        hold(Law::Fair, !overtaken, || how("a flag before a move that waits"))?;
        if self.plan.nodes == 1 && self.plan.disk.doubtful == 0 {
            let running = self.running;
            // The credit for a slow commit is lost when the node dies before it is kept.
            let died = self.outages.iter().any(|&(began, _)| began >= running.given);
            let shown = match running.shown {
                Some(shown) if !died || running.credited => shown,
                Some(_) => running.given,
                None => running.given,
            };
            let seen = self.seen_since(shown);
            let allowance = self.referee.allowance(us).unwrap_or_default();
            hold(Law::Fair, seen + SLOW_COMMIT + 5 >= allowance.0, || {
                how(&format!("a flag after {seen} ms of {allowance:?}"))
            })?;
        }
        self.nodes[node].flag = Some((limit, before));
        Ok(())
    }

    /// How long the only node has been there since a moment.
    fn seen_since(&self, from: Time) -> Time {
        let away = self
            .outages
            .iter()
            .map(|&(began, ended)| ended.min(self.now).saturating_sub(began.max(from)));
        (self.now - from).saturating_sub(away.sum())
    }

    /// A move that was received in time reaches the room: has its node called a flag already?
    pub(crate) fn comes_late(
        &mut self,
        node: usize,
        actor: Actor,
        command: &Command,
        moment: Moment,
    ) -> Kept {
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
        self.unfair()
    }

    /// No flag is kept that its node has called while a move in time was on its way to the room.
    pub(crate) fn unfair(&self) -> Kept {
        for &(node, seq) in &self.late {
            let append = self.log.append_of(seq).filter(|append| append.node == node);
            let flagged = append.is_some()
                && self.log.entry(seq).is_some_and(|entry| {
                    matches!(entry.event, Event::Ended { ending, .. }
                        if matches!(ending.reason, Reason::Timeout | Reason::TimeoutDraw))
                });
            hold(Law::Fair, !flagged, || {
                format!("the flag at {seq} fell while a move in time was on its way")
            })?;
        }
        Ok(())
    }
}

/// Whether an event is an end by the clock.
pub(crate) fn is_by_time(event: &Event, author: Author) -> bool {
    let Event::Ended { ending, .. } = event else { return false };
    match ending.reason {
        Reason::Timeout | Reason::TimeoutDraw => true,
        Reason::Abort => !matches!(author, Author::Aborts(_)),
        Reason::Chess(_) | Reason::Abandonment => false,
    }
}
