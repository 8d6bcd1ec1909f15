//! What goes wrong around a game, in one line each, with the next step.

use hansu_play::{MAX_NAME, Refusal};
use hansu_records::Error;
use hansu_words::Lang;

use crate::NotResumed;

/// What is wrong with the log.
///
/// ```
/// use hansu_console::log_trouble;
/// use hansu_records::Error;
/// use hansu_words::Lang;
/// assert_eq!(log_trouble(Error::Full, Lang::Ko), "디스크에 남은 공간이 없어요.");
/// ```
pub fn log_trouble(error: Error, lang: Lang) -> String {
    match lang {
        Lang::Ko => korean(error),
        Lang::En => {
            let mut text = error.to_string();
            if let Some(first) = text.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            text.push('.');
            text
        }
    }
}

fn korean(error: Error) -> String {
    match error {
        Error::Conflict { .. } => "다른 프로그램이 먼저 기록했어요.".to_owned(),
        Error::Busy => "기록이 밀려 있어요. 잠시 뒤에 다시 해 주세요.".to_owned(),
        Error::NoSuchGame => "기록에 그런 게임이 없어요.".to_owned(),
        Error::Spent => "초대가 더는 유효하지 않아요.".to_owned(),
        Error::TooMany => "열려 있는 초대가 너무 많아요.".to_owned(),
        Error::TooLong(_) => "기록하기에는 너무 길어요.".to_owned(),
        Error::ReadOnly => "기록 파일에 쓸 수 없어요. (읽기 전용)".to_owned(),
        Error::Full => "디스크에 남은 공간이 없어요.".to_owned(),
        Error::Damaged => "기록 파일이 손상됐거나 데이터베이스가 아니에요.".to_owned(),
        Error::Foreign => "다른 프로그램의 데이터베이스예요.".to_owned(),
        Error::Newer { .. } => {
            "더 새로운 한수가 쓴 기록이에요. 한수를 새 버전으로 바꿔 주세요.".to_owned()
        }
        Error::OldLibrary { .. } => "SQLite가 너무 오래됐어요. (3.51.3부터)".to_owned(),
        Error::NotDurable => "정전에도 안전하게 기록할 수 없는 곳이에요.".to_owned(),
        Error::NoFolder => "기록할 폴더를 찾을 수 없어요.".to_owned(),
        Error::NoRandomness => "운영체제에서 난수를 얻을 수 없어요.".to_owned(),
        Error::Closed => "기록이 이미 닫혔어요.".to_owned(),
        Error::Io(kind) => format!("기록을 열 수 없어요. ({kind})"),
        Error::Disk(code) => format!("디스크에 문제가 생겼어요. (SQLite {code})"),
        Error::Sqlite(code) => format!("기록에 문제가 생겼어요. (SQLite {code})"),
    }
}

/// Why a game cannot be gone on with.
///
/// ```
/// use hansu_console::{NotResumed, not_resumed};
/// use hansu_words::Lang;
/// assert!(not_resumed(NotResumed::NoSuchGame, Lang::En).contains("hansu games list"));
/// ```
pub fn not_resumed(why: NotResumed, lang: Lang) -> String {
    let text = match (lang, why) {
        (Lang::Ko, NotResumed::NothingUnfinished) => {
            "끝나지 않은 게임이 없어요. 새 게임은 hansu로 시작해요."
        }
        (Lang::En, NotResumed::NothingUnfinished) => {
            "No game is unfinished. Start a new one with: hansu"
        }
        (Lang::Ko, NotResumed::NoSuchGame) => {
            "그런 게임이 없어요. hansu games list로 이름을 볼 수 있어요."
        }
        (Lang::En, NotResumed::NoSuchGame) => {
            "There is no such game. See the names with: hansu games list"
        }
        (Lang::Ko, NotResumed::SeveralGames) => {
            "그렇게 시작하는 게임이 여럿이에요. 이름을 더 길게 써 주세요."
        }
        (Lang::En, NotResumed::SeveralGames) => {
            "Several games have names that begin so. Type more letters of the name."
        }
        (Lang::Ko, NotResumed::Over) => "이미 끝난 게임이에요. hansu games show로 볼 수 있어요.",
        (Lang::En, NotResumed::Over) => "That game is over. See it with: hansu games show",
        (Lang::Ko, NotResumed::Elsewhere) => "터미널에서 둔 게임이 아니라서 이어서 둘 수 없어요.",
        (Lang::En, NotResumed::Elsewhere) => {
            "That game is not one of the terminal, so it cannot be gone on with here."
        }
        (Lang::Ko, NotResumed::Unreadable) => {
            "게임의 기록을 읽을 수 없어요. 손상됐거나 더 새로운 한수가 쓴 거예요."
        }
        (Lang::En, NotResumed::Unreadable) => {
            "What the log has of that game cannot be read: damaged, or of a newer Hansu."
        }
        (_, NotResumed::Log(error)) => return log_trouble(error, lang),
    };
    text.to_owned()
}

/// Why a game cannot be started with these names and this position.
///
/// ```
/// use hansu_console::not_started;
/// use hansu_play::Refusal;
/// use hansu_words::Lang;
/// assert!(not_started(Refusal::PositionOver, Lang::En).contains("over"));
/// ```
pub fn not_started(why: Refusal, lang: Lang) -> String {
    match (lang, why) {
        (_, Refusal::Position(error)) => lang.fen_error(error),
        (Lang::Ko, Refusal::PositionOver) => "이미 끝난 국면이라 둘 것이 없어요.".to_owned(),
        (Lang::En, Refusal::PositionOver) => {
            "The game is already over in this position.".to_owned()
        }
        (Lang::Ko, Refusal::TextEmpty) => "이름이 비어 있어요.".to_owned(),
        (Lang::En, Refusal::TextEmpty) => "A name is empty.".to_owned(),
        (Lang::Ko, Refusal::TextTooLong) => format!("이름은 {MAX_NAME}자까지 쓸 수 있어요."),
        (Lang::En, Refusal::TextTooLong) => format!("A name has at most {MAX_NAME} characters."),
        (Lang::Ko, Refusal::TextControl) => "이름에 쓸 수 없는 글자가 있어요.".to_owned(),
        (Lang::En, Refusal::TextControl) => "A name holds control characters.".to_owned(),
        (Lang::Ko, other) => format!("게임을 시작할 수 없어요. ({other})"),
        (Lang::En, other) => format!("The game cannot start ({other})."),
    }
}
