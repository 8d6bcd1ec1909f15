//! Who is connected to a game, here and at other nodes, and how sure one can be of it.

use hansu_chess::Color;
use hansu_play::{Actor, Millis, Sides};
use serde::{Deserialize, Serialize};

use super::{FAR_GRACE, FLAG_GRACE, GRACE, Room};

/// Before anybody is said to have left, the other nodes have had so long to speak up.
const HEARING: Millis = Millis::seconds(3);

/// How far a node sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sight {
    /// There are no other nodes.
    #[default]
    Alone,
    /// Every other node is heard.
    Whole,
    /// Some node that is alive is not heard: who sits there is not known, and nobody is said to
    /// have left.
    Partial,
}

/// How many are connected to a game at one node, or at several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Here {
    /// At White's seat.
    pub white: u32,
    /// At Black's seat.
    pub black: u32,
    /// Without a seat.
    pub watching: u32,
}

impl Here {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Here) -> Here {
        Here {
            white: self.white.saturating_add(other.white),
            black: self.black.saturating_add(other.black),
            watching: self.watching.saturating_add(other.watching),
        }
    }

    /// At the seat of a colour.
    pub fn seated(self, color: Color) -> u32 {
        if color == Color::White { self.white } else { self.black }
    }
}

/// Who is there, and since when a side has nobody.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct People {
    seated: Sides<u32>,
    watching: u32,
    /// At all other nodes together.
    elsewhere: Here,
    gone: Sides<Option<Millis>>,
    sight: Sight,
}

impl People {
    /// Nobody has been there since then.
    pub(super) fn gone_since(now: Millis) -> People {
        People { gone: Sides::both(Some(now)), ..People::default() }
    }

    /// Whether who is not known to be there is not there.
    pub(super) fn is_sure(&self) -> bool {
        self.sight != Sight::Partial
    }

    pub(super) fn has_others(&self) -> bool {
        self.sight != Sight::Alone
    }

    /// Since when a side has nobody.
    pub(super) fn gone(&self, side: Color) -> Option<Millis> {
        self.gone[side]
    }

    /// Whoever has come back elsewhere is that node's to miss.
    pub(super) fn returned(&mut self, side: Color) {
        self.gone[side] = None;
    }
}

impl Room {
    /// Whether a side is connected here.
    pub fn is_here(&self, color: Color) -> bool {
        self.people.seated[color] > 0
    }

    /// Whether a side is connected, here or at another node. The computer always is.
    pub fn is_there(&self, color: Color) -> bool {
        let computer = self.state.start().and_then(|start| start.computer);
        computer.is_some_and(|computer| computer.side == color)
            || self.is_here(color)
            || self.people.elsewhere.seated(color) > 0
    }

    /// How many watch, here or at another node.
    pub fn watching(&self) -> u32 {
        self.people.watching.saturating_add(self.people.elsewhere.watching)
    }

    /// Who is connected here.
    pub fn here(&self) -> Here {
        let People { seated, watching, .. } = self.people;
        Here { white: seated.white, black: seated.black, watching }
    }

    /// How far this node sees.
    pub fn sight(&self) -> Sight {
        self.people.sight
    }

    /// Whether nobody is connected here.
    pub fn is_deserted(&self) -> bool {
        self.here() == Here::default()
    }

    /// Somebody connects.
    pub fn arrive(&mut self, actor: Actor) {
        for color in seats(actor) {
            self.people.seated[color] += 1;
            self.people.gone[color] = None;
        }
        if seats(actor).next().is_none() {
            self.people.watching += 1;
        }
    }

    /// Somebody disconnects.
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

    /// The other nodes have, together, these people; who is missed was last there at `since`.
    pub fn elsewhere(&mut self, elsewhere: Here, since: Millis) {
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

    /// This node sees further than before, or less far.
    pub fn see(&mut self, sight: Sight, now: Millis) {
        if self.people.sight == Sight::Partial && sight != Sight::Partial {
            let earliest = now.minus(GRACE.minus(HEARING));
            for color in Color::ALL {
                let gone = &mut self.people.gone[color];
                *gone = gone.map(|since| since.max(earliest));
            }
        }
        self.people.sight = sight;
    }

    /// How much later than its moment this node lets a side's flag fall.
    pub(super) fn flag_grace(&self, side: Color) -> Millis {
        let own = self.is_here(side) || !self.is_there(side) && self.people.is_sure();
        if own { FLAG_GRACE } else { FAR_GRACE }
    }
}

/// The seats that somebody takes.
fn seats(actor: Actor) -> impl Iterator<Item = Color> {
    Color::ALL.into_iter().filter(move |&color| actor == Actor::Both || actor == Actor::seat(color))
}
