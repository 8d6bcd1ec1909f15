//! The menu, and the forms that it leads to.

use hansu_chess::Color;
use hansu_play::{Computer, Millis, Sides, Source, Start, TimeControl};
use hansu_words::{Lang, Screen};

use super::app::App;
use super::board::Pieces;
use super::form::Form;
use crate::colours::Depth;
use crate::newest_unfinished;

/// Clocks to choose from: minutes for each side, and seconds added after every move.
const CLOCKS: [(u64, u64); 8] =
    [(1, 0), (3, 0), (3, 2), (5, 0), (5, 3), (10, 0), (15, 10), (30, 20)];

/// PGN's name for a player without one.
pub(super) const NOBODY: &str = "?";

impl App {
    pub(super) fn menu(&self) -> Form {
        let mut form = Form::new(Screen::Menu);
        let log = self.log.as_ref();
        if log.is_some_and(|store| newest_unfinished(store.as_ref()).is_ok()) {
            form = form.button(Screen::GoOn);
        }
        form.button(Screen::TwoHere)
            .button(Screen::Computer)
            .button(Screen::Server)
            .button(Screen::PastGames)
            .button(Screen::Statistics)
            .button(Screen::Settings)
            .button(Screen::Quit)
    }

    fn clocks(&self) -> Vec<String> {
        let lang = self.lang();
        let none = lang.screen(Screen::NoClock).to_owned();
        let clocks = CLOCKS.iter().map(|&(minutes, more)| lang.screen_clock(minutes, more));
        std::iter::once(none).chain(clocks).collect()
    }

    pub(super) fn two_form(&self) -> Form {
        Form::new(Screen::TwoHere)
            .button(Screen::Begin)
            .text(Screen::WhiteName, &self.settings.name)
            .text(Screen::BlackName, "")
            .choice(Screen::Clock, self.clocks(), 0)
            .button(Screen::Back)
    }

    pub(super) fn computer_form(&self) -> Form {
        let lang = self.lang();
        let levels = (1..=10).map(|level| lang.screen_level(level)).collect();
        let sides = Color::ALL.map(|color| lang.color(color).to_owned()).to_vec();
        Form::new(Screen::Computer)
            .button(Screen::Begin)
            .choice(Screen::Level, levels, 2)
            .choice(Screen::YourSide, sides, 0)
            .text(Screen::YourName, &self.settings.name)
            .choice(Screen::Clock, self.clocks(), 0)
            .button(Screen::Back)
    }

    pub(super) fn server_form(&self) -> Form {
        let lang = self.lang();
        let mut sides = vec![lang.screen(Screen::AnySide).to_owned()];
        sides.extend(Color::ALL.map(|color| lang.color(color).to_owned()));
        Form::new(Screen::Server)
            .text(Screen::Link, &self.settings.server)
            .text(Screen::YourName, &self.settings.name)
            .button(Screen::OpenLink)
            .button(Screen::Invite)
            .choice(Screen::YourSide, sides, 0)
            .choice(Screen::Clock, self.clocks(), 0)
            .button(Screen::Lobby)
            .button(Screen::Back)
    }

    pub(super) fn settings_form(&self) -> Form {
        let lang = self.lang();
        let words = |phrases: &[Screen]| -> Vec<String> {
            phrases.iter().map(|&phrase| lang.screen(phrase).to_owned()).collect()
        };
        let depth = self.settings.depth.and_then(|own| Depth::ALL.iter().position(|d| *d == own));
        let pieces = Pieces::ALL.iter().position(|own| *own == self.settings.pieces);
        let depths = [
            Screen::AsTerminal,
            Screen::ColoursNone,
            Screen::ColoursSixteen,
            Screen::ColoursMany,
            Screen::ColoursTrue,
        ];
        let langs = vec!["한국어".to_owned(), "English".to_owned()];
        Form::new(Screen::Settings)
            .choice(Screen::Language, langs, usize::from(lang == Lang::En))
            .choice(Screen::Colours, words(&depths), depth.map_or(0, |at| at + 1))
            .choice(
                Screen::Pieces,
                words(&[Screen::Drawn, Screen::Figures, Screen::Letters]),
                pieces.unwrap_or(0),
            )
            .choice(
                Screen::Bell,
                words(&[Screen::Off, Screen::On]),
                usize::from(self.settings.bell),
            )
            .text(Screen::YourName, &self.settings.name)
            .button(Screen::Back)
    }
}

/// A game against the computer; the person has `own` and a name.
pub fn against_computer(own: Color, level: u8, name: &str, time: TimeControl, lang: Lang) -> Start {
    let mut names = Sides::both(lang.level(level).to_owned());
    names[own] = name.to_owned();
    Start {
        names,
        time,
        source: Source::Computer,
        computer: Some(Computer { side: !own, level }),
        ..Start::between(NOBODY, NOBODY)
    }
}

pub(super) fn named(name: String) -> String {
    if name.is_empty() { NOBODY.to_owned() } else { name }
}

/// The clock that is chosen in a form.
pub(super) fn time(form: &Form) -> TimeControl {
    match form.chosen(Screen::Clock).checked_sub(1).and_then(|at| CLOCKS.get(at)) {
        None => TimeControl::Unlimited,
        Some(&(minutes, more)) => {
            TimeControl::fischer(Millis::minutes(minutes), Millis::seconds(more))
        }
    }
}
