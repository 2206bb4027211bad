//! The systems of the crowd.

use ecs::prelude::*;

use crate::components::{Crowd, Frozen, Mood, Position, Turned, Velocity};

/// The width of the square.
const EDGE: f32 = 317.0;
/// One of this many walkers moves in a frame.
const STEP: u64 = 50;

/// Creates all systems, in order.
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

/// Moves some walkers, and turns those at the edge.
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

/// Sets the mood of calm walkers to busy once they have turned. Its own changes trigger it once more,
/// without effect.
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
