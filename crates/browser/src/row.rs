//! A game's row in lists, and the game as PGN.

use hansu_chess::pgn::{self, GameResult, Line, Ply, Tags};
use hansu_chess::{Color, Position, Variant};
use hansu_play::{Phase, Reason, State};
use hansu_protocol::{Row, Visibility};

/// The row of a game. The caller sets its dates, the archive its opening.
pub(crate) fn row(id: &str, state: &State) -> Row {
    let (game, start) = (state.game(), state.start());
    let name = |side: Color| start.map_or_else(|| "?".to_owned(), |s| s.names[side].clone());
    let moves: Vec<String> =
        game.moves().iter().map(|step| step.uci(game.variant()).to_string()).collect();
    let first = start_position(state);
    let usual = first == Position::start() && first.fullmoves() == 1;
    Row {
        id: id.to_owned(),
        white: name(Color::White),
        black: name(Color::Black),
        result: result(state).text().to_owned(),
        reason: state.ending().map(|ending| ending.reason.code().to_owned()),
        plies: state.plies() as u64,
        started: None,
        ended: None,
        date: "????.??.??".to_owned(),
        source: start.map_or("local", |start| start.source.code()).to_owned(),
        status: status(state).to_owned(),
        visibility: Visibility::Private,
        variant: match game.variant() {
            Variant::Standard => "standard".to_owned(),
            Variant::Chess960 => "chess960".to_owned(),
        },
        start_fen: (!usual).then(|| first.fen()),
        final_fen: game.position().fen(),
        time_control: start.and_then(|start| start.time.pgn()),
        opening: None,
        event: None,
        moves: moves.join(" "),
        last_seq: state.seq(),
        tags: Vec::new(),
        note: None,
    }
}

/// The game as PGN.
pub(crate) fn pgn(row: &Row, state: &State, date: Option<&str>) -> String {
    let game = state.game();
    let mut tags = Tags::new();
    // Tags that are not valid are left out.
    let mut set = |name: &str, value: &str| {
        let _ = tags.set(name, value);
    };
    set("White", &row.white);
    set("Black", &row.black);
    set("Date", date.unwrap_or(&row.date));
    if let Some(control) = &row.time_control {
        pgn::time_tags(control).for_each(|(name, value)| set(name, value));
    }
    if let Some(reason) = &row.reason {
        set("Reason", reason);
    }
    let plies = game.moves().iter().copied().map(Ply::from).collect();
    let record = pgn::Record {
        line: 0,
        tags,
        variant: game.variant(),
        start: start_position(state),
        main: Line { comments: Vec::new(), plies },
        result: result(state),
    };
    record.to_string()
}

fn start_position(state: &State) -> Position {
    state.game().positions().first().copied().unwrap_or_default()
}

fn result(state: &State) -> GameResult {
    match state.ending() {
        None => GameResult::Unknown,
        Some(ending) if ending.reason == Reason::Abort => GameResult::Unknown,
        Some(ending) => match ending.winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        },
    }
}

fn status(state: &State) -> &'static str {
    match state.phase() {
        Phase::New | Phase::Playing => "live",
        Phase::Adjourned => "adjourned",
        Phase::Ended(ending) if ending.reason == Reason::Abort => "aborted",
        Phase::Ended(_) => "finished",
    }
}
