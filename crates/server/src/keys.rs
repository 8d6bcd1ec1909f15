//! Keys of players and tokens of invitations: 128 random bits, kept only as hashes.

use std::fmt;
use std::str::FromStr;

use hansu_records::{Error, Holder};
use sha2::{Digest, Sha256};

/// A secret that identifies a player. It is shown to its owner once, and only its hash is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 16]);

/// The text is not a key, or not a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyError;

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

    /// The SHA-256 of the key, which is what the log keeps.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }

    /// The player with this key, as the log knows it.
    pub fn holder(&self) -> Holder {
        Holder(self.hash())
    }

    /// The key's bytes, for [`PassCode::seal`].
    pub(crate) fn bytes(&self) -> [u8; 16] {
        self.0
    }

    /// The key of these bytes.
    pub(crate) fn from_bytes(bytes: [u8; 16]) -> Key {
        Key(bytes)
    }

    /// The key as text, for its owner alone: 32 hexadecimal digits.
    pub fn reveal(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A code with which one more device gets a player's key, once: twelve letters and digits that are
/// not taken for each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PassCode([u8; PassCode::LENGTH]);

impl PassCode {
    const LENGTH: usize = 12;
    /// No i, l, o and u.
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

    /// A new code.
    ///
    /// # Errors
    ///
    /// When the operating system has no random numbers.
    pub fn random() -> Result<PassCode, Error> {
        let mut bytes = [0; PassCode::LENGTH];
        getrandom::fill(&mut bytes).map_err(|_| Error::NoRandomness)?;
        Ok(PassCode(bytes.map(|byte| PassCode::LETTERS[usize::from(byte % 32)])))
    }

    /// The hash of the code, which is what the log keeps.
    pub fn hash(&self) -> [u8; 32] {
        self.digest(b"hansu pass")
    }

    /// Encrypts a key with this code; the same call decrypts it again.
    pub fn seal(&self, key: [u8; 16]) -> [u8; 16] {
        let mask = self.digest(b"hansu seal");
        let mut sealed = key;
        sealed.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
        sealed
    }

    fn digest(&self, purpose: &[u8]) -> [u8; 32] {
        Sha256::new().chain_update(purpose).chain_update(self.0).finalize().into()
    }

    /// The code as people read it: three groups of four.
    pub fn reveal(&self) -> String {
        let groups = self.0.chunks(4).map(|group| group.iter().map(|&c| char::from(c)).collect());
        groups.collect::<Vec<String>>().join("-")
    }
}

/// Hides the code, so that it does not get into log output.
impl fmt::Debug for PassCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PassCode(…)")
    }
}

impl FromStr for PassCode {
    type Err = KeyError;

    /// Reads a code as people type it: ignores case, blanks and dashes, and reads o as 0, i and l
    /// as 1.
    fn from_str(text: &str) -> Result<PassCode, KeyError> {
        let typed = text.chars().filter(|c| !c.is_whitespace() && *c != '-');
        let letters: Vec<u8> = typed
            .map(|c| match c.to_ascii_lowercase() {
                'o' => '0',
                'i' | 'l' => '1',
                c => c,
            })
            .map(|c| u8::try_from(c).ok().filter(|c| PassCode::LETTERS.contains(c)).ok_or(KeyError))
            .take(PassCode::LENGTH + 1)
            .collect::<Result<_, _>>()?;
        letters.try_into().map(PassCode).map_err(|_| KeyError)
    }
}

/// Hides the key, so that it does not get into log output.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Key, KeyError> {
        let digits = text.as_bytes();
        // Only lower case, so that a key has one spelling.
        let plain = digits.iter().all(|d| matches!(d, b'0'..=b'9' | b'a'..=b'f'));
        if digits.len() != 32 || !plain {
            return Err(KeyError);
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| KeyError)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| KeyError)?;
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
            assert_eq!(bad.parse::<Key>(), Err(KeyError), "{bad:?}");
        }
    }

    #[test]
    fn a_code_is_read_as_people_type_it_and_opens_what_it_has_sealed() {
        let code = PassCode::random().unwrap();
        let shown = code.reveal();
        assert_eq!((shown.len(), shown.matches('-').count()), (14, 2), "{shown}");
        assert_eq!(shown.parse(), Ok(code));
        assert_eq!(shown.to_uppercase().replace('-', " ").parse(), Ok(code));
        assert_eq!("OIL0-abcd-efgh".parse::<PassCode>(), "0110-ABCD-EFGH".parse());
        for bad in
            ["", "abc", "abcd-efgh-jkm", "abcd-efgh-jkmnp", "abcd-efgh-jkmu", "한수abcdefghij"]
        {
            assert_eq!(bad.parse::<PassCode>(), Err(KeyError), "{bad:?}");
        }
        let key = Key::random().unwrap();
        let sealed = code.seal(key.bytes());
        assert_ne!(sealed, key.bytes());
        assert_eq!(Key::from_bytes(code.seal(sealed)), key);
        let other = PassCode::random().unwrap();
        assert_ne!(other.seal(sealed), key.bytes());
        assert_ne!(other.hash(), code.hash());
        assert!(!format!("{code:?}").contains(&shown[..4]));
    }

    #[test]
    fn a_key_does_not_show_itself() {
        let key = Key::random().unwrap();
        assert!(!format!("{key:?}").contains(&key.reveal()[..4]));
    }
}
