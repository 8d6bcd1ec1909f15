//! Begins games: by an invitation, by a seek, or at once.

use std::collections::VecDeque;
use std::sync::Arc;

use hansu_journal::{load, log_time};
use hansu_live::{CommandAnswer, CommandRequest, LiveGame, Room};
use hansu_play::{Actor, Command, Millis, Moment, Start, State};
use hansu_protocol as wire;
use hansu_records::{
    Begins, Error, GameId, Holder, Invitation, InvitationState, Seat, Side, Store, Visibility,
};
use serde::{Deserialize, Serialize};

use crate::hosted_game::HostedGame;
use crate::hub::{HostingError, Hub};
use crate::series::chat;

/// How long an invitation can be accepted.
pub(crate) const INVITATION: Millis = Millis::days(7);

/// The game of an invitation, as the log keeps it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct InvitationBody {
    pub(crate) start: Start,
    /// The seat of the player who invites.
    pub(crate) host: wire::Turn,
    pub(crate) visibility: wire::Visibility,
}

impl Hub {
    /// Begins a game: writes the start and the seats, and uses up the invitation or the seek, if
    /// there is one.
    pub(crate) async fn begin(
        self: &Arc<Hub>,
        id: GameId,
        start: Start,
        shown: Visibility,
        begins: Begins,
        lang: hansu_words::Lang,
    ) -> Result<(Arc<HostedGame>, CommandAnswer), HostingError> {
        let now = self.now();
        let slot = self.games.slot(id);
        let hosted = slot
            .get_or_init(|| async {
                let room = Room::new(id, shown, State::default(), now);
                let game = LiveGame::new(id, room, None, Vec::new(), VecDeque::new(), now);
                Arc::new(self.introduce(HostedGame::new(game, self.bus.subscribe(id))))
            })
            .await
            .clone();
        let seats = begins.seats.clone();
        let asked = CommandRequest {
            by: Some(self.asker(self.fresh_id(), lang)),
            actor: Actor::System,
            command: Command::Start(start),
            moment: Moment::at(now),
            key: None,
            begins: Some(begins),
        };
        let answer = self.call(&hosted, asked).await?;
        match &answer {
            CommandAnswer::Done { .. } => hosted.set_seats(seats),
            CommandAnswer::Refused { .. } => self.games.remove_unbegun(&hosted),
        }
        Ok((hosted, answer))
    }

    /// Writes an invitation to the log.
    pub(crate) async fn invite(
        &self,
        id: GameId,
        hash: [u8; 32],
        holder: Holder,
        wanted: &InvitationBody,
    ) -> Result<(), Error> {
        let now = self.now();
        let invitation = Invitation {
            hash,
            game: id,
            body: serde_json::to_string(wanted).map_err(|_| Error::Damaged)?,
            holder,
            made: log_time(now),
            expires: log_time(now.plus(INVITATION)),
            state: InvitationState::Open,
        };
        self.store.ask(move |store| store.invite(invitation)).await
    }
}

/// Reads a game from the log, or an open invitation to it.
pub(crate) fn read_game(
    store: &dyn Store,
    id: GameId,
    now: Millis,
) -> Result<LiveGame, HostingError> {
    let entries = match load(store, id) {
        Ok(entries) => entries,
        Err(hansu_journal::LoadError::Log(Error::NoSuchGame)) => {
            return read_waiting(store, id, now);
        }
        Err(hansu_journal::LoadError::Log(error)) => return Err(error.into()),
        Err(hansu_journal::LoadError::Unreadable { .. }) => {
            return Err(HostingError::Log(Error::Damaged));
        }
    };
    if entries.is_empty() {
        return Err(HostingError::Imported);
    }
    let state = State::replay(&entries).map_err(|_| HostingError::Log(Error::Damaged))?;
    let record = store.record(id)?.ok_or(HostingError::NoSuchGame)?;
    let seats = store.seats(id)?;
    let messages = state.start().map(|start| chat(store, &entries, start)).unwrap_or_default();
    let room = Room::new(id, record.summary.visibility, state, now);
    Ok(LiveGame::new(id, room, None, seats, messages, now))
}

fn read_waiting(store: &dyn Store, id: GameId, now: Millis) -> Result<LiveGame, HostingError> {
    let invitation = store.invitation_of(id)?.ok_or(HostingError::NoSuchGame)?;
    if invitation.state != InvitationState::Open || invitation.expires <= log_time(now) {
        return Err(HostingError::NoSuchGame);
    }
    let wanted: InvitationBody =
        serde_json::from_str(&invitation.body).map_err(|_| HostingError::Log(Error::Damaged))?;
    let side = match wanted.host {
        wire::Turn::White => Side::White,
        wire::Turn::Black => Side::Black,
    };
    let seats = vec![Seat { side, holder: invitation.holder }];
    let room = Room::new(id, visibility(wanted.visibility), State::default(), now);
    Ok(LiveGame::new(id, room, Some(wanted.start), seats, VecDeque::new(), now))
}

pub(crate) const fn visibility(shown: wire::Visibility) -> Visibility {
    match shown {
        wire::Visibility::Public => Visibility::Public,
        wire::Visibility::Private => Visibility::Private,
    }
}
