//! Pooled values: each is reset to the default.

use std::collections::{BTreeMap, HashMap};

use ecs::Recycle;
use ecs::prelude::*;
use support::game::{Game, GameEntity, GameEntityMut};

/// Its default differs from the defaults of its fields.
#[derive(Component, Debug, PartialEq)]
#[component(context = Game, extension, pooled)]
struct Tour {
    stops: Vec<u32>,
    title: String,
    speed: f32,
    lengths: BTreeMap<u32, u32>,
    names: [String; 2],
    seen: HashMap<u32, u32>,
}

impl Default for Tour {
    fn default() -> Self {
        Self {
            stops: vec![1, 2],
            title: "new".into(),
            speed: 0.5,
            lengths: [(1, 2)].into(),
            names: ["a".into(), String::new()],
            seen: HashMap::new(),
        }
    }
}

fn used_tour() -> Tour {
    Tour {
        stops: Vec::with_capacity(100),
        title: "x".repeat(100),
        speed: 9.0,
        lengths: [(3, 4)].into(),
        names: ["b".repeat(100), "c".repeat(100)],
        seen: (0..100).map(|n| (n, n)).collect(),
    }
}

/// F26.
#[test]
fn a_pooled_value_is_reset_in_its_own_memory() {
    let mut game = Game::new();
    let mut entity = game.create_with(used_tour());
    entity.remove_tour().add_tour_with(|tour| {
        assert_eq!(*tour, Tour::default());
        assert!(tour.stops.capacity() >= 100 && tour.title.capacity() >= 100);
        assert!(tour.names.iter().all(|name| name.capacity() >= 100));
    });
    entity.replace_tour_with(|tour| assert_eq!(*tour, Tour::default()));
    let capacities = [used_tour(), Tour::default()].map(|mut tour| {
        tour.seen = used_tour().seen;
        entity.replace(tour).remove_tour().add_tour_with(|_| ());
        entity.tour().seen.capacity()
    });
    assert_eq!(
        capacities,
        [0, 0],
        "the order in a hash map depends on its capacity"
    );
}

/// Its accessors take the whole value.
#[derive(Component, Debug, Default, PartialEq)]
#[component(context = Game, extension, pooled, by_value)]
struct Parcel {
    labels: Vec<u8>,
}

#[derive(Component, Debug, Default, PartialEq)]
#[component(context = Game, extension, pooled)]
enum Cargo {
    #[default]
    Empty,
    Loaded(Vec<u8>),
}

/// Implements its own reset.
#[derive(Component, Debug, Default)]
#[component(context = Game, extension, pooled)]
struct Basket {
    inside: Vec<u8>,
    times_used: u32,
}

impl Recycle for Basket {
    fn refresh(&mut self, fresh: &mut Self) {
        self.inside.refresh(&mut fresh.inside);
        self.times_used = fresh.times_used;
    }
}

/// Its fields belong together: a mixture of two values could not be dropped.
#[derive(Component, Debug)]
#[component(context = Game, extension, pooled)]
struct Measured {
    list: Vec<u8>,
    len: usize,
}

impl Default for Measured {
    fn default() -> Self {
        let (list, len) = (vec![7], 1);
        Self { list, len }
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        assert_eq!(self.list.len(), self.len);
    }
}

/// F26.
#[test]
fn values_of_every_shape_are_reset_when_pooled() {
    let mut game = Game::new();
    let labels = Vec::with_capacity(100);
    let mut entity = game.create_with((Parcel { labels }, Cargo::Loaded(vec![1])));
    entity.remove_parcel().add_parcel_with(|parcel| {
        assert!(parcel.labels.is_empty() && parcel.labels.capacity() >= 100);
    });
    entity.remove_cargo();
    entity.add_cargo_with(|cargo| assert_eq!(*cargo, Cargo::Empty));
    entity.add_basket(vec![3; 100], 7).remove_basket();
    entity.add_basket_with(|it| assert!(it.inside.capacity() >= 100 && it.times_used == 0));
    entity.add_measured(vec![1, 2], 2).remove_measured();
    entity.add_measured_with(|it| assert_eq!((&it.list[..], it.len), (&[7][..], 1)));
}
