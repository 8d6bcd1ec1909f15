//! What a node consists of: live games, lobby, other nodes, the computer, the log.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use hansu_live::{Asker, CommandAnswer, CommandRequest, Outage};
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
use crate::hosted_game::HostedGame;
use crate::hosted_games::HostedGames;
use crate::limits::Visitors;
use crate::lobby::Lobby;
use crate::nodes::{DEAD_AFTER, Nodes};
use crate::questions::Questions;
use crate::store::AsyncStore;

/// Longer than it takes to load a game from the log.
const LONGEST_LOAD: Duration = Duration::from_secs(12);

/// The state of one node.
pub(crate) struct Hub {
    pub(crate) store: AsyncStore,
    pub(crate) clock: Clock,
    pub(crate) lobby: Lobby,
    pub(crate) bus: Bus,
    pub(crate) nodes: Nodes,
    pub(crate) computer: Computer,
    pub(crate) analyses: Analyses,
    pub(crate) questions: Questions,
    pub(crate) games: HostedGames,
    pub(crate) answers: mpsc::UnboundedSender<Delivery>,
    /// HTTP requests that wait for the answer to their command, by connection id.
    pub(crate) callers: Mutex<HashMap<u64, oneshot::Sender<CommandAnswer>>>,
    ids: AtomicU64,
    pub(crate) outage: Option<Outage>,
    /// When the last heartbeat of this run was written, by the games' clock and by the machine's.
    pub(crate) alive: Mutex<Option<(Millis, Instant)>>,
}

/// Why a game cannot be hosted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HostingError {
    NoSuchGame,
    /// The game comes from a file: it has no events and cannot be played.
    Imported,
    Log(Error),
}

impl From<Error> for HostingError {
    fn from(error: Error) -> HostingError {
        match error {
            Error::NoSuchGame => HostingError::NoSuchGame,
            other => HostingError::Log(other),
        }
    }
}

impl Hub {
    /// Opens a node: reads when a server was last alive, so that clocks are credited for the time
    /// since then.
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
        // The first heartbeat of this run is written after all credits for the outage are in the
        // log: a second crash before that must not hide the first.
        let last = store.last_beat()?.map(|at| Millis(at.max(0).cast_unsigned()));
        // While another node is alive there is no outage: clients use that node.
        let last = last.filter(|last| bus.is_none() || last.plus(DEAD_AFTER) < now);
        let outage = Outage::between(last, now);
        let own = NodeId::random()?;
        let (answers, inbox) = mpsc::unbounded_channel();
        let hub = Arc::new_cyclic(|hub: &Weak<Hub>| {
            let hub = hub.clone();
            let bus = bus.map_or(Bus::Local, |address| {
                Bus::join(address, own, move |message| {
                    if let Some(hub) = hub.upgrade() {
                        hub.receive(message, &visitors);
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
                games: HostedGames::default(),
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

    /// A number that is unique at this node during this run.
    pub(crate) fn fresh_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed)
    }

    /// The source of a command; the time until its answer is measured from here on.
    pub(crate) fn asker(&self, id: u64, lang: hansu_words::Lang) -> Asker {
        Asker { id, lang, since: figures::stopwatch() }
    }

    /// A live game, loaded from the log unless it is in memory.
    pub(crate) async fn hosted_game(
        self: &Arc<Hub>,
        id: GameId,
    ) -> Result<Arc<HostedGame>, HostingError> {
        let slot = self.games.slot(id);
        let hub = self.clone();
        let loaded = slot
            .get_or_try_init(|| async move {
                // Subscribing before reading leaves no gap between the two.
                let subscription = hub.bus.subscribe(id);
                let now = hub.now();
                let game = hub.store.ask(move |store| read_game(store, id, now)).await?;
                Ok::<_, HostingError>(Arc::new(hub.introduce(HostedGame::new(game, subscription))))
            })
            .await
            .cloned();
        if loaded.is_err() {
            self.games.remove_unloaded(id);
        }
        let hosted = loaded?;
        if let Some(credit) = self.credit(&hosted) {
            self.at(&hosted, |game, now| game.ask(credit, now));
        }
        Ok(hosted)
    }

    /// Gives all that belongs to one key to another, in the log and in the live games of all nodes.
    pub(crate) async fn hand_over(self: &Arc<Hub>, from: Holder, to: Holder) -> Result<(), Error> {
        self.store.ask(move |store| store.hand_over(from, to)).await?;
        self.bus.send_to_nodes(&NodeNews::HandedOver { from: from.0, to: to.0 });
        self.reseat_all(from, to);
        Ok(())
    }

    /// Gives the seats of one key in all live games to another. A node that misses the message on
    /// the bus finds the change in the log (`read_missed`).
    pub(crate) fn reseat_all(self: &Arc<Hub>, from: Holder, to: Holder) {
        let new =
            move |seat: Seat| if seat.holder == from { Seat { holder: to, ..seat } } else { seat };
        self.games.all().iter().for_each(|hosted| hosted.reseat(new));
        // A game that is being loaded just now may have read the old seats.
        let hub = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(LONGEST_LOAD).await;
            hub.games.all().iter().for_each(|hosted| hosted.reseat(new));
        });
    }

    /// Makes a new live game known to the other nodes, and asks them who is connected to it there.
    pub(crate) fn introduce(&self, hosted: HostedGame) -> HostedGame {
        if self.bus.is_shared() {
            hosted.set_sight(self.nodes.sight(), self.now());
            self.nodes.note_new_game(hosted.id());
            self.bus.send_to_game(hosted.id(), &GameNews::Who);
        }
        hosted
    }

    /// The credit for the last outage, if the game is owed one.
    fn credit(&self, hosted: &HostedGame) -> Option<CommandRequest> {
        let outage = self.outage?;
        hosted.look(|room| outage.credit(room.state(), self.now()))
    }

    /// Public games under way at this node.
    pub(crate) fn live_games(&self) -> Vec<wire::LiveGame> {
        let live = |hosted: &Arc<HostedGame>| {
            hosted.look(|room| {
                let state = room.state();
                let start = state.start()?;
                let shown = state.phase() == Phase::Playing
                    && room.visibility() == Visibility::Public
                    && start.source == hansu_play::Source::Online;
                shown.then(|| wire::LiveGame {
                    id: hosted.id().to_string(),
                    names: start.names.clone(),
                    time: start.time.clone(),
                    fen: state.game().position().fen(),
                    plies: u32::try_from(state.plies()).unwrap_or(u32::MAX),
                    spectators: room.watching(),
                })
            })
        };
        self.games.all().iter().filter_map(live).collect()
    }

    /// Public games under way at any node.
    pub(crate) fn all_live_games(&self) -> Vec<wire::LiveGame> {
        let mut games = self.live_games();
        if self.bus.is_shared() {
            games.extend(self.nodes.live());
            // When two nodes host the same game, the entry with more plies is the newer one.
            games.sort_by(|one, other| (&one.id, other.plies).cmp(&(&other.id, one.plies)));
            games.dedup_by(|one, other| one.id == other.id);
        }
        games
    }

    /// Sets the gauges. They are read when they are asked for, not updated with every change.
    pub(crate) fn measure(&self) {
        let games = self.games.len();
        // Exact up to 2^52 games.
        metrics::gauge!("hansu_tables").set(games as f64);
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
