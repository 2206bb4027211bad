//! Templates in files: for people a map of components by name, for programs the same as bytes.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor,
};
use serde::ser::{Error as _, Serialize, SerializeMap as _, Serializer};

use crate::api::template::Template;
use crate::state::HasCore;
use crate::state::records::bytes::{read_bytes, read_values};
use crate::state::records::save::builder::unknown;
use crate::state::records::save::guard::FormatWatch;
use crate::state::records::save::layout::refusal;
use crate::state::records::save::names::{Named, Names};
use crate::storage::chunk::Chunk;
use crate::storage::value_list::ValueList;
use crate::words::packed::{Message, Packer, Unpacker};
use crate::words::source::Format;

/// Writes the components that are not `transient`, by name: `{"Health":9,"Name":"orc"}`; in binary
/// formats, as bytes.
///
/// # Errors
///
/// As of [`Save`](crate::Save).
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
impl<C: HasCore> Serialize for Template<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = Names::<C>::new();
        let parts = parts(self, &names).map_err(S::Error::custom)?;
        if !serializer.is_human_readable() {
            let bytes = pack(&names, &parts).map_err(S::Error::custom)?;
            return serializer.serialize_bytes(&bytes);
        }
        let watch = FormatWatch::of::<S>();
        let mut map = serializer.serialize_map(Some(parts.len()))?;
        for (named, chunk) in parts {
            let value = chunk.values.get(0);
            if let Some(value) = value.and_then(|value| named.descriptor.serialize(value)) {
                let written =
                    map.serialize_entry(&names.name_of(named.index), &watch.watched(value));
                let of_what = || format!("component `{}` of a template", named.name());
                written.map_err(|error| watch.error(&of_what(), error))?;
            }
        }
        map.end()
    }
}

/// A component and its value.
type TemplatePart<'a> = (&'a Named, &'a Chunk);

/// The components that are written, or why one of them cannot be.
fn parts<'a, C: HasCore>(
    template: &'a Template<C>,
    names: &'a Names<C>,
) -> Result<Vec<TemplatePart<'a>>, String> {
    let chunks = template.components().iter();
    let named = chunks.map(|chunk| (names.at(chunk.component), chunk));
    let parts: Vec<_> = named
        .filter(|(named, _)| !named.saving().is_transient)
        .collect();
    let impossible = parts
        .iter()
        .filter(|(named, _)| !named.saving().is_possible);
    let impossible = impossible.map(|(named, _)| format!("component `{}`", named.name()));
    match impossible.collect::<Vec<_>>() {
        none if none.is_empty() => Ok(parts),
        some => Err(refusal(
            &format!("a template of context `{}`", C::NAME),
            some,
        )),
    }
}

fn pack<C: HasCore>(names: &Names<C>, parts: &[TemplatePart<'_>]) -> Result<Vec<u8>, String> {
    let mut to = Packer::default();
    to.number(parts.len() as u64);
    for &(named, chunk) in parts {
        to.sized(names.name_of(named.index).as_bytes());
        let packed = to.part(|to| chunk.values.pack(to));
        packed
            .map_err(|error| format!("component `{}` cannot be written: {error}", named.name()))?;
    }
    Ok(to.into_bytes())
}

/// Reads components by name. All of them are `Clone`, and known to the program.
impl<'de, C: HasCore> Deserialize<'de> for Template<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut parts = TemplateParts::<C>::new();
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_map(parts),
            false => read_bytes(["template", C::NAME], deserializer, |from| {
                parts.unpack(from)?;
                parts.finish()
            }),
        }
    }
}

/// The components that have been read.
struct TemplateParts<C: 'static> {
    names: Names<C>,
    components: Vec<Chunk>,
    unknown: Vec<String>,
}

impl<C: HasCore> TemplateParts<C> {
    fn new() -> Self {
        Self {
            names: Names::new(),
            components: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// The component with a name, of which a template may have a value.
    fn find(&mut self, name: &str) -> Result<Option<(Named, u32)>, String> {
        let Some((named, version)) = self.names.find(name) else {
            self.unknown.push(name.to_string());
            return Ok(None);
        };
        if !named.descriptor.is_clone {
            return Err(format!(
                "component `{0}` cannot be part of a template, which gives clones of its values: add \
                 `#[derive(Clone)]` to `{0}`",
                named.name()
            ));
        }
        let mut known = self.components.iter();
        if known.any(|chunk| chunk.component == named.index) {
            return Err(format!("component `{}` is there twice", named.name()));
        }
        Ok(Some((named, version)))
    }

    /// Adds what `read` puts into a list of values.
    fn add(
        &mut self,
        named: &Named,
        read: impl FnOnce(&mut ValueList) -> Result<(), Message>,
    ) -> Result<(), String> {
        let mut chunk = Chunk::new(named.index, named.descriptor);
        let read = read(&mut chunk.values);
        read.map_err(|error| format!("component `{}` cannot be read: {error}", named.name()))?;
        self.components.push(chunk);
        Ok(())
    }

    fn finish(self) -> Result<Template<C>, String> {
        match self.unknown.is_empty() {
            true => Ok(Template::of_components(self.components)),
            false => Err(unknown(C::NAME, &self.unknown)),
        }
    }

    fn unpack(&mut self, from: &mut Unpacker<'_>) -> Result<(), String> {
        for _ in 0..from.count()? {
            let (name, value) = (from.text()?, from.part()?);
            if let Some((named, version)) = self.find(name)? {
                let read = |list: &mut ValueList| read_values(list, (version, 1), value);
                self.add(&named, |list| read(list).map_err(|(_, error)| error))?;
            }
        }
        Ok(())
    }
}

impl<'de, C: HasCore> Visitor<'de> for TemplateParts<C> {
    type Value = Template<C>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "components of context `{}` by name", C::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Template<C>, A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match self.find(&name).map_err(A::Error::custom)? {
                Some((named, version)) => map.next_value_seed(TemplateValueReader {
                    parts: &mut self,
                    named,
                    version,
                })?,
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        self.finish().map_err(A::Error::custom)
    }
}

/// Reads the value of a component.
struct TemplateValueReader<'p, C: 'static> {
    parts: &'p mut TemplateParts<C>,
    named: Named,
    version: u32,
}

impl<'de, C: HasCore> DeserializeSeed<'de> for TemplateValueReader<'_, C> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut from = Format::new(deserializer);
        let read = |list: &mut ValueList| list.read(self.version, &mut from);
        self.parts.add(&self.named, read).map_err(D::Error::custom)
    }
}
