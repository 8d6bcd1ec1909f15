//! Why a game cannot be gone on with, in one line each, with the next step.

use hansu_words::Lang;

use crate::NotResumed;

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
            "That game was not played in the terminal, so it cannot be continued here."
        }
        (Lang::Ko, NotResumed::Unreadable) => {
            "게임의 기록을 읽을 수 없어요. 손상됐거나 더 새로운 한수가 쓴 거예요."
        }
        (Lang::En, NotResumed::Unreadable) => {
            "What the log has of that game cannot be read: damaged, or of a newer Hansu."
        }
        (_, NotResumed::Log(error)) => return hansu_journal::log_error(error, lang),
    };
    text.to_owned()
}
