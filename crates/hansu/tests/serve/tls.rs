//! The server's own TLS: a page and a websocket over it, plain requests, another certificate.

use std::ffi::OsStr;
use std::io::Read as _;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use hansu_ground::Authority;
use hansu_ground::process::{GRACE, Process};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_websockets::{ClientBuilder, Message};

use crate::HANSU;

/// Connects to a server whose certificate for `localhost` the authority has issued.
async fn connect(at: SocketAddr, authority: &Authority) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    let root = CertificateDer::from_pem_slice(authority.pem().as_bytes()).expect("a certificate");
    roots.add(root).expect("an authority");
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(at).await?;
    let name = ServerName::try_from("localhost").expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

/// Sends a request and reads the whole answer.
async fn ask(stream: impl AsyncRead + AsyncWrite + Unpin, request: &str) -> String {
    let mut stream = stream;
    let request = request.replace('\n', "\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    // A server may end a connection without a TLS close_notify.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

pub(crate) fn start(folder: &Path, files: &(std::path::PathBuf, std::path::PathBuf)) -> Process {
    let arguments: [&OsStr; 6] = [
        "--data".as_ref(),
        folder.as_os_str(),
        "--tls-cert".as_ref(),
        files.0.as_os_str(),
        "--tls-key".as_ref(),
        files.1.as_os_str(),
    ];
    Process::over(HANSU, arguments, folder, "warn")
}

#[tokio::test]
async fn games_are_played_over_the_servers_own_tls() {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = Authority::new().expect("an authority");
    let files = authority.certify("localhost", folder.path()).expect("a certificate");
    let server = start(folder.path(), &files);
    let body = r#"{"with":"local"}"#;
    let made = ask(
        connect(server.at, &authority).await.expect("a connection"),
        &format!(
            "POST /api/games HTTP/1.1\nHost: localhost\nContent-Type: application/json\n\
             Content-Length: {}\nConnection: close\n\n{body}",
            body.len()
        ),
    )
    .await;
    assert!(made.starts_with("HTTP/1.1 201"), "{made}");
    // Only a browser that came over TLS has a cookie with this name.
    assert!(made.contains("set-cookie: __Host-") && made.contains("; Secure"), "{made}");
    let answer = made.split("\r\n\r\n").nth(1).expect("a body");
    let answer: serde_json::Value = serde_json::from_str(answer).expect("JSON");
    let game = answer["game"].as_str().expect("a game");
    let stream = connect(server.at, &authority).await.expect("a connection");
    let address = format!("wss://localhost/api/games/{game}/socket");
    let cookie = made.split("set-cookie: ").nth(1).and_then(|rest| rest.split(';').next());
    let mut builder = ClientBuilder::new().uri(&address).expect("an address");
    for (name, value) in [("cookie", cookie.expect("a cookie")), ("origin", "https://localhost")] {
        let name = name.parse().expect("a name");
        builder = builder.add_header(name, value.parse().expect("a value")).expect("a header");
    }
    let (mut socket, _) = builder.connect_on(stream).await.expect("a websocket");
    let hello = r#"{"type":"hello","v":1,"seq":0,"lang":"en"}"#;
    socket.send(Message::text(hello)).await.expect("sent");
    let play = r#"{"type":"command","id":"a","command":{"type":"move","uci":"e2e4"}}"#;
    socket.send(Message::text(play)).await.expect("sent");
    loop {
        let message = socket.next().await.expect("an answer").expect("a message");
        if message.as_text().is_some_and(|text| text.contains(r#""type":"ack""#)) {
            break;
        }
    }
}

#[tokio::test]
async fn a_request_without_tls_is_sent_to_the_same_place_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = Authority::new().expect("an authority");
    let files = authority.certify("localhost", folder.path()).expect("a certificate");
    let server = start(folder.path(), &files);
    let plain = TcpStream::connect(server.at).await.expect("a connection");
    let told = ask(plain, "GET /join/abc?x=1 HTTP/1.1\nHost: localhost:1\n\n").await;
    assert!(told.starts_with("HTTP/1.1 308"), "{told}");
    assert!(told.contains("location: https://localhost:1/join/abc?x=1\r\n"), "{told}");
    let rubbish = TcpStream::connect(server.at).await.expect("a connection");
    assert!(!ask(rubbish, "\u{0}\u{0}rubbish\n\n").await.contains(" 200 "));
}

#[cfg(unix)]
#[tokio::test]
async fn the_certificate_is_read_again_and_a_broken_one_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = [(); 2].map(|()| Authority::new().expect("an authority"));
    let files = first.certify("localhost", folder.path()).expect("a certificate");
    let mut server = start(folder.path(), &files);
    connect(server.at, &first).await.expect("the first certificate");
    assert!(connect(server.at, &second).await.is_err(), "not signed by the second");
    second.certify("localhost", folder.path()).expect("a certificate");
    server.signal("-HUP");
    let started = Instant::now();
    while connect(server.at, &second).await.is_err() {
        assert!(started.elapsed() < GRACE * 6, "the certificate is not read again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(connect(server.at, &first).await.is_err(), "the old one is gone");
    std::fs::write(&files.1, "no key").expect("a file");
    server.signal("-HUP");
    let lines = folder.path().join("log");
    let told = || std::fs::read_to_string(&lines).expect("log lines");
    while !told().contains("the certificate stays as it was") {
        assert!(started.elapsed() < GRACE * 12, "{}", told());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    connect(server.at, &second).await.expect("as before");
    server.signal("-TERM");
    assert_eq!(server.wait_for_exit(GRACE * 6).await, Some(0));
}

#[test]
fn a_certificate_that_cannot_be_used_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = Authority::new().expect("an authority");
    let (certificate, key) = authority.certify("localhost", folder.path()).expect("files");
    let other = tempfile::tempdir().expect("a folder");
    let (_, foreign) = authority.certify("localhost", other.path()).expect("files");
    let run = |words: &[&OsStr]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hansu"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder.path())
            .args(words)
            .env("LANG", "en_US.UTF-8")
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("hansu serve");
        let mut told = String::new();
        child.stderr.take().expect("errors").read_to_string(&mut told).expect("text");
        assert!(!child.wait().expect("an end").success(), "{told}");
        told
    };
    let [cert, with] = ["--tls-cert", "--tls-key"].map(OsStr::new);
    let told = run(&[cert, key.as_os_str(), with, key.as_os_str()]);
    assert!(told.contains("no certificate"), "{told}");
    assert!(run(&[cert, certificate.as_os_str(), with, certificate.as_os_str()]).contains("key"));
    let pair = run(&[cert, certificate.as_os_str(), with, foreign.as_os_str()]);
    assert!(pair.contains("cannot be used together"), "{pair}");
    assert!(run(&[cert, certificate.as_os_str()]).contains("--tls-key"));
    assert!(run(&[cert, "none.pem".as_ref(), with, key.as_os_str()]).contains("none.pem"));
}
