//! The values of one component before an update of many entities: copied before the visit in the
//! order of notifications, and passed to observers.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::reactions::history::Kind;
use crate::reactions::subscribers::Subscribers;
use crate::state::recording::record_moved;
use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::registry::index_of;
use crate::storage::row_words::RowWord;
use crate::storage::value_list::ValueList;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// A component that a query writes.
#[doc(hidden)]
pub struct Written {
    pub(super) component: RawComponentIndex,
    pub(super) descriptor: &'static ComponentDescriptor,
    /// The index of its [`WrittenRows`](super::WrittenRows), if only entities that were written to
    /// count as updated; otherwise all visited ones do.
    pub(super) tracked: Option<usize>,
}

impl Written {
    /// The component `T`, updated in all visited entities.
    pub(crate) fn of<C: 'static, T: Component<C>>() -> Self {
        Self {
            component: index_of::<C, T>(),
            descriptor: const { ComponentDescriptor::of::<C, T>() },
            tracked: None,
        }
    }

    /// Whether only entities that were written to count as updated.
    pub(crate) fn is_tracked(&self) -> bool {
        self.tracked.is_some()
    }

    /// The component `T`, updated in the entities written to; it is the `nth` tracked one of the
    /// query.
    pub(crate) fn tracked<C: 'static, T: Component<C>>(nth: usize) -> Self {
        let tracked = Some(nth);
        Self {
            tracked,
            ..Self::of::<C, T>()
        }
    }
}

/// The previous values of one component, in the order of notifications.
pub(super) struct Copies(ValueList);

impl Copies {
    /// Creates a list with this capacity, if the component can be cloned.
    pub(super) fn new(written: &Written, capacity: usize) -> Option<Self> {
        let mut values = ValueList::new(Some(written.descriptor).filter(|it| it.is_clone)?);
        values.reserve(capacity);
        Some(Self(values))
    }

    /// The number of values.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Copies the values of those rows whose entities have the component.
    pub(super) fn keep_present(
        &mut self,
        world: &World,

        component: RawComponentIndex,
        rows: RowWord,
    ) {
        if let Some(column) = world.columns.at(component) {
            column.clone_word(rows, &mut self.0);
        }
    }

    /// Drops the last values; keeps `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.len() > len {
            drop(self.0.pop());
        }
    }

    /// Copies the values of rows whose entities have the component.
    pub(super) fn keep(&mut self, world: &World, component: RawComponentIndex, rows: RowWord) {
        let end = self.len() + rows.1.count_ones() as usize;
        self.keep_present(world, component, rows);
        assert!(
            self.len() == end,
            "entities have the components of their node"
        );
    }

    /// Moves the first values of another list here.
    pub(super) fn keep_first(&mut self, count: usize, of: &mut Self) {
        for _ in 0..count {
            of.0.pop_first()
                .into_iter()
                .for_each(|value| self.0.push_moved(value));
        }
    }

    /// Drops the first values.
    pub(super) fn drop_first(&mut self, count: usize) {
        drop(self.0.take_first(count));
    }

    /// The value at a position.
    pub(super) fn get(&self, place: usize) -> Option<&AnyValue> {
        self.0.get(place)
    }

    /// The values from a position on.
    pub(super) fn from(&self, first: usize) -> impl Iterator<Item = Option<&AnyValue>> {
        self.0.iter_from(first).map(Some)
    }

    /// Moves all values out.
    pub(super) fn into_boxes(mut self) -> Vec<Box<AnyValue>> {
        let mut boxes = Vec::with_capacity(self.len());
        while let Some(value) = self.0.pop_first() {
            boxes.push(value.into_box());
        }
        boxes
    }

    /// Records these previous values of entities, in this order, where they count; leaves values of
    /// further entities. Returns the values that do not count, to be dropped: user code.
    pub(super) fn record(
        &mut self,
        world: &mut World,
        subs: &mut Subscribers,
        component: RawComponentIndex,
        entities: &[(UntypedId, bool)],
    ) -> ValueList {
        let mut unused = self.0.take_first(0);
        for &(id, counts) in entities {
            match (self.0.pop_first(), counts) {
                (Some(value), true) => {
                    record_moved(world, subs, Kind::Replaced, id, component, value)
                }
                (Some(value), false) => unused.push_moved(value),
                (None, _) => {}
            }
        }
        unused
    }
}
