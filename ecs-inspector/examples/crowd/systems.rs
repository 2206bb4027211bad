//! What the walkers do.

use ecs::prelude::*;

use crate::components::{Crowd, Frozen, Mood, Position, Turned, Velocity};

/// How far it is from one edge to the other.
const EDGE: f32 = 317.0;
/// Of how many walkers one moves in a frame: the others stand and look.
const STEP: u64 = 50;

/// All systems, in order.
pub(crate) fn all(crowd: &mut Crowd) -> Systems<Crowd> {
    let turned = crowd.inbox::<Turned>();
    let moving = Systems::with_name("Moving").add(walk).named("Walk");
    let feeling = Systems::with_name("Feeling")
        .add_reactive(crowd, Cheer)
        .named("Cheer");
    Systems::with_name("Crowd")
        .defragmenting(false) // so that lists in the page keep the order of creation
        .add(moving)
        .add(feeling)
        .add(move |crowd: &mut Crowd| {
            let turns = turned.drain(crowd).len() as u64;
            crowd.update_turns(|all| all.0 += turns);
        })
        .named("Count turns")
}

/// Moves some of them, and turns those at the edge.
fn walk(crowd: &mut Crowd) {
    let turn = crowd.turns().0;
    let walkers = Crowd::all_of::<(Position, Velocity)>().none_of::<Frozen>();
    let walkers = crowd.group(walkers).ids(crowd);
    let moving = walkers
        .into_iter()
        .filter(|id| u64::from(id.index()) % STEP == turn % STEP);
    for id in moving.collect::<Vec<_>>() {
        let entity = crowd.entity(id);
        let (position, velocity) = (entity.position(), entity.velocity());
        let (x, y) = (position.x + velocity.dx, position.y + velocity.dy);
        if (0.0..EDGE).contains(&x) && (0.0..EDGE).contains(&y) {
            crowd.entity_mut(id).replace_position(x, y);
        } else {
            let (dx, dy) = (-velocity.dx, -velocity.dy);
            crowd.entity_mut(id).replace_velocity(dx, dy);
            crowd.send(Turned);
        }
    }
    crowd.send(Turned);
}

/// Who was calm and has turned is busy. What it changes triggers it once more, and then rests.
struct Cheer;

impl ReactiveSystem<Crowd> for Cheer {
    type Context = Crowd;

    fn trigger(&self) -> Trigger<Crowd> {
        Crowd::all_of::<(Velocity, Mood)>().updated()
    }

    fn react(&mut self, crowd: &mut Crowd, changed: &[EntityId<Crowd>]) {
        for &id in changed {
            if *crowd.entity(id).mood() == Mood::Calm {
                crowd.entity_mut(id).replace_mood(Mood::Busy { errands: 1 });
            }
        }
    }
}
