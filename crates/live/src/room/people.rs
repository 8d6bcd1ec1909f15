//! The connections of a game, at this node and at others, and whether all of them are known.

use hansu_chess::Color;
use hansu_play::{Actor, Millis, Sides};
use serde::{Deserialize, Serialize};

use super::{FAR_GRACE, FLAG_GRACE, GRACE, Room};

/// When messages of all nodes arrive again, a player counts as left at the earliest after this time,
/// in which the other nodes can report their connections.
const REPORT_WAIT: Millis = Millis::seconds(3);

/// The other nodes from which messages arrive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sight {
    /// There are no other nodes.
    #[default]
    Alone,
    /// All of them.
    Whole,
    /// Not all that are alive: their connections are unknown, so no player counts as left.
    Partial,
}

/// The number of connections to a game, at one node or at several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Connections {
    /// At White's seat.
    pub white: u32,
    /// At Black's seat.
    pub black: u32,
    /// Without a seat.
    pub watching: u32,
}

impl Connections {
    /// The sum of both.
    #[must_use]
    pub fn and(self, other: Connections) -> Connections {
        Connections {
            white: self.white.saturating_add(other.white),
            black: self.black.saturating_add(other.black),
            watching: self.watching.saturating_add(other.watching),
        }
    }

    /// The connections at the seat of a colour.
    pub fn seated(self, color: Color) -> u32 {
        if color == Color::White { self.white } else { self.black }
    }
}

/// The connections of a game, and since when a side has none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct People {
    seated: Sides<u32>,
    watching: u32,
    /// The sum of all other nodes.
    elsewhere: Connections,
    gone: Sides<Option<Millis>>,
    sight: Sight,
}

impl People {
    /// No connections on either side since this time.
    pub(super) fn gone_since(now: Millis) -> People {
        People { gone: Sides::both(Some(now)), ..People::default() }
    }

    /// True unless messages of some live node are missing; then absence cannot be concluded.
    pub(super) fn is_sure(&self) -> bool {
        self.sight != Sight::Partial
    }

    pub(super) fn has_others(&self) -> bool {
        self.sight != Sight::Alone
    }

    /// Since when a side has no connection; `None` if it has one, or has returned at another node.
    pub(super) fn gone(&self, side: Color) -> Option<Millis> {
        self.gone[side]
    }

    /// The player has returned at another node: that node reports when the player leaves again.
    pub(super) fn forget_absence(&mut self, side: Color) {
        self.gone[side] = None;
    }
}

impl Room {
    /// Returns true if a side is connected to this node.
    pub fn is_here(&self, color: Color) -> bool {
        self.people.seated[color] > 0
    }

    /// Returns true if a side is connected, to this node or another. The computer always is.
    pub fn is_there(&self, color: Color) -> bool {
        let computer = self.state.start().and_then(|start| start.computer);
        computer.is_some_and(|computer| computer.side == color)
            || self.is_here(color)
            || self.people.elsewhere.seated(color) > 0
    }

    /// The number of spectators, at all nodes.
    pub fn watching(&self) -> u32 {
        self.people.watching.saturating_add(self.people.elsewhere.watching)
    }

    /// The connections at this node.
    pub fn connections(&self) -> Connections {
        let People { seated, watching, .. } = self.people;
        Connections { white: seated.white, black: seated.black, watching }
    }

    /// The other nodes from which messages arrive.
    pub fn sight(&self) -> Sight {
        self.people.sight
    }

    /// Returns true if this node has no connections to the game.
    pub fn is_deserted(&self) -> bool {
        self.connections() == Connections::default()
    }

    /// Counts a new connection.
    pub fn arrive(&mut self, actor: Actor) {
        for color in seats(actor) {
            self.people.seated[color] += 1;
            self.people.gone[color] = None;
        }
        if seats(actor).next().is_none() {
            self.people.watching += 1;
        }
    }

    /// Counts a connection as closed.
    pub fn depart(&mut self, actor: Actor, now: Millis) {
        for color in seats(actor) {
            let seated = &mut self.people.seated[color];
            *seated = seated.saturating_sub(1);
            if !self.is_there(color) {
                self.people.gone[color] = Some(now);
            }
        }
        if seats(actor).next().is_none() {
            self.people.watching = self.people.watching.saturating_sub(1);
        }
    }

    /// Sets the sum of the connections at all other nodes. A side that had its last connection there
    /// is gone since `since`.
    pub fn set_elsewhere(&mut self, elsewhere: Connections, since: Millis) {
        let before = self.people.elsewhere;
        self.people.elsewhere = elsewhere;
        for color in Color::ALL {
            if self.is_there(color) {
                self.people.gone[color] = None;
            } else if before.seated(color) > 0 {
                self.people.gone[color] = Some(since);
            }
        }
    }

    /// Sets the other nodes from which messages arrive.
    pub fn set_sight(&mut self, sight: Sight, now: Millis) {
        if self.people.sight == Sight::Partial && sight != Sight::Partial {
            let earliest = now.minus(GRACE.minus(REPORT_WAIT));
            for color in Color::ALL {
                let gone = &mut self.people.gone[color];
                *gone = gone.map(|since| since.max(earliest));
            }
        }
        self.people.sight = sight;
    }

    /// How long after its deadline this node lets a side's flag fall.
    pub(super) fn flag_grace(&self, side: Color) -> Millis {
        let own = self.is_here(side) || !self.is_there(side) && self.people.is_sure();
        if own { FLAG_GRACE } else { FAR_GRACE }
    }
}

/// The seats that an actor has.
fn seats(actor: Actor) -> impl Iterator<Item = Color> {
    Color::ALL.into_iter().filter(move |&color| actor == Actor::Both || actor == Actor::seat(color))
}
