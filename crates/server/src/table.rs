//! A live game at this node: the game itself, and the subscription to what other nodes tell of it.

use std::ops::Deref;
use std::sync::Arc;

use hansu_live::{LiveGame, MOST_UNSENT, Outbox, Text};
use tokio::sync::mpsc;

use crate::bus::Follow;

/// A live game at this node.
pub(crate) struct Table {
    game: LiveGame,
    /// News of the game are heard as long as this is held.
    _follow: Option<Follow>,
}

impl Table {
    pub(crate) fn new(game: LiveGame, follow: Option<Follow>) -> Table {
        Table { game, _follow: follow }
    }
}

impl Deref for Table {
    type Target = LiveGame;

    fn deref(&self) -> &LiveGame {
        &self.game
    }
}

/// Where a connection's messages come out.
pub(crate) type Inbox = mpsc::Receiver<Text>;

/// A bounded queue for one connection.
pub(crate) fn queue() -> (mpsc::Sender<Text>, Inbox) {
    mpsc::channel(MOST_UNSENT)
}

/// The end of a queue that a live game sends to.
pub(crate) fn outbox(sender: mpsc::Sender<Text>) -> Outbox {
    Arc::new(move |text| sender.try_send(text.clone()).is_ok())
}
