//! Against a real server, which the tests start and stop: `nats-server` of the path, or `NATS_SERVER`.

#[path = "../../../ecs-rooms/tests/rooms/contract.rs"]
mod contract;
#[path = "../../../ecs-rooms/tests/rooms/density.rs"]
mod density;
#[allow(dead_code, reason = "other tests need the rest")]
#[path = "../../../ecs-rooms/tests/rooms/race.rs"]
mod race;
mod saves;
mod server;
#[path = "../../../ecs-rooms/tests/rooms/silence.rs"]
mod silence;
mod tail;
mod take_over;

use std::sync::Arc;

use self::server::Server;

#[test]
fn the_store_on_nats_keeps_the_contract() {
    let server = Server::start();
    contract::all(Arc::new(server.connect()), !server.is_old());
}

#[test]
fn a_server_that_cannot_be_reached_is_an_error() {
    let error = ecs_rooms_nats::NatsStore::connect("nats://127.0.0.1:1", "rooms", 1).unwrap_err();
    assert!(matches!(error, ecs_rooms::Error::Unknown(_)));
}

#[test]
#[ignore = "a measurement; see `density.rs`"]
fn on_nats() {
    let server = Server::start();
    density::measure(server.connect());
}
