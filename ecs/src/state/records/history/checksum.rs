//! A checksum of the whole state, so that two machines can compare theirs.
//!
//! It is the sum of one number per entity and one per component of an entity. So order does not
//! matter, and a change subtracts one number and adds another. The last sum is kept, and the next
//! one costs only what has changed since.

use hashbrown::HashMap;

use alloc::vec::Vec;
use core::hash::Hasher as _;

use crate::reactions::history::{Entry, Kind};
use crate::state::core::Registries;
use crate::storage::descriptor::AnyValue;
use crate::storage::past::Past;
use crate::words::checksum::ChecksumHasher;
use crate::words::component::{ComponentNames, RawComponentIndex};
use crate::words::entity_id::{RawEntityId, UntypedId};
use crate::words::history_error::HistoryError;

/// The component whose type cannot be part of a checksum.
type NotSummed = &'static ComponentNames;

/// An entity, or one of its components.
type Part = (RawEntityId, Option<RawComponentIndex>);

impl Registries {
    /// The checksum of the present state.
    pub(crate) fn checksum(&mut self) -> Result<u64, HistoryError> {
        let known = self.history.as_deref().and_then(|it| it.last_sum());
        let sum = match known {
            Some((at, sum)) => {
                let difference = self.difference_since(at);
                difference.map(|difference| sum.wrapping_add(difference))
            }
            None => self.full_sum(),
        };
        let sum = self.or_error(sum)?;
        if let Some(recording) = self.history.as_deref_mut() {
            recording.record_sum(sum);
        }
        Ok(sum)
    }

    /// The checksum of one entity and its components.
    pub(crate) fn checksum_of(&self, id: UntypedId) -> Result<u64, HistoryError> {
        self.or_error(self.sum_of(id))
    }

    fn or_error(&self, sum: Result<u64, NotSummed>) -> Result<u64, HistoryError> {
        sum.map_err(|names| HistoryError::NoChecksum {
            context: self.name,
            component: names.component,
        })
    }

    /// The sum over all entities.
    fn full_sum(&self) -> Result<u64, NotSummed> {
        let mut sum = 0_u64;
        for (id, _) in self.slots.iter() {
            sum = sum.wrapping_add(self.sum_of(id)?);
        }
        Ok(sum)
    }

    /// The sum of one entity and its components.
    fn sum_of(&self, id: UntypedId) -> Result<u64, NotSummed> {
        let mut sum = self.sum_of_part((id.raw(), None), id)?;
        let node = self.slots.get(id).map(|slot| slot.node);
        let components = node.map_or(&[][..], |node| self.graph.component_list(node));
        for &component in components {
            sum = sum.wrapping_add(self.sum_of_part((id.raw(), Some(component)), id)?);
        }
        Ok(sum)
    }

    /// What the changes since an entry have added to the sum.
    fn difference_since(&self, at: u64) -> Result<u64, NotSummed> {
        let mut difference = 0_u64;
        for (part, (id, before)) in self.changed_since(at)? {
            let now = self.sum_of_part(part, id)?;
            difference = difference.wrapping_add(now).wrapping_sub(before);
        }
        Ok(difference)
    }

    /// All parts that changed since an entry, each with its previous number.
    fn changed_since(&self, at: u64) -> Result<HashMap<Part, (UntypedId, u64)>, NotSummed> {
        let mut changed = HashMap::new();
        let Some(recording) = self.history.as_deref() else {
            return Ok(changed);
        };
        let mut values = self.first_values(recording.since(at));
        for entry in recording.since(at) {
            let component = entry.component;
            let next = values.get_mut(component.get());
            let next = next.filter(|_| entry.kind.keeps_value());
            let place = next.map_or(0, |next| core::mem::replace(next, *next + 1));
            let part = match entry.kind {
                Kind::Created | Kind::Destroyed => (entry.id.raw(), None),
                _ => (entry.id.raw(), Some(component)),
            };
            if !changed.contains_key(&part) {
                let before = self.sum_before(entry, place)?;
                changed.insert(part, (entry.id, before));
            }
        }
        Ok(changed)
    }

    /// For each component, the position of the first value recorded by these entries, which are the
    /// latest.
    fn first_values(&self, entries: &[Entry]) -> Vec<usize> {
        let pasts = self.columns.iter().map(|column| column.past());
        let mut first: Vec<_> = pasts.map(|past| past.map_or(0, Past::len)).collect();
        let keeping = entries.iter().filter(|entry| entry.kind.keeps_value());
        keeping.for_each(|entry| first[entry.component.get()] -= 1);
        first
    }

    /// The number of a part before an entry, whose value is recorded at `place`.
    fn sum_before(&self, entry: &Entry, place: usize) -> Result<u64, NotSummed> {
        match entry.kind {
            Kind::Destroyed => Ok(sum_of_entity(entry.id.raw())),
            kind if kind.keeps_value() => {
                let column = self.columns.at(entry.component);
                let value = column.and_then(|column| column.past()?.get(place));
                self.sum_of_value(entry.id.raw(), entry.component, value)
            }
            _ => Ok(0),
        }
    }

    /// The present number of a part; 0 if it does not exist.
    fn sum_of_part(&self, (raw, component): Part, id: UntypedId) -> Result<u64, NotSummed> {
        let Some(slot) = self.slots.get(id) else {
            return Ok(0);
        };
        let Some(component) = component else {
            return Ok(sum_of_entity(raw));
        };
        if !self.is_recorded(component) {
            return Ok(0);
        }
        let column = self.columns.at(component);
        let value = column.and_then(|column| column.view(slot.row));
        self.sum_of_value(raw, component, value)
    }

    fn sum_of_value(
        &self,
        id: RawEntityId,
        component: RawComponentIndex,
        value: Option<&AnyValue>,
    ) -> Result<u64, NotSummed> {
        let (Some(column), Some(value)) = (self.columns.at(component), value) else {
            return Ok(0);
        };
        let descriptor = column.descriptor();
        let mut hasher = hasher_of(id);
        hasher.write(descriptor.names.component.as_bytes());
        match descriptor.feed_checksum(value, &mut hasher) {
            true => Ok(hasher.finish()),
            false => Err(descriptor.names),
        }
    }
}

fn sum_of_entity(id: RawEntityId) -> u64 {
    hasher_of(id).finish()
}

fn hasher_of(id: RawEntityId) -> ChecksumHasher {
    let mut hasher = ChecksumHasher::default();
    hasher.write_u32(id.index());
    hasher.write_u32(id.generation());
    hasher
}
