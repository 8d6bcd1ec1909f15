//! The name under which the log keeps a command, so that a resend is done once.

use std::fmt;

use hansu_play::{Actor, Millis};

/// Whose command it is, and the name its sender gave it. Senders cannot answer for each other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CommandKey {
    sender: Sender,
    /// The name that the sender gave.
    id: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Sender {
    White,
    Black,
    Both,
    System,
    /// A spectator, by the mark of its player key or connection.
    Spectator(String),
    /// The credit for an outage.
    Outage,
    /// The credit for a slow commit.
    SlowCommit,
    /// The credit for the time in which the log took nothing.
    Refused,
    /// What the computer does.
    Computer,
}

impl CommandKey {
    /// The key of a client's command. `mark` tells spectators apart.
    pub fn new(actor: Actor, mark: &str, id: &str) -> CommandKey {
        let sender = match actor {
            Actor::White => Sender::White,
            Actor::Black => Sender::Black,
            Actor::Both => Sender::Both,
            Actor::System => Sender::System,
            Actor::Spectator => Sender::Spectator(mark.to_owned()),
        };
        CommandKey { sender, id: id.to_owned() }
    }

    /// The credit for the outage that ended at this time: one for each outage.
    pub fn outage(until: Millis) -> CommandKey {
        CommandKey { sender: Sender::Outage, id: until.0.to_string() }
    }

    /// The credit for the slow commit of this event: one for each commit.
    pub fn slow_commit(seq: u64) -> CommandKey {
        CommandKey { sender: Sender::SlowCommit, id: seq.to_string() }
    }

    /// The credit for the time since this moment, in which the log took nothing.
    pub fn refused(since: Millis) -> CommandKey {
        CommandKey { sender: Sender::Refused, id: since.0.to_string() }
    }

    /// Whether it is such a credit.
    pub(crate) fn is_for_refusal(&self) -> bool {
        self.sender == Sender::Refused
    }

    /// What the computer does after this event: once, whichever node works it out.
    pub fn computer(seq: u64) -> CommandKey {
        CommandKey { sender: Sender::Computer, id: seq.to_string() }
    }

    /// Whether it is the computer's.
    pub fn is_computers(&self) -> bool {
        self.sender == Sender::Computer
    }

    /// The name that the sender gave.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// As the log keeps it.
impl fmt::Display for CommandKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = &self.id;
        match &self.sender {
            Sender::White => write!(f, "w:{id}"),
            Sender::Black => write!(f, "b:{id}"),
            Sender::Both => write!(f, "l:{id}"),
            Sender::System => write!(f, "x:{id}"),
            Sender::Spectator(mark) => write!(f, "s{mark}:{id}"),
            Sender::Outage => write!(f, "outage:{id}"),
            Sender::SlowCommit => write!(f, "slow:{id}"),
            Sender::Refused => write!(f, "refused:{id}"),
            Sender::Computer => write!(f, "computer:{id}"),
        }
    }
}
