//! What an append makes of the row of its game.

use hansu_chess::{Game, Position};

use crate::dates::Millis;
use crate::record::Named;
use crate::{Moves, Summary, openings};

/// What an append makes of the row of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Row {
    /// Another row.
    Whole(Box<Summary>),
    /// The same row with more moves: what nearly all appends do, so the rest is not even made. Only
    /// for a game that is being played.
    Played(Played),
}

/// What moves change of a row. Everything else is as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The moves that were played, after those that the row has. Talk and offers have none.
    pub moves: Moves,
    /// The position that they lead to.
    pub position: Position,
    /// The last opening that they have reached.
    pub opening: Option<Named>,
    /// When somebody must look at the game again.
    pub deadline: Option<Millis>,
}

impl Played {
    /// What was played since a game had a number of plies.
    ///
    /// ```
    /// use hansu_chess::Game;
    /// use hansu_records::{Played, Source, Summary};
    /// let mut game = Game::start();
    /// game.play_san("e4")?;
    /// let mut row = Summary::new("Mina", "Jun", Source::Online);
    /// Played::since(&game, 0, None).apply(&mut row);
    /// let mut whole = row.clone();
    /// whole.follow(&game);
    /// assert_eq!(row, whole);
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    pub fn since(game: &Game, plies: usize, deadline: Option<Millis>) -> Played {
        let moves = game.moves().iter().skip(plies);
        Played {
            moves: moves.map(|step| step.uci(game.variant())).collect(),
            position: *game.position(),
            opening: openings::reached(game, plies).map(Named::from),
            deadline,
        }
    }

    /// Makes a row the next one.
    pub fn apply(&self, row: &mut Summary) {
        if !self.moves.is_empty() {
            row.moves.extend(self.moves.as_bytes());
            row.final_fen = self.position.fen();
        }
        if self.opening.is_some() {
            row.opening.clone_from(&self.opening);
        }
        row.deadline = self.deadline;
    }

    /// With what was played after it.
    fn extend(&mut self, next: &Played) {
        self.moves.extend(next.moves.as_bytes());
        self.position = next.position;
        if next.opening.is_some() {
            self.opening.clone_from(&next.opening);
        }
        self.deadline = next.deadline;
    }
}

impl Row {
    /// With what was played after it.
    pub(crate) fn extend(&mut self, next: &Played) {
        match self {
            Row::Whole(row) => next.apply(row),
            Row::Played(played) => played.extend(next),
        }
    }
}

impl From<Summary> for Row {
    fn from(summary: Summary) -> Row {
        Row::Whole(Box::new(summary))
    }
}
