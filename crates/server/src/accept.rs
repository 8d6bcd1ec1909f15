//! Accepts connections, with limits of their number and of the time a request may take.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tower::ServiceExt as _;

use crate::http::App;
use crate::limited_stream::{LimitedStream, Meter};
use crate::tls::{self, Certificate};

/// How long a client may take to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;
/// The size of the operating system's send buffer per connection, in bytes. It is small so that a
/// slow reader is noticed early.
const SEND_BUFFER: usize = 32 * 1024;
/// At most this many connections are accepted in a row. Then `PAUSE` is left to the open ones: a
/// thousand new clients at once would otherwise delay all others until the last one has its
/// snapshot.
const BURST: u32 = 6;
/// The pause after `BURST` connections.
const PAUSE: Duration = Duration::from_millis(1);
/// How long requests under way may take when the server stops.
const FINISH_TIMEOUT: Duration = Duration::from_secs(3);

/// Accepts and serves connections until the server is told to stop.
pub(crate) async fn serve(listener: TcpListener, router: Router, app: &App) {
    let (mut burst_began, mut count) = (Instant::now(), 0);
    let mut warned = None;
    loop {
        let accepted = tokio::select! {
            () = app.stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        if burst_began.elapsed() >= PAUSE {
            (burst_began, count) = (Instant::now(), 0);
        }
        count += 1;
        if count == BURST {
            tokio::time::sleep(PAUSE).await;
        }
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, or a client that was gone before it was accepted.
                // Logged once a second: thousands may fail in the same moment.
                if warned.is_none_or(|at: Instant| at.elapsed() >= Duration::from_secs(1)) {
                    warned = Some(Instant::now());
                    tracing::warn!(%error, "connections are not accepted");
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        // The connections of a proxy belong to many clients.
        let share = (!app.config.proxies.trusts(peer.ip()))
            .then(|| app.visitors.connection(peer.ip()))
            .transpose();
        let (Ok(share), Ok(permit)) = (share, app.connection_permits.clone().try_acquire_owned())
        else {
            metrics::counter!("hansu_connections_refused_total").increment(1);
            // Closed without an answer: an answer would cost what is already short.
            drop(stream);
            continue;
        };
        let (router, app) = (router.clone(), app.clone());
        let tasks = app.tasks.clone();
        tasks.spawn(async move {
            let _permits = (permit, share);
            serve_connection(stream, peer, router, &app).await;
        });
    }
}

async fn serve_connection(stream: TcpStream, peer: SocketAddr, router: Router, app: &App) {
    let _ = stream.set_nodelay(true);
    let _ = socket2::SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER);
    let meter = Meter::default();
    let Some(certificate) = &app.config.certificate else {
        return serve_requests(LimitedStream::new(stream, meter.clone()), meter, peer, router, app)
            .await;
    };
    // Browsers open connections in advance and send nothing: a server that stops does not wait for
    // them.
    let handshake = tokio::select! {
        () = app.stop.cancelled() => return,
        handshake = timeout(HEAD_TIMEOUT, begin(stream, certificate, meter.clone())) => handshake,
    };
    match handshake {
        Ok(Ok(Handshake::Tls(stream))) => serve_requests(*stream, meter, peer, router, app).await,
        Ok(Ok(Handshake::Plain(stream))) => {
            let router = Router::new().fallback(redirect_to_tls);
            serve_requests(stream, meter, peer, router, app).await;
        }
        Ok(Err(_)) | Err(_) => {}
    }
}

/// How a client begins at a port with TLS.
enum Handshake {
    Tls(Box<TlsStream<LimitedStream>>),
    /// Plain HTTP: the address was typed with http:// or without a scheme.
    Plain(LimitedStream),
}

async fn begin(
    stream: TcpStream,
    certificate: &Certificate,
    meter: Meter,
) -> std::io::Result<Handshake> {
    let mut first = [0];
    let read = stream.peek(&mut first).await?;
    let stream = LimitedStream::new(stream, meter);
    if read == 1 && first[0] == tls::HANDSHAKE {
        let stream = certificate.acceptor().accept(stream).await?;
        return Ok(Handshake::Tls(Box::new(stream)));
    }
    Ok(Handshake::Plain(stream))
}

/// Redirects a request without TLS to the same address with TLS.
async fn redirect_to_tls(request: Request<Body>) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let location = host.map(|host| format!("https://{host}{path}"));
    match location.and_then(|location| header::HeaderValue::try_from(location).ok()) {
        Some(location) => {
            let close = (header::CONNECTION, header::HeaderValue::from_static("close"));
            (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, location), close]).into_response()
        }
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn serve_requests(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    meter: Meter,
    peer: SocketAddr,
    router: Router,
    app: &App,
) {
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        meter.begin(is_for_socket(&request));
        let router = router.clone();
        async move { answer(router, request.map(Body::new)).await }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        () = app.stop.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _ = timeout(FINISH_TIMEOUT, connection).await;
}

fn is_for_socket(request: &Request<Incoming>) -> bool {
    let upgrade = request.headers().get(header::UPGRADE);
    upgrade.is_some_and(|to| to.as_bytes().eq_ignore_ascii_case(b"websocket"))
}

async fn answer(router: Router, request: Request<Body>) -> Result<Response, Infallible> {
    router.oneshot(request).await
}
