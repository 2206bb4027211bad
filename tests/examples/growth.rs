//! How the time of each bulk operation, and of each kind of record, grows: for [`FEW`] entities and for
//! a hundred times as many, with what depends on the changes. Prints how many times as long the larger
//! one takes per entity, and marks those above [`MOST`]; arguments choose operations by a part of their
//! names. See `tests/growth`.

#[path = "../memory/clock.rs"]
mod clock;

use std::time::Duration;
use std::{env, mem};

use ecs::prelude::*;
use ecs::{
    CloneOptions, CommandBuffer, Delta, Feed, History, Loader, Mark, Mirror, RemovedValues,
    Snapshot, UndoStack,
};
use serde::{Deserialize, Serialize};

use crate::clock::running;

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

/// Operations on many entities.
const BULK: &[Operation] = &[
    ("create_with", nothing, |scene| {
        (0..scene.count).for_each(|n| _ = scene.farm.create_with(Weight(n)))
    }),
    ("create_many", nothing, |scene| {
        let count = scene.count;
        scene
            .farm
            .create_many((0..count).map(|n| (Weight(n), Name(String::new()))));
    }),
    ("create_many, children", nothing, |scene| {
        let (count, id) = (scene.count, scene.root());
        scene
            .farm
            .create_many((0..count).map(|n| (Weight(n), Mother { id })));
    }),
    ("create_columns", nothing, |scene| {
        let weights: Vec<_> = (0..scene.count).map(Weight).collect();
        scene.farm.create_columns((weights,));
    }),
    (
        "many add",
        |scene| scene.many().remove::<Name>(),
        |scene| scene.many().add(Name(String::new())),
    ),
    (
        "many add_with, relation",
        |scene| scene.many().remove::<Mother>(),
        |scene| {
            let id = scene.root();
            scene.many().add_with(|_| Mother { id });
        },
    ),
    ("many replace_with", nothing, |scene| {
        scene.many().replace_with(|_| Weight(7))
    }),
    ("many replace, index", nothing, |scene| {
        scene.many().replace(Field(7))
    }),
    ("many update", nothing, change_all),
    ("many update, index", nothing, |scene| {
        scene.many().update::<Field>(|_, field| field.0 += 1)
    }),
    ("many remove", nothing, |scene| {
        scene.many().remove::<Weight>()
    }),
    ("many remove, relation", nothing, |scene| {
        scene.many().remove::<Mother>()
    }),
    ("many remove, primary index", nothing, |scene| {
        scene.many().remove::<Tag>()
    }),
    ("many destroy", nothing, |scene| scene.many().destroy()),
    ("destroy one by one", nothing, |scene| {
        mem::take(&mut scene.ids)
            .into_iter()
            .for_each(|id| scene.farm.destroy(id))
    }),
    ("destroy in reverse", nothing, |scene| {
        mem::take(&mut scene.ids)
            .into_iter()
            .rev()
            .for_each(|id| scene.farm.destroy(id))
    }),
    ("destroy the target", nothing, |scene| {
        scene.farm.destroy(scene.root())
    }),
    ("destroy_all", nothing, |scene| scene.farm.destroy_all()),
    ("group destroy_all", nothing, |scene| {
        let group = scene.farm.group(Farm::all_of::<Mother>());
        group.destroy_all(&mut scene.farm);
    }),
    ("group remove_from_all", nothing, |scene| {
        let group = scene.farm.group(Farm::all_of::<Mother>());
        group.remove_from_all::<Name>(&mut scene.farm);
    }),
    ("group for_each", nothing, |scene| {
        let group = scene.farm.group(Farm::all_of::<Mother>());
        group.for_each(&mut scene.farm, |mut animal| _ = animal.replace_weight(3));
    }),
    ("query_mut for_each", nothing, |scene| {
        scene
            .farm
            .query_mut::<&mut Weight>()
            .for_each(|weight| weight.0 += 1)
    }),
    ("query_mut for_each, Mut", nothing, |scene| {
        scene
            .farm
            .query_mut::<Mut<'_, Weight>>()
            .for_each(|mut weight| weight.0 += 1);
    }),
    ("query_mut for_each_slice", nothing, |scene| {
        scene
            .farm
            .query_mut::<&mut Weight>()
            .for_each_slice(|weights| weights[0].0 += 1);
    }),
    ("query_mut among", nothing, |scene| {
        let ids = scene.ids.iter().rev();
        scene
            .farm
            .query_mut::<&mut Weight>()
            .among(ids)
            .for_each(|weight| weight.0 += 1);
    }),
    ("query_mut get", nothing, |scene| {
        for &id in &scene.ids {
            scene
                .farm
                .query_mut::<Mut<'_, Weight>>()
                .get(id, |mut weight| weight.0 += 1);
        }
    }),
    ("query_mut that stops", nothing, |scene| {
        for _ in 0..scene.count {
            _ = scene
                .farm
                .query_mut::<&mut Weight>()
                .try_for_each(|_| Err(()));
        }
    }),
    ("query_mut iterate, Mut", nothing, |scene| {
        for _ in 0..scene.count {
            scene
                .farm
                .query_mut::<Mut<'_, Weight>>()
                .iterate(|items| items.next().unwrap().0 += 1);
        }
    }),
    ("view_mut in reverse", nothing, |scene| {
        let ids = &scene.ids;
        scene.farm.view_mut::<Weight>(|weights| {
            ids.iter()
                .rev()
                .for_each(|&id| weights.get_mut(id).unwrap().0 += 1)
        });
    }),
    ("view_mut of one", nothing, |scene| {
        for &id in &scene.ids {
            scene
                .farm
                .view_mut::<Weight>(|weights| weights.get_mut(id).unwrap().0 += 1);
        }
    }),
    ("clone_entity", nothing, |scene| {
        scene.many().remove::<Tag>();
        for &id in &scene.ids {
            scene.farm.clone_entity(id);
        }
    }),
    (
        "clone_tree",
        |scene| scene.many().remove::<Tag>(),
        |scene| _ = scene.farm.clone_tree::<Mother>(scene.root()),
    ),
    ("copy", nothing, |scene| {
        let options = CloneOptions::only::<Name>();
        let root = scene.root();
        for &id in &scene.ids {
            options.copy(&mut scene.farm, id, root);
        }
    }),
    ("template create_many", nothing, |scene| {
        let template = ecs::Template::new()
            .with(Weight(1))
            .with(Name("name".into()));
        template.create_many(&mut scene.farm, scene.count as usize);
    }),
    (
        "command buffer",
        |scene| {
            for (n, &id) in (0..).zip(&scene.ids) {
                match n % 4 {
                    0 => scene.buffer.destroy(id),
                    1 => scene.buffer.replace(id, Weight(n)),
                    2 => scene.buffer.remove::<Name>(id),
                    _ => scene.buffer.create(Weight(n)),
                }
            }
        },
        |scene| _ = scene.buffer.apply(&mut scene.farm),
    ),
    ("move among siblings", nothing, |scene| {
        let root = scene.root();
        for &id in &scene.ids {
            scene.farm.entity_mut(id).remove_mother().add_mother(root);
        }
    }),
    ("sources, after the first leaves", nothing, |scene| {
        let root = scene.root();
        while let Some(&first) = scene.farm.entity(root).young().first() {
            scene.farm.entity_mut(first).remove_mother();
        }
    }),
    (
        "defragment_for",
        |scene| scene.many().remove::<Name>(),
        |scene| {
            while scene.farm.storage_mut().defragment_for(64) {}
        },
    ),
    (
        "drain a collector",
        |scene| {
            scene
                .collector
                .get_or_insert_with(|| scene.farm.collector(Farm::all_of::<Weight>().updated()));
            change_all(scene);
        },
        |scene| {
            let collector = scene.collector.as_ref().unwrap();
            _ = collector.drain(&mut scene.farm);
        },
    ),
    (
        "drain removed values",
        |scene| {
            scene.removed = Some(scene.farm.removed_values());
            scene.many().remove::<Weight>();
        },
        |scene| _ = scene.removed.as_ref().unwrap().drain(&mut scene.farm),
    ),
];

/// Operations of records.
const RECORDS: &[Operation] = &[
    (
        "rewind",
        |scene| {
            scene.record();
            change_all(scene);
        },
        Scene::rewind,
    ),
    (
        "rewind of removals",
        |scene| {
            scene.record();
            scene.many().remove::<Mother>();
        },
        Scene::rewind,
    ),
    (
        "rewind of destroys",
        |scene| {
            scene.record();
            scene.many().destroy();
        },
        Scene::rewind,
    ),
    (
        "forward",
        |scene| {
            scene.record();
            scene.many().destroy();
            scene.mark();
            scene.rewind();
        },
        |scene| {
            let (Some((history, _)), Some(mark)) = (&scene.history, scene.later) else {
                return;
            };
            history.forward(&mut scene.farm, mark);
        },
    ),
    ("mark after each change", Scene::record, |scene| {
        for &id in &scene.ids {
            scene.farm.entity_mut(id).replace_weight(1);
            let (history, _) = scene.history.as_ref().unwrap();
            history.mark(&mut scene.farm);
        }
    }),
    (
        "forget_before",
        |scene| {
            scene.record();
            change_all(scene);
            scene.mark();
        },
        |scene| {
            let (Some((history, _)), Some(mark)) = (&scene.history, scene.later) else {
                return;
            };
            history.forget_before(&mut scene.farm, mark);
        },
    ),
    ("snapshot", nothing, |scene| {
        scene.snapshot = Some(scene.farm.snapshot())
    }),
    (
        "restore",
        |scene| {
            scene.snapshot = Some(scene.farm.snapshot());
            scene.many().destroy();
        },
        |scene| {
            scene.farm.restore(scene.snapshot.as_ref().unwrap());
        },
    ),
    ("fork", nothing, |scene| scene.copy.0 = scene.farm.fork()),
    ("checksum", nothing, |scene| _ = scene.farm.checksum()),
    ("save as bytes", nothing, |scene| {
        scene.bytes = postcard::to_stdvec(&scene.farm.save()).unwrap()
    }),
    (
        "load bytes",
        |scene| scene.bytes = postcard::to_stdvec(&scene.farm.save()).unwrap(),
        |scene| {
            scene.copy.0 =
                Farm::load(&mut postcard::Deserializer::from_bytes(&scene.bytes)).unwrap();
        },
    ),
    ("save as text", nothing, |scene| {
        scene.text = serde_json::to_string(&scene.farm.save()).unwrap()
    }),
    (
        "load text",
        |scene| scene.text = serde_json::to_string(&scene.farm.save()).unwrap(),
        |scene| {
            scene.copy.0 =
                Farm::load(&mut serde_json::Deserializer::from_str(&scene.text)).unwrap();
        },
    ),
    (
        "reload",
        |scene| scene.bytes = postcard::to_stdvec(&scene.farm.save()).unwrap(),
        |scene| {
            let from = &mut postcard::Deserializer::from_bytes(&scene.bytes);
            Loader::new().reload(&mut scene.farm, from).unwrap();
        },
    ),
    (
        "merge",
        |scene| {
            scene.many().remove::<Tag>();
            scene.bytes = postcard::to_stdvec(&scene.farm.save()).unwrap();
        },
        |scene| {
            let from = &mut postcard::Deserializer::from_bytes(&scene.bytes);
            scene.farm.merge(from).unwrap();
        },
    ),
    ("save a tree", nothing, |scene| {
        let save = scene
            .farm
            .save()
            .only([scene.root()])
            .with_descendants::<Mother>();
        scene.bytes = postcard::to_stdvec(&save).unwrap();
    }),
    (
        "feed take",
        |scene| {
            scene.feed = Some(scene.farm.feed::<(Weight, Name, Mother)>());
            change_all(scene);
        },
        |scene| scene.delta = Some(scene.feed.as_ref().unwrap().take(&mut scene.farm)),
    ),
    (
        "mirror apply",
        |scene| {
            scene.feed = Some(scene.farm.feed::<(Weight, Name, Mother)>());
            scene.delta = Some(scene.feed.as_ref().unwrap().take(&mut scene.farm));
        },
        |scene| {
            let (copy, mirror) = &mut scene.copy;
            mirror.apply(copy, scene.delta.as_ref().unwrap()).unwrap();
        },
    ),
    (
        "mirror apply, one by one",
        |scene| {
            let feed = scene.farm.feed::<(Weight, Name, Mother)>();
            let (copy, mirror) = &mut scene.copy;
            mirror.apply(copy, &feed.take(&mut scene.farm)).unwrap();
            scene.feed = Some(feed);
        },
        |scene| {
            let (copy, mirror) = &mut scene.copy;
            for &id in &scene.ids {
                scene.farm.entity_mut(id).replace_weight(1);
                mirror
                    .apply(copy, &scene.feed.as_ref().unwrap().take(&mut scene.farm))
                    .unwrap();
            }
        },
    ),
    (
        "undo step",
        |scene| scene.edits = Some(UndoStack::all()),
        |scene| {
            let mut edits = scene.edits.take().unwrap();
            edits.step(&mut scene.farm, "step", |farm| {
                farm.query_mut::<&mut Weight>()
                    .for_each(|weight| weight.0 += 1)
            });
            scene.edits = Some(edits);
        },
    ),
    (
        "undo",
        |scene| {
            let (mut edits, ids) = (UndoStack::all(), scene.ids.clone());
            edits.step(&mut scene.farm, "step", |farm| {
                farm.many(&ids).update::<Weight>(|_, weight| weight.0 += 1)
            });
            scene.edits = Some(edits);
        },
        |scene| _ = scene.edits.as_mut().unwrap().undo(&mut scene.farm),
    ),
    (
        "undo amend",
        |scene| {
            let mut edits = UndoStack::all();
            edits.step(&mut scene.farm, "paint", |_| ());
            scene.edits = Some(edits);
        },
        |scene| {
            let edits = scene.edits.as_mut().unwrap();
            for &id in &scene.ids {
                edits.amend(&mut scene.farm, |farm| {
                    _ = farm.entity_mut(id).replace_weight(9)
                });
            }
        },
    ),
];

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
            let start = running();
            act(&mut scene);
            running() - start
        };
        (0..turns).map(once).min().unwrap_or(Duration::ZERO)
    };
    let (few, many) = (time(FEW, TURNS), time(TIMES * FEW, TURNS / 10));
    let growth = many.as_secs_f64() / few.as_secs_f64().max(1e-9) / f64::from(TIMES);
    let mark = if growth > MOST { "  <----" } else { "" };
    println!("{name:<34} {subscriber:<10} {few:>10.1?} {many:>10.1?} {growth:>7.2}{mark}");
    growth > MOST
}
