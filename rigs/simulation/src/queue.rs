//! A connection's queue of messages, bounded as in the server.

use std::sync::{Arc, mpsc};

use hansu_live::{MOST_UNSENT, Outbox, Text};

/// The receiving end of a connection's queue.
pub(crate) type Inbox = mpsc::Receiver<Text>;

pub(crate) fn queue() -> (Outbox, Inbox) {
    let (sender, inbox) = mpsc::sync_channel::<Text>(MOST_UNSENT);
    (Arc::new(move |text| sender.try_send(text.clone()).is_ok()), inbox)
}
