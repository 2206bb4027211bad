//! Changing the order of the sources of a target, in an ordered relation: an update of the sources that
//! move, whose values stay. So collectors, feeds and histories know which they are.

use alloc::vec;
use alloc::vec::Vec;

use hashbrown::HashMap;

use super::commit::commit;
use super::commit::previous::Previous;
use super::commit::run::Run;
use super::core::HasCore;
use super::entity_indexes::install_indexes_of;
use super::rejection::Rejection;
use super::validate::{Stored, copy_before, occupied};
use super::write::replace;
use crate::reactions::entity_index::Links;
use crate::storage::moved::Buffer;
use crate::storage::registry::index_of;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::relation::Relation;

/// A source that moves, and the one after which it is put; without one it becomes the first.
pub(crate) type Placement = (UntypedId, Option<UntypedId>);

/// Moves sources of a target, one after the other. They are one change, which is reported for some of them.
pub(crate) fn place_sources<C: HasCore>(
    context: &mut C,
    (component, target): (RawComponentIndex, UntypedId),
    placements: &[Placement],
    reports: &dyn Fn(UntypedId) -> bool,
) {
    let core = context.core_mut();
    let sources = placements.iter().map(|placement| placement.0);
    let reported = sources.filter(|source| reports(*source));
    let stored = reported.filter_map(|source| occupied(&mut core.world, source, component).ok());
    let stored: Vec<Stored> = stored.collect();
    let descriptor = core.world.columns.describe(component);
    let mut buffers: Vec<_> = stored.iter().map(|_| Buffer::new(descriptor)).collect();
    let copies = stored.iter().zip(&mut buffers);
    let copies = copies.map(|(stored, buffer)| copy_before(&core.world, stored, component, buffer));
    let copies: Vec<_> = copies.collect(); // user code, which must not see a part of the moves
    core.subs.indexes.change_relations(|links| {
        if links.component == component {
            for &(source, before) in placements {
                links.place_after(source, target, before);
            }
        }
    });
    let runs = stored.into_iter().zip(copies);
    let runs = runs.map(|(Stored { id, effects, .. }, copy)| {
        Run::of(id, effects, Previous::copied(component, copy))
    });
    commit(context, &mut runs.collect::<Vec<_>>());
}

/// Adds or replaces a relation whose source gets this place among those of the target.
pub(crate) fn replace_at<C: HasCore, T: Relation<C>>(
    context: &mut C,
    source: EntityId<C>,
    value: T,
    place: usize,
) -> Result<(), Rejection> {
    let core = context.core_mut();
    install_indexes_of(&mut core.world, &mut core.subs, index_of::<C, T>());
    let placing = Placing::<C, T>::start(context, (source.untyped(), place));
    replace(placing.0, source, value)
}

/// A write that gives a source a place. Linking uses it up; if the write is rejected or panics before,
/// this takes it back.
struct Placing<'a, C: HasCore, T: Relation<C>>(&'a mut C, core::marker::PhantomData<fn() -> T>);

impl<'a, C: HasCore, T: Relation<C>> Placing<'a, C, T> {
    fn start(context: &'a mut C, placed: (UntypedId, usize)) -> Self {
        let mut placing = Self(context, core::marker::PhantomData);
        placing.set(Some(placed));
        placing
    }

    fn set(&mut self, placed: Option<(UntypedId, usize)>) {
        let component = index_of::<C, T>();
        self.0.core_mut().subs.indexes.change_relations(|links| {
            if links.component == component {
                links.place_next(placed);
            }
        });
    }
}

impl<C: HasCore, T: Relation<C>> Drop for Placing<'_, C, T> {
    fn drop(&mut self) {
        self.set(None);
    }
}

/// The fewest placements that give the sources of a target this order; those not listed come last, in
/// their present order. `None` if one of the listed entities is not a source. Sources that `stays` accepts are not moved;
/// they must be listed in their present order.
///
/// Complexity: *n* log *n* in the sources.
pub(crate) fn placements(
    links: Option<&Links>,
    target: UntypedId,
    listed: &[UntypedId],
    stays: &dyn Fn(UntypedId) -> bool,
) -> Option<Vec<Placement>> {
    let present = links.map_or(&[][..], |links| links.sources(target));
    let mut left: HashMap<_, _> = present.iter().copied().zip(0..).collect();
    let mut order = Vec::with_capacity(present.len());
    for &source in listed {
        order.push((source, left.remove(&source)?));
    }
    let mut rest: Vec<(UntypedId, usize)> = left.into_iter().collect();
    rest.sort_unstable_by_key(|(_, place)| *place);
    order.append(&mut rest);
    let stays = longest_with(&order, stays);
    let before = [None].into_iter().chain(order.iter().map(|it| Some(it.0)));
    let placements = order.iter().zip(before).zip(stays);
    let moved =
        placements.filter_map(|((&(id, _), before), stays)| (!stays).then_some((id, before)));
    Some(moved.collect())
}

/// Whether each source belongs to a longest list of those in their present order, with all that stay.
fn longest_with(order: &[(UntypedId, usize)], stays: &dyn Fn(UntypedId) -> bool) -> Vec<bool> {
    let stays: Vec<bool> = order.iter().map(|(source, _)| stays(*source)).collect();
    let (mut fits, mut last) = (vec![true; order.len()], 0);
    for (at, &(_, place)) in order.iter().enumerate() {
        fits[at] = place >= last;
        last = if stays[at] { place } else { last };
    }
    let mut next = usize::MAX;
    for (at, &(_, place)) in order.iter().enumerate().rev() {
        fits[at] &= place <= next;
        next = if stays[at] { place } else { next };
    }
    let places = order.iter().zip(&fits).filter(|(_, fits)| **fits);
    let places: Vec<usize> = places.map(|((_, place), _)| *place).collect();
    let mut longest = longest_ascending(&places).into_iter();
    let stay = fits
        .iter()
        .map(|fits| *fits && longest.next() == Some(true));
    stay.collect()
}

/// Whether each of some numbers belongs to a longest ascending subsequence.
pub(crate) fn longest_ascending(numbers: &[usize]) -> Vec<bool> {
    let mut ends: Vec<usize> = Vec::new(); // where the best subsequence of each length ends
    let mut previous = vec![None; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let len = ends.partition_point(|&end| numbers[end] < *number);
        previous[at] = len.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(len) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut stays = vec![false; numbers.len()];
    let mut at = ends.last().copied();
    while let Some(member) = at {
        stays[member] = true;
        at = previous[member];
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::longest_ascending;

    #[test]
    fn the_longest_ascending_numbers_stay() {
        let stay = |numbers: &[usize]| {
            let stays = longest_ascending(numbers);
            let both = numbers.iter().zip(stays);
            both.filter_map(|(&number, stays)| stays.then_some(number))
                .collect::<Vec<_>>()
        };
        assert_eq!(stay(&[]), []);
        assert_eq!(stay(&[2, 0, 1, 3]), [0, 1, 3]);
        assert_eq!(stay(&[3, 0, 1, 2]), [0, 1, 2]);
        assert_eq!(stay(&[1, 2, 3, 0]), [1, 2, 3]);
        assert_eq!(stay(&[2, 1, 0]).len(), 1);
    }
}
