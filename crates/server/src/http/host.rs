//! Checks the `Host` of requests.
//!
//! Another site can make its own name resolve to this machine (DNS rebinding); a browser then takes
//! the server for that site and lets the page read everything. Such a request has the name of the
//! other site as its host, and is refused for that.

use std::net::{IpAddr, Ipv6Addr};

use axum::extract::Request;
use axum::http::header;

/// True if a request names exactly one host, and it is a name or an address of this server.
pub(crate) fn is_ours(request: &Request, public_url: Option<&str>) -> bool {
    let mut named = request.headers().get_all(header::HOST).iter();
    let line = request.uri().authority().map(axum::http::uri::Authority::as_str);
    let host = match (named.next(), named.next()) {
        // HTTP/2 names the host only in the request line.
        (None, _) => line.unwrap_or(""),
        (Some(host), None) => host.to_str().unwrap_or(""),
        (Some(_), Some(_)) => return false,
    };
    // The request line may name a host as well.
    let line = line.unwrap_or(host);
    let public = public_url.and_then(|url| url.split_once("://")).map(|(_, host)| name(host));
    [host, line].iter().all(|host| is_known(host, public.flatten()))
}

/// The name in `name:port`, or the address in `[address]:port`.
fn name(host: &str) -> Option<&str> {
    let host = host.trim_end_matches('/');
    if let Some(rest) = host.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        let fits = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return (fits && address.parse::<Ipv6Addr>().is_ok()).then_some(address);
    }
    match host.split_once(':') {
        Some((name, port)) => is_port(port).then_some(name),
        None => Some(host),
    }
}

fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok()
}

fn is_known(host: &str, public: Option<&str>) -> bool {
    let Some(name) = name(host) else { return false };
    if name.parse::<IpAddr>().is_ok() {
        return true;
    }
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let sound = |label: &str| {
        !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    };
    if !name.split('.').all(sound) {
        return false;
    }
    // No site on the internet can have a name without a dot, or one that ends in `.local`.
    !name.contains('.')
        || name.ends_with(".local")
        || public.is_some_and(|public| public.eq_ignore_ascii_case(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names_of_the_server_are_ours() {
        for host in [
            "127.0.0.1:8080",
            "192.168.0.7",
            "[::1]:8080",
            "[fe80::1]",
            "localhost:8080",
            "LOCALHOST",
            "localhost.",
            "hansu",
            "hansu:80",
            "mina-laptop.local",
            "Chess.Example",
            "chess.example:8443",
        ] {
            assert!(is_known(host, Some("chess.example")), "{host}");
        }
    }

    #[test]
    fn names_of_others_are_not() {
        for host in [
            "evil.example",
            "localhost.evil.example",
            "chess.example.evil",
            "127.0.0.1.evil.com",
            "",
            ".",
            ".local",
            "a..local",
            "local host",
            "localhost:http",
            "[::1",
            "[evil]:80",
            "evil.com:80:80",
            "evil@localhost",
            "chess.example/../x",
            "localhost:99999",
        ] {
            assert!(!is_known(host, Some("chess.example")), "{host}");
        }
        assert!(!is_known("chess.example", None));
    }

    #[test]
    fn a_request_has_one_host_and_its_address_line_agrees() {
        let request = |uri: &str, hosts: &[&str]| {
            let mut request = Request::builder().uri(uri);
            for host in hosts {
                request = request.header("host", *host);
            }
            request.body(axum::body::Body::empty()).unwrap()
        };
        assert!(is_ours(&request("/", &["localhost"]), None));
        assert!(!is_ours(&request("/", &[]), None));
        assert!(is_ours(&request("http://localhost/", &[]), None));
        assert!(!is_ours(&request("/", &["localhost", "evil.example"]), None));
        assert!(!is_ours(&request("http://evil.example/", &["localhost"]), None));
        let public = Some("https://chess.example:8443");
        assert!(is_ours(&request("/", &["chess.example"]), public));
        assert!(!is_ours(&request("/", &["evil.example"]), public));
    }
}
