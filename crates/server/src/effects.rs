//! What live games want done is done here, and nowhere else.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use hansu_journal::catch_up;
use hansu_live::{Answer, Asked, Asker, CommandKey, Effect, Effects, LiveGame, Think};
use hansu_play::{Actor, Millis, Moment};
use hansu_records::{Appended, Error, Once};
use tokio::sync::{mpsc, oneshot};

use crate::bus::GameNews;
use crate::computer::pause;
use crate::figures;
use crate::hub::Hub;
use crate::table::Table;

/// Something on its way from the log to a live game.
pub(crate) enum Delivery {
    /// The log's answer to a write.
    Answer(Arc<Table>, Result<Appended, Error>),
    /// A question whether answers still arrive.
    Probe(oneshot::Sender<()>),
}

/// How long a probe may take.
const PROBE: Duration = Duration::from_secs(5);

impl Hub {
    /// Does something with a live game and carries out what follows from it; how many writes that
    /// were. This is the one place where effects are carried out.
    pub(crate) fn at(
        self: &Arc<Hub>,
        table: &Arc<Table>,
        what: impl FnOnce(&LiveGame, Millis) -> Effects,
    ) -> usize {
        self.notice_standstill(table);
        let effects = what(table, self.now());
        self.carry_out(table, effects)
    }

    fn carry_out(self: &Arc<Hub>, table: &Arc<Table>, effects: Effects) -> usize {
        let writes = effects.writes();
        for effect in effects {
            match effect {
                Effect::Write(append) => self.write(table, *append),
                Effect::Read { .. } => self.read(table),
                Effect::LookUp { to, key, refused } => self.look_up(table, to, key, refused),
                Effect::Answered { to, answer } => self.answered(to, answer),
                Effect::Think(think) => self.think(table, *think),
                Effect::Changed => self.lobby.changed(),
                Effect::Here(here) => self.bus.tell_game(table.id(), &GameNews::Here(here)),
            }
        }
        writes
    }

    /// Lets the computer think, and does what it decides after a pause. A thought that finds no
    /// place, or does not come back, is asked for again when the game is set anew.
    fn think(self: &Arc<Hub>, table: &Arc<Table>, think: Think) {
        let (hub, seated) = (self.clone(), table.clone());
        let (seq, actor, pause) = (think.seq, Actor::seat(think.computer.side), pause(&think));
        let runtime = tokio::runtime::Handle::current();
        let done = move |command| {
            runtime.spawn(async move {
                tokio::time::sleep(pause).await;
                let asked = Asked {
                    by: None,
                    actor,
                    command,
                    moment: Moment::at(hub.now()),
                    key: Some(CommandKey::computer(seq)),
                    begins: None,
                };
                hub.at(&seated, |game, now| game.ask(asked, now));
            });
        };
        if !self.computer.think(table.id(), think, Box::new(done)) {
            tracing::warn!(game = %table.id(), "too many games wait for the computer");
            table.forget_thought();
        }
    }

    /// Asks the log whether a refused command was done before.
    fn look_up(self: &Arc<Hub>, table: &Arc<Table>, to: Asker, key: CommandKey, refused: Answer) {
        let (hub, table) = (self.clone(), table.clone());
        tokio::spawn(async move {
            let (id, name) = (table.id(), key.to_string());
            let found = hub.store.ask(move |store| store.answered(id, &name)).await;
            hub.at(&table, |game, _| game.looked_up(to, &key, found, refused));
        });
    }

    fn write(self: &Arc<Hub>, table: &Arc<Table>, append: hansu_records::Append) {
        let (answers, table) = (self.answers.clone(), table.clone());
        metrics::counter!("hansu_appends_total").increment(1);
        let since = Instant::now();
        let begun = u64::from(append.expected == 1) + u64::from(append.next.is_some());
        let told = self.bus.written(append.expected, &append.events);
        let told = told.map(|told| (self.clone(), told));
        self.store.submit(
            append,
            Box::new(move |answer| {
                figures::committed(since);
                if matches!(answer, Ok(Appended { once: Once::First, .. })) {
                    figures::begun(begun);
                    if let Some((hub, told)) = told {
                        hub.bus.kept(table.id(), told);
                    }
                }
                // The receiver is gone only when the server is.
                let _ = answers.send(Delivery::Answer(table, answer));
            }),
        );
    }

    /// A command has its answer.
    fn answered(&self, to: Asker, answer: Answer) {
        figures::answered(to.since);
        if let Answer::Refused { refusal, .. } = &answer {
            figures::refused(&refusal.code);
        }
        let caller = self.callers.lock().unwrap_or_else(PoisonError::into_inner).remove(&to.id);
        if let Some(caller) = caller {
            // The receiver is gone when the client has closed its request.
            let _ = caller.send(answer);
        }
    }

    /// Asks for something and waits for the answer.
    pub(crate) async fn call(
        self: &Arc<Hub>,
        table: &Arc<Table>,
        asked: Asked,
    ) -> Result<Answer, Error> {
        let (sender, answer) = oneshot::channel();
        if let Some(by) = asked.by {
            self.callers.lock().unwrap_or_else(PoisonError::into_inner).insert(by.id, sender);
        }
        self.at(table, |game, now| game.ask(asked, now));
        answer.await.map_err(|_| Error::Closed)
    }

    fn read(self: &Arc<Hub>, table: &Arc<Table>) {
        let (hub, table) = (self.clone(), table.clone());
        tokio::spawn(async move {
            let id = table.id();
            let mut state = table.look(|room| room.state().clone());
            let begins = table.is_waiting();
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
                // Somebody has sat down at another node.
                if let Some(seats) = seats {
                    table.seat(seats);
                }
                entries
            });
            hub.at(&table, |game, now| game.read(entries, now));
        });
    }

    /// Takes the log's answers to their tables, in the order in which the log gave them.
    pub(crate) async fn deliver(self: Arc<Hub>, mut inbox: mpsc::UnboundedReceiver<Delivery>) {
        let mut batch = Vec::with_capacity(256);
        while inbox.recv_many(&mut batch, 256).await > 0 {
            for delivery in batch.drain(..) {
                let (table, answer) = match delivery {
                    Delivery::Answer(table, answer) => (table, answer),
                    Delivery::Probe(sender) => {
                        let _ = sender.send(());
                        continue;
                    }
                };
                match answer {
                    Ok(_) | Err(Error::Conflict { .. } | Error::Spent) => {}
                    // Whoever asked is told; a line for each would be thousands a second.
                    Err(Error::Busy | Error::Away) => {
                        metrics::counter!("hansu_busy_total").increment(1);
                    }
                    Err(error) => tracing::warn!(game = %table.id(), %error, "an append failed"),
                }
                self.at(&table, |game, now| game.wrote(answer, now));
            }
        }
    }

    /// Goes the way of a command: something is written, and an answer is delivered.
    pub(crate) async fn probe(&self) -> Result<(), Error> {
        self.probe_log().await?;
        self.delivers().await
    }

    /// Something is written; `Error::Busy` when that takes too long.
    pub(crate) async fn probe_log(&self) -> Result<(), Error> {
        tokio::time::timeout(PROBE, self.beat()).await.unwrap_or(Err(Error::Busy))
    }

    /// Whether answers of the log still reach their games.
    pub(crate) async fn delivers(&self) -> Result<(), Error> {
        let (sender, delivered) = oneshot::channel();
        let _ = self.answers.send(Delivery::Probe(sender));
        match tokio::time::timeout(PROBE, delivered).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Error::Closed),
        }
    }
}
