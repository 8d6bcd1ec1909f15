//! The sentences of a game between two seats: refused commands, endings, offers.

use hansu_chess::{Color, GameError, Outcome, Position};
use hansu_play::{
    ABSENCE, ABSENCE_UNTIMED, Ending, GIFT, MAX_CHAT, MAX_GIFTS, MAX_ID, MAX_NAME, Millis, Offer,
    Reason, Refusal, TimeControl,
};

use crate::{Lang, Particle};

impl Lang {
    /// Why a command is refused in this position.
    ///
    /// ```
    /// use hansu_chess::Position;
    /// use hansu_play::Refusal;
    /// use hansu_words::Lang;
    /// let position = Position::start();
    /// assert_eq!(
    ///     Lang::En.play_refusal(Refusal::NotYourTurn, &position),
    ///     "It is White's turn. Wait for your opponent's move."
    /// );
    /// assert_eq!(
    ///     Lang::Ko.play_refusal(Refusal::NotYourTurn, &position),
    ///     "지금은 백 차례예요. 상대가 둘 때까지 기다려 주세요."
    /// );
    /// ```
    pub fn play_refusal(self, refusal: Refusal, position: &Position) -> String {
        match self {
            Lang::Ko => korean(refusal, position),
            Lang::En => english(refusal, position),
        }
    }

    /// How a game ended, as a sentence: who won, and why.
    ///
    /// ```
    /// use hansu_chess::Color;
    /// use hansu_play::{Ending, Reason};
    /// use hansu_words::Lang;
    /// let ending = Ending { winner: Some(Color::White), reason: Reason::Timeout };
    /// assert_eq!(Lang::En.ending(ending), "White wins on time: Black's clock has run out.");
    /// assert_eq!(Lang::Ko.ending(ending), "흑의 시간이 다 되어 백이 이겼어요.");
    /// ```
    pub fn ending(self, ending: Ending) -> String {
        match self {
            Lang::Ko => korean_ending(ending),
            Lang::En => english_ending(ending),
        }
    }

    /// Why a game ended, in a word or two.
    ///
    /// ```
    /// # use hansu_play::Reason;
    /// # use hansu_words::Lang;
    /// assert_eq!(Lang::En.ending_reason(Reason::Abandonment), "abandonment");
    /// assert_eq!(Lang::Ko.ending_reason(Reason::Timeout), "시간 초과");
    /// ```
    pub const fn ending_reason(self, reason: Reason) -> &'static str {
        let (en, ko) = match reason {
            Reason::Chess(reason) => return self.reason(reason),
            Reason::Timeout => ("time", "시간 초과"),
            Reason::TimeoutDraw => ("draw on time", "시간 초과 무승부"),
            Reason::Abandonment => ("abandonment", "자리 비움"),
            Reason::Abort => ("abort", "취소"),
        };
        self.pick(en, ko)
    }

    /// The name of what one side can offer to the other.
    ///
    /// ```
    /// # use hansu_play::Offer;
    /// # use hansu_words::Lang;
    /// assert_eq!(Lang::En.offer(Offer::Takeback), "takeback");
    /// assert_eq!(Lang::Ko.offer(Offer::Takeback), "무르기");
    /// ```
    pub const fn offer(self, offer: Offer) -> &'static str {
        let (en, ko) = match offer {
            Offer::Draw => ("draw", "무승부"),
            Offer::Takeback => ("takeback", "무르기"),
            Offer::Adjournment => ("adjournment", "중단"),
            Offer::Resumption => ("resumption", "이어 두기"),
            Offer::Rematch => ("rematch", "재대국"),
        };
        self.pick(en, ko)
    }
}

/// A bound of the game in minutes; all of them are whole minutes.
const fn minutes(time: Millis) -> u64 {
    time.0 / Millis::minutes(1).0
}

fn english(refusal: Refusal, position: &Position) -> String {
    match refusal {
        Refusal::Move(refusal) => return Lang::En.refusal(refusal, position),
        Refusal::Position(error) => return Lang::En.fen_error(error),
        Refusal::PositionOver => {
            "In this position the game is already over. Choose another position."
        }
        Refusal::BadTime => {
            return format!(
                "This time control cannot be played. Choose from {} second to {} hours on the \
                 clock, a bonus of at most {} minutes a move, at most {} stages, or 1 to {} days \
                 for a move.",
                TimeControl::MIN_TIME.0 / Millis::seconds(1).0,
                minutes(TimeControl::MAX_TIME) / 60,
                minutes(TimeControl::MAX_BONUS),
                TimeControl::MAX_STAGES,
                TimeControl::MAX_DAYS
            );
        }
        Refusal::TextEmpty => "A name or a message cannot be empty. Write at least one character.",
        Refusal::TextTooLong => {
            return format!(
                "This is too long: a name has at most {MAX_NAME} characters, a message at most \
                 {MAX_CHAT}. Make it shorter."
            );
        }
        Refusal::TextControl => {
            "Line breaks and invisible control characters cannot stand in a name or a message. \
             Leave them out."
        }
        Refusal::BadId => {
            return format!(
                "The next game has no usable name: it must have 1 to {MAX_ID} letters, digits, - \
                 or _. Answer the rematch once more."
            );
        }
        Refusal::NotStarted => "The game has not started yet. Wait until it begins.",
        Refusal::AlreadyStarted => {
            "The game has started already, so its settings are fixed. For other settings, start a \
             new game."
        }
        Refusal::NotSeated => {
            "Only the players of this game can do this. To play yourself, start a new game."
        }
        Refusal::SystemOnly => {
            "Only the server can do this, and it does so by itself. There is nothing for you to do."
        }
        Refusal::NotYourSeat => {
            "You can do this only for your own side. Leave your opponent's side to your opponent."
        }
        Refusal::NotYourTurn => {
            let turn = Lang::En.color(position.turn());
            return format!("It is {turn}'s turn. Wait for your opponent's move.");
        }
        Refusal::GameOver => {
            "The game is over, so this can no longer be done. Offer a rematch to play again."
        }
        Refusal::GameNotOver => {
            "The game is not over yet, and a rematch comes after it. Finish this game first."
        }
        Refusal::Adjourned => {
            "The game is adjourned. Offer to resume it: it goes on as soon as both sides want to."
        }
        Refusal::NotAdjourned => {
            "The game is not adjourned, so there is nothing to resume. You can simply play on."
        }
        Refusal::NothingOffered => {
            "Your opponent offers nothing of this kind: it has been answered, or expired when a \
             move was played. You can make the offer yourself."
        }
        Refusal::AlreadyOffered => {
            "This is on offer already. Wait for the answer, or accept it if the offer is your \
             opponent's."
        }
        Refusal::OfferedTooSoon => {
            "You have offered this a short while ago. It can be offered again after a few more \
             moves, and a rematch only once."
        }
        Refusal::NothingToTakeBack => {
            "You have no move to take back yet. After your first move you can ask for it."
        }
        Refusal::TooLateToAbort => {
            "Both sides have moved, so the game can no longer be aborted. Resign, or offer a draw."
        }
        Refusal::NothingToClaim => {
            let why = Lang::En.game_error(GameError::NothingToClaim);
            return format!("{why} You can offer a draw instead.");
        }
        Refusal::OpponentThere => {
            return format!(
                "Your opponent is there, or has not been away for long: it takes {} minute, or {} \
                 minutes in a game without clocks. With days for a move nothing can be claimed. \
                 Please wait.",
                minutes(ABSENCE),
                minutes(ABSENCE_UNTIMED)
            );
        }
        Refusal::NotUnderWay => {
            "The game can be claimed only after both sides have moved. Until then you can abort it."
        }
        Refusal::TimeLeft => "There is time left on the clock. The game ends when it runs out.",
        Refusal::NoClock => {
            "This game has no clock, so nobody can lose on time. If your opponent leaves, you can \
             claim the game after a while."
        }
        Refusal::NoGift => {
            "Time cannot be given here. You can give it to your opponent, in a game whose clocks \
             count down."
        }
        Refusal::EnoughGiven => {
            return format!(
                "No more time can be given. A side can get {} seconds {MAX_GIFTS} times in a game, \
                 and a clock has at most {} hours.",
                GIFT.0 / Millis::seconds(1).0,
                minutes(TimeControl::MAX_TIME) / 60
            );
        }
        Refusal::RematchAgreed => "The rematch is agreed on already. Go on to the next game.",
        Refusal::ChatClosed => {
            "Only the players can chat in this game. You are welcome to go on watching."
        }
        Refusal::Unchanged => "Nothing changed: it was already like that. There is nothing to do.",
        Refusal::LogFull => {
            "The log of this game is full and takes only moves and the end. You can play on."
        }
    }
    .to_owned()
}

fn korean(refusal: Refusal, position: &Position) -> String {
    match refusal {
        Refusal::Move(refusal) => return Lang::Ko.refusal(refusal, position),
        Refusal::Position(error) => return Lang::Ko.fen_error(error),
        Refusal::PositionOver => "이미 끝난 국면이라 둘 것이 없어요. 다른 국면을 골라 주세요.",
        Refusal::BadTime => {
            return format!(
                "둘 수 없는 제한 시간이에요. 시계는 {}초에서 {}시간까지, 한 수마다 더하는 시간은 \
                 {}분까지, 단계는 {}개까지, 날짜로 두는 게임은 한 수에 1일에서 {}일까지 고를 수 \
                 있어요.",
                TimeControl::MIN_TIME.0 / Millis::seconds(1).0,
                minutes(TimeControl::MAX_TIME) / 60,
                minutes(TimeControl::MAX_BONUS),
                TimeControl::MAX_STAGES,
                TimeControl::MAX_DAYS
            );
        }
        Refusal::TextEmpty => "이름이나 메시지가 비어 있어요. 한 글자 이상 써 주세요.",
        Refusal::TextTooLong => {
            return format!(
                "너무 길어요. 이름은 {MAX_NAME}자, 메시지는 {MAX_CHAT}자까지 쓸 수 있어요."
            );
        }
        Refusal::TextControl => {
            "이름이나 메시지에는 줄바꿈이나 보이지 않는 제어 문자를 쓸 수 없어요. 빼고 다시 써 \
             주세요."
        }
        Refusal::BadId => {
            return format!(
                "다음 게임의 이름을 쓸 수 없어요. 영문자, 숫자, -, _로 1자에서 {MAX_ID}자까지여야 \
                 해요. 재대국에 다시 답해 주세요."
            );
        }
        Refusal::NotStarted => "게임이 아직 시작되지 않았어요. 시작할 때까지 기다려 주세요.",
        Refusal::AlreadyStarted => {
            "이미 시작한 게임이라 설정을 바꿀 수 없어요. 다르게 두려면 새 게임을 시작해 주세요."
        }
        Refusal::NotSeated => {
            "이 게임을 두는 사람만 할 수 있어요. 직접 두려면 새 게임을 시작해 주세요."
        }
        Refusal::SystemOnly => "서버만 할 수 있고, 서버가 알아서 해요. 따로 하실 일은 없어요.",
        Refusal::NotYourSeat => "자기 쪽 일만 할 수 있어요. 상대 쪽 일은 상대에게 맡겨 주세요.",
        Refusal::NotYourTurn => {
            let turn = Lang::Ko.color(position.turn());
            return format!("지금은 {turn} 차례예요. 상대가 둘 때까지 기다려 주세요.");
        }
        Refusal::GameOver => {
            "게임이 끝나서 이제는 할 수 없어요. 다시 두고 싶으면 재대국을 신청해 주세요."
        }
        Refusal::GameNotOver => {
            "게임이 아직 끝나지 않았어요. 재대국은 이 게임이 끝난 뒤에 신청할 수 있어요."
        }
        Refusal::Adjourned => {
            "중단한 게임이에요. 이어 두기를 제안해 주세요. 두 사람이 모두 원하면 바로 이어져요."
        }
        Refusal::NotAdjourned => "중단한 게임이 아니라서 이을 것이 없어요. 그대로 두면 돼요.",
        Refusal::NothingOffered => {
            "상대가 제안한 것이 없어요. 이미 답했거나, 수를 두면서 사라졌어요. 원하면 먼저 제안할 \
             수 있어요."
        }
        Refusal::AlreadyOffered => {
            "이미 나와 있는 제안이에요. 답을 기다리거나, 상대의 제안이라면 받아들여 주세요."
        }
        Refusal::OfferedTooSoon => {
            "조금 전에 제안했던 것이에요. 몇 수 더 둔 뒤에 다시 제안할 수 있고, 재대국은 한 번만 \
             신청할 수 있어요."
        }
        Refusal::NothingToTakeBack => {
            "아직 둔 수가 없어서 무를 것이 없어요. 첫 수를 둔 뒤에 무르기를 부탁할 수 있어요."
        }
        Refusal::TooLateToAbort => {
            "양쪽이 모두 수를 둬서 이제는 취소할 수 없어요. 기권하거나 무승부를 제안해 주세요."
        }
        Refusal::NothingToClaim => {
            let why = Lang::Ko.game_error(GameError::NothingToClaim);
            return format!("{why} 대신 무승부를 제안할 수 있어요.");
        }
        Refusal::OpponentThere => {
            return format!(
                "상대가 있거나, 자리를 비운 지 얼마 안 됐어요. {}분, 시계 없는 게임은 {}분이 \
                 지나야 해요. 날짜로 두는 게임에서는 선언할 수 없어요. 조금 기다려 주세요.",
                minutes(ABSENCE),
                minutes(ABSENCE_UNTIMED)
            );
        }
        Refusal::NotUnderWay => {
            "양쪽이 모두 수를 둔 뒤에야 승리나 무승부를 선언할 수 있어요. 그전에는 게임을 취소할 \
             수 있어요."
        }
        Refusal::TimeLeft => "아직 시간이 남아 있어요. 시간이 다 되면 게임이 끝나요.",
        Refusal::NoClock => {
            "시계 없는 게임이라 시간으로 지는 일이 없어요. 상대가 자리를 비우면 잠시 뒤에 승리나 \
             무승부를 선언할 수 있어요."
        }
        Refusal::NoGift => {
            "여기서는 시간을 줄 수 없어요. 시계가 가는 게임에서 상대에게만 줄 수 있어요."
        }
        Refusal::EnoughGiven => {
            return format!(
                "시간을 더 줄 수 없어요. 한 게임에서 한쪽이 {}초를 {MAX_GIFTS}번까지 받을 수 있고, \
                 시계에는 {}시간까지만 담을 수 있어요.",
                GIFT.0 / Millis::seconds(1).0,
                minutes(TimeControl::MAX_TIME) / 60
            );
        }
        Refusal::RematchAgreed => "재대국이 이미 정해졌어요. 다음 게임으로 가 주세요.",
        Refusal::ChatClosed => {
            "이 게임에서는 두는 사람만 채팅할 수 있어요. 관전은 계속할 수 있어요."
        }
        Refusal::Unchanged => "이미 그런 상태라서 바뀐 것이 없어요. 따로 하실 일은 없어요.",
        Refusal::LogFull => {
            "이 게임의 기록이 가득 차서 이제는 수와 게임의 끝만 남길 수 있어요. 계속 둘 수는 \
             있어요."
        }
    }
    .to_owned()
}

fn english_ending(ending: Ending) -> String {
    let name = |color: Color| Lang::En.color(color);
    match (ending.reason, ending.winner) {
        (Reason::Chess(reason), winner) => Lang::En.outcome(Outcome { winner, reason }),
        (Reason::Timeout | Reason::TimeoutDraw, Some(winner)) => {
            format!("{} wins on time: {}'s clock has run out.", name(winner), name(!winner))
        }
        (Reason::Timeout | Reason::TimeoutDraw, None) => {
            "Draw: a clock has run out, but the other side could never give mate.".to_owned()
        }
        (Reason::Abandonment, Some(winner)) => {
            format!("{} wins: {} has left and not come back.", name(winner), name(!winner))
        }
        (Reason::Abandonment, None) => "Draw: a player has left and not come back.".to_owned(),
        (Reason::Abort, _) => {
            "The game was aborted before both sides had moved, so it does not count.".to_owned()
        }
    }
}

fn korean_ending(ending: Ending) -> String {
    let name = |color: Color| Lang::Ko.color(color);
    let subject = |color: Color| Particle::Subject.after(name(color));
    match (ending.reason, ending.winner) {
        (Reason::Chess(reason), winner) => Lang::Ko.outcome(Outcome { winner, reason }),
        (Reason::Timeout | Reason::TimeoutDraw, Some(winner)) => {
            format!("{}의 시간이 다 되어 {} 이겼어요.", name(!winner), subject(winner))
        }
        (Reason::Timeout | Reason::TimeoutDraw, None) => {
            "시간이 다 됐지만 상대에게 체크메이트할 기물이 없어 비겼어요.".to_owned()
        }
        (Reason::Abandonment, Some(winner)) => format!(
            "{} 자리를 비우고 돌아오지 않아 {} 이겼어요.",
            subject(!winner),
            subject(winner)
        ),
        (Reason::Abandonment, None) => "한쪽이 자리를 비우고 돌아오지 않아 비겼어요.".to_owned(),
        (Reason::Abort, _) => {
            "양쪽이 모두 수를 두기 전에 취소된 게임이라 전적에 들어가지 않아요.".to_owned()
        }
    }
}
