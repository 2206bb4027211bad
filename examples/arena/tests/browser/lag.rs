//! A long way to the server: a proxy that passes everything on late.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// How late in each direction.
pub(crate) const LAG: Duration = Duration::from_millis(150);

static IS_HELD: AtomicBool = AtomicBool::new(false);

/// Passes on nothing for now, or again what has come meanwhile.
pub(crate) fn hold(is_held: bool) {
    IS_HELD.store(is_held, Ordering::Relaxed);
}

/// Listens until the process ends. Returns its port.
pub(crate) fn proxy(server: u16) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    spawn(move || {
        for near in listener.incoming().map_while(Result::ok) {
            let Ok(far) = TcpStream::connect(("127.0.0.1", server)) else {
                continue; // `near` is closed
            };
            let Ok((near_too, far_too)) =
                near.try_clone().and_then(|it| Ok((it, far.try_clone()?)))
            else {
                continue;
            };
            pass(near, far);
            pass(far_too, near_too);
        }
    });
    port
}

/// Passes on what comes, in order, each part when it is due.
fn pass(mut from: TcpStream, mut to: TcpStream) {
    let (queue, parts) = mpsc::channel::<(Instant, Vec<u8>)>();
    spawn(move || {
        let mut buffer = [0; 65_536];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            let part = (Instant::now() + LAG, buffer[..length].to_vec());
            if queue.send(part).is_err() {
                break; // the other end is closed
            }
        }
    });
    spawn(move || {
        let _ = to.set_nodelay(true);
        for (due, bytes) in parts {
            sleep(due.saturating_duration_since(Instant::now()));
            while IS_HELD.load(Ordering::Relaxed) {
                sleep(Duration::from_millis(5));
            }
            if to.write_all(&bytes).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Write);
    });
}
