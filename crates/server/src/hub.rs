//! All games of this node: loading, beginning, writing, sweeping.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use hansu_journal::{load, log_time};
use hansu_live::{Answer, Asked, Asker, FAR_GRACE, LiveGame, Outage, Room};
use hansu_play::{Actor, Command, Millis, Moment, Phase, Start, State};
use hansu_protocol as wire;
use hansu_records::{
    Begins, Error, GameId, Holder, Invitation, InvitationState, Seat, Side, Store, Visibility,
};
use serde::{Deserialize, Serialize};
use tokio::sync::{OnceCell, mpsc, oneshot};

use crate::bus::{Bus, BusAddress, GameNews, NodeId, NodeNews};
use crate::clock::Clock;
use crate::computer::Computer;
use crate::effects::Delivery;
use crate::figures;
use crate::limits::Visitors;
use crate::lobby::Lobby;
use crate::nodes::{DEAD, Nodes};
use crate::series::chat;
use crate::store::AsyncStore;
use crate::table::Table;

/// How long an invitation can be taken up.
pub(crate) const INVITATION: Millis = Millis::days(7);
/// How long a link can say that its invitation was withdrawn or has expired.
const REMEMBER: Millis = Millis::days(30);
/// A table that nobody has used for so long is put away; the log still has the game.
const FORGET_AFTER: Millis = Millis::seconds(30);
/// The signs of life of a node that was not alive for so long are forgotten.
const FORGET_NODES: Millis = Millis::days(1);
/// Overdue games that are looked for at once.
const OVERDUE: usize = 200;
/// The name under which a node that is alone says that it is alive.
const ALONE: &str = "local";
/// What one sweep may give the log to write.
const MOST_SWEPT: usize = 256;
/// Tables whose turn it is are looked at in so many steps at the most, with a pause between them:
/// what a thousand tables have to say at the same moment would keep everybody else waiting.
const SWEEP_STEPS: usize = 40;
/// So many tables are no crowd.
const SWEPT_AT_ONCE: usize = 4;
const SWEEP_PAUSE: Duration = Duration::from_millis(1);

type Slot = Arc<OnceCell<Arc<Table>>>;

/// All games of this node.
pub(crate) struct Hub {
    pub(crate) store: AsyncStore,
    pub(crate) clock: Clock,
    pub(crate) lobby: Lobby,
    pub(crate) bus: Bus,
    pub(crate) nodes: Nodes,
    pub(crate) computer: Computer,
    tables: Mutex<HashMap<GameId, Slot>>,
    pub(crate) answers: mpsc::UnboundedSender<Delivery>,
    /// Requests over HTTP that wait for the answer to their command.
    pub(crate) callers: Mutex<HashMap<u64, oneshot::Sender<Answer>>>,
    ids: AtomicU64,
    outage: Option<Outage>,
}

/// What an invitation is to, as the log keeps it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Wanted {
    pub(crate) start: Start,
    /// The seat of whoever invites.
    pub(crate) host: wire::Turn,
    pub(crate) visibility: wire::Visibility,
}

/// Why a table cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoTable {
    NoSuchGame,
    /// A game of a file has no events and cannot be played.
    Imported,
    Log(Error),
}

impl From<Error> for NoTable {
    fn from(error: Error) -> NoTable {
        match error {
            Error::NoSuchGame => NoTable::NoSuchGame,
            other => NoTable::Log(other),
        }
    }
}

impl Hub {
    /// Opens the house: reads when a server was last alive, so that nobody pays for the time since.
    pub(crate) fn open(
        store: Arc<dyn Store>,
        clock: Clock,
        bus: Option<BusAddress>,
        visitors: Arc<Visitors>,
    ) -> Result<(Arc<Hub>, mpsc::UnboundedReceiver<Delivery>), Error> {
        let clock = if bus.is_some() { clock.following() } else { clock };
        if bus.is_some() {
            clock.measure(&*store)?;
        }
        let now = clock.now();
        // The first sign of life of this run is given when what is owed for the time before is
        // in the log: a second crash before that must not hide the first.
        let last = store.last_beat()?.map(|at| Millis(at.max(0).cast_unsigned()));
        // While another node is alive nobody has to wait for this one.
        let last = last.filter(|last| bus.is_none() || last.plus(DEAD) < now);
        let outage = Outage::between(last, now);
        let own = NodeId::random()?;
        let (answers, inbox) = mpsc::unbounded_channel();
        let hub = Arc::new_cyclic(|hub: &Weak<Hub>| {
            let hub = hub.clone();
            let bus = bus.map_or(Bus::Local, |address| {
                Bus::join(address, own, move |heard| {
                    if let Some(hub) = hub.upgrade() {
                        hub.heard(heard, &visitors);
                    }
                })
            });
            Hub {
                store: AsyncStore::new(store),
                clock,
                lobby: Lobby::default(),
                bus,
                nodes: Nodes::new(own),
                computer: Computer::start(),
                tables: Mutex::default(),
                answers,
                callers: Mutex::default(),
                ids: AtomicU64::new(1),
                outage,
            }
        });
        Ok((hub, inbox))
    }

    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    /// A number that nobody else has here.
    pub(crate) fn fresh_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed)
    }

    /// Where a command comes from, with the time that it takes measured from here on.
    pub(crate) fn asker(&self, id: u64, lang: hansu_words::Lang) -> Asker {
        Asker { id, lang, since: figures::stopwatch() }
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, HashMap<GameId, Slot>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All tables that are set.
    pub(crate) fn tables(&self) -> Vec<Arc<Table>> {
        self.slots().values().filter_map(|slot| slot.get().cloned()).collect()
    }

    /// A table that is set already.
    pub(crate) fn known(&self, id: GameId) -> Option<Arc<Table>> {
        self.slots().get(&id).and_then(|slot| slot.get().cloned())
    }

    /// The table of a game, set from the log if need be.
    pub(crate) async fn table(self: &Arc<Hub>, id: GameId) -> Result<Arc<Table>, NoTable> {
        let slot = self.slots().entry(id).or_default().clone();
        let hub = self.clone();
        let set = slot
            .get_or_try_init(|| async move {
                // Whoever listens before reading misses nothing in between.
                let follow = hub.bus.follow(id);
                let now = hub.now();
                let game = hub.store.ask(move |store| read_game(store, id, now)).await?;
                Ok::<_, NoTable>(Arc::new(hub.introduced(Table::new(game, follow))))
            })
            .await
            .cloned();
        if set.is_err() {
            // Names that do not exist must not pile up.
            let mut slots = self.slots();
            if slots.get(&id).is_some_and(|slot| slot.get().is_none()) {
                slots.remove(&id);
            }
        }
        let table = set?;
        if let Some(credit) = self.credit(&table) {
            self.at(&table, |game, now| game.ask(credit, now));
        }
        Ok(table)
    }

    /// A new table is told what there is to know of other nodes, and they of it.
    fn introduced(&self, table: Table) -> Table {
        if self.bus.is_shared() {
            table.see(self.nodes.sight(), self.now());
            self.nodes.note_new_table(table.id());
            self.bus.tell_game(table.id(), &GameNews::Who);
        }
        table
    }

    /// The time that the server was away is given back to a game that was under way.
    fn credit(&self, table: &Table) -> Option<Asked> {
        let outage = self.outage?;
        table.look(|room| outage.credit(room.state(), self.now()))
    }

    /// Begins a game: the start, the seats and, if there is one, the invitation that is used up.
    pub(crate) async fn begin(
        self: &Arc<Hub>,
        id: GameId,
        start: Start,
        shown: Visibility,
        begins: Begins,
        lang: hansu_words::Lang,
    ) -> Result<(Arc<Table>, Answer), NoTable> {
        let now = self.now();
        let slot = self.slots().entry(id).or_default().clone();
        let table = slot
            .get_or_init(|| async {
                let room = Room::new(id, shown, State::default(), now);
                let game = LiveGame::new(id, room, None, Vec::new(), VecDeque::new(), now);
                Arc::new(self.introduced(Table::new(game, self.bus.follow(id))))
            })
            .await
            .clone();
        let seats = begins.seats.clone();
        let asked = Asked {
            by: Some(self.asker(self.fresh_id(), lang)),
            actor: Actor::System,
            command: Command::Start(start),
            moment: Moment::at(now),
            key: None,
            begins: Some(begins),
        };
        let answer = self.call(&table, asked).await?;
        match &answer {
            Answer::Done { .. } => table.seat(seats),
            Answer::Refused { .. } => self.forget(id, &table),
        }
        Ok((table, answer))
    }

    /// Puts a table away that did not come to a game.
    pub(crate) fn forget(&self, id: GameId, table: &Arc<Table>) {
        // One that another node has begun meanwhile is set anew, with those who sit there.
        if !table.is_waiting() && (table.seq() == 0 || table.is_unseated()) {
            self.slots().remove(&id);
        }
    }

    /// Puts the table of a withdrawn invitation away.
    pub(crate) fn clear(&self, id: GameId) {
        self.slots().remove(&id);
    }

    /// Makes an invitation durable.
    pub(crate) async fn invite(
        &self,
        id: GameId,
        hash: [u8; 32],
        holder: Holder,
        wanted: &Wanted,
    ) -> Result<(), Error> {
        let now = self.now();
        let invitation = Invitation {
            hash,
            game: id,
            body: serde_json::to_string(wanted).map_err(|_| Error::Damaged)?,
            holder,
            made: log_time(now),
            expires: log_time(now.plus(INVITATION)),
            state: InvitationState::Open,
        };
        self.store.ask(move |store| store.invite(invitation)).await
    }

    /// One look at all tables: flags, absences, presence; and tables that nobody needs.
    pub(crate) async fn sweep(self: &Arc<Hub>) {
        let now = self.now();
        let mut writes = 0;
        let due: Vec<Arc<Table>> = {
            let slots = self.slots();
            let due = |slot: &Slot| slot.get().filter(|table| table.is_due(now)).cloned();
            slots.values().filter_map(due).collect()
        };
        for tables in due.chunks((due.len() / SWEEP_STEPS).max(SWEPT_AT_ONCE)) {
            for table in tables {
                writes += self.at(table, LiveGame::tick);
                // Ten thousand players who leave at once must not fill the queue of those who play:
                // the rest has its turn with the next sweep.
                if writes >= MOST_SWEPT {
                    return;
                }
            }
            if due.len() > tables.len() {
                tokio::time::sleep(SWEEP_PAUSE).await;
            }
        }
    }

    /// Puts tables away that nobody uses.
    pub(crate) fn tidy(&self) {
        let since = self.now().minus(FORGET_AFTER);
        self.slots().retain(|_, slot| {
            // Whoever is just about to use it holds the slot or the table.
            let free = Arc::strong_count(slot) == 1;
            let unused = slot
                .get()
                .is_some_and(|table| Arc::strong_count(table) == 1 && table.is_forgettable(since));
            !(free && unused)
        });
    }

    /// Sets the tables of games whose time is up and that nobody watches; the sweep does the rest.
    pub(crate) async fn wake_overdue(self: &Arc<Hub>) {
        // What is overdue at a table of another node is that node's for a moment.
        let grace = if self.bus.is_shared() { FAR_GRACE } else { Millis::ZERO };
        let now = log_time(self.now().minus(grace));
        match self.store.ask(move |store| store.overdue(now, OVERDUE)).await {
            Ok(games) => {
                for (id, _) in games {
                    if self.known(id).is_none()
                        && let Err(error) = self.table(id).await
                    {
                        tracing::warn!(game = %id, ?error, "an overdue game cannot be read");
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "overdue games cannot be read"),
        }
    }

    /// Says that this node is alive, durably: after a crash clocks are credited from here on.
    pub(crate) async fn beat(&self) -> Result<(), Error> {
        let shared = self.bus.is_shared();
        let node = if shared { self.nodes.own.to_string() } else { ALONE.to_owned() };
        let now = log_time(self.now());
        self.store.ask(move |store| store.beat(&node, now)).await?;
        self.nodes.has_log();
        Ok(())
    }

    /// Forgets invitations that could not be used any more for a while.
    pub(crate) async fn sweep_invitations(&self) {
        let now = self.now();
        let swept = self.store.ask(move |store| {
            store.sweep_beats(log_time(now.minus(FORGET_NODES)))?;
            store.sweep_invitations(log_time(now.minus(REMEMBER)))
        });
        if let Err(error) = swept.await {
            tracing::warn!(%error, "old invitations cannot be deleted");
        }
    }

    /// Public games under way at tables of this node.
    pub(crate) fn live_games(&self) -> Vec<wire::LiveGame> {
        let live = |table: &Arc<Table>| {
            table.look(|room| {
                let state = room.state();
                let start = state.start()?;
                let shown = state.phase() == Phase::Playing
                    && room.visibility() == Visibility::Public
                    && start.source == hansu_play::Source::Online;
                shown.then(|| wire::LiveGame {
                    id: table.id().to_string(),
                    names: start.names.clone(),
                    time: start.time.clone(),
                    fen: state.game().position().fen(),
                    plies: u32::try_from(state.plies()).unwrap_or(u32::MAX),
                    spectators: room.watching(),
                })
            })
        };
        self.tables().iter().filter_map(live).collect()
    }

    /// Public games under way at any node.
    pub(crate) fn all_live_games(&self) -> Vec<wire::LiveGame> {
        let mut games = self.live_games();
        if self.bus.is_shared() {
            games.extend(self.nodes.live());
            // Of two tables at one game the one that is further knows better.
            games.sort_by(|one, other| (&one.id, other.plies).cmp(&(&other.id, one.plies)));
            games.dedup_by(|one, other| one.id == other.id);
        }
        games
    }

    /// Figures that are looked at and not counted along.
    pub(crate) fn measure(&self) {
        let tables = self.slots().len();
        // Exact up to 2^52 tables.
        metrics::gauge!("hansu_tables").set(tables as f64);
        metrics::gauge!("hansu_computer_waiting").set(self.computer.waiting() as f64);
        metrics::gauge!("hansu_people").set(f64::from(self.lobby.people()));
        if self.bus.is_shared() {
            metrics::gauge!("hansu_bus_up").set(f64::from(u8::from(self.nodes.bus_is_up())));
            metrics::gauge!("hansu_other_nodes").set(self.nodes.others() as f64);
            let offset = self.clock.offset().unwrap_or_default();
            metrics::gauge!("hansu_clock_offset_seconds").set(offset as f64 / 1_000.0);
        }
    }

    /// Waits until something can be said of every table, but not for ever.
    async fn settle(&self, settled: fn(&Room) -> bool, hundredths: u32) {
        for _ in 0..hundredths {
            if self.tables().iter().all(|table| table.look(settled)) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    /// Waits until the log has answered everything, and says that the server was alive until now.
    pub(crate) async fn drain(&self) {
        self.settle(Room::is_idle, 200).await;
        self.bus.tell_nodes(&NodeNews::Bye);
        if let Err(error) = self.beat().await {
            tracing::warn!(%error, "the log does not take the last sign of life");
        }
    }

    /// Sets every table whose clock was running when the server went away, so that its clocks are
    /// credited before the sweep looks at them.
    pub(crate) async fn credit_all(self: &Arc<Hub>) {
        if self.outage.is_none() {
            return;
        }
        match self.store.ask(|store| store.overdue(i64::MAX, usize::MAX >> 1)).await {
            Ok(games) => {
                for (id, _) in games {
                    if let Err(error) = self.table(id).await {
                        tracing::warn!(game = %id, ?error, "a live game cannot be read");
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "live games cannot be read"),
        }
        // A disk that takes nothing for a minute takes no sign of life either.
        self.settle(|room| !room.owes(), 6_000).await;
    }
}

/// Reads a game, or the invitation to it.
fn read_game(store: &dyn Store, id: GameId, now: Millis) -> Result<LiveGame, NoTable> {
    let entries = match load(store, id) {
        Ok(entries) => entries,
        Err(hansu_journal::LoadError::Log(Error::NoSuchGame)) => {
            return read_waiting(store, id, now);
        }
        Err(hansu_journal::LoadError::Log(error)) => return Err(error.into()),
        Err(hansu_journal::LoadError::Unreadable { .. }) => {
            return Err(NoTable::Log(Error::Damaged));
        }
    };
    if entries.is_empty() {
        return Err(NoTable::Imported);
    }
    let state = State::replay(&entries).map_err(|_| NoTable::Log(Error::Damaged))?;
    let record = store.record(id)?.ok_or(NoTable::NoSuchGame)?;
    let seats = store.seats(id)?;
    let said = state.start().map(|start| chat(store, &entries, start)).unwrap_or_default();
    let room = Room::new(id, record.summary.visibility, state, now);
    Ok(LiveGame::new(id, room, None, seats, said, now))
}

fn read_waiting(store: &dyn Store, id: GameId, now: Millis) -> Result<LiveGame, NoTable> {
    let invitation = store.invitation_of(id)?.ok_or(NoTable::NoSuchGame)?;
    if invitation.state != InvitationState::Open || invitation.expires <= log_time(now) {
        return Err(NoTable::NoSuchGame);
    }
    let wanted: Wanted =
        serde_json::from_str(&invitation.body).map_err(|_| NoTable::Log(Error::Damaged))?;
    let side = match wanted.host {
        wire::Turn::White => Side::White,
        wire::Turn::Black => Side::Black,
    };
    let seats = vec![Seat { side, holder: invitation.holder }];
    let room = Room::new(id, visibility(wanted.visibility), State::default(), now);
    Ok(LiveGame::new(id, room, Some(wanted.start), seats, VecDeque::new(), now))
}

pub(crate) const fn visibility(shown: wire::Visibility) -> Visibility {
    match shown {
        wire::Visibility::Public => Visibility::Public,
        wire::Visibility::Private => Visibility::Private,
    }
}
