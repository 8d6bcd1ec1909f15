//! Korean and English sentences for the answers of the rules, of the game between two seats, of the
//! log and of the server.
//!
//! Those crates answer with types. The code that shows an answer to a person gets the sentence from
//! [`Lang`], so that terminal, board and API use the same words.
//!
//! ```
//! use hansu_chess::{Position, Square};
//! use hansu_words::Lang;
//! let position: Position = "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1".parse()?;
//! let refusal = position.refusal(Square::C3, Square::D5, None).unwrap();
//! assert_eq!(
//!     Lang::En.refusal(refusal, &position),
//!     "The knight on c3 is pinned by the bishop on b4: \
//!      without it the king on e1 would be in check."
//! );
//! assert_eq!(
//!     Lang::Ko.refusal(refusal, &position),
//!     "나이트(c3)는 비숍(b4)에 묶여 있어 움직일 수 없어요. 비키면 킹(e1)이 체크를 받아요."
//! );
//! # Ok::<(), hansu_chess::FenError>(())
//! ```

mod analysis;
mod arena;
mod english;
mod evasions;
mod korean;
mod lang;
mod lesson;
mod level;
mod log;
mod particle;
mod play;
mod screen;
mod server;

use hansu_chess::pgn::PgnReason;
use hansu_chess::{
    Color, Fault, Faults, FenError, GameError, Outcome, Position, Reason, Refusal, Role, SanError,
    SquareError, UciError,
};

pub use analysis::AnalysisNote;
pub use arena::ArenaNote;
pub use lang::{Lang, LangError};
pub use log::{LogPart, LogTrouble};
pub use particle::Particle;
pub use screen::Screen;
pub use server::ServerRefusal;

impl Lang {
    /// The name of a kind of piece.
    ///
    /// ```
    /// # use hansu_chess::Role;
    /// # use hansu_words::Lang;
    /// assert_eq!((Lang::En.role(Role::Rook), Lang::Ko.role(Role::Rook)), ("rook", "룩"));
    /// ```
    pub const fn role(self, role: Role) -> &'static str {
        match self {
            Lang::Ko => korean::role(role),
            Lang::En => english::role(role),
        }
    }

    /// The name of a side.
    pub const fn color(self, color: Color) -> &'static str {
        match self {
            Lang::Ko => korean::color(color),
            Lang::En => english::color(color),
        }
    }

    /// Why a move is refused in the position for which the refusal was given.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// # use hansu_words::Lang;
    /// let position = Position::start();
    /// let refusal = position.refusal(Square::A1, Square::A3, None).unwrap();
    /// assert!(Lang::En.refusal(refusal, &position).starts_with("The pawn on a2 stands in the way"));
    /// ```
    pub fn refusal(self, refusal: Refusal, position: &Position) -> String {
        match self {
            Lang::Ko => korean::refusal(refusal, position),
            Lang::En => english::refusal(refusal, position),
        }
    }

    /// Why a game ended, in a word or two.
    ///
    /// ```
    /// # use hansu_chess::Reason;
    /// # use hansu_words::Lang;
    /// assert_eq!(Lang::Ko.reason(Reason::Stalemate), "스테일메이트");
    /// ```
    pub const fn reason(self, reason: Reason) -> &'static str {
        match self {
            Lang::Ko => korean::reason(reason),
            Lang::En => english::reason(reason),
        }
    }

    /// How a game ended, as a sentence.
    ///
    /// ```
    /// # use hansu_chess::{Color, Outcome, Reason};
    /// # use hansu_words::Lang;
    /// let outcome = Outcome::win(Color::White, Reason::Checkmate);
    /// assert_eq!(Lang::En.outcome(outcome), "White wins by checkmate.");
    /// assert_eq!(Lang::Ko.outcome(outcome), "체크메이트로 백이 이겼어요.");
    /// ```
    pub fn outcome(self, outcome: Outcome) -> String {
        match self {
            Lang::Ko => korean::outcome(outcome),
            Lang::En => english::outcome(outcome),
        }
    }

    /// Why a text is not a valid FEN, or its position is not valid.
    ///
    /// ```
    /// # use hansu_chess::FenError;
    /// # use hansu_words::Lang;
    /// assert_eq!(
    ///     Lang::En.fen_error(FenError::Turn),
    ///     "Field 2, the side to move, must be w or b."
    /// );
    /// ```
    pub fn fen_error(self, error: FenError) -> String {
        match self {
            Lang::Ko => korean::fen_error(error),
            Lang::En => english::fen_error(error),
        }
    }

    /// One reason why a set-up is not a valid position.
    ///
    /// ```
    /// # use hansu_chess::{Color, Fault};
    /// # use hansu_words::Lang;
    /// assert_eq!(Lang::Ko.fault(Fault::NoKing(Color::Black)), "흑 킹이 없어요.");
    /// ```
    pub fn fault(self, fault: Fault) -> String {
        match self {
            Lang::Ko => korean::fault(fault),
            Lang::En => english::fault(fault),
        }
    }

    /// All the reasons why a set-up is not a valid position, one sentence each.
    ///
    /// ```
    /// # use hansu_chess::{Setup, Variant};
    /// # use hansu_words::Lang;
    /// let faults = Setup::empty().faults(Variant::Standard);
    /// assert_eq!(Lang::En.faults(faults), "White has no king. Black has no king.");
    /// ```
    pub fn faults(self, faults: Faults) -> String {
        let sentences: Vec<String> = faults.iter().map(|fault| self.fault(fault)).collect();
        sentences.join(" ")
    }

    /// Why a text is not a move in UCI notation.
    pub const fn uci_error(self, UciError: UciError) -> &'static str {
        match self {
            Lang::Ko => {
                "수는 두 칸을 이어 쓰고, 승급할 때는 끝에 q, r, b, n 중 하나를 붙여요. \
                 예: e2e4, e7e8q."
            }
            Lang::En => {
                "A move is two squares and, for a promotion, one of q, r, b, n: e2e4, e7e8q."
            }
        }
    }

    /// Why a text is not a legal move in standard algebraic notation.
    pub const fn san_error(self, error: SanError) -> &'static str {
        match self {
            Lang::Ko => korean::san_error(error),
            Lang::En => english::san_error(error),
        }
    }

    /// Why a game in a PGN file could not be read.
    ///
    /// ```
    /// # use hansu_chess::pgn::Reader;
    /// # use hansu_words::Lang;
    /// let error = Reader::new("1. e4 e5 2. Ke3 *".as_bytes()).next_game().unwrap().unwrap_err();
    /// assert_eq!(Lang::En.pgn_reason(error.reason), "Ke3 is not a legal move.");
    /// assert_eq!(Lang::Ko.pgn_reason(error.reason), "둘 수 없는 수예요: Ke3");
    /// ```
    pub fn pgn_reason(self, reason: PgnReason) -> String {
        match self {
            Lang::Ko => korean::pgn_reason(reason),
            Lang::En => english::pgn_reason(reason),
        }
    }

    /// Why a game refused a move or a claim.
    ///
    /// ```
    /// # use hansu_chess::GameError;
    /// # use hansu_words::Lang;
    /// assert_eq!(Lang::En.game_error(GameError::Over), "The game is over.");
    /// ```
    pub const fn game_error(self, error: GameError) -> &'static str {
        match self {
            Lang::Ko => korean::game_error(error),
            Lang::En => english::game_error(error),
        }
    }

    /// Why a text is not a square.
    pub const fn square_error(self, SquareError: SquareError) -> &'static str {
        match self {
            Lang::Ko => "칸은 a~h와 1~8을 이어 써요. 예: e4.",
            Lang::En => "A square is a letter from a to h and a digit from 1 to 8: e4.",
        }
    }
}
