//! The name under which the log keeps a command, so that a resend is done once.

use std::fmt;

use hansu_play::{Actor, Millis};

/// The sender of a command, and the id that the sender gave it. Two senders never share a key.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CommandKey {
    sender: Sender,
    /// The id that the sender gave.
    id: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Sender {
    White,
    Black,
    Both,
    System,
    /// A spectator, with the mark of its player key or connection.
    Spectator(String),
    /// The credit for an outage.
    Outage,
    /// The credit for a slow commit.
    SlowCommit,
    /// The credit for the time in which the log refused all writes.
    Refused,
    /// The computer.
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

    /// The key of the credit for the outage that ended at this time: one for each outage.
    pub fn outage(until: Millis) -> CommandKey {
        CommandKey { sender: Sender::Outage, id: until.0.to_string() }
    }

    /// The key of the credit for the slow commit of this event: one for each commit.
    pub fn slow_commit(seq: u64) -> CommandKey {
        CommandKey { sender: Sender::SlowCommit, id: seq.to_string() }
    }

    /// The key of the credit for the time since `since`, in which the log refused all writes.
    pub fn refused(since: Millis) -> CommandKey {
        CommandKey { sender: Sender::Refused, id: since.0.to_string() }
    }

    /// Returns true if it was made by [`CommandKey::refused`].
    pub(crate) fn is_for_refusal(&self) -> bool {
        self.sender == Sender::Refused
    }

    /// The key of the computer's command after this event: done once, whichever node computes it.
    pub fn computer(seq: u64) -> CommandKey {
        CommandKey { sender: Sender::Computer, id: seq.to_string() }
    }

    /// Returns true if the computer is the sender.
    pub fn is_computers(&self) -> bool {
        self.sender == Sender::Computer
    }

    /// The id that the sender gave.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// The text under which the log keeps it.
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
