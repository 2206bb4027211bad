//! Creating entities from bundles: one, or many.

use alloc::vec::Vec;

use super::rows::create_rows;
use super::{Bundle, BundleWriter, Made};
use crate::state::{self, HasCore};
use crate::words::component::indices_of;
use crate::words::entity_id::EntityId;

/// Brings an entity to life with all components of a bundle, in one change.
///
/// Inlined without fail: a bundle that is passed by address is written field by
/// field and read word by word, which makes the processor wait.
#[inline(always)]
#[track_caller]
pub(crate) fn create_with<C: HasCore, B: Bundle<C>>(context: &mut C, bundle: B) -> EntityId<C> {
    let mut writer = BundleWriter::start(context.core_mut());
    bundle.put(&mut writer); // by no closure, which may be left a function of its own
    let made = writer.finish();
    arrive(context, made)
}

/// Brings an entity to life with all that `put` hands to the writer, in one change.
#[inline(always)] // see `create_with`
#[track_caller]
pub(crate) fn create_by<C: HasCore>(
    context: &mut C,
    put: impl FnOnce(&mut BundleWriter<'_, C>),
) -> EntityId<C> {
    let mut writer = BundleWriter::start(context.core_mut());
    put(&mut writer);
    let made = writer.finish();
    arrive(context, made)
}

#[inline(always)] // see `create_with`
fn arrive<C: HasCore>(context: &mut C, made: Made<C>) -> EntityId<C> {
    state::arrive_as(context, made.id, made.row, made.effects);
    made.id
}

/// Brings an entity to life for each bundle, in one change each: in the free slots one by
/// one, then in new rows, as many at a time as fit into a block.
#[track_caller]
pub(crate) fn create_many<C: HasCore, B: Bundle<C>>(
    context: &mut C,
    bundles: impl Iterator<Item = B>,
) -> Vec<EntityId<C>> {
    let expected = bundles.size_hint().0;
    let components = indices_of::<C, B>();
    let core = context.core_mut();
    core.reserve(&components.iter().copied().collect(), expected);
    let recycled = core.slots.free_len();
    let mut arrivals = state::Arrivals::new(context, expected);
    let mut bundles = bundles.fuse();
    create_each(&mut arrivals, bundles.by_ref().take(recycled));
    create_rows(&mut arrivals, &components, &mut bundles);
    create_each(&mut arrivals, bundles);
    arrivals.finish()
}

#[track_caller]
fn create_each<C: HasCore, B: Bundle<C>>(
    arrivals: &mut state::Arrivals<'_, C>,
    bundles: impl Iterator<Item = B>,
) {
    for bundle in bundles {
        let mut writer = BundleWriter::start(arrivals.core());
        bundle.put(&mut writer);
        let made = writer.finish();
        arrivals.push(made.id, made.row, made.node);
    }
}
