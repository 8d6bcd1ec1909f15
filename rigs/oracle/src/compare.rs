//! One position in three libraries, and the comparison of everything on which they must agree.

use std::collections::BTreeMap;
use std::fmt;

use cozy_chess::{Board, GameStatus};
use hansu_chess::{Move, Outcome, Position, Reason, Variant};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, KnownOutcome, Position as _};

/// A difference between Hansu and an oracle.
#[derive(Debug)]
pub struct Difference {
    /// The position.
    pub fen: String,
    /// What was compared, and with which library.
    pub subject: &'static str,
    /// Hansu's answer.
    pub ours: String,
    /// The oracle's answer.
    pub theirs: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { fen, subject, ours, theirs } = self;
        write!(f, "{fen}\n  {subject}\n  ours:   {ours}\n  theirs: {theirs}")
    }
}

impl std::error::Error for Difference {}

/// The same position in Hansu and in both oracles.
#[derive(Clone)]
pub struct Trio {
    ours: Position,
    shakmaty: Chess,
    cozy: Board,
}

impl Trio {
    /// The position in all three libraries. `None` when an oracle rejects it: both refuse, for
    /// instance, three pieces giving check at once.
    pub fn new(ours: Position) -> Option<Trio> {
        let mode = CastlingMode::Chess960;
        let fen: Fen = ours.setup().shredder_fen().parse().ok()?;
        let shakmaty = fen.into_position(mode).ok()?;
        // cozy-chess accepts at most 100 halfmoves.
        let mut setup = ours.setup();
        setup.halfmoves = setup.halfmoves.min(100);
        let cozy = Board::from_fen(&setup.shredder_fen(), true).ok()?;
        Some(Trio { ours, shakmaty, cozy })
    }

    /// Hansu's position.
    pub fn position(&self) -> &Position {
        &self.ours
    }

    /// Plays the move in all three libraries, each with its own code.
    ///
    /// # Errors
    ///
    /// When an oracle does not know the move.
    pub fn play(&self, step: Move) -> Result<Trio, Difference> {
        let uci = step.uci(Variant::Chess960).to_string();
        let unknown = |subject| self.difference(subject, uci.clone(), "illegal".to_string());
        let mut next = self.clone();
        next.ours = self.ours.play(step);
        let theirs: shakmaty::uci::UciMove =
            uci.parse().map_err(|_| unknown("shakmaty reads a move"))?;
        let theirs =
            theirs.to_move(&self.shakmaty).map_err(|_| unknown("shakmaty plays a move"))?;
        next.shakmaty.play_unchecked(theirs);
        let theirs = uci.parse().map_err(|_| unknown("cozy-chess reads a move"))?;
        next.cozy.try_play(theirs).map_err(|_| unknown("cozy-chess plays a move"))?;
        Ok(next)
    }

    /// Compares everything that the libraries define in the same way.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn compare(&self) -> Result<(), Difference> {
        self.compare_moves()?;
        self.compare_outcome()?;
        let same = |subject, ours: u64, theirs: u64| {
            self.same(subject, format!("{ours:016x}"), format!("{theirs:016x}"))
        };
        let checkers = self.ours.checkers().0;
        same("checkers: shakmaty", checkers, self.shakmaty.checkers().0)?;
        same("checkers: cozy-chess", checkers, self.cozy.checkers().0)?;
        let theirs = Fen::from_position(&self.shakmaty, EnPassantMode::Legal).to_string();
        self.same("FEN: shakmaty", self.ours.fen(), theirs)
    }

    /// Compares legal moves in the UCI notation of Chess960, and their SAN from Hansu and shakmaty.
    fn compare_moves(&self) -> Result<(), Difference> {
        let ours: BTreeMap<String, String> = self
            .ours
            .legal_moves()
            .into_iter()
            .map(|step| {
                let uci = step.uci(Variant::Chess960).to_string();
                (uci, self.ours.san(step).to_string())
            })
            .collect();
        let theirs: BTreeMap<String, String> = self
            .shakmaty
            .legal_moves()
            .into_iter()
            .map(|step| {
                let uci = step.to_uci(CastlingMode::Chess960).to_string();
                let san = SanPlus::from_move(self.shakmaty.clone(), step).to_string();
                (uci, san)
            })
            .collect();
        if ours != theirs {
            let texts = (format!("{ours:?}"), format!("{theirs:?}"));
            return Err(self.difference("moves and SAN: shakmaty", texts.0, texts.1));
        }
        let mut cozy = Vec::with_capacity(ours.len());
        self.cozy.generate_moves(|moves| {
            cozy.extend(moves.into_iter().map(|step| step.to_string()));
            false
        });
        cozy.sort_unstable();
        if !cozy.iter().eq(ours.keys()) {
            let texts = (format!("{:?}", ours.keys()), format!("{cozy:?}"));
            return Err(self.difference("moves: cozy-chess", texts.0, texts.1));
        }
        Ok(())
    }

    /// Compares mate, stalemate and dead positions. shakmaty's "insufficient material" for both
    /// sides coincides with MISSION.md's dead positions; it does not know the 75-move rule.
    /// cozy-chess does not know dead positions and counts 100 halfmoves as a draw, so it is
    /// compared only below that.
    fn compare_outcome(&self) -> Result<(), Difference> {
        let ours = match self.ours.outcome().map(|outcome| outcome.reason) {
            Some(Reason::SeventyFiveMoves) => None,
            _ => self.ours.outcome(),
        };
        let theirs = self.shakmaty.outcome().known();
        let written = match theirs {
            Some(KnownOutcome::Decisive { winner: shakmaty::Color::White }) => "1-0",
            Some(KnownOutcome::Decisive { winner: shakmaty::Color::Black }) => "0-1",
            Some(KnownOutcome::Draw) => "1/2-1/2",
            None => "*",
        };
        let result = ours.map_or("*", Outcome::result);
        self.same("outcome: shakmaty", result.into(), written.into())?;
        let facts =
            |mate, stalemate, dead| format!("mate {mate}, stalemate {stalemate}, dead {dead}");
        self.same(
            "ends: shakmaty",
            facts(self.ours.is_checkmate(), self.ours.is_stalemate(), self.ours.is_dead()),
            facts(
                self.shakmaty.is_checkmate(),
                self.shakmaty.is_stalemate(),
                self.shakmaty.is_insufficient_material(),
            ),
        )?;
        if self.ours.halfmoves() >= 100 {
            return Ok(());
        }
        let ours = match ours.map(|outcome| outcome.reason) {
            Some(Reason::Checkmate) => GameStatus::Won,
            Some(Reason::Stalemate) => GameStatus::Drawn,
            _ => GameStatus::Ongoing,
        };
        self.same("outcome: cozy-chess", format!("{ours:?}"), format!("{:?}", self.cozy.status()))
    }

    fn same(&self, subject: &'static str, ours: String, theirs: String) -> Result<(), Difference> {
        if ours == theirs { Ok(()) } else { Err(self.difference(subject, ours, theirs)) }
    }

    fn difference(&self, subject: &'static str, ours: String, theirs: String) -> Difference {
        Difference { fen: self.ours.setup().shredder_fen(), subject, ours, theirs }
    }
}
