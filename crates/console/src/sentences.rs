//! The sentences of the line game. Those of the local game in Korean are fixed byte for byte.

use hansu_chess::Color;
use hansu_play::{Millis, Offer, Sides};
use hansu_protocol::{Seat, Turn};
use hansu_words::Lang;

/// A sentence without variable parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sentence {
    Start,
    HowToMove,
    HowToSeeRecord,
    HowToResign,
    BadFormat,
    BadTile,
    CannotMove,
    Promotion,
    BadPromotion,
    Over,
    Drawn,
    ChangedElsewhere,
    /// The words of a game on a server. This and all that follow are for such games.
    RemoteHelp,
    Waiting,
    NoOpponent,
    NoOffer,
    TakenBack,
    Adjourned,
    Resumed,
    OtherLeft,
    OtherReturned,
    Credited,
    Withdrawn,
    AfterEnd,
}

impl Sentence {
    pub(crate) const OPENING: [Sentence; 4] =
        [Sentence::Start, Sentence::HowToMove, Sentence::HowToSeeRecord, Sentence::HowToResign];

    pub(crate) const fn text(self, lang: Lang) -> &'static str {
        match lang {
            Lang::Ko => self.korean(),
            Lang::En => self.english(),
        }
    }

    const fn korean(self) -> &'static str {
        match self {
            Sentence::Start => "게임을 시작합니다.",
            Sentence::HowToMove => {
                "기물을 움직이려면 기물의 타일과 움직일 타일을 입력해 주세요. ex) e2 e4"
            }
            Sentence::HowToSeeRecord => "기보를 보고싶으면 '기보'를 입력해주세요.",
            Sentence::HowToResign => "기권을 하고싶으면 '기권'을 입력해주세요.",
            Sentence::BadFormat => "입력은 \"(기물의 타일) (이동할 타일)\" 형식에 맞춰 해주세요.",
            Sentence::BadTile => "타일은 a1 ~ h8 내에서 입력해주세요.",
            Sentence::CannotMove => "해당 칸으로는 이동할 수 없습니다.",
            Sentence::Promotion => "승급할 기물을 입력해주세요. (Q, R, B, N)",
            Sentence::BadPromotion => "Q, R, B, N 중 하나를 입력해주세요.",
            Sentence::Over => "게임을 종료합니다.",
            Sentence::Drawn => "무승부로 게임을 종료합니다.",
            Sentence::ChangedElsewhere => {
                "다른 창에서 이 게임을 이어서 뒀어요. 지금은 이런 상태예요."
            }
            Sentence::RemoteHelp => {
                "수는 'e2 e4'처럼 써요. 기보, 기권, 무승부, 무르기, 수락, 거절, 재대국, 시간 (상대에게 15초), 말 (하고 싶은 말), 나가기"
            }
            Sentence::Waiting => "상대를 기다리고 있어요.",
            Sentence::NoOpponent => "아직 상대가 없어요.",
            Sentence::NoOffer => "받은 제안이 없어요.",
            Sentence::TakenBack => "수를 물렀어요.",
            Sentence::Adjourned => "게임을 중단했어요. 다음에 이어서 둬요.",
            Sentence::Resumed => "다시 시작해요.",
            Sentence::OtherLeft => "상대가 자리를 비웠어요.",
            Sentence::OtherReturned => "상대가 돌아왔어요.",
            Sentence::Credited => "서버가 수를 받지 못한 동안의 시간을 돌려받았어요.",
            Sentence::Withdrawn => "초대가 취소됐어요.",
            Sentence::AfterEnd => "재대국 / 나가기",
        }
    }

    const fn english(self) -> &'static str {
        match self {
            Sentence::Start => "The game begins.",
            Sentence::HowToMove => {
                "To move a piece, type its tile and the tile it shall move to. ex) e2 e4"
            }
            Sentence::HowToSeeRecord => "To see the moves so far, type 'record'.",
            Sentence::HowToResign => "To resign, type 'resign'.",
            Sentence::BadFormat => "Please type \"(tile of the piece) (tile to move to)\".",
            Sentence::BadTile => "Please type tiles from a1 to h8.",
            Sentence::CannotMove => "You cannot move there.",
            Sentence::Promotion => "Which piece shall the pawn become? (Q, R, B, N)",
            Sentence::BadPromotion => "Please type one of Q, R, B, N.",
            Sentence::Over => "The game is over.",
            Sentence::Drawn => "The game ends in a draw.",
            Sentence::ChangedElsewhere => {
                "This game was continued in another window. This is how it stands now."
            }
            Sentence::RemoteHelp => {
                "A move is 'e2 e4'. Also: record, resign, draw, takeback, accept, decline, rematch, \
                 give (15 seconds), say (something), quit"
            }
            Sentence::Waiting => "Waiting for the other player.",
            Sentence::NoOpponent => "Nobody plays against you yet.",
            Sentence::NoOffer => "Nothing is on offer.",
            Sentence::TakenBack => "Moves were taken back.",
            Sentence::Adjourned => "The game is adjourned.",
            Sentence::Resumed => "The game goes on.",
            Sentence::OtherLeft => "The other player has left.",
            Sentence::OtherReturned => "The other player is back.",
            Sentence::Credited => {
                "The time during which the server could not take moves was given back."
            }
            Sentence::Withdrawn => "The invitation was withdrawn.",
            Sentence::AfterEnd => "rematch / quit",
        }
    }
}

/// The prompt for the side to move.
pub(crate) const fn prompt(turn: Color, lang: Lang) -> &'static str {
    match (lang, turn) {
        (Lang::Ko, Color::White) => "백 기물을 움직여주세요.",
        (Lang::Ko, Color::Black) => "흑 기물을 움직여주세요.",
        (Lang::En, Color::White) => "White to move.",
        (Lang::En, Color::Black) => "Black to move.",
    }
}

/// The winner's line.
pub(crate) const fn winner(winner: Color, lang: Lang) -> &'static str {
    match (lang, winner) {
        (Lang::Ko, Color::White) => "백 승리!!!",
        (Lang::Ko, Color::Black) => "흑 승리!!!",
        (Lang::En, Color::White) => "White wins!!!",
        (Lang::En, Color::Black) => "Black wins!!!",
    }
}

/// The first line of a resumed game.
pub(crate) fn resuming(id: &str, white: &str, black: &str, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("이어서 두는 게임: {id} (백 {white}, 흑 {black})"),
        Lang::En => format!("Going on with game {id} (White {white}, Black {black})"),
    }
}

/// The line for time that a player gave to the other.
pub(crate) fn given(to: Turn, time: Millis, lang: Lang) -> String {
    lang.given(if to == Turn::White { Color::White } else { Color::Black }, time)
}

/// The players of a game.
pub(crate) fn names(names: &Sides<String>, lang: Lang) -> String {
    let Sides { white, black } = names;
    match lang {
        Lang::Ko => format!("백 {white}, 흑 {black}"),
        Lang::En => format!("White {white}, Black {black}"),
    }
}

/// The player's seat in a game on a server; None for a spectator.
pub(crate) const fn seat(seat: Option<Seat>, lang: Lang) -> &'static str {
    match (seat, lang) {
        (Some(Seat::White), Lang::Ko) => "백으로 둬요.",
        (Some(Seat::White), Lang::En) => "You play White.",
        (Some(Seat::Black), Lang::Ko) => "흑으로 둬요.",
        (Some(Seat::Black), Lang::En) => "You play Black.",
        (Some(Seat::Both), Lang::Ko) => "두 편을 모두 둬요.",
        (Some(Seat::Both), Lang::En) => "You play both sides.",
        (None, Lang::Ko) => "관전하고 있어요.",
        (None, Lang::En) => "You watch.",
    }
}

/// The line for an offer of the player.
pub(crate) fn our_offer(what: Offer, lang: Lang) -> String {
    let what = lang.offer(what);
    match lang {
        Lang::Ko => format!("{what}: 상대에게 물었어요."),
        Lang::En => format!("Offered: {what}."),
    }
}

/// The line for an offer of the other side.
pub(crate) fn their_offer(what: Offer, lang: Lang) -> String {
    let what = lang.offer(what);
    match lang {
        Lang::Ko => format!("{what}: 상대가 제안했어요. (수락 / 거절)"),
        Lang::En => format!("The other side offers: {what}. (accept / decline)"),
    }
}

/// The line for an offer that was declined.
pub(crate) fn declined(what: Offer, lang: Lang) -> String {
    let what = lang.offer(what);
    match lang {
        Lang::Ko => format!("{what}: 거절했어요."),
        Lang::En => format!("Declined: {what}."),
    }
}
