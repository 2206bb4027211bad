//! Structures that the derive declares: `index(grid = ..)`, `index(ordered)` and `primary_index(ordered)`.

use ecs::prelude::*;
use ecs::{Grid, Ordered, Place};

use support::panic_of;

/// Contexts of their own, because components with structures are in both.
#[ecs::context]
struct Sea;

/// The other one.
#[ecs::context]
struct Sky;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(context(Sea, Sky), index(grid = 4.0))]
struct Spot {
    x: f32,
    y: f32,
    #[component(index(ordered))]
    depth: u32,
}

const SIZE: f32 = 2.0;

#[derive(Component, Clone)]
#[component(context = Sea, index(grid = SIZE), extension)]
struct Deep {
    x: f32,
    y: f32,
    z: f32,
}

/// An enum has no coordinates.
#[derive(Component, Clone)]
#[component(context = Sea, index(grid = 1.0))]
enum Port {
    North,
    South,
}

impl Place for Port {
    type At = [f32; 1];

    fn at(&self) -> [f32; 1] {
        match self {
            Self::North => [10.0],
            Self::South => [-10.0],
        }
    }
}

#[derive(Component, Clone)]
#[component(context = Sea)]
struct Ship {
    #[component(primary_index(ordered))]
    number: u32,
    #[component(index(ordered))]
    name: String,
    #[component(index)]
    flag: u8,
}

/// Whose order panics for one value.
#[derive(Clone, PartialEq, Eq)]
struct Fragile(u8);

impl PartialOrd for Fragile {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fragile {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        assert!(self.0 < 9 && other.0 < 9, "on purpose");
        self.0.cmp(&other.0)
    }
}

#[derive(Component, Clone)]
#[component(context = Sea)]
struct Barrel(#[component(index(ordered))] Fragile);

#[test]
fn a_grid_is_declared_for_components_with_coordinates() {
    let mut sea = Sea::new();
    assert!(sea.entities_by_spot().is_empty());
    let near = sea
        .create_with(Spot {
            x: 1.0,
            y: 1.0,
            depth: 0,
        })
        .id();
    let far = sea
        .create_with(Spot {
            x: 9.0,
            y: 1.0,
            depth: 0,
        })
        .id();
    let grid: &Grid<Sea, 2> = sea.entities_by_spot();
    assert_eq!(grid.cell_size(), 4.0);
    assert!(grid.within([0.0, 0.0], 2.0).eq([(near, [1.0, 1.0])]));
    sea.query_mut::<&mut Spot>().for_each(|spot| spot.x -= 8.0);
    assert_eq!(sea.entities_by_spot().nearest([0.0, 0.0], 1)[0].0, far);
    let mut sky = Sky::new();
    let id = sky
        .create_with(Spot {
            x: 1.0,
            y: 1.0,
            depth: 0,
        })
        .id();
    assert!(sky.entities_by_spot().iter().eq([(id, [1.0, 1.0])]));
    let id = sea.create_entity().add_deep(1.0, 2.0, 3.0).id();
    let grid: &Grid<Sea, 3> = sea.entities_by_deep();
    assert!(grid.iter().eq([(id, [1.0, 2.0, 3.0])]) && grid.cell_size() == SIZE);
}

#[test]
fn a_component_without_coordinates_tells_its_place() {
    let mut sea = Sea::new();
    let id = sea.create_with(Port::South).id();
    sea.create_with(Port::North);
    assert!(
        sea.entities_by_port()
            .in_box([-20.0], [0.0])
            .eq([(id, [-10.0])])
    );
}

#[test]
fn entities_are_sorted_by_declared_fields() {
    let mut sea = Sea::new();
    let ids: Vec<_> = [(7, "c"), (5, "a"), (9, "b")]
        .map(|(number, name)| sea.create_entity().add_ship(number, name.into(), 1).id())
        .into();
    let numbers: &Ordered<Sea, u32> = sea.entities_by_ship_number();
    assert!(
        numbers
            .iter()
            .map(|(_, id)| id)
            .eq([ids[1], ids[0], ids[2]])
    );
    assert!(numbers.range(6..).map(|(number, _)| *number).eq([7, 9]));
    let names = sea.entities_by_ship_name();
    assert_eq!(names.last(), Some((&"c".to_owned(), ids[0])));
    assert_eq!(sea.entity_with_ship_number(&9).unwrap().id(), ids[2]);
    assert_eq!(sea.entities_with_ship_flag(&1).ids(), ids);
    let mut ship = sea.entity_mut(ids[0]);
    let error = ship.try_replace_ship(5, "d".into(), 1).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::DuplicateKey));
    sea.entity_mut(ids[0]).replace_ship(1, "d".into(), 1);
    assert_eq!(sea.entities_by_ship_number().first(), Some((&1, ids[0])));
    sea.destroy(ids[0]);
    assert_eq!(
        sea.entities_by_ship_name().last(),
        Some((&"b".to_owned(), ids[2]))
    );
    let spots = sea.create_many([3, 1, 2].map(|depth| Spot {
        x: 0.0,
        y: 0.0,
        depth,
    }));
    let depths = sea.entities_by_spot_depth().iter().map(|(_, id)| id);
    assert!(depths.eq([spots[1], spots[2], spots[0]]));
}

#[test]
fn declared_structures_follow_rewinds_snapshots_clones_and_resets() {
    let mut sea = Sea::new();
    let ids = sea.create_many([3, 1].map(|depth| Spot {
        x: depth as f32,
        y: 0.0,
        depth,
    }));
    let snapshot = sea.snapshot();
    let history = sea.record();
    let mark = history.mark(&mut sea);
    sea.destroy(ids[1]);
    sea.entity_mut(ids[0]).replace_spot(50.0, 50.0, 9);
    let depths = |sea: &Sea| -> Vec<u32> {
        assert_eq!(
            sea.entities_by_spot().len(),
            sea.entities_by_spot_depth().len()
        );
        sea.entities_by_spot_depth()
            .iter()
            .map(|(depth, _)| *depth)
            .collect()
    };
    assert_eq!(depths(&sea), [9]);
    history.rewind(&mut sea, mark);
    assert_eq!(depths(&sea), [1, 3]);
    assert_eq!(sea.entities_by_spot().within([0.0, 0.0], 3.0).count(), 2);
    drop(history);
    sea.destroy_all();
    assert!(depths(&sea).is_empty());
    sea.restore(&snapshot);
    assert_eq!(depths(&sea), [1, 3]);
    assert_eq!(depths(&sea.fork()), [1, 3]);
    sea.reset();
    assert!(depths(&sea).is_empty());
    sea.storage().check_invariants();
}

#[test]
fn a_declared_structure_is_out_of_date_after_a_panic_until_the_next_change() {
    let mut sea = Sea::new();
    let ids = sea.create_many([1, 2].map(|number| Barrel(Fragile(number))));
    let attempt = panic_of(|| sea.entity_mut(ids[0]).replace_barrel(Fragile(9)).id());
    assert_eq!(attempt, "on purpose");
    let text = panic_of(|| sea.entities_by_barrel().len());
    assert!(text.contains("out of date"), "{text}");
    sea.entity_mut(ids[0]).replace_barrel(Fragile(3));
    assert!(
        sea.entities_by_barrel()
            .iter()
            .map(|(_, id)| id)
            .eq([ids[1], ids[0]])
    );
}
