//! The library in one sitting: a context, components and their accessors, groups,
//! observers, collectors, destroyed entities and errors.
//!
//! `cargo run --example quickstart` prints what is in `quickstart.out`.

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

// A component without fields is a flag: an entity has it or not.
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

/// Entities are made and changed through a handle, and named by an id.
fn entities(game: &mut Game) -> (EntityId<Game>, EntityId<Game>) {
    println!("# Entities and components");
    // What changes an entity can be chained. The handle borrows the game; keep the id.
    let mut hero = game.create_entity();
    hero.add_position(0.0, 0.0).add_velocity(1.0, 0.5);
    // `replace_` sets a new value, `update_` changes the one that is there.
    hero.replace_position(1.0, 1.0);
    hero.update_position(|position| position.y += 2.0);
    println!("the hero went to {:?}", hero.position());
    // A flag has methods of its own.
    hero.set_frozen(true);
    println!("is the hero frozen? {}", hero.is_frozen());
    hero.set_frozen(false);
    let hero = hero.id();

    let rock = game.create_entity().add_position(5.0, 5.0).id();
    // Reading: `position()` insists that there is one, `get_` and `has_` ask.
    let entity = game.entity(rock);
    println!("the rock is at x = {}", entity.position().x);
    println!("its velocity is {:?}", entity.get_velocity());
    println!("does it have one? {}", entity.has_velocity());
    // An entity prints its id (place 1, first entity there) and its components.
    println!("the rock as a whole: {entity:?}");
    (hero, rock)
}

/// Groups are the entities that match, kept up to date with every change.
fn groups(game: &mut Game) -> Group<Game> {
    println!("\n# Groups");
    let matcher = Game::all_of::<(Position, Velocity)>().none_of::<Frozen>();
    println!("movers are {matcher:?}");
    let movers = game.group(matcher);

    // `for_each` lends each member for changes, `iter` reads them.
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

/// Observers are called as soon as an entity enters or leaves a group, or is updated
/// while in it.
fn observers(game: &mut Game, movers: Group<Game>) {
    println!("\n# Observers");
    movers.on_entered(game, |_, change| {
        println!("{} begins to move", change.entity())
    });
    movers.on_left(game, |_, change| {
        println!("{} moves no more", change.entity())
    });
    let on_updated = movers.on_updated(game, |game, change| {
        // The value of before comes with the change; that of now is in the game.
        let before = change.previous::<Position>();
        let now = game.entity(change.entity()).position();
        println!("{} went from {before:?} to {now:?}", change.entity());
    });

    let mut bird = game.create_entity();
    bird.add_position(0.0, 9.0); // no velocity yet, so it is no mover
    bird.add_velocity(0.0, -1.0); // now it is
    bird.replace_position(0.0, 8.0); // an update: it stays a mover throughout
    bird.add_frozen(); // movers are not frozen: it leaves the group
    bird.remove_frozen(); // and is back
    // A subscription ends an observer, if one cares to.
    game.unsubscribe(on_updated);
}

/// Collectors gather who raised an event, each entity once, until they are drained.
fn collectors(game: &mut Game, movers: Group<Game>, rock: EntityId<Game>) {
    println!("\n# Collectors");
    // `added` is what Entitas means by it: entered, or updated.
    let moved = game.collector(movers.matcher(game).entered_or_updated());
    // Triggers combine, so that one collector hears several events of several groups.
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

/// An id outlives its entity, and never comes to mean another one.
fn destroyed_entities(game: &mut Game, movers: Group<Game>, hero: EntityId<Game>) {
    println!("\n# Destroyed entities");
    game.observers()
        .on_will_be_destroyed(|game, id| println!("the last of {:?}", game.entity(id)));
    game.observers()
        .on_destroyed(|_, id| println!("{id} is gone"));
    game.destroy(hero);
    println!("is {hero} alive? {}", game.contains(hero));
    println!("movers left: {}", movers.len(game));

    // The next entity takes the place of the old one, under a new id.
    let heir = game.create_entity().id();
    println!(
        "{heir} has come, {hero} is still {:?}",
        game.get_entity(hero)
    );
}

/// The short methods panic; their `try_` twins return an error with the same message.
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
