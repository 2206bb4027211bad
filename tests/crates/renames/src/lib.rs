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
    /// What is none.
    #[contexts(skip)]
    pub time: f32,
}

/// A value on a pool.
#[derive(Component, Clone, Debug, Default)]
#[component(crate = "renamed", pooled)]
pub struct Path(pub Vec<u32>);

/// Ids inside of a value.
#[derive(Clone, Debug, renamed::MapIds)]
#[map_ids(crate = "renamed")]
pub struct Aim(pub Option<EntityId<Game>>);

/// What has such values.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed")]
pub struct Aims(pub Vec<Aim>);

/// A flag of both contexts, with all events.
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
    /// One entity has it.
    #[component(primary_index)]
    pub number: u32,
    /// Many have some of them.
    #[component(index(each))]
    pub tags: Vec<u8>,
    /// Many have it.
    #[component(index)]
    pub row: u8,
}

/// A relation with an index beside it, in traits.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", extension, event(any(set), self(removed)))]
pub struct Follows {
    /// In days.
    #[component(index)]
    pub since: u32,
    /// Who is followed.
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

/// A value that there is once.
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

/// What comes with others.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", requires(Frozen, Path = Path(vec![1])))]
pub struct Player;

/// What ends with a frame.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", cleanup(remove))]
pub struct Hit(#[component(into)] pub String);

/// What ends its entity with a frame.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", cleanup(destroy))]
pub struct Dead;

/// The first version of [`Purse`].
#[derive(Deserialize)]
pub struct Coins(u32);

/// What is saved.
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

/// What is not saved.
#[derive(Component, Clone, Debug)]
#[component(crate = "renamed", transient)]
pub struct Cache(pub u8);

/// Some of them together.
#[derive(Bundle)]
#[bundle(crate = "renamed")]
pub struct Guest {
    /// Always.
    pub ticket: Ticket,
    /// At times.
    pub player: Option<Player>,
}
