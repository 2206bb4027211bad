//! Terms that every row has: the entity's id, and views of whole components.

use core::marker::PhantomData;
use core::ops::Range;
use core::{fmt, slice};

use super::{Asked, QueryData, ReadOnlyQueryData, Term};
use crate::api::view::View;
use crate::state::{Core, HasCore, WrittenRows};
use crate::storage::column::ROWS;
use crate::storage::registry::index_of;
use crate::storage::slots::{Row, Slots};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// The ids of a run of adjacent rows, which the term [`EntityId<C>`](EntityId) yields in
/// [`Query::for_each_slice`](crate::Query::for_each_slice).
///
/// Ids are not stored by row, so this is not a `&[EntityId<C>]`; creating it allocates nothing.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let made = game.create_many((0..3).map(Health));
/// game.query::<(EntityId<Game>, &Health)>().for_each_slice(|(ids, health)| {
///     assert_eq!((ids.len(), health.len()), (3, 3));
///     assert!(ids.iter().eq(made.iter().copied()));
///     assert_eq!(ids.get(1), Some(made[1]));
/// });
/// ```
pub struct Ids<'a, C> {
    slots: &'a Slots,
    rows: Range<usize>,
    context: PhantomData<fn() -> C>,
}

impl<'a, C: 'static> Ids<'a, C> {
    /// Returns the number of ids, at least one.
    #[inline]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Always `false`: a run is never empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the id at a place of the run, or `None` beyond its end.
    #[inline]
    pub fn get(&self, place: usize) -> Option<EntityId<C>> {
        let row = self.rows.clone().nth(place)?;
        Some(id_in(self.slots, row))
    }

    /// Returns the ids in the order of the run.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = EntityId<C>> + use<'a, C> {
        let slots = self.slots;
        self.rows.clone().map(move |row| id_in(slots, row))
    }
}

#[inline]
fn id_in<C>(slots: &Slots, row: usize) -> EntityId<C> {
    slots
        .id_in(Row(row as u32))
        .expect("a row that is visited has an entity")
}

impl<C> Clone for Ids<'_, C> {
    fn clone(&self) -> Self {
        Self {
            rows: self.rows.clone(),
            ..*self
        }
    }
}

impl<C: 'static> fmt::Debug for Ids<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

// SAFETY: makes no reference to a component.
unsafe impl<C: 'static> QueryData<C> for EntityId<C> {
    type Item<'a> = Self;
    type Slice<'a> = Ids<'a, C>;
    type Columns<'a> = &'a Slots;
    type Block<'a> = (&'a Slots, usize);

    const BOUNDED: bool = false;
    const ASKED: &'static Asked = &Asked::Nothing;
    const TERMS: usize = 0;
    const EXCLUSIVE: bool = false;
    const CHECKED: bool = false;

    fn access(_: &mut dyn FnMut(Term)) {}

    fn columns<'a>(core: &'a Core<C>, _: &mut slice::Iter<'a, WrittenRows>) -> Self::Columns<'a> {
        core.world.slots()
    }

    #[inline]
    unsafe fn block<'a>(slots: &Self::Columns<'a>, at: usize) -> Self::Block<'a> {
        (slots, at * ROWS)
    }

    #[inline]
    unsafe fn item<'a>((slots, first): Self::Block<'a>, place: usize) -> Self::Item<'a> {
        id_in(slots, first + place)
    }

    #[inline]
    unsafe fn slice<'a>(
        (slots, first): Self::Block<'a>,
        place: usize,
        len: usize,
    ) -> Self::Slice<'a> {
        let start = first + place;
        Ids {
            slots,
            rows: start..start + len,
            context: PhantomData,
        }
    }
}

// SAFETY: names `T` as shared; a view checks the bit before it makes a reference.
unsafe impl<C: HasCore, T: Component<C>> QueryData<C> for View<'_, C, T> {
    type Item<'a> = View<'a, C, T>;
    type Slice<'a> = View<'a, C, T>;
    type Columns<'a> = View<'a, C, T>;
    type Block<'a> = View<'a, C, T>;

    const BOUNDED: bool = false;
    const ASKED: &'static Asked = &Asked::component::<C, T>(false);
    const TERMS: usize = 1;
    const EXCLUSIVE: bool = false;
    const CHECKED: bool = false;

    fn access(each: &mut dyn FnMut(Term)) {
        each(Term {
            component: index_of::<C, T>(),
            exclusive: false,
            indexed: false, // a view only reads
        });
    }

    fn columns<'a>(core: &'a Core<C>, _: &mut slice::Iter<'a, WrittenRows>) -> Self::Columns<'a> {
        View::of(core)
    }

    #[inline]
    unsafe fn block<'a>(view: &Self::Columns<'a>, _: usize) -> Self::Block<'a> {
        *view
    }

    #[inline]
    unsafe fn item<'a>(view: Self::Block<'a>, _: usize) -> Self::Item<'a> {
        view
    }

    #[inline]
    unsafe fn slice<'a>(view: Self::Block<'a>, _: usize, _: usize) -> Self::Slice<'a> {
        view
    }
}

// SAFETY: the item is an id.
unsafe impl<C: 'static> ReadOnlyQueryData<C> for EntityId<C> {}

// SAFETY: a view only reads.
unsafe impl<C: HasCore, T: Component<C>> ReadOnlyQueryData<C> for View<'_, C, T> {}
