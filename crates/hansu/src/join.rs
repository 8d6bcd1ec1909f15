//! `hansu join` and `hansu invite`: the terminal at a game of a server.

use std::io::{self, BufRead, Write};
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use hansu_console::{Line, Next, Remote, Spoken};
use hansu_protocol::{
    Choice, ClientMessage, Kind, Made, NewGame, Opponent, Refusal, ServerMessage,
};
use hansu_words::Lang;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use crate::terminal::Look;

/// How long the socket is listened to before the keyboard gets its turn.
const TURN: Duration = Duration::from_millis(30);
/// Between two attempts to reach the server again.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a server may be away before we give up.
const PATIENCE: Duration = Duration::from_secs(120);
/// The longest answer of the API that is read.
const LONGEST_ANSWER: u64 = 1 << 20;
/// The longest line that is read.
const LONGEST_LINE: usize = 4_096;

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
}

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
    /// Gets a key: who has it is the player.
    fn meet(host: String, lang: Lang) -> Result<Server> {
        #[derive(serde::Deserialize)]
        struct Given {
            key: String,
        }
        let mut server = Server { host, key: String::new(), lang };
        let given: Given = server.post("/api/keys", &())?;
        server.key = given.key;
        Ok(server)
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
            Ok(refusal) => bail!(refusal.text),
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
        let server = Server::meet(host, lang)?;
        let game = match target {
            Target::Invitation(token) => {
                #[derive(Serialize)]
                struct Guest<'a> {
                    name: &'a str,
                }
                let guest = Guest { name: &self.name };
                let made: Made = server.post(&format!("/api/invitations/{token}"), &guest)?;
                made.game
            }
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
        let server = Server::meet(host, lang)?;
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
        play(&server, made.game, &self.look, out)
    }
}

/// Lines from the keyboard, read on a thread of their own.
fn keyboard() -> Receiver<Vec<u8>> {
    let (sender, lines) = mpsc::sync_channel(16);
    std::thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n') {
            let Ok(mut line) = line else { break };
            line.truncate(LONGEST_LINE);
            if sender.send(line).is_err() {
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
    let mut run = 0_u32;
    loop {
        run += 1;
        // Commands of another run of the program have other names.
        let prefix = format!("{:x}-{run}", std::process::id());
        let mut remote = Remote::new(look.options(), &prefix);
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

/// One connection, from its hello to its end.
fn sit(
    server: &Server,
    game: &str,
    remote: &mut Remote,
    lines: &Receiver<Vec<u8>>,
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
    let mut said = vec![remote.hello()];
    said.extend(remote.again());
    for message in &said {
        if send(&mut socket, message).is_err() {
            return Ok(Left::Broken);
        }
    }
    *since = None;
    loop {
        let spoken = match socket.read() {
            Ok(Message::Text(text)) => match serde_json::from_str::<ServerMessage>(&text) {
                Ok(message) => remote.hear(message),
                // A newer server may say more than we know.
                Err(_) => continue,
            },
            Ok(_) => continue,
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                match lines.try_recv() {
                    Ok(line) => remote.line(Line::from(line.as_slice())),
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
