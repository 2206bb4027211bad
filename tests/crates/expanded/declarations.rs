// Every kind of item, as it is declared.

use std::collections::BTreeMap;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// Everything in play.
#[ecs::context]
pub struct Game;

/// What players do.
#[ecs::context]
pub struct Input;

/// All of it.
#[derive(Contexts, Debug, Default)]
pub struct World {
    /// What is played.
    pub game: Game,
    /// What players do.
    pub input: Input,
    /// In seconds.
    #[contexts(skip)]
    pub time: f32,
}

/// Where an entity is.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct Position {
    /// From left to right.
    pub x: f32,
    /// From top to bottom.
    pub y: f32,
}

/// A value without a name for it.
#[derive(Component, Clone, Debug)]
pub struct Health(pub u32);

/// Two of them.
#[derive(Component, Clone, Debug)]
pub struct Range(pub u32, pub u32);

/// No value.
#[derive(Component, Clone, Debug)]
pub struct Frozen;

/// An entity of two contexts.
#[derive(Component, Clone, Debug)]
#[component(context(Game, Input), name = "side")]
pub enum Team {
    /// Begins.
    Red,
    /// Follows.
    Blue(u8),
}

/// What is handed on as a whole.
#[derive(Component, Clone, Debug)]
#[component(by_value)]
pub struct Matrix {
    /// Line by line.
    pub cells: [f32; 9],
}

/// What is made of other types.
#[derive(Component, Clone, Debug, Hash)]
pub struct Title {
    /// As it is shown.
    #[component(into)]
    pub text: String,
    /// Among others.
    pub rank: u8,
}

/// A key of its own, and keys of many.
#[derive(Component, Clone, Debug)]
pub struct Ticket {
    /// No two have it.
    #[component(primary_index)]
    pub r#type: u32,
    /// Any number of them.
    #[component(index(each))]
    pub tags: Vec<String>,
    /// One of them.
    #[component(index)]
    pub owner: Option<u8>,
}

/// What an entity is called.
#[derive(Component, Clone, Debug)]
#[component(label)]
pub struct Caption(pub String);

/// Shown in ways of its own.
#[derive(Component, Clone, Debug)]
pub struct Lamp {
    /// In percent.
    #[component(range = 0..=100)]
    pub power: u8,
    /// As `0xRRGGBB`.
    #[component(color)]
    pub light: u32,
    /// A private field.
    #[component(hidden)]
    pub handle: u64,
}

/// A hierarchy.
#[derive(Component, Clone, Debug)]
pub struct ChildOf {
    /// What this is part of.
    #[component(relation(
        reverse = children,
        on_target_destroyed = destroy,
        acyclic,
        ordered,
    ))]
    pub parent: EntityId<Game>,
}

/// Who follows whom, since when.
#[derive(Component, Clone, Debug)]
#[component(extension)]
pub struct Follows {
    /// In days.
    #[component(index)]
    pub since: u32,
    /// Ahead.
    #[component(relation)]
    pub leader: EntityId<Game>,
}

/// Memory that is used again.
#[derive(Component, Clone, Debug, Default)]
#[component(pooled)]
pub struct Path(pub Vec<u32>);

/// What the program is in.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(unique, state)]
pub enum Mode {
    /// At first.
    Menu,
    /// Then.
    Playing,
}

/// A number for each kind.
#[derive(Component, Clone, Debug)]
#[component(instances(Stat<Health> as health_stat, Stat<Range> as range_stat))]
pub struct Stat<T: Send + Sync + 'static> {
    /// How much.
    #[component(index)]
    pub value: u32,
    /// Of what.
    pub of: Option<fn() -> T>,
}

/// An entity that moves and lives.
#[derive(Component, Clone, Debug)]
#[component(requires(Frozen, Path, Health = Health(4)))]
pub struct Player(pub u8);

/// What is announced.
#[derive(Component, Clone, Debug)]
#[component(event(any, set, priority = -1), event(self, removed))]
pub struct Level(pub u8);

/// What others announce.
#[derive(Component, Clone, Debug)]
#[component(extension, event(any, removed), event(self, set))]
pub struct Outside;

/// One at most.
#[derive(Component, Clone, Debug)]
#[component(unique)]
pub struct Score(pub u32);

/// One at most, of no value.
#[derive(Component, Clone, Debug)]
#[component(unique)]
pub struct Paused;

/// One at most, in a trait.
#[derive(Component, Clone, Debug)]
#[component(unique, extension)]
pub struct Highscore(pub u32);

/// One at most, found by its name.
#[derive(Component, Clone, Debug)]
#[component(unique)]
pub struct Leader(#[component(index)] pub String);

/// Taken away at the end of a frame.
#[derive(Component, Clone, Debug)]
#[component(cleanup(remove))]
pub struct Hit(pub u32);

/// Gone at the end of a frame.
#[derive(Component, Clone, Debug)]
#[component(cleanup(destroy))]
pub struct Dead;

/// What was written before there were two numbers.
#[derive(Deserialize)]
pub struct OldPurse {
    /// All of it.
    pub coins: u32,
}

impl From<OldPurse> for Purse {
    fn from(old: OldPurse) -> Self {
        Self {
            gold: old.coins / 100,
            copper: old.coins % 100,
        }
    }
}

/// What is saved, in its second version.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(version = 2, alias = "Wallet", from(1 = OldPurse))]
pub struct Purse {
    /// A hundred of copper each.
    pub gold: u32,
    /// The rest.
    pub copper: u32,
}

/// What is not saved.
#[derive(Component, Clone, Debug)]
#[component(transient)]
pub struct Cache {
    /// By their names.
    pub entries: BTreeMap<String, u32>,
}

/// A deprecated component.
#[deprecated]
#[derive(Component, Clone, Debug)]
pub struct Old {
    /// A type that is nothing but itself.
    pub next: Option<Box<Self>>,
}

/// What heroes begin with.
#[derive(Bundle, Debug)]
pub struct Hero {
    /// Where.
    pub position: Position,
    /// Whether they live.
    pub health: Option<Health>,
}

/// What is more than a tuple holds.
#[derive(Bundle, Debug)]
pub struct Tagged<B: Clone>(pub Title, pub B)
where
    B: Send;

/// Who leads, of which no other code reads.
#[derive(Component, Clone, Debug)]
pub struct Led {
    #[component(relation(reverse = led_ones))]
    _leader: EntityId<Game>,
}

/// Keys of which no other code reads.
#[derive(Component, Clone, Debug)]
pub struct Berth {
    #[component(primary_index)]
    _number: u32,
    #[component(index(each))]
    _tags: Vec<u8>,
}

/// As many as two and two.
#[derive(Component, Clone, Debug)]
#[component(instances(Lanes<{ 2 + 2 }> as four_lanes))]
pub struct Lanes<const N: usize>(pub [u8; N]);

/// What has ids inside, of whichever type they are.
#[derive(Clone, Debug, MapIds)]
pub enum Order<T> {
    /// Has none.
    Wait,
    /// Has some.
    Follow {
        /// Whom.
        whom: T,
        /// How near.
        distance: f32,
    },
    /// Has two.
    Join(T, EntityId<Game>),
}

/// Ids in fields.
#[derive(Component, Clone, Debug)]
pub struct Orders {
    /// Those to be carried out.
    pub list: Vec<Order<EntityId<Game>>>,
    /// Who gives them.
    pub from: Option<EntityId<Game>>,
    /// When.
    pub at: f32,
}

/// Ids in variants.
#[derive(Component, Clone, Debug)]
pub enum Aim {
    /// There is none.
    Lost,
    /// There is one.
    At(EntityId<Game>),
}

/// What a loop asks for.
#[derive(QueryData, Debug)]
pub struct Seen<'a> {
    /// Where.
    pub position: &'a mut Position,
    /// Whether it lives.
    pub health: Option<&'a Health>,
    /// Who.
    pub id: EntityId<Game>,
}

/// What another loop only reads.
#[derive(QueryData, Debug)]
pub struct Read<'a, T: Component<Game>>(pub &'a T, pub EntityId<Game>);
