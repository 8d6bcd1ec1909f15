//! The Korean sentences, in 해요체.

use hansu_chess::pgn::{Part, PgnReason};
use hansu_chess::{
    Bitboard, Color, Fault, FenError, GameError, Lost, Outcome, Position, Reason, Refusal, Role,
    SanError, Square,
};

use crate::evasions::Evasions;
use crate::{Lang, Particle};

pub(crate) const fn role(role: Role) -> &'static str {
    match role {
        Role::Pawn => "폰",
        Role::Knight => "나이트",
        Role::Bishop => "비숍",
        Role::Rook => "룩",
        Role::Queen => "퀸",
        Role::King => "킹",
    }
}

pub(crate) const fn color(color: Color) -> &'static str {
    match color {
        Color::White => "백",
        Color::Black => "흑",
    }
}

fn topic(word: impl AsRef<str>) -> String {
    Particle::Topic.after(word.as_ref())
}

fn subject(word: impl AsRef<str>) -> String {
    Particle::Subject.after(word.as_ref())
}

fn object(word: impl AsRef<str>) -> String {
    Particle::Object.after(word.as_ref())
}

/// "나이트(c3)"; the bare square if nothing stands there.
fn piece(position: &Position, at: Square) -> String {
    match position.piece_at(at) {
        Some(piece) => format!("{}({at})", role(piece.role)),
        None => at.to_string(),
    }
}

/// "룩(e8)과 나이트(f3)"
fn pieces(position: &Position, squares: Bitboard) -> String {
    let mut names: Vec<String> = squares.into_iter().map(|at| piece(position, at)).collect();
    match (names.pop(), names.is_empty()) {
        (Some(last), false) => format!("{} {last}", Particle::And.after(&names.join(", "))),
        (last, _) => last.unwrap_or_default(),
    }
}

const fn moves_of(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            "폰은 앞으로 한 칸(처음 자리에서는 두 칸까지) 가고, 대각선 앞 한 칸만 잡아요."
        }
        Role::Knight => "나이트는 가로나 세로로 두 칸, 거기서 옆으로 한 칸 뛰어요.",
        Role::Bishop => "비숍은 대각선으로 움직여요.",
        Role::Rook => "룩은 가로와 세로로 움직여요.",
        Role::Queen => "퀸은 가로, 세로, 대각선으로 움직여요.",
        Role::King => "킹은 어느 쪽으로든 한 칸씩 움직여요.",
    }
}

pub(crate) fn refusal(refusal: Refusal, position: &Position) -> String {
    let name = |at| piece(position, at);
    let names = |squares| pieces(position, squares);
    let (us, king) = (position.turn(), position.king(position.turn()));
    match refusal {
        Refusal::GameOver => match position.outcome() {
            Some(end) => format!("게임이 끝났어요. {}", outcome(end)),
            None => "게임이 끝나서 더 둘 수 없어요.".to_owned(),
        },
        Refusal::NoPiece { at } => {
            format!("{at}에는 기물이 없어요. {} 기물이 있는 칸을 골라 주세요.", color(us))
        }
        Refusal::NotYourPiece { at } => format!(
            "{} {}의 기물이에요. 지금은 {} 차례예요.",
            topic(name(at)),
            color(!us),
            color(us)
        ),
        Refusal::SameSquare { at } => {
            format!("{} 제자리에 그대로 있게 돼요. 다른 칸을 골라 주세요.", subject(name(at)))
        }
        Refusal::OwnPiece { at } => {
            let own = position.piece_at(at).map_or("기물", |own| role(own.role));
            format!("{at}에 자기 {} 있어요. 다른 칸을 골라 주세요.", subject(own))
        }
        Refusal::NotItsMove { role, at } => {
            format!("{} 그렇게 움직이지 않아요. {}", topic(name(at)), moves_of(role))
        }
        Refusal::Blocked { at } => format!(
            "{} 길을 막고 있어요. 다른 기물을 뛰어넘는 기물은 나이트뿐이에요.",
            subject(name(at))
        ),
        Refusal::NothingToCapture { at } => {
            format!("폰은 기물을 잡을 때만 대각선으로 가는데, {at}에는 잡을 기물이 없어요.")
        }
        Refusal::PawnBlocked { at } if position.board().of_color(us).contains(at) => {
            format!("{} 폰의 앞을 막고 있어요.", subject(name(at)))
        }
        Refusal::PawnBlocked { at } => format!(
            "{} 폰의 앞을 막고 있어요. 폰은 대각선으로만 잡을 수 있어요.",
            subject(name(at))
        ),
        Refusal::NoDoubleStep { at } => format!(
            "{} 한 칸만 앞으로 갈 수 있어요. 두 칸 전진은 처음 자리에서만 할 수 있어요.",
            topic(name(at))
        ),
        Refusal::Pinned { at, by, line: _ } if position.targets(at).is_empty() => format!(
            "{} {}에 묶여 있어 움직일 수 없어요. 비키면 {} 체크를 받아요.",
            topic(name(at)),
            name(by),
            subject(name(king))
        ),
        Refusal::Pinned { at, by, line: _ } => format!(
            "{} {}에 묶여 있어 그 줄을 벗어날 수 없어요. 벗어나면 {} 체크를 받아요.",
            topic(name(at)),
            name(by),
            subject(name(king))
        ),
        Refusal::LeavesKingInCheck { king, by } => format!(
            "{} {}에 체크를 받고 있는데, 이 수로는 벗어나지 못해요. {}",
            subject(name(king)),
            names(by),
            answer(Evasions::from_check(position, king))
        ),
        Refusal::KingAttacked { at, by } => match position.piece_at(at) {
            Some(_) => format!(
                "{} 지키고 있어서 킹으로 {} 잡을 수 없어요.",
                subject(names(by)),
                object(name(at))
            ),
            None => format!("{at}에 가면 {} 공격하게 되어 킹이 갈 수 없어요.", subject(names(by))),
        },
        Refusal::CastlingRightLost { rook, lost } => right_lost(position, rook, lost),
        Refusal::CastlingBlocked { at } => format!(
            "{} 막고 있어서 캐슬링할 수 없어요. 킹과 룩이 지나는 칸은 비어 있어야 해요.",
            subject(name(at))
        ),
        Refusal::CastlingInCheck { king, by } => format!(
            "{} {}에 체크를 받고 있어요. 체크를 받는 동안에는 캐슬링할 수 없어요.",
            subject(name(king)),
            names(by)
        ),
        Refusal::CastlingThroughAttack { at, by } => format!(
            "킹이 지나갈 {} {} 공격하고 있어서 캐슬링할 수 없어요.",
            object(at.to_string()),
            subject(names(by))
        ),
        Refusal::CastlingIntoAttack { at, by } => format!(
            "캐슬링하면 킹이 갈 {} {} 공격하게 되어 캐슬링할 수 없어요.",
            object(at.to_string()),
            subject(names(by))
        ),
        Refusal::EnPassantExpired { pawn } => format!(
            "앙파상은 상대 폰이 두 칸 전진한 바로 다음 수에만 할 수 있는데, {} 방금 두 칸 \
             전진하지 않았어요.",
            topic(name(pawn))
        ),
        Refusal::EnPassantUncoversCheck { king, by } => format!(
            "앙파상으로 상대 폰까지 사라지면 {} {}에 체크를 받아요.",
            subject(name(king)),
            names(by)
        ),
        Refusal::PromotionMissing { at } => {
            format!("폰이 {at}에서 승급해요. 퀸, 룩, 비숍, 나이트 중 하나를 골라 주세요.")
        }
        Refusal::PromotionImpossible { at } => format!(
            "{at}에서는 그렇게 승급할 수 없어요. 끝 줄에 닿은 폰만 퀸, 룩, 비숍, 나이트 중 하나로 \
             승급해요."
        ),
    }
}

const fn answer(answer: Evasions) -> &'static str {
    match answer {
        Evasions::King => "더블 체크에서는 킹만 움직일 수 있어요.",
        Evasions::KingOrCapture => "킹을 옮기거나 체크한 기물을 잡아야 해요.",
        Evasions::KingCaptureOrBlock => "킹을 옮기거나, 체크한 기물을 잡거나, 사이를 막아야 해요.",
    }
}

fn right_lost(position: &Position, rook: Square, lost: Lost) -> String {
    let own = Role::Rook.of(position.turn());
    let stands = position.piece_at(rook) == Some(own);
    match lost {
        Lost::Unknown if stands => {
            format!("룩({rook})과는 캐슬링할 수 없어요. 킹이나 그 룩이 이미 움직였어요.")
        }
        Lost::Unknown => format!("{rook}에 캐슬링할 룩이 없어요."),
        Lost::KingMoved => {
            format!("킹이 이미 움직여서 {rook} 쪽으로 캐슬링할 수 없어요.")
        }
        Lost::RookMoved if stands => {
            format!("룩({rook})이 이미 움직였던 적이 있어서 캐슬링할 수 없어요.")
        }
        Lost::RookMoved => {
            format!("{rook}에 있던 룩이 이미 움직여서 그쪽으로 캐슬링할 수 없어요.")
        }
        Lost::RookTaken => {
            format!("{rook}에 있던 룩이 잡혀서 그쪽으로 캐슬링할 수 없어요.")
        }
    }
}

pub(crate) const fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Checkmate => "체크메이트",
        Reason::Resignation => "기권",
        Reason::Stalemate => "스테일메이트",
        Reason::DeadPosition => "기물 부족",
        Reason::LockedPawns => "막힌 폰",
        Reason::FivefoldRepetition => "5회 동형 반복",
        Reason::SeventyFiveMoves => "75수 규칙",
        Reason::ThreefoldRepetition => "3회 동형 반복",
        Reason::FiftyMoves => "50수 규칙",
        Reason::Agreement => "합의",
    }
}

pub(crate) fn outcome(outcome: Outcome) -> String {
    let why = match outcome.reason {
        Reason::Checkmate
        | Reason::Resignation
        | Reason::Agreement
        | Reason::FivefoldRepetition
        | Reason::ThreefoldRepetition => "",
        Reason::Stalemate => " 체크는 아니지만 둘 수 있는 수가 없어요.",
        Reason::DeadPosition => " 어느 쪽도 체크메이트할 기물이 없어요.",
        Reason::LockedPawns => " 폰이 모두 막혀 어느 쪽도 체크메이트할 수 없어요.",
        Reason::SeventyFiveMoves | Reason::FiftyMoves => {
            " 그동안 기물을 잡지도 폰을 움직이지도 않았어요."
        }
    };
    let reason = Particle::Toward.after(reason(outcome.reason));
    match outcome.winner {
        Some(winner) => format!("{reason} {} 이겼어요.{why}", subject(color(winner))),
        None => format!("{reason} 비겼어요.{why}"),
    }
}

pub(crate) fn fen_error(error: FenError) -> String {
    match error {
        FenError::Board => {
            "1번 항목(판)은 8랭크부터 여덟 줄, 줄마다 여덟 칸을 /로 나누어 써야 해요."
        }
        FenError::Turn => "2번 항목(차례)은 w나 b여야 해요.",
        FenError::Castling => "3번 항목(캐슬링 권리)은 -이거나 KQkq 같은 글자여야 해요.",
        FenError::EnPassant => "4번 항목(앙파상 칸)은 -이거나 e3 같은 칸이어야 해요.",
        FenError::Halfmoves => {
            "5번 항목(마지막으로 잡거나 폰을 움직인 뒤의 반수)은 0~65535의 수여야 해요."
        }
        FenError::Fullmoves => "6번 항목(수 번호)은 1~65535의 수여야 해요.",
        FenError::TooLong => "FEN의 항목은 여섯 개까지예요.",
        FenError::Faults(faults) => return Lang::Ko.faults(faults),
    }
    .to_owned()
}

pub(crate) fn fault(fault: Fault) -> String {
    match fault {
        Fault::NoKing(side) => format!("{} 킹이 없어요.", color(side)),
        Fault::ManyKings(side) => format!("{} 킹이 둘 이상이에요.", color(side)),
        Fault::ManyPieces(side) => format!("{} 기물이 16개보다 많아요.", color(side)),
        Fault::ManyPawns(side) => format!("{} 폰이 8개보다 많아요.", color(side)),
        Fault::PawnOnEdge => "맨 앞줄이나 맨 뒷줄에 폰이 있어요.".to_owned(),
        Fault::OpponentInCheck => {
            "방금 둔 쪽이 체크를 받고 있어요. 차례가 바뀐 것은 아닌가요?".to_owned()
        }
        Fault::Castling => "캐슬링하려면 킹과 룩이 제자리에 있어야 해요.".to_owned(),
        Fault::EnPassant => "앙파상 칸을 방금 지나간 폰이 없어요.".to_owned(),
        Fault::MoveNumber => "수 번호는 1부터 시작해요.".to_owned(),
    }
}

pub(crate) const fn san_error(error: SanError) -> &'static str {
    match error {
        SanError::Syntax => "기보 형식이 아니에요. 수는 e4, Nf3, exd5, O-O, e8=Q처럼 써요.",
        SanError::Illegal => "그렇게 적는 수 가운데 둘 수 있는 수가 없어요.",
        SanError::Ambiguous => {
            "여러 수로 읽을 수 있어요. Nbd2처럼 출발한 파일이나 랭크를 덧붙여 주세요."
        }
    }
}

pub(crate) const fn game_error(error: GameError) -> &'static str {
    match error {
        GameError::Over => "게임이 이미 끝났어요.",
        GameError::NothingToClaim => {
            "지금은 무승부를 선언할 수 없어요. 같은 국면이 세 번 나오거나, 50수 동안 잡은 기물과 \
             폰의 움직임이 없어야 해요."
        }
    }
}

pub(crate) fn pgn_reason(reason: PgnReason) -> String {
    match reason {
        PgnReason::Unexpected(word) => return format!("여기에 올 수 없는 글이에요: {word}"),
        PgnReason::NotAMove(word) => return format!("수를 적는 형식이 아니에요: {word}"),
        PgnReason::IllegalMove(word) => return format!("둘 수 없는 수예요: {word}"),
        PgnReason::AmbiguousMove(word) => return format!("여러 수로 읽을 수 있어요: {word}"),
        PgnReason::Fen(error) => return format!("FEN 태그가 잘못됐어요. {}", fen_error(error)),
        PgnReason::Read(kind) => return format!("더 읽을 수 없어요: {kind}"),
        PgnReason::Tag => "태그는 [이름 \"값\"] 형식으로 써야 해요.",
        PgnReason::NullMove => "두지 않고 넘기는 수는 체스 규칙에 없어요.",
        PgnReason::Variant => "보통 체스와 체스960만 읽을 수 있어요.",
        PgnReason::Nag => "$ 뒤에는 0~255의 수가 와야 해요.",
        PgnReason::TooLong(Part::Token) => "낱말이 너무 길어요.",
        PgnReason::TooLong(Part::Tag) => "태그가 너무 길어요.",
        PgnReason::TooLong(Part::Comment) => "주석이 너무 길어요.",
        PgnReason::TooLong(Part::Game) => "게임이 너무 길어요.",
        PgnReason::TooManyTags => "태그가 너무 많아요.",
        PgnReason::TooDeep => "변화가 너무 깊이 겹쳐 있어요.",
        PgnReason::UnterminatedComment => "주석이 끝나지 않았어요.",
        PgnReason::UnterminatedVariation => "변화가 끝나지 않았어요.",
        PgnReason::NothingToClose => "여기에는 닫을 것이 없어요.",
        PgnReason::NothingToVary => "변화 앞에는 수가 있어야 해요.",
    }
    .to_owned()
}
