//! Who sits at a game: seats, and the invitations and seeks of players who wait for an opponent.

use std::fmt;

use crate::GameId;
use crate::coded::coded;
use crate::dates::Millis;

/// A player as the log knows one: the hash of the key that the player holds. The key itself never
/// comes here.
///
/// ```
/// use hansu_records::Holder;
/// assert_eq!(format!("{:?}", Holder([0xab; 32])), "Holder(abababab…)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holder(pub [u8; 32]);

impl fmt::Debug for Holder {
    /// Only the beginning: enough to tell players apart in a log line, too little to look one up.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, ..] = self.0;
        write!(f, "Holder({a:02x}{b:02x}{c:02x}{d:02x}…)")
    }
}

coded! {
    /// Which seat of a game somebody has.
    Side {
        /// White's.
        White = 0, "white";
        /// Black's.
        Black = 1, "black";
        /// Both: two players at one screen.
        Both = 2, "both";
        /// None: the holder brought the game in a file.
        Importer = 3, "importer";
    }
}

/// A seat and who has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seat {
    /// Which.
    pub side: Side,
    /// Whose.
    pub holder: Holder,
}

/// What is written with the first events of a game, in the same transaction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Begins {
    /// Who sits down: at most two, and each side once. One holder on both sides is kept as
    /// [`Side::Both`].
    pub seats: Vec<Seat>,
    /// What is used up by it.
    pub uses: Option<Uses>,
}

/// What the beginning of a game uses up. Both are used once: of two games that use the same, the
/// second is refused with [`Error::Spent`](crate::Error::Spent).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uses {
    /// The invitation with this hash. It must be one to this game and must not have expired when
    /// the first event happened.
    Invitation([u8; 32]),
    /// The seek that holds the name of this game.
    Seek,
}

impl Begins {
    /// Whether every side is taken at most once.
    pub(crate) fn fits(&self) -> bool {
        match self.seats[..] {
            [] | [_] => true,
            [one, other] => {
                one.side != other.side && one.side != Side::Both && other.side != Side::Both
            }
            [..] => false,
        }
    }

    /// The seats with one line a holder.
    pub(crate) fn by_holder(&self) -> Vec<Seat> {
        match self.seats[..] {
            [one, other] if one.holder == other.holder => {
                vec![Seat { side: Side::Both, holder: one.holder }]
            }
            _ => self.seats.clone(),
        }
    }
}

coded! {
    /// What has become of an invitation. An open one may have expired.
    InvitationState {
        /// It can be used.
        Open = 0, "open";
        /// Its game has begun.
        Used = 1, "used";
        /// It was taken back.
        Withdrawn = 2, "withdrawn";
    }
}

/// A game that waits for its second player.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Invitation {
    /// The hash of what the invited player was sent.
    pub hash: [u8; 32],
    /// The name that the game will have; no other game gets it meanwhile.
    pub game: GameId,
    /// What the game shall be, in words of whoever makes it.
    pub body: String,
    /// Who made it.
    pub holder: Holder,
    /// When it was made.
    pub made: Millis,
    /// From when on it is of no use. Once it is used or withdrawn this is the time it was made.
    pub expires: Millis,
    /// What has become of it.
    pub state: InvitationState,
}

/// A player who waits for any opponent.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Seek {
    /// The name that the game will have; no other game gets it meanwhile.
    pub game: GameId,
    /// The server at which the player waits. A seek ends with it.
    pub node: String,
    /// What the game shall be, as text; its form is up to the server.
    pub body: String,
    /// The player.
    pub holder: Holder,
    /// Since when.
    pub made: Millis,
}
