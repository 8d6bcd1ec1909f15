//! Players' keys: moving everything from one key to another, and passing a key to another device.

use crate::dates::LogTime;
use crate::{Error, Holder};

/// Passes a player's key to another device, once and for a short time. The log has neither the key
/// nor the code that decrypts the pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pass {
    /// The hash of the code.
    pub hash: [u8; 32],
    /// The key, encrypted with the code.
    pub sealed: [u8; 16],
    /// The time from which it cannot be used any more.
    pub expires: LogTime,
}

/// Players' keys, of which the log stores only the hashes.
pub trait Holders: Send + Sync {
    /// Moves everything from one key to another: seats, invitations, tags and notes. Returns the
    /// number of seats; it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn hand_over(&self, from: Holder, to: Holder) -> Result<u64, Error>;

    /// Writes a pass, and deletes the passes that have expired by `now`.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] when there is one with this hash, or a storage error.
    fn keep_pass(&self, pass: Pass, now: LogTime) -> Result<(), Error>;

    /// Deletes a pass and returns its encrypted key; `None` if it was used before or has expired.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn use_pass(&self, hash: &[u8; 32], now: LogTime) -> Result<Option<[u8; 16]>, Error>;
}
