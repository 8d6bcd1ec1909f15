//! Times, which always come from the caller: this crate reads no clock.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds: a duration, or a time counted from an origin that the caller chooses (the server
/// counts from 1970, so that times mean the same on every node).
///
/// Arithmetic saturates instead of overflowing: no number from outside can make it panic.
///
/// ```
/// use hansu_play::Millis;
/// assert_eq!(Millis::seconds(2).plus(Millis(5)), Millis(2_005));
/// assert_eq!(Millis(3).minus(Millis(5)), Millis::ZERO);
/// ```
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// No time at all.
    pub const ZERO: Millis = Millis(0);

    /// A number of seconds.
    pub const fn seconds(seconds: u64) -> Millis {
        Millis(seconds.saturating_mul(1_000))
    }

    /// A number of minutes.
    pub const fn minutes(minutes: u64) -> Millis {
        Millis(minutes.saturating_mul(60_000))
    }

    /// A number of days.
    pub const fn days(days: u64) -> Millis {
        Millis(days.saturating_mul(86_400_000))
    }

    /// Later or longer by `more`.
    ///
    /// ```
    /// # use hansu_play::Millis;
    /// assert_eq!(Millis(u64::MAX).plus(Millis(1)), Millis(u64::MAX));
    /// ```
    pub const fn plus(self, more: Millis) -> Millis {
        Millis(self.0.saturating_add(more.0))
    }

    /// Earlier or shorter by `less`, at least zero; also the time from `less` until this time.
    ///
    /// ```
    /// # use hansu_play::Millis;
    /// assert_eq!(Millis(9).minus(Millis(4)), Millis(5));
    /// ```
    pub const fn minus(self, less: Millis) -> Millis {
        Millis(self.0.saturating_sub(less.0))
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

/// When a command was received, and the lag of its sender.
///
/// The *server* has measured the lag for this player; it is never a claim of the client. It is
/// forgiven within the bounds of [`LAG_PER_MOVE`](crate::LAG_PER_MOVE) and
/// [`LAG_PER_GAME`](crate::LAG_PER_GAME).
///
/// ```
/// use hansu_play::{Millis, Moment};
/// assert_eq!(Moment::from(Millis(7)).lag, Millis::ZERO);
/// assert_eq!(Moment::at(Millis(7)).lagging(Millis(80)).lag, Millis(80));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Stamped on receipt, before any queue.
    pub received: Millis,
    /// How long the command was under way, as measured by the server.
    pub lag: Millis,
}

impl Moment {
    /// A moment without lag.
    pub const fn at(received: Millis) -> Moment {
        Moment { received, lag: Millis::ZERO }
    }

    /// The same moment with a measured lag.
    pub const fn lagging(self, lag: Millis) -> Moment {
        Moment { lag, ..self }
    }
}

impl From<Millis> for Moment {
    fn from(received: Millis) -> Moment {
        Moment::at(received)
    }
}
