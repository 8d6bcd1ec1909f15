//! How games begin: by an invitation, a seek, or at once.

use std::collections::VecDeque;
use std::sync::Arc;

use hansu_journal::{load, log_time};
use hansu_live::{Answer, Asked, LiveGame, Room};
use hansu_play::{Actor, Command, Millis, Moment, Start, State};
use hansu_protocol as wire;
use hansu_records::{
    Begins, Error, GameId, Holder, Invitation, InvitationState, Seat, Side, Store, Visibility,
};
use serde::{Deserialize, Serialize};

use crate::hub::{Hub, NoTable};
use crate::series::chat;
use crate::table::Table;

/// How long an invitation can be taken up.
pub(crate) const INVITATION: Millis = Millis::days(7);

/// What an invitation is to, as the log keeps it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Wanted {
    pub(crate) start: Start,
    /// The seat of the player who invites.
    pub(crate) host: wire::Turn,
    pub(crate) visibility: wire::Visibility,
}

impl Hub {
    /// Begins a game: the start, the seats and, if there is one, the invitation that is used up.
    pub(crate) async fn begin(
        self: &Arc<Hub>,
        id: GameId,
        start: Start,
        shown: Visibility,
        begins: Begins,
        lang: hansu_words::Lang,
    ) -> Result<(Arc<Table>, Answer), NoTable> {
        let now = self.now();
        let slot = self.tables.slot(id);
        let table = slot
            .get_or_init(|| async {
                let room = Room::new(id, shown, State::default(), now);
                let game = LiveGame::new(id, room, None, Vec::new(), VecDeque::new(), now);
                Arc::new(self.introduced(Table::new(game, self.bus.follow(id))))
            })
            .await
            .clone();
        let seats = begins.seats.clone();
        let asked = Asked {
            by: Some(self.asker(self.fresh_id(), lang)),
            actor: Actor::System,
            command: Command::Start(start),
            moment: Moment::at(now),
            key: None,
            begins: Some(begins),
        };
        let answer = self.call(&table, asked).await?;
        match &answer {
            Answer::Done { .. } => table.seat(seats),
            Answer::Refused { .. } => self.tables.forget(&table),
        }
        Ok((table, answer))
    }

    /// Makes an invitation durable.
    pub(crate) async fn invite(
        &self,
        id: GameId,
        hash: [u8; 32],
        holder: Holder,
        wanted: &Wanted,
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

/// Reads a game, or the invitation to it.
pub(crate) fn read_game(store: &dyn Store, id: GameId, now: Millis) -> Result<LiveGame, NoTable> {
    let entries = match load(store, id) {
        Ok(entries) => entries,
        Err(hansu_journal::LoadError::Log(Error::NoSuchGame)) => {
            return read_waiting(store, id, now);
        }
        Err(hansu_journal::LoadError::Log(error)) => return Err(error.into()),
        Err(hansu_journal::LoadError::Unreadable { .. }) => {
            return Err(NoTable::Log(Error::Damaged));
        }
    };
    if entries.is_empty() {
        return Err(NoTable::Imported);
    }
    let state = State::replay(&entries).map_err(|_| NoTable::Log(Error::Damaged))?;
    let record = store.record(id)?.ok_or(NoTable::NoSuchGame)?;
    let seats = store.seats(id)?;
    let said = state.start().map(|start| chat(store, &entries, start)).unwrap_or_default();
    let room = Room::new(id, record.summary.visibility, state, now);
    Ok(LiveGame::new(id, room, None, seats, said, now))
}

fn read_waiting(store: &dyn Store, id: GameId, now: Millis) -> Result<LiveGame, NoTable> {
    let invitation = store.invitation_of(id)?.ok_or(NoTable::NoSuchGame)?;
    if invitation.state != InvitationState::Open || invitation.expires <= log_time(now) {
        return Err(NoTable::NoSuchGame);
    }
    let wanted: Wanted =
        serde_json::from_str(&invitation.body).map_err(|_| NoTable::Log(Error::Damaged))?;
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
