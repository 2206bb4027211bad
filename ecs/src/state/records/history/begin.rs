//! How a history begins, and what it leaves out.

use alloc::boxed::Box;
use core::marker::PhantomData;

use super::History;
use crate::reactions::handle::Watched;
use crate::reactions::history::Recording;
use crate::state::core::{HasCore, Registries};
use crate::state::recording::end;
use crate::storage::registry::index_of;
use crate::words::component::{Component, typed};
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
    /// Returns what begins a history, for saying first what it leaves out.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::History;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = History::builder().leave_out::<Texture>().record(&mut game);
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
    /// Leaves a component out: nothing that happens to it is recorded or taken back. An entity that
    /// is brought back to life lacks it. An entity also loses a relation whose target is not there any
    /// more, since its creation has been taken back or its end done again; one that
    /// [keeps](crate::OnTargetDestroyed::Keep) dead targets is lost in the first case alone.
    ///
    /// Indexes and links that depend on what is left out hold the present values: a rewind asks the
    /// entities that it changes for their keys again.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::History;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = History::builder().leave_out::<Texture>().record(&mut game);
    /// let mark = history.mark(&mut game);
    /// let id = game.create_entity().id();
    /// game.entity_mut(id).add_texture(3);
    /// assert_eq!(history.rewind(&mut game, mark), 1);
    /// ```
    pub fn leave_out<T: Component<C>>(mut self) -> Self {
        self.excluded.insert(index_of::<C, T>());
        self
    }

    /// Leaves the components with these indices out, as [`leave_out`](Self::leave_out) does: for tools.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::History;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let indices = [game.components().index_of::<Texture>()];
    /// let history = History::builder().leave_out_indices(indices).record(&mut game);
    /// game.create_entity().add_texture(3);
    /// assert_eq!(history.len(&game), 1); // the entity alone
    /// ```
    pub fn leave_out_indices(
        mut self,
        components: impl IntoIterator<Item = typed::ComponentIndex<C>>,
    ) -> Self {
        let components = components.into_iter();
        components.for_each(|component| _ = self.excluded.insert(component.untyped()));
        self
    }

    /// Records every change from now on.
    ///
    /// # Panics
    ///
    /// Panics if a component is neither `Clone` nor left out, the context is recorded already, or
    /// observers are being notified of a change.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::History;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = History::builder().record(&mut game);
    /// assert!(history.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn record(self, context: &mut C) -> History<C> {
        expect(self.try_record(context))
    }

    /// Records every change from now on, or returns why it cannot.
    ///
    /// # Errors
    ///
    /// [`NotClone`](HistoryError::NotClone), [`AlreadyRecording`](HistoryError::AlreadyRecording),
    /// [`Busy`](HistoryError::Busy).
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
    pub fn try_record(self, context: &mut C) -> Result<History<C>, HistoryError> {
        let watched = begin(context, self.excluded)?;
        Ok(History::new(context.core().instance(), watched))
    }
}

/// Records all changes from now on but those of some components.
fn begin<C: HasCore>(context: &mut C, excluded: RawComponentSet) -> Result<Watched, HistoryError> {
    let (core, name) = (context.core_mut(), C::NAME);
    if core.is_dispatching() {
        return Err(HistoryError::Busy { context: name });
    }
    if core.has_history() {
        return Err(HistoryError::AlreadyRecording { context: name });
    }
    let components = core.columns.not_clone(&excluded);
    if !components.is_empty() {
        return Err(HistoryError::NotClone {
            context: name,
            components,
        });
    }
    end(context);
    let core: &mut Registries = context.core_mut();
    core.graph.set_recorded(Some(excluded.clone()), false);
    core.indexes.set_recorded(Some(&excluded), &core.groups);
    let (recording, watched) = Recording::new(excluded);
    core.history = Some(Box::new(recording));
    Ok(watched)
}
