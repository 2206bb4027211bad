//! A game that tests of several subjects use: a component of each usual kind. All can be cloned, so
//! that it can be recorded and copied. Who needs a context that is out of the ordinary has its own.

use std::sync::Arc;

use ecs::prelude::*;

/// The game.
#[ecs::context]
pub struct Game;

/// What players press, apart from the game: a second context.
#[ecs::context]
pub struct Input;

/// An entity of the game.
pub type Id = EntityId<Game>;

/// Of every second test.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Health(pub u32);

/// What is pressed.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Input)]
pub struct Key(pub char);

/// On a line.
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

/// Of a size at which blocks share memory.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Large(pub [u64; 8]);

/// A number whose place is used again.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(context = Game, pooled)]
pub struct Pooled(pub u32);

/// A value whose memory is used again.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(context = Game, pooled)]
pub struct Path {
    /// All that it is.
    pub points: Vec<u32>,
}

/// One entity has it.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique)]
pub struct Score(pub u32);

/// A key of many entities.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Team(#[component(index)] pub &'static str);

/// Several keys.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Tags(#[component(index(each))] pub Vec<u8>);

/// A key of one entity.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Seat(#[component(primary_index)] pub u32);

/// Children end with their parent.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct ChildOf {
    /// Whose child.
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    pub parent: Id,
}

/// Sources lose the component with their target.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Targets(#[component(relation(reverse = targeted_by))] pub Id);

/// Comes with another component.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, requires(Health = Health(9)))]
pub struct Armed(pub u32);

/// Listened to, of one entity and of any.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, event(any(set), self(set)))]
pub struct Mood(pub u32);

/// A value of which tests count how many there are.
#[derive(Component, Clone)]
#[component(context = Game, by_value)]
pub struct Counted(pub Arc<()>);

/// A value that may panic when it is cloned.
#[derive(Component, Debug)]
#[component(context = Game)]
pub struct Touchy(pub bool);

impl Clone for Touchy {
    fn clone(&self) -> Self {
        assert!(!self.0, "touchy");
        Self(self.0)
    }
}
