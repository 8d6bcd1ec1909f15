//! The websocket of a game.

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::response::Response;
use hansu_live::{CommandKey, CommandRequest, Hello, Text, text};
use hansu_play::{Actor, Moment};
use hansu_protocol::{self as wire, ClientMessage, ServerMessage, Wish};
use hansu_records::GameId;
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

use super::App;
use super::games::{game, withdraw};
use super::params::{PathParams, bad_parameter};
use super::player::Player;
use super::problem::Problem;
use crate::figures;
use crate::hosted_game::{HostedGame, outbox, queue};
use crate::limits::SocketGuard;
use crate::socket::{CloseReason, Connection, Incoming};

/// In bytes. The library's default is 128 KiB, which is 1.3 GB for ten thousand idle sockets.
const READ_BUFFER: usize = 1024;
/// In bytes; small, so that messages are sent at once.
const WRITE_BUFFER: usize = 4 * 1024;
/// In bytes; more than the longest snapshot. Memory is used only while there is something to send.
const MOST_WRITE_BUFFER: usize = 2 * 1024 * 1024;

/// Sets bounds for a websocket's buffers and messages; the library's defaults are large or
/// unlimited.
pub fn bounded(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(MOST_WRITE_BUFFER)
        .max_message_size(wire::LONGEST_MESSAGE)
        .max_frame_size(wire::LONGEST_MESSAGE)
}

/// The upgrade to a websocket, or why the request is not one.
pub(crate) type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// The answer to a request for a websocket route that is not an upgrade.
pub(crate) fn not_an_upgrade(lang: Lang) -> Problem {
    bad_parameter("upgrade: websocket", lang)
}

/// The websocket of a game.
pub(crate) async fn at_game(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
    socket: Upgrade,
) -> Result<Response, Problem> {
    let lang = player.lang;
    let id = game(&id, lang)?;
    let socket = socket.map_err(|_| not_an_upgrade(lang))?;
    let permit = SocketPermit::acquire(&app, &player)?;
    let hosted = app.hub.hosted_game(id).await.map_err(|why| Problem::hosting(why, lang))?;
    if hosted.actor(player.holder()) == Actor::Spectator {
        queue_up(&app, lang).await?;
    }
    let tasks = app.tasks.clone();
    Ok(bounded(socket).on_upgrade(move |socket| {
        tasks.track_future(serve_game(app, hosted, player, socket, permit))
    }))
}

/// The permit of a connection, counted against the limit of its address until it is dropped.
pub(crate) struct SocketPermit {
    /// Cancelled when the connection must end: the server stops, or is cut off from the log.
    pub(crate) stop: CancellationToken,
    _guard: SocketGuard,
}

impl SocketPermit {
    pub(crate) fn acquire(app: &App, player: &Player) -> Result<SocketPermit, Problem> {
        if app.hub.nodes.is_cut_off() {
            return Err(Problem::of(ServerRefusal::Unavailable, player.lang));
        }
        let guard = app.visitors.socket(player.address);
        let guard =
            guard.map_err(|_| Problem::of(ServerRefusal::TooManyConnections, player.lang))?;
        Ok(SocketPermit { stop: app.hub.nodes.connection_stop(&app.stop), _guard: guard })
    }
}

/// Makes a client without a seat wait, so that players do not wait behind spectators.
pub(super) async fn queue_up(app: &App, lang: Lang) -> Result<(), Problem> {
    let wait = app.visitors.queue_watcher();
    let wait = wait.map_err(|_| Problem::of(ServerRefusal::TooManyConnections, lang))?;
    if !wait.is_zero() {
        tokio::time::sleep(wait).await;
    }
    Ok(())
}

/// Counts a connection until this is dropped.
pub(crate) struct ConnectionCount(App);

impl ConnectionCount {
    pub(crate) fn new(app: &App) -> ConnectionCount {
        app.hub.lobby.count_in();
        metrics::gauge!("hansu_sockets").increment(1.0);
        ConnectionCount(app.clone())
    }
}

impl Drop for ConnectionCount {
    fn drop(&mut self) {
        self.0.hub.lobby.count_out();
        metrics::gauge!("hansu_sockets").decrement(1.0);
    }
}

async fn serve_game(
    app: App,
    hosted: Arc<HostedGame>,
    player: Player,
    socket: WebSocket,
    permit: SocketPermit,
) {
    let _count = ConnectionCount::new(&app);
    let (sender, inbox) = queue();
    let rate = app.visitors.limits().messages;
    let mut connection = Connection::new(socket, inbox, permit.stop.clone(), rate);
    let (seq, lang) = match connection.receive_greeting::<ClientMessage>().await {
        Ok(ClientMessage::Hello { v: wire::VERSION, seq, lang }) => (seq, view::lang(lang)),
        Ok(ClientMessage::Hello { .. }) => return close(connection, CloseReason::Version).await,
        Ok(_) => return close(connection, CloseReason::Malformed).await,
        Err(end) => return close(connection, end).await,
    };
    let id = app.hub.fresh_id();
    // A client that was connected to another node may have newer events than this one.
    if !app.hub.reach(&hosted, seq).await {
        return close(connection, CloseReason::Restart).await;
    }
    // The seat is looked up now and not before: it may have been taken meanwhile.
    let actor = hosted.actor(player.holder());
    let hello = Hello { id, actor, seq, outbox: outbox(sender) };
    app.hub.at(&hosted, |game, now| game.join(hello, now));
    // The seat may have been given to another key just now.
    if hosted.actor(player.holder()) != actor {
        hosted.leave(id, actor, app.hub.now());
        return close(connection, CloseReason::Slow).await;
    }
    let session = GameSession { app: &app, hosted: &hosted, id, actor, lang, mark: mark(&player) };
    let end = session.talk(&mut connection).await;
    hosted.leave(id, actor, app.hub.now());
    let dismissed = end == CloseReason::Slow && hosted.is_gone();
    close(connection, if dismissed { CloseReason::NoGame } else { end }).await;
}

async fn close(connection: Connection, end: CloseReason) {
    tracing::debug!(end = end.name(), "a game socket ends");
    connection.close(end, &text(&ServerMessage::Bye { reason: end.name().to_owned() })).await;
}

/// Tells the command keys of spectators apart: the mark of the player's key, or a random one. The
/// connection's id would not do: it is used again after a restart, and with it old command keys.
pub(super) fn mark(player: &Player) -> String {
    player.mark().unwrap_or_else(|| fresh_game().unwrap_or_default())
}

/// A new game id; None when the system has no random numbers.
pub(super) fn fresh_game() -> Option<String> {
    GameId::random().ok().map(|id| id.to_string())
}

/// One connection to one game.
struct GameSession<'a> {
    app: &'a App,
    hosted: &'a Arc<HostedGame>,
    id: u64,
    actor: Actor,
    lang: Lang,
    mark: String,
}

impl GameSession<'_> {
    async fn talk(&self, connection: &mut Connection) -> CloseReason {
        loop {
            let incoming = connection.next::<ClientMessage>().await;
            let now = self.app.hub.now();
            match incoming {
                Ok(Incoming::Message(ClientMessage::Command { id, command })) => {
                    if !view::is_command_id(&id) {
                        return CloseReason::Malformed;
                    }
                    let moment = Moment::at(now).lagging(connection.lag());
                    if let Some(refused) = self.command(id, command, moment).await
                        && let Err(end) = connection.send(&refused).await
                    {
                        return end;
                    }
                }
                Ok(Incoming::TooFast(ClientMessage::Command { id, .. })) => {
                    let refused = self.refuse(id, ServerRefusal::TooFast);
                    if let Err(end) = connection.send(&refused).await {
                        return end;
                    }
                }
                Ok(Incoming::UnknownCommand(id)) => {
                    if !view::is_command_id(&id) {
                        return CloseReason::Malformed;
                    }
                    let refused = self.refuse(id, ServerRefusal::BadMessage);
                    if let Err(end) = connection.send(&refused).await {
                        return end;
                    }
                }
                Ok(Incoming::Message(ClientMessage::Sync { seq })) => {
                    self.hosted.sync(self.id, seq);
                }
                Ok(Incoming::Message(ClientMessage::Why { uci })) => {
                    let answer = self.hosted.why(self.actor, &uci, Moment::at(now), self.lang);
                    if let Err(end) = connection.send(&answer).await {
                        return end;
                    }
                }
                Ok(Incoming::TooFast(_)) => {}
                // A second greeting.
                Ok(Incoming::Message(ClientMessage::Hello { .. })) => {
                    return CloseReason::Malformed;
                }
                Ok(Incoming::Heartbeat) => {
                    let beat = text(&ServerMessage::Beat { seq: self.hosted.seq(), now });
                    if let Err(end) = connection.send(&beat).await {
                        return end;
                    }
                }
                Err(end) => return end,
            }
        }
    }

    fn refuse(&self, id: String, why: ServerRefusal) -> Text {
        let seq = self.hosted.seq();
        figures::count_refusal(why.code());
        text(&ServerMessage::Refused { id, seq, refusal: view::server_refusal(why, self.lang) })
    }

    /// Sends a command to the live game. Returns the answer when it is refused before that.
    async fn command(&self, id: String, wish: Wish, moment: Moment) -> Option<Text> {
        let (app, hosted) = (self.app, self.hosted);
        if wish == Wish::Abort && hosted.is_waiting() {
            return match withdraw(app, hosted, self.actor, self.lang).await {
                Ok(()) => None,
                Err(_) => Some(self.refuse(id, ServerRefusal::NotYourGame)),
            };
        }
        figures::count_command(&wish);
        let command = match view::command(wish, self.actor, fresh_game) {
            Ok(command) => command,
            Err(why) => return Some(self.refuse(id, why)),
        };
        let asked = CommandRequest {
            by: Some(app.hub.asker(self.id, self.lang)),
            actor: self.actor,
            command,
            moment,
            key: Some(CommandKey::new(self.actor, &self.mark, &id)),
            begins: None,
        };
        app.hub.at(hosted, |game, now| game.ask(asked, now));
        None
    }
}
