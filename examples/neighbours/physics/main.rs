//! Rapier in step with a context: reactions create and remove its bodies, a query writes positions back.
//!
//! ```text
//! cargo run -p physics             in examples/neighbours
//! ```
//!
//! The world owns both ([`World`]); Rapier is a field that is no context. What to look at in [`systems`]:
//!
//! | what happened | in Rapier | by |
//! | --- | --- | --- |
//! | a [`Body`] was added or replaced | a body with a collider | a reaction |
//! | a `Body` was removed | its body is removed | a reaction |
//! | an entity was destroyed | its body is removed | `on_removed`, which receives the handle |
//! | a step | `step` | a system; [`write_back`] reports the positions that differ |
//!
//! So the game never names a handle, and forgets none. What comes to rest is no longer reported, so views
//! of it cost nothing. Rapier's own state is not in the context: a history does not rewind it.

use ecs::prelude::*;
use rapier2d::prelude::*;

#[ecs::context]
struct Game;

/// Where a body is: written by Rapier. The value that a body is added with is where it starts.
#[derive(Component, Clone, Default, PartialEq)]
#[component(context = Game)]
struct Position {
    x: f32,
    y: f32,
    angle: f32,
}

/// What Rapier simulates: half the width and height of a box.
#[derive(Component, Clone)]
#[component(context = Game, requires(Position))]
enum Body {
    Fixed { width: f32, height: f32 },
    Moving { width: f32, height: f32 },
}

/// The body in Rapier.
#[derive(Component, Clone)]
#[component(context = Game)]
struct Simulated(RigidBodyHandle);

#[derive(Contexts)]
struct World {
    game: Game,
    #[contexts(skip)]
    physics: PhysicsWorld,
}

fn systems(world: &mut World) -> Systems<World> {
    let bodies = Game::all_of::<Body>();
    Systems::new()
        .for_each_changed(world, bodies.clone().entered_or_updated(), create_body)
        .for_each_changed(world, bodies.left(), forget_body)
        .on_removed(world, remove_bodies)
        .add(|world: &mut World| world.physics.step())
        .add(write_back)
}

fn create_body(world: &mut World, id: EntityId<Game>) {
    let entity = world.game.entity(id);
    let (builder, width, height) = match *entity.body() {
        Body::Fixed { width, height } => (RigidBodyBuilder::fixed(), width, height),
        Body::Moving { width, height } => (RigidBodyBuilder::dynamic(), width, height),
    };
    let Position { x, y, angle } = *entity.position();
    let body = builder.translation(Vector::new(x, y)).rotation(angle);
    let (handle, _) = world
        .physics
        .insert(body, ColliderBuilder::cuboid(width, height));
    forget_body(world, id); // if it was replaced
    world.game.entity_mut(id).add_simulated(handle);
}

/// Removes the handle, which a body that came and went within one pass does not have.
fn forget_body(world: &mut World, id: EntityId<Game>) {
    let _ = world.game.entity_mut(id).try_remove_simulated();
}

fn remove_bodies(world: &mut World, removed: &[(EntityId<Game>, Simulated)]) {
    for &(_, Simulated(handle)) in removed {
        world.physics.remove_body(handle);
    }
}

/// Writes the positions of bodies that have moved. `Mut` reports only what is written.
fn write_back(world: &mut World) {
    let World { game, physics } = world;
    let mut simulated = game.query_mut::<(&Simulated, Mut<'_, Position>)>();
    for (simulated, mut position) in simulated.iter_mut() {
        let body = &physics.bodies[simulated.0];
        let Vector { x, y } = body.translation();
        let now = Position {
            x,
            y,
            angle: body.rotation().angle(),
        };
        if *position != now {
            *position = now;
        }
    }
}

/// Creates a floor with a stack of boxes above it, and the systems.
fn start(boxes: u8) -> (World, Systems<World>) {
    let (game, physics) = (Game::new(), PhysicsWorld::new());
    let mut world = World { game, physics };
    let systems = systems(&mut world);
    world.game.create_with(Body::Fixed {
        width: 20.0,
        height: 0.5,
    });
    for number in 0..boxes {
        let (x, y) = (f32::from(number % 3) * 0.3, 2.0 + 1.5 * f32::from(number));
        let position = Position { x, y, angle: 0.0 };
        let size = Body::Moving {
            width: 0.5,
            height: 0.5,
        };
        world.game.create_with((position, size));
    }
    (world, systems)
}

fn main() {
    let (mut world, mut systems) = start(12);
    let moved = world.game.collector(Game::all_of::<Position>().updated());
    for step in 1..=600 {
        systems.execute(&mut world);
        let moved = moved.drain(&mut world.game).len();
        if step % 60 == 0 {
            println!("second {:2}: {moved} boxes move", step / 60);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a world in which boxes come and go; returns the checksum of each step.
    fn checksums(boxes: u8) -> Vec<u64> {
        let (mut world, mut systems) = start(boxes);
        let history = world.game.record();
        let step = |step| {
            let ids = Game::all_of::<Simulated>()
                .ids(&world.game)
                .collect::<Vec<_>>();
            match step % 60 {
                20 => world.game.destroy(ids[1]),
                40 => drop(world.game.entity_mut(ids[2]).remove_body()),
                50 => {
                    let size = Body::Moving {
                        width: 0.8,
                        height: 0.2,
                    };
                    world.game.entity_mut(ids[1]).replace_body(size);
                }
                _ => {}
            }
            systems.execute(&mut world);
            let bodies = Game::all_of::<Body>().ids(&world.game).count();
            assert_eq!(world.physics.bodies.len(), bodies, "in step {step}");
            assert_eq!(world.physics.colliders.len(), bodies, "in step {step}");
            history.checksum(&mut world.game)
        };
        (1..=240).map(step).collect()
    }

    #[test]
    fn bodies_come_and_go_with_components_and_the_same_in_each_run() {
        let first = checksums(12);
        assert_eq!(first, checksums(12));
        assert_ne!(first, checksums(13));
    }

    #[test]
    fn what_rests_is_not_reported() {
        let (mut world, mut systems) = start(3);
        let moved = world.game.collector(Game::all_of::<Position>().updated());
        systems.execute(&mut world);
        assert_eq!(moved.drain(&mut world.game).len(), 3);
        (0..600).for_each(|_| systems.execute(&mut world));
        moved.clear(&mut world.game);
        systems.execute(&mut world);
        assert!(moved.is_empty(&world.game));
    }
}
