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
use super::sockets::{Counted, Place, Upgrade, bounded, no_socket, queue_up};
use crate::keys::Key;
use crate::lobby::Seeker;
use crate::seeks::{Cancelled, Met, Unpaired};
use crate::socket::{Brought, End, Line};
use crate::table::queue;

/// What the lobby shows, for those without a websocket.
pub(crate) async fn lobby(State(app): State<App>) -> Json<LobbyNews> {
    Json(app.hub.lobby_news())
}

/// The websocket of the lobby.
pub(crate) async fn in_lobby(
    State(app): State<App>,
    player: Player,
    socket: Upgrade,
) -> Result<Response, Problem> {
    let socket = socket.map_err(|_| no_socket(player.lang))?;
    let place = Place::take(&app, &player)?;
    queue_up(&app, player.lang).await?;
    let tasks = app.tasks.clone();
    Ok(bounded(socket)
        .on_upgrade(move |socket| tasks.track_future(meet(app, player, socket, place))))
}

async fn meet(app: App, player: Player, socket: WebSocket, place: Place) {
    let _counted = Counted::new(&app);
    let (outbox, inbox) = queue();
    let rate = app.visitors.limits().messages;
    let mut line = Line::new(socket, inbox, place.stop.clone(), rate);
    let lang = match line.greeting::<LobbyMessage>().await {
        Ok(LobbyMessage::Hello { v: wire::VERSION, lang }) => view::lang(lang),
        Ok(LobbyMessage::Hello { .. }) => return bye_lobby(line, End::Version).await,
        Ok(_) => return bye_lobby(line, End::Malformed).await,
        Err(end) => return bye_lobby(line, end).await,
    };
    let id = app.hub.fresh_id();
    let _ = outbox.try_send(text(&app.hub.lobby_news()));
    app.hub.lobby.enter(id, outbox);
    let stay = Stay { app: &app, id, lang, key: player.key };
    let end = stay.talk(&mut line).await;
    app.hub.leave_lobby(id).await;
    bye_lobby(line, end).await;
}

async fn bye_lobby(line: Line, end: End) {
    tracing::debug!(end = end.name(), "a lobby socket ends");
    line.close(end, &text(&LobbyNews::Bye { reason: end.name().to_owned() })).await;
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
                Ok(Brought::TooFast(LobbyMessage::Hello { .. }) | Brought::Unknown(_)) => {
                    return End::Malformed;
                }
                Ok(Brought::TooFast(
                    LobbyMessage::Seek { id, .. }
                    | LobbyMessage::Take { id, .. }
                    | LobbyMessage::Cancel { id },
                )) => {
                    self.tell(&self.refused(id, ServerRefusal::TooFast));
                    continue;
                }
                Ok(Brought::Beat) => {
                    let beat = text(&LobbyNews::Beat { now: self.app.hub.now() });
                    if let Err(end) = line.send(&beat).await {
                        return end;
                    }
                    continue;
                }
                Err(end) => return end,
            };
            match said {
                LobbyMessage::Hello { .. } => return End::Malformed,
                LobbyMessage::Seek { id, seek } => self.seek(id, seek).await,
                LobbyMessage::Take { id, seek, name } => self.take(id, &seek, name).await,
                LobbyMessage::Cancel { id } => self.cancel(id).await,
            }
        }
    }

    fn tell(&self, news: &LobbyNews) {
        self.app.hub.lobby.tell(self.id, news);
    }

    fn refused(&self, id: String, why: ServerRefusal) -> LobbyNews {
        LobbyNews::Refused { id, refusal: view::server_refusal(why, self.lang) }
    }

    /// A seeker for this connection, judged: names and clocks that no game takes are refused now.
    fn seeker(&self, seek: wire::Seek) -> Result<Seeker, wire::Refusal> {
        let no = |why| view::server_refusal(why, self.lang);
        // Without a key nobody could sit down.
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
            Err(refusal) => return self.tell(&LobbyNews::Refused { id, refusal }),
        };
        let seek = seeker.game.to_string();
        match self.app.hub.seek(seeker, self.lang).await {
            Ok(Met::Open) => self.tell(&LobbyNews::Ack { id, seek: Some(seek) }),
            Ok(Met::Before) => self.tell(&LobbyNews::Ack { id, seek: None }),
            Ok(Met::Paired(game, seat)) => self.paired(id, game, seat),
            Err(refusal) => self.tell(&LobbyNews::Refused { id, refusal }),
        }
    }

    async fn cancel(&self, id: String) {
        // Too late is not an error: the game has begun, and the news of it is on its way.
        match self.app.hub.cancel_seek(self.id).await {
            Ok(Cancelled::InTime | Cancelled::TooLate) => {
                self.tell(&LobbyNews::Ack { id, seek: None });
            }
            Err(error) => {
                let refusal = failure(error, self.lang);
                self.tell(&LobbyNews::Refused { id, refusal });
            }
        }
    }

    fn paired(&self, id: String, game: GameId, seat: wire::Place) {
        self.tell(&LobbyNews::Ack { id, seek: None });
        self.tell(&LobbyNews::Paired { game: game.to_string(), seat });
    }

    /// Takes a seek: the log says who gets it.
    async fn take(&self, id: String, seek: &str, name: String) {
        let hub = &self.app.hub;
        let Some(other) = hub.lobby.find(seek) else {
            return self.tell(&self.refused(id, ServerRefusal::NoSeek));
        };
        let wish = wire::Seek { name, color: wire::Choice::Any, ..other.seek.clone() };
        let own = match self.seeker(wish) {
            Ok(own) if own.holder == other.holder => {
                return self.tell(&self.refused(id, ServerRefusal::OwnSeek));
            }
            Ok(own) => own,
            Err(refusal) => return self.tell(&LobbyNews::Refused { id, refusal }),
        };
        // A player who takes a seek needs no other; one whose seek was taken has a game.
        match hub.cancel_seek(self.id).await {
            Ok(Cancelled::InTime) => {}
            Ok(Cancelled::TooLate) => return self.tell(&LobbyNews::Ack { id, seek: None }),
            Err(error) => {
                let refusal = failure(error, self.lang);
                return self.tell(&LobbyNews::Refused { id, refusal });
            }
        }
        match hub.take_seek(&other, &own, self.lang).await {
            Ok((game, seat)) => self.paired(id, game, seat),
            Err(Unpaired::Taken) => self.tell(&self.refused(id, ServerRefusal::NoSeek)),
            Err(Unpaired::Refused(refusal)) => self.tell(&LobbyNews::Refused { id, refusal }),
        }
    }
}
