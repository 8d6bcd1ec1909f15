//! The log that keeps every game: events, rows, listing, search, statistics, PGN in and out.
//!
//! [`Store`] is what a log does, [`SqliteStore`] the one in a single file, [`PostgresStore`] the
//! one that many servers share. Events are opaque text here; the crates that play define them. No
//! rules and no HTTP.
//!
//! What was acknowledged is on the disk: [`Log::append`] returns after the commit.

pub mod analysis;
mod batch;
pub mod carry;
mod coded;
#[cfg(feature = "conformance")]
pub mod conformance;
mod convert;
mod counting;
mod data_dir;
pub mod dates;
mod error;
mod export;
mod filter;
mod fingerprint;
mod game_row;
mod holders;
mod import;
mod judge;
mod moves;
mod own;
mod plan;
mod played;
mod pool;
mod postgres;
mod record;
mod search_text;
mod seats;
mod sqlite;
pub mod stats;
pub mod store;
mod tallies;

pub use hansu_annals::{Score, names, openings};

pub use analysis::{Analyses, KeptAnalysis};
pub use data_dir::{data_dir, log_file};
pub use error::{Error, Part};
pub use export::{export, to_notation, to_pgn};
pub use filter::{Cursor, Filter, Listing, Order, Page};
pub use fingerprint::fingerprint;
pub use holders::{Holders, Pass};
pub use import::{
    Annotations, BrokenGame, BrokenReason, ImportOptions, Report, import, import_file,
};
pub use moves::{MOST_PLIES, Moves};
pub use played::{Played, Row};
pub use postgres::{PostgresOptions, PostgresStore};
pub use record::{GameId, GameIdError, OpeningName, Record, Source, Status, Summary, Visibility};
pub use seats::{Begins, Holder, Invitation, InvitationState, Seat, Seek, Side, Uses};
pub use sqlite::{Options, SqliteStore};
pub use store::{Append, Appended, Archive, Event, Invitations, Log, NewEvent, Once, Store};
