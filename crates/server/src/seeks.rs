//! Players who seek any opponent.
//!
//! A seek is a row in the log that holds the name of the game to come. The transaction that begins
//! the game uses it up, so the log decides who gets it, at however many nodes it was taken at once.
//! Two who seek the same at the same moment are brought together by one rule: the younger seek goes
//! to the older.

use std::sync::Arc;
use std::time::Duration;

use hansu_journal::log_time;
use hansu_live::{Answer, NotDone, failure};
use hansu_play::{Source, Spectators, Start};
use hansu_protocol::{self as wire, LobbyNews};
use hansu_records::{Begins, Error, GameId, Seat, Seek, Side, Uses, Visibility};
use hansu_view::server_refusal;
use hansu_words::{Lang, ServerRefusal};
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval};

use crate::bus::{NodeId, NodeNews};
use crate::http::rows::place;
use crate::http::{beside, coin, random};
use crate::hub::Hub;
use crate::lobby::{MOST_SEEKS, Seeker, first_is_white, fits};

/// How often seeks are read from the log while a connection is in the lobby.
const READ: Duration = Duration::from_secs(1);
/// A seek of this age is deleted when its node is dead, in milliseconds.
const CLEAR: i64 = 60_000;

/// A seek as the log keeps it.
#[derive(Serialize, Deserialize)]
struct Posted {
    connection: u64,
    seek: wire::Seek,
}

/// What became of a seek.
pub(crate) enum Met {
    /// It is on the list.
    Open,
    /// Somebody fits, and the game has begun.
    Paired(GameId, wire::Place),
    /// An earlier seek of the same connection was just taken.
    Before,
}

/// Why two do not play.
pub(crate) enum Unpaired {
    /// Somebody else was faster.
    Taken,
    Refused(wire::Refusal),
}

impl Hub {
    /// Begins a game between a player who has waited and one who comes; the seat of the second.
    async fn pair(
        self: &Arc<Hub>,
        other: &Seeker,
        own: &Seeker,
        lang: Lang,
    ) -> Result<wire::Place, Unpaired> {
        let failed = |error| Unpaired::Refused(failure(error, lang));
        let no = |why| Unpaired::Refused(server_refusal(why, lang));
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
            Ok((table, Answer::Done { .. })) => {
                let seat = hansu_view::seat(table.actor(Some(own.holder)));
                seat.ok_or_else(|| no(ServerRefusal::Unavailable))
            }
            Ok((_, Answer::Refused { why, refusal, .. })) => {
                let late = matches!(
                    why,
                    NotDone::Failed(Error::Spent)
                        | NotDone::Refused(hansu_play::Refusal::AlreadyStarted)
                );
                Err(if late { Unpaired::Taken } else { Unpaired::Refused(refusal) })
            }
            Err(_) => Err(no(ServerRefusal::Unavailable)),
        }
    }

    /// Looks for a seek at any node that fits, the longest waiting first; else posts this one.
    pub(crate) async fn seek(
        self: &Arc<Hub>,
        seeker: Seeker,
        lang: Lang,
    ) -> Result<Met, wire::Refusal> {
        let failed = |error| failure(error, lang);
        if self.cancel_seek(seeker.connection).await.map_err(failed)? == Cancelled::TooLate {
            return Ok(Met::Before);
        }
        let open = self.read_seeks().await.map_err(failed)?;
        for other in open.iter().filter(|other| fits(other, &seeker)) {
            match self.take_seek(other, &seeker, lang).await {
                Ok((game, seat)) => return Ok(Met::Paired(game, seat)),
                Err(Unpaired::Taken) => {}
                Err(Unpaired::Refused(refusal)) => return Err(refusal),
            }
        }
        if open.len() >= MOST_SEEKS {
            return Err(server_refusal(ServerRefusal::Busy, lang));
        }
        self.post_seek(seeker).await.map_err(failed)?;
        self.seeks_changed();
        Ok(Met::Open)
    }

    /// Begins a game with somebody who has posted a seek.
    pub(crate) async fn take_seek(
        self: &Arc<Hub>,
        other: &Seeker,
        own: &Seeker,
        lang: Lang,
    ) -> Result<(GameId, wire::Place), Unpaired> {
        let paired = self.pair(other, own, lang).await;
        if !matches!(paired, Err(Unpaired::Refused(_))) {
            self.lobby.hide(other.game);
            self.seeks_changed();
        }
        paired.map(|seat| (other.game, seat))
    }

    /// All nodes read the seeks now.
    fn seeks_changed(&self) {
        self.bus.tell_nodes(&NodeNews::Lobby);
        self.nodes.lobby.notify_one();
    }

    async fn post_seek(self: &Arc<Hub>, seeker: Seeker) -> Result<(), Error> {
        let posted = Posted { connection: seeker.connection, seek: seeker.seek.clone() };
        let seek = Seek {
            game: seeker.game,
            node: self.nodes.own.to_string(),
            body: serde_json::to_string(&posted).map_err(|_| Error::Damaged)?,
            holder: seeker.holder,
            made: seeker.made,
        };
        self.store.ask(move |store| store.seek(seek)).await?;
        if !self.lobby.post(&seeker) {
            // Its connection has gone meanwhile.
            self.delete_seek(seeker.game).await?;
        }
        Ok(())
    }

    /// Cancels the seeks of a connection.
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

    /// A connection leaves the lobby; its seeks go with it.
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
            let (Ok(node), Ok(Posted { connection, seek })) =
                (node.parse::<NodeId>(), serde_json::from_str(&body))
            else {
                continue;
            };
            if self.nodes.is_alive(node) {
                let connection = if node == self.nodes.own { connection } else { 0 };
                open.push(Seeker { game, connection, holder, seek, made });
            } else if !self.bus.is_shared() || made.saturating_add(CLEAR) < log_time(self.now()) {
                let _ = self.delete_seek(game).await;
            }
        }
        self.lobby.show(open.clone());
        Ok(open)
    }

    /// Reads the seeks of all nodes while a connection is in the lobby.
    pub(crate) async fn keep_seeks(self: &Arc<Hub>) {
        let mut every = interval(READ);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = every.tick() => {}
                () = self.nodes.lobby.notified() => {}
            }
            if self.lobby.is_empty() {
                continue;
            }
            let posted = self.lobby.posted();
            match self.read_seeks().await {
                Ok(open) => {
                    for seeker in posted {
                        self.look_after(seeker, &open).await;
                    }
                }
                Err(error) => tracing::warn!(%error, "seeks cannot be read"),
            }
        }
    }

    /// Tells a player whose seek was taken, and brings one who waits to one who waits longer.
    async fn look_after(self: &Arc<Hub>, own: Seeker, open: &[Seeker]) {
        let game = own.game;
        if !open.iter().any(|other| other.game == game) {
            let seats = self.store.ask(move |store| store.seats(game)).await;
            let seat = match &seats {
                Ok(seats) => seats.iter().find(|seat| seat.holder == own.holder),
                Err(Error::NoSuchGame) => None,
                Err(_) => return,
            };
            self.lobby.unpost(game);
            if let Some(seat) = seat.and_then(|seat| place(seat.side)) {
                let news = LobbyNews::Paired { game: game.to_string(), seat };
                self.lobby.tell(own.connection, &news);
            }
            return;
        }
        let is_older = |other: &&Seeker| (other.made, other.game) < (own.made, game);
        let Some(older) = open.iter().filter(is_older).find(|other| fits(other, &own)) else {
            return;
        };
        // Off the list first: a seek whose player is on the way to another must not be taken.
        if self.delete_seek(game).await != Ok(Cancelled::InTime) {
            return;
        }
        match self.take_seek(older, &own, Lang::En).await {
            Ok((game, seat)) => {
                self.lobby.unpost(own.game);
                let news = LobbyNews::Paired { game: game.to_string(), seat };
                self.lobby.tell(own.connection, &news);
            }
            Err(_) => {
                if let Err(error) = self.post_seek(own).await {
                    tracing::warn!(%error, "a seek cannot be posted again");
                }
                self.seeks_changed();
            }
        }
    }

    /// Tells the lobby what it shows, if that has changed.
    pub(crate) fn publish_lobby(&self) {
        self.lobby.publish(|| self.lobby_news());
    }

    /// What the lobby shows.
    pub(crate) fn lobby_news(&self) -> LobbyNews {
        let elsewhere = if self.bus.is_shared() { self.nodes.people() } else { 0 };
        self.lobby.news(self.all_live_games(), elsewhere)
    }
}

/// Whether a seek was withdrawn before somebody took it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cancelled {
    InTime,
    TooLate,
}
