//! Commits of changes whose values have known types, for the fast path of single changes
//! ([`write`](crate::state::write)). They take the same four steps as [`commit`](super::commit),
//! without erasing the value where nothing needs it later.

use core::mem;

use super::mark::mark;
use super::{commit_component, commit_plain};
use crate::matching::effects::EffectsIndex;
use crate::reactions::history::Kind;
use crate::state::commit::previous::Previous;
use crate::state::core::{Core, HasCore};
use crate::state::reindex::flush;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::moved::ValueSlot;
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::demands::view_any;
use crate::words::entity_id::UntypedId;

/// Commits an observed addition.
#[inline(never)]
pub(crate) fn commit_added<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
) {
    commit_component(context, id, effects, Previous::none(index_of::<C, T>()));
}

/// A previous value. Created only by the caller of [`commit_gone`], so that the fast path takes no
/// reference to the value, which can stay in registers.
pub(crate) struct Gone<T, const REPLACED: bool>(pub(crate) T);

/// Commits an observed change with its previous value.
#[inline(never)]
pub(crate) fn commit_gone<C: HasCore, T: Component<C>, const REPLACED: bool>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
    gone: Gone<T, REPLACED>,
) {
    if effects.are_plain()
        && let Some(right) = context.core_mut().subs.queue.turn.take()
    {
        commit_plain(context, right, id, effects, view_any::<C, T>(&gone.0));
        context.core_mut().typed_mut().recycle(gone.0);
    } else if const { !mem::needs_drop::<T>() && !T::POOLED }
        && let Core { world, subs, .. } = context.core_mut()
        && !effects.is_recorded()
        && subs.indexes.flags.is_empty()
        && !world.graph.effects().are_observed(effects)
    {
        mark(world, subs, id, effects);
        flush(context, &[id], effects);
    } else {
        commit_erased(context, id, effects, gone);
    }
}

/// Commits a change that concerns indexes or a history, or whose observers are notified later.
#[inline(never)]
fn commit_erased<C: HasCore, T: Component<C>, const REPLACED: bool>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
    gone: Gone<T, REPLACED>,
) {
    let kind = match REPLACED {
        true => Kind::Replaced,
        false => Kind::Removed,
    };
    if effects.is_only_recorded() && !effects.propagates() {
        return context.core_mut().record_value(kind, id, gone.0);
    }
    let descriptor = const { ComponentDescriptor::of::<C, T>() };
    let (component, mut slot) = (index_of::<C, T>(), ValueSlot::of(gone.0));
    let previous = Previous::gone(component, kind, slot.moved(descriptor));
    commit_component(context, id, effects, previous);
}

/// Commits an observed removal by `take`.
#[inline(never)]
pub(crate) fn commit_taken<C: HasCore, T: Component<C>>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
    value: &T,
) {
    let previous = Previous::taken(index_of::<C, T>(), view_any::<C, T>(value), None);
    commit_component(context, id, effects, previous);
}
