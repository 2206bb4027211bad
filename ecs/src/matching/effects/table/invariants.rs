//! Checks recorded effects against newly computed ones, for tests.

use alloc::vec::Vec;

use super::EffectsTable;
use crate::matching::effects::effect::Effect;
use crate::matching::effects::index::EffectsIndex;
use crate::matching::group::{GroupIndex, Groups, IndexNumber};
use crate::matching::matcher::GroupEvent;
use crate::words::component::RawComponentIndex;

/// What effects mean, regardless of their place in the lists.
#[derive(Debug, PartialEq)]
struct Meaning<'a> {
    collectors: Vec<usize>,
    to_notify: &'a [Effect],
    only_to_notify: Option<Effect>,
    indexed: &'a [(IndexNumber, GroupEvent)],
    /// The flags of the index.
    answers: [bool; 5],
}

impl EffectsTable {
    /// Panics if the recorded effects are not those of the given change.
    pub(crate) fn check_recorded(
        &self,
        recorded: EffectsIndex,
        component: Option<RawComponentIndex>,
        (effects, stays): (&[Effect], &[GroupIndex]),
        groups: &Groups,
    ) {
        let mut other = Self::new();
        other.set_recorded(self.recorded.clone());
        let expected = other.record(component, effects, stays, groups);
        let (recorded, expected) = (self.meaning(recorded), other.meaning(expected));
        assert_eq!(recorded, expected, "effects: {component:?}, {effects:?}");
    }

    fn meaning(&self, index: EffectsIndex) -> Meaning<'_> {
        let effects = self.get(index);
        Meaning {
            collectors: self.collectors(index).collect(),
            to_notify: effects.to_notify.of(&self.to_notify),
            only_to_notify: effects.only_to_notify,
            indexed: self.indexed(index),
            answers: [
                index.propagates(),
                index.has_subscribers(),
                index.is_indexed(),
                index.is_recorded(),
                index.is_only_recorded(),
            ],
        }
    }
}
