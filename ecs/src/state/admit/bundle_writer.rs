//! The writer that admits the values of a new entity, one by one, before anybody knows of it.
//!
//! Which components it has got by now is kept in a word of steps as long as that has room, so
//! that the graph finds their node by one look.

use super::new_place::prepare;
use super::required::{note_required, put_required};
use crate::matching::graph::Steps;
use crate::state::bundle_plan::BundlePlan;
use crate::state::core::Core;
use crate::storage::slots::{EMPTY_NODE, Row};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::map_ids::IdMap;

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
    id: EntityId<C>,
    row: Row,
    /// The components that it has got, or the last of them: the first are noted in
    /// [`Core::first`] if they are too many for a word of steps, or the index of one is too large.
    steps: Steps,
}

/// An entity whose values are stored, and what its coming to life does.
pub(crate) struct Made<C> {
    pub(crate) id: EntityId<C>,
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
    pub(super) fn start_on(core: &'a mut Core<C>, id: EntityId<C>) -> Self {
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
        if let Err(refusal) = self.core.admit_new(self.id, &value) {
            return self.core.refuse_put::<T>(self.id, refusal);
        }
        let (steps, place) = if let Some((component, column)) =
            self.core.columns.columns.known::<T>()
            && let Some(steps) = self.steps.with(component)
            && let Some(place) = column.place_beside(self.row)
        {
            (steps, place)
        } else {
            prepare(self.core, self.row, self.steps)
        };
        place.fill(value);
        self.steps = steps;
        if const { T::REQUIRES } {
            note_required::<C, T>(self.core);
        }
    }

    /// Takes one value. It is one function for each component, to be called where `put` need not be
    /// fast.
    #[inline(never)]
    #[track_caller]
    pub(crate) fn put_outlined<T: Component<C>>(&mut self, value: T) {
        self.put(value);
    }

    /// Puts what is required by components that have been put, and is missing. To be called behind
    /// the last value, unless it is known that none of them requires any.
    #[inline]
    pub(crate) fn complete(&mut self) {
        if !self.core.required.is_empty() {
            put_required(self.core, self.id, self.row, &mut self.steps);
        }
    }

    pub(super) fn core_mut(&mut self) -> &mut Core<C> {
        self.core
    }

    /// Takes a clone of the value in another row, if there is one that can be cloned; the ids inside
    /// of it become others, if a map says so.
    #[track_caller]
    pub(crate) fn copy<T: Component<C>>(&mut self, from: Row, map: Option<&IdMap<'_>>) {
        let column = self.core.columns.of::<T>();
        let value = column.and_then(|column| column.get(from));
        if let (Some(clone), Some(value)) = (T::CLONE, value) {
            let mut value = clone(value);
            if let (Some(map_ids), Some(map)) = (T::MAP_IDS, map) {
                map_ids(&mut value, map);
            }
            self.put_outlined(value);
        }
    }

    #[inline(always)] // see `create::with`
    pub(crate) fn finish(self) -> Made<C> {
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

/// Takes back values that have been staged for an entity and are not wanted.
#[cold]
pub(crate) fn take_back_made<C: 'static>(core: &mut Core<C>, made: &Made<C>) {
    core.slots.give_back(made.id);
    let components = core.graph.component_list(made.plan.node);
    core.columns.drop_left(components, made.row);
}

/// Ends an entity that has got some of its values.
#[cold]
#[inline(never)]
fn take_back<C: 'static>(core: &mut Core<C>, id: EntityId<C>, row: Row, steps: Steps) {
    core.attempt = None;
    core.slots.give_back(id);
    core.required.clear();
    let components = steps.after(&core.first);
    core.columns.columns.discard(&components, &[row]);
}
