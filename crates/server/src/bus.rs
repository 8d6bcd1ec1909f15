//! The messages between the nodes that share a log.
//!
//! Messages are hints. They may be lost, late or doubled: what happened is in the log, and a node
//! that misses a message reads it there. A server without other nodes sends nothing.

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
pub use self::nats::{AddressError, BusAddress};
use crate::limits::Usage;
use hansu_live::Connections;

/// At most this many bytes of events per message; of longer ones only the number of the last event
/// is sent. NATS itself takes 1 MiB.
const LONGEST: usize = 256 * 1024;

/// The name of one run of a node: 16 hexadecimal digits. After a restart it is another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NodeId(u64);

/// The text is not the name of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeIdError;

impl NodeId {
    /// A random name, different from that of any other node.
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

impl fmt::Display for NodeIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no name of a node")
    }
}

impl FromStr for NodeId {
    type Err = NodeIdError;

    fn from_str(text: &str) -> Result<NodeId, NodeIdError> {
        let number = u64::from_str_radix(text, 16).map_err(|_| NodeIdError)?;
        if text.len() == 16 { Ok(NodeId(number)) } else { Err(NodeIdError) }
    }
}

impl TryFrom<String> for NodeId {
    type Error = NodeIdError;

    fn try_from(text: String) -> Result<NodeId, NodeIdError> {
        text.parse()
    }
}

impl From<NodeId> for String {
    fn from(node: NodeId) -> String {
        node.to_string()
    }
}

/// What a node sends about a game to the nodes that host it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum GameNews<E = Entry> {
    /// Events that are now in the log, as the JSON that it keeps.
    Events { entries: Vec<E> },
    /// The log has events up to this one.
    Last { seq: u64 },
    /// The connections at the sending node.
    Here(Connections),
    /// Asks the other nodes for their `Here`.
    Who,
    /// The invitation was withdrawn.
    Withdrawn,
}

/// What a node sends to all others.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum NodeNews {
    /// The beacon of a live node: how many people are connected, and whether it has the log. (A
    /// node of an older version sends no `log`.)
    Alive {
        people: u32,
        #[serde(default)]
        log: bool,
    },
    /// Public games that it hosts.
    Live { games: Vec<LiveGame> },
    /// The seeks have changed.
    Lobby,
    /// What addresses have used of their rates there.
    Spent { spent: Vec<Usage> },
    /// A player has another key: the hashes of the old and the new one.
    HandedOver { from: [u8; 32], to: [u8; 32] },
    /// The node stops.
    Bye,
}

/// A message with its sender.
#[derive(Serialize, Deserialize)]
struct Envelope<T> {
    node: NodeId,
    news: T,
}

/// A message that came over the bus.
#[derive(Debug)]
pub(crate) enum BusMessage {
    Game(GameId, NodeId, GameNews),
    Node(NodeId, NodeNews),
}

/// The way to the other nodes.
pub(crate) enum Bus {
    /// There is one node.
    Local,
    /// Over NATS.
    Nats { nats: Nats, own: NodeId },
}

/// A subscription to the messages about a game; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Subscription {
    _held: oneshot::Sender<()>,
}

impl Bus {
    /// Connects to the bus. `receive` is called with every message, own ones included.
    pub(crate) fn join(
        address: BusAddress,
        own: NodeId,
        receive: impl Fn(BusMessage) + Send + Sync + 'static,
    ) -> Bus {
        Bus::Nats { nats: Nats::start(address, own, receive), own }
    }

    /// True if there may be other nodes.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, Bus::Nats { .. })
    }

    /// Subscribes to the messages about a game. None when there is only one node.
    pub(crate) fn subscribe(&self, game: GameId) -> Option<Subscription> {
        match self {
            Bus::Local => None,
            Bus::Nats { nats, .. } => {
                let (held, gone) = oneshot::channel();
                nats.subscribe(game, gone);
                Some(Subscription { _held: held })
            }
        }
    }

    /// Sends a message to the nodes that host a game.
    pub(crate) fn send_to_game(&self, game: GameId, news: &GameNews) {
        if let Bus::Nats { nats, own } = self {
            nats.send_to_game(game, encode(*own, news));
        }
    }

    /// Sends a message to all nodes.
    pub(crate) fn send_to_nodes(&self, news: &NodeNews) {
        if let Bus::Nats { nats, own } = self {
            nats.send_to_nodes(encode(*own, news));
        }
    }

    /// The message to be sent when these events are in the log. None when there is only one node.
    pub(crate) fn encode_events(&self, first: u64, events: &[NewEvent]) -> Option<Bytes> {
        let Bus::Nats { own, .. } = self else { return None };
        let length: usize = events.iter().map(|event| event.body.len() + 1).sum();
        let entries: Result<Vec<&RawValue>, _> =
            events.iter().map(|event| serde_json::from_str(&event.body)).collect();
        Some(match entries {
            Ok(entries) if length <= LONGEST => encode(*own, &GameNews::Events { entries }),
            _ => {
                let seq = first.saturating_add(events.len() as u64).saturating_sub(1);
                encode(*own, &GameNews::<Entry>::Last { seq })
            }
        })
    }

    /// Sends the message about events that are in the log now.
    pub(crate) fn send_encoded(&self, game: GameId, message: Bytes) {
        if let Bus::Nats { nats, .. } = self {
            nats.send_to_game(game, message);
        }
    }
}

fn encode<T: Serialize>(node: NodeId, news: &T) -> Bytes {
    // All map keys are strings, so serialisation cannot fail.
    serde_json::to_vec(&Envelope { node, news }).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansu_play::{Event, Millis, Start};

    #[test]
    fn what_is_told_of_events_is_what_the_log_keeps() {
        let own = NodeId(7);
        let entry =
            Entry { seq: 1, at: Millis(5), event: Event::Started(Start::between("Mina", "Jun")) };
        let events = [hansu_journal::to_event(&entry).unwrap()];
        let message = Bus::Local.encode_events(1, &events);
        assert!(message.is_none());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _in = runtime.enter();
        let bus = Bus::join("nats://127.0.0.1:1".parse().unwrap(), own, |_| {});
        let message = bus.encode_events(1, &events).unwrap();
        let Envelope { node, news } =
            serde_json::from_slice::<Envelope<GameNews>>(&message).unwrap();
        let GameNews::Events { entries } = news else { panic!("{news:?}") };
        assert_eq!((node, entries), (own, vec![entry]));
        let long = NewEvent { at: 0, body: "x".repeat(LONGEST) };
        let message = bus.encode_events(4, &[long.clone(), long]).unwrap();
        let Envelope { news, .. } = serde_json::from_slice::<Envelope<GameNews>>(&message).unwrap();
        assert!(matches!(news, GameNews::Last { seq: 5 }), "{news:?}");
    }

    #[test]
    fn a_node_has_one_name() {
        let node = NodeId(0x1f);
        assert_eq!(node.to_string().parse(), Ok(node));
        for bad in ["", "1f", "local", "000000000000001g", "0000000000000001f"] {
            assert_eq!(bad.parse::<NodeId>(), Err(NodeIdError), "{bad}");
        }
    }
}
