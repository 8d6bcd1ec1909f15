//! Load, crashes and abuse for `hansu serve`: thousands of players on real sockets against the real
//! program, which is measured, killed and restarted from outside.
//!
//! Not shipped. `hansu-load --help` lists the commands; `make load` and `make soak` run it.

pub mod abuse;
pub mod api;
pub mod audit;
pub mod cluster;
pub mod computer;
pub mod coordinator;
pub mod echo;
pub mod frames;
pub mod kill;
pub mod measure;
pub mod nodes;
pub mod opening;
pub mod pace;
pub mod play;
pub mod player;
pub mod program;
pub mod proxy;
pub mod received;
pub mod reconnect;
pub mod report;
pub mod soak;
pub mod trace;
pub mod usage;
pub mod watcher;
