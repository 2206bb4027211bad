//! Histories: undo and redo of changes of every kind of component. The random programs are in the
//! model ([`model::rewind`](crate::model)).

mod causes;
mod checksums;
mod dropped;
mod excluded;
mod kept;
mod kinds;
mod late;
mod moved;
mod panics;
mod past;
mod rejections;
mod sources;
mod story;
mod subscribers;
mod taken_back;
mod unwound;
mod views;

use ecs::prelude::*;
use support::game::{
    Counted, Frozen, Game, GameEntity, GameEntityMut, Health, Large, Mood, Path, Pooled, Seat,
    Team, Touchy,
};

/// A key whose instances tests count.
#[derive(Clone, Debug)]
struct Key(
    u32,
    #[expect(dead_code, reason = "is counted from outside")] std::sync::Arc<()>,
);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Key {}

impl std::hash::Hash for Key {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

#[derive(Component, Clone, Debug)]
#[component(context = Game, extension, by_value)]
struct Keyed(#[component(index)] Key);
