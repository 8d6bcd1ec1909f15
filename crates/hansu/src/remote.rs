//! A server as a terminal reaches it: its links, our key there, requests and websockets.

use std::fmt;
use std::io;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use hansu_play::{Spectators, TimeControl};
use hansu_protocol::{Choice, Kind, Made, NewGame, Opponent, Refusal};
use hansu_records::Error;
use hansu_words::{Lang, ServerRefusal};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tungstenite::WebSocket;
use tungstenite::client::IntoClientRequest as _;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::connection::{self, Connection};
use crate::seats::{Joined, Seats};

/// How long a connection may take to be made.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// The longest answer of the API that is read.
const LONGEST_ANSWER: u64 = 1 << 20;

/// Where a server is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    is_secure: bool,
    /// Host and port.
    host: String,
}

impl Address {
    /// A page, a request or a websocket there.
    fn url(&self, scheme: &str, path: &str) -> String {
        format!("{scheme}{}://{}{path}", if self.is_secure { "s" } else { "" }, self.host)
    }

    /// The name that a certificate must have.
    fn name(&self) -> Result<ServerName<'static>> {
        let name = self.host.rsplit_once(':').map_or(&*self.host, |(name, _)| name);
        let name = name.trim_start_matches('[').trim_end_matches(']');
        Ok(ServerName::try_from(name.to_owned())?)
    }
}

/// What is needed to meet servers with TLS.
struct Trust {
    config: Arc<ClientConfig>,
    authorities: Vec<CertificateDer<'static>>,
}

/// A server, and who we are there.
pub(crate) struct Server {
    pub(crate) address: Address,
    /// Nothing where TLS is not spoken.
    trust: Option<Trust>,
    key: String,
    pub(crate) lang: Lang,
    /// Where keys are kept; nowhere when there is no data folder.
    seats: Option<Seats>,
    /// Why keys cannot be kept: closing the terminal gives up the seat.
    pub(crate) unkept: Option<anyhow::Error>,
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
pub(crate) enum Target {
    Invitation(String),
    Game(String),
    Front,
}

/// The server of a link, and what it leads to there.
pub(crate) fn parse(link: &str, lang: Lang) -> Result<(Address, Target)> {
    let secure = link.strip_prefix("https://");
    let (is_secure, port) = if secure.is_some() { (true, 443) } else { (false, 80) };
    let rest = secure.or_else(|| link.strip_prefix("http://")).ok_or_else(|| match lang {
        Lang::Ko => anyhow!("링크는 http:// 또는 https://로 시작해요."),
        Lang::En => anyhow!("a link begins with http:// or https://"),
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
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
    let host = if has_port { host.to_owned() } else { format!("{host}:{port}") };
    Ok((Address { is_secure, host }, target))
}

impl Server {
    /// Finds the key that is kept for this server, or gets a new one and keeps it.
    pub(crate) fn meet(
        address: Address,
        folder: Result<PathBuf, Error>,
        lang: Lang,
    ) -> Result<Server> {
        let opened = folder.map_err(anyhow::Error::from);
        // A key that was got with TLS is not sent without.
        let name = match address.is_secure {
            true => format!("https_{}", address.host),
            false => address.host.clone(),
        };
        let opened = opened.and_then(|folder| Ok(Seats::open(&folder, &name)?));
        let (seats, unkept) = match opened {
            Ok(seats) => (Some(seats), None),
            Err(error) => (None, Some(error)),
        };
        let trust = match address.is_secure {
            true => {
                let authorities = connection::authorities();
                let config = Arc::new(connection::config(&authorities)?);
                Some(Trust { config, authorities })
            }
            false => None,
        };
        let mut server = Server { address, trust, key: String::new(), lang, seats, unkept };
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
    fn keep<T>(&mut self, keep: impl FnOnce(&Seats) -> io::Result<T>) -> Option<T> {
        keep(self.seats.as_ref()?).map_err(|error| self.unkept = Some(error.into())).ok()
    }

    /// Takes up an invitation, or goes back to the seat that it led to.
    pub(crate) fn join(&mut self, invitation: &str, name: &str) -> Result<String> {
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

    pub(crate) fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T> {
        let url = self.address.url("http", &format!("{path}?lang={}", self.lang));
        let mut config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)));
        if let Some(trust) = &self.trust {
            let roots = trust.authorities.iter().map(|root| Certificate::from_der(root).to_owned());
            let tls = TlsConfig::builder()
                .root_certs(RootCerts::Specific(Arc::new(roots.collect())))
                .unversioned_rustls_crypto_provider(trust.config.crypto_provider().clone());
            config = config.tls_config(tls.build());
        }
        let agent: ureq::Agent = config.build().into();
        let mut request = agent.post(&url);
        if !self.key.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.key));
        }
        let body = serde_json::to_vec(body)?;
        let mut answer = request
            .content_type("application/json")
            .send(&body[..])
            .map_err(|error| self.explained(error.into()))?;
        let text = answer.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec()?;
        if answer.status().is_success() {
            return Ok(serde_json::from_slice(&text)?);
        }
        match serde_json::from_slice::<Refusal>(&text) {
            Ok(refusal) => bail!(RefusedError(refusal)),
            Err(_) => bail!("{}: {}", self.address.host, answer.status()),
        }
    }

    /// Makes a game for a friend.
    pub(crate) fn invite(
        &self,
        name: &str,
        color: Choice,
        time: TimeControl,
        variant: Kind,
    ) -> Result<Made> {
        let new = NewGame {
            with: Opponent::Friend,
            name: name.to_owned(),
            other: None,
            color,
            time,
            variant,
            fen: None,
            visibility: None,
            level: None,
            spectators: Spectators::Silent,
        };
        self.post("/api/games", &new)
    }

    /// What to send to the friend.
    pub(crate) fn link(&self, made: &Made) -> String {
        let token = made.invitation.as_deref().unwrap_or_default();
        let link = made.link.clone();
        link.unwrap_or_else(|| self.page(&format!("/join/{token}")))
    }

    /// The address of a page for people.
    pub(crate) fn page(&self, path: &str) -> String {
        self.address.url("http", path)
    }

    /// What has gone wrong, with the server's name and with what helps.
    fn explained(&self, error: anyhow::Error) -> anyhow::Error {
        let doubted = format!("{error:#}").contains("invalid peer certificate");
        let error = error.context(self.address.host.clone());
        match (doubted, self.lang) {
            (false, _) => error,
            (true, Lang::Ko) => error.context(
                "이 컴퓨터가 믿지 않는 인증서예요. SSL_CERT_FILE에 인증 기관의 인증서 파일을 적어 주세요",
            ),
            (true, Lang::En) => error.context(
                "this machine does not trust the certificate; \
                 SSL_CERT_FILE may name a file with its authority",
            ),
        }
    }

    /// Opens a websocket at a path.
    pub(crate) fn connect(&self, path: &str) -> Result<WebSocket<Connection>> {
        let mut request = self.address.url("ws", path).into_client_request()?;
        let bearer = format!("Bearer {}", self.key).parse()?;
        request.headers_mut().insert("authorization", bearer);
        let mut last = anyhow!("{}", self.address.host);
        for address in self.address.host.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, HANDSHAKE) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    // The handshake may take its time.
                    stream.set_read_timeout(Some(HANDSHAKE))?;
                    let connection = match &self.trust {
                        None => Connection::plain(stream),
                        Some(trust) => {
                            let name = self.address.name()?;
                            Connection::secure(stream, trust.config.clone(), name)?
                        }
                    };
                    let client = tungstenite::client(request, connection);
                    let (socket, _) = client.map_err(|error| match error {
                        tungstenite::HandshakeError::Failure(error) => self.explained(error.into()),
                        tungstenite::HandshakeError::Interrupted(_) => anyhow!("no answer"),
                    })?;
                    return Ok(socket);
                }
                Err(error) => last = error.into(),
            }
        }
        Err(last)
    }
}

/// The path of the websocket of a game.
pub(crate) fn game_path(game: &str) -> String {
    format!("/api/games/{game}/socket")
}

fn is_own_invitation(error: &anyhow::Error) -> bool {
    let refused = error.downcast_ref::<RefusedError>();
    refused.is_some_and(|refused| refused.0.code == ServerRefusal::OwnInvitation.code())
}

/// Tells the commands of this run from those of all others: a seat outlives a run, and the server
/// executes a command id once.
pub(crate) fn random_mark() -> Result<String> {
    let mark = getrandom::u64().map_err(|error| anyhow!("no random numbers: {error}"))?;
    Ok(format!("{mark:016x}"))
}
