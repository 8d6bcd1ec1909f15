//! A server that is open to its own machine alone lets the local network in when asked from there.

use std::net::SocketAddr;
use std::time::Duration;

use hansu_ground::clients::{PATIENCE, get, key, post, request};
use hansu_protocol::{Made, Nearby};
use hansu_server::limits::Limits;
use hansu_server::{Config, Proxies};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::house::House;

fn open(house: &House) -> hansu_ground::clients::Request {
    request(house.at, "POST", "/api/nearby")
}

/// Whether a server answers there.
async fn answers(at: SocketAddr) -> bool {
    TcpStream::connect(at).await.is_ok() && get(at, "/healthz").send().await.status == 200
}

#[tokio::test]
async fn the_local_network_is_let_in_when_this_machine_asks() {
    let house = House::open().await;
    let friend = json!({ "with": "friend", "name": "Mina", "color": "white" });
    let mine = key(house.at).await;
    let made =
        async || -> Made { post(house.at, "/api/games", &friend).key(&mine).send().await.read() };
    assert_eq!(made().await.link, None);
    let Some(&ip) = hansu_server::nearby().first() else {
        // A machine without a network has nothing to open, and says so.
        assert_eq!(open(&house).send().await.refusal().1, "not_nearby");
        return house.stop().await;
    };
    let nearby = SocketAddr::new(ip, house.at.port());
    assert!(TcpStream::connect(nearby).await.is_err());
    let told: Nearby = open(&house).send().await.read();
    assert_eq!(told.url, format!("http://{nearby}"));
    assert!(answers(nearby).await && answers(house.at).await);
    // Asked again, it is open already; links lead there from now on.
    assert_eq!(open(&house).send().await.read::<Nearby>(), told);
    assert!(made().await.link.is_some_and(|link| link.starts_with(&told.url)));
    // Others are not asked.
    let other = request(nearby, "POST", "/api/nearby").send().await;
    assert_eq!(other.refusal(), (403, "not_nearby".to_owned()));
    let (at, port) = (house.at, nearby);
    house.stop().await;
    for gone in [at, port] {
        assert!(TcpStream::connect(gone).await.is_err());
    }
}

#[tokio::test]
async fn who_comes_through_a_proxy_or_from_another_site_opens_nothing() {
    let house = House::open().await;
    let refusal = (403, "not_nearby".to_owned());
    let forwarded = open(&house).header("x-forwarded-for", "127.0.0.1");
    assert_eq!(forwarded.send().await.refusal(), refusal);
    let foreign = open(&house).header("origin", "http://elsewhere.example").send().await;
    assert_eq!(foreign.refusal().1, "foreign_origin");
    house.stop().await;
    let behind = House::with(Config { proxies: Proxies::Any, ..Config::default() }).await;
    assert_eq!(open(&behind).send().await.refusal(), refusal);
    behind.stop().await;
    let public = Some("http://127.0.0.1:9".to_owned());
    let named = House::with(Config { public_url: public, ..Config::default() }).await;
    assert_eq!(open(&named).send().await.refusal(), refusal);
    named.stop().await;
}

/// Asks on a connection that is kept afterwards; false when it is closed instead.
async fn asks(stream: &mut TcpStream) -> bool {
    let head = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(head).await.is_ok() && stream.read(&mut [0; 4096]).await.is_ok_and(|n| n > 0)
}

/// A connection that was let in.
async fn inside(at: SocketAddr) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(at).await.expect("a listener");
    asks(&mut stream).await.then_some(stream)
}

/// A connection that is let in as soon as there is a place: that of a request that is over is free a
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
    let house = House::with(Config { limits, ..Config::default() }).await;
    let Some(&ip) = hansu_server::nearby().first() else {
        assert_eq!(open(&house).send().await.refusal().1, "not_nearby");
        return house.stop().await;
    };
    let nearby = SocketAddr::new(ip, house.at.port());
    open(&house).send().await.read::<Nearby>();
    let mut held = [let_in(nearby).await, let_in(house.at).await, let_in(nearby).await];
    for at in [house.at, nearby] {
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
    house.stop().await;
}
