//! The full-screen board, driven by keys and clicks and checked as characters.

mod colours;
mod games;
mod keys;
mod menu;
mod saving;
mod server;
mod snapshots;
mod wishes;

use std::sync::Arc;

use hansu_console::Depth;
use hansu_console::screen::{App, Effect, Input, Settings, Terminal};
use hansu_play::Millis;
use hansu_records::{SqliteStore, Store};
use hansu_words::Lang;
use ratatui::Terminal as Screen;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// A program, its screen and its clock.
struct Stage {
    app: App,
    screen: Screen<TestBackend>,
    now: Millis,
    effects: Vec<Effect>,
    lang: Lang,
    log: Option<Arc<dyn Store>>,
    /// True if requests to the log are answered at once.
    is_log_quick: bool,
}

const COLOURS: Terminal = Terminal { depth: Depth::True, is_unicode: true };
const BARE: Terminal = Terminal { depth: Depth::None, is_unicode: true };

impl Stage {
    fn new(lang: Lang, terminal: Terminal, (width, height): (u16, u16)) -> Stage {
        Stage::with_log(lang, terminal, (width, height), None)
    }

    fn with_log(
        lang: Lang,
        terminal: Terminal,
        (width, height): (u16, u16),
        log: Option<Arc<dyn Store>>,
    ) -> Stage {
        let mut app = App::new(Settings::new(lang), terminal, log.clone(), "test");
        app.resize(width, height);
        let screen = Screen::new(TestBackend::new(width, height)).expect("a screen");
        let (now, effects) = (hansu_journal::now(), Vec::new());
        Stage { app, screen, now, effects, lang, log, is_log_quick: true }
    }

    fn input(&mut self, input: Input) {
        self.now = self.now.plus(Millis(1));
        let effects = self.app.input(input, self.now);
        self.effects.extend(effects);
        if self.is_log_quick {
            self.answer_log();
        }
    }

    /// Answers a request as the thread for the log does.
    fn answer_log(&mut self) {
        while let Some(at) = self.effects.iter().position(|e| matches!(e, Effect::Log(_))) {
            let Effect::Log(request) = self.effects.remove(at) else { return };
            let answer = request.answer(self.log.as_deref(), self.lang, self.now);
            self.input(Input::Log(answer));
        }
    }

    fn key(&mut self, code: KeyCode) {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        self.input(Input::Terminal(Event::Key(key)));
    }

    fn keys(&mut self, codes: &[KeyCode]) {
        for code in codes {
            self.key(*code);
        }
    }

    /// Types moves after a colon.
    fn play(&mut self, moves: &[&str]) {
        for text in moves {
            self.key(KeyCode::Char(':'));
            for c in text.chars() {
                self.key(KeyCode::Char(c));
            }
            self.key(KeyCode::Enter);
        }
    }

    /// Types a text as it is.
    fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            self.key(KeyCode::Char(c));
        }
    }

    fn mouse(&mut self, kind: MouseEventKind, (column, row): (u16, u16)) {
        let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.input(Input::Terminal(Event::Mouse(mouse)));
    }

    fn click(&mut self, at: (u16, u16)) {
        self.mouse(MouseEventKind::Down(MouseButton::Left), at);
        self.mouse(MouseEventKind::Up(MouseButton::Left), at);
    }

    fn buffer(&mut self) -> Buffer {
        let (app, now) = (&self.app, self.now);
        // Unlike a terminal, a test backend keeps the old character under the second half of a wide
        // one.
        self.screen.clear().expect("cleared");
        let draw = |frame: &mut ratatui::Frame<'_>| {
            app.draw(frame.buffer_mut(), now);
        };
        self.screen.draw(draw).expect("drawn");
        self.screen.backend().buffer().clone()
    }

    /// The screen as lines without blanks at their ends.
    fn text(&mut self) -> String {
        text(&self.buffer())
    }

    /// Begins a game for two: the first of the menu, and the first of its form.
    fn begin(&mut self) {
        self.keys(&[KeyCode::Enter, KeyCode::Enter]);
    }
}

fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut line = String::new();
        let mut x = buffer.area.left();
        while x < buffer.area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            // A wide character also takes the next column.
            x += u16::try_from(unicode_width::UnicodeWidthStr::width(symbol).max(1))
                .expect("1 or 2");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A log in a temporary folder, which is deleted with the returned guard.
fn log() -> (tempfile::TempDir, Arc<dyn Store>) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(&folder.path().join("games.db")).expect("a log");
    (folder, Arc::new(store))
}
