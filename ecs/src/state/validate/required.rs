//! Required components: what is added along with the components of a bundle.
//!
//! A writer records each component that requires others. After all values of the bundle, missing
//! ones are added; so no value is made for a component that the bundle has. Added components may
//! require others again, which are recorded after the first ones. If a component is required
//! several times, the first requirement provides the value.

use crate::state::core::Registries;
use crate::storage::descriptor::{ComponentDescriptor, VisitRequired};
use crate::storage::slots::Row;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

/// The number of requiring components to search before assuming that one is missing, which is only
/// slower.
const MOST: usize = 16;

/// Records a component that requires others, unless the entity already had it.
pub(super) fn record_required(core: &mut Registries, by: RawComponentIndex) {
    if !alive_has(core, by) && !core.required.contains(&by) {
        core.required.push(by);
    }
}

/// Whether the bundle is for a living entity that has the component.
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
    /// Whether an entity, if alive, may lack a component that `component` requires.
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

/// Searches for a required component that an entity lacks.
struct Lacking<'a> {
    core: &'a Registries,
    row: Row,
    /// The components searched so far: they may require each other in a cycle.
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

    /// Whether a component has not been searched yet. If there are too many, assumes that one is
    /// missing.
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
