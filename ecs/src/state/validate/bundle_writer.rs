//! The writer that admits the values of a new entity, one by one, before anybody knows of it.
//!
//! Which components it has got by now is kept in a word of steps as long as that has room, so
//! that the graph finds their node by one look.

use super::fast::{FAST, is_plain};
use super::required::{alive_has, has, record_required};
use crate::matching::graph::Steps;
use crate::state::bundle_plan::BundlePlan;
use crate::state::core::{Core, Registries, TypedParts};
use crate::storage::column::Place;
use crate::storage::descriptor::{AnyValue, ComponentDescriptor, VisitRequired};
use crate::storage::moved::{Buffer, Moved, Slot};
use crate::storage::registry::index_of;
use crate::storage::slots::{EMPTY_NODE, Row};
use crate::words::component::{Component, ComponentNames, RawComponentIndex};
use crate::words::entity_id::UntypedId;
use crate::words::map_ids::IdMap;
use crate::words::signature::RawComponentSet;

/// Receives the values of a [`Bundle`](crate::Bundle) for an entity that is about to come to life.
///
/// Nobody knows of the entity until all values are there. If one cannot be taken,
/// or a panic comes in between, the values are dropped and the slot is free again.
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
    /// The components that it has got, or the last of them: the first are noted in
    /// [`Registries::first`] if they are too many for a word of steps, or the index of one is too large.
    steps: Steps,
}

/// An entity whose values are stored, and what its coming to life does.
pub(crate) struct Made {
    pub(crate) id: UntypedId,
    pub(crate) row: Row,
    pub(crate) plan: BundlePlan,
}

// What is kept in here is handed to other functions by value alone: so it stays in registers
// where `put` and `finish` are inlined.
impl<'a, C: 'static> BundleWriter<'a, C> {
    #[inline(always)] // see `create::with`
    pub(crate) fn start(core: &'a mut Core<C>) -> Self {
        let (id, row) = core.slots.create(EMPTY_NODE);
        Self {
            core,
            id,
            row,
            steps: Steps::NONE,
        }
    }

    /// A writer for an entity without components that nobody knows of.
    pub(super) fn start_on(core: &'a mut Core<C>, id: UntypedId) -> Self {
        let row = core.slots.row_of(id);
        Self {
            core,
            id,
            row,
            steps: Steps::NONE,
        }
    }

    /// Takes one value.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(3), Frozen)).id(); // puts one after the other
    /// assert_eq!(game.entity(id).component_indices().len(), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the bundle has the same component twice, one that is unique and that
    /// another entity has, or a key of a primary index that is another entity's.
    #[inline(always)] // see `create::with`
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

    /// Takes one value of the component with an index.
    #[track_caller]
    pub(crate) fn put_moved(&mut self, component: RawComponentIndex, value: Moved<'_>) {
        let of = (self.id, self.row, self.steps);
        self.steps = put_moved(self.core, of, component, value);
    }

    /// Takes a clone of a value of the component with an index, if that can be cloned; the ids inside of it
    /// become others, if a map says so.
    #[track_caller]
    pub(crate) fn put_clone(
        &mut self,
        component: RawComponentIndex,
        value: &AnyValue,
        map: Option<&IdMap<'_>>,
    ) {
        let mut buffer = Buffer::new(self.core.columns.describe(component));
        if let Some(mut clone) = buffer.clone_of(value) {
            if let Some(map) = map {
                clone.descriptor().map_ids(clone.view_mut(), map);
            }
            self.put_moved(component, clone);
        }
    }

    /// Takes a clone of the value in another row, if there is one that can be cloned; the ids inside
    /// of it become others, if a map says so.
    #[track_caller]
    pub(crate) fn copy(
        &mut self,
        component: RawComponentIndex,
        from: Row,
        map: Option<&IdMap<'_>>,
    ) {
        let mut buffer = Buffer::new(self.core.columns.describe(component));
        let column = self.core.columns.at(component);
        let value = column.and_then(|column| column.view(from));
        if let Some(mut clone) = value.and_then(|value| buffer.clone_of(value)) {
            if let Some(map) = map {
                clone.descriptor().map_ids(clone.view_mut(), map);
            }
            self.put_moved(component, clone);
        }
    }

    /// Puts what is required by components that have been put, and is missing. To be called behind
    /// the last value, unless it is known that none of them requires any.
    #[inline]
    pub(crate) fn complete(&mut self) {
        if !self.core.required.is_empty() {
            put_required(self);
        }
    }

    pub(super) fn core_mut(&mut self) -> &mut Core<C> {
        self.core
    }

    #[inline(always)] // see `create::with`
    pub(crate) fn finish(self) -> Made {
        let (core, steps) = (&mut *self.core, self.steps);
        let plan = match BundlePlan::known(core, steps) {
            Some(known) => known,
            None => BundlePlan::learn(core, steps),
        };
        core.slots.set_node(self.id, plan.node);
        let made = Made {
            id: self.id,
            row: self.row,
            plan,
        };
        core::mem::forget(self); // which would take the entity back
        made
    }
}

impl<C: 'static> Drop for BundleWriter<'_, C> {
    #[inline(always)] // as `put`
    fn drop(&mut self) {
        take_back(self.core, self.id, self.row, self.steps);
    }
}

/// The place for a value if a block is to be opened or a column to be made, or the steps cannot
/// take its component; or rejects it. The value stays where it is: handed over, it would have
/// to be in memory for the usual way, too.
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
    // Noted behind all that may panic: the writer has the steps of before then.
    (steps_with(steps, component, first), place)
}

/// Puts a value the erased way; returns the steps with its component.
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
    let (component, mut slot) = (index_of::<C, T>(), Slot::of(value));
    put_moved(core, (id, row, steps), component, slot.moved(descriptor))
}

/// Puts a value; returns the steps with its component.
#[track_caller]
fn put_moved(
    core: &mut Registries,
    (id, row, steps): (UntypedId, Row, Steps),
    component: RawComponentIndex,
    value: Moved<'_>,
) -> Steps {
    let descriptor = value.descriptor();
    if let Err(rejection) = core.validate_new(id, component, value.view()) {
        core.reject_put(id, descriptor.names, rejection);
        return steps;
    }
    if !core.columns.ensured(component).put(row, value) {
        twice(descriptor.names);
    }
    let steps = steps_with(steps, component, &mut core.first);
    if descriptor.required.is_some() {
        record_required(core, component);
    }
    steps
}

/// The steps with another component. Those that have no room are noted in the set.
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

/// Takes back values that have been staged for an entity and are not wanted.
#[cold]
pub(crate) fn take_back_made(core: &mut Registries, made: &Made) {
    core.slots.give_back(made.id);
    let components = core.graph.component_list(made.plan.node);
    core.columns.drop_left(components, made.row);
}

/// Ends an entity that has got some of its values.
#[cold]
#[inline(never)]
fn take_back(core: &mut Registries, id: UntypedId, row: Row, steps: Steps) {
    core.attempt = None;
    core.slots.give_back(id);
    core.required.clear();
    let components = steps.after(&core.first);
    core.columns.discard(&components, &[row]);
}

/// Puts what the noted components require, and what that requires.
#[cold]
#[inline(never)]
fn put_required<C: 'static>(writer: &mut BundleWriter<'_, C>) {
    let mut at = 0;
    while let Some(&by) = writer.core.required.get(at) {
        let descriptor = writer.core.columns.describe(by);
        if let Some(visit) = descriptor.required {
            put_missing(writer, visit);
        }
        at += 1;
    }
    writer.core.required.clear();
}

/// Puts what is missing of the components that another one requires.
fn put_missing<C: 'static>(writer: &mut BundleWriter<'_, C>, visit: VisitRequired) {
    visit(&mut |part| {
        let (component, row) = (writer.core.columns.index_of(part.descriptor), writer.row);
        let core = &*writer.core;
        if !has(core, component, row) && !alive_has(core, component) {
            part.make(&mut |value| {
                writer.put_moved(component, value); // it is compared with no other value
            });
        }
        let core = &mut *writer.core;
        if part.descriptor.required.is_some() && !core.required.contains(&component) {
            core.required.push(component);
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
