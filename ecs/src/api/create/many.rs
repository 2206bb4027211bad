//! Creating many entities from bundles.

use alloc::vec::Vec;

use super::one::{one_of_many, try_with};
use super::rows;
use crate::api::bundle::Bundle;
use crate::state::dispatch::Dispatch;
use crate::state::{Creation, HasCore};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};

/// Creates an entity for each bundle: in the free slots one by one, then in new rows, a block at a
/// time. Observers are notified after the last one. Creates none if the context cannot hold the lower
/// bound of the iterator's length.
#[track_caller]
pub(crate) fn many<C: HasCore, B: Bundle<C>>(
    context: &mut C,
    bundles: impl Iterator<Item = B>,
) -> Vec<EntityId<C>> {
    let expected = bundles.size_hint().0;
    expect(context.core().world.slots().check_capacity(expected));
    let mut components = Vec::new();
    B::visit_components(&mut |component| components.push(component.untyped()));
    let set = components.iter().copied().collect();
    let mut together = Dispatch::join(context);
    let mut creation = Creation::new(together.context(), expected, &set);
    let recycled = creation.core().world.slots().recyclable();
    let mut bundles = bundles.fuse();
    one_by_one(&mut creation, bundles.by_ref().take(recycled));
    rows::create(&mut creation, &components, &mut bundles);
    one_by_one(&mut creation, bundles);
    let ids = creation.finish();
    together.deliver();
    ids
}

/// Creates an entity for each bundle, up to the first that is rejected. Observers are notified after
/// the last one. Creates none if the context cannot hold the lower bound of the iterator's length.
#[track_caller]
pub(crate) fn try_many<C: HasCore, B: Bundle<C>>(
    context: &mut C,
    bundles: impl Iterator<Item = B>,
) -> Result<Vec<EntityId<C>>, Error> {
    let expected = bundles.size_hint().0;
    context.core().world.slots().check_capacity(expected)?;
    let mut together = Dispatch::join(context);
    let bundles = bundles.map(|bundle| try_with(together.context(), bundle));
    let created = bundles.collect();
    together.deliver();
    created
}

#[track_caller]
fn one_by_one<C: HasCore, B: Bundle<C>>(
    creation: &mut Creation<'_, C>,
    bundles: impl Iterator<Item = B>,
) {
    for bundle in bundles {
        one_of_many(creation, |writer| {
            bundle.put(writer);
            if const { !B::FITS_INTO_ROW } {
                writer.complete();
            }
        });
    }
}
