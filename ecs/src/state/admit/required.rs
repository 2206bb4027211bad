//! Required components: what comes along with the components that a writer puts.
//!
//! A writer notes each component it puts that requires others. When the bundle has put all it has,
//! what is missing is put behind it: so a value that the bundle brings is never made twice. What is
//! put that way may require others again, which are noted behind the first ones; of several values
//! for one component, the one that was noted first is taken.

use super::new_place::prepare;
use crate::matching::graph::Steps;
use crate::state::core::{Core, Required};
use crate::storage::registry::index_of;
use crate::storage::slots::Row;
use crate::words::component::{Component, ComponentIndex, RequiredVisitor, can_be_required};
use crate::words::entity_id::EntityId;

/// How many components that require others are looked through before an entity is said to lack one,
/// and gets it the long way.
const MOST: usize = 16;

/// Notes a component that has been put and requires others, if the entity did not have it before.
#[inline(never)]
pub(super) fn note_required<C: 'static, T: Component<C>>(core: &mut Core<C>) {
    if !living_has::<C, T>(core) {
        note::<C, T>(core);
    }
}

fn note<C: 'static, T: Component<C>>(core: &mut Core<C>) {
    let by = index_of::<C, T>();
    if core.required.iter().all(|noted| noted.by != by) {
        let put_missing = put_missing::<C, T>;
        core.required.push(Required { by, put_missing });
    }
}

/// Whether the bundle is for an entity that lives and has the component.
fn living_has<C: 'static, T: Component<C>>(core: &Core<C>) -> bool {
    let id = core.attempt.as_ref().and_then(|attempt| attempt.entity);
    let slot = id.and_then(|id| core.slots.get(id));
    slot.is_some_and(|slot| has::<C, T>(core, slot.row))
}

fn has<C: 'static, T: Component<C>>(core: &Core<C>, row: Row) -> bool {
    let column = core.columns.of::<T>();
    column.is_some_and(|column| column.contains(row))
}

/// Puts what the noted components require, and what that requires.
#[cold]
#[inline(never)]
pub(super) fn put_required<C: 'static>(
    core: &mut Core<C>,
    id: EntityId<C>,
    row: Row,
    steps: &mut Steps,
) {
    let mut at = 0;
    while let Some(required) = core.required.get(at) {
        (required.put_missing)(core, id, row, steps);
        at += 1;
    }
    core.required.clear();
}

fn put_missing<C: 'static, T: Component<C>>(
    core: &mut Core<C>,
    id: EntityId<C>,
    row: Row,
    steps: &mut Steps,
) {
    T::visit_required(&mut Missing {
        core,
        id,
        row,
        steps,
    });
}

/// Puts what is missing of the components that it receives.
struct Missing<'a, C: 'static> {
    core: &'a mut Core<C>,
    id: EntityId<C>,
    row: Row,
    steps: &'a mut Steps,
}

impl<C: 'static> RequiredVisitor<C> for Missing<'_, C> {
    fn require<T: Component<C>>(&mut self, value: fn() -> T) {
        const {
            assert!(
                can_be_required::<C, T>(),
                "a required component is not unique, has no primary index and is no relation"
            );
        }
        if !has::<C, T>(self.core, self.row) && !living_has::<C, T>(self.core) {
            self.put(value());
        }
        if T::REQUIRES {
            note::<C, T>(self.core);
        }
    }
}

impl<C: 'static> Missing<'_, C> {
    fn put<T: Component<C>>(&mut self, value: T) {
        let admitted = self.core.admit_new(self.id, &value);
        debug_assert!(admitted.is_ok(), "it is compared with no other value");
        let (steps, place) = prepare(self.core, self.row, *self.steps);
        place.fill(value);
        *self.steps = steps;
    }
}

impl<C: 'static> Core<C> {
    /// Whether an entity, if it lives, may lack what would come along with a component.
    pub(crate) fn lacks_required<T: Component<C>>(&self, id: EntityId<C>) -> bool {
        let Some(slot) = self.slots.get(id) else {
            return false;
        };
        let mut lacking = Lacking {
            core: self,
            row: slot.row,
            seen: [index_of::<C, T>(); MOST],
            count: 1,
            is_found: false,
        };
        T::visit_required(&mut lacking);
        lacking.is_found
    }
}

/// Finds a component that an entity lacks.
struct Lacking<'a, C> {
    core: &'a Core<C>,
    row: Row,
    /// Those that have been looked through, since they may require each other in a circle.
    seen: [ComponentIndex; MOST],
    count: usize,
    is_found: bool,
}

impl<C: 'static> RequiredVisitor<C> for Lacking<'_, C> {
    fn require<T: Component<C>>(&mut self, _: fn() -> T) {
        self.is_found = self.is_found || !has::<C, T>(self.core, self.row);
        if T::REQUIRES && !self.is_found {
            self.look_through::<T>();
        }
    }
}

impl<C: 'static> Lacking<'_, C> {
    fn look_through<T: Component<C>>(&mut self) {
        let component = index_of::<C, T>();
        if self.seen[..self.count].contains(&component) {
            return;
        }
        let Some(place) = self.seen.get_mut(self.count) else {
            self.is_found = true;
            return;
        };
        *place = component;
        self.count += 1;
        T::visit_required(self);
    }
}
