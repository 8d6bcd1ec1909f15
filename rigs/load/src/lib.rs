//! Load, crashes and abuse for `hansu serve`: players by the thousand on real sockets against the
//! real program, which is measured, killed and started again from outside.
//!
//! Not shipped. `hansu-load --help` says what there is; `make load` and `make soak` run it.

pub mod abuse;
pub mod audit;
pub mod echo;
pub mod floor;
pub mod frames;
pub mod heard;
pub mod kill;
pub mod measure;
pub mod nodes;
pub mod opening;
pub mod pace;
pub mod play;
pub mod player;
pub mod program;
pub mod proxy;
pub mod reconnect;
pub mod report;
pub mod soak;
pub mod town;
pub mod trace;
pub mod usage;
pub mod watcher;
pub mod web;
