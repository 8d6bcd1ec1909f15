//! A message as text, shared by everyone it is sent to.

use std::cell::RefCell;
use std::sync::Arc;

/// A message as it goes over the wire.
pub type Text = Arc<str>;

/// What a thread keeps of its buffer: more than nearly all messages need.
const KEPT: usize = 16 * 1024;

thread_local! {
    /// Messages are written here first, so that a message takes no more memory than its length.
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
