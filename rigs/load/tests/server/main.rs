//! The real program under crashes and abuse, at small size; `make soak` and `make load` run the
//! full size.

mod abuse;
mod kill;
mod nodes;
mod sync;
