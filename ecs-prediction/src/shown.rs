//! Reading predicted values as they are to be shown.

use core::fmt;

use ecs::prelude::{Component, Context, EntityId};
use ecs::{AsOf, View};

use crate::Interpolate;
use crate::smoothing::Offsets;

/// The values of a component as they are to be shown. Returned by [`Predicted::view`](crate::Predicted::view).
pub struct Shown<'c, C: Context, T: Component<C>> {
    present: View<'c, C, T>,
    previous: Option<AsOf<'c, C>>,
    offsets: Option<&'c Offsets<C, T>>,
    fraction: f32,
}

impl<'c, C: Context, T: Component<C> + Interpolate> Shown<'c, C, T> {
    pub(crate) const fn new(
        present: View<'c, C, T>,
        previous: Option<AsOf<'c, C>>,
        offsets: Option<&'c Offsets<C, T>>,
        fraction: f32,
    ) -> Self {
        Self {
            present,
            previous,
            offsets,
            fraction,
        }
    }

    /// Returns the value of an entity, or `None` if it does not have one at present.
    #[must_use]
    pub fn get(&self, id: EntityId<C>) -> Option<T> {
        let present = self.present.get(id)?;
        let snap = self.offsets.map_or(f32::INFINITY, |it| it.snap);
        let previous = self.previous.as_ref().and_then(|at| at.get::<T>(id));
        let value = match previous {
            Some(previous) if previous.distance(present) <= snap => {
                previous.interpolate(present, self.fraction)
            }
            _ => present.clone(),
        };
        Some(match self.offsets {
            Some(offsets) => offsets.shown(id, value, self.fraction),
            None => value,
        })
    }
}

impl<C: Context, T: Component<C>> fmt::Debug for Shown<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shown({} of {})", T::NAMES.component, C::NAME)
    }
}
