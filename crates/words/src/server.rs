//! The refusals of the server itself, as opposed to those of a game.

use std::fmt;

use hansu_chess::UciError;
use hansu_play::MAX_NAME;

use crate::Lang;

/// Why the server refuses a request. Nothing has changed then, except possibly after
/// [`ServerRefusal::Unsure`].
///
/// ```
/// use hansu_words::{Lang, ServerRefusal};
/// assert_eq!(ServerRefusal::TooFast.code(), "too_fast");
/// assert!(Lang::En.server_refusal(ServerRefusal::TooFast).contains("too fast"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ServerRefusal {
    /// Too many writes are waiting.
    Busy,
    /// The client sends more than the rate limit allows.
    TooFast,
    /// The frame on the websocket is not a valid message.
    BadMessage,
    /// A text is not a move.
    BadMove,
    /// There is no game with that id.
    NoSuchGame,
    /// There is no invitation with that token.
    NoSuchInvitation,
    /// The invitation has been used: its game has begun.
    InvitationSpent,
    /// The invitation was taken back by the player who made it.
    InvitationWithdrawn,
    /// The invitation was not used in time.
    InvitationExpired,
    /// The player has reached the limit of open invitations.
    TooManyInvitations,
    /// The client has no seat in this game.
    NotYourGame,
    /// The request comes from a page of another site.
    ForeignOrigin,
    /// The `Host` of the request is not a name of this server.
    ForeignHost,
    /// The game comes from a file: it has moves, but no events to follow.
    NoEvents,
    /// The name is empty, too long, or holds control characters.
    BadName,
    /// Something in the request is missing or cannot be read.
    BadRequest,
    /// The request is larger than the server takes.
    TooLarge,
    /// There is no such seek in the lobby any more.
    NoSeek,
    /// The seek is the client's own.
    OwnSeek,
    /// The invitation is the client's own.
    OwnInvitation,
    /// The game can be seen only by those who have its link.
    Private,
    /// There is nothing at this address.
    NotFound,
    /// The log cannot be used at the moment, or the server stops.
    Unavailable,
    /// The clocks of the server and of the database differ too much.
    ClockInDoubt,
    /// The connection to the log was lost during a write, which may or may not have been kept.
    Unsure,
    /// The limit of connections is reached.
    TooManyConnections,
    /// The address does not support this HTTP method.
    MethodNotAllowed,
    /// The request did not arrive in time.
    SlowRequest,
    /// The request needs a player's key.
    NoKey,
    /// The limit of imported games for one hour is reached.
    ImportBudget,
    /// The game is not over, so it cannot be analysed.
    StillPlayed,
    /// The code for one more device is wrong, was used, or has expired.
    NoSuchPass,
    /// The limit of analyses for one hour is reached.
    AnalysisBudget,
    /// Hints are only for the asker's games against the computer, on the asker's turn.
    NoHint,
    /// The server cannot be opened to the local network by this request.
    NotNearby,
}

// The sentence about bad names contains this number.
const _: () = assert!(MAX_NAME == 64);

impl ServerRefusal {
    /// All refusals.
    pub const ALL: &'static [ServerRefusal] = &[
        ServerRefusal::Busy,
        ServerRefusal::TooFast,
        ServerRefusal::BadMessage,
        ServerRefusal::BadMove,
        ServerRefusal::NoSuchGame,
        ServerRefusal::NoSuchInvitation,
        ServerRefusal::InvitationSpent,
        ServerRefusal::InvitationWithdrawn,
        ServerRefusal::InvitationExpired,
        ServerRefusal::TooManyInvitations,
        ServerRefusal::NotYourGame,
        ServerRefusal::ForeignOrigin,
        ServerRefusal::ForeignHost,
        ServerRefusal::NoEvents,
        ServerRefusal::BadName,
        ServerRefusal::BadRequest,
        ServerRefusal::TooLarge,
        ServerRefusal::NoSeek,
        ServerRefusal::OwnSeek,
        ServerRefusal::OwnInvitation,
        ServerRefusal::Private,
        ServerRefusal::NotFound,
        ServerRefusal::Unavailable,
        ServerRefusal::ClockInDoubt,
        ServerRefusal::Unsure,
        ServerRefusal::TooManyConnections,
        ServerRefusal::MethodNotAllowed,
        ServerRefusal::SlowRequest,
        ServerRefusal::NoKey,
        ServerRefusal::ImportBudget,
        ServerRefusal::StillPlayed,
        ServerRefusal::NoSuchPass,
        ServerRefusal::AnalysisBudget,
        ServerRefusal::NoHint,
        ServerRefusal::NotNearby,
    ];

    /// A short name for programs; it never changes.
    pub const fn code(self) -> &'static str {
        match self {
            ServerRefusal::Busy => "busy",
            ServerRefusal::TooFast => "too_fast",
            ServerRefusal::BadMessage => "bad_message",
            ServerRefusal::BadMove => "bad_move",
            ServerRefusal::NoSuchGame => "no_such_game",
            ServerRefusal::NoSuchInvitation => "no_such_invitation",
            ServerRefusal::InvitationSpent => "invitation_spent",
            ServerRefusal::InvitationWithdrawn => "invitation_withdrawn",
            ServerRefusal::InvitationExpired => "invitation_expired",
            ServerRefusal::TooManyInvitations => "too_many_invitations",
            ServerRefusal::NotYourGame => "not_your_game",
            ServerRefusal::ForeignOrigin => "foreign_origin",
            ServerRefusal::ForeignHost => "foreign_host",
            ServerRefusal::NoEvents => "no_events",
            ServerRefusal::BadName => "bad_name",
            ServerRefusal::BadRequest => "bad_request",
            ServerRefusal::TooLarge => "too_large",
            ServerRefusal::NoSeek => "no_seek",
            ServerRefusal::OwnSeek => "own_seek",
            ServerRefusal::OwnInvitation => "own_invitation",
            ServerRefusal::Private => "private",
            ServerRefusal::NotFound => "not_found",
            ServerRefusal::Unavailable => "unavailable",
            ServerRefusal::ClockInDoubt => "clock_in_doubt",
            ServerRefusal::Unsure => "unsure",
            ServerRefusal::TooManyConnections => "too_many_connections",
            ServerRefusal::MethodNotAllowed => "method_not_allowed",
            ServerRefusal::SlowRequest => "slow_request",
            ServerRefusal::NoKey => "no_key",
            ServerRefusal::ImportBudget => "import_budget",
            ServerRefusal::StillPlayed => "still_played",
            ServerRefusal::NoSuchPass => "no_such_pass",
            ServerRefusal::AnalysisBudget => "analysis_budget",
            ServerRefusal::NoHint => "no_hint",
            ServerRefusal::NotNearby => "not_nearby",
        }
    }
}

impl fmt::Display for ServerRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl std::error::Error for ServerRefusal {}

impl Lang {
    /// Why the server refuses a request, and what the reader can do.
    ///
    /// ```
    /// # use hansu_words::{Lang, ServerRefusal};
    /// assert_eq!(
    ///     Lang::Ko.server_refusal(ServerRefusal::Busy),
    ///     "서버가 바빠서 하지 못했어요. 잠시 뒤에 다시 해 주세요."
    /// );
    /// ```
    pub const fn server_refusal(self, refusal: ServerRefusal) -> &'static str {
        let (en, ko) = match refusal {
            ServerRefusal::Busy => (
                "The server is busy and has not done this. Try again in a moment.",
                "서버가 바빠서 하지 못했어요. 잠시 뒤에 다시 해 주세요.",
            ),
            ServerRefusal::TooFast => (
                "That was too fast: too much came in a short time. Wait a few seconds and try \
                 again.",
                "너무 빨라요. 짧은 시간에 너무 많이 보냈어요. 몇 초 뒤에 다시 해 주세요.",
            ),
            ServerRefusal::BadMessage => (
                "The server does not understand this message. Reload the page; a program finds \
                 the format in docs/protocol.md.",
                "서버가 이해할 수 없는 메시지예요. 페이지를 새로 고쳐 주세요. 프로그램이라면 \
                 docs/protocol.md에 형식이 있어요.",
            ),
            ServerRefusal::BadMove => return self.uci_error(UciError),
            ServerRefusal::NoSuchGame => (
                "There is no such game: the link is incomplete, or the game has been deleted. \
                 Check the link, or look in the list of games.",
                "그런 게임이 없어요. 링크가 잘렸거나 게임이 지워졌을 수 있어요. 링크를 \
                 확인하거나 게임 목록에서 찾아봐 주세요.",
            ),
            ServerRefusal::NoSuchInvitation => (
                "There is no such invitation: the link may be incomplete. Check the link, or ask \
                 for a new one.",
                "그런 초대가 없어요. 링크가 잘렸을 수 있어요. 링크를 확인하거나 새 초대를 \
                 부탁해 주세요.",
            ),
            ServerRefusal::NoKey => (
                "This needs a player's key, so that what is kept belongs to you. Open the page \
                 first; a program gets a key from POST /api/keys.",
                "누구의 것인지 알 수 있게 열쇠가 필요해요. 먼저 페이지를 열어 주세요. 프로그램은 \
                 POST /api/keys에서 열쇠를 받아요.",
            ),
            ServerRefusal::NoSuchPass => (
                "This code does not work: it may be mistyped, already used, or more than ten \
                 minutes old. Get a new one on the other device.",
                "쓸 수 없는 코드예요. 잘못 적었거나, 이미 썼거나, 10분이 지났을 수 있어요. 다른 \
                 기기에서 새 코드를 받아 주세요.",
            ),
            ServerRefusal::AnalysisBudget => (
                "The computer has analysed as much for you as it does in an hour. Try again \
                 later; the board works without it.",
                "컴퓨터가 한 시간 동안 해 드릴 수 있는 만큼 분석했어요. 나중에 다시 해 주세요. \
                 보드는 그대로 쓸 수 있어요.",
            ),
            ServerRefusal::NotNearby => (
                "The local network cannot be let in from here: only from the server's own \
                 machine, when that has a network. Or start the server with `hansu serve --lan`.",
                "여기서는 같은 네트워크에 열 수 없어요. 서버를 켠 컴퓨터에서, 네트워크에 연결돼 있을 \
                 때만 돼요. `hansu serve --lan` 명령으로 서버를 시작해도 돼요.",
            ),
            ServerRefusal::NoHint => (
                "There are no hints here. They are for your own games against the computer, while \
                 it is your turn.",
                "여기서는 힌트를 볼 수 없어요. 컴퓨터와 두는 내 게임에서, 내 차례에만 볼 수 있어요.",
            ),
            ServerRefusal::ImportBudget => (
                "As many games as one person may import in an hour have been imported. Try again \
                 later, or ask the person who runs this server to use `hansu games import`.",
                "한 시간에 가져올 수 있는 만큼 모두 가져왔어요. 나중에 다시 하거나, 서버를 맡은 \
                 사람에게 `hansu games import`를 부탁해 주세요.",
            ),
            ServerRefusal::InvitationSpent => (
                "This invitation has already been used: another player has joined the game. Ask \
                 for a new one.",
                "이미 다른 사람이 받은 초대예요. 함께 두려면 새 초대를 부탁해 주세요.",
            ),
            ServerRefusal::InvitationWithdrawn => (
                "This invitation was cancelled by the player who sent it. Ask for a new one.",
                "보낸 사람이 취소한 초대예요. 새 초대를 부탁해 주세요.",
            ),
            ServerRefusal::InvitationExpired => (
                "This invitation has expired. Ask for a new one.",
                "기한이 지난 초대예요. 새 초대를 부탁해 주세요.",
            ),
            ServerRefusal::TooManyInvitations => (
                "You have too many open invitations. Withdraw one, or wait until one is accepted.",
                "열려 있는 초대가 너무 많아요. 하나를 취소하거나, 누군가 받을 때까지 기다려 주세요.",
            ),
            ServerRefusal::NotYourGame => (
                "You have no seat in this game, so you cannot do this. If you play here, use the \
                 browser you joined with.",
                "이 게임에 자리가 없어서 할 수 없어요. 두는 사람이라면 처음 들어온 브라우저로 \
                 열어 주세요.",
            ),
            ServerRefusal::ForeignOrigin => (
                "This request comes from another website and is refused for your safety. Open the \
                 page of this server and try there.",
                "다른 웹사이트에서 보낸 요청이라 안전을 위해 받지 않았어요. 이 서버의 페이지를 \
                 열어서 해 주세요.",
            ),
            ServerRefusal::ForeignHost => (
                "This server is not known by the name in the address. Use its IP address or \
                 localhost; whoever runs it can give it a name with --public-url.",
                "이 서버가 모르는 이름의 주소예요. IP 주소나 localhost로 들어와 주세요. 서버를 \
                 여는 사람은 --public-url로 이름을 정할 수 있어요.",
            ),
            ServerRefusal::NoEvents => (
                "This game comes from a file: there are moves, but nothing to follow or to play. \
                 Look at it in the list of games.",
                "파일에서 가져온 게임이라 수만 있고, 따라가거나 둘 수는 없어요. 게임 목록에서 \
                 봐 주세요.",
            ),
            ServerRefusal::BadName => (
                "This name cannot be used: it needs 1 to 64 characters on one line, all of them \
                 visible. Choose another name.",
                "쓸 수 없는 이름이에요. 이름은 눈에 보이는 글자로 한 줄에 1자에서 64자까지 쓸 수 \
                 있어요. 다른 이름을 골라 주세요.",
            ),
            ServerRefusal::BadRequest => (
                "The server cannot read this request: something in it is missing or wrong. See \
                 /api/openapi.json for what it takes.",
                "서버가 읽을 수 없는 요청이에요. 빠졌거나 잘못된 것이 있어요. 형식은 \
                 /api/openapi.json에 있어요.",
            ),
            ServerRefusal::TooLarge => (
                "This is more than the server takes at once. Make it smaller and send it again.",
                "서버가 한 번에 받을 수 있는 것보다 커요. 줄여서 다시 보내 주세요.",
            ),
            ServerRefusal::NoSeek => (
                "This seek is gone: it was withdrawn, or somebody else was faster. Choose another, \
                 or seek an opponent yourself.",
                "이제 없는 대국 신청이에요. 취소됐거나 다른 사람이 먼저 받았어요. 다른 신청을 \
                 고르거나 직접 상대를 찾아 주세요.",
            ),
            ServerRefusal::OwnSeek => (
                "This is your own seek. Wait until somebody takes it, or start a game for two on \
                 one screen.",
                "자기가 올린 대국 신청이에요. 누군가 받을 때까지 기다리거나, 한 화면에서 둘이 두는 \
                 게임을 시작해 주세요.",
            ),
            ServerRefusal::OwnInvitation => (
                "This is your own invitation. Pass the link on to somebody else, or start a game \
                 for two on one screen.",
                "자기가 보낸 초대예요. 링크를 다른 사람에게 보내거나, 한 화면에서 둘이 두는 게임을 \
                 시작해 주세요.",
            ),
            ServerRefusal::Private => (
                "This game is private and can be watched only with its link. Ask a player for the \
                 link.",
                "비공개 게임이라 링크가 있어야 볼 수 있어요. 두는 사람에게 링크를 부탁해 주세요.",
            ),
            ServerRefusal::NotFound => (
                "There is nothing at this address. Check it, or go to the home page.",
                "이 주소에는 아무것도 없어요. 주소를 확인하거나 첫 페이지로 가 주세요.",
            ),
            ServerRefusal::Unavailable => (
                "The server cannot keep anything at the moment, so nothing was done. Try again in \
                 a little while; nothing that was confirmed is lost.",
                "지금은 서버가 기록할 수 없어서 아무것도 하지 않았어요. 확인된 것은 사라지지 \
                 않았으니 조금 뒤에 다시 해 주세요.",
            ),
            ServerRefusal::ClockInDoubt => (
                "The clocks of this server and of its database have come apart, so it takes no new \
                 games for the moment. Another server over the same database can take them; if it \
                 lasts, look at both clocks.",
                "이 서버와 데이터베이스의 시계가 서로 어긋나서 잠시 새 게임을 받지 않아요. 같은 \
                 데이터베이스를 쓰는 다른 서버에서 해 주세요. 오래 이어지면 두 시계를 확인해 주세요.",
            ),
            ServerRefusal::Unsure => (
                "The connection to the log broke while this was being kept, so it may or may not \
                 have been done. Check the game before you try again.",
                "기록하는 동안 연결이 끊겨서 됐는지 알 수 없어요. 지금 상태를 먼저 확인한 뒤 다시 \
                 해 주세요.",
            ),
            ServerRefusal::TooManyConnections => (
                "There are too many connections at the moment. Close other windows with games, or \
                 try again later.",
                "지금은 연결이 너무 많아요. 게임이 열린 다른 창을 닫거나 나중에 다시 해 주세요.",
            ),
            ServerRefusal::MethodNotAllowed => (
                "This address does not take such a request. See /api/openapi.json for what it \
                 takes.",
                "이 주소에서는 그런 요청을 받지 않아요. 받는 요청은 /api/openapi.json에 있어요.",
            ),
            ServerRefusal::SlowRequest => (
                "The request did not arrive in time. Check your connection and try again.",
                "요청이 제때 도착하지 않았어요. 연결을 확인하고 다시 해 주세요.",
            ),
            ServerRefusal::StillPlayed => (
                "This game is still being played. It can be analysed when it is over.",
                "아직 두고 있는 게임이에요. 끝나면 분석할 수 있어요.",
            ),
        };
        self.pick(en, ko)
    }
}
