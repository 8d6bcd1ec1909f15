//! Who seeks an opponent, when there are several nodes.
//!
//! A seek is then an invitation in the log that has no end and holds the name of the game to come.
//! Whoever takes it up uses it up in the transaction that begins the game, so the log decides who
//! gets it, whatever the bus does. Two who seek the same at the same moment at two nodes are brought
//! together by one rule: the younger seek goes to the older.

use std::sync::Arc;
use std::time::Duration;

use hansu_journal::log_time;
use hansu_live::{Answer, NotDone, failure};
use hansu_play::{Source, Spectators, Start};
use hansu_protocol::{self as wire, LobbyNews};
use hansu_records::{Begins, Error, GameId, Invitation, Seat, Side, Visibility};
use hansu_view::server_refusal;
use hansu_words::{Lang, ServerRefusal};
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval};

use crate::bus::{NodeId, NodeNews};
use crate::http::{coin, position};
use crate::hub::{Hub, blocking};
use crate::keys::Key;
use crate::lobby::{Claim, MOST_SEEKS, Seeker, first_is_white, fits};

/// When a seek expires: after every invitation (the last day that a browser knows).
const NEVER: i64 = 8_640_000_000_000_000;
/// How often seeks are read from the log while somebody is in the lobby.
const READ: Duration = Duration::from_secs(1);
/// A seek whose node has been dead for so long is cleared away.
const CLEAR: i64 = 60_000;

/// Whether an invitation is somebody's who looks for anybody.
pub(crate) fn is_seek(invitation: &Invitation) -> bool {
    invitation.expires >= NEVER
}

/// A seek as the log keeps it.
#[derive(Serialize, Deserialize)]
struct Posted {
    node: NodeId,
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
    /// Begins a game between somebody who has waited and somebody who comes; where they sit.
    pub(crate) async fn pair(
        self: &Arc<Hub>,
        other: &Seeker,
        own: &Seeker,
        lang: Lang,
    ) -> Result<(GameId, wire::Place, wire::Place), Unpaired> {
        let failed = |error| Unpaired::Refused(failure(error, lang));
        let no = |why| Unpaired::Refused(server_refusal(why, lang));
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
            computer: None,
        };
        let seats = vec![
            Seat { side: Side::White, holder: white.holder },
            Seat { side: Side::Black, holder: black.holder },
        ];
        let (id, invitation) = match &other.claim {
            Some(claim) => (claim.game, Some(claim.hash)),
            None => (GameId::random().map_err(failed)?, None),
        };
        let begins = Begins { seats, invitation };
        match self.begin(id, start, Visibility::Public, begins, lang).await {
            Ok((table, Answer::Done { .. })) => {
                let seat = |seeker: &Seeker| hansu_view::seat(table.actor(Some(seeker.holder)));
                match (seat(other), seat(own)) {
                    (Some(other), Some(own)) => Ok((id, other, own)),
                    _ => Err(no(ServerRefusal::Unavailable)),
                }
            }
            Ok((_, Answer::Refused { why, refusal, .. })) => {
                let late = matches!(
                    why,
                    NotDone::Failed(Error::Spent)
                        | NotDone::Refused(hansu_play::Refusal::AlreadyStarted)
                );
                let taken = invitation.is_some() && late;
                Err(if taken { Unpaired::Taken } else { Unpaired::Refused(refusal) })
            }
            Err(_) => Err(no(ServerRefusal::Unavailable)),
        }
    }

    /// Looks for somebody at any node who fits, the longest waiting first; else waits.
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
            self.lobby.hide(&other.id);
            self.seeks_changed();
        }
        paired.map(|(game, _, seat)| (game, seat))
    }

    /// Everybody reads what there is now.
    fn seeks_changed(&self) {
        self.bus.tell_nodes(&NodeNews::Lobby);
        self.nodes.lobby.notify_one();
    }

    async fn post_seek(self: &Arc<Hub>, mut seeker: Seeker) -> Result<(), Error> {
        let posted = Posted {
            node: self.nodes.own,
            connection: seeker.connection,
            seek: seeker.seek.clone(),
        };
        let claim = match seeker.claim {
            Some(claim) => claim,
            None => Claim {
                hash: Key::random()?.hash(),
                game: seeker.id.parse().map_err(|_| Error::Damaged)?,
                made: log_time(self.now()),
            },
        };
        let invitation = Invitation {
            hash: claim.hash,
            game: claim.game,
            body: serde_json::to_string(&posted).map_err(|_| Error::Damaged)?,
            holder: seeker.holder,
            made: claim.made,
            expires: NEVER,
        };
        let store = self.store.clone();
        blocking(move || store.invite(invitation)).await??;
        seeker.claim = Some(claim);
        // Who has gone meanwhile seeks nobody.
        if !self.lobby.post(seeker) {
            self.withdraw_seek(claim.game).await?;
        }
        Ok(())
    }

    /// No longer looks for anybody.
    pub(crate) async fn cancel_seek(self: &Arc<Hub>, connection: u64) -> Result<Cancelled, Error> {
        let mut cancelled = Cancelled::InTime;
        for seeker in self.lobby.posted_by(connection) {
            let Some(claim) = seeker.claim else { continue };
            cancelled = self.withdraw_seek(claim.game).await?;
            match cancelled {
                Cancelled::InTime => self.lobby.unpost(&seeker.id),
                Cancelled::TooLate => break,
            }
        }
        self.seeks_changed();
        Ok(cancelled)
    }

    async fn withdraw_seek(&self, game: GameId) -> Result<Cancelled, Error> {
        let store = self.store.clone();
        match blocking(move || store.withdraw(game)).await? {
            Ok(()) => Ok(Cancelled::InTime),
            Err(Error::NoSuchGame) => Ok(Cancelled::TooLate),
            Err(error) => Err(error),
        }
    }

    /// Somebody leaves the lobby; what they sought goes with them.
    pub(crate) async fn leave_lobby(self: &Arc<Hub>, connection: u64) {
        if self.bus.is_shared()
            && !self.lobby.posted_by(connection).is_empty()
            && let Err(error) = self.cancel_seek(connection).await
        {
            tracing::warn!(%error, "a seek cannot be withdrawn");
        }
        self.lobby.leave(connection);
    }

    /// The seeks at all nodes that are alive, the oldest first.
    async fn read_seeks(self: &Arc<Hub>) -> Result<Vec<Seeker>, Error> {
        let store = self.store.clone();
        let found = blocking(move || store.lasting(NEVER, MOST_SEEKS)).await??;
        let mut open = Vec::with_capacity(found.len());
        for invitation in found {
            let Ok(posted) = serde_json::from_str::<Posted>(&invitation.body) else { continue };
            if self.nodes.is_alive(posted.node) {
                let own = posted.node == self.nodes.own;
                let claim =
                    Claim { hash: invitation.hash, game: invitation.game, made: invitation.made };
                open.push(Seeker {
                    id: invitation.game.to_string(),
                    connection: if own { posted.connection } else { 0 },
                    holder: invitation.holder,
                    seek: posted.seek,
                    claim: Some(claim),
                });
            } else if invitation.made.saturating_add(CLEAR) < log_time(self.now()) {
                let _ = self.withdraw_seek(invitation.game).await;
            }
        }
        self.lobby.show(open.clone());
        Ok(open)
    }

    /// Reads the seeks of all nodes for as long as there is somebody to show them to.
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

    /// Tells somebody whose seek was taken, and brings somebody who waits to whoever waits longer.
    async fn look_after(self: &Arc<Hub>, own: Seeker, open: &[Seeker]) {
        let Some(claim) = own.claim else { return };
        if !open.iter().any(|other| other.id == own.id) {
            let (store, game) = (self.store.clone(), claim.game);
            let seats = blocking(move || store.seats(game)).await.unwrap_or_else(Err);
            let seat = match &seats {
                Ok(seats) => seats.iter().find(|seat| seat.holder == own.holder),
                Err(Error::NoSuchGame) => None,
                Err(_) => return,
            };
            self.lobby.unpost(&own.id);
            if let Some(seat) = seat {
                let seat = match seat.side {
                    Side::White => wire::Place::White,
                    Side::Black => wire::Place::Black,
                    Side::Both => wire::Place::Both,
                };
                let news = LobbyNews::Paired { game: game.to_string(), seat };
                self.lobby.tell(own.connection, &news);
            }
            return;
        }
        let is_older = |other: &&Seeker| {
            other.claim.is_some_and(|other| (other.made, other.game) < (claim.made, claim.game))
        };
        let Some(older) = open.iter().filter(is_older).find(|other| fits(other, &own)) else {
            return;
        };
        // Off the list first: nobody takes a seek whose owner is on the way to another.
        if self.withdraw_seek(claim.game).await != Ok(Cancelled::InTime) {
            return;
        }
        match self.take_seek(older, &own, Lang::En).await {
            Ok((game, seat)) => {
                self.lobby.unpost(&own.id);
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
