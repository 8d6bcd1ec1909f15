//! What is left to do after a game has taken something in. The holder of the game does it.

use hansu_chess::Game;
use hansu_play::{Computer, Millis, Refusal, Task};
use hansu_protocol as wire;
use hansu_records::{Append, Error};
use hansu_words::{Lang, ServerRefusal};

use crate::room::Here;
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

/// What became of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// It is in the log, up to this event.
    Done(u64),
    /// It is not done.
    Not(NotDone),
}

/// Why a command is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotDone {
    /// The game refuses it.
    Refused(Refusal),
    /// The log did not keep it; with [`Error::Unsure`] it is not known whether it did.
    Failed(Error),
}

impl NotDone {
    /// What the server calls a failure of the log.
    pub fn failure(error: Error) -> ServerRefusal {
        match error {
            Error::Busy | Error::Conflict { .. } => ServerRefusal::Busy,
            Error::Spent => ServerRefusal::InvitationSpent,
            Error::Unsure => ServerRefusal::Unsure,
            _ => ServerRefusal::Unavailable,
        }
    }
}

/// What a client is told when the log did not keep something.
pub fn failure(error: Error, lang: Lang) -> wire::Refusal {
    hansu_view::server_refusal(NotDone::failure(error), lang)
}

/// What became of a command, with the words for its sender.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is in the log, up to this event.
    Done {
        /// The last event.
        seq: u64,
    },
    /// It is not done.
    Refused {
        /// The last event of the game.
        seq: u64,
        /// Why.
        why: NotDone,
        /// The same for the client.
        refusal: wire::Refusal,
    },
}

impl Answer {
    /// The answer as a message to the client that named its command `id`.
    pub(crate) fn message(&self, id: &str) -> Text {
        let id = id.to_owned();
        crate::text(&match self {
            &Answer::Done { seq } => wire::ServerMessage::Ack { id, seq },
            Answer::Refused { seq, refusal, .. } => {
                wire::ServerMessage::Refused { id, seq: *seq, refusal: refusal.clone() }
            }
        })
    }
}

/// Something that the holder of a game does for it.
#[derive(Debug)]
pub enum Effect {
    /// Write this; the result goes to `wrote`.
    Write(Box<Append>),
    /// Read the events after this one; the result goes to `read`.
    Read {
        /// The last event that is known here.
        after: u64,
    },
    /// A refused command may be a resend of one that was done. The log knows; its result goes to
    /// `looked_up`.
    LookUp {
        /// The sender of the command.
        to: Asker,
        /// The command's key in the log.
        key: CommandKey,
        /// Why it is refused, if it was not done before.
        refused: Answer,
    },
    /// A command has its answer. Connections of the game have been sent it; a sender without a
    /// connection is to be told.
    Answered {
        /// The sender of the command.
        to: Asker,
        /// The answer.
        answer: Answer,
    },
    /// The computer is to do something; its command goes to `ask` with [`CommandKey::computer`].
    Think(Box<Think>),
    /// What the list of live games shows has changed.
    Changed,
    /// Who is connected here has changed; other nodes are to be told.
    Here(Here),
}

/// What the computer has to think about.
#[derive(Clone, Debug)]
pub struct Think {
    /// The computer's side and strength.
    pub computer: Computer,
    /// After which event.
    pub seq: u64,
    /// What it is asked.
    pub task: Task,
    /// The game so far.
    pub game: Game,
    /// What is left on the computer's clock.
    pub left: Option<Millis>,
}

/// What a room has to say to the people of its game.
#[derive(Debug)]
pub enum Notice {
    /// To everyone: this has happened.
    Share(Box<wire::Happened>),
    /// To the sender of a command: its result.
    Tell {
        /// The sender.
        to: Asker,
        /// The command's key.
        key: Option<CommandKey>,
        /// The result.
        told: Told,
    },
}

/// Everything that is left to do.
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

    /// Takes what a room has to say to its people. A [`crate::LiveGame`] leaves nothing here.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// What there is to do, in order.
    pub fn list(&self) -> &[Effect] {
        &self.effects
    }

    /// How many writes there are.
    pub fn writes(&self) -> usize {
        self.effects.iter().filter(|effect| matches!(effect, Effect::Write(_))).count()
    }

    /// Whether there is nothing to do.
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
