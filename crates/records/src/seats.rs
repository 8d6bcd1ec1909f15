//! Seats of games, and the invitations and seeks of players who wait for an opponent.

use std::fmt;

use crate::GameId;
use crate::coded::coded;
use crate::dates::LogTime;

/// A player as the log identifies one: the hash of the player's key. The log never gets the key
/// itself.
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
    /// The seat of a game that a holder has.
    Side {
        /// White.
        White = 0, "white";
        /// Black.
        Black = 1, "black";
        /// Both: two players at one screen.
        Both = 2, "both";
        /// No side: the holder imported the game.
        Importer = 3, "importer";
    }
}

/// A seat and its holder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seat {
    /// The side.
    pub side: Side,
    /// The holder.
    pub holder: Holder,
}

/// What is written with the first events of a game, in the same transaction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Begins {
    /// The seats: at most two, and each side once. One holder on both sides is stored as
    /// [`Side::Both`].
    pub seats: Vec<Seat>,
    /// The invitation or seek that the game uses up.
    pub uses: Option<Uses>,
}

/// What the beginning of a game uses up. Each can be used once: of two games that use the same one,
/// the second is refused with [`Error::Spent`](crate::Error::Spent).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uses {
    /// The invitation with this hash. It must be one to this game and must not have expired when
    /// the first event happened.
    Invitation([u8; 32]),
    /// The seek that reserves the id of this game.
    Seek,
}

impl Begins {
    /// True if every side is taken at most once.
    pub(crate) fn fits(&self) -> bool {
        match self.seats[..] {
            [] | [_] => true,
            [one, other] => {
                one.side != other.side && one.side != Side::Both && other.side != Side::Both
            }
            [..] => false,
        }
    }

    /// The seats, one for each holder.
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
    /// The state of an invitation. An open one may have expired.
    InvitationState {
        /// It can be used.
        Open = 0, "open";
        /// Its game has begun.
        Used = 1, "used";
        /// Its holder has withdrawn it.
        Withdrawn = 2, "withdrawn";
    }
}

/// A game that waits for its second player.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Invitation {
    /// The hash of the secret in the invitation link.
    pub hash: [u8; 32],
    /// The id that the game will have; it is reserved until then.
    pub game: GameId,
    /// The settings of the game as text; the server defines the form.
    pub body: String,
    /// The player who made it.
    pub holder: Holder,
    /// When it was made.
    pub made: LogTime,
    /// When it expires. Once it is used or withdrawn, this is the time when it was made.
    pub expires: LogTime,
    /// Its state.
    pub state: InvitationState,
}

/// A player who waits for any opponent.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Seek {
    /// The id that the game will have; it is reserved until then.
    pub game: GameId,
    /// The server at which the player waits. The seek ends with that server.
    pub node: String,
    /// The settings of the game as text; the server defines the form.
    pub body: String,
    /// The player.
    pub holder: Holder,
    /// When it was made.
    pub made: LogTime,
}
