//! The tests of the rules, in one binary: five links less each time something changes.

mod common;

mod board;
mod game;
mod laws;
mod locked;
mod notation;
mod perft;
mod pgn;
mod refusals;
mod searching;
mod seeds;
