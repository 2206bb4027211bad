//! Creating one entity: on its own, or as one of many.

use crate::api::bundle::{Bundle, BundleWriter};
use crate::state::{self, Creation, HasCore};
use crate::words::entity_id::EntityId;
use crate::words::error::Error;

/// Creates an entity with all components of a bundle, in one change.
///
/// Always inlined: a bundle passed by address is written field by field and read word by word,
/// which stalls the processor.
#[inline(always)]
#[track_caller]
pub(crate) fn with<C: HasCore, B: Bundle<C>>(context: &mut C, bundle: B) -> EntityId<C> {
    let mut writer = BundleWriter::start(context.core_mut());
    bundle.put(&mut writer); // not in a closure, which might not be inlined
    if const { !B::FITS_INTO_ROW } {
        writer.complete();
    }
    let made = writer.finish();
    state::arrive_as(context, made.id, made.plan.effects);
    made.id.typed()
}

/// Creates an entity with all components of a bundle, in one change, or returns why a component was
/// rejected.
#[track_caller]
pub(crate) fn try_with<C: HasCore, B: Bundle<C>>(
    context: &mut C,
    bundle: B,
) -> Result<EntityId<C>, Error> {
    try_by(context, |writer| bundle.put(writer))
}

/// Creates an entity with all values that `put` passes to the writer, in one change, or returns why
/// a component was rejected.
#[track_caller]
pub(crate) fn try_by<C: HasCore>(
    context: &mut C,
    put: impl FnOnce(&mut BundleWriter<'_, C>),
) -> Result<EntityId<C>, Error> {
    let mut writer = BundleWriter::attempt(context.core_mut(), None)?;
    put(&mut writer);
    let made = writer.finish_attempt()?;
    state::arrive_as(context, made.id, made.plan.effects);
    Ok(made.id.typed())
}

/// Creates an entity with all values that `put` passes to the writer, in one change.
#[inline(always)] // see `with`
#[track_caller]
pub(crate) fn by<C: HasCore>(
    context: &mut C,
    put: impl FnOnce(&mut BundleWriter<'_, C>),
) -> EntityId<C> {
    let mut writer = BundleWriter::start(context.core_mut());
    put(&mut writer);
    writer.complete();
    let made = writer.finish();
    state::arrive_as(context, made.id, made.plan.effects);
    made.id.typed()
}

/// Creates an entity of a creation with all values that `put` passes to the writer. `put` completes
/// the writer if a component may require others.
#[inline(always)] // see `with`
#[track_caller]
pub(super) fn one_of_many<C: HasCore>(
    creation: &mut Creation<'_, C>,
    put: impl FnOnce(&mut BundleWriter<'_, C>),
) {
    let mut writer = BundleWriter::start(creation.core());
    put(&mut writer);
    let made = writer.finish();
    creation.push(made.id.typed(), made.row, made.plan.node);
}

/// Creates an entity of a creation with all values that `put` passes to the writer, or returns why
/// a component was rejected.
#[track_caller]
pub(super) fn try_one_of_many<C: HasCore>(
    creation: &mut Creation<'_, C>,
    put: impl FnOnce(&mut BundleWriter<'_, C>),
) -> Result<(), Error> {
    let mut writer = BundleWriter::attempt(creation.core(), None)?;
    put(&mut writer);
    let made = writer.finish_attempt()?;
    creation.push(made.id.typed(), made.row, made.plan.node);
    Ok(())
}
