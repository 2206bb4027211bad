//! `wss`, through a proxy that speaks TLS.

use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ecs_gateway_client::{Client, Event, Options, Outcome, WebSocket};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::client::PATIENCE;
use crate::game::{Field, Input};
use crate::server::{Server, generous};

type Player = Client<Field, Input, WebSocket>;

/// Speaks TLS in front of a gateway. Returns the address, and the certificate.
async fn proxy(to: SocketAddr) -> (SocketAddr, String) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = made.signing_key.serialize_der().try_into().unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![made.cert.der().clone()], key);
    let acceptor = TlsAcceptor::from(Arc::new(config.unwrap()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut near) = acceptor.accept(near).await else {
                    return; // the certificate is not trusted
                };
                let mut far = TcpStream::connect(to).await.unwrap();
                let _ = copy_bidirectional(&mut near, &mut far).await;
            });
        }
    });
    (address, made.cert.pem())
}

#[test]
fn a_player_plays_over_tls_with_a_certificate_that_is_trusted() {
    let server = Server::start(generous());
    let (address, certificate) = server.runtime.block_on(proxy(server.address));
    let url = format!("wss://localhost:{}/ws", address.port());
    let mut distrusting = Player::new(Options::new(&*url));
    let began = Instant::now();
    let reason = loop {
        match distrusting.poll(began.elapsed()) {
            Some(Event::Closed { reason, .. }) => break reason,
            Some(other) => panic!("{other:?}"),
            None => std::thread::sleep(Duration::from_millis(1)),
        }
        assert!(began.elapsed() < PATIENCE);
    };
    assert!(reason.contains("certificate"), "{reason}");

    // Which certificates are trusted is decided by the environment.
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("localhost.pem");
    std::fs::write(&file, certificate).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--ignored", "--exact", "tls::plays"]);
    child.env("SSL_CERT_FILE", file).env("GATEWAY_URL", url);
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
    assert_eq!(server.metric("inputs_total"), 100);
}

#[test]
#[ignore = "another test starts it, with a certificate that it trusts"]
fn plays() {
    let url = std::env::var("GATEWAY_URL").expect("it is started by another test");
    let mut player = Player::new(Options::new(url));
    player.join("field", false);
    let (began, mut sent, mut played, mut shown) = (Instant::now(), 0, 0, 0);
    while (played, shown) != (100, 100) {
        match player.poll(began.elapsed()) {
            Some(Event::Outcome { outcome, .. }) => {
                assert!(matches!(outcome, Outcome::Played { .. }), "{outcome}");
                played += 1;
            }
            Some(Event::Delta { input, .. }) => shown = input,
            Some(Event::Closed { reason, .. }) => panic!("{reason}"),
            Some(_) => {}
            None => {
                if sent < 100 && player.play(&Input::Add(1)).is_some() {
                    sent += 1;
                }
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        assert!(began.elapsed() < PATIENCE, "{player:?}");
    }
}
