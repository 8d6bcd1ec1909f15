//! The bus over NATS: one subject per game, and one for all nodes.
//!
//! It reconnects by itself, without a limit of tries or time. A sender never waits: a message that
//! does not fit into the queue is dropped and counted, and a node that misses it reads the log.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event, ServerAddr, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt as _;
use hansu_records::GameId;
use percent_encoding::percent_decode_str;
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use super::{BusMessage, Envelope, LONGEST, NodeId};

/// At most this many messages wait to be sent.
const QUEUE: usize = 16 * 1024;
/// At most this many messages about one game wait to be read.
const UNREAD: usize = 256;
/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(2);
/// Time between two pings to NATS; the connection ends after the third without an answer.
const PING: Duration = Duration::from_secs(1);
/// The longest pause between two tries to connect.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// The first word of all subjects, unless the address has a path.
const PREFIX: &str = "hansu";

/// The address of the bus: `nats://host:4222`, several with commas between them. The path, if there
/// is one, is the first word of all subjects, for installations that share a NATS server.
#[derive(Clone)]
pub struct BusAddress {
    servers: Vec<ServerAddr>,
    prefix: String,
}

/// The text is not the address of a bus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressError;

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write it like nats://host:4222")
    }
}

impl std::error::Error for AddressError {}

impl FromStr for BusAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<BusAddress, AddressError> {
        let mut prefix = PREFIX.to_owned();
        let mut servers = Vec::new();
        for part in text.split(',').map(str::trim) {
            let rest = part.strip_prefix("nats://").or_else(|| part.strip_prefix("tls://"));
            let (host, path) = match rest.ok_or(AddressError)?.split_once('/') {
                Some((host, path)) => (host, path.trim_end_matches('/')),
                None => (rest.ok_or(AddressError)?, ""),
            };
            if !path.is_empty() {
                let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
                if !path.chars().all(plain) || path.len() > 64 {
                    return Err(AddressError);
                }
                prefix = path.to_owned();
            }
            // The host stands behind the user name and the password, if they are there.
            if host.rsplit('@').next().is_none_or(str::is_empty) {
                return Err(AddressError);
            }
            let scheme = part.split("://").next().unwrap_or_default();
            servers.push(format!("{scheme}://{host}").parse().map_err(|_| AddressError)?);
        }
        Ok(BusAddress { servers, prefix })
    }
}

/// Leaves out the password.
impl fmt::Debug for BusAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BusAddress({})", self.shown())
    }
}

impl BusAddress {
    /// The user name and the password of the first server that has them; the library does not take
    /// them from addresses.
    fn credentials(&self) -> Option<(String, String)> {
        let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let own = self.servers.iter().find(|at| at.has_user_pass())?;
        Some((plain(own.username()?), plain(own.password().unwrap_or_default())))
    }

    /// The address without user names and passwords, for messages to people.
    pub fn shown(&self) -> String {
        let hosts = self.servers.iter().map(|at| format!("nats://{}:{}", at.host(), at.port()));
        hosts.collect::<Vec<_>>().join(",")
    }
}

/// The bus over NATS.
pub(crate) struct Nats {
    prefix: String,
    outbox: mpsc::Sender<(String, Bytes)>,
    /// Games to subscribe to; a subscription ends when the sender of its channel is dropped.
    subscriptions: mpsc::UnboundedSender<(GameId, oneshot::Receiver<()>)>,
}

type Listener = Arc<dyn Fn(BusMessage) + Send + Sync>;

impl Nats {
    pub(super) fn start(
        address: BusAddress,
        own: NodeId,
        receive: impl Fn(BusMessage) + Send + Sync + 'static,
    ) -> Nats {
        let prefix = address.prefix.clone();
        let (outbox, messages) = mpsc::channel(QUEUE);
        let (subscriptions, games) = mpsc::unbounded_channel();
        tokio::spawn(run(address, own, Arc::new(receive), messages, games));
        Nats { prefix, outbox, subscriptions }
    }

    pub(super) fn subscribe(&self, game: GameId, gone: oneshot::Receiver<()>) {
        // The receiver is gone only when the server has stopped.
        let _ = self.subscriptions.send((game, gone));
    }

    pub(super) fn send_to_game(&self, game: GameId, message: Bytes) {
        self.send(game_subject(&self.prefix, game), message);
    }

    pub(super) fn send_to_nodes(&self, message: Bytes) {
        self.send(nodes_subject(&self.prefix), message);
    }

    fn send(&self, subject: String, message: Bytes) {
        if self.outbox.try_send((subject, message)).is_err() {
            metrics::counter!("hansu_bus_dropped_total").increment(1);
        }
    }
}

fn game_subject(prefix: &str, game: GameId) -> String {
    format!("{prefix}.game.{game}")
}

fn nodes_subject(prefix: &str) -> String {
    format!("{prefix}.nodes")
}

async fn connect(address: &BusAddress, own: NodeId) -> Client {
    loop {
        let options = ConnectOptions::new()
            .name(format!("hansu {own}"))
            .connection_timeout(CONNECT)
            .ping_interval(PING)
            .subscription_capacity(UNREAD)
            .retry_on_initial_connect()
            .max_reconnects(None)
            .reconnect_delay_callback(|tries| {
                LONGEST_PAUSE.min(Duration::from_millis(50) * u32::try_from(tries).unwrap_or(10))
            })
            .event_callback(|event| async move {
                match event {
                    Event::Connected => tracing::info!("the bus is there"),
                    Event::Disconnected => tracing::warn!("the bus is away; the log is read"),
                    // Missed messages are read from the log.
                    Event::SlowConsumer(_) => {
                        metrics::counter!("hansu_bus_missed_total").increment(1);
                    }
                    other => tracing::debug!(%other, "the bus"),
                }
            });
        let options = match address.credentials() {
            Some((user, password)) => options.user_and_password(user, password),
            None => options,
        };
        match options.connect(address.servers.clone()).await {
            Ok(client) => return client,
            Err(error) => tracing::warn!(%error, "no bus"),
        }
        sleep(LONGEST_PAUSE).await;
    }
}

async fn run(
    address: BusAddress,
    own: NodeId,
    listener: Listener,
    mut messages: mpsc::Receiver<(String, Bytes)>,
    mut games: mpsc::UnboundedReceiver<(GameId, oneshot::Receiver<()>)>,
) {
    let client = connect(&address, own).await;
    let prefix = address.prefix;
    if let Ok(subscriber) = client.subscribe(nodes_subject(&prefix)).await {
        let listener = listener.clone();
        tokio::spawn(listen(subscriber, move |bytes| {
            if let Some(Envelope { node, news }) = read(bytes) {
                listener(BusMessage::Node(node, news));
            }
        }));
    }
    let sender = client.clone();
    let sending = tokio::spawn(async move {
        while let Some((subject, message)) = messages.recv().await {
            if sender.publish(subject, message).await.is_err() {
                metrics::counter!("hansu_bus_dropped_total").increment(1);
            }
        }
        let _ = sender.flush().await;
    });
    while let Some((game, mut gone)) = games.recv().await {
        // The game was removed before its turn came.
        if gone.try_recv() == Err(oneshot::error::TryRecvError::Closed) {
            continue;
        }
        let Ok(subscriber) = client.subscribe(game_subject(&prefix, game)).await else { continue };
        let listener = listener.clone();
        tokio::spawn(async move {
            let listening = listen(subscriber, move |bytes| {
                if let Some(Envelope { node, news }) = read(bytes) {
                    listener(BusMessage::Game(game, node, news));
                }
            });
            tokio::select! {
                () = listening => {}
                _ = gone => {}
            }
        });
    }
    let _ = sending.await;
}

async fn listen(mut subscriber: Subscriber, receive: impl Fn(&[u8])) {
    while let Some(message) = subscriber.next().await {
        receive(&message.payload);
    }
}

/// Parses a message. None when it is too long, malformed, or of an unknown type of a newer version.
fn read<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<Envelope<T>> {
    let read = Some(bytes).filter(|bytes| bytes.len() <= 2 * LONGEST);
    let read = read.and_then(|bytes| serde_json::from_slice(bytes).ok());
    if read.is_none() {
        metrics::counter!("hansu_bus_unread_total").increment(1);
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_servers_and_perhaps_a_prefix() {
        let address: BusAddress = "nats://a:1,nats://anna:secret@b".parse().unwrap();
        assert_eq!(address.shown(), "nats://a:1,nats://b:4222");
        assert!(!format!("{address:?}").contains("secret"));
        assert_eq!(address.prefix, "hansu");
        let named = "nats://a:1,nats://anna:se%20cret@b".parse::<BusAddress>().unwrap();
        assert_eq!(named.credentials(), Some(("anna".to_owned(), "se cret".to_owned())));
        assert_eq!("nats://a".parse::<BusAddress>().unwrap().credentials(), None);
        let address: BusAddress = "nats://a/club-2/".parse().unwrap();
        assert_eq!(
            (address.prefix.as_str(), address.shown().as_str()),
            ("club-2", "nats://a:4222")
        );
        for bad in
            ["", "a:4222", "http://a", "nats://", "nats://a/b.c", "nats://a/b/c", "nats://a,"]
        {
            assert!(bad.parse::<BusAddress>().is_err(), "{bad}");
        }
    }
}
