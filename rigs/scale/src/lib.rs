//! A seeded model of very many players on several nodes over one PostgreSQL and one NATS.
//!
//! It contains no code of the server. Every move, connection and commit of the modelled crowd is
//! one event of a discrete simulation; [`costs`] has the cost of each with its source, and
//! [`people`] the behaviour of the crowd. Change a figure there, or with `--set`, and run again.
//!
//! - A node is a first-come-first-served queue of work, as fast as its cores together. That makes
//!   waits a little longer than separate cores would.

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
