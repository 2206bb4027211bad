//! Saving a context and loading it again, by serde.
//!
//! ```text
//! Save ─► layout.rs   what there is to be saved, and whether all of it can be
//!          ├ to_text.rs    formats for people: entities by id, components by name
//!          └ to_bytes.rs   binary formats: slots, then a column for each component
//!
//! Loader ─► from_text.rs, from_bytes.rs ─► builder.rs   lists of values, nothing changed yet
//!            └► state/loading.rs   all of it checked, then all of it there
//! ```
//!
//! `guard.rs` refuses values that a format for people would change, `pending.rs` says what a save does not
//! have because it is held for others, `names.rs` what components are called in files, and `template.rs`
//! does the same for templates.

mod builder;
mod from_bytes;
mod from_text;
mod guard;
mod layout;
mod loader;
mod names;
mod pending;
mod save;
mod template;
mod to_bytes;
mod to_text;

pub use self::loader::Loader;
pub use self::pending::{Pending, PendingKind};
pub use self::save::Save;
