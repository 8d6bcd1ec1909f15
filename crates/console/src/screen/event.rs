//! What comes to the screen, and what it wants done.

use hansu_play::{Command, State, TimeControl};
use hansu_protocol::{Choice, ClientMessage, Kind, LobbyMessage, LobbyNews, ServerMessage};
use ratatui::crossterm::event::Event;

use super::reading::{LogAnswer, LogRequest};
use super::settings::Settings;

/// Something that has happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    /// A key, the mouse, a new size.
    Terminal(Event),
    /// From the network; news of an older session are not listened to.
    Network {
        /// The session that it is about.
        session: u64,
        /// What.
        news: NetworkNews,
    },
    /// The computer has thought.
    Thought {
        /// The game that it was asked about.
        game: u64,
        /// The last event of the game that it thought about.
        seq: u64,
        /// What it does; none when it found nothing.
        command: Option<Command>,
    },
    /// The log has answered.
    Log(LogAnswer),
    /// Time has passed.
    Tick,
}

/// Something that the screen wants done.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Leave the program.
    Quit,
    /// Back to the shell until it says `fg`.
    Suspend,
    /// Ring.
    Bell,
    /// Ask the computer; it answers with [`Input::Thought`].
    Think(Box<Thinking>),
    /// To the network.
    Network {
        /// The session that it is about.
        session: u64,
        /// What.
        request: NetworkRequest,
    },
    /// Keep the settings.
    Save(Settings),
    /// Ask the log; it answers with [`Input::Log`].
    Log(LogRequest),
}

/// What the computer is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Which move it plays.
    Move,
    /// Whether it takes a draw.
    Draw,
}

/// A question to the computer.
#[derive(Clone, PartialEq, Debug)]
pub struct Thinking {
    /// The number of the game in this run of the program.
    pub game: u64,
    /// The last event of the game.
    pub seq: u64,
    /// What is asked.
    pub question: Question,
    /// The game.
    pub state: State,
    /// How strong it plays, from 1 to 10.
    pub level: u8,
}

/// What the network shall do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkRequest {
    /// Take up an invitation, or go to a game.
    Open {
        /// What the other player has sent, or the address of a game.
        link: String,
        /// One's name.
        name: String,
    },
    /// Make a game for a friend.
    Invite {
        /// The address of the server.
        server: String,
        /// One's name.
        name: String,
        /// One's colour.
        color: Choice,
        /// The clock.
        time: TimeControl,
        /// Standard chess or Chess960.
        variant: Kind,
    },
    /// Go to another game of the same server.
    Follow {
        /// The game.
        game: String,
    },
    /// Go to the lobby of a server.
    Lobby {
        /// Its address.
        server: String,
    },
    /// Say something at the game.
    Say(ClientMessage),
    /// Say something in the lobby.
    SayLobby(LobbyMessage),
    /// Hang up.
    Close,
}

/// An invitation that waits for its guest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Invitation {
    /// What to send to the other player.
    pub link: String,
    /// The same as a QR code: dark and light points, row by row.
    pub code: Vec<Vec<bool>>,
}

/// What the network says.
#[derive(Clone, PartialEq, Debug)]
pub enum NetworkNews {
    /// The game has this address, under which its seat is found again.
    Found(String),
    /// There is an invitation to send.
    Invited(Invitation),
    /// There is a connection: greet.
    Connected,
    /// The server says something at the game.
    Message(Box<ServerMessage>),
    /// The server says something in the lobby.
    Lobby(Box<LobbyNews>),
    /// The connection broke and is tried again.
    Broken,
    /// It cannot be done, for this reason.
    Failed(String),
}
