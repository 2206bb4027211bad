//! Snapshots of entities with three plain components, compared with three lists of the same values.

use ecs::{Component, Context as _, Snapshot};

use crate::workload::{Workload, steady};

/// The copied context.
#[ecs::context]
pub(super) struct Field;

/// The position.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Field)]
pub(super) struct Spot {
    x: f32,
    y: f32,
    z: f32,
}

/// The distance moved in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Field)]
pub(super) struct Pace {
    dx: f32,
    dy: f32,
    dz: f32,
}

/// The remaining amount.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Field)]
pub(super) struct Fuel(u64);

/// The values as lists.
#[derive(Clone)]
struct Lists {
    spots: Vec<Spot>,
    paces: Vec<Pace>,
    fuel: Vec<Fuel>,
}

fn values(number: usize) -> (Spot, Pace, Fuel) {
    let x = number as f32;
    let (y, z) = (x + 1.0, x + 2.0);
    let (dx, dy, dz) = (1.0, 2.0, 3.0);
    (Spot { x, y, z }, Pace { dx, dy, dz }, Fuel(number as u64))
}

fn field(entities: usize) -> Field {
    let mut field = Field::new();
    field.group(Field::all_of::<(Spot, Pace)>());
    field.create_many((0..entities).map(values));
    field
}

/// Takes a snapshot, and drops the previous one.
pub(super) fn taken(items: usize) -> Box<dyn Workload> {
    let run = |(field, last): &mut (Field, Option<Snapshot<Field>>)| {
        *last = Some(field.snapshot());
    };
    steady((field(items), None), run, move |(_, last), _| {
        assert_eq!(last.as_ref().map_or(0, Snapshot::len), items);
    })
}

/// Restores a snapshot.
pub(super) fn restored(items: usize) -> Box<dyn Workload> {
    let mut field = field(items);
    let snapshot = field.snapshot();
    let run = |(field, snapshot): &mut (Field, Snapshot<Field>)| field.restore(snapshot);
    steady((field, snapshot), run, move |(field, _), _| {
        let query = field.query::<(&Spot, &Pace, &Fuel)>();
        let all = query.iter().map(|(spot, pace, fuel)| (*spot, *pace, *fuel));
        assert!(all.eq((0..items).map(values)));
    })
}

/// Clones three lists, and drops the previous clones.
pub(super) fn lists_cloned(items: usize) -> Box<dyn Workload> {
    let all = (0..items).map(values);
    let lists = Lists {
        spots: all.clone().map(|(spot, ..)| spot).collect(),
        paces: all.clone().map(|(_, pace, _)| pace).collect(),
        fuel: all.map(|(.., fuel)| fuel).collect(),
    };
    let run = |(lists, last): &mut (Lists, Option<Lists>)| *last = Some(lists.clone());
    steady((lists, None), run, move |(lists, last), _| {
        let last = last.as_ref().expect("it has run");
        assert!(last.spots == lists.spots && last.paces == lists.paces);
        assert!(last.fuel == lists.fuel);
    })
}
