//! Changes as events of `tracing`.

use core::fmt;

use super::Observers;
use crate::reactions::entity_change::{ChangeKind, EntityChange, of_entity_changes};
use crate::reactions::subscription::Subscription;
use crate::state::{self, HasCore};
use crate::words::demands::Confined;
use crate::words::printed::from_fn;

impl<C: HasCore> Observers<'_, C> {
    /// Emits an event of [`tracing`](https://docs.rs/tracing) for each change, until the
    /// subscription is removed.
    ///
    /// Events have the target `ecs::changes` and the level `TRACE`, and the fields `context`,
    /// `entity` (with its [label](crate::Context::name_of)), `kind`, and for changes of a component
    /// `component`, `previous` and `value`, as printed by `Debug`. With the feature `tracing` each
    /// phase of a system runs in a span `system` (target `ecs::systems`, level `DEBUG`, fields
    /// `name` and `phase`), so an event is inside the span of the system that made the change.
    ///
    /// It is an observer of [each change](Self::on_change): without it there is no cost, and with
    /// it each change in the context is an observed one. While no `tracing` subscriber accepts the
    /// events, each costs one more comparison; no value is printed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let subscription = game.observers().trace_changes();
    /// // TRACE ecs::changes: added context="Game" entity=0v1 component="Health" value=Health(3)
    /// // TRACE ecs::changes: created context="Game" entity=0v1
    /// game.create_with(Health(3));
    /// game.unsubscribe(subscription);
    /// ```
    pub fn trace_changes(self) -> Subscription {
        let observer = |context: &mut C, change: &EntityChange<'_, C>| trace(context, change);
        state::observe_changes(
            self.context,
            None,
            of_entity_changes(Confined::shareable(observer)),
        )
    }
}

fn trace<C: HasCore>(context: &C, change: &EntityChange<'_, C>) {
    if !tracing::enabled!(target: "ecs::changes", tracing::Level::TRACE) {
        return;
    }
    let entity = context.core().world.name_of(change.entity().raw());
    let kind = kind(change.kind());
    match change.component_name() {
        None => tracing::trace!(target: "ecs::changes", context = C::NAME, %entity, "{kind}"),
        Some(component) => tracing::trace!(
            target: "ecs::changes",
            context = C::NAME,
            %entity,
            component,
            previous = previous(context, change).map(tracing::field::debug),
            value = value(context, change).map(tracing::field::debug),
            "{kind}"
        ),
    }
}

fn kind(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Created => "created",
        ChangeKind::Destroyed => "destroyed",
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Replaced => "replaced",
    }
}

/// The previous value, if there was one.
fn previous<'c, C: HasCore>(
    context: &'c C,
    change: &'c EntityChange<'_, C>,
) -> Option<impl fmt::Debug + use<'c, C>> {
    let (component, value) = (change.component()?, change.previous_any()?);
    let descriptor = context.core().world.describe(component.untyped());
    Some(from_fn(move |f| descriptor.debug(value, f)))
}

/// The current value, unless the component was removed.
fn value<'c, C: HasCore>(
    context: &'c C,
    change: &EntityChange<'_, C>,
) -> Option<impl fmt::Debug + use<'c, C>> {
    let (core, component) = (context.core(), change.component()?.untyped());
    let row = core.world.slots().get(change.entity())?.row;
    let value = core.world.value_in(row, component)?;
    Some(from_fn(move |f| {
        core.world.describe(component).debug(value, f)
    }))
}
