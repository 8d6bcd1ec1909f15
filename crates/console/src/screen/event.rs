//! The inputs of the screen, and the effects that it asks for.

use hansu_play::{Command, State, TimeControl};
use hansu_protocol::{Choice, ClientMessage, Kind, LobbyMessage, LobbyNews, ServerMessage};
use ratatui::crossterm::event::Event;

use super::log_request::{LogAnswer, LogRequest};
use super::settings::Settings;

/// An input of the screen.
#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    /// A key, the mouse, a new size.
    Terminal(Event),
    /// News of the network. News of an older session are dropped.
    Network {
        /// The number of the session.
        session: u64,
        /// The news.
        news: NetworkNews,
    },
    /// The answer of the computer.
    Thought {
        /// The number of the game, as in the question.
        game: u64,
        /// The number of the game's last event, as in the question.
        seq: u64,
        /// The computer's command; None if it found none.
        command: Option<Command>,
    },
    /// An answer of the log.
    Log(LogAnswer),
    /// The time of [`App::next_tick`](super::App::next_tick) has passed.
    Tick,
}

/// Something that the screen asks its caller to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// End the program.
    Quit,
    /// Suspend the program, as Ctrl-Z does, until the shell resumes it.
    Suspend,
    /// Ring the terminal's bell.
    Bell,
    /// Ask the computer; the answer is an [`Input::Thought`].
    Think(Box<ThinkRequest>),
    /// Hand a request to the network.
    Network {
        /// The number of the session.
        session: u64,
        /// The request.
        request: NetworkRequest,
    },
    /// Save the settings.
    Save(Settings),
    /// Ask the log; the answer is an [`Input::Log`].
    Log(LogRequest),
}

/// What the computer must decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Which move it plays.
    Move,
    /// Whether it accepts a draw.
    Draw,
}

/// A question to the computer.
#[derive(Clone, PartialEq, Debug)]
pub struct ThinkRequest {
    /// The number of the game in this run of the program.
    pub game: u64,
    /// The number of the game's last event.
    pub seq: u64,
    /// What the computer must decide.
    pub question: Question,
    /// The state of the game.
    pub state: State,
    /// The computer's strength, from 1 to 10.
    pub level: u8,
}

/// A request to the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkRequest {
    /// Accept an invitation, or open a game.
    Open {
        /// The link of an invitation or of a game.
        link: String,
        /// The player's name.
        name: String,
    },
    /// Create a game with an invitation.
    Invite {
        /// The address of the server.
        server: String,
        /// The player's name.
        name: String,
        /// The player's colour.
        color: Choice,
        /// The clock.
        time: TimeControl,
        /// Standard chess or Chess960.
        variant: Kind,
    },
    /// Open another game of the same server.
    Follow {
        /// The id of the game.
        game: String,
    },
    /// Open the lobby of a server.
    Lobby {
        /// The address of the server.
        server: String,
    },
    /// Send a message to the game.
    Send(ClientMessage),
    /// Send a message to the lobby.
    SendLobby(LobbyMessage),
    /// Close the connection.
    Close,
}

/// An invitation that is not accepted yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Invitation {
    /// The link to send to the other player.
    pub link: String,
    /// The link as a QR code: its modules row by row, true is dark.
    pub code: Vec<Vec<bool>>,
}

/// News of the network.
#[derive(Clone, PartialEq, Debug)]
pub enum NetworkNews {
    /// The URL of the game, under which the player can return to it.
    Found(String),
    /// The game was created with this invitation.
    Invited(Invitation),
    /// A connection is open: the screen must send a hello.
    Connected,
    /// A message of the game.
    Message(Box<ServerMessage>),
    /// A message of the lobby.
    Lobby(Box<LobbyNews>),
    /// The connection was lost; the network reconnects.
    Broken,
    /// The request failed; the reason as a sentence.
    Failed(String),
}
