//! HTTP: accepts connections, and upgrades them to WebSockets.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::connection;
use crate::gateway::{Phase, Shared, lock};
use crate::hooks::Hooks;
use crate::token::is_equal;
use crate::transport;

/// The buffer of a connection for what it reads. Ten thousand clients have 40 MB.
const READ_BUFFER: usize = 4_096;

/// How many connections each address has.
pub(crate) type Addresses = Mutex<HashMap<IpAddr, usize>>;

/// A connection, as it counts for the limits.
pub(crate) struct Place<H: Hooks> {
    shared: Arc<Shared<H>>,
    address: IpAddr,
}

impl<H: Hooks> Place<H> {
    pub(crate) fn take(shared: &Arc<Shared<H>>, address: IpAddr) -> Option<Self> {
        let address = address.to_canonical(); // one of IPv4 may come as one of IPv6
        let limits = &shared.options.limits;
        let mut counts = lock(&shared.addresses);
        let count = counts.get(&address).copied().unwrap_or(0);
        let connections = shared.metrics.connections.get() as usize;
        if count >= limits.connections_per_address || connections >= limits.connections {
            shared.metrics.connections_rejected_total.add(1);
            return None;
        }
        counts.insert(address, count + 1);
        shared.metrics.connections.add(1);
        Some(Self {
            shared: shared.clone(),
            address,
        })
    }
}

impl<H: Hooks> Drop for Place<H> {
    fn drop(&mut self) {
        self.shared.metrics.connections.remove(1);
        let mut counts = lock(&self.shared.addresses);
        match counts.get_mut(&self.address) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = counts.remove(&self.address),
        }
    }
}

/// Accepts connections until the gateway has stopped.
pub(crate) async fn serve<H: Hooks>(
    shared: Arc<Shared<H>>,
    listener: TcpListener,
    pages: Router,
) -> io::Result<()> {
    listener.local_addr()?;
    let router = Router::new()
        .route("/ws", get(upgrade::<H>))
        .route("/health", get(health::<H>))
        .route("/metrics", get(metrics::<H>))
        .with_state(shared.clone())
        .merge(pages);
    #[cfg(feature = "inspector")]
    let router = router.merge(crate::inspect::router(&shared)?);
    let mut phase = shared.phase.subscribe();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = phase.wait_for(|phase| matches!(phase, Phase::Stopped)) => return Ok(()),
        };
        let Ok((stream, address)) = accepted else {
            sleep(Duration::from_millis(50)).await; // too many files are open
            continue;
        };
        if let Some(place) = Place::take(&shared, address.ip()) {
            let router = router.clone().layer(Extension(Arc::new(place)));
            let limits = &shared.options.limits;
            tokio::spawn(answer(stream, router, limits.greeting, limits.silence));
        }
    }
}

/// Answers the requests of a connection, until it is one of a WebSocket.
async fn answer(stream: TcpStream, router: Router, head: Duration, life: Duration) {
    _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = pin!(connection);
    // Errors of a client are ignored. A client that does not read must not stay connected.
    if timeout(life, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        _ = timeout(life, connection).await;
    }
}

async fn upgrade<H: Hooks>(
    State(shared): State<Arc<Shared<H>>>,
    Extension(place): Extension<Arc<Place<H>>>,
    headers: HeaderMap,
    socket: WebSocketUpgrade,
) -> Response {
    if shared.phase.borrow().is_draining() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    if !may_connect(&shared.options.origins, &headers) {
        shared.metrics.connections_rejected_total.add(1);
        return (StatusCode::FORBIDDEN, "this origin may not connect").into_response();
    }
    let bytes = shared.options.limits.message_bytes;
    socket
        .max_message_size(bytes)
        .max_frame_size(bytes)
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0) // what is sent waits in one place only
        .on_upgrade(async move |socket| {
            let (sender, messages) = transport::split(socket);
            connection::run(shared, sender, messages).await;
            drop(place);
        })
}

/// Whether a request has a token as `Authorization: Bearer …`.
pub(crate) fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let given = headers.get(AUTHORIZATION);
    let given = given.and_then(|it| it.as_bytes().strip_prefix(b"Bearer "));
    given.is_some_and(|given| is_equal(given, token.as_bytes()))
}

/// Whether the page of a request, if there is one, may connect.
pub(crate) fn may_connect(origins: &[String], headers: &HeaderMap) -> bool {
    let [origin, host] = [ORIGIN, HOST].map(|name| headers.get(name).map(|it| it.to_str()));
    let host = host.and_then(Result::ok);
    origin.is_none_or(|it| it.is_ok_and(|it| is_allowed(origins, it, host)))
}

/// Whether a page of an origin may connect by this name of the gateway.
pub(crate) fn is_allowed(origins: &[String], origin: &str, host: Option<&str>) -> bool {
    let own = origin.split_once("://").map(|(_, host)| host);
    host.is_some_and(|host| own == Some(host)) || origins.iter().any(|it| it == origin)
}

async fn health<H: Hooks>(State(shared): State<Arc<Shared<H>>>) -> Response {
    match shared.phase.borrow().is_draining() {
        true => (StatusCode::SERVICE_UNAVAILABLE, "draining\n").into_response(),
        false => "ok\n".into_response(),
    }
}

async fn metrics<H: Hooks>(State(shared): State<Arc<Shared<H>>>, headers: HeaderMap) -> Response {
    let Some(token) = &shared.options.metrics_token else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if !has_token(&headers, token) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let kind = (CONTENT_TYPE, "text/plain; version=0.0.4");
    ([kind], shared.metrics.to_prometheus()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_gateway_itself_and_of_listed_origins_may_connect() {
        let origins = ["https://example.com".to_owned()];
        let allowed = |origin: &str| is_allowed(&origins, origin, Some("play.example:8080"));
        assert!(allowed("http://play.example:8080") && allowed("https://example.com"));
        for other in [
            "https://example.com.evil",
            "http://play.example",
            "null",
            "https://evil/example.com",
            "",
        ] {
            assert!(!allowed(other), "{other}");
        }
    }
}
