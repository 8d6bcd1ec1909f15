//! What clients are shown: states and events of `play` as messages of the protocol.

use std::fmt::Write as _;

use hansu_chess::{CastlingSide, Claim, Color, Game, Move, Position, Square, Variant};
use hansu_play::{Actor, Entry, Event, Millis, Offer, Phase, Reason, Start, State};
use hansu_protocol as wire;
use hansu_records::{Error, Record, Score, Visibility};
use hansu_words::{Lang, ServerRefusal};

/// A side.
pub(crate) const fn side(color: Color) -> wire::Turn {
    match color {
        Color::White => wire::Turn::White,
        Color::Black => wire::Turn::Black,
    }
}

/// The language in which a client is answered.
pub(crate) const fn lang(language: wire::Language) -> Lang {
    match language {
        wire::Language::Ko => Lang::Ko,
        wire::Language::En => Lang::En,
    }
}

pub(crate) const fn visibility(visibility: Visibility) -> wire::Visibility {
    match visibility {
        Visibility::Public => wire::Visibility::Public,
        Visibility::Private => wire::Visibility::Private,
    }
}

pub(crate) fn board(position: &Position) -> wire::Board {
    let check = position.is_check().then(|| position.king(position.turn()).to_string());
    wire::Board { fen: position.fen(), check }
}

fn ticking(state: &State) -> Option<wire::Ticking> {
    let hansu_play::Ticking { left, from, until } = state.ticking()?;
    Some(wire::Ticking { side: side(state.turn()), left, from, until })
}

/// An event and the board after it. `state` is what the event has led to.
pub(crate) fn happened(state: &State, entry: &Entry) -> wire::Happened {
    let (mut san, mut changed) = (None, false);
    match entry.event {
        Event::Moved { .. } => {
            san = state.plies().checked_sub(1).and_then(|ply| written(state.game(), ply));
            changed = true;
        }
        Event::Started(_) | Event::TakenBack { .. } => changed = true,
        _ => {}
    }
    wire::Happened {
        entry: entry.clone(),
        san,
        board: changed.then(|| board(state.game().position())),
        ticking: ticking(state),
    }
}

/// How the move of a ply is written.
fn written(game: &Game, ply: usize) -> Option<String> {
    let (before, step) = (game.positions().get(ply)?, game.moves().get(ply)?);
    Some(before.san(*step).to_string())
}

/// Where the side to move may go.
pub(crate) fn moves(game: &Game) -> wire::Moves {
    if game.outcome().is_some() {
        return wire::Moves::default();
    }
    let claim = game.claim().map(|claim: Claim| claim.reason().code().to_owned());
    wire::Moves { claim, ..targets(game.position(), game.variant()) }
}

/// Where the side to move may go in a position.
pub(crate) fn targets(position: &Position, variant: Variant) -> wire::Moves {
    let mut moves = wire::Moves::default();
    for step in position.legal_moves() {
        let uci = step.uci(variant);
        // Of the four promotions one says where the pawn goes.
        if matches!(step.promotion(), Some(role) if role != hansu_chess::Role::Queen) {
            continue;
        }
        let (from, to) = (uci.from, uci.to);
        let squares = moves.targets.entry(from.to_string()).or_default();
        // Writing to a text does not fail.
        let _ = write!(squares, "{to}");
        if let Some(special) = special(step) {
            moves.special.insert(format!("{from}{to}"), special);
        }
    }
    moves
}

fn special(step: Move) -> Option<wire::Special> {
    match step.castling() {
        Some(CastlingSide::Queen) => return Some(wire::Special::CastlingLeft),
        Some(CastlingSide::King) => return Some(wire::Special::CastlingRight),
        None => {}
    }
    if step.is_en_passant() {
        return Some(wire::Special::EnPassant);
    }
    step.promotion().map(|_| wire::Special::Promotion)
}

/// A game that waits for its second player.
pub(crate) fn waiting(start: Start, shown: Visibility) -> wire::Snapshot {
    let first = start.fen.as_deref().and_then(|fen| Position::from_fen(fen, start.variant).ok());
    wire::Snapshot {
        seq: 0,
        phase: wire::Phase::Waiting,
        started: None,
        first: board(&first.unwrap_or_default()),
        plies: Vec::new(),
        clocks: start.time.initial(),
        start,
        ticking: None,
        ending: None,
        offers: Vec::new(),
        left: hansu_play::Sides::default(),
        chat: Vec::new(),
        next: None,
        visibility: visibility(shown),
    }
}

/// The moves of a game from a ply on.
pub(crate) fn plies(state: &State, from: usize) -> impl Iterator<Item = wire::Ply> {
    let game = state.game();
    let steps = game.moves().iter().zip(game.positions().iter().skip(1)).enumerate().skip(from);
    steps.map(move |(ply, (step, after))| wire::Ply {
        uci: step.uci(game.variant()).to_string(),
        san: written(game, ply).unwrap_or_default(),
        board: board(after),
        clocks: state.clocks_after(ply),
    })
}

/// A game as it stands, without its moves; `chat` is what has been said in it and before it.
pub(crate) fn snapshot(
    state: &State,
    start: &Start,
    chat: Vec<wire::Said>,
    shown: Visibility,
) -> wire::Snapshot {
    let first = state.game().positions().first().copied().unwrap_or_default();
    let offers = Offer::ALL
        .into_iter()
        .filter_map(|what| state.offered(what).map(|by| wire::Offered { what, by: side(by) }));
    wire::Snapshot {
        seq: state.seq(),
        phase: match state.phase() {
            Phase::New => wire::Phase::Waiting,
            Phase::Playing => wire::Phase::Playing,
            Phase::Adjourned => wire::Phase::Adjourned,
            Phase::Ended(_) => wire::Phase::Ended,
        },
        start: start.clone(),
        started: state.started_at(),
        first: board(&first),
        plies: Vec::new(),
        clocks: state.clocks(),
        ticking: ticking(state),
        ending: state.ending(),
        offers: offers.collect(),
        left: hansu_play::Sides {
            white: state.left(Color::White),
            black: state.left(Color::Black),
        },
        chat,
        next: state.next_game().map(str::to_owned),
        visibility: visibility(shown),
    }
}

/// A game of a file, which has moves and no events. `None` when its moves cannot be played.
pub(crate) fn archived(record: &Record) -> Option<wire::Snapshot> {
    let row = &record.summary;
    let start = row.start().ok()?;
    let mut before = start;
    let mut plies = Vec::with_capacity(row.plies());
    let replayed = row.moves.replay(start, usize::MAX, |step, after| {
        plies.push(wire::Ply {
            uci: step.uci(row.variant).to_string(),
            san: before.san(step).to_string(),
            board: board(after),
            clocks: None,
        });
        before = *after;
    });
    replayed.ok()?;
    let winner = match row.score {
        Score::White => Some(Color::White),
        Score::Black => Some(Color::Black),
        Score::Draw | Score::Open => None,
    };
    let reason = row.reason.as_deref().and_then(Reason::from_code);
    let names = hansu_play::Sides { white: row.white.clone(), black: row.black.clone() };
    Some(wire::Snapshot {
        phase: wire::Phase::Ended,
        started: row.started.map(|at| Millis(at.max(0).cast_unsigned())),
        first: board(&start),
        plies,
        // Files often have a result without a reason: the list of games still tells it.
        ending: reason.map(|reason| hansu_play::Ending { winner, reason }),
        start: Start {
            names,
            variant: row.variant,
            fen: row.start_fen.clone(),
            source: hansu_play::Source::Imported,
            ..Start::between("", "")
        },
        ..waiting(Start::between("", ""), row.visibility)
    })
}

/// What somebody said, if the event is that.
pub(crate) fn said(entry: &Entry, start: &Start) -> Option<wire::Said> {
    let Event::Chatted { from, name, text } = &entry.event else { return None };
    let name = match from {
        Actor::White => start.names.white.clone(),
        Actor::Black => start.names.black.clone(),
        Actor::Both | Actor::System | Actor::Spectator => name.clone().unwrap_or_default(),
    };
    Some(wire::Said { at: entry.at, from: *from, name, text: text.clone() })
}

fn squares(set: hansu_chess::Bitboard) -> Vec<String> {
    set.into_iter().map(|square: Square| square.to_string()).collect()
}

/// Why a move is refused by the rules.
pub(crate) fn chess_refusal(
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

/// Why a command is refused.
pub(crate) fn refusal(refusal: hansu_play::Refusal, state: &State, lang: Lang) -> wire::Refusal {
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

/// Why something was not kept.
pub(crate) fn failure(error: Error, lang: Lang) -> wire::Refusal {
    let why = match error {
        Error::Busy | Error::Conflict { .. } => ServerRefusal::Busy,
        Error::Spent => ServerRefusal::InvitationSpent,
        Error::Unsure => ServerRefusal::Unsure,
        _ => ServerRefusal::Unavailable,
    };
    wire::Refusal {
        code: why.code().to_owned(),
        squares: Vec::new(),
        by: Vec::new(),
        text: lang.server_refusal(why).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn of(fen: &str) -> wire::Moves {
        targets(&fen.parse().expect(fen), Variant::Standard)
    }

    #[test]
    fn targets_name_what_is_special() {
        let start = targets(&Position::start(), Variant::Standard);
        assert_eq!(start.targets.len(), 10);
        assert_eq!(start.targets["e2"], "e3e4");
        assert_eq!(start.special, BTreeMap::new());
        let castling = of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert_eq!(castling.special["e1g1"], wire::Special::CastlingRight);
        assert_eq!(castling.special["e1c1"], wire::Special::CastlingLeft);
        let passing = of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        assert_eq!(passing.special["e5d6"], wire::Special::EnPassant);
        let promotion = of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(promotion.targets["a7"], "a8");
        assert_eq!(promotion.special["a7a8"], wire::Special::Promotion);
    }
}
