//! A game in this process: what the board wants is kept in the log, and only then told.

use std::sync::Arc;

use hansu_journal::log_error;
use hansu_play::{Actor, Command, Millis, Offer, Phase, Refusal, Start, State};
use hansu_protocol::{self as wire, ClientMessage, Language, ServerMessage, VERSION};
use hansu_records::{Error, GameId, Store};
use hansu_view::{Heard, Host};
use hansu_words::{Lang, Screen};

use super::event::{Question, Thinking};
use crate::table::{KeepError, Keeper};
use crate::{NotResumed, Table};

/// A game in this process, for two people or against the computer.
pub(crate) struct LocalGame {
    host: Host,
    keeper: Keeper,
    lang: Lang,
}

impl LocalGame {
    /// A new game. Without a log nothing is kept.
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
        Ok(LocalGame { host, keeper: Keeper::new(entries, log), lang })
    }

    /// An unfinished game of the log.
    pub(crate) fn resume(
        store: &Arc<dyn Store>,
        name: &str,
        lang: Lang,
    ) -> Result<LocalGame, NotResumed> {
        let table = Table::resume(store.clone(), name)?;
        let actor = table.state().start().map_or(Actor::Both, Start::people);
        let keeper = table.into_keeper();
        let mut state = State::default();
        let entries = keeper.news(&mut state)?;
        let host = Host::resume(name, &entries, actor).map_err(|_| NotResumed::Unreadable)?;
        Ok(LocalGame { host, keeper, lang })
    }

    pub(crate) fn state(&self) -> &State {
        self.host.state()
    }

    /// The game in the log, once it is there.
    pub(crate) fn kept_id(&self) -> Option<GameId> {
        self.keeper.id().filter(|_| !self.state().game().moves().is_empty())
    }

    /// What a client that knows nothing is told.
    pub(crate) fn greet(&mut self, now: Millis) -> Vec<ServerMessage> {
        self.host.part();
        let lang = match self.lang {
            Lang::Ko => Language::Ko,
            Lang::En => Language::En,
        };
        let hello = ClientMessage::Hello { v: VERSION, seq: 0, lang };
        self.host.hear(hello, now, || None).map(|heard| heard.messages).unwrap_or_default()
    }

    /// Takes what the board says. What does not reach the log has not happened.
    pub(crate) fn hear(&mut self, message: ClientMessage, now: Millis) -> Vec<ServerMessage> {
        let id = match &message {
            ClientMessage::Command { id, .. } => Some(id.clone()),
            _ => None,
        };
        if id.is_some()
            && let Some(messages) = self.gone_on(id.as_deref(), now)
        {
            return messages;
        }
        let before = self.host.clone();
        let Ok(heard) = self.host.hear(message, now, || None) else { return Vec::new() };
        let mut messages = self.kept(before, heard, id.as_deref(), now);
        messages.extend(self.take_back(now));
        messages
    }

    /// The computer's command.
    pub(crate) fn computer(&mut self, command: &Command, now: Millis) -> Vec<ServerMessage> {
        let Some(computer) = self.state().start().and_then(|start| start.computer) else {
            return Vec::new();
        };
        let before = self.host.clone();
        match self.host.act_as(Actor::seat(computer.side), command, now) {
            Ok(heard) => self.kept(before, heard, None, now),
            Err(_) => Vec::new(),
        }
    }

    /// Time has passed: a flag may fall.
    pub(crate) fn tick(&mut self, now: Millis) -> Vec<ServerMessage> {
        let before = self.host.clone();
        let heard = self.host.tick(now);
        if heard.entries.is_empty() {
            return Vec::new();
        }
        self.kept(before, heard, None, now)
    }

    /// What the computer is to be asked now.
    pub(crate) fn question(&self) -> Option<Thinking> {
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
        Some(Thinking { game: 0, seq, question, state: state.clone(), level })
    }

    /// The computer always takes moves back.
    fn take_back(&mut self, now: Millis) -> Vec<ServerMessage> {
        let side = self.state().start().and_then(|start| start.computer).map(|own| own.side);
        match (self.state().offered(Offer::Takeback), side) {
            (Some(by), Some(side)) if by != side => {
                self.computer(&Command::Accept { what: Offer::Takeback, next: None }, now)
            }
            _ => Vec::new(),
        }
    }

    /// Keeps what has happened; if that fails, it has not.
    fn kept(
        &mut self,
        before: Host,
        heard: Heard,
        id: Option<&str>,
        now: Millis,
    ) -> Vec<ServerMessage> {
        if heard.entries.is_empty() {
            return heard.messages;
        }
        match self.keeper.keep(&heard.entries, self.host.state()) {
            Ok(()) => heard.messages,
            Err(KeepError::Conflict(error)) => {
                self.host = before;
                self.gone_on(id, now).unwrap_or_else(|| self.not_kept(error, id))
            }
            Err(KeepError::Failed(error)) => {
                self.host = before;
                self.not_kept(error, id)
            }
        }
    }

    fn not_kept(&self, error: Error, id: Option<&str>) -> Vec<ServerMessage> {
        let why = log_error(error, self.lang);
        let text = format!("{} {why}", self.lang.screen(Screen::NotKept));
        vec![self.refused(id, "not_kept", text)]
    }

    fn refused(&self, id: Option<&str>, code: &str, text: String) -> ServerMessage {
        let refusal =
            wire::Refusal { code: code.to_owned(), squares: Vec::new(), by: Vec::new(), text };
        let (id, seq) = (id.unwrap_or_default().to_owned(), self.state().seq());
        ServerMessage::Refused { id, seq, refusal }
    }

    /// The whole game anew, if another window has played on.
    fn gone_on(&mut self, id: Option<&str>, now: Millis) -> Option<Vec<ServerMessage>> {
        let mut state = self.state().clone();
        // If the log cannot be read now, writing will say so.
        self.keeper.news(&mut state).ok().filter(|news| !news.is_empty())?;
        let mut state = State::default();
        let entries = self.keeper.news(&mut state).ok()?;
        let actor = state.start().map_or(Actor::Both, Start::people);
        let name = self.keeper.id().map(|id| id.to_string()).unwrap_or_default();
        self.host = Host::resume(&name, &entries, actor).ok()?;
        // The refusal comes first: what is still pending would be sent again after the welcome.
        let text = self.lang.screen(Screen::GoneOn).to_owned();
        let mut messages = vec![self.refused(id, "gone_on", text)];
        messages.extend(self.greet(now));
        Some(messages)
    }
}

/// Why a game cannot begin.
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
