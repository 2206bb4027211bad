//! WebTransport for programs that do not run in a browser.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use serde::Deserialize;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout};
use wtransport::endpoint::endpoint_side;
use wtransport::tls::{Sha256Digest, Sha256DigestFmt};
use wtransport::{ClientConfig, Connection, Endpoint, RecvStream, SendStream};

use crate::socket::{Message, Socket};

/// A connection over QUIC, to the address of a gateway's `serve_web_transport` such as `https://localhost:8080/wt`. Deltas that
/// may be skipped are datagrams, so one that is lost delays nothing.
///
/// Certificates are those that the system trusts, or the one that is named in the URL by its digest, for development:
/// `https://localhost:8080/wt#sha256=e3:4e:…`. It runs on a thread of its own.
#[derive(Debug)]
pub struct WebTransport {
    messages: Receiver<Message>,
    out: UnboundedSender<Vec<u8>>,
    is_over: bool,
}

/// How long it may take to connect, and to close.
const PATIENCE: Duration = Duration::from_secs(15);
/// A message is not longer, in bytes.
const MOST: usize = 64 << 20;

/// The last text on a stream.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Last {
    Closed { code: u16, reason: String },
}

impl Socket for WebTransport {
    fn open(url: &str) -> Self {
        let (sender, messages) = channel();
        let (out, queue) = unbounded_channel();
        let url = url.to_owned();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let closed = match runtime {
                Ok(runtime) => runtime.block_on(run(&url, &sender, queue)),
                Err(error) => lost(&error),
            };
            let _ = sender.send(closed); // an error if it was dropped
        });
        let is_over = false;
        Self {
            messages,
            out,
            is_over,
        }
    }

    fn send(&mut self, message: Message) {
        let bytes = match message {
            Message::Text(text) => text.into_bytes(),
            Message::Binary(bytes) => bytes,
            _ => return,
        };
        let _ = self.out.send(bytes); // else it is closed, which is received
    }

    fn receive(&mut self) -> Option<Message> {
        match self.messages.try_recv() {
            Ok(message) => {
                self.is_over = matches!(message, Message::Closed { .. });
                Some(message)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) if self.is_over => None,
            Err(TryRecvError::Disconnected) => {
                self.is_over = true; // after a panic of the thread, too, it is closed once
                Some(lost(&"the connection has ended"))
            }
        }
    }
}

fn lost(error: &impl ToString) -> Message {
    Message::Closed {
        code: 1006,
        reason: error.to_string(),
    }
}

/// Connects, and passes messages on until the end, which it returns.
async fn run(
    url: &str,
    sender: &Sender<Message>,
    mut queue: UnboundedReceiver<Vec<u8>>,
) -> Message {
    let connected = tokio::select! {
        connected = connect(url) => connected,
        _ = queue.recv() => return lost(&"it was dropped"), // nothing is sent before it is open
        () = sleep(PATIENCE) => return lost(&"nothing was heard"),
    };
    let (endpoint, connection, streams) = match connected {
        Ok(connected) => connected,
        Err(closed) => return closed,
    };
    let _ = sender.send(Message::Opened);
    let Err(closed) = pass(&connection, streams, sender, queue).await;
    connection.close(wtransport::VarInt::from_u32(0), b"");
    let _ = timeout(PATIENCE, endpoint.wait_idle()).await; // until that is sent
    closed
}

type Connected = (
    Endpoint<endpoint_side::Client>,
    Connection,
    (SendStream, RecvStream),
);

async fn connect(url: &str) -> Result<Connected, Message> {
    let (url, config) = configure(url)?;
    let endpoint = Endpoint::client(config).map_err(|error| lost(&error))?;
    let connection = endpoint.connect(url).await.map_err(|error| lost(&error))?;
    let stream = connection.open_bi().await.map_err(|error| lost(&error))?;
    let streams = stream.await.map_err(|error| lost(&error))?;
    Ok((endpoint, connection, streams))
}

/// The address without what is said of the certificate, and how to connect.
fn configure(url: &str) -> Result<(&str, ClientConfig), Message> {
    let builder = ClientConfig::builder().with_bind_default();
    let Some((address, digest)) = url.split_once("#sha256=") else {
        return Ok((url, builder.with_native_certs().build()));
    };
    let digest = Sha256Digest::from_str_fmt(digest, Sha256DigestFmt::DottedHex);
    let digest = digest.map_err(|_| lost(&format!("{url} has no digest such as e3:4e:…")))?;
    Ok((
        address,
        builder.with_server_certificate_hashes([digest]).build(),
    ))
}

async fn pass(
    connection: &Connection,
    (mut out, stream): (SendStream, RecvStream),
    sender: &Sender<Message>,
    mut queue: UnboundedReceiver<Vec<u8>>,
) -> Result<std::convert::Infallible, Message> {
    let frames = stream::unfold(stream, |mut stream| async move {
        let frame = read(&mut stream).await;
        Some((frame, stream))
    });
    let mut frames = std::pin::pin!(frames);
    let mut can_write = true;
    loop {
        let message = tokio::select! {
            Some(frame) = frames.next() => {
                let frame = frame?;
                match frame.first() {
                    None => {
                        can_write &= write(&mut out, &[]).await; // it asks whether this end is there
                        continue;
                    }
                    Some(b'{') => text(frame)?,
                    Some(_) => Message::Binary(frame),
                }
            }
            datagram = connection.receive_datagram() => {
                let datagram = datagram.map_err(|error| lost(&error))?;
                Message::Binary(datagram.payload().into())
            }
            bytes = queue.recv() => {
                let bytes = bytes.ok_or_else(|| lost(&"it was dropped"))?;
                can_write = can_write && write(&mut out, &bytes).await; // what is read says why not
                continue;
            }
        };
        sender.send(message).map_err(|_| lost(&"it was dropped"))?;
    }
}

/// Returns whether that was possible.
async fn write(out: &mut SendStream, bytes: &[u8]) -> bool {
    let length = (bytes.len() as u32).to_le_bytes();
    let written = out.write_all(&[&length, bytes].concat()).await;
    written.is_ok()
}

async fn read(stream: &mut RecvStream) -> Result<Vec<u8>, Message> {
    let mut length = [0; 4];
    let read = stream.read_exact(&mut length).await;
    read.map_err(|error| lost(&error))?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST {
        return Err(lost(&format!("a message of {length} bytes")));
    }
    let mut bytes = vec![0; length];
    let read = stream.read_exact(&mut bytes).await;
    read.map_err(|error| lost(&error))?;
    Ok(bytes)
}

/// A text; an error if it is the last one.
fn text(bytes: Vec<u8>) -> Result<Message, Message> {
    let text = String::from_utf8(bytes).map_err(|error| lost(&error))?;
    match serde_json::from_str(&text) {
        Ok(Last::Closed { code, reason }) => Err(Message::Closed { code, reason }),
        Err(_) => Ok(Message::Text(text)),
    }
}
