//! What tests and rigs share: real servers, each on a free port and in a folder of its own, and gone
//! with the test, also when that panics; certificates; the program itself; numbers from a seed.

mod authority;
mod nats;
mod postgres;
mod program;
mod random;

pub use authority::Authority;
pub use nats::Nats;
pub use postgres::Postgres;
pub use program::hansu;
pub use random::Random;
