//! A load balancer: players know its address alone, and it connects them to gateways that are healthy.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::spawn;
use std::time::Duration;

use crate::Failure;
use crate::programs::connect;

pub(crate) struct Balancer {
    pub(crate) port: u16,
    gateways: Arc<Mutex<Vec<u16>>>,
}

/// Whether a gateway accepts players.
pub(crate) fn is_healthy(port: u16) -> bool {
    let ask = || -> io::Result<bool> {
        let mut stream = connect(port)?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        stream.write_all(b"GET /health HTTP/1.1\r\nHost: balancer\r\nConnection: close\r\n\r\n")?;
        let mut answer = [0; 12];
        stream.read_exact(&mut answer)?;
        Ok(answer == *b"HTTP/1.1 200")
    };
    ask().unwrap_or(false)
}

impl Balancer {
    /// Listens until the process ends.
    pub(crate) fn start() -> Result<Self, Failure> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let gateways = Arc::new(Mutex::new(Vec::new()));
        let shared = gateways.clone();
        spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let gateways = shared.clone();
                spawn(move || _ = serve(stream, &gateways));
            }
        });
        Ok(Self { port, gateways })
    }

    pub(crate) fn add(&self, gateway: u16) {
        self.gateways.lock().unwrap().push(gateway);
    }
}

/// The next gateway, by turns.
fn choose(gateways: &Mutex<Vec<u16>>) -> Option<u16> {
    let mut all = gateways.lock().unwrap();
    if !all.is_empty() {
        all.rotate_left(1);
    }
    let all = all.clone(); // not locked while they are asked
    all.into_iter().find(|port| is_healthy(*port))
}

fn serve(near: TcpStream, gateways: &Mutex<Vec<u16>>) -> io::Result<()> {
    near.set_nodelay(true)?;
    let Some(port) = choose(gateways) else {
        return Ok(()); // closed
    };
    let far = connect(port)?;
    let (near_too, far_too) = (near.try_clone()?, far.try_clone()?);
    let back = spawn(move || pass(far_too, near_too));
    pass(near, far);
    let _ = back.join();
    Ok(())
}

fn pass(mut from: TcpStream, mut to: TcpStream) {
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
