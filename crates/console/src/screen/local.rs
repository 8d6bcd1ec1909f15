//! A game in this process: each command is written to the log before its result is shown.

use std::sync::Arc;

use hansu_journal::log_error;
use hansu_play::{Actor, Command, Millis, Offer, Phase, Refusal, Start, State};
use hansu_protocol::{self as wire, ClientMessage, Language, ServerMessage, VERSION};
use hansu_records::{Error, GameId, Store};
use hansu_view::{Host, HostOutput};
use hansu_words::{Lang, Screen};

use super::event::{Question, ThinkRequest};
use crate::kept_game::{GameWriter, WriteError};
use crate::{KeptGame, ResumeError};

/// A game in this process, for two people or against the computer.
pub(crate) struct LocalGame {
    host: Host,
    writer: GameWriter,
    lang: Lang,
}

impl LocalGame {
    /// Starts a new game. Without a log it is not stored.
    pub(crate) fn start(
        start: Start,
        log: Option<Arc<dyn Store>>,
        lang: Lang,
        now: Millis,
    ) -> Result<LocalGame, LocalError> {
        let log = log.map(|store| GameId::random().map(|id| (store, id))).transpose()?;
        let actor = start.people();
        let name = log.as_ref().map_or_else(|| "local".to_owned(), |(_, id)| id.to_string());
        let (host, entries) = Host::start(&name, start, actor, now).map_err(LocalError::Refused)?;
        Ok(LocalGame { host, writer: GameWriter::new(entries, log), lang })
    }

    /// Resumes an unfinished game of the log.
    pub(crate) fn resume(
        store: &Arc<dyn Store>,
        name: &str,
        lang: Lang,
    ) -> Result<LocalGame, ResumeError> {
        let game = KeptGame::resume(store.clone(), name)?;
        let actor = game.state().start().map_or(Actor::Both, Start::people);
        let writer = game.into_writer();
        let mut state = State::default();
        let entries = writer.read_new(&mut state)?;
        let host = Host::resume(name, &entries, actor).map_err(|_| ResumeError::Unreadable)?;
        Ok(LocalGame { host, writer, lang })
    }

    pub(crate) fn state(&self) -> &State {
        self.host.state()
    }

    /// The id of the game in the log; None before its first move.
    pub(crate) fn kept_id(&self) -> Option<GameId> {
        self.writer.id().filter(|_| !self.state().game().moves().is_empty())
    }

    /// The messages to a client that does not know the game.
    pub(crate) fn hello_messages(&mut self, now: Millis) -> Vec<ServerMessage> {
        self.host.disconnect();
        let lang = match self.lang {
            Lang::Ko => Language::Ko,
            Lang::En => Language::En,
        };
        let hello = ClientMessage::Hello { v: VERSION, seq: 0, lang };
        self.host.hear(hello, now, || None).map(|output| output.messages).unwrap_or_default()
    }

    /// Handles a message of the screen. A command that cannot be written to the log has no effect.
    pub(crate) fn handle(&mut self, message: ClientMessage, now: Millis) -> Vec<ServerMessage> {
        let id = match &message {
            ClientMessage::Command { id, .. } => Some(id.clone()),
            _ => None,
        };
        if id.is_some()
            && let Some(messages) = self.reload_if_changed(id.as_deref(), now)
        {
            return messages;
        }
        let before = self.host.clone();
        let Ok(output) = self.host.hear(message, now, || None) else { return Vec::new() };
        let mut messages = self.save(before, output, id.as_deref(), now);
        messages.extend(self.accept_takeback(now));
        messages
    }

    /// Executes a command of the computer.
    pub(crate) fn run_computer_command(
        &mut self,
        command: &Command,
        now: Millis,
    ) -> Vec<ServerMessage> {
        let Some(computer) = self.state().start().and_then(|start| start.computer) else {
            return Vec::new();
        };
        let before = self.host.clone();
        match self.host.act_as(Actor::seat(computer.side), command, now) {
            Ok(output) => self.save(before, output, None, now),
            Err(_) => Vec::new(),
        }
    }

    /// Lets a flag fall if its time is up.
    pub(crate) fn tick(&mut self, now: Millis) -> Vec<ServerMessage> {
        let before = self.host.clone();
        let output = self.host.tick(now);
        if output.entries.is_empty() {
            return Vec::new();
        }
        self.save(before, output, None, now)
    }

    /// The question that the computer must answer now; None if there is none.
    pub(crate) fn question(&self) -> Option<ThinkRequest> {
        let state = self.state();
        let computer = state.start()?.computer?;
        if state.phase() != Phase::Playing {
            return None;
        }
        let question = match state.offered(Offer::Draw) {
            Some(by) if by != computer.side => Question::Draw,
            _ if state.turn() == computer.side => Question::Move,
            _ => return None,
        };
        let (seq, level) = (state.seq(), computer.level);
        Some(ThinkRequest { game: 0, seq, question, state: state.clone(), level })
    }

    /// Accepts an offered takeback for the computer, which always agrees.
    fn accept_takeback(&mut self, now: Millis) -> Vec<ServerMessage> {
        let side = self.state().start().and_then(|start| start.computer).map(|own| own.side);
        match (self.state().offered(Offer::Takeback), side) {
            (Some(by), Some(side)) if by != side => self
                .run_computer_command(&Command::Accept { what: Offer::Takeback, next: None }, now),
            _ => Vec::new(),
        }
    }

    /// Writes the new entries to the log. If that fails, restores `before` and returns a refusal.
    fn save(
        &mut self,
        before: Host,
        output: HostOutput,
        id: Option<&str>,
        now: Millis,
    ) -> Vec<ServerMessage> {
        if output.entries.is_empty() {
            return output.messages;
        }
        match self.writer.write(&output.entries, self.host.state()) {
            Ok(()) => output.messages,
            Err(WriteError::Conflict(error)) => {
                self.host = before;
                self.reload_if_changed(id, now).unwrap_or_else(|| self.not_saved(error, id))
            }
            Err(WriteError::Failed(error)) => {
                self.host = before;
                self.not_saved(error, id)
            }
        }
    }

    fn not_saved(&self, error: Error, id: Option<&str>) -> Vec<ServerMessage> {
        let why = log_error(error, self.lang);
        let text = format!("{} {why}", self.lang.screen(Screen::NotKept));
        vec![self.refusal_message(id, "not_kept", text)]
    }

    fn refusal_message(&self, id: Option<&str>, code: &str, text: String) -> ServerMessage {
        let refusal =
            wire::Refusal { code: code.to_owned(), squares: Vec::new(), by: Vec::new(), text };
        let (id, seq) = (id.unwrap_or_default().to_owned(), self.state().seq());
        ServerMessage::Refused { id, seq, refusal }
    }

    /// Reloads the game if another program has changed it, and returns the messages that show it.
    fn reload_if_changed(&mut self, id: Option<&str>, now: Millis) -> Option<Vec<ServerMessage>> {
        let mut state = self.state().clone();
        // An error of reading is ignored: writing will report it.
        self.writer.read_new(&mut state).ok().filter(|news| !news.is_empty())?;
        let mut state = State::default();
        let entries = self.writer.read_new(&mut state).ok()?;
        let actor = state.start().map_or(Actor::Both, Start::people);
        let name = self.writer.id().map(|id| id.to_string()).unwrap_or_default();
        self.host = Host::resume(&name, &entries, actor).ok()?;
        // The refusal comes first: a command that is still pending is sent again after the welcome.
        let text = self.lang.screen(Screen::GoneOn).to_owned();
        let mut messages = vec![self.refusal_message(id, "gone_on", text)];
        messages.extend(self.hello_messages(now));
        Some(messages)
    }
}

/// Why a game cannot be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LocalError {
    Refused(Refusal),
    Log(Error),
}

impl From<Error> for LocalError {
    fn from(error: Error) -> LocalError {
        LocalError::Log(error)
    }
}
