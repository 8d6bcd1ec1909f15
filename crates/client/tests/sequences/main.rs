//! Random sequences of messages and wishes: laws of the view, and one file of sequences that the
//! page's reducer must answer in the same way (`web/src/game/sequences.test.ts`).

mod file;
mod laws;
mod model;
mod run;
