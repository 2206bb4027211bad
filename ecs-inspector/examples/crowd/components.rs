//! The components of the walkers.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// The context of all walkers.
#[ecs::context]
pub(crate) struct Crowd;

/// The position of a walker.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Crowd)]
pub(crate) struct Position {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// The direction of a walker.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Crowd)]
pub(crate) struct Velocity {
    pub(crate) dx: f32,
    pub(crate) dy: f32,
}

/// The name of a walker.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Crowd, label)]
pub(crate) struct Name {
    #[component(into, index)]
    pub(crate) text: String,
}

/// The mood of a walker.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[component(context = Crowd)]
pub(crate) enum Mood {
    Calm,
    Busy { errands: u8 },
    Lost,
}

/// The walker that it follows.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Crowd)]
pub(crate) struct Follows {
    #[component(relation(acyclic))]
    pub(crate) leader: EntityId<Crowd>,
}

/// The appearance of a walker.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Crowd)]
pub(crate) struct Coat {
    #[component(color)]
    pub(crate) color: [f32; 3],
    #[component(range = 0..=100)]
    pub(crate) wear: u8,
    #[component(hidden)]
    pub(crate) seed: u64,
}

/// A walker that does not move.
#[derive(Component, Clone, Debug)]
#[component(context = Crowd)]
pub(crate) struct Frozen;

/// A handle of this process, which is not `Serialize`: shown by `Debug`.
#[derive(Component, Clone, Debug)]
#[component(context = Crowd, transient)]
pub(crate) struct Handle(pub(crate) usize);

/// The number of turns taken.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Crowd, unique)]
pub(crate) struct Turns(pub(crate) u64);

/// A message: a walker has reached the edge.
pub(crate) struct Turned;

/// Creates a square of walkers. Every hundredth has a name and a handle, and leads the ones after it.
pub(crate) fn create(entities: usize) -> Crowd {
    let mut crowd = Crowd::with_capacity(entities);
    crowd.set_turns(0);
    let mut leader = None;
    for nth in 0..entities.saturating_sub(1) {
        let walker = crowd.create_with(walker(nth)).id();
        match (nth % 100, leader) {
            (0, _) => {
                let mut entity = crowd.entity_mut(walker);
                entity.add_name(format!("Walker {nth}")).add_handle(nth);
                entity.add_coat([0.8, 0.3, (nth % 300) as f32 / 300.0], (nth % 101) as u8, 7);
                leader = Some(walker);
            }
            (1..=9, Some(leader)) => drop(crowd.entity_mut(walker).add_follows(leader)),
            (10..=12, _) => drop(crowd.entity_mut(walker).add_frozen()),
            _ => {}
        }
    }
    crowd
}

fn walker(nth: usize) -> (Position, Velocity, Mood) {
    let (column, row) = ((nth % 317) as f32, (nth / 317) as f32);
    let position = Position { x: column, y: row };
    let velocity = Velocity {
        dx: 0.5 - (nth % 7) as f32 / 6.0,
        dy: 0.5 - (nth % 11) as f32 / 10.0,
    };
    let mood = match nth % 3 {
        0 => Mood::Calm,
        1 => Mood::Busy {
            errands: (nth % 5) as u8,
        },
        _ => Mood::Lost,
    };
    (position, velocity, mood)
}

/// Returns the templates of walkers.
pub(crate) fn templates() -> [(&'static str, Template<Crowd>); 2] {
    let (position, velocity, mood) = walker(0);
    let walker = Template::new()
        .with(position.clone())
        .with(velocity)
        .with(mood);
    let statue = Template::new().with(position).with(Frozen);
    [("walker", walker), ("statue", statue)]
}
