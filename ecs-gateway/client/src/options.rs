//! How a client connects.

use std::fmt;

use serde_json::Value;

/// How a [`Client`](crate::Client) connects.
///
/// # Examples
///
/// ```
/// use ecs_gateway_client::Options;
///
/// let stored = Some("the token of the last run".to_owned());
/// let options = Options { token: stored, ..Options::new("ws://localhost:8080/ws") };
/// assert!(!options.baselines);
/// ```
#[derive(Clone)]
pub struct Options {
    /// The address of a gateway, such as `ws://localhost:8080/ws`; `wss://…` in browsers, and elsewhere with
    /// the feature `tls`.
    pub url: String,
    /// The [token](crate::Client::token) of an earlier run, to be the same user.
    pub token: Option<String>,
    /// What the game's hook reads when a new user logs in.
    pub login: Value,
    /// The version of the game that this program knows, if the gateway shall check it.
    pub game: Option<u32>,
    /// Whether deltas have the changes since the last one that was [acknowledged](crate::Client::acknowledge), so that
    /// any of them can be skipped. Without it they are acknowledged when they are polled.
    pub baselines: bool,
}

impl Options {
    /// Returns the defaults: a new user, without a login.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            token: None,
            login: Value::Null,
            game: None,
            baselines: false,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Options {{ url: {:?}, .. }}", self.url) // the token and the login are secret
    }
}
