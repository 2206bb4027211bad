//! Structures of users that follow a context.

use alloc::boxed::Box;

use crate::api::entity::{Entity, Handles};
use crate::matching::matcher::Matcher;
use crate::reactions::entity_index::{Index, IndexHandle, Kept, KeyIndex, Structured};
use crate::state::{self, check_own};
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::demands::{Confined, FitsIn};
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// Creates an index with a structure of the user.
pub(super) fn create<C: Handles, I: Index<C>>(
    context: &mut C,
    matcher: Matcher<C>,
    key: impl Fn(C::Entity<'_>) -> I::Key + FitsIn<C>,
    structure: I,
) -> IndexHandle<C, I> {
    state::look_for_dropped(context);
    let group = state::group(context, matcher).index;
    let key = Confined::new::<C>(key);
    let keys_of = Box::new(
        move |context: &C, id: UntypedId, each: &mut dyn FnMut(I::Key)| {
            if let Some(entity) = Entity::find(context, id.typed()) {
                each(key(entity.into()));
            }
        },
    );
    let (number, watched) = state::add_index(context, group, keys_of, Kept::new(structure));
    IndexHandle::new(context.core().world.instance, number, watched)
}

/// Returns the structure that is the `FIELD`-th index of component `T`.
#[doc(hidden)]
#[track_caller]
pub fn structure_of<C, T, const FIELD: usize>(context: &C) -> &T::Structure
where
    C: Handles,
    T: Component<C> + Structured<C, FIELD>,
{
    let core = context.core();
    core.world.check_reported();
    let indexes = core.subs.indexes();
    let Some(number) = indexes.of_field(index_of::<C, T>(), FIELD) else {
        return T::empty();
    };
    let index = indexes.get::<World, Kept<C, T::Structure>>(number);
    let current = index.and_then(KeyIndex::current);
    match current.and_then(Kept::structure) {
        Some(structure) => structure,
        None => reject_outdated::<C>(),
    }
}

impl<C: Handles, I: Index<C>> IndexHandle<C, I> {
    #[track_caller]
    fn index<'c>(&self, context: &'c C) -> &'c KeyIndex<C, Kept<C, I>> {
        let core = context.core();
        check_own(&core.world, self.instance, "index");
        let index = core.subs.indexes().get(self.number);
        index.expect("an index has the structure of its handle")
    }

    /// Returns whether the structure has been notified of all changes: always, unless the key function or the structure
    /// has panicked since, or a closure that changed a component: the next change of an entity in the index mends that.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ranking = game.index_with(Game::all_of::<Health>(), |e| e.health().0, ecs::Ordered::new());
    /// assert!(ranking.is_current(&game));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the index belongs to another context, or is used by its own key function.
    #[must_use]
    #[track_caller]
    pub fn is_current(&self, context: &C) -> bool {
        let current = self.index(context).current();
        current.and_then(Kept::structure).is_some()
    }

    /// Returns the structure, which has been notified of all changes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let cells = Game::all_of::<Cell>();
    /// let grid = game.index_with(cells, |e| [e.cell().0, e.cell().1].map(|it| it as f32), ecs::Grid::new(16.0));
    /// let id = game.create_with(Cell(3, 4)).id();
    /// let (near, at) = grid.get(&game).within([0.0, 0.0], 5.0).next().unwrap();
    /// assert_eq!((near, at), (id, [3.0, 4.0]));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the index belongs to another context, is used by its own key function, or is out of date after a panic;
    /// see [`is_current`](Self::is_current).
    #[inline]
    #[track_caller]
    pub fn get<'c>(&self, context: &'c C) -> &'c I {
        let current = self.index(context).current();
        match current.and_then(Kept::structure) {
            Some(structure) => structure,
            None => reject_outdated::<C>(),
        }
    }

    /// Calls `body` with the context and the structure, so that a loop that writes can read it: one pass in place of two.
    /// The structure stays as it is meanwhile, and is notified of all changes when `body` has returned.
    ///
    /// Complexity: that of `body`, and of updating the entities that have changed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let line = game.index_with(Game::all_of::<Position>(), |e| [e.position().0], ecs::Grid::new(8.0));
    /// let ids = game.create_many([Position(0.0), Position(1.0)]);
    /// line.with(&mut game, |game, line| {
    ///     game.query_mut::<&mut Position>().for_each(|position| {
    ///         let near = line.within([position.0], 5.0);
    ///         position.0 = near.map(|(_, [x])| x).sum(); // of where all were before
    ///     });
    /// });
    /// assert_eq!(game.entity(ids[1]).position().0, 1.0);
    /// assert_eq!(line.get(&game).within([1.0], 0.0).count(), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`get`](Self::get) would panic; in `body`, `get` of this index panics. If `body` panics after it has
    /// changed something, the structure is out of date until [`refresh`](Self::refresh).
    #[track_caller]
    pub fn with<R>(&self, context: &mut C, body: impl FnOnce(&mut C, &I) -> R) -> R {
        self.index(context);
        state::with_structure(context, self.number, body).unwrap_or_else(|| reject_outdated::<C>())
    }

    /// Computes all keys again, for what has changed outside of the context, or after a panic.
    ///
    /// Complexity: linear in the entities that match.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    /// static BONUS: AtomicU32 = AtomicU32::new(0);
    ///
    /// let mut game = Game::new();
    /// let power = |e: GameEntity<'_>| e.health().0 + BONUS.load(Relaxed);
    /// let ranking = game.index_with(Game::all_of::<Health>(), power, ecs::Ordered::new());
    /// let id = game.create_with(Health(1)).id();
    /// BONUS.store(5, Relaxed);
    /// ranking.refresh(&mut game);
    /// assert_eq!(ranking.get(&game).last(), Some((&6, id)));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the index belongs to another context.
    #[track_caller]
    pub fn refresh(&self, context: &mut C) {
        self.index(context);
        state::refresh_index(context, self.number);
    }
}

#[cold]
#[track_caller]
fn reject_outdated<C: Handles>() -> ! {
    panic!(
        "an index of context `{}` is out of date: it is used in the closure of its own `with`, which has the structure as an \
         argument; or a closure that changed a component has panicked, which the next change of an entity in the index \
         mends; or its key function, its structure or the closure of `with` has: mend what panics, then call `refresh` of \
         its handle, or replace the components concerned",
        C::NAME
    )
}
