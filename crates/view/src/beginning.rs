//! The start of a game, made from a client's request for a new one.

use hansu_chess::{Color, Position, Variant};
use hansu_play::{Computer, Sides, Source, Start};
use hansu_protocol::{Choice, Kind, NewGame};
use hansu_words::Lang;

use crate::variant;

/// The name that a player has given, or the word for a guest.
///
/// ```
/// use hansu_words::Lang;
/// assert_eq!(hansu_view::name_or_guest(" Mina ", Lang::En), "Mina");
/// assert_eq!(hansu_view::name_or_guest("", Lang::Ko), "손님");
/// ```
pub fn name_or_guest(name: &str, lang: Lang) -> String {
    match name.trim() {
        "" => lang.guest().to_owned(),
        name => name.to_owned(),
    }
}

/// The variant of a game and its start position. A game of Chess960 without a position gets one that
/// is chosen by `draw`, any number.
pub fn setup(kind: Kind, fen: Option<String>, draw: u64) -> (Variant, Option<String>) {
    match (kind, fen) {
        (Kind::Chess960, None) => {
            let number = u16::try_from(draw % 960).unwrap_or_default();
            (Variant::Chess960, Position::chess960(number).map(|position| position.fen()))
        }
        (kind, fen) => (variant(kind), fen),
    }
}

/// The start of a game for two on one screen.
pub fn on_one_screen(new: NewGame, lang: Lang, draw: u64) -> Start {
    let (variant, fen) = setup(new.variant, new.fen, draw);
    Start {
        names: Sides {
            white: name_or_guest(&new.name, lang),
            black: name_or_guest(new.other.as_deref().unwrap_or_default(), lang),
        },
        variant,
        fen,
        time: new.time,
        source: Source::Local,
        spectators: new.spectators,
        series: None,
        computer: None,
    }
}

/// The start of a game against the computer; `None` if the level does not exist. `draw`, any number,
/// decides the colour if the player has chosen none.
pub fn against_computer(new: NewGame, lang: Lang, draw: u64) -> Option<Start> {
    let level = new.level.unwrap_or(3);
    if !(1..=10).contains(&level) {
        return None;
    }
    let side = match new.color {
        Choice::White => Color::Black,
        Choice::Black => Color::White,
        // The Chess960 position is `draw % 960`: this takes another part of the number.
        Choice::Any => Color::ALL[usize::from((draw / 960) & 1 == 1)],
    };
    let names =
        Sides { white: name_or_guest(&new.name, lang), black: lang.level(level).to_owned() };
    let names = if side == Color::Black { names } else { names.swapped() };
    let computer = Some(Computer { side, level, resigns: new.resigns });
    Some(Start { names, source: Source::Computer, computer, ..on_one_screen(new, lang, draw) })
}
