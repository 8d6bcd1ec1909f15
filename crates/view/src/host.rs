//! A game in process: it answers the messages of a client as the server does.

use std::collections::{BTreeMap, VecDeque};

use hansu_play::{
    Actor, Command, Decision, Entry, Event, Millis, Moment, Refusal, ReplayError, Start, State,
    act, apply,
};
use hansu_protocol::{self as wire, ClientMessage, ServerMessage};
use hansu_words::Lang;

use crate::{
    chat_message, command, happened, is_command_id, is_to_move, is_too_late, lang, plies, refusal,
    seat, server_refusal, snapshot, turn, why,
};

/// The number of chat messages in a snapshot.
pub const MOST_CHAT: usize = 100;

/// The number of events kept for a client that reconnects after a moment; the server keeps as many.
const RECENT: usize = 8;

/// A message that a client must not send; the server would close the connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostError {
    /// The client speaks another version of the protocol.
    Version,
    /// The first message is not `hello`, a later one is, or a command has an unusable id.
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
pub struct HostOutput {
    /// New entries of the game. Keep them before showing the messages.
    pub entries: Vec<Entry>,
    /// Messages for the client, in this order.
    pub messages: Vec<ServerMessage>,
}

/// A game in process with one client.
///
/// ```
/// use hansu_play::{Actor, Millis, Start};
/// use hansu_protocol::{ClientMessage, Language, ServerMessage, Wish};
/// use hansu_view::Host;
/// let (mut host, _) = Host::start("g1", Start::between("Mina", "Jun"), Actor::Both, Millis(0))?;
/// let hello = ClientMessage::Hello { v: 1, seq: 0, lang: Language::En };
/// let _ = host.hear(hello, Millis(1), || None)?;
/// let command = Wish::Move { uci: "e2e4".into() };
/// let output = host.hear(ClientMessage::Command { id: "1".into(), command }, Millis(2), || None)?;
/// assert_eq!(output.entries.len(), 1);
/// assert!(matches!(output.messages[1], ServerMessage::Ack { seq: 2, .. }));
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
    chat: VecDeque<wire::ChatMessage>,
    /// The language of the client; `None` before its `hello`.
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
        let output = host.act(Actor::System, &Command::Start(start), Moment::at(now))?;
        Ok((host, output.entries))
    }

    /// A game from its kept entries.
    ///
    /// # Errors
    ///
    /// When an entry does not fit those before it.
    pub fn resume(game: &str, entries: &[Entry], actor: Actor) -> Result<Host, ReplayError> {
        let mut host = Host::empty(game, actor);
        for entry in entries {
            apply(&mut host.state, entry)?;
            host.record(entry);
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

    /// Adds a command that was done earlier: its id, and its last event. A resend of it is
    /// acknowledged and not done again.
    pub fn remember(&mut self, id: &str, seq: u64) {
        self.done.insert(id.to_owned(), seq);
    }

    /// The state of the game.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The client has disconnected; the next one must send `hello` again.
    pub fn disconnect(&mut self) {
        self.client = None;
    }

    /// Takes a message of the client. `next_game` makes the id of a rematch.
    ///
    /// # Errors
    ///
    /// When the server would close the connection.
    pub fn hear(
        &mut self,
        message: ClientMessage,
        now: Millis,
        next_game: impl FnOnce() -> Option<String>,
    ) -> Result<HostOutput, HostError> {
        let Some(lang) = self.client else {
            return self.greet(&message, now);
        };
        match message {
            ClientMessage::Hello { .. } => Err(HostError::Malformed),
            ClientMessage::Sync { seq } => {
                let mut messages = self.catch_up(seq);
                messages.extend(self.turn());
                Ok(HostOutput { entries: Vec::new(), messages })
            }
            ClientMessage::Why { uci } => {
                let answer = why(&self.state, self.actor, &uci, Moment::at(now), lang);
                Ok(HostOutput { entries: Vec::new(), messages: vec![answer] })
            }
            ClientMessage::Command { id, command: wish } if is_command_id(&id) => {
                let command = match command(wish, self.actor, next_game) {
                    Ok(command) => command,
                    Err(why) => return Ok(self.refuse(id, server_refusal(why, lang))),
                };
                Ok(self.execute(id, &command, Moment::at(now), lang))
            }
            ClientMessage::Command { .. } => Err(HostError::Malformed),
        }
    }

    /// Executes a command; if the time is up, writes the flag before it.
    fn execute(&mut self, id: String, command: &Command, now: Moment, lang: Lang) -> HostOutput {
        let decide = |state: &State| act(state, self.actor, command, now, now.received);
        let (mut output, mut decision) = (HostOutput::default(), decide(&self.state));
        if let Ok(flag) = &decision
            && is_too_late(&self.state, command, now, &flag.entries)
        {
            let after = decide(&flag.after);
            let flag = std::mem::replace(&mut decision, after);
            output = flag.map(|flag| self.apply_decision(flag)).unwrap_or_default();
        }
        let answer = match (self.done.get(&id), decision) {
            // A resend: the first one was done.
            (Some(&seq), _) => ServerMessage::Ack { id, seq },
            (None, Ok(decision)) => {
                let HostOutput { entries, messages } = self.apply_decision(decision);
                output.entries.extend(entries);
                output.messages.extend(messages);
                let seq = self.state.seq();
                self.done.insert(id.clone(), seq);
                ServerMessage::Ack { id, seq }
            }
            (None, Err(why)) => {
                let refusal = refusal(why, &self.state, lang);
                ServerMessage::Refused { id, seq: self.state.seq(), refusal }
            }
        };
        // The legal moves come after the answer, as from the server.
        let turn = output.messages.iter().position(|m| matches!(m, ServerMessage::Turn { .. }));
        output.messages.insert(turn.unwrap_or(output.messages.len()), answer);
        output
    }

    /// Executes a command of another actor than the client, for example the computer.
    ///
    /// # Errors
    ///
    /// Why the game refuses it.
    pub fn act_as(
        &mut self,
        actor: Actor,
        command: &Command,
        now: Millis,
    ) -> Result<HostOutput, Refusal> {
        self.act(actor, command, Moment::at(now))
    }

    /// Flags the side to move when its time is up, and writes an end that the rules demand.
    pub fn tick(&mut self, now: Millis) -> HostOutput {
        let over = self.state.game().outcome().is_some();
        let fallen = self.state.deadline().is_some_and(|(_, at)| at <= now);
        if !over && !fallen {
            return HostOutput::default();
        }
        self.act(Actor::System, &Command::Flag, Moment::at(now)).unwrap_or_default()
    }

    fn greet(&mut self, message: &ClientMessage, now: Millis) -> Result<HostOutput, HostError> {
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
        // What became due while no client was connected.
        let due = self.tick(now);
        messages.extend(due.messages);
        Ok(HostOutput { entries: due.entries, messages })
    }

    /// Decides a command and applies its events.
    fn act(&mut self, actor: Actor, command: &Command, now: Moment) -> Result<HostOutput, Refusal> {
        let decision = act(&self.state, actor, command, now, now.received)?;
        Ok(self.apply_decision(decision))
    }

    /// Makes a decision the state of the game; returns its entries and their messages.
    fn apply_decision(&mut self, Decision { entries, after }: Decision) -> HostOutput {
        self.state = after;
        let mut output = HostOutput::default();
        let mut changed = false;
        for entry in entries {
            let message = self.record(&entry);
            if let ServerMessage::Event(happened) = &message {
                changed |= happened.board.is_some() || entry.event == Event::Resumed;
            }
            output.messages.push(message);
            output.entries.push(entry);
        }
        if changed {
            output.messages.extend(self.turn());
        }
        output
    }

    /// Keeps an applied entry for later connections; returns its message.
    fn record(&mut self, entry: &Entry) -> ServerMessage {
        if let Some(line) = self.state.start().and_then(|start| chat_message(entry, start)) {
            self.chat.push_back(line);
            if self.chat.len() > MOST_CHAT {
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

    fn refuse(&self, id: String, refusal: wire::Refusal) -> HostOutput {
        let refused = ServerMessage::Refused { id, seq: self.state.seq(), refusal };
        HostOutput { entries: Vec::new(), messages: vec![refused] }
    }

    fn turn(&self) -> Option<ServerMessage> {
        turn(&self.state).filter(|_| is_to_move(self.actor, &self.state))
    }

    /// What came after event `seq`: those events, or a snapshot.
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
