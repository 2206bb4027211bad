//! The second of two crates of one game: components for the context of the first, which
//! has never heard of them, systems over the components of both, and a plug-in for worlds that have
//! a context of each crate.

use std::marker::PhantomData;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};
use world::{Game, Position};

/// How much something can still bear.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = world::Game, extension)]
pub struct Health {
    /// The points left.
    pub points: u32,
}

/// Is about to be taken out of play.
#[derive(Component)]
#[component(context = world::Game, extension)]
pub struct Dying;

/// On whose side something fights.
#[derive(Component)]
#[component(context = world::Game, extension)]
pub struct Team(#[component(index)] pub u8);

/// How many have been beaten.
#[derive(Component)]
#[component(context = world::Game, extension, unique)]
pub struct Score(pub u32);

/// Burns the entities on the ground: a group over the components of both crates.
pub struct Burn {
    grounded: Group<Game>,
}

impl Burn {
    /// Finds those on the ground.
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

/// Ends all entities that have `T`, in whatever context.
pub struct End<T>(PhantomData<T>);

impl<T> End<T> {
    /// The system.
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

/// Counts the entities that are created, in whatever context.
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

/// What has come of a fight.
#[derive(Component, Debug, PartialEq)]
#[component(context = Reports, by_value)]
pub enum Report {
    /// A fighter was beaten.
    Beaten,
    /// This many still stand.
    Standing(usize),
}

/// The reports of a world, whichever it is: one by an observer, which reaches them by what it
/// defers, and one by a system that borrows both contexts.
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
