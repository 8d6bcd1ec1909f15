//! Refusals as messages: a code, the squares that prove it and a sentence.

use hansu_chess::{Bitboard, Position, Square};
use hansu_play::{Actor, Command, Moment, State, decide};
use hansu_protocol as wire;
use hansu_words::{Lang, ServerRefusal};

/// The language of a client's answers.
pub const fn lang(language: wire::Language) -> Lang {
    match language {
        wire::Language::Ko => Lang::Ko,
        wire::Language::En => Lang::En,
    }
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square: Square| square.to_string()).collect()
}

/// A refusal of the rules.
pub fn chess_refusal(
    refusal: hansu_chess::Refusal,
    position: &Position,
    lang: Lang,
) -> wire::Refusal {
    wire::Refusal {
        code: refusal.code().to_owned(),
        squares: squares(refusal.squares()),
        by: squares(refusal.by()),
        text: lang.refusal(refusal, position),
    }
}

/// A refusal of the game.
pub fn refusal(refusal: hansu_play::Refusal, state: &State, lang: Lang) -> wire::Refusal {
    match refusal {
        hansu_play::Refusal::Move(why) => chess_refusal(why, state.game().position(), lang),
        other => wire::Refusal {
            code: other.code().to_owned(),
            squares: Vec::new(),
            by: Vec::new(),
            text: lang.play_refusal(other, state.game().position()),
        },
    }
}

/// A refusal of the server.
pub fn server_refusal(why: ServerRefusal, lang: Lang) -> wire::Refusal {
    wire::Refusal {
        code: why.code().to_owned(),
        squares: Vec::new(),
        by: Vec::new(),
        text: lang.server_refusal(why).to_owned(),
    }
}

/// The answer to "why may I not play this move?"; without a refusal if the move may be played.
pub fn why(state: &State, actor: Actor, uci: &str, now: Moment, lang: Lang) -> wire::ServerMessage {
    let refused = match uci.parse() {
        Ok(step) => decide(state, actor, &Command::Move { uci: step }, now)
            .err()
            .map(|why| refusal(why, state, lang)),
        Err(_) => Some(server_refusal(ServerRefusal::BadMove, lang)),
    };
    wire::ServerMessage::Why { seq: state.seq(), uci: uci.to_owned(), refusal: refused }
}
