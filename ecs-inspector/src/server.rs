//! The server, on a separate thread: accepts connections, checks requests, and passes them to the
//! game. It never touches the game itself.
//!
//! ```text
//! server.rs  connections and their time limits
//! places.rs  the limit on connections, and which is closed if there are too many
//! guard.rs   access: Host, Origin, token
//! api.rs     HTTP requests
//! socket.rs  the WebSocket
//! page.rs    the files of the page
//! ```

pub(crate) mod guard;

mod api;
mod page;
mod places;
mod socket;

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::pin::pin;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

use self::guard::Guard;
use self::places::Places;
use crate::link::ToGame;

/// The maximum number of WebSocket clients.
const MOST_CLIENTS: usize = 8;
/// The maximum age of an HTTP connection; it is closed after the current request.
const LIFE: Duration = Duration::from_secs(60);
/// The maximum size of a request body or message.
const MOST_BYTES: usize = 64 << 10;

/// The rules for clients.
#[derive(Clone, Copy)]
pub(crate) struct Manners {
    /// Whether every command is rejected.
    pub(crate) read_only: bool,
    /// How long a client may take to send a request or read a message.
    pub(crate) patience: Duration,
}

/// The state that all connections share.
pub(crate) struct ServerState {
    pub(crate) guard: Guard,
    pub(crate) manners: Manners,
    pub(crate) to_game: ToGame,
    clients: Arc<Semaphore>,
}

impl ServerState {
    pub(crate) fn new(guard: Guard, manners: Manners, to_game: ToGame) -> Arc<Self> {
        let clients = Arc::new(Semaphore::new(MOST_CLIENTS));
        Arc::new(Self {
            guard,
            manners,
            to_game,
            clients,
        })
    }
}

/// A running server. Dropping it closes all connections.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a socket that already listens.
    pub(crate) fn start(listener: StdListener, shared: Arc<ServerState>) -> io::Result<Self> {
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new().name("inspector".into());
        let thread = thread.spawn(move || runtime.block_on(run(listener, shared, stopped)))?;
        Ok(Self {
            address,
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            _ = thread.join(); // it has no result
        }
    }
}

/// Takes connections until it is stopped.
async fn run(
    listener: StdListener,
    shared: Arc<ServerState>,
    mut stopped: oneshot::Receiver<Infallible>,
) {
    let Ok(listener) = TcpListener::from_std(listener) else {
        return;
    };
    let places = Places::new();
    let patience = shared.manners.patience;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut stopped => return,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(Duration::from_millis(50)).await; // too many files are open
            continue;
        };
        let place = tokio::select! {
            place = places.take() => place,
            _ = &mut stopped => return,
        };
        let (shared, seat) = (shared.clone(), place.seat());
        let router = Router::new().fallback(move |request| {
            let (shared, seat) = (shared.clone(), seat.clone());
            async move { seat.answering(respond(shared, request)).await }
        });
        tokio::spawn(async move {
            tokio::select! {
                () = serve(stream, router, patience) => {}
                () = place.is_attentive() => {} // this one is idle
            }
        });
    }
}

async fn serve(stream: TcpStream, router: Router, patience: Duration) {
    _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(MOST_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = pin!(connection);
    // Errors of a client are ignored. A client that does not read must not stay connected.
    if timeout(LIFE, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        _ = timeout(LIFE, connection).await;
    }
}

/// Returns the server as a router, for a program that serves HTTP itself.
pub(crate) fn router(shared: Arc<ServerState>) -> Router {
    Router::new().fallback(move |request| respond(shared.clone(), request))
}

/// Answers a request, if it is allowed.
async fn respond(shared: Arc<ServerState>, request: Request) -> Response {
    let path = request.uri().path();
    let (is_api, is_socket) = (path.starts_with("/api/"), path == "/ws");
    let is_routed_page = path == "/" && shared.guard.address.is_none();
    let with_token = is_api || is_socket || is_routed_page;
    if let Err(failure) = shared.guard.check(&request, with_token) {
        return api::failed(&failure);
    }
    if let Some(response) = page::with_slash(&request).filter(|_| is_routed_page) {
        return response;
    }
    match (is_api, is_socket) {
        (true, _) => api::respond(&shared, request).await,
        (_, true) => socket::respond(shared, request).await,
        _ => page::respond(&request),
    }
}
