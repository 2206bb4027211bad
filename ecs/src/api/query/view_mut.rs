//! Reading and writing one component of many entities by id, reported like a query that writes.

use core::fmt;
use core::mem;

use super::data::is_followed;
use super::narrowing::Narrowing;
use super::walk::BlockWalk;
use crate::state::{HasCore, Noting, QueryUpdate, Written};
use crate::storage::column::ROWS;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// Reads and writes one component of many entities by id, the column looked up once.
///
/// Lent to a closure by [`Context::view_mut`](crate::Context::view_mut), which reports every entity
/// written to when the closure returns: as updated once, in the order in which they were first
/// written to, with the value from before the view. A component that has no observers costs nothing
/// to report.
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
    walk: BlockWalk<'a, C, &'a mut T>,
    /// Where to note what is written to, if it is reported.
    noting: Option<Noting<'a>>,
}

impl<'a, C: HasCore, T: Component<C>> ViewMut<'a, C, T> {
    pub(crate) fn visit(context: &mut C, visit: impl FnOnce(&mut ViewMut<'_, C, T>)) {
        let is_followed = is_followed::<C, &mut T>(context.core());
        let mut update = match is_followed {
            true => QueryUpdate::of_noted(context, Written::of::<C, T>()),
            false => QueryUpdate::unfollowed(context),
        };
        let (context, noting) = update.noting();
        visit(&mut ViewMut {
            walk: BlockWalk::new(context.core_mut(), &Narrowing::none(), &[]),
            noting: is_followed.then_some(noting),
        });
        update.finish();
    }

    /// Returns the component of an entity; `None` if it is dead or has none.
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
        let row = self.walk.visited_row(id)?;
        // SAFETY: the row is visited, so its block is there, and it has an initialized value (4). The
        // view holds the core (1) and is the only one that makes items: those that write are borrowed
        // from it exclusively, so there is none now (3).
        Some(unsafe { &*self.walk.block(row.get() / ROWS).add(row.get() % ROWS) })
    }

    /// Returns the component of an entity, to be changed, and reports the entity as updated; `None`
    /// if it is dead or has none.
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
        let row = self.walk.visited_row(id)?;
        if let Some(noting) = &mut self.noting {
            noting.note(self.walk.core(), row);
        }
        // SAFETY: the row is visited. The view holds the core (1), asks for one component (2), and is
        // borrowed exclusively, so no other item is there (3).
        Some(unsafe { self.walk.item(row) })
    }

    /// Replaces the component of an entity, reports the entity as updated, and returns the value that
    /// was there; `None`, with nothing changed, if the entity is dead or has no such component.
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
