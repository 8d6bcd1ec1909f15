//! Keys of players: new ones, replacing one that others may have, and passes for one more device.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hansu_journal::log_time;
use hansu_play::Millis;
use hansu_protocol as wire;
use hansu_records::Pass;
use hansu_words::ServerRefusal;

use super::App;
use super::body::Body;
use super::params::PathParams;
use super::player::{Player, cookie, next_cookie};
use super::problem::Problem;
use crate::keys::{Key, PassCode};

/// How long a pass can be used.
const PASS: Millis = Millis::minutes(10);

/// The player's key, or a new one for a player without a key, with the headers that set its cookie.
pub(crate) fn identity(app: &App, player: &Player) -> Result<(Key, HeaderMap), Problem> {
    let mut headers = HeaderMap::new();
    if let Some(key) = player.key {
        return Ok((key, headers));
    }
    let key = Key::random().map_err(|error| Problem::log(error, player.lang))?;
    if let Some(cookie) = cookie(&key, app.config.is_secure()) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    Ok((key, headers))
}

/// Makes a new key for a terminal or a bot, which sends it as a bearer token.
pub(crate) async fn make_key(player: Player) -> Result<Response, Problem> {
    let key = Key::random().map_err(|error| Problem::log(error, player.lang))?;
    let body = Json(wire::NewKey { key: key.reveal() });
    Ok((StatusCode::CREATED, body).into_response())
}

/// Says whether the client has a key, and its language; gives a key to a browser without one.
pub(crate) async fn me(State(app): State<App>, player: Player) -> Result<Response, Problem> {
    let (known, lang) = (player.key.is_some(), player.lang.code().to_owned());
    let me = wire::Me { known, lang };
    if let (Some(old), Some(new)) = (player.key, player.next)
        && app.hub.hand_over(old.holder(), new.holder()).await.is_ok()
    {
        // The browser has asked to sign out everywhere, and the answer did not reach it.
        return Ok((key_cookies(&app, &new), Json(me)).into_response());
    }
    let (_, headers) = identity(&app, &player)?;
    Ok((headers, Json(me)).into_response())
}

fn is_browser(asked: &HeaderMap) -> bool {
    asked.contains_key(header::ORIGIN) && !asked.contains_key(header::AUTHORIZATION)
}

/// The answer with a key: in a cookie that scripts cannot read for a browser, as text for a
/// program.
fn key_answer(app: &App, asked: &HeaderMap, key: &Key) -> (HeaderMap, Json<wire::GivenKey>) {
    if is_browser(asked) {
        (key_cookies(app, key), Json(wire::GivenKey { key: None, again: false }))
    } else {
        let given = wire::GivenKey { key: Some(key.reveal()), again: false };
        (HeaderMap::new(), Json(given))
    }
}

/// The headers that set a browser's key, and remove the cookie of the next key.
fn key_cookies(app: &App, key: &Key) -> HeaderMap {
    let secure = app.config.is_secure();
    let cookies = [cookie(key, secure), next_cookie(None, secure)];
    cookies.into_iter().flatten().map(|cookie| (header::SET_COOKIE, cookie)).collect()
}

/// Signs out everywhere: moves all that belongs to the old key to a new one.
///
/// The first request returns the new key and changes nothing; the second, which sends that key,
/// moves everything to it. If its answer is lost, the client sends the same request again, and no
/// game is lost.
pub(crate) async fn renew(
    State(app): State<App>,
    player: Player,
    asked: HeaderMap,
    Body(brought): Body<wire::Renewal>,
) -> Result<Response, Problem> {
    let lang = player.lang;
    let old = player.key.ok_or_else(|| Problem::of(ServerRefusal::NoKey, lang))?;
    let bad = || Problem::of(ServerRefusal::BadRequest, lang);
    let brought: Option<Key> =
        brought.key.map(|key| key.parse().map_err(|_| bad())).transpose()?.or(player.next);
    let Some(new) = brought else {
        let new = Key::random().map_err(|error| Problem::log(error, lang))?;
        let browser = is_browser(&asked);
        let mut headers = HeaderMap::new();
        if browser && let Some(cookie) = next_cookie(Some(&new), app.config.is_secure()) {
            headers.insert(header::SET_COOKIE, cookie);
        }
        let given = wire::GivenKey { key: (!browser).then(|| new.reveal()), again: true };
        return Ok((headers, Json(given)).into_response());
    };
    if new == old {
        return Err(bad());
    }
    let done = app.hub.hand_over(old.holder(), new.holder()).await;
    done.map_err(|error| Problem::log(error, lang))?;
    Ok(key_answer(&app, &asked, &new).into_response())
}

/// Makes a pass for one more device.
pub(crate) async fn make_pass(State(app): State<App>, player: Player) -> Result<Response, Problem> {
    let lang = player.lang;
    let key = player.key.ok_or_else(|| Problem::of(ServerRefusal::NoKey, lang))?;
    let code = PassCode::random().map_err(|error| Problem::log(error, lang))?;
    let now = app.hub.now();
    let expires = now.plus(PASS);
    let sealed = code.seal(key.bytes());
    let pass = Pass { hash: code.hash(), sealed, expires: log_time(expires) };
    app.ask(lang, move |store| store.keep_pass(pass, log_time(now))).await?;
    // The code is in the fragment, which browsers send to no server.
    let link = app.shared_address().map(|address| format!("{address}/settings#{}", code.reveal()));
    let made = wire::NewPass { code: code.reveal(), link, expires };
    Ok((StatusCode::CREATED, Json(made)).into_response())
}

/// Uses up a pass: this device is the same player from now on.
pub(crate) async fn use_pass(
    State(app): State<App>,
    player: Player,
    PathParams(code): PathParams<String>,
    asked: HeaderMap,
) -> Result<Response, Problem> {
    let lang = player.lang;
    let wrong = || Problem::of(ServerRefusal::NoSuchPass, lang);
    let code: PassCode = code.parse().map_err(|_| wrong())?;
    let (hash, now) = (code.hash(), log_time(app.hub.now()));
    let sealed = app.ask(lang, move |store| store.use_pass(&hash, now)).await?;
    let key = Key::from_bytes(code.seal(sealed.ok_or_else(wrong)?));
    Ok(key_answer(&app, &asked, &key).into_response())
}
