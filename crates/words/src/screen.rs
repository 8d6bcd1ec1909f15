//! The phrases of the screen (`hansu board`): menu, status, keys, choices.

use crate::{Lang, Particle};

/// Defines the phrases in both languages from one table.
macro_rules! phrases {
    ($($name:ident: $english:literal, $korean:literal;)*) => {
        /// A fixed phrase of the screen.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs)] // The English text is the documentation.
        pub enum Screen { $($name),* }

        impl Screen {
            /// All phrases.
            pub const ALL: &[Screen] = &[$(Screen::$name),*];

            const fn texts(self) -> (&'static str, &'static str) {
                match self { $(Screen::$name => ($english, $korean)),* }
            }
        }
    };
}

phrases! {
    Menu: "Hansu", "한수";
    TwoHere: "Two players here", "둘이서 한 화면으로";
    Computer: "Play the computer", "컴퓨터와 두기";
    Server: "A game on a server", "서버에서 두기";
    PastGames: "Past games", "지난 게임";
    Statistics: "Statistics", "통계";
    Settings: "Settings", "설정";
    GoOn: "Continue the last game", "마지막 게임 이어서 두기";
    Quit: "Quit", "끝내기";
    Begin: "Begin", "시작하기";
    Back: "Back", "뒤로";
    WhiteName: "White's name", "백 이름";
    BlackName: "Black's name", "흑 이름";
    YourName: "Your name", "내 이름";
    Clock: "Clock", "시계";
    NoClock: "none", "없음";
    OwnClock: "Own clock", "직접 입력";
    OwnClockHint: "7+4, delay 7d4, odds 7/3", "7+4, 지연 7d4, 백/흑 7/3";
    NoSuchClock: "A clock is written as minutes and seconds: 7, 7+4 (added), 7d4 (delay) or 7b4 (given back); 7/3 for White and Black.", "시계는 분과 초로 적어 주세요. 7, 7+4(더하기), 7d4(지연), 7b4(돌려받기), 백과 흑이 다르면 7/3";
    Variant: "Rules", "규칙";
    Standard: "chess", "체스";
    Chess960: "Chess960", "체스960";
    Setup: "Position", "국면";
    SetupHint: "FEN, or 0–959", "FEN이나 0~959";
    NoSuchNumber: "Numbers from 0 to 959 are positions of Chess960. Choose it under Rules.", "0에서 959까지의 번호는 체스960의 국면이에요. 규칙에서 체스960을 골라 주세요.";
    Reading: "Reading …", "읽고 있어요…";
    Level: "Level", "난이도";
    LostGame: "Lost game", "진 게임";
    PlaysOn: "it plays on", "끝까지 두기";
    Resigns: "it resigns", "기권하기";
    YourSide: "Your side", "내 편";
    AnySide: "any", "아무 쪽이나";
    Link: "Link or address", "링크나 주소";
    OpenLink: "Open the link", "링크 열기";
    Invite: "Create invite link", "초대 링크 만들기";
    Lobby: "Lobby", "대기실";
    Language: "Language", "언어";
    Colours: "Colours", "색";
    AsTerminal: "automatic", "자동";
    ColoursNone: "none", "없음";
    ColoursSixteen: "16", "16색";
    ColoursMany: "256", "256색";
    ColoursTrue: "all", "모든 색";
    Pieces: "Pieces", "기물";
    Drawn: "drawn", "그림";
    Figures: "figures", "기호";
    Letters: "letters", "글자";
    Bell: "Bell", "벨";
    On: "on", "켬";
    Off: "off", "끔";
    Search: "Search", "검색";
    NoGames: "No games yet. Every game you play is kept and shown here.", "아직 게임이 없어요. 두는 게임은 모두 여기에 남아요.";
    NoneFound: "No games found.", "찾은 게임이 없어요.";
    NoLog: "Games are not kept now, so there is nothing to show.", "지금은 기록하지 않아서 보여 줄 게 없어요.";
    WhiteWins: "White wins", "백 승";
    BlackWins: "Black wins", "흑 승";
    Draws: "Draws", "무승부";
    Players: "Players", "선수";
    Wins: "won", "승";
    DrawnGames: "drawn", "무";
    Losses: "lost", "패";
    TooSmall: "The window is too small: 40 columns and 20 lines are needed.", "창이 너무 작아요. 너비 40칸, 높이 20줄이 필요해요.";
    WhiteToMove: "White to move.", "백 차례예요.";
    BlackToMove: "Black to move.", "흑 차례예요.";
    YourTurn: "Your move.", "둘 차례예요.";
    TheirTurn: "The other side is to move.", "상대 차례예요.";
    Check: "Check!", "체크!";
    Thinking: "The computer is thinking.", "컴퓨터가 생각하고 있어요.";
    ThoughtFailed: "The computer found no move. Take back with u, or resign with r.", "컴퓨터가 수를 찾지 못했어요. u로 무르거나 r로 기권할 수 있어요.";
    Waiting: "Waiting for the other player. Send them this link:", "상대를 기다리고 있어요. 이 링크를 보내 주세요.";
    WaitingPlain: "Waiting for the other player.", "상대를 기다리고 있어요.";
    Watching: "You are watching.", "관전하고 있어요.";
    Connecting: "Connecting …", "연결하고 있어요…";
    Reconnecting: "The connection is gone. Trying again …", "연결이 끊겼어요. 다시 연결하고 있어요…";
    Sending: "Sending the move …", "수를 보내고 있어요…";
    Premove: "Planned moves are played as soon as it is your turn. Esc takes them back.", "미리 정한 수는 내 차례가 되면 바로 둘게요. Esc로 취소할 수 있어요.";
    PlanSquares: "To plan a move, type its squares: g1f3.", "미리 두려면 칸 이름으로 입력해 주세요. 예: g1f3";
    NotYours: "That piece is not yours to move now.", "지금 움직일 수 있는 기물이 아니에요.";
    NothingThere: "No piece stands there.", "거기에는 기물이 없어요.";
    Castle: "The king can castle. Which way?", "캐슬링할 수 있어요. 어느 쪽으로 할까요?";
    Left: "LEFT", "왼쪽";
    Right: "RIGHT", "오른쪽";
    Cancel: "CANCEL", "취소";
    Promote: "What shall the pawn become?", "어떤 기물로 승급할까요?";
    ResignAsk: "Resign this game?", "기권할까요?";
    AbortAsk: "Withdraw the invitation?", "초대를 취소할까요?";
    LeaveAsk: "Leave? The game is saved; you can continue it later.", "나갈까요? 게임은 남아 있어서 이어서 둘 수 있어요.";
    Yes: "Yes", "네";
    No: "No", "아니요";
    Accept: "Accept", "수락";
    Decline: "Decline", "거절";
    TypeMove: "Move", "수";
    TypeChat: "Say", "채팅";
    TypeFile: "Save as", "파일 이름";
    Guest: "Guest", "손님";
    SilentSpectators: "Only the players chat in this game.", "이 게임에서는 두는 사람만 채팅할 수 있어요.";
    ClaimAsk: "The other player has left. What do you claim?", "상대가 자리를 비웠어요. 어떻게 선언할까요?";
    ClaimWin: "a win", "승리";
    ClaimDraw: "a draw", "무승부";
    KeysGame: "arrows Enter · Nf3 · v flip · u take back · o draw · r resign · ? keys · q leave", "방향키 Enter · Nf3 · v 판 돌리기 · u 무르기 · o 무승부 · r 기권 · ? 단축키 · q 나가기";
    KeysGameShort: "Enter · ? keys · q leave", "Enter · ? 단축키 · q 나가기";
    KeysWatch: ", . moves · v flip · ? keys · q leave", ", . 수 넘겨 보기 · v 판 돌리기 · q 나가기";
    KeysOver: "p rematch · s save · , . moves · q leave", "p 재대국 · s 저장 · , . 보기 · q 나가기";
    KeysAdjourned: "t resume · m chat · r resign · q leave", "t 이어 두기 · m 채팅 · r 기권 · q 나가기";
    KeysReplay: "←→ move · ↑↓ ten · s save · q back", "←→ 한 수 · ↑↓ 열 수 · s 저장 · q 뒤로";
    KeysForm: "↑↓ choose · ←→ change · Esc back", "↑↓ 고르기 · ←→ 바꾸기 · Esc 뒤로";
    KeysList: "↑↓ · Enter open · / search · Esc back", "↑↓ · Enter 열기 · / 검색 · Esc 뒤로";
    KeysLobby: "↑↓ · Enter go · s seek · Esc back", "↑↓ · Enter 가기 · s 찾기 · Esc 뒤로";
    KeysWaiting: "q withdraw · Shift + mouse copies", "q 취소 · Shift + 마우스로 복사";
    HelpTitle: "Keys", "단축키";
    HelpMove: "arrows, hjkl, mouse: choose and move · Enter, Space: take, put · Esc: drop", "방향키, hjkl, 마우스: 고르고 두기 · Enter, Space: 잡기, 놓기 · Esc: 그만두기";
    HelpType: "typed: e2e4, Nf3, O-O, after : also h2h4; Nf3= claims a draw with the move", "입력: e2e4, 나f3, O-O. h2h4는 : 다음에. Nf3=은 그 수로 무승부 선언";
    HelpOffers: "o: draw · u: take back · y, n: answer", "o: 무승부 · u: 무르기 · y, n: 답하기";
    HelpLook: "v: flip · , .: moves · +: give 15 s", "v: 판 돌리기 · , .: 수순 · +: 15초";
    HelpMore: "m: chat · s: save PGN · p: rematch", "m: 채팅 · s: PGN 저장 · p: 재대국";
    HelpAway: "t: adjourn, resume · w: claim when the other has left", "t: 중단, 이어 두기 · w: 상대가 떠났을 때 선언";
    HelpLeave: "r: resign · x: abort · q: leave", "r: 기권 · x: 취소 · q: 나가기";
    HelpShell: "Ctrl-Z: to the shell, fg: back", "Ctrl-Z: 셸로, fg: 돌아오기";
    DrawDeclined: "The draw was declined.", "무승부를 거절했어요.";
    TakenBack: "Moves were taken back.", "수를 물렀어요.";
    OtherLeft: "The other player has left.", "상대가 자리를 비웠어요.";
    OtherReturned: "The other player is back.", "상대가 돌아왔어요.";
    Credited: "The time during which the server could not take moves was given back.", "서버가 수를 받지 못한 동안의 시간을 돌려받았어요.";
    Adjourned: "The game is adjourned.", "게임을 중단했어요. 다음에 이어서 둬요.";
    Withdrawn: "The invitation was withdrawn.", "초대가 취소됐어요.";
    OtherVersion: "The server runs another version. Please update Hansu.", "서버의 버전이 달라요. 한수를 새 버전으로 바꿔 주세요.";
    GoneOn: "This game was continued in another window. This is how it stands now.", "다른 창에서 이 게임을 이어서 뒀어요. 지금은 이런 상태예요.";
    NotKept: "This could not be saved, so it was not played.", "기록하지 못해서 두지 않은 것으로 할게요.";
    NobodyHere: "No one is looking for a game right now. Press s to look for an opponent.", "지금은 기다리는 사람이 없어요. s를 눌러 상대를 찾아보세요.";
    Seeking: "Looking for an opponent. s stops it.", "상대를 찾고 있어요. s를 누르면 그만둬요.";
    Seeks: "Looking for a game", "상대를 기다리는 사람";
    LiveGames: "Live games", "두고 있는 게임";
    Start: "Start", "시작";
    NoLink: "Enter an invitation (…/join/…) or a game (…/game/…).", "초대 링크(…/join/…)나 게임 링크(…/game/…)를 넣어 주세요.";
    NeedsTerminal: "the board needs a terminal; in a pipe play line by line: hansu", "체스판은 터미널에서만 열 수 있어요. 파이프에서는 한 줄씩 두세요: hansu";
}

impl Lang {
    /// A phrase of the screen.
    ///
    /// ```
    /// use hansu_words::{Lang, Screen};
    /// assert_eq!(Lang::En.screen(Screen::Left), "LEFT");
    /// assert_eq!(Lang::Ko.screen(Screen::Left), "왼쪽");
    /// ```
    pub const fn screen(self, phrase: Screen) -> &'static str {
        let (english, korean) = phrase.texts();
        self.pick(english, korean)
    }

    /// An open offer of the other side.
    pub fn screen_offer(self, what: hansu_play::Offer) -> String {
        let what = self.offer(what);
        match self {
            Lang::Ko => format!("{what}: 상대가 제안했어요."),
            Lang::En => format!("The other side offers: {what}."),
        }
    }

    /// An offer of ours that waits for its answer.
    pub fn screen_offered(self, what: hansu_play::Offer) -> String {
        let what = self.offer(what);
        match self {
            Lang::Ko => format!("{what}: 상대에게 물었어요."),
            Lang::En => format!("Offered: {what}."),
        }
    }

    /// An offer that was declined.
    pub fn screen_declined(self, what: hansu_play::Offer) -> String {
        let what = self.offer(what);
        match self {
            Lang::Ko => format!("{what}: 거절했어요."),
            Lang::En => format!("Declined: {what}."),
        }
    }

    /// Follows the name of a spectator who chats, since the name could be that of a player.
    ///
    /// ```
    /// use hansu_words::Lang;
    /// assert_eq!(Lang::Ko.watching(), "(관전)");
    /// ```
    pub const fn watching(self) -> &'static str {
        match self {
            Lang::Ko => "(관전)",
            Lang::En => "(watching)",
        }
    }

    /// A typed move names a piece that is not there.
    ///
    /// ```
    /// use hansu_chess::Role;
    /// use hansu_words::Lang;
    /// assert_eq!(Lang::Ko.screen_no_piece(Role::Queen), "그렇게 둘 수 있는 내 퀸이 없어요.");
    /// ```
    pub fn screen_no_piece(self, role: hansu_chess::Role) -> String {
        let name = self.role(role);
        match self {
            Lang::Ko => format!("그렇게 둘 수 있는 내 {} 없어요.", Particle::Subject.after(name)),
            Lang::En => format!("You have no {name} that could be meant."),
        }
    }

    /// A player gave the other time.
    ///
    /// ```
    /// use hansu_chess::Color;
    /// use hansu_play::GIFT;
    /// use hansu_words::Lang;
    /// assert_eq!(Lang::En.given(Color::White, GIFT), "White got 15 more seconds.");
    /// ```
    pub fn given(self, to: hansu_chess::Color, time: hansu_play::Millis) -> String {
        let (to, seconds) = (self.color(to), time.0 / 1_000);
        match self {
            Lang::Ko => format!("{to}이 {seconds}초를 더 받았어요."),
            Lang::En => format!("{to} got {seconds} more seconds."),
        }
    }

    /// How to return to an unfinished game on a server.
    pub fn screen_back(self, address: &str) -> String {
        match self {
            Lang::Ko => format!("게임은 서버에 남아 있어요. 돌아오려면: hansu board {address}"),
            Lang::En => format!("The game is kept there. Come back with: hansu board {address}"),
        }
    }

    /// A clock to choose: minutes for each side, and the bonus of every move.
    ///
    /// ```
    /// use hansu_play::{Bonus, Millis};
    /// use hansu_words::Lang;
    /// let added = Bonus::Increment(Millis::seconds(3));
    /// assert_eq!(Lang::En.screen_clock(5, added), "5 min + 3 s");
    /// ```
    pub fn screen_clock(self, minutes: u64, bonus: hansu_play::Bonus) -> String {
        use hansu_play::Bonus;
        match (self, bonus) {
            (Lang::Ko, Bonus::None) => format!("{minutes}분"),
            (Lang::En, Bonus::None) => format!("{minutes} min"),
            (Lang::Ko, Bonus::Increment(more)) => format!("{minutes}분 + {}초", more.0 / 1_000),
            (Lang::En, Bonus::Increment(more)) => format!("{minutes} min + {} s", more.0 / 1_000),
            (Lang::Ko, Bonus::Delay(wait)) => format!("{minutes}분, 지연 {}초", wait.0 / 1_000),
            (Lang::En, Bonus::Delay(wait)) => format!("{minutes} min, {} s delay", wait.0 / 1_000),
            (Lang::Ko, Bonus::Bronstein(back)) => {
                format!("{minutes}분, 브론스타인 {}초", back.0 / 1_000)
            }
            (Lang::En, Bonus::Bronstein(back)) => {
                format!("{minutes} min, {} s Bronstein", back.0 / 1_000)
            }
        }
    }

    /// Days for each move.
    pub fn screen_days(self, days: u16) -> String {
        match (self, days) {
            (Lang::Ko, _) => format!("한 수에 {days}일"),
            (Lang::En, 1) => "1 day a move".to_owned(),
            (Lang::En, _) => format!("{days} days a move"),
        }
    }

    /// A game was written into a file.
    pub fn screen_exported(self, file: &str) -> String {
        match self {
            Lang::Ko => format!("저장했어요: {file}"),
            Lang::En => format!("Saved: {file}"),
        }
    }

    /// A file of this name exists already and was not changed.
    pub fn screen_exists(self, file: &str) -> String {
        match self {
            Lang::Ko => format!("같은 이름의 파일이 있어서 저장하지 않았어요: {file}"),
            Lang::En => format!("Not saved, there is such a file already: {file}"),
        }
    }

    /// A file cannot be written.
    pub fn screen_not_exported(self, file: &str, why: &str) -> String {
        match self {
            Lang::Ko => format!("저장하지 못했어요: {file} ({why})"),
            Lang::En => format!("Not saved: {file} ({why})"),
        }
    }

    /// A level of the computer with its name.
    ///
    /// ```
    /// use hansu_words::Lang;
    /// assert_eq!(Lang::En.screen_level(1), "1 Chick");
    /// ```
    pub fn screen_level(self, level: u8) -> String {
        format!("{level} {}", self.level(level))
    }

    /// How many games there are.
    pub fn screen_games(self, games: u64) -> String {
        match (self, games) {
            (Lang::Ko, _) => format!("게임 {games}판"),
            (Lang::En, 1) => "1 game".to_owned(),
            (Lang::En, _) => format!("{games} games"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_say_everything_and_korean_is_korean() {
        let is_hangul = |c: char| ('\u{ac00}'..='\u{d7a3}').contains(&c);
        for &phrase in Screen::ALL {
            let (english, korean) = (Lang::En.screen(phrase), Lang::Ko.screen(phrase));
            assert!(!english.is_empty() && !korean.is_empty(), "{phrase:?}");
            assert!(!english.chars().any(is_hangul), "{english}");
            let has_letters = korean.chars().any(char::is_alphabetic);
            assert!(!has_letters || korean.chars().any(is_hangul), "{korean}");
        }
    }
}
