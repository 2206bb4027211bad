//! The writer that puts the values of one entity in place, before anybody knows of it.

use crate::matching::graph::Steps;
use crate::state::{BundlePlan, Core};
use crate::storage::column::Place;
use crate::storage::slots::{EMPTY_NODE, Row};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::refuse;

/// Receives the values of a [`Bundle`](crate::Bundle) for an entity that is about to come to life.
///
/// Nobody knows of the entity until all values are there. If one cannot be taken,
/// or a panic comes in between, the values are dropped and the slot is free again.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// # use ecs::{BundleWriter, ComponentIndex};
/// struct Hero { health: u32 }
/// # impl Components<Game> for Hero {
/// #     fn visit(each: &mut dyn FnMut(ComponentIndex)) { <(Health, Frozen)>::visit(each) }
/// # }
/// impl Bundle<Game> for Hero {
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
    put: Put,
}

/// Which components an entity has got by now.
#[derive(Clone, Copy)]
struct Put {
    /// Whether the first ones are noted in the graph: there are too many for a word of steps,
    /// or the index of one is too large for it.
    are_noted: bool,
    /// The others, which came after these.
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
impl<'a, C> BundleWriter<'a, C> {
    #[inline(always)] // see `create::with`
    pub(crate) fn start(core: &'a mut Core<C>) -> Self {
        let (id, row) = core.slots.create(EMPTY_NODE);
        let put = Put {
            are_noted: false,
            steps: Steps::NONE,
        };
        Self { core, id, row, put }
    }

    /// Takes one value.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
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
            refuse(refusal.error_of_new::<C, T>(self.id));
        }
        let (put, place) = if let Some((component, column)) = self.core.columns.known::<T>()
            && let Some(steps) = self.put.steps.with(component)
            && let Some(place) = column.place_beside(self.row)
        {
            (Put { steps, ..self.put }, place)
        } else {
            place_slowly(self.core, self.row, self.put)
        };
        place.fill(value);
        self.put = put;
    }

    /// Takes a clone of the value in another row, if there is one to clone.
    #[track_caller]
    pub(crate) fn copy<T: Component<C>>(&mut self, from: Row) {
        let value = self
            .core
            .columns
            .of::<T>()
            .and_then(|column| column.get(from));
        if let (Some(clone), Some(value)) = (T::CLONE, value) {
            let value = clone(value);
            self.put(value);
        }
    }

    #[inline(always)] // see `create::with`
    pub(crate) fn finish(self) -> Made<C> {
        let (core, put) = (&mut *self.core, self.put);
        let plan = match BundlePlan::known(core, put.steps) {
            Some(known) if !put.are_noted => known,
            _ => BundlePlan::learn(core, put.are_noted, put.steps),
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

/// Returns the place for a value if a block is to be opened or a column to be made, or the
/// steps cannot take its component; or refuses it. The value stays where it is: handed over,
/// it would have to be in memory for the usual way, too.
#[cold]
#[inline(never)]
#[track_caller]
fn place_slowly<C: 'static, T: Component<C>>(
    core: &mut Core<C>,
    row: Row,
    mut put: Put,
) -> (Put, Place<'_, T>) {
    let (component, column) = core.columns.with_index::<T>();
    if column.contains(row) {
        twice(T::NAMES.context, T::NAMES.component);
    }
    match put.steps.with(component) {
        Some(steps) => put.steps = steps,
        None => {
            core.graph.give(!put.are_noted, put.steps, component);
            (put.are_noted, put.steps) = (true, Steps::NONE);
        }
    }
    let place = column.place(row).expect("the row has been found empty");
    (put, place)
}

#[cold]
#[track_caller]
pub(crate) fn twice(context: &str, component: &str) -> ! {
    panic!(
        "cannot create an entity of context `{context}`: its bundle has component `{component}` \
         twice; an entity has at most one of each kind"
    )
}

impl<C: 'static> Drop for BundleWriter<'_, C> {
    #[inline(always)] // as `put`
    fn drop(&mut self) {
        take_back(self.core, self.id, self.row, self.put);
    }
}

/// Ends an entity that has got some of its values.
#[cold]
#[inline(never)]
fn take_back<C: 'static>(core: &mut Core<C>, id: EntityId<C>, row: Row, put: Put) {
    core.slots.destroy(id);
    let noted = core.graph.given().iter().filter(|_| put.are_noted);
    for component in noted.chain(put.steps.iter()) {
        if let Some(column) = core.columns.at_mut(component) {
            column.discard(row);
        }
    }
}
