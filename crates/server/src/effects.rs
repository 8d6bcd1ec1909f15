//! Carries out the effects of live games, and nothing else does.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use hansu_journal::catch_up;
use hansu_live::{
    Asker, CommandAnswer, CommandKey, CommandRequest, Effect, Effects, LiveGame, Think,
};
use hansu_play::{Actor, Millis, Moment};
use hansu_records::{Appended, Error, Once};
use tokio::sync::{mpsc, oneshot};

use crate::bus::GameNews;
use crate::computer::pause;
use crate::figures;
use crate::hosted_game::HostedGame;
use crate::hub::Hub;

/// What is in the queue from the log to the live games.
pub(crate) enum Delivery {
    /// The log's answer to a write.
    Answer(Arc<HostedGame>, Result<Appended, Error>),
    /// A check that answers still arrive.
    Probe(oneshot::Sender<()>),
}

/// How long a probe may take.
const PROBE: Duration = Duration::from_secs(5);

impl Hub {
    /// Runs `what` on a live game, carries out the effects, and returns the number of writes among
    /// them. Effects are carried out nowhere else.
    pub(crate) fn at(
        self: &Arc<Hub>,
        hosted: &Arc<HostedGame>,
        what: impl FnOnce(&LiveGame, Millis) -> Effects,
    ) -> usize {
        self.notice_standstill(hosted);
        let effects = what(hosted, self.now());
        self.carry_out(hosted, effects)
    }

    fn carry_out(self: &Arc<Hub>, hosted: &Arc<HostedGame>, effects: Effects) -> usize {
        let writes = effects.writes();
        for effect in effects {
            match effect {
                Effect::Write(append) => self.write(hosted, *append),
                Effect::Read { .. } => self.read(hosted),
                Effect::LookUp { to, key, refused } => self.look_up(hosted, to, key, refused),
                Effect::Answered { to, answer } => self.deliver_answer(to, answer),
                Effect::Think(think) => self.think(hosted, *think),
                Effect::Changed => self.lobby.note_change(),
                Effect::Connections(here) => {
                    self.bus.send_to_game(hosted.id(), &GameNews::Here(here));
                }
            }
        }
        writes
    }

    /// Lets the computer think, and carries out its command after a pause. A thought that finds the
    /// queue full is requested again by the game's next tick, one that does not come back when the
    /// game is loaded again.
    fn think(self: &Arc<Hub>, hosted: &Arc<HostedGame>, think: Think) {
        let (hub, target) = (self.clone(), hosted.clone());
        let (seq, actor, pause) = (think.seq, Actor::seat(think.computer.side), pause(&think));
        let runtime = tokio::runtime::Handle::current();
        let done = move |command| {
            runtime.spawn(async move {
                tokio::time::sleep(pause).await;
                let asked = CommandRequest {
                    by: None,
                    actor,
                    command,
                    moment: Moment::at(hub.now()),
                    key: Some(CommandKey::computer(seq)),
                    begins: None,
                };
                hub.at(&target, |game, now| game.ask(asked, now));
            });
        };
        if !self.computer.think(hosted.id(), think, Box::new(done)) {
            tracing::warn!(game = %hosted.id(), "too many games wait for the computer");
            hosted.ask_computer_again();
        }
    }

    /// Asks the log whether a refused command had been carried out before.
    fn look_up(
        self: &Arc<Hub>,
        hosted: &Arc<HostedGame>,
        to: Asker,
        key: CommandKey,
        refused: CommandAnswer,
    ) {
        let (hub, hosted) = (self.clone(), hosted.clone());
        tokio::spawn(async move {
            let (id, name) = (hosted.id(), key.to_string());
            let found = hub.store.ask(move |store| store.find_command(id, &name)).await;
            hub.at(&hosted, |game, _| game.finish_look_up(to, &key, found, refused));
        });
    }

    fn write(self: &Arc<Hub>, hosted: &Arc<HostedGame>, append: hansu_records::Append) {
        let (answers, hosted) = (self.answers.clone(), hosted.clone());
        metrics::counter!("hansu_appends_total").increment(1);
        let since = Instant::now();
        let begun = u64::from(append.expected == 1) + u64::from(append.next.is_some());
        let message = self.bus.encode_events(append.expected, &append.events);
        let message = message.map(|message| (self.clone(), message));
        self.store.submit(
            append,
            Box::new(move |answer| {
                figures::record_commit(since);
                if matches!(answer, Ok(Appended { once: Once::First, .. })) {
                    figures::count_begun(begun);
                    if let Some((hub, message)) = message {
                        hub.bus.send_encoded(hosted.id(), message);
                    }
                }
                // The receiver is gone only when the server has stopped.
                let _ = answers.send(Delivery::Answer(hosted, answer));
            }),
        );
    }

    /// Gives the answer of a command to the HTTP request that waits for it, if there is one.
    fn deliver_answer(&self, to: Asker, answer: CommandAnswer) {
        figures::record_answer(to.since);
        if let CommandAnswer::Refused { refusal, .. } = &answer {
            figures::count_refusal(&refusal.code);
        }
        let caller = self.callers.lock().unwrap_or_else(PoisonError::into_inner).remove(&to.id);
        if let Some(caller) = caller {
            // The receiver is gone when the client has closed its request.
            let _ = caller.send(answer);
        }
    }

    /// Sends a command to a live game and waits for the answer.
    pub(crate) async fn call(
        self: &Arc<Hub>,
        hosted: &Arc<HostedGame>,
        asked: CommandRequest,
    ) -> Result<CommandAnswer, Error> {
        let (sender, answer) = oneshot::channel();
        if let Some(by) = asked.by {
            self.callers.lock().unwrap_or_else(PoisonError::into_inner).insert(by.id, sender);
        }
        self.at(hosted, |game, now| game.ask(asked, now));
        answer.await.map_err(|_| Error::Closed)
    }

    fn read(self: &Arc<Hub>, hosted: &Arc<HostedGame>) {
        let (hub, hosted) = (self.clone(), hosted.clone());
        tokio::spawn(async move {
            let id = hosted.id();
            let mut state = hosted.look(|room| room.state().clone());
            let begins = hosted.is_waiting();
            let read = hub.store.ask(move |store| {
                let entries = catch_up(store, id, &mut state).map_err(|error| match error {
                    hansu_journal::LoadError::Log(error) => error,
                    hansu_journal::LoadError::Unreadable { .. } => Error::Damaged,
                })?;
                let begun = begins && !entries.is_empty();
                let seats = if begun { Some(store.seats(id)?) } else { None };
                Ok((entries, seats))
            });
            let entries = read.await.map(|(entries, seats)| {
                // The game was begun at another node.
                if let Some(seats) = seats {
                    hosted.set_seats(seats);
                }
                entries
            });
            hub.at(&hosted, |game, now| game.finish_read(entries, now));
        });
    }

    /// Delivers the log's answers to their games, in the order in which the log gave them.
    pub(crate) async fn deliver(self: Arc<Hub>, mut inbox: mpsc::UnboundedReceiver<Delivery>) {
        let mut batch = Vec::with_capacity(256);
        while inbox.recv_many(&mut batch, 256).await > 0 {
            for delivery in batch.drain(..) {
                let (hosted, answer) = match delivery {
                    Delivery::Answer(hosted, answer) => (hosted, answer),
                    Delivery::Probe(sender) => {
                        let _ = sender.send(());
                        continue;
                    }
                };
                match answer {
                    Ok(_) | Err(Error::Conflict { .. } | Error::Spent) => {}
                    // The client gets an error; logging each one would write thousands of lines a
                    // second.
                    Err(Error::Busy | Error::Away) => {
                        metrics::counter!("hansu_busy_total").increment(1);
                    }
                    Err(error) => tracing::warn!(game = %hosted.id(), %error, "an append failed"),
                }
                self.at(&hosted, |game, now| game.finish_write(answer, now));
            }
        }
    }

    /// Goes the way of a command: writes a heartbeat, and delivers an answer.
    pub(crate) async fn probe(&self) -> Result<(), Error> {
        self.probe_log().await?;
        self.delivers().await
    }

    /// Writes a heartbeat; `Error::Busy` when that takes longer than `PROBE`.
    pub(crate) async fn probe_log(&self) -> Result<(), Error> {
        tokio::time::timeout(PROBE, self.write_heartbeat()).await.unwrap_or(Err(Error::Busy))
    }

    /// Checks that answers of the log still reach their games; `Error::Closed` when they do not.
    pub(crate) async fn delivers(&self) -> Result<(), Error> {
        let (sender, delivered) = oneshot::channel();
        let _ = self.answers.send(Delivery::Probe(sender));
        match tokio::time::timeout(PROBE, delivered).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Error::Closed),
        }
    }
}
