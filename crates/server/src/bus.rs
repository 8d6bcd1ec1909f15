//! What the nodes over one log tell each other.
//!
//! Messages are hints. They may be lost, late or doubled: what happened is in the log, and whoever
//! misses something reads it there. A node alone tells nobody anything, which costs nothing.

mod nats;

use std::fmt;
use std::str::FromStr;

use bytes::Bytes;
use hansu_play::Entry;
use hansu_protocol::LiveGame;
use hansu_records::{Error, GameId, NewEvent};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use self::nats::Nats;
pub use self::nats::{BadAddress, BusAddress};
use crate::limits::Spent;
use hansu_live::Here;

/// The longest message: what is longer is only hinted at. NATS itself takes 1 MiB.
const LONGEST: usize = 256 * 1024;

/// A node from its start to its end; started again, it is another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NodeId(u64);

/// A text that names no node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoNode;

impl NodeId {
    /// A name that no other node has.
    ///
    /// # Errors
    ///
    /// When the operating system has no random numbers.
    pub fn random() -> Result<NodeId, Error> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|_| Error::NoRandomness)?;
        Ok(NodeId(u64::from_le_bytes(bytes)))
    }

    /// The number behind the name.
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Display for NoNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no name of a node")
    }
}

impl FromStr for NodeId {
    type Err = NoNode;

    fn from_str(text: &str) -> Result<NodeId, NoNode> {
        let number = u64::from_str_radix(text, 16).map_err(|_| NoNode)?;
        if text.len() == 16 { Ok(NodeId(number)) } else { Err(NoNode) }
    }
}

impl TryFrom<String> for NodeId {
    type Error = NoNode;

    fn try_from(text: String) -> Result<NodeId, NoNode> {
        text.parse()
    }
}

impl From<NodeId> for String {
    fn from(node: NodeId) -> String {
        node.to_string()
    }
}

/// What a node tells of a game, to those that have a table for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum GameNews<E = Entry> {
    /// These are in the log, which keeps them as JSON.
    Events { entries: Vec<E> },
    /// The log has events up to this one.
    Last { seq: u64 },
    /// So many are connected here.
    Here(Here),
    /// Who is connected where?
    Who,
    /// The invitation is taken back.
    Withdrawn,
}

/// What a node tells all others.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum NodeNews {
    /// It is alive and has so many people; whether it has the log. (One that does not say so is of
    /// an older version.)
    Alive {
        people: u32,
        #[serde(default)]
        log: bool,
    },
    /// The games to be watched that it has a table for.
    Live { games: Vec<LiveGame> },
    /// Somebody seeks an opponent, or does so no longer.
    Lobby,
    /// What addresses have used up of their rates there.
    Spent { spent: Vec<Spent> },
    /// A player has another key: the hashes of the old and the new one.
    HandedOver { from: [u8; 32], to: [u8; 32] },
    /// It stops.
    Bye,
}

/// News and whose they are.
#[derive(Serialize, Deserialize)]
struct Signed<T> {
    node: NodeId,
    news: T,
}

/// Something that came over the bus.
#[derive(Debug)]
pub(crate) enum Heard {
    Game(GameId, NodeId, GameNews),
    Node(NodeId, NodeNews),
}

/// How nodes are told.
pub(crate) enum Bus {
    /// There is one node.
    Local,
    /// Over NATS.
    Nats { nats: Nats, own: NodeId },
}

/// As long as this is held, news of a game are heard.
#[derive(Debug)]
pub(crate) struct Follow {
    _held: oneshot::Sender<()>,
}

impl Bus {
    /// Joins the others; `heard` is called with what they say, also with what one says oneself.
    pub(crate) fn join(
        address: BusAddress,
        own: NodeId,
        heard: impl Fn(Heard) + Send + Sync + 'static,
    ) -> Bus {
        Bus::Nats { nats: Nats::start(address, own, heard), own }
    }

    /// Whether there may be other nodes.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, Bus::Nats { .. })
    }

    /// Listens to the news of a game.
    pub(crate) fn follow(&self, game: GameId) -> Option<Follow> {
        match self {
            Bus::Local => None,
            Bus::Nats { nats, .. } => {
                let (held, gone) = oneshot::channel();
                nats.follow(game, gone);
                Some(Follow { _held: held })
            }
        }
    }

    /// Tells those that have a table for a game.
    pub(crate) fn tell_game(&self, game: GameId, news: &GameNews) {
        if let Bus::Nats { nats, own } = self {
            nats.tell_game(game, signed(*own, news));
        }
    }

    /// Tells all nodes.
    pub(crate) fn tell_nodes(&self, news: &NodeNews) {
        if let Bus::Nats { nats, own } = self {
            nats.tell_nodes(signed(*own, news));
        }
    }

    /// What there will be to tell when these events are kept; nothing when nobody listens.
    pub(crate) fn written(&self, first: u64, events: &[NewEvent]) -> Option<Bytes> {
        let Bus::Nats { own, .. } = self else { return None };
        let length: usize = events.iter().map(|event| event.body.len() + 1).sum();
        let entries: Result<Vec<&RawValue>, _> =
            events.iter().map(|event| serde_json::from_str(&event.body)).collect();
        Some(match entries {
            Ok(entries) if length <= LONGEST => signed(*own, &GameNews::Events { entries }),
            _ => {
                let seq = first.saturating_add(events.len() as u64).saturating_sub(1);
                signed(*own, &GameNews::<Entry>::Last { seq })
            }
        })
    }

    /// Tells of events that are kept now.
    pub(crate) fn kept(&self, game: GameId, told: Bytes) {
        if let Bus::Nats { nats, .. } = self {
            nats.tell_game(game, told);
        }
    }
}

fn signed<T: Serialize>(node: NodeId, news: &T) -> Bytes {
    // All map keys of what is told are strings, so serialisation cannot fail.
    serde_json::to_vec(&Signed { node, news }).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansu_play::{Event, Millis, Start};

    #[test]
    fn what_is_told_of_events_is_what_the_log_keeps() {
        let own = NodeId(7);
        let (heard, _) = tokio::sync::mpsc::unbounded_channel::<()>();
        drop(heard);
        let entry =
            Entry { seq: 1, at: Millis(5), event: Event::Started(Start::between("Mina", "Jun")) };
        let events = [hansu_journal::written(&entry).unwrap()];
        let told = Bus::Local.written(1, &events);
        assert!(told.is_none());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _in = runtime.enter();
        let bus = Bus::join("nats://127.0.0.1:1".parse().unwrap(), own, |_| {});
        let told = bus.written(1, &events).unwrap();
        let Signed { node, news } = serde_json::from_slice::<Signed<GameNews>>(&told).unwrap();
        let GameNews::Events { entries } = news else { panic!("{news:?}") };
        assert_eq!((node, entries), (own, vec![entry]));
        let long = NewEvent { at: 0, body: "x".repeat(LONGEST) };
        let told = bus.written(4, &[long.clone(), long]).unwrap();
        let Signed { news, .. } = serde_json::from_slice::<Signed<GameNews>>(&told).unwrap();
        assert!(matches!(news, GameNews::Last { seq: 5 }), "{news:?}");
    }

    #[test]
    fn a_node_has_one_name() {
        let node = NodeId(0x1f);
        assert_eq!(node.to_string().parse(), Ok(node));
        for bad in ["", "1f", "local", "000000000000001g", "0000000000000001f"] {
            assert_eq!(bad.parse::<NodeId>(), Err(NoNode), "{bad}");
        }
    }
}
