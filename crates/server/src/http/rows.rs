//! Converts seats of the log to seats of the protocol.

use hansu_protocol as wire;
use hansu_records::Side;

/// The seat of a player; None for the importer of a game.
pub(crate) const fn wire_seat(side: Side) -> Option<wire::Seat> {
    match side {
        Side::White => Some(wire::Seat::White),
        Side::Black => Some(wire::Seat::Black),
        Side::Both => Some(wire::Seat::Both),
        Side::Importer => None,
    }
}
