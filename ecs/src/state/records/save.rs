//! Saving a context and loading it again, by serde.
//!
//! ```text
//! Save ─► layout.rs   what there is to be saved, and whether all of it can be
//!          ├ to_text.rs    formats for people: entities by id, components by name
//!          └ to_bytes.rs   binary formats: slots, then a column for each component
//!
//! Loader ─► from_text.rs, from_bytes.rs ─► builder.rs   lists of values, nothing changed yet
//!            └► loading.rs   all of it checked, then all of it there
//! ```
//!
//! `guard.rs` refuses values that a format for people would change, and `names.rs` says what components are
//! called in files.

pub(crate) mod builder;
mod from_bytes;
mod from_text;
pub(crate) mod guard;
pub(crate) mod layout;
mod loader;
pub(crate) mod loading;
pub(crate) mod names;
mod to_bytes;
mod to_text;

use core::fmt;

use serde::ser::{Error as _, Serialize, Serializer};

use crate::state::HasCore;
use crate::state::records::save::layout::SaveLayout;

pub use self::loader::Loader;

/// A context, to be written in any format of serde. Returned by
/// [`Context::save`](crate::Context::save).
///
/// Formats for people (JSON, RON) get the entities by id, with their components by name; binary ones
/// (postcard, bincode) get bytes: a column for each component.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # use serde::{Deserialize, Serialize};
/// #[derive(Component, Serialize, Deserialize)]
/// #[component(context = Game)]
/// struct Health(u32);
///
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Frozen;
///
/// let mut game = Game::new();
/// game.create_with((Health(3), Frozen));
/// let text = serde_json::to_string(&game.save()).unwrap();
/// assert_eq!(
///     text,
///     r#"{"format":1,"context":"Game","entities":{"0v1":{"Frozen":{},"Health":3}}}"#
/// );
/// ```
#[must_use = "nothing is saved until a format of serde writes it"]
pub struct Save<'a, C> {
    pub(crate) context: &'a C,
}

impl<'a, C: HasCore> Save<'a, C> {
    pub(crate) fn new(context: &'a C) -> Self {
        Self { context }
    }
}

/// Writes the context.
///
/// # Errors
///
/// An error of the format that names all components that some entity has and that cannot be
/// written: neither both `Serialize` and `DeserializeOwned`, nor a flag, nor `transient`. Nothing has
/// been written then.
///
/// Also an error of the format if a value could not be read back; it names the component:
///
/// - In formats for people, a number that is infinite or NaN, unless the format is RON, TOML or YAML, and
///   `Some` of a value that is written as nothing, such as `Some(None)`, unless the format is RON. JSON
///   writes `null` for both. The error also names the entity and the field.
/// - In binary formats, a type that uses serde's `tag`, `untagged` or `flatten`.
///
/// Some values cannot be read back and are not detected: inside of a type that uses `tag`, `untagged` or
/// `flatten`, serde reads no map with numbers as keys from JSON, and no `struct New(u8)` from RON. And
/// `serde_json` reads every `f64` exactly only with its feature `float_roundtrip`.
impl<C: HasCore> Serialize for Save<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let layout = SaveLayout::new(self.context).map_err(S::Error::custom)?;
        if serializer.is_human_readable() {
            return to_text::write(&layout, serializer);
        }
        let bytes = to_bytes::write(&layout).map_err(S::Error::custom)?;
        serializer.serialize_bytes(&bytes)
    }
}

impl<C> Clone for Save<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Save<'_, C> {}

impl<C: HasCore> fmt::Debug for Save<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entities = self.context.core().slots().len();
        let mut text = f.debug_struct("Save");
        text.field("context", &C::NAME);
        text.field("entities", &entities).finish()
    }
}
