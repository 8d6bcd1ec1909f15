//! Checks the laws: at every append, at every answer, at every change of a view, and at the end.

use std::collections::BTreeSet;

use hansu_chess::Color;
use hansu_play::{Ending, Entry, Event, Millis, Offer, Phase, Reason, State};
use hansu_protocol::Wish;
use hansu_records::{Append, Appended, Error, Once};

use crate::BrokenLaw;
use crate::flags::is_by_time;
use crate::follow;
use crate::laws::{Law, LawResult, check};
use crate::node::SLOW_COMMIT;
use crate::plan::Time;
use crate::referee::Author;
use crate::world::{CurrentTurn, World};

/// The log must not have grown for this long at the end.
const STILL: Time = 8_000;

impl World {
    /// The author of an append with this command key.
    pub(crate) fn author(&self, client: Option<&str>) -> Result<Author, BrokenLaw> {
        let Some(client) = client else { return Ok(Author::Server) };
        if client.starts_with("outage:") {
            return Ok(Author::Outage);
        }
        if client.starts_with("slow:") || client.starts_with("refused:") {
            return Ok(Author::Server);
        }
        let unknown =
            || BrokenLaw { law: Law::Seat, how: format!("nobody has asked for {client}") };
        self.issued.get(client).map(|command| command.author).ok_or_else(unknown)
    }

    /// Commits an append to the log and checks its entries.
    pub(crate) fn commit_append(
        &mut self,
        append: &Append,
        node: usize,
        submitted: Time,
    ) -> Result<Result<Appended, Error>, BrokenLaw> {
        let author = self.author(append.command_key.as_deref())?;
        let answer = self.log.append(append, node, self.now)?;
        let Ok(Appended { seq: last, once: Once::First }) = answer else { return Ok(answer) };
        for seq in append.expected..=last {
            let Some(entry) = self.log.entry(seq).cloned() else { continue };
            let before = self.log.state(seq - 1).clone();
            self.referee.check_entry(&before, &entry, author)?;
            if let Event::Moved { received, .. } = entry.event {
                let name = append.command_key.as_ref();
                let stamps =
                    name.and_then(|name| self.issued.get(name)).map(|command| &command.stamps);
                let stamped = |stamp: &Millis| received == before.since().max(*stamp);
                let known = stamps.is_some_and(|stamps| stamps.iter().any(stamped));
                check(Law::Clock, known, || format!("{entry:?} was received at {stamps:?}"))?;
            }
            self.check_credit(&before, &entry, author, append.command_key.as_deref())?;
            if begins_a_turn(&entry.event) {
                self.current_turn = CurrentTurn { seq, node, submitted, ..CurrentTurn::default() };
            }
            if matches!(entry.event, Event::Ended { .. }) {
                self.begin_end_phase();
            }
            self.report.entries += 1;
            self.report.count(kind(&entry.event), 1);
        }
        self.check_late_moves()?;
        Ok(answer)
    }

    /// Checks that time is given back only for lost time, and once.
    fn check_credit(
        &mut self,
        before: &State,
        entry: &Entry,
        author: Author,
        client: Option<&str>,
    ) -> LawResult {
        let Event::Credited { time } = entry.event else { return Ok(()) };
        let running = self.current_turn;
        let wrong = || format!("{entry:?} by {author:?} for {running:?} after {:?}", before.at());
        // The clocks of several machines differ by as much as `Plan::jump` allows.
        let apart = if self.plan.nodes > 1 { 1_000 } else { 0 };
        if author == Author::Outage {
            let credit = client.and_then(|client| self.credits.get(client));
            let due = credit.is_some_and(|&(most, started)| {
                // By its clock, a turn that began at another node after the restart may have begun
                // before.
                let lost = running.submitted <= started || time.0 <= apart;
                time <= most && lost && running.submitted <= started + apart
            });
            return check(Law::Credit, due, wrong);
        }
        let off = apart.max(5);
        if client.is_some_and(|client| client.starts_with("refused:")) {
            // The turn has run at most since it was submitted.
            let due = time.0 <= self.now.saturating_sub(running.submitted) + off;
            return check(Law::Credit, due, wrong);
        }
        let late = running.shown.map_or(0, |shown| shown - running.submitted);
        let due = late >= SLOW_COMMIT && time.0 <= late + off && !running.credited;
        self.current_turn.credited = true;
        check(Law::Credit, due, wrong)
    }

    /// Checks that a node's state is the state after a prefix of the log.
    pub(crate) fn check_node(&mut self, node: usize) -> LawResult {
        let own = &self.nodes[node];
        let Some(live_game) = &own.live_game else { return Ok(()) };
        let seq = live_game.seq();
        let last = self.log.last();
        check(Law::Node, seq <= last, || format!("node {node} believes in {seq} of {last}"))?;
        if self.checked_nodes.insert((node + 8 * own.epoch as usize, seq)) {
            let same = live_game.look(|room| room.state() == self.log.state(seq));
            check(Law::Node, same, || format!("node {node} is wrong about {seq}"))?;
        }
        Ok(())
    }

    /// Checks that a client's view is the game after a prefix of the log.
    pub(crate) fn check_view(&mut self, client: usize) -> LawResult {
        let last = self.log.last();
        let seq = self.clients[client].seq();
        check(Law::View, seq <= last, || format!("client {client} is shown {seq} of {last}"))?;
        let Some(view) = self.clients[client].snapshot() else { return Ok(()) };
        let entries = self.log.entries().get(..seq as usize).unwrap_or_default();
        let chat = follow::chat(entries, &view.start);
        check(Law::View, chat == view.chat, || format!("client {client} has heard otherwise"))?;
        let whole = self.log.ends_append(seq);
        let mut truth = self.log.snapshot(seq).clone();
        truth.chat = chat;
        if !whole {
            // Between two events of one append `ticking` is not compared.
            truth.ticking = view.ticking;
        }
        check(Law::View, truth == view, || {
            format!("client {client} at {seq} shows {view:#?} instead of {truth:#?}")
        })
    }

    /// Checks and records the answer to a command.
    pub(crate) fn handle_answer(
        &mut self,
        client: usize,
        id: &str,
        answer: Result<u64, String>,
    ) -> LawResult {
        let name = self.command_key(client, id);
        self.trace_line(|_| format!("client {client} is told of {name}: {answer:?}"));
        let known = self.log.find_command(&name);
        let pending = self.clients[client].pending.iter().position(|pending| pending.id == id);
        let Some(command) = self.issued.get_mut(&name) else {
            let how = format!("an answer to {name}, which nobody has asked for");
            return Err(BrokenLaw { law: Law::Ack, how });
        };
        match answer {
            Ok(seq) => {
                check(Law::Ack, known == Some(seq), || {
                    format!("{name} is acknowledged at {seq}; the log has it at {known:?}")
                })?;
                command.acked = Some(seq);
                self.report.acked += u64::from(pending.is_some());
                let (author, wish) = (command.author, command.wish.clone());
                let append = self.log.append_of(seq);
                let entries = append.map(|a| self.log.entries_after(a.first - 1));
                let first = append.map_or(0, |a| a.first);
                let mut entries = entries.unwrap_or_default();
                entries.truncate((seq + 1 - first) as usize);
                check(Law::Ack, is_done(&wish, author, &entries), || {
                    format!("{name}, {wish:?}, is acknowledged with {entries:?}")
                })?;
            }
            Err(code)
                if matches!(code.as_str(), "busy" | "unavailable" | "unsure" | "too_fast") =>
            {
                self.report.again += 1;
                let later = self.now + self.random.between(200, 1_500);
                self.clients[client].retry_at(id, later);
                return Ok(());
            }
            Err(code) => {
                check(Law::Refused, command.acked.is_none(), || {
                    format!("{name} is refused ({code}) after it was acknowledged")
                })?;
                self.report.refused += u64::from(pending.is_some());
                command.refused = Some(code);
                let links = pending.map(|place| self.clients[client].pending[place].links.len());
                command.links = command.links.max(links.unwrap_or(2));
            }
        }
        if let Some(place) = pending {
            self.clients[client].pending.remove(place);
        }
        Ok(())
    }

    /// Checks the state at the end of the run.
    pub(crate) fn check_end_state(&mut self) -> LawResult {
        let last = self.log.last();
        let rests = |kept: bool, how: String| check(Law::Rest, kept, || how);
        for (number, client) in self.clients.iter().enumerate() {
            let open: Vec<&str> =
                client.pending.iter().map(|pending| pending.id.as_str()).collect();
            rests(open.is_empty(), format!("client {number} has no answer to {open:?}"))?;
            rests(client.welcomed, format!("client {number} is not connected"))?;
            let seq = client.seq();
            rests(seq == last, format!("client {number} knows {seq} of {last}"))?;
            // A lost presence message is not sent again.
            if self.plan.nodes == 1 && self.plan.network.loose == 0 {
                let there = (Some(self.all_present()), client.presence);
                check(Law::Presence, there.0 == there.1, || format!("client {number}: {there:?}"))?;
            }
        }
        for (number, node) in self.nodes.iter().enumerate() {
            let Some(live_game) = node.live_game.as_ref() else { continue };
            let (seq, idle) = (live_game.seq(), live_game.look(hansu_live::Room::is_idle));
            rests(seq == last && idle, format!("node {number} knows {seq} of {last}, {idle}"))?;
        }
        let newest = self.log.appends().last().map_or(0, |append| append.kept);
        rests(newest + STILL < self.now, format!("the log still grows, at {newest}"))?;
        let state = self.log.state(last);
        let over = matches!(state.phase(), Phase::Ended(_));
        check(Law::End, over, || format!("the game is {:?}", state.phase()))?;
        let replayed = State::replay(self.log.entries());
        check(Law::Log, replayed.as_ref() == Ok(state), || format!("replayed: {replayed:?}"))?;
        for client in 0..self.clients.len() {
            self.check_view(client)?;
        }
        self.check_commands()
    }

    /// Checks all commands once more.
    fn check_commands(&mut self) -> LawResult {
        let mut ghosts = 0;
        for (name, command) in &self.issued {
            let known = self.log.find_command(name);
            if let Some(seq) = command.acked {
                check(Law::Ack, known == Some(seq), || format!("{name} was at {seq}: {known:?}"))?;
            } else if let Some(code) = &command.refused {
                let ghost = known.is_some();
                let again = command.links > 1 || command.stamps.len() > 1;
                check(Law::Refused, !ghost || again, || {
                    format!("{name} of client {} was refused ({code}): {known:?}", command.client)
                })?;
                ghosts += u64::from(ghost);
            }
        }
        self.report.ghosts = ghosts;
        let mut texts = BTreeSet::new();
        for entry in self.log.entries() {
            if let Event::Chatted { text, .. } = &entry.event {
                check(Law::Ack, texts.insert(text.clone()), || format!("{text} was said twice"))?;
            }
        }
        Ok(())
    }
}

/// Returns true if an event starts a clock.
fn begins_a_turn(event: &Event) -> bool {
    matches!(
        event,
        Event::Started(_) | Event::Moved { .. } | Event::TakenBack { .. } | Event::Resumed
    )
}

/// Returns true if these entries, written by one append, are the effect of a command.
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
    // The end by time comes before any command.
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

/// The event's name in the report.
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
