//! The sentences of the game. The Korean ones are the seed's, byte for byte.

use hansu_chess::Color;
use hansu_words::Lang;

/// Something the game says that never varies.
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
    GoneOn,
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
            Sentence::GoneOn => "다른 창에서 이 게임을 이어서 뒀어요. 지금은 이런 상태예요.",
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
            Sentence::GoneOn => "This game has gone on in another window. Here is how it stands.",
        }
    }
}

/// Whose turn it is.
pub(crate) const fn prompt(turn: Color, lang: Lang) -> &'static str {
    match (lang, turn) {
        (Lang::Ko, Color::White) => "백 기물을 움직여주세요.",
        (Lang::Ko, Color::Black) => "흑 기물을 움직여주세요.",
        (Lang::En, Color::White) => "White to move.",
        (Lang::En, Color::Black) => "Black to move.",
    }
}

/// Who has won.
pub(crate) const fn winner(winner: Color, lang: Lang) -> &'static str {
    match (lang, winner) {
        (Lang::Ko, Color::White) => "백 승리!!!",
        (Lang::Ko, Color::Black) => "흑 승리!!!",
        (Lang::En, Color::White) => "White wins!!!",
        (Lang::En, Color::Black) => "Black wins!!!",
    }
}

/// Which game goes on.
pub(crate) fn resuming(id: &str, white: &str, black: &str, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("이어서 두는 게임: {id} (백 {white}, 흑 {black})"),
        Lang::En => format!("Going on with game {id} (White {white}, Black {black})"),
    }
}
