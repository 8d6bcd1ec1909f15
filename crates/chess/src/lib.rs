//! The rules of chess: positions, legal moves, reasons for refusals, notation.
//!
//! Pure: no dependencies, no clocks, no seats, no sentences for users.
//!
//! ```
//! use hansu_chess::{Position, Square};
//! let position = Position::start();
//! assert_eq!(position.legal_moves().len(), 20);
//! assert!(position.judge(Square::E2, Square::E5, None).is_err());
//! ```
#![allow(long_running_const_eval)] // the tables of `sliders` and `attacks`

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod chess960;
mod color;
pub mod epd;
mod exchange;
mod fen;
mod game;
mod generate;
mod locked;
mod make;
mod moves;
mod outcome;
mod perft;
pub mod pgn;
mod position;
pub mod processor;
mod refusal;
mod role;
mod san;
mod search;
mod setup;
mod sliders;
mod square;
mod uci;
mod unchecked;
mod variant;
mod visitors;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use color::Color;
pub use exchange::exchange_value;
pub use fen::FenError;
pub use game::{Claim, Game, GameError};
pub use moves::{CastlingSide, Move};
pub use outcome::{Outcome, Reason};
pub use perft::perft;
pub use position::Position;
pub use refusal::{Lost, Refusal};
pub use role::{Piece, Role};
pub use san::{San, SanError, SanRefusal, SanStep, Suffix};
pub use search::MoveList;
pub use setup::{Fault, Faults, Setup};
pub use square::{File, Rank, Square, SquareError};
pub use uci::{UciError, UciMove};
pub use variant::Variant;
