//! The values of one component before an update of many entities: copied before the
//! visit, in the order in which observers are notified, and lent to them.
//!
//! Their type is known here, so a copy is a value in a list, and notifying of many
//! entities is one loop over two lists.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::ops::Range;

use super::node_run::NodeRun;
use crate::reactions::history::Kind;
use crate::state::core::{Core, HasCore};
use crate::state::dispatch::Dispatch;
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::index_of;
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::EntityId;

/// A component that a query writes to.
#[doc(hidden)]
pub struct Written<C: HasCore> {
    pub(super) component: ComponentIndex,
    /// Makes the list for the values before the change; none if `T` has no `Clone`.
    pub(super) copies: Option<NewCopies<C>>,
    /// The place of its [`WrittenRows`](super::WrittenRows), if just the entities are updated
    /// that have been written to: else all are that have been visited.
    pub(super) tracked: Option<usize>,
}

impl<C: HasCore> Written<C> {
    /// The component `T`, updated in all entities visited.
    pub(crate) fn of<T: Component<C>>() -> Self {
        Self {
            component: index_of::<C, T>(),
            copies: copies_of::<C, T>(),
            tracked: None,
        }
    }

    /// Whether just the entities are updated that have been written to.
    pub(crate) fn is_tracked(&self) -> bool {
        self.tracked.is_some()
    }

    /// The component `T`, updated in the entities written to; it is the query's `nth` of this
    /// kind.
    pub(crate) fn tracked<T: Component<C>>(nth: usize) -> Self {
        let tracked = Some(nth);
        Self {
            tracked,
            ..Self::of::<T>()
        }
    }
}

/// Makes a list with room for so many values of one component.
pub(super) type NewCopies<C> = fn(usize) -> Box<dyn PreviousValues<C>>;

/// What makes the list for values of `T`; nothing if it has no `Clone`.
pub(super) fn copies_of<C: HasCore, T: Component<C>>() -> Option<NewCopies<C>> {
    let new: NewCopies<C> = |capacity| Box::new(Vec::<T>::with_capacity(capacity));
    T::CLONE.map(|_| new)
}

/// The values of one component before the change, in the order of the notifications.
pub(super) trait PreviousValues<C: HasCore> {
    /// How many there are.
    fn len(&self) -> usize;

    /// Copies the values of a run, whose entities have the component.
    fn keep(&mut self, core: &Core<C>, run: &NodeRun<'_, C>);

    /// The copy at a place.
    fn get(&self, place: usize) -> Option<&dyn Any>;

    /// Moves all of them out.
    fn take_all(&mut self) -> Vec<Box<AnyValue>>;

    /// Records that entities had these values, in this order, as far as they count.
    fn record(self: Box<Self>, core: &mut Core<C>, entities: &[(EntityId<C>, bool)]);

    /// [`Dispatch::notify_each`], with the copies from place `first` on.
    fn notify_each(
        &self,
        dispatch: &mut Dispatch<'_, C>,
        to_notify: Range<usize>,
        entities: &[EntityId<C>],
        first: usize,
    ) -> usize;
}

impl<C: HasCore, T: Component<C>> PreviousValues<C> for Vec<T> {
    fn len(&self) -> usize {
        self.len()
    }

    fn keep(&mut self, core: &Core<C>, run: &NodeRun<'_, C>) {
        let end = self.len() + run.ids.len();
        if let Some((column, clone)) = core.columns.of::<T>().zip(T::CLONE) {
            column.for_each_slice(run.rows, |values| self.extend(values.iter().map(clone)));
        }
        assert!(
            self.len() == end,
            "entities have the components of their node"
        );
    }

    fn get(&self, place: usize) -> Option<&dyn Any> {
        self.as_slice().get(place).map(|value| value as &dyn Any)
    }

    fn take_all(&mut self) -> Vec<Box<AnyValue>> {
        let boxed = |value| Box::new(value) as Box<AnyValue>;
        self.drain(..).map(boxed).collect()
    }

    fn record(self: Box<Self>, core: &mut Core<C>, entities: &[(EntityId<C>, bool)]) {
        let mut unused = Vec::new(); // dropped at the end: user code
        for (&(id, counts), value) in entities.iter().zip(*self) {
            match counts {
                true => core.record_value(Kind::Replaced, id, value),
                false => unused.push(value),
            }
        }
    }

    fn notify_each(
        &self,
        dispatch: &mut Dispatch<'_, C>,
        to_notify: Range<usize>,
        entities: &[EntityId<C>],
        first: usize,
    ) -> usize {
        let previous = self[first..].iter().map(|value| Some(value as &dyn Any));
        dispatch.notify_each(to_notify, entities, previous)
    }
}
