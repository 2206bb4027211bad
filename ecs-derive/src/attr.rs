//! The attributes that the macros own, read into one struct each. What entries mean together is
//! `valid`'s business.

mod component;
mod context;
pub(crate) mod contexts;
mod entries;
mod event;
mod values;

pub(crate) use self::component::{Cleanup, FieldAttrs, Keys, TypeAttrs, is_component};
pub(crate) use self::context::ContextArgs;
pub(crate) use self::entries::Given;
pub(crate) use self::event::{Event, EventKind, Scope};
