//! Several nodes lose nothing under any fault; `make soak-nodes` runs the full size.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use hansu_load::api::{self, ApiClient};
use hansu_load::cluster::{Cluster, Fault};
use hansu_load::measure::Rate;
use hansu_load::nodes::Nodes;
use hansu_load::opening::{self, OpenedGame};
use hansu_load::player::{self, Socket, hello};
use hansu_load::received::Received;
use hyper::Method;
use tokio_websockets::ClientBuilder;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_while_nodes_database_and_bus_are_killed() {
    let nodes = Nodes {
        nodes: 3,
        games: 100,
        watchers: 40,
        rate: Rate::Fixed(250.0),
        seconds: 2,
        node_kills: 4,
        database_kills: 2,
        bus_kills: 2,
        freezes: 1,
        cuts: 2,
        longest: 40,
        seed: fastrand::u64(..),
    };
    println!("seed {}", nodes.seed);
    let survived = nodes.run_and_audit().await.unwrap();
    println!("{survived:?}");
    // There was enough traffic that something could have been lost.
    assert!(survived.audit.acknowledged > 1_000, "{survived:?}");
    assert!(survived.audit.heard > 2 * survived.audit.acknowledged, "{survived:?}");
    // The faults had an effect: commands were sent again, or time was given back. Which of the two,
    // and how often, depends on what was under way at that moment.
    assert!(survived.resent > 0 || survived.audit.credits > 0, "{survived:?}");
    assert!(survived.figures.crossing.count > 100, "{survived:?}");
}

async fn watch(server: SocketAddr, game: &str) -> Socket {
    let stream = api::connect(server, 0).await.unwrap();
    let uri = format!("ws://{server}/api/games/{game}/socket").parse().unwrap();
    let (mut socket, _) = ClientBuilder::from_uri(uri).connect_on(stream).await.unwrap();
    socket.send(hello(0)).await.unwrap();
    socket
}

/// The event number in the server's welcome to a client that knows `seq`; `None` if the server
/// refuses it.
async fn welcome_seq(server: SocketAddr, opened: &OpenedGame, seq: u64) -> Option<u64> {
    let mut socket = player::connect(server, 0, &opened.game, &opened.white).await.ok()?;
    socket.send(hello(seq)).await.ok()?;
    while let Some(Ok(message)) = socket.next().await {
        if let Some(Received::Welcome(welcome)) =
            message.as_text().and_then(|t| Received::parse(t).ok())
        {
            return Some(welcome.seq);
        }
    }
    None
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_knows_more_than_a_node_is_never_shown_the_past() {
    let mut cluster = Cluster::start(2, true).await.unwrap();
    let [here, there] = cluster.servers()[..] else { panic!("two nodes") };
    let opened = opening::games(here, 1).await.unwrap().remove(0);
    let mut white = player::connect_and_greet(here, &opened.game, &opened.white).await.unwrap();
    // The other node has the game too, but cannot learn of the move: neither from the bus nor from
    // the log, which is away by the time it can be asked again.
    let before = welcome_seq(there, &opened, 0).await.unwrap();
    cluster.begin_fault(Fault::Bus, 0).await.unwrap();
    cluster.cut();
    let seq = player::play_move(&mut white, "1", "e2e4").await.unwrap();
    assert!(seq > before, "{seq} {before}");
    cluster.begin_fault(Fault::Database, 0).await.unwrap();
    cluster.mend();
    let comes = tokio::spawn(async move {
        loop {
            if let Some(shown) = welcome_seq(there, &opened, seq).await {
                break shown;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    cluster.repair_fault(Fault::Database, 0).await.unwrap();
    let shown = tokio::time::timeout(Duration::from_secs(60), comes).await.unwrap().unwrap();
    // It may be more when the server has written an event itself: a player has left, or a credit.
    assert!(shown >= seq, "{shown} where {seq} is known");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_client_is_sent_away_when_all_nodes_lose_the_database() {
    let mut cluster = Cluster::start(3, false).await.unwrap();
    let game = opening::games(cluster.servers()[0], 1).await.unwrap().remove(0).game;
    let mut watchers = Vec::new();
    for server in cluster.servers() {
        watchers.push(watch(server, &game).await);
    }
    cluster.begin_fault(Fault::Database, 0).await.unwrap();
    // Longer than a node waits that has lost the database alone.
    let messages = watchers.iter_mut().map(|own| last_message(own, Duration::from_secs(8)));
    assert_eq!(futures_util::future::join_all(messages).await, [None, None, None]);
    cluster.repair_fault(Fault::Database, 0).await.unwrap();
}

/// The last message before the socket is closed; `None` if it is still open after the time.
async fn last_message(socket: &mut Socket, within: Duration) -> Option<String> {
    let mut said = String::new();
    let end = async {
        while let Some(Ok(message)) = socket.next().await {
            said = message.as_text().unwrap_or(&said).to_owned();
        }
    };
    let ended = tokio::time::timeout(within, end).await;
    ended.is_ok().then_some(said)
}

async fn status(server: SocketAddr, path: &str) -> u16 {
    let mut api = ApiClient::connect(server, 1).await.unwrap();
    api.request(Method::GET, path, None, Bytes::new()).await.unwrap().0.as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_cut_off_sends_its_clients_to_another() {
    let cluster = Cluster::start(2, true).await.unwrap();
    let [whole, cut] = cluster.servers()[..] else { panic!("two nodes") };
    let game = opening::games(whole, 1).await.unwrap().remove(0).game;
    let (mut stays, mut goes) = (watch(whole, &game).await, watch(cut, &game).await);
    let stays = tokio::spawn(async move { last_message(&mut stays, Duration::MAX).await });
    assert_eq!(last_message(&mut goes, Duration::from_secs(6)).await, None, "nothing is wrong yet");
    cluster.cut();
    let begin = Instant::now();
    let said = last_message(&mut goes, Duration::from_secs(60)).await;
    let said = said.expect("the socket is closed");
    assert!(said.contains("bye") && said.contains("restart"), "{said}");
    assert!(begin.elapsed() > Duration::from_secs(3), "it waits a little: {:?}", begin.elapsed());
    assert_eq!(status(cut, "/readyz").await, 503);
    assert_eq!(status(cut, "/healthz").await, 200);
    // A client at the other node stays, and a new client can connect there.
    assert_eq!(last_message(&mut watch(whole, &game).await, Duration::from_secs(2)).await, None);
    assert!(!stays.is_finished());
    cluster.mend();
    let begin = Instant::now();
    while status(cut, "/readyz").await != 200 {
        assert!(begin.elapsed() < Duration::from_secs(30), "it does not come back");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(last_message(&mut watch(cut, &game).await, Duration::from_secs(5)).await, None);
}
