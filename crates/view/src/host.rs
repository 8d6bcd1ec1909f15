//! A game held in process: it hears what a client says and answers as the server does.

use std::collections::{BTreeMap, VecDeque};

use hansu_play::{
    Acted, Actor, Command, Entry, Event, Millis, Misfit, Moment, Refusal, Start, State, act, apply,
};
use hansu_protocol::{self as wire, ClientMessage, ServerMessage};
use hansu_words::Lang;

use crate::{
    command, happened, is_command_id, is_to_move, is_too_late, lang, plies, refusal, said, seat,
    server_refusal, snapshot, turn, why,
};

/// What was said, as far as newcomers are told.
pub const MOST_SAID: usize = 100;

/// Events that are kept for a client that comes back after a moment. The server keeps as many.
const RECENT: usize = 8;

/// A client said what a client must not say; the server would close the connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostError {
    /// It speaks another version of the protocol.
    Version,
    /// It did not say hello first, said it twice, or gave a command an unusable id.
    Malformed,
}

impl std::fmt::Display for HostError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            HostError::Version => "the client speaks another version of the protocol",
            HostError::Malformed => "the client sent a message that does not fit here",
        })
    }
}

impl std::error::Error for HostError {}

/// What follows from a message.
#[must_use = "entries have to be kept and messages have to be shown"]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heard {
    /// New entries of the game. Keep them before the messages are shown.
    pub entries: Vec<Entry>,
    /// Messages for the client, in this order.
    pub messages: Vec<ServerMessage>,
}

/// A game in process with one client at it.
///
/// ```
/// use hansu_play::{Actor, Millis, Start};
/// use hansu_protocol::{ClientMessage, Language, ServerMessage, Wish};
/// use hansu_view::Host;
/// let (mut host, _) = Host::start("g1", Start::between("Mina", "Jun"), Actor::Both, Millis(0))?;
/// let hello = ClientMessage::Hello { v: 1, seq: 0, lang: Language::En };
/// let _ = host.hear(hello, Millis(1), || None)?;
/// let command = Wish::Move { uci: "e2e4".into() };
/// let heard = host.hear(ClientMessage::Command { id: "1".into(), command }, Millis(2), || None)?;
/// assert_eq!(heard.entries.len(), 1);
/// assert!(matches!(heard.messages[1], ServerMessage::Ack { seq: 2, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Host {
    game: String,
    actor: Actor,
    state: State,
    /// The last event of every command that was done, by the command's id.
    done: BTreeMap<String, u64>,
    recent: VecDeque<(u64, ServerMessage)>,
    chat: VecDeque<wire::Said>,
    /// The language of a client that has said hello.
    client: Option<Lang>,
}

impl Host {
    /// A new game, and its first entries, which have to be kept like any other.
    ///
    /// # Errors
    ///
    /// Why the game cannot start like that.
    pub fn start(
        game: &str,
        start: Start,
        actor: Actor,
        now: Millis,
    ) -> Result<(Host, Vec<Entry>), Refusal> {
        let mut host = Host::empty(game, actor);
        let heard = host.act(Actor::System, &Command::Start(start), Moment::at(now))?;
        Ok((host, heard.entries))
    }

    /// A game that was kept.
    ///
    /// # Errors
    ///
    /// When an entry does not follow from those before it.
    pub fn resume(game: &str, entries: &[Entry], actor: Actor) -> Result<Host, Misfit> {
        let mut host = Host::empty(game, actor);
        for entry in entries {
            apply(&mut host.state, entry)?;
            host.note(entry);
        }
        Ok(host)
    }

    fn empty(game: &str, actor: Actor) -> Host {
        Host {
            game: game.to_owned(),
            actor,
            state: State::default(),
            done: BTreeMap::new(),
            recent: VecDeque::new(),
            chat: VecDeque::new(),
            client: None,
        }
    }

    /// A command of a game that was kept: its name, and its last event. A resend is not done again.
    pub fn remember(&mut self, id: &str, seq: u64) {
        self.done.insert(id.to_owned(), seq);
    }

    /// The game as it stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The client has gone; the next one says hello again.
    pub fn part(&mut self) {
        self.client = None;
    }

    /// Takes in what a client says. `next_game` makes the id of a rematch.
    ///
    /// # Errors
    ///
    /// When the server would close the connection.
    pub fn hear(
        &mut self,
        message: ClientMessage,
        now: Millis,
        next_game: impl FnOnce() -> Option<String>,
    ) -> Result<Heard, HostError> {
        let Some(lang) = self.client else {
            return self.greet(&message, now);
        };
        match message {
            ClientMessage::Hello { .. } => Err(HostError::Malformed),
            ClientMessage::Sync { seq } => {
                let mut messages = self.catch_up(seq);
                messages.extend(self.turn());
                Ok(Heard { entries: Vec::new(), messages })
            }
            ClientMessage::Why { uci } => {
                let answer = why(&self.state, self.actor, &uci, Moment::at(now), lang);
                Ok(Heard { entries: Vec::new(), messages: vec![answer] })
            }
            ClientMessage::Command { id, command: wish } if is_command_id(&id) => {
                let command = match command(wish, self.actor, next_game) {
                    Ok(command) => command,
                    Err(why) => return Ok(self.refuse(id, server_refusal(why, lang))),
                };
                Ok(self.decided(id, &command, Moment::at(now), lang))
            }
            ClientMessage::Command { .. } => Err(HostError::Malformed),
        }
    }

    /// What the client asked for, or the flag that comes before it.
    fn decided(&mut self, id: String, command: &Command, now: Moment, lang: Lang) -> Heard {
        let decide = |state: &State| act(state, self.actor, command, now, now.received);
        let (mut heard, mut acted) = (Heard::default(), decide(&self.state));
        if let Ok(flag) = &acted
            && is_too_late(&self.state, command, now, &flag.entries)
        {
            let after = decide(&flag.after);
            let flag = std::mem::replace(&mut acted, after);
            heard = flag.map(|flag| self.take(flag)).unwrap_or_default();
        }
        let answer = match (self.done.get(&id), acted) {
            // A resend: the first one was done.
            (Some(&seq), _) => ServerMessage::Ack { id, seq },
            (None, Ok(acted)) => {
                let Heard { entries, messages } = self.take(acted);
                heard.entries.extend(entries);
                heard.messages.extend(messages);
                let seq = self.state.seq();
                self.done.insert(id.clone(), seq);
                ServerMessage::Ack { id, seq }
            }
            (None, Err(why)) => {
                let refusal = refusal(why, &self.state, lang);
                ServerMessage::Refused { id, seq: self.state.seq(), refusal }
            }
        };
        // The turn comes after the answer, as the server tells it.
        let turn = heard.messages.iter().position(|m| matches!(m, ServerMessage::Turn { .. }));
        heard.messages.insert(turn.unwrap_or(heard.messages.len()), answer);
        heard
    }

    /// What another than the client does, for example the computer.
    ///
    /// # Errors
    ///
    /// Why the game refuses it.
    pub fn act_as(
        &mut self,
        actor: Actor,
        command: &Command,
        now: Millis,
    ) -> Result<Heard, Refusal> {
        self.act(actor, command, Moment::at(now))
    }

    /// Lets a flag fall whose time is up, and ends what the rules have ended.
    pub fn tick(&mut self, now: Millis) -> Heard {
        let over = self.state.game().outcome().is_some();
        let fallen = self.state.deadline().is_some_and(|(_, at)| at <= now);
        if !over && !fallen {
            return Heard::default();
        }
        self.act(Actor::System, &Command::Flag, Moment::at(now)).unwrap_or_default()
    }

    fn greet(&mut self, message: &ClientMessage, now: Millis) -> Result<Heard, HostError> {
        let &ClientMessage::Hello { v, seq, lang: language } = message else {
            return Err(HostError::Malformed);
        };
        if v != wire::VERSION {
            return Err(HostError::Version);
        }
        self.client = Some(lang(language));
        let mut messages = vec![ServerMessage::Welcome {
            v: wire::VERSION,
            game: self.game.clone(),
            seat: seat(self.actor),
            seq: self.state.seq(),
            now,
        }];
        messages.extend(self.catch_up(seq));
        messages.extend(self.turn());
        messages.push(ServerMessage::Presence { white: true, black: true, spectators: 0 });
        // What fell due while no client was there.
        let due = self.tick(now);
        messages.extend(due.messages);
        Ok(Heard { entries: due.entries, messages })
    }

    /// Decides and applies; the messages tell what has happened.
    fn act(&mut self, actor: Actor, command: &Command, now: Moment) -> Result<Heard, Refusal> {
        let acted = act(&self.state, actor, command, now, now.received)?;
        Ok(self.take(acted))
    }

    /// Takes over what was decided.
    fn take(&mut self, Acted { entries, after }: Acted) -> Heard {
        self.state = after;
        let mut heard = Heard::default();
        let mut changed = false;
        for entry in entries {
            let message = self.note(&entry);
            if let ServerMessage::Event(happened) = &message {
                changed |= happened.board.is_some() || entry.event == Event::Resumed;
            }
            heard.messages.push(message);
            heard.entries.push(entry);
        }
        if changed {
            heard.messages.extend(self.turn());
        }
        heard
    }

    /// Keeps an entry that is part of the state for clients that come later; what tells it.
    fn note(&mut self, entry: &Entry) -> ServerMessage {
        if let Some(line) = self.state.start().and_then(|start| said(entry, start)) {
            self.chat.push_back(line);
            if self.chat.len() > MOST_SAID {
                self.chat.pop_front();
            }
        }
        let message = ServerMessage::Event(Box::new(happened(&self.state, entry)));
        self.recent.push_back((entry.seq, message.clone()));
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        message
    }

    fn refuse(&self, id: String, refusal: wire::Refusal) -> Heard {
        let refused = ServerMessage::Refused { id, seq: self.state.seq(), refusal };
        Heard { entries: Vec::new(), messages: vec![refused] }
    }

    fn turn(&self) -> Option<ServerMessage> {
        turn(&self.state).filter(|_| is_to_move(self.actor, &self.state))
    }

    /// What is missing after an event: the events themselves, or everything.
    fn catch_up(&self, seq: u64) -> Vec<ServerMessage> {
        let last = self.state.seq();
        let oldest = self.recent.front().map_or(last + 1, |(seq, _)| *seq);
        if seq > 0 && seq <= last && seq + 1 >= oldest {
            let missing = self.recent.iter().filter(|(number, _)| *number > seq);
            return missing.map(|(_, message)| message.clone()).collect();
        }
        let nothing = Start::between("", "");
        let start = self.state.start().unwrap_or(&nothing);
        let shown = wire::Visibility::Private;
        let mut whole = snapshot(&self.state, start, self.chat.iter().cloned().collect(), shown);
        whole.plies = plies(&self.state, 0).collect();
        vec![ServerMessage::Snapshot(Box::new(whole))]
    }
}
