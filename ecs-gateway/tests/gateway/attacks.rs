//! Clients that break the rules. Each attack has an outcome, and another player of the room does not notice it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use ecs_gateway::Limits;
use serde_json::json;
use tungstenite::Message;

use crate::client::{Client, packet};
use crate::game::Input;
use crate::server::{Server, generous};

/// A player who plays on during an attack.
struct Bystander {
    thread: JoinHandle<(Client, u64)>,
    is_over: Arc<AtomicBool>,
}

impl Bystander {
    fn start(server: &Server) -> Self {
        let mut client = Client::join(server.address, "field");
        client.until("a delta", |client| client.deltas > 0);
        let is_over = Arc::new(AtomicBool::new(false));
        let over = is_over.clone();
        let thread = std::thread::spawn(move || {
            let (mut longest, first) = (0, client.tick);
            while !over.load(Ordering::Relaxed) || client.tick < first + 20 {
                let tick = client.tick;
                assert!(client.take(), "{:?}", client.closed);
                longest = longest.max(client.tick - tick);
                if client.tick > tick && client.tick.is_multiple_of(5) {
                    client.play(&Input::Add(1));
                }
            }
            (client, longest)
        });
        Self { thread, is_over }
    }

    /// All inputs were played, and no two seconds of the room were missed.
    fn check(self) {
        self.is_over.store(true, Ordering::Relaxed);
        let (mut client, longest) = self.thread.join().unwrap();
        let sent = client.sent;
        client.until("outcomes", |client| client.played.len() as u64 == sent);
        assert!(sent > 0 && longest < 100, "{longest} ticks at once");
    }
}

/// A sequence of bytes that differ in each call.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 31)
    }

    fn bytes(&mut self) -> Vec<u8> {
        let len = self.next() % 40;
        (0..len).map(|_| self.next() as u8).collect()
    }
}

/// Bytes of resident memory of this process.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse::<u64>()
        .unwrap()
        * 1_024
}

/// Calls a closure in a process in which no other test runs, whose memory would count.
fn alone(test: &str, call: impl FnOnce()) {
    const ALONE: &str = "ECS_GATEWAY_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return call();
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    let name = format!("attacks::{test}");
    command
        .args(["--exact", &name, "--nocapture"])
        .env(ALONE, "");
    assert!(command.status().unwrap().success());
}

/// A connection without a client in this process, which would need memory.
fn open(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!(
        "GET /ws HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        answer.extend(byte);
    }
    stream
}

/// A masked frame of a few bytes.
fn frame(head: u8, bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![head, 0x80 | bytes.len() as u8, 0, 0, 0, 0];
    frame.extend(bytes);
    frame
}

/// The code of the close frame that ends what a stream has to read; 0 if it ends without one.
fn code(stream: &mut TcpStream) -> u16 {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let at = bytes.iter().position(|byte| *byte == 0x88);
    at.map_or(0, |at| u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]))
}

#[test]
fn malformed_messages_end_the_connection() {
    let server = Server::start(generous());
    let bystander = Bystander::start(&server);
    let messages = [
        Message::text("hello"),
        Message::text("{}"),
        Message::text(r#"{"type": "list""#),
        Message::text(r#"{"type": "attack"}"#),
        Message::text(r#"{"type": "join"}"#),
        Message::text(r#"{"type": "join", "room": 7}"#),
        Message::text("[".repeat(4_000)),
        Message::binary(vec![]),
        Message::binary(vec![9, 1]),
        Message::binary(vec![1]),
        Message::binary(packet(1, 1, &[])),
        Message::binary(packet(1, 1, &[200, 1])),
        Message::binary(packet(1, 1, &[2, 5, 5])), // a byte too many
        Message::binary(packet(1, 2, &[2, 5])),    // the number after the next one
        Message::binary(packet(1, u64::MAX, &[2, 5])),
        Message::binary(packet(2, u64::MAX, &[0])),
        Message::binary(packet(2, 1_000_000, &[0])), // acknowledges the future
        Message::text("x".repeat(5_000)),
        Message::binary(vec![1; 5_000]),
    ];
    let count = messages.len() as u64;
    for message in messages {
        let mut client = Client::join(server.address, "field");
        let shown = format!("{message:.60}");
        client.socket.send(message).unwrap();
        assert_eq!(client.end(), 4001, "{shown}");
    }
    assert_eq!(server.metric("ended_malformed_total"), count);
    bystander.check();
}

#[test]
fn random_messages_harm_no_one() {
    let server = Server::start(generous());
    let bystander = Bystander::start(&server);
    let mut random = Random(7);
    for round in 0..200 {
        let mut client = Client::join(server.address, "field");
        for _ in 0..5 {
            let mut bytes = random.bytes();
            match random.next() % 3 {
                0 => bytes.insert(0, 1),
                1 => bytes.insert(0, 2),
                _ => {}
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let message = match round % 4 {
                0 => Message::text(text),
                _ => Message::binary(bytes),
            };
            let _ = client.socket.send(message);
        }
        // Some may be inputs or acknowledgements by chance.
        client.say(&json!({"type": "the end"}));
        assert_eq!(client.end(), 4001);
    }
    // Without a handshake, and within frames.
    for _ in 0..200 {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let _ = stream.write_all(&random.bytes());
        let mut stream = open(server.address);
        let _ = stream.write_all(&[random.bytes(), random.bytes()].concat());
    }
    server.wait_for("connections", 1);
    bystander.check();
}

#[test]
fn frames_that_lie_about_their_length_or_are_compressed_end_the_connection() {
    let server = Server::start(generous());
    let bystander = Bystander::start(&server);
    let huge = [&[0x82, 0xff][..], &(1_u64 << 62).to_be_bytes(), &[0; 4]].concat();
    let long = [&[0x82, 0xfe][..], &5_000_u16.to_be_bytes(), &[0; 4]].concat();
    let fragments: Vec<u8> = (0..100)
        .flat_map(|nth| frame(if nth == 0 { 2 } else { 0 }, &[1; 100]))
        .collect();
    let compressed = frame(0xc1, &[0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]);
    let unmasked = vec![0x82, 1, 7];
    for bytes in [huge, long, fragments, compressed, unmasked] {
        let mut stream = open(server.address);
        stream.write_all(&bytes).unwrap();
        assert_eq!(code(&mut stream), 4001);
    }
    bystander.check();
}

#[test]
fn slow_clients_are_thrown_out() {
    let greeting = Duration::from_millis(500);
    let (silence, lobby) = (greeting, Duration::from_millis(1_500));
    let limits = Limits {
        greeting,
        silence,
        lobby,
        ..generous()
    };
    let server = Server::start(limits);
    // A request that never ends, a greeting that never comes, and half of one.
    let mut request = TcpStream::connect(server.address).unwrap();
    request.write_all(b"GET /ws HTTP/1.1\r\nHost:").unwrap();
    let mut mute = open(server.address);
    let mut half = open(server.address);
    let hello = frame(0x81, br#"{"type": "hello", "version": 3}"#);
    half.write_all(&hello[..20]).unwrap();
    let mut silent = open(server.address); // does not answer pings
    silent.write_all(&hello).unwrap();
    assert_eq!(
        [code(&mut mute), code(&mut half), code(&mut silent)],
        [4002; 3]
    );
    let _ = request.read_to_end(&mut Vec::new());
    // A client that answers pings, but joins no room.
    let mut idle = Client::greet(server.address, None);
    assert_eq!(idle.end(), 4002);
    server.wait_for("connections", 0);
    assert_eq!(server.metric("ended_silent_total"), 4);
}

#[test]
fn a_flood_is_slowed_down() {
    let limits = Limits {
        messages_per_second: 50.0,
        message_burst: 50.0,
        ..generous()
    };
    let server = Server::start(limits);
    let bystander = Bystander::start(&server);
    let mut client = Client::join(server.address, "field");
    let mut floods = Vec::new();
    for _ in 0..3 {
        floods.push(Client::join(server.address, "field"));
    }
    client.until("ticks", |client| client.tick > 10);
    let (before, start) = (
        server.metric("messages_received_total"),
        std::time::Instant::now(),
    );
    let wait = Some(Duration::from_millis(1));
    for flood in &mut floods {
        flood.socket.get_ref().set_write_timeout(wait).unwrap();
        let numbers = 1..2_000;
        numbers.for_each(|_| _ = flood.play(&Input::Add(1)));
    }
    std::thread::sleep(Duration::from_secs(1));
    let received = server.metric("messages_received_total") - before;
    let allowed = 5.0 * (51.0 + 50.0 * start.elapsed().as_secs_f64()); // of five clients
    assert!(
        (received as f64) < allowed,
        "{received} messages, {allowed} are allowed"
    );
    assert!(server.metric("slowed_total") > 0);
    bystander.check();
}

#[test]
fn too_many_inputs_without_an_outcome_end_the_connection() {
    let open_inputs = 20;
    let mut server = Server::start(Limits {
        open_inputs,
        ..generous()
    });
    let mut client = Client::join(server.address, "field");
    client.until("ticks", |client| client.deltas > 3);
    server.host = None; // nothing is played any more
    for _ in 0..25 {
        client.play(&Input::Add(1));
    }
    assert_eq!(client.end(), 4004);
    assert_eq!(server.metric("ended_limit_total"), 1);
}

#[test]
fn requests_are_limited() {
    let limits = Limits {
        requests_per_second: 5.0,
        request_burst: 5.0,
        ..generous()
    };
    let server = Server::start(limits);
    let bystander = Bystander::start(&server);
    let mut client = Client::greet(server.address, None);
    let start = std::time::Instant::now();
    client.acknowledges = false; // which could be of the join before
    for _ in 0..12 {
        client.say(&json!({"type": "join", "room": "field"}));
    }
    let all = |client: &Client| {
        client
            .texts
            .iter()
            .filter(|it| it["type"] == "joined")
            .count()
            == 12
    };
    client.until("joins", all);
    assert!(start.elapsed() > Duration::from_millis(1_300)); // 7 wait for 0.2 s each
    assert!(server.metric("slowed_total") > 0);
    bystander.check();
}

#[test]
fn a_client_that_does_not_read_gets_no_more_and_is_thrown_out() {
    let patience = Duration::from_secs(1);
    let server = Server::start(Limits {
        patience,
        ..generous()
    });
    let bystander = Bystander::start(&server);
    let mut deaf = Client::join(server.address, "field");
    deaf.acknowledges = false;
    server.wait_for("ended_slow_total", 1);
    // What was on its way is all that there is.
    assert_eq!(deaf.end(), 4003);
    assert_eq!(deaf.deltas, 16);
    bystander.check();
}

#[test]
fn a_client_that_pauses_gets_the_latest_values() {
    let server = Server::start(generous());
    let mut client = Client::join(server.address, "field");
    client.acknowledges = false;
    client.until("as many as are in flight", |client| client.deltas == 16);
    let tick = client.tick;
    let mut other = Client::join(server.address, "field");
    other.until("ticks", |other| other.tick > tick + 50);
    assert_eq!(client.deltas, 16);
    client.acknowledges = true;
    client.send(packet(2, 16, &[0]));
    client.until("the next", |client| client.deltas == 17);
    assert!(client.tick >= tick + 50, "{} after {tick}", client.tick);
}

#[test]
fn a_thousand_idle_connections_need_little_memory() {
    alone(
        "a_thousand_idle_connections_need_little_memory",
        connect_thousands,
    );
}

fn connect_thousands() {
    let greeting = Duration::from_secs(60); // a slow machine opens them one after the other
    let server = Server::start(Limits {
        greeting,
        ..generous()
    });
    let bystander = Bystander::start(&server);
    let mut rounds = Vec::new();
    for _ in 0..3 {
        let before = memory();
        let mut streams: Vec<_> = (0..1_000).map(|_| open(server.address)).collect();
        let hello = frame(0x81, br#"{"type": "hello", "version": 3}"#);
        for stream in &mut streams {
            stream.write_all(&hello).unwrap();
        }
        server.wait_for("users", 1_001);
        rounds.push((before, memory()));
        drop(streams);
        server.wait_for("users", 1);
        server.wait_for("connections", 1);
    }
    let each = rounds[0].1.saturating_sub(rounds[0].0) / 1_000;
    println!("{each} bytes per idle connection");
    assert!(each < 40_000, "{each} bytes each");
    let grown = rounds[2].1.saturating_sub(rounds[1].1);
    assert!(grown < 4_000_000, "{grown} bytes more: {rounds:?}");
    bystander.check();
}

#[test]
fn connecting_and_leaving_in_a_loop_leaves_nothing() {
    alone(
        "connecting_and_leaving_in_a_loop_leaves_nothing",
        connect_and_leave,
    );
}

fn connect_and_leave() {
    let linger = Duration::from_millis(100);
    let absence = linger;
    let server = Server::start(Limits {
        linger,
        absence,
        ..generous()
    });
    let bystander = Bystander::start(&server);
    let mut before = 0;
    for round in 0..300 {
        if round == 100 {
            before = memory();
        }
        let mut client = Client::join(server.address, "field");
        match round % 3 {
            0 => _ = client.play(&Input::Add(1)),
            1 => client.say(&json!({"type": "leave"})),
            _ => {}
        }
        drop(client);
    }
    server.wait_for("users", 1);
    let grown = memory().saturating_sub(before);
    assert!(grown < 8_000_000, "{grown} bytes"); // the room remembers its players
    bystander.check();
    server.wait_for("rooms", 0);
}

#[test]
fn connections_beyond_the_limit_are_closed() {
    let connections_per_address = 3;
    let server = Server::start(Limits {
        connections_per_address,
        ..generous()
    });
    let streams: Vec<_> = (0..3).map(|_| open(server.address)).collect();
    let mut stream = TcpStream::connect(server.address).unwrap();
    let _ = stream.write_all(b"GET /health HTTP/1.1\r\n\r\n");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.is_empty());
    drop(streams);
    server.wait_for("connections", 0);
    Client::join(server.address, "field").until("ticks", |client| client.deltas > 0);
}
