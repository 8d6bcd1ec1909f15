//! The actions of the forms: start a game, save the settings, open another page.

use hansu_chess::{Color, Position, Variant};
use hansu_play::{Computer, Millis, Sides, Source, Start};
use hansu_protocol::Choice;
use hansu_records::GameId;
use hansu_words::{Lang, Screen};

use super::app::{App, Page};
use super::board::Pieces;
use super::event::{Effect, NetworkRequest};
use super::form::{Form, FormAction};
use super::forms::{UNNAMED, against_computer, chosen_time, chosen_variant, name_or_unnamed};
use super::lobby::Lobby;
use super::log_request::LogRequest;
use super::past::Past;
use super::stats::Stats;
use crate::colours::Depth;

impl App {
    pub(super) fn run_form_action(
        &mut self,
        action: FormAction,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let Some(Page::Form(form)) = self.pages.last() else { return };
        let form = form.clone();
        match action {
            FormAction::Nothing => {}
            FormAction::Back => self.leave_form(&form, effects),
            FormAction::Changed(_) if form.title == Screen::Settings => {
                self.take_settings(&form, effects);
                let mut anew = self.settings_form();
                anew.at = form.at;
                self.pages.pop();
                self.pages.push(Page::Form(anew));
            }
            FormAction::Changed(_) => {}
            FormAction::Pressed(phrase) => self.press(phrase, &form, now, effects),
        }
    }

    fn leave_form(&mut self, form: &Form, effects: &mut Vec<Effect>) {
        if form.title == Screen::Settings {
            self.take_settings(form, effects);
        }
        self.back(effects);
    }

    fn take_settings(&mut self, form: &Form, effects: &mut Vec<Effect>) {
        let settings = &mut self.settings;
        settings.lang = if form.chosen_index(Screen::Language) == 0 { Lang::Ko } else { Lang::En };
        let depth = form.chosen_index(Screen::Colours).checked_sub(1);
        settings.depth = depth.and_then(|at| Depth::ALL.get(at).copied());
        settings.pieces =
            Pieces::ALL.get(form.chosen_index(Screen::Pieces)).copied().unwrap_or_default();
        settings.bell = form.chosen_index(Screen::Bell) == 1;
        settings.name = form.typed_text(Screen::YourName);
        effects.push(Effect::Save(settings.clone()));
    }

    fn press(&mut self, phrase: Screen, form: &Form, now: Millis, effects: &mut Vec<Effect>) {
        match (form.title, phrase) {
            (_, Screen::Back) => self.leave_form(form, effects),
            (Screen::Menu, Screen::Quit) => effects.push(Effect::Quit),
            (Screen::Menu, Screen::GoOn) => self.go_on(now, effects),
            (Screen::Menu, Screen::TwoHere) => self.pages.push(Page::Form(self.two_form())),
            (Screen::Menu, Screen::Computer) => self.pages.push(Page::Form(self.computer_form())),
            (Screen::Menu, Screen::Server) => self.pages.push(Page::Form(self.server_form())),
            (Screen::Menu, Screen::Settings) => self.pages.push(Page::Form(self.settings_form())),
            (Screen::Menu, Screen::PastGames | Screen::Statistics) if self.log.is_none() => {
                self.show_note(self.lang().screen(Screen::NoLog));
            }
            (Screen::Menu, Screen::PastGames) => {
                self.pages.push(Page::Past(Past::default()));
                self.search(effects);
            }
            (Screen::Menu, Screen::Statistics) => {
                let reading = Stats::with_note(self.lang().screen(Screen::Reading));
                self.pages.push(Page::Stats(reading));
                self.ask_log(|number| LogRequest::Stats { number }, effects);
            }
            (Screen::TwoHere | Screen::Computer, Screen::Begin) => match self.start_of(form) {
                Ok(start) => self.start_local(start, now, effects),
                Err(why) => self.show_note(&why),
            },
            (Screen::Server, Screen::OpenLink | Screen::Invite | Screen::Lobby) => {
                self.press_server(phrase, form, effects);
            }
            _ => {}
        }
    }

    fn press_server(&mut self, phrase: Screen, form: &Form, effects: &mut Vec<Effect>) {
        let (link, name) = (form.typed_text(Screen::Link), form.typed_text(Screen::YourName));
        let is_new = self.settings.server != link || self.settings.name != name;
        self.settings.name.clone_from(&name);
        if phrase != Screen::OpenLink {
            self.settings.server.clone_from(&link);
        }
        if is_new {
            effects.push(Effect::Save(self.settings.clone()));
        }
        let time = match chosen_time(form, self.lang()) {
            Ok(time) => time,
            Err(why) => return self.show_note(&why),
        };
        match phrase {
            Screen::OpenLink => effects.extend(self.open_link(&link, &name)),
            Screen::Invite => {
                let color = match form.chosen_index(Screen::YourSide) {
                    1 => Choice::White,
                    2 => Choice::Black,
                    _ => Choice::Any,
                };
                effects.extend(self.invite(&link, &name, color, time, chosen_variant(form)));
            }
            _ => {
                self.session += 1;
                let session = self.session;
                let lobby = Lobby::new(session, link.clone(), name, time, chosen_variant(form));
                self.pages.push(Page::Lobby(lobby));
                let request = NetworkRequest::Lobby { server: link };
                effects.push(Effect::Network { session, request });
            }
        }
    }

    /// The start of a game as a form describes it, or the message why that is impossible.
    fn start_of(&self, form: &Form) -> Result<Start, String> {
        let (lang, time) = (self.lang(), chosen_time(form, self.lang())?);
        let start = if form.title == Screen::Computer {
            let level = u8::try_from(form.chosen_index(Screen::Level) + 1).unwrap_or(10);
            let side =
                if form.chosen_index(Screen::YourSide) == 0 { Color::Black } else { Color::White };
            let resigns = form.chosen_index(Screen::LostGame) == 1;
            let name = name_or_unnamed(form.typed_text(Screen::YourName));
            against_computer(Computer { side, level, resigns }, &name, time, lang)
        } else {
            let white = name_or_unnamed(form.typed_text(Screen::WhiteName));
            let black = name_or_unnamed(form.typed_text(Screen::BlackName));
            Start {
                names: Sides { white, black },
                time,
                source: Source::Terminal,
                ..Start::between(UNNAMED, UNNAMED)
            }
        };
        let variant = match form.chosen_index(Screen::Variant) {
            0 => Variant::Standard,
            _ => Variant::Chess960,
        };
        let fen = first_position(&form.typed_text(Screen::Setup), variant, lang)?;
        Ok(Start { variant, fen, ..start })
    }
}

/// The FEN of the first position. `text` is a FEN or a Chess960 number; if it is empty, Chess960
/// starts from a random number and standard chess from the usual position (None).
fn first_position(text: &str, variant: Variant, lang: Lang) -> Result<Option<String>, String> {
    let numbered = |number| {
        let position = Position::chess960(number).map(|position| position.fen());
        position.map(Some).ok_or_else(|| lang.screen(Screen::NoSuchNumber).to_owned())
    };
    match (variant, text) {
        (Variant::Standard, "") => Ok(None),
        (Variant::Chess960, "") => {
            let id = GameId::random().map_err(|error| hansu_journal::log_error(error, lang))?;
            let mix = |sum: u64, byte: u8| sum.wrapping_mul(257).wrapping_add(u64::from(byte));
            let number = id.as_str().bytes().fold(0, mix) % 960;
            numbered(u16::try_from(number).unwrap_or(518))
        }
        (variant, text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            let number = text.parse().ok().filter(|_| variant == Variant::Chess960);
            numbered(number.unwrap_or(u16::MAX))
        }
        (variant, fen) => match Position::from_fen(fen, variant) {
            Ok(position) => Ok(Some(position.fen())),
            Err(error) => Err(lang.fen_error(error)),
        },
    }
}
