//! A host and a gateway in this process.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use ecs_gateway::{Gateway, Limits, Options};
use ecs_rooms::{Host, MemoryStore, Session};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::game::{Field, Rules};

pub(crate) const SECRET: [u8; 32] = [7; 32];
pub(crate) const TICK: Duration = Duration::from_millis(20);

pub(crate) struct Server {
    pub(crate) gateway: Gateway<Rules>,
    pub(crate) address: SocketAddr,
    pub(crate) store: MemoryStore,
    pub(crate) host: Option<Host>,
    pub(crate) runtime: Runtime,
}

pub(crate) fn run_host(store: &MemoryStore) -> Host {
    let options = ecs_rooms::Options {
        tick: TICK,
        drain_on_sigterm: false,
        patience: Duration::from_millis(500),
        threads: 1,
        ..ecs_rooms::Options::new(SECRET)
    };
    Host::run::<Session<Field>>(store.clone(), options).unwrap()
}

impl Server {
    /// With room `field` and a host.
    pub(crate) fn start(limits: Limits) -> Self {
        let store = MemoryStore::new();
        let host = run_host(&store);
        host.open("field", 7).unwrap();
        let mut server = Self::with(store, limits, Router::new());
        server.host = Some(host);
        server
    }

    /// Another gateway, without a host.
    pub(crate) fn with(store: MemoryStore, limits: Limits, pages: Router) -> Self {
        Self::of(store, limits, pages, Vec::new())
    }

    /// A gateway to which pages of these origins may connect.
    pub(crate) fn of(
        store: MemoryStore,
        limits: Limits,
        pages: Router,
        origins: Vec<String>,
    ) -> Self {
        let options = Options {
            limits,
            origins,
            metrics_token: Some("token".to_owned()),
            ..Options::new(SECRET)
        };
        let gateway = Gateway::new(store.clone(), Rules, crate::inspected(options));
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let serving = gateway.clone();
        runtime.spawn(async move { serving.serve(listener, pages).await.unwrap() });
        Self {
            gateway,
            address,
            store,
            host: None,
            runtime,
        }
    }

    /// The value of a metric.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let text = self.gateway.metrics();
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(&format!("gateway_{name} ")));
        line.unwrap_or_else(|| panic!("{text}")).parse().unwrap()
    }

    /// Waits until a metric has a value.
    #[track_caller]
    pub(crate) fn wait_for(&self, name: &str, value: u64) {
        let end = std::time::Instant::now() + crate::client::PATIENCE;
        while self.metric(name) != value {
            assert!(
                std::time::Instant::now() < end,
                "{name}: {}",
                self.metric(name)
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Generous, for tests that are about other limits.
pub(crate) fn generous() -> Limits {
    Limits {
        messages_per_second: 1e6,
        message_burst: 1e6,
        requests_per_second: 1e6,
        request_burst: 1e6,
        connections_per_address: 10_000,
        ..Limits::default()
    }
}
