//! The public API: contexts, entity handles, bundles, queries, templates.

pub(crate) mod batch;
pub(crate) mod bundle;
pub(crate) mod command_buffer;
pub(crate) mod component_handle;
pub(crate) mod context;
pub(crate) mod copying;
pub(crate) mod create;
pub(crate) mod dyn_entity;
pub(crate) mod dyn_related;
pub(crate) mod dyn_value;
pub(crate) mod entity;
pub(crate) mod entries;
pub(crate) mod entries_mut;
pub(crate) mod query;
pub(crate) mod related;
pub(crate) mod sources_mut;
pub(crate) mod template;
pub(crate) mod undo;
pub(crate) mod view;
