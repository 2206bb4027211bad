//! The options of an inspector.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;

use crate::desk::Desk;
use crate::desk::history::HistoryDesk;
use crate::inspector::Inspector;
use crate::link::link;
use crate::server::guard::Guard;
use crate::server::{Manners, Server, ServerState, router};

/// The default number of marks of a history: ten seconds.
const MARKS: usize = 600;

/// The default for [`InspectorBuilder::patience`].
const PATIENCE: Duration = Duration::from_secs(5);

/// The options of an inspector. Created by [`Inspector::builder`].
///
/// # Examples
///
/// ```
/// # use ecs_inspector::Inspector;
/// let inspector = Inspector::builder()
///     .title("Orcs")
///     .token("a long secret")
///     .history_limit(3600)
///     .serve("0.0.0.0:0")
///     .unwrap();
/// assert!(inspector.url().unwrap().ends_with("/?token=a+long+secret"));
/// ```
#[derive(Clone, Debug)]
#[must_use = "it does nothing until it serves"]
pub struct InspectorBuilder {
    title: String,
    token: Option<String>,
    hosts: Vec<String>,
    read_only: bool,
    marks: usize,
    patience: Duration,
}

impl InspectorBuilder {
    pub(crate) fn new() -> Self {
        Self {
            title: program(),
            token: None,
            hosts: Vec::new(),
            read_only: false,
            marks: MARKS,
            patience: PATIENCE,
        }
    }

    /// Sets the title of the page. The default is the name of the program.
    pub fn title(mut self, title: &str) -> Self {
        self.title = title.to_owned();
        self
    }

    /// Requires this token in every request. With a token, the inspector can listen on any address.
    ///
    /// Connections are not encrypted: on an untrusted network, use a tunnel.
    pub fn token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    /// Accepts requests for this host name, given without a port. Addresses and `localhost` are
    /// always accepted.
    pub fn host(mut self, name: &str) -> Self {
        self.hosts.push(name.to_owned());
        self
    }

    /// Sets whether every command is rejected, so that the program can be inspected but not changed.
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Sets how many frames of a recorded history are kept. The default is 600.
    pub fn history_limit(mut self, frames: usize) -> Self {
        self.marks = frames.max(2);
        self
    }

    /// Sets how long a client may take to send a request or read a message before it is disconnected.
    /// The default is five seconds.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use ecs_inspector::Inspector;
    /// let builder = Inspector::builder().patience(Duration::from_secs(30)); // over a slow network
    /// assert!(builder.serve("127.0.0.1:0").is_ok());
    /// ```
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Starts the inspector.
    ///
    /// # Errors
    ///
    /// If it cannot listen on the address, if the address is not a loopback address and there is no
    /// token, or if the token is empty.
    pub fn serve(self, address: impl ToSocketAddrs) -> io::Result<Inspector> {
        let listener = TcpListener::bind(&*self.checked(address)?)?;
        let address = listener.local_addr()?;
        let url = url(address, self.token.as_deref());
        let (desk, shared) = self.ends(Some(address));
        let server = Server::start(listener, shared)?;
        Ok(Inspector::running(desk, Some((server, url))))
    }

    /// Returns an inspector without a server, and a router for a program that serves HTTP itself.
    ///
    /// The token is required, also for the page: open `…/?token=…`. `Host` can be any name, since the program may be
    /// behind a proxy; pages of other sites are rejected. The extensions of a request are dropped with its WebSocket, so
    /// the program can count connections by them. Nest the router by [`nest_service`](Router::nest_service).
    ///
    /// # Errors
    ///
    /// If there is no token, or if it is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use axum::Router;
    /// use ecs_inspector::Inspector;
    ///
    /// let (inspector, router) = Inspector::builder().token("a long secret").into_router().unwrap();
    /// let site: Router = Router::new().nest_service("/inspect", router);
    /// assert_eq!(inspector.url(), None); // it has that of the site
    /// ```
    pub fn into_router(self) -> io::Result<(Inspector, Router)> {
        if self.token.as_ref().is_none_or(String::is_empty) {
            return Err(invalid("the router of an inspector needs a token"));
        }
        let (desk, shared) = self.ends(None);
        Ok((Inspector::running(desk, None), router(shared)))
    }

    /// Creates the ends of the game and of the server.
    fn ends(self, address: Option<SocketAddr>) -> (Desk, Arc<ServerState>) {
        let guard = Guard {
            address,
            hosts: self.hosts,
            token: self.token,
        };
        let (to_game, from_server) = link();
        let manners = Manners {
            read_only: self.read_only,
            patience: self.patience,
        };
        let history = HistoryDesk::new(self.marks);
        let desk = Desk::new(self.title, self.read_only, from_server, history);
        (desk, ServerState::new(guard, manners, to_game))
    }

    /// Returns the addresses, if listening on them is allowed.
    fn checked(&self, address: impl ToSocketAddrs) -> io::Result<Vec<SocketAddr>> {
        let addresses: Vec<_> = address.to_socket_addrs()?.collect();
        if self.token.as_ref().is_some_and(String::is_empty) {
            return Err(invalid("the token of an inspector is empty"));
        }
        let is_open = addresses.iter().any(|address| !address.ip().is_loopback());
        match is_open && self.token.is_none() {
            true => Err(invalid(
                "an inspector that others can reach needs a token: `Inspector::builder().token(..)`, \
                 or listen to a loopback address, as 127.0.0.1:7777",
            )),
            false => Ok(addresses),
        }
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

fn url(address: SocketAddr, token: Option<&str>) -> String {
    let mut url = format!("http://{address}/");
    if let Some(token) = token {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("token", token)
            .finish();
        url.push('?');
        url.push_str(&query);
    }
    url
}

/// The name of the program.
fn program() -> String {
    let path = std::env::current_exe().ok();
    let name = path.as_ref().and_then(|path| path.file_stem());
    name.map_or_else(|| "ecs".into(), |name| name.to_string_lossy().into_owned())
}
