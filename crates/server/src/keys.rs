//! Keys of players and tokens of invitations: 128 random bits, kept only as hashes.

use std::fmt;
use std::str::FromStr;

use hansu_records::{Error, Holder};
use sha2::{Digest, Sha256};

/// A secret: who has it is somebody. It is shown to its owner once and never written down here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 16]);

/// A text that is no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoKey;

impl Key {
    /// A new key.
    ///
    /// # Errors
    ///
    /// When the operating system has no random numbers.
    pub fn random() -> Result<Key, Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|_| Error::NoRandomness)?;
        Ok(Key(bytes))
    }

    /// What is kept of it.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }

    /// Who a player with this key is.
    pub fn holder(&self) -> Holder {
        Holder(self.hash())
    }

    /// The key as text, for its owner alone: 32 hexadecimal digits.
    pub fn reveal(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A key never gets into a log line by accident.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl FromStr for Key {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<Key, NoKey> {
        let digits = text.as_bytes();
        // One spelling for a key: small letters.
        let plain = digits.iter().all(|d| matches!(d, b'0'..=b'9' | b'a'..=b'f'));
        if digits.len() != 32 || !plain {
            return Err(NoKey);
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| NoKey)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| NoKey)?;
        }
        Ok(Key(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_back_and_has_one_spelling() {
        let key = Key::random().unwrap();
        assert_eq!(key.reveal().parse(), Ok(key));
        assert_ne!(key, Key::random().unwrap());
        for bad in
            ["", "0", &"A".repeat(32), &"g".repeat(32), &"0".repeat(33), "한한한한한한한한한한ab"]
        {
            assert_eq!(bad.parse::<Key>(), Err(NoKey), "{bad:?}");
        }
    }

    #[test]
    fn a_key_does_not_show_itself() {
        let key = Key::random().unwrap();
        assert!(!format!("{key:?}").contains(&key.reveal()[..4]));
    }
}
