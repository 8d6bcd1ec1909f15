//! The other nodes that share the log: which are alive, who is connected there, and which events
//! this node has missed.
//!
//! The log says which nodes are alive: each writes a heartbeat there every second. Everything else
//! comes over the bus, which is faster. While a live node cannot be received over the bus, live
//! games are read from the log every second, and no player is reported as absent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hansu_journal::log_time;
use hansu_live::{Connections, GRACE, Room, Sight};
use hansu_play::Millis;
use hansu_protocol::LiveGame;
use hansu_records::{Error, GameId, Holder, InvitationState, Seat};
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::bus::{BusMessage, GameNews, NodeId, NodeNews};
use crate::figures;
use crate::hosted_game::HostedGame;
use crate::hub::Hub;
use crate::limits::Visitors;

/// Time between two beacons that a node sends over the bus.
const BEACON_INTERVAL: Duration = Duration::from_millis(250);
/// A node is unreachable over the bus after this long without a message. Together with one beacon
/// before it and one poll of the log after it, what the bus has lost is found within two seconds.
const UNREACHABLE: Duration = Duration::from_millis(900);
/// Time between two polls of the log.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// While the bus works, each game is read once in this many polls, since the bus may lose a
/// message.
const THOROUGH: u32 = 5;
/// A node is dead when its last heartbeat in the log is older than this.
pub(crate) const DEAD_AFTER: Millis = Millis::seconds(4);
/// A node that has written to the log within this time says in its beacon that it has the log.
const HAS_LOG: Duration = Duration::from_secs(2);
/// A node has lost the log after this long without a successful write. This is far more than
/// `HAS_LOG`: when all nodes lose the log together, one notices first, because each writes at
/// another moment of the second, and by then the others no longer say that they have the log. It is
/// also more than `DEAD_AFTER`: the other nodes count this one as dead by then.
const LOG_LOST: Duration = Duration::from_millis(DEAD_AFTER.0 + 1_000);
/// A node has lost the bus after this long without receiving its own beacon.
const BUS_LOST: Duration = Duration::from_millis(DEAD_AFTER.0);
/// How long a client that knows newer events than this node waits for the log. Then it is sent to
/// another node, because this one would show it an older board.
const REACH_TIMEOUT: Duration = Duration::from_secs(5);
/// At most this many games per SQL statement.
const CHUNK: usize = 2_000;
/// Once in this many beacons the presence at each game is sent to the other nodes again: a lost
/// message must not make a player appear absent there.
const REMIND: u32 = 20;
const _: () = assert!(REMIND as u128 * BEACON_INTERVAL.as_millis() < GRACE.0 as u128);
/// How often the clock is compared with the log's, and how often when it is in doubt.
const CLOCK_INTERVAL: Duration = Duration::from_secs(10);
const DOUBTED_CLOCK_INTERVAL: Duration = Duration::from_secs(2);
/// At most this many public games are sent to the other nodes for their lobbies.
const MOST_SENT: usize = 50;
/// At most this many games without a second player are checked per poll.
const MOST_WAITING: usize = 100;

/// The other nodes, as this node knows them.
pub(crate) struct Nodes {
    pub(crate) own: NodeId,
    state: Mutex<NodesState>,
    /// Cancelled when all connections must move to another node.
    connections: Mutex<Option<CancellationToken>>,
    /// Asks for a poll of the log now.
    pub(crate) poll: Notify,
    /// Asks for the seeks to be read from the log now.
    pub(crate) seeks: Notify,
}

#[derive(Default)]
struct NodesState {
    peers: HashMap<NodeId, Peer>,
    /// When this node's own beacon last came back over the bus.
    last_echo: Option<Instant>,
    /// True if own beacons come back in time.
    bus_up: bool,
    /// When this node last wrote to the log.
    last_write: Option<Instant>,
    /// True if this node has lost the log while another node has it, or the bus is lost too.
    cut_off: bool,
    sight: Sight,
    /// Games that were loaded since the last poll. They are read once more: an event may have been
    /// written after the load and sent before the subscription was complete.
    new_games: Vec<GameId>,
}

/// Another node.
#[derive(Default)]
struct Peer {
    last_message: Option<Instant>,
    /// When its last message came, by the clock of the games.
    last_message_at: Millis,
    /// True if its last heartbeat in the log is recent.
    alive: bool,
    /// True if its last beacon said that it has the log.
    has_log: bool,
    people: u32,
    live: Vec<LiveGame>,
}

fn is_fresh(last: Option<Instant>, within: Duration) -> bool {
    last.is_some_and(|last| last.elapsed() < within)
}

impl Nodes {
    pub(crate) fn new(own: NodeId) -> Nodes {
        // No node has been received yet.
        let state = NodesState { sight: Sight::Partial, ..NodesState::default() };
        Nodes {
            own,
            state: Mutex::new(state),
            connections: Mutex::default(),
            poll: Notify::new(),
            seeks: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, NodesState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if this node's own beacons come back over the bus.
    pub(crate) fn bus_is_up(&self) -> bool {
        self.state().bus_up
    }

    /// Notes that this node has just written to the log.
    pub(crate) fn note_log_written(&self) {
        self.state().last_write = Some(Instant::now());
    }

    /// True if this node has lost the log while another node has it, or may have it because the bus
    /// is lost too: no move can be made here.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.state().cut_off
    }

    /// A token that is cancelled when connections must end: the server stops, or is cut off.
    pub(crate) fn connection_stop(&self, stop: &CancellationToken) -> CancellationToken {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        connections.get_or_insert_with(|| stop.child_token()).clone()
    }

    /// Closes all connections; their clients go to another node.
    fn close_connections(&self) {
        let connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(connections) = connections {
            connections.cancel();
        }
    }

    /// The number of other nodes that are alive.
    pub(crate) fn others(&self) -> usize {
        self.state().peers.values().filter(|peer| peer.alive).count()
    }

    /// Whether all live nodes can be received over the bus.
    pub(crate) fn sight(&self) -> Sight {
        self.state().sight
    }

    /// True if a node is alive by its heartbeat in the log or by a recent message over the bus.
    pub(crate) fn is_alive(&self, node: NodeId) -> bool {
        let here = |peer: &Peer| peer.alive || is_fresh(peer.last_message, UNREACHABLE);
        node == self.own || self.state().peers.get(&node).is_some_and(here)
    }

    /// The number of connections at other nodes.
    pub(crate) fn people(&self) -> u32 {
        self.state().peers.values().fold(0, |all, peer| all.saturating_add(peer.people))
    }

    /// Public games under way at other nodes.
    pub(crate) fn live(&self) -> Vec<LiveGame> {
        self.state().peers.values().flat_map(|peer| peer.live.iter().cloned()).collect()
    }

    /// Notes a game that was just loaded: the next poll reads it.
    pub(crate) fn note_new_game(&self, game: GameId) {
        self.state().new_games.push(game);
    }
}

/// Runs the tasks that a node with other nodes needs: beacons, polls of the log, clock comparison.
pub(crate) async fn run(hub: Arc<Hub>, visitors: Arc<Visitors>, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = send_beacons(&hub, &visitors) => {}
        () = poll_log(&hub) => {}
        () = keep_clock(&hub) => {}
    }
}

/// Sends beacons, live games, rate usage and presence to the other nodes.
async fn send_beacons(hub: &Arc<Hub>, visitors: &Visitors) {
    let mut beacon = interval(BEACON_INTERVAL);
    beacon.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut sent = Vec::new();
    for number in 0_u32.. {
        beacon.tick().await;
        let log = is_fresh(hub.nodes.state().last_write, HAS_LOG);
        hub.bus.send_to_nodes(&NodeNews::Alive { people: hub.lobby.people(), log });
        hub.check_peers();
        if number % 4 == 0 {
            let mut games = hub.live_games();
            games.sort_by_key(|game| std::cmp::Reverse(game.spectators));
            games.truncate(MOST_SENT);
            if games != sent || number % 40 == 0 {
                hub.bus.send_to_nodes(&NodeNews::Live { games: games.clone() });
                sent = games;
            }
            let spent = visitors.take_usage();
            if !spent.is_empty() {
                hub.bus.send_to_nodes(&NodeNews::Spent { spent });
            }
        }
        let due = |hosted: &Arc<HostedGame>| has_turn(hosted.id(), number, REMIND);
        hub.games
            .all()
            .iter()
            .filter(|hosted| due(hosted))
            .for_each(|hosted| hub.send_connections(hosted));
    }
}

/// Polls the log for heartbeats and for events that the bus has lost.
async fn poll_log(hub: &Arc<Hub>) {
    let mut every = interval(POLL_INTERVAL);
    every.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for number in 0_u32.. {
        let urgent = tokio::select! {
            _ = every.tick() => false,
            () = hub.nodes.poll.notified() => true,
        };
        if let Err(error) = hub.read_heartbeats().await {
            tracing::warn!(%error, "the nodes' signs of life cannot be read");
        }
        hub.check_peers();
        let mut games = std::mem::take(&mut hub.nodes.state().new_games);
        // The first `Who` may have been sent before the subscription could receive the answers.
        for game in &games {
            hub.bus.send_to_game(*game, &GameNews::Who);
        }
        let careful = !hub.nodes.bus_is_up() || hub.nodes.sight() == Sight::Partial;
        let all = urgent || careful;
        let hosted = hub.games.all();
        let due = hosted.iter().map(|hosted| hosted.id());
        games.extend(due.filter(|game| all || has_turn(*game, number, THOROUGH)));
        if let Err(error) = hub.read_missed(&games).await {
            tracing::warn!(%error, "live games cannot be read");
        }
    }
}

async fn keep_clock(hub: &Arc<Hub>) {
    loop {
        let pause =
            if hub.clock.doubt().is_some() { DOUBTED_CLOCK_INTERVAL } else { CLOCK_INTERVAL };
        tokio::time::sleep(pause).await;
        let clock = hub.clock.clone();
        if let Err(error) = hub.store.ask(move |store| clock.measure(store)).await {
            tracing::warn!(%error, "the log's clock cannot be read");
        }
        if let Some(doubt) = hub.clock.doubt() {
            tracing::warn!(?doubt, "the clock cannot be trusted");
        }
    }
}

/// True in one of `of` rounds for each game; the games are spread evenly over the rounds.
fn has_turn(game: GameId, number: u32, of: u32) -> bool {
    let sum = game.as_str().bytes().map(u32::from).sum::<u32>();
    sum % of == number % of
}

impl Hub {
    /// Takes a message from the bus.
    pub(crate) fn receive(self: &Arc<Hub>, message: BusMessage, visitors: &Visitors) {
        match message {
            BusMessage::Game(game, node, news) => {
                if node != self.nodes.own {
                    self.receive_game_news(game, node, news);
                }
            }
            BusMessage::Node(node, NodeNews::Alive { .. }) if node == self.nodes.own => {
                self.nodes.state().last_echo = Some(Instant::now());
            }
            BusMessage::Node(node, news) => {
                if node != self.nodes.own {
                    self.receive_node_news(node, news, visitors);
                }
            }
        }
    }

    fn receive_game_news(self: &Arc<Hub>, game: GameId, node: NodeId, news: GameNews) {
        let Some(hosted) = self.games.get(game) else { return };
        let now = self.now();
        match news {
            GameNews::Events { entries } => {
                self.at(&hosted, |game, now| game.receive_entries(&entries, now));
            }
            GameNews::Last { seq } => {
                self.at(&hosted, |game, _| game.hint(seq));
            }
            GameNews::Here(here) => {
                self.nodes.state().peers.entry(node).or_default().last_message_at = now;
                hosted.set_node_connections(node.number(), here, now);
            }
            GameNews::Who => self.send_connections(&hosted),
            GameNews::Withdrawn => {
                let hub = self.clone();
                tokio::spawn(async move { hub.check_waiting(&hosted).await });
            }
        }
    }

    fn receive_node_news(self: &Arc<Hub>, node: NodeId, news: NodeNews, visitors: &Visitors) {
        let now = self.now();
        let mut state = self.nodes.state();
        if matches!(news, NodeNews::Bye) {
            state.peers.remove(&node);
            drop(state);
            self.games.all().iter().for_each(|hosted| hosted.remove_node(node.number(), now));
            return;
        }
        let peer = state.peers.entry(node).or_default();
        match news {
            NodeNews::Alive { people, log } => {
                peer.has_log = log;
                (peer.last_message, peer.last_message_at) = (Some(Instant::now()), now);
                if std::mem::replace(&mut peer.people, people) != people {
                    self.lobby.note_change();
                }
            }
            NodeNews::Live { mut games } => {
                games.truncate(MOST_SENT);
                if peer.live != games {
                    peer.live = games;
                    self.lobby.note_change();
                }
            }
            NodeNews::Lobby => self.nodes.seeks.notify_one(),
            NodeNews::Spent { spent } => visitors.charge(&spent),
            NodeNews::HandedOver { from, to } => self.reseat_all(Holder(from), Holder(to)),
            NodeNews::Bye => {}
        }
    }

    fn send_connections(&self, hosted: &HostedGame) {
        let here = hosted.look(Room::connections);
        if here != Connections::default() {
            self.bus.send_to_game(hosted.id(), &GameNews::Here(here));
        }
    }

    /// Sends the presence at all games and asks the other nodes for theirs, after the bus was away.
    fn exchange_connections(&self) {
        for hosted in self.games.all() {
            self.send_connections(&hosted);
            self.bus.send_to_game(hosted.id(), &GameNews::Who);
        }
    }

    /// Works out whether all live nodes can be received over the bus, and whether this one is cut
    /// off.
    fn check_peers(self: &Arc<Hub>) {
        let (came_back, lost, turned, cut_off) = {
            let mut state = self.nodes.state();
            let up = is_fresh(state.last_echo, UNREACHABLE);
            let was_up = std::mem::replace(&mut state.bus_up, up);
            let mut alive = state.peers.values().filter(|peer| peer.alive);
            let all = alive.all(|peer| is_fresh(peer.last_message, UNREACHABLE));
            let sight = if all { Sight::Whole } else { Sight::Partial };
            let was = std::mem::replace(&mut state.sight, sight);
            let turned = (sight != was).then_some(sight);
            // Without the log for `LOG_LOST`, while another node has it or the bus is lost.
            let away = state.last_write.is_some() && !is_fresh(state.last_write, LOG_LOST);
            let has = |peer: &Peer| peer.has_log && is_fresh(peer.last_message, UNREACHABLE);
            let alone = !is_fresh(state.last_echo, BUS_LOST) || state.peers.values().any(has);
            let cut_off = away && alone;
            let was_cut_off = std::mem::replace(&mut state.cut_off, cut_off);
            let lost = was_up && !up || turned == Some(Sight::Partial);
            (up && !was_up, lost, turned, cut_off && !was_cut_off)
        };
        if cut_off {
            tracing::warn!("this node has lost the log; everybody is sent to another");
            self.nodes.close_connections();
        }
        if let Some(sight) = turned {
            let now = self.now();
            self.games.all().iter().for_each(|hosted| hosted.set_sight(sight, now));
        }
        if came_back {
            self.exchange_connections();
            self.nodes.seeks.notify_one();
        }
        if came_back || lost {
            self.nodes.poll.notify_one();
        }
    }

    /// Reads from the log which nodes are alive, and removes the connections of dead ones.
    async fn read_heartbeats(self: &Arc<Hub>) -> Result<(), Error> {
        let beats = self.store.ask(|store| store.beats()).await?;
        let now = self.now();
        let oldest = log_time(now.minus(DEAD_AFTER));
        let alive: Vec<NodeId> = beats
            .iter()
            .filter(|(_, at)| *at > oldest)
            .filter_map(|(node, _)| node.parse().ok())
            .filter(|node| *node != self.nodes.own)
            .collect();
        let mut dead = Vec::new();
        {
            let mut state = self.nodes.state();
            for node in &alive {
                state.peers.entry(*node).or_default();
            }
            state.peers.retain(|node, peer| {
                peer.alive = alive.contains(node);
                // The beacon of a node that has just started comes before its heartbeat in the log.
                let stays = peer.alive || peer.last_message_at.plus(DEAD_AFTER) > now;
                if !stays {
                    dead.push((*node, peer.last_message_at));
                }
                stays
            });
        }
        if !dead.is_empty() {
            let hosted = self.games.all();
            for (node, since) in dead {
                tracing::info!(%node, "a node is gone");
                hosted.iter().for_each(|hosted| hosted.remove_node(node.number(), since));
            }
            self.lobby.note_change();
            self.nodes.seeks.notify_one();
        }
        Ok(())
    }

    /// Compares games with their last events in the log, and reads the events that are missing
    /// here.
    async fn read_missed(self: &Arc<Hub>, games: &[GameId]) -> Result<(), Error> {
        let mut waiting = Vec::new();
        for games in games.chunks(CHUNK) {
            let asked = games.to_vec();
            let (last, seats) = self
                .store
                .ask(move |store| {
                    Ok::<_, Error>((store.last_events(&asked)?, store.seats_of(&asked)?))
                })
                .await?;
            let last: HashMap<GameId, u64> = last.into_iter().collect();
            for game in games {
                let Some(hosted) = self.games.get(*game) else { continue };
                match last.get(game) {
                    Some(&seq) => {
                        hosted.reseat(|old| {
                            let mut own = seats.iter().filter(|(of, _)| of == game);
                            own.find(|(_, seat)| seat.side == old.side)
                                .map_or(old, |(_, seat)| *seat)
                        });
                        figures::count_missed(seq.saturating_sub(hosted.seq()));
                        self.at(&hosted, |game, _| game.hint(seq));
                    }
                    None if hosted.is_waiting() => waiting.push(hosted),
                    None => {}
                }
            }
        }
        for hosted in waiting.iter().take(MOST_WAITING) {
            self.check_waiting(hosted).await;
        }
        Ok(())
    }

    /// Closes a game whose invitation was withdrawn at another node.
    async fn check_waiting(self: &Arc<Hub>, hosted: &Arc<HostedGame>) {
        let game = hosted.id();
        let open = self.store.ask(move |store| {
            let invitation = store.invitation_of(game)?;
            let open = invitation.filter(|one| one.state == InvitationState::Open);
            let host = open.map(|one| one.holder);
            Ok::<_, Error>((host, store.record(game)?.is_some()))
        });
        match open.await {
            Ok((Some(holder), false)) if hosted.is_waiting() => {
                hosted.reseat(|seat| Seat { holder, ..seat });
            }
            Ok((None, false)) if hosted.is_waiting() => {
                self.games.remove(hosted.id());
                hosted.dismiss();
            }
            _ => {}
        }
    }

    /// Waits until this node has the event `seq`, which a client says that it has, or the log says
    /// that there is no such event: the client's claim may be false. Returns false when the log
    /// does not answer within `REACH_TIMEOUT`.
    pub(crate) async fn reach(self: &Arc<Hub>, hosted: &Arc<HostedGame>, seq: u64) -> bool {
        if !self.bus.is_shared() || hosted.seq() >= seq {
            return true;
        }
        self.at(hosted, |game, _| game.hint(seq));
        let arrived = async {
            while hosted.seq() < seq && !hosted.look(Room::is_idle) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        timeout(REACH_TIMEOUT, arrived).await.is_ok()
    }
}
