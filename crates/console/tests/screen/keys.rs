//! Random keys, clicks and sizes: no panic, and no drawing outside the screen.

use hansu_console::screen::{Effect, Input, LogAnswer, LogRequest};
use hansu_play::{Command, Millis};
use hansu_words::Lang;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

use super::*;

/// A small random number generator: the same seed gives the same keys on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).expect("small")]
    }

    fn size(&mut self) -> (u16, u16) {
        let within = |random: &mut Random, most| u16::try_from(random.below(most)).expect("small");
        (within(self, 180), within(self, 70))
    }
}

const CODES: [KeyCode; 15] = [
    KeyCode::Enter,
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Tab,
    KeyCode::BackTab,
    KeyCode::Backspace,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::F(1),
];
const CHARS: &str =
    "abcdefgh12345678NBRQKOox=-+#:/?,.<>hjklvuoryynnmmpqstwxi0/ ㄷㅂ한é\u{301}\u{200d}👩";

fn event(random: &mut Random, chars: &[char]) -> Event {
    match random.below(20) {
        0 => {
            let (width, height) = random.size();
            Event::Resize(width, height)
        }
        1..=6 => Event::Key(KeyEvent::new(random.pick(&CODES), KeyModifiers::NONE)),
        7..=14 => Event::Key(KeyEvent::new(KeyCode::Char(random.pick(chars)), KeyModifiers::NONE)),
        15 => Event::Paste("Nf3\n한글 http://x".to_owned()),
        _ => {
            let kinds = [
                MouseEventKind::Down(MouseButton::Left),
                MouseEventKind::Up(MouseButton::Left),
                MouseEventKind::Drag(MouseButton::Left),
                MouseEventKind::Down(MouseButton::Right),
                MouseEventKind::ScrollUp,
                MouseEventKind::ScrollDown,
            ];
            let (column, row) = random.size();
            let kind = random.pick(&kinds);
            Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
        }
    }
}

/// The number of keys; `make keys` asks for a million.
fn count() -> u64 {
    std::env::var("HANSU_KEYS").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

#[test]
fn random_keys_clicks_and_sizes_do_no_harm() {
    let chars: Vec<char> = CHARS.chars().collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (_folder, log) = log();
    let mut size = (80, 24);
    let mut stage = Stage::with_log(Lang::En, COLOURS, size, Some(log.clone()));
    stage.is_log_quick = false;
    let mut games = 0;
    for number in 0..count() {
        let event = event(&mut random, &chars);
        if let Event::Resize(width, height) = event {
            size = (width, height);
        }
        stage.input(Input::Terminal(event));
        stage.now = stage.now.plus(Millis(random.below(200)));
        let mut is_over = false;
        for effect in std::mem::take(&mut stage.effects) {
            match effect {
                Effect::Quit => is_over = true,
                // The first legal move.
                Effect::Think(thinking) => {
                    games += 1;
                    let game = thinking.state.game();
                    let step = game.position().legal_moves().into_iter().next();
                    let command = step.map(|step| Command::Move { uci: step.uci(game.variant()) });
                    stage.input(Input::Thought { game: thinking.game, seq: thinking.seq, command });
                }
                // Exports are not written: their file names are random.
                Effect::Log(LogRequest::Export { .. }) => {
                    stage.input(Input::Log(LogAnswer::Exported(Err("not saved".to_owned()))));
                }
                Effect::Log(request) => {
                    let answer = request.answer(stage.log.as_deref(), stage.lang, stage.now);
                    stage.input(Input::Log(answer));
                }
                _ => {}
            }
        }
        if number % 7 == 0 {
            stage.input(Input::Tick);
        }
        if is_over {
            let lang = if number % 2 == 0 { Lang::Ko } else { Lang::En };
            // Skip the log in most cases: it takes most of the time.
            let kept = (number % 5 == 0).then(|| log.clone());
            stage = Stage::with_log(lang, random.pick(&[COLOURS, BARE]), (80, 24), kept);
            stage.is_log_quick = false;
            stage.input(Input::Terminal(Event::Resize(size.0, size.1)));
        }
        let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
        let cursor = stage.app.draw(&mut buffer, stage.now);
        if let Some((x, y)) = cursor {
            assert!(x < size.0 && y < size.1, "{x},{y} at {size:?}");
        }
    }
    assert!(games > 0, "no game against the computer was begun");
}
