//! A server that listens on its own machine only is opened to the local network from that machine.

use std::net::SocketAddr;
use std::time::Duration;

use hansu_ground::clients::{PATIENCE, get, key, post, request};
use hansu_protocol::{Made, Nearby};
use hansu_server::limits::Limits;
use hansu_server::{Config, Proxies};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::test_server::TestServer;

fn open(server: &TestServer) -> hansu_ground::clients::Request {
    request(server.at, "POST", "/api/nearby")
}

/// Returns true if a server answers there.
async fn answers(at: SocketAddr) -> bool {
    TcpStream::connect(at).await.is_ok() && get(at, "/healthz").send().await.status == 200
}

#[tokio::test]
async fn the_local_network_is_let_in_when_this_machine_asks() {
    let server = TestServer::open().await;
    let friend = json!({ "with": "friend", "name": "Mina", "color": "white" });
    let mine = key(server.at).await;
    let made =
        async || -> Made { post(server.at, "/api/games", &friend).key(&mine).send().await.read() };
    assert_eq!(made().await.link, None);
    let Some(&ip) = hansu_server::nearby().first() else {
        // A machine without a network has nothing to open, and says so.
        assert_eq!(open(&server).send().await.refusal().1, "not_nearby");
        return server.stop().await;
    };
    let nearby = SocketAddr::new(ip, server.at.port());
    assert!(TcpStream::connect(nearby).await.is_err());
    let told: Nearby = open(&server).send().await.read();
    assert_eq!(told.url, format!("http://{nearby}"));
    assert!(answers(nearby).await && answers(server.at).await);
    // The second request changes nothing; links lead to the new address from now on.
    assert_eq!(open(&server).send().await.read::<Nearby>(), told);
    assert!(made().await.link.is_some_and(|link| link.starts_with(&told.url)));
    // Other machines cannot open it.
    let other = request(nearby, "POST", "/api/nearby").send().await;
    assert_eq!(other.refusal(), (403, "not_nearby".to_owned()));
    let (at, port) = (server.at, nearby);
    server.stop().await;
    for gone in [at, port] {
        assert!(TcpStream::connect(gone).await.is_err());
    }
}

#[tokio::test]
async fn requests_through_a_proxy_or_from_another_site_open_nothing() {
    let server = TestServer::open().await;
    let refusal = (403, "not_nearby".to_owned());
    let forwarded = open(&server).header("x-forwarded-for", "127.0.0.1");
    assert_eq!(forwarded.send().await.refusal(), refusal);
    let foreign = open(&server).header("origin", "http://elsewhere.example").send().await;
    assert_eq!(foreign.refusal().1, "foreign_origin");
    server.stop().await;
    let behind = TestServer::with(Config { proxies: Proxies::Any, ..Config::default() }).await;
    assert_eq!(open(&behind).send().await.refusal(), refusal);
    behind.stop().await;
    let public = Some("http://127.0.0.1:9".to_owned());
    let named = TestServer::with(Config { public_url: public, ..Config::default() }).await;
    assert_eq!(open(&named).send().await.refusal(), refusal);
    named.stop().await;
}

/// Sends a request on a connection that stays open; false when the server closes it instead.
async fn asks(stream: &mut TcpStream) -> bool {
    let head = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(head).await.is_ok() && stream.read(&mut [0; 4096]).await.is_ok_and(|n| n > 0)
}

/// A connection that the server has accepted; None when it was closed.
async fn inside(at: SocketAddr) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(at).await.expect("a listener");
    asks(&mut stream).await.then_some(stream)
}

/// A connection, as soon as the server accepts one: the permit of a request that is over is free a
/// moment later.
async fn let_in(at: SocketAddr) -> TcpStream {
    let tried = async {
        loop {
            if let Some(stream) = inside(at).await {
                return stream;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, tried).await.expect("a place in time")
}

#[tokio::test]
async fn all_addresses_of_a_server_share_its_places() {
    let limits = Limits { connections: 3, ..Limits::default() };
    let server = TestServer::with(Config { limits, ..Config::default() }).await;
    let Some(&ip) = hansu_server::nearby().first() else {
        assert_eq!(open(&server).send().await.refusal().1, "not_nearby");
        return server.stop().await;
    };
    let nearby = SocketAddr::new(ip, server.at.port());
    open(&server).send().await.read::<Nearby>();
    let mut held = [let_in(nearby).await, let_in(server.at).await, let_in(nearby).await];
    for at in [server.at, nearby] {
        let one_more = inside(at).await.is_some();
        // A slow machine may have closed one that was silent for too long.
        let mut full = true;
        for stream in &mut held {
            full &= asks(stream).await;
        }
        assert!(!(one_more && full), "{at} has places of its own");
    }
    drop(held);
    let_in(nearby).await;
    server.stop().await;
}
