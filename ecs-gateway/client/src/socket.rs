//! What a client needs of a WebSocket.

/// A WebSocket that never blocks. Dropping it closes it. A client that moves to another gateway has two at a time.
///
/// [`WebSocket`](crate::WebSocket) is one, for the platform that the program is compiled for; implement it for others,
/// or for tests.
pub trait Socket {
    /// Begins to connect to a URL. Failures are reported as [`Message::Closed`].
    fn open(url: &str) -> Self;
    /// Sends [text](Message::Text) or [bytes](Message::Binary), after [`Message::Opened`]. Others are ignored. Failures are
    /// reported as [`Message::Closed`].
    fn send(&mut self, message: Message);
    /// Returns the next message if there is one already.
    fn receive(&mut self) -> Option<Message>;
}

/// What goes over a [`Socket`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The connection is made. It is the first message that is received.
    Opened,
    /// A text message.
    Text(String),
    /// A binary message.
    Binary(Vec<u8>),
    /// The connection has ended, or could not be made. It is the last message that is received.
    Closed {
        /// The code of the close frame, 1006 if there was none.
        code: u16,
        /// The reason of the close frame, or the error.
        reason: String,
    },
}
