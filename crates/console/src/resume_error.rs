//! Why a game cannot be resumed, with a message of one line that names the next step.

use hansu_journal::LoadError;
use hansu_records::Error;
use hansu_words::Lang;

/// Why a game cannot be resumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResumeError {
    /// There is no unfinished terminal game.
    NothingUnfinished,
    /// No game's id begins with this text.
    NoSuchGame,
    /// The ids of several games begin with this text.
    SeveralGames,
    /// The game is over.
    Over,
    /// The game is played on a server, or was imported from a file.
    Elsewhere,
    /// The entries in the log are damaged, or written by a newer version.
    Unreadable,
    /// The log failed.
    Log(Error),
}

impl From<Error> for ResumeError {
    fn from(error: Error) -> ResumeError {
        match error {
            Error::NoSuchGame => ResumeError::NoSuchGame,
            other => ResumeError::Log(other),
        }
    }
}

impl From<LoadError> for ResumeError {
    fn from(error: LoadError) -> ResumeError {
        match error {
            LoadError::Log(error) => error.into(),
            LoadError::Unreadable { .. } => ResumeError::Unreadable,
        }
    }
}

/// The message for a game that cannot be resumed.
///
/// ```
/// use hansu_console::{ResumeError, resume_error_text};
/// use hansu_words::Lang;
/// assert!(resume_error_text(ResumeError::NoSuchGame, Lang::En).contains("hansu games list"));
/// ```
pub fn resume_error_text(why: ResumeError, lang: Lang) -> String {
    let text = match (lang, why) {
        (Lang::Ko, ResumeError::NothingUnfinished) => {
            "끝나지 않은 게임이 없어요. 새 게임은 hansu로 시작해요."
        }
        (Lang::En, ResumeError::NothingUnfinished) => {
            "No game is unfinished. Start a new one with: hansu"
        }
        (Lang::Ko, ResumeError::NoSuchGame) => {
            "그런 게임이 없어요. hansu games list로 이름을 볼 수 있어요."
        }
        (Lang::En, ResumeError::NoSuchGame) => {
            "There is no such game. See the names with: hansu games list"
        }
        (Lang::Ko, ResumeError::SeveralGames) => {
            "그렇게 시작하는 게임이 여럿이에요. 이름을 더 길게 써 주세요."
        }
        (Lang::En, ResumeError::SeveralGames) => {
            "Several games have names that begin so. Type more letters of the name."
        }
        (Lang::Ko, ResumeError::Over) => "이미 끝난 게임이에요. hansu games show로 볼 수 있어요.",
        (Lang::En, ResumeError::Over) => "That game is over. See it with: hansu games show",
        (Lang::Ko, ResumeError::Elsewhere) => "터미널에서 둔 게임이 아니라서 이어서 둘 수 없어요.",
        (Lang::En, ResumeError::Elsewhere) => {
            "That game was not played in the terminal, so it cannot be continued here."
        }
        (Lang::Ko, ResumeError::Unreadable) => {
            "게임의 기록을 읽을 수 없어요. 손상됐거나 더 새로운 한수가 쓴 거예요."
        }
        (Lang::En, ResumeError::Unreadable) => {
            "What the log has of that game cannot be read: damaged, or of a newer Hansu."
        }
        (_, ResumeError::Log(error)) => return hansu_journal::log_error(error, lang),
    };
    text.to_owned()
}
