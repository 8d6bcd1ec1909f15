//! Websockets: at a game, and in the lobby.

use axum::Json;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::response::Response;
use hansu_play::{Actor, Moment, Source, Spectators, Start};
use hansu_protocol::{self as wire, ClientMessage, LobbyMessage, LobbyNews, ServerMessage, Wish};
use hansu_records::{Begins, GameId, Seat, Side, Visibility};
use hansu_words::{Lang, ServerRefusal};
use std::sync::Arc;

use super::App;
use super::ask::{At, wrong};
use super::games::{coin, game, is_id, position, withdraw};
use super::player::Player;
use super::problem::{Problem, refusal};
use crate::figures;
use crate::keys::Key;
use crate::limits::SocketGuard;
use crate::lobby::{Seeker, Sought, first_is_white};
use crate::room::Asked;
use crate::socket::{Brought, End, Line};
use crate::table::{Answer, Hello, Table, client, place, queue, text};
use crate::view;

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
type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// Somebody came to a websocket with something else.
fn no_socket(lang: Lang) -> Problem {
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
    let guard = app
        .visitors
        .socket(player.address)
        .map_err(|_| Problem::of(ServerRefusal::TooManyConnections, lang))?;
    let table = app.hub.table(id).await.map_err(|why| Problem::table(why, lang))?;
    if table.actor(player.holder()) == Actor::Spectator {
        queue_up(&app, lang).await?;
    }
    let tasks = app.tasks.clone();
    Ok(bounded(socket)
        .on_upgrade(move |socket| tasks.track_future(play(app, table, player, socket, guard))))
}

/// Who has no seat lets those go first who have.
async fn queue_up(app: &App, lang: Lang) -> Result<(), Problem> {
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

async fn play(app: App, table: Arc<Table>, player: Player, socket: WebSocket, _guard: SocketGuard) {
    let _counted = Counted::new(&app);
    let (outbox, inbox) = queue();
    let rate = app.visitors.limits().messages;
    let mut line = Line::new(socket, inbox, app.stop.clone(), rate);
    let (seq, lang) = match line.greeting::<ClientMessage>().await {
        Ok(ClientMessage::Hello { v: wire::VERSION, seq, lang }) => (seq, view::lang(lang)),
        Ok(ClientMessage::Hello { .. }) => return bye(line, End::Version).await,
        Ok(_) => return bye(line, End::Malformed).await,
        Err(end) => return bye(line, end).await,
    };
    let id = app.hub.fresh_id();
    // Who sits where is looked up now and not before: the seat may have been taken meanwhile.
    let actor = table.actor(player.holder());
    let hello = Hello { id, actor, lang, seq, outbox };
    let errands = table.join(hello, app.hub.now());
    app.hub.run(&table, errands);
    let visit = Visit { app: &app, table: &table, id, actor, lang, player };
    let end = visit.talk(&mut line).await;
    table.part(id, actor, app.hub.now());
    let dismissed = end == End::Slow && table.is_gone();
    bye(line, if dismissed { End::NoGame } else { end }).await;
}

async fn bye(line: Line, end: End) {
    tracing::debug!(end = end.name(), "a game socket ends");
    line.close(end, text(&ServerMessage::Bye { reason: end.name().to_owned() })).await;
}

/// One connection to one game.
struct Visit<'a> {
    app: &'a App,
    table: &'a Arc<Table>,
    id: u64,
    actor: Actor,
    lang: Lang,
    player: Player,
}

impl Visit<'_> {
    async fn talk(&self, line: &mut Line) -> End {
        loop {
            let brought = line.next::<ClientMessage>().await;
            let now = self.app.hub.now();
            match brought {
                Ok(Brought::Said(ClientMessage::Command { id, command })) => {
                    if !is_id(&id) {
                        return End::Malformed;
                    }
                    let moment = Moment::at(now).lagging(line.lag());
                    if let Some(refused) = self.command(id, command, moment).await {
                        let sent = line.send(axum::extract::ws::Message::Text(refused)).await;
                        if let Err(end) = sent {
                            return end;
                        }
                    }
                }
                Ok(Brought::TooFast(ClientMessage::Command { id, .. })) => {
                    let refused = self.refused(id, ServerRefusal::TooFast);
                    if let Err(end) = line.send(axum::extract::ws::Message::Text(refused)).await {
                        return end;
                    }
                }
                Ok(Brought::Said(ClientMessage::Sync { seq })) => self.table.sync(self.id, seq),
                Ok(Brought::TooFast(_)) => {}
                // Once is enough.
                Ok(Brought::Said(ClientMessage::Hello { .. })) => return End::Malformed,
                Ok(Brought::Beat) => {
                    let beat = text(&ServerMessage::Beat { seq: self.table.seq(), now });
                    if let Err(end) = line.send(axum::extract::ws::Message::Text(beat)).await {
                        return end;
                    }
                }
                Err(end) => return end,
            }
        }
    }

    fn refused(&self, id: String, why: ServerRefusal) -> axum::extract::ws::Utf8Bytes {
        let seq = self.table.seq();
        figures::refused(why.code());
        text(&ServerMessage::Refused { id, seq, refusal: refusal(why, self.lang) })
    }

    /// Asks the table; what is refused before that is answered at once.
    async fn command(
        &self,
        id: String,
        wish: Wish,
        moment: Moment,
    ) -> Option<axum::extract::ws::Utf8Bytes> {
        let (app, table) = (self.app, self.table);
        if wish == Wish::Abort && table.is_waiting() {
            return match withdraw(app, table, self.actor, self.lang).await {
                Ok(()) => None,
                Err(_) => Some(self.refused(id, ServerRefusal::NotYourGame)),
            };
        }
        let command = match table.command(wish, self.actor, GameId::random) {
            Ok(command) => command,
            Err(why) => return Some(self.refused(id, why)),
        };
        let who = self.player.mark().unwrap_or_else(|| self.id.to_string());
        let asked = Asked {
            by: Some(self.id),
            actor: self.actor,
            command,
            moment,
            client: Some(client(self.actor, &who, &id)),
            begins: None,
        };
        let errands = table.ask(asked, app.hub.now());
        app.hub.run(table, errands);
        None
    }
}

/// What the lobby shows, for those without a websocket.
pub(crate) async fn lobby(State(app): State<App>) -> Json<LobbyNews> {
    Json(app.hub.lobby.news(app.hub.live_games()))
}

/// The websocket of the lobby.
pub(crate) async fn in_lobby(
    State(app): State<App>,
    player: Player,
    socket: Upgrade,
) -> Result<Response, Problem> {
    let socket = socket.map_err(|_| no_socket(player.lang))?;
    let guard = app
        .visitors
        .socket(player.address)
        .map_err(|_| Problem::of(ServerRefusal::TooManyConnections, player.lang))?;
    queue_up(&app, player.lang).await?;
    let tasks = app.tasks.clone();
    Ok(bounded(socket)
        .on_upgrade(move |socket| tasks.track_future(meet(app, player, socket, guard))))
}

async fn meet(app: App, player: Player, socket: WebSocket, _guard: SocketGuard) {
    let _counted = Counted::new(&app);
    let (outbox, inbox) = queue();
    let rate = app.visitors.limits().messages;
    let mut line = Line::new(socket, inbox, app.stop.clone(), rate);
    let lang = match line.greeting::<LobbyMessage>().await {
        Ok(LobbyMessage::Hello { v: wire::VERSION, lang }) => view::lang(lang),
        Ok(LobbyMessage::Hello { .. }) => return bye_lobby(line, End::Version).await,
        Ok(_) => return bye_lobby(line, End::Malformed).await,
        Err(end) => return bye_lobby(line, end).await,
    };
    let id = app.hub.fresh_id();
    let _ = outbox.try_send(text(&app.hub.lobby.news(app.hub.live_games())));
    app.hub.lobby.enter(id, outbox);
    let stay = Stay { app: &app, id, lang, key: player.key };
    let end = stay.talk(&mut line).await;
    app.hub.lobby.leave(id);
    bye_lobby(line, end).await;
}

async fn bye_lobby(line: Line, end: End) {
    tracing::debug!(end = end.name(), "a lobby socket ends");
    line.close(end, text(&LobbyNews::Bye { reason: end.name().to_owned() })).await;
}

/// One connection to the lobby.
struct Stay<'a> {
    app: &'a App,
    id: u64,
    lang: Lang,
    key: Option<Key>,
}

impl Stay<'_> {
    async fn talk(&self, line: &mut Line) -> End {
        loop {
            let said = match line.next::<LobbyMessage>().await {
                Ok(Brought::Said(said)) => said,
                Ok(Brought::TooFast(LobbyMessage::Hello { .. })) => return End::Malformed,
                Ok(Brought::TooFast(
                    LobbyMessage::Seek { id, .. }
                    | LobbyMessage::Take { id, .. }
                    | LobbyMessage::Cancel { id },
                )) => {
                    self.tell(&self.refused(id, ServerRefusal::TooFast));
                    continue;
                }
                Ok(Brought::Beat) => {
                    self.tell(&LobbyNews::Beat { now: self.app.hub.now() });
                    continue;
                }
                Err(end) => return end,
            };
            match said {
                LobbyMessage::Hello { .. } => return End::Malformed,
                LobbyMessage::Seek { id, seek } => self.seek(id, seek).await,
                LobbyMessage::Take { id, seek, name } => self.take(id, &seek, name).await,
                LobbyMessage::Cancel { id } => {
                    self.app.hub.lobby.cancel(self.id);
                    self.tell(&LobbyNews::Ack { id, seek: None });
                }
            }
        }
    }

    fn tell(&self, news: &LobbyNews) {
        self.app.hub.lobby.tell(self.id, news);
    }

    fn refused(&self, id: String, why: ServerRefusal) -> LobbyNews {
        LobbyNews::Refused { id, refusal: refusal(why, self.lang) }
    }

    /// A seeker for this connection, judged: names and clocks that no game takes are refused now.
    fn seeker(&self, seek: wire::Seek) -> Result<Seeker, wire::Refusal> {
        let no = |why| refusal(why, self.lang);
        // Without a key nobody could sit down.
        let key = self.key.ok_or_else(|| no(ServerRefusal::NotYourGame))?;
        let start = Start { time: seek.time.clone(), ..Start::between(&seek.name, &seek.name) };
        let state = hansu_play::State::default();
        let command = hansu_play::Command::Start(start);
        hansu_play::decide(&state, Actor::System, &command, self.app.hub.now())
            .map_err(|why| view::refusal(why, &state, self.lang))?;
        let id = GameId::random().map_err(|_| no(ServerRefusal::Unavailable))?.to_string();
        Ok(Seeker { id, connection: self.id, holder: key.holder(), seek })
    }

    async fn seek(&self, id: String, seek: wire::Seek) {
        let seeker = match self.seeker(seek) {
            Ok(seeker) => seeker,
            Err(refusal) => return self.tell(&LobbyNews::Refused { id, refusal }),
        };
        match self.app.hub.lobby.seek(seeker.clone()) {
            Sought::Open => self.tell(&LobbyNews::Ack { id, seek: Some(seeker.id) }),
            Sought::Full => self.tell(&self.refused(id, ServerRefusal::Busy)),
            Sought::Paired(other) => self.pair(id, other, seeker).await,
        }
    }

    async fn take(&self, id: String, seek: &str, name: String) {
        let lobby = &self.app.hub.lobby;
        let own = self.key.map(|key| key.holder());
        match lobby.owner(seek) {
            None => return self.tell(&self.refused(id, ServerRefusal::NoSeek)),
            Some(owner) if Some(owner) == own => {
                return self.tell(&self.refused(id, ServerRefusal::OwnSeek));
            }
            Some(_) => {}
        }
        let Some(other) = lobby.take(seek) else {
            return self.tell(&self.refused(id, ServerRefusal::NoSeek));
        };
        let wish = wire::Seek { name, color: wire::Choice::Any, ..other.seek.clone() };
        match self.seeker(wish) {
            Ok(seeker) => {
                // Whoever takes a seek has no use for one's own.
                lobby.cancel(self.id);
                self.pair(id, other, seeker).await;
            }
            Err(refusal) => {
                lobby.put_back(other);
                self.tell(&LobbyNews::Refused { id, refusal });
            }
        }
    }

    /// Begins a game between somebody who has waited and this connection.
    async fn pair(&self, id: String, other: Seeker, own: Seeker) {
        match self.begin(&other, &own).await {
            Ok((game, other_place, own_place)) => {
                self.tell(&LobbyNews::Ack { id, seek: None });
                let paired = |seat| LobbyNews::Paired { game: game.to_string(), seat };
                self.app.hub.lobby.tell(other.connection, &paired(other_place));
                self.tell(&paired(own_place));
            }
            Err(refusal) => {
                self.app.hub.lobby.put_back(other);
                self.tell(&LobbyNews::Refused { id, refusal });
            }
        }
    }

    async fn begin(
        &self,
        other: &Seeker,
        own: &Seeker,
    ) -> Result<(GameId, wire::Place, wire::Place), wire::Refusal> {
        let failed = |error| view::failure(error, self.lang);
        let white = first_is_white(other.seek.color, own.seek.color, coin().map_err(failed)?);
        let (white, black) = if white { (other, own) } else { (own, other) };
        let (variant, fen) = position(other.seek.variant, None).map_err(failed)?;
        let start = Start {
            names: hansu_play::Sides {
                white: white.seek.name.clone(),
                black: black.seek.name.clone(),
            },
            variant,
            fen,
            time: other.seek.time.clone(),
            source: Source::Online,
            spectators: Spectators::Chat,
            series: None,
        };
        let seats = vec![
            Seat { side: Side::White, holder: white.holder },
            Seat { side: Side::Black, holder: black.holder },
        ];
        let id = GameId::random().map_err(failed)?;
        let begins = Begins { seats, invitation: None };
        let begun = self.app.hub.begin(id, start, Visibility::Public, begins, self.lang).await;
        match begun {
            Ok((table, Answer::Done { .. })) => {
                let seat = |seeker: &Seeker| place(table.actor(Some(seeker.holder)));
                let both = (seat(other), seat(own));
                match both {
                    (Some(other), Some(own)) => Ok((id, other, own)),
                    _ => Err(refusal(ServerRefusal::Unavailable, self.lang)),
                }
            }
            Ok((_, Answer::Refused { refusal, .. })) => Err(refusal),
            Err(_) => Err(refusal(ServerRefusal::Unavailable, self.lang)),
        }
    }
}
