//! What creating an entity with certain components comes to, resolved once for each creation,
//! of one entity or of many.

use crate::matching::effects::EffectsIndex;
use crate::matching::graph::Steps;
use crate::reactions::subscription::Subject;
use crate::state::core::Registries;
use crate::storage::slots::NodeIndex;
use crate::words::signature::RawComponentSet;

/// Where entities with certain components belong, and what their coming to life does.
#[derive(Clone, Copy)]
pub(crate) struct BundlePlan {
    pub(crate) node: NodeIndex,
    pub(crate) effects: EffectsIndex,
}

impl BundlePlan {
    /// The plan of no entity at all.
    pub(super) const NONE: Self = Self {
        node: NodeIndex(u32::MAX),
        effects: EffectsIndex::NONE,
    };

    /// The plan for entities with these components.
    pub(crate) fn of(core: &mut Registries, components: &RawComponentSet) -> Self {
        core.install_indexes(); // those of components that are numbered late
        core.collect_signatures();
        let node = core.graph.node(components.clone(), &core.groups);
        Self::of_node(core, node)
    }

    /// The plan for entities of a node.
    pub(super) fn of_node(core: &mut Registries, node: NodeIndex) -> Self {
        let effects = core.graph.create(node, &core.groups);
        Self { node, effects }
    }

    /// The plan for an entity that has got its components one by one, if it has been worked out.
    #[inline(always)] // a look-up
    pub(crate) fn known(core: &Registries, steps: Steps) -> Option<Self> {
        let (node, effects) = core.graph.known_arrival(steps)?;
        Some(Self { node, effects })
    }

    /// Works out the plan for an entity that has got its components one by one: by these steps,
    /// after those noted in [`Registries::first`] if these are not all.
    #[cold]
    #[inline(never)]
    pub(super) fn learn(core: &mut Registries, steps: Steps) -> Self {
        core.collect_signatures();
        let first = (!steps.are_all()).then(|| core::mem::take(&mut core.first));
        let (node, effects) = core.graph.arrival(first, steps, &core.groups);
        Self { node, effects }
    }

    /// Whether entity indexes or observers are to follow each entity by itself.
    pub(super) fn is_observed(&self, core: &Registries) -> bool {
        self.effects.is_observed() || !core.observers.is_empty(Subject::CREATED)
    }

    /// Whether entities with these components may come to life many at a time: none of the
    /// components is unique or has an index, and nobody follows each entity by itself.
    pub(crate) fn is_plain(&self, core: &Registries, components: &RawComponentSet) -> bool {
        !self.is_observed(core) && !core.any_is_unique(components)
    }
}
