//! A server as seen from the terminal: its links, this user's key, requests and websockets.

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

/// Timeout for connecting and for the websocket handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest API response that is read, in bytes.
const LONGEST_ANSWER: u64 = 1 << 20;

/// The address of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    is_secure: bool,
    /// Host and port, as in `example.org:443`.
    host: String,
}

impl Address {
    /// The URL of a path; `scheme` is `http` or `ws` and gets an `s` for a secure server.
    fn url(&self, scheme: &str, path: &str) -> String {
        format!("{scheme}{}://{}{path}", if self.is_secure { "s" } else { "" }, self.host)
    }

    /// The host name that the certificate must be valid for.
    fn name(&self) -> Result<ServerName<'static>> {
        let name = self.host.rsplit_once(':').map_or(&*self.host, |(name, _)| name);
        let name = name.trim_start_matches('[').trim_end_matches(']');
        Ok(ServerName::try_from(name.to_owned())?)
    }
}

/// TLS configuration and trusted root certificates.
struct TlsTrust {
    config: Arc<ClientConfig>,
    authorities: Vec<CertificateDer<'static>>,
}

/// A server, and this user's key for it.
pub(crate) struct Server {
    pub(crate) address: Address,
    /// None for a server without TLS.
    trust: Option<TlsTrust>,
    key: String,
    pub(crate) lang: Lang,
    /// Where keys are stored; None without a usable data folder.
    seats: Option<Seats>,
    /// Why keys cannot be stored. Closing the terminal then gives up the seat.
    pub(crate) unkept: Option<anyhow::Error>,
}

/// The server refused a request.
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
    FrontPage,
}

/// Splits a link into the server's address and what the link leads to.
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
        None if path.is_empty() => Target::FrontPage,
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
    /// Loads the stored key for this server, or requests a new one and stores it.
    pub(crate) fn open(
        address: Address,
        folder: Result<PathBuf, Error>,
        lang: Lang,
    ) -> Result<Server> {
        let opened = folder.map_err(anyhow::Error::from);
        // A key received over TLS has a folder of its own: it is never sent without TLS.
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
                Some(TlsTrust { config, authorities })
            }
            false => None,
        };
        let mut server = Server { address, trust, key: String::new(), lang, seats, unkept };
        let kept = server.seats.as_ref().and_then(Seats::key);
        server.key = match kept {
            Some(key) => key,
            None => {
                let key = server.new_key()?;
                server.store(|seats| seats.keep_key(&key)).unwrap_or(key)
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

    /// Stores something. A failure is remembered in `unkept` and does not stop the game.
    fn store<T>(&mut self, keep: impl FnOnce(&Seats) -> io::Result<T>) -> Option<T> {
        keep(self.seats.as_ref()?).map_err(|error| self.unkept = Some(error.into())).ok()
    }

    /// Accepts an invitation, or returns to the seat that it led to before. Returns the game's id.
    pub(crate) fn join(&mut self, invitation: &str, name: &str) -> Result<String> {
        if let Some(joined) = self.seats.as_ref().and_then(|seats| seats.joined(invitation)) {
            self.key = joined.key;
            return Ok(joined.game);
        }
        let game = match self.accept_invitation(invitation, name) {
            // Two terminals of one user play against each other: the second needs its own key.
            Err(error) if is_own_invitation(&error) => {
                self.key.clear();
                self.key = self.new_key()?;
                self.accept_invitation(invitation, name)?
            }
            taken => taken?,
        };
        let joined = Joined { game, key: self.key.clone() };
        self.store(|seats| seats.keep_joined(invitation, &joined));
        Ok(joined.game)
    }

    fn accept_invitation(&self, invitation: &str, name: &str) -> Result<String> {
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
            .map_err(|error| self.explain(error.into()))?;
        let text = answer.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec()?;
        if answer.status().is_success() {
            return Ok(serde_json::from_slice(&text)?);
        }
        match serde_json::from_slice::<Refusal>(&text) {
            Ok(refusal) => bail!(RefusedError(refusal)),
            Err(_) => bail!("{}: {}", self.address.host, answer.status()),
        }
    }

    /// Creates a game with an invitation for a friend.
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
            resigns: false,
            spectators: Spectators::Silent,
        };
        self.post("/api/games", &new)
    }

    /// The link to send to the friend.
    pub(crate) fn link(&self, made: &Made) -> String {
        let token = made.invitation.as_deref().unwrap_or_default();
        let link = made.link.clone();
        link.unwrap_or_else(|| self.page(&format!("/join/{token}")))
    }

    /// The URL of a page for the browser.
    pub(crate) fn page(&self, path: &str) -> String {
        self.address.url("http", path)
    }

    /// Adds the server's name to an error, and advice if its certificate is not trusted.
    fn explain(&self, error: anyhow::Error) -> anyhow::Error {
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
            match TcpStream::connect_timeout(&address, HANDSHAKE_TIMEOUT) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    // Until the handshake is done; callers then set their own timeout.
                    stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT))?;
                    let connection = match &self.trust {
                        None => Connection::plain(stream),
                        Some(trust) => {
                            let name = self.address.name()?;
                            Connection::secure(stream, trust.config.clone(), name)?
                        }
                    };
                    let client = tungstenite::client(request, connection);
                    let (socket, _) = client.map_err(|error| match error {
                        tungstenite::HandshakeError::Failure(error) => self.explain(error.into()),
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

/// A random prefix for the command ids of this run: a seat outlives a run, and the server executes
/// each command id once.
pub(crate) fn random_mark() -> Result<String> {
    let mark = getrandom::u64().map_err(|error| anyhow!("no random numbers: {error}"))?;
    Ok(format!("{mark:016x}"))
}
