//! The other nodes over the same log: which there are, who sits there, and what was missed.
//!
//! The log says which nodes are alive: each writes a sign of life there every second. The bus says
//! the rest, and says it quickly. A node that is alive and not heard is the reason for all caution:
//! then live games are read from the log every second, and nobody is said to have left.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hansu_journal::log_time;
use hansu_live::{GRACE, Here, Room, Sight};
use hansu_play::Millis;
use hansu_protocol::LiveGame;
use hansu_records::{Error, GameId, Holder, InvitationState, Seat};
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::bus::{GameNews, Heard, NodeId, NodeNews};
use crate::figures;
use crate::hub::Hub;
use crate::limits::Visitors;
use crate::table::Table;

/// How often a node says that it is there.
const BEACON: Duration = Duration::from_millis(250);
/// A node that was not heard for so long is not heard. With the pause before it and the time of a
/// reading after it, what the bus has lost is seen within two seconds.
const UNHEARD: Duration = Duration::from_millis(900);
/// How often the log is read when the bus does not tell everything.
const POLL: Duration = Duration::from_secs(1);
/// In so many readings each game is read once also when the bus tells everything: it may lose a
/// message.
const THOROUGH: u32 = 5;
/// A node whose last sign of life in the log is older is dead.
pub(crate) const DEAD: Millis = Millis::seconds(4);
/// A node that has written to the log within this time tells others that it has the log.
const HAS_LOG: Duration = Duration::from_secs(2);
/// A node that could not write to the log for this time has lost it; alone, when others still have it.
/// It is far more than `HAS_LOG`: nodes write once a second, each at another moment, so that of those
/// that lose the log together one notices first. Others believe by then that the node is dead.
const LOG_AWAY: Duration = Duration::from_millis(DEAD.0 + 1_000);
/// A node that has not heard itself over the bus for this time has lost the bus, too.
const BUS_AWAY: Duration = Duration::from_millis(DEAD.0);
/// How long a client that knows more than this node waits for the log. Then it is sent away: what it
/// would be shown here is the past.
const REACH: Duration = Duration::from_secs(5);
/// Games that are asked for in one statement.
const CHUNK: usize = 2_000;
/// In so many beacons other nodes are told once again of each game who is connected here: a lost
/// message must not make a node believe that somebody has left.
const REMIND: u32 = 20;
const _: () = assert!(REMIND as u128 * BEACON.as_millis() < GRACE.0 as u128);
/// How often the clock is compared with the log's, and how often when it is in doubt.
const CLOCK: Duration = Duration::from_secs(10);
const CLOCK_IN_DOUBT: Duration = Duration::from_secs(2);
/// Games to watch of which other nodes are told.
const MOST_TOLD: usize = 50;
/// Waiting games that are looked for in one reading.
const MOST_WAITING: usize = 100;

/// What is known of the other nodes.
pub(crate) struct Nodes {
    pub(crate) own: NodeId,
    known: Mutex<Known>,
    /// Cancelled when everybody here must go to another node.
    lines: Mutex<Option<CancellationToken>>,
    /// The log shall be read now.
    pub(crate) read: Notify,
    /// The seeks of the lobby shall be read now.
    pub(crate) lobby: Notify,
}

#[derive(Default)]
struct Known {
    peers: HashMap<NodeId, Peer>,
    /// When one's own voice last came back over the bus.
    echo: Option<Instant>,
    /// Whether it comes back.
    up: bool,
    /// When the log last took something.
    log: Option<Instant>,
    /// Whether others have the log and this node does not.
    cut_off: bool,
    sight: Sight,
    /// Games whose tables were set a moment ago: something may have happened between reading the
    /// log and being heard of.
    young: Vec<GameId>,
}

/// Another node.
#[derive(Default)]
struct Peer {
    heard: Option<Instant>,
    /// The same on the clock of games.
    heard_at: Millis,
    /// Whether the log says that it is alive.
    alive: bool,
    /// Whether it has the log.
    log: bool,
    people: u32,
    live: Vec<LiveGame>,
}

fn is_fresh(heard: Option<Instant>, within: Duration) -> bool {
    heard.is_some_and(|heard| heard.elapsed() < within)
}

impl Nodes {
    pub(crate) fn new(own: NodeId) -> Nodes {
        // Nobody is heard yet.
        let known = Known { sight: Sight::Partial, ..Known::default() };
        Nodes {
            own,
            known: Mutex::new(known),
            lines: Mutex::default(),
            read: Notify::new(),
            lobby: Notify::new(),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the bus works, as far as this node can tell.
    pub(crate) fn bus_is_up(&self) -> bool {
        self.known().up
    }

    /// The log has taken something.
    pub(crate) fn has_log(&self) {
        self.known().log = Some(Instant::now());
    }

    /// Whether this node has lost the log, and others have it as far as one can tell: nobody can play
    /// here.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.known().cut_off
    }

    /// What a connection looks at to see whether it must end: the server stops, or is cut off.
    pub(crate) fn lines(&self, stop: &CancellationToken) -> CancellationToken {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.get_or_insert_with(|| stop.child_token()).clone()
    }

    /// Sends everybody to another node.
    fn close_lines(&self) {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(lines) = lines {
            lines.cancel();
        }
    }

    /// How many other nodes are alive.
    pub(crate) fn others(&self) -> usize {
        self.known().peers.values().filter(|peer| peer.alive).count()
    }

    /// How far this node sees.
    pub(crate) fn sight(&self) -> Sight {
        self.known().sight
    }

    /// Whether the log says that a node is alive, or it was just heard.
    pub(crate) fn is_alive(&self, node: NodeId) -> bool {
        let here = |peer: &Peer| peer.alive || is_fresh(peer.heard, UNHEARD);
        node == self.own || self.known().peers.get(&node).is_some_and(here)
    }

    /// People at other nodes.
    pub(crate) fn people(&self) -> u32 {
        self.known().peers.values().fold(0, |all, peer| all.saturating_add(peer.people))
    }

    /// Games to watch at other nodes.
    pub(crate) fn live(&self) -> Vec<LiveGame> {
        self.known().peers.values().flat_map(|peer| peer.live.iter().cloned()).collect()
    }

    /// A table is set.
    pub(crate) fn note_new_table(&self, game: GameId) {
        self.known().young.push(game);
    }
}

/// Does everything that is to be done because there are other nodes.
pub(crate) async fn live_together(hub: Arc<Hub>, visitors: Arc<Visitors>, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = speak(&hub, &visitors) => {}
        () = read(&hub) => {}
        () = keep_clock(&hub) => {}
    }
}

/// Says who is here, and looks who else is.
async fn speak(hub: &Arc<Hub>, visitors: &Visitors) {
    let mut beacon = interval(BEACON);
    beacon.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut told = Vec::new();
    for number in 0_u32.. {
        beacon.tick().await;
        let log = is_fresh(hub.nodes.known().log, HAS_LOG);
        hub.bus.tell_nodes(&NodeNews::Alive { people: hub.lobby.people(), log });
        hub.look_around();
        if number % 4 == 0 {
            let mut games = hub.live_games();
            games.sort_by_key(|game| std::cmp::Reverse(game.spectators));
            games.truncate(MOST_TOLD);
            if games != told || number % 40 == 0 {
                hub.bus.tell_nodes(&NodeNews::Live { games: games.clone() });
                told = games;
            }
            let spent = visitors.spent();
            if !spent.is_empty() {
                hub.bus.tell_nodes(&NodeNews::Spent { spent });
            }
        }
        let due = |table: &Arc<Table>| has_turn(table.id(), number, REMIND);
        hub.tables.all().iter().filter(|table| due(table)).for_each(|table| hub.tell_here(table));
    }
}

/// Reads what the bus has not told.
async fn read(hub: &Arc<Hub>) {
    let mut every = interval(POLL);
    every.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for number in 0_u32.. {
        let urgent = tokio::select! {
            _ = every.tick() => false,
            () = hub.nodes.read.notified() => true,
        };
        if let Err(error) = hub.read_beats().await {
            tracing::warn!(%error, "the nodes' signs of life cannot be read");
        }
        hub.look_around();
        let mut games = std::mem::take(&mut hub.nodes.known().young);
        // The first question may have been asked before the answers could be heard.
        for game in &games {
            hub.bus.tell_game(*game, &GameNews::Who);
        }
        let careful = !hub.nodes.bus_is_up() || hub.nodes.sight() == Sight::Partial;
        let all = urgent || careful;
        let tables = hub.tables.all();
        let due = tables.iter().map(|table| table.id());
        games.extend(due.filter(|game| all || has_turn(*game, number, THOROUGH)));
        if let Err(error) = hub.read_missed(&games).await {
            tracing::warn!(%error, "live games cannot be read");
        }
    }
}

async fn keep_clock(hub: &Arc<Hub>) {
    loop {
        let pause = if hub.clock.doubt().is_some() { CLOCK_IN_DOUBT } else { CLOCK };
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

/// Whether a game's turn has come: each has one in so many, all together not at once.
fn has_turn(game: GameId, number: u32, of: u32) -> bool {
    let sum = game.as_str().bytes().map(u32::from).sum::<u32>();
    sum % of == number % of
}

impl Hub {
    /// Something came over the bus.
    pub(crate) fn heard(self: &Arc<Hub>, heard: Heard, visitors: &Visitors) {
        match heard {
            Heard::Game(game, node, news) => {
                if node != self.nodes.own {
                    self.heard_of_game(game, node, news);
                }
            }
            Heard::Node(node, NodeNews::Alive { .. }) if node == self.nodes.own => {
                self.nodes.known().echo = Some(Instant::now());
            }
            Heard::Node(node, news) => {
                if node != self.nodes.own {
                    self.heard_of_node(node, news, visitors);
                }
            }
        }
    }

    fn heard_of_game(self: &Arc<Hub>, game: GameId, node: NodeId, news: GameNews) {
        let Some(table) = self.tables.known(game) else { return };
        let now = self.now();
        match news {
            GameNews::Events { entries } => {
                self.at(&table, |game, now| game.heard(&entries, now));
            }
            GameNews::Last { seq } => {
                self.at(&table, |game, _| game.hint(seq));
            }
            GameNews::Here(here) => {
                self.nodes.known().peers.entry(node).or_default().heard_at = now;
                table.others(node.number(), here, now);
            }
            GameNews::Who => self.tell_here(&table),
            GameNews::Withdrawn => {
                let hub = self.clone();
                tokio::spawn(async move { hub.check_waiting(&table).await });
            }
        }
    }

    fn heard_of_node(self: &Arc<Hub>, node: NodeId, news: NodeNews, visitors: &Visitors) {
        let now = self.now();
        let mut known = self.nodes.known();
        if matches!(news, NodeNews::Bye) {
            known.peers.remove(&node);
            drop(known);
            self.tables.all().iter().for_each(|table| table.without(node.number(), now));
            return;
        }
        let peer = known.peers.entry(node).or_default();
        match news {
            NodeNews::Alive { people, log } => {
                peer.log = log;
                (peer.heard, peer.heard_at) = (Some(Instant::now()), now);
                if std::mem::replace(&mut peer.people, people) != people {
                    self.lobby.changed();
                }
            }
            NodeNews::Live { mut games } => {
                games.truncate(MOST_TOLD);
                if peer.live != games {
                    peer.live = games;
                    self.lobby.changed();
                }
            }
            NodeNews::Lobby => self.nodes.lobby.notify_one(),
            NodeNews::Spent { spent } => visitors.charge(&spent),
            NodeNews::HandedOver { from, to } => self.seat_anew(Holder(from), Holder(to)),
            NodeNews::Bye => {}
        }
    }

    fn tell_here(&self, table: &Table) {
        let here = table.look(Room::here);
        if here != Here::default() {
            self.bus.tell_game(table.id(), &GameNews::Here(here));
        }
    }

    /// The bus is back, and everything may be different: others are told who is here, and asked.
    fn introduce(&self) {
        for table in self.tables.all() {
            self.tell_here(&table);
            self.bus.tell_game(table.id(), &GameNews::Who);
        }
    }

    /// Looks whether all nodes that are alive are heard.
    fn look_around(self: &Arc<Hub>) {
        let (came_back, lost, turned, cut_off) = {
            let mut known = self.nodes.known();
            let up = is_fresh(known.echo, UNHEARD);
            let was_up = std::mem::replace(&mut known.up, up);
            let mut alive = known.peers.values().filter(|peer| peer.alive);
            let all = alive.all(|peer| is_fresh(peer.heard, UNHEARD));
            let sight = if all { Sight::Whole } else { Sight::Partial };
            let was = std::mem::replace(&mut known.sight, sight);
            let turned = (sight != was).then_some(sight);
            // Without the log for a while, and others have it or cannot be asked.
            let away = known.log.is_some() && !is_fresh(known.log, LOG_AWAY);
            let has = |peer: &Peer| peer.log && is_fresh(peer.heard, UNHEARD);
            let alone = !is_fresh(known.echo, BUS_AWAY) || known.peers.values().any(has);
            let cut_off = away && alone;
            let was_cut_off = std::mem::replace(&mut known.cut_off, cut_off);
            let lost = was_up && !up || turned == Some(Sight::Partial);
            (up && !was_up, lost, turned, cut_off && !was_cut_off)
        };
        if cut_off {
            tracing::warn!("this node has lost the log; everybody is sent to another");
            self.nodes.close_lines();
        }
        if let Some(sight) = turned {
            let now = self.now();
            self.tables.all().iter().for_each(|table| table.see(sight, now));
        }
        if came_back {
            self.introduce();
            self.nodes.lobby.notify_one();
        }
        if came_back || lost {
            self.nodes.read.notify_one();
        }
    }

    /// Reads which nodes are alive. People of those that are not are gone.
    async fn read_beats(self: &Arc<Hub>) -> Result<(), Error> {
        let beats = self.store.ask(|store| store.beats()).await?;
        let now = self.now();
        let oldest = log_time(now.minus(DEAD));
        let alive: Vec<NodeId> = beats
            .iter()
            .filter(|(_, at)| *at > oldest)
            .filter_map(|(node, _)| node.parse().ok())
            .filter(|node| *node != self.nodes.own)
            .collect();
        let mut dead = Vec::new();
        {
            let mut known = self.nodes.known();
            for node in &alive {
                known.peers.entry(*node).or_default();
            }
            known.peers.retain(|node, peer| {
                peer.alive = alive.contains(node);
                // One that has just started is heard before it is in the log.
                let stays = peer.alive || peer.heard_at.plus(DEAD) > now;
                if !stays {
                    dead.push((*node, peer.heard_at));
                }
                stays
            });
        }
        if !dead.is_empty() {
            let tables = self.tables.all();
            for (node, since) in dead {
                tracing::info!(%node, "a node is gone");
                tables.iter().for_each(|table| table.without(node.number(), since));
            }
            self.lobby.changed();
            self.nodes.lobby.notify_one();
        }
        Ok(())
    }

    /// Reads how far games are in the log, and what is missing here.
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
                let Some(table) = self.tables.known(*game) else { continue };
                match last.get(game) {
                    Some(&seq) => {
                        table.reseat(|old| {
                            let mut own = seats.iter().filter(|(of, _)| of == game);
                            own.find(|(_, seat)| seat.side == old.side)
                                .map_or(old, |(_, seat)| *seat)
                        });
                        figures::missed(seq.saturating_sub(table.seq()));
                        self.at(&table, |game, _| game.hint(seq));
                    }
                    None if table.is_waiting() => waiting.push(table),
                    None => {}
                }
            }
        }
        for table in waiting.iter().take(MOST_WAITING) {
            self.check_waiting(table).await;
        }
        Ok(())
    }

    /// Sends everybody away from a game whose invitation was taken back at another node.
    async fn check_waiting(self: &Arc<Hub>, table: &Arc<Table>) {
        let game = table.id();
        let open = self.store.ask(move |store| {
            let invitation = store.invitation_of(game)?;
            let open = invitation.filter(|one| one.state == InvitationState::Open);
            let host = open.map(|one| one.holder);
            Ok::<_, Error>((host, store.record(game)?.is_some()))
        });
        match open.await {
            Ok((Some(holder), false)) if table.is_waiting() => {
                table.reseat(|seat| Seat { holder, ..seat });
            }
            Ok((None, false)) if table.is_waiting() => {
                self.tables.clear(table.id());
                table.dismiss();
            }
            _ => {}
        }
    }

    /// Waits until an event is known here that a client knows, or the log says that there is none:
    /// it may be lying. False when the log says nothing.
    pub(crate) async fn reach(self: &Arc<Hub>, table: &Arc<Table>, seq: u64) -> bool {
        if !self.bus.is_shared() || table.seq() >= seq {
            return true;
        }
        self.at(table, |game, _| game.hint(seq));
        let known = async {
            while table.seq() < seq && !table.look(Room::is_idle) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        timeout(REACH, known).await.is_ok()
    }
}
