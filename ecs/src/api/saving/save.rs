//! A context as a value that serde writes.

use core::fmt;

use serde::ser::{Error as _, Serialize, Serializer};

use crate::api::saving::layout::Layout;
use crate::api::saving::{to_bytes, to_text};
use crate::state::HasCore;

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
    context: &'a C,
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
impl<C: HasCore> Serialize for Save<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let layout = Layout::new(self.context).map_err(S::Error::custom)?;
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
        let entities = self.context.core().slots.len();
        let mut text = f.debug_struct("Save");
        text.field("context", &C::NAME);
        text.field("entities", &entities).finish()
    }
}
