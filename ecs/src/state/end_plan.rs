//! Who ends together: entities that are to be destroyed, and all that end with their target.

use alloc::vec::Vec;

use hashbrown::HashSet;

use super::core::Core;
use crate::reactions::entity_index::Links;
use crate::storage::registry::numbering;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;
use crate::words::relation::OnTargetDestroyed;

/// A step of the walk from targets to sources.
enum Step<C> {
    Enter(EntityId<C>),
    Leave(EntityId<C>),
}

/// Entities that end together, each target before its sources; otherwise in the order in which
/// they are listed, each before those that follow it depth first.
pub(super) struct EndPlan<C> {
    pub(super) ids: Vec<EntityId<C>>,
    all: HashSet<EntityId<C>>,
}

impl<C: 'static> EndPlan<C> {
    /// These entities, which are alive, and all that end with them.
    ///
    /// # Errors
    ///
    /// One of them is the target of an entity that does not end, and refuses to be left.
    pub(super) fn new(core: &Core<C>, roots: &[EntityId<C>]) -> Result<Self, Error> {
        let mut plan = Self {
            ids: Vec::new(),
            all: HashSet::new(),
        };
        plan.walk(core, roots);
        plan.check(core)?;
        Ok(plan)
    }

    /// Whether an entity is one of them.
    pub(super) fn contains(&self, id: EntityId<C>) -> bool {
        self.all.contains(&id)
    }

    /// Lists the entities backwards, from the last one on, each behind its sources: so targets
    /// come first however many relations lead to an entity.
    fn walk(&mut self, core: &Core<C>, roots: &[EntityId<C>]) {
        let mut steps: Vec<_> = roots.iter().copied().map(Step::Enter).collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(id) => self.ids.push(id),
                Step::Enter(id) if self.all.insert(id) => {
                    steps.push(Step::Leave(id));
                    let ending = relations(core, OnTargetDestroyed::Destroy);
                    let sources = ending.flat_map(|links| links.sources(id.untyped()));
                    steps.extend(sources.map(|source| Step::Enter(source.typed())));
                }
                Step::Enter(_) => {}
            }
        }
        self.ids.reverse();
    }

    /// Refuses the end of a target that must not end before its sources do.
    fn check(&self, core: &Core<C>) -> Result<(), Error> {
        for links in relations(core, OnTargetDestroyed::Refuse) {
            for &id in &self.ids {
                if let Some(source) = self.first_outside(links.sources(id.untyped())) {
                    return Err(in_use(id, source, links.component));
                }
            }
        }
        Ok(())
    }

    fn first_outside(&self, sources: &[UntypedId]) -> Option<EntityId<C>> {
        let mut sources = sources.iter().map(|source| source.typed());
        sources.find(|&source| !self.contains(source))
    }
}

/// The links of all relations that deal in this way with the end of a target.
fn relations<C: 'static>(core: &Core<C>, way: OnTargetDestroyed) -> impl Iterator<Item = &Links> {
    let all = core.indexes.relations();
    all.filter(move |links| links.on_target_destroyed == way)
}

#[cold]
fn in_use<C: 'static>(id: EntityId<C>, source: EntityId<C>, component: ComponentIndex) -> Error {
    let descriptor = numbering::<C>().descriptors().nth(component.get());
    let names = descriptor.expect("a component of the context").names;
    Error::target_in_use(id.raw(), source.raw(), names)
}
