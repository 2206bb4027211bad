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
use tokio::sync::{mpsc, oneshot};

use crate::protocol::failure::{Code, Failure};
use crate::protocol::request::{Command, Query};

/// How many requests may wait for the game.
pub(crate) const MOST_WAITING: usize = 256;
/// How many messages may wait for a client to read them.
const MOST_UNREAD: usize = 256;
/// With how many of them it is sent no more of what comes again and again.
const BEHIND: usize = 8;

/// The JSON of an answer, or why there is none.
pub(crate) type Answer = Result<Box<RawValue>, Failure>;

/// A request on its way to the game.
pub(crate) struct Incoming {
    pub(crate) from: Asker,
    pub(crate) what: What,
}

/// What is asked.
pub(crate) enum What {
    /// Has just connected.
    Hello,
    Get(Query),
    Do(Command),
    Watch(Query),
    Unwatch,
}

/// Who asks.
pub(crate) enum Asker {
    /// A request of HTTP.
    Once(oneshot::Sender<Answer>),
    /// A client of the WebSocket, and the number that it has given the request.
    Socket(Arc<Client>, u64),
}

/// A client that is connected by a WebSocket, as the game sees it.
pub(crate) struct Client {
    messages: mpsc::Sender<String>,
}

impl Client {
    /// A client, and what is to be sent to it.
    pub(crate) fn new() -> (Arc<Self>, mpsc::Receiver<String>) {
        let (messages, unread) = mpsc::channel(MOST_UNREAD);
        (Arc::new(Self { messages }), unread)
    }

    /// Whether it has gone.
    pub(crate) fn has_gone(&self) -> bool {
        self.messages.is_closed()
    }

    /// Whether it reads so slowly that it should not be sent more of what comes again and again.
    pub(crate) fn is_behind(&self) -> bool {
        self.messages.max_capacity() - self.messages.capacity() >= BEHIND
    }

    /// Sends a message; returns false if there is no place for it.
    pub(crate) fn send(&self, message: String) -> bool {
        self.messages.try_send(message).is_ok()
    }
}

/// What both threads see.
#[derive(Default)]
pub(crate) struct Shared {
    /// How many clients are connected and requests under way: nothing is done while it is zero.
    viewers: AtomicUsize,
    /// The frames that the game has answered in.
    frames: AtomicU64,
}

impl Shared {
    /// Whether any client is connected or has sent a request.
    #[inline]
    pub(crate) fn is_attentive(&self) -> bool {
        self.viewers.load(Ordering::Relaxed) > 0
    }

    /// Notes that the game has answered.
    pub(crate) fn note_frame(&self, frame: u64) {
        self.frames.store(frame, Ordering::Relaxed);
    }

    /// The frame in which the game has answered last.
    pub(crate) fn frame(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }
}

/// Keeps the game attentive while it is there.
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

/// The end of the server.
#[derive(Clone)]
pub(crate) struct ToGame {
    pub(crate) shared: Arc<Shared>,
    queue: SyncSender<Incoming>,
}

/// The end of the game.
pub(crate) struct FromServer {
    pub(crate) shared: Arc<Shared>,
    pub(crate) queue: Receiver<Incoming>,
}

/// Both ends.
pub(crate) fn link() -> (ToGame, FromServer) {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    let shared = Arc::new(Shared::default());
    let to_game = ToGame {
        shared: shared.clone(),
        queue: sender,
    };
    let from_server = FromServer {
        shared,
        queue: receiver,
    };
    (to_game, from_server)
}

impl ToGame {
    /// Hands a request over, or says why not.
    pub(crate) fn send(&self, from: Asker, what: What) -> Result<(), Failure> {
        let sent = self.queue.try_send(Incoming { from, what });
        sent.map_err(|error| match error {
            TrySendError::Full(_) => Code::Busy.because("too many requests wait for the game"),
            TrySendError::Disconnected(_) => Code::Timeout.because("the game has ended"),
        })
    }
}
