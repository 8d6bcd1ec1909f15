//! The tasks of the computer that plays one side of a game.

use crate::{Actor, Computer, Offer, Phase, Start, State};

/// A task of the computer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Play a move.
    Move,
    /// Answer an offer.
    Answer(Offer),
}

impl Start {
    /// The actor of the people at one screen: both sides, or the side that the computer does not
    /// play.
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
    /// The computer's task now; `None` if it has none, or does not play.
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
