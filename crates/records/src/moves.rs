//! Moves in two bytes each, for every game of the log.

use hansu_chess::{Game, Move, Position, Refusal, Role, Square, UciMove, Variant};

/// The most plies a game may have in the log. The 75-move rule ends any game before 11,800.
pub const MOST_PLIES: usize = 12_000;

/// The moves of a game, packed: six bits from, six bits to, three bits promotion.
///
/// ```
/// use hansu_chess::Game;
/// use hansu_records::Moves;
/// let mut game = Game::start();
/// game.play_san("e4")?;
/// let moves = Moves::of(&game);
/// assert_eq!((moves.len(), moves.to_string()), (1, "e2e4".to_owned()));
/// # Ok::<(), hansu_chess::SanError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Moves(Vec<u8>);

impl Moves {
    /// No moves yet.
    pub const fn new() -> Moves {
        Moves(Vec::new())
    }

    /// The moves of a game so far.
    pub fn of(game: &Game) -> Moves {
        let mut moves = Moves(Vec::with_capacity(game.moves().len() * 2));
        for &step in game.moves() {
            moves.push(step.uci(game.variant()));
        }
        moves
    }

    /// Adds a move.
    pub fn push(&mut self, step: UciMove) {
        let promotion = step.promotion.map_or(0, |role| role as u16 + 1);
        let packed = step.from.index() as u16 | (step.to.index() as u16) << 6 | promotion << 12;
        self.0.extend_from_slice(&packed.to_le_bytes());
    }

    /// The number of plies.
    pub fn len(&self) -> usize {
        self.0.len() / 2
    }

    /// True if there are no moves.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The moves in UCI notation.
    pub fn iter(&self) -> impl Iterator<Item = UciMove> + '_ {
        self.0.chunks_exact(2).filter_map(|pair| {
            let packed = usize::from(u16::from_le_bytes([pair[0], pair[1]]));
            Some(UciMove {
                from: Square::from_index(packed & 63)?,
                to: Square::from_index(packed >> 6 & 63)?,
                promotion: match packed >> 12 {
                    0 => None,
                    at => Some(*Role::ALL.get(at - 1)?),
                },
            })
        })
    }

    /// Adds packed moves from a store.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// From the bytes of a store; `None` if they are not valid moves.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Option<Moves> {
        let moves = Moves(bytes);
        let sound = moves.0.len().is_multiple_of(2) && moves.iter().count() == moves.len();
        sound.then_some(moves)
    }

    /// Plays at most `plies` moves from a start; `each` gets every move and the position after it.
    ///
    /// # Errors
    ///
    /// The ply (from 1) that is not legal, and the reason.
    pub fn replay(
        &self,
        start: Position,
        plies: usize,
        mut each: impl FnMut(Move, &Position),
    ) -> Result<Position, (usize, Refusal)> {
        let mut position = start;
        for (ply, step) in self.iter().take(plies).enumerate() {
            let step = step.to_move(&position).map_err(|why| (ply + 1, why))?;
            position = position.play(step);
            each(step, &position);
        }
        Ok(position)
    }

    /// The game of these moves. A game of the log may continue where the rules end a game (an old
    /// game past a fivefold repetition), so this may fail where [`Moves::replay`] does not.
    ///
    /// # Errors
    ///
    /// The ply (from 1) that is not legal, and the reason.
    pub fn game(&self, start: Position, variant: Variant) -> Result<Game, (usize, Refusal)> {
        let mut game = Game::from_position(start, variant);
        for (ply, step) in self.iter().enumerate() {
            game.play(step.from, step.to, step.promotion).map_err(|why| (ply + 1, why))?;
        }
        Ok(game)
    }
}

impl std::fmt::Display for Moves {
    /// UCI moves separated by spaces.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (ply, step) in self.iter().enumerate() {
            if ply > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{step}")?;
        }
        Ok(())
    }
}

impl FromIterator<UciMove> for Moves {
    fn from_iter<I: IntoIterator<Item = UciMove>>(steps: I) -> Moves {
        let mut moves = Moves::new();
        for step in steps {
            moves.push(step);
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_that_can_be_written_comes_back() {
        let promotions = [None].into_iter().chain(Role::ALL.map(Some));
        for promotion in promotions {
            for from in Square::ALL {
                for to in Square::ALL {
                    let step = UciMove { from, to, promotion };
                    let moves: Moves = [step].into_iter().collect();
                    assert_eq!(moves.iter().next(), Some(step));
                    assert_eq!(Moves::from_bytes(moves.0.clone()), Some(moves));
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_moves_are_refused() {
        assert_eq!(Moves::from_bytes(vec![0]), None);
        assert_eq!(Moves::from_bytes(vec![0, 0x70]), None);
        assert!(Moves::from_bytes(vec![0, 0x60]).is_some());
    }
}
