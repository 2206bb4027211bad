//! A client that plays by the protocol, or against it.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use ecs::{Delta, Mirror};
use serde_json::{Value, json};
use tungstenite::{Error, Message, WebSocket};

use crate::game::{Body, Field, Input};

/// How long a test waits for what must happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Client {
    pub(crate) socket: WebSocket<TcpStream>,
    pub(crate) field: Field,
    pub(crate) mirror: Mirror<Field>,
    pub(crate) user: u64,
    pub(crate) token: String,
    /// The last tick that was shown, and the last input that was in it.
    pub(crate) tick: u64,
    pub(crate) input: u64,
    pub(crate) deltas: u64,
    /// The number of the last input that was sent.
    pub(crate) sent: u64,
    /// The connection of its player.
    pub(crate) connection: u64,
    pub(crate) played: BTreeMap<u64, u64>,
    pub(crate) rejected: BTreeMap<u64, String>,
    /// Text messages, oldest first.
    pub(crate) texts: Vec<Value>,
    /// The code and the reason of a close frame; 0 if there was none.
    pub(crate) closed: Option<(u16, String)>,
    pub(crate) acknowledges: bool,
    /// How many messages with outcomes have come since it has joined.
    pub(crate) heard: u8,
    /// Whether deltas may still be of another room.
    pub(crate) is_joining: bool,
    /// What was received of deltas.
    pub(crate) bytes: usize,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        let url = format!("ws://{address}/ws");
        let (socket, _) = tungstenite::client(url, stream).unwrap();
        let wait = Some(Duration::from_millis(10));
        socket.get_ref().set_read_timeout(wait).unwrap();
        Self {
            socket,
            field: Field::new(),
            mirror: Mirror::new(),
            user: 0,
            token: String::new(),
            tick: 0,
            input: 0,
            deltas: 0,
            sent: 0,
            connection: 0,
            played: BTreeMap::new(),
            rejected: BTreeMap::new(),
            texts: Vec::new(),
            closed: None,
            acknowledges: true,
            heard: 0,
            is_joining: false,
            bytes: 0,
        }
    }

    /// Connects and greets, as a new user or one with a token.
    pub(crate) fn greet(address: SocketAddr, token: Option<&str>) -> Self {
        let mut client = Self::connect(address);
        client.say(&json!({"type": "hello", "version": 3, "token": token}));
        let welcome = client.expect("welcome");
        client.user = welcome["user"].as_u64().unwrap();
        client.token = welcome["token"].as_str().unwrap().to_owned();
        client
    }

    /// Connects and joins a room.
    pub(crate) fn join(address: SocketAddr, room: &str) -> Self {
        let mut client = Self::greet(address, None);
        client.enter(room);
        client
    }

    pub(crate) fn enter(&mut self, room: &str) {
        self.go_on(room, 0, 0, 0);
    }

    /// Joins a room, and goes on with a connection.
    pub(crate) fn go_on(&mut self, room: &str, connection: u64, known: u64, sent: u64) {
        self.say(&json!({"type": "join", "room": room, "connection": connection, "known": known, "sent": sent}));
        self.is_joining = true;
        let joined = self.expect("joined");
        self.sent = joined["inputs"].as_u64().unwrap();
        self.connection = joined["connection"].as_u64().unwrap();
    }

    pub(crate) fn say(&mut self, message: &Value) {
        let _ = self.socket.send(Message::text(message.to_string()));
    }

    pub(crate) fn send(&mut self, bytes: Vec<u8>) {
        let _ = self.socket.send(Message::binary(bytes));
    }

    /// Sends an input. Returns its number.
    pub(crate) fn play(&mut self, input: &Input) -> u64 {
        self.sent += 1;
        self.send(packet(1, self.sent, &postcard::to_stdvec(input).unwrap()));
        self.sent
    }

    /// Takes what comes within 10 ms. Returns `false` once the connection has ended.
    pub(crate) fn take(&mut self) -> bool {
        match self.socket.read() {
            Ok(Message::Text(text)) => {
                let text: Value = serde_json::from_str(&text).unwrap();
                if text["type"] == "joined" {
                    (self.field, self.mirror) = (Field::new(), Mirror::new());
                    (self.is_joining, self.tick, self.deltas) = (false, 0, 0);
                    self.heard = 0;
                }
                if text["type"] == "outcomes" {
                    self.hear(&text);
                }
                self.texts.push(text);
            }
            Ok(Message::Binary(bytes)) => self.apply(&bytes),
            Ok(Message::Close(frame)) => {
                let frame = frame.map(|it| (it.code.into(), it.reason.to_string()));
                self.closed = Some(frame.unwrap_or_default());
                let _ = self.socket.flush();
            }
            Ok(_) => {}
            Err(Error::Io(error)) if is_timeout(&error) => {}
            Err(_) => {
                self.closed.get_or_insert_default();
                return false;
            }
        }
        true
    }

    fn hear(&mut self, text: &Value) {
        self.heard = (self.heard + 1).min(127); // one byte
        for played in text["played"].as_array().unwrap() {
            let [number, tick] = [0, 1].map(|at| played[at].as_u64().unwrap());
            let before = self.played.insert(number, tick);
            assert!(before.is_none(), "input {number} is played twice");
        }
        for rejected in text["rejected"].as_array().unwrap() {
            let reason = rejected[1].as_str().unwrap().to_owned();
            self.rejected.insert(rejected[0].as_u64().unwrap(), reason);
        }
    }

    fn apply(&mut self, bytes: &[u8]) {
        if self.is_joining {
            return;
        }
        let rest = match bytes[0] {
            3 => postcard::take_from_bytes::<(u8, u64)>(bytes).unwrap().1,
            kind => {
                assert_eq!(kind, 1);
                &bytes[1..]
            }
        };
        let delta = postcard::from_bytes::<(u64, u64, u64, Delta<Field>)>(rest).unwrap();
        let (tick, number, input, delta) = delta;
        assert!(
            tick > self.tick || delta.is_everything(),
            "{tick}, {}",
            self.tick
        );
        self.mirror.apply(&mut self.field, &delta).unwrap();
        (self.tick, self.input) = (tick, input);
        self.bytes += bytes.len();
        self.deltas += 1;
        if self.acknowledges {
            self.send(packet(2, number, &[self.heard]));
        }
    }

    /// Takes what comes until something is the case.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_so(self) {
            let goes_on = self.take() && Instant::now() < end;
            assert!(
                goes_on || is_so(self),
                "{what}: {:?}, {:?}",
                self.closed,
                self.texts
            );
        }
    }

    /// Waits for a text message of a kind, and removes it.
    #[track_caller]
    pub(crate) fn expect(&mut self, kind: &str) -> Value {
        let is_it = |text: &Value| text["type"] == kind;
        self.until(kind, |client| client.texts.iter().any(is_it));
        let at = self.texts.iter().position(is_it).unwrap();
        self.texts.remove(at)
    }

    /// Waits until the gateway has ended the connection. Returns the code.
    #[track_caller]
    pub(crate) fn end(&mut self) -> u16 {
        self.until("an end", |client| client.closed.is_some());
        self.closed.clone().unwrap().0
    }

    pub(crate) fn body(&self, player: u64) -> Option<Body> {
        let body = self.field.entity_with_body(&player)?;
        Some(body.body().clone())
    }
}

pub(crate) fn packet(kind: u8, number: u64, rest: &[u8]) -> Vec<u8> {
    let mut bytes = postcard::to_stdvec(&(kind, number)).unwrap();
    bytes.extend(rest);
    bytes
}

pub(crate) fn is_timeout(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    matches!(error.kind(), TimedOut | WouldBlock)
}
