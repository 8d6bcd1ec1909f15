//! The sender of a request: a key from a cookie or a bearer token, a language, an address.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use hansu_records::Holder;
use hansu_records::stats::Viewer;
use hansu_words::Lang;

use super::App;
use crate::keys::Key;

/// The name of the cookie with a player's key.
const COOKIE: &str = "hansu";
/// Its name over TLS: no neighbouring site can set a cookie of that name.
const SECURE_COOKIE: &str = "__Host-hansu";
/// The name of the cookie with the next key, while a browser signs out everywhere.
const NEXT_COOKIE: &str = "hansu-next";
/// Its name over TLS.
const SECURE_NEXT_COOKIE: &str = "__Host-hansu-next";
/// Browsers keep a cookie for at most 400 days.
const COOKIE_SECONDS: u64 = 400 * 86_400;

/// The sender of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Player {
    pub(crate) key: Option<Key>,
    /// The key that replaces a browser's key when signing out everywhere; it may not have done so
    /// yet.
    pub(crate) next: Option<Key>,
    pub(crate) lang: Lang,
    pub(crate) address: IpAddr,
}

impl Player {
    pub(crate) fn holder(&self) -> Option<Holder> {
        self.key.as_ref().map(Key::holder)
    }

    /// The player as a reader of the log.
    pub(crate) fn viewer(&self) -> Viewer {
        Viewer::Guest(self.holder())
    }

    /// 16 hexadecimal digits of the holder, which tell the command keys of spectators apart. None
    /// without a key.
    pub(crate) fn mark(&self) -> Option<String> {
        let holder = self.holder()?;
        Some(holder.0[..8].iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl FromRequestParts<App> for Player {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Player, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        Ok(Player {
            key: key(&parts.headers),
            next: next(&parts.headers),
            lang: lang(parts.uri.query(), &parts.headers),
            address: app.config.proxies.address(peer, &parts.headers),
        })
    }
}

/// The bearer token, else the cookie.
fn key(headers: &HeaderMap) -> Option<Key> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(bearer) = bearer {
        return bearer.strip_prefix("Bearer ")?.trim().parse().ok();
    }
    in_cookie(headers, SECURE_COOKIE).or_else(|| in_cookie(headers, COOKIE))
}

/// The next key; only browsers have it, in a cookie.
fn next(headers: &HeaderMap) -> Option<Key> {
    if headers.contains_key(header::AUTHORIZATION) {
        return None;
    }
    in_cookie(headers, SECURE_NEXT_COOKIE).or_else(|| in_cookie(headers, NEXT_COOKIE))
}

fn in_cookie(headers: &HeaderMap, wanted: &str) -> Option<Key> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='));
    pairs.find(|(name, _)| *name == wanted).and_then(|(_, value)| value.parse().ok())
}

/// The language in `?lang=`, else the first language in `Accept-Language` that exists here, else
/// English.
pub(crate) fn lang(query: Option<&str>, headers: &HeaderMap) -> Lang {
    let asked = query
        .into_iter()
        .flat_map(|query| query.split('&'))
        .find_map(|pair| pair.strip_prefix("lang=")?.parse().ok());
    asked.unwrap_or_else(|| {
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let codes = accepted.into_iter().flat_map(|list| list.split(','));
        let mut codes = codes.filter_map(|item| item.split([';', '-']).next());
        let known = codes.find_map(|code| code.trim().to_ascii_lowercase().parse().ok());
        known.unwrap_or(Lang::En)
    })
}

/// The header that sets a browser's key.
pub(crate) fn cookie(key: &Key, secure: bool) -> Option<HeaderValue> {
    let name = if secure { SECURE_COOKIE } else { COOKIE };
    written(name, &key.reveal(), COOKIE_SECONDS, secure)
}

/// The header that sets a browser's next key, or removes it.
pub(crate) fn next_cookie(key: Option<&Key>, secure: bool) -> Option<HeaderValue> {
    let name = if secure { SECURE_NEXT_COOKIE } else { NEXT_COOKIE };
    match key {
        Some(key) => written(name, &key.reveal(), COOKIE_SECONDS, secure),
        None => written(name, "", 0, secure),
    }
}

fn written(name: &str, value: &str, seconds: u64, secure: bool) -> Option<HeaderValue> {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut value = HeaderValue::from_str(&text).ok()?;
    // Printed headers show "Sensitive" instead of the value.
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(*name, value.parse().unwrap());
        }
        map
    }

    #[test]
    fn a_key_comes_as_bearer_or_cookie() {
        let hex = "00112233445566778899aabbccddeeff";
        let known = Some(hex.parse().unwrap());
        assert_eq!(key(&headers(&[("authorization", &format!("Bearer {hex}"))])), known);
        assert_eq!(key(&headers(&[("cookie", &format!("a=b; hansu={hex}; c=d"))])), known);
        let secure = format!("hansu=ffffffffffffffffffffffffffffffff; __Host-hansu={hex}");
        assert_eq!(key(&headers(&[("cookie", &secure)])), known);
        assert_eq!(key(&headers(&[("cookie", "hansu=short")])), None);
        assert_eq!(key(&headers(&[])), None);
        // With an invalid bearer token the cookie is not used: the client means another player.
        let both = [("authorization", "Bearer nonsense"), ("cookie", &format!("hansu={hex}"))];
        assert_eq!(key(&headers(&both)), None);
    }

    #[test]
    fn the_language_is_asked_for() {
        let korean = headers(&[("accept-language", "ko-KR,ko;q=0.9,en;q=0.8")]);
        assert_eq!(lang(None, &korean), Lang::Ko);
        assert_eq!(lang(Some("a=b&lang=en"), &korean), Lang::En);
        assert_eq!(lang(None, &headers(&[])), Lang::En);
        assert_eq!(lang(None, &headers(&[("accept-language", "kok")])), Lang::En);
        assert_eq!(lang(None, &headers(&[("accept-language", "fr-FR, KO;q=0.5, en")])), Lang::Ko);
    }
}
