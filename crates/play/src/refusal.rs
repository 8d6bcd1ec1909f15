//! Why a command is refused.

use std::fmt;

use hansu_chess::FenError;

/// Why a command is refused; the game is unchanged then.
///
/// ```
/// use hansu_chess::Square;
/// use hansu_play::Refusal;
/// assert_eq!(Refusal::NotYourTurn.code(), "not_your_turn");
/// // A refused move keeps the reason and the squares of the rules library.
/// let blocked = Refusal::Move(hansu_chess::Refusal::Blocked { at: Square::E4 });
/// assert_eq!(blocked.code(), "blocked");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The move is not legal.
    Move(hansu_chess::Refusal),
    /// The start position is not valid.
    Position(FenError),
    /// The game would be over before it began.
    PositionOver,
    /// The time control is out of bounds.
    BadTime,
    /// A name or a message is empty.
    TextEmpty,
    /// A name or a message is too long.
    TextTooLong,
    /// A name or a message holds control characters.
    TextControl,
    /// The id of the next game is missing or not plain.
    BadId,
    /// The game has not been started.
    NotStarted,
    /// The game has been started already.
    AlreadyStarted,
    /// Only a player may do this.
    NotSeated,
    /// Only the server may do this.
    SystemOnly,
    /// Players may do this only for their own side.
    NotYourSeat,
    /// The other side is to move.
    NotYourTurn,
    /// The game has ended.
    GameOver,
    /// The game has not ended yet.
    GameNotOver,
    /// The game is adjourned.
    Adjourned,
    /// The game is not adjourned.
    NotAdjourned,
    /// The other side has not offered this.
    NothingOffered,
    /// This is on offer already.
    AlreadyOffered,
    /// The offer was turned down a few moves ago.
    OfferedTooSoon,
    /// The player has no move to take back.
    NothingToTakeBack,
    /// Both sides have moved: resign, or offer a draw.
    TooLateToAbort,
    /// Neither threefold repetition nor fifty moves.
    NothingToClaim,
    /// The opponent is present, or has not been away for long enough.
    OpponentThere,
    /// Both sides must have moved first; until then a game can be aborted.
    NotUnderWay,
    /// The clock has time left.
    TimeLeft,
    /// The game has no clock.
    NoClock,
    /// Time can be given only to the opponent, and only in games with a clock.
    NoGift,
    /// No more time can be given.
    EnoughGiven,
    /// The next game is agreed on already.
    RematchAgreed,
    /// Spectators may not chat in this game.
    ChatClosed,
    /// Nothing would change: it is like that already.
    Unchanged,
    /// The log of this game is full and takes only moves and the end.
    LogFull,
}

impl Refusal {
    /// A short name for programs; it never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::Move(refusal) => refusal.code(),
            Refusal::Position(_) => "bad_position",
            Refusal::PositionOver => "position_over",
            Refusal::BadTime => "bad_time",
            Refusal::TextEmpty => "text_empty",
            Refusal::TextTooLong => "text_too_long",
            Refusal::TextControl => "text_control",
            Refusal::BadId => "bad_id",
            Refusal::NotStarted => "not_started",
            Refusal::AlreadyStarted => "already_started",
            Refusal::NotSeated => "not_seated",
            Refusal::SystemOnly => "system_only",
            Refusal::NotYourSeat => "not_your_seat",
            Refusal::NotYourTurn => "not_your_turn",
            Refusal::GameOver => "game_over",
            Refusal::GameNotOver => "game_not_over",
            Refusal::Adjourned => "adjourned",
            Refusal::NotAdjourned => "not_adjourned",
            Refusal::NothingOffered => "nothing_offered",
            Refusal::AlreadyOffered => "already_offered",
            Refusal::OfferedTooSoon => "offered_too_soon",
            Refusal::NothingToTakeBack => "nothing_to_take_back",
            Refusal::TooLateToAbort => "too_late_to_abort",
            Refusal::NothingToClaim => "nothing_to_claim",
            Refusal::OpponentThere => "opponent_there",
            Refusal::NotUnderWay => "not_under_way",
            Refusal::TimeLeft => "time_left",
            Refusal::NoClock => "no_clock",
            Refusal::NoGift => "no_gift",
            Refusal::EnoughGiven => "enough_given",
            Refusal::RematchAgreed => "rematch_agreed",
            Refusal::ChatClosed => "chat_closed",
            Refusal::Unchanged => "unchanged",
            Refusal::LogFull => "log_full",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl std::error::Error for Refusal {}

impl From<hansu_chess::Refusal> for Refusal {
    fn from(refusal: hansu_chess::Refusal) -> Refusal {
        Refusal::Move(refusal)
    }
}
