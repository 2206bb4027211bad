//! Operations of histories, snapshots, saves, feeds and undo stacks.

use ecs::prelude::*;
use ecs::{Loader, UndoStack};

use super::{Farm, Mother, Name, Operation, Scene, Tag, Weight, change_all, nothing};

/// Each operation.
pub(super) const RECORDS: &[Operation] = &[
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
