//! A game: where it started, what was played, how it ended.

use std::fmt;

use crate::{
    Bitboard, CastlingSide, Color, Lost, Move, Outcome, Position, Rank, Reason, Refusal, Role, San,
    SanError, SanRefusal, SanStep, Square, Variant,
};

/// A game by the rules, without clocks and seats.
///
/// ```
/// use hansu_chess::{Color, Game, Reason};
/// let mut game = Game::start();
/// for step in ["f3", "e5", "g4", "Qh4#"] {
///     game.play_san(step)?;
/// }
/// let outcome = game.outcome().unwrap();
/// assert_eq!((outcome.winner, outcome.reason), (Some(Color::Black), Reason::Checkmate));
/// assert!(game.play_san("e4").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Game {
    variant: Variant,
    /// The start, then the position after each move: one more than moves.
    positions: Vec<Position>,
    moves: Vec<Move>,
    outcome: Option<Outcome>,
}

/// A copy has room for one more move, not for twice as many: a server with thousands of games
/// copies each before a move and keeps the copy.
impl Clone for Game {
    fn clone(&self) -> Game {
        let mut positions = Vec::with_capacity(self.positions.len() + 1);
        positions.extend_from_slice(&self.positions);
        let mut moves = Vec::with_capacity(self.moves.len() + 1);
        moves.extend_from_slice(&self.moves);
        Game { variant: self.variant, positions, moves, outcome: self.outcome }
    }
}

/// Which draw a player may claim now.
///
/// ```
/// use hansu_chess::{Claim, Game};
/// assert_eq!(Game::start().claim(), None);
/// assert_eq!(Claim::Threefold.reason().code(), "threefold_repetition");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// The position stands for the third time.
    Threefold,
    /// Fifty moves without capture or pawn move.
    FiftyMoves,
}

impl Claim {
    /// The reason of the draw after this claim.
    ///
    /// ```
    /// # use hansu_chess::{Claim, Reason};
    /// assert_eq!(Claim::FiftyMoves.reason(), Reason::FiftyMoves);
    /// ```
    pub const fn reason(self) -> Reason {
        match self {
            Claim::Threefold => Reason::ThreefoldRepetition,
            Claim::FiftyMoves => Reason::FiftyMoves,
        }
    }
}

/// Why a game refused a command.
///
/// ```
/// use hansu_chess::{Game, GameError};
/// assert_eq!(Game::start().claim_draw(), Err(GameError::NothingToClaim));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameError {
    /// The game has ended.
    Over,
    /// Neither threefold repetition nor fifty moves.
    NothingToClaim,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameError::Over => "the game has ended",
            GameError::NothingToClaim => "there is no draw to claim",
        })
    }
}

impl std::error::Error for GameError {}

impl Game {
    /// A game from the usual start.
    ///
    /// ```
    /// # use hansu_chess::Game;
    /// assert!(Game::start().moves().is_empty());
    /// ```
    pub fn start() -> Game {
        Game::from_position(Position::start(), Variant::Standard)
    }

    /// A game from any position; it may be over at once.
    ///
    /// ```
    /// # use hansu_chess::{Game, Position, Variant};
    /// let dead: Position = "8/8/4k3/8/8/3K4/8/8 w - - 0 1".parse()?;
    /// assert!(Game::from_position(dead, Variant::Standard).outcome().is_some());
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn from_position(start: Position, variant: Variant) -> Game {
        let outcome = start.outcome();
        Game { variant, positions: vec![start], moves: Vec::new(), outcome }
    }

    /// How the pieces were set up and castle.
    ///
    /// ```
    /// # use hansu_chess::{Game, Variant};
    /// assert_eq!(Game::start().variant(), Variant::Standard);
    /// ```
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The position now.
    ///
    /// ```
    /// # use hansu_chess::{Game, Position};
    /// assert_eq!(*Game::start().position(), Position::start());
    /// ```
    pub fn position(&self) -> &Position {
        // There is always the start; the index cannot miss.
        &self.positions[self.positions.len() - 1]
    }

    /// The start and the position after each move.
    ///
    /// ```
    /// # use hansu_chess::Game;
    /// assert_eq!(Game::start().positions().len(), 1);
    /// ```
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves played.
    ///
    /// ```
    /// # use hansu_chess::Game;
    /// let mut game = Game::start();
    /// game.play_san("e4")?;
    /// assert_eq!(game.moves().len(), 1);
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Who moves next.
    ///
    /// ```
    /// # use hansu_chess::{Color, Game};
    /// assert_eq!(Game::start().turn(), Color::White);
    /// ```
    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    /// How the game has ended, if it has.
    ///
    /// ```
    /// # use hansu_chess::Game;
    /// assert_eq!(Game::start().outcome(), None);
    /// ```
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Plays from a square to another.
    ///
    /// # Errors
    ///
    /// Why the move is not legal; the game is unchanged then.
    ///
    /// ```
    /// # use hansu_chess::{Game, Square};
    /// let mut game = Game::start();
    /// game.play(Square::E2, Square::E4, None)?;
    /// assert!(game.play(Square::E4, Square::E5, None).is_err());
    /// # Ok::<(), hansu_chess::Refusal>(())
    /// ```
    pub fn play(
        &mut self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, Refusal> {
        let step = self.judge(from, to, promotion)?;
        self.push(step);
        Ok(step)
    }

    /// Plays a move in standard algebraic notation, read leniently.
    ///
    /// # Errors
    ///
    /// What is wrong with the text or the move; the game is unchanged then.
    ///
    /// ```
    /// # use hansu_chess::Game;
    /// let mut game = Game::start();
    /// game.play_san("Nf3")?;
    /// assert!(game.play_san("Nf3").is_err());
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    pub fn play_san(&mut self, text: &str) -> Result<Move, SanError> {
        let san = San::lenient(text)?;
        if self.outcome.is_some() {
            return Err(SanError::Illegal);
        }
        let step = san.to_move(self.position())?;
        self.push(step);
        Ok(step)
    }

    /// Judges a move: the legal move, or the reason why it is not legal. Uses the history, so a
    /// lost castling right is explained.
    ///
    /// # Errors
    ///
    /// Why the move is not legal.
    ///
    /// ```
    /// # use hansu_chess::{Game, Square};
    /// assert!(Game::start().judge(Square::E2, Square::E4, None).is_ok());
    /// ```
    pub fn judge(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::GameOver);
        }
        self.position().judge(from, to, promotion).map_err(|refusal| self.with_history(refusal))
    }

    /// Judges a notation: the legal move, or the reason against the move that was most likely
    /// meant, see [`San::judge`]. Uses the history, as [`Game::judge`] does.
    ///
    /// # Errors
    ///
    /// Why it is not a legal move.
    ///
    /// ```
    /// use hansu_chess::{Game, Lost, Refusal, San, SanRefusal, Square};
    /// let mut game = Game::start();
    /// for step in ["e4", "e5", "Nf3", "Nf6", "Be2", "Be7", "Kf1", "a6"] {
    ///     game.play_san(step)?;
    /// }
    /// let Err(SanRefusal::Move { why, .. }) = game.judge_san(&San::lenient("O-O")?) else { panic!() };
    /// let lost = Lost::KingMoved;
    /// assert_eq!(why, Refusal::CastlingRightLost { rook: Square::H1, lost });
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    pub fn judge_san(&self, san: &San) -> Result<Move, SanRefusal> {
        let judged = san.judge(self.position());
        if self.outcome.is_some() {
            let meant = match judged {
                Ok(step) => step.uci(self.variant),
                Err(SanRefusal::Move { meant, .. }) => meant,
                Err(other) => return Err(other),
            };
            return Err(SanRefusal::Move { meant, why: Refusal::GameOver });
        }
        judged.map_err(|refused| match refused {
            SanRefusal::Move { meant, why: Refusal::CastlingRightLost { rook, lost } } => {
                let rook = match san.step {
                    SanStep::Castle(side) => self.first_rook(side).unwrap_or(rook),
                    SanStep::Piece { .. } => rook,
                };
                let why = self.with_history(Refusal::CastlingRightLost { rook, lost });
                SanRefusal::Move { meant, why }
            }
            other => other,
        })
    }

    /// Adds to a refusal what the history explains.
    fn with_history(&self, refusal: Refusal) -> Refusal {
        match refusal {
            Refusal::CastlingRightLost { rook, .. } => {
                Refusal::CastlingRightLost { rook, lost: self.lost_castling(rook) }
            }
            other => other,
        }
    }

    /// The rook with which the side to move could castle when the game began.
    fn first_rook(&self, side: CastlingSide) -> Option<Square> {
        let (first, us) = (&self.positions[0], self.turn());
        let rooks = first.castling() & Bitboard::rank(Rank::First.seen_by(us));
        rooks.into_iter().find(|&rook| CastlingSide::of(first.king(us), rook) == side)
    }

    /// Why a move is not legal now; `None` exactly when it is.
    ///
    /// ```
    /// # use hansu_chess::{Game, Square};
    /// assert_eq!(Game::start().refusal(Square::E2, Square::E4, None), None);
    /// ```
    pub fn refusal(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Refusal> {
        self.judge(from, to, promotion).err()
    }

    /// Why a castling right is lost, by the moves of the game: a move of the king counts before one
    /// of the rook.
    fn lost_castling(&self, rook: Square) -> Lost {
        if !self.positions[0].castling().contains(rook) {
            return Lost::Unknown;
        }
        let king = self.positions[0].king(self.turn());
        let king_moved = self.moves.iter().any(|step| step.from() == king);
        let first_on_rook = self
            .moves
            .iter()
            .find(|step| step.from() == rook || (step.castling().is_none() && step.to() == rook));
        match first_on_rook {
            _ if king_moved => Lost::KingMoved,
            Some(step) if step.from() == rook => Lost::RookMoved,
            Some(_) => Lost::RookTaken,
            None => Lost::Unknown,
        }
    }

    /// Adds a move that this position made.
    fn push(&mut self, step: Move) {
        let next = self.position().play(step);
        self.positions.push(next);
        self.moves.push(step);
        self.outcome = next.outcome().or_else(|| {
            (self.repetitions() >= 5).then_some(Outcome::draw(Reason::FivefoldRepetition))
        });
    }

    /// How often the position now has stood on the board, this time included.
    ///
    /// ```
    /// # use hansu_chess::Game;
    /// let mut game = Game::start();
    /// for step in ["Nf3", "Nf6", "Ng1", "Ng8"] {
    ///     game.play_san(step)?;
    /// }
    /// assert_eq!(game.repetitions(), 2);
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    pub fn repetitions(&self) -> usize {
        let now = self.position();
        // Nothing from before the last capture or pawn move can come back.
        let reach = usize::from(now.halfmoves()) + 1;
        self.positions.iter().rev().take(reach).step_by(2).filter(|&then| then == now).count()
    }

    /// The draw that a player may claim now.
    ///
    /// ```
    /// # use hansu_chess::{Claim, Game};
    /// let mut game = Game::start();
    /// for step in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
    ///     game.play_san(step)?;
    /// }
    /// assert_eq!(game.claim(), Some(Claim::Threefold));
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    pub fn claim(&self) -> Option<Claim> {
        if self.outcome.is_some() {
            None
        } else if self.repetitions() >= 3 {
            Some(Claim::Threefold)
        } else if self.position().halfmoves() >= 100 {
            Some(Claim::FiftyMoves)
        } else {
            None
        }
    }

    /// Ends the game as a draw that may be claimed.
    ///
    /// # Errors
    ///
    /// When the game is over or there is nothing to claim.
    ///
    /// ```
    /// # use hansu_chess::{Game, GameError};
    /// assert_eq!(Game::start().claim_draw(), Err(GameError::NothingToClaim));
    /// ```
    pub fn claim_draw(&mut self) -> Result<Outcome, GameError> {
        self.going_on()?;
        let claim = self.claim().ok_or(GameError::NothingToClaim)?;
        Ok(self.end(Outcome::draw(claim.reason())))
    }

    /// Ends the game as lost for a side.
    ///
    /// # Errors
    ///
    /// When the game is over.
    ///
    /// ```
    /// # use hansu_chess::{Color, Game};
    /// let mut game = Game::start();
    /// assert_eq!(game.resign(Color::White)?.result(), "0-1");
    /// # Ok::<(), hansu_chess::GameError>(())
    /// ```
    pub fn resign(&mut self, loser: Color) -> Result<Outcome, GameError> {
        self.going_on()?;
        Ok(self.end(Outcome::win(!loser, Reason::Resignation)))
    }

    /// Ends the game as a draw on which both agreed.
    ///
    /// # Errors
    ///
    /// When the game is over.
    ///
    /// ```
    /// # use hansu_chess::Game;
    /// let mut game = Game::start();
    /// assert_eq!(game.agree_draw()?.result(), "1/2-1/2");
    /// assert!(game.agree_draw().is_err());
    /// # Ok::<(), hansu_chess::GameError>(())
    /// ```
    pub fn agree_draw(&mut self) -> Result<Outcome, GameError> {
        self.going_on()?;
        Ok(self.end(Outcome::draw(Reason::Agreement)))
    }

    /// Takes the last move back, and the outcome if there is one.
    ///
    /// ```
    /// # use hansu_chess::{Game, Position};
    /// let mut game = Game::start();
    /// game.play_san("e4")?;
    /// assert!(game.take_back().is_some());
    /// assert_eq!(*game.position(), Position::start());
    /// assert!(game.take_back().is_none());
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    pub fn take_back(&mut self) -> Option<Move> {
        let step = self.moves.pop()?;
        self.positions.pop();
        self.outcome = None;
        Some(step)
    }

    fn going_on(&self) -> Result<(), GameError> {
        if self.outcome.is_some() { Err(GameError::Over) } else { Ok(()) }
    }

    fn end(&mut self, outcome: Outcome) -> Outcome {
        self.outcome = Some(outcome);
        outcome
    }

    /// The pieces of a side that were taken, by kind; promoted pieces count as pawns.
    ///
    /// ```
    /// # use hansu_chess::{Color, Game, Role};
    /// let mut game = Game::start();
    /// for step in ["e4", "d5", "exd5"] {
    ///     game.play_san(step)?;
    /// }
    /// assert_eq!(game.captured(Color::Black), [Role::Pawn]);
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    pub fn captured(&self, color: Color) -> Vec<Role> {
        let mut promoted = Bitboard::EMPTY;
        let mut captured = Vec::new();
        for (step, before) in self.moves.iter().zip(&self.positions) {
            if step.castling().is_some() {
                continue;
            }
            let (from, to) = (Bitboard::of(step.from()), Bitboard::of(step.to()));
            let taken = if step.is_en_passant() || promoted.meets(to) {
                Some(Role::Pawn)
            } else {
                before.board().role_at(step.to())
            };
            if before.turn() != color {
                captured.extend(taken);
            }
            let stays_promoted = promoted.meets(from) || step.promotion().is_some();
            promoted = promoted - from - to;
            if stays_promoted {
                promoted |= to;
            }
        }
        captured
    }
}
