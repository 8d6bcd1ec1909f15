//! A serialised message, shared by all connections that it is sent to.

use std::cell::RefCell;
use std::sync::Arc;

/// A message as JSON text.
pub type Text = Arc<str>;

/// The buffer of a thread is shrunk to this many bytes: more than nearly all messages need.
const KEPT: usize = 16 * 1024;

thread_local! {
    /// Messages are serialised here first, so that a message takes no more memory than its length.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Serialises a message.
pub fn text<T: serde::Serialize>(message: &T) -> Text {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.shrink_to(KEPT);
        // All map keys of the protocol are strings, so serialisation cannot fail.
        let written = serde_json::to_writer(&mut *buffer, message).ok();
        written.and_then(|()| str::from_utf8(buffer).ok()).unwrap_or_default().into()
    })
}
