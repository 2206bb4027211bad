//! Snapshots: the whole state of a context, copied column by column, and restored later into the
//! same context or another one.
//!
//! ```text
//! taken.rs        what is copied: slots, columns, signatures, contents of indexes and handles
//! restore.rs      clones first (user code), then swaps everything, then refills indexes
//! differences.rs  entities that differ, for collectors that include rewinds
//! indexes.rs      identifies the indexes of two contexts, and refills them
//! ```

mod differences;
mod indexes;
mod restore;
pub(super) mod taken;

use core::fmt;
use core::marker::PhantomData;

use self::restore::fork_into;
#[cfg(feature = "serde")]
pub(crate) use self::restore::{check_restorable, replace_by};
use self::taken::Taken;
use super::snapshot::taken::take_snapshot;
use crate::state::core::HasCore;
use crate::words::component::Components;
use crate::words::demands::Holds;
use crate::words::error::expect;
use crate::words::signature::RawComponentSet;
use crate::words::snapshot_error::SnapshotError;

/// A copy of the whole state of a context.
///
/// Created by [`Context::snapshot`](crate::Context::snapshot), or by a [`builder`](Self::builder)
/// that excludes components. [`Context::restore`](crate::Context::restore) restores it into the
/// context, or into another one of the same type, any number of times.
/// [`Context::fork`](crate::Context::fork) creates a second context directly, for example to look
/// ahead.
///
/// A restore brings back everything observable: entities with their ids, including the ids of
/// entities created next, values, iteration order, members of groups, unique owners, indexes, links
/// of relations in their order, and the contents of collectors, inboxes and lists of removed
/// values. Groups, indexes and handles created since the snapshot stay: groups and indexes contain
/// what matches, the others are empty. Observers and listeners stay, except that listeners to one
/// entity are removed if it no longer exists or had been destroyed in the meantime. No observer or
/// listener is notified. Collectors whose trigger is [`with_rewinds`](crate::Trigger::with_rewinds)
/// keep their contents and collect the entities that differ, and feeds send everything: see [who is
/// notified](crate::guide::undo_and_rollback#who-is-notified).
///
/// Restored into another context, a snapshot brings its entities under the same ids, which are
/// valid there from then on. The previous contents of that context are dropped. Its collectors,
/// except those `with_rewinds`, its inboxes and its lists of removed values are emptied. Its
/// [`entity_index`](crate::Context::entity_index) handles list entities in the order of rows: their
/// key functions belong to their context and are not copied. Indexes of fields are.
///
/// The cost is that of copying columns, whatever the number of changes; a
/// [`History`](crate::History) costs per change instead, and records what changed.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let hero = game.create_with(Health(3)).id();
/// let start = game.snapshot();
///
/// game.entity_mut(hero).replace_health(1);
/// let ghost = game.create_entity().id();
/// game.restore(&start);
/// assert_eq!(game.entity(hero).health().0, 3);
/// assert_eq!(game.create_entity().id(), ghost); // the same id again
/// ```
pub struct Snapshot<C> {
    taken: Taken,
    _holds: Holds<C>,
}

impl<C: HasCore> Snapshot<C> {
    /// Returns a builder, to exclude components before the snapshot is taken.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Snapshot;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let snapshot = Snapshot::builder().without::<Texture>().snapshot(&mut game);
    /// assert!(snapshot.is_empty());
    /// ```
    pub fn builder() -> SnapshotBuilder<C> {
        SnapshotBuilder {
            excluded: RawComponentSet::new(),
            context: PhantomData,
        }
    }

    /// Returns the number of entities that were alive.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity();
    /// assert_eq!(game.snapshot().len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.taken.entities.slots.len()
    }

    /// Returns `true` if no entity was alive.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(Game::new().snapshot().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Like [`Context::restore`](crate::Context::restore), but returns an error instead of
    /// panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::SnapshotError;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let snapshot = game.snapshot();
    /// let history = game.record();
    /// let rejected = snapshot.try_restore(&mut game).unwrap_err();
    /// assert!(matches!(rejected, SnapshotError::Recording { .. }));
    /// history.release(&mut game);
    /// assert!(snapshot.try_restore(&mut game).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Busy`](SnapshotError::Busy), [`Recording`](SnapshotError::Recording).
    pub fn try_restore(&self, context: &mut C) -> Result<(), SnapshotError> {
        restore::restore(context, &self.taken)
    }
}

/// Takes a [`Snapshot`]. Returned by [`Snapshot::builder`].
#[must_use = "nothing is copied yet"]
pub struct SnapshotBuilder<C> {
    excluded: RawComponentSet,
    context: PhantomData<fn() -> C>,
}

impl<C: HasCore> SnapshotBuilder<C> {
    /// Excludes a component: its values are not copied.
    ///
    /// After a restore into the same context, surviving entities keep their present value and
    /// revived ones lack the component; in another context, all entities lack it. If the component
    /// is a relation, an entity also loses it when its target does not exist. A relation that
    /// [keeps](crate::OnTargetDestroyed::Keep) dead targets is lost only if the target has not been
    /// created yet. Entries of a component with `many` that are revived have no components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Snapshot;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let hero = game.create_with(Texture(1)).id();
    /// let snapshot = Snapshot::builder().without::<Texture>().snapshot(&mut game);
    /// game.entity_mut(hero).replace_texture(2);
    /// game.restore(&snapshot);
    /// assert_eq!(game.entity(hero).texture().0, 2);
    /// ```
    pub fn without<T: Components<C>>(mut self) -> Self {
        self.excluded = self.excluded.union(RawComponentSet::of_scope::<C, T>());
        self
    }

    /// Takes the snapshot.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Snapshot;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let snapshot = Snapshot::builder().snapshot(&mut game);
    /// game.create_entity();
    /// game.restore(&snapshot);
    /// assert!(game.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a component is neither `Clone` nor excluded.
    #[track_caller]
    pub fn snapshot(self, context: &mut C) -> Snapshot<C> {
        expect(self.try_snapshot(context))
    }

    /// Like [`snapshot`](Self::snapshot), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Snapshot;
    /// # use sample::*;
    /// let mut ui = Ui::new();
    /// assert!(Snapshot::builder().try_snapshot(&mut ui).is_err());
    /// assert!(Snapshot::builder().without::<Canvas>().try_snapshot(&mut ui).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotClone`](SnapshotError::NotClone).
    pub fn try_snapshot(self, context: &mut C) -> Result<Snapshot<C>, SnapshotError> {
        let taken = {
            let core = context.core_mut();
            take_snapshot(&mut core.world, &mut core.subs, self.excluded)
        }?;
        Ok(Snapshot {
            taken,
            _holds: Holds::NEW,
        })
    }
}

/// Restores a snapshot of this context or of another one.
#[track_caller]
pub(crate) fn restore<C: HasCore>(context: &mut C, snapshot: &Snapshot<C>) {
    expect(snapshot.try_restore(context));
}

/// Creates a copy of a context.
#[track_caller]
pub(crate) fn fork<C: HasCore + Default>(context: &C) -> C {
    let mut fork = C::default();
    expect(fork_into(context, &mut fork));
    fork
}

impl<C: HasCore> fmt::Debug for Snapshot<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Snapshot({} entities of {})", self.len(), C::NAME)
    }
}

impl<C: HasCore> fmt::Debug for SnapshotBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SnapshotBuilder")
    }
}
