//! What a client costs: `cargo test --release --test gateway density -- --ignored --nocapture`.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use tungstenite::{Error, Message};

use crate::client::{Client, packet};
use crate::game::Input;
use crate::server::{Server, generous};

/// How many clients are in the room.
const CLIENTS: i32 = 200;

#[test]
#[ignore = "a measurement"]
fn two_hundred_clients_in_a_room() {
    let server = Server::start(generous());
    let mut clients = Vec::new();
    for place in 0..CLIENTS {
        let mut client = Client::join(server.address, "field");
        let (x, y) = (place % 20 * 35, place / 20 * 35); // each sees about 25
        client.play(&Input::Walk { x, y });
        client.socket.get_ref().set_nonblocking(true).unwrap();
        clients.push((client, x, y));
    }
    let names = [
        "deltas_total",
        "delta_microseconds_total",
        "bytes_sent_total",
        "deltas_held_total",
    ];
    let count = || names.map(|name| server.metric(name) as f64);
    let play = |clients: &mut Vec<(Client, i32, i32)>, time: Duration| {
        let (end, mut moved) = (Instant::now() + time, Instant::now());
        while Instant::now() < end {
            let moves = moved.elapsed() > Duration::from_millis(50);
            for (client, x, y) in &mut *clients {
                drain(client);
                if moves {
                    *x += if client.sent.is_multiple_of(2) { 1 } else { -1 };
                    client.play(&Input::Walk { x: *x, y: *y });
                }
            }
            if moves {
                moved = Instant::now();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    };
    play(&mut clients, Duration::from_secs(2));
    let before = count();
    play(&mut clients, Duration::from_secs(5));
    let [deltas, micros, bytes, held] = std::array::from_fn(|at| count()[at] - before[at]);
    let (each, of_each) = (micros / deltas, bytes / deltas);
    println!("{deltas} deltas: {each:.1} µs and {of_each:.0} bytes each, {held} held");
    assert!(deltas > 0.0);
}

/// Acknowledges what has come, without applying it.
fn drain(client: &mut Client) {
    loop {
        match client.socket.read() {
            Ok(Message::Binary(bytes)) => {
                let header = postcard::take_from_bytes::<(u8, u64, u64)>(&bytes);
                let ((_, _, number), _) = header.unwrap();
                client.send(packet(2, number, &[0]));
            }
            Ok(_) => {}
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => return,
            Err(error) => panic!("{error}"),
        }
    }
}
