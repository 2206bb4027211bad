//! Writing without a report: what it is refused for.

use super::core::{Core, HasCore};
use crate::storage::registry::{index_of, numbering};
use crate::words::component::{Component, ComponentIndex};

impl<C: 'static> Core<C> {
    /// Whether an entity index follows the updates of a component.
    ///
    /// Complexity: linear in the entity indexes.
    #[inline]
    pub(crate) fn is_indexed(&self, component: ComponentIndex) -> bool {
        !self.indexes.is_empty() && self.is_followed_by_index(component)
    }

    /// Whether an entity index, a history or a feed relies on being told of the updates of a component.
    #[inline]
    pub(crate) fn relies_on_reports(&self, component: ComponentIndex) -> bool {
        self.is_indexed(component) || self.is_recorded(component) || self.feeds.follow(component)
    }

    /// Whether a history follows a component.
    #[inline]
    pub(crate) fn is_recorded(&self, component: ComponentIndex) -> bool {
        let history = self.history.as_deref();
        history.is_some_and(|recording| !recording.left_out.contains(component))
    }

    #[inline(never)]
    fn is_followed_by_index(&self, component: ComponentIndex) -> bool {
        let mut groups = self.indexes.followed_groups();
        groups.any(|group| self.groups.get(group).condition.watches(component))
    }
}

/// Refuses to write to component `T` without a report if an entity index, a history or a feed
/// follows it.
#[inline]
#[track_caller]
pub(crate) fn check_untracked<C: HasCore, T: Component<C>>(core: &Core<C>) {
    if !T::INDEXES.is_empty() || core.relies_on_reports(index_of::<C, T>()) {
        refuse_untracked::<C>(index_of::<C, T>());
    }
}

/// Refuses to write to a component without a report.
#[cold]
#[track_caller]
pub(crate) fn refuse_untracked<C: HasCore>(component: ComponentIndex) -> ! {
    let name = numbering::<C>().name(component);
    panic!(
        "component `{name}` of context `{}` cannot be written to untracked: an entity index, \
         a feed or a history follows it and would go wrong; write to it by `query_mut`, \
         `update_..` or `replace_..`, which report what they change",
        C::NAME
    )
}
