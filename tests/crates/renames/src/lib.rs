//! Every kind of declaration in a crate that knows the library as `renamed`.

use renamed::prelude::*;
use serde::{Deserialize, Serialize};

/// The context.
#[renamed::context(crate = "renamed")]
pub struct Game;

/// A second one.
#[renamed::context(crate = "::renamed")]
pub struct Input;

/// Both of them.
#[derive(Contexts, Default)]
#[contexts(crate = "renamed")]
pub struct World {
    /// The first.
    pub game: Game,
    /// The second.
    pub input: Input,
    /// A field that is no context.
    #[contexts(skip)]
    pub time: f32,
}

/// A pooled value.
#[derive(Component, Clone, Debug, Default)]
#[component(crate = "renamed", pooled)]
pub struct Path(pub Vec<u32>);

/// Ids inside of a value.
#[derive(Clone, Debug, renamed::MapIds)]
#[map_ids(crate = "renamed")]
pub struct Aim(pub Option<EntityId<Game>>);

/// A value with such values.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed")]
pub struct Aims(pub Vec<Aim>);

/// A flag in both contexts, with all events.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", context(Game, Input))]
#[component(event(any(set, removed), self(set, removed, priority = 1)))]
pub struct Frozen;

/// A hierarchy.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed")]
pub struct ChildOf {
    /// The parent.
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    pub parent: EntityId<Game>,
}

/// Keys of each kind.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed")]
pub struct Ticket {
    /// The primary key.
    #[component(primary_index)]
    pub number: u32,
    /// Several shared keys.
    #[component(index(each))]
    pub tags: Vec<u8>,
    /// A shared key.
    #[component(index)]
    pub row: u8,
}

/// A relation and an index, in traits.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", extension, event(any(set), self(removed)))]
pub struct Follows {
    /// In days.
    #[component(index)]
    pub since: u32,
    /// The leader.
    #[component(relation)]
    pub leader: EntityId<Game>,
}

/// A state.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(crate = "renamed", unique, state)]
pub enum Mode {
    /// The first.
    Menu,
    /// The second.
    Playing,
}

/// A unique value.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", unique, extension)]
pub struct Score(pub u32);

/// A component for each kind.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", instances(Stat<Path> as path_stat, Stat<Frozen> as frozen_stat))]
pub struct Stat<T: Send + Sync + 'static> {
    /// How much.
    pub value: u32,
    /// Of what.
    pub of: Option<fn() -> T>,
}

/// Requires other components.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", requires(Frozen, Path = Path(vec![1])))]
pub struct Player;

/// Removed at the end of a frame.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", cleanup(remove))]
pub struct Hit(#[component(into)] pub String);

/// Destroys its entity at the end of a frame.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", cleanup(destroy))]
pub struct Dead;

/// The first version of [`Purse`].
#[derive(Deserialize)]
pub struct Coins(u32);

/// A saved component.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(crate = "renamed", by_value, version = 2, alias = "Wallet", from(1 = Coins))]
pub struct Purse {
    /// A hundred of copper each.
    pub gold: u32,
    /// The rest.
    pub copper: u32,
}

impl From<Coins> for Purse {
    fn from(Coins(coins): Coins) -> Self {
        Self {
            gold: coins / 100,
            copper: coins % 100,
        }
    }
}

/// A transient component.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", transient)]
pub struct Cache(pub u8);

/// A bundle.
#[derive(Bundle)]
#[bundle(crate = "renamed")]
pub struct Guest {
    /// Always present.
    pub ticket: Ticket,
    /// Optional.
    pub player: Option<Player>,
}
