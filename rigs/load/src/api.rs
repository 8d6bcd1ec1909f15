//! A client of the HTTP API over one keep-alive connection.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::net::{TcpSocket, TcpStream};

/// Opens a TCP connection from one of 16 loopback addresses: one address has only 28,000 ports, and
/// a closed connection keeps its port for a minute.
///
/// # Errors
///
/// When the server does not accept the connection.
pub async fn connect(server: SocketAddr, number: usize) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    let last = u8::try_from(1 + number % 16)?;
    socket.bind(SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)), 0))?;
    let stream = socket.connect(server).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A keep-alive connection to the API.
pub struct ApiClient {
    host: String,
    sender: SendRequest<Full<Bytes>>,
}

impl ApiClient {
    /// Connects.
    ///
    /// # Errors
    ///
    /// When the server does not accept the connection.
    pub async fn connect(server: SocketAddr, number: usize) -> Result<ApiClient> {
        let stream = connect(server, number).await?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(ApiClient { host: server.to_string(), sender })
    }

    /// Sends a request; returns the status and the body.
    ///
    /// # Errors
    ///
    /// When the connection breaks.
    pub async fn request(
        &mut self,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Bytes,
    ) -> Result<(StatusCode, Bytes)> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, &self.host)
            .header(CONTENT_TYPE, "application/json");
        if let Some(key) = key {
            request = request.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        self.sender.ready().await?;
        let answer = self.sender.send_request(request.body(Full::new(body))?).await?;
        let status = answer.status();
        let body = answer.into_body().collect().await?.to_bytes();
        Ok((status, body))
    }

    /// Returns true while the connection is open.
    pub fn is_open(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Posts JSON and parses the response; any status but 2xx is an error.
    ///
    /// # Errors
    ///
    /// When the request fails.
    pub async fn post<T: DeserializeOwned>(
        &mut self,
        path: &str,
        key: Option<&str>,
        body: &impl Serialize,
    ) -> Result<T> {
        let body = serde_json::to_vec(body)?;
        let (status, answer) = self.request(Method::POST, path, key, body.into()).await?;
        let text = String::from_utf8_lossy(&answer);
        ensure!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_slice(&answer).with_context(|| format!("{path}: {text}"))
    }
}
