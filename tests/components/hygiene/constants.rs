//! Constants, statics and unit structs with the names of fields, and with all names used by
//! generated code.

#![deny(warnings)]
#![allow(non_camel_case_types, non_upper_case_globals)]

use ecs::prelude::*;

macro_rules! constants {
    ($($name:ident),* $(,)?) => { $(#[allow(dead_code)] const $name: u8 = 0;)* };
}

macro_rules! statics {
    ($($name:ident),* $(,)?) => { $(#[allow(dead_code)] static $name: u8 = 0;)* };
}

macro_rules! structs {
    ($($name:ident),* $(,)?) => { $(#[allow(dead_code)] struct $name;)* };
}

constants! {
    value, value0, value1, change, fill, build, each, writer, row, feed, this, hasher, whole, other, x
}
statics! {
    key, on, entity, entities, target, visitor, inner, y, _hidden
}
structs! {
    listener, bundle, f, clone, context, world, change_, z, parent
}

/// Has fields named like consts, statics and structs of this module.
#[ecs::context]
struct Game;

#[derive(Component, Clone)]
#[component(context = Game)]
struct Position {
    x: f32,
    y: f32,
    #[component(index)]
    z: u8,
    #[component(into)]
    _hidden: u16,
}

#[derive(Component, Clone)]
#[component(context = Game, unique, event(any(set), self(removed)))]
struct Score(u8, #[component(primary_index)] u16);

#[derive(Component, Clone, Default)]
#[component(context = Game, pooled, requires(Row = Row { value: row }))]
struct Path {
    value: Vec<u8>,
    fill: u8,
    change: u8,
}

#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Row {
    value: u8,
}

#[derive(Component, Clone)]
#[component(context = Game, unique)]
struct Paused;

#[derive(Component, Clone)]
#[component(context = Game)]
struct ChildOf {
    #[component(relation(reverse = children, acyclic))]
    parent: EntityId<Game>,
}

#[derive(Contexts)]
struct World {
    f: Game,
}

#[derive(Bundle)]
struct Placed {
    x: ChildOf,
    z: Position,
}

/// F41.
#[test]
fn fields_can_be_named_like_constants_statics_and_structs() {
    let mut place = World { f: Game::new() };
    let root = place.f.create_entity().id();
    let placed = Placed {
        x: ChildOf { parent: root },
        z: Position {
            x: 1.0,
            y: 2.0,
            z: 3,
            _hidden: 4,
        },
    };
    let id = place.f.create_with(placed).id();
    let mut child = place.f.entity_mut(id);
    child
        .replace_position(5.0, 6.0, 7, 8_u8)
        .add_path(vec![1], 2, 3);
    child.add_score(8, 9);
    assert_eq!((child.position().x, child.position().y), (5.0, 6.0));
    assert_eq!((child.position()._hidden, child.path().change), (8, 3));
    assert_eq!((child.path().value.len(), child.path().fill), (1, 2));
    assert_eq!(child.row().value, 0);
    place.f.set_paused(true);
    assert_eq!(place.f.entities_with_position(&7).ids(), [id]);
    assert_eq!(place.f.entity(root).children(), [id]);
    assert!(place.f.is_paused() && place.f.score().0 == 8);
}
