//! Templates in files: a map of components by name in text formats, the same as bytes in binary
//! formats; a tree is a map of its entities.

mod parts;
mod tree;

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use self::parts::{TemplateParts, pack_parts, parts, write_parts};
use super::Template;
use crate::formats::packed::Packer;
use crate::records::bytes::read_bytes;
use crate::records::save::names::Names;
use crate::state::HasCore;

/// Writes the components that are not `transient`, by name: `{"Health":9,"Name":"orc"}`; in binary
/// formats, as bytes. A tree is written as its entities by id, starting with 0v1, with their names
/// appended: `{"0v1 tank":{"Health":9},"1v1 turret":{"ChildOf":{"parent":"0v1"},"Health":3}}`.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// # use std::collections::BTreeMap;
/// let file = r#"{ "orc": { "Health": 9 }, "chief": { "Health": 20 } }"#;
/// let prefabs: BTreeMap<String, Template<Game>> = serde_json::from_str(file).unwrap();
/// let mut game = Game::new();
/// assert_eq!(prefabs["chief"].create(&mut game).health().0, 20);
/// assert_eq!(serde_json::to_string(&prefabs["orc"]).unwrap(), r#"{"Health":9}"#);
/// ```
///
/// # Errors
///
/// Returns the errors of [`Save`](crate::Save). Also returns an error if a component of a tree
/// refers to an entity outside of it, because the id would mean another entity where the file is
/// read.
impl<C: HasCore> Serialize for Template<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = Names::<C>::new();
        if !self.is_one_unnamed() {
            return tree::write(self, &names, serializer);
        }
        let parts = parts(&self.components, &names).map_err(S::Error::custom)?;
        if !serializer.is_human_readable() {
            let mut to = Packer::default();
            pack_parts(&names, &parts, &mut to).map_err(S::Error::custom)?;
            return serializer.serialize_bytes(&to.into_bytes());
        }
        write_parts(&parts, &names, serializer)
    }
}

/// Reads components by name, or the entities of a tree by id. All components must be `Clone`, and
/// exist in the program.
impl<'de, C: HasCore> Deserialize<'de> for Template<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_map(TemplateReader(PhantomData));
        }
        read_bytes(["template", C::NAME], deserializer, |from| {
            let mut parts = TemplateParts::<C>::new();
            parts.unpack(from)?;
            match parts.is_empty() && from.left() > 0 {
                true => tree::unpack(from),
                false => parts.finish().map(Self::of_components),
            }
        })
    }
}

struct TemplateReader<C>(PhantomData<fn() -> C>);

impl<'de, C: HasCore> Visitor<'de> for TemplateReader<C> {
    type Value = Template<C>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "components of context `{}` by name, or entities by id",
            C::NAME
        )
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Template<C>, A::Error> {
        let first: Option<String> = map.next_key()?;
        match first {
            Some(first) if tree::node_key(&first).is_some() => tree::read(first, map),
            Some(_) => TemplateParts::<C>::new()
                .read(first, map)
                .map(Template::of_components),
            None => Ok(Template::new()),
        }
    }
}
