//! Required components: what is added along with the components of a bundle.
//!
//! A writer records each component that requires others. After all values of the bundle, missing
//! ones are added; so no value is made for a component that the bundle has. Added components may
//! require others again, which are recorded after the first ones. If a component is required
//! several times, the first requirement provides the value.

use crate::state::rejection::Rejection;
use crate::storage::descriptor::{ComponentDescriptor, VisitRequired};
use crate::storage::slots::Row;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// The number of requiring components to search before assuming that one is missing, which is only
/// slower.
const MOST: usize = 16;

/// Records a component that requires others, unless the entity already had it.
pub(super) fn record_required(world: &mut World, by: RawComponentIndex) {
    if !alive_has(world, by) && !world.required.contains(&by) {
        world.required.push(by);
    }
}

/// Whether the bundle is for a living entity that has the component.
pub(super) fn alive_has(world: &World, component: RawComponentIndex) -> bool {
    let id = world.attempt.as_ref().and_then(|attempt| attempt.entity);
    let slot = id.and_then(|id| world.slots.get(id));
    slot.is_some_and(|slot| has(world, component, slot.row))
}

pub(super) fn has(world: &World, component: RawComponentIndex, row: Row) -> bool {
    let column = world.columns.at(component);
    column.is_some_and(|column| column.contains(row))
}

/// Rejects a component that the entity in a row, old or new, cannot have without another one.
pub(crate) fn check_given(
    world: &World,
    id: UntypedId,
    descriptor: &ComponentDescriptor,
) -> Result<(), Rejection> {
    let visit = descriptor.required.filter(|_| !world.is_mirroring);
    let (Some(visit), Some(slot)) = (visit, world.slots.get(id)) else {
        return Ok(());
    };
    let mut checked = Ok(());
    visit(&mut |part| {
        let component = world.columns.index_of(part.descriptor);
        if part.is_given() && !has(world, component, slot.row) {
            checked = Err(Rejection::NotAnEntry);
        }
    });
    checked
}

/// Whether an entity, if alive, may lack a component that `component` requires.
pub(crate) fn lacks_required(
    world: &World,
    id: UntypedId,
    component: RawComponentIndex,
    descriptor: &ComponentDescriptor,
) -> bool {
    let (Some(visit), Some(slot)) = (descriptor.required, world.slots.get(id)) else {
        return false;
    };
    let mut lacking = Lacking {
        world,
        row: slot.row,
        seen: [component; MOST],
        count: 1,
        is_found: false,
    };
    lacking.look_through(visit);
    lacking.is_found
}

/// Searches for a required component that an entity lacks.
struct Lacking<'a> {
    world: &'a World,
    row: Row,
    /// The components searched so far: they may require each other in a cycle.
    seen: [RawComponentIndex; MOST],
    count: usize,
    is_found: bool,
}

impl Lacking<'_> {
    fn look_through(&mut self, visit: VisitRequired) {
        visit(&mut |part| {
            let component = self.world.columns.index_of(part.descriptor);
            self.is_found = self.is_found || !has(self.world, component, self.row);
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
