//! Commands that the server has not answered yet, and their ids.

use hansu_protocol::{ClientMessage, Wish};

/// A command that is not finished: not answered, or acknowledged before its event has arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingCommand {
    /// Its id. A resend has the same one, so that the server executes it once.
    pub id: String,
    /// What is wanted.
    pub wish: Wish,
    /// The event with which it was acknowledged, if that event has not arrived yet.
    pub acked: Option<u64>,
}

impl PendingCommand {
    fn message(&self) -> ClientMessage {
        ClientMessage::Command { id: self.id.clone(), command: self.wish.clone() }
    }
}

/// The commands of one client that are not finished, oldest first.
///
/// ```
/// use hansu_client::Pending;
/// use hansu_protocol::Wish;
/// let mut pending = Pending::new("a1");
/// pending.issue(Wish::Resign);
/// assert_eq!(pending.refuse("a1-1"), Some(Wish::Resign));
/// assert_eq!(pending.resend().count(), 0);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pending {
    mark: String,
    issued: u64,
    open: Vec<PendingCommand>,
}

impl Pending {
    /// An empty list. Ids begin with `mark`, which must be different in each run of a client: the
    /// server remembers the ids of a seat for ever.
    pub fn new(mark: &str) -> Pending {
        Pending { mark: mark.to_owned(), issued: 0, open: Vec::new() }
    }

    /// The pending commands, oldest first.
    pub fn open(&self) -> &[PendingCommand] {
        &self.open
    }

    /// The number of commands issued so far.
    pub fn issued(&self) -> u64 {
        self.issued
    }

    /// Gives a command a new id and keeps it; returns the message to send.
    pub fn issue(&mut self, wish: Wish) -> ClientMessage {
        self.issued += 1;
        let id = format!("{}-{}", self.mark, self.issued);
        let command = PendingCommand { id, wish, acked: None };
        let message = command.message();
        self.open.push(command);
        message
    }

    /// What to send again on a new connection: everything that is not acknowledged, in order.
    pub fn resend(&self) -> impl Iterator<Item = ClientMessage> {
        self.open.iter().filter(|command| command.acked.is_none()).map(PendingCommand::message)
    }

    /// The command was executed and `acked` is its last event; `known` is the client's last event.
    /// If the event is still to come, the command stays here until then.
    pub fn acknowledge(&mut self, id: &str, acked: u64, known: u64) {
        for command in self.open.iter_mut().filter(|command| command.id == id) {
            command.acked = Some(acked);
        }
        if acked <= known {
            self.open.retain(|command| command.id != id);
        }
    }

    /// The command was not executed; returns it if it was pending.
    pub fn refuse(&mut self, id: &str) -> Option<Wish> {
        let at = self.open.iter().position(|command| command.id == id)?;
        Some(self.open.remove(at).wish)
    }

    /// Events up to `known` have arrived: acknowledged commands up to there are done.
    pub(crate) fn reach(&mut self, known: u64) {
        self.open.retain(|command| command.acked.is_none_or(|acked| acked > known));
    }

    /// A move has arrived: if it was ours, it is done, even before its acknowledgement.
    pub(crate) fn complete_move(&mut self, played: &str) {
        self.open.retain(|command| !matches!(&command.wish, Wish::Move { uci } if uci == played));
    }
}
