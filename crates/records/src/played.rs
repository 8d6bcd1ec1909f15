//! How an append changes the row of its game.

use hansu_chess::{Game, Position};

use crate::dates::LogTime;
use crate::record::OpeningName;
use crate::{Moves, Summary, openings};

/// How an append changes the row of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Row {
    /// A whole new row.
    Whole(Box<Summary>),
    /// The same row with more moves: nearly all appends, so the other columns are not even
    /// computed. Only for a live game.
    Played(Played),
}

/// The columns that moves change. All others keep their values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The moves after those that the row has; empty for chat and offers.
    pub moves: Moves,
    /// The position after them.
    pub position: Position,
    /// The last named opening that they have reached.
    pub opening: Option<OpeningName>,
    /// When the game must be checked again.
    pub deadline: Option<LogTime>,
}

impl Played {
    /// The moves of a game after its first `plies` plies.
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
    pub fn since(game: &Game, plies: usize, deadline: Option<LogTime>) -> Played {
        let moves = game.moves().iter().skip(plies);
        Played {
            moves: moves.map(|step| step.uci(game.variant())).collect(),
            position: *game.position(),
            opening: openings::reached(game, plies).map(OpeningName::from),
            deadline,
        }
    }

    /// Applies the changes to a row.
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

    /// Adds the moves of a later append.
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
    /// Adds the moves of a later append.
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
