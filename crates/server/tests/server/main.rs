//! A real server on a port of its own, real sockets, a log in a temporary folder.

mod abuse;
mod access;
mod analysis;
mod api;
mod at_game;
mod computer;
mod described;
mod devices;
mod endings;
mod invitations;
mod lobby;
mod nearby;
mod page;
mod questions;
mod reconnecting;
mod series;
mod stream;
mod test_server;
mod uploads;
