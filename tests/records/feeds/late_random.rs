//! Random changes, sent as bytes to receivers that join at any time, also while changes are pending.

use std::env;

use ecs::prelude::*;
use ecs::{Delta, Feed, Mirror};
use serde::{Deserialize, Serialize};
use support::Random;

/// Has divided components and others.
#[ecs::context]
struct Sea;

type Id = EntityId<Sea>;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Sea, delta)]
struct Tile {
    x: i32,
    y: i32,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Sea, delta)]
struct Label {
    text: String,
    size: u8,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Sea)]
struct Number(u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Sea)]
struct Follows(#[component(relation(reverse = followers, ordered))] Id);

fn change(sea: &mut Sea, random: &mut Random) {
    let ids: Vec<Id> = sea.entities().map(|it| it.id()).collect();
    let (kind, value) = (random.below(12), random.below(200));
    if ids.len() < 3 {
        sea.create_with((Number(value), Tile { x: 1, y: 2 }));
        return;
    }
    let [id, other] = [0; 2].map(|_| ids[random.below(ids.len() as u32) as usize]);
    let mut entity = sea.entity_mut(id);
    match kind {
        0 => sea.destroy(id),
        1 => {
            _ = sea.create_with(Label {
                text: "new".into(),
                size: 1,
            })
        }
        2 | 3 => drop(entity.try_remove::<Tile>().map(|_| ())),
        4 | 5 => drop(
            entity
                .try_replace(Tile {
                    x: value as i32,
                    y: 3,
                })
                .map(|_| ()),
        ),
        6 => drop(entity.try_remove::<Label>().map(|_| ())),
        7 => {
            let label = Label {
                text: format!("label {}", value % 3),
                size: value as u8,
            };
            drop(entity.try_replace(label).map(|_| ()));
        }
        8 => drop(entity.try_replace(Follows(other)).map(|_| ())),
        9 => drop(entity.try_replace(Number(value)).map(|_| ())),
        10 => drop(entity.try_remove::<Number>().map(|_| ())),
        _ => drop(entity.try_remove::<Follows>().map(|_| ())),
    }
}

fn bytes(delta: &Delta<Sea>) -> Delta<Sea> {
    postcard::from_bytes(&postcard::to_stdvec(delta).unwrap()).unwrap()
}

/// A receiver, and whether it gets bytes.
struct Receiver {
    sea: Sea,
    mirror: Mirror<Sea>,
    reads: bool,
}

impl Receiver {
    fn apply(&mut self, delta: &Delta<Sea>, when: &str) {
        let applied = match self.reads {
            true => self.mirror.apply(&mut self.sea, &bytes(delta)),
            false => self.mirror.apply(&mut self.sea, delta),
        };
        applied.unwrap_or_else(|error| panic!("{when}, bytes {}: {error}", self.reads));
    }

    fn check(&self, server: &Sea, when: &str) {
        let mut count = 0;
        for there in server.entities() {
            let local = self
                .mirror
                .local(there.id())
                .filter(|id| self.sea.contains(*id));
            let Some(here) = local.map(|id| self.sea.entity(id)) else {
                assert!(there.component_indices().is_empty(), "{when}: {there:?}");
                continue;
            };
            count += usize::from(!there.component_indices().is_empty());
            assert_eq!(here.get::<Tile>(), there.get::<Tile>(), "{when}");
            assert_eq!(here.get::<Label>(), there.get::<Label>(), "{when}");
            assert_eq!(here.get::<Number>(), there.get::<Number>(), "{when}");
            let target = there
                .get::<Follows>()
                .and_then(|it| self.mirror.local(it.0));
            assert_eq!(here.get::<Follows>().map(|it| it.0), target, "{when}");
        }
        let present = self
            .sea
            .entities()
            .filter(|it| !it.component_indices().is_empty());
        assert_eq!(present.count(), count, "{when}");
        self.sea.storage().check_invariants();
    }
}

fn join(feed: &Feed<Sea>, server: &Sea, reads: bool, when: &str) -> Receiver {
    let (sea, mirror) = (Sea::new(), Mirror::new());
    let mut receiver = Receiver { sea, mirror, reads };
    receiver.apply(&feed.everything(server), when);
    receiver
}

fn run(seed: u64) {
    let random = &mut Random(seed);
    let mut server = Sea::new();
    let feed = server.feed::<(Tile, Label, Number, Follows)>();
    let history = seed.is_multiple_of(2).then(|| server.record());
    let mut mark = history.as_ref().map(|history| history.mark(&mut server));
    let mut receivers = Vec::new();
    for turn in 0..60 {
        let when = format!("seed {seed}, {turn}");
        match random.below(12) {
            0 => receivers.push(join(&feed, &server, random.below(4) > 0, &when)),
            1 | 2 => {
                let delta = feed.take(&mut server);
                for receiver in &mut receivers {
                    receiver.apply(&delta, &when);
                    receiver.check(&server, &when);
                }
            }
            3 => mark = history.as_ref().map(|history| history.mark(&mut server)),
            4 => {
                if let (Some(history), Some(mark)) = (&history, mark) {
                    history.rewind(&mut server, mark);
                }
            }
            _ => change(&mut server, random),
        }
    }
}

#[test]
fn receivers_that_join_at_any_time_get_what_the_server_has() {
    let programs = env::var("ECS_TEST_PROGRAMS").ok();
    let programs = programs.map_or(100, |programs| programs.parse().unwrap());
    (0..programs).for_each(run);
}
