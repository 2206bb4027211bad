//! What users and every other layer name things by: ids, components, sets of components,
//! errors. Nothing in here knows of a context.

pub(crate) mod component;
pub(crate) mod entity_id;
pub(crate) mod error;
pub(crate) mod field_index;
pub(crate) mod heap_size;
pub(crate) mod origin;
pub(crate) mod probe;
pub(crate) mod relation;
pub(crate) mod signature;
pub(crate) mod thread_safe;
