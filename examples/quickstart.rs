//! A tour of the library: a context, components and their accessors, groups, observers,
//! collectors, destroyed entities and errors.
//!
//! `cargo run --example quickstart` prints the contents of `quickstart.out`.

use ecs::prelude::*;

// A context owns entities and their components. It is a value like any other.
#[ecs::context]
struct Game;

// A component is a plain struct. The derive gives every entity of its context typed
// methods for it: `add_position(x, y)`, `position()`, `replace_position(x, y)`, …
#[derive(Component, Debug, Clone)]
#[component(context = Game)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Component, Debug)]
#[component(context = Game)]
struct Velocity {
    dx: f32,
    dy: f32,
}

// A component without fields is a flag.
#[derive(Component, Debug)]
#[component(context = Game)]
struct Frozen;

fn main() {
    let mut game = Game::new();
    let (hero, rock) = entities(&mut game);
    let movers = groups(&mut game);
    observers(&mut game, movers);
    collectors(&mut game, movers, rock);
    destroyed_entities(&mut game, movers, hero);
    errors(&mut game, hero, rock);
}

/// Entities are created and changed through a handle, and identified by an id.
fn entities(game: &mut Game) -> (EntityId<Game>, EntityId<Game>) {
    println!("# Entities and components");
    // Changes of an entity can be chained. The handle borrows the game; keep the id instead.
    let mut hero = game.create_entity();
    hero.add_position(0.0, 0.0).add_velocity(1.0, 0.5);
    // `replace_` sets a new value, `update_` changes the present one.
    hero.replace_position(1.0, 1.0);
    hero.update_position(|position| position.y += 2.0);
    println!("the hero went to {:?}", hero.position());
    // Flags have `set_` and `is_` methods.
    hero.set_frozen(true);
    println!("is the hero frozen? {}", hero.is_frozen());
    hero.set_frozen(false);
    let hero = hero.id();

    let rock = game.create_entity().add_position(5.0, 5.0).id();
    // `position()` panics if there is no such component, `get_position()` returns an option.
    let entity = game.entity(rock);
    println!("the rock is at x = {}", entity.position().x);
    println!("its velocity is {:?}", entity.get_velocity());
    println!("does it have one? {}", entity.has_velocity());
    // `Debug` prints the id (index 1, generation 1) and the components.
    println!("the rock as a whole: {entity:?}");
    (hero, rock)
}

/// A group is the set of entities that match, and is always up to date.
fn groups(game: &mut Game) -> Group<Game> {
    println!("\n# Groups");
    let matcher = Game::all_of::<(Position, Velocity)>().none_of::<Frozen>();
    println!("movers are {matcher:?}");
    let movers = game.group(matcher);

    // `for_each` passes each member for changes, `iter` only reads.
    movers.for_each(game, |mut entity| {
        let (position, velocity) = (entity.position(), entity.velocity());
        let (x, y) = (position.x + velocity.dx, position.y + velocity.dy);
        entity.replace_position(x, y);
    });
    for entity in movers.iter(game) {
        println!("{} moved to {:?}", entity.id(), entity.position());
    }
    movers
}

/// Observers are called as soon as an entity enters or leaves a group, or is updated in it.
fn observers(game: &mut Game, movers: Group<Game>) {
    println!("\n# Observers");
    movers.on_entered(game, |_, change| {
        println!("{} starts moving", change.entity())
    });
    movers.on_left(game, |_, change| {
        println!("{} stops moving", change.entity())
    });
    let on_updated = movers.on_updated(game, |game, change| {
        // The change has the previous value; the present one is in the game.
        let before = change.previous::<Position>();
        let now = game.entity(change.entity()).position();
        println!("{} went from {before:?} to {now:?}", change.entity());
    });

    let mut bird = game.create_entity();
    bird.add_position(0.0, 9.0); // without a velocity it does not match
    bird.add_velocity(0.0, -1.0); // enters the group
    bird.replace_position(0.0, 8.0); // is updated in the group
    bird.add_frozen(); // leaves the group
    bird.remove_frozen(); // enters it again
    game.unsubscribe(on_updated);
}

/// A collector collects entities that caused an event, each once, until it is drained.
fn collectors(game: &mut Game, movers: Group<Game>, rock: EntityId<Game>) {
    println!("\n# Collectors");
    // Entitas calls this event `added`.
    let moved = game.collector(movers.matcher(game).entered_or_updated());
    // Triggers can be combined, so that one collector collects from several groups.
    let updated = Game::all_of::<Position>().updated();
    let touched = game.collector(updated.or(Game::all_of::<Frozen>().entered()));

    for id in movers.ids(game) {
        let mut mover = game.entity_mut(id);
        mover.replace_position(3.0, 3.0).replace_position(4.0, 4.0);
    }
    game.entity_mut(rock).add_frozen();
    println!("moved: {:?}", moved.drain(game));
    println!("touched: {:?}", touched.drain(game));
    println!("touched since: {:?}", touched.drain(game));
}

/// An id outlives its entity and is never used for another one.
fn destroyed_entities(game: &mut Game, movers: Group<Game>, hero: EntityId<Game>) {
    println!("\n# Destroyed entities");
    game.observers()
        .on_will_be_destroyed(|game, id| println!("about to destroy {:?}", game.entity(id)));
    game.observers()
        .on_destroyed(|_, id| println!("{id} is gone"));
    game.destroy(hero);
    println!("is {hero} alive? {}", game.contains(hero));
    println!("movers left: {}", movers.len(game));

    // The next entity reuses the index of the old one, with a new generation.
    let heir = game.create_entity().id();
    println!(
        "created {heir}, {hero} is still {:?}",
        game.get_entity(hero)
    );
}

/// Methods panic; their `try_` twins return an error with the same message instead.
fn errors(game: &mut Game, hero: EntityId<Game>, rock: EntityId<Game>) {
    println!("\n# Errors");
    let twice = game
        .entity_mut(rock)
        .try_add_position(0.0, 0.0)
        .unwrap_err();
    println!("{twice}");
    let dead = game.try_destroy(hero).unwrap_err();
    println!("{dead}");
}
