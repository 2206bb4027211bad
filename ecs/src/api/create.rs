//! Creating entities: one, or many, from bundles or columns.

mod many;
mod one;
mod rows;

use alloc::vec::Vec;

pub(crate) use self::many::{many, try_many};
pub(crate) use self::one::{by, try_by, try_with, with};
use self::one::{one_of_many, try_one_of_many};
use super::batch::sealed::{Lists, Values};
use crate::state::dispatch::Dispatch;
use crate::state::{BundlePlan, Creation, HasCore, twice};
use crate::storage::registry::numbering;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};
use crate::words::signature::RawComponentSet;

// Creating many entities from columns: one list of values per component.
//
// Without free slots the values go to adjacent rows, so each list is copied block by block.
// Free slots are used first, as always; their entities are created one by one.

/// Creates an entity for each row of the lists; panics if one is rejected. Observers are notified
/// after the last one.
#[track_caller]
pub(crate) fn columns<C: HasCore, L: Lists<C>>(context: &mut C, lists: L) -> Vec<EntityId<C>> {
    expect(create::<C, L, false>(context, lists))
}

/// Creates an entity for each row of the lists, up to the first row that is rejected. Observers are
/// notified after the last one.
#[track_caller]
pub(crate) fn try_columns<C: HasCore, L: Lists<C>>(
    context: &mut C,
    lists: L,
) -> Result<Vec<EntityId<C>>, Error> {
    create::<C, L, true>(context, lists)
}

#[track_caller]
fn create<C: HasCore, L: Lists<C>, const ATTEMPT: bool>(
    context: &mut C,
    lists: L,
) -> Result<Vec<EntityId<C>>, Error> {
    let count = common_len::<C, L>(&lists)?;
    let (components, set) = components_of::<C, L>();
    let core = context.core_mut();
    core.world.slots().check_capacity(count)?;
    let recycled = core.world.slots().recyclable().min(count);
    let plan = BundlePlan::of(&mut core.world, &mut core.subs, &set);
    let by_rows = const { !L::REQUIRE } && plan.is_plain(&core.world, &core.subs, &set);
    let mut values = lists.into_values();
    let mut together = Dispatch::join(context);
    let mut creation = Creation::new(together.context(), count, &set);
    for _ in 0..if by_rows { recycled } else { count } {
        if let Err(error) = create_next::<C, L, ATTEMPT>(&mut creation, &mut values) {
            drop(creation);
            together.deliver();
            return Err(error);
        }
    }
    if by_rows {
        let (mut empty, mut rows) = creation.new_rows(plan);
        values.fill(&mut empty, rows.next(0), &mut components.iter());
        rows.take(count - recycled);
    }
    let ids = creation.finish();
    together.deliver();
    Ok(ids)
}

/// Creates the entity of the next row, on its own.
#[track_caller]
fn create_next<C: HasCore, L: Lists<C>, const ATTEMPT: bool>(
    creation: &mut Creation<'_, C>,
    values: &mut L::Values,
) -> Result<(), Error> {
    if ATTEMPT {
        return try_one_of_many(creation, |writer| values.put_next(writer));
    }
    one_of_many(creation, |writer| {
        values.put_next(writer);
        if const { L::REQUIRE } {
            writer.complete();
        }
    });
    Ok(())
}

/// The common length of all lists.
fn common_len<C: HasCore, L: Lists<C>>(lists: &L) -> Result<usize, Error> {
    let mut first = None;
    let mut unequal = None;
    lists.visit_lens(&mut |names, len| {
        let first = *first.get_or_insert((names, len));
        if len != first.1 && unequal.is_none() {
            unequal = Some(Error::unequal_columns(first, (names, len)));
        }
    });
    unequal.map_or(Ok(first.map_or(0, |(_, len)| len)), Err)
}

/// The components of the lists, in their order and without duplicates; and as a set.
#[track_caller]
fn components_of<C: HasCore, L: Lists<C>>() -> (Vec<RawComponentIndex>, RawComponentSet) {
    let (mut components, mut set) = (Vec::new(), RawComponentSet::new());
    L::visit_components(&mut |component| components.push(component));
    if let Some(&component) = components.iter().find(|&&component| !set.insert(component)) {
        let descriptor = numbering::<C>().get(component);
        twice(descriptor.expect("it is a component of the context").names);
    }
    (components, set)
}
