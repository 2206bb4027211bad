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

use support::game::{Game, GameEntity, GameEntityMut};

/// With every event.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
#[component(
    event(any, set),
    event(any, removed),
    event(self, set),
    event(self, removed)
)]
struct Hunger(u32);

/// Its events are delivered behind those of `Hunger`.
#[derive(Component, Clone)]
#[component(context = Game, extension, event(any, set), event(self, removed))]
struct Poisoned;

/// What happened, in words.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn write(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    /// A listener that writes its name and the entity.
    fn as_name(
        &self,
        name: &'static str,
    ) -> impl FnMut(GameEntityMut<'_>) + Send + Sync + use<> + 'static {
        let log = self.clone();
        move |entity| log.write(format!("{name} {:?}", entity.id()))
    }
}
