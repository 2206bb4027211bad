//! The writer that validates and stores the values of a new entity one by one, before it becomes
//! visible.
//!
//! Its components are recorded in a word of [`Steps`] while there is space, so that the graph finds
//! the node with one lookup.

use super::fast::{FAST, is_plain};
use super::required::{alive_has, has, record_required};
use super::validate_new;
use crate::matching::graph::Steps;
use crate::reactions::subscribers::Subscribers;
use crate::state::bundle_plan::BundlePlan;
use crate::state::core::{Core, TypedParts};
use crate::state::rejection::{Rejection, reject_put};
use crate::storage::column::Place;
use crate::storage::descriptor::{AnyValue, ComponentDescriptor, VisitRequired};
use crate::storage::moved::{Buffer, Moved, ValueSlot};
use crate::storage::registry::index_of;
use crate::storage::slots::{EMPTY_NODE, Row};
use crate::words::component::{Component, ComponentNames, RawComponentIndex};
use crate::words::entity_id::UntypedId;
use crate::words::map_ids::IdMap;
use crate::words::signature::RawComponentSet;
use crate::world::World;

/// Receives the values of a [`Bundle`](crate::Bundle) for an entity that is being created.
///
/// The entity is visible only when it has all values. If a value is rejected, or a panic occurs,
/// the values are dropped and the slot is freed.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// # use ecs::{BundleWriter, ComponentIndex};
/// struct Hero { health: u32 }
/// impl Bundle<Game> for Hero {
///     fn visit_components(each: &mut dyn FnMut(ComponentIndex<Game>)) {
///         <(Health, Frozen)>::visit_components(each);
///     }
///
///     fn put(self, writer: &mut BundleWriter<'_, Game>) {
///         writer.put(Health(self.health));
///         writer.put(Frozen);
///     }
/// }
/// let mut game = Game::new();
/// assert!(game.create_with(Hero { health: 3 }).is_frozen());
/// ```
pub struct BundleWriter<'a, C: 'static> {
    core: &'a mut Core<C>,
    id: UntypedId,
    row: Row,
    /// The components so far, or the last of them: the first ones are in [`World::first`] if
    /// they do not fit.
    steps: Steps,
}

/// An entity whose values are stored, and the effects of creating it.
pub(crate) struct Made {
    pub(crate) id: UntypedId,
    pub(crate) row: Row,
    pub(crate) plan: BundlePlan,
}

// Fields are passed to other functions by value only, so that they stay in registers where `put`
// and `finish` are inlined.
impl<'a, C: 'static> BundleWriter<'a, C> {
    #[inline(always)] // see `api/create/one.rs`
    pub(crate) fn start(core: &'a mut Core<C>) -> Self {
        let (id, row) = core.world.slots.create(EMPTY_NODE);
        Self {
            core,
            id,
            row,
            steps: Steps::NONE,
        }
    }

    /// Creates a writer for an entity without components that is not visible.
    pub(super) fn start_on(core: &'a mut Core<C>, id: UntypedId) -> Self {
        let row = core.world.slots.row_of(id);
        Self {
            core,
            id,
            row,
            steps: Steps::NONE,
        }
    }

    /// Adds one value.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(3), Frozen)).id(); // calls `put` twice
    /// assert_eq!(game.entity(id).component_indices().len(), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the bundle has the same component twice, a unique component that another entity
    /// has, or a key of a primary index that another entity has.
    #[inline(always)] // see `api/create/one.rs`
    #[track_caller]
    pub fn put<T: Component<C>>(&mut self, value: T) {
        if const { FAST && is_plain::<C, T>() && !T::REQUIRES } {
            let (steps, place) = if let Some((component, column)) =
                self.core.typed_mut().known::<T>()
                && let Some(steps) = self.steps.with(component)
                && let Some(place) = column.inline_place(self.row)
            {
                (steps, place)
            } else {
                prepare(self.core, self.row, self.steps)
            };
            place.fill(value);
            self.steps = steps;
        } else {
            self.steps = put_outlined(self.core, self.id, self.row, self.steps, value);
        }
    }

    /// Adds the value of the component with this index.
    #[track_caller]
    pub(crate) fn put_moved(&mut self, component: RawComponentIndex, value: Moved<'_>) {
        let of = (self.id, self.row, self.steps);
        self.steps = put_moved(
            &mut self.core.world,
            &mut self.core.subs,
            of,
            component,
            value,
        );
    }

    /// Adds a clone of the value of the component with this index, if it can be cloned; the map is
    /// applied to the ids inside.
    #[track_caller]
    pub(crate) fn put_clone(
        &mut self,
        component: RawComponentIndex,
        value: &AnyValue,
        map: &IdMap<'_>,
    ) {
        let mut buffer = Buffer::new(self.core.world.columns.describe(component));
        if let Some(mut clone) = buffer.clone_of(value) {
            clone.descriptor().map_ids(clone.view_mut(), map);
            self.put_moved(component, clone);
        }
    }

    /// Adds a clone of the value in another row, if it can be cloned; the map is applied to the ids
    /// inside.
    #[track_caller]
    pub(crate) fn copy(
        &mut self,
        component: RawComponentIndex,
        from: Row,
        map: Option<&IdMap<'_>>,
    ) {
        let mut buffer = Buffer::new(self.core.world.columns.describe(component));
        let column = self.core.world.columns.at(component);
        let value = column.and_then(|column| column.view(from));
        if let Some(mut clone) = value.and_then(|value| buffer.clone_of(value)) {
            if let Some(map) = map {
                clone.descriptor().map_ids(clone.view_mut(), map);
            }
            self.put_moved(component, clone);
        }
    }

    /// Adds missing required components. Must be called after the last value, unless no component
    /// requires others.
    #[inline]
    pub(crate) fn complete(&mut self) {
        if !self.core.world.required.is_empty() {
            put_required(self);
        }
    }

    pub(crate) fn id(&self) -> UntypedId {
        self.id
    }

    pub(super) fn core_mut(&mut self) -> &mut Core<C> {
        self.core
    }

    #[inline(always)] // see `api/create/one.rs`
    pub(crate) fn finish(self) -> Made {
        let (core, steps) = (&mut *self.core, self.steps);
        let plan = match BundlePlan::known(&core.world, steps) {
            Some(known) => known,
            None => BundlePlan::learn(&mut core.world, &core.subs, steps),
        };
        core.world.slots.set_node(self.id, plan.node);
        let made = Made {
            id: self.id,
            row: self.row,
            plan,
        };
        core::mem::forget(self); // dropping it would discard the entity
        made
    }
}

impl<C: 'static> Drop for BundleWriter<'_, C> {
    #[inline(always)] // like `put`
    fn drop(&mut self) {
        take_back(&mut self.core.world, self.id, self.row, self.steps);
    }
}

/// Finds the place for a value if a block or a column must be allocated, or the steps have no
/// space; or rejects the component. The value is not passed, because then it would have to be in
/// memory on the fast path, too.
#[cold]
#[inline(never)]
#[track_caller]
fn prepare<C: 'static, T: Component<C>>(
    core: &mut Core<C>,
    row: Row,
    steps: Steps,
) -> (Steps, Place<'_, T>) {
    let component = index_of::<C, T>();
    let TypedParts { columns, first, .. } = core.parts();
    columns.ensured(component);
    let Some(place) = columns.typed::<T>(component).place(row) else {
        twice(T::NAMES);
    };
    // After everything that may panic: the writer still has the previous steps.
    (steps_with(steps, component, first), place)
}

/// Adds a value on the erased path; returns the steps with its component.
#[inline(never)]
#[track_caller]
fn put_outlined<C: 'static, T: Component<C>>(
    core: &mut Core<C>,
    id: UntypedId,
    row: Row,
    steps: Steps,
    value: T,
) -> Steps {
    let descriptor = const { ComponentDescriptor::of::<C, T>() };
    let (component, mut slot) = (index_of::<C, T>(), ValueSlot::of(value));
    put_moved(
        &mut core.world,
        &mut core.subs,
        (id, row, steps),
        component,
        slot.moved(descriptor),
    )
}

/// Adds a value; returns the steps with its component.
#[track_caller]
fn put_moved(
    world: &mut World,
    subs: &mut Subscribers,
    (id, row, steps): (UntypedId, Row, Steps),
    component: RawComponentIndex,
    value: Moved<'_>,
) -> Steps {
    let descriptor = value.descriptor();
    if let Err(rejection) = validate_new(world, subs, id, component, value.view()) {
        reject_put(world, id, descriptor.names, rejection);
        return steps;
    }
    if !world.columns.ensured(component).put(row, value) {
        twice(descriptor.names);
    }
    let steps = steps_with(steps, component, &mut world.first);
    if descriptor.required.is_some() {
        record_required(world, component);
    }
    steps
}

/// The steps with another component. Those that do not fit are recorded in the set.
fn steps_with(steps: Steps, component: RawComponentIndex, first: &mut RawComponentSet) -> Steps {
    if let Some(steps) = steps.with(component) {
        return steps;
    }
    if steps.are_all() {
        *first = RawComponentSet::new();
    }
    first.extend(steps.iter().chain([component]));
    Steps::AFTER_OTHERS
}

/// Discards validated values of an entity.
#[cold]
pub(crate) fn take_back_made(world: &mut World, made: &Made) {
    world.slots.give_back(made.id);
    let components = world.graph.component_list(made.plan.node);
    world.columns.drop_left(components, made.row);
}

/// Discards an entity with some of its values.
#[cold]
#[inline(never)]
fn take_back(world: &mut World, id: UntypedId, row: Row, steps: Steps) {
    world.attempt = None;
    world.slots.give_back(id);
    world.required.clear();
    let components = steps.after(&world.first);
    world.columns.discard(&components, &[row]);
}

/// Adds what the recorded components require, recursively.
#[cold]
#[inline(never)]
fn put_required<C: 'static>(writer: &mut BundleWriter<'_, C>) {
    let mut at = 0;
    while let Some(&by) = writer.core.world.required.get(at) {
        let descriptor = writer.core.world.columns.describe(by);
        if let Some(visit) = descriptor.required {
            put_missing(writer, descriptor.names, visit);
        }
        at += 1;
    }
    writer.core.world.required.clear();
}

/// Adds the missing ones of the components that another one requires, which has these names; or rejects it.
fn put_missing<C: 'static>(
    writer: &mut BundleWriter<'_, C>,
    by: &'static ComponentNames,
    visit: VisitRequired,
) {
    visit(&mut |part| {
        let (component, row) = (
            writer.core.world.columns.index_of(part.descriptor),
            writer.row,
        );
        let core = &*writer.core;
        if !has(&core.world, component, row) && !alive_has(&core.world, component) {
            if part.is_given() && !core.world.is_mirroring {
                let id = writer.id;
                reject_put(&mut writer.core.world, id, by, Rejection::NotAnEntry);
            }
            part.make(&mut |value| {
                writer.put_moved(component, value); // it is compared with no other value
            });
        }
        let core = &mut *writer.core;
        if part.descriptor.required.is_some() && !core.world.required.contains(&component) {
            core.world.required.push(component);
        }
    });
}

#[cold]
#[track_caller]
pub(crate) fn twice(names: &ComponentNames) -> ! {
    let ComponentNames {
        context, component, ..
    } = names;
    panic!(
        "cannot give an entity of context `{context}` its components: its bundle has component \
         `{component}` twice; an entity has at most one of each kind"
    )
}
