//! Clients: HTTP over a plain TCP connection, so that anything can be sent, and a WebSocket.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Sends bytes on a new connection; returns everything received until the server closes it.
pub(crate) fn raw(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    _ = stream.read_to_end(&mut answer); // the connection may be reset at the end
    String::from_utf8(answer).unwrap()
}

/// Sends a request with these headers; returns the status and the body.
pub(crate) fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, String) {
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "Host") {
        text.push_str(&format!("Host: {address}\r\n"));
    }
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    let answer = raw(address, &text);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    (status.unwrap_or(0), body.to_owned())
}

/// Sends a query that must succeed; returns the answer.
pub(crate) fn get(address: SocketAddr, query: &str) -> Value {
    let (status, body) = request(address, "GET", &format!("/api/{query}"), &[], "");
    assert_eq!(status, 200, "{query}: {body}");
    serde_json::from_str(&body).unwrap()
}

/// Sends a query that must fail; returns the status and the code of the error.
pub(crate) fn get_error(address: SocketAddr, query: &str) -> (u16, String) {
    error(request(address, "GET", &format!("/api/{query}"), &[], ""))
}

/// The status and the code of an error.
pub(crate) fn error((status, body): (u16, String)) -> (u16, String) {
    let body: Value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{status} {body}"));
    (
        status,
        body["error"]["code"].as_str().unwrap_or("none").to_owned(),
    )
}

/// Sends a command.
pub(crate) fn post(address: SocketAddr, command: &str, params: &Value) -> (u16, Value) {
    let headers = [("Content-Type", "application/json")];
    let path = format!("/api/{command}");
    let (status, body) = request(address, "POST", &path, &headers, &params.to_string());
    (status, serde_json::from_str(&body).unwrap())
}

/// Sends a command that must succeed.
pub(crate) fn run(address: SocketAddr, command: &str, params: Value) -> Value {
    let (status, body) = post(address, command, &params);
    assert_eq!(status, 200, "{command}: {body}");
    body
}

/// The value of a component of an entity.
pub(crate) fn value(address: SocketAddr, entity: &str, component: &str) -> Value {
    let entity = get(address, &format!("entity?entity={entity}"));
    let components = entity["components"].as_array().unwrap();
    let held = components.iter().find(|held| held["name"] == component);
    held.map_or(Value::Null, |held| held["json"].clone())
}

/// Waits until a condition is true.
pub(crate) fn eventually(mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < end, "it does not come");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A WebSocket client.
pub(crate) struct Socket(pub(crate) WebSocket<TcpStream>);

impl Socket {
    /// Connects, and reads the first message of the server.
    pub(crate) fn connect(address: SocketAddr) -> (Self, Value) {
        let mut socket = Self::open(address, &format!("ws://{address}/ws")).unwrap();
        let hello = socket.read();
        (socket, hello["hello"].clone())
    }

    /// Connects; `None` if the server rejects.
    pub(crate) fn open(address: SocketAddr, url: &str) -> Option<Self> {
        let stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let (socket, _) = tungstenite::client(url, stream).ok()?;
        Some(Self(socket))
    }

    pub(crate) fn send(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    /// The next message.
    pub(crate) fn read(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// The next message with this id.
    pub(crate) fn read_of(&mut self, id: u64) -> Value {
        loop {
            let message = self.read();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Sends a request, and returns the answer.
    pub(crate) fn ask(&mut self, kind: &str, name: &str, params: Value) -> Value {
        self.send(json!({ "id": 999, kind: name, "params": params }));
        self.read_of(999)
    }
}
