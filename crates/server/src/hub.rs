//! What a node consists of: tables, lobby, other nodes, the computer, the log.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use hansu_live::{Answer, Asked, Asker, Outage};
use hansu_play::{Millis, Phase};
use hansu_protocol as wire;
use hansu_records::{Error, GameId, Holder, Seat, Store, Visibility};
use tokio::sync::{mpsc, oneshot};

use crate::analyses::Analyses;
use crate::beginnings::read_game;
use crate::bus::{Bus, BusAddress, GameNews, NodeId, NodeNews};
use crate::clock::Clock;
use crate::computer::Computer;
use crate::effects::Delivery;
use crate::figures;
use crate::limits::Visitors;
use crate::lobby::Lobby;
use crate::nodes::{DEAD, Nodes};
use crate::questions::Questions;
use crate::store::AsyncStore;
use crate::table::Table;
use crate::tables::Tables;

/// Longer than a table takes to be set from the log.
const SETTING: Duration = Duration::from_secs(12);

/// All that one node has.
pub(crate) struct Hub {
    pub(crate) store: AsyncStore,
    pub(crate) clock: Clock,
    pub(crate) lobby: Lobby,
    pub(crate) bus: Bus,
    pub(crate) nodes: Nodes,
    pub(crate) computer: Computer,
    pub(crate) analyses: Analyses,
    pub(crate) questions: Questions,
    pub(crate) tables: Tables,
    pub(crate) answers: mpsc::UnboundedSender<Delivery>,
    /// Requests over HTTP that wait for the answer to their command.
    pub(crate) callers: Mutex<HashMap<u64, oneshot::Sender<Answer>>>,
    ids: AtomicU64,
    pub(crate) outage: Option<Outage>,
    /// When the log last took a sign of life of this run, by the games' clock and by the machine's.
    pub(crate) alive: Mutex<Option<(Millis, Instant)>>,
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
                analyses: Analyses::default(),
                questions: Questions::default(),
                tables: Tables::default(),
                answers,
                callers: Mutex::default(),
                ids: AtomicU64::new(1),
                outage,
                alive: Mutex::default(),
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

    /// The table of a game, set from the log if need be.
    pub(crate) async fn table(self: &Arc<Hub>, id: GameId) -> Result<Arc<Table>, NoTable> {
        let slot = self.tables.slot(id);
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
            self.tables.clear_unset(id);
        }
        let table = set?;
        if let Some(credit) = self.credit(&table) {
            self.at(&table, |game, now| game.ask(credit, now));
        }
        Ok(table)
    }

    /// Gives all that belongs to one key to another, in the log and at the tables of all nodes.
    pub(crate) async fn hand_over(self: &Arc<Hub>, from: Holder, to: Holder) -> Result<(), Error> {
        self.store.ask(move |store| store.hand_over(from, to)).await?;
        self.bus.tell_nodes(&NodeNews::HandedOver { from: from.0, to: to.0 });
        self.seat_anew(from, to);
        Ok(())
    }

    /// Tables learn that a player has another key. Other nodes also find it in the log, where they
    /// look for what the bus has not told (`read_missed`).
    pub(crate) fn seat_anew(self: &Arc<Hub>, from: Holder, to: Holder) {
        let new =
            move |seat: Seat| if seat.holder == from { Seat { holder: to, ..seat } } else { seat };
        self.tables.all().iter().for_each(|table| table.reseat(new));
        // A table that was being set just now may have read who sat there before.
        let hub = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(SETTING).await;
            hub.tables.all().iter().for_each(|table| table.reseat(new));
        });
    }

    /// A new table is told what there is to know of other nodes, and they of it.
    pub(crate) fn introduced(&self, table: Table) -> Table {
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
        self.tables.all().iter().filter_map(live).collect()
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
        let tables = self.tables.len();
        // Exact up to 2^52 tables.
        metrics::gauge!("hansu_tables").set(tables as f64);
        metrics::gauge!("hansu_computer_waiting").set(self.computer.waiting() as f64);
        metrics::gauge!("hansu_analyses_waiting").set(self.analyses.len() as f64);
        metrics::gauge!("hansu_questions_waiting").set(self.questions.len() as f64);
        metrics::gauge!("hansu_people").set(f64::from(self.lobby.people()));
        if self.bus.is_shared() {
            metrics::gauge!("hansu_bus_up").set(f64::from(u8::from(self.nodes.bus_is_up())));
            metrics::gauge!("hansu_other_nodes").set(self.nodes.others() as f64);
            let offset = self.clock.offset().unwrap_or_default();
            metrics::gauge!("hansu_clock_offset_seconds").set(offset as f64 / 1_000.0);
        }
    }
}
