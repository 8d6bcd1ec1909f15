//! The menu, and the forms that it leads to.

use hansu_chess::Color;
use hansu_play::{Bonus, Computer, Millis, Sides, Source, Stage, Start, TimeControl};
use hansu_protocol::Kind;
use hansu_words::{Lang, Screen};

use super::app::App;
use super::board::Pieces;
use super::form::Form;
use crate::colours::Depth;
use crate::newest_unfinished;

/// The clocks to choose from.
const CLOCKS: [ClockPreset; 11] = [
    (1, Bonus::None),
    (3, Bonus::None),
    (3, Bonus::Increment(Millis(2_000))),
    (5, Bonus::None),
    (5, Bonus::Increment(Millis(3_000))),
    (5, Bonus::Delay(Millis(3_000))),
    (10, Bonus::None),
    (15, Bonus::Increment(Millis(10_000))),
    (25, Bonus::Delay(Millis(5_000))),
    (30, Bonus::Increment(Millis(20_000))),
    (90, Bonus::Increment(Millis(30_000))),
];

/// Minutes for each side, and the bonus for each move.
type ClockPreset = (u64, Bonus);

/// Days per move to choose from, for games on a server.
const DAYS: [u16; 3] = [1, 3, 7];

/// PGN's name for an unnamed player.
pub(super) const UNNAMED: &str = "?";

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
        let clocks = CLOCKS.iter().map(|&(minutes, bonus)| lang.screen_clock(minutes, bonus));
        std::iter::once(none).chain(clocks).collect()
    }

    fn variants(&self) -> Vec<String> {
        [Screen::Standard, Screen::Chess960].map(|kind| self.lang().screen(kind).to_owned()).into()
    }

    pub(super) fn two_form(&self) -> Form {
        Form::new(Screen::TwoHere)
            .button(Screen::Begin)
            .text(Screen::WhiteName, &self.settings.name)
            .text(Screen::BlackName, "")
            .choice(Screen::Clock, self.clocks(), 0)
            .text_with_hint(Screen::OwnClock, Screen::OwnClockHint)
            .choice(Screen::Variant, self.variants(), 0)
            .text_with_hint(Screen::Setup, Screen::SetupHint)
            .button(Screen::Back)
    }

    pub(super) fn computer_form(&self) -> Form {
        let lang = self.lang();
        let levels = (1..=10).map(|level| lang.screen_level(level)).collect();
        let sides = Color::ALL.map(|color| lang.color(color).to_owned()).to_vec();
        let lost = [Screen::PlaysOn, Screen::Resigns].map(|way| lang.screen(way).to_owned()).into();
        Form::new(Screen::Computer)
            .button(Screen::Begin)
            .choice(Screen::Level, levels, 2)
            .choice(Screen::YourSide, sides, 0)
            .text(Screen::YourName, &self.settings.name)
            .choice(Screen::Clock, self.clocks(), 0)
            .text_with_hint(Screen::OwnClock, Screen::OwnClockHint)
            .choice(Screen::LostGame, lost, 0)
            .choice(Screen::Variant, self.variants(), 0)
            .text_with_hint(Screen::Setup, Screen::SetupHint)
            .button(Screen::Back)
    }

    pub(super) fn server_form(&self) -> Form {
        let lang = self.lang();
        let mut sides = vec![lang.screen(Screen::AnySide).to_owned()];
        sides.extend(Color::ALL.map(|color| lang.color(color).to_owned()));
        let mut clocks = self.clocks();
        clocks.extend(DAYS.map(|days| lang.screen_days(days)));
        Form::new(Screen::Server)
            .text(Screen::Link, &self.settings.server)
            .text(Screen::YourName, &self.settings.name)
            .button(Screen::OpenLink)
            .button(Screen::Invite)
            .choice(Screen::YourSide, sides, 0)
            .choice(Screen::Clock, clocks, 0)
            .text_with_hint(Screen::OwnClock, Screen::OwnClockHint)
            .choice(Screen::Variant, self.variants(), 0)
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

/// The start of a game against the computer; the player at the other side has this name.
pub fn against_computer(computer: Computer, name: &str, time: TimeControl, lang: Lang) -> Start {
    let mut names = Sides::both(lang.level(computer.level).to_owned());
    names[!computer.side] = name.to_owned();
    Start {
        names,
        time,
        source: Source::Computer,
        computer: Some(computer),
        ..Start::between(UNNAMED, UNNAMED)
    }
}

pub(super) fn name_or_unnamed(name: String) -> String {
    if name.is_empty() { UNNAMED.to_owned() } else { name }
}

/// The variant that is chosen in a form.
pub(super) fn chosen_variant(form: &Form) -> Kind {
    if form.chosen_index(Screen::Variant) == 0 { Kind::Standard } else { Kind::Chess960 }
}

/// The clock that is chosen in a form. A typed clock takes precedence over the list.
pub(super) fn chosen_time(form: &Form, lang: Lang) -> Result<TimeControl, String> {
    let own = form.typed_text(Screen::OwnClock);
    if !own.is_empty() {
        return own_clock(&own).ok_or_else(|| lang.screen(Screen::NoSuchClock).to_owned());
    }
    let Some(at) = form.chosen_index(Screen::Clock).checked_sub(1) else {
        return Ok(TimeControl::Unlimited);
    };
    Ok(match CLOCKS.get(at) {
        Some(&(minutes, bonus)) => one_stage(minutes, bonus),
        None => {
            TimeControl::Correspondence { days: DAYS.get(at - CLOCKS.len()).copied().unwrap_or(1) }
        }
    })
}

fn one_stage(minutes: u64, bonus: Bonus) -> TimeControl {
    let stage = Stage { moves: None, time: Millis::minutes(minutes), bonus };
    TimeControl::Clock { stages: vec![stage] }
}

/// Parses a clock: `7` (minutes), `7+4` (increment in seconds), `7d4` (delay), `7b4` (Bronstein);
/// `7+4/3` has different clocks for White and Black. None if the text is not a clock.
pub fn own_clock(text: &str) -> Option<TimeControl> {
    let text = text.to_ascii_lowercase().replace(' ', "");
    match text.split_once('/') {
        Some((white, black)) => TimeControl::odds(one_clock(white)?, one_clock(black)?),
        None => one_clock(&text),
    }
}

fn one_clock(text: &str) -> Option<TimeControl> {
    let (minutes, bonus) = match text.find(['+', 'd', 'b']) {
        None => (text.parse().ok()?, Bonus::None),
        Some(at) => {
            let (minutes, rest) = text.split_at(at);
            let seconds: u64 = rest.get(1..)?.parse().ok()?;
            let more = Millis(seconds.checked_mul(1_000)?);
            let bonus = match rest.as_bytes().first()? {
                _ if seconds == 0 => Bonus::None,
                b'+' => Bonus::Increment(more),
                b'd' => Bonus::Delay(more),
                _ => Bonus::Bronstein(more),
            };
            (minutes.parse().ok()?, bonus)
        }
    };
    // A million minutes is far more than any clock may have, and no multiplication overflows.
    Some(one_stage(minutes, bonus)).filter(|time| minutes < 1_000_000 && time.is_sound())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_written_in_minutes_and_seconds() {
        let minutes = Millis::minutes;
        let seconds = Millis::seconds;
        let fischer = TimeControl::fischer(minutes(7), seconds(4));
        assert_eq!(own_clock("7+4"), Some(fischer.clone()));
        assert_eq!(own_clock(" 7 + 4 "), Some(fischer));
        assert_eq!(own_clock("7"), Some(TimeControl::sudden_death(minutes(7))));
        assert_eq!(own_clock("7d4"), Some(TimeControl::delay(minutes(7), seconds(4))));
        assert_eq!(own_clock("7B4"), Some(TimeControl::bronstein(minutes(7), seconds(4))));
        let odds = TimeControl::odds(
            TimeControl::fischer(minutes(7), seconds(4)),
            TimeControl::delay(minutes(3), seconds(2)),
        );
        assert!(matches!(odds, Some(TimeControl::Odds { .. })));
        assert_eq!(own_clock("7+4 / 3d2"), odds);
        assert_eq!(own_clock("7/7"), Some(TimeControl::sudden_death(minutes(7))));
        for wrong in ["7/", "/7", "7/3/1", "7/0", "0/7", "7/x", "/"] {
            assert_eq!(own_clock(wrong), None, "{wrong}");
        }
        for wrong in ["", "+", "7+", "+4", "7x4", "-7", "7+4+4", "99999999999999999999", "0"] {
            assert_eq!(own_clock(wrong), None, "{wrong}");
        }
        assert_eq!(own_clock(&format!("{}+1", u64::MAX)), None);
        assert_eq!(own_clock(&format!("5+{}", u64::MAX)), None);
    }
}
