//! Games of the log: a list with search, and the messages that describe a game.

use hansu_chess::{Game, Position};
use hansu_journal::{load, log_error};
use hansu_play::{Millis, Phase, Sides, Source, Start, State};
use hansu_protocol::{self as wire, ServerMessage, VERSION};
use hansu_records::{GameId, Record, Store};
use hansu_words::{Lang, Screen};
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};

use super::canvas::{Canvas, TextStyle, fitted, padded, width};
use super::controls::latin;

/// The list of games.
#[derive(Default)]
pub(crate) struct Past {
    games: Vec<Record>,
    /// False until the first answer of the log.
    is_known: bool,
    at: usize,
    search: String,
    is_searching: bool,
    note: String,
}

/// What follows after a key or a click.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PastAction {
    Nothing,
    Back,
    /// The search text has changed.
    Search,
    /// Open a game to replay or resume it.
    Open(GameId),
}

impl Past {
    /// The search text.
    pub(crate) fn search(&self) -> &str {
        &self.search
    }

    pub(crate) fn complain(&mut self, text: &str) {
        self.note = text.to_owned();
    }

    /// Shows the answer of the log.
    pub(crate) fn show_games(&mut self, games: Result<Vec<Record>, String>) {
        self.is_known = true;
        match games {
            Ok(games) => {
                self.games = games;
                self.note.clear();
            }
            Err(why) => self.note = why,
        }
        self.at = self.at.min(self.games.len().saturating_sub(1));
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> PastAction {
        if self.is_searching {
            match key.code {
                KeyCode::Esc => {
                    self.is_searching = false;
                    self.search.clear();
                }
                KeyCode::Enter => {
                    self.is_searching = false;
                    return PastAction::Nothing;
                }
                KeyCode::Backspace => {
                    self.search.pop();
                }
                KeyCode::Char(c) if !c.is_control() && self.search.chars().count() < 60 => {
                    self.search.push(c);
                }
                _ => return PastAction::Nothing,
            }
            return PastAction::Search;
        }
        let last = self.games.len().saturating_sub(1);
        match key.code {
            KeyCode::Esc => return PastAction::Back,
            KeyCode::Up => self.at = self.at.saturating_sub(1),
            KeyCode::Down => self.at = (self.at + 1).min(last),
            KeyCode::PageUp => self.at = self.at.saturating_sub(10),
            KeyCode::PageDown => self.at = (self.at + 10).min(last),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = last,
            KeyCode::Enter => return self.open(),
            KeyCode::Char(c) => match latin(c) {
                'q' => return PastAction::Back,
                'k' => self.at = self.at.saturating_sub(1),
                'j' => self.at = (self.at + 1).min(last),
                '/' => self.is_searching = true,
                _ => {}
            },
            _ => {}
        }
        PastAction::Nothing
    }

    pub(crate) fn mouse(&mut self, mouse: MouseEvent, height: u16) -> PastAction {
        let last = self.games.len().saturating_sub(1);
        match mouse.kind {
            MouseEventKind::ScrollUp => self.at = self.at.saturating_sub(1),
            MouseEventKind::ScrollDown => self.at = (self.at + 1).min(last),
            MouseEventKind::Down(MouseButton::Left) if mouse.row >= 3 => {
                let row = self.top(height) + usize::from(mouse.row - 3);
                if row < self.games.len() && mouse.row + 1 < height {
                    self.at = row;
                    return self.open();
                }
            }
            _ => {}
        }
        PastAction::Nothing
    }

    fn open(&self) -> PastAction {
        self.games.get(self.at).map_or(PastAction::Nothing, |record| PastAction::Open(record.id))
    }

    fn top(&self, height: u16) -> usize {
        let rows = usize::from(height.saturating_sub(5)).max(1);
        self.at.saturating_sub(rows / 2).min(self.games.len().saturating_sub(rows))
    }

    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, lang: Lang) -> Option<(u16, u16)> {
        let area = canvas.area();
        let x = canvas.text(
            area,
            area.x + 2,
            area.y + 1,
            lang.screen(Screen::PastGames),
            TextStyle::Accent,
        );
        let mut cursor = None;
        if self.is_searching || !self.search.is_empty() {
            let label = format!("  {}: ", lang.screen(Screen::Search));
            let x = canvas.text(area, x, area.y + 1, &label, TextStyle::Plain);
            let x = canvas.text(area, x, area.y + 1, &self.search, TextStyle::Bold);
            cursor = self.is_searching.then_some((x, area.y + 1));
        }
        let rows = usize::from(area.height.saturating_sub(5)).max(1);
        let places = usize::from(area.width.saturating_sub(4));
        // A narrow window leaves out the year and the number of moves.
        let is_wide = area.width >= 60;
        let names = places.saturating_sub(if is_wide { 29 } else { 19 }) / 2;
        for (at, y) in (self.top(area.height)..self.games.len()).take(rows).zip(area.y + 3..) {
            let game = &self.games[at].summary;
            let date = game.date().replace('.', "-");
            let date = if is_wide { &date } else { date.get(5..).unwrap_or_default() };
            let (white, black) = (padded(&game.white, names), padded(&game.black, names));
            let mut line = format!("{date}  {white} – {black}  {:>7}", game.score.to_string());
            if is_wide {
                line.push_str(&format!("  {:>3}", game.plies()));
            }
            let style = if at == self.at { TextStyle::Chosen } else { TextStyle::Plain };
            canvas.text(area, area.x + 2, y, &padded(&line, places), style);
        }
        if self.games.is_empty() {
            let phrase = match (self.is_known, self.search.is_empty()) {
                (false, _) => Screen::Reading,
                (true, true) => Screen::NoGames,
                (true, false) => Screen::NoneFound,
            };
            let mut below = area;
            below.x += 2;
            below.y += 3;
            below.width = below.width.saturating_sub(4);
            below.height = below.height.saturating_sub(5);
            canvas.paragraph(below, lang.screen(phrase), TextStyle::Plain);
        }
        let bottom = area.bottom().saturating_sub(1);
        let note = fitted(&self.note, usize::from(area.width.saturating_sub(4)));
        canvas.text(area, area.x + 2, bottom.saturating_sub(1), &note, TextStyle::Alarm);
        canvas.text(area, area.x + 2, bottom, lang.screen(Screen::KeysList), TextStyle::Muted);
        cursor.filter(|_| width(&self.search) < usize::from(area.width))
    }
}

/// The messages with which a server would describe a game of the log.
pub(crate) fn game_messages(
    store: &dyn Store,
    id: GameId,
    lang: Lang,
    now: Millis,
) -> Result<Vec<ServerMessage>, String> {
    let unreadable = || crate::resume_error_text(crate::ResumeError::Unreadable, lang);
    let failed = |error| log_error(error, lang);
    let record = store.record(id).map_err(failed)?.ok_or_else(unreadable)?;
    let entries = load(store, id).unwrap_or_default();
    let snapshot = match State::replay(&entries) {
        Ok(state) if state.phase() != Phase::New => {
            let start = state.start().cloned().unwrap_or_else(|| Start::between("", ""));
            let mut whole =
                hansu_view::snapshot(&state, &start, Vec::new(), wire::Visibility::Private);
            whole.plies = hansu_view::plies(&state, 0).collect();
            whole
        }
        // An imported game has no events.
        _ => imported_snapshot(&record).ok_or_else(unreadable)?,
    };
    let welcome = ServerMessage::Welcome {
        v: VERSION,
        game: id.to_string(),
        seat: None,
        seq: snapshot.seq,
        now,
    };
    Ok(vec![welcome, ServerMessage::Snapshot(Box::new(snapshot))])
}

fn imported_snapshot(record: &Record) -> Option<wire::Snapshot> {
    let summary = &record.summary;
    let first: Position = summary.start().ok()?;
    let mut game = Game::from_position(first, summary.variant);
    let mut plies = Vec::new();
    summary
        .moves
        .replay(first, usize::MAX, |step, after| {
            let san = game.position().san(step).to_string();
            let uci = step.uci(summary.variant);
            let _ = game.play(uci.from, uci.to, uci.promotion);
            let board = hansu_view::board(after);
            plies.push(wire::Ply { uci: uci.to_string(), san, board, clocks: None });
        })
        .ok()?;
    let names = Sides { white: summary.white.clone(), black: summary.black.clone() };
    let start = Start {
        names,
        variant: summary.variant,
        fen: summary.start_fen.clone(),
        source: Source::Terminal,
        ..Start::between("", "")
    };
    let mut snapshot = hansu_view::waiting(start, wire::Visibility::Private);
    snapshot.phase = wire::Phase::Ended;
    snapshot.seq = 1;
    snapshot.plies = plies;
    Some(snapshot)
}
