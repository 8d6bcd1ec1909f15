//! What players, spectators and the server ask for.

use hansu_chess::{Color, UciMove, Variant};
use serde::{Deserialize, Serialize};

use crate::{Ending, Millis, Reason, Sides, TimeControl, code};

/// What a player, a spectator or the server wants done.
///
/// A server makes commands from the messages of its clients. Presence, clock credit and the id of the
/// next game come from the server itself and are never taken from a client.
///
/// ```
/// use hansu_play::{Command, Offer};
/// let command = Command::Offer { what: Offer::Draw, next: None };
/// assert_eq!(serde_json::to_string(&command)?, r#"{"type":"offer","what":"draw"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Command {
    /// Begin the game.
    Start(Start),
    /// Play a move.
    Move {
        /// As UCI writes it.
        #[serde(with = "code::uci")]
        uci: UciMove,
    },
    /// Resign; on one screen for both sides, the side to move resigns.
    Resign,
    /// Offer something to the other side, or agree when it has offered the same.
    Offer {
        /// What.
        what: Offer,
        /// For a rematch: the id of the next game, given by the caller, in case the other side has
        /// offered one as well by the time this is decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    },
    /// Agree to an offer of the other side.
    Accept {
        /// To what.
        what: Offer,
        /// For a rematch: the id of the next game, given by the caller.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    },
    /// Turn down an offer of the other side.
    Decline {
        /// Which.
        what: Offer,
    },
    /// Claim the draw of a threefold repetition or of fifty moves. By FIDE 9.2 and 9.3 only the
    /// side to move may, either for the position as it stands or for the one that a move leads
    /// to; that move is played together with the claim.
    ClaimDraw {
        /// The move that leads to the draw.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "code::optional_uci")]
        with: Option<UciMove>,
    },
    /// Claim the game from an opponent who has left.
    ClaimAbsence {
        /// What is claimed.
        result: Claimed,
    },
    /// Abort the game before both sides have moved; neither side loses.
    Abort,
    /// Say that the time of the side to move has run out.
    Flag,
    /// Give the opponent [`GIFT`](crate::GIFT) more time.
    GiveTime {
        /// The side that gets it; on one screen for both sides, either side.
        #[serde(with = "code::color")]
        to: Color,
    },
    /// Send a chat message.
    Chat {
        /// The message.
        text: String,
        /// A spectator's name; `None` for players.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A player's last connection is gone.
    Leave {
        /// The player's side.
        #[serde(with = "code::color")]
        side: Color,
    },
    /// A player is connected again.
    Return {
        /// The player's side.
        #[serde(with = "code::color")]
        side: Color,
    },
    /// Give back time in which the server could not take moves.
    Credit {
        /// How much.
        time: Millis,
    },
}

/// What one side can offer to the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// End the game as a draw. Open until answered, or until the other side moves.
    Draw,
    /// Take back the asking player's last move. Open until answered, or until either side moves.
    Takeback,
    /// Adjourn the game. Open until answered, or until the other side moves.
    Adjournment,
    /// Go on with an adjourned game. Both sides must agree, since both clocks are at stake.
    Resumption,
    /// Play again with colours swapped, after the end.
    Rematch,
}

impl Offer {
    /// All kinds of offers.
    pub const ALL: [Offer; 5] =
        [Offer::Draw, Offer::Takeback, Offer::Adjournment, Offer::Resumption, Offer::Rematch];

    /// How many moves, counting both sides' moves, must be played before a side may offer this again;
    /// repeated offers would disturb the opponent. Each side can offer a `Rematch` once, since no
    /// move follows.
    ///
    /// ```
    /// # use hansu_play::Offer;
    /// assert_eq!(Offer::Takeback.pause(), 1);
    /// ```
    pub const fn pause(self) -> u32 {
        match self {
            Offer::Draw | Offer::Adjournment => 8,
            Offer::Takeback | Offer::Rematch => 1,
            Offer::Resumption => 0,
        }
    }
}

/// What a player claims when the opponent has left.
///
/// ```
/// use hansu_play::{Claimed, Command};
/// let command = Command::ClaimAbsence { result: Claimed::Win };
/// assert!(serde_json::to_string(&command)?.contains("win"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Claimed {
    /// A win.
    Win,
    /// A draw.
    Draw,
}

/// Everything that is fixed before the first move.
///
/// ```
/// use hansu_play::{Start, TimeControl};
/// let start = Start::between("Mina", "Jun");
/// assert_eq!(start.time, TimeControl::Unlimited);
/// assert_eq!(start.swapped().names.white, "Jun");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Start {
    /// The players' names.
    pub names: Sides<String>,
    /// Standard chess or Chess960.
    #[serde(default, with = "code::variant")]
    #[cfg_attr(feature = "ts", ts(type = "\"standard\" | \"chess960\""))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub variant: Variant,
    /// The start position as FEN; `None` for the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The time control.
    #[serde(default)]
    pub time: TimeControl,
    /// Where the game is played.
    pub source: Source,
    /// Whether spectators may chat.
    #[serde(default)]
    pub spectators: Spectators,
    /// The games between the same players before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// The computer's side and strength; `None` if it does not play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computer: Option<Computer>,
}

/// The computer at one side of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Computer {
    /// Its side.
    #[serde(with = "code::color")]
    #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\""))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub side: Color,
    /// Its strength, from 1 to 10.
    pub level: u8,
    /// True if it resigns a lost game, late; else it plays to the end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resigns: bool,
}

/// A series of rematches before a game.
///
/// ```
/// use hansu_play::{Ending, Reason, Series, Sides, Start};
/// use hansu_chess::Color;
/// let start = Start::between("Mina", "Jun");
/// let won = Ending { winner: Some(Color::White), reason: Reason::Timeout };
/// let next = start.rematch("abc", won);
/// // Mina won with White and has Black now.
/// assert_eq!(next.names.black, "Mina");
/// let score = Sides { white: 0, black: 2 };
/// assert_eq!(next.series, Some(Series { previous: "abc".into(), games: 1, score }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Series {
    /// The id of the previous game.
    pub previous: String,
    /// How many games have been played.
    pub games: u32,
    /// The players' points, in half points, by their colours in this game.
    pub score: Sides<u32>,
}

/// Where a game is played.
///
/// ```
/// use hansu_play::Source;
/// assert_eq!(Source::Terminal.code(), "terminal");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// In a terminal.
    Terminal,
    /// Two players on one screen.
    Local,
    /// Over the network.
    Online,
    /// Against the computer.
    Computer,
    /// Elsewhere: imported from a file.
    Imported,
}

impl Source {
    /// All sources.
    pub const ALL: [Source; 5] =
        [Source::Terminal, Source::Local, Source::Online, Source::Computer, Source::Imported];

    /// A short name for programs, the same as in a stored event; it never changes.
    ///
    /// ```
    /// # use hansu_play::Source;
    /// for source in Source::ALL {
    ///     assert_eq!(serde_json::to_value(source)?, source.code());
    /// }
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub const fn code(self) -> &'static str {
        match self {
            Source::Terminal => "terminal",
            Source::Local => "local",
            Source::Online => "online",
            Source::Computer => "computer",
            Source::Imported => "imported",
        }
    }

    /// The source with this code.
    ///
    /// ```
    /// # use hansu_play::Source;
    /// assert_eq!(Source::from_code("online"), Some(Source::Online));
    /// assert_eq!(Source::from_code("moon"), None);
    /// ```
    pub fn from_code(code: &str) -> Option<Source> {
        Source::ALL.into_iter().find(|source| source.code() == code)
    }
}

/// What spectators may do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Spectators {
    /// Only watch.
    #[default]
    Silent,
    /// Chat as well.
    Chat,
}

impl Start {
    /// An untimed game of standard chess on one screen.
    pub fn between(white: &str, black: &str) -> Start {
        Start {
            names: Sides { white: white.to_owned(), black: black.to_owned() },
            variant: Variant::Standard,
            fen: None,
            time: TimeControl::Unlimited,
            source: Source::Local,
            spectators: Spectators::Silent,
            series: None,
            computer: None,
        }
    }

    /// The rematch of this game, which has the id `previous` and ended with `ending`: colours swapped,
    /// the score of the series added up. For another Chess960 position, the caller changes `fen`.
    ///
    /// ```
    /// # use hansu_play::{Ending, Reason, Start};
    /// let start = Start::between("Mina", "Jun");
    /// let aborted = Ending { winner: None, reason: Reason::Abort };
    /// // An aborted game does not count.
    /// assert_eq!(start.rematch("abc", aborted).series.map(|series| series.games), Some(0));
    /// ```
    pub fn rematch(&self, previous: &str, ending: Ending) -> Start {
        let (games, mut score) =
            self.series.as_ref().map_or((0, Sides::default()), |s| (s.games, s.score));
        let counts = ending.reason != Reason::Abort;
        if counts {
            for color in Color::ALL {
                let won: u32 = match ending.winner {
                    Some(winner) if winner == color => 2,
                    Some(_) => 0,
                    None => 1,
                };
                score[color] = score[color].saturating_add(won);
            }
        }
        let series = Series {
            previous: previous.to_owned(),
            games: games.saturating_add(u32::from(counts)),
            score: score.swapped(),
        };
        Start { series: Some(series), ..self.swapped() }
    }

    /// The same start with colours swapped; each player keeps their own time. For another Chess960
    /// position, the caller changes `fen`.
    ///
    /// ```
    /// # use hansu_play::Start;
    /// let start = Start::between("Mina", "Jun");
    /// assert_eq!(start.swapped().swapped(), start);
    /// ```
    pub fn swapped(&self) -> Start {
        let computer = self.computer.map(|own| Computer { side: !own.side, ..own });
        Start {
            names: self.names.clone().swapped(),
            time: self.time.clone().swapped(),
            computer,
            ..self.clone()
        }
    }
}
