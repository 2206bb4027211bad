//! The attributes of the macros, each parsed into a struct. `valid` checks combinations of entries.

mod component;
mod context;
mod delta;
mod entries;
mod event;
mod instances;
pub(super) mod library;
mod nearest;
mod range;
mod relation;
mod required;
mod saving;
mod values;

pub(super) use self::component::is_component;
pub(crate) use self::component::{Cleanup, FieldAttrs, Keys, TypeAttrs};
pub(super) use self::context::ContextAttrs;
pub(crate) use self::delta::Step;
pub(crate) use self::entries::Given;
pub(crate) use self::event::{Event, EventKind, Scope};
pub(crate) use self::instances::Instance;
pub(crate) use self::range::Range;
pub(crate) use self::relation::{OnTargetDestroyed, RelationAttrs};
pub(crate) use self::required::Required;
pub(crate) use self::saving::Older;
