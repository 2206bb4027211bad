//! Events of components: order, listeners that change things while they are called,
//! panics, and what is said where nothing is ever delivered.

#![allow(
    clippy::duplicated_attributes,
    reason = "it takes several events, each in brackets of its own, for repetitions"
)]

mod extension;
mod nested;
mod order;
mod undelivered;
mod upkeep;

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

#[ecs::context]
pub(crate) struct Game;

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game)]
#[component(
    event(any, set),
    event(any, removed),
    event(self, set),
    event(self, removed)
)]
pub(crate) struct Health(pub(crate) u32);

#[derive(Component)]
#[component(context = Game, event(any, set), event(self, removed))]
pub(crate) struct Poisoned;

/// What happened, in words.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn write(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    /// A listener that writes its name and the entity.
    pub(crate) fn as_name(
        &self,
        name: &'static str,
    ) -> impl FnMut(GameEntityMut<'_>) + Send + Sync + use<> + 'static {
        let log = self.clone();
        move |entity| log.write(format!("{name} {:?}", entity.id()))
    }
}
