//! Conditions on an entity's components.

use alloc::vec::Vec;
use core::fmt;

use crate::storage::heap::heap;
use crate::storage::registry::ContextNumbering;
use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

/// A [`Matcher`](super::Matcher) without the type of its context: components are plain numbers.
#[derive(Clone, Default)]
pub(crate) struct Condition {
    all: RawComponentSet,
    /// An entity must have one component of each set. Sorted by components, without duplicates. An
    /// empty set marks the condition [of each component](Self::of_each_component).
    any: Vec<RawComponentSet>,
    none: RawComponentSet,
    /// Whether disabled entities match like others. Also set by [`hiding`](Self::hiding), which
    /// adds the disabling components to `none`. Not compared.
    with_disabled: bool,
    /// Whether it may name flags of terms. Not compared.
    has_terms: bool,
}

heap!(Condition: all, any, none; each any);

impl Condition {
    /// The condition of the group whose events are the changes of every component of every entity.
    /// It requires one component of an empty set, so no entity fulfills it, and no matcher can
    /// express it.
    pub(crate) fn of_each_component() -> Self {
        Self {
            any: alloc::vec![RawComponentSet::default()],
            ..Self::default()
        }
    }

    /// Whether this is the condition [of each component](Self::of_each_component).
    pub(crate) fn is_of_each_component(&self) -> bool {
        self.any.first().is_some_and(RawComponentSet::is_empty)
    }

    /// Adds required components. Destructuring keeps the value in registers; a struct update would
    /// copy it in memory.
    #[inline(always)]
    pub(in crate::matching) fn and_all(self, set: RawComponentSet) -> Self {
        let Self {
            all,
            any,
            none,
            with_disabled,
            has_terms,
        } = self;
        let all = all.union(set);
        Self {
            all,
            any,
            none,
            with_disabled,
            has_terms,
        }
    }

    /// Adds excluded components.
    #[inline(always)]
    pub(super) fn and_none(self, set: RawComponentSet) -> Self {
        let Self {
            all,
            any,
            none,
            with_disabled,
            has_terms,
        } = self;
        let none = none.union(set);
        Self {
            all,
            any,
            none,
            with_disabled,
            has_terms,
        }
    }

    /// Records that the condition names flags of terms.
    pub(super) fn with_terms(mut self) -> Self {
        self.has_terms = true;
        self
    }

    /// Whether it may name flags of terms.
    #[inline]
    pub(crate) fn has_terms(&self) -> bool {
        self.has_terms
    }

    /// Lets disabled entities match like others.
    pub(super) fn with_disabled(mut self) -> Self {
        self.with_disabled = true;
        self
    }

    /// Whether disabled entities match like others.
    pub(crate) fn has_disabled(&self) -> bool {
        self.with_disabled
    }

    /// Excludes entities with one of these components. Components that the condition names do not
    /// count.
    pub(crate) fn hiding(self, disabling: &RawComponentSet) -> Self {
        if self.with_disabled {
            return self;
        }
        let named = self.components();
        let hidden = disabling
            .iter()
            .filter(|&component| !named.contains(component));
        let hidden = hidden.collect();
        self.and_none(hidden).with_disabled()
    }

    /// Requires one of these components, unless the set is empty.
    pub(super) fn and_any(mut self, any: RawComponentSet) -> Self {
        let order = |known: &RawComponentSet| known.iter().cmp(any.iter());
        if let (Err(at), false) = (self.any.binary_search_by(order), any.is_empty()) {
            self.any.insert(at, any);
        }
        self
    }

    /// Requires both conditions.
    pub(super) fn and(self, other: Self) -> Self {
        let mut both = self.and_all(other.all).and_none(other.none);
        both.with_disabled |= other.with_disabled;
        both.has_terms |= other.has_terms;
        other.any.into_iter().fold(both, Self::and_any)
    }

    /// Whether every entity fulfills it.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.any.is_empty() && self.none.is_empty()
    }

    #[inline]
    pub(crate) const fn all(&self) -> &RawComponentSet {
        &self.all
    }

    /// The sets of which an entity must have at least one component each.
    #[inline]
    pub(crate) fn any(&self) -> &[RawComponentSet] {
        &self.any
    }

    #[inline]
    pub(crate) const fn none(&self) -> &RawComponentSet {
        &self.none
    }

    /// All components that it names.
    pub(crate) fn components(&self) -> RawComponentSet {
        let any = self.any.iter().flat_map(RawComponentSet::iter);
        self.all.iter().chain(any).chain(self.none.iter()).collect()
    }

    /// Whether an entity with exactly these components fulfills it.
    pub(crate) fn matches(&self, components: &RawComponentSet) -> bool {
        components.contains_all(&self.all)
            && self.any.iter().all(|any| components.contains_any(any))
            && !components.contains_any(&self.none)
    }

    /// The components whose updates count as updates of the group.
    pub(crate) fn watched(&self) -> impl Iterator<Item = RawComponentIndex> + '_ {
        let components: Vec<_> = self.components().iter().collect();
        let watched = components.into_iter();
        watched.filter(|component| self.watches(*component))
    }

    /// Whether replacing this component counts as an update of the group.
    pub(crate) fn watches(&self, component: RawComponentIndex) -> bool {
        self.all.contains(component) || self.any.iter().any(|any| any.contains(component))
    }

    /// A hash.
    #[inline]
    pub(crate) fn mixed(&self) -> u64 {
        let both = self.all.mixed() ^ self.none.mixed().rotate_left(7);
        let any = self.any.iter().map(RawComponentSet::mixed);
        let mixed = any.fold(both, |mixed, any| mixed.rotate_left(9) ^ any);
        mixed ^ mixed >> 29 // high bits depend on all input bits, low bits alone do not
    }

    /// Formats it with the component names of a context.
    pub(super) fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        names: &ContextNumbering,
    ) -> fmt::Result {
        if self.is_of_each_component() {
            return f.write_str("any component");
        }
        let all = [("AllOf", &self.all)].into_iter();
        let any = self.any.iter().map(|any| ("AnyOf", any));
        let parts = all.chain(any).chain([("NoneOf", &self.none)]);
        let mut dot = "";
        for (part, set) in parts.filter(|(_, set)| !set.is_empty()) {
            write!(f, "{dot}{part}(")?;
            write_names(f, set, names)?;
            f.write_str(")")?;
            dot = ".";
        }
        if dot.is_empty() {
            f.write_str("AllOf()")?;
        }
        let mut hidden = names
            .iter()
            .zip(0..)
            .filter(|(descriptor, _)| descriptor.disables);
        let named = self.components();
        match self.with_disabled && hidden.any(|(_, at)| !named.contains(RawComponentIndex::at(at)))
        {
            true => f.write_str(".with_disabled()"),
            false => Ok(()),
        }
    }
}

impl PartialEq for Condition {
    #[inline(always)] // see `state::group`
    fn eq(&self, other: &Self) -> bool {
        let has_no_any = self.any.is_empty() && other.any.is_empty();
        self.all == other.all && self.none == other.none && (has_no_any || self.any == other.any)
    }
}

impl Eq for Condition {}

/// Writes component names, separated by commas.
fn write_names(
    f: &mut fmt::Formatter<'_>,
    set: &RawComponentSet,
    names: &ContextNumbering,
) -> fmt::Result {
    for (at, component) in set.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(f, "{comma}{}", names.name(component))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::heap::Heap;

    fn set(indices: &[usize]) -> RawComponentSet {
        indices
            .iter()
            .map(|&at| RawComponentIndex::at(at))
            .collect()
    }

    #[test]
    fn sets_are_required_or_excluded_as_a_whole() {
        let both = || set(&[1, 300]);
        let has = Condition::default().and_all(both());
        assert!(has.matches(&set(&[1, 2, 300])));
        assert!(!has.matches(&set(&[1])) && !has.matches(&set(&[300])));
        let lacks = Condition::default().and_none(both());
        assert!(lacks.matches(&set(&[2])));
        assert!(!lacks.matches(&set(&[1])) && !lacks.matches(&set(&[300])));
        assert!(has != lacks && has.bytes() > 1 && lacks.bytes() == has.bytes());
        let some = Condition::default().and_any(both());
        let list = some.any.capacity() * size_of::<RawComponentSet>();
        assert_eq!(some.bytes(), has.bytes() + list);
    }
}
