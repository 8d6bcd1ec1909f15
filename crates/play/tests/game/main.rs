//! Games played from outside the crate: clocks, offers, seats, series, laws, stored events.

mod clocks;
mod computer;
mod damage;
mod fixture;
mod gifts;
mod golden;
mod laws;
mod odds;
mod offers;
mod seats;
mod series;
mod states;
