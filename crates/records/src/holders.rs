//! What belongs to a player's key: how it goes over to another key, and how a key gets to another
//! device.

use crate::dates::Millis;
use crate::{Error, Holder};

/// A way for one more device to get a player's key, once and for a short time. The log has neither
/// the key nor the code that opens the pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pass {
    /// The hash of the code.
    pub hash: [u8; 32],
    /// The key, as only the code makes it readable.
    pub sealed: [u8; 16],
    /// Until when it can be used.
    pub expires: Millis,
}

/// Players' keys, of which the log knows the hashes alone.
pub trait Holders: Send + Sync {
    /// Gives all that belongs to one key to another: seats, invitations, words and notes. How many
    /// seats; it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn hand_over(&self, from: Holder, to: Holder) -> Result<u64, Error>;

    /// Keeps a pass, and forgets those that have expired by `now`.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] when there is one with this hash, or what the disk says.
    fn keep_pass(&self, pass: Pass, now: Millis) -> Result<(), Error>;

    /// Uses up a pass: what was sealed in it, for the first caller that comes in time.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn use_pass(&self, hash: &[u8; 32], now: Millis) -> Result<Option<[u8; 16]>, Error>;
}
