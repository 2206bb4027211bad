//! Required components: what comes along with the components that a writer puts.
//!
//! A writer notes each component it puts that requires others. When the bundle has put all it has,
//! what is missing is put behind it: so a value that the bundle brings is never made twice. What is
//! put that way may require others again, which are noted behind the first ones; of several values
//! for one component, the one that was noted first is taken.

use crate::state::core::Registries;
use crate::storage::descriptor::{ComponentDescriptor, VisitRequired};
use crate::storage::slots::Row;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

/// How many components that require others are looked through before an entity is said to lack one,
/// and gets it the long way.
const MOST: usize = 16;

/// Notes a component that has been put and requires others, if the entity did not have it before.
pub(super) fn record_required(core: &mut Registries, by: RawComponentIndex) {
    if !alive_has(core, by) && !core.required.contains(&by) {
        core.required.push(by);
    }
}

/// Whether the bundle is for an entity that lives and has the component.
pub(super) fn alive_has(core: &Registries, component: RawComponentIndex) -> bool {
    let id = core.attempt.as_ref().and_then(|attempt| attempt.entity);
    let slot = id.and_then(|id| core.slots.get(id));
    slot.is_some_and(|slot| has(core, component, slot.row))
}

pub(super) fn has(core: &Registries, component: RawComponentIndex, row: Row) -> bool {
    let column = core.columns.at(component);
    column.is_some_and(|column| column.contains(row))
}

impl Registries {
    /// Whether an entity, if it lives, may lack what would come along with a component.
    pub(crate) fn lacks_required(
        &self,
        id: UntypedId,
        component: RawComponentIndex,
        descriptor: &ComponentDescriptor,
    ) -> bool {
        let (Some(visit), Some(slot)) = (descriptor.required, self.slots.get(id)) else {
            return false;
        };
        let mut lacking = Lacking {
            core: self,
            row: slot.row,
            seen: [component; MOST],
            count: 1,
            is_found: false,
        };
        lacking.look_through(visit);
        lacking.is_found
    }
}

/// Finds a component that an entity lacks.
struct Lacking<'a> {
    core: &'a Registries,
    row: Row,
    /// Those that have been looked through, since they may require each other in a circle.
    seen: [RawComponentIndex; MOST],
    count: usize,
    is_found: bool,
}

impl Lacking<'_> {
    fn look_through(&mut self, visit: VisitRequired) {
        visit(&mut |part| {
            let component = self.core.columns.index_of(part.descriptor);
            self.is_found = self.is_found || !has(self.core, component, self.row);
            if let (Some(visit), false) = (part.descriptor.required, self.is_found)
                && self.is_new(component)
            {
                self.look_through(visit);
            }
        });
    }

    /// Whether a component is looked through for the first time; if there are too many, one is said to be
    /// lacking.
    fn is_new(&mut self, component: RawComponentIndex) -> bool {
        if self.seen[..self.count].contains(&component) {
            return false;
        }
        let place = self.seen.get_mut(self.count);
        self.is_found = place.is_none();
        let is_new = place.map(|place| *place = component).is_some();
        self.count += usize::from(is_new);
        is_new
    }
}
