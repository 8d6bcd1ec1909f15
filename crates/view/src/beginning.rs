//! How a game begins that a client asks for.

use hansu_chess::{Color, Position, Variant};
use hansu_play::{Computer, Sides, Source, Start};
use hansu_protocol::{Choice, Kind, NewGame};
use hansu_words::Lang;

use crate::variant;

/// The name that a player has given, or the word for a guest.
///
/// ```
/// use hansu_words::Lang;
/// assert_eq!(hansu_view::named(" Mina ", Lang::En), "Mina");
/// assert_eq!(hansu_view::named("", Lang::Ko), "손님");
/// ```
pub fn named(name: &str, lang: Lang) -> String {
    match name.trim() {
        "" => lang.guest().to_owned(),
        name => name.to_owned(),
    }
}

/// The variant of a game and where it starts. A game of Chess960 without a position gets the one
/// that `draw`, any number, chooses.
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
            white: named(&new.name, lang),
            black: named(new.other.as_deref().unwrap_or_default(), lang),
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

/// The start of a game against the computer, which `draw`, any number, gives a colour where none
/// was chosen; nothing when the level does not exist.
pub fn against_computer(new: NewGame, lang: Lang, draw: u64) -> Option<Start> {
    let level = new.level.unwrap_or(3);
    if !(1..=10).contains(&level) {
        return None;
    }
    let side = match new.color {
        Choice::White => Color::Black,
        Choice::Black => Color::White,
        // A position of Chess960 is drawn from the same number.
        Choice::Any => Color::ALL[usize::from((draw / 960) & 1 == 1)],
    };
    let names = Sides { white: named(&new.name, lang), black: lang.level(level).to_owned() };
    let names = if side == Color::Black { names } else { names.swapped() };
    let computer = Some(Computer { side, level });
    Some(Start { names, source: Source::Computer, computer, ..on_one_screen(new, lang, draw) })
}
