//! The English sentences.

use hansu_chess::pgn::{Part, PgnReason};
use hansu_chess::{
    Bitboard, Color, Fault, FenError, GameError, Lost, Outcome, Position, Reason, Refusal, Role,
    SanError, Square,
};

use crate::Lang;
use crate::evasions::Evasions;

pub(crate) const fn role(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

pub(crate) const fn color(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// "the knight on c3"; the bare square if nothing stands there.
fn piece(position: &Position, at: Square) -> String {
    match position.piece_at(at) {
        Some(piece) => format!("the {} on {at}", role(piece.role)),
        None => at.to_string(),
    }
}

/// "the rook on e8 and the knight on f3"
fn pieces(position: &Position, squares: Bitboard) -> String {
    let mut names: Vec<String> = squares.into_iter().map(|at| piece(position, at)).collect();
    match (names.pop(), names.is_empty()) {
        (Some(last), false) => format!("{} and {last}", names.join(", ")),
        (last, _) => last.unwrap_or_default(),
    }
}

const fn moves_of(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            "it steps one square forward, or two from where it started, and captures one square \
             diagonally forward"
        }
        Role::Knight => "it jumps two squares along a rank or file and one to the side",
        Role::Bishop => "it moves along diagonals",
        Role::Rook => "it moves along ranks and files",
        Role::Queen => "it moves along ranks, files and diagonals",
        Role::King => "it steps one square in any direction",
    }
}

pub(crate) fn refusal(refusal: Refusal, position: &Position) -> String {
    let name = |at| piece(position, at);
    let names = |squares| pieces(position, squares);
    let (us, king) = (position.turn(), position.king(position.turn()));
    let sentence = match refusal {
        Refusal::GameOver => match position.outcome() {
            Some(end) => format!("the game is over. {}", outcome(end)),
            None => "the game is over: no more moves can be played.".to_owned(),
        },
        Refusal::NoPiece { at } => format!(
            "there is no piece on {at}. Choose a square where one of {}'s pieces stands.",
            color(us)
        ),
        Refusal::NotYourPiece { at } => {
            format!("{} is {}'s, and it is {}'s turn.", name(at), color(!us), color(us))
        }
        Refusal::SameSquare { at } => {
            format!("{} would stay where it is. Choose another square.", name(at))
        }
        Refusal::OwnPiece { at } => match position.piece_at(at) {
            Some(own) => {
                format!("{at} is taken by your own {}. Choose another square.", role(own.role))
            }
            None => format!("{at} is taken by a piece of your own. Choose another square."),
        },
        Refusal::NotItsMove { role, at } => {
            format!("{} does not move like that: {}.", name(at), moves_of(role))
        }
        Refusal::Blocked { at } => {
            format!("{} stands in the way. Only a knight jumps over other pieces.", name(at))
        }
        Refusal::NothingToCapture { at } => format!(
            "a pawn moves diagonally only to capture, and there is nothing to capture on {at}."
        ),
        Refusal::PawnBlocked { at } if position.board().of_color(us).contains(at) => {
            format!("{} stands in the pawn's way.", name(at))
        }
        Refusal::PawnBlocked { at } => {
            format!("{} stands in the pawn's way. A pawn captures only diagonally.", name(at))
        }
        Refusal::NoDoubleStep { at } => format!(
            "{} can step only one square forward. A pawn steps two squares only from where it \
             started.",
            name(at)
        ),
        Refusal::Pinned { at, by, line: _ } if position.targets(at).is_empty() => format!(
            "{} is pinned by {}: without it {} would be in check.",
            name(at),
            name(by),
            name(king)
        ),
        Refusal::Pinned { at, by, line: _ } => format!(
            "{} is pinned by {}: it may move only along that line, or {} would be in check.",
            name(at),
            name(by),
            name(king)
        ),
        Refusal::LeavesKingInCheck { king, by } => format!(
            "{} is in check from {}, and this move does not help. {}",
            name(king),
            names(by),
            answer(Evasions::from_check(position, king))
        ),
        Refusal::KingAttacked { at, by } => match position.piece_at(at) {
            Some(_) => format!(
                "the king may not capture {}, which is protected by {}.",
                name(at),
                names(by)
            ),
            None => {
                format!("the king may not go to {at}, where it would be attacked by {}.", names(by))
            }
        },
        Refusal::CastlingRightLost { rook, lost } => right_lost(position, rook, lost),
        Refusal::CastlingBlocked { at } => format!(
            "{} stands in the way of castling: the squares that king and rook cross must be empty.",
            name(at)
        ),
        Refusal::CastlingInCheck { king, by } => format!(
            "{} is in check from {}, and a king cannot castle out of check.",
            name(king),
            names(by)
        ),
        Refusal::CastlingThroughAttack { at, by } => format!(
            "{at} is attacked by {}, and a king cannot castle through an attacked square.",
            names(by)
        ),
        Refusal::CastlingIntoAttack { at, by } => format!(
            "castling would put the king on {at}, where it would be attacked by {}.",
            names(by)
        ),
        Refusal::EnPassantExpired { pawn } => format!(
            "en passant is possible only directly after the other pawn's double step, and {} has \
             not just made one.",
            name(pawn)
        ),
        Refusal::EnPassantUncoversCheck { king, by } => format!(
            "taking en passant removes the other pawn as well, and then {} would be in check from \
             {}.",
            name(king),
            names(by)
        ),
        Refusal::PromotionMissing { at } => format!(
            "the pawn is promoted on {at}. Choose what it becomes: queen, rook, bishop or knight."
        ),
        Refusal::PromotionImpossible { at } => format!(
            "there is no such promotion on {at}: only a pawn that reaches the last rank is \
             promoted, and only to a queen, rook, bishop or knight."
        ),
    };
    capitalised(&sentence)
}

const fn answer(answer: Evasions) -> &'static str {
    match answer {
        Evasions::King => "Against a double check only the king can move.",
        Evasions::KingOrCapture => "Move the king or capture the attacker.",
        Evasions::KingCaptureOrBlock => "Move the king, capture the attacker or block its line.",
    }
}

fn right_lost(position: &Position, rook: Square, lost: Lost) -> String {
    let own = Role::Rook.of(position.turn());
    let stands = position.piece_at(rook) == Some(own);
    match lost {
        Lost::Unknown if stands => format!(
            "castling with the rook on {rook} is not allowed: the king or that rook has moved \
             before."
        ),
        Lost::Unknown => format!("there is no rook on {rook} to castle with."),
        Lost::KingMoved => {
            format!("the king has moved before, so it can no longer castle towards {rook}.")
        }
        Lost::RookMoved if stands => {
            format!(
                "the rook on {rook} has moved before, so the king can no longer castle with it."
            )
        }
        Lost::RookMoved => {
            format!("the rook from {rook} has moved, so the king can no longer castle with it.")
        }
        Lost::RookTaken => {
            format!("the rook from {rook} was captured, so the king can no longer castle with it.")
        }
    }
}

/// With a capital letter, unless the sentence starts with a square.
fn capitalised(sentence: &str) -> String {
    let starts_with_square = sentence.get(..2).is_some_and(|two| two.parse::<Square>().is_ok());
    match sentence.chars().next() {
        Some(first) if !starts_with_square => {
            let rest = &sentence[first.len_utf8()..];
            format!("{}{rest}", first.to_ascii_uppercase())
        }
        _ => sentence.to_owned(),
    }
}

pub(crate) const fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Checkmate => "checkmate",
        Reason::Resignation => "resignation",
        Reason::Stalemate => "stalemate",
        Reason::DeadPosition => "dead position",
        Reason::LockedPawns => "locked pawns",
        Reason::FivefoldRepetition => "fivefold repetition",
        Reason::SeventyFiveMoves => "the seventy-five-move rule",
        Reason::ThreefoldRepetition => "threefold repetition",
        Reason::FiftyMoves => "the fifty-move rule",
        Reason::Agreement => "agreement",
    }
}

pub(crate) fn outcome(outcome: Outcome) -> String {
    let why = match outcome.reason {
        Reason::Checkmate
        | Reason::Resignation
        | Reason::Agreement
        | Reason::FivefoldRepetition
        | Reason::ThreefoldRepetition => "",
        Reason::Stalemate => ": no legal move, and no check",
        Reason::DeadPosition => ": neither side has the pieces to give mate",
        Reason::LockedPawns => ": the pawns are locked, and neither side can ever give mate",
        Reason::SeventyFiveMoves => ": 75 moves without a capture or pawn move",
        Reason::FiftyMoves => ": 50 moves without a capture or pawn move",
    };
    let reason = reason(outcome.reason);
    match outcome.winner {
        Some(winner) => format!("{} wins by {reason}{why}.", color(winner)),
        None => format!("Draw by {reason}{why}."),
    }
}

pub(crate) fn fen_error(error: FenError) -> String {
    match error {
        FenError::Board => {
            "Field 1, the board, must be eight ranks of eight squares, from the eighth rank down, \
             with / between them."
        }
        FenError::Turn => "Field 2, the side to move, must be w or b.",
        FenError::Castling => "Field 3, the castling rights, must be - or letters such as KQkq.",
        FenError::EnPassant => "Field 4, the en passant square, must be - or a square such as e3.",
        FenError::Halfmoves => {
            "Field 5, the half-moves since the last capture or pawn move, must be a number from 0 \
             to 65535."
        }
        FenError::Fullmoves => "Field 6, the move number, must be a number from 1 to 65535.",
        FenError::TooLong => "A FEN has at most six fields.",
        FenError::Faults(faults) => return Lang::En.faults(faults),
    }
    .to_owned()
}

pub(crate) fn fault(fault: Fault) -> String {
    match fault {
        Fault::NoKing(side) => format!("{} has no king.", color(side)),
        Fault::ManyKings(side) => format!("{} has more than one king.", color(side)),
        Fault::ManyPieces(side) => format!("{} has more than sixteen pieces.", color(side)),
        Fault::ManyPawns(side) => format!("{} has more than eight pawns.", color(side)),
        Fault::PawnOnEdge => "A pawn stands on the first or last rank.".to_owned(),
        Fault::OpponentInCheck => {
            "The side that has just moved is in check: is it the other side's turn?".to_owned()
        }
        Fault::Castling => "A castling right needs king and rook on their squares.".to_owned(),
        Fault::EnPassant => {
            "The en passant square is not one that a pawn has just passed over.".to_owned()
        }
        Fault::MoveNumber => "Moves are counted from 1.".to_owned(),
    }
}

pub(crate) const fn san_error(error: SanError) -> &'static str {
    match error {
        SanError::Syntax => {
            "This is not written like a move. Moves look like e4, Nf3, exd5, O-O or e8=Q."
        }
        SanError::Illegal => "No legal move is written like this.",
        SanError::Ambiguous => {
            "Several moves could be meant. Add the file or rank it starts from, as in Nbd2."
        }
    }
}

pub(crate) const fn game_error(error: GameError) -> &'static str {
    match error {
        GameError::Over => "The game is over.",
        GameError::NothingToClaim => {
            "There is no draw to claim: that takes the same position three times, or fifty moves \
             without a capture or pawn move."
        }
    }
}

pub(crate) fn pgn_reason(reason: PgnReason) -> String {
    match reason {
        PgnReason::Unexpected(word) => return format!("{word} is not expected here."),
        PgnReason::NotAMove(word) => return format!("{word} is not written like a move."),
        PgnReason::IllegalMove(word) => return format!("{word} is not a legal move."),
        PgnReason::AmbiguousMove(word) => return format!("{word} could mean several moves."),
        PgnReason::Fen(error) => return format!("The FEN tag is wrong. {}", fen_error(error)),
        PgnReason::Read(kind) => return format!("Cannot read on: {kind}."),
        PgnReason::Tag => "A tag must be written as [Name \"value\"].",
        PgnReason::NullMove => "A null move is not a legal move.",
        PgnReason::Variant => "Only standard chess and Chess960 can be read.",
        PgnReason::Nag => "$ must be followed by a number from 0 to 255.",
        PgnReason::TooLong(Part::Token) => "The word is too long.",
        PgnReason::TooLong(Part::Tag) => "The tag is too long.",
        PgnReason::TooLong(Part::Comment) => "The comment is too long.",
        PgnReason::TooLong(Part::Game) => "The game is too long.",
        PgnReason::TooManyTags => "There are too many tags.",
        PgnReason::TooDeep => "The variations are nested too deeply.",
        PgnReason::UnterminatedComment => "The comment does not end.",
        PgnReason::UnterminatedVariation => "A variation does not end.",
        PgnReason::NothingToClose => "There is nothing to close here.",
        PgnReason::NothingToVary => "A variation needs a move before it.",
    }
    .to_owned()
}
