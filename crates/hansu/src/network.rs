//! The network of the board: one thread that carries out requests and comes back by itself, and one
//! for each connection that reads. Nothing wakes up while nothing is said.

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

/// A server says something every four seconds; one that is silent for this long is gone.
const SILENCE: Duration = Duration::from_secs(15);
/// Before the first attempt to come back, and between later ones.
const PAUSE: Duration = Duration::from_millis(300);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// Light points around a QR code.
const MARGIN: usize = 2;
/// The path of the websocket of the lobby.
const LOBBY: &str = "/api/lobby/socket";

/// What the thread is told.
enum Order {
    Request {
        session: u64,
        request: NetworkRequest,
    },
    /// A connection has ended.
    Broken {
        connection: u64,
    },
}

/// Where a connection leads.
#[derive(Clone)]
enum Place {
    Game(String),
    Lobby,
}

impl Place {
    fn path(&self) -> String {
        match self {
            Place::Game(game) => game_path(game),
            Place::Lobby => LOBBY.to_owned(),
        }
    }
}

/// A connection, or the attempt to have one.
struct Line {
    session: u64,
    place: Place,
    /// The number of the connection, and its writing end.
    open: Option<(u64, WebSocket<Connection>)>,
    retry: Option<Instant>,
    pause: Duration,
}

struct Network {
    reports: Reports,
    orders: Sender<Order>,
    folder: Result<PathBuf, Error>,
    lang: Lang,
    server: Option<Server>,
    line: Option<Line>,
    connections: u64,
}

/// Starts the thread; what is returned hands requests to it.
pub(crate) fn start(
    reports: Reports,
    folder: Result<PathBuf, Error>,
    lang: Lang,
) -> impl FnMut(u64, NetworkRequest) {
    let (sender, orders) = mpsc::channel();
    let own = sender.clone();
    // Without a thread the board stays without a network; requests go unheard.
    let _ = std::thread::Builder::new().name("network".to_owned()).spawn(move || {
        let (server, line) = (None, None);
        let mut network =
            Network { reports, orders: own, folder, lang, server, line, connections: 0 };
        network.work(&orders);
    });
    move |session, request| {
        let _ = sender.send(Order::Request { session, request });
    }
}

impl Network {
    fn work(&mut self, orders: &Receiver<Order>) {
        loop {
            let retry = self.line.as_ref().and_then(|line| line.retry);
            let order = match retry {
                Some(at) => orders.recv_timeout(at.saturating_duration_since(Instant::now())),
                None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match order {
                Ok(Order::Request { session, request }) => self.request(session, request),
                Ok(Order::Broken { connection }) => self.broken(connection),
                Err(RecvTimeoutError::Timeout) => self.retry(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn tell(&self, session: u64, news: NetworkNews) {
        self.reports.tell(Input::Network { session, news });
    }

    fn request(&mut self, session: u64, request: NetworkRequest) {
        match request {
            NetworkRequest::Say(message) => self.say(session, &message),
            NetworkRequest::SayLobby(message) => self.say(session, &message),
            NetworkRequest::Close => self.hang_up(),
            other => {
                self.hang_up();
                let begun = self.begin(session, other).and_then(|place| {
                    if let (Place::Game(game), Some(server)) = (&place, &self.server) {
                        let address = server.page(&format!("/game/{game}"));
                        self.tell(session, NetworkNews::Found(address));
                    }
                    self.line =
                        Some(Line { session, place, open: None, retry: None, pause: PAUSE });
                    self.connect()
                });
                if let Err(error) = begun {
                    self.line = None;
                    self.tell(session, NetworkNews::Failed(format!("{error:#}")));
                }
            }
        }
    }

    /// Finds the place that a request leads to.
    fn begin(&mut self, session: u64, request: NetworkRequest) -> Result<Place> {
        match request {
            NetworkRequest::Open { link, name } => {
                let target = self.meet(&link)?;
                match (target, &mut self.server) {
                    (Target::Invitation(token), Some(server)) => {
                        Ok(Place::Game(server.join(&token, &name)?))
                    }
                    (Target::Game(id), _) => Ok(Place::Game(id)),
                    _ => bail!(self.lang.screen(Screen::NoLink)),
                }
            }
            NetworkRequest::Invite { server, name, color, time, variant } => {
                self.meet(&server)?;
                let Some(server) = &self.server else { bail!("{server}") };
                let made = server.invite(&name, color, time, variant)?;
                let link = server.link(&made);
                let code = code(&link);
                self.tell(session, NetworkNews::Invited(Invitation { link, code }));
                Ok(Place::Game(made.game))
            }
            NetworkRequest::Follow { game } => Ok(Place::Game(game)),
            NetworkRequest::Lobby { server } => {
                self.meet(&server)?;
                Ok(Place::Lobby)
            }
            NetworkRequest::Say(_) | NetworkRequest::SayLobby(_) | NetworkRequest::Close => {
                bail!("no place")
            }
        }
    }

    /// Finds the server of a link, with our key there.
    fn meet(&mut self, link: &str) -> Result<Target> {
        let (address, target) = parse(link, self.lang)?;
        // A second key would be another player: the server that is known is kept.
        if self.server.as_ref().is_none_or(|server| server.address != address) {
            self.server = Some(Server::meet(address, self.folder.clone(), self.lang)?);
        }
        Ok(target)
    }

    fn connect(&mut self) -> Result<()> {
        let (Some(line), Some(server)) = (&mut self.line, &self.server) else { bail!("no server") };
        let reader = server.connect(&line.place.path())?;
        let shared = reader.get_ref().clone();
        shared.set_read_timeout(SILENCE)?;
        self.connections += 1;
        let connection = self.connections;
        let writer = WebSocket::from_raw_socket(shared, Role::Client, None);
        (line.open, line.retry, line.pause) = (Some((connection, writer)), None, PAUSE);
        let (session, reports) = (line.session, self.reports.clone());
        let (orders, is_lobby) = (self.orders.clone(), matches!(line.place, Place::Lobby));
        self.tell(session, NetworkNews::Connected);
        std::thread::Builder::new().name("listener".to_owned()).spawn(move || {
            listen(reader, session, is_lobby, &reports);
            let _ = orders.send(Order::Broken { connection });
        })?;
        Ok(())
    }

    fn say(&mut self, session: u64, message: &impl Serialize) {
        let Some(line) = self.line.as_mut().filter(|line| line.session == session) else { return };
        let Some((connection, writer)) = &mut line.open else { return };
        let sent = serde_json::to_string(message)
            .map_err(anyhow::Error::from)
            .and_then(|text| Ok(writer.send(Message::text(text))?));
        if sent.is_err() {
            let connection = *connection;
            self.broken(connection);
        }
    }

    fn broken(&mut self, connection: u64) {
        let Some(line) = &mut self.line else { return };
        if line.open.as_ref().is_none_or(|(own, _)| *own != connection) {
            return;
        }
        close(line);
        line.retry = Some(Instant::now() + line.pause);
        let session = line.session;
        self.tell(session, NetworkNews::Broken);
    }

    fn retry(&mut self) {
        if self.connect().is_err()
            && let Some(line) = &mut self.line
        {
            line.pause = (line.pause * 2).min(LONGEST_PAUSE);
            line.retry = Some(Instant::now() + line.pause);
        }
    }

    fn hang_up(&mut self) {
        if let Some(mut line) = self.line.take() {
            close(&mut line);
        }
    }
}

fn close(line: &mut Line) {
    if let Some((_, mut writer)) = line.open.take() {
        // A server that is gone need not be told.
        let _ = writer.close(None);
        let _ = writer.flush();
        writer.get_ref().shut_down();
    }
}

/// Reads until the connection ends.
fn listen(mut reader: WebSocket<Connection>, session: u64, is_lobby: bool, reports: &Reports) {
    loop {
        let text = match reader.read() {
            Ok(Message::Text(text)) => text,
            Ok(_) => continue,
            Err(_) => return,
        };
        // A newer server may say more than we know.
        let news = if is_lobby {
            serde_json::from_str(&text).map(|news| NetworkNews::Lobby(Box::new(news)))
        } else {
            serde_json::from_str(&text).map(|message| NetworkNews::Message(Box::new(message)))
        };
        let Ok(news) = news else { continue };
        if !reports.tell(Input::Network { session, news }) {
            return;
        }
    }
}

/// A link as the points of a QR code, with a light margin.
fn code(link: &str) -> Vec<Vec<bool>> {
    // The smallest code, so that it fits into 80×24: a screen is not scratched.
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
