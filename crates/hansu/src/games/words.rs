//! All texts of `hansu games`, in English and in Korean, side by side.

use hansu_play::Reason;
use hansu_records::{Source, Status};
use hansu_words::Lang;

/// Formats the text of one of the two languages; both must have the same placeholders.
macro_rules! both {
    ($lang:expr, $en:literal, $ko:literal) => {
        match $lang {
            Lang::En => format!($en),
            Lang::Ko => format!($ko),
        }
    };
}

/// A sentence.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sentence<'a> {
    EmptyLog,
    NonePasses,
    NoSuchGame(&'a str),
    /// The input, and the ids that it may mean.
    SeveralGames(&'a str, &'a str),
    BadResult(&'a str),
    /// The input, and the valid words.
    BadReason(&'a str, &'a str),
    BadSource(&'a str, &'a str),
    BadStatus(&'a str, &'a str),
    BadDate(&'a str),
    BadLength(&'a str),
    BadPly(&'a str, usize),
    BadSpeed(&'a str),
    NoPlayer(&'a str),
    NoId,
    Unplayable(&'a str),
    /// A file, and the error of the system.
    CannotRead(&'a str, &'a str),
    CannotWrite(&'a str, &'a str),
    NoOutput(&'a str),
    NoTerminal(&'a str),
    Shown {
        from: u64,
        to: u64,
        all: u64,
    },
    NextPage(usize),
    NoSuchPage {
        page: usize,
        all: u64,
    },
    Imported {
        added: u64,
        duplicates: u64,
        broken: u64,
    },
    Interrupted,
    Stopping,
    Exported {
        games: u64,
        file: &'a str,
    },
    NoTags(&'a str),
    NoTagsAtAll,
    BadTag(&'a str),
    NoNote(&'a str),
    NoteKept,
    NoteRemoved,
    DeleteThis,
    Deleted(&'a str),
    Kept,
    ReplayKeys,
    ReplayKeysAuto,
    NoTimes,
    Speed(&'a str),
    NextIn(&'a str),
    /// Wins in a row, up to the last game.
    Winning(u64),
    Losing(u64),
    LongestRuns {
        wins: u64,
        unbeaten: u64,
    },
    NeverMet(&'a str, &'a str),
    NeverAgainstComputer,
    NothingDecided,
}

impl Sentence<'_> {
    pub(super) fn text(self, lang: Lang) -> String {
        match self {
            Sentence::EmptyLog => both!(
                lang,
                "The log is empty. Play a game with `hansu`, or bring games in with `hansu games import FILE`.",
                "아직 기록된 게임이 없어요. `hansu`로 한 판 두거나 `hansu games import 파일`로 가져와 보세요."
            ),
            Sentence::NonePasses => both!(
                lang,
                "No game fits. Leave out a filter, or see all games with `hansu games list`.",
                "조건에 맞는 게임이 없어요. 조건을 줄이거나 `hansu games list`로 모두 볼 수 있어요."
            ),
            Sentence::NoSuchGame(id) => both!(
                lang,
                "no game's ID begins with {id}; `hansu games list` shows the IDs",
                "ID가 {id}로 시작하는 게임이 없어요. `hansu games list`에서 ID를 볼 수 있어요."
            ),
            Sentence::SeveralGames(id, names) => both!(
                lang,
                "{id} may be one of several games: {names}; type more letters",
                "ID가 {id}로 시작하는 게임이 여럿이에요: {names} 글자를 더 입력해 주세요."
            ),
            Sentence::BadResult(text) => both!(
                lang,
                "{text} is no result; use 1-0, 0-1, 1/2-1/2, \"*\", or white, black, draw, open",
                "{text}: 결과가 아니에요. 1-0, 0-1, 1/2-1/2, \"*\" 또는 white, black, draw, open을 쓸 수 있어요."
            ),
            Sentence::BadReason(text, known) => both!(
                lang,
                "{text} is no reason; use one of {known}",
                "{text}: 끝난 이유가 아니에요. 이 중에서 골라 주세요: {known}"
            ),
            Sentence::BadSource(text, known) => both!(
                lang,
                "{text} is no source of games; use one of {known}",
                "{text}: 게임의 출처가 아니에요. 이 중에서 골라 주세요: {known}"
            ),
            Sentence::BadStatus(text, known) => both!(
                lang,
                "{text} is no status; use one of {known}",
                "{text}: 게임의 상태가 아니에요. 이 중에서 골라 주세요: {known}"
            ),
            Sentence::BadDate(text) => both!(
                lang,
                "{text} is no date; write 2026-11-15, 2026-11 or 2026",
                "{text}: 날짜가 아니에요. 2026-11-15, 2026-11, 2026처럼 써 주세요."
            ),
            Sentence::BadLength(text) => both!(
                lang,
                "{text} is no length; write plies as 40, 20..60, 20.. or ..60",
                "{text}: 길이가 아니에요. 40, 20..60, 20.., ..60처럼 수(백과 흑 따로)로 써 주세요."
            ),
            Sentence::BadPly(text, plies) => both!(
                lang,
                "{text} is no ply of this game; use 0 (the start) to {plies} (the end)",
                "{text}: 이 게임에 없는 수예요. 0(시작)부터 {plies}(끝)까지 쓸 수 있어요."
            ),
            Sentence::BadSpeed(text) => both!(
                lang,
                "{text} is no speed; use a number from 0.01 to 1000, such as 2",
                "{text}: 빠르기가 아니에요. 2처럼 0.01부터 1000까지의 수를 써 주세요."
            ),
            Sentence::NoPlayer(name) => both!(
                lang,
                "nobody named {name} has finished a game; `hansu games stats` shows all players",
                "{name}: 이 이름으로 끝낸 게임이 없어요. `hansu games stats`에서 모두 볼 수 있어요."
            ),
            Sentence::NoId => both!(
                lang,
                "which game? add its ID; `hansu games list` shows the IDs",
                "어떤 게임인가요? ID를 붙여 주세요. `hansu games list`에서 볼 수 있어요."
            ),
            Sentence::Unplayable(id) => both!(
                lang,
                "the moves of game {id} cannot be played; keep a copy of the log and report this",
                "게임 {id}의 수를 다시 둘 수 없어요. 기록 파일을 복사해 두고 알려 주세요."
            ),
            Sentence::CannotRead(file, why) => both!(
                lang,
                "cannot read {file}: {why}; check the name",
                "{file}: 읽을 수 없어요. 이름을 확인해 주세요. ({why})"
            ),
            Sentence::CannotWrite(file, why) => both!(
                lang,
                "cannot write {file}: {why}; choose another place",
                "{file}: 쓸 수 없어요. 다른 곳을 골라 주세요. ({why})"
            ),
            Sentence::NoOutput(why) => {
                both!(lang, "cannot write the output: {why}", "출력할 수 없어요. ({why})")
            }
            Sentence::NoTerminal(why) => both!(
                lang,
                "cannot use this terminal: {why}; `hansu games replay ID | less` needs none",
                "이 터미널을 쓸 수 없어요. `hansu games replay ID | less`로 볼 수 있어요. ({why})"
            ),
            Sentence::Shown { all: 1, .. } => both!(lang, "1 game", "게임 1판"),
            Sentence::Shown { from: 1, to, all } if to == all => {
                both!(lang, "{all} games", "게임 {all}판")
            }
            Sentence::Shown { from, to, all } => {
                both!(lang, "{from}–{to} of {all} games", "게임 {all}판 중 {from}–{to}번째")
            }
            Sentence::NextPage(page) => both!(lang, "next: --page {page}", "다음: --page {page}"),
            Sentence::NoSuchPage { page, all } => both!(
                lang,
                "there is no page {page} of {all} games; start with --page 1",
                "게임 {all}판에 {page}쪽은 없어요. --page 1부터 보세요."
            ),
            Sentence::Imported { added, duplicates, broken } => both!(
                lang,
                "{added} added, {duplicates} known already, {broken} broken",
                "추가 {added}판, 이미 있음 {duplicates}판, 깨짐 {broken}판"
            ),
            Sentence::Interrupted => both!(
                lang,
                "Interrupted. What was added stays; run the same command to go on.",
                "중단했어요. 추가된 게임은 그대로 있고, 같은 명령을 다시 실행하면 이어서 해요."
            ),
            Sentence::Stopping => both!(
                lang,
                "Stopping after these games; press Ctrl-C again to stop at once.",
                "여기까지 쓰고 멈출게요. 바로 멈추려면 Ctrl-C를 한 번 더 눌러 주세요."
            ),
            Sentence::Exported { games: 1, file } => {
                both!(lang, "1 game written to {file}", "게임 1판을 썼어요: {file}")
            }
            Sentence::Exported { games, file } => {
                both!(lang, "{games} games written to {file}", "게임 {games}판을 썼어요: {file}")
            }
            Sentence::NoTags(id) => both!(
                lang,
                "Game {id} has no tags. Put one on it with `hansu games tag {id} +WORD`.",
                "게임 {id}에는 태그가 없어요. `hansu games tag {id} +낱말`로 붙여 보세요."
            ),
            Sentence::NoTagsAtAll => both!(
                lang,
                "No game has a tag. Put one on a game with `hansu games tag ID +WORD`.",
                "태그가 붙은 게임이 없어요. `hansu games tag ID +낱말`로 붙여 보세요."
            ),
            Sentence::BadTag(tag) => both!(
                lang,
                "{tag} is no tag; write +WORD or -WORD, without commas",
                "{tag}: 태그가 아니에요. 쉼표 없이 +낱말 또는 -낱말로 써 주세요."
            ),
            Sentence::NoNote(id) => both!(
                lang,
                "Game {id} has no note. Write one with `hansu games note {id} TEXT`.",
                "게임 {id}에는 메모가 없어요. `hansu games note {id} 내용`으로 써 보세요."
            ),
            Sentence::NoteKept => both!(lang, "The note is kept.", "메모를 남겼어요."),
            Sentence::NoteRemoved => both!(lang, "The note is gone.", "메모를 지웠어요."),
            Sentence::DeleteThis => {
                both!(lang, "Delete this game for good? [y/N]", "이 게임을 완전히 지울까요? [y/N]")
            }
            Sentence::Deleted(id) => both!(lang, "Game {id} is deleted.", "게임을 지웠어요: {id}"),
            Sentence::Kept => both!(lang, "The game stays.", "게임을 그대로 두었어요."),
            Sentence::ReplayKeys => both!(
                lang,
                "←/→ step · Home/End · f flip · a automatic · q quit",
                "←/→ 한 수씩 · Home/End 처음/끝 · f 판 돌리기 · a 자동 · q 나가기"
            ),
            Sentence::ReplayKeysAuto => both!(
                lang,
                "space pause · ←/→ step · +/− speed · q quit",
                "스페이스 멈춤 · ←/→ 한 수씩 · +/− 빠르기 · q 나가기"
            ),
            Sentence::NoTimes => both!(
                lang,
                "no times were kept: one second a move",
                "시간 기록이 없어 1초에 한 수씩 둬요"
            ),
            Sentence::Speed(factor) => both!(lang, "speed ×{factor}", "빠르기 ×{factor}"),
            Sentence::NextIn(time) => both!(lang, "next move in {time}", "다음 수까지 {time}"),
            Sentence::Winning(1) => both!(lang, "won the last game", "마지막 게임 승리"),
            Sentence::Winning(games) => {
                both!(lang, "{games} wins in a row now", "지금 {games}연승 중")
            }
            Sentence::Losing(1) => both!(lang, "lost the last game", "마지막 게임 패배"),
            Sentence::Losing(games) => {
                both!(lang, "{games} losses in a row now", "지금 {games}연패 중")
            }
            Sentence::LongestRuns { wins, unbeaten } => both!(
                lang,
                "longest runs: {wins} wins, {unbeaten} without a loss",
                "최장 기록: {wins}연승, {unbeaten}경기 무패"
            ),
            Sentence::NeverAgainstComputer => both!(
                lang,
                "No finished games against the computer yet. Play one: hansu --computer 3",
                "컴퓨터와 끝까지 둔 게임이 아직 없어요. 한 판 두려면: hansu --computer 3"
            ),
            Sentence::NeverMet(one, other) => both!(
                lang,
                "{one} and {other} have not finished a game against each other yet.",
                "{one} 님과 {other} 님이 서로 끝낸 게임은 아직 없어요."
            ),
            Sentence::NothingDecided => both!(
                lang,
                "No game is over yet, so there is nothing to count. See `hansu games list`.",
                "끝난 게임이 아직 없어서 셀 것이 없어요. `hansu games list`를 보세요."
            ),
        }
    }
}

/// A title or heading of one or two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Label {
    Id,
    Date,
    White,
    Black,
    Both,
    Result,
    Reason,
    Plies,
    Opening,
    Tags,
    Note,
    Player,
    Opponent,
    Games,
    Wins,
    Draws,
    Losses,
    Open,
    Points,
    Results,
    WhiteWins,
    BlackWins,
    Players,
    Opponents,
    AgainstComputer,
    Level,
    AllLevels,
    Reasons,
    Months,
    Openings,
    Start,
    Auto,
    Unknown,
}

impl Label {
    pub(super) const fn text(self, lang: Lang) -> &'static str {
        let (en, ko) = match self {
            Label::Id => ("ID", "ID"),
            Label::Date => ("Date", "날짜"),
            Label::White => ("White", "백"),
            Label::Black => ("Black", "흑"),
            Label::Both => ("Both", "합계"),
            Label::Result => ("Result", "결과"),
            Label::Reason => ("Reason", "이유"),
            Label::Plies => ("Plies", "수"),
            Label::Opening => ("Opening", "오프닝"),
            Label::Tags => ("Tags", "태그"),
            Label::Note => ("Note", "메모"),
            Label::Player => ("Player", "선수"),
            Label::Opponent => ("Opponent", "상대"),
            Label::Games => ("Games", "게임"),
            Label::Wins => ("Won", "승"),
            Label::Draws => ("Drawn", "무"),
            Label::Losses => ("Lost", "패"),
            Label::Open => ("Open", "미정"),
            Label::Points => ("Score", "점수율"),
            Label::Results => ("Results", "결과"),
            Label::WhiteWins => ("White wins", "백 승"),
            Label::BlackWins => ("Black wins", "흑 승"),
            Label::Players => ("Players", "선수별"),
            Label::Opponents => ("Opponents", "상대별"),
            Label::AgainstComputer => ("Against the computer", "컴퓨터와 둔 게임"),
            Label::Level => ("Level", "난이도"),
            Label::AllLevels => ("All", "합계"),
            Label::Reasons => ("How games ended", "끝난 이유"),
            Label::Months => ("Months", "월별"),
            Label::Openings => ("Openings", "오프닝"),
            Label::Start => ("Start", "시작"),
            Label::Auto => ("automatic", "자동"),
            Label::Unknown => ("unknown", "모름"),
        };
        match lang {
            Lang::En => en,
            Lang::Ko => ko,
        }
    }
}

/// Why a game ended, in a word or two. A code that this version does not know stays as it is.
pub(super) fn reason(code: &str, lang: Lang) -> String {
    match Reason::from_code(code) {
        Some(reason) => lang.ending_reason(reason).to_owned(),
        None if code == "-" => Label::Unknown.text(lang).to_owned(),
        None => code.to_owned(),
    }
}

/// The status of a game, in a word or two.
pub(super) const fn status(status: Status, lang: Lang) -> &'static str {
    match (status, lang) {
        (Status::Live, Lang::En) => "in play",
        (Status::Live, Lang::Ko) => "두는 중",
        (Status::Finished, Lang::En) => "finished",
        (Status::Finished, Lang::Ko) => "끝남",
        (Status::Aborted, Lang::En) => "aborted",
        (Status::Aborted, Lang::Ko) => "취소",
        (Status::Adjourned, Lang::En) => "adjourned",
        (Status::Adjourned, Lang::Ko) => "중단됨",
    }
}

/// The source of a game, in a word or two.
pub(super) const fn source(source: Source, lang: Lang) -> &'static str {
    match (source, lang) {
        (Source::Terminal, Lang::En) => "terminal",
        (Source::Terminal, Lang::Ko) => "터미널",
        (Source::Local, Lang::En) => "one screen",
        (Source::Local, Lang::Ko) => "한 화면",
        (Source::Online, Lang::En) => "online",
        (Source::Online, Lang::Ko) => "온라인",
        (Source::Computer, Lang::En) => "computer",
        (Source::Computer, Lang::Ko) => "컴퓨터",
        (Source::Import, Lang::En) => "imported",
        (Source::Import, Lang::Ko) => "가져옴",
    }
}
