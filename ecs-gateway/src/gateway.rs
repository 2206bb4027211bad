//! The gateway: what its connections share, and its methods.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use ecs_rooms::{Rooms, Store};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::end::End;
use crate::hooks::Hooks;
use crate::lobby::Lobby;
use crate::metrics::Metrics;
use crate::options::Options;
use crate::server::{self, Addresses};
use crate::users::Users;
use crate::view::Views;

/// How often it is looked whether clients are gone.
const AGAIN: Duration = Duration::from_millis(20);

/// Locks a mutex. No code of users runs while one is locked, so a poisoned one is intact.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a gateway does at present.
#[derive(Clone, Debug)]
pub(crate) enum Phase {
    Serving,
    Draining { url: Option<String>, until: Instant },
    Stopped,
}

impl Phase {
    pub(crate) fn is_draining(&self) -> bool {
        !matches!(self, Self::Serving)
    }
}

/// What the connections of a gateway share.
pub(crate) struct Shared<H: Hooks> {
    pub(crate) hooks: H,
    pub(crate) options: Options,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) lobby: Lobby,
    pub(crate) users: Users<H::Game>,
    pub(crate) views: Views<H::Game>,
    pub(crate) addresses: Addresses,
    pub(crate) phase: watch::Sender<Phase>,
    pub(crate) metrics: Metrics,
}

impl<H: Hooks> Shared<H> {
    /// Counts why a connection has ended.
    pub(crate) fn count(&self, end: &End) {
        let metrics = &self.metrics;
        let counter = match end {
            End::Gone | End::Moves | End::Forgotten => return,
            End::Malformed(_) => &metrics.ended_malformed_total,
            End::Rejected(_) => &metrics.ended_rejected_total,
            End::Silent => &metrics.ended_silent_total,
            End::TooSlow => &metrics.ended_slow_total,
            End::TooManyInputs => &metrics.ended_limit_total,
            End::TakenOver => &metrics.ended_taken_over_total,
            End::Kicked(_) => &metrics.ended_kicked_total,
        };
        counter.add(1);
    }
}

/// Serves the rooms of a deployment to clients over WebSockets. Clones are the same gateway.
///
/// It has no state that matters: if its process dies, clients connect to another one with their tokens.
///
/// # Examples
///
/// See the [crate].
pub struct Gateway<H: Hooks> {
    shared: Arc<Shared<H>>,
}

impl<H: Hooks> Clone for Gateway<H> {
    fn clone(&self) -> Self {
        let shared = self.shared.clone();
        Self { shared }
    }
}

impl<H: Hooks> Gateway<H> {
    /// Returns a gateway to the rooms of a store, which hosts play in this process or in others.
    #[must_use]
    pub fn new(store: impl Store, hooks: H, options: Options) -> Self {
        let store: Arc<dyn Store> = Arc::new(store);
        let shared = Shared {
            hooks,
            lobby: Lobby::new(Rooms::new(store.clone(), options.secret)),
            users: Users::default(),
            views: Views::default(),
            addresses: Addresses::default(),
            phase: watch::Sender::new(Phase::Serving),
            metrics: Metrics::default(),
            options,
            store,
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Accepts connections until the gateway is [drained](Self::drain). Clients connect to `/ws`; `/health` answers 200, or
    /// 503 while it is drained; `/metrics` is there if [`metrics_token`](Options::metrics_token) is set, and `/inspect/ROOM/` if
    /// `inspector_token` is. `pages` has all other paths, such as the page of the game.
    ///
    /// # Errors
    ///
    /// Returns an error if the address of the listener is not known, or if the token of the inspector is empty.
    pub async fn serve(&self, listener: TcpListener, pages: Router) -> io::Result<()> {
        server::serve(self.shared.clone(), listener, pages).await
    }

    /// Accepts clients over WebTransport, too, until the gateway is [drained](Self::drain), at `/wt`: see
    /// [the protocol](crate::protocol). Deltas of clients that skip lost ones are datagrams then. The address can be that of
    /// [`serve`](Self::serve), whose port is one of TCP; this one is of UDP. `identity` is the certificate and its key.
    ///
    /// QUIC keeps 16 kB of a stream and 64 kB of a client that sends more than is read, and 256 kB for a client that
    /// reads slowly. The other limits are those of [`Limits`](crate::Limits).
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not free.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn serve<H: ecs_gateway::Hooks>(gateway: ecs_gateway::Gateway<H>) -> Result<(), Box<dyn std::error::Error>> {
    /// use ecs_gateway::wtransport::Identity;
    ///
    /// let identity = Identity::load_pemfiles("certificate.pem", "key.pem").await?;
    /// gateway.serve_web_transport("0.0.0.0:8080".parse()?, identity).await?;
    /// # Ok(()) }
    /// ```
    #[cfg(feature = "webtransport")]
    pub async fn serve_web_transport(
        &self,
        address: std::net::SocketAddr,
        identity: wtransport::Identity,
    ) -> io::Result<()> {
        let endpoint = crate::web_transport::listen(address, identity)?;
        crate::web_transport::serve(self.shared.clone(), endpoint).await;
        Ok(())
    }

    /// Ends the gateway without losing an input: it accepts no more clients, tells those that are there to connect
    /// to `elsewhere`, or by the same address again if that is `None`, and serves them until they are gone, for
    /// [`Limits::drain`](crate::Limits::drain) at most.
    pub async fn drain(&self, elsewhere: Option<String>) {
        let until = Instant::now() + self.shared.options.limits.drain;
        self.shared.phase.send_replace(Phase::Draining {
            url: elsewhere,
            until,
        });
        let goes_on =
            || self.shared.metrics.connections.get() > 0 || self.shared.users.have_open_inputs();
        while goes_on() && Instant::now() < until + AGAIN * 5 {
            tokio::time::sleep(AGAIN).await;
        }
        self.shared.phase.send_replace(Phase::Stopped);
    }

    /// Ends the connection of a user to this gateway, and revokes the keys of the player in its room, so that inputs are
    /// rejected whichever gateway they come from. The user can connect again, unless
    /// [`Hooks::log_in`](crate::Hooks::log_in) rejects it. Returns whether the user was there.
    ///
    /// # Errors
    ///
    /// As [`Rooms::revoke`].
    pub async fn kick(&self, user: u64, reason: &str) -> Result<bool, ecs_rooms::Error> {
        let Some((epoch, room)) = self.shared.users.kick(user, reason) else {
            return Ok(false);
        };
        if let Some(room) = room {
            let rooms = self.shared.lobby.rooms.clone();
            let revoke = move || rooms.revoke(&room, user, epoch); // waits for the store
            let revoked = tokio::task::spawn_blocking(revoke).await;
            revoked.map_err(|error| ecs_rooms::Error::Unknown(error.to_string()))??;
        }
        Ok(true)
    }

    /// Returns what `/metrics` serves: counters as the text that Prometheus reads, each with a line of help.
    #[must_use]
    pub fn metrics(&self) -> String {
        self.shared.metrics.to_prometheus()
    }
}

impl<H: Hooks> fmt::Debug for Gateway<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let connections = self.shared.metrics.connections.get();
        write!(f, "Gateway {{ connections: {connections}, .. }}")
    }
}
