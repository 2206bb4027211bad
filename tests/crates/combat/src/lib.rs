//! The second of two crates of one game: components for the context of the first, which does not
//! know them, systems over the components of both, and a plug-in for worlds with a context of each
//! crate.

use std::marker::PhantomData;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};
use world::{Game, Position};

/// The remaining health.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = world::Game, extension)]
pub struct Health {
    /// The points left.
    pub points: u32,
}

/// Marks an entity about to be destroyed.
#[derive(Component)]
#[component(context = world::Game, extension)]
pub struct Dying;

/// The team of a fighter.
#[derive(Component)]
#[component(context = world::Game, extension)]
pub struct Team(#[component(index)] pub u8);

/// The number of beaten fighters.
#[derive(Component)]
#[component(context = world::Game, extension, unique)]
pub struct Score(pub u32);

/// Burns the entities on the ground: a group over the components of both crates.
pub struct Burn {
    grounded: Group<Game>,
}

impl Burn {
    /// Creates the system and its group.
    pub fn new(game: &mut Game) -> Self {
        Self {
            grounded: game.group(Game::all_of::<(Position, Health)>().none_of::<Dying>()),
        }
    }
}

impl System<Game> for Burn {
    fn execute(&mut self, game: &mut Game) {
        self.grounded.for_each(game, |mut entity| {
            if entity.position().y == 0 {
                entity.update_health(|health| health.points = health.points.saturating_sub(1));
            }
        });
    }
}

/// Marks the entities without health, and counts them.
pub struct Judge;

impl ReactiveSystem<Game> for Judge {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Health>().updated()
    }

    fn filter(&self, entity: world::GameEntity<'_>) -> bool {
        entity.health().points == 0
    }

    fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) {
        for &id in changed {
            game.entity_mut(id).set_dying(true);
        }
        let beaten = changed.len() as u32;
        let before = game.get_score().map_or(0, |score| score.0);
        game.set_score(before + beaten);
    }
}

/// Destroys all entities that have `T`, in any context.
pub struct End<T>(PhantomData<fn() -> T>);

impl<T> End<T> {
    /// Creates the system.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for End<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Context, T: Component<C>> System<C> for End<T> {
    fn cleanup(&mut self, context: &mut C) {
        let marked = context.group(C::all_of::<T>());
        for id in marked.ids(context) {
            context.destroy(id);
        }
    }
}

/// Counts created entities, in any context.
#[derive(Default)]
pub struct Census {
    /// The greatest number of entities so far.
    pub most: usize,
}

impl<C: Context> System<C> for Census {
    fn execute(&mut self, context: &mut C) {
        self.most = self.most.max(context.len());
    }
}

/// The results of fights, for display.
#[ecs::context]
pub struct Reports;

/// The result of a fight.
#[derive(Component, Debug, PartialEq)]
#[component(context = Reports, by_value)]
pub enum Report {
    /// A fighter was beaten.
    Beaten,
    /// This many still stand.
    Standing(usize),
}

/// Reports the fights of any world: once by an observer, which defers a command, and once by a
/// system that borrows both contexts.
pub fn reporting<W: HasContexts<Game, Reports> + 'static>(world: &mut W) -> Systems<W> {
    let deferred = Deferred::<W>::new();
    let systems = Systems::with_name("Reporting").add(deferred.clone());
    let game: &mut Game = world.context_mut();
    let dying = game.group(Game::all_of::<Dying>());
    dying.on_entered(game, move |_, _| {
        deferred.push(|world| {
            let reports: &mut Reports = world.context_mut();
            reports.create_with(Report::Beaten);
        });
    });
    systems.add(|world: &mut W| {
        let (game, reports) = HasContexts::<Game, Reports>::contexts_mut(world);
        let standing = game.query::<&Health>().without::<Dying>().iter().count();
        reports.create_with(Report::Standing(standing));
    })
}
