//! Parses the items with macros.
//!
//! Parsing never fails if the intention is clear: a mistake is reported, and the item is completed
//! with the nearest thing that can be expanded, so that one mistake causes no others.

mod attr;
pub(crate) mod bundle;
pub(crate) mod checksum;
pub(crate) mod component;
pub(crate) mod context;
mod field;
pub(crate) mod foreign;
mod hint;
mod index;
pub(crate) mod instance;
mod library;
pub(crate) mod map_ids;
mod name;
pub(crate) mod query_data;
mod relation;
mod variant;
pub(crate) mod world;

pub(crate) use self::attr::{
    Cleanup, Event, EventKind, Given, Keys, Older, OnTargetDestroyed, Required, Scope, Step,
};
pub(crate) use self::bundle::{BundleField, BundleItem};
pub(crate) use self::checksum::ChecksumItem;
pub(crate) use self::component::{Component, Context, Shape};
pub(crate) use self::context::ContextItem;
pub(crate) use self::field::Field;
pub(crate) use self::hint::{FieldHint, Hint};
pub(crate) use self::index::{IndexedField, StructureIndex, StructureKind};
pub(crate) use self::map_ids::MapIdsItem;
pub(crate) use self::query_data::QueryItem;
pub(crate) use self::relation::Relation;
pub(crate) use self::variant::{Variant, is_skipped, is_written_otherwise};
pub(crate) use self::world::{ContextField, World};
