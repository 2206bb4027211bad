//! Ids in saves: how they are written, and how they are mapped while a save is merged.
//!
//! Human-readable formats get a string, `12v3`, which can also be a map key; binary formats get the
//! two numbers. Ids are read as written, except during `Context::merge`: then each id of that
//! context, wherever it is inside a component, is replaced by that of the entity created for it.
//!
//! `Deserialize` takes no parameter for this, so the loads and merges in progress are kept in a
//! thread-local stack. A guard pops it, even on panic. A load inside a merge reads ids as written.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::TypeId;
use core::cell::RefCell;
use core::fmt;
use core::marker::PhantomData;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::absent::record_written;
use crate::words::entity_id::{EntityId, RawEntityId};
use crate::words::map_ids::placeholder;

std::thread_local! {
    /// The loads and merges in progress on this thread, innermost last.
    static SCOPES: RefCell<Vec<Option<Box<NewIds>>>> = const { RefCell::new(Vec::new()) };
}

/// The ids assigned by a merge.
pub(crate) struct NewIds {
    context: TypeId,
    /// For each id of the save, the position of its new id.
    places: HashMap<RawEntityId, usize>,
    /// The ids of the save, in order of first appearance.
    found: Vec<FoundId>,
    /// Whether all entities are known, so that any other id is an error.
    complete: bool,
    /// The ids of free slots in the order of reuse, and the first index that has no slot yet.
    recycled: Vec<RawEntityId>,
    first_new: u32,
    /// The replacements of ids that a partial save refers to but does not contain.
    absent: HashMap<RawEntityId, RawEntityId>,
    /// The entity and component being read.
    reading: Option<(RawEntityId, &'static str)>,
    /// Whether the new ids are placeholders of a template's entities.
    of_template: bool,
}

/// An id of a save.
struct FoundId {
    old: RawEntityId,
    new: RawEntityId,
    /// Whether the save contains the entity.
    exists: bool,
    /// Where the id first appeared.
    by: Option<(RawEntityId, &'static str)>,
}

impl NewIds {
    /// The next ids of context `C`: those of free slots, then new ones starting at `first_new`.
    pub(crate) fn new<C: 'static>(recycled: Vec<RawEntityId>, first_new: u32) -> Self {
        Self {
            context: TypeId::of::<C>(),
            places: HashMap::new(),
            found: Vec::new(),
            complete: false,
            recycled,
            first_new,
            absent: HashMap::new(),
            reading: None,
            of_template: false,
        }
    }

    /// The new id of an entity that has none yet.
    fn next(&self, old: RawEntityId) -> Result<RawEntityId, String> {
        if self.of_template {
            let is_of_file = old.generation() == 1 && old.index() != u32::MAX;
            let new = is_of_file.then(|| placeholder(old.index()).raw());
            return new.ok_or_else(|| unknown(old, None));
        }
        let place = self.found.len();
        let new = || {
            let nth = u32::try_from(place - self.recycled.len()).ok()?;
            EntityId::<()>::try_new(self.first_new.checked_add(nth)?, 1).map(EntityId::raw)
        };
        let id = self.recycled.get(place).copied().or_else(new);
        id.ok_or_else(|| "a context cannot hold so many entities".into())
    }

    fn place_of(&mut self, old: RawEntityId) -> Result<usize, String> {
        let next = self.next(old);
        match self.places.entry(old) {
            Entry::Occupied(entry) => Ok(*entry.get()),
            Entry::Vacant(_) if self.complete => Err(unknown(old, None)),
            Entry::Vacant(entry) => {
                let (new, exists, by) = (next?, false, self.reading);
                self.found.push(FoundId {
                    old,
                    new,
                    exists,
                    by,
                });
                Ok(*entry.insert(self.found.len() - 1))
            }
        }
    }

    /// Returns the replacement of an id.
    fn new_of(&mut self, old: RawEntityId) -> Result<RawEntityId, String> {
        if let Some(new) = self.absent.get(&old) {
            return Ok(*new);
        }
        let place = self.place_of(old)?;
        Ok(self.found[place].new)
    }

    fn add(&mut self, old: RawEntityId) -> Result<usize, String> {
        if self.absent.contains_key(&old) {
            return Err(format!("entity {old} is there, and listed as absent"));
        }
        let place = self.place_of(old)?;
        let found = &mut self.found[place];
        if core::mem::replace(&mut found.exists, true) {
            return Err(format!("entity {old} appears twice"));
        }
        Ok(if self.of_template {
            old.index() as usize
        } else {
            place
        })
    }
}

fn unknown(id: RawEntityId, by: Option<(RawEntityId, &str)>) -> String {
    let text = format!("id {id} is of no entity in the save");
    match by {
        Some((entity, component)) => {
            format!("component `{component}` of entity {entity} cannot be read: {text}")
        }
        None => text,
    }
}

/// Guard of a load or merge in progress.
pub(crate) struct LoadScope {
    /// Whether it leaves ids to the scope around it, if there is one.
    is_outer: bool,
    /// Not `Send`: the guard must be dropped on its own thread.
    thread: PhantomData<*const ()>,
}

impl LoadScope {
    /// Ids are read as in the scope around it: those of a template inside of a component.
    pub(crate) const fn outer() -> Self {
        let (is_outer, thread) = (true, PhantomData);
        Self { is_outer, thread }
    }

    /// Ids are read as written.
    pub(crate) fn plain() -> Self {
        Self::begin(None)
    }

    /// Ids are replaced by those of the entities to be created.
    pub(crate) fn mapped(ids: NewIds) -> Self {
        Self::begin(Some(Box::new(ids)))
    }

    /// Ids are replaced by the placeholders of a template's entities.
    pub(crate) fn of_template<C: 'static>() -> Self {
        let mut ids = NewIds::new::<C>(Vec::new(), 0);
        ids.of_template = true;
        Self::mapped(ids)
    }

    fn begin(ids: Option<Box<NewIds>>) -> Self {
        SCOPES.with_borrow_mut(|scopes| scopes.push(ids));
        let (is_outer, thread) = (false, PhantomData);
        Self { is_outer, thread }
    }

    /// Returns whether ids are left to the scope around it.
    pub(crate) fn is_outer(&self) -> bool {
        self.is_outer
    }

    fn with<R>(&self, act: impl FnOnce(&mut NewIds) -> R) -> Option<R> {
        SCOPES.with_borrow_mut(|scopes| {
            let own = scopes.last_mut().filter(|_| !self.is_outer);
            own?.as_deref_mut().map(act)
        })
    }

    /// Returns whether ids are replaced.
    pub(crate) fn maps(&self) -> bool {
        self.with(|_| ()).is_some()
    }

    /// Records an entity of the save. Returns the position of its new id, or that in a template, if ids
    /// are replaced.
    pub(crate) fn add(&self, old: RawEntityId) -> Result<Option<usize>, String> {
        self.with(|ids| ids.add(old)).transpose()
    }

    /// Sets the replacement of an id whose entity is not in the save.
    pub(crate) fn add_absent(&self, old: RawEntityId, new: RawEntityId) {
        self.with(|ids| ids.absent.insert(old, new));
    }

    /// Sets the entity and component read next.
    pub(crate) fn reading(&self, entity: RawEntityId, component: &'static str) {
        self.with(|ids| ids.reading = Some((entity, component)));
    }

    /// Records that all entities have been added. Fails if an id refers to none of them.
    pub(crate) fn complete(&self) -> Result<(), String> {
        let checked = self.with(|ids| {
            ids.complete = true;
            let missing = ids.found.iter().find(|found| !found.exists);
            missing.map_or(Ok(()), |found| Err(unknown(found.old, found.by)))
        });
        checked.unwrap_or(Ok(()))
    }

    /// Returns the number of ids assigned.
    pub(crate) fn given(&self) -> usize {
        self.with(|ids| ids.found.len()).unwrap_or(0)
    }

    /// Returns the id that an entity with a new id has in the save.
    pub(crate) fn old(&self, new: RawEntityId) -> RawEntityId {
        let found = self.with(|ids| {
            let mut found = ids.found.iter().filter(|found| found.exists);
            found.find(|found| found.new == new).map(|found| found.old)
        });
        found.flatten().unwrap_or(new)
    }
}

impl Drop for LoadScope {
    fn drop(&mut self) {
        let ended = (!self.is_outer).then(|| SCOPES.with_borrow_mut(Vec::pop));
        drop(ended);
    }
}

/// Returns the replacement of an id in the current scope.
fn translate<C: 'static>(id: RawEntityId) -> Result<EntityId<C>, String> {
    let new = SCOPES.with_borrow_mut(|scopes| {
        let ids = scopes.last_mut()?.as_deref_mut();
        let ids = ids.filter(|ids| ids.context == TypeId::of::<C>())?;
        Some(ids.new_of(id))
    });
    let id = new.unwrap_or(Ok(id))?;
    EntityId::try_new(id.index(), id.generation()).ok_or_else(|| "not an entity id".into())
}

/// Writes a string such as `12v3` in human-readable formats, and two numbers in others.
impl Serialize for RawEntityId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.serialize_str(WrittenId::of(*self).as_str()),
            false => (self.index(), self.generation()).serialize(serializer),
        }
    }
}

/// The text of an id, `12v3`. Faster than `fmt`, because a save has many ids.
struct WrittenId {
    bytes: [u8; Self::LONGEST],
    start: usize,
}

impl WrittenId {
    /// Two 32-bit numbers and a letter.
    const LONGEST: usize = 21;

    fn of(id: RawEntityId) -> Self {
        let mut written = Self {
            bytes: [0; Self::LONGEST],
            start: Self::LONGEST,
        };
        written.prepend_number(id.generation());
        written.prepend(b'v');
        written.prepend_number(id.index());
        written
    }

    fn prepend_number(&mut self, mut number: u32) {
        loop {
            self.prepend(b'0' + (number % 10) as u8);
            number /= 10;
            if number == 0 {
                return;
            }
        }
    }

    fn prepend(&mut self, byte: u8) {
        self.start -= 1;
        self.bytes[self.start] = byte;
    }

    fn as_str(&self) -> &str {
        let text = core::str::from_utf8(&self.bytes[self.start..]);
        text.expect("digits and a letter")
    }
}

/// Reads the id as written. The entity need not exist.
impl<'de> Deserialize<'de> for RawEntityId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_str(IdText);
        }
        let (index, generation) = Deserialize::deserialize(deserializer)?;
        let id = EntityId::<()>::try_new(index, generation).map(EntityId::raw);
        id.ok_or_else(|| Error::custom(format_args!("no entity is the {generation}th in its slot")))
    }
}

struct IdText;

impl Visitor<'_> for IdText {
    type Value = RawEntityId;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the id of an entity, such as \"12v3\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<RawEntityId, E> {
        parse(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

pub(crate) fn parse(text: &str) -> Option<RawEntityId> {
    let (index, generation) = text.split_once('v')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(index) || !is_number(generation) {
        return None; // rejects signs
    }
    let (index, generation) = (index.parse().ok()?, generation.parse().ok()?);
    EntityId::<()>::try_new(index, generation).map(EntityId::raw)
}

/// Writes a string such as `12v3` in human-readable formats, and two numbers in others.
impl<C: 'static> Serialize for EntityId<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        record_written::<C>(self.raw()).map_err(serde::ser::Error::custom)?;
        self.raw().serialize(serializer)
    }
}

/// Reads the id as written; the entity need not exist. While a save is merged into a context, an id
/// of that context is replaced by the new id of its entity.
impl<'de, C: 'static> Deserialize<'de> for EntityId<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = RawEntityId::deserialize(deserializer)?;
        translate(id).map_err(Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn malformed_ids_are_rejected() {
        for text in [
            "", "v", "12", "12v", "v3", "+12v3", "12v+3", "-1v3", "12v-3", "12v0", "1v2v3",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_id_is_written_as_it_is_displayed() {
        for index in [0, 9, 10, 12_345, u32::MAX] {
            for generation in [1, 10, 99, (1 << 31) - 2] {
                // the last one is for templates
                if let Some(id) = EntityId::<()>::try_new(index, generation) {
                    let id = id.raw();
                    assert_eq!(WrittenId::of(id).as_str(), id.to_string());
                    assert_eq!(parse(&id.to_string()), Some(id));
                }
            }
        }
    }
}
