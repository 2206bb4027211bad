//! Validating a change of one component of one entity, and storing it.
//!
//! ```text
//! fast.rs  alive, numbered, edge known, block allocated, nothing to compare  inlined, typed
//! (here)   numbers, computes the edge, allocates the block; or rejects       compiled once, erased
//! ```
//!
//! Both store the value, move the entity along its edge, and return [`Stored`], so changes continue
//! in one way. Only this file checks whether a key or a unique component is free: `fast.rs` does
//! not apply to components that have any.

pub(super) mod attempt;
pub(crate) mod bundle_writer;
pub(super) mod edge;
pub(super) mod fast;
pub(super) mod new_rows;
pub(super) mod required;

use super::core::Core;
use super::entity_indexes::install_indexes_of;
use super::groups::collect_signatures;
use super::rejection::{Rejection, Turn, attempt_on, functions_of, is_together};
use crate::matching::effects::EffectsIndex;
use crate::reactions::subscribers::Subscribers;
use crate::storage::column::ColumnOf;
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::slots::{Row, Slot, Slots};
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::world::World;

/// A stored change, not yet committed.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    pub(super) id: UntypedId,
    pub(super) row: Row,
    pub(super) effects: EffectsIndex,
}

/// The values of a component of a list of entities, for changes in place.
pub(super) struct OccupiedMany<'a, T> {
    slots: &'a Slots,
    column: &'a mut ColumnOf<T>,
}

impl<'a, T: 'static> OccupiedMany<'a, T> {
    /// The values of entities known to be alive.
    #[inline]
    pub(super) fn of<C: 'static>(core: &'a mut Core<C>) -> Self
    where
        T: Component<C>,
    {
        let parts = core.parts();
        Self {
            slots: parts.slots,
            column: parts.columns.of_mut::<T>(),
        }
    }

    /// The value of one entity.
    #[inline]
    pub(super) fn get_mut<C>(&mut self, id: EntityId<C>) -> Option<&mut T> {
        self.column.get_mut(self.slots.row_of(id))
    }
}

/// Finds the component to change, or rejects the change.
pub(super) fn occupied(
    world: &mut World,
    id: UntypedId,
    component: RawComponentIndex,
) -> Result<Stored, Rejection> {
    let Slot { row, node } = world.slots.get(id).ok_or(Rejection::Dead)?;
    if !world.columns.ensured(component).contains(row) {
        return Err(Rejection::Absent);
    }
    let effects = world.graph.update(node, component, &world.groups);
    Ok(Stored { id, row, effects })
}

/// Swaps the value of a component with another one.
pub(super) fn swap_with(
    world: &mut World,
    row: Row,
    component: RawComponentIndex,
    value: &mut Moved<'_>,
) {
    if let Some(column) = world.columns.at_mut(component) {
        column.swap_with(row, value);
    }
}

/// Copies a value that is about to change, if observers or a history need it.
#[inline]
pub(super) fn copy_before<'b>(
    world: &World,
    stored: &Stored,
    component: RawComponentIndex,
    buffer: &'b mut Buffer,
) -> Option<Moved<'b>> {
    let effects = stored.effects;
    let is_passed = effects.is_recorded() || world.graph.effects().are_observed(effects);
    let column = world.columns.at(component).filter(|_| is_passed)?;
    buffer.clone_of(column.view(stored.row)?)
}

/// Rejects a component that the entity has, or that is unique and owned by another entity.
pub(crate) fn check_vacant(
    world: &World,
    id: UntypedId,
    component: RawComponentIndex,
) -> Result<(), Rejection> {
    let Slot { row, .. } = world.slots.get(id).ok_or(Rejection::Dead)?;
    let column = world.columns.at(component);
    if column.is_some_and(|column| column.contains(row)) {
        return Err(Rejection::Present);
    }
    check_owner(world, Some(id), component)
}

/// Rejects a unique component that another entity owns.
pub(crate) fn check_owner(
    world: &World,
    id: Option<UntypedId>,
    component: RawComponentIndex,
) -> Result<(), Rejection> {
    if !world.columns.describe(component).unique {
        return Ok(());
    }
    match world.owner(component) {
        Some(owner) if Some(owner) != id => Err(Rejection::Owned(owner.raw())),
        _ => Ok(()),
    }
}

/// Adds a component to an entity, or rejects it.
pub(super) fn store_added(
    world: &mut World,
    subs: &mut Subscribers,
    id: UntypedId,
    component: RawComponentIndex,
    value: Moved<'_>,
) -> Result<Stored, Rejection> {
    collect_signatures(world, subs);
    if !value.descriptor().is_plain() {
        check_vacant(world, id, component)?;
        check_value(world, subs, id, component, value.view())?;
        world.record_owner(component, id);
    }
    let Slot { row, node } = world.slots.get(id).ok_or(Rejection::Dead)?;
    if world.columns.ensured(component).contains(row) {
        return Err(Rejection::Present);
    }
    let (target, effects) = world.graph.edge(node, component, &world.groups);
    world.columns.ensured(component).put(row, value);
    world.slots.set_node(id, target);
    Ok(Stored { id, row, effects })
}

/// Moves an entity along the edge to the node without the component; the value stays in its
/// row.
pub(super) fn leave(
    world: &mut World,
    subs: &Subscribers,
    id: UntypedId,
    component: RawComponentIndex,
) -> Result<Stored, Rejection> {
    collect_signatures(world, subs);
    let Slot { row, node } = world.slots.get(id).ok_or(Rejection::Dead)?;
    if !world.graph.components(node).contains(component) {
        return Err(Rejection::Absent);
    }
    let (target, effects) = world.graph.edge(node, component, &world.groups);
    world.slots.set_node(id, target);
    Ok(Stored { id, row, effects })
}

/// Rejects a value with a key of a primary index that another entity has, or with an invalid
/// target of a relation.
pub(crate) fn check_value(
    world: &mut World,
    subs: &mut Subscribers,
    id: UntypedId,
    component: RawComponentIndex,
    value: &AnyValue,
) -> Result<(), Rejection> {
    check_values(world, subs, component, &[(id, value)], Turn::OneByOne)
}

/// Rejects values with a key of a primary index that another entity has, or that two of them
/// share, or with an invalid target of a relation.
pub(crate) fn check_values(
    world: &mut World,
    subs: &mut Subscribers,
    component: RawComponentIndex,
    values: &[(UntypedId, &AnyValue)],
    turn: Turn,
) -> Result<(), Rejection> {
    install_indexes_of(world, subs, component);
    check_all(world, subs, component, values, turn)
}

/// Like [`check_values`], for a component whose indexes are installed.
pub(super) fn check_all(
    world: &World,
    subs: &Subscribers,
    component: RawComponentIndex,
    values: &[(UntypedId, &AnyValue)],
    turn: Turn,
) -> Result<(), Rejection> {
    let fields = world.columns.describe(component).indexes.iter();
    let mut functions = fields.filter_map(|field| functions_of(world, field));
    functions.try_for_each(|functions| (functions.check)(world, subs, values, turn))
}

/// Validates a value of a new entity, or of the entity of the current attempt. A component that
/// is twice in the bundle is rejected later.
pub(super) fn validate_new(
    world: &mut World,
    subs: &mut Subscribers,
    id: UntypedId,
    component: RawComponentIndex,
    value: &AnyValue,
) -> Result<(), Rejection> {
    if !world.columns.describe(component).is_plain() {
        let id = attempt_on(world, id);
        match is_together(world) {
            true => install_indexes_of(world, subs, component), // checked with the others
            false => check_value(world, subs, id, component, value)?,
        }
        check_owner(world, Some(id), component)?;
        world.record_owner(component, id);
    }
    Ok(())
}
