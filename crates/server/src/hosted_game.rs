//! A live game at this node, with the subscription to what other nodes send about it.

use std::ops::Deref;
use std::sync::Arc;

use hansu_live::{LiveGame, MOST_UNSENT, Outbox, Text};
use tokio::sync::mpsc;

use crate::bus::Subscription;

/// A live game at this node.
pub(crate) struct HostedGame {
    game: LiveGame,
    /// Dropping this ends the subscription. None when there is only one node.
    _subscription: Option<Subscription>,
}

impl HostedGame {
    pub(crate) fn new(game: LiveGame, subscription: Option<Subscription>) -> HostedGame {
        HostedGame { game, _subscription: subscription }
    }
}

impl Deref for HostedGame {
    type Target = LiveGame;

    fn deref(&self) -> &LiveGame {
        &self.game
    }
}

/// The receiving end of the queue of messages to one connection.
pub(crate) type Inbox = mpsc::Receiver<Text>;

/// A queue of at most `MOST_UNSENT` messages to one connection.
pub(crate) fn queue() -> (mpsc::Sender<Text>, Inbox) {
    mpsc::channel(MOST_UNSENT)
}

/// The sending end of a queue, as a live game uses it.
pub(crate) fn outbox(sender: mpsc::Sender<Text>) -> Outbox {
    Arc::new(move |text| sender.try_send(text.clone()).is_ok())
}
