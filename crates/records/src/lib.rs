//! The log that keeps every game: events, rows, listing, search, statistics, PGN in and out.
//!
//! [`Store`] is what a log does, [`SqliteStore`] the one in a single file, [`PostgresStore`] the one
//! that many servers share. Events are opaque
//! texts here; whoever plays defines them. No rules and no HTTP.
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
pub mod dates;
mod entry;
mod error;
mod export;
mod filter;
mod fingerprint;
mod holders;
mod import;
mod judge;
mod ledger;
mod moves;
mod own;
mod place;
mod plan;
mod played;
mod postgres;
mod record;
mod seats;
mod shelf;
mod sqlite;
pub mod stats;
pub mod store;
mod typed;

pub use hansu_annals::{Score, names, openings};

pub use analysis::{Analyses, KeptAnalysis};
pub use error::{Error, Part};
pub use export::{export, to_notation, to_pgn};
pub use filter::{Cursor, Filter, Listing, Order, Page};
pub use fingerprint::fingerprint;
pub use holders::{Holders, Pass};
pub use import::{Annotations, Broken, ImportOptions, Report, Why, import, import_file};
pub use moves::{MOST_PLIES, Moves};
pub use place::{data_dir, log_file};
pub use played::{Played, Row};
pub use postgres::{PostgresOptions, PostgresStore};
pub use record::{GameId, GameIdError, Named, Record, Source, Status, Summary, Visibility};
pub use seats::{Begins, Holder, Invitation, InvitationState, Seat, Seek, Side, Uses};
pub use sqlite::{Options, SqliteStore};
pub use store::{Append, Appended, Archive, Event, Invitations, Log, NewEvent, Once, Store};
