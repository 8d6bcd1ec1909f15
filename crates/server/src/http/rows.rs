//! Seats of the log, as the API tells them.

use hansu_protocol as wire;
use hansu_records::Side;

/// A seat.
pub(crate) const fn place(side: Side) -> Option<wire::Place> {
    match side {
        Side::White => Some(wire::Place::White),
        Side::Black => Some(wire::Place::Black),
        Side::Both => Some(wire::Place::Both),
        Side::Importer => None,
    }
}
