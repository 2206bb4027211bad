//! Operations on many entities.

use std::mem;

use ecs::prelude::*;
use ecs::{CloneOptions, OnConflict, Template};

use super::{Farm, Field, Mother, Name, Operation, Tag, Weight, change_all, nothing};

/// Each operation.
pub(super) const BULK: &[Operation] = &[
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
            let mut query = scene.farm.query_mut::<&mut Weight>();
            assert!(query.iter_mut().next().is_some());
        }
    }),
    ("query_mut that stops, Mut", nothing, |scene| {
        for _ in 0..scene.count {
            let mut query = scene.farm.query_mut::<Mut<'_, Weight>>();
            query.iter_mut().next().unwrap().0 += 1;
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
        let options = CloneOptions::only::<Name>().on_conflict(OnConflict::Replace);
        let root = scene.root();
        for &id in &scene.ids {
            options.copy(&mut scene.farm, id, root);
        }
    }),
    ("template create_many", nothing, |scene| {
        let template = Template::new().with(Weight(1)).with(Name("name".into()));
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
