//! The inspected program: a small game on a separate thread, with a frame every millisecond.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use ecs::prelude::*;
use ecs_inspector::{Inspector, InspectorBuilder};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use serde::{Deserialize, Serialize};

#[ecs::context]
pub(crate) struct Game;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Position {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Velocity {
    pub(crate) dx: f32,
    pub(crate) dy: f32,
}

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Name {
    #[component(into, primary_index)]
    pub(crate) text: String,
}

/// The counter of the system `Move`.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game, unique)]
pub(crate) struct Frames(pub(crate) u64);

/// The counter of the reactive system: changes of positions by others.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game, unique)]
pub(crate) struct Seen(pub(crate) u64);

#[derive(Component, Clone, Debug)]
#[component(context = Game)]
pub(crate) struct Frozen;

/// Is not `Serialize`.
#[derive(Component, Clone, Debug)]
#[component(context = Game, transient)]
pub(crate) struct Handle(pub(crate) usize);

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Parent {
    #[component(relation(acyclic))]
    pub(crate) id: EntityId<Game>,
}

/// A game that runs until it is dropped.
pub(crate) struct Program {
    pub(crate) address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Program {
    /// Starts one with the default entities and the default inspector.
    pub(crate) fn start() -> Self {
        Self::with(Inspector::builder(), |_| {})
    }

    /// Starts one with another inspector and more entities.
    pub(crate) fn with(builder: InspectorBuilder, prepare: impl FnOnce(&mut Game)) -> Self {
        let mut game = game();
        prepare(&mut game);
        let inspector = builder.title("Test").serve("127.0.0.1:0").unwrap();
        Self::run(game, systems, inspector)
    }

    /// Starts one whose inspector another server has below `/a/b`.
    pub(crate) fn nested() -> Self {
        let builder = Inspector::builder().title("Test").token("secret");
        let (inspector, router) = builder.into_router().unwrap();
        let address = serve(Router::new().nest_service("/a/b", router));
        Self::run_at(address, game(), systems, inspector)
    }

    fn run(game: Game, systems: fn(&mut Game) -> Systems<Game>, inspector: Inspector) -> Self {
        Self::run_at(inspector.address().unwrap(), game, systems, inspector)
    }

    fn run_at(
        address: SocketAddr,
        mut game: Game,
        systems: fn(&mut Game) -> Systems<Game>,
        mut inspector: Inspector,
    ) -> Self {
        let walker = Template::new()
            .with(Position { x: 7.0, y: 7.0 })
            .with(Frozen);
        inspector.add_template::<Game>("walker", walker);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut systems = systems(&mut game);
            systems.initialize(&mut game);
            while !stopped.load(Ordering::Relaxed) {
                systems.execute(&mut game);
                systems.cleanup(&mut game);
                inspector.update(&mut game, &mut systems);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let thread = Some(thread);
        Self {
            address,
            stop,
            thread,
        }
    }
}

/// Serves a router until the test ends.
fn serve(router: Router) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    std::thread::spawn(move || {
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let service = TowerToHyperService::new(router.clone());
                let connection =
                    http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                tokio::spawn(connection.with_upgrades());
            }
        })
    });
    address
}

impl Drop for Program {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

/// `0v1` counts frames; `1v1` to `4v1` have positions; `2v1` and `3v1` are children of `1v1`.
pub(crate) fn game() -> Game {
    let mut game = Game::new();
    game.set_frames(0);
    let root = game
        .create_with((Position { x: 1.0, y: 2.0 }, Handle(5)))
        .id();
    game.create_with((Position { x: 3.0, y: 4.0 }, Parent { id: root }));
    game.create_with((Position { x: 5.0, y: 6.0 }, Parent { id: root }, Frozen));
    let velocity = Velocity { dx: 1.0, dy: 0.0 };
    let text = String::from("Ärger");
    game.create_with((Position { x: 7.0, y: 8.0 }, velocity, Name { text }));
    game.set_seen(0);
    game
}

pub(crate) fn systems(game: &mut Game) -> Systems<Game> {
    let inner = Systems::with_name("Inner")
        .add_reactive(game, Count)
        .named("Count");
    Systems::new().add(tick).named("Move").add(inner)
}

fn tick(game: &mut Game) {
    game.update_frames(|frames| frames.0 += 1);
}

struct Count;

impl ReactiveSystem<Game> for Count {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Position>().entered_or_updated()
    }

    fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) {
        game.update_seen(|seen| seen.0 += changed.len() as u64);
    }
}
