//! Effects: what the holder of a live game has to do after each call (write, read, answer, think).

use hansu_chess::Game;
use hansu_play::{Computer, Millis, Refusal, Task};
use hansu_protocol as wire;
use hansu_records::{Append, Error};
use hansu_words::{Lang, ServerRefusal};

use crate::room::Connections;
use crate::{CommandKey, Text};

/// Where a command came from and where its answer goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asker {
    /// The number of the connection or request; unique in the process.
    pub id: u64,
    /// The language of the answer.
    pub lang: Lang,
    /// A stopwatch reading of the holder, returned with the answer.
    pub since: u64,
}

/// The result of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandResult {
    /// It is in the log, up to this event.
    Done(u64),
    /// It is not done, for this reason.
    NotDone(CommandError),
}

/// Why a command is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// The game refuses it.
    Refused(Refusal),
    /// The log did not keep it; after [`Error::Unsure`] it may have.
    Failed(Error),
}

impl CommandError {
    /// The server's refusal for an error of the log.
    pub fn failure(error: Error) -> ServerRefusal {
        match error {
            Error::Busy | Error::Conflict { .. } => ServerRefusal::Busy,
            Error::Spent => ServerRefusal::InvitationSpent,
            Error::Unsure => ServerRefusal::Unsure,
            _ => ServerRefusal::Unavailable,
        }
    }
}

/// The refusal that a client gets for an error of the log.
pub fn failure(error: Error, lang: Lang) -> wire::Refusal {
    hansu_view::server_refusal(CommandError::failure(error), lang)
}

/// The result of a command, with the sentence for its sender.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandAnswer {
    /// It is in the log, up to this event.
    Done {
        /// The last event.
        seq: u64,
    },
    /// It is not done.
    Refused {
        /// The last event of the game.
        seq: u64,
        /// Why, for the server.
        why: CommandError,
        /// The same as the client gets it.
        refusal: wire::Refusal,
    },
}

impl CommandAnswer {
    /// The answer as a message to the client that named its command `id`.
    pub(crate) fn message(&self, id: &str) -> Text {
        let id = id.to_owned();
        crate::text(&match self {
            &CommandAnswer::Done { seq } => wire::ServerMessage::Ack { id, seq },
            CommandAnswer::Refused { seq, refusal, .. } => {
                wire::ServerMessage::Refused { id, seq: *seq, refusal: refusal.clone() }
            }
        })
    }
}

/// One thing that the holder of a live game does for it.
#[derive(Debug)]
pub enum Effect {
    /// Write this; the result goes to `finish_write`.
    Write(Box<Append>),
    /// Read the events after this one; the result goes to `finish_read`.
    Read {
        /// The last event in the game's state.
        after: u64,
    },
    /// A refused command may be a resend of one that was done: look its key up in the log. The
    /// result goes to `finish_look_up`.
    LookUp {
        /// The sender of the command.
        to: Asker,
        /// The command's key in the log.
        key: CommandKey,
        /// The answer if the command was not done before.
        refused: CommandAnswer,
    },
    /// A command has its answer. It is sent already if the sender has a connection to the game;
    /// any other sender must still be answered.
    Answered {
        /// The sender of the command.
        to: Asker,
        /// The answer.
        answer: CommandAnswer,
    },
    /// The computer must move or answer; its command goes to `ask` with [`CommandKey::computer`].
    Think(Box<Think>),
    /// The game's entry in the list of live games has changed.
    Changed,
    /// The connections at this node have changed; send them to the other nodes.
    Connections(Connections),
}

/// A task for the computer.
#[derive(Clone, Debug)]
pub struct Think {
    /// The computer's side and strength.
    pub computer: Computer,
    /// The last event of the game.
    pub seq: u64,
    /// What it has to do.
    pub task: Task,
    /// The game so far.
    pub game: Game,
    /// The time left on the computer's clock; `None` without a clock.
    pub left: Option<Millis>,
}

/// What a room wants sent to the connections of its game.
#[derive(Debug)]
pub enum Notice {
    /// To every connection: this has happened.
    Share(Box<wire::Happened>),
    /// To the sender of a command: its result.
    Tell {
        /// The sender.
        to: Asker,
        /// The command's key.
        key: Option<CommandKey>,
        /// The result.
        result: CommandResult,
    },
}

/// All effects of one call, in order.
#[must_use = "an effect that is not carried out is a lost write or a lost answer"]
#[derive(Debug, Default)]
pub struct Effects {
    effects: Vec<Effect>,
    notices: Vec<Notice>,
}

impl Effects {
    pub(crate) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(crate) fn notify(&mut self, notice: Notice) {
        self.notices.push(notice);
    }

    /// Takes the notices of a room. The effects of a [`crate::LiveGame`] contain none.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// The effects, in order.
    pub fn list(&self) -> &[Effect] {
        &self.effects
    }

    /// The number of writes.
    pub fn writes(&self) -> usize {
        self.effects.iter().filter(|effect| matches!(effect, Effect::Write(_))).count()
    }

    /// Returns true if there are no effects and no notices.
    pub fn is_empty(&self) -> bool {
        self.effects.is_empty() && self.notices.is_empty()
    }
}

impl IntoIterator for Effects {
    type Item = Effect;
    type IntoIter = std::vec::IntoIter<Effect>;

    fn into_iter(self) -> Self::IntoIter {
        self.effects.into_iter()
    }
}
