//! The door: accepts connections, bounds their number and their patience.

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
use crate::patient::{Meter, Patient};
use crate::tls::{self, Certificate};

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);
/// The longest head of a request.
const LONGEST_HEAD: usize = 16 * 1024;
/// What the operating system may hold back for one client. Slow readers are noticed early.
const SEND_BUFFER: usize = 32 * 1024;
/// So many newcomers are let in, and then those who are inside have their turn: a thousand who come
/// at once would otherwise keep everybody waiting until the last of them is greeted.
const AT_ONCE: u32 = 6;
/// How long that turn is.
const TURN: Duration = Duration::from_millis(1);
/// How long requests under way have when the server stops.
const FINISH: Duration = Duration::from_secs(3);

/// Serves connections until the server is told to stop, and the last request is answered.
pub(crate) async fn serve(listener: TcpListener, router: Router, app: &App) {
    let (mut turn, mut came) = (Instant::now(), 0);
    let mut warned = None;
    loop {
        let accepted = tokio::select! {
            () = app.stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        if turn.elapsed() >= TURN {
            (turn, came) = (Instant::now(), 0);
        }
        came += 1;
        if came == AT_ONCE {
            tokio::time::sleep(TURN).await;
        }
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, or a client that was gone before it was greeted.
                // Once a second: thousands may fail in the same moment.
                if warned.is_none_or(|at: Instant| at.elapsed() >= Duration::from_secs(1)) {
                    warned = Some(Instant::now());
                    tracing::warn!(%error, "connections are not accepted");
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        // A proxy brings the connections of many people.
        let share = (!app.config.proxies.trusts(peer.ip()))
            .then(|| app.visitors.connection(peer.ip()))
            .transpose();
        let (Ok(share), Ok(place)) = (share, app.places.clone().try_acquire_owned()) else {
            metrics::counter!("hansu_connections_refused_total").increment(1);
            // Closing says it all: an answer would cost what there is too little of.
            drop(stream);
            continue;
        };
        let (router, app) = (router.clone(), app.clone());
        let tasks = app.tasks.clone();
        tasks.spawn(async move {
            let _place = (place, share);
            converse(stream, peer, router, &app).await;
        });
    }
}

async fn converse(stream: TcpStream, peer: SocketAddr, router: Router, app: &App) {
    let _ = stream.set_nodelay(true);
    let _ = socket2::SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER);
    let meter = Meter::default();
    let Some(certificate) = &app.config.certificate else {
        return answer_all(Patient::new(stream, meter.clone()), meter, peer, router, app).await;
    };
    // Browsers open connections in advance and say nothing: a server that stops does not wait.
    let greeted = tokio::select! {
        () = app.stop.cancelled() => return,
        greeted = timeout(HEAD, greet(stream, certificate, meter.clone())) => greeted,
    };
    match greeted {
        Ok(Ok(Greeted::Tls(stream))) => answer_all(*stream, meter, peer, router, app).await,
        Ok(Ok(Greeted::Plain(stream))) => {
            let router = Router::new().fallback(to_tls);
            answer_all(stream, meter, peer, router, app).await;
        }
        Ok(Err(_)) | Err(_) => {}
    }
}

/// How a client begins where TLS is wanted.
enum Greeted {
    Tls(Box<TlsStream<Patient>>),
    /// With http:// typed before the address, or nothing.
    Plain(Patient),
}

async fn greet(
    stream: TcpStream,
    certificate: &Certificate,
    meter: Meter,
) -> std::io::Result<Greeted> {
    let mut first = [0];
    let read = stream.peek(&mut first).await?;
    let stream = Patient::new(stream, meter);
    if read == 1 && first[0] == tls::HANDSHAKE {
        let stream = certificate.acceptor().accept(stream).await?;
        return Ok(Greeted::Tls(Box::new(stream)));
    }
    Ok(Greeted::Plain(stream))
}

/// Sends a request without TLS to the same place with it.
async fn to_tls(request: Request<Body>) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let place = host.map(|host| format!("https://{host}{path}"));
    match place.and_then(|place| header::HeaderValue::try_from(place).ok()) {
        Some(place) => {
            let close = (header::CONNECTION, header::HeaderValue::from_static("close"));
            (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, place), close]).into_response()
        }
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn answer_all(
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
        .header_read_timeout(HEAD)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        () = app.stop.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _ = timeout(FINISH, connection).await;
}

fn is_for_socket(request: &Request<Incoming>) -> bool {
    let upgrade = request.headers().get(header::UPGRADE);
    upgrade.is_some_and(|to| to.as_bytes().eq_ignore_ascii_case(b"websocket"))
}

async fn answer(router: Router, request: Request<Body>) -> Result<Response, Infallible> {
    router.oneshot(request).await
}
