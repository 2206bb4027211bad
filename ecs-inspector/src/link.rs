//! The link between the thread of the server and that of the game: requests in a bounded queue, and
//! answers back to the client that asked.
//!
//! ```text
//! server ──── Incoming ────► game        at most `MOST_WAITING` at once, else the client gets an error
//!        ◄── Answer ────────             by a one-shot channel (HTTP), or by the client's own
//!                                        bounded queue (WebSocket)
//! ```
//!
//! The game never waits: an answer that does not fit into a client's queue is dropped, or the client is
//! disconnected.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot, watch};

use crate::protocol::failure::{Code, Failure};
use crate::protocol::request::{Command, Query};

/// The maximum number of requests that wait for the game.
pub(crate) const MOST_WAITING: usize = 256;
/// The maximum number of messages that a client has not read.
const MOST_UNREAD: usize = 256;
/// With this many unread messages, a client gets no further answers of watches.
const BEHIND: usize = 8;

/// The JSON of an answer, or an error.
pub(crate) type Answer = Result<Box<RawValue>, Failure>;

/// A request on its way to the game.
pub(crate) struct Incoming {
    pub(crate) from: Asker,
    pub(crate) what: What,
}

/// The content of a request.
pub(crate) enum What {
    /// A client has just connected.
    Hello,
    Get(Query),
    Do(Command),
    Watch(Query),
    Unwatch,
}

/// The sender of a request.
pub(crate) enum Asker {
    /// An HTTP request.
    Once(oneshot::Sender<Answer>),
    /// A WebSocket client, and its number for the request.
    Socket(Arc<Client>, u64),
}

/// The game's side of a WebSocket client.
pub(crate) struct Client {
    messages: mpsc::Sender<String>,
}

impl Client {
    /// Returns a client, and the queue of messages to send to it.
    pub(crate) fn new() -> (Arc<Self>, mpsc::Receiver<String>) {
        let (messages, unread) = mpsc::channel(MOST_UNREAD);
        (Arc::new(Self { messages }), unread)
    }

    /// Whether it is disconnected.
    pub(crate) fn has_gone(&self) -> bool {
        self.messages.is_closed()
    }

    /// Whether it reads so slowly that it should get no further answers of watches.
    pub(crate) fn is_behind(&self) -> bool {
        self.messages.max_capacity() - self.messages.capacity() >= BEHIND
    }

    /// Sends a message; returns `false` if the queue is full.
    pub(crate) fn send(&self, message: String) -> bool {
        self.messages.try_send(message).is_ok()
    }
}

/// The state shared by both threads.
#[derive(Default)]
pub(crate) struct Shared {
    /// The number of connected clients and pending requests. While it is zero, the game does nothing.
    viewers: AtomicUsize,
    /// The last frame in which the game answered.
    frames: AtomicU64,
}

impl Shared {
    /// Whether any client is connected or has sent a request.
    #[inline]
    pub(crate) fn is_attentive(&self) -> bool {
        self.viewers.load(Ordering::Relaxed) > 0
    }

    /// Records the frame in which the game has answered.
    pub(crate) fn note_frame(&self, frame: u64) {
        self.frames.store(frame, Ordering::Relaxed);
    }

    /// Returns the last frame in which the game answered.
    pub(crate) fn frame(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }
}

/// Keeps the game attentive until it is dropped.
pub(crate) struct Attention(Arc<Shared>);

impl Attention {
    pub(crate) fn new(shared: &Arc<Shared>) -> Self {
        shared.viewers.fetch_add(1, Ordering::Relaxed);
        Self(shared.clone())
    }
}

impl Drop for Attention {
    fn drop(&mut self) {
        self.0.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The server's end of the link.
#[derive(Clone)]
pub(crate) struct ToGame {
    pub(crate) shared: Arc<Shared>,
    queue: SyncSender<Incoming>,
    end: watch::Receiver<()>,
}

/// The game's end of the link.
pub(crate) struct FromServer {
    pub(crate) shared: Arc<Shared>,
    pub(crate) queue: Receiver<Incoming>,
    /// Dropped with the inspector, which the server notices.
    _end: watch::Sender<()>,
}

/// Creates both ends.
pub(crate) fn link() -> (ToGame, FromServer) {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    let shared = Arc::new(Shared::default());
    let (ending, end) = watch::channel(());
    let to_game = ToGame {
        shared: shared.clone(),
        queue: sender,
        end,
    };
    let from_server = FromServer {
        shared,
        queue: receiver,
        _end: ending,
    };
    (to_game, from_server)
}

impl ToGame {
    /// Sends a request to the game.
    pub(crate) fn send(&self, from: Asker, what: What) -> Result<(), Failure> {
        let sent = self.queue.try_send(Incoming { from, what });
        sent.map_err(|error| match error {
            TrySendError::Full(_) => Code::Busy.because("too many requests wait for the game"),
            TrySendError::Disconnected(_) => Code::Timeout.because("the game has ended"),
        })
    }

    /// Waits until the inspector is dropped.
    pub(crate) async fn ended(&self) {
        let mut end = self.end.clone();
        while end.changed().await.is_ok() {}
    }
}
