//! Notifying *will be destroyed* observers of all entities to be destroyed, while they may change
//! relations.
//!
//! ```text
//! plan    [ship, mast, sail, helm]      next ─► sail
//! links   sail gets another target      it leaves the plan, with all destroyed only with it
//!         flag gets mast as target      it is inserted after sail, with all destroyed with it
//! ```
//!
//! The cost of a changed link is the number of entities that enter or leave the plan. If the change
//! could affect the order of entities not yet announced, or leave a cycle, the plan is computed
//! again, which is rare. The final plan is computed after all announcements.

use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};

use super::core::HasCore;
use super::destroy_plan::{DestroyPlan, InUse, MOST_STEPS};
use super::running::notify;
use super::user_code::Session;
use crate::reactions::entity_index::Indexes;
use crate::reactions::notification::Notification;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;
use crate::world::World;

/// Plans which entities are destroyed together with `ids`.
pub(super) fn plan_destroy(
    world: &World,
    subs: &Subscribers,
    ids: &[UntypedId],
) -> Result<DestroyPlan, Error> {
    let plan = DestroyPlan::new(&subs.indexes, ids);
    plan.map_err(|rejected| in_use(world, &rejected))
}

#[cold]
fn in_use(world: &World, rejected: &InUse) -> Error {
    let component = world.columns.numbering().get(rejected.component);
    let names = component.expect("a component of the context").names;
    let error = Error::target_in_use(rejected.target.raw(), rejected.source.raw(), names);
    world.named(error)
}

/// Notifies the observers of all entities to be destroyed, targets before their sources. Observers
/// may change relations: an entity that gets another target before its turn is not destroyed.
///
/// Complexity: linear in the destroyed entities and in the links that observers change.
pub(super) fn announce_all<C: HasCore>(
    context: &mut C,
    ids: &[UntypedId],
) -> Result<DestroyPlan, Error> {
    let mut announcing = Announcing {
        roots: ids.iter().copied().collect(),
        announced: HashSet::new(),
        gone: HashSet::new(),
        plan: plan_destroy(&context.core().world, &context.core().subs, ids)?,
        next: 0,
        soon: Vec::new(),
        behind: HashMap::new(),
        is_current: true,
    };
    loop {
        while let Some(id) = announcing.next() {
            context.core_mut().subs.indexes.watch_destroys();
            announce(context, id.typed());
            let changed = context.core_mut().subs.indexes.watched_destroys();
            let indexes = &context.core().subs.indexes;
            if !changed.is_some_and(|changed| announcing.follow(indexes, &changed)) {
                announcing.restart(plan_destroy(
                    &context.core().world,
                    &context.core().subs,
                    ids,
                )?);
            }
        }
        if announcing.is_current {
            return Ok(announcing.plan);
        }
        announcing.restart(plan_destroy(
            &context.core().world,
            &context.core().subs,
            ids,
        )?);
    }
}

/// Entities that are about to be destroyed.
struct Announcing {
    /// The entities passed to the destroy.
    roots: HashSet<UntypedId>,
    announced: HashSet<UntypedId>,
    /// The entities that have left the plan since it was computed.
    gone: HashSet<UntypedId>,
    plan: DestroyPlan,
    /// The position of the next entity in the plan.
    next: usize,
    /// Entities added since the plan was computed that come before the next one; the first one is
    /// last.
    soon: Vec<UntypedId>,
    /// Other entities added since the plan was computed, by the entity they follow.
    behind: HashMap<UntypedId, Vec<UntypedId>>,
    /// Whether the plan is unchanged.
    is_current: bool,
}

impl Announcing {
    /// The next entity to announce.
    fn next(&mut self) -> Option<UntypedId> {
        while let Some(id) = self.step() {
            let behind = self.behind.remove(&id).unwrap_or_default();
            self.soon.extend(behind.into_iter().rev());
            if self.plan.contains(id) && self.announced.insert(id) {
                return Some(id);
            }
        }
        None
    }

    fn step(&mut self) -> Option<UntypedId> {
        if let Some(soon) = self.soon.pop() {
            return Some(soon);
        }
        self.next += 1;
        self.plan.ids.get(self.next - 1).copied()
    }

    fn restart(&mut self, plan: DestroyPlan) {
        (self.plan, self.next, self.is_current) = (plan, 0, true);
        self.gone.clear();
        self.soon.clear();
        self.behind.clear();
    }

    /// Updates the plan after changes of links; returns `false` if it must be computed again.
    fn follow(&mut self, indexes: &Indexes, changed: &[UntypedId]) -> bool {
        changed.iter().all(|&id| {
            let is_destroy_planned =
                self.roots.contains(&id) || self.plan.points_to_destroyed(indexes, id);
            match (self.plan.contains(id), is_destroy_planned) {
                (false, false) => !self.plan.is_rejected_by(indexes, id),
                (false, true) => self.insert(indexes, id),
                (true, true) => self.may_stay(indexes, id),
                (true, false) => self.leave(indexes, id),
            }
        })
    }

    /// Adds an entity and everything destroyed with it, after the others destroyed with its target;
    /// returns `false` if some of them might precede their targets.
    fn insert(&mut self, indexes: &Indexes, id: UntypedId) -> bool {
        self.is_current = false;
        let is_announced = |id| self.announced.contains(&id);
        let targets = self.plan.destroyed_targets(indexes, id);
        if targets.skip(1).any(|target| !is_announced(target)) {
            return false;
        }
        let fits = |target, id| is_announced(target) || !is_announced(id); // it may be a new source
        let is_root = |id| self.roots.contains(&id);
        let last = self.plan.last_before(indexes, id, is_root, fits);
        let is_new = |id| !self.gone.contains(&id);
        let (Some(last), Some(added)) = (last, self.plan.add(indexes, id, is_new, is_announced))
        else {
            return false;
        };
        if is_announced(last) {
            self.soon.extend(added.into_iter().rev());
        } else {
            self.behind.entry(last).or_default().splice(..0, added);
        }
        true
    }

    /// Whether an entity whose destroyed targets have changed can keep its position, as can those
    /// that are destroyed with it: they come after its new target, even if it is announced itself.
    fn may_stay(&mut self, indexes: &Indexes, id: UntypedId) -> bool {
        self.is_current = false;
        let is_announced = |id| self.announced.contains(&id);
        if self.roots.contains(&id) && !is_announced(id) {
            return false; // without its target, it may come earlier
        }
        let mut targets = self.plan.destroyed_targets(indexes, id);
        let has_sources = self.plan.destroyed_sources(indexes, id).next().is_some();
        (is_announced(id) && !has_sources || targets.all(is_announced))
            && self.reaches_root(indexes, id)
    }

    /// Whether an entity refers to a root in a few steps, without referring to itself.
    fn reaches_root(&self, indexes: &Indexes, id: UntypedId) -> bool {
        let mut at = id;
        for _ in 0..MOST_STEPS {
            if self.roots.contains(&at) {
                return true;
            }
            match self.plan.destroyed_targets(indexes, at).next() {
                Some(next) if next != id => at = next,
                _ => return false,
            }
        }
        false
    }

    /// Removes an entity and everything destroyed only with it; returns `false` if some of these
    /// might be destroyed with others.
    fn leave(&mut self, indexes: &Indexes, id: UntypedId) -> bool {
        self.is_current = false;
        let mut leaving = alloc::vec![id];
        while let Some(id) = leaving.pop() {
            if !self.plan.remove(id) {
                continue;
            }
            self.gone.insert(id);
            if self.plan.is_rejected_by(indexes, id) {
                return false;
            }
            for source in self.plan.destroyed_sources(indexes, id) {
                if self.roots.contains(&source) {
                    continue;
                }
                if self.plan.points_to_destroyed(indexes, source) {
                    return false;
                }
                leaving.push(source);
            }
        }
        true
    }
}

/// Notifies *will be destroyed* observers immediately: the entity is still complete.
pub(super) fn announce<C: HasCore>(context: &mut C, id: EntityId<C>) {
    let queue = &mut context.core_mut().subs.queue;
    (queue.destroying, queue.untidy) = (Some(id.untyped()), true);
    let mut announcement = Announcement {
        session: Session::new(context),
        done: false,
    };
    let now = u64::MAX; // all present observers
    let (subject, of) = (Subject::WILL_BE_DESTROYED, Notification::Entity(id));
    notify(announcement.session.context(), subject, now, &of);
    announcement.done = true;
}

/// An announcement under way. If an observer panics, nothing is destroyed, and pending destroys are
/// discarded.
struct Announcement<'a, C: HasCore> {
    session: Session<'a, C>,
    done: bool,
}

impl<C: HasCore> Drop for Announcement<'_, C> {
    fn drop(&mut self) {
        let Some(core) = self.session.core_mut() else {
            return; // it cleans up later
        };
        core.subs.queue.destroying = None;
        if !self.done {
            core.subs.queue.pending.clear();
        }
    }
}
