//! A city at the boards: a seeded model of very many players on several nodes over one PostgreSQL
//! and one NATS.
//!
//! Nothing here is the server. Every move, connection and commit of the modelled crowd is one event
//! of a discrete simulation; what each costs stands in [`costs`], with where it was measured, and
//! how the crowd behaves in [`people`]. Change a figure there, or with `--set`, and run again.
//!
//! - A node is a first-come-first-served queue of work, as fast as its cores together. That makes
//!   the wait a little longer than several separate servers would.
//! - A writer is a batch server: whatever comes while a transaction is under way shares the next.
//! - The database's processors are counted by the second; its answers stretch by `1 / (1 - load)`.
//! - What happens evenly (pings, reminders, polling, the lobby's list) slows its node down for the
//!   second in which it happens, instead of being simulated one by one.

pub mod chance;
pub mod costs;
pub mod delays;
pub mod node;
pub mod people;

pub mod report;
pub mod scenario;
pub mod second;
pub mod sizing;

pub mod sketch;
pub mod world;
