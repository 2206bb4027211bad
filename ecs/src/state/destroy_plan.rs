//! Who ends together: entities that are to be destroyed, and all that end with their target.

use alloc::vec::Vec;

use hashbrown::HashSet;

use crate::reactions::entity_index::{Indexes, Links};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::relation::OnTargetDestroyed;

/// So many steps along a relation are taken before a plan is rather made anew.
pub(super) const MOST_STEPS: usize = 64;

/// A step of the walk from targets to sources.
enum PlanStep {
    Enter(UntypedId),
    Leave(UntypedId),
}

/// An entity that loses a component, that of a relation to one that ends.
pub(super) type Loss = (UntypedId, RawComponentIndex);

/// A target that must not end before its sources do.
pub(super) struct InUse {
    pub(super) target: UntypedId,
    pub(super) source: UntypedId,
    pub(super) component: RawComponentIndex,
}

/// Entities that end together, each target before its sources; otherwise in the order in which
/// they are listed, each before those that follow it depth first.
pub(super) struct DestroyPlan {
    pub(super) ids: Vec<UntypedId>,
    all: HashSet<UntypedId>,
}

impl DestroyPlan {
    /// These entities, which are alive, and all that end with them.
    ///
    /// # Errors
    ///
    /// One of them is the target of an entity that does not end, and rejects to be left.
    pub(super) fn new(indexes: &Indexes, roots: &[UntypedId]) -> Result<Self, InUse> {
        let mut plan = Self {
            ids: Vec::new(),
            all: HashSet::new(),
        };
        plan.traversal(indexes, roots);
        plan.check(indexes)?;
        Ok(plan)
    }

    /// Lists the entities backwards, from the last one on, each behind its sources: so targets
    /// come first however many relations lead to an entity.
    fn traversal(&mut self, indexes: &Indexes, roots: &[UntypedId]) {
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

    /// Rejects the end of a target that must not end before its sources do.
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

    /// Takes an entity out, but for its place in the list; returns whether it was there.
    pub(super) fn remove(&mut self, id: UntypedId) -> bool {
        self.all.remove(&id)
    }

    /// Takes in an entity with those that end with it, which are returned, each target before its
    /// sources. Returns nothing if one of them may not be added, leads to another one of the plan's, or
    /// rejects to be left.
    pub(super) fn add(
        &mut self,
        indexes: &Indexes,
        id: UntypedId,
        may_be_added: impl Fn(UntypedId) -> bool,
        may_be_before: impl Fn(UntypedId) -> bool,
    ) -> Option<Vec<UntypedId>> {
        let start = self.ids.len();
        self.traversal(indexes, &[id]);
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

    /// The entity behind which a source stands among those that end, depth first: its target, or the
    /// last one below the source before it; nothing if that is far below, or if one of these is a root,
    /// which may have a place of its own in the plan. `fits` says of a target whether an entity below it
    /// stands behind it.
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

    /// Those of its targets which end, with whom an entity ends.
    pub(super) fn destroyed_targets(
        &self,
        indexes: &Indexes,
        id: UntypedId,
    ) -> impl Iterator<Item = UntypedId> {
        let ending = relations(indexes, OnTargetDestroyed::Destroy);
        let targets = ending.filter_map(move |links| links.target(id));
        targets.filter(|target| self.contains(*target))
    }

    /// Whether an entity ends with one of its targets.
    pub(super) fn points_to_destroyed(&self, indexes: &Indexes, id: UntypedId) -> bool {
        self.destroyed_targets(indexes, id).next().is_some()
    }

    /// The sources of an entity that end, and would end with it.
    pub(super) fn destroyed_sources(
        &self,
        indexes: &Indexes,
        id: UntypedId,
    ) -> impl Iterator<Item = UntypedId> {
        let ending = relations(indexes, OnTargetDestroyed::Destroy);
        let sources = ending.flat_map(move |links| links.each_source(id));
        sources.filter(|source| self.contains(*source))
    }

    /// Whether an entity that stays keeps one from ending.
    pub(super) fn is_rejected_by(&self, indexes: &Indexes, id: UntypedId) -> bool {
        let rejecting = relations(indexes, OnTargetDestroyed::Reject);
        let mut targets = rejecting.filter_map(|links| links.target(id));
        targets.any(|target| self.contains(target))
    }

    /// Those of some entities that stay.
    fn left(&self, sources: impl Iterator<Item = UntypedId>) -> impl Iterator<Item = UntypedId> {
        sources.filter(|source| !self.all.contains(source))
    }

    /// Who is going to lose a component, and which.
    pub(super) fn losses(&self, indexes: &Indexes) -> Vec<Loss> {
        let mut losses = Vec::new();
        for links in relations(indexes, OnTargetDestroyed::Remove) {
            for &id in &self.ids {
                let left = self.left(links.each_source(id));
                losses.extend(left.map(|source| (source, links.component)));
            }
        }
        losses
    }

    /// Ends the links to those that end; returns who loses a component by it, and which.
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

/// The links of all relations that deal in this way with the end of a target.
fn relations(indexes: &Indexes, way: OnTargetDestroyed) -> impl Iterator<Item = &Links> {
    let all = indexes.relations();
    all.filter(move |links| links.on_target_destroyed == way)
}
