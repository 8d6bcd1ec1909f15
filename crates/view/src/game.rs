//! States and events of a game as messages of the protocol.

use hansu_chess::{Color, Game, Move, Position};
use hansu_play::{
    Actor, Command, Ending, Entry, Event, Moment, Offer, Phase, Reason, Start, State,
};
use hansu_protocol as wire;

/// A colour as the protocol has it.
pub const fn side(color: Color) -> wire::Turn {
    match color {
        Color::White => wire::Turn::White,
        Color::Black => wire::Turn::Black,
    }
}

/// A position as a board shows it.
pub fn board(position: &Position) -> wire::Board {
    let check = position.is_check().then(|| position.king(position.turn()).to_string());
    wire::Board { fen: position.fen(), check }
}

fn ticking(state: &State) -> Option<wire::Ticking> {
    let hansu_play::Ticking { left, from, until } = state.ticking()?;
    Some(wire::Ticking { side: side(state.turn()), left, from, until })
}

/// An event, and the board after it. `state` is the state after the event.
pub fn happened(state: &State, entry: &Entry) -> wire::Happened {
    let (mut notation, mut changed) = (None, false);
    match entry.event {
        Event::Moved { .. } => {
            notation = state.plies().checked_sub(1).and_then(|ply| san(state.game(), ply));
            changed = true;
        }
        Event::Started(_) | Event::TakenBack { .. } => changed = true,
        _ => {}
    }
    wire::Happened {
        entry: entry.clone(),
        san: notation,
        board: changed.then(|| board(state.game().position())),
        ticking: ticking(state),
    }
}

/// The move of a ply in SAN.
fn san(game: &Game, ply: usize) -> Option<String> {
    let (before, step) = (game.positions().get(ply)?, game.moves().get(ply)?);
    Some(before.san(*step).to_string())
}

/// A snapshot of a game that waits for its second player.
pub fn waiting(start: Start, shown: wire::Visibility) -> wire::Snapshot {
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
        visibility: shown,
    }
}

/// A snapshot of a game from a file, which has moves and no events.
pub fn of_file(
    start: Start,
    first: &Position,
    moves: impl Iterator<Item = Move>,
    ending: Option<Ending>,
    shown: wire::Visibility,
) -> wire::Snapshot {
    let mut here = *first;
    let variant = start.variant;
    let plies = moves.map(|step| {
        let san = here.san(step).to_string();
        here = here.play(step);
        wire::Ply { uci: step.uci(variant).to_string(), san, board: board(&here), clocks: None }
    });
    let plies = plies.collect();
    wire::Snapshot {
        phase: wire::Phase::Ended,
        first: board(first),
        plies,
        ending,
        start,
        ..waiting(Start::between("", ""), shown)
    }
}

/// The moves of a game from a ply on.
pub fn plies(state: &State, from: usize) -> impl Iterator<Item = wire::Ply> {
    let game = state.game();
    let steps = game.moves().iter().zip(game.positions().iter().skip(1)).enumerate().skip(from);
    steps.map(move |(ply, (step, after))| wire::Ply {
        uci: step.uci(game.variant()).to_string(),
        san: san(game, ply).unwrap_or_default(),
        board: board(after),
        clocks: state.clocks_after(ply),
    })
}

/// A snapshot of a game without its moves; `chat` is its chat and that of the series before it.
pub fn snapshot(
    state: &State,
    start: &Start,
    chat: Vec<wire::ChatMessage>,
    shown: wire::Visibility,
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
            white: state.away_since(Color::White),
            black: state.away_since(Color::Black),
        },
        chat,
        next: state.next_game().map(str::to_owned),
        visibility: shown,
    }
}

/// The chat message of an event; `None` for other events.
pub fn chat_message(entry: &Entry, start: &Start) -> Option<wire::ChatMessage> {
    let Event::Chatted { from, name, text } = &entry.event else { return None };
    let name = match from {
        Actor::White => start.names.white.clone(),
        Actor::Black => start.names.black.clone(),
        Actor::Both | Actor::System | Actor::Spectator => name.clone().unwrap_or_default(),
    };
    Some(wire::ChatMessage { at: entry.at, from: *from, name, text: text.clone() })
}

/// The seat of an actor; `None` for a spectator and the server.
pub const fn seat(actor: Actor) -> Option<wire::Seat> {
    match actor {
        Actor::White => Some(wire::Seat::White),
        Actor::Black => Some(wire::Seat::Black),
        Actor::Both => Some(wire::Seat::Both),
        Actor::System | Actor::Spectator => None,
    }
}

/// Returns true if an actor plays the side to move, and so gets the legal moves.
pub fn is_to_move(actor: Actor, state: &State) -> bool {
    actor == Actor::Both || actor == Actor::seat(state.turn())
}

/// The message with the legal moves; `None` unless the game is under way.
pub fn turn(state: &State) -> Option<wire::ServerMessage> {
    let playing = state.phase() == Phase::Playing;
    playing
        .then(|| wire::ServerMessage::Turn { seq: state.seq(), moves: crate::moves(state.game()) })
}

/// Returns true if these events are the end of a game by time. (A game whose first move does not
/// come in time is aborted.)
pub fn is_by_time<'a>(mut events: impl Iterator<Item = &'a Event>) -> bool {
    let (Some(Event::Ended { ending, .. }), None) = (events.next(), events.next()) else {
        return false;
    };
    matches!(ending.reason, Reason::Timeout | Reason::TimeoutDraw | Reason::Abort)
}

/// Returns true if a command has led to the flag instead of what was asked for. The flag must then be
/// written first, and the command decided after it. An abort before the deadline is not a flag, although
/// it ends the game for the same reason.
pub fn is_too_late(state: &State, command: &Command, now: Moment, entries: &[Entry]) -> bool {
    let aborts = *command == Command::Abort
        && state.ticking().is_none_or(|clock| now.received < clock.until);
    is_by_time(entries.iter().map(|entry| &entry.event)) && !aborts
}
