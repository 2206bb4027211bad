//! How the time of each bulk operation, and of each kind of record, grows: for [`FEW`] entities and for
//! a hundred times as many, with what depends on the changes. Prints how many times as long the larger
//! one takes per entity, and marks those above [`MOST`]; arguments choose operations by a part of their
//! names. See `tests/growth`.

mod bulk;
mod records;

use std::env;
use std::time::Duration;

use ecs::prelude::*;
use ecs::{CommandBuffer, Delta, Feed, History, Mark, Mirror, RemovedValues, Snapshot, UndoStack};
use serde::{Deserialize, Serialize};
use support::time_of;

use self::bulk::BULK;
use self::records::RECORDS;

/// Has components of each kind whose cost may depend on the number of entities.
#[ecs::context]
struct Farm;

type Id = EntityId<Farm>;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Farm)]
struct Weight(u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Farm)]
struct Name(String);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Farm)]
struct Field(#[component(index)] u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Farm)]
struct Tag(#[component(primary_index)] u32);

/// An ordered relation, in which animals are destroyed with their mother.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Farm)]
struct Mother {
    #[component(relation(reverse = young, on_target_destroyed = destroy, acyclic, ordered))]
    id: Id,
}

/// A relation that is removed with its target.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Farm)]
struct Owner(#[component(relation(reverse = owned))] Id);

/// The smaller number of entities.
const FEW: u32 = 500;

/// How many times as many the larger number is.
const TIMES: u32 = 100;

/// The largest growth per entity that is not marked: caches, hash tables and sorting account for it.
const MOST: f64 = 5.0;

/// How many times the smaller number is measured; the larger one a tenth of that.
const TURNS: u32 = 20;

/// A farm, and everything that operations need.
#[derive(Default)]
struct Scene {
    farm: Farm,
    count: u32,
    root: Option<Id>,
    ids: Vec<Id>,
    history: Option<(History<Farm>, Mark<Farm>)>,
    later: Option<Mark<Farm>>,
    snapshot: Option<Snapshot<Farm>>,
    bytes: Vec<u8>,
    text: String,
    feed: Option<Feed<Farm>>,
    delta: Option<Delta<Farm>>,
    copy: (Farm, Mirror<Farm>),
    edits: Option<UndoStack<Farm>>,
    buffer: CommandBuffer<Farm>,
    removed: Option<RemovedValues<Farm, Weight>>,
    collector: Option<Collector<Farm>>,
    index: Option<EntityIndex<Farm, u32>>,
}

impl Scene {
    /// A farm with a root, to which all other entities refer.
    fn new(count: u32, subscribe: fn(&mut Self)) -> Self {
        let mut scene = Self {
            count,
            ..Self::default()
        };
        let root = scene.farm.create_with(Weight(0)).id();
        let of = |n| {
            (
                Weight(n),
                Name(n.to_string()),
                Field(n / 8),
                Tag(n),
                Owner(root),
            )
        };
        scene.ids = scene.farm.create_many((0..count).map(of));
        let ids = scene.ids.clone();
        scene.farm.many(&ids).add_with(|_| Mother { id: root });
        scene.root = Some(root);
        subscribe(&mut scene);
        scene
    }

    fn root(&self) -> Id {
        self.root.expect("each farm has one")
    }

    fn many(&mut self) -> ecs::Many<'_, Farm> {
        self.farm.many(&self.ids)
    }

    fn record(&mut self) {
        let history = self.farm.record();
        let mark = history.mark(&mut self.farm);
        self.history = Some((history, mark));
    }

    fn mark(&mut self) {
        let history = self.history.as_ref().map(|(history, _)| history);
        self.later = history.map(|history| history.mark(&mut self.farm));
    }

    fn rewind(&mut self) {
        if let Some((history, mark)) = &self.history {
            history.rewind(&mut self.farm, *mark);
        }
    }
}

/// What depends on changes: its name, and how it is added.
type Subscriber = (&'static str, fn(&mut Scene));

const SUBSCRIBERS: [Subscriber; 6] = [
    ("-", |_| {}),
    ("history", Scene::record),
    ("observer", |scene| {
        let group = scene
            .farm
            .group(Farm::any_of::<(Weight, Name, Mother, Owner)>());
        for event in [Group::on_entered, Group::on_left, Group::on_updated] {
            event(
                group,
                &mut scene.farm,
                |_: &mut Farm, _: &Change<'_, Farm>| {},
            );
        }
    }),
    ("index", |scene| {
        let all = Farm::all_of::<Weight>();
        scene.index = Some(scene.farm.entity_index(all, |it| it.weight().0 / 4));
    }),
    ("collector", |scene| {
        let any = Farm::any_of::<(Weight, Name, Mother)>().any_change();
        scene.collector = Some(scene.farm.collector(any));
    }),
    ("feed", |scene| {
        scene.feed = Some(scene.farm.feed::<(Weight, Name, Mother)>())
    }),
];

/// An operation: its name, what it needs, and what is measured.
type Operation = (&'static str, fn(&mut Scene), fn(&mut Scene));

fn nothing(_: &mut Scene) {}

fn change_all(scene: &mut Scene) {
    scene.many().update::<Weight>(|_, weight| weight.0 += 1);
}

fn main() {
    let asked: Vec<_> = env::args().skip(1).collect();
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|part| name.contains(&**part));
    let mut marked = 0;
    for operation in BULK
        .iter()
        .chain(RECORDS)
        .filter(|(name, ..)| is_asked(name))
    {
        for (subscriber, subscribe) in SUBSCRIBERS {
            marked += u32::from(report(operation, subscriber, subscribe));
        }
    }
    println!("{marked} above {MOST}");
}

/// Measures an operation and prints the result; returns whether it is marked.
fn report((name, prepare, act): &Operation, subscriber: &str, subscribe: fn(&mut Scene)) -> bool {
    let is_record = RECORDS.iter().any(|(record, ..)| record == name);
    if is_record && subscriber == "history" {
        return false; // a context has one history, and an undo step records its own
    }
    let time = |count: u32, turns: u32| {
        let once = |_| {
            let mut scene = Scene::new(count, subscribe);
            prepare(&mut scene);
            time_of(|| act(&mut scene))
        };
        (0..turns).map(once).min().unwrap_or(Duration::ZERO)
    };
    let (few, many) = (time(FEW, TURNS), time(TIMES * FEW, TURNS / 10));
    let growth = many.as_secs_f64() / few.as_secs_f64().max(1e-9) / f64::from(TIMES);
    let mark = if growth > MOST { "  <----" } else { "" };
    println!("{name:<34} {subscriber:<10} {few:>10.1?} {many:>10.1?} {growth:>7.2}{mark}");
    growth > MOST
}
