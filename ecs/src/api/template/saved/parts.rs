//! The components of one entity of a saved template.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::ser::{SerializeMap as _, Serializer};

use crate::formats::packed::{Message, Packer, Unpacker};
use crate::formats::source::Format;
use crate::records::bytes::read_values;
use crate::records::save::builder::unknown;
use crate::records::save::layout::rejection;
use crate::records::save::names::{Named, Names};
use crate::records::save::to_text::write_value;
use crate::state::HasCore;
use crate::storage::chunk::Chunk;
use crate::storage::value_list::ValueList;

/// Writes components by name.
pub(super) fn write_parts<C: HasCore, S: Serializer>(
    parts: &[TemplatePart<'_>],
    names: &Names<C>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(parts.len()))?;
    for (named, chunk) in parts {
        let value = chunk.values.get(0);
        if let Some(value) = value.and_then(|value| named.descriptor.serialize(value)) {
            let of_what = || format!("component `{}` of a template", named.name());
            write_value(&mut map, (&names.name_of(named.index), value), of_what)?;
        }
    }
    map.end()
}

/// A component and its value.
pub(super) type TemplatePart<'a> = (&'a Named, &'a Chunk);

/// The components to write, or why one of them cannot be written.
pub(super) fn parts<'a, C: HasCore>(
    components: &'a [Chunk],
    names: &'a Names<C>,
) -> Result<Vec<TemplatePart<'a>>, String> {
    let chunks = components.iter();
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
        some => Err(rejection(
            &format!("a template of context `{}`", C::NAME),
            some,
        )),
    }
}

/// Appends components in binary form.
pub(super) fn pack_parts<C: HasCore>(
    names: &Names<C>,
    parts: &[TemplatePart<'_>],
    to: &mut Packer,
) -> Result<(), String> {
    to.number(parts.len() as u64);
    for &(named, chunk) in parts {
        to.sized(names.name_of(named.index).as_bytes());
        let packed = to.part(|to| chunk.values.pack(to));
        packed
            .map_err(|error| format!("component `{}` cannot be written: {error}", named.name()))?;
    }
    Ok(())
}

/// The components read so far.
pub(super) struct TemplateParts<C: 'static> {
    names: Names<C>,
    components: Vec<Chunk>,
    unknown: Vec<String>,
}

impl<C: HasCore> TemplateParts<C> {
    pub(super) fn new() -> Self {
        Self {
            names: Names::new(),
            components: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// The component with a name, if templates can contain it.
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
            return Err(format!("component `{}` appears twice", named.name()));
        }
        Ok(Some((named, version)))
    }

    /// Adds the value that `read` stores in a list of values.
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

    pub(super) fn finish(mut self) -> Result<Vec<Chunk>, String> {
        self.components.sort_by_key(|chunk| chunk.component);
        match self.unknown.is_empty() {
            true => Ok(self.components),
            false => Err(unknown(C::NAME, &self.unknown)),
        }
    }

    /// Whether no component has been read.
    pub(super) fn is_empty(&self) -> bool {
        self.components.is_empty() && self.unknown.is_empty()
    }

    pub(super) fn unpack(&mut self, from: &mut Unpacker<'_>) -> Result<(), String> {
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

impl<C: HasCore> TemplateParts<C> {
    /// Reads components by name; the first name may have been read already.
    pub(super) fn read<'de, A: MapAccess<'de>>(
        mut self,
        first: Option<String>,
        mut map: A,
    ) -> Result<Vec<Chunk>, A::Error> {
        let mut next = match first {
            None => map.next_key()?,
            first => first,
        };
        while let Some(name) = next {
            match self.find(&name).map_err(A::Error::custom)? {
                Some((named, version)) => map.next_value_seed(TemplateValueReader {
                    parts: &mut self,
                    named,
                    version,
                })?,
                None => _ = map.next_value::<IgnoredAny>()?,
            }
            next = map.next_key()?;
        }
        self.finish().map_err(A::Error::custom)
    }
}

impl<'de, C: HasCore> Visitor<'de> for TemplateParts<C> {
    type Value = Vec<Chunk>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "components of context `{}` by name", C::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Vec<Chunk>, A::Error> {
        self.read(None, map)
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
