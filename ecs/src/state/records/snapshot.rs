//! Snapshots: all that a context is at one moment, copied column by column, and put in the place of what
//! is there later, in this context or in another one.
//!
//! ```text
//! taken.rs    what is copied: slots, columns, signatures, members of groups, what indexes and handles hold
//! restore.rs  clones first, which is user code; then all is exchanged; then indexes ask for keys
//! excluded.rs components that are left out stay with the entities that live on
//! differences.rs  who differs, for collectors that follow rewinds
//! indexes.rs  which index of another context is the same, and how all of them are filled again
//! ```

mod differences;
mod excluded;
mod indexes;
mod restore;
mod taken;

use core::fmt;
use core::marker::PhantomData;

use self::restore::fork_into;
#[cfg(feature = "serde")]
pub(crate) use self::restore::{check_restorable, replace_by};
use self::taken::Taken;
use crate::state::core::HasCore;
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::error::expect;
use crate::words::signature::RawComponentSet;
use crate::words::snapshot_error::SnapshotError;

/// All that a context is at one moment, as a value of its own.
///
/// Made by [`Context::snapshot`](crate::Context::snapshot); the [`builder`](Self::builder) leaves
/// components out. [`Context::restore`](crate::Context::restore) makes the context, or another one of
/// the type, what it was, any number of times. [`Context::fork`](crate::Context::fork) makes a second
/// context at once, to look ahead in.
///
/// After a restore everything that can be seen of the context is as it was: entities with their ids,
/// also those that are created next, values, the order in which entities are walked, members of groups,
/// unique owners, indexes, links of relations in their order, and what collectors, inboxes and lists of
/// removed values held. Groups, indexes and handles that have been made since stay and follow: groups
/// and indexes hold what matches, the others nothing. Observers and listeners stay; listeners to one
/// entity end if it is not there any more, or had ended meanwhile. No observer or listener is notified.
/// Collectors of a trigger [`with_rewinds`](crate::Trigger::with_rewinds) keep what they hold and collect
/// the entities that differ, and feeds send everything: see [who is
/// notified](crate::guide::history#who-is-notified).
///
/// Restored into another context, a snapshot brings its entities under the same ids, which are good
/// there from then on. What was in that context is dropped. Its collectors, inboxes and lists of removed
/// values are emptied, except collectors `with_rewinds`, and the order of what [`entity_index`](crate::Context::entity_index) handles of
/// that context hold is that of the rows. The key functions of such handles belong to their context and
/// do not come along; indexes of fields do.
///
/// It is taken and restored at the speed of copying columns, whatever the number of changes; a
/// [`History`](crate::History) costs by changes instead, and can tell what they were.
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
    context: PhantomData<fn() -> C>,
}

impl<C: HasCore> Snapshot<C> {
    /// Returns what takes a snapshot, for saying first what it leaves out.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Snapshot;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let snapshot = Snapshot::builder().leave_out::<Texture>().snapshot(&mut game);
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

    /// Returns whether no entity was alive.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(Game::new().snapshot().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes a context what this one was, as [`Context::restore`](crate::Context::restore) does, or
    /// returns why it cannot now.
    ///
    /// # Errors
    ///
    /// [`Busy`](SnapshotError::Busy), [`Recording`](SnapshotError::Recording).
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
    /// Leaves a component out: its values are not copied. When the context is restored an entity that has
    /// lived on keeps the value that it has by then, and one that comes back lacks it; in another
    /// context all of them lack it. An entity also loses a relation whose target is not there; one that
    /// [keeps](crate::OnTargetDestroyed::Keep) dead targets is lost if the target is still to be created.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Snapshot;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let hero = game.create_with(Texture(1)).id();
    /// let snapshot = Snapshot::builder().leave_out::<Texture>().snapshot(&mut game);
    /// game.entity_mut(hero).replace_texture(2);
    /// game.restore(&snapshot);
    /// assert_eq!(game.entity(hero).texture().0, 2);
    /// ```
    pub fn leave_out<T: Component<C>>(mut self) -> Self {
        self.excluded.insert(index_of::<C, T>());
        self
    }

    /// Takes the snapshot.
    ///
    /// # Panics
    ///
    /// Panics if a component is neither `Clone` nor left out.
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
    #[track_caller]
    pub fn snapshot(self, context: &mut C) -> Snapshot<C> {
        expect(self.try_snapshot(context))
    }

    /// Takes the snapshot, or returns which components are not `Clone`.
    ///
    /// # Errors
    ///
    /// [`NotClone`](SnapshotError::NotClone).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Snapshot;
    /// # use sample::*;
    /// let mut ui = Ui::new();
    /// assert!(Snapshot::builder().try_snapshot(&mut ui).is_err());
    /// assert!(Snapshot::builder().leave_out::<Canvas>().try_snapshot(&mut ui).is_ok());
    /// ```
    pub fn try_snapshot(self, context: &mut C) -> Result<Snapshot<C>, SnapshotError> {
        let taken = context.core_mut().take_snapshot(self.excluded)?;
        Ok(Snapshot {
            taken,
            context: PhantomData,
        })
    }
}

/// Makes a context what it, or another one, was at a snapshot.
#[track_caller]
pub(crate) fn restore<C: HasCore>(context: &mut C, snapshot: &Snapshot<C>) {
    expect(snapshot.try_restore(context));
}

/// Makes a context that is what another one is now.
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
