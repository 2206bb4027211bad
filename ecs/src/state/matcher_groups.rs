//! The groups of matchers, created on first use.

use super::core::HasCore;
use super::dispatch::notify_group_created;
use super::groups::add_group;
use super::terms::keep_flags;
use crate::matching::group::Group;
use crate::matching::matcher::Matcher;

/// The group of a matcher, created if necessary. The lookup is inlined, so that a new matcher stays
/// in registers: loading it from memory right after storing it stalls the processor, which doubles
/// the time.
#[inline(always)]
pub(crate) fn group<C: HasCore>(context: &mut C, matcher: Matcher<C>) -> Group<C> {
    let core = context.core();
    if !core.world.columns.disabling().is_empty() {
        return group_without_disabled(context, matcher);
    }
    match core.world.groups.find(matcher.condition()) {
        Some(known) => Group::new(core.world.instance, known),
        None => make_group(context, matcher),
    }
}

/// The group of a matcher in a context with components that disable entities.
#[inline(never)]
fn group_without_disabled<C: HasCore>(context: &mut C, matcher: Matcher<C>) -> Group<C> {
    let core = context.core();
    let matcher = matcher.hiding(core.world.columns.disabling());
    match core.world.groups.find(matcher.condition()) {
        Some(known) => Group::new(core.world.instance, known),
        None => make_group(context, matcher),
    }
}

#[cold]
#[inline(never)]
fn make_group<C: HasCore>(context: &mut C, matcher: Matcher<C>) -> Group<C> {
    let core = context.core_mut();
    let instance = core.world.instance;
    let condition = matcher.into_condition();
    keep_flags(&mut core.world, &mut core.subs, &condition);
    let new = add_group(&mut core.world, &mut core.subs, condition);
    notify_group_created(context, new);
    Group::new(instance, new)
}
