//! The client's address of a request that comes through a proxy.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use axum::http::HeaderMap;

/// Addresses that share their first bits: `10.0.0.0/8`, `2001:db8::/32`, or one address.
///
/// ```
/// use hansu_server::Network;
/// let home: Network = "192.168.0.0/16".parse()?;
/// assert!(home.contains("192.168.7.9".parse()?));
/// assert!(!home.contains("192.169.0.1".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

/// The text is not a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkError;

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a network: write 10.0.0.0/8, 2001:db8::/32 or one address")
    }
}

impl std::error::Error for NetworkError {}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Network, NetworkError> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| NetworkError)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), str::parse).map_err(|_| NetworkError)?;
        if bits <= most { Ok(Network { address, bits }) } else { Err(NetworkError) }
    }
}

impl Network {
    /// True if an address belongs to it.
    pub fn contains(&self, address: IpAddr) -> bool {
        let same = |one: u128, other: u128, all: u32| {
            let rest = all - self.bits;
            rest >= 128 || one >> rest == other >> rest
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(one), IpAddr::V4(other)) => {
                same(one.to_bits().into(), other.to_bits().into(), 32)
            }
            (IpAddr::V6(one), IpAddr::V6(other)) => same(one.to_bits(), other.to_bits(), 128),
            _ => false,
        }
    }
}

/// Which proxies are trusted to name the client's address.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Proxies {
    /// None: the address of the connection counts.
    #[default]
    None,
    /// Any: for a server that only the proxy can reach.
    Any,
    /// Proxies in these networks.
    Of(Vec<Network>),
}

impl Proxies {
    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        match self {
            Proxies::None => false,
            Proxies::Any => true,
            Proxies::Of(networks) => networks.iter().any(|network| network.contains(address)),
        }
    }

    /// The client's address: the last one in `X-Forwarded-For` that is not a trusted proxy's. All
    /// unreadable ones count as one address, so that none of them lifts a limit.
    pub(crate) fn address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.trusts(peer) {
            return peer;
        }
        let unknown = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let values = headers.get_all("x-forwarded-for").iter();
        let lists: Vec<&str> = values.map(|value| value.to_str().unwrap_or("?")).collect();
        let mut hops = lists.iter().rev().flat_map(|list| list.rsplit(','));
        match self {
            Proxies::Of(_) => {
                let mut last = peer;
                for hop in hops {
                    let Some(address) = hop_address(hop) else { return unknown };
                    last = address;
                    if !self.trusts(address) {
                        break;
                    }
                }
                last
            }
            Proxies::None | Proxies::Any => match hops.next() {
                Some(hop) => hop_address(hop).unwrap_or(unknown),
                None => peer,
            },
        }
    }
}

/// An address as proxies write it: alone, with a port, or in brackets.
fn hop_address(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"');
    if let Some(rest) = text.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        let port = port.strip_prefix(':').unwrap_or("0");
        port.parse::<u16>().ok()?;
        return address.parse().ok();
    }
    let alone = || text.parse().ok();
    let with_port = || text.parse::<std::net::SocketAddr>().ok().map(|address| address.ip());
    alone().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lists: &[&str]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for list in lists {
            map.append("x-forwarded-for", list.parse().unwrap());
        }
        map
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn the_last_address_counts_behind_a_proxy() {
        let (peer, map) = (ip("127.0.0.1"), headers(&["6.6.6.6, 203.0.113.7"]));
        assert_eq!(Proxies::None.address(peer, &map), peer);
        assert_eq!(Proxies::Any.address(peer, &map), ip("203.0.113.7"));
        assert_eq!(Proxies::Any.address(peer, &headers(&[])), peer);
        assert_eq!(Proxies::Any.address(peer, &headers(&["6.6.6.6", "7.7.7.7"])), ip("7.7.7.7"));
    }

    #[test]
    fn no_way_of_writing_an_address_lifts_the_limit() {
        let peer = ip("127.0.0.1");
        for (text, address) in [
            ("203.0.113.7:4711", "203.0.113.7"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("\"[2001:db8::1]:80\"", "2001:db8::1"),
            ("unknown", "0.0.0.0"),
            ("", "0.0.0.0"),
            ("[::1", "0.0.0.0"),
            ("[::1]:http", "0.0.0.0"),
            ("1.2.3.4.5", "0.0.0.0"),
            ("203.0.113.7:99999", "0.0.0.0"),
        ] {
            assert_eq!(Proxies::Any.address(peer, &headers(&[text])), ip(address), "{text}");
        }
    }

    #[test]
    fn only_named_proxies_are_believed() {
        let proxies = Proxies::Of(vec!["10.0.0.0/8".parse().unwrap(), "::1".parse().unwrap()]);
        let map = headers(&["6.6.6.6, 203.0.113.7, 10.1.2.3"]);
        assert_eq!(proxies.address(ip("10.9.9.9"), &map), ip("203.0.113.7"));
        assert_eq!(proxies.address(ip("::1"), &map), ip("203.0.113.7"));
        assert_eq!(proxies.address(ip("203.0.113.99"), &map), ip("203.0.113.99"));
        assert_eq!(proxies.address(ip("10.9.9.9"), &headers(&["10.1.2.3"])), ip("10.1.2.3"));
        assert_eq!(proxies.address(ip("10.9.9.9"), &headers(&["x, 10.1.2.3"])), ip("0.0.0.0"));
    }

    #[test]
    fn networks_are_read() {
        for (network, inside, outside) in [
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"),
            ("192.168.7.9", "192.168.7.9", "192.168.7.8"),
            ("0.0.0.0/0", "8.8.8.8", "::1"),
            ("::/0", "2001:db8::1", "8.8.8.8"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::1"),
            ("10.0.0.0/8", "::ffff:10.0.0.1", "::ffff:11.0.0.1"),
        ] {
            let network: Network = network.parse().unwrap();
            assert!(network.contains(ip(inside)) && !network.contains(ip(outside)), "{network:?}");
        }
        for text in ["", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0/8", "host/8", "10.0.0.0/-1"]
        {
            assert_eq!(text.parse::<Network>(), Err(NetworkError), "{text}");
        }
    }
}
