//! Seeks: players who look for any opponent.
//!
//! A seek is a row in the log with the id of the game to come. The transaction that begins the game
//! uses it up, so the log decides which player gets it when several nodes take it at once. Two
//! matching seeks that were posted at the same moment are paired by one rule: the younger one takes
//! the older one.

use std::sync::Arc;
use std::time::Duration;

use hansu_journal::log_time;
use hansu_live::{CommandAnswer, CommandError, failure};
use hansu_play::{Source, Spectators, Start};
use hansu_protocol::{self as wire, LobbyNews};
use hansu_records::{Begins, Error, GameId, Seat, Seek, Side, Uses, Visibility};
use hansu_view::server_refusal;
use hansu_words::{Lang, ServerRefusal};
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval};

use crate::bus::{NodeId, NodeNews};
use crate::http::rows::wire_seat;
use crate::http::{beside, coin, random};
use crate::hub::Hub;
use crate::lobby::{MOST_SEEKS, Seeker, first_is_white, fits};

/// How often seeks are read from the log while a connection is in the lobby.
const READ_INTERVAL: Duration = Duration::from_secs(1);
/// A seek of this age is deleted when its node is dead, in milliseconds.
const DELETE_AFTER: i64 = 60_000;

/// A seek as the log keeps it.
#[derive(Serialize, Deserialize)]
struct SeekBody {
    connection: u64,
    seek: wire::Seek,
}

/// The result of a seek.
pub(crate) enum SeekOutcome {
    /// The seek is on the list.
    Open,
    /// A matching seek was found, and the game has begun.
    Paired(GameId, wire::Seat),
    /// An earlier seek of the same connection was just taken.
    AlreadyPaired,
}

/// Why two players are not paired.
pub(crate) enum PairError {
    /// Another player was faster.
    Taken,
    Refused(wire::Refusal),
}

impl Hub {
    /// Begins a game between a seek and a new player; returns the new player's seat.
    async fn pair(
        self: &Arc<Hub>,
        other: &Seeker,
        own: &Seeker,
        lang: Lang,
    ) -> Result<wire::Seat, PairError> {
        let failed = |error| PairError::Refused(failure(error, lang));
        let no = |why| PairError::Refused(server_refusal(why, lang));
        let white = first_is_white(other.seek.color, own.seek.color, coin().map_err(failed)?);
        let name = beside(&own.seek.name, &other.seek.name);
        let names = hansu_play::Sides { white: other.seek.name.clone(), black: name };
        let names = if white { names } else { names.swapped() };
        let (white, black) = if white { (other, own) } else { (own, other) };
        let draw = random().map_err(failed)?;
        let (variant, fen) = hansu_view::setup(other.seek.variant, None, draw);
        let start = Start {
            names,
            variant,
            fen,
            time: other.seek.time.clone(),
            source: Source::Online,
            spectators: Spectators::Chat,
            series: None,
            computer: None,
        };
        let seats = vec![
            Seat { side: Side::White, holder: white.holder },
            Seat { side: Side::Black, holder: black.holder },
        ];
        let id = other.game;
        let begins = Begins { seats, uses: Some(Uses::Seek) };
        match self.begin(id, start, Visibility::Public, begins, lang).await {
            Ok((hosted, CommandAnswer::Done { .. })) => {
                let seat = hansu_view::seat(hosted.actor(Some(own.holder)));
                seat.ok_or_else(|| no(ServerRefusal::Unavailable))
            }
            Ok((_, CommandAnswer::Refused { why, refusal, .. })) => {
                let late = matches!(
                    why,
                    CommandError::Failed(Error::Spent)
                        | CommandError::Refused(hansu_play::Refusal::AlreadyStarted)
                );
                Err(if late { PairError::Taken } else { PairError::Refused(refusal) })
            }
            Err(_) => Err(no(ServerRefusal::Unavailable)),
        }
    }

    /// Takes the oldest matching seek of any node; posts this seek when there is none.
    pub(crate) async fn seek(
        self: &Arc<Hub>,
        seeker: Seeker,
        lang: Lang,
    ) -> Result<SeekOutcome, wire::Refusal> {
        let failed = |error| failure(error, lang);
        if self.cancel_seek(seeker.connection).await.map_err(failed)? == Cancelled::TooLate {
            return Ok(SeekOutcome::AlreadyPaired);
        }
        let open = self.read_seeks().await.map_err(failed)?;
        for other in open.iter().filter(|other| fits(other, &seeker)) {
            match self.take_seek(other, &seeker, lang).await {
                Ok((game, seat)) => return Ok(SeekOutcome::Paired(game, seat)),
                Err(PairError::Taken) => {}
                Err(PairError::Refused(refusal)) => return Err(refusal),
            }
        }
        if open.len() >= MOST_SEEKS {
            return Err(server_refusal(ServerRefusal::Busy, lang));
        }
        self.post_seek(seeker).await.map_err(failed)?;
        self.seeks_changed();
        Ok(SeekOutcome::Open)
    }

    /// Begins a game with the player of a posted seek.
    pub(crate) async fn take_seek(
        self: &Arc<Hub>,
        other: &Seeker,
        own: &Seeker,
        lang: Lang,
    ) -> Result<(GameId, wire::Seat), PairError> {
        let paired = self.pair(other, own, lang).await;
        if !matches!(paired, Err(PairError::Refused(_))) {
            self.lobby.remove(other.game);
            self.seeks_changed();
        }
        paired.map(|seat| (other.game, seat))
    }

    /// Makes all nodes read the seeks now.
    fn seeks_changed(&self) {
        self.bus.send_to_nodes(&NodeNews::Lobby);
        self.nodes.seeks.notify_one();
    }

    async fn post_seek(self: &Arc<Hub>, seeker: Seeker) -> Result<(), Error> {
        let posted = SeekBody { connection: seeker.connection, seek: seeker.seek.clone() };
        let seek = Seek {
            game: seeker.game,
            node: self.nodes.own.to_string(),
            body: serde_json::to_string(&posted).map_err(|_| Error::Damaged)?,
            holder: seeker.holder,
            made: seeker.made,
        };
        self.store.ask(move |store| store.seek(seek)).await?;
        if !self.lobby.post(&seeker) {
            // Its connection was closed meanwhile.
            self.delete_seek(seeker.game).await?;
        }
        Ok(())
    }

    /// Cancels the seeks of a connection; `TooLate` when one was taken before.
    pub(crate) async fn cancel_seek(self: &Arc<Hub>, connection: u64) -> Result<Cancelled, Error> {
        let mut cancelled = Cancelled::InTime;
        for seeker in self.lobby.posted_by(connection) {
            cancelled = self.delete_seek(seeker.game).await?;
            match cancelled {
                Cancelled::InTime => self.lobby.unpost(seeker.game),
                Cancelled::TooLate => break,
            }
        }
        self.seeks_changed();
        Ok(cancelled)
    }

    async fn delete_seek(&self, game: GameId) -> Result<Cancelled, Error> {
        match self.store.ask(move |store| store.cancel_seek(game)).await {
            Ok(()) => Ok(Cancelled::InTime),
            Err(Error::NoSuchGame) => Ok(Cancelled::TooLate),
            Err(error) => Err(error),
        }
    }

    /// Removes a connection from the lobby, and cancels its seeks.
    pub(crate) async fn leave_lobby(self: &Arc<Hub>, connection: u64) {
        if !self.lobby.posted_by(connection).is_empty()
            && let Err(error) = self.cancel_seek(connection).await
        {
            tracing::warn!(%error, "a seek cannot be withdrawn");
        }
        self.lobby.leave(connection);
    }

    /// The seeks at all nodes that are alive, the oldest first.
    async fn read_seeks(self: &Arc<Hub>) -> Result<Vec<Seeker>, Error> {
        let found = self.store.ask(|store| store.seeks(MOST_SEEKS)).await?;
        let mut open = Vec::with_capacity(found.len());
        for Seek { game, node, body, holder, made } in found {
            let (Ok(node), Ok(SeekBody { connection, seek })) =
                (node.parse::<NodeId>(), serde_json::from_str(&body))
            else {
                continue;
            };
            if self.nodes.is_alive(node) {
                let connection = if node == self.nodes.own { connection } else { 0 };
                open.push(Seeker { game, connection, holder, seek, made });
            } else if !self.bus.is_shared()
                || made.saturating_add(DELETE_AFTER) < log_time(self.now())
            {
                let _ = self.delete_seek(game).await;
            }
        }
        self.lobby.set_seekers(open.clone());
        Ok(open)
    }

    /// Reads the seeks of all nodes while a connection is in the lobby.
    pub(crate) async fn keep_seeks(self: &Arc<Hub>) {
        let mut every = interval(READ_INTERVAL);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = every.tick() => {}
                () = self.nodes.seeks.notified() => {}
            }
            if self.lobby.is_empty() {
                continue;
            }
            let posted = self.lobby.posted();
            match self.read_seeks().await {
                Ok(open) => {
                    for seeker in posted {
                        self.follow_up(seeker, &open).await;
                    }
                }
                Err(error) => tracing::warn!(%error, "seeks cannot be read"),
            }
        }
    }

    /// Sends `Paired` to a player whose seek was taken; else pairs the player's seek with an older
    /// matching one.
    async fn follow_up(self: &Arc<Hub>, own: Seeker, open: &[Seeker]) {
        let game = own.game;
        if !open.iter().any(|other| other.game == game) {
            let seats = self.store.ask(move |store| store.seats(game)).await;
            let seat = match &seats {
                Ok(seats) => seats.iter().find(|seat| seat.holder == own.holder),
                Err(Error::NoSuchGame) => None,
                Err(_) => return,
            };
            self.lobby.unpost(game);
            if let Some(seat) = seat.and_then(|seat| wire_seat(seat.side)) {
                let news = LobbyNews::Paired { game: game.to_string(), seat };
                self.lobby.send(own.connection, &news);
            }
            return;
        }
        let is_older = |other: &&Seeker| (other.made, other.game) < (own.made, game);
        let Some(older) = open.iter().filter(is_older).find(|other| fits(other, &own)) else {
            return;
        };
        // The own seek is deleted first: it must not be taken while its player takes another.
        if self.delete_seek(game).await != Ok(Cancelled::InTime) {
            return;
        }
        match self.take_seek(older, &own, Lang::En).await {
            Ok((game, seat)) => {
                self.lobby.unpost(own.game);
                let news = LobbyNews::Paired { game: game.to_string(), seat };
                self.lobby.send(own.connection, &news);
            }
            Err(_) => {
                if let Err(error) = self.post_seek(own).await {
                    tracing::warn!(%error, "a seek cannot be posted again");
                }
                self.seeks_changed();
            }
        }
    }

    /// Sends what the lobby shows to its connections, if it has changed.
    pub(crate) fn publish_lobby(&self) {
        self.lobby.publish(|| self.lobby_news());
    }

    /// What the lobby shows.
    pub(crate) fn lobby_news(&self) -> LobbyNews {
        let elsewhere = if self.bus.is_shared() { self.nodes.people() } else { 0 };
        self.lobby.news(self.all_live_games(), elsewhere)
    }
}

/// Whether a seek was cancelled before another player took it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cancelled {
    InTime,
    TooLate,
}
