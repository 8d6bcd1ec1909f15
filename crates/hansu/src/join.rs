//! `hansu join` and `hansu invite`: a game on a server, played in the terminal.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use hansu_console::screen::own_clock;
use hansu_console::{Next, Remote, RemoteReply, TypedLine, read_line};
use hansu_play::{Millis, TimeControl};
use hansu_protocol::{Choice, ClientMessage, Kind, ServerMessage};
use hansu_words::Lang;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use tungstenite::{Message, WebSocket};

use crate::board;
use crate::connection::Connection;
use crate::remote::{Server, Target, game_path, parse, random_mark};
use crate::terminal::Look;

/// Read timeout of the socket; after it the keyboard is polled.
const READ_TIMEOUT: Duration = Duration::from_millis(30);
/// Delay between two attempts to reconnect.
const RETRY_DELAY: Duration = Duration::from_millis(500);
/// The program ends after the server was unreachable for this long.
const GIVE_UP_AFTER: Duration = Duration::from_secs(120);

/// Join a game of a server in the terminal, or watch one
///
/// LINK is what the other player has sent: http://…/join/…, or https://…; a link to a game
/// (http://…/game/…) is watched. Against players in the browser and in other terminals alike. On a
/// terminal this opens the board (see hansu board), in a pipe it works line by line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu join http://192.168.0.7:8080/join/4707d5d141ef5e3835a20d7b0c90399d --name Jun
  hansu join http://192.168.0.7:8080/game/0kk3vKciaXNc --board pretty")]
pub(crate) struct Join {
    /// The link
    #[arg(value_name = "LINK")]
    link: String,

    /// Your name
    #[arg(long, default_value = "")]
    name: String,

    /// Line by line even on a terminal, as in a pipe
    #[arg(long)]
    lines: bool,

    #[command(flatten)]
    look: Look,
}

/// Invite somebody to a game on a server, and play it in the terminal
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu invite http://192.168.0.7:8080 --name Mina --minutes 10 --increment 5
  hansu invite http://192.168.0.7:8080 --color white --time 3+2/10")]
pub(crate) struct Invite {
    /// The address of the server
    #[arg(value_name = "SERVER")]
    server: String,

    /// Your name
    #[arg(long, default_value = "")]
    name: String,

    /// Your colour: white, black or any
    #[arg(long, default_value = "any", value_parser = ["white", "black", "any"])]
    color: String,

    /// The clock: 5+3 (minutes and seconds a move), 5d3 (delay), 5b3 (Bronstein); 5+3/2 is White's
    /// and Black's
    #[arg(long, value_name = "CLOCK", value_parser = parse_clock, conflicts_with = "minutes")]
    time: Option<TimeControl>,

    /// Minutes for each side [default: no clock]
    #[arg(long)]
    minutes: Option<u64>,

    /// Seconds added after every move
    #[arg(long, default_value_t = 0, requires = "minutes")]
    increment: u64,

    /// Play Chess960
    #[arg(long)]
    chess960: bool,

    /// Line by line even on a terminal, as in a pipe
    #[arg(long)]
    lines: bool,

    #[command(flatten)]
    look: Look,
}

/// Parses `--time`.
fn parse_clock(text: &str) -> Result<TimeControl> {
    own_clock(text).ok_or_else(|| anyhow!("a clock is written as 5, 5+3, 5d3, 5b3 or 5+3/2"))
}

impl Join {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<()> {
        let lang = self.look.lang();
        if board::is_wanted(self.lines) {
            return board::open(&self.look, |app| app.open_link(&self.link, &self.name));
        }
        let (address, target) = parse(&self.link, lang)?;
        let mut server = Server::open(address, self.look.folder(), lang)?;
        let game = match target {
            Target::Invitation(token) => server.join(&token, &self.name)?,
            Target::Game(id) => id,
            Target::FrontPage => match lang {
                Lang::Ko => bail!("초대 링크가 필요해요. 초대하려면: hansu invite {}", self.link),
                Lang::En => {
                    bail!("a link is needed; to invite somebody: hansu invite {}", self.link)
                }
            },
        };
        warn_unkept(&mut server);
        play(&server, game, &self.look, out)
    }
}

impl Invite {
    fn choice(&self) -> Choice {
        match self.color.as_str() {
            "white" => Choice::White,
            "black" => Choice::Black,
            _ => Choice::Any,
        }
    }

    fn time(&self) -> TimeControl {
        match (&self.time, self.minutes) {
            (Some(time), _) => time.clone(),
            (None, None) => TimeControl::Unlimited,
            (None, Some(minutes)) => {
                TimeControl::fischer(Millis::minutes(minutes), Millis::seconds(self.increment))
            }
        }
    }

    pub(crate) fn run(self, out: &mut impl Write) -> Result<()> {
        let lang = self.look.lang();
        let kind = if self.chess960 { Kind::Chess960 } else { Kind::Standard };
        if board::is_wanted(self.lines) {
            let (color, time) = (self.choice(), self.time());
            return board::open(&self.look, |app| {
                app.invite(&self.server, &self.name, color, time, kind)
            });
        }
        let (address, _) = parse(&self.server, lang)?;
        let mut server = Server::open(address, self.look.folder(), lang)?;
        warn_unkept(&mut server);
        let time = self.time();
        let made = server.invite(&self.name, self.choice(), time, kind)?;
        let link = server.link(&made);
        writeln!(
            out,
            "{} {link}",
            match lang {
                Lang::Ko => "상대에게 보낼 링크:",
                Lang::En => "Send this link to the other player:",
            }
        )?;
        if let Ok(code) = QrCode::new(link.as_bytes()) {
            writeln!(out, "{}", code.render::<Dense1x2>().quiet_zone(true).build())?;
        }
        let back = format!("hansu join {}", server.page(&format!("/game/{}", made.game)));
        match lang {
            Lang::Ko => writeln!(out, "터미널이 닫혔을 때 돌아오려면: {back}")?,
            Lang::En => writeln!(out, "If this terminal is closed, come back with: {back}")?,
        }
        play(&server, made.game, &self.look, out)
    }
}

/// Warns on standard error that the key is not stored: closing the terminal then loses the seat.
fn warn_unkept(server: &mut Server) {
    let Some(error) = server.unkept.take() else { return };
    let text = match server.lang {
        Lang::Ko => "자리 열쇠를 보관하지 못해서, 터미널을 닫으면 자리를 잃어요",
        Lang::En => "your seat's key cannot be kept: closing this terminal gives up the seat",
    };
    // Nothing is left to do if even standard error is closed.
    let _ = writeln!(io::stderr(), "{text} ({error:#})");
}

/// Starts a thread that reads lines from standard input in bounded memory.
fn keyboard() -> Receiver<TypedLine> {
    let (sender, lines) = mpsc::sync_channel(16);
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        while let Ok(Some(typed)) = read_line(&mut stdin) {
            if sender.send(typed).is_err() {
                break;
            }
        }
    });
    lines
}

/// Why a connection to a game ended.
enum ConnectionEnd {
    /// The player quit, or the input ended.
    Done,
    /// A rematch was agreed; the id of the next game.
    NextGame(String),
    /// The connection was lost.
    Broken,
}

fn play(server: &Server, mut game: String, look: &Look, out: &mut impl Write) -> Result<()> {
    let lines = keyboard();
    loop {
        let mut remote = Remote::new(look.options(), &random_mark()?);
        let mut since: Option<Instant> = None;
        let next = loop {
            match run_connection(server, &game, &mut remote, &lines, &mut since, out)? {
                ConnectionEnd::Done => return Ok(()),
                ConnectionEnd::NextGame(next) => break next,
                ConnectionEnd::Broken => {
                    let away = since.get_or_insert_with(Instant::now);
                    if away.elapsed() > GIVE_UP_AFTER {
                        match server.lang {
                            Lang::Ko => bail!("서버에 닿지 않아요. 게임은 서버에 남아 있어요."),
                            Lang::En => {
                                bail!("the server cannot be reached; the game is kept there")
                            }
                        }
                    }
                    std::thread::sleep(RETRY_DELAY);
                }
            }
        };
        game = next;
    }
}

/// The local time, in milliseconds since 1970.
fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Runs one connection, from its hello to its end. `since` is when the last connection was lost.
fn run_connection(
    server: &Server,
    game: &str,
    remote: &mut Remote,
    lines: &Receiver<TypedLine>,
    since: &mut Option<Instant>,
    out: &mut impl Write,
) -> Result<ConnectionEnd> {
    let connected = server.connect(&game_path(game)).and_then(|socket| {
        // After the handshake a short timeout, so that the keyboard is polled in between.
        socket.get_ref().set_read_timeout(READ_TIMEOUT)?;
        Ok(socket)
    });
    let mut socket = match connected {
        Ok(socket) => socket,
        // The first attempt reports the error; after that the server counts as unreachable.
        Err(error) if since.is_none() && remote.next_game().is_none() && remote.is_new() => {
            return Err(error);
        }
        Err(_) => return Ok(ConnectionEnd::Broken),
    };
    if send(&mut socket, &remote.hello()).is_err() {
        return Ok(ConnectionEnd::Broken);
    }
    *since = None;
    loop {
        let reply = match socket.read() {
            Ok(Message::Text(text)) => match serde_json::from_str::<ServerMessage>(&text) {
                Ok(message) => remote.handle(message, now()),
                // A newer server may send messages that this version does not know.
                Err(_) => continue,
            },
            Ok(_) => continue,
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                match lines.try_recv() {
                    Ok(typed) => remote.answer(typed.as_line()),
                    Err(TryRecvError::Empty) => continue,
                    // End of input: the game stays on the server.
                    Err(TryRecvError::Disconnected) => return Ok(ConnectionEnd::Done),
                }
            }
            Err(_) => return Ok(ConnectionEnd::Broken),
        };
        let RemoteReply { text, send: messages, next } = reply;
        out.write_all(text.as_bytes())?;
        out.flush()?;
        for message in &messages {
            if send(&mut socket, message).is_err() {
                return Ok(ConnectionEnd::Broken);
            }
        }
        if next == Next::End {
            let _ = socket.close(None);
            return Ok(match remote.next_game() {
                Some(next) => ConnectionEnd::NextGame(next.to_owned()),
                None => ConnectionEnd::Done,
            });
        }
    }
}

fn send(socket: &mut WebSocket<Connection>, message: &ClientMessage) -> Result<()> {
    Ok(socket.send(Message::text(serde_json::to_string(message)?))?)
}
