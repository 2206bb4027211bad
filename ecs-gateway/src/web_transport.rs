//! WebTransport: a stream for what must arrive in order, and datagrams for deltas.
//!
//! The client opens the stream. Each message on it has its length before it, in four bytes, the lowest first. One that
//! begins with `{` is a text; an empty one asks whether the other end is there, which answers with an empty one.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use futures_util::stream;
use serde::Serialize;
use tokio::time::timeout;
use wtransport::config::QuicTransportConfig;
use wtransport::endpoint::{IncomingSession, endpoint_side};
use wtransport::error::SendDatagramError;
use wtransport::{Connection, Endpoint, Identity, RecvStream, SendStream, ServerConfig, VarInt};

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

/// What QUIC keeps of a client that sends more than is read, in bytes: of a stream, and of all.
const RECEIVED: [u32; 2] = [16 << 10, 64 << 10];
/// What it keeps for a client that reads slowly; the rest waits in the queue of the connection.
const SENT: u64 = 256 << 10;

/// Connections of clients with a certificate of the server.
pub(crate) fn listen(address: SocketAddr, identity: Identity) -> io::Result<Server> {
    let mut transport = QuicTransportConfig::default();
    transport.max_concurrent_bidi_streams(2_u8.into());
    transport.max_concurrent_uni_streams(8_u8.into());
    transport.stream_receive_window(RECEIVED[0].into());
    transport.receive_window(RECEIVED[1].into());
    transport.send_window(SENT);
    transport.datagram_receive_buffer_size(Some(4_096)); // none is read
    transport.datagram_send_buffer_size(64 << 10);
    let config = ServerConfig::builder().with_bind_address(address);
    Endpoint::server(config.with_custom_transport(identity, transport).build())
}

pub(crate) type Server = Endpoint<endpoint_side::Server>;

/// Accepts connections until the gateway has stopped.
pub(crate) async fn serve<H: Hooks>(shared: Arc<Shared<H>>, endpoint: Server) {
    let mut phase = shared.phase.subscribe();
    loop {
        let incoming = tokio::select! {
            incoming = endpoint.accept() => incoming,
            _ = phase.wait_for(|phase| matches!(phase, Phase::Stopped)) => return,
        };
        if !incoming.remote_address_validated() {
            incoming.retry(); // it may be forged
            continue;
        }
        // Some may be there still that have lost their places.
        let is_full = endpoint.open_connections() >= shared.options.limits.connections;
        match Place::take(&shared, incoming.remote_address().ip()).filter(|_| !is_full) {
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
        connection: connection.0.clone(),
        stream: sender,
    };
    let messages = messages(receiver, shared.options.limits.message_bytes);
    connection::run(shared, sender, messages).await;
    drop(connection);
}

/// A connection that is closed in the end, also if a hook panics or a client takes too long.
struct CloseOnDrop(Connection);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close(VarInt::from_u32(0), b"");
    }
}

/// Accepts a session and its stream.
async fn begin<H: Hooks>(
    shared: &Shared<H>,
    incoming: IncomingSession,
) -> Option<(CloseOnDrop, SendStream, RecvStream)> {
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
        let connection = CloseOnDrop(request.accept().await.ok()?);
        let (sender, receiver) = connection.0.accept_bi().await.ok()?;
        return Some((connection, sender, receiver));
    }
    None
}

/// The messages on a stream, to be polled until the first error. A longer one than `most` bytes is malformed.
fn messages(stream: RecvStream, most: usize) -> Messages {
    let next = move |mut stream: RecvStream| async move {
        let message = read(&mut stream, most).await;
        Some((message, stream)) // if it was dropped, the client could not write, and might not read why
    };
    Box::pin(stream::unfold(stream, next))
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
