//! WebTransport: a stream for what must arrive in order, and datagrams for deltas.
//!
//! The client opens the stream. Each message on it has its length before it, in four bytes, the lowest first. One that
//! begins with `{` is a text; an empty one asks whether the other end is there, which answers with an empty one.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use futures_util::stream;
use serde::Serialize;
use tokio::time::timeout;
use wtransport::endpoint::{IncomingSession, endpoint_side};
use wtransport::error::SendDatagramError;
use wtransport::{Connection, Endpoint, RecvStream, SendStream, VarInt};

use crate::connection;
use crate::end::End;
use crate::gateway::{Phase, Shared};
use crate::hooks::Hooks;
use crate::server::{Place, is_allowed};
use crate::transport::{Incoming, Messages, Outgoing, Sender};

/// The last message of a connection: QUIC's own reason does not reach a page.
#[derive(Serialize)]
#[serde(tag = "type", rename = "closed")]
struct Closed<'a> {
    code: u16,
    reason: &'a str,
}

/// How long a client may take to read why its connection ends, before that ends.
const FAREWELL: Duration = Duration::from_secs(1);

pub(crate) type Server = Endpoint<endpoint_side::Server>;

/// Accepts connections until the gateway has stopped.
pub(crate) async fn serve<H: Hooks>(shared: Arc<Shared<H>>, endpoint: Server) {
    let mut phase = shared.phase.subscribe();
    loop {
        let incoming = tokio::select! {
            incoming = endpoint.accept() => incoming,
            _ = phase.wait_for(|phase| matches!(phase, Phase::Stopped)) => return,
        };
        match Place::take(&shared, incoming.remote_address().ip()) {
            Some(place) => {
                let shared = shared.clone();
                tokio::spawn(async move {
                    answer(shared, incoming).await;
                    drop(place);
                });
            }
            None => incoming.refuse(),
        }
    }
}

async fn answer<H: Hooks>(shared: Arc<Shared<H>>, incoming: IncomingSession) {
    let patience = shared.options.limits.greeting;
    let Ok(Some((connection, sender, receiver))) =
        timeout(patience, begin(&shared, incoming)).await
    else {
        return;
    };
    let sender = Stream {
        connection: connection.clone(),
        stream: sender,
    };
    let messages = messages(receiver, shared.options.limits.message_bytes);
    connection::run(shared, sender, messages).await;
    connection.close(VarInt::from_u32(0), b"");
}

/// Accepts a session and its stream.
async fn begin<H: Hooks>(
    shared: &Shared<H>,
    incoming: IncomingSession,
) -> Option<(Connection, SendStream, RecvStream)> {
    let request = incoming.await.ok()?;
    let host = Some(request.authority());
    if request.path() != "/wt" {
        request.not_found().await;
    } else if shared.phase.borrow().is_draining() {
        request.too_many_requests().await;
    } else if !request
        .origin()
        .is_none_or(|it| is_allowed(&shared.options.origins, it, host))
    {
        shared.metrics.connections_rejected_total.add(1);
        request.forbidden().await;
    } else {
        let connection = request.accept().await.ok()?;
        let (sender, receiver) = connection.accept_bi().await.ok()?;
        return Some((connection, sender, receiver));
    }
    None
}

/// The messages on a stream. A longer one than `most` bytes is malformed.
fn messages(stream: RecvStream, most: usize) -> Messages {
    let next = move |stream: Option<RecvStream>| async move {
        let mut stream = stream?;
        let message = read(&mut stream, most).await;
        let goes_on = message.is_ok();
        Some((message, goes_on.then_some(stream)))
    };
    Box::pin(stream::unfold(Some(stream), next))
}

async fn read(stream: &mut RecvStream, most: usize) -> Result<Incoming, End> {
    let mut length = [0; 4];
    stream
        .read_exact(&mut length)
        .await
        .map_err(|_| End::Gone)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > most {
        return Err(End::malformed(format!(
            "a message of {length} bytes; {most} are possible"
        )));
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await.map_err(|_| End::Gone)?;
    match bytes.first() {
        None => Ok(Incoming::Pong),
        Some(b'{') => {
            let text = Utf8Bytes::try_from(Bytes::from(bytes));
            text.map(Incoming::Text)
                .map_err(|_| End::malformed("a text is not in UTF-8"))
        }
        Some(_) => Ok(Incoming::Binary(bytes.into())),
    }
}

/// Sends on a stream, or as datagrams.
struct Stream {
    connection: Connection,
    stream: SendStream,
}

impl Stream {
    async fn write(&mut self, bytes: &[u8]) -> bool {
        let length = (bytes.len() as u32).to_le_bytes();
        let written = self.stream.write_all(&[&length, bytes].concat()).await;
        written.is_ok()
    }
}

impl Sender for Stream {
    async fn send(&mut self, message: Outgoing) -> bool {
        match message {
            Outgoing::Text(text) => self.write(text.as_bytes()).await,
            Outgoing::Binary(bytes) => self.write(&bytes).await,
            Outgoing::Datagram(bytes) => match self.connection.send_datagram(&bytes) {
                Err(SendDatagramError::NotConnected) => false,
                Err(_) => self.write(&bytes).await, // too large for one
                Ok(()) => true,
            },
            Outgoing::Ping => self.write(&[]).await,
            Outgoing::Close(code, reason) => {
                let closed = Closed {
                    code,
                    reason: &reason,
                };
                let text = serde_json::to_string(&closed).expect("a text can be written");
                self.write(text.as_bytes()).await
                    && self.stream.finish().await.is_ok()
                    && timeout(FAREWELL, self.connection.closed()).await.is_ok()
            }
        }
    }
}
