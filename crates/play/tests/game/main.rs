//! Games played from outside the crate: clocks, offers, seats, laws, stored and damaged events.

mod clocks;
mod damage;
mod golden;
mod laws;
mod offers;
mod seats;
mod states;
mod table;
