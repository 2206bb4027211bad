//! The cost of changes in a recorded context, and of a rewind.

use ecs::{Component, Context as _, EntityId, History, Mark};

use crate::workload::{Prepared, Workload, steady};

/// The recorded context.
#[ecs::context]
pub(super) struct Scene;

/// The position.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Scene, by_value)]
pub(super) struct Place {
    x: f32,
    y: f32,
}

/// The distance moved in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Scene)]
pub(super) struct Speed {
    dx: f32,
    dy: f32,
}

/// The remaining amount.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Scene)]
pub(super) struct Health(u32);

/// The number of entities per change of a rewind.
const ENTITIES_PER_CHANGE: usize = 100;

fn place(number: usize) -> Place {
    let (x, y) = (number as f32, 0.0);
    Place { x, y }
}

fn components(number: usize) -> (Place, Speed, Health) {
    let speed = Speed { dx: 1.0, dy: 0.5 };
    (place(number), speed, Health(number as u32))
}

fn scene(entities: usize) -> (Scene, Vec<EntityId<Scene>>) {
    let mut scene = Scene::new();
    let ids = scene.create_many((0..entities).map(components));
    (scene, ids)
}

/// A scene with its history and the mark to rewind to.
struct Recorded {
    scene: Scene,
    ids: Vec<EntityId<Scene>>,
    history: History<Scene>,
    mark: Mark<Scene>,
}

impl Recorded {
    fn new(entities: usize) -> Self {
        let (mut scene, ids) = scene(entities);
        let history = scene.record();
        let mark = history.mark(&mut scene);
        Self {
            scene,
            ids,
            history,
            mark,
        }
    }

    fn mark(&mut self) {
        self.mark = self.history.mark(&mut self.scene);
    }

    fn rewind(&mut self) {
        self.history.rewind(&mut self.scene, self.mark);
    }

    fn forget(&mut self) {
        self.history.forget_before(&mut self.scene, self.mark);
    }

    /// Replaces the place of every nth entity.
    fn replace(&mut self, every: usize) {
        replace(&mut self.scene, self.ids.iter().step_by(every));
    }
}

fn replace<'a>(scene: &mut Scene, ids: impl Iterator<Item = &'a EntityId<Scene>>) {
    for &id in ids {
        scene.entity_mut(id).replace_place(Place { x: 1.0, y: 1.0 });
    }
}

fn check_replaced(scene: &Scene) {
    let all = scene.query::<&Place>();
    assert!(all.iter().all(|place| *place == Place { x: 1.0, y: 1.0 }));
}

fn check_as_at_first(recorded: &mut Recorded) {
    for (number, &id) in recorded.ids.iter().enumerate() {
        assert_eq!(*recorded.scene.entity(id).place(), place(number));
    }
}

/// Recorded replaces; the recording is discarded between runs.
pub(super) fn replace_recorded(items: usize) -> Box<dyn Workload> {
    Box::new(Prepared {
        state: Recorded::new(items),
        prepare: |recorded: &mut Recorded| {
            recorded.mark();
            recorded.forget();
        },
        run: |recorded: &mut Recorded| recorded.replace(1),
        check: |recorded: &mut Recorded| check_replaced(&recorded.scene),
    })
}

/// Replaces in a context that is not recorded.
pub(super) fn replace_unrecorded(items: usize) -> Box<dyn Workload> {
    let run = |(scene, ids): &mut (Scene, Vec<EntityId<Scene>>)| replace(scene, ids.iter());
    steady(scene(items), run, |(scene, _), _| check_replaced(scene))
}

/// Rewinds one replace of each entity.
pub(super) fn rewind(items: usize) -> Box<dyn Workload> {
    Box::new(Prepared {
        state: Recorded::new(items),
        prepare: |recorded: &mut Recorded| recorded.replace(1),
        run: Recorded::rewind,
        check: check_as_at_first,
    })
}

/// Restores values from a list that the program keeps.
pub(super) fn rewind_a_list(items: usize) -> Box<dyn Workload> {
    let places: Vec<Place> = (0..items).map(place).collect();
    Box::new(Prepared {
        state: (places, Vec::new()),
        prepare: |(places, before): &mut (Vec<Place>, Vec<(usize, Place)>)| {
            before.extend(places.iter().copied().enumerate());
            places.fill(Place { x: 1.0, y: 1.0 });
        },
        run: |(places, before): &mut (Vec<Place>, Vec<(usize, Place)>)| {
            while let Some((at, place)) = before.pop() {
                places[at] = place;
            }
        },
        check: |(places, _): &mut (Vec<Place>, _)| {
            assert!(places.iter().copied().eq((0..places.len()).map(place)));
        },
    })
}

/// Rewinds a few changes among many entities, and sets a mark.
pub(super) fn rewind_few(items: usize) -> Box<dyn Workload> {
    Box::new(Prepared {
        state: Recorded::new(items * ENTITIES_PER_CHANGE),
        prepare: |recorded: &mut Recorded| {
            recorded.forget();
            recorded.replace(ENTITIES_PER_CHANGE);
        },
        run: |recorded: &mut Recorded| {
            recorded.rewind();
            recorded.mark();
        },
        check: check_as_at_first,
    })
}

type Columns = (Vec<Place>, Vec<Speed>, Vec<Health>);

/// Copies all columns.
pub(super) fn clone_columns(items: usize) -> Box<dyn Workload> {
    let columns: Columns = (0..items * ENTITIES_PER_CHANGE).map(components).collect();
    let run = |(columns, copy): &mut (Columns, Columns)| *copy = columns.clone();
    let check = |(columns, copy): &mut (Columns, Columns), _| assert_eq!(columns, copy);
    steady((columns, Columns::default()), run, check)
}
