//! What systems have seen of states, in a save: a list of components, what was seen, and states.
//!
//! ```text
//! "entered": [["Mode", "entered", "Playing"], ["Mode", "outside", "Menu"], ["Mode", "unset", null]]
//! ```
//!
//! | | for a system that enters | that leaves | for any transition |
//! | --- | --- | --- | --- |
//! | in the state | `entered` | `inside` | `last`, with the state |
//! | not in it | `enter` | `outside` | `unset`, without one |

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple as _, Serializer};

use super::layout::SaveLayout;
use super::part::{Name, Part};
use crate::formats::source::Format;
use crate::reactions::entered::{Purpose, Seen};
use crate::state::HasCore;
use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::moved::Buffer;

/// A state that was entered, with the name of its component.
pub(super) struct WrittenState<'a> {
    name: String,
    what: &'static str,
    state: &'a (dyn erased_serde::Serialize + 'a),
}

impl Serialize for WrittenState<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(3)?;
        tuple.serialize_element(&self.name)?;
        tuple.serialize_element(self.what)?;
        tuple.serialize_element(self.state)?;
        tuple.end()
    }
}

/// The entered states of a whole context, except for those whose components are not saved.
pub(super) fn entered<'a, C: HasCore>(layout: &SaveLayout<'a, C>) -> Vec<WrittenState<'a>> {
    let core = layout.core;
    let all = core.subs.entered.iter().filter(|_| layout.part.is_none());
    let written = all.filter(|seen| layout.saves(seen.component));
    let written = written.filter_map(|seen: &'a Seen| {
        let (_, _, what) = KINDS.iter().find(|(purpose, is_in, _)| {
            let is_there = match purpose {
                Purpose::Change => seen.state.is_some(),
                _ => seen.is_in,
            };
            (*purpose, *is_in) == (seen.purpose, is_there)
        })?;
        Some(WrittenState {
            name: layout.names.name_of(seen.component),
            what,
            state: match &seen.state {
                Some(state) => core.world.describe(seen.component).serialize(&**state)?,
                None => &(),
            },
        })
    });
    written.collect()
}

/// What can be seen: a purpose, whether the context was in the state, and the name in files.
const KINDS: [(Purpose, bool, &str); 6] = [
    (Purpose::Enter, true, "entered"),
    (Purpose::Enter, false, "enter"),
    (Purpose::Exit, true, "inside"),
    (Purpose::Exit, false, "outside"),
    (Purpose::Change, true, "last"),
    (Purpose::Change, false, "unset"),
];

/// Reads the entered states.
pub(super) struct EnteredReader<'b, C: 'static>(pub(super) &'b mut Part<C>);

impl<'de, C: HasCore> DeserializeSeed<'de> for EnteredReader<'_, C> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, C: HasCore> Visitor<'de> for EnteredReader<'_, C> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the entered states")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(SeenReader(&mut *self.0))?.is_some() {}
        Ok(())
    }
}

/// Reads one of them.
struct SeenReader<'b, C: 'static>(&'b mut Part<C>);

impl<'de, C: HasCore> DeserializeSeed<'de> for SeenReader<'_, C> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_tuple(3, self)
    }
}

impl<'de, C: HasCore> Visitor<'de> for SeenReader<'_, C> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a component, what was seen, and a state")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let missing = |at| A::Error::invalid_length(at, &"three parts of an entered state");
        let found = seq.next_element_seed(Name(&mut *self.0))?;
        let found = found.ok_or_else(|| missing(0))?;
        let what: String = seq.next_element()?.ok_or_else(|| missing(1))?;
        let kind = KINDS.iter().find(|(_, _, name)| *name == what);
        let &(purpose, is_in, _) = kind.ok_or_else(|| {
            A::Error::custom(format!("`{what}` is not what a system has seen of a state"))
        })?;
        if (purpose, is_in) == (Purpose::Change, false) {
            seq.next_element::<()>()?.ok_or_else(|| missing(2))?;
            if let Some((named, _)) = found {
                let seen = Seen::loaded(named.index, purpose, (None, is_in));
                self.0.entered.push(seen);
            }
            return Ok(());
        }
        match found {
            Some((named, version)) => {
                let seed = StateValue(named.descriptor, version, named.name());
                let state = seq.next_element_seed(seed)?.ok_or_else(|| missing(2))?;
                let seen = Seen::loaded(named.index, purpose, (Some(state), is_in));
                self.0.entered.push(seen);
            }
            None => _ = seq.next_element::<IgnoredAny>()?,
        }
        Ok(())
    }
}

/// Reads a value of a component.
struct StateValue(&'static ComponentDescriptor, u32, &'static str);

impl<'de> DeserializeSeed<'de> for StateValue {
    type Value = Arc<AnyValue>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let Self(descriptor, version, name) = self;
        let mut buffer = Buffer::new(descriptor); // reading runs user code, which may panic
        let read = buffer.read(version, &mut Format::new(deserializer));
        let value = read.map_err(|error| {
            let error = error.to_string();
            D::Error::custom(format!("an entered state `{name}` cannot be read: {error}"))
        })?;
        Ok(Arc::from(value.into_box()))
    }
}
