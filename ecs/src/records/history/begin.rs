//! Beginning a history, and excluding components from it.

use alloc::boxed::Box;
use core::marker::PhantomData;

use super::History;
use crate::reactions::handle::Watched;
use crate::reactions::history::Recording;
use crate::state::core::HasCore;
use crate::state::recording::{end, has_history};
use crate::state::user_code::is_dispatching;
use crate::words::component::{Components, typed};
use crate::words::error::expect;
use crate::words::history_error::HistoryError;
use crate::words::signature::RawComponentSet;

/// Begins a [`History`]. Returned by [`History::builder`].
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::History;
/// # use sample::*;
/// let mut game = Game::new();
/// let history = History::builder().record(&mut game);
/// game.create_entity();
/// assert_eq!(history.len(&game), 1);
/// ```
#[must_use = "nothing is recorded yet"]
pub struct HistoryBuilder<C> {
    excluded: RawComponentSet,
    context: PhantomData<fn() -> C>,
}

impl<C: HasCore> History<C> {
    /// Returns a builder, to exclude components before the history begins.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::History;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = History::builder().without::<Texture>().record(&mut game);
    /// assert!(history.is_empty(&game));
    /// ```
    pub fn builder() -> HistoryBuilder<C> {
        HistoryBuilder {
            excluded: RawComponentSet::new(),
            context: PhantomData,
        }
    }
}

impl<C: HasCore> HistoryBuilder<C> {
    /// Excludes a component: its changes are neither recorded nor undone.
    ///
    /// A revived entity lacks the component. If the component is a relation, an entity loses it
    /// when its target no longer exists, because the target's creation was undone or its
    /// destruction redone. A relation that [keeps](crate::OnTargetDestroyed::Keep) dead targets is
    /// lost only if the creation was undone.
    ///
    /// Indexes and links that depend on excluded components reflect the present values: a rewind
    /// recomputes the keys of the entities that it changes.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::History;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = History::builder().without::<Texture>().record(&mut game);
    /// let mark = history.mark(&mut game);
    /// let id = game.create_entity().id();
    /// game.entity_mut(id).add_texture(3);
    /// assert_eq!(history.rewind(&mut game, mark), 1);
    /// ```
    pub fn without<T: Components<C>>(mut self) -> Self {
        self.excluded = self.excluded.union(RawComponentSet::of_scope::<C, T>());
        self
    }

    /// Excludes the components with these indices, like [`without`](Self::without); for tools.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::History;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let indices = [game.components().index_of::<Texture>()];
    /// let history = History::builder().without_indices(indices).record(&mut game);
    /// game.create_entity().add_texture(3);
    /// assert_eq!(history.len(&game), 1); // only the entity
    /// ```
    pub fn without_indices(
        mut self,
        components: impl IntoIterator<Item = typed::ComponentIndex<C>>,
    ) -> Self {
        let components = components.into_iter();
        components.for_each(|component| _ = self.excluded.insert(component.untyped()));
        self
    }

    /// Begins the history: records every change from now on.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::History;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = History::builder().record(&mut game);
    /// assert!(history.is_empty(&game));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a component is neither `Clone` nor excluded, if the context already has a history,
    /// or if observers are being notified of a change.
    #[track_caller]
    pub fn record(self, context: &mut C) -> History<C> {
        expect(self.try_record(context))
    }

    /// Like [`record`](Self::record), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::{History, HistoryError};
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let rejected = History::builder().try_record(&mut game).unwrap_err();
    /// assert!(matches!(rejected, HistoryError::AlreadyRecording { .. }));
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotClone`](HistoryError::NotClone), [`AlreadyRecording`](HistoryError::AlreadyRecording),
    /// [`Busy`](HistoryError::Busy).
    pub fn try_record(self, context: &mut C) -> Result<History<C>, HistoryError> {
        let watched = begin(context, self.excluded)?;
        Ok(History::new(context.core().world.instance(), watched))
    }
}

/// Begins to record all changes, except those of excluded components.
fn begin<C: HasCore>(context: &mut C, excluded: RawComponentSet) -> Result<Watched, HistoryError> {
    let (core, name) = (context.core_mut(), C::NAME);
    if is_dispatching(&core.world, &core.subs) {
        return Err(HistoryError::Busy { context: name });
    }
    if has_history(&core.subs) {
        return Err(HistoryError::AlreadyRecording { context: name });
    }
    let components = core.world.columns.not_clone(&excluded);
    if !components.is_empty() {
        return Err(HistoryError::NotClone {
            context: name,
            components,
        });
    }
    end(context);
    let core = context.core_mut();
    let excluded = excluded.union(core.world.groups.flags().clone());
    core.world.graph.set_recorded(Some(excluded.clone()), false);
    core.subs.indexes.set_recorded(Some(&excluded));
    let (recording, watched) = Recording::new(excluded);
    core.subs.history = Some(Box::new(recording));
    Ok(watched)
}
