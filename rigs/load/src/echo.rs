//! A bare websocket echo with the server's own settings: what the machine and the library cost
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

use crate::api;
use crate::coordinator::{Coordinator, Order, add};

/// The limit on the size of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// The server's limit for games.
    Game,
    /// Large enough for the Autobahn suite, which sends up to 16 MiB.
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

/// A client that sends messages to the echo.
pub struct EchoClient {
    number: u32,
    coordinator: Arc<Coordinator>,
    orders: UnboundedReceiver<Order>,
}

impl EchoClient {
    /// A client with its number; it connects in [`EchoClient::run`].
    pub fn new(
        number: u32,
        coordinator: Arc<Coordinator>,
        orders: UnboundedReceiver<Order>,
    ) -> EchoClient {
        EchoClient { number, coordinator, orders }
    }

    /// Connects, and sends a message for each order to move, until ordered to leave.
    pub async fn run(mut self) {
        if let Err(error) = self.try_run().await {
            self.coordinator.record_problem(format!("echo: {error}"));
        }
    }

    async fn connect(&self) -> Result<WebSocketStream<TcpStream>> {
        let stream = api::connect(self.coordinator.server(0), self.number as usize).await?;
        let uri = format!("ws://{}/", self.coordinator.server(0)).parse()?;
        Ok(ClientBuilder::from_uri(uri).connect_on(stream).await?.0)
    }

    async fn try_run(&mut self) -> Result<()> {
        // A text as long as a move command.
        let text = r#"{"type":"command","id":"1","command":{"type":"move","uci":"e2e4"}}"#;
        let mut socket = self.connect().await?;
        self.coordinator.record_connected();
        self.coordinator.mark_ready(self.number);
        let mut meant: Option<Instant> = None;
        loop {
            tokio::select! {
                reply = socket.next() => {
                    reply.context("closed")??;
                    if let Some(meant) = meant.take() {
                        add(&self.coordinator.tally.moves);
                        self.coordinator.record_latency(meant.elapsed());
                        self.coordinator.mark_ready(self.number);
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
