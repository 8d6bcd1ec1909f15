//! A bare echo with the server's own websocket settings: what the machine and the library cost
//! without any chess, log or rules.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::any;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_websockets::{ClientBuilder, WebSocketStream};

use crate::floor::{Floor, Order, add};
use crate::web;

/// How large messages may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// As at a game.
    Game,
    /// As the Autobahn suite sends them, up to 16 MiB.
    Suite,
}

/// Serves the echo until the process ends.
///
/// # Errors
///
/// When the port cannot be used.
pub async fn serve(listen: SocketAddr, size: Size) -> Result<()> {
    let listener = TcpListener::bind(listen).await?;
    println!("echo: ws://{}", listener.local_addr()?);
    let app = Router::new().route("/", any(move |upgrade| answer(upgrade, size)));
    axum::serve(
        axum::serve::ListenerExt::tap_io(listener, |stream: &mut TcpStream| {
            let _ = stream.set_nodelay(true);
        }),
        app,
    )
    .await?;
    Ok(())
}

async fn answer(upgrade: WebSocketUpgrade, size: Size) -> Response {
    let upgrade = hansu_server::bounded(upgrade);
    let upgrade = match size {
        Size::Game => upgrade,
        Size::Suite => upgrade
            .max_message_size(64 << 20)
            .max_frame_size(64 << 20)
            .max_write_buffer_size(256 << 20),
    };
    upgrade.on_upgrade(echo)
}

async fn echo(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        let back = match message {
            Message::Text(_) | Message::Binary(_) => message,
            // The library answers pings and closes.
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => continue,
        };
        if socket.send(back).await.is_err() {
            return;
        }
    }
}

/// Somebody who hears an echo.
pub struct Caller {
    number: u32,
    floor: Arc<Floor>,
    orders: UnboundedReceiver<Order>,
}

impl Caller {
    /// Somebody.
    pub fn new(number: u32, floor: Arc<Floor>, orders: UnboundedReceiver<Order>) -> Caller {
        Caller { number, floor, orders }
    }

    /// Calls whenever told to.
    pub async fn call(mut self) {
        if let Err(error) = self.try_call().await {
            self.floor.trouble(format!("echo: {error}"));
        }
    }

    async fn connect(&self) -> Result<WebSocketStream<TcpStream>> {
        let stream = web::connect(self.floor.server(0), self.number as usize).await?;
        let uri = format!("ws://{}/", self.floor.server(0)).parse()?;
        Ok(ClientBuilder::from_uri(uri).connect_on(stream).await?.0)
    }

    async fn try_call(&mut self) -> Result<()> {
        // As long as the command of a move.
        let text = r#"{"type":"command","id":"1","command":{"type":"move","uci":"e2e4"}}"#;
        let mut socket = self.connect().await?;
        self.floor.arrived();
        self.floor.is_ready(self.number);
        let mut meant: Option<Instant> = None;
        loop {
            tokio::select! {
                heard = socket.next() => {
                    heard.context("closed")??;
                    if let Some(meant) = meant.take() {
                        add(&self.floor.tally.moves);
                        self.floor.measured(meant.elapsed());
                        self.floor.is_ready(self.number);
                    }
                }
                order = self.orders.recv() => match order {
                    Some(Order::Move(when)) => {
                        meant = Some(when);
                        socket.send(tokio_websockets::Message::text(text)).await?;
                    }
                    Some(Order::Reconnect) => {}
                    Some(Order::Leave) | None => return Ok(()),
                }
            }
        }
    }
}
