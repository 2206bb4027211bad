//! The plan of creating entities with certain components, computed once per creation of one or
//! many.

use super::entity_indexes::install_indexes;
use super::groups::collect_signatures;
use crate::matching::effects::EffectsIndex;
use crate::matching::graph::Steps;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::storage::slots::NodeIndex;
use crate::words::signature::RawComponentSet;
use crate::world::World;

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
    pub(crate) fn of(
        world: &mut World,
        subs: &mut Subscribers,
        components: &RawComponentSet,
    ) -> Self {
        install_indexes(world, subs); // those of components numbered since the last time
        collect_signatures(world, subs);
        let node = world.graph.node(components.clone(), &world.groups);
        Self::of_node(world, node)
    }

    /// The plan for entities of a node.
    pub(crate) fn of_node(world: &mut World, node: NodeIndex) -> Self {
        let effects = world.graph.create(node, &world.groups);
        Self { node, effects }
    }

    /// The plan for components added one by one, if it is known.
    #[inline(always)] // a lookup
    pub(crate) fn known(world: &World, steps: Steps) -> Option<Self> {
        let (node, effects) = world.graph.known_arrival(steps)?;
        Some(Self { node, effects })
    }

    /// Computes the plan for components added one by one: by these steps, after those in
    /// [`World::first`] if these are not all.
    #[cold]
    #[inline(never)]
    pub(super) fn learn(world: &mut World, subs: &Subscribers, steps: Steps) -> Self {
        collect_signatures(world, subs);
        let first = (!steps.are_all()).then(|| core::mem::take(&mut world.first));
        let (node, effects) = world.graph.arrival(first, steps, &world.groups);
        Self { node, effects }
    }

    /// Whether entity indexes or observers depend on each creation.
    pub(super) fn is_observed(&self, subs: &Subscribers) -> bool {
        self.effects.has_subscribers() || !subs.observers.is_empty(Subject::CREATED)
    }

    /// Whether entities with these components may be created in bulk: no component is unique or has
    /// an index, and nothing depends on each creation.
    pub(crate) fn is_plain(
        &self,
        world: &World,
        subs: &Subscribers,
        components: &RawComponentSet,
    ) -> bool {
        !self.is_observed(subs) && !world.any_is_unique(components)
    }
}
