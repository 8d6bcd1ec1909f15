//! The real program under crashes and abuse, in small; `make soak` and `make load` do it in large.

mod abuse;
mod kill;
mod nodes;
mod sync;
