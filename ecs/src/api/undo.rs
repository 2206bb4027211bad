//! Undo of edits: steps that are taken back by ordinary changes, whatever else happens meanwhile.

mod apply;
mod step;

use alloc::borrow::Cow;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use self::apply::apply;
use self::step::{CurrentIds, UndoScope, UndoStep, record};
use crate::state::HasCore;
use crate::words::component::Components;
use crate::words::error::{Error, expect};
use crate::words::signature::RawComponentSet;

/// The undo and redo of an editor: named steps, each of which takes back what it has changed and nothing
/// else.
///
/// A step is a closure whose changes are recorded, of all components or of [some](Self::only). To undo
/// it is a series of ordinary changes: groups, observers and collectors follow them, histories and feeds
/// record them, and whatever has changed outside of the steps stays. So a game runs on while it is
/// edited. To take a whole context back to an earlier moment, silently and with the same ids, is the task
/// of a [`History`](crate::History).
///
/// # What a step takes back
///
/// - Components that were added, removed, replaced or updated: to the values before the step. What other
///   code has changed of the same components since is lost; an entity that has died since is passed over.
/// - Entities that were created: they are destroyed. Entities that were destroyed: others with the
///   same components are created, under new ids; the steps, and the ids in their values, follow them
///   ([`MapIds`](crate::MapIds)). What is outside of the scope is not brought back, nor the place
///   among the sources of an `ordered` relation.
/// - Not seen are [untracked](crate::QueryMut::untracked) writes, rewinds and restores: call
///   [`clear`](Self::clear) after those.
///
/// While no step is recorded, a stack costs the context nothing.
///
/// # Examples
///
/// A level is edited while the game runs:
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
/// game.create_with(Bullet); // the game goes on
///
/// assert_eq!(edits.undo_name(), Some("Move wall"));
/// assert!(edits.undo(&mut game));
/// assert_eq!(game.entity(wall).wall(), &Wall(1));
/// game.create_with(Bullet); // which does not end the way forward
/// assert!(edits.redo(&mut game));
/// assert_eq!(game.entity(wall).wall(), &Wall(2));
///
/// edits.undo(&mut game);
/// edits.undo(&mut game);
/// assert!(!game.contains(wall) && game.len() == 2);
/// edits.redo(&mut game);
/// assert_eq!(game.query::<&Wall>().single(), Some(&Wall(1))); // under a new id
/// ```
///
/// Inspired by `QUndoStack` of Qt.
pub struct UndoStack<C: 'static> {
    scope: UndoScope,
    done: VecDeque<UndoStep>,
    undone: Vec<UndoStep>,
    limit: usize,
    current: CurrentIds,
    context: PhantomData<fn() -> C>,
}

impl<C: HasCore> UndoStack<C> {
    fn with_scope(scope: UndoScope) -> Self {
        Self {
            scope,
            done: VecDeque::new(),
            undone: Vec::new(),
            limit: usize::MAX,
            current: CurrentIds::default(),
            context: PhantomData,
        }
    }

    /// Creates a stack whose steps take back every component. All must be `Clone`.
    #[must_use]
    pub fn all() -> Self {
        Self::with_scope(UndoScope::all())
    }

    /// Creates a stack whose steps take back these components, which must be `Clone`.
    #[must_use]
    pub fn only<T: Components<C>>() -> Self {
        Self::with_scope(UndoScope::only(RawComponentSet::of::<C, T>()))
    }

    /// Leaves components out: steps neither record them nor take them back.
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
    /// assert_eq!(edits.undo_name(), None); // nothing to take back
    /// ```
    #[must_use = "the stack is returned"]
    pub fn without<T: Components<C>>(mut self) -> Self {
        self.scope.leave_out(&RawComponentSet::of::<C, T>());
        self
    }

    /// Keeps at most so many steps that can be undone; the oldest are forgotten.
    #[must_use = "the stack is returned"]
    pub fn at_most(mut self, steps: usize) -> Self {
        self.limit = steps;
        self
    }

    /// Calls `change` and keeps what it changes as a step with this name, unless it changes nothing.
    /// Returns what `change` returns. Steps that were undone are forgotten.
    ///
    /// If `change` panics, what it has changed stays, and is no step.
    ///
    /// # Panics
    ///
    /// Panics if a component of the scope is not `Clone`, or observers are being notified of a change.
    #[track_caller]
    pub fn step<R>(
        &mut self,
        context: &mut C,
        name: impl Into<Cow<'static, str>>,
        change: impl FnOnce(&mut C) -> R,
    ) -> R {
        let (seen, returned) = record(context, &self.scope, change);
        let step = UndoStep::new(name.into()).extended(context, seen, &self.current);
        if !step.is_empty() {
            self.undone.clear();
            self.done.push_back(step);
        }
        while self.done.len() > self.limit {
            self.done.pop_front();
        }
        returned
    }

    /// Calls `change` and adds what it changes to the last step: for an edit that takes several frames,
    /// such as dragging. If there is no step, it changes the context without a step.
    ///
    /// # Panics
    ///
    /// As [`step`](Self::step).
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
    #[track_caller]
    pub fn amend<R>(&mut self, context: &mut C, change: impl FnOnce(&mut C) -> R) -> R {
        let (seen, returned) = record(context, &self.scope, change);
        if let Some(step) = self.done.pop_back() {
            self.undone.clear();
            let step = step.extended(context, seen, &self.current);
            if !step.is_empty() {
                self.done.push_back(step);
            }
        }
        returned
    }

    /// Takes the last step back. Returns whether there was one.
    ///
    /// Events: those of the changes, one after the other.
    ///
    /// # Panics
    ///
    /// Panics if [`try_undo`](Self::try_undo) would return an error.
    #[track_caller]
    pub fn undo(&mut self, context: &mut C) -> bool {
        expect(self.try_undo(context))
    }

    /// Takes the last step back; see [`undo`](Self::undo).
    ///
    /// # Errors
    ///
    /// Returns the first error if a change is rejected: another entity has the key or the unique component
    /// by now, or a target is gone. All other changes of the step are made, and it counts as undone.
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
    /// assert_eq!(edits.try_undo(&mut game), Ok(false)); // one step is kept
    /// assert_eq!((game.entity(id).health().0, edits.redo_name()), (1, Some("Heal")));
    /// ```
    pub fn try_undo(&mut self, context: &mut C) -> Result<bool, Error> {
        let Some(step) = self.done.pop_back() else {
            return Ok(false);
        };
        self.undone.push(step);
        match self.undone.last() {
            Some(step) => apply(context, step, 0, &mut self.current).map(|()| true),
            None => Ok(false),
        }
    }

    /// Does the step again that was undone last. Returns whether there was one.
    ///
    /// Events: those of the changes, one after the other.
    ///
    /// # Panics
    ///
    /// Panics if [`try_redo`](Self::try_redo) would return an error.
    #[track_caller]
    pub fn redo(&mut self, context: &mut C) -> bool {
        expect(self.try_redo(context))
    }

    /// Does the step again that was undone last; see [`redo`](Self::redo).
    ///
    /// # Errors
    ///
    /// As [`try_undo`](Self::try_undo).
    pub fn try_redo(&mut self, context: &mut C) -> Result<bool, Error> {
        let Some(step) = self.undone.pop() else {
            return Ok(false);
        };
        self.done.push_back(step);
        match self.done.back() {
            Some(step) => apply(context, step, 1, &mut self.current).map(|()| true),
            None => Ok(false),
        }
    }

    /// Returns the name of the step that [`undo`](Self::undo) would take back.
    pub fn undo_name(&self) -> Option<&str> {
        Some(&self.done.back()?.name)
    }

    /// Returns the name of the step that [`redo`](Self::redo) would do again.
    pub fn redo_name(&self) -> Option<&str> {
        Some(&self.undone.last()?.name)
    }

    /// Forgets all steps.
    pub fn clear(&mut self) {
        self.done.clear();
        self.undone.clear();
        self.current = CurrentIds::default();
    }
}

impl<C> fmt::Debug for UndoStack<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |steps: &mut dyn Iterator<Item = &UndoStep>| -> Vec<Cow<'static, str>> {
            steps.map(|step| step.name.clone()).collect()
        };
        f.debug_struct("UndoStack")
            .field("done", &names(&mut self.done.iter()))
            .field("undone", &names(&mut self.undone.iter().rev()))
            .finish()
    }
}
