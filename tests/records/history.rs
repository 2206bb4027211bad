//! Histories: what has been changed is taken back, and done again, whatever kind of component it
//! concerns. The random programs are in the model ([`model::rewind`](crate::model)).

mod checksums;
mod followers;
mod kept;
mod kinds;
mod panics;
mod refusals;
mod story;

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Health(u32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Frozen;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Team(#[component(index)] &'static str);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Seat(#[component(primary_index)] u32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique)]
struct Score(u32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct ChildOf {
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    parent: EntityId<Game>,
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Targets(#[component(relation(reverse = targeted_by))] EntityId<Game>);

#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(context = Game, pooled)]
struct Path {
    points: Vec<u32>,
}

/// Of a size at which blocks share memory.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Large([u64; 8]);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, requires(Health = Health(9)))]
struct Armed;

/// A value of which tests count how many there are.
#[derive(Component, Clone)]
#[component(context = Game, by_value)]
struct Counted(std::sync::Arc<()>);

/// A key of which tests count how many there are.
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
#[component(context = Game, by_value)]
struct Keyed(#[component(index)] Key);

/// One whose changes entities can be listened to for.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, event(self, set))]
struct Mood(u32);

/// A number that may panic when it is cloned.
#[derive(Component, Debug)]
#[component(context = Game)]
struct Touchy(bool);

impl Clone for Touchy {
    fn clone(&self) -> Self {
        assert!(!self.0, "touchy");
        Self(self.0)
    }
}
