//! What stops observers that react to each other without end, and says so.

use core::fmt;

use super::core::HasCore;
use crate::reactions::queue::Step;
use crate::storage::registry::numbering;

/// Stops a chain of reactions that has become too long to be meant.
#[inline]
pub(super) fn check_limit<C: HasCore>(context: &C, notified: usize, step: &Step) {
    if notified > context.core().queue.limit {
        endless(context, step);
    }
}

#[cold]
fn endless<C: HasCore>(context: &C, step: &Step) -> ! {
    let limit = context.core().queue.limit;
    let (context_name, name) = (C::NAME, step.name());
    match *step {
        Step::Group(effect) => panic!(
            "observers of context `{context_name}` react to each other without end: stopped after \
             {limit} notifications at {name} of {:?}{}; let them change only what is not yet as it \
             should be, or raise the limit with `set_notification_limit`",
            context.core().matcher(effect.group()),
            fmt::from_fn(|f| match effect.component {
                Some(it) => write!(f, " through component `{}`", numbering::<C>().name(it)),
                None => Ok(()), // the entity has been created, or destroyed
            }),
        ),
        _ => panic!(
            "observers of context `{context_name}` react to each other without end: stopped after \
             {limit} notifications at {name}; raise the limit with `set_notification_limit` \
             if that many are meant"
        ),
    }
}
