//! Which entities are destroyed together: those to be destroyed, and all that are destroyed with
//! their targets.

use alloc::vec::Vec;

use hashbrown::HashSet;

use crate::reactions::entity_index::{Indexes, Links};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::relation::OnTargetDestroyed;

/// The number of steps along a relation before the plan is computed again instead.
pub(super) const MOST_STEPS: usize = 64;

/// A step from targets to sources.
enum PlanStep {
    Enter(UntypedId),
    Leave(UntypedId),
}

/// An entity that loses the relation to a destroyed entity.
pub(super) type Loss = (UntypedId, RawComponentIndex);

/// A target that must not be destroyed before its sources.
pub(super) struct InUse {
    pub(super) target: UntypedId,
    pub(super) source: UntypedId,
    pub(super) component: RawComponentIndex,
}

/// Entities that are destroyed together, each target before its sources; otherwise in the given
/// order, followed depth first by the entities destroyed with them.
pub(super) struct DestroyPlan {
    pub(super) ids: Vec<UntypedId>,
    all: HashSet<UntypedId>,
}

impl DestroyPlan {
    /// Plans to destroy these living entities and all that are destroyed with them.
    ///
    /// # Errors
    ///
    /// Fails if one of them is the target of a remaining entity by a relation that rejects this.
    pub(super) fn new(indexes: &Indexes, roots: &[UntypedId]) -> Result<Self, InUse> {
        let mut plan = Self {
            ids: Vec::new(),
            all: HashSet::new(),
        };
        plan.list(indexes, roots);
        plan.check(indexes)?;
        Ok(plan)
    }

    /// Lists the entities backwards, each after its sources: so targets come first even if an
    /// entity has several.
    fn list(&mut self, indexes: &Indexes, roots: &[UntypedId]) {
        let start = self.ids.len();
        let mut steps: Vec<_> = roots.iter().copied().map(PlanStep::Enter).collect();
        while let Some(step) = steps.pop() {
            match step {
                PlanStep::Leave(id) => self.ids.push(id),
                PlanStep::Enter(id) if self.all.insert(id) => {
                    steps.push(PlanStep::Leave(id));
                    let ending = relations(indexes, OnTargetDestroyed::Destroy);
                    let sources = ending.flat_map(|links| links.each_source(id));
                    steps.extend(sources.map(PlanStep::Enter));
                }
                PlanStep::Enter(_) => {}
            }
        }
        self.ids[start..].reverse();
    }

    /// Rejects a target that must not be destroyed before its sources.
    fn check(&self, indexes: &Indexes) -> Result<(), InUse> {
        for links in relations(indexes, OnTargetDestroyed::Reject) {
            for &target in &self.ids {
                if let Some(source) = self.left(links.each_source(target)).next() {
                    let component = links.component;
                    return Err(InUse {
                        target,
                        source,
                        component,
                    });
                }
            }
        }
        Ok(())
    }

    pub(super) fn contains(&self, id: UntypedId) -> bool {
        self.all.contains(&id)
    }

    /// Removes an entity, except from the list; returns whether it was there.
    pub(super) fn remove(&mut self, id: UntypedId) -> bool {
        self.all.remove(&id)
    }

    /// Adds an entity with those destroyed with it; returns them, each target before its sources.
    /// Returns `None` if one of them may not be added, has a source in the plan that must come
    /// after it, or is in use by a remaining entity.
    pub(super) fn add(
        &mut self,
        indexes: &Indexes,
        id: UntypedId,
        may_be_added: impl Fn(UntypedId) -> bool,
        may_be_before: impl Fn(UntypedId) -> bool,
    ) -> Option<Vec<UntypedId>> {
        let start = self.ids.len();
        self.list(indexes, &[id]);
        let added = self.ids.split_off(start);
        let is_new: HashSet<_> = added.iter().copied().collect();
        let fits = |&id: &UntypedId| {
            let mut sources = self.destroyed_sources(indexes, id);
            let rejecting = relations(indexes, OnTargetDestroyed::Reject);
            let mut rejecting = rejecting.flat_map(|links| links.each_source(id));
            may_be_added(id)
                && sources.all(|source| is_new.contains(&source) || may_be_before(source))
                && rejecting.all(|source| self.contains(source))
        };
        added.iter().all(fits).then_some(added)
    }

    /// The entity after which a source is placed, depth first: its target, or the last entity below
    /// the previous source. Returns `None` if that is too deep, or if one of them is a root, which
    /// may be elsewhere in the plan. `fits` tells whether an entity below a target comes after it.
    pub(super) fn last_before(
        &self,
        indexes: &Indexes,
        source: UntypedId,
        is_root: impl Fn(UntypedId) -> bool,
        fits: impl Fn(UntypedId, UntypedId) -> bool,
    ) -> Option<UntypedId> {
        let mut ending = relations(indexes, OnTargetDestroyed::Destroy);
        let (links, target) = ending.find_map(|links| {
            let target = links.target(source).filter(|target| self.contains(*target));
            Some((links, target?))
        })?;
        let (mut last, mut below) = (target, links.previous(source));
        for _ in 0..MOST_STEPS {
            match below {
                Some(next) if is_root(next) => return None,
                Some(next) if fits(target, next) => last = next,
                Some(_) => return Some(target),
                None => return Some(last),
            }
            below = links.last_source(last);
        }
        None
    }

    /// The destroyed targets that an entity is destroyed with.
    pub(super) fn destroyed_targets(
        &self,
        indexes: &Indexes,
        id: UntypedId,
    ) -> impl Iterator<Item = UntypedId> {
        let ending = relations(indexes, OnTargetDestroyed::Destroy);
        let targets = ending.filter_map(move |links| links.target(id));
        targets.filter(|target| self.contains(*target))
    }

    /// Whether an entity is destroyed with one of its targets.
    pub(super) fn points_to_destroyed(&self, indexes: &Indexes, id: UntypedId) -> bool {
        self.destroyed_targets(indexes, id).next().is_some()
    }

    /// The destroyed sources of an entity that are destroyed with it.
    pub(super) fn destroyed_sources(
        &self,
        indexes: &Indexes,
        id: UntypedId,
    ) -> impl Iterator<Item = UntypedId> {
        let ending = relations(indexes, OnTargetDestroyed::Destroy);
        let sources = ending.flat_map(move |links| links.each_source(id));
        sources.filter(|source| self.contains(*source))
    }

    /// Whether an entity, which remains, prevents the destruction of one of its targets.
    pub(super) fn is_rejected_by(&self, indexes: &Indexes, id: UntypedId) -> bool {
        let rejecting = relations(indexes, OnTargetDestroyed::Reject);
        let mut targets = rejecting.filter_map(|links| links.target(id));
        targets.any(|target| self.contains(target))
    }

    /// The sources that remain.
    fn left(&self, sources: impl Iterator<Item = UntypedId>) -> impl Iterator<Item = UntypedId> {
        sources.filter(|source| !self.all.contains(source))
    }

    /// Unlinks all sources of destroyed entities; returns the entities that lose a component, and
    /// which.
    pub(super) fn detach(&self, indexes: &mut Indexes) -> Vec<Loss> {
        let mut losses = Vec::new();
        indexes.change_relations(|links| {
            for &id in &self.ids {
                let sources = links.detach(id);
                if links.on_target_destroyed == OnTargetDestroyed::Remove {
                    let left = self.left(sources.into_iter());
                    losses.extend(left.map(|source| (source, links.component)));
                }
            }
        });
        losses
    }
}

/// The links of all relations with this rule for destroyed targets.
fn relations(indexes: &Indexes, way: OnTargetDestroyed) -> impl Iterator<Item = &Links> {
    let all = indexes.relations();
    all.filter(move |links| links.on_target_destroyed == way)
}
