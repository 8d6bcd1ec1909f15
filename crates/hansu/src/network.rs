//! The network of the board: one thread that carries out requests and reconnects by itself, and one
//! reading thread for each connection. No thread wakes up while no message arrives.

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use hansu_console::screen::{Input, Invitation, NetworkNews, NetworkRequest, Reports};
use hansu_records::Error;
use hansu_words::{Lang, Screen};
use qrcode::{Color, EcLevel, QrCode};
use serde::Serialize;
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

use crate::connection::Connection;
use crate::remote::{Server, Target, game_path, parse};

/// Read timeout. A server sends a message every 4 s, so a silent one is gone.
const READ_TIMEOUT: Duration = Duration::from_secs(15);
/// Delay before the first reconnect. It doubles with each failed attempt, up to `MAX_RETRY_DELAY`.
const RETRY_DELAY: Duration = Duration::from_millis(300);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(5);
/// Light modules on each side of a QR code.
const MARGIN: usize = 2;
/// The path of the websocket of the lobby.
const LOBBY: &str = "/api/lobby/socket";

/// What the thread waits for.
enum NetworkEvent {
    Request {
        session: u64,
        request: NetworkRequest,
    },
    /// A connection has ended.
    Broken {
        connection: u64,
    },
}

/// What a connection is for.
#[derive(Clone)]
enum Destination {
    Game(String),
    Lobby,
}

impl Destination {
    fn path(&self) -> String {
        match self {
            Destination::Game(game) => game_path(game),
            Destination::Lobby => LOBBY.to_owned(),
        }
    }
}

/// A connection, or the attempt to have one.
struct ServerLink {
    session: u64,
    destination: Destination,
    /// The number of the connection, and the socket to write to. None while disconnected.
    open: Option<(u64, WebSocket<Connection>)>,
    /// When to connect again; None while connected.
    retry: Option<Instant>,
    /// Delay before the next attempt.
    pause: Duration,
}

struct Network {
    reports: Reports,
    events: Sender<NetworkEvent>,
    folder: Result<PathBuf, Error>,
    lang: Lang,
    server: Option<Server>,
    server_link: Option<ServerLink>,
    connections: u64,
}

/// Starts the thread and returns a function that hands requests to it.
pub(crate) fn start(
    reports: Reports,
    folder: Result<PathBuf, Error>,
    lang: Lang,
) -> impl FnMut(u64, NetworkRequest) {
    let (sender, events) = mpsc::channel();
    let own = sender.clone();
    // If the thread cannot start, the board has no network and requests are dropped.
    let _ = std::thread::Builder::new().name("network".to_owned()).spawn(move || {
        let (server, server_link) = (None, None);
        let mut network =
            Network { reports, events: own, folder, lang, server, server_link, connections: 0 };
        network.work(&events);
    });
    move |session, request| {
        let _ = sender.send(NetworkEvent::Request { session, request });
    }
}

impl Network {
    fn work(&mut self, events: &Receiver<NetworkEvent>) {
        loop {
            let retry = self.server_link.as_ref().and_then(|server_link| server_link.retry);
            let event = match retry {
                Some(at) => events.recv_timeout(at.saturating_duration_since(Instant::now())),
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(NetworkEvent::Request { session, request }) => self.request(session, request),
                Ok(NetworkEvent::Broken { connection }) => self.disconnected(connection),
                Err(RecvTimeoutError::Timeout) => self.retry(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn report(&self, session: u64, news: NetworkNews) {
        self.reports.send(Input::Network { session, news });
    }

    fn request(&mut self, session: u64, request: NetworkRequest) {
        match request {
            NetworkRequest::Send(message) => self.send(session, &message),
            NetworkRequest::SendLobby(message) => self.send(session, &message),
            NetworkRequest::Close => self.close_link(),
            other => {
                self.close_link();
                let begun = self.begin(session, other).and_then(|destination| {
                    if let (Destination::Game(game), Some(server)) = (&destination, &self.server) {
                        let address = server.page(&format!("/game/{game}"));
                        self.report(session, NetworkNews::Found(address));
                    }
                    self.server_link = Some(ServerLink {
                        session,
                        destination,
                        open: None,
                        retry: None,
                        pause: RETRY_DELAY,
                    });
                    self.connect()
                });
                if let Err(error) = begun {
                    self.server_link = None;
                    self.report(session, NetworkNews::Failed(format!("{error:#}")));
                }
            }
        }
    }

    /// Makes the HTTP requests that a request needs, and returns where to connect.
    fn begin(&mut self, session: u64, request: NetworkRequest) -> Result<Destination> {
        match request {
            NetworkRequest::Open { link, name } => {
                let target = self.open_server(&link)?;
                match (target, &mut self.server) {
                    (Target::Invitation(token), Some(server)) => {
                        Ok(Destination::Game(server.join(&token, &name)?))
                    }
                    (Target::Game(id), _) => Ok(Destination::Game(id)),
                    _ => bail!(self.lang.screen(Screen::NoLink)),
                }
            }
            NetworkRequest::Invite { server, name, color, time, variant } => {
                self.open_server(&server)?;
                let Some(server) = &self.server else { bail!("{server}") };
                let made = server.invite(&name, color, time, variant)?;
                let link = server.link(&made);
                let code = qr_code(&link);
                self.report(session, NetworkNews::Invited(Invitation { link, code }));
                Ok(Destination::Game(made.game))
            }
            NetworkRequest::Follow { game } => Ok(Destination::Game(game)),
            NetworkRequest::Lobby { server } => {
                self.open_server(&server)?;
                Ok(Destination::Lobby)
            }
            NetworkRequest::Send(_) | NetworkRequest::SendLobby(_) | NetworkRequest::Close => {
                bail!("no place")
            }
        }
    }

    /// Opens the server of a link, with this user's key for it.
    fn open_server(&mut self, link: &str) -> Result<Target> {
        let (address, target) = parse(link, self.lang)?;
        // A second key would be another player, so an open server is reused.
        if self.server.as_ref().is_none_or(|server| server.address != address) {
            self.server = Some(Server::open(address, self.folder.clone(), self.lang)?);
        }
        Ok(target)
    }

    fn connect(&mut self) -> Result<()> {
        let (Some(server_link), Some(server)) = (&mut self.server_link, &self.server) else {
            bail!("no server")
        };
        let reader = server.connect(&server_link.destination.path())?;
        let shared = reader.get_ref().clone();
        shared.set_read_timeout(READ_TIMEOUT)?;
        self.connections += 1;
        let connection = self.connections;
        let writer = WebSocket::from_raw_socket(shared, Role::Client, None);
        (server_link.open, server_link.retry, server_link.pause) =
            (Some((connection, writer)), None, RETRY_DELAY);
        let (session, reports) = (server_link.session, self.reports.clone());
        let (events, is_lobby) =
            (self.events.clone(), matches!(server_link.destination, Destination::Lobby));
        self.report(session, NetworkNews::Connected);
        std::thread::Builder::new().name("listener".to_owned()).spawn(move || {
            read_messages(reader, session, is_lobby, &reports);
            let _ = events.send(NetworkEvent::Broken { connection });
        })?;
        Ok(())
    }

    fn send(&mut self, session: u64, message: &impl Serialize) {
        let Some(server_link) =
            self.server_link.as_mut().filter(|server_link| server_link.session == session)
        else {
            return;
        };
        let Some((connection, writer)) = &mut server_link.open else { return };
        let sent = serde_json::to_string(message)
            .map_err(anyhow::Error::from)
            .and_then(|text| Ok(writer.send(Message::text(text))?));
        if sent.is_err() {
            let connection = *connection;
            self.disconnected(connection);
        }
    }

    fn disconnected(&mut self, connection: u64) {
        let Some(server_link) = &mut self.server_link else { return };
        if server_link.open.as_ref().is_none_or(|(own, _)| *own != connection) {
            return;
        }
        close(server_link);
        server_link.retry = Some(Instant::now() + server_link.pause);
        let session = server_link.session;
        self.report(session, NetworkNews::Broken);
    }

    fn retry(&mut self) {
        if self.connect().is_err()
            && let Some(server_link) = &mut self.server_link
        {
            server_link.pause = (server_link.pause * 2).min(MAX_RETRY_DELAY);
            server_link.retry = Some(Instant::now() + server_link.pause);
        }
    }

    fn close_link(&mut self) {
        if let Some(mut server_link) = self.server_link.take() {
            close(&mut server_link);
        }
    }
}

fn close(server_link: &mut ServerLink) {
    if let Some((_, mut writer)) = server_link.open.take() {
        // The server may be gone already; errors change nothing.
        let _ = writer.close(None);
        let _ = writer.flush();
        writer.get_ref().shut_down();
    }
}

/// Reads until the connection ends.
fn read_messages(
    mut reader: WebSocket<Connection>,
    session: u64,
    is_lobby: bool,
    reports: &Reports,
) {
    loop {
        let text = match reader.read() {
            Ok(Message::Text(text)) => text,
            Ok(_) => continue,
            Err(_) => return,
        };
        // A newer server may send messages that this version does not know.
        let news = if is_lobby {
            serde_json::from_str(&text).map(|news| NetworkNews::Lobby(Box::new(news)))
        } else {
            serde_json::from_str(&text).map(|message| NetworkNews::Message(Box::new(message)))
        };
        let Ok(news) = news else { continue };
        if !reports.send(Input::Network { session, news }) {
            return;
        }
    }
}

/// A link as the modules of a QR code, row by row, with a light margin; true is dark. Empty if the
/// link is too long for a code.
fn qr_code(link: &str) -> Vec<Vec<bool>> {
    // The lowest error correction gives the smallest code, which fits into 80×24.
    let code = QrCode::with_error_correction_level(link.as_bytes(), EcLevel::L);
    let Ok(code) = code else { return Vec::new() };
    let (width, points) = (code.width(), code.to_colors());
    let is_dark = |x: usize, y: usize| {
        let (x, y) = (x.wrapping_sub(MARGIN), y.wrapping_sub(MARGIN));
        x < width && y < width && points.get(y * width + x) == Some(&Color::Dark)
    };
    let size = width + 2 * MARGIN;
    (0..size).map(|y| (0..size).map(|x| is_dark(x, y)).collect()).collect()
}
