//! The values of one component before an update of many entities: copied before the
//! visit, in the order in which observers are notified, and lent to them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::reactions::history::Kind;
use crate::state::core::Registries;
use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::registry::index_of;
use crate::storage::row_words::RowWord;
use crate::storage::value_list::ValueList;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::UntypedId;

/// A component that a query writes to.
#[doc(hidden)]
pub struct Written {
    pub(super) component: RawComponentIndex,
    pub(super) descriptor: &'static ComponentDescriptor,
    /// The place of its [`WrittenRows`](super::WrittenRows), if just the entities are updated
    /// that have been written to: else all are that have been visited.
    pub(super) tracked: Option<usize>,
}

impl Written {
    /// The component `T`, updated in all entities visited.
    pub(crate) fn of<C: 'static, T: Component<C>>() -> Self {
        Self {
            component: index_of::<C, T>(),
            descriptor: const { ComponentDescriptor::of::<C, T>() },
            tracked: None,
        }
    }

    /// Whether just the entities are updated that have been written to.
    pub(crate) fn is_tracked(&self) -> bool {
        self.tracked.is_some()
    }

    /// The component `T`, updated in the entities written to; it is the query's `nth` of this
    /// kind.
    pub(crate) fn tracked<C: 'static, T: Component<C>>(nth: usize) -> Self {
        let tracked = Some(nth);
        Self {
            tracked,
            ..Self::of::<C, T>()
        }
    }
}

/// The values of one component before the change, in the order of the notifications.
pub(super) struct Copies(ValueList);

impl Copies {
    /// A list with room for so many values, if the component can be cloned.
    pub(super) fn new(written: &Written, capacity: usize) -> Option<Self> {
        let mut values = ValueList::new(Some(written.descriptor).filter(|it| it.is_clone)?);
        values.reserve(capacity);
        Some(Self(values))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Copies the values of rows, whose entities have the component.
    pub(super) fn keep(&mut self, core: &Registries, component: RawComponentIndex, rows: RowWord) {
        let end = self.len() + rows.1.count_ones() as usize;
        if let Some(column) = core.columns.at(component) {
            column.clone_word(rows, &mut self.0);
        }
        assert!(
            self.len() == end,
            "entities have the components of their node"
        );
    }

    /// Moves the first of other copies here.
    pub(super) fn keep_first(&mut self, count: usize, of: &mut Self) {
        for _ in 0..count {
            of.0.pop_first()
                .into_iter()
                .for_each(|value| self.0.push_moved(value));
        }
    }

    /// Drops the first of them.
    pub(super) fn drop_first(&mut self, count: usize) {
        drop(self.0.take_first(count));
    }

    /// Clones of all of them.
    pub(super) fn duplicate(&self) -> Self {
        let mut clones = ValueList::new(self.0.descriptor());
        self.0.iter().for_each(|value| _ = clones.push_clone(value));
        Self(clones)
    }

    /// The copy at a place.
    pub(super) fn get(&self, place: usize) -> Option<&AnyValue> {
        self.0.get(place)
    }

    /// The copies from a place on.
    pub(super) fn from(&self, first: usize) -> impl Iterator<Item = Option<&AnyValue>> {
        self.0.iter_from(first).map(Some)
    }

    /// Moves all of them out.
    pub(super) fn into_boxes(mut self) -> Vec<Box<AnyValue>> {
        let mut boxes = Vec::with_capacity(self.len());
        while let Some(value) = self.0.pop_first() {
            boxes.push(value.into_box());
        }
        boxes
    }

    /// Records that entities had these values, in this order, as far as they count.
    pub(super) fn record(
        mut self,
        core: &mut Registries,
        component: RawComponentIndex,
        entities: &[(UntypedId, bool)],
    ) {
        let mut unused = self.0.take_first(0); // dropped at the end: user code
        for &(id, counts) in entities {
            match (self.0.pop_first(), counts) {
                (Some(value), true) => core.record_moved(Kind::Replaced, id, component, value),
                (Some(value), false) => unused.push_moved(value),
                (None, _) => {}
            }
        }
    }
}
