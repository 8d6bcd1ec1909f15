//! Hansu over the network.
