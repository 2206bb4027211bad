// Every kind of declaration.

use std::collections::BTreeMap;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// Everything in play.
#[ecs::context]
pub struct Game;

/// What players do.
#[ecs::context]
pub struct Input;

/// Both contexts.
#[derive(Contexts, Debug, Default)]
pub struct World {
    /// The game.
    pub game: Game,
    /// What players do.
    pub input: Input,
    /// In seconds.
    #[contexts(skip)]
    pub time: f32,
}

/// The place of an entity.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct Position {
    /// From left to right.
    pub x: f32,
    /// From top to bottom.
    pub y: f32,
}

/// A tuple struct with one field.
#[derive(Component, Clone, Debug)]
pub struct Health(pub u32);

/// A tuple struct with two fields.
#[derive(Component, Clone, Debug)]
pub struct Range(pub u32, pub u32);

/// A flag.
#[derive(Component, Clone, Debug)]
pub struct Frozen;

/// An enum in two contexts.
#[derive(Component, Clone, Debug)]
#[component(context(Game, Input), name = "side")]
pub enum Team {
    /// Starts.
    Red,
    /// Follows.
    Blue(u8),
}

/// A value passed as a whole.
#[derive(Component, Clone, Debug)]
#[component(by_value)]
pub struct Matrix {
    /// Row by row.
    pub cells: [f32; 9],
}

/// A value converted from other types.
#[derive(Component, Clone, Debug, Hash)]
pub struct Title {
    /// The displayed text.
    #[component(into)]
    pub text: String,
    /// Its rank.
    pub rank: u8,
}

/// A primary key, and other keys.
#[derive(Component, Clone, Debug)]
pub struct Ticket {
    /// The primary key.
    #[component(primary_index)]
    pub r#type: u32,
    /// Any number of them.
    #[component(index(each))]
    pub tags: Vec<String>,
    /// One of them.
    #[component(index)]
    pub owner: Option<u8>,
}

/// The name of an entity.
#[derive(Component, Clone, Debug)]
#[component(label)]
pub struct Caption(pub String);

/// Has its own debug output.
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
    /// The parent.
    #[component(relation(
        reverse = children,
        on_target_destroyed = destroy,
        acyclic,
        ordered,
    ))]
    pub parent: EntityId<Game>,
}

/// A relation with data.
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

/// A list of values.
#[derive(Component, Clone, Debug)]
#[component(many)]
pub struct Mesh {
    /// In the folder of meshes.
    #[component(into)]
    pub file: String,
}

/// A link to each of many targets.
#[derive(Component, Clone, Debug)]
pub struct Likes {
    /// The liked one.
    #[component(relation(many, reverse = liked_by))]
    pub whom: EntityId<Game>,
    /// In hearts.
    pub amount: u32,
}

/// A pooled value.
#[derive(Component, Clone, Debug, Default)]
#[component(pooled)]
pub struct Path(pub Vec<u32>);

/// The state of the program.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(unique, state)]
pub enum Mode {
    /// The first state.
    Menu,
    /// The second state.
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

/// Requires other components.
#[derive(Component, Clone, Debug)]
#[component(requires(Frozen, Path, Health = Health(4)))]
pub struct Player(pub u8);

/// A component with events.
#[derive(Component, Clone, Debug)]
#[component(event(any, set, priority = -1), event(self, removed))]
pub struct Level(pub u8);

/// A component with events of another crate.
#[derive(Component, Clone, Debug)]
#[component(extension, event(any, removed), event(self, set))]
pub struct Outside;

/// A unique value.
#[derive(Component, Clone, Debug)]
#[component(unique)]
pub struct Score(pub u32);

/// A unique flag.
#[derive(Component, Clone, Debug)]
#[component(unique)]
pub struct Paused;

/// A unique value with its accessors in a trait.
#[derive(Component, Clone, Debug)]
#[component(unique, extension)]
pub struct Highscore(pub u32);

/// A unique value with an index.
#[derive(Component, Clone, Debug)]
#[component(unique)]
pub struct Leader(#[component(index)] pub String);

/// Removed at the end of a frame.
#[derive(Component, Clone, Debug)]
#[component(cleanup(remove))]
pub struct Hit(pub u32);

/// Destroys its entity at the end of a frame.
#[derive(Component, Clone, Debug)]
#[component(cleanup(destroy))]
pub struct Dead;

/// The first version of [`Purse`], with a single number.
#[derive(Deserialize)]
pub struct OldPurse {
    /// The total.
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

/// A saved component in its second version.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(version = 2, alias = "Wallet", from(1 = OldPurse))]
pub struct Purse {
    /// A hundred of copper each.
    pub gold: u32,
    /// The rest.
    pub copper: u32,
}

/// A transient component.
#[derive(Component, Clone, Debug)]
#[component(transient)]
pub struct Cache {
    /// The entries by name.
    pub entries: BTreeMap<String, u32>,
}

/// A deprecated component.
#[deprecated]
#[derive(Component, Clone, Debug)]
pub struct Old {
    /// A recursive type.
    pub next: Option<Box<Self>>,
}

/// The components of a new hero.
#[derive(Bundle, Debug)]
pub struct Hero {
    /// The place.
    pub position: Position,
    /// Optional health.
    pub health: Option<Health>,
}

/// A generic bundle.
#[derive(Bundle, Debug)]
pub struct Tagged<B: Clone>(pub Title, pub B)
where
    B: Send;

/// A relation that no other code reads.
#[derive(Component, Clone, Debug)]
pub struct Led {
    #[component(relation(reverse = led_ones))]
    _leader: EntityId<Game>,
}

/// Keys that no other code reads.
#[derive(Component, Clone, Debug)]
pub struct Berth {
    #[component(primary_index)]
    _number: u32,
    #[component(index(each))]
    _tags: Vec<u8>,
}

/// A value with a const parameter.
#[derive(Component, Clone, Debug)]
#[component(instances(Lanes<{ 2 + 2 }> as four_lanes))]
pub struct Lanes<const N: usize>(pub [u8; N]);

/// A generic value that contains ids.
#[derive(Clone, Debug, MapIds)]
pub enum Order<T> {
    /// No ids.
    Wait,
    /// One id.
    Follow {
        /// The leader.
        whom: T,
        /// The distance to keep.
        distance: f32,
    },
    /// Two ids.
    Join(T, EntityId<Game>),
}

/// Ids in fields.
#[derive(Component, Clone, Debug)]
pub struct Orders {
    /// The pending orders.
    pub list: Vec<Order<EntityId<Game>>>,
    /// The commander.
    pub from: Option<EntityId<Game>>,
    /// The time of the order.
    pub at: f32,
}

/// Ids in variants.
#[derive(Component, Clone, Debug)]
pub enum Aim {
    /// No target.
    Lost,
    /// A target.
    At(EntityId<Game>),
}

/// The items of a query.
#[derive(QueryData, Debug)]
pub struct Seen<'a> {
    /// The place.
    pub position: &'a mut Position,
    /// Optional health.
    pub health: Option<&'a Health>,
    /// The entity.
    pub id: EntityId<Game>,
}

/// The items of a read-only query.
#[derive(QueryData, Debug)]
pub struct Read<'a, T: Component<Game>>(pub &'a T, pub EntityId<Game>);

/// A flag with another prefix.
#[derive(Component, Clone, Debug)]
#[component(flag_prefix = "can", hidden)]
pub struct Fly;

/// Used by its type.
#[derive(Component, Clone, Debug, Default)]
#[component(no_accessors, pooled(keep = 64))]
pub struct Velocity {
    /// The change of the position in a second.
    pub by: f32,
}

ecs::foreign!(pub Game: std::time::Duration as lifetime);
