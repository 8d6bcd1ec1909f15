//! The bus over NATS: one subject a game, one for all nodes.
//!
//! It comes back by itself, however often and however long it is away. Whoever tells something never
//! waits: what finds no place in the queue is dropped and counted, and those who miss it read the
//! log.

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

use super::{Heard, LONGEST, NodeId, Signed};

/// Messages that may wait to be sent.
const QUEUE: usize = 16 * 1024;
/// Messages of one game that may wait to be read.
const UNREAD: usize = 256;
/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(2);
/// How often NATS is asked whether it is there; the third silence is the end of a connection.
const PING: Duration = Duration::from_secs(1);
/// The longest pause between two tries to connect.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// The subjects' first word, when no other is asked for.
const PREFIX: &str = "hansu";

/// Where the bus is: `nats://host:4222`, several with commas between them. The path, if there is
/// one, is the first word of all subjects, for those who share a NATS.
#[derive(Clone)]
pub struct BusAddress {
    servers: Vec<ServerAddr>,
    prefix: String,
}

/// A text that is no such address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadAddress;

impl fmt::Display for BadAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write it like nats://host:4222")
    }
}

impl std::error::Error for BadAddress {}

impl FromStr for BusAddress {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<BusAddress, BadAddress> {
        let mut prefix = PREFIX.to_owned();
        let mut servers = Vec::new();
        for part in text.split(',').map(str::trim) {
            let rest = part.strip_prefix("nats://").or_else(|| part.strip_prefix("tls://"));
            let (host, path) = match rest.ok_or(BadAddress)?.split_once('/') {
                Some((host, path)) => (host, path.trim_end_matches('/')),
                None => (rest.ok_or(BadAddress)?, ""),
            };
            if !path.is_empty() {
                let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
                if !path.chars().all(plain) || path.len() > 64 {
                    return Err(BadAddress);
                }
                prefix = path.to_owned();
            }
            // Behind the name and the password, if they are there.
            if host.rsplit('@').next().is_none_or(str::is_empty) {
                return Err(BadAddress);
            }
            let scheme = part.split("://").next().unwrap_or_default();
            servers.push(format!("{scheme}://{host}").parse().map_err(|_| BadAddress)?);
        }
        Ok(BusAddress { servers, prefix })
    }
}

/// It may have a password in it.
impl fmt::Debug for BusAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BusAddress({})", self.shown())
    }
}

impl BusAddress {
    /// The name and the password of the first server that has them; the library does not take them
    /// from addresses.
    fn credentials(&self) -> Option<(String, String)> {
        let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let own = self.servers.iter().find(|at| at.has_user_pass())?;
        Some((plain(own.username()?), plain(own.password().unwrap_or_default())))
    }

    /// How it is spoken of: without a password.
    pub fn shown(&self) -> String {
        let hosts = self.servers.iter().map(|at| format!("nats://{}:{}", at.host(), at.port()));
        hosts.collect::<Vec<_>>().join(",")
    }
}

/// The bus over NATS.
pub(crate) struct Nats {
    prefix: String,
    outbox: mpsc::Sender<(String, Bytes)>,
    /// Games to be followed; each for as long as its other end lives.
    follows: mpsc::UnboundedSender<(GameId, oneshot::Receiver<()>)>,
}

type Ear = Arc<dyn Fn(Heard) + Send + Sync>;

impl Nats {
    pub(super) fn start(
        address: BusAddress,
        own: NodeId,
        heard: impl Fn(Heard) + Send + Sync + 'static,
    ) -> Nats {
        let prefix = address.prefix.clone();
        let (outbox, letters) = mpsc::channel(QUEUE);
        let (follows, games) = mpsc::unbounded_channel();
        tokio::spawn(run(address, own, Arc::new(heard), letters, games));
        Nats { prefix, outbox, follows }
    }

    pub(super) fn follow(&self, game: GameId, gone: oneshot::Receiver<()>) {
        // Nobody takes it only when the server is gone.
        let _ = self.follows.send((game, gone));
    }

    pub(super) fn tell_game(&self, game: GameId, told: Bytes) {
        self.tell(about(&self.prefix, game), told);
    }

    pub(super) fn tell_nodes(&self, told: Bytes) {
        self.tell(to_all(&self.prefix), told);
    }

    fn tell(&self, subject: String, told: Bytes) {
        if self.outbox.try_send((subject, told)).is_err() {
            metrics::counter!("hansu_bus_dropped_total").increment(1);
        }
    }
}

fn about(prefix: &str, game: GameId) -> String {
    format!("{prefix}.game.{game}")
}

fn to_all(prefix: &str) -> String {
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
                    // Those who missed something read the log.
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
    ear: Ear,
    mut letters: mpsc::Receiver<(String, Bytes)>,
    mut games: mpsc::UnboundedReceiver<(GameId, oneshot::Receiver<()>)>,
) {
    let client = connect(&address, own).await;
    let prefix = address.prefix;
    if let Ok(subscriber) = client.subscribe(to_all(&prefix)).await {
        let ear = ear.clone();
        tokio::spawn(listen(subscriber, move |bytes| {
            if let Some(Signed { node, news }) = read(bytes) {
                ear(Heard::Node(node, news));
            }
        }));
    }
    let sender = client.clone();
    let sending = tokio::spawn(async move {
        while let Some((subject, told)) = letters.recv().await {
            if sender.publish(subject, told).await.is_err() {
                metrics::counter!("hansu_bus_dropped_total").increment(1);
            }
        }
        let _ = sender.flush().await;
    });
    while let Some((game, mut gone)) = games.recv().await {
        // Put away again before its turn came.
        if gone.try_recv() == Err(oneshot::error::TryRecvError::Closed) {
            continue;
        }
        let Ok(subscriber) = client.subscribe(about(&prefix, game)).await else { continue };
        let ear = ear.clone();
        tokio::spawn(async move {
            let listening = listen(subscriber, move |bytes| {
                if let Some(Signed { node, news }) = read(bytes) {
                    ear(Heard::Game(game, node, news));
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

async fn listen(mut subscriber: Subscriber, heard: impl Fn(&[u8])) {
    while let Some(message) = subscriber.next().await {
        heard(&message.payload);
    }
}

/// A message; nothing when it is none, or one of a newer version that is not understood here.
fn read<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<Signed<T>> {
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
