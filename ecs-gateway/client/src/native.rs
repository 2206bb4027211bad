//! A WebSocket for programs that do not run in a browser.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use tungstenite::client::connect_with_config;
use tungstenite::error::UrlError;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Error, Message as Frame};

use crate::socket::{Message, Socket};

type Stream = tungstenite::WebSocket<MaybeTlsStream<TcpStream>>;

/// The WebSocket of this platform: [`tungstenite`]'s. Names are resolved, and connections made, on a thread that ends then.
/// With the feature `tls`, URLs can begin with `wss`.
#[derive(Debug)]
pub struct WebSocket(State);

#[derive(Debug)]
enum State {
    Opening(Receiver<Result<Stream, String>>),
    Open(Box<Stream>),
    Closed,
}

/// What is read at once, in bytes. By default it is 128 KiB, which are filled with zeros for each message.
const READ_BUFFER: usize = 4_096;
/// That of [`tungstenite::connect`].
const REDIRECTS: u8 = 3;

fn connect(url: &str) -> Result<Stream, String> {
    let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER);
    let connected = connect_with_config(url, Some(config), REDIRECTS);
    let (stream, _) = connected.map_err(|error| match error {
        Error::Url(UrlError::TlsFeatureNotEnabled) => {
            format!("{url} needs TLS: compile `ecs-gateway-client` with the feature `tls`")
        }
        error => error.to_string(),
    })?;
    let tcp = match stream.get_ref() {
        MaybeTlsStream::Plain(tcp) => tcp,
        #[cfg(feature = "tls")]
        MaybeTlsStream::Rustls(tls) => tls.get_ref(),
        _ => return Err("a connection of this kind cannot be polled".to_owned()),
    };
    tcp.set_nonblocking(true)
        .map_err(|error| error.to_string())?;
    Ok(stream)
}

fn closed(reason: String) -> Message {
    Message::Closed { code: 1006, reason }
}

/// The message of a frame that is one.
fn message(frame: Frame) -> Option<Message> {
    Some(match frame {
        Frame::Text(text) => Message::Text(text.to_string()),
        Frame::Binary(bytes) => Message::Binary(bytes.into()),
        Frame::Close(frame) => {
            let frame = frame.map(|it| (it.code.into(), it.reason.to_string()));
            let (code, reason) = frame.unwrap_or((1005, String::new()));
            Message::Closed { code, reason }
        }
        _ => return None, // pings have their answers
    })
}

impl WebSocket {
    fn opened(&mut self, result: Result<Stream, String>) -> Message {
        match result {
            Ok(stream) => {
                self.0 = State::Open(Box::new(stream));
                Message::Opened
            }
            Err(reason) => {
                self.0 = State::Closed;
                closed(reason)
            }
        }
    }
}

impl Socket for WebSocket {
    fn open(url: &str) -> Self {
        let (sender, receiver) = channel();
        let url = url.to_owned();
        std::thread::spawn(move || {
            let _ = sender.send(connect(&url)); // nothing if it was dropped meanwhile
        });
        Self(State::Opening(receiver))
    }

    fn send(&mut self, message: Message) {
        let frame = match message {
            Message::Text(text) => Frame::text(text),
            Message::Binary(bytes) => Frame::binary(bytes),
            _ => return,
        };
        if let State::Open(stream) = &mut self.0 {
            let _ = stream.send(frame); // it buffers what does not fit; reading shows other errors
        }
    }

    fn receive(&mut self) -> Option<Message> {
        let message = loop {
            let stream = match &mut self.0 {
                State::Opening(receiver) => {
                    let result = match receiver.try_recv() {
                        Ok(result) => result,
                        Err(TryRecvError::Empty) => return None,
                        Err(TryRecvError::Disconnected) => Err("connecting panicked".to_owned()),
                    };
                    return Some(self.opened(result));
                }
                State::Open(stream) => stream,
                State::Closed => return None,
            };
            match stream.read() {
                Ok(frame) => match message(frame) {
                    Some(message) => break message,
                    None => continue,
                },
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    let _ = stream.flush();
                    return None;
                }
                Err(error) => break closed(error.to_string()),
            }
        };
        if let (State::Open(stream), Message::Closed { .. }) = (&mut self.0, &message) {
            let _ = stream.flush();
            self.0 = State::Closed;
        }
        Some(message)
    }
}

impl Drop for WebSocket {
    fn drop(&mut self) {
        if let State::Open(stream) = &mut self.0 {
            let _ = stream.close(None);
            let _ = stream.flush();
        }
    }
}
