//! Undo of edits: steps that are undone by ordinary changes, while the context continues to change.

mod apply;
mod chain;
mod ids;
mod moves;
mod record;
mod restore;
mod step;

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::mem;

use self::chain::Chain;
use self::ids::CurrentIds;
use self::record::{KnownValues, UndoScope, check_recordable, record};
use self::restore::restore;
use self::step::UndoStep;
use crate::state::HasCore;
use crate::words::component::Components;
use crate::words::demands::Holds;
use crate::words::error::{Error, Operation, expect};
use crate::words::signature::RawComponentSet;

/// Undo and redo for an editor: a stack of named steps, each of which undoes only what it has
/// changed.
///
/// A step is a closure whose changes are recorded, of all components or of [some](Self::only).
/// Undoing it is a series of ordinary changes: groups, observers and collectors are notified,
/// histories and feeds record them, and changes made outside of the steps stay. So a game can run
/// while it is edited. To restore a whole context to an earlier state, without notifications, use a [`History`](crate::History).
///
/// # What is undone
///
/// Undoing a step gives the entities and components before it, redoing it those after it:
///
/// - **Components** that were added, removed, taken, replaced or updated get their values back.
///   Changes made to the same components by other code since are lost; an entity that has been
///   destroyed since is skipped.
/// - **Entities** that were created are destroyed. Entities that were destroyed are created again
///   under their old ids, so every reference to them is right again: ids in fields and variables,
///   relations that keep a dead target, collectors. Only if another entity has the slot by then, the
///   entity gets a new id, and the ids in the steps are updated ([`MapIds`](crate::MapIds)); ids
///   elsewhere are not. No later entity gets the id of an entity that is undone.
/// - **The order** of sources in an `ordered` relation, wherever the step has moved them.
/// - **What observers changed** during the step. They are notified of undo and redo, too; what they
///   change in reaction is reverted, as the step has it already. Observers that react to that again
///   and again have the last word after a few rounds.
///
/// Not undone are components outside of the [scope](Self::only), observers and listeners of an
/// entity that was destroyed, messages, the order in groups and in relations that are not
/// `ordered`, and [untracked](crate::QueryMut::untracked) writes.
///
/// A step that leaves everything as it was is not kept. Values are compared in full, field by field,
/// not by `PartialEq`, which may leave parts out; one with a field of a type that the library does not
/// know counts as changed.
///
/// While no step is recorded, a stack costs the context nothing.
///
/// # Rewinds and restores
///
/// The context knows which step was the last. So after a [rewind](crate::History::rewind) or a
/// [restore](crate::Context::restore), the steps that are done in that state can still be undone, and all others are
/// discarded: an editor may play its level, and restore it. What a step has done that is no longer kept stays, like changes
/// by other code.
///
/// After a load or a reset, or in another context, undo and redo are rejected; so are they after a rewind to before an undo
/// or a redo by which an entity got a new id. The next step discards all others then.
///
/// # Examples
///
/// Edit a level while the game runs:
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component, Clone, Debug, PartialEq)]
/// #[component(context = Game)]
/// struct Wall(i32);
///
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Bullet;
///
/// let mut game = Game::new();
/// let mut edits = UndoStack::<Game>::only::<Wall>();
/// let wall = edits.step(&mut game, "Place wall", |game| game.create_with(Wall(1)).id());
/// edits.step(&mut game, "Move wall", |game| _ = game.entity_mut(wall).replace_wall(2));
/// game.create_with(Bullet); // the game continues
///
/// assert_eq!(edits.undo_name(&game), Some("Move wall"));
/// assert!(edits.undo(&mut game));
/// assert_eq!(game.entity(wall).wall(), &Wall(1));
/// game.create_with(Bullet); // does not discard the undone step
/// assert!(edits.redo(&mut game));
/// assert_eq!(game.entity(wall).wall(), &Wall(2));
///
/// edits.undo(&mut game);
/// edits.undo(&mut game);
/// assert!(!game.contains(wall) && game.len() == 2);
/// edits.redo(&mut game);
/// assert_eq!(game.query::<&Wall>().single(), Some(&Wall(1)));
/// ```
///
/// Inspired by `QUndoStack` of Qt.
pub struct UndoStack<C: 'static> {
    scope: UndoScope,
    steps: Chain,
    limit: usize,
    current: CurrentIds,
    _holds: Holds<C>,
}

impl<C: HasCore> UndoStack<C> {
    fn with_scope(scope: UndoScope) -> Self {
        Self {
            scope,
            steps: Chain::default(),
            limit: usize::MAX,
            current: CurrentIds::default(),
            _holds: Holds::NEW,
        }
    }

    /// Creates a stack whose steps record all components, which must be `Clone`.
    #[must_use]
    pub fn all() -> Self {
        Self::with_scope(UndoScope::all())
    }

    /// Creates a stack whose steps record only these components, which must be `Clone`.
    #[must_use]
    pub fn only<T: Components<C>>() -> Self {
        Self::with_scope(UndoScope::only(RawComponentSet::of_scope::<C, T>()))
    }

    /// Excludes components: steps neither record nor undo their changes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// let mut edits = UndoStack::all().without::<Texture>();
    /// edits.step(&mut game, "Paint", |game| _ = game.entity_mut(id).add_texture(3));
    /// assert_eq!(edits.undo_name(&game), None); // nothing to undo
    /// ```
    #[must_use = "the stack is returned"]
    pub fn without<T: Components<C>>(mut self) -> Self {
        self.scope.exclude(&RawComponentSet::of_scope::<C, T>());
        self
    }

    /// Limits the number of steps that can be undone; the oldest ones are discarded.
    #[must_use = "the stack is returned"]
    pub fn at_most(mut self, steps: usize) -> Self {
        self.limit = steps;
        self
    }

    /// Calls `change` and records its changes as a step with this name, a literal or a `String`, unless it changes
    /// nothing.
    ///
    /// Returns what `change` returns. Steps that were undone are discarded, and all of them if the state of the
    /// context is [unknown](Self#rewinds-and-restores).
    ///
    /// If `change` panics, its changes stay but are not recorded.
    ///
    /// # Panics
    ///
    /// Panics if a component of the scope is not `Clone`, observers are being notified of a change,
    /// or `change` replaces the context.
    #[track_caller]
    pub fn step<R>(
        &mut self,
        context: &mut C,
        name: impl Into<Cow<'static, str>>,
        change: impl FnOnce(&mut C) -> R,
    ) -> R {
        check_recordable(context, &self.scope);
        let (changes, returned) = record(context, (&self.scope, KnownValues::new()), change);
        self.find(context);
        let mut step = UndoStep::new(name.into());
        step.extend(context, changes, &self.current);
        if !step.is_empty() {
            let _undone = self.steps.push(context, step); // dropped when the step is recorded
            let _surplus = self.steps.limit(self.limit);
            self.remove_unused_ids();
        }
        returned
    }

    /// Calls `change` and adds its changes to the last step: for an edit that takes several frames,
    /// such as dragging.
    ///
    /// If no step can be undone, the changes are not recorded.
    ///
    /// Complexity: linear in the changes that are added, however large the step is.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(0)).id();
    /// let mut edits = UndoStack::<Game>::only::<Health>();
    /// edits.step(&mut game, "Drag", |game| _ = game.entity_mut(id).replace_health(1));
    /// for frame in 2..10 {
    ///     edits.amend(&mut game, |game| _ = game.entity_mut(id).replace_health(frame));
    /// }
    /// edits.undo(&mut game);
    /// assert_eq!(game.entity(id).health().0, 0);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`step`](Self::step) would panic.
    #[track_caller]
    pub fn amend<R>(&mut self, context: &mut C, change: impl FnOnce(&mut C) -> R) -> R {
        check_recordable(context, &self.scope);
        let (changes, returned) = record(context, (&self.scope, KnownValues::new()), change);
        self.find(context);
        if let Some(mut step) = self.steps.done.pop_back() {
            step.extend(context, changes, &self.current);
            let _undone = self.steps.push(context, step); // dropped when the step is recorded
            self.remove_unused_ids();
        }
        returned
    }

    /// Finds out which steps the context has; discards all if its state is unknown.
    fn find(&mut self, context: &mut C) {
        if !self.steps.find(context, &self.current) {
            self.clear();
            self.steps.find(context, &self.current);
        }
    }

    fn try_find(&mut self, context: &mut C, operation: Operation) -> Result<(), Error> {
        let is_found = self.steps.find(context, &self.current);
        let unknown = || Error::unknown_state(C::NAME, operation);
        is_found.then_some(()).ok_or_else(unknown)
    }

    fn remove_unused_ids(&mut self) {
        let steps = self.steps.done.iter_mut().chain(&mut self.steps.undone);
        self.current
            .remove_unused::<C>(|mention, map| steps.for_each(|step| step.visit_ids(mention, map)));
    }

    /// Undoes the last step. Returns whether there was one.
    ///
    /// Events: those of the individual changes.
    ///
    /// Complexity: linear in the changes of the step; if entities are created again, also in the
    /// free slots, the contents of collectors, and relations that keep dead targets.
    ///
    /// # Panics
    ///
    /// Panics if [`try_undo`](Self::try_undo) would return an error.
    #[track_caller]
    pub fn undo(&mut self, context: &mut C) -> bool {
        expect(self.try_undo(context))
    }

    /// Like [`undo`](Self::undo), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut edits = UndoStack::<Game>::only::<Health>().at_most(1);
    /// let id = edits.step(&mut game, "Create", |game| game.create_with(Health(1)).id());
    /// edits.step(&mut game, "Heal", |game| game.entity_mut(id).update_health(|health| health.0 = 9));
    /// assert_eq!(edits.try_undo(&mut game), Ok(true));
    /// assert_eq!(edits.try_undo(&mut game), Ok(false)); // only one step is kept
    /// assert_eq!((game.entity(id).health().0, edits.redo_name(&game)), (1, Some("Heal")));
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownState`](crate::ErrorKind::UnknownState) after a load, and in [similar
    /// cases](Self#rewinds-and-restores); nothing has changed then.
    ///
    /// Else the first error if a change is rejected: another entity now has the key or the
    /// unique component, or a target is dead. All other changes of the step are made, and it counts
    /// as undone.
    pub fn try_undo(&mut self, context: &mut C) -> Result<bool, Error> {
        self.try_find(context, Operation::Undo)?;
        let Some(step) = self.steps.done.pop_back() else {
            return Ok(false);
        };
        self.steps.undone.push(step);
        self.steps.arrive(context);
        match self.steps.undone.last() {
            Some(step) => {
                restore(context, &self.scope, (step, 0), &mut self.current)?;
                step.restore_states(context, 0);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Redoes the step that was undone last. Returns whether there was one.
    ///
    /// Events: those of the individual changes.
    ///
    /// # Panics
    ///
    /// Panics if [`try_redo`](Self::try_redo) would return an error.
    #[track_caller]
    pub fn redo(&mut self, context: &mut C) -> bool {
        expect(self.try_redo(context))
    }

    /// Like [`redo`](Self::redo), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`try_undo`](Self::try_undo).
    pub fn try_redo(&mut self, context: &mut C) -> Result<bool, Error> {
        self.try_find(context, Operation::Redo)?;
        let Some(step) = self.steps.undone.pop() else {
            return Ok(false);
        };
        self.steps.done.push_back(step);
        self.steps.arrive(context);
        match self.steps.done.back() {
            Some(step) => {
                restore(context, &self.scope, (step, 1), &mut self.current)?;
                step.restore_states(context, 1);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Returns the name of the step that [`undo`](Self::undo) would undo.
    pub fn undo_name(&self, context: &C) -> Option<&str> {
        self.steps.names(context, &self.current)[0]
    }

    /// Returns the name of the step that [`redo`](Self::redo) would redo.
    pub fn redo_name(&self, context: &C) -> Option<&str> {
        self.steps.names(context, &self.current)[1]
    }

    /// Discards all steps.
    pub fn clear(&mut self) {
        let steps = mem::take(&mut self.steps);
        self.current = CurrentIds::default();
        drop(steps); // user code
    }
}

impl<C> fmt::Debug for UndoStack<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |steps: &mut dyn Iterator<Item = &UndoStep>| -> Vec<Cow<'static, str>> {
            steps.map(|step| step.name.clone()).collect()
        };
        f.debug_struct("UndoStack")
            .field("done", &names(&mut self.steps.done.iter()))
            .field("undone", &names(&mut self.steps.undone.iter().rev()))
            .finish()
    }
}
