//! Holds the laws: at every append, at every answer, at every picture, and at the end.

use std::collections::BTreeSet;

use hansu_chess::Color;
use hansu_play::{Ending, Entry, Event, Millis, Offer, Phase, Reason, State};
use hansu_protocol::Wish;
use hansu_records::{Append, Appended, Error, Once};

use crate::Broken;
use crate::fair::is_by_time;
use crate::follow;
use crate::laws::{Kept, Law, hold};
use crate::node::SLOW_COMMIT;
use crate::plan::Time;
use crate::referee::Author;
use crate::world::{Running, World};

/// The log must have been at rest for so long at the end.
const STILL: Time = 8_000;

impl World {
    /// By whom an append is.
    pub(crate) fn author(&self, client: Option<&str>) -> Result<Author, Broken> {
        let Some(client) = client else { return Ok(Author::Server) };
        if client.starts_with("outage:") {
            return Ok(Author::Outage);
        }
        if client.starts_with("slow:") || client.starts_with("refused:") {
            return Ok(Author::Server);
        }
        let unknown = || Broken { law: Law::Seat, how: format!("nobody has asked for {client}") };
        self.given.get(client).map(|given| given.author).ok_or_else(unknown)
    }

    /// An append reaches the log.
    pub(crate) fn kept(
        &mut self,
        append: &Append,
        node: usize,
        given: Time,
    ) -> Result<Result<Appended, Error>, Broken> {
        let author = self.author(append.client.as_deref())?;
        let answer = self.log.append(append, node, self.now)?;
        let Ok(Appended { seq: last, once: Once::First }) = answer else { return Ok(answer) };
        for seq in append.expected..=last {
            let Some(entry) = self.log.entry(seq).cloned() else { continue };
            let before = self.log.state(seq - 1).clone();
            self.referee.take(&before, &entry, author)?;
            if let Event::Moved { received, .. } = entry.event {
                let name = append.client.as_ref();
                let stamps = name.and_then(|name| self.given.get(name)).map(|given| &given.stamps);
                let stamped = |stamp: &Millis| received == before.since().max(*stamp);
                let known = stamps.is_some_and(|stamps| stamps.iter().any(stamped));
                hold(Law::Clock, known, || format!("{entry:?} was received at {stamps:?}"))?;
            }
            self.credited(&before, &entry, author, append.client.as_deref())?;
            if begins_a_turn(&entry.event) {
                self.running = Running { seq, node, given, ..Running::default() };
            }
            if matches!(entry.event, Event::Ended { .. }) {
                self.is_over();
            }
            self.report.entries += 1;
            self.report.count(kind(&entry.event), 1);
        }
        self.unfair()?;
        Ok(answer)
    }

    /// Time is given back for what was lost, and once.
    fn credited(
        &mut self,
        before: &State,
        entry: &Entry,
        author: Author,
        client: Option<&str>,
    ) -> Kept {
        let Event::Credited { time } = entry.event else { return Ok(()) };
        let running = self.running;
        let wrong = || format!("{entry:?} by {author:?} for {running:?} after {:?}", before.at());
        // Machines that keep the time together are off by as much as `Plan::jump` says.
        let apart = if self.plan.nodes > 1 { 1_000 } else { 0 };
        if author == Author::Outage {
            let credit = client.and_then(|client| self.credits.get(client));
            let due = credit.is_some_and(|&(most, started)| {
                // A turn that began elsewhere after the restart may seem to have begun before it.
                let lost = running.given <= started || time.0 <= apart;
                time <= most && lost && running.given <= started + apart
            });
            return hold(Law::Credit, due, wrong);
        }
        let off = apart.max(5);
        if client.is_some_and(|client| client.starts_with("refused:")) {
            // The turn has run since it was given, and no longer.
            let due = time.0 <= self.now.saturating_sub(running.given) + off;
            return hold(Law::Credit, due, wrong);
        }
        let late = running.shown.map_or(0, |shown| shown - running.given);
        let due = late >= SLOW_COMMIT && time.0 <= late + off && !running.credited;
        self.running.credited = true;
        hold(Law::Credit, due, wrong)
    }

    /// What a node believes is a beginning of the log.
    pub(crate) fn believes(&mut self, node: usize) -> Kept {
        let own = &self.nodes[node];
        let Some(table) = &own.table else { return Ok(()) };
        let seq = table.seq();
        let last = self.log.last();
        hold(Law::Node, seq <= last, || format!("node {node} believes in {seq} of {last}"))?;
        if self.seen.insert((node + 8 * own.epoch as usize, seq)) {
            let same = table.look(|room| room.state() == self.log.state(seq));
            hold(Law::Node, same, || format!("node {node} is wrong about {seq}"))?;
        }
        Ok(())
    }

    /// What a client shows is a beginning of the log.
    pub(crate) fn is_true(&mut self, client: usize) -> Kept {
        let last = self.log.last();
        let seq = self.clients[client].seq();
        hold(Law::View, seq <= last, || format!("client {client} is shown {seq} of {last}"))?;
        let Some(view) = self.clients[client].shown() else { return Ok(()) };
        let entries = self.log.entries().get(..seq as usize).unwrap_or_default();
        let chat = follow::chat(entries, &view.start);
        hold(Law::View, chat == view.chat, || format!("client {client} has heard otherwise"))?;
        let whole = self.log.is_whole(seq);
        let mut truth = self.log.snapshot(seq).clone();
        truth.chat = chat;
        if !whole {
            // Between two events of one append nobody looks at the clock.
            truth.ticking = view.ticking;
        }
        hold(Law::View, truth == view, || {
            format!("client {client} at {seq} shows {view:#?} instead of {truth:#?}")
        })
    }

    /// A command is answered.
    pub(crate) fn answered(
        &mut self,
        client: usize,
        id: &str,
        answer: Result<u64, String>,
    ) -> Kept {
        let name = self.name(client, id);
        self.tell(|_| format!("client {client} is told of {name}: {answer:?}"));
        let known = self.log.answered(&name);
        let wanted = self.clients[client].wanted.iter().position(|wanted| wanted.id == id);
        let Some(given) = self.given.get_mut(&name) else {
            let how = format!("an answer to {name}, which nobody has asked for");
            return Err(Broken { law: Law::Ack, how });
        };
        match answer {
            Ok(seq) => {
                hold(Law::Ack, known == Some(seq), || {
                    format!("{name} is acknowledged at {seq}; the log has it at {known:?}")
                })?;
                given.acked = Some(seq);
                self.report.acked += u64::from(wanted.is_some());
                let (author, wish) = (given.author, given.wish.clone());
                let append = self.log.append_of(seq);
                let entries = append.map(|a| self.log.after(a.first - 1));
                let first = append.map_or(0, |a| a.first);
                let mut entries = entries.unwrap_or_default();
                entries.truncate((seq + 1 - first) as usize);
                hold(Law::Ack, is_done(&wish, author, &entries), || {
                    format!("{name}, {wish:?}, is acknowledged with {entries:?}")
                })?;
            }
            Err(code)
                if matches!(code.as_str(), "busy" | "unavailable" | "unsure" | "too_fast") =>
            {
                self.report.again += 1;
                let later = self.now + self.random.between(200, 1_500);
                self.clients[client].later(id, later);
                return Ok(());
            }
            Err(code) => {
                hold(Law::Refused, given.acked.is_none(), || {
                    format!("{name} is refused ({code}) after it was acknowledged")
                })?;
                self.report.refused += u64::from(wanted.is_some());
                given.refused = Some(code);
                let lines = wanted.map(|place| self.clients[client].wanted[place].lines.len());
                given.lines = given.lines.max(lines.unwrap_or(2));
            }
        }
        if let Some(place) = wanted {
            self.clients[client].wanted.remove(place);
        }
        Ok(())
    }

    /// The end of it all.
    pub(crate) fn rest(&mut self) -> Kept {
        let last = self.log.last();
        let rests = |kept: bool, how: String| hold(Law::Rest, kept, || how);
        for (number, client) in self.clients.iter().enumerate() {
            let open: Vec<&str> = client.wanted.iter().map(|wanted| wanted.id.as_str()).collect();
            rests(open.is_empty(), format!("client {number} has no answer to {open:?}"))?;
            rests(client.welcomed, format!("client {number} is not connected"))?;
            let seq = client.seq();
            rests(seq == last, format!("client {number} knows {seq} of {last}"))?;
            // A lost message about who is there is not sent again.
            if self.plan.nodes == 1 && self.plan.network.loose == 0 {
                let there = (Some(self.everybody()), client.presence);
                hold(Law::Presence, there.0 == there.1, || format!("client {number}: {there:?}"))?;
            }
        }
        for (number, node) in self.nodes.iter().enumerate() {
            let Some(table) = node.table.as_ref() else { continue };
            let (seq, idle) = (table.seq(), table.look(hansu_live::Room::is_idle));
            rests(seq == last && idle, format!("node {number} knows {seq} of {last}, {idle}"))?;
        }
        let newest = self.log.appends().last().map_or(0, |append| append.kept);
        rests(newest + STILL < self.now, format!("the log still grows, at {newest}"))?;
        let state = self.log.state(last);
        let over = matches!(state.phase(), Phase::Ended(_));
        hold(Law::End, over, || format!("the game is {:?}", state.phase()))?;
        let replayed = State::replay(self.log.entries());
        hold(Law::Log, replayed.as_ref() == Ok(state), || format!("replayed: {replayed:?}"))?;
        for client in 0..self.clients.len() {
            self.is_true(client)?;
        }
        self.commands()
    }

    /// Every command, once more.
    fn commands(&mut self) -> Kept {
        let mut ghosts = 0;
        for (name, given) in &self.given {
            let known = self.log.answered(name);
            if let Some(seq) = given.acked {
                hold(Law::Ack, known == Some(seq), || format!("{name} was at {seq}: {known:?}"))?;
            } else if let Some(code) = &given.refused {
                let ghost = known.is_some();
                let again = given.lines > 1 || given.stamps.len() > 1;
                hold(Law::Refused, !ghost || again, || {
                    format!("{name} of client {} was refused ({code}): {known:?}", given.client)
                })?;
                ghosts += u64::from(ghost);
            }
        }
        self.report.ghosts = ghosts;
        let mut texts = BTreeSet::new();
        for entry in self.log.entries() {
            if let Event::Chatted { text, .. } = &entry.event {
                hold(Law::Ack, texts.insert(text.clone()), || format!("{text} was said twice"))?;
            }
        }
        Ok(())
    }
}

/// Whether a clock starts with an event.
fn begins_a_turn(event: &Event) -> bool {
    matches!(
        event,
        Event::Started(_) | Event::Moved { .. } | Event::TakenBack { .. } | Event::Resumed
    )
}

/// Whether a command comes to these entries, which one append has written.
fn is_done(wish: &Wish, author: Author, entries: &[Entry]) -> bool {
    let ended = |reason: Reason| move |event: &Event| matches!(event, Event::Ended { ending, .. } if ending.reason == reason);
    let agreed = |what: Offer, event: &Event| match what {
        Offer::Draw => ended(hansu_chess::Reason::Agreement.into())(event),
        Offer::Takeback => matches!(event, Event::TakenBack { .. }),
        Offer::Adjournment => matches!(event, Event::Adjourned { .. }),
        Offer::Resumption => matches!(event, Event::Resumed),
        Offer::Rematch => matches!(event, Event::RematchAgreed { .. }),
    };
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return false };
    let (first, last) = (&first.event, &last.event);
    // Time comes first, whatever was wanted.
    if is_by_time(first, author) {
        return !matches!(wish, Wish::Chat { .. });
    }
    let us = match author {
        Author::Aborts(us) | Author::Moves(us) | Author::Seated(us) => us,
        Author::Server | Author::Outage | Author::Watcher => Color::White,
    };
    match wish {
        Wish::Move { uci: text } => {
            matches!(first, Event::Moved { uci, .. } if uci.to_string() == *text)
        }
        Wish::Resign => {
            let reason = hansu_chess::Reason::Resignation.into();
            let ending = Ending { winner: Some(!us), reason };
            matches!(last, Event::Ended { ending: known, .. } if *known == ending)
        }
        Wish::Offer { what } => {
            *first == Event::Offered { what: *what, by: us } || agreed(*what, last)
        }
        Wish::Accept { what } => agreed(*what, last),
        Wish::Decline { what } => *first == Event::Declined { what: *what, by: us },
        Wish::ClaimDraw { .. } => matches!(last, Event::Ended { .. }),
        Wish::ClaimAbsence { .. } => ended(Reason::Abandonment)(last),
        Wish::Abort => ended(Reason::Abort)(last),
        Wish::GiveTime { .. } => matches!(last, Event::TimeGiven { to, .. } if *to == !us),
        Wish::Chat { text, .. } => {
            matches!(last, Event::Chatted { text: known, .. } if known == text)
        }
    }
}

/// A short name for the report.
fn kind(event: &Event) -> &'static str {
    match event {
        Event::Started(_) => "started",
        Event::Moved { lag: Millis::ZERO, .. } => "moved",
        Event::Moved { .. } => "moved with lag",
        Event::Offered { .. } => "offered",
        Event::Declined { .. } => "declined",
        Event::TakenBack { .. } => "taken back",
        Event::Adjourned { .. } => "adjourned",
        Event::Resumed => "resumed",
        Event::Left { .. } => "left",
        Event::Returned { .. } => "returned",
        Event::Credited { .. } => "credited",
        Event::TimeGiven { .. } => "time given",
        Event::Chatted { .. } => "chatted",
        Event::RematchAgreed { .. } => "rematch agreed",
        Event::Ended { ending, .. } => ending.reason.code(),
    }
}
