//! Random access by id to one component, with writes reported as by a query.

use core::marker::PhantomData;
use core::{fmt, mem};

use super::data::is_observed;
use crate::api::view::View;
use crate::state::{Core, HasCore, QueryUpdate, RowRecorder, Visit, Written};
use crate::storage::column::ValuesById;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// Reads and writes one component of any entities by id, with a single lookup of the column.
///
/// [`Context::view_mut`](crate::Context::view_mut) passes it to a closure, and reports the written
/// entities when the closure returns: each as updated once, in the order of first writes, with its
/// value from before the closure. Reporting an unobserved component costs nothing.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let wounded = game.collector(Game::all_of::<Health>().updated());
/// let ids = game.create_many([Health(5), Health(7), Health(1)]);
/// game.view_mut::<Health>(|healths| {
///     let least = healths.get(ids[2]).map_or(0, |health| health.0);
///     if let Some(health) = healths.get_mut(ids[1]) {
///         health.0 -= least;
///     }
///     assert_eq!(healths.replace(ids[0], Health(9)), Some(Health(5)));
/// });
/// assert_eq!(game.entity(ids[1]).health().0, 6);
/// assert_eq!(wounded.drain(&mut game), [ids[1], ids[0]]);
/// ```
pub struct ViewMut<'a, C: HasCore, T: Component<C>> {
    /// The values of a core that the view borrows exclusively.
    values: ValuesById<'a, T>,
    core: &'a Core<C>,
    /// Where to record writes, if they are reported.
    recorder: Option<RowRecorder<'a>>,
    /// Invariant, as in a query.
    data: PhantomData<fn(T) -> T>,
}

impl<'a, C: HasCore, T: Component<C>> ViewMut<'a, C, T> {
    #[inline]
    pub(crate) fn visit(context: &mut C, visit: impl FnOnce(&mut ViewMut<'_, C, T>)) {
        let mut update = QueryUpdate::new(context);
        if is_observed::<C, &mut T>(update.context().core()) {
            update.begin_one_by_one(Written::of::<C, T>());
        }
        let Visit {
            context, recorder, ..
        } = update.visit();
        let core = context.core_mut();
        visit(&mut ViewMut {
            values: View::<C, T>::of(core).values(),
            core,
            recorder,
            data: PhantomData,
        });
        update.finish();
    }

    /// Returns the component of an entity, or `None` if it is dead or lacks it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// game.view_mut::<Health>(|healths| assert_eq!(healths.get(id), Some(&Health(3))));
    /// ```
    #[inline]
    #[track_caller]
    pub fn get(&self, id: EntityId<C>) -> Option<&T> {
        self.values.get(id)
    }

    /// Returns a mutable reference to the component of an entity, and reports the entity as
    /// updated.
    ///
    /// Returns `None` if it is dead or lacks the component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// game.view_mut::<Health>(|healths| healths.get_mut(id).unwrap().0 += 1);
    /// assert_eq!(game.entity(id).health().0, 4);
    /// ```
    #[inline]
    #[track_caller]
    pub fn get_mut(&mut self, id: EntityId<C>) -> Option<&mut T> {
        let (row, mut value) = self.values.place(id)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.record(&self.core.world, row);
        }
        // SAFETY: the value is initialized (4). The view borrows the core (1), no other gives access
        // to its values (2), and it is borrowed as long as the reference exists (3).
        Some(unsafe { value.as_mut() })
    }

    /// Replaces the component of an entity, reports the entity as updated, and returns the previous
    /// value.
    ///
    /// Returns `None` and changes nothing if the entity is dead or lacks the component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = [game.create_with(Health(3)).id(), game.create_entity().id()];
    /// game.view_mut::<Health>(|healths| {
    ///     assert_eq!(healths.replace(ids[0], Health(8)), Some(Health(3)));
    ///     assert_eq!(healths.replace(ids[1], Health(8)), None);
    /// });
    /// assert_eq!(game.entity(ids[0]).health().0, 8);
    /// assert!(!game.entity(ids[1]).has_health());
    /// ```
    #[inline]
    #[track_caller]
    pub fn replace(&mut self, id: EntityId<C>, value: T) -> Option<T> {
        Some(mem::replace(self.get_mut(id)?, value))
    }
}

impl<C: HasCore, T: Component<C>> fmt::Debug for ViewMut<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ViewMut({})", T::NAMES.component)
    }
}
