//! The websocket of a game.

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::response::Response;
use hansu_live::{Asked, CommandKey, Hello, Text, text};
use hansu_play::{Actor, Moment};
use hansu_protocol::{self as wire, ClientMessage, ServerMessage, Wish};
use hansu_records::GameId;
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

use super::App;
use super::ask::{At, wrong};
use super::games::{game, withdraw};
use super::player::Player;
use super::problem::Problem;
use crate::figures;
use crate::limits::SocketGuard;
use crate::socket::{Brought, End, Line};
use crate::table::{Table, outbox, queue};

/// The library's own read buffer is 128 KiB, which is 1.3 GB for ten thousand idle sockets.
const READ_BUFFER: usize = 1024;
/// Small, so that what is sent leaves at once.
const WRITE_BUFFER: usize = 4 * 1024;
/// More than the longest snapshot; memory is taken only when there is something to send.
const MOST_WRITE_BUFFER: usize = 2 * 1024 * 1024;

/// A websocket whose buffers and messages have bounds; the library's own are large or endless.
pub fn bounded(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(MOST_WRITE_BUFFER)
        .max_message_size(wire::LONGEST_MESSAGE)
        .max_frame_size(wire::LONGEST_MESSAGE)
}

/// A request that may be one for a websocket.
pub(crate) type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// Somebody came to a websocket with something else.
pub(crate) fn no_socket(lang: Lang) -> Problem {
    wrong("upgrade: websocket", lang)
}

/// The websocket of a game.
pub(crate) async fn at_game(
    State(app): State<App>,
    player: Player,
    At(id): At<String>,
    socket: Upgrade,
) -> Result<Response, Problem> {
    let lang = player.lang;
    let id = game(&id, lang)?;
    let socket = socket.map_err(|_| no_socket(lang))?;
    let place = Place::take(&app, &player)?;
    let table = app.hub.table(id).await.map_err(|why| Problem::table(why, lang))?;
    if table.actor(player.holder()) == Actor::Spectator {
        queue_up(&app, lang).await?;
    }
    let tasks = app.tasks.clone();
    Ok(bounded(socket)
        .on_upgrade(move |socket| tasks.track_future(play(app, table, player, socket, place))))
}

/// A connection's place at this node, for as long as it lasts.
pub(crate) struct Place {
    /// Cancelled when it must be left: the server stops, or has lost the log that others still have.
    pub(crate) stop: CancellationToken,
    _guard: SocketGuard,
}

impl Place {
    pub(crate) fn take(app: &App, player: &Player) -> Result<Place, Problem> {
        if app.hub.nodes.is_cut_off() {
            return Err(Problem::of(ServerRefusal::Unavailable, player.lang));
        }
        let guard = app.visitors.socket(player.address);
        let guard =
            guard.map_err(|_| Problem::of(ServerRefusal::TooManyConnections, player.lang))?;
        Ok(Place { stop: app.hub.nodes.lines(&app.stop), _guard: guard })
    }
}

/// Who has no seat lets those go first who have.
pub(super) async fn queue_up(app: &App, lang: Lang) -> Result<(), Problem> {
    let wait = app.visitors.watcher();
    let wait = wait.map_err(|_| Problem::of(ServerRefusal::TooManyConnections, lang))?;
    if !wait.is_zero() {
        tokio::time::sleep(wait).await;
    }
    Ok(())
}

/// Counts a connection for as long as it lasts, however it ends.
pub(crate) struct Counted(App);

impl Counted {
    pub(crate) fn new(app: &App) -> Counted {
        app.hub.lobby.count_in();
        metrics::gauge!("hansu_sockets").increment(1.0);
        Counted(app.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.hub.lobby.count_out();
        metrics::gauge!("hansu_sockets").decrement(1.0);
    }
}

async fn play(app: App, table: Arc<Table>, player: Player, socket: WebSocket, place: Place) {
    let _counted = Counted::new(&app);
    let (sender, inbox) = queue();
    let rate = app.visitors.limits().messages;
    let mut line = Line::new(socket, inbox, place.stop.clone(), rate);
    let (seq, lang) = match line.greeting::<ClientMessage>().await {
        Ok(ClientMessage::Hello { v: wire::VERSION, seq, lang }) => (seq, view::lang(lang)),
        Ok(ClientMessage::Hello { .. }) => return bye(line, End::Version).await,
        Ok(_) => return bye(line, End::Malformed).await,
        Err(end) => return bye(line, end).await,
    };
    let id = app.hub.fresh_id();
    // Who comes from another node may know more than this one.
    if !app.hub.reach(&table, seq).await {
        return bye(line, End::Restart).await;
    }
    // Who sits where is looked up now and not before: the seat may have been taken meanwhile.
    let actor = table.actor(player.holder());
    let hello = Hello { id, actor, seq, outbox: outbox(sender) };
    app.hub.at(&table, |game, now| game.join(hello, now));
    // The seat may have gone over to another key just now.
    if table.actor(player.holder()) != actor {
        table.part(id, actor, app.hub.now());
        return bye(line, End::Slow).await;
    }
    let visit = Visit { app: &app, table: &table, id, actor, lang, mark: mark(&player) };
    let end = visit.talk(&mut line).await;
    table.part(id, actor, app.hub.now());
    let dismissed = end == End::Slow && table.is_gone();
    bye(line, if dismissed { End::NoGame } else { end }).await;
}

async fn bye(line: Line, end: End) {
    tracing::debug!(end = end.name(), "a game socket ends");
    line.close(end, &text(&ServerMessage::Bye { reason: end.name().to_owned() })).await;
}

/// What tells a spectator's commands from those of others: the mark of its key, or a random one. A
/// connection's number would come again after a restart, and with it commands that were done.
pub(super) fn mark(player: &Player) -> String {
    player.mark().unwrap_or_else(|| fresh_game().unwrap_or_default())
}

/// An id for the next game of a series; none when the system has no random numbers.
pub(super) fn fresh_game() -> Option<String> {
    GameId::random().ok().map(|id| id.to_string())
}

/// One connection to one game.
struct Visit<'a> {
    app: &'a App,
    table: &'a Arc<Table>,
    id: u64,
    actor: Actor,
    lang: Lang,
    mark: String,
}

impl Visit<'_> {
    async fn talk(&self, line: &mut Line) -> End {
        loop {
            let brought = line.next::<ClientMessage>().await;
            let now = self.app.hub.now();
            match brought {
                Ok(Brought::Said(ClientMessage::Command { id, command })) => {
                    if !view::is_command_id(&id) {
                        return End::Malformed;
                    }
                    let moment = Moment::at(now).lagging(line.lag());
                    if let Some(refused) = self.command(id, command, moment).await
                        && let Err(end) = line.send(&refused).await
                    {
                        return end;
                    }
                }
                Ok(Brought::TooFast(ClientMessage::Command { id, .. })) => {
                    let refused = self.refused(id, ServerRefusal::TooFast);
                    if let Err(end) = line.send(&refused).await {
                        return end;
                    }
                }
                Ok(Brought::Unknown(id)) => {
                    if !view::is_command_id(&id) {
                        return End::Malformed;
                    }
                    let refused = self.refused(id, ServerRefusal::BadMessage);
                    if let Err(end) = line.send(&refused).await {
                        return end;
                    }
                }
                Ok(Brought::Said(ClientMessage::Sync { seq })) => self.table.sync(self.id, seq),
                Ok(Brought::Said(ClientMessage::Why { uci })) => {
                    let answer = self.table.why(self.actor, &uci, Moment::at(now), self.lang);
                    if let Err(end) = line.send(&answer).await {
                        return end;
                    }
                }
                Ok(Brought::TooFast(_)) => {}
                // Once is enough.
                Ok(Brought::Said(ClientMessage::Hello { .. })) => return End::Malformed,
                Ok(Brought::Beat) => {
                    let beat = text(&ServerMessage::Beat { seq: self.table.seq(), now });
                    if let Err(end) = line.send(&beat).await {
                        return end;
                    }
                }
                Err(end) => return end,
            }
        }
    }

    fn refused(&self, id: String, why: ServerRefusal) -> Text {
        let seq = self.table.seq();
        figures::refused(why.code());
        text(&ServerMessage::Refused { id, seq, refusal: view::server_refusal(why, self.lang) })
    }

    /// Asks the table; what is refused before that is answered at once.
    async fn command(&self, id: String, wish: Wish, moment: Moment) -> Option<Text> {
        let (app, table) = (self.app, self.table);
        if wish == Wish::Abort && table.is_waiting() {
            return match withdraw(app, table, self.actor, self.lang).await {
                Ok(()) => None,
                Err(_) => Some(self.refused(id, ServerRefusal::NotYourGame)),
            };
        }
        figures::asked(&wish);
        let command = match view::command(wish, self.actor, fresh_game) {
            Ok(command) => command,
            Err(why) => return Some(self.refused(id, why)),
        };
        let asked = Asked {
            by: Some(app.hub.asker(self.id, self.lang)),
            actor: self.actor,
            command,
            moment,
            key: Some(CommandKey::new(self.actor, &self.mark, &id)),
            begins: None,
        };
        app.hub.at(table, |game, now| game.ask(asked, now));
        None
    }
}
