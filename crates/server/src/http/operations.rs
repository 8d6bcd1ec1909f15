//! The operations of the API in both languages: the one list from which its description is made. A
//! test compares it with the routes.

use hansu_protocol as wire;
use utoipa::ToSchema;
use utoipa::openapi::path::HttpMethod::{self, Delete, Get, Post, Put};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};

/// A text in English and in Korean.
pub(crate) type Both = (&'static str, &'static str);

/// The schemas of a document, by name.
pub(crate) type Schemas = Vec<(String, RefOr<Schema>)>;

/// Adds a schema with all that it refers to, and returns a reference to it.
pub(crate) type AddSchema = fn(&mut Schemas) -> Ref;

/// One operation: a method on a path.
pub(crate) struct Operation {
    pub(crate) method: HttpMethod,
    pub(crate) path: &'static str,
    /// Its `operationId`.
    pub(crate) id: &'static str,
    pub(crate) group: Group,
    pub(crate) summary: Both,
    pub(crate) query: &'static [QueryParam],
    pub(crate) takes: RequestBody,
    pub(crate) gives: ResponseBody,
}

/// The sections of the description.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Group {
    Play,
    Log,
    Statistics,
    Rules,
    Server,
}

impl Group {
    pub(crate) const ALL: [Group; 5] =
        [Group::Play, Group::Log, Group::Statistics, Group::Rules, Group::Server];

    pub(crate) const fn title(self) -> Both {
        match self {
            Group::Play => ("Playing", "두기"),
            Group::Log => ("Games", "게임 기록"),
            Group::Statistics => ("Statistics", "통계"),
            Group::Rules => ("Rules", "규칙"),
            Group::Server => ("Server", "서버"),
        }
    }
}

/// A parameter of the query: name, kind, description.
pub(crate) struct QueryParam(pub(crate) &'static str, pub(crate) Kind, pub(crate) Both);

/// The values that a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Text,
    Number,
    OneOf(&'static [&'static str]),
}

/// The body of a request.
#[derive(Clone, Copy)]
pub(crate) enum RequestBody {
    Nothing,
    Json(AddSchema),
    Pgn,
}

/// The body of an answer.
#[derive(Clone, Copy)]
pub(crate) enum ResponseBody {
    Json(u16, AddSchema),
    Nothing,
    Text(&'static str),
    /// A websocket with messages of this schema.
    Socket(AddSchema),
    /// Lines of JSON with messages of this schema.
    Lines(AddSchema),
    /// The OpenAPI document itself.
    Document,
}

fn shape<T: ToSchema>(schemas: &mut Schemas) -> Ref {
    if !schemas.iter().any(|(name, _)| *name == T::name()) {
        schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(schemas);
    }
    Ref::from_schema_name(T::name())
}

/// The parameters of paths, with their descriptions.
pub(crate) const PARTS: [(&str, Both); 6] = [
    (
        "code",
        (
            "What the other device shows: twelve letters and digits.",
            "다른 기기에 나온 코드. 글자와 숫자 열두 개예요.",
        ),
    ),
    (
        "id",
        ("The name of the game: twelve letters and digits.", "게임 이름. 글자와 숫자 열두 개예요."),
    ),
    (
        "token",
        ("What stands behind `/join/` in the link.", "링크에서 `/join/` 뒤에 오는 것이에요."),
    ),
    ("name", ("A player's name; capitals do not matter.", "이름. 대소문자는 가리지 않아요.")),
    ("other", ("The opponent's name.", "상대의 이름.")),
    ("tag", ("A word, at most 100 bytes.", "낱말. 100바이트까지.")),
];

const RESULTS: &[&str] = &["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw", "open"];
const FEN: QueryParam = QueryParam(
    "fen",
    Kind::Text,
    ("The position; without one, the start of a game.", "국면. 없으면 처음 국면이에요."),
);
const VARIANT: QueryParam = QueryParam(
    "variant",
    Kind::OneOf(&["standard", "chess960"]),
    ("The rules of castling and of the start.", "캐슬링과 시작 배치의 규칙."),
);

/// The filters of a list of games.
const SEARCH: &[QueryParam] = &[
    QueryParam(
        "player",
        Kind::Text,
        ("This player, with either colour.", "이 사람의 게임. 색은 상관없어요."),
    ),
    QueryParam("white", Kind::Text, ("This player with White.", "이 사람이 백인 게임.")),
    QueryParam("black", Kind::Text, ("This player with Black.", "이 사람이 흑인 게임.")),
    QueryParam("result", Kind::OneOf(RESULTS), ("The result.", "결과.")),
    QueryParam(
        "reason",
        Kind::Text,
        ("Why it ended: `checkmate`, `timeout`, …", "끝난 까닭: `checkmate`, `timeout`, …"),
    ),
    QueryParam(
        "since",
        Kind::Text,
        (
            "Begun on this day or later: `2026-11-15`, `2026-11`, `2026`.",
            "이날부터 시작한 게임: `2026-11-15`, `2026-11`, `2026`.",
        ),
    ),
    QueryParam("until", Kind::Text, ("Begun on this day or earlier.", "이날까지 시작한 게임.")),
    QueryParam(
        "opening",
        Kind::Text,
        (
            "An ECO code, its beginning, or a part of the name.",
            "ECO 코드나 그 앞부분, 또는 이름의 일부.",
        ),
    ),
    QueryParam(
        "shortest",
        Kind::Number,
        ("At least so many plies.", "적어도 이만큼 둔 게임(양쪽 수를 함께 세요)."),
    ),
    QueryParam("longest", Kind::Number, ("At most so many plies.", "많아야 이만큼 둔 게임.")),
    QueryParam(
        "source",
        Kind::OneOf(&["terminal", "local", "online", "computer", "import"]),
        ("Where it was played.", "어디에서 둔 게임인지."),
    ),
    QueryParam(
        "status",
        Kind::OneOf(&["live", "finished", "aborted", "adjourned"]),
        ("How it stands.", "지금 어떤지."),
    ),
    QueryParam("tag", Kind::Text, ("With this word on it.", "이 낱말이 붙은 게임.")),
    QueryParam(
        "text",
        Kind::Text,
        (
            "With this text in a name, the occasion, the opening, a tag or the note.",
            "이름, 대회, 오프닝, 낱말, 메모에 이 글이 있는 게임.",
        ),
    ),
    QueryParam(
        "mine",
        Kind::OneOf(&["true", "false"]),
        (
            "One's own games, private ones too; else public ones.",
            "자기 게임만. 비공개 게임도 나와요. 아니면 공개 게임만 나와요.",
        ),
    ),
    QueryParam("order", Kind::OneOf(&["newest", "oldest"]), ("Which way.", "차례.")),
    QueryParam(
        "limit",
        Kind::Number,
        ("At most so many: 1 to 200, usually 50.", "많아야 이만큼: 1에서 200까지, 보통 50."),
    ),
    QueryParam("after", Kind::Text, ("The `next` of the page before.", "앞쪽의 `next`.")),
];

/// An operation without query and body.
const fn op(
    method: HttpMethod,
    path: &'static str,
    id: &'static str,
    group: Group,
    summary: Both,
    gives: ResponseBody,
) -> Operation {
    Operation { method, path, id, group, summary, query: &[], takes: RequestBody::Nothing, gives }
}

const PAGE: &str = "text/html; charset=utf-8";
const PLAIN: &str = "text/plain; charset=utf-8";

/// All operations of the API.
#[rustfmt::skip]
pub(crate) const ALL: [Operation; 43] = [
    Operation { takes: RequestBody::Json(shape::<wire::NewGame>), ..op(Post, "/api/games", "create_game", Group::Play,
        ("Makes a game: with a friend, who gets a link, or for two on one screen.", "게임을 만들어요. 친구에게 링크를 보내거나, 한 화면에서 둘이 둬요."),
        ResponseBody::Json(201, shape::<wire::Made>)) },
    op(Get, "/api/invitations/{token}", "invitation", Group::Play,
        ("Who invites to what.", "누가 어떤 게임에 초대했는지."), ResponseBody::Json(200, shape::<wire::Invited>)),
    Operation { takes: RequestBody::Json(shape::<wire::Guest>), ..op(Post, "/api/invitations/{token}", "join", Group::Play,
        ("Takes an invitation up: the game begins. It can be used once.", "초대를 받아들여 게임을 시작해요. 한 번만 쓸 수 있어요."),
        ResponseBody::Json(201, shape::<wire::Made>)) },
    op(Get, "/api/games/{id}/socket", "game_socket", Group::Play,
        ("The websocket of a game; docs/protocol.md tells what is said there.", "게임의 웹소켓. 오가는 말은 docs/protocol.md에 있어요."),
        ResponseBody::Socket(shape::<wire::ServerMessage>)),
    Operation { query: &[QueryParam("seq", Kind::Number, ("The last event one has.", "이미 받은 마지막 사건의 번호."))],
        ..op(Get, "/api/games/{id}/stream", "game_stream", Group::Play,
        ("The same as lines of JSON, for scripts and bots. It ends when the server stops.", "같은 것을 한 줄에 하나씩 JSON으로. 스크립트와 봇이 쓰기 좋아요. 서버가 멈추면 끝나요."),
        ResponseBody::Lines(shape::<wire::ServerMessage>)) },
    Operation { takes: RequestBody::Json(shape::<wire::Posted>), ..op(Post, "/api/games/{id}/commands", "command", Group::Play,
        ("Does something in a game: a move, an offer, a resignation, … It is kept when this answers.", "게임에서 무언가를 해요. 수, 제안, 기권 등. 답이 오면 기록된 거예요."),
        ResponseBody::Json(200, shape::<wire::Done>)) },
    op(Get, "/api/games/{id}/state", "game_state", Group::Play,
        ("A game as it stands, with the board after every move.", "지금까지의 게임 전체. 수마다 보드가 있어요."), ResponseBody::Json(200, shape::<wire::Snapshot>)),
    Operation { takes: RequestBody::Json(shape::<wire::AskedHint>), ..op(Post, "/api/games/{id}/hint", "hint", Group::Play,
        ("Help in one's own game against the computer, while one is to move: what to play, what is threatened, whether a move is a blunder. There is none in games between people.", "컴퓨터와 두는 내 게임에서, 내 차례에 받는 도움. 둘 만한 수, 상대의 위협, 큰 실수인지. 사람끼리 두는 게임에서는 받을 수 없어요."),
        ResponseBody::Json(200, shape::<wire::Hint>)) },
    op(Get, "/api/lobby", "lobby", Group::Play,
        ("Who looks for an opponent, and public games under way.", "상대를 찾는 사람과 지금 두고 있는 공개 게임."), ResponseBody::Json(200, shape::<wire::LobbyNews>)),
    op(Get, "/api/lobby/socket", "lobby_socket", Group::Play,
        ("The websocket of the lobby: seeks, pairing, news.", "대기실의 웹소켓. 상대 찾기와 소식."), ResponseBody::Socket(shape::<wire::LobbyNews>)),
    Operation { takes: RequestBody::Json(shape::<wire::Played>), ..op(Put, "/api/games/{id}/entries", "keep_game", Group::Log,
        ("Keeps a game that two played in a browser without the server, under the name that it has there; it is private, and kept once however often it is brought.", "서버 없이 브라우저에서 둔 게임을 서버에도 저장해요. 비공개이고, 여러 번 보내도 한 번만 저장돼요."),
        ResponseBody::Json(200, shape::<wire::Done>)) },
    op(Post, "/api/keys", "make_key", Group::Play,
        ("Makes a key for a terminal or a bot, to be sent as `Authorization: Bearer`. It is shown once.", "터미널이나 봇이 쓸 열쇠를 만들어요. `Authorization: Bearer`로 보내요. 한 번만 보여 줘요."),
        ResponseBody::Json(201, shape::<wire::NewKey>)),
    Operation { takes: RequestBody::Json(shape::<wire::Renewal>), ..op(Post, "/api/keys/renew", "renew_key", Group::Play,
        ("Signs out everywhere, in two steps: the first request gives a new key (`again`), the one that brings it hands over all that belongs to the old one and may be sent again. A browser has both keys as cookies.", "모든 기기에서 로그아웃해요. 첫 요청은 새 열쇠를 주고(`again`), 그 열쇠와 함께 보낸 두 번째 요청이 예전 열쇠의 게임을 모두 옮겨요. 두 번째 요청은 여러 번 보내도 괜찮아요. 브라우저는 두 열쇠를 쿠키로 가져요."),
        ResponseBody::Json(200, shape::<wire::GivenKey>)) },
    op(Post, "/api/passes", "make_pass", Group::Play,
        ("Makes a code with which one more device gets the same key: for ten minutes, once.", "다른 기기에서 같은 열쇠를 받을 코드를 만들어요. 10분 동안 한 번만 쓸 수 있어요."),
        ResponseBody::Json(201, shape::<wire::NewPass>)),
    op(Post, "/api/passes/{code}", "use_pass", Group::Play,
        ("Uses up a code: this device is the same player from now on. A browser gets the key as a cookie.", "코드를 써요. 이 기기도 같은 사람으로 이어져요. 브라우저는 열쇠를 쿠키로 받아요."),
        ResponseBody::Json(200, shape::<wire::GivenKey>)),
    op(Get, "/api/me", "me", Group::Play,
        ("Who one is here; a browser without a key gets one as a cookie.", "내가 누구인지. 열쇠가 없는 브라우저는 쿠키로 받아요."), ResponseBody::Json(200, shape::<wire::Me>)),

    Operation { query: SEARCH, ..op(Get, "/api/games", "games", Group::Log,
        ("Games, a page at a time: public ones, or with `mine=true` one's own.", "게임 목록. 공개 게임이 나오고, `mine=true`면 자기 게임이 나와요."),
        ResponseBody::Json(200, shape::<wire::GameList>)) },
    op(Get, "/api/games/{id}", "game", Group::Log,
        ("One game: its row in the log, whether it is being played, and one's seat.", "게임 하나. 기록, 지금 두고 있는지, 내 자리."), ResponseBody::Json(200, shape::<wire::Game>)),
    op(Delete, "/api/games/{id}", "delete_game", Group::Log,
        ("Deletes a game that one has brought in a file.", "파일로 가져온 자기 게임을 지워요."), ResponseBody::Nothing),
    op(Get, "/api/games/{id}/pgn", "game_pgn", Group::Log,
        ("A game as PGN.", "게임을 PGN으로."), ResponseBody::Text("application/vnd.chess-pgn; charset=utf-8")),
    op(Get, "/api/games/{id}/record", "game_record", Group::Log,
        ("The record of a game as the terminal game writes it.", "터미널 게임이 쓰는 꼴의 기보."), ResponseBody::Text(PLAIN)),
    op(Get, "/api/games/{id}/analysis", "analysis", Group::Log,
        ("What the computer found in a game that is over, or how far it is.", "끝난 게임에서 컴퓨터가 찾은 것. 아직이면 얼마나 했는지."), ResponseBody::Json(200, shape::<wire::AnalysisState>)),
    op(Post, "/api/games/{id}/analysis", "analyse", Group::Log,
        ("Asks the computer to analyse a game that is over; it goes on when the asker leaves.", "끝난 게임을 분석해 달라고 해요. 기다리지 않아도 계속해요."), ResponseBody::Json(200, shape::<wire::AnalysisState>)),
    op(Put, "/api/games/{id}/tags/{tag}", "tag", Group::Log,
        ("Puts a word on a game that one has played or brought; only oneself sees it.", "자기가 두었거나 가져온 게임에 낱말을 붙여요. 자기에게만 보여요."), ResponseBody::Nothing),
    op(Delete, "/api/games/{id}/tags/{tag}", "untag", Group::Log,
        ("Takes a word off a game that one has played.", "자기가 둔 게임에서 낱말을 떼요."), ResponseBody::Nothing),
    Operation { takes: RequestBody::Json(shape::<wire::Note>), ..op(Put, "/api/games/{id}/note", "note", Group::Log,
        ("Writes a note about a game that one has played or brought; only oneself sees it. An empty one takes it away.", "자기가 두었거나 가져온 게임에 메모를 남겨요. 자기에게만 보이고, 빈 메모는 지워요."), ResponseBody::Nothing) },
    op(Get, "/api/tags", "tags", Group::Log,
        ("All words that one has put on games.", "내가 게임에 붙인 모든 낱말."), ResponseBody::Json(200, shape::<wire::TagList>)),
    Operation { takes: RequestBody::Pgn,
        query: &[QueryParam("visibility", Kind::OneOf(&["private", "public"]), ("Who may find them; private if nothing is said.", "누가 찾을 수 있는지. 말하지 않으면 비공개."))],
        ..op(Post, "/api/import", "import", Group::Log,
        ("Takes the games of a PGN file into the log: at most 4 MiB, and 20,000 games an hour. Needs a key: the games belong to who brings them. Games that are there are recognised.", "PGN 파일의 게임을 기록에 넣어요. 4 MiB, 한 시간에 20,000게임까지. 열쇠가 필요하고, 게임은 가져온 사람의 것이 돼요. 이미 있는 게임은 알아봐요."),
        ResponseBody::Json(200, shape::<wire::Imported>)) },

    op(Get, "/api/statistics", "statistics", Group::Statistics,
        ("Results of public games and one's own: in all, by reason, month, opening and source.", "공개 게임과 내 게임의 결과. 전체와 까닭, 달, 오프닝, 곳에 따라."), ResponseBody::Json(200, shape::<wire::Statistics>)),
    Operation { query: &[QueryParam("limit", Kind::Number, ("At most so many: 1 to 1000, usually 50.", "많아야 이만큼: 1에서 1000까지, 보통 50."))],
        ..op(Get, "/api/players", "players", Group::Statistics,
        ("The players with the most games.", "가장 많이 둔 사람들."), ResponseBody::Json(200, shape::<wire::PlayerList>)) },
    op(Get, "/api/players/{name}", "player", Group::Statistics,
        ("All about one player: results, runs, opponents.", "한 사람의 모든 것. 결과, 연승, 상대."), ResponseBody::Json(200, shape::<wire::PlayerPage>)),
    op(Get, "/api/me/statistics", "my_statistics", Group::Statistics,
        ("The results of the key that asks, under whatever names it has played: games in which it had one of the colours, the newest 20,000.", "이 열쇠로 둔 게임의 결과. 이름은 무엇이든 상관없어요. 한쪽 색으로 둔 게임만, 최근 20,000게임까지 세요."), ResponseBody::Json(200, shape::<wire::PlayerPage>)),
    op(Get, "/api/players/{name}/against/{other}", "against", Group::Statistics,
        ("Two players' games against each other.", "두 사람의 맞대결."), ResponseBody::Json(200, shape::<wire::HeadToHead>)),

    Operation { query: &[FEN, VARIANT], ..op(Get, "/api/moves", "moves", Group::Rules,
        ("The legal moves of any position.", "어떤 국면에서든 둘 수 있는 수."), ResponseBody::Json(200, shape::<wire::LegalMoves>)) },
    Operation { query: &[FEN, VARIANT, QueryParam("move", Kind::Text, ("As UCI writes it: `e2e4`, `e7e8q`.", "UCI가 쓰는 대로: `e2e4`, `e7e8q`."))],
        ..op(Get, "/api/why", "why", Group::Rules,
        ("Whether a move is legal and, if not, why, with the squares that prove it.", "둘 수 있는 수인지, 아니면 왜 안 되는지. 까닭이 되는 칸도 알려 줘요."), ResponseBody::Json(200, shape::<wire::Why>)) },

    Operation { takes: RequestBody::Json(shape::<wire::AskedLines>), ..op(Post, "/api/analyse", "lines", Group::Rules,
        ("The computer's best lines in any position, as lines of JSON while they are found: by default 3 lines and 400,000 nodes, at most 5 and 1,000,000. Whoever leaves ends the search.", "어떤 국면에서든 컴퓨터가 찾은 가장 좋은 수순. 찾는 대로 한 줄에 하나씩 JSON으로 와요. 보통 3개와 40만 노드, 많아야 5개와 100만 노드. 연결을 끊으면 그만둬요."),
        ResponseBody::Lines(shape::<wire::LinesNews>)) },

    op(Get, "/api", "manual", Group::Server, ("This page.", "이 페이지."), ResponseBody::Text(PAGE)),
    op(Get, "/api/style.css", "style", Group::Server, ("How this page looks.", "이 페이지의 모양."), ResponseBody::Text("text/css; charset=utf-8")),
    op(Get, "/api/openapi.json", "openapi", Group::Server, ("This page for programs.", "프로그램이 읽는 이 페이지."), ResponseBody::Document),
    op(Post, "/api/nearby", "open_nearby", Group::Server,
        ("Lets the local network in, on a server that is open to its own machine alone; only from that machine. Gives the address for others.", "이 컴퓨터에만 열린 서버를 같은 네트워크에도 열어요. 이 컴퓨터에서만 할 수 있고, 다른 기기가 쓸 주소를 줘요."),
        ResponseBody::Json(200, shape::<wire::Nearby>)),
    op(Get, "/healthz", "alive", Group::Server, ("The server answers.", "서버가 대답해요."), ResponseBody::Text(PLAIN)),
    op(Get, "/readyz", "ready", Group::Server, ("A game could be kept: something was just written to the disk.", "게임을 기록할 수 있어요. 방금 디스크에 써 봤어요."), ResponseBody::Text(PLAIN)),
    op(Get, "/metrics", "metrics", Group::Server, ("Figures for Prometheus; for this machine alone.", "프로메테우스가 읽는 수치. 이 컴퓨터에서만 볼 수 있어요."), ResponseBody::Text(PLAIN)),
];
