//! The full-screen program: a stack of pages that takes inputs and returns effects. It reads and
//! writes nothing but the log.

use std::sync::Arc;
use std::time::Duration;

use hansu_journal::log_error;
use hansu_play::{Millis, Start, TimeControl};
use hansu_protocol::{Choice, Kind};
use hansu_records::{GameId, Store};
use hansu_words::{Lang, Screen};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent};
use ratatui::layout::Rect;

use super::canvas::{Canvas, TextStyle};
use super::event::{Effect, Input, NetworkNews, NetworkRequest};
use super::form::Form;
use super::game::{After, GameScreen, GameSource};
use super::layout::{Layout, SMALLEST};
use super::lobby::{Lobby, LobbyAction};
use super::local::{LocalError, LocalGame};
use super::log_request::{LogAnswer, LogRequest};
use super::past::{Past, PastAction};
use super::settings::{Settings, Terminal};
use super::stats::Stats;
use crate::colours::Depth;
use crate::{newest_unfinished, resume_error_text};

/// A page of the program.
pub(super) enum Page {
    Form(Form),
    Game(Box<GameScreen>),
    Past(Past),
    Stats(Stats),
    Lobby(Lobby),
}

/// The full-screen program.
pub struct App {
    pub(super) settings: Settings,
    terminal: Terminal,
    pub(super) log: Option<Arc<dyn Store>>,
    /// The last page is shown; the first is the menu.
    pub(super) pages: Vec<Page>,
    size: Rect,
    /// The number of the newest network session; messages of older ones are dropped.
    pub(super) session: u64,
    /// The number of the newest game in this process.
    last_game: u64,
    /// The address of the last game on a server that was left before its end.
    left_address: Option<String>,
    /// The number of the newest request to the log; answers to older ones are dropped.
    last_request: u64,
    /// The prefix of the command ids of this run.
    mark: String,
}

impl App {
    /// Opens the menu. Without a log no game is stored. The ids of commands begin with `mark`, which
    /// must be different in each run of the program.
    pub fn new(
        settings: Settings,
        terminal: Terminal,
        log: Option<Arc<dyn Store>>,
        mark: &str,
    ) -> App {
        let (size, mark) = (Rect::new(0, 0, 80, 24), mark.to_owned());
        let mut app = App {
            settings,
            terminal,
            log,
            pages: Vec::new(),
            size,
            session: 0,
            last_game: 0,
            left_address: None,
            last_request: 0,
            mark,
        };
        app.pages.push(Page::Form(app.menu()));
        app
    }

    pub(super) fn lang(&self) -> Lang {
        self.settings.lang
    }

    fn depth(&self) -> Depth {
        self.settings.depth.unwrap_or(self.terminal.depth)
    }

    /// Sets the size of the screen, in columns and rows.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = Rect::new(0, 0, width, height);
    }

    /// Opens a link, as the form for servers does.
    pub fn open_link(&mut self, link: &str, name: &str) -> Vec<Effect> {
        let request = NetworkRequest::Open { link: link.to_owned(), name: name.to_owned() };
        self.go_online(request)
    }

    /// Creates a game with an invitation, and waits for the other player.
    pub fn invite(
        &mut self,
        server: &str,
        name: &str,
        color: Choice,
        time: TimeControl,
        variant: Kind,
    ) -> Vec<Effect> {
        let (server, name) = (server.to_owned(), name.to_owned());
        self.go_online(NetworkRequest::Invite { server, name, color, time, variant })
    }

    /// Starts a game in this process.
    pub fn begin(&mut self, start: Start, now: Millis) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.start_local(start, now, &mut effects);
        effects
    }

    fn go_online(&mut self, request: NetworkRequest) -> Vec<Effect> {
        self.session += 1;
        let (session, lang, bell) = (self.session, self.lang(), self.settings.bell);
        let mark = format!("{}{session:x}", self.mark);
        let mut game = GameScreen::server(session, lang, bell, &mark);
        game.name = match &request {
            NetworkRequest::Open { name, .. } | NetworkRequest::Invite { name, .. } => name.clone(),
            _ => self.settings.name.clone(),
        };
        self.pages.push(Page::Game(Box::new(game)));
        vec![Effect::Network { session, request }]
    }

    /// Handles an input that arrived at `now`.
    pub fn input(&mut self, input: Input, now: Millis) -> Vec<Effect> {
        let mut effects = Vec::new();
        match input {
            Input::Terminal(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                self.key(key, now, &mut effects);
            }
            Input::Terminal(Event::Mouse(mouse)) => self.mouse(mouse, now, &mut effects),
            Input::Terminal(Event::Resize(width, height)) => self.resize(width, height),
            Input::Terminal(Event::Paste(text)) => self.paste(&text, now, &mut effects),
            Input::Terminal(_) => {}
            Input::Network { session, news } => self.handle_news(session, news, now, &mut effects),
            Input::Thought { game: number, seq, command } => {
                if let Some(Page::Game(game)) = self.pages.last_mut() {
                    game.handle_thought((number, seq), command, now, &mut effects);
                }
            }
            Input::Log(answer) => self.handle_log_answer(answer, now, &mut effects),
            Input::Tick => {
                if let Some(Page::Game(game)) = self.pages.last_mut() {
                    game.tick(now, &mut effects);
                }
            }
        }
        effects
    }

    /// The address of the last unfinished game on a server, where the player can return to it.
    pub fn unfinished(&self) -> Option<&str> {
        match self.pages.last() {
            Some(Page::Game(game)) => game.address().or(self.left_address.as_deref()),
            _ => self.left_address.as_deref(),
        }
    }

    /// The time until the screen changes without an input; None if it does not.
    pub fn next_tick(&self, now: Millis) -> Option<Duration> {
        match self.pages.last()? {
            Page::Game(game) => game.next_tick(now).map(Duration::from_millis),
            _ => None,
        }
    }

    fn paste(&mut self, text: &str, now: Millis, effects: &mut Vec<Effect>) {
        match self.pages.last_mut() {
            Some(Page::Form(form)) => form.paste(text),
            Some(_) => {
                for c in text.chars().filter(|c| !c.is_control()).take(300) {
                    self.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE), now, effects);
                }
            }
            None => {}
        }
    }

    fn key(&mut self, key: KeyEvent, now: Millis, effects: &mut Vec<Effect>) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if is_control => return effects.push(Effect::Quit),
            KeyCode::Char('z') if is_control => return effects.push(Effect::Suspend),
            _ => {}
        }
        match self.pages.last_mut() {
            Some(Page::Form(form)) => {
                let action = form.key(key);
                self.run_form_action(action, now, effects);
            }
            Some(Page::Game(game)) => {
                let after = game.key(key, now, effects);
                self.after_game(after, now, effects);
            }
            Some(Page::Past(past)) => {
                let action = past.key(key);
                self.run_past_action(action, effects);
            }
            Some(Page::Stats(_)) => {
                if matches!(key.code, KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | 'ㅂ')) {
                    self.back(effects);
                }
            }
            Some(Page::Lobby(lobby)) => {
                let action = lobby.key(key);
                self.run_lobby_action(action, effects);
            }
            None => effects.push(Effect::Quit),
        }
    }

    fn mouse(&mut self, mouse: MouseEvent, now: Millis, effects: &mut Vec<Effect>) {
        let size = self.size;
        match self.pages.last_mut() {
            Some(Page::Form(form)) => {
                let action = form.mouse(mouse, size);
                self.run_form_action(action, now, effects);
            }
            Some(Page::Game(game)) => {
                if let Some(layout) = Layout::new(size) {
                    let after = game.mouse(mouse, &layout, now, effects);
                    self.after_game(after, now, effects);
                }
            }
            Some(Page::Past(past)) => {
                let action = past.mouse(mouse, size.height);
                self.run_past_action(action, effects);
            }
            Some(Page::Lobby(lobby)) => {
                let action = lobby.mouse(mouse);
                self.run_lobby_action(action, effects);
            }
            Some(Page::Stats(_)) | None => {}
        }
    }

    /// Leaves the page on top; leaving the menu leaves the program.
    pub(super) fn back(&mut self, effects: &mut Vec<Effect>) {
        if self.pages.len() <= 1 {
            return effects.push(Effect::Quit);
        }
        let is_online = match self.pages.pop() {
            Some(Page::Game(game)) => {
                let is_server = matches!(game.source, GameSource::Server(_));
                if is_server {
                    self.left_address = game.address().map(str::to_owned);
                }
                is_server
            }
            Some(Page::Lobby(_)) => true,
            _ => false,
        };
        if is_online {
            let session = self.session;
            effects.push(Effect::Network { session, request: NetworkRequest::Close });
            // The game's connection has replaced that of the lobby below.
            if let Some(Page::Lobby(lobby)) = self.pages.last_mut() {
                self.session += 1;
                lobby.session = self.session;
                let request = NetworkRequest::Lobby { server: lobby.server.clone() };
                effects.push(Effect::Network { session: self.session, request });
            }
        }
        if self.pages.len() == 1 {
            let at = match self.pages.last() {
                Some(Page::Form(form)) => form.at,
                _ => 0,
            };
            let mut menu = self.menu();
            menu.at = at.min(menu.rows.len().saturating_sub(1));
            self.pages = vec![Page::Form(menu)];
        }
        self.search(effects);
    }

    /// Shows a message on the current page.
    pub(super) fn show_note(&mut self, text: &str) {
        match self.pages.last_mut() {
            Some(Page::Form(form)) => form.note = text.to_owned(),
            Some(Page::Past(past)) => past.complain(text),
            Some(Page::Lobby(lobby)) => lobby.complain(text),
            Some(Page::Game(game)) => game.complain(text),
            Some(Page::Stats(_)) | None => {}
        }
    }

    pub(super) fn start_local(&mut self, start: Start, now: Millis, effects: &mut Vec<Effect>) {
        let (lang, bell) = (self.lang(), self.settings.bell);
        match LocalGame::start(start, self.log.clone(), lang, now) {
            Ok(game) => {
                self.last_game += 1;
                let screen = GameScreen::local((game, self.last_game), lang, bell, now, effects);
                self.pages.push(Page::Game(Box::new(screen)));
            }
            Err(LocalError::Refused(why)) => {
                let text = lang.play_refusal(why, &hansu_chess::Position::start());
                self.show_note(&text);
            }
            Err(LocalError::Log(error)) => self.show_note(&log_error(error, lang)),
        }
    }

    /// Resumes the newest unfinished game.
    pub(super) fn go_on(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let Some(store) = self.log.clone() else { return };
        match newest_unfinished(store.as_ref()) {
            Ok(id) => self.resume(&store, id, now, effects),
            Err(why) => self.show_note(&resume_error_text(why, self.lang())),
        }
    }

    fn resume(
        &mut self,
        store: &Arc<dyn Store>,
        id: GameId,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let (lang, bell) = (self.lang(), self.settings.bell);
        match LocalGame::resume(store, id.as_str(), lang) {
            Ok(game) => {
                self.last_game += 1;
                let screen = GameScreen::local((game, self.last_game), lang, bell, now, effects);
                self.pages.push(Page::Game(Box::new(screen)));
            }
            Err(why) => self.show_note(&resume_error_text(why, lang)),
        }
    }

    fn after_game(&mut self, after: After, now: Millis, effects: &mut Vec<Effect>) {
        match after {
            After::Stay => {}
            After::Leave => self.back(effects),
            After::Again => {
                let Some(Page::Game(game)) = self.pages.last() else { return };
                let start = game.view.game().start.clone();
                // Against the computer the sides swap; two people at one screen keep theirs.
                let start = if start.computer.is_some() { start.swapped() } else { start };
                self.pages.pop();
                self.start_local(start, now, effects);
            }
        }
    }

    /// Sends a request to the log. Answers to older requests are dropped from now on.
    pub(super) fn ask_log(
        &mut self,
        request: impl FnOnce(u64) -> LogRequest,
        effects: &mut Vec<Effect>,
    ) {
        self.last_request += 1;
        effects.push(Effect::Log(request(self.last_request)));
    }

    /// Reads the list of games again, if it is shown.
    pub(super) fn search(&mut self, effects: &mut Vec<Effect>) {
        if let Some(Page::Past(past)) = self.pages.last() {
            let search = past.search().to_owned();
            self.ask_log(|number| LogRequest::Games { number, search }, effects);
        }
    }

    fn run_past_action(&mut self, action: PastAction, effects: &mut Vec<Effect>) {
        match action {
            PastAction::Nothing => {}
            PastAction::Back => self.back(effects),
            PastAction::Search => self.search(effects),
            PastAction::Open(id) => {
                self.ask_log(|number| LogRequest::Open { number, id }, effects);
            }
        }
    }

    fn handle_log_answer(&mut self, answer: LogAnswer, now: Millis, effects: &mut Vec<Effect>) {
        let lang = self.lang();
        match (self.pages.last_mut(), answer) {
            (_, LogAnswer::Exported(Ok(text) | Err(text))) => self.show_note(&text),
            (Some(Page::Past(past)), LogAnswer::Games { number, games })
                if number == self.last_request =>
            {
                past.show_games(games);
            }
            (Some(Page::Stats(page)), LogAnswer::Stats { number, stats })
                if number == self.last_request =>
            {
                *page = stats.map_or_else(|why| Stats::with_note(&why), |stats| *stats);
            }
            (Some(Page::Past(_)), LogAnswer::GoOn { number, id })
                if number == self.last_request =>
            {
                let Some(store) = self.log.clone() else { return };
                self.resume(&store, id, now, effects);
            }
            (Some(Page::Past(_)), LogAnswer::Show { number, id, messages })
                if number == self.last_request =>
            {
                match messages {
                    Ok(messages) => {
                        let game = GameScreen::past(id, messages, lang, now);
                        self.pages.push(Page::Game(Box::new(game)));
                    }
                    Err(text) => self.show_note(&text),
                }
            }
            _ => {}
        }
    }

    fn run_lobby_action(&mut self, action: LobbyAction, effects: &mut Vec<Effect>) {
        let Some(Page::Lobby(lobby)) = self.pages.last() else { return };
        let session = lobby.session;
        match action {
            LobbyAction::Nothing => {}
            LobbyAction::Back => self.back(effects),
            LobbyAction::Say(message) => {
                let request = NetworkRequest::SendLobby(message);
                effects.push(Effect::Network { session, request });
            }
            LobbyAction::Go(game) => {
                effects.extend(self.go_online(NetworkRequest::Follow { game }));
            }
        }
    }

    fn handle_news(
        &mut self,
        session: u64,
        news: NetworkNews,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        if session != self.session {
            return;
        }
        let lang = self.lang();
        match (self.pages.last_mut(), news) {
            (Some(Page::Game(game)), news) => {
                let GameSource::Server(connection) = &mut game.source else { return };
                match news {
                    NetworkNews::Found(address) => connection.address = Some(address),
                    NetworkNews::Invited(invitation) => connection.invitation = Some(invitation),
                    NetworkNews::Connected => game.send_hello(now, effects),
                    NetworkNews::Message(message) => {
                        game.handle_messages(vec![*message], now, effects);
                        self.follow(effects);
                    }
                    NetworkNews::Broken => game.set_disconnected(),
                    NetworkNews::Failed(text) => {
                        self.back(effects);
                        self.show_note(&text);
                    }
                    NetworkNews::Lobby(_) => {}
                }
            }
            (Some(Page::Lobby(lobby)), news) => match news {
                NetworkNews::Connected => {
                    let request = NetworkRequest::SendLobby(lobby.hello(lang));
                    effects.push(Effect::Network { session, request });
                }
                NetworkNews::Lobby(news) => {
                    let action = lobby.handle(*news);
                    self.run_lobby_action(action, effects);
                }
                NetworkNews::Broken => lobby.set_disconnected(),
                NetworkNews::Failed(text) => {
                    self.back(effects);
                    self.show_note(&text);
                }
                NetworkNews::Found(_) | NetworkNews::Invited(_) | NetworkNews::Message(_) => {}
            },
            _ => {}
        }
    }

    /// Replaces the page of a game by that of its rematch, with a new session and a new view.
    fn follow(&mut self, effects: &mut [Effect]) {
        for effect in effects {
            if let Effect::Network { session, request: NetworkRequest::Follow { .. } } = effect {
                self.session += 1;
                *session = self.session;
                let (lang, bell) = (self.settings.lang, self.settings.bell);
                let mark = format!("{}{:x}", self.mark, self.session);
                let mut next = GameScreen::server(self.session, lang, bell, &mark);
                if let Some(Page::Game(before)) = self.pages.pop() {
                    next.name = before.name;
                }
                self.pages.push(Page::Game(Box::new(next)));
            }
        }
    }

    /// Draws the current page. Returns the position of the terminal's cursor while text is typed.
    pub fn draw(&self, buffer: &mut Buffer, now: Millis) -> Option<(u16, u16)> {
        let (depth, is_unicode) = (self.depth(), self.terminal.is_unicode);
        let mut canvas = Canvas { buffer, depth, is_unicode };
        let (area, lang) = (canvas.area(), self.lang());
        let Some(layout) = Layout::new(area) else {
            let text = lang.screen(Screen::TooSmall);
            canvas.paragraph(
                area,
                &format!("{text} ({}×{})", SMALLEST.0, SMALLEST.1),
                TextStyle::Bold,
            );
            return None;
        };
        let cursor = match self.pages.last() {
            Some(Page::Form(form)) => form.draw(&mut canvas, lang),
            Some(Page::Game(game)) => game.draw(&mut canvas, &layout, self.settings.pieces, now),
            Some(Page::Past(past)) => past.draw(&mut canvas, lang),
            Some(Page::Stats(stats)) => {
                stats.draw(&mut canvas, lang);
                None
            }
            Some(Page::Lobby(lobby)) => {
                lobby.draw(&mut canvas, lang);
                None
            }
            None => None,
        };
        // The cursor stays inside the screen.
        cursor.map(|(x, y)| {
            (x.min(area.right().saturating_sub(1)), y.min(area.bottom().saturating_sub(1)))
        })
    }
}
