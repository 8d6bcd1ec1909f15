//! What tests and rigs share: real servers, each on a free port and in its own folder, removed with
//! the test even if it panics; certificates; the `hansu` program; clients that know only an
//! address; positions and numbers from a seed. Each is a feature, so that a test builds only what
//! it needs.

#[cfg(feature = "servers")]
mod authority;
#[cfg(feature = "clients")]
pub mod clients;
#[cfg(feature = "games")]
pub mod games;
#[cfg(feature = "servers")]
mod nats;
#[cfg(feature = "servers")]
mod postgres;
#[cfg(feature = "clients")]
pub mod process;
#[cfg(feature = "servers")]
mod program;
mod random;

#[cfg(feature = "servers")]
pub use authority::Authority;
#[cfg(feature = "servers")]
pub use nats::Nats;
#[cfg(feature = "servers")]
pub use postgres::Postgres;
#[cfg(feature = "servers")]
pub use program::hansu;
pub use random::Random;
