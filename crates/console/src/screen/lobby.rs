//! The lobby of a server: players who seek a game, and games to watch.

use hansu_play::TimeControl;
use hansu_protocol::{
    Choice, Kind, Language, LiveGame, LobbyMessage, LobbyNews, OpenSeek, Seek, VERSION,
};
use hansu_words::{Lang, Screen};
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};

use super::canvas::{Canvas, TextStyle, fitted, padded};
use super::controls::latin;

/// The page of the lobby, with the last list of the server.
pub(crate) struct Lobby {
    pub(crate) session: u64,
    pub(crate) server: String,
    name: String,
    time: TimeControl,
    variant: Kind,
    seeks: Vec<OpenSeek>,
    games: Vec<LiveGame>,
    at: usize,
    last_id: u64,
    is_seeking: bool,
    is_up: bool,
    note: String,
}

/// What follows after a key, a click or a message.
pub(crate) enum LobbyAction {
    Nothing,
    Back,
    Say(LobbyMessage),
    /// A game to play or watch.
    Go(String),
}

impl Lobby {
    pub(crate) fn new(
        session: u64,
        server: String,
        name: String,
        time: TimeControl,
        variant: Kind,
    ) -> Lobby {
        Lobby {
            session,
            server,
            name,
            time,
            variant,
            seeks: Vec::new(),
            games: Vec::new(),
            at: 0,
            last_id: 0,
            is_seeking: false,
            is_up: false,
            note: String::new(),
        }
    }

    pub(crate) fn hello(&mut self, lang: Lang) -> LobbyMessage {
        self.is_up = true;
        self.is_seeking = false;
        let lang = match lang {
            Lang::Ko => Language::Ko,
            Lang::En => Language::En,
        };
        LobbyMessage::Hello { v: VERSION, lang }
    }

    pub(crate) fn set_disconnected(&mut self) {
        self.is_up = false;
    }

    pub(crate) fn complain(&mut self, text: &str) {
        self.note = text.to_owned();
    }

    pub(crate) fn handle(&mut self, news: LobbyNews) -> LobbyAction {
        match news {
            LobbyNews::Lobby { seeks, games, .. } => {
                (self.seeks, self.games) = (seeks, games);
                self.at = self.at.min(self.rows().saturating_sub(1));
            }
            LobbyNews::Refused { refusal, .. } => {
                self.is_seeking = false;
                self.note = refusal.text;
            }
            LobbyNews::Paired { game, .. } => return LobbyAction::Go(game),
            LobbyNews::Ack { .. } | LobbyNews::Beat { .. } | LobbyNews::Bye { .. } => {}
        }
        LobbyAction::Nothing
    }

    fn rows(&self) -> usize {
        self.seeks.len() + self.games.len()
    }

    fn next_id(&mut self) -> String {
        self.last_id += 1;
        format!("board-{}", self.last_id)
    }

    fn open(&mut self) -> LobbyAction {
        if let Some(seek) = self.seeks.get(self.at) {
            let seek = seek.id.clone();
            return LobbyAction::Say(LobbyMessage::Take {
                id: self.next_id(),
                seek,
                name: self.name.clone(),
            });
        }
        let game = self.games.get(self.at.saturating_sub(self.seeks.len()));
        game.map_or(LobbyAction::Nothing, |game| LobbyAction::Go(game.id.clone()))
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> LobbyAction {
        self.note.clear();
        let last = self.rows().saturating_sub(1);
        match key.code {
            KeyCode::Esc => return LobbyAction::Back,
            KeyCode::Up => self.at = self.at.saturating_sub(1),
            KeyCode::Down => self.at = (self.at + 1).min(last),
            KeyCode::Enter if self.is_up => return self.open(),
            KeyCode::Char(c) => match latin(c) {
                'q' => return LobbyAction::Back,
                'k' => self.at = self.at.saturating_sub(1),
                'j' => self.at = (self.at + 1).min(last),
                's' if self.is_up => {
                    self.is_seeking = !self.is_seeking;
                    let id = self.next_id();
                    if !self.is_seeking {
                        return LobbyAction::Say(LobbyMessage::Cancel { id });
                    }
                    let seek = Seek {
                        name: self.name.clone(),
                        time: self.time.clone(),
                        color: Choice::Any,
                        variant: self.variant,
                    };
                    return LobbyAction::Say(LobbyMessage::Seek { id, seek });
                }
                _ => {}
            },
            _ => {}
        }
        LobbyAction::Nothing
    }

    pub(crate) fn mouse(&mut self, mouse: MouseEvent) -> LobbyAction {
        let row = usize::from(mouse.row.saturating_sub(4));
        let is_click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if is_click && mouse.row >= 4 && row < self.rows() && self.is_up {
            self.at = row;
            return self.open();
        }
        LobbyAction::Nothing
    }

    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, lang: Lang) {
        let area = canvas.area();
        let word = |phrase| lang.screen(phrase);
        let x = canvas.text(area, area.x + 2, area.y + 1, word(Screen::Lobby), TextStyle::Accent);
        canvas.text(area, x + 2, area.y + 1, &self.server, TextStyle::Muted);
        let status = match (self.is_up, self.is_seeking, self.rows()) {
            _ if !self.note.is_empty() => self.note.as_str(),
            (false, _, _) => word(Screen::Connecting),
            (_, true, _) => word(Screen::Seeking),
            (_, _, 0) => word(Screen::NobodyHere),
            _ => "",
        };
        canvas.text(area, area.x + 2, area.y + 2, status, TextStyle::Plain);
        let places = usize::from(area.width.saturating_sub(4));
        let seeks = self.seeks.iter().map(|open| {
            let time = open.seek.time.pgn().unwrap_or_default();
            let name = fitted(&open.seek.name, 24);
            format!("{}  {}  {time}", padded(word(Screen::Seeks), 20), padded(&name, 24))
        });
        let games = self.games.iter().map(|game| {
            let names = format!("{} – {}", game.names.white, game.names.black);
            format!(
                "{}  {}  {}",
                padded(word(Screen::LiveGames), 20),
                padded(&names, 24),
                game.plies
            )
        });
        let bottom = area.bottom().saturating_sub(2);
        for ((at, line), y) in seeks.chain(games).enumerate().zip(area.y + 4..bottom) {
            let style = if at == self.at { TextStyle::Chosen } else { TextStyle::Plain };
            canvas.text(area, area.x + 2, y, &padded(&line, places), style);
        }
        let keys = word(Screen::KeysLobby);
        canvas.text(area, area.x + 2, area.bottom().saturating_sub(1), keys, TextStyle::Muted);
    }
}
