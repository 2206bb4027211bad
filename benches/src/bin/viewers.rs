//! The bytes and the time of deltas for many clients of one server, each of which sees what is near.
//!
//! 800 entities move in a square of 324 m, so about 60 are within 50 m of a client. Each walks 1 to 4 m
//! a second in a direction that it changes every two seconds on average. There are 20 ticks a second. Deltas
//! arrive in order, as over a WebSocket; or some may be lost, and a client acknowledges each two ticks (100 ms) after
//! it was taken. Every fiftieth client applies what it gets, which is checked and not measured.
//!
//! `cargo run --release --bin viewers`; `-- 1000 10000`: so many clients and entities, in a larger square.

use std::f32::consts::TAU;
use std::time::Duration;
use std::{env, fs};

use ecs::prelude::*;
use ecs::{Components, Delta, Feed, Grid, IndexHandle, Mirror};
use serde::{Deserialize, Serialize};

/// What the server and its clients have.
#[ecs::context]
pub struct Arena;

/// As it is.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Arena, by_value)]
pub struct Plain {
    x: f32,
    y: f32,
}

/// By 6.25 cm.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Arena, by_value, delta(step = 0.0625))]
pub struct Rounded {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Copy)]
#[component(context = Arena, by_value)]
struct Velocity {
    x: f32,
    y: f32,
}

/// A position.
trait Place: Component<Arena> + Components<Arena> + Copy {
    const NAME: &'static str;
    fn at(x: f32, y: f32) -> Self;
    fn get(self) -> [f32; 2];
}

macro_rules! place {
    ($ty:ident, $name:literal) => {
        impl Place for $ty {
            const NAME: &'static str = $name;

            fn at(x: f32, y: f32) -> Self {
                Self { x, y }
            }

            fn get(self) -> [f32; 2] {
                [self.x, self.y]
            }
        }
    };
}

place!(Plain, "positions as they are");
place!(Rounded, "positions by 6.25 cm");

/// Meters that a client sees.
const SIGHT: f32 = 50.0;

/// Ticks before and while it is measured.
const TICKS: [usize; 2] = [40, 200];

/// Ticks from a delta to its acknowledgement.
const DELAY: usize = 2;

struct Random(u64);

impl Random {
    /// A number from 0 to 1.
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }
}

struct Client {
    hero: EntityId<Arena>,
    feed: Feed<Arena>,
    /// The numbers of deltas under way.
    sent: Vec<u64>,
    /// Some receive what is sent, to check it.
    mirror: Option<(Arena, Mirror<Arena>)>,
    /// What was sent last.
    bytes: Vec<u8>,
}

struct Server<P> {
    arena: Arena,
    ids: Vec<EntityId<Arena>>,
    grid: IndexHandle<Arena, Grid<Arena, 2>>,
    clients: Vec<Client>,
    random: Random,
    width: f32,
    /// Whether deltas may be lost, so that clients acknowledge them.
    is_lossy: bool,
    place: core::marker::PhantomData<P>,
}

impl<P: Place> Server<P> {
    fn new(clients: usize, entities: usize, is_lossy: bool) -> Self {
        let (mut arena, mut random) = (Arena::new(), Random(1));
        let width = 324.0 * (entities as f32 / 800.0).sqrt();
        let place = |it: ArenaEntity<'_>| it.get::<P>().map_or([0.0; 2], |at| at.get());
        let grid = arena.index_with(Arena::all_of::<P>(), place, Grid::new(SIGHT));
        let ids = (0..entities).map(|_| {
            let at = P::at(random.next() * width, random.next() * width);
            let mut entity = arena.create_entity();
            entity.add(at).add(Velocity { x: 0.0, y: 0.0 });
            entity.id()
        });
        let ids: Vec<_> = ids.collect();
        let clients = (0..clients).map(|nth| {
            let feed = arena.feed::<P>();
            if is_lossy {
                feed.acknowledge(&mut arena, 0);
            }
            let mirror = (nth % 50 == 0).then(|| (Arena::new(), Mirror::new()));
            Client {
                hero: ids[nth * entities / clients],
                feed,
                sent: Vec::new(),
                mirror,
                bytes: Vec::new(),
            }
        });
        Self {
            clients: clients.collect(),
            arena,
            ids,
            grid,
            random,
            width,
            is_lossy,
            place: core::marker::PhantomData,
        }
    }

    fn walk(&mut self) {
        for &id in &self.ids {
            let mut entity = self.arena.entity_mut(id);
            let mut speed = *entity.get::<Velocity>().expect("each has one");
            if speed.x == 0.0 || self.random.next() < 1.0 / 40.0 {
                let (angle, meters) = (self.random.next() * TAU, 1.0 + 3.0 * self.random.next());
                speed = Velocity {
                    x: angle.cos() * meters,
                    y: angle.sin() * meters,
                };
                entity.replace(speed);
            }
            let [x, y] = entity.get::<P>().expect("each has one").get();
            let [x, y] = [x + speed.x / 20.0, y + speed.y / 20.0];
            let is_inside = (0.0..self.width).contains(&x) && (0.0..self.width).contains(&y);
            match is_inside {
                true => _ = entity.replace(P::at(x, y)),
                false => {
                    _ = entity.replace(Velocity {
                        x: -speed.x,
                        y: -speed.y,
                    })
                }
            }
        }
    }

    /// Takes a delta for each client; returns how many bytes and entities these have.
    fn send(&mut self) -> [usize; 2] {
        let mut counts = [0; 2];
        for client in &mut self.clients {
            let at = self
                .arena
                .entity(client.hero)
                .get::<P>()
                .expect("each has one")
                .get();
            let near = self.grid.get(&self.arena).within(at, SIGHT);
            let seen = &mut counts[1];
            client
                .feed
                .set_visible::<P>(near.map(|(id, _)| id).inspect(|_| *seen += 1));
            let delta = client.feed.take(&mut self.arena);
            client.sent.push(delta.number());
            client.bytes = postcard::to_stdvec(&delta).expect("all of it can be written");
            counts[0] += client.bytes.len();
        }
        counts
    }

    /// Applies what was sent, where it is checked.
    fn receive(&mut self) {
        for client in &mut self.clients {
            if let Some((other, mirror)) = &mut client.mirror {
                let delta: Delta<Arena> =
                    postcard::from_bytes(&client.bytes).expect("it was written");
                mirror.apply(other, &delta).expect("nothing is lost");
            }
        }
    }

    fn acknowledge(&mut self) {
        let acknowledged = self.clients.iter_mut().filter(|_| self.is_lossy);
        for client in acknowledged {
            if client.sent.len() > DELAY {
                client
                    .feed
                    .acknowledge(&mut self.arena, client.sent.remove(0));
            }
        }
    }

    /// How far what clients see is from the truth, at most.
    fn off(&self) -> f32 {
        let mirrors = self.clients.iter().filter_map(|it| it.mirror.as_ref());
        let all = mirrors.flat_map(|(other, mirror)| {
            other.entities().map(|copy| {
                let origin = mirror.origin(copy.id()).expect("it is the mirror's");
                let [one, other] = [copy, self.arena.entity(origin)]
                    .map(|it| it.get::<P>().expect("it has one").get());
                (one[0] - other[0]).abs().max((one[1] - other[1]).abs())
            })
        });
        all.fold(0.0, f32::max)
    }

    fn measure(clients: usize, entities: usize, is_lossy: bool) {
        let mut server = Self::new(clients, entities, is_lossy);
        let (mut bytes, mut seen, mut time, mut off) = (0, 0, Duration::ZERO, 0.0_f32);
        for tick in 0..TICKS[0] + TICKS[1] {
            server.walk();
            let start = cpu_time();
            let sent = server.send();
            let took = cpu_time() - start;
            server.receive();
            if tick >= TICKS[0] {
                time += took;
                (bytes, seen) = (bytes + sent[0], seen + sent[1]);
                off = off.max(server.off());
            }
            server.acknowledge();
        }
        let each = (clients * TICKS[1]) as f64;
        println!(
            "{}, {}: {:.0} of {entities} entities seen, {:.1} bytes a tick, {:.2} kB a second for each of {clients} clients; \
             {:.2} ms of CPU time a tick for all; at most {off} m off",
            P::NAME,
            if is_lossy { "acknowledged" } else { "in order" },
            seen as f64 / each,
            bytes as f64 / each,
            bytes as f64 / each * 20.0 / 1000.0,
            time.as_secs_f64() * 1000.0 / TICKS[1] as f64,
        );
    }
}

/// The CPU time of this process, which other programs do not lengthen; of Linux.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let nanoseconds = text.split(' ').next().and_then(|it| it.parse().ok());
    Duration::from_nanos(nanoseconds.expect("a number"))
}

fn main() {
    let mut given = env::args().skip(1).map(|it| it.parse().expect("a number"));
    let [clients, entities] = [200, 800].map(|count| given.next().unwrap_or(count));
    for is_lossy in [false, true] {
        Server::<Plain>::measure(clients, entities, is_lossy);
        Server::<Rounded>::measure(clients, entities, is_lossy);
    }
}
