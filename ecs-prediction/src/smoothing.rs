//! Easing what is shown from a wrong prediction to the corrected one.
//!
//! ```text
//! shown   old prediction ──┐ offset = shown - corrected
//!                          └─ ─ _ _                       shown = exact + offset * what is left of it
//! exact   corrected ─────────────────
//! ```

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::any::{Any, TypeId};

use ecs::prelude::{Component, Context, EntityId};
use ecs::{Mirror, ThreadSafe};

use crate::{Corrections, Interpolate};

/// The smoothed components of a context.
pub(crate) struct Smoothing<C: Context> {
    is_predicted: Option<Box<dyn IsPredicted<C>>>,
    components: Vec<(TypeId, Box<dyn Smooth<C>>)>,
}

/// Whether an entity is predicted.
trait IsPredicted<C: Context>: ThreadSafe {
    fn check(&self, entity: C::Entity<'_>) -> bool;
}

impl<C: Context, F: Fn(C::Entity<'_>) -> bool + ThreadSafe> IsPredicted<C> for F {
    fn check(&self, entity: C::Entity<'_>) -> bool {
        self(entity)
    }
}

/// A smoothed component, without its type.
trait Smooth<C>: ThreadSafe {
    fn tick(&mut self);
    fn before(&mut self, context: &C, is_predicted: &dyn Fn(EntityId<C>) -> bool);
    fn after(&mut self, context: &C, corrections: &mut Corrections);
    fn as_any(&self) -> &dyn Any;
}

/// The offsets of one component.
pub(crate) struct Offsets<C: 'static, T> {
    ticks: u32,
    /// The greatest distance that is smoothed.
    pub(crate) snap: f32,
    offsets: BTreeMap<EntityId<C>, Offset<T>>,
    /// What was predicted before the delta that is being applied.
    predicted: Vec<(EntityId<C>, T)>,
}

/// What is shown differs from the exact value as `shown` from `exact`, and less with each tick.
struct Offset<T> {
    shown: T,
    exact: T,
    left: u32,
}

impl<C: Context> Smoothing<C> {
    pub(crate) const fn new() -> Self {
        Self {
            is_predicted: None,
            components: Vec::new(),
        }
    }

    pub(crate) fn only(&mut self, is_predicted: impl Fn(C::Entity<'_>) -> bool + ThreadSafe) {
        self.is_predicted = Some(Box::new(is_predicted));
    }

    pub(crate) fn add<T>(&mut self, ticks: u32, snap: f32)
    where
        T: Component<C> + Interpolate,
    {
        let offsets = Offsets::<C, T> {
            ticks,
            snap,
            offsets: BTreeMap::new(),
            predicted: Vec::new(),
        };
        self.components.retain(|it| it.0 != TypeId::of::<T>());
        self.components.push((TypeId::of::<T>(), Box::new(offsets)));
    }

    pub(crate) fn of<T: Component<C>>(&self) -> Option<&Offsets<C, T>> {
        let mut components = self.components.iter();
        let (_, offsets) = components.find(|it| it.0 == TypeId::of::<T>())?;
        offsets.as_any().downcast_ref()
    }

    pub(crate) fn tick(&mut self) {
        self.components.iter_mut().for_each(|(_, it)| it.tick());
    }

    /// Remembers what is predicted.
    pub(crate) fn before(&mut self, context: &C, mirror: &Mirror<C>) {
        let is_predicted = |id| match &self.is_predicted {
            Some(check) => context.get_entity(id).is_some_and(|it| check.check(it)),
            None => true,
        };
        // Those of the mirror only: after a rewind, other ids may belong to other entities.
        let is_predicted = |id| mirror.origin(id).is_some() && is_predicted(id);
        let components = self.components.iter_mut();
        components.for_each(|(_, it)| it.before(context, &is_predicted));
    }

    /// Compares what is predicted now with what was before.
    pub(crate) fn after(&mut self, context: &C) -> Corrections {
        let mut corrections = Corrections::default();
        for (_, component) in &mut self.components {
            component.after(context, &mut corrections);
        }
        corrections
    }
}

impl<C: 'static, T: Interpolate> Offsets<C, T> {
    /// What is shown for an exact value, at a fraction between the previous tick and the present one.
    pub(crate) fn shown(&self, id: EntityId<C>, exact: T, fraction: f32) -> T {
        match self.offsets.get(&id) {
            Some(offset) => {
                let left = (offset.left as f32 + 1.0 - fraction) / self.ticks as f32;
                exact.shifted(&offset.exact, &offset.shown, left.min(1.0))
            }
            None => exact,
        }
    }
}

impl<C: Context, T: Component<C> + Interpolate> Smooth<C> for Offsets<C, T> {
    fn tick(&mut self) {
        self.offsets.retain(|_, offset| {
            let left = offset.left.checked_sub(1);
            offset.left = left.unwrap_or(0);
            left.is_some()
        });
    }

    fn before(&mut self, context: &C, is_predicted: &dyn Fn(EntityId<C>) -> bool) {
        self.predicted.clear(); // a panic may have left some
        for (id, value) in context.query::<(EntityId<C>, &T)>() {
            if is_predicted(id) {
                self.predicted.push((id, value.clone()));
            }
        }
    }

    fn after(&mut self, context: &C, corrections: &mut Corrections) {
        let (values, mut predicted) = (context.view::<T>(), core::mem::take(&mut self.predicted));
        for (id, old) in predicted.drain(..) {
            let Some(exact) = values.get(id) else {
                self.offsets.remove(&id);
                continue;
            };
            let distance = old.distance(exact);
            if distance > 0.0 {
                corrections.values += 1;
                corrections.largest = corrections.largest.max(distance);
                let shown = self.shown(id, old, 1.0);
                let offset = Offset {
                    shown,
                    exact: exact.clone(),
                    left: self.ticks,
                };
                match self.ticks > 0 && distance <= self.snap {
                    true => self.offsets.insert(id, offset),
                    false => self.offsets.remove(&id),
                };
            }
        }
        self.predicted = predicted; // its memory
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
