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
//! | in the state, which was restarted since | `entered again` | `inside again` | `last again` |

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple as _, Serializer};

use super::layout::SaveLayout;
use super::part::{Name, Part};
use crate::formats::packed::{Message, Packer, Unpacker};
use crate::formats::source::{Format, Kept, Tree};
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
        let is_there = match seen.purpose {
            Purpose::Change => seen.state.is_some(),
            _ => seen.is_in,
        };
        let kind = (seen.purpose, is_there, seen.is_restarted);
        let (_, what) = KINDS.iter().find(|(it, _)| *it == kind)?;
        Some(WrittenState {
            name: layout.names.name_of(seen.component),
            what,
            state: match &seen.state {
                Some(state) => core.world.describe(seen.component).serialize(&**state)?,
                None => &(),
            },
        })
    });
    let unknown = layout.unknown_states().into_iter();
    let unknown = unknown.flat_map(|unknown| &unknown.seen);
    let unknown = unknown.map(|(name, what, state)| WrittenState {
        name: name.clone(),
        what,
        state,
    });
    written.chain(unknown).collect()
}

/// What can be seen: a purpose, whether the context was in the state, and whether it was restarted since
/// then; and the name in files.
const KINDS: [((Purpose, bool, bool), &str); 9] = [
    ((Purpose::Enter, true, false), "entered"),
    ((Purpose::Enter, true, true), "entered again"),
    ((Purpose::Enter, false, false), "enter"),
    ((Purpose::Exit, true, false), "inside"),
    ((Purpose::Exit, true, true), "inside again"),
    ((Purpose::Exit, false, false), "outside"),
    ((Purpose::Change, true, false), "last"),
    ((Purpose::Change, true, true), "last again"),
    ((Purpose::Change, false, false), "unset"),
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

/// Reads the entered states of a binary format: a zero and the number of states, each preceded by its
/// length; or, as in older saves, the number of states.
pub(super) fn read_entered<C: HasCore>(
    part: &mut Part<C>,
    from: &mut Unpacker<'_>,
) -> Result<(), Message> {
    let count = from.number()?;
    for _ in 0..count {
        SeenReader(&mut *part).deserialize(&mut *from)?;
    }
    if count > 0 {
        return Ok(());
    }
    for _ in 0..from.count()? {
        let state = from.part()?;
        let name = Unpacker::new(state).text()?;
        match part.find(name) {
            Some(_) => {
                let from = &mut Unpacker::new(state);
                SeenReader(&mut *part).deserialize(&mut *from)?;
                from.finish()?;
            }
            None => part.keep_entered(state), // or all unknown ones are rejected together later
        }
    }
    Ok(())
}

/// Writes what [`read_entered`] reads; `unknown` has been read by it.
pub(super) fn write_entered(
    entered: &[WrittenState<'_>],
    unknown: &[Vec<u8>],
    to: &mut Packer,
) -> Result<(), Message> {
    let count = entered.len() + unknown.len();
    if count == 0 {
        return Ok(());
    }
    to.number(0);
    to.number(count as u64);
    for state in entered {
        to.part(|to| state.serialize(to))?;
    }
    for state in unknown {
        to.part(|to| {
            to.raw(state);
            Ok(())
        })?;
    }
    Ok(())
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
        let kind = KINDS.iter().find(|(_, name)| *name == what);
        let &((purpose, is_in, is_restarted), what) = kind.ok_or_else(|| {
            A::Error::custom(format!("`{what}` is not what a system has seen of a state"))
        })?;
        if (purpose, is_in) == (Purpose::Change, false) {
            seq.next_element::<()>()?.ok_or_else(|| missing(2))?;
            match found {
                Some((named, _)) => {
                    let seen = Seen::loaded(named.index, purpose, (None, is_in, is_restarted));
                    self.0.entered.push(seen);
                }
                None => self.0.keep_seen(what, Tree::Unit),
            }
            return Ok(());
        }
        match found {
            Some((named, version)) => {
                let seed = StateValue(named.descriptor, version, named.name());
                let state = seq.next_element_seed(seed)?.ok_or_else(|| missing(2))?;
                let seen = Seen::loaded(named.index, purpose, (Some(state), is_in, is_restarted));
                self.0.entered.push(seen);
            }
            None if self.0.kept.is_some() => {
                let state = seq.next_element::<Kept>()?.ok_or_else(|| missing(2))?;
                self.0.keep_seen(what, state.0);
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
