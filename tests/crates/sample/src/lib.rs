//! The context that most examples of the library's documentation share by a hidden
//! `use sample::*;`. An example with a context of its own takes ten times as long to compile.

use ecs::prelude::*;

/// The context.
#[ecs::context]
pub struct Game;

/// How much something can still bear.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Health(pub u32);

/// Does not move.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Frozen;

/// On whose side something is.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Team(pub u8);

/// The points of the game.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique)]
pub struct Score(pub u32);

/// Where something is, in one dimension.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Position(pub f32);

/// How far something goes in one turn.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Velocity(pub f32);

/// A picture by its number.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Texture(pub u32);

/// Is moved by somebody.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Player;

/// Is in flames.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Burning;

/// Does not burn.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Wet;

/// Loses health by and by.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Poisoned;

/// What something can do.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Strength(pub u32);

/// A connection by its number.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Socket(pub u32);

/// The length of a bar on the screen.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Bar(pub u32);

/// Places to come by, on a pooled stack.
#[derive(Component, Clone, Default)]
#[component(context = Game, pooled)]
pub struct Route(pub Vec<u32>);

/// Leads to a parent.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct ChildOf {
    /// The parent.
    #[component(relation(acyclic))]
    pub parent: EntityId<Game>,
}

/// A place that one entity has.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Seat {
    /// Its number.
    #[component(primary_index)]
    pub number: u32,
}

/// What the game is doing.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique, state)]
pub enum Mode {
    /// Waits for a choice.
    Menu,
    /// Goes on.
    Playing,
}
