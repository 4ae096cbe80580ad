//! From which address a request comes. What a proxy says of it is believed only of a proxy that is trusted.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;

/// What proxies write the address into.
pub(crate) const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller(pub IpAddr);

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Caller, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or(NOWHERE))
    }
}

/// The caller of a request that came over no socket.
const NOWHERE: Caller = Caller(IpAddr::V4(Ipv4Addr::UNSPECIFIED));

/// Finds out from which address a request comes.
pub(crate) async fn identify(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    if let Some(peer) = peer {
        let caller = caller(peer, request.headers(), &app.config.server.trusted_proxies);
        request.extensions_mut().insert(Caller(caller));
    }
    next.run(request).await
}

/// The nearest address that is no trusted proxy, read from the peer outwards: what stands farther out may be invented.
fn caller(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let mut caller = peer.to_canonical();
    let said: Vec<&str> = headers
        .get_all(FORWARDED_FOR)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    for address in said.into_iter().rev() {
        if !trusted.contains(&caller) {
            break;
        }
        match address.trim().parse::<IpAddr>() {
            Ok(address) => caller = address.to_canonical(),
            Err(_) => break,
        }
    }
    caller
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED_FOR, value.parse().expect("a header"));
        }
        let trusted: Vec<IpAddr> =
            trusted.iter().map(|address| address.parse().expect("an address")).collect();
        caller(peer.parse().expect("an address"), &headers, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(heard("9.9.9.9", &["1.1.1.1"], &[]), "9.9.9.9");
        assert_eq!(heard("9.9.9.9", &["1.1.1.1"], &["8.8.8.8"]), "9.9.9.9");
        assert_eq!(heard("9.9.9.9", &["1.1.1.1"], &["9.9.9.9"]), "1.1.1.1");
        assert_eq!(
            heard("9.9.9.9", &["6.6.6.6, 1.1.1.1"], &["9.9.9.9"]),
            "1.1.1.1",
            "what lies beyond is invented"
        );
        assert_eq!(heard("9.9.9.9", &["1.1.1.1", "8.8.8.8"], &["9.9.9.9", "8.8.8.8"]), "1.1.1.1");
        assert_eq!(heard("9.9.9.9", &["nonsense"], &["9.9.9.9"]), "9.9.9.9");
        assert_eq!(heard("::ffff:9.9.9.9", &["1.1.1.1"], &["9.9.9.9"]), "1.1.1.1");
    }
}
