//! Real servers for tests: each on a free port and in a folder of its own, and gone with the test,
//! also when that panics.

mod authority;
mod nats;
mod postgres;

pub use authority::Authority;
pub use nats::Nats;
pub use postgres::Postgres;
