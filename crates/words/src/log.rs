//! The sentences for errors of the log.
//!
//! They are read by those who run the program and by those who play in a browser, so they name no
//! flags and no commands. The command line adds its own.

use crate::{Lang, Particle};

/// An error of the log as people are told about it. The journal converts the log's error to this
/// type, since this crate does not depend on the database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogTrouble {
    /// Another writer was first.
    Conflict {
        /// The number of the game's last event now.
        last_seq: u64,
    },
    /// Too many writes are waiting; try again in a moment.
    Busy,
    /// There is no game with that id.
    NoSuchGame,
    /// The invitation is used up, withdrawn, expired, or one to another game.
    Spent,
    /// The player has as many open invitations as the log takes.
    TooMany,
    /// Something is longer than the log takes.
    TooLong(LogPart),
    /// The file or its folder cannot be written.
    ReadOnly,
    /// No room is left on the disk.
    Full,
    /// The file is damaged, or not a database.
    Damaged,
    /// The file is a database, but not a log of Hansu.
    Foreign,
    /// The file was written by a newer version.
    Newer {
        /// The version of the file.
        found: i64,
        /// The newest version that this program can read.
        known: i64,
    },
    /// The SQLite library is too old to be trusted (3.51.3 is needed).
    OldLibrary {
        /// Its version as a number: 3051003 is 3.51.3.
        found: i32,
    },
    /// The setting that makes commits survive a power cut has no effect.
    NotDurable,
    /// The operating system has no folder for user data.
    NoFolder,
    /// The operating system gives no random numbers.
    NoRandomness,
    /// The log has been closed.
    Closed,
    /// The file of the log was deleted, moved or replaced while it was open; nothing more is written.
    Replaced,
    /// An operation of the operating system failed.
    Io(std::io::ErrorKind),
    /// The disk failed while the log was read or written; SQLite's extended result code.
    Disk(i32),
    /// SQLite failed; its extended result code.
    Sqlite(i32),
    /// The database server cannot be reached; nothing was written, so a retry is safe.
    Away,
    /// The connection to the database server was lost during a commit and did not come back in time:
    /// it may be written, and only the log can tell.
    Unsure,
    /// The address of the database cannot be used: it is not `postgres://…`, or has an unknown
    /// setting.
    Address,
    /// The address of the database asks for an encrypted connection, which cannot be made; an
    /// unencrypted one is not tried.
    Tls,
    /// The database server failed; its SQLSTATE.
    Postgres([u8; 5]),
}

/// What was too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogPart {
    /// The events of one append.
    Events,
    /// The name of a player or of the occasion.
    Name,
    /// A code or another short text of the row.
    Text,
    /// The moves.
    Moves,
    /// The PGN tags.
    Headers,
    /// The tags that a user put on a game.
    Tags,
    /// The note that a user wrote about a game.
    Note,
    /// The key of a command.
    Client,
    /// The seats of a game: more than two, or two for one side.
    Seats,
    /// The settings in an invitation.
    Invitation,
    /// The name of a server.
    Node,
    /// The computer's analysis of a game.
    Analysis,
}

impl Lang {
    /// Why the log failed, and what the reader can do.
    ///
    /// ```
    /// use hansu_words::{Lang, LogTrouble};
    /// assert_eq!(
    ///     Lang::En.log_trouble(LogTrouble::Full),
    ///     "No room is left on the disk of the log. Make room and try again."
    /// );
    /// assert_eq!(
    ///     Lang::Ko.log_trouble(LogTrouble::Full),
    ///     "디스크에 남은 공간이 없어요. 공간을 만든 뒤 다시 해 주세요."
    /// );
    /// ```
    pub fn log_trouble(self, trouble: LogTrouble) -> String {
        match self {
            Lang::Ko => korean(trouble),
            Lang::En => english(trouble),
        }
    }
}

fn english(trouble: LogTrouble) -> String {
    match trouble {
        LogTrouble::Conflict { last_seq: _ } => {
            "Somebody else changed the game first. Check the game and try again."
        }
        LogTrouble::Busy => "The log is busy. Try again in a moment.",
        LogTrouble::NoSuchGame => {
            "There is no such game in the log; it may have been deleted. Look for it in the list \
             of games."
        }
        LogTrouble::Spent => "The invitation is used up, withdrawn or too old. Ask for a new one.",
        LogTrouble::TooMany => "Too many invitations are open. Withdraw some and try again.",
        LogTrouble::TooLong(part) => {
            return format!("{} for the log. Make it shorter.", english_part(part));
        }
        LogTrouble::ReadOnly => {
            "The log cannot be written. Check the rights of its folder, or choose another folder."
        }
        LogTrouble::Full => "No room is left on the disk of the log. Make room and try again.",
        LogTrouble::Damaged => {
            "The log is damaged, or not a log at all. Put a backup of games.db in its place."
        }
        LogTrouble::Foreign => {
            "The games.db there is the database of another program. Choose another folder."
        }
        LogTrouble::Newer { found, known } => {
            return format!(
                "The log was written by a newer Hansu: it has version {found}, and this one knows \
                 versions up to {known}. Update Hansu."
            );
        }
        LogTrouble::OldLibrary { found } => {
            return format!(
                "SQLite {} is too old to be trusted with the log. Build Hansu with 3.51.3 or newer.",
                version(found)
            );
        }
        LogTrouble::NotDurable => {
            "What is written there would not survive a power cut. Choose a folder on another disk."
        }
        LogTrouble::NoFolder => "There is no folder for the log. Name one.",
        LogTrouble::NoRandomness => "The operating system gives no random numbers. Try again.",
        LogTrouble::Closed => "The log has been closed. Start again.",
        LogTrouble::Replaced => {
            "The file of the log was deleted or replaced while it was in use, so nothing more is \
             kept. Put the file back and start again."
        }
        LogTrouble::Io(kind) => {
            return format!(
                "The log cannot be reached ({kind}). Check its folder, or choose another folder."
            );
        }
        LogTrouble::Disk(code) => {
            return format!(
                "The disk failed under the log (SQLite {code}). Check the disk before you go on."
            );
        }
        LogTrouble::Sqlite(code) => {
            return format!(
                "The log failed (SQLite {code}). Try again; if it stays so, put a backup of \
                 games.db in its place."
            );
        }
        LogTrouble::Away => "The database cannot be reached. Try again in a moment.",
        LogTrouble::Unsure => {
            "The database went away while it was writing, so it is not known whether this was kept. \
             Check the game before you try again."
        }
        LogTrouble::Address => {
            "The address of the database cannot be used. Write it like \
             postgres://user@host/database."
        }
        LogTrouble::Tls => {
            "The connection to the database cannot be encrypted as its address asks, and Hansu does \
             not connect without. Either the database offers no TLS, or its certificate is not for \
             this host or from an authority that is not trusted (sslrootcert names a file with \
             one), or the address asks in a way that Hansu does not know: write sslmode=verify-full, \
             require, prefer or disable."
        }
        LogTrouble::Postgres(code) => {
            return format!(
                "The database refused (SQLSTATE {}). Its own log says why.",
                String::from_utf8_lossy(&code)
            );
        }
    }
    .to_owned()
}

const fn english_part(part: LogPart) -> &'static str {
    match part {
        LogPart::Events => "The events are too long",
        LogPart::Name => "A name is too long",
        LogPart::Text => "A text is too long",
        LogPart::Moves => "The moves are too long",
        LogPart::Headers => "The PGN tags are too long",
        LogPart::Tags => "The tags are too long",
        LogPart::Note => "The note is too long",
        LogPart::Client => "The name of the command is too long",
        LogPart::Seats => "The list of seats is too long",
        LogPart::Invitation => "The invitation is too long",
        LogPart::Node => "The name of the server is too long",
        LogPart::Analysis => "The analysis is too long",
    }
}

fn korean(trouble: LogTrouble) -> String {
    match trouble {
        LogTrouble::Conflict { last_seq: _ } => {
            "다른 곳에서 먼저 게임을 바꿨어요. 지금 상태를 보고 다시 해 주세요."
        }
        LogTrouble::Busy => "기록이 밀려 있어요. 잠시 뒤에 다시 해 주세요.",
        LogTrouble::NoSuchGame => {
            "기록에 그런 게임이 없어요. 지워졌을 수도 있으니 게임 목록에서 찾아봐 주세요."
        }
        LogTrouble::Spent => "이미 쓰였거나 취소됐거나 오래된 초대예요. 새 초대를 받아 주세요.",
        LogTrouble::TooMany => "열려 있는 초대가 너무 많아요. 몇 개를 취소하고 다시 해 주세요.",
        LogTrouble::TooLong(part) => {
            let part = Particle::Subject.after(korean_part(part));
            return format!("기록하기에는 {part} 너무 길어요. 줄여 주세요.");
        }
        LogTrouble::ReadOnly => "기록을 쓸 수 없어요. 폴더의 권한을 확인하거나 다른 폴더를 골라 주세요.",
        LogTrouble::Full => "디스크에 남은 공간이 없어요. 공간을 만든 뒤 다시 해 주세요.",
        LogTrouble::Damaged => {
            "기록이 손상됐거나 기록 파일이 아니에요. games.db를 백업으로 바꿔 주세요."
        }
        LogTrouble::Foreign => {
            "그곳의 games.db는 다른 프로그램의 데이터베이스예요. 다른 폴더를 골라 주세요."
        }
        LogTrouble::Newer { found, known } => {
            return format!(
                "더 새로운 한수가 쓴 기록이에요. 기록의 버전은 {found}인데 이 한수는 {known}까지 \
                 알아요. 한수를 업데이트해 주세요."
            );
        }
        LogTrouble::OldLibrary { found } => {
            let library = Particle::Topic.after(&format!("SQLite {}", version(found)));
            return format!(
                "{library} 너무 오래돼서 기록을 맡길 수 없어요. 3.51.3 이상으로 한수를 다시 빌드해 \
                 주세요."
            );
        }
        LogTrouble::NotDurable => {
            "그곳에 쓴 기록은 정전이 되면 사라질 수 있어요. 다른 디스크의 폴더를 골라 주세요."
        }
        LogTrouble::NoFolder => "기록할 폴더를 찾을 수 없어요. 폴더를 정해 주세요.",
        LogTrouble::NoRandomness => "운영체제에서 난수를 얻을 수 없어요. 다시 해 주세요.",
        LogTrouble::Closed => "기록이 이미 닫혔어요. 다시 시작해 주세요.",
        LogTrouble::Replaced => {
            "쓰는 동안 기록 파일이 지워지거나 바뀌어서 더 기록할 수 없어요. 파일을 되돌려 놓고 다시 \
             시작해 주세요."
        }
        LogTrouble::Io(kind) => {
            return format!(
                "운영체제 오류({kind}) 때문에 기록을 열 수 없어요. 폴더를 확인하거나 다른 폴더를 \
                 골라 주세요."
            );
        }
        LogTrouble::Disk(code) => {
            return format!(
                "디스크에 문제(SQLite {code})가 있어서 기록하지 못했어요. 먼저 디스크를 확인해 \
                 주세요."
            );
        }
        LogTrouble::Sqlite(code) => {
            return format!(
                "기록에 문제(SQLite {code})가 있어요. 다시 해 보고, 그래도 안 되면 games.db를 \
                 백업으로 바꿔 주세요."
            );
        }
        LogTrouble::Away => "데이터베이스에 연결할 수 없어요. 잠시 뒤에 다시 해 주세요.",
        LogTrouble::Unsure => {
            "저장하는 동안 데이터베이스와 연결이 끊겨서 저장됐는지 알 수 없어요. 지금 상태를 확인한 \
             뒤 다시 해 주세요."
        }
        LogTrouble::Address => {
            "데이터베이스 주소를 쓸 수 없어요. postgres://user@host/database처럼 적어 주세요."
        }
        LogTrouble::Tls => {
            "데이터베이스와의 연결을 주소에 적힌 대로 암호화할 수 없어요. 암호화하라고 했을 때는 암호화 \
             없이 연결하지 않아요. 데이터베이스가 TLS를 쓰지 않거나, 인증서가 이 호스트의 것이 아니거나, \
             믿을 수 있는 기관의 인증서가 아니에요. 기관의 인증서 파일은 sslrootcert로 정해요. 주소에는 \
             sslmode=verify-full, require, prefer, disable 가운데 하나를 적어 주세요."
        }
        LogTrouble::Postgres(code) => {
            return format!(
                "데이터베이스가 SQLSTATE {} 오류로 거절했어요. 데이터베이스의 로그를 확인해 주세요.",
                String::from_utf8_lossy(&code)
            );
        }
    }
    .to_owned()
}

const fn korean_part(part: LogPart) -> &'static str {
    match part {
        LogPart::Events => "사건",
        LogPart::Name => "이름",
        LogPart::Text => "글",
        LogPart::Moves => "수순",
        LogPart::Headers => "PGN 태그",
        LogPart::Tags => "태그",
        LogPart::Note => "메모",
        LogPart::Client => "명령 이름",
        LogPart::Seats => "자리 목록",
        LogPart::Invitation => "초대",
        LogPart::Node => "서버 이름",
        LogPart::Analysis => "분석",
    }
}

/// SQLite's version as people write it: 3051003 is 3.51.3.
fn version(number: i32) -> String {
    format!("{}.{}.{}", number / 1_000_000, number / 1_000 % 1_000, number % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_written_with_dots() {
        assert_eq!(version(3_051_003), "3.51.3");
        assert_eq!(version(3_008_011), "3.8.11");
    }
}
