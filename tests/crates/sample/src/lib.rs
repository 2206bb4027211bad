//! The context that most examples in the library's documentation share with a hidden
//! `use sample::*;`. An example that declares a context takes ten times as long to compile.

pub use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// The context.
#[ecs::context]
pub struct Game;

/// The remaining health.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Health(pub u32);

/// Cannot move.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Frozen;

/// The team of an entity.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Team(#[component(index)] pub u8);

/// The points of the game.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique)]
pub struct Score(pub u32);

/// The place of an entity, in one dimension.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Position(pub f32);

/// The distance covered in one turn.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Velocity(pub f32);

/// A picture by its number.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Texture(pub u32);

/// Marks the player.
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

/// Loses health over time.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Poisoned;

/// The strength of an entity.
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

/// Waypoints; the vector is pooled.
#[derive(Component, Clone, Default)]
#[component(context = Game, pooled)]
pub struct Route(pub Vec<u32>);

/// Refers to a parent.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct ChildOf {
    /// The parent.
    #[component(relation(reverse = children, acyclic, ordered))]
    pub parent: EntityId<Game>,
}

/// A place that only one entity can have.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Seat {
    /// Its number.
    #[component(primary_index)]
    pub number: u32,
}

/// The state of the game.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique, state)]
pub enum Mode {
    /// In the menu.
    Menu,
    /// Playing.
    Playing,
}

/// The name of an entity.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Name(pub &'static str);

/// A place on a grid.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Cell(pub i32, pub i32);

/// A range.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Span {
    /// The first number in the range.
    pub from: i32,
    /// The first number after the range.
    pub to: i32,
}

/// The radius of an entity.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Radius(pub f32);

/// Marks a dead entity.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Dead;

/// Was hit since the last cleanup.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, cleanup(remove))]
pub struct Hit;

/// The cargo of a ship.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Cargo(pub u32);

/// The remains of an entity.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Debris(pub u32);

/// Can be pressed.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Button;

/// Is paused.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique)]
pub struct Paused;

/// The number of completed turns.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique)]
pub struct Time(pub u32);

/// Refers to the opponent.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Foe {
    /// The other one.
    pub id: EntityId<Game>,
}

/// Exists while the game is played.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Monster;

/// Follows another entity.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Follows {
    /// The entity to follow.
    pub leader: EntityId<Game>,
    /// The distance to keep.
    pub distance: f32,
}

/// A second context.
#[ecs::context]
pub struct Ui;

/// A text.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Ui)]
pub struct Label(pub String);

/// A drawing surface by its number; cannot be cloned.
#[derive(Component, Debug)]
#[component(context = Ui)]
pub struct Canvas(pub u32);
