//! This user's keys for servers, stored in the data folder, so that a terminal that was closed
//! finds its seat again. Only this user can read the files.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The stored keys for one server.
pub(crate) struct Seats {
    folder: PathBuf,
}

/// A seat that was taken with an invitation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Joined {
    pub(crate) game: String,
    pub(crate) key: String,
}

impl Seats {
    /// The keys for the server at `host` (host and port), under the data folder.
    pub(crate) fn open(data: &Path, host: &str) -> io::Result<Seats> {
        // Windows allows no colon in a file name. Links allow no other special characters.
        let name = host.to_ascii_lowercase().replace([':', '[', ']'], "_");
        let folder = data.join("seats").join(name);
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder)?;
        Ok(Seats { folder })
    }

    /// The stored key; None if there is none or it is damaged.
    pub(crate) fn key(&self) -> Option<String> {
        self.read("key").filter(|key| is_key(key))
    }

    /// Stores a new key and returns the stored one, which is another terminal's if that was faster.
    pub(crate) fn keep_key(&self, key: &str) -> io::Result<String> {
        self.keep("key", key)?;
        Ok(self.key().unwrap_or_else(|| key.to_owned()))
    }

    /// The seat that an invitation led to.
    pub(crate) fn joined(&self, invitation: &str) -> Option<Joined> {
        let text = self.read(&joined_file(invitation))?;
        let (game, key) = text.split_once(' ').filter(|(_, key)| is_key(key))?;
        Some(Joined { game: game.to_owned(), key: key.to_owned() })
    }

    /// Stores the seat that an invitation led to.
    pub(crate) fn keep_joined(&self, invitation: &str, joined: &Joined) -> io::Result<()> {
        self.keep(&joined_file(invitation), &format!("{} {}", joined.game, joined.key))
    }

    fn read(&self, name: &str) -> Option<String> {
        Some(fs::read_to_string(self.folder.join(name)).ok()?.trim_end().to_owned())
    }

    /// Writes a file unless it exists. Readers never see a partly written file.
    fn keep(&self, name: &str, text: &str) -> io::Result<()> {
        let file = self.folder.join(name);
        let draft = self.folder.join(format!("{name}.{}", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut open = options.open(&draft)?;
        writeln!(open, "{text}")?;
        open.sync_all()?;
        // Creating a hard link fails if the name exists; renaming would replace the file.
        let linked = fs::hard_link(&draft, &file);
        let kept = match linked {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let is_damaged = name == "key" && self.key().is_none();
                if is_damaged { fs::rename(&draft, &file) } else { Ok(()) }
            }
            // Some file systems have no hard links.
            Err(_) => fs::rename(&draft, &file),
            Ok(()) => Ok(()),
        };
        let _ = fs::remove_file(&draft);
        kept
    }
}

fn joined_file(invitation: &str) -> String {
    format!("join-{invitation}")
}

/// 32 hexadecimal digits.
fn is_key(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "0123456789abcdef0123456789abcdef";
    const TWO: &str = "fedcba9876543210fedcba9876543210";

    #[test]
    fn a_key_is_kept_for_its_server_and_the_first_one_stays() {
        let data = tempfile::tempdir().expect("a folder");
        let seats = Seats::open(data.path(), "127.0.0.1:8080").expect("a folder");
        assert_eq!(seats.key(), None);
        assert_eq!(seats.keep_key(ONE).expect("kept"), ONE);
        assert_eq!(seats.keep_key(TWO).expect("kept"), ONE);
        let again = Seats::open(data.path(), "127.0.0.1:8080").expect("a folder");
        assert_eq!(again.key().as_deref(), Some(ONE));
        for host in ["127.0.0.1:8081", "[::1]:8080"] {
            assert_eq!(Seats::open(data.path(), host).expect("a folder").key(), None, "{host}");
        }
    }

    #[test]
    fn a_damaged_key_is_replaced() {
        let data = tempfile::tempdir().expect("a folder");
        let seats = Seats::open(data.path(), "a:1").expect("a folder");
        fs::write(seats.folder.join("key"), "half a k").expect("written");
        assert_eq!(seats.key(), None);
        assert_eq!(seats.keep_key(TWO).expect("kept"), TWO);
        assert_eq!(seats.key().as_deref(), Some(TWO));
    }

    #[test]
    fn an_invitation_leads_to_its_seat_again() {
        let data = tempfile::tempdir().expect("a folder");
        let seats = Seats::open(data.path(), "a:1").expect("a folder");
        let joined = Joined { game: "0aBcDeFgHiJk".to_owned(), key: TWO.to_owned() };
        assert_eq!(seats.joined(ONE), None);
        seats.keep_joined(ONE, &joined).expect("kept");
        assert_eq!(seats.joined(ONE), Some(joined));
    }

    #[cfg(unix)]
    #[test]
    fn kept_keys_can_be_read_by_their_user_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let data = tempfile::tempdir().expect("a folder");
        let seats = Seats::open(data.path(), "a:1").expect("a folder");
        seats.keep_key(ONE).expect("kept");
        let joined = Joined { game: "0aBcDeFgHiJk".to_owned(), key: TWO.to_owned() };
        seats.keep_joined(ONE, &joined).expect("kept");
        let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
        assert_eq!(mode(&seats.folder), 0o700);
        let files: Vec<_> = fs::read_dir(&seats.folder).expect("a folder").flatten().collect();
        assert_eq!(files.len(), 2, "no draft stays: {files:?}");
        for file in files {
            assert_eq!(mode(&file.path()), 0o600, "{file:?}");
        }
    }
}
