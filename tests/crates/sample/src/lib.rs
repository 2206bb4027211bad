//! The context that most examples of the library's documentation share by a hidden
//! `use sample::*;`. An example with a context of its own takes ten times as long to compile.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// The context.
#[ecs::context]
pub struct Game;

/// How much something can still bear.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Health(pub u32);

/// Does not move.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Frozen;

/// On whose side something is.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Team(#[component(index)] pub u8);

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

/// Is moved by a system.
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

/// Refers to a parent.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct ChildOf {
    /// The parent.
    #[component(relation(reverse = children, acyclic))]
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

/// What something is called.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Name(pub &'static str);

/// A place on a grid.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Cell(pub i32, pub i32);

/// From where to where something reaches.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Span {
    /// The first number in it.
    pub from: i32,
    /// The first number behind it.
    pub to: i32,
}

/// How far something reaches.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Radius(pub f32);

/// Is over.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Dead;

/// Has been struck since the last clean-up.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, cleanup(remove))]
pub struct Hit;

/// What a ship carries.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Cargo(pub u32);

/// What is left of something.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Debris(pub u32);

/// Can be pressed.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Button;

/// Stands still for now.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique)]
pub struct Paused;

/// The turns that are over.
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

/// Is there while the game goes on.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Monster;

/// Stays behind another one.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Follows {
    /// Whom it follows.
    pub leader: EntityId<Game>,
    /// How far behind.
    pub distance: f32,
}

/// A context beside the first one.
#[ecs::context]
pub struct Ui;

/// What is written somewhere.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Ui)]
pub struct Label(pub String);

/// Something to draw on, by its number; nothing that could be cloned.
#[derive(Component, Debug)]
#[component(context = Ui)]
pub struct Canvas(pub u32);
