//! What the computer at one side of a game has to do.

use crate::{Actor, Computer, Offer, Phase, Start, State};

/// What the computer is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// To play a move.
    Move,
    /// To answer an offer.
    Answer(Offer),
}

impl Start {
    /// Who sits at the board of a game in one process: both sides, or the one that the computer does
    /// not play.
    ///
    /// ```
    /// use hansu_play::{Actor, Start};
    /// assert_eq!(Start::between("Mina", "Jun").people(), Actor::Both);
    /// ```
    pub fn people(&self) -> Actor {
        match self.computer {
            Some(computer) => Actor::seat(!computer.side),
            None => Actor::Both,
        }
    }
}

impl State {
    /// What the computer has to do now, in a game that it plays.
    ///
    /// ```
    /// use hansu_play::State;
    /// assert_eq!(State::default().task(), None);
    /// ```
    pub fn task(&self) -> Option<(Computer, Task)> {
        let computer = self.start()?.computer?;
        let offered = |what: &Offer| self.offered(*what) == Some(!computer.side);
        let task = match Offer::ALL.into_iter().find(offered) {
            Some(what) => Task::Answer(what),
            None if self.game().outcome().is_some() => return None,
            None if self.phase() != Phase::Playing => return None,
            None if self.turn() != computer.side => return None,
            None => Task::Move,
        };
        Some((computer, task))
    }
}
