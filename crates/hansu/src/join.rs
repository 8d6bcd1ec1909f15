//! `hansu join` and `hansu invite`: the terminal at a game of a server.

use std::fmt;
use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use hansu_console::{Next, Remote, Spoken, Typed, read_line};
use hansu_play::Millis;
use hansu_protocol::{
    Choice, ClientMessage, Kind, Made, NewGame, Opponent, Refusal, ServerMessage,
};
use hansu_words::{Lang, ServerRefusal};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use crate::seats::{Joined, Seats};
use crate::terminal::Look;

/// How long the socket is listened to before the keyboard gets its turn.
const TURN: Duration = Duration::from_millis(30);
/// Between two attempts to reach the server again.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a server may be away before we give up.
const PATIENCE: Duration = Duration::from_secs(120);
/// The longest answer of the API that is read.
const LONGEST_ANSWER: u64 = 1 << 20;

/// Join a game of a server in the terminal, or watch one
///
/// LINK is what the other player has sent: http://…/join/…; a link to a game (http://…/game/…) is
/// watched. Against players in the browser and in other terminals alike.
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

    #[command(flatten)]
    look: Look,
}

/// Invite somebody to a game on a server, and play it in the terminal
#[derive(Args)]
#[command(after_help = "\
Example:
  hansu invite http://192.168.0.7:8080 --name Mina --minutes 10 --increment 5")]
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

    /// Minutes for each side [default: no clock]
    #[arg(long)]
    minutes: Option<u64>,

    /// Seconds added after every move
    #[arg(long, default_value_t = 0, requires = "minutes")]
    increment: u64,

    /// Play Chess960
    #[arg(long)]
    chess960: bool,

    #[command(flatten)]
    look: Look,
}

/// A server, and who we are there.
struct Server {
    /// Host and port.
    host: String,
    key: String,
    lang: Lang,
    /// Where keys are kept; nowhere when there is no data folder.
    seats: Option<Seats>,
}

/// The server refuses a request.
#[derive(Debug)]
struct RefusedError(Refusal);

impl fmt::Display for RefusedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl std::error::Error for RefusedError {}

/// What a link leads to.
enum Target {
    Invitation(String),
    Game(String),
    Front,
}

fn parse(link: &str, lang: Lang) -> Result<(String, Target)> {
    let rest =
        link.strip_prefix("http://").ok_or_else(|| match (link.starts_with("https://"), lang) {
            (true, Lang::Ko) => {
                anyhow!("터미널은 아직 https로 이을 수 없어요. 브라우저로 열어 주세요.")
            }
            (true, Lang::En) => {
                anyhow!("the terminal does not speak https yet: open the link in a browser")
            }
            (false, Lang::Ko) => anyhow!("링크는 http://로 시작해요."),
            (false, Lang::En) => anyhow!("a link begins with http://"),
        })?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric());
    let known = host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:[]".contains(&b));
    if host.is_empty() || !known {
        bail!("{host}: no host");
    }
    let path = path.trim_end_matches('/');
    let target = match path.split_once('/') {
        None if path.is_empty() => Target::Front,
        Some(("join", token)) if plain(token) => Target::Invitation(token.to_owned()),
        Some(("game" | "games", id)) if plain(id) => Target::Game(id.to_owned()),
        _ => match lang {
            Lang::Ko => bail!("초대 링크(…/join/…)나 게임 링크(…/game/…)가 아니에요."),
            Lang::En => bail!("that is no invitation (…/join/…) and no game (…/game/…)"),
        },
    };
    let host = if host.contains(':') { host.to_owned() } else { format!("{host}:80") };
    Ok((host, target))
}

impl Server {
    /// Finds the key that is kept for this server, or gets a new one and keeps it.
    fn meet(host: String, look: &Look) -> Result<Server> {
        let lang = look.lang();
        let opened = look.folder().map_err(anyhow::Error::from);
        let opened = opened.and_then(|folder| Ok(Seats::open(&folder, &host)?));
        let seats = match opened {
            Ok(seats) => Some(seats),
            Err(error) => {
                warn_unkept(&error, lang);
                None
            }
        };
        let mut server = Server { host, key: String::new(), lang, seats };
        let kept = server.seats.as_ref().and_then(Seats::key);
        server.key = match kept {
            Some(key) => key,
            None => {
                let key = server.new_key()?;
                server.keep(|seats| seats.keep_key(&key)).unwrap_or(key)
            }
        };
        Ok(server)
    }

    fn new_key(&self) -> Result<String> {
        #[derive(serde::Deserialize)]
        struct Given {
            key: String,
        }
        let given: Given = self.post("/api/keys", &())?;
        Ok(given.key)
    }

    /// Keeps something; a failure is told, and the game goes on.
    fn keep<T>(&self, keep: impl FnOnce(&Seats) -> io::Result<T>) -> Option<T> {
        keep(self.seats.as_ref()?).map_err(|error| warn_unkept(&error.into(), self.lang)).ok()
    }

    /// Takes up an invitation, or goes back to the seat that it led to.
    fn join(&mut self, invitation: &str, name: &str) -> Result<String> {
        if let Some(joined) = self.seats.as_ref().and_then(|seats| seats.joined(invitation)) {
            self.key = joined.key;
            return Ok(joined.game);
        }
        let game = match self.take_up(invitation, name) {
            // Two terminals of one user play against each other: the second has a key of its own.
            Err(error) if is_own_invitation(&error) => {
                self.key.clear();
                self.key = self.new_key()?;
                self.take_up(invitation, name)?
            }
            taken => taken?,
        };
        let joined = Joined { game, key: self.key.clone() };
        self.keep(|seats| seats.keep_joined(invitation, &joined));
        Ok(joined.game)
    }

    fn take_up(&self, invitation: &str, name: &str) -> Result<String> {
        #[derive(Serialize)]
        struct Guest<'a> {
            name: &'a str,
        }
        let made: Made = self.post(&format!("/api/invitations/{invitation}"), &Guest { name })?;
        Ok(made.game)
    }

    fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T> {
        let url = format!("http://{}{path}?lang={}", self.host, self.lang);
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .build()
            .into();
        let mut request = agent.post(&url);
        if !self.key.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.key));
        }
        let body = serde_json::to_vec(body)?;
        let mut answer = request
            .content_type("application/json")
            .send(&body[..])
            .with_context(|| self.host.clone())?;
        let text = answer.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec()?;
        if answer.status().is_success() {
            return Ok(serde_json::from_slice(&text)?);
        }
        match serde_json::from_slice::<Refusal>(&text) {
            Ok(refusal) => bail!(RefusedError(refusal)),
            Err(_) => bail!("{}: {}", self.host, answer.status()),
        }
    }

    fn connect(&self, game: &str) -> Result<WebSocket<TcpStream>> {
        let url = format!("ws://{}/api/games/{game}/socket", self.host);
        let mut request = url.into_client_request()?;
        let bearer = format!("Bearer {}", self.key).parse()?;
        request.headers_mut().insert("authorization", bearer);
        let stream = TcpStream::connect(&self.host)?;
        stream.set_nodelay(true)?;
        // The handshake may take its time; afterwards we look in now and then.
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        let (socket, _) = tungstenite::client(request, stream).map_err(|error| match error {
            tungstenite::HandshakeError::Failure(error) => anyhow!(error),
            tungstenite::HandshakeError::Interrupted(_) => anyhow!("no answer"),
        })?;
        socket.get_ref().set_read_timeout(Some(TURN))?;
        Ok(socket)
    }
}

impl Join {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<()> {
        let lang = self.look.lang();
        let (host, target) = parse(&self.link, lang)?;
        let mut server = Server::meet(host, &self.look)?;
        let game = match target {
            Target::Invitation(token) => server.join(&token, &self.name)?,
            Target::Game(id) => id,
            Target::Front => match lang {
                Lang::Ko => bail!("초대 링크가 필요해요. 초대하려면: hansu invite {}", self.link),
                Lang::En => {
                    bail!("a link is needed; to invite somebody: hansu invite {}", self.link)
                }
            },
        };
        play(&server, game, &self.look, out)
    }
}

impl Invite {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<()> {
        let lang = self.look.lang();
        let (host, _) = parse(&self.server, lang)?;
        let server = Server::meet(host, &self.look)?;
        let time = match self.minutes {
            None => hansu_play::TimeControl::Unlimited,
            Some(minutes) => hansu_play::TimeControl::fischer(
                hansu_play::Millis::minutes(minutes),
                hansu_play::Millis::seconds(self.increment),
            ),
        };
        let new = NewGame {
            with: Opponent::Friend,
            name: self.name.clone(),
            other: None,
            color: match self.color.as_str() {
                "white" => Choice::White,
                "black" => Choice::Black,
                _ => Choice::Any,
            },
            time,
            variant: if self.chess960 { Kind::Chess960 } else { Kind::Standard },
            fen: None,
            visibility: None,
            level: None,
            spectators: hansu_play::Spectators::Silent,
        };
        let made: Made = server.post("/api/games", &new)?;
        let token = made.invitation.unwrap_or_default();
        let link = made.link.unwrap_or_else(|| format!("http://{}/join/{token}", server.host));
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
        let back = format!("hansu join http://{}/game/{}", server.host, made.game);
        match lang {
            Lang::Ko => writeln!(out, "터미널이 닫혔을 때 돌아오려면: {back}")?,
            Lang::En => writeln!(out, "If this terminal is closed, come back with: {back}")?,
        }
        play(&server, made.game, &self.look, out)
    }
}

fn is_own_invitation(error: &anyhow::Error) -> bool {
    let refused = error.downcast_ref::<RefusedError>();
    refused.is_some_and(|refused| refused.0.code == ServerRefusal::OwnInvitation.code())
}

/// One line on standard error: the game can be played, but a closed terminal loses its seat.
fn warn_unkept(error: &anyhow::Error, lang: Lang) {
    let text = match lang {
        Lang::Ko => "자리 열쇠를 보관하지 못해서, 터미널을 닫으면 자리를 잃어요",
        Lang::En => "your seat's key cannot be kept: closing this terminal gives up the seat",
    };
    // Nothing is left to do if even standard error is closed.
    let _ = writeln!(io::stderr(), "{text} ({error:#})");
}

/// Lines from the keyboard, read on a thread of their own in bounded memory.
fn keyboard() -> Receiver<Typed> {
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

/// How a game at a table ended for us.
enum Left {
    /// The player has had enough.
    Done,
    /// The series goes on.
    NextGame(String),
    /// The connection broke.
    Broken,
}

fn play(server: &Server, mut game: String, look: &Look, out: &mut impl Write) -> Result<()> {
    let lines = keyboard();
    loop {
        let mut remote = Remote::new(look.options(), &random_mark()?);
        let mut since: Option<Instant> = None;
        let next = loop {
            match sit(server, &game, &mut remote, &lines, &mut since, out)? {
                Left::Done => return Ok(()),
                Left::NextGame(next) => break next,
                Left::Broken => {
                    let away = since.get_or_insert_with(Instant::now);
                    if away.elapsed() > PATIENCE {
                        match server.lang {
                            Lang::Ko => bail!("서버에 닿지 않아요. 게임은 서버에 남아 있어요."),
                            Lang::En => {
                                bail!("the server cannot be reached; the game is kept there")
                            }
                        }
                    }
                    std::thread::sleep(PAUSE);
                }
            }
        };
        game = next;
    }
}

/// Tells the commands of this run from those of all others: a seat outlives a run, and the server
/// executes a command id once.
fn random_mark() -> Result<String> {
    let mark = getrandom::u64().map_err(|error| anyhow!("no random numbers: {error}"))?;
    Ok(format!("{mark:016x}"))
}

/// Our time, in milliseconds since 1970.
fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// One connection, from its hello to its end.
fn sit(
    server: &Server,
    game: &str,
    remote: &mut Remote,
    lines: &Receiver<Typed>,
    since: &mut Option<Instant>,
    out: &mut impl Write,
) -> Result<Left> {
    let mut socket = match server.connect(game) {
        Ok(socket) => socket,
        // The first attempt says what is wrong; later ones are a server that is away.
        Err(error) if since.is_none() && remote.next_game().is_none() && remote.is_new() => {
            return Err(error);
        }
        Err(_) => return Ok(Left::Broken),
    };
    if send(&mut socket, &remote.hello()).is_err() {
        return Ok(Left::Broken);
    }
    *since = None;
    loop {
        let spoken = match socket.read() {
            Ok(Message::Text(text)) => match serde_json::from_str::<ServerMessage>(&text) {
                Ok(message) => remote.hear(message, now()),
                // A newer server may say more than we know.
                Err(_) => continue,
            },
            Ok(_) => continue,
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                match lines.try_recv() {
                    Ok(typed) => remote.line(typed.as_line()),
                    Err(TryRecvError::Empty) => continue,
                    // End of input: the game waits on the server.
                    Err(TryRecvError::Disconnected) => return Ok(Left::Done),
                }
            }
            Err(_) => return Ok(Left::Broken),
        };
        let Spoken { text, send: messages, next } = spoken;
        out.write_all(text.as_bytes())?;
        out.flush()?;
        for message in &messages {
            if send(&mut socket, message).is_err() {
                return Ok(Left::Broken);
            }
        }
        if next == Next::End {
            let _ = socket.close(None);
            return Ok(match remote.next_game() {
                Some(next) => Left::NextGame(next.to_owned()),
                None => Left::Done,
            });
        }
    }
}

fn send(socket: &mut WebSocket<TcpStream>, message: &ClientMessage) -> Result<()> {
    Ok(socket.send(Message::text(serde_json::to_string(message)?))?)
}
