//! Playing over WebTransport.

use std::net::SocketAddr;
use std::sync::mpsc::channel;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use axum::Router;
use ecs::Mirror;
use ecs_gateway::Limits;
use ecs_gateway::wtransport::tls::{Sha256Digest, Sha256DigestFmt};
use ecs_gateway::wtransport::{ClientConfig, Endpoint, Identity};
use ecs_gateway_client::{Client, Event, Options, Outcome, WebTransport};
use ecs_rooms::MemoryStore;
use serde_json::{Value, json};
use tokio::net::UdpSocket;

use crate::chromium::{Browser, until as until_report};
use crate::client::PATIENCE;
use crate::game::{Field, Input};
use crate::pages::pages;
use crate::server::{Server, generous, run_host};

/// The time that clients see begins here.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

type Player = Client<Field, Input, WebTransport>;

/// Serves WebTransport on the port of UDP, too. Returns the URL, with the digest of the certificate.
fn serve(server: &Server) -> String {
    let identity = Identity::self_signed(["localhost"]).unwrap();
    let digest = identity.certificate_chain().as_slice()[0].hash();
    let (gateway, address) = (server.gateway.clone(), server.address);
    let serving = async move { gateway.serve_web_transport(address, identity).await };
    server.runtime.spawn(serving);
    let digest = digest.fmt(Sha256DigestFmt::DottedHex);
    format!("https://{}/wt#sha256={digest}", server.address)
}

/// Polls until a client says what is waited for.
#[track_caller]
fn until<T>(client: &mut Player, mut is_it: impl FnMut(Event<Field>) -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        match client.poll(BEGAN.elapsed()) {
            Some(event) => {
                if let Some(found) = is_it(event) {
                    return found;
                }
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
        assert!(began.elapsed() < PATIENCE, "{client:?}");
    }
}

/// Each input is played, and the state of the room is seen, with deltas as datagrams or in order.
#[test]
fn a_player_plays_over_web_transport() {
    let server = Server::start(generous());
    let url = serve(&server);
    for baselines in [true, false] {
        let mut player = Player::new(Options {
            baselines,
            ..Options::new(&*url)
        });
        player.join("field", false);
        let (mut field, mut mirror) = (Field::new(), Mirror::new());
        let (began, mut sent, mut played, mut shown) = (Instant::now(), 0, 0, 0);
        while (played, shown) != (100, 100) {
            match player.poll(began.elapsed()) {
                Some(Event::Outcome { outcome, .. }) => {
                    assert!(matches!(outcome, Outcome::Played { .. }), "{outcome}");
                    played += 1;
                }
                Some(Event::Delta {
                    input,
                    number,
                    delta,
                    ..
                }) => {
                    mirror.apply(&mut field, &delta).unwrap();
                    shown = input;
                    if baselines {
                        player.acknowledge(number);
                    }
                }
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
    assert_eq!(server.metric("inputs_total"), 200);
}

/// Plain JavaScript in Chromium plays, moves to another gateway, and learns why it is closed.
#[test]
fn a_page_plays_over_web_transport() {
    let (sender, reports) = channel();
    let store = MemoryStore::new();
    let host = run_host(&store);
    host.open("field", 1).unwrap();
    let server = Server::with(store.clone(), generous(), pages(sender));
    let origin = format!("http://{}", server.address);
    let next = Server::of(store, generous(), Router::new(), vec![origin.clone()]);
    let (url, elsewhere) = (serve(&server), serve(&next));
    let encode = |url: &str| url.replace('#', "%23").replace(':', "%3A");
    let browser = Browser::open(&format!("{origin}/?url={}", encode(&url)));
    let report = until_report(&reports, |it| it["own"]["Body"]["sum"].as_u64() > Some(20));
    let user = report["own"]["Body"]["player"].as_u64().unwrap();
    let drain = server.gateway.drain(Some(elsewhere));
    server.runtime.block_on(drain);
    let all = |it: &Value| {
        it["own"]["Body"]["sum"].as_u64() == it["own"]["Body"]["inputs"].as_u64().map(|it| it - 2)
    };
    until_report(&reports, |it| {
        it["moved"] == true && it["own"]["Body"]["sum"].as_u64() > Some(60) && all(it)
    });
    let kicked = next
        .runtime
        .block_on(next.gateway.kick(user, "no cheating"));
    assert!(kicked.unwrap());
    let report = until_report(&reports, |it| it["closed"] != Value::Null);
    assert_eq!(
        report["closed"],
        json!({"code": 4006, "reason": "no cheating"})
    );
    drop(browser);
}

/// Passes packets on in both directions, but not each fifth one, and at times none for a second. Returns its address.
async fn lossy(to: SocketAddr) -> String {
    let near = Arc::new(UdpSocket::bind("127.0.0.1:0").await.unwrap());
    let address = near.local_addr().unwrap();
    tokio::spawn(async move {
        let far = Arc::new(UdpSocket::bind("127.0.0.1:0").await.unwrap());
        far.connect(to).await.unwrap();
        let (mut there, mut back) = (vec![0; 2_000], vec![0; 2_000]);
        let (mut client, began) = (None, Instant::now());
        for packet in 0_u64.. {
            let is_silent = began.elapsed().as_millis() % 3_000 > 2_000;
            let is_lost = packet > 20 && (packet % 5 == 0 || is_silent);
            tokio::select! {
                Ok((length, from)) = near.recv_from(&mut there) => {
                    client = Some(from);
                    if !is_lost {
                        let _ = far.send(&there[..length]).await;
                    }
                }
                Ok(length) = far.recv(&mut back) => {
                    if let Some(client) = client.filter(|_| !is_lost) {
                        let _ = near.send_to(&back[..length], client).await;
                    }
                }
            }
        }
    });
    address.to_string()
}

/// A fifth of all packets is lost: deltas are skipped, and no input is.
#[test]
fn lost_packets_lose_no_input() {
    let server = Server::start(generous());
    let url = serve(&server);
    let proxy = server.runtime.block_on(lossy(server.address));
    let mut player = Player::new(Options {
        baselines: true,
        ..Options::new(url.replacen(&server.address.to_string(), &proxy, 1))
    });
    let user = until(&mut player, |event| match event {
        Event::Welcome { user, .. } => Some(user),
        _ => None,
    });
    player.join("field", false);
    let (mut field, mut mirror) = (Field::new(), Mirror::new());
    let (began, mut outcomes, mut skipped, mut last) = (Instant::now(), Vec::new(), 0, 0);
    let is_shown = |field: &Field| {
        field
            .entity_with_body(&user)
            .is_some_and(|it| it.body().sum == 300)
    };
    while outcomes.len() < 300 || !is_shown(&field) {
        match player.poll(began.elapsed()) {
            Some(Event::Outcome { input, outcome }) => {
                assert!(matches!(outcome, Outcome::Played { .. }), "{outcome}");
                outcomes.push(input);
            }
            Some(Event::Delta { number, delta, .. }) => {
                mirror.rebase(&mut field, &delta).unwrap();
                player.acknowledge(number);
                skipped += number - last - 1;
                last = number;
            }
            Some(Event::Closed { reason, .. }) => panic!("{reason}"),
            Some(_) => {}
            None => {
                if last > 0 && outcomes.len() + player.pending() < 300 {
                    player.play(&Input::Add(1));
                }
                std::thread::sleep(Duration::from_millis(12)); // longer than the silence of the proxy
            }
        }
        assert!(began.elapsed() < PATIENCE, "{player:?}");
    }
    outcomes.sort_unstable();
    assert!(outcomes.into_iter().eq(1..=300));
    assert!(skipped > 0, "no delta was lost");
}

#[test]
fn a_client_learns_why_it_is_closed_and_moves_when_a_gateway_is_drained() {
    let server = Server::start(generous());
    let next = Server::with(server.store.clone(), generous(), axum::Router::new());
    let (url, elsewhere) = (serve(&server), serve(&next));
    let mut player = Player::new(Options::new(&*url));
    player.join("field", false);
    let user = until(&mut player, |event| match event {
        Event::Welcome { user, .. } => Some(user),
        _ => None,
    });
    until(&mut player, |event| {
        matches!(event, Event::Delta { .. }).then_some(())
    });
    for _ in 0..20 {
        player.play(&Input::Add(1));
    }
    let gateway = server.gateway.clone();
    let drained = server
        .runtime
        .spawn(async move { gateway.drain(Some(elsewhere)).await });
    let mut outcomes = 0;
    until(&mut player, |event| {
        outcomes += u64::from(matches!(
            event,
            Event::Outcome {
                outcome: Outcome::Played { .. },
                ..
            }
        ));
        (next.metric("connections") == 1 && outcomes == 20).then_some(())
    });
    until(&mut player, |_| drained.is_finished().then_some(()));
    let kicked = next
        .runtime
        .block_on(next.gateway.kick(user, "no cheating"));
    assert!(kicked.unwrap());
    let closed = until(&mut player, |event| match event {
        Event::Closed { code, reason, .. } if code != 1001 => Some((code, reason)),
        _ => None,
    });
    assert_eq!(closed, (4006, "no cheating".to_owned()));
    next.wait_for("connections", 0);
}

/// What a client sends on its stream.
async fn raw(url: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (url, digest) = url.split_once("#sha256=").unwrap();
    let digest = Sha256Digest::from_str_fmt(digest, Sha256DigestFmt::DottedHex).unwrap();
    let config = ClientConfig::builder().with_bind_default();
    let config = config.with_server_certificate_hashes([digest]).build();
    let endpoint = Endpoint::client(config).unwrap();
    let connection = endpoint
        .connect(url)
        .await
        .map_err(|error| error.to_string())?;
    let (mut out, mut stream) = connection.open_bi().await.unwrap().await.unwrap();
    out.write_all(bytes)
        .await
        .map_err(|error| error.to_string())?;
    let mut answer = vec![0; 1_000];
    let length = stream
        .read(&mut answer)
        .await
        .map_err(|error| error.to_string())?;
    answer.truncate(length.unwrap_or(0));
    Ok(answer)
}

#[test]
fn clients_that_break_the_rules_are_closed() {
    let server = Server::start(Limits {
        greeting: Duration::from_millis(500),
        ..generous()
    });
    let url = serve(&server);
    let ask = |url: &str, bytes: &[u8]| server.runtime.block_on(raw(url, bytes));
    let frame = |text: &[u8]| [&(text.len() as u32).to_le_bytes(), text].concat();
    for bytes in [
        frame(&[1, 2, 3]), // before a greeting
        frame(b"{\"type\": 7}"),
        frame(b"{\xff}"), // not UTF-8
        vec![0xff; 4],    // 4 GiB
        4_097_u32.to_le_bytes().to_vec(),
    ] {
        let answer = ask(&url, &bytes).unwrap();
        let text = String::from_utf8_lossy(&answer);
        assert!(
            text.contains(r#""type":"closed","code":4001"#),
            "{bytes:?}: {text}"
        );
    }
    let silent = ask(&url, &frame(b"")).unwrap();
    assert!(String::from_utf8_lossy(&silent).contains("4002"));
    assert!(ask(&url.replace("/wt", "/other"), b"").is_err());
    server.wait_for("connections", 0);
    assert_eq!(server.metric("ended_malformed_total"), 5);
}
