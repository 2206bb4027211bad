//! What a connection needs of what carries its messages.

use std::pin::Pin;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, Stream, StreamExt as _};

use crate::end::End;

/// A message of a client.
#[derive(Debug)]
pub(crate) enum Incoming {
    Text(Utf8Bytes),
    Binary(Bytes),
    /// The client is there.
    Pong,
}

/// A message to a client.
#[derive(Debug)]
pub(crate) enum Outgoing {
    Text(String),
    Binary(Bytes),
    /// A binary message that may be lost, or come late.
    Datagram(Bytes),
    Ping,
    /// The last one.
    Close(u16, String),
}

impl Outgoing {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Binary(bytes) | Self::Datagram(bytes) => bytes.len(),
            Self::Ping | Self::Close(..) => 0,
        }
    }
}

/// The messages of a client. Polled until it is one, or the end: an unfinished message is not lost.
pub(crate) type Messages = Pin<Box<dyn Stream<Item = Result<Incoming, End>> + Send + Sync>>;

/// Sends messages to a client.
pub(crate) trait Sender: Send + 'static {
    /// Returns whether it was sent.
    fn send(&mut self, message: Outgoing) -> impl Future<Output = bool> + Send;
}

/// A WebSocket in both directions.
pub(crate) fn split(socket: WebSocket) -> (SplitSink<WebSocket, Message>, Messages) {
    let (sink, stream) = socket.split();
    let messages = stream.map(|message| match message {
        Ok(Message::Text(text)) => Ok(Incoming::Text(text)),
        Ok(Message::Binary(bytes)) => Ok(Incoming::Binary(bytes)),
        Ok(Message::Close(_)) => Err(End::Gone),
        Ok(Message::Ping(_) | Message::Pong(_)) => Ok(Incoming::Pong),
        Err(error) => {
            let is_gone = |text: &str| {
                text.contains("without closing handshake") || text.contains("os error")
            };
            match error.to_string() {
                text if is_gone(&text) => Err(End::Gone),
                text => Err(End::Malformed(text)),
            }
        }
    });
    (sink, Box::pin(messages))
}

impl Sender for SplitSink<WebSocket, Message> {
    async fn send(&mut self, message: Outgoing) -> bool {
        let message = match message {
            Outgoing::Text(text) => Message::Text(text.into()),
            Outgoing::Binary(bytes) | Outgoing::Datagram(bytes) => Message::Binary(bytes),
            Outgoing::Ping => Message::Ping(Bytes::new()),
            Outgoing::Close(code, reason) => {
                let reason = reason.into();
                Message::Close(Some(CloseFrame { code, reason }))
            }
        };
        SinkExt::send(self, message).await.is_ok()
    }
}
