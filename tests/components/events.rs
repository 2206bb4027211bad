//! Component events: order, listeners that make changes, panics, and the warning if nothing is
//! delivered.

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

/// Has every event.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
#[component(
    event(any, set),
    event(any, removed),
    event(self, set),
    event(self, removed)
)]
struct Hunger(u32);

/// Its events are delivered after those of `Hunger`.
#[derive(Component, Clone)]
#[component(context = Game, extension, event(any, set), event(self, removed))]
struct Poisoned;

/// A log of text.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn write(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    /// A listener that logs its name and the entity.
    fn as_name(
        &self,
        name: &'static str,
    ) -> impl FnMut(GameEntityMut<'_>) + Send + Sync + use<> + 'static {
        let log = self.clone();
        move |entity| log.write(format!("{name} {:?}", entity.id()))
    }
}
