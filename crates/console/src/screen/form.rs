//! A form of buttons, choices and text fields: the menu, the options of a new game, the settings.

use hansu_words::{Lang, Screen};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

use super::canvas::{Canvas, TextStyle, padded, width, wrapped};

/// The longest text of a field, in characters: enough for a link.
const LONGEST: usize = 200;

/// The content of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    Button,
    Choice { options: Vec<String>, at: usize },
    Text(String),
}

/// A row of a form, named by its phrase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) phrase: Screen,
    pub(crate) field: Field,
    /// Shown in an empty text field.
    hint: Option<Screen>,
}

/// A form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    pub(crate) title: Screen,
    pub(crate) rows: Vec<Row>,
    pub(crate) at: usize,
    /// An error message, or empty.
    pub(crate) note: String,
}

/// What follows after a key or a click.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FormAction {
    Nothing,
    Pressed(Screen),
    Changed(Screen),
    Back,
}

impl Form {
    pub(crate) fn new(title: Screen) -> Form {
        Form { title, rows: Vec::new(), at: 0, note: String::new() }
    }

    pub(crate) fn button(mut self, phrase: Screen) -> Form {
        self.rows.push(Row { phrase, field: Field::Button, hint: None });
        self
    }

    pub(crate) fn choice(mut self, phrase: Screen, options: Vec<String>, at: usize) -> Form {
        let at = at.min(options.len().saturating_sub(1));
        self.rows.push(Row { phrase, field: Field::Choice { options, at }, hint: None });
        self
    }

    pub(crate) fn text(mut self, phrase: Screen, text: &str) -> Form {
        self.rows.push(Row { phrase, field: Field::Text(text.to_owned()), hint: None });
        self
    }

    /// Adds an empty text field with a hint.
    pub(crate) fn text_with_hint(mut self, phrase: Screen, hint: Screen) -> Form {
        let field = Field::Text(String::new());
        self.rows.push(Row { phrase, field, hint: Some(hint) });
        self
    }

    fn field(&self, phrase: Screen) -> Option<&Field> {
        self.rows.iter().find(|row| row.phrase == phrase).map(|row| &row.field)
    }

    /// The index of the chosen option of a row.
    pub(crate) fn chosen_index(&self, phrase: Screen) -> usize {
        match self.field(phrase) {
            Some(Field::Choice { at, .. }) => *at,
            _ => 0,
        }
    }

    /// The trimmed text of a row.
    pub(crate) fn typed_text(&self, phrase: Screen) -> String {
        match self.field(phrase) {
            Some(Field::Text(text)) => text.trim().to_owned(),
            _ => String::new(),
        }
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> FormAction {
        let count = self.rows.len().max(1);
        let is_text = matches!(self.rows.get(self.at), Some(Row { field: Field::Text(_), .. }));
        let is_plain = !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let code = match key.code {
            KeyCode::Char(c) if !is_text => KeyCode::Char(super::controls::latin(c)),
            other => other,
        };
        match code {
            KeyCode::Esc => return FormAction::Back,
            KeyCode::Char('q') if !is_text && is_plain => return FormAction::Back,
            KeyCode::Up | KeyCode::BackTab => self.at = (self.at + count - 1) % count,
            KeyCode::Char('k') if !is_text => self.at = (self.at + count - 1) % count,
            KeyCode::Down | KeyCode::Tab => self.at = (self.at + 1) % count,
            KeyCode::Char('j') if !is_text => self.at = (self.at + 1) % count,
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = count - 1,
            KeyCode::Left => return self.change(-1),
            KeyCode::Char('h') if !is_text => return self.change(-1),
            KeyCode::Right => return self.change(1),
            KeyCode::Char('l') if !is_text => return self.change(1),
            KeyCode::Enter => return self.press(),
            KeyCode::Char(' ') if !is_text => return self.press(),
            KeyCode::Backspace => {
                if let Some(Row { field: Field::Text(text), .. }) = self.rows.get_mut(self.at) {
                    text.pop();
                }
            }
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                if let Some(Row { field: Field::Text(text), .. }) = self.rows.get_mut(self.at) {
                    text.clear();
                }
            }
            KeyCode::Char(c) if is_plain && !c.is_control() => {
                if let Some(Row { field: Field::Text(text), .. }) = self.rows.get_mut(self.at)
                    && text.chars().count() < LONGEST
                {
                    text.push(c);
                }
            }
            _ => {}
        }
        FormAction::Nothing
    }

    /// Inserts pasted text.
    pub(crate) fn paste(&mut self, pasted: &str) {
        if let Some(Row { field: Field::Text(text), .. }) = self.rows.get_mut(self.at) {
            let room = LONGEST.saturating_sub(text.chars().count());
            text.extend(pasted.chars().filter(|c| !c.is_control()).take(room));
        }
    }

    fn press(&mut self) -> FormAction {
        match self.rows.get(self.at) {
            Some(Row { phrase, field: Field::Button, .. }) => FormAction::Pressed(*phrase),
            Some(Row { field: Field::Choice { .. }, .. }) => self.change(1),
            // Enter in a text field goes to the next row.
            _ => {
                self.at = (self.at + 1) % self.rows.len().max(1);
                FormAction::Nothing
            }
        }
    }

    fn change(&mut self, by: isize) -> FormAction {
        let Some(Row { phrase, field: Field::Choice { options, at }, .. }) =
            self.rows.get_mut(self.at)
        else {
            return FormAction::Nothing;
        };
        let count = options.len().max(1);
        *at = if by < 0 { (*at + count - 1) % count } else { (*at + 1) % count };
        FormAction::Changed(*phrase)
    }

    pub(crate) fn mouse(&mut self, mouse: MouseEvent, area: Rect) -> FormAction {
        let first = Form::first_row(area);
        let row = usize::from(mouse.row.saturating_sub(first));
        let is_row = mouse.row >= first && row < self.rows.len();
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) if is_row => {
                self.at = row;
                self.press()
            }
            MouseEventKind::ScrollUp => {
                self.at = self.at.saturating_sub(1);
                FormAction::Nothing
            }
            MouseEventKind::ScrollDown => {
                self.at = (self.at + 1).min(self.rows.len().saturating_sub(1));
                FormAction::Nothing
            }
            _ => FormAction::Nothing,
        }
    }

    fn first_row(area: Rect) -> u16 {
        area.y + 3
    }

    /// Draws the form. Returns the position of the terminal's cursor in a text field.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, lang: Lang) -> Option<(u16, u16)> {
        let area = canvas.area();
        canvas.text(area, area.x + 2, area.y + 1, lang.screen(self.title), TextStyle::Accent);
        let labels = self.rows.iter().filter(|row| row.field != Field::Button);
        let label = labels.map(|row| width(lang.screen(row.phrase))).max().unwrap_or(0) + 2;
        let mut cursor = None;
        for ((at, row), y) in self.rows.iter().enumerate().zip(Form::first_row(area)..) {
            let (is_at, name) = (at == self.at, lang.screen(row.phrase));
            let sign = if is_at { "▸ " } else { "  " };
            let x = canvas.text(area, area.x + 2, y, sign, TextStyle::Accent);
            match &row.field {
                Field::Button => {
                    let style = if is_at { TextStyle::Chosen } else { TextStyle::Plain };
                    canvas.text(area, x, y, &format!(" {name} "), style);
                }
                Field::Choice { options, at } => {
                    let x = canvas.text(area, x, y, &padded(name, label), TextStyle::Plain);
                    let option = options.get(*at).map_or("", String::as_str);
                    let style = if is_at { TextStyle::Chosen } else { TextStyle::Plain };
                    canvas.text(area, x, y, &format!("< {option} >"), style);
                }
                Field::Text(text) => {
                    let x = canvas.text(area, x, y, &padded(name, label), TextStyle::Plain);
                    let places = usize::from(area.right().saturating_sub(x + 2));
                    let mut shown = text.clone();
                    while width(&shown) > places && !shown.is_empty() {
                        shown.remove(0);
                    }
                    let end = canvas.text(area, x, y, &shown, TextStyle::Plain);
                    if is_at {
                        cursor = Some((end.min(area.right().saturating_sub(1)), y));
                    }
                    if shown.is_empty() && (!is_at || row.hint.is_some()) {
                        let hint = row.hint.map_or("–", |hint| lang.screen(hint));
                        canvas.text(area, x, y, hint, TextStyle::Muted);
                    }
                }
            }
        }
        let lines = wrapped(&self.note, usize::from(area.width.saturating_sub(4)));
        let below = Form::first_row(area) + u16::try_from(self.rows.len()).unwrap_or(0) + 1;
        for (line, y) in lines.iter().zip(below..area.bottom().saturating_sub(1)) {
            canvas.text(area, area.x + 2, y, line, TextStyle::Alarm);
        }
        let keys = lang.screen(Screen::KeysForm);
        canvas.text(area, area.x + 2, area.bottom().saturating_sub(1), keys, TextStyle::Muted);
        cursor
    }
}
