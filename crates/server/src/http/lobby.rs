//! The websocket of the lobby.

use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocket;
use axum::response::Response;
use hansu_journal::log_time;
use hansu_live::{failure, text};
use hansu_play::{Actor, Start};
use hansu_protocol::{self as wire, LobbyMessage, LobbyNews};
use hansu_records::GameId;
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};

use super::App;
use super::player::Player;
use super::problem::Problem;
use super::sockets::{ConnectionCount, SocketPermit, Upgrade, bounded, not_an_upgrade, queue_up};
use crate::hosted_game::queue;
use crate::keys::Key;
use crate::lobby::Seeker;
use crate::seeks::{Cancelled, PairError, SeekOutcome};
use crate::socket::{CloseReason, Connection, Incoming};

/// What the lobby shows, for clients without a websocket.
pub(crate) async fn lobby(State(app): State<App>) -> Json<LobbyNews> {
    Json(app.hub.lobby_news())
}

/// The websocket of the lobby.
pub(crate) async fn in_lobby(
    State(app): State<App>,
    player: Player,
    socket: Upgrade,
) -> Result<Response, Problem> {
    let socket = socket.map_err(|_| not_an_upgrade(player.lang))?;
    let permit = SocketPermit::acquire(&app, &player)?;
    queue_up(&app, player.lang).await?;
    let tasks = app.tasks.clone();
    Ok(bounded(socket)
        .on_upgrade(move |socket| tasks.track_future(serve_lobby(app, player, socket, permit))))
}

async fn serve_lobby(app: App, player: Player, socket: WebSocket, permit: SocketPermit) {
    let _count = ConnectionCount::new(&app);
    let (outbox, inbox) = queue();
    let rate = app.visitors.limits().messages;
    let mut connection = Connection::new(socket, inbox, permit.stop.clone(), rate);
    let lang = match connection.receive_greeting::<LobbyMessage>().await {
        Ok(LobbyMessage::Hello { v: wire::VERSION, lang }) => view::lang(lang),
        Ok(LobbyMessage::Hello { .. }) => return close(connection, CloseReason::Version).await,
        Ok(_) => return close(connection, CloseReason::Malformed).await,
        Err(end) => return close(connection, end).await,
    };
    let id = app.hub.fresh_id();
    let _ = outbox.try_send(text(&app.hub.lobby_news()));
    app.hub.lobby.enter(id, outbox);
    let session = LobbySession { app: &app, id, lang, key: player.key };
    let end = session.talk(&mut connection).await;
    app.hub.leave_lobby(id).await;
    close(connection, end).await;
}

async fn close(connection: Connection, end: CloseReason) {
    tracing::debug!(end = end.name(), "a lobby socket ends");
    connection.close(end, &text(&LobbyNews::Bye { reason: end.name().to_owned() })).await;
}

/// One connection to the lobby.
struct LobbySession<'a> {
    app: &'a App,
    id: u64,
    lang: Lang,
    key: Option<Key>,
}

impl LobbySession<'_> {
    async fn talk(&self, connection: &mut Connection) -> CloseReason {
        loop {
            let message = match connection.next::<LobbyMessage>().await {
                Ok(Incoming::Message(message)) => message,
                Ok(Incoming::TooFast(LobbyMessage::Hello { .. }) | Incoming::UnknownCommand(_)) => {
                    return CloseReason::Malformed;
                }
                Ok(Incoming::TooFast(
                    LobbyMessage::Seek { id, .. }
                    | LobbyMessage::Take { id, .. }
                    | LobbyMessage::Cancel { id },
                )) => {
                    self.send(&self.refuse(id, ServerRefusal::TooFast));
                    continue;
                }
                Ok(Incoming::Heartbeat) => {
                    let beat = text(&LobbyNews::Beat { now: self.app.hub.now() });
                    if let Err(end) = connection.send(&beat).await {
                        return end;
                    }
                    continue;
                }
                Err(end) => return end,
            };
            match message {
                LobbyMessage::Hello { .. } => return CloseReason::Malformed,
                LobbyMessage::Seek { id, seek } => self.seek(id, seek).await,
                LobbyMessage::Take { id, seek, name } => self.take(id, &seek, name).await,
                LobbyMessage::Cancel { id } => self.cancel(id).await,
            }
        }
    }

    fn send(&self, news: &LobbyNews) {
        self.app.hub.lobby.send(self.id, news);
    }

    fn refuse(&self, id: String, why: ServerRefusal) -> LobbyNews {
        LobbyNews::Refused { id, refusal: view::server_refusal(why, self.lang) }
    }

    /// Makes a seeker for this connection; names and clocks that no game takes are refused now.
    fn seeker(&self, seek: wire::Seek) -> Result<Seeker, wire::Refusal> {
        let no = |why| view::server_refusal(why, self.lang);
        // A seat needs a key.
        let key = self.key.ok_or_else(|| no(ServerRefusal::NotYourGame))?;
        let start = Start { time: seek.time.clone(), ..Start::between(&seek.name, &seek.name) };
        let state = hansu_play::State::default();
        let command = hansu_play::Command::Start(start);
        hansu_play::decide(&state, Actor::System, &command, self.app.hub.now())
            .map_err(|why| view::refusal(why, &state, self.lang))?;
        let game = GameId::random().map_err(|_| no(ServerRefusal::Unavailable))?;
        let made = log_time(self.app.hub.now());
        Ok(Seeker { game, connection: self.id, holder: key.holder(), seek, made })
    }

    async fn seek(&self, id: String, seek: wire::Seek) {
        let seeker = match self.seeker(seek) {
            Ok(seeker) => seeker,
            Err(refusal) => return self.send(&LobbyNews::Refused { id, refusal }),
        };
        let seek = seeker.game.to_string();
        match self.app.hub.seek(seeker, self.lang).await {
            Ok(SeekOutcome::Open) => self.send(&LobbyNews::Ack { id, seek: Some(seek) }),
            Ok(SeekOutcome::AlreadyPaired) => self.send(&LobbyNews::Ack { id, seek: None }),
            Ok(SeekOutcome::Paired(game, seat)) => self.send_paired(id, game, seat),
            Err(refusal) => self.send(&LobbyNews::Refused { id, refusal }),
        }
    }

    async fn cancel(&self, id: String) {
        // Too late is not an error: the game has begun, and its `Paired` message is on its way.
        match self.app.hub.cancel_seek(self.id).await {
            Ok(Cancelled::InTime | Cancelled::TooLate) => {
                self.send(&LobbyNews::Ack { id, seek: None });
            }
            Err(error) => {
                let refusal = failure(error, self.lang);
                self.send(&LobbyNews::Refused { id, refusal });
            }
        }
    }

    fn send_paired(&self, id: String, game: GameId, seat: wire::Seat) {
        self.send(&LobbyNews::Ack { id, seek: None });
        self.send(&LobbyNews::Paired { game: game.to_string(), seat });
    }

    /// Takes a seek; the log decides which player gets it.
    async fn take(&self, id: String, seek: &str, name: String) {
        let hub = &self.app.hub;
        let Some(other) = hub.lobby.find(seek) else {
            return self.send(&self.refuse(id, ServerRefusal::NoSeek));
        };
        let wish = wire::Seek { name, color: wire::Choice::Any, ..other.seek.clone() };
        let own = match self.seeker(wish) {
            Ok(own) if own.holder == other.holder => {
                return self.send(&self.refuse(id, ServerRefusal::OwnSeek));
            }
            Ok(own) => own,
            Err(refusal) => return self.send(&LobbyNews::Refused { id, refusal }),
        };
        // A player who takes a seek gives up the own one; if that was taken meanwhile, the player
        // has a game already.
        match hub.cancel_seek(self.id).await {
            Ok(Cancelled::InTime) => {}
            Ok(Cancelled::TooLate) => return self.send(&LobbyNews::Ack { id, seek: None }),
            Err(error) => {
                let refusal = failure(error, self.lang);
                return self.send(&LobbyNews::Refused { id, refusal });
            }
        }
        match hub.take_seek(&other, &own, self.lang).await {
            Ok((game, seat)) => self.send_paired(id, game, seat),
            Err(PairError::Taken) => self.send(&self.refuse(id, ServerRefusal::NoSeek)),
            Err(PairError::Refused(refusal)) => self.send(&LobbyNews::Refused { id, refusal }),
        }
    }
}
