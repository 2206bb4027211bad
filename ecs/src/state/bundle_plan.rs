//! The plan of creating entities with certain components, computed once per creation of one or
//! many.

use crate::matching::effects::EffectsIndex;
use crate::matching::graph::Steps;
use crate::reactions::subscription::Subject;
use crate::state::core::Registries;
use crate::storage::slots::NodeIndex;
use crate::words::signature::RawComponentSet;

/// The node of entities with certain components, and the effects of creating one.
#[derive(Clone, Copy)]
pub(crate) struct BundlePlan {
    pub(crate) node: NodeIndex,
    pub(crate) effects: EffectsIndex,
}

impl BundlePlan {
    /// A plan that no entity has.
    pub(super) const NONE: Self = Self {
        node: NodeIndex(u32::MAX),
        effects: EffectsIndex::NONE,
    };

    /// The plan for entities with these components.
    pub(crate) fn of(core: &mut Registries, components: &RawComponentSet) -> Self {
        core.install_indexes(); // those of components numbered since the last time
        core.collect_signatures();
        let node = core.graph.node(components.clone(), &core.groups);
        Self::of_node(core, node)
    }

    /// The plan for entities of a node.
    pub(super) fn of_node(core: &mut Registries, node: NodeIndex) -> Self {
        let effects = core.graph.create(node, &core.groups);
        Self { node, effects }
    }

    /// The plan for components added one by one, if it is known.
    #[inline(always)] // a lookup
    pub(crate) fn known(core: &Registries, steps: Steps) -> Option<Self> {
        let (node, effects) = core.graph.known_arrival(steps)?;
        Some(Self { node, effects })
    }

    /// Computes the plan for components added one by one: by these steps, after those in
    /// [`Registries::first`] if these are not all.
    #[cold]
    #[inline(never)]
    pub(super) fn learn(core: &mut Registries, steps: Steps) -> Self {
        core.collect_signatures();
        let first = (!steps.are_all()).then(|| core::mem::take(&mut core.first));
        let (node, effects) = core.graph.arrival(first, steps, &core.groups);
        Self { node, effects }
    }

    /// Whether entity indexes or observers depend on each creation.
    pub(super) fn is_observed(&self, core: &Registries) -> bool {
        self.effects.is_observed() || !core.observers.is_empty(Subject::CREATED)
    }

    /// Whether entities with these components may be created in bulk: no component is unique or has
    /// an index, and nothing depends on each creation.
    pub(crate) fn is_plain(&self, core: &Registries, components: &RawComponentSet) -> bool {
        !self.is_observed(core) && !core.any_is_unique(components)
    }
}
