//! What narrows a query down, as data.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

use crate::matching::group::Group;
use crate::matching::matcher::{Condition, Matcher};
use crate::state::{Core, HasCore, check_own};
use crate::storage::bit_set::BitSet;

/// What a query asks of an entity beyond the components it hands out.
pub(super) struct Narrowing<C> {
    /// In a place of its own: most queries have none, and are handed on while they are made.
    matcher: Option<Box<Matcher<C>>>,
    pub(super) group: Option<Group<C>>,
    pub(super) among: Among,
    /// Whether entities may be disabled, which it passes over unless it says otherwise.
    may_be_disabled: bool,
}

/// Which rows may be visited, whatever is there.
#[derive(Clone, Default)]
pub(super) enum Among {
    #[default]
    All,
    /// Those that have been taken for the query, which are kept in the context.
    Taken,
    /// These, for a query that only reads the context.
    Rows(Arc<BitSet>),
}

impl<C: 'static> Narrowing<C> {
    /// Nothing, but that disabled entities are passed over.
    #[inline]
    pub(super) fn of(core: &Core<C>) -> Self {
        Self {
            matcher: None,
            group: None,
            among: Among::All,
            may_be_disabled: core.columns().may_be_disabled(),
        }
    }

    /// Whether disabled entities are passed over, unless what disables them is named. A group decides that
    /// by itself.
    #[inline]
    pub(super) fn hides_disabled(&self) -> bool {
        let names_it = |condition: &Condition| condition.has_disabled();
        self.may_be_disabled && self.group.is_none() && !self.condition().is_some_and(names_it)
    }

    /// Asks also for what `more` asks for, added to a matcher.
    pub(super) fn and(&mut self, more: impl FnOnce(Matcher<C>) -> Matcher<C>) {
        let asked = self
            .matcher
            .take()
            .map_or_else(Matcher::default, |asked| *asked);
        self.matcher = Some(Box::new(more(asked)));
    }

    /// What is asked of the components, if anything is.
    #[inline]
    pub(super) fn condition(&self) -> Option<&Condition> {
        self.matcher.as_ref().map(|matcher| matcher.condition())
    }

    /// Asks for members of a group of this context.
    #[track_caller]
    pub(super) fn in_group(&mut self, context: &C, group: Group<C>)
    where
        C: HasCore,
    {
        check_own(context.core(), group.instance, "group");
        self.group = Some(group);
    }

    /// Whether it asks for anything.
    #[inline]
    pub(super) fn is_any(&self) -> bool {
        let rows = self.group.is_some() || !matches!(self.among, Among::All);
        self.matcher.is_some() || rows || self.hides_disabled()
    }

    pub(super) fn describe(&self, f: &mut fmt::DebugStruct<'_, '_>) -> fmt::Result {
        f.field("matcher", &self.matcher.as_deref())
            .field("group", &self.group)
            .field("narrowed", &!matches!(self.among, Among::All))
            .finish()
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C> Clone for Narrowing<C> {
    fn clone(&self) -> Self {
        Self {
            matcher: self.matcher.clone(),
            among: self.among.clone(),
            group: self.group,
            may_be_disabled: self.may_be_disabled,
        }
    }
}
