//! A game for tests of several subjects, with a component of each usual kind. All components can be
//! cloned, so the game can be recorded and copied. Tests of unusual contexts declare their own.

use std::sync::Arc;

use ecs::prelude::*;

/// The game.
#[ecs::context]
pub struct Game;

/// The input of players: a second context.
#[ecs::context]
pub struct Input;

/// An entity of the game.
pub type Id = EntityId<Game>;

/// A plain value.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Health(pub u32);

/// A pressed key.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Input)]
pub struct Key(pub char);

/// A place on a line.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(context = Game)]
pub struct Position(pub i32);

/// A value that owns memory.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Name(#[component(into)] pub String);

/// A flag.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Frozen;

/// Large enough for blocks to share memory.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Large(pub [u64; 8]);

/// A pooled number.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(context = Game, pooled)]
pub struct Pooled(pub u32);

/// A pooled value that owns memory.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(context = Game, pooled)]
pub struct Path {
    /// The points of the path.
    pub points: Vec<u32>,
}

/// Unique.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique)]
pub struct Score(pub u32);

/// A shared key.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Team(#[component(index)] pub &'static str);

/// Several keys.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Tags(#[component(index(each))] pub Vec<u8>);

/// A primary key.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Seat(#[component(primary_index)] pub u32);

/// Children are destroyed with their parent.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct ChildOf {
    /// The parent.
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    pub parent: Id,
}

/// Sources lose the component with their target.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Targets(#[component(relation(reverse = targeted_by))] pub Id);

/// Requires another component.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, requires(Health = Health(9)))]
pub struct Armed(pub u32);

/// Has events of one entity and of any.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, event(any(set), self(set)))]
pub struct Mood(pub u32);

/// A value whose instances tests count.
#[derive(Component, Clone)]
#[component(context = Game, by_value)]
pub struct Counted(pub Arc<()>);

/// A value whose `Clone` may panic.
#[derive(Component, Debug)]
#[component(context = Game)]
pub struct Touchy(pub bool);

impl Clone for Touchy {
    fn clone(&self) -> Self {
        assert!(!self.0, "touchy");
        Self(self.0)
    }
}
