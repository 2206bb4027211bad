//! Options, and the limits of what clients may do.

use std::fmt;
use std::time::Duration;

/// How a [`Gateway`](crate::Gateway) serves clients.
///
/// # Examples
///
/// ```
/// use ecs_gateway::{Limits, Options};
///
/// let limits = Limits { connections: 500, ..Limits::default() };
/// let options = Options { limits, ..Options::new([7; 32]) };
/// assert_eq!(options.limits.rooms_per_user, 3);
/// ```
#[derive(Clone)]
pub struct Options {
    /// The secret of the deployment: that of the hosts. Tokens of clients are sealed with it.
    pub secret: [u8; 32],
    /// The pages that may connect, such as `https://example.com`, besides those that the gateway's own address serves. Programs
    /// that are not browsers send no origin and may connect.
    pub origins: Vec<String>,
    /// What a request for `/metrics` must have as `Authorization: Bearer …`; `None`: `/metrics` is not served.
    pub metrics_token: Option<String>,
    /// With the feature `inspector`, serves the page of [`ecs_inspector`] for each running room at `/inspect/ROOM/?token=…`,
    /// for requests with this token; `None`: it is not served. It shows all of the room, on a read-only copy that plays the
    /// log along in this process, for at most 8 rooms at once and until [`Limits::linger`] after the last client.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs_gateway::Options;
    /// let inspector_token = std::env::var("INSPECTOR_TOKEN").ok();
    /// let options = Options { inspector_token, ..Options::new([7; 32]) };
    /// ```
    #[cfg(feature = "inspector")]
    pub inspector_token: Option<String>,
    /// What clients may do.
    pub limits: Limits,
}

impl Options {
    /// Returns the defaults, with the secret of the deployment.
    #[must_use]
    pub fn new(secret: [u8; 32]) -> Self {
        Self {
            secret,
            origins: Vec::new(),
            metrics_token: None,
            #[cfg(feature = "inspector")]
            inspector_token: None,
            limits: Limits::default(),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Options {{ limits: {:?}, .. }}", self.limits) // the rest is secret
    }
}

/// What clients may do. What is beyond a limit is slowed down, rejected, or ends the connection.
///
/// # Examples
///
/// ```
/// let limits = ecs_gateway::Limits::default();
/// assert_eq!((limits.message_bytes, limits.deltas_in_flight), (4_096, 16));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Connections; 10,000. Others are closed at once.
    pub connections: usize,
    /// Connections from one address; 100. Others are closed at once. Behind a proxy all clients have its address, so
    /// raise it there and let the proxy limit them.
    pub connections_per_address: usize,
    /// The bytes of a message of a client; 4,096. A longer one ends the connection.
    pub message_bytes: usize,
    /// Messages per second, on average; 60. The gateway reads no faster, so a client that sends more is slowed down.
    pub messages_per_second: f64,
    /// Messages that may come at once; 120.
    pub message_burst: f64,
    /// Requests of the lobby per second, on average: lists, joins, new rooms; 2. Slowed down in the same way.
    pub requests_per_second: f64,
    /// Requests of the lobby that may come at once; 10.
    pub request_burst: f64,
    /// The time for the HTTP request and for the greeting, each; 5 s. Then the connection ends.
    pub greeting: Duration,
    /// How long a client may be silent; 30 s. It gets a ping after half of that.
    pub silence: Duration,
    /// How long a client may stay without being in a room; 300 s.
    pub lobby: Duration,
    /// How long a client that reads too slowly stays connected; 10 s. Meanwhile it gets no deltas, and then one with
    /// the latest values.
    pub patience: Duration,
    /// Deltas that a client has not acknowledged yet; 16. It must cover the round trip: 0.8 s at 20 ticks per second.
    pub deltas_in_flight: u64,
    /// Inputs without an outcome; 512, at most 1,024. One more ends the connection.
    pub open_inputs: usize,
    /// Rooms that a user may have open at the same time; 3.
    pub rooms_per_user: u32,
    /// Rooms of the deployment; 10,000. Beyond it users open none.
    pub rooms: usize,
    /// Rooms in a list, those with most players first; 100.
    pub rooms_listed: usize,
    /// Up to how many players a [quick match](crate::Hooks::quick) fills a room; 16.
    pub quick_players: u64,
    /// How old a list of rooms may be; 500 ms.
    pub list_age: Duration,
    /// How long a token is good, and the keys of players; 24 h. A connection that is half as old is
    /// ended, and the client connects again with its new token.
    pub token: Duration,
    /// How long a player stays in the room after its connection was lost; 10 s. Within that time nothing is lost.
    pub absence: Duration,
    /// How long a room is shown or inspected without clients; 5 s.
    pub linger: Duration,
    /// How long [`drain`](crate::Gateway::drain) waits for clients; 10 s.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 10_000,
            connections_per_address: 100,
            message_bytes: 4_096,
            messages_per_second: 60.0,
            message_burst: 120.0,
            requests_per_second: 2.0,
            request_burst: 10.0,
            greeting: Duration::from_secs(5),
            silence: Duration::from_secs(30),
            lobby: Duration::from_secs(300),
            patience: Duration::from_secs(10),
            deltas_in_flight: 16,
            open_inputs: 512,
            rooms_per_user: 3,
            rooms: 10_000,
            rooms_listed: 100,
            quick_players: 16,
            list_age: Duration::from_millis(500),
            token: Duration::from_secs(24 * 3_600),
            absence: Duration::from_secs(10),
            linger: Duration::from_secs(5),
            drain: Duration::from_secs(10),
        }
    }
}
