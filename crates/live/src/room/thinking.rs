//! When the computer is asked for a move or an answer.

use hansu_play::{Computer, Task};

use super::Room;
use crate::{Effect, Effects, Think};

impl Room {
    /// The task that the computer was not asked for yet. With several nodes, the node to which its
    /// opponent is connected asks it.
    pub(super) fn computer_task(&self) -> Option<(Computer, Task)> {
        let computer = self.state.start()?.computer?;
        let here = !self.people.has_others() || self.is_here(!computer.side);
        if !here || !self.is_idle() || self.asked_computer == Some(self.state.seq()) {
            return None;
        }
        self.state.task()
    }

    /// The computer could not be asked: the next tick asks it again.
    pub fn ask_computer_again(&mut self) {
        self.asked_computer = None;
    }

    pub(super) fn ask_computer(&mut self, effects: &mut Effects) {
        let Some((computer, task)) = self.computer_task() else { return };
        let seq = self.state.seq();
        self.asked_computer = Some(seq);
        let left = self.state.clocks().map(|clocks| clocks[computer.side]);
        let game = self.state.game().clone();
        effects.push(Effect::Think(Box::new(Think { computer, seq, task, game, left })));
    }
}
