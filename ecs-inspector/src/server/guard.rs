//! Access control: accepts requests for this host, from its own page, with its token.
//!
//! A page of another site in the same browser must not reach the game. It can send requests to this
//! server, but then `Origin` names that site. If it makes its own name resolve to this address (DNS
//! rebinding), `Host` has that name. So only known names are accepted; addresses are safe, since they
//! are not resolved.

use std::net::{IpAddr, SocketAddr};

use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};
use axum::http::uri::Authority;

use crate::protocol::failure::{Code, Failure};

/// The rules for requests.
pub(crate) struct Guard {
    /// The address of the server. `None` for a router: a proxy may give it any name, and a page that forges a name
    /// does not know the token.
    pub(crate) address: Option<SocketAddr>,
    /// Accepted host names besides `localhost`.
    pub(crate) hosts: Vec<String>,
    pub(crate) token: Option<String>,
}

impl Guard {
    /// Checks a request; `with_token` is whether it must have the token.
    pub(crate) fn check(&self, request: &Request, with_token: bool) -> Result<(), Failure> {
        let headers = request.headers();
        let host = single(headers, &HOST).filter(|host| self.knows(host));
        let host =
            host.ok_or_else(|| Code::BadHost.because("the header `Host` is of another host"))?;
        if headers.contains_key(ORIGIN) {
            let origin = single(headers, &ORIGIN).and_then(|origin| origin.split_once("://"));
            let origin = origin.filter(|(scheme, _)| *scheme == "http" || self.address.is_none());
            let origin = origin.map(|(_, origin)| origin);
            if !origin.is_some_and(|origin| origin.eq_ignore_ascii_case(host)) {
                return Err(Code::BadOrigin.because("the header `Origin` is of another site"));
            }
        }
        match with_token && !self.accepts_token(request) {
            true => Err(Code::Unauthorized.because("the token is missing or wrong")),
            false => Ok(()),
        }
    }

    /// Whether a host names this server.
    fn knows(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        let Some(address) = self.address else {
            return true;
        };
        let port = authority.port_u16().unwrap_or(80);
        let name = authority
            .host()
            .trim_start_matches('[')
            .trim_end_matches(']');
        let is_known = match name.parse::<IpAddr>() {
            Ok(ip) => ip.is_loopback() || !address.ip().is_loopback(),
            Err(_) => self.is_named(name),
        };
        is_known && port == address.port() && !host.contains('@')
    }

    fn is_named(&self, name: &str) -> bool {
        let names = self.hosts.iter().map(String::as_str);
        let mut names = names.chain(["localhost"]);
        names.any(|known| known.eq_ignore_ascii_case(name))
    }

    fn accepts_token(&self, request: &Request) -> bool {
        let Some(token) = &self.token else {
            return true;
        };
        let bearer = single(request.headers(), &AUTHORIZATION);
        let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
        let query = request.uri().query().unwrap_or("").as_bytes();
        let mut given = form_urlencoded::parse(query).filter(|(name, _)| name == "token");
        bearer.is_some_and(|given| is_same(given, token))
            || given.any(|(_, given)| is_same(&given, token))
    }
}

/// Returns the value of a header that occurs exactly once.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let value = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(value)
}

/// Compares in a time that does not depend on how many bytes are right.
fn is_same(given: &str, token: &str) -> bool {
    let pairs = given.bytes().zip(token.bytes());
    let differences = pairs.fold(0, |differences, (a, b)| differences | (a ^ b));
    given.len() == token.len() && std::hint::black_box(differences) == 0
}
