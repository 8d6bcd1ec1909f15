//! Time as this crate sees it: numbers that the caller gives, never a clock of its own.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds: a length of time, or a moment counted from wherever the caller counts from
/// (the server counts from 1970, so that moments mean the same on every node).
///
/// Arithmetic stops at the ends instead of wrapping: no number from outside can panic.
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
    ///
    /// ```
    /// # use hansu_play::Millis;
    /// assert_eq!(Millis::ZERO, Millis(0));
    /// ```
    pub const ZERO: Millis = Millis(0);

    /// So many seconds.
    ///
    /// ```
    /// # use hansu_play::Millis;
    /// assert_eq!(Millis::seconds(3), Millis(3_000));
    /// ```
    pub const fn seconds(seconds: u64) -> Millis {
        Millis(seconds.saturating_mul(1_000))
    }

    /// So many minutes.
    ///
    /// ```
    /// # use hansu_play::Millis;
    /// assert_eq!(Millis::minutes(2), Millis(120_000));
    /// ```
    pub const fn minutes(minutes: u64) -> Millis {
        Millis(minutes.saturating_mul(60_000))
    }

    /// So many days.
    ///
    /// ```
    /// # use hansu_play::Millis;
    /// assert_eq!(Millis::days(1), Millis(86_400_000));
    /// ```
    pub const fn days(days: u64) -> Millis {
        Millis(days.saturating_mul(86_400_000))
    }

    /// Later or longer by so much.
    ///
    /// ```
    /// # use hansu_play::Millis;
    /// assert_eq!(Millis(u64::MAX).plus(Millis(1)), Millis(u64::MAX));
    /// ```
    pub const fn plus(self, more: Millis) -> Millis {
        Millis(self.0.saturating_add(more.0))
    }

    /// Earlier or shorter by so much; also the time from `less` until this moment.
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

/// When a command arrived, and what the way took.
///
/// The lag is what the *server* has measured for this player, never what a client claims. It is
/// credited within the bounds of [`LAG_PER_MOVE`](crate::LAG_PER_MOVE) and
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
    ///
    /// ```
    /// # use hansu_play::{Millis, Moment};
    /// assert_eq!(Moment::at(Millis(7)).received, Millis(7));
    /// ```
    pub const fn at(received: Millis) -> Moment {
        Moment { received, lag: Millis::ZERO }
    }

    /// The same moment with a measured lag.
    ///
    /// ```
    /// # use hansu_play::{Millis, Moment};
    /// assert_eq!(Moment::at(Millis(7)).lagging(Millis(80)).lag, Millis(80));
    /// ```
    pub const fn lagging(self, lag: Millis) -> Moment {
        Moment { lag, ..self }
    }
}

impl From<Millis> for Moment {
    fn from(received: Millis) -> Moment {
        Moment::at(received)
    }
}
