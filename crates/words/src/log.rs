//! What the log has to say when it does not do what was asked.
//!
//! These sentences are for whoever runs the program and for whoever plays in a browser: no flags
//! and no commands. The command line adds its own.

use hansu_records::{Error, Part};

use crate::{Lang, Particle};

impl Lang {
    /// Why the log did not do what was asked, and what helps.
    ///
    /// ```
    /// use hansu_records::Error;
    /// use hansu_words::Lang;
    /// assert_eq!(
    ///     Lang::En.log_error(Error::Full),
    ///     "No room is left on the disk of the log. Make room and try again."
    /// );
    /// assert_eq!(
    ///     Lang::Ko.log_error(Error::Full),
    ///     "디스크에 남은 공간이 없어요. 공간을 만든 뒤 다시 해 주세요."
    /// );
    /// ```
    pub fn log_error(self, error: Error) -> String {
        match self {
            Lang::Ko => korean(error),
            Lang::En => english(error),
        }
    }
}

fn english(error: Error) -> String {
    match error {
        Error::Conflict { last_seq: _ } => {
            "Somebody else changed the game first. Look how it stands now and try again."
        }
        Error::Busy => "The log is busy. Try again in a moment.",
        Error::NoSuchGame => {
            "There is no such game in the log; it may have been deleted. Look for it in the list \
             of games."
        }
        Error::Spent => "The invitation is used up, withdrawn or too old. Ask for a new one.",
        Error::TooMany => "Too many invitations are open. Withdraw some and try again.",
        Error::TooLong(part) => {
            return format!("{} for the log. Make it shorter.", english_part(part));
        }
        Error::ReadOnly => {
            "The log cannot be written. Check the rights of its folder, or choose another folder."
        }
        Error::Full => "No room is left on the disk of the log. Make room and try again.",
        Error::Damaged => {
            "The log is damaged, or not a log at all. Put a backup of games.db in its place."
        }
        Error::Foreign => {
            "The games.db there is the database of another program. Choose another folder."
        }
        Error::Newer { found, known } => {
            return format!(
                "The log was written by a newer Hansu: it has version {found}, and this one knows \
                 versions up to {known}. Update Hansu."
            );
        }
        Error::OldLibrary { found } => {
            return format!(
                "SQLite {} is too old to be trusted with the log. Build Hansu with 3.51.3 or newer.",
                version(found)
            );
        }
        Error::NotDurable => {
            "What is written there would not survive a power cut. Choose a folder on another disk."
        }
        Error::NoFolder => "There is no folder for the log. Name one.",
        Error::NoRandomness => "The operating system gives no random numbers. Try again.",
        Error::Closed => "The log has been closed. Start again.",
        Error::Io(kind) => {
            return format!(
                "The log cannot be reached ({kind}). Check its folder, or choose another folder."
            );
        }
        Error::Disk(code) => {
            return format!(
                "The disk failed under the log (SQLite {code}). Check the disk before you go on."
            );
        }
        Error::Sqlite(code) => {
            return format!(
                "The log failed (SQLite {code}). Try again; if it stays so, put a backup of \
                 games.db in its place."
            );
        }
        Error::Away => "The database cannot be reached. Try again in a moment.",
        Error::Unsure => {
            "The database went away while it was writing, so it is not known whether this was kept. \
             Look how things stand and try again."
        }
        Error::Address => {
            "The address of the database cannot be used. Write it like \
             postgres://user@host/database."
        }
        Error::Tls => {
            "Hansu cannot encrypt its connection to the database, and does not connect without when \
             encryption is asked for. Reach the database through a tunnel or over a network that is \
             safe, and write sslmode=disable."
        }
        Error::Postgres(code) => {
            return format!(
                "The database refused (SQLSTATE {}). Its own log says why.",
                String::from_utf8_lossy(&code)
            );
        }
    }
    .to_owned()
}

const fn english_part(part: Part) -> &'static str {
    match part {
        Part::Events => "The events are too long",
        Part::Name => "A name is too long",
        Part::Text => "A text is too long",
        Part::Moves => "The moves are too long",
        Part::Headers => "The PGN tags are too long",
        Part::Tags => "The tags are too long",
        Part::Note => "The note is too long",
        Part::Client => "The name of the command is too long",
        Part::Seats => "The list of seats is too long",
        Part::Invitation => "The invitation is too long",
        Part::Node => "The name of the server is too long",
    }
}

fn korean(error: Error) -> String {
    match error {
        Error::Conflict { last_seq: _ } => {
            "다른 곳에서 먼저 게임을 바꿨어요. 지금 상태를 보고 다시 해 주세요."
        }
        Error::Busy => "기록이 밀려 있어요. 잠시 뒤에 다시 해 주세요.",
        Error::NoSuchGame => {
            "기록에 그런 게임이 없어요. 지워졌을 수도 있으니 게임 목록에서 찾아봐 주세요."
        }
        Error::Spent => "이미 쓰였거나 거둬들였거나 오래된 초대예요. 새 초대를 받아 주세요.",
        Error::TooMany => "열려 있는 초대가 너무 많아요. 몇 개를 거둬들이고 다시 해 주세요.",
        Error::TooLong(part) => {
            let part = Particle::Subject.after(korean_part(part));
            return format!("기록하기에는 {part} 너무 길어요. 줄여 주세요.");
        }
        Error::ReadOnly => "기록을 쓸 수 없어요. 폴더의 권한을 확인하거나 다른 폴더를 골라 주세요.",
        Error::Full => "디스크에 남은 공간이 없어요. 공간을 만든 뒤 다시 해 주세요.",
        Error::Damaged => {
            "기록이 손상됐거나 기록 파일이 아니에요. games.db를 백업으로 바꿔 주세요."
        }
        Error::Foreign => {
            "그곳의 games.db는 다른 프로그램의 데이터베이스예요. 다른 폴더를 골라 주세요."
        }
        Error::Newer { found, known } => {
            return format!(
                "더 새로운 한수가 쓴 기록이에요. 기록의 버전은 {found}인데 이 한수는 {known}까지 \
                 알아요. 한수를 업데이트해 주세요."
            );
        }
        Error::OldLibrary { found } => {
            let library = Particle::Topic.after(&format!("SQLite {}", version(found)));
            return format!(
                "{library} 너무 오래돼서 기록을 맡길 수 없어요. 3.51.3 이상으로 한수를 다시 빌드해 \
                 주세요."
            );
        }
        Error::NotDurable => {
            "그곳에 쓴 기록은 정전이 되면 사라질 수 있어요. 다른 디스크의 폴더를 골라 주세요."
        }
        Error::NoFolder => "기록할 폴더를 찾을 수 없어요. 폴더를 정해 주세요.",
        Error::NoRandomness => "운영체제에서 난수를 얻을 수 없어요. 다시 해 주세요.",
        Error::Closed => "기록이 이미 닫혔어요. 다시 시작해 주세요.",
        Error::Io(kind) => {
            return format!(
                "운영체제 오류({kind}) 때문에 기록을 열 수 없어요. 폴더를 확인하거나 다른 폴더를 \
                 골라 주세요."
            );
        }
        Error::Disk(code) => {
            return format!(
                "디스크에 문제(SQLite {code})가 있어서 기록하지 못했어요. 먼저 디스크를 확인해 \
                 주세요."
            );
        }
        Error::Sqlite(code) => {
            return format!(
                "기록에 문제(SQLite {code})가 있어요. 다시 해 보고, 그래도 안 되면 games.db를 \
                 백업으로 바꿔 주세요."
            );
        }
        Error::Away => "데이터베이스에 연결할 수 없어요. 잠시 뒤에 다시 해 주세요.",
        Error::Unsure => {
            "저장하는 동안 데이터베이스와 연결이 끊겨서 저장됐는지 알 수 없어요. 지금 상태를 확인한 \
             뒤 다시 해 주세요."
        }
        Error::Address => {
            "데이터베이스 주소를 쓸 수 없어요. postgres://user@host/database처럼 적어 주세요."
        }
        Error::Tls => {
            "데이터베이스와의 연결은 아직 암호화할 수 없고, 암호화하라고 하면 암호화 없이는 연결하지 \
             않아요. 터널이나 안전한 네트워크로 연결하고 sslmode=disable이라고 적어 주세요."
        }
        Error::Postgres(code) => {
            return format!(
                "데이터베이스가 SQLSTATE {} 오류로 거절했어요. 데이터베이스의 로그를 확인해 주세요.",
                String::from_utf8_lossy(&code)
            );
        }
    }
    .to_owned()
}

const fn korean_part(part: Part) -> &'static str {
    match part {
        Part::Events => "사건",
        Part::Name => "이름",
        Part::Text => "글",
        Part::Moves => "수순",
        Part::Headers => "PGN 태그",
        Part::Tags => "태그",
        Part::Note => "메모",
        Part::Client => "명령 이름",
        Part::Seats => "자리 목록",
        Part::Invitation => "초대",
        Part::Node => "서버 이름",
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
