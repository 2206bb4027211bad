//! Systems that are handed the values which entities have lost.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Reactions, System, name};
use crate::api::context::Context;
use crate::reactions::removed::RemovedValues;
use crate::systems::contexts::HasContext;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// A closure that is handed the values which entities have lost. See
/// [`Systems::on_removed`](super::Systems::on_removed).
pub struct OnRemoved<C, T, F> {
    react: F,
    /// `None` once they have been released.
    values: Option<RemovedValues<C, T>>,
    /// Empty between two calls; after a panic it is emptied by the next one.
    list: Vec<(EntityId<C>, T)>,
    reactions: Reactions,
}

impl<C: Context, T: Component<C> + Clone, F> OnRemoved<C, T, F> {
    /// Gathers the values of `T` that are lost from now on, and hands them to `react` at
    /// execute.
    ///
    /// Events: *group created* where there is no group of the entities with `T` yet.
    pub fn new<W>(world: &mut W, react: F) -> Self
    where
        W: HasContext<C>,
        F: FnMut(&mut W, &[(EntityId<C>, T)]),
    {
        Self {
            react,
            values: Some(world.context_mut().removed_values()),
            list: Vec::new(),
            reactions: Reactions::default(),
        }
    }
}

impl<W, C, T, F> System<W> for OnRemoved<C, T, F>
where
    W: HasContext<C>,
    C: Context,
    T: Component<C>,
    F: FnMut(&mut W, &[(EntityId<C>, T)]),
{
    fn execute(&mut self, world: &mut W) {
        self.list.clear();
        if let Some(values) = &self.values {
            values.drain_into(world.context_mut(), &mut self.list);
        }
        self.reactions.note(self.list.len());
        if !self.list.is_empty() {
            (self.react)(world, &self.list);
            self.list.clear();
        }
    }

    fn name(&self) -> String {
        name::of::<F>()
    }

    fn activate(&mut self, world: &mut W) {
        if let Some(values) = &self.values {
            values.activate(world.context_mut());
        }
    }

    fn deactivate(&mut self, world: &mut W) {
        if let Some(values) = &self.values {
            values.deactivate(world.context_mut());
        }
    }

    fn clear(&mut self, world: &mut W) {
        if let Some(values) = &self.values {
            values.clear(world.context_mut());
        }
    }

    fn release(&mut self, world: &mut W) {
        if let Some(values) = self.values.take() {
            values.release(world.context_mut());
        }
    }

    fn reactions(&self) -> Option<Reactions> {
        Some(self.reactions)
    }
}
