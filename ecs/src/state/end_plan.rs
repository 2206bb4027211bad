//! Who ends together: entities that are to be destroyed, and all that end with their target.

use alloc::vec::Vec;

use hashbrown::HashSet;

use crate::reactions::entity_index::{Indexes, Links};
use crate::words::component::ComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::relation::OnTargetDestroyed;

/// A step of the walk from targets to sources.
enum Step {
    Enter(UntypedId),
    Leave(UntypedId),
}

/// An entity that loses a component, that of a relation to one that ends.
pub(super) type Loss = (UntypedId, ComponentIndex);

/// A target that must not end before its sources do.
pub(super) struct InUse {
    pub(super) target: UntypedId,
    pub(super) source: UntypedId,
    pub(super) component: ComponentIndex,
}

/// Entities that end together, each target before its sources; otherwise in the order in which
/// they are listed, each before those that follow it depth first.
pub(super) struct EndPlan {
    pub(super) ids: Vec<UntypedId>,
    all: HashSet<UntypedId>,
}

impl EndPlan {
    /// These entities, which are alive, and all that end with them.
    ///
    /// # Errors
    ///
    /// One of them is the target of an entity that does not end, and refuses to be left.
    pub(super) fn new(indexes: &Indexes, roots: &[UntypedId]) -> Result<Self, InUse> {
        let mut plan = Self {
            ids: Vec::new(),
            all: HashSet::new(),
        };
        plan.walk(indexes, roots);
        plan.check(indexes)?;
        Ok(plan)
    }

    /// Lists the entities backwards, from the last one on, each behind its sources: so targets
    /// come first however many relations lead to an entity.
    fn walk(&mut self, indexes: &Indexes, roots: &[UntypedId]) {
        let mut steps: Vec<_> = roots.iter().copied().map(Step::Enter).collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(id) => self.ids.push(id),
                Step::Enter(id) if self.all.insert(id) => {
                    steps.push(Step::Leave(id));
                    let ending = relations(indexes, OnTargetDestroyed::Destroy);
                    let sources = ending.flat_map(|links| links.sources(id));
                    steps.extend(sources.copied().map(Step::Enter));
                }
                Step::Enter(_) => {}
            }
        }
        self.ids.reverse();
    }

    /// Refuses the end of a target that must not end before its sources do.
    fn check(&self, indexes: &Indexes) -> Result<(), InUse> {
        for links in relations(indexes, OnTargetDestroyed::Refuse) {
            for &target in &self.ids {
                if let Some(source) = self.left(links.sources(target)).next() {
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

    /// Those of some entities that stay.
    fn left(&self, sources: &[UntypedId]) -> impl Iterator<Item = UntypedId> {
        let sources = sources.iter().copied();
        sources.filter(|source| !self.all.contains(source))
    }

    /// Who is going to lose a component, and which.
    pub(super) fn losses(&self, indexes: &Indexes) -> Vec<Loss> {
        let mut losses = Vec::new();
        for links in relations(indexes, OnTargetDestroyed::Remove) {
            for &id in &self.ids {
                let left = self.left(links.sources(id));
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
                    let left = self.left(&sources);
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
