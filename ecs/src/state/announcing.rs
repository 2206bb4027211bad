//! Telling *will be destroyed* observers of all that are to end, and following what these do to
//! relations.
//!
//! ```text
//! plan    [ship, mast, sail, helm]      next ─► sail
//! links   sail leads elsewhere          it leaves the plan, with all that would end with it
//!         flag leads to mast            it comes behind sail, with all that end with it
//! ```
//!
//! Each change of a link costs by the entities that it takes into the plan or out of it. What could
//! change the order of those that are still to be told, or leave a circle behind, has the plan made
//! anew: that is rare. The plan by which they end is made when all have been told.

use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};

use super::core::{HasCore, Registries};
use super::destroy_plan::{DestroyPlan, InUse, MOST_STEPS};
use super::running::notify;
use super::user_code::Session;
use crate::reactions::entity_index::Indexes;
use crate::reactions::notification::Notification;
use crate::reactions::subscription::Subject;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;

/// Who ends together with some entities.
pub(super) fn plan_destroy(core: &Registries, ids: &[UntypedId]) -> Result<DestroyPlan, Error> {
    let plan = DestroyPlan::new(&core.indexes, ids);
    plan.map_err(|rejected| in_use(core, &rejected))
}

#[cold]
fn in_use(core: &Registries, rejected: &InUse) -> Error {
    let component = core.columns.numbering().get(rejected.component);
    let names = component.expect("a component of the context").names;
    let error = Error::target_in_use(rejected.target.raw(), rejected.source.raw(), names);
    core.named(error)
}

/// Tells the observers of all that are to end, targets before their sources. What observers do to
/// relations counts: an entity that leads elsewhere before its turn does not end.
///
/// Complexity: linear in those that end and in the links that observers change.
pub(super) fn announce_all<C: HasCore>(
    context: &mut C,
    ids: &[UntypedId],
) -> Result<DestroyPlan, Error> {
    let mut announcing = Announcing {
        roots: ids.iter().copied().collect(),
        announced: HashSet::new(),
        gone: HashSet::new(),
        plan: plan_destroy(context.core(), ids)?,
        next: 0,
        soon: Vec::new(),
        behind: HashMap::new(),
        is_current: true,
    };
    loop {
        while let Some(id) = announcing.next() {
            context.core_mut().indexes.watch_destroys();
            announce(context, id.typed());
            let changed = context.core_mut().indexes.watched_destroys();
            let indexes = &context.core().indexes;
            if !changed.is_some_and(|changed| announcing.follow(indexes, &changed)) {
                announcing.restart(plan_destroy(context.core(), ids)?);
            }
        }
        if announcing.is_current {
            return Ok(announcing.plan);
        }
        announcing.restart(plan_destroy(context.core(), ids)?);
    }
}

/// Entities that are about to end.
struct Announcing {
    /// Those that the destroy was asked for.
    roots: HashSet<UntypedId>,
    announced: HashSet<UntypedId>,
    /// Those that have left the plan since it was made.
    gone: HashSet<UntypedId>,
    plan: DestroyPlan,
    /// The place in the plan of the next one.
    next: usize,
    /// Those that have come since the plan was made, and whose turn comes before it; the first one
    /// last.
    soon: Vec<UntypedId>,
    /// Those that have come since, by whom they come behind.
    behind: HashMap<UntypedId, Vec<UntypedId>>,
    /// Whether the plan is as it was made.
    is_current: bool,
}

impl Announcing {
    /// The next entity whose observers are to be told.
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

    /// Has the plan follow sources whose links have changed; returns false if it is to be made anew.
    fn follow(&mut self, indexes: &Indexes, changed: &[UntypedId]) -> bool {
        changed.iter().all(|&id| {
            let is_destroy_planned =
                self.roots.contains(&id) || self.plan.points_to_destroyed(indexes, id);
            match (self.plan.contains(id), is_destroy_planned) {
                (false, false) => !self.plan.is_rejected_by(indexes, id),
                (false, true) => self.come(indexes, id),
                (true, true) => self.may_stay(indexes, id),
                (true, false) => self.leave(indexes, id),
            }
        })
    }

    /// Takes an entity into the plan, with those that end with it, behind the others that end with its
    /// target; returns false if some of them may come before their targets then.
    fn come(&mut self, indexes: &Indexes, id: UntypedId) -> bool {
        self.is_current = false;
        let is_announced = |id| self.announced.contains(&id);
        let targets = self.plan.destroyed_targets(indexes, id);
        if targets.skip(1).any(|target| !is_announced(target)) {
            return false;
        }
        let fits = |target, id| is_announced(target) || !is_announced(id); // it may have been led there since
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

    /// Whether an entity that leads to other ones that end, than before, can be told in its turn.
    fn may_stay(&mut self, indexes: &Indexes, id: UntypedId) -> bool {
        self.is_current = false;
        let is_announced = |id| self.announced.contains(&id);
        let mut targets = self.plan.destroyed_targets(indexes, id);
        (is_announced(id) || targets.all(is_announced)) && self.is_founded(indexes, id)
    }

    /// Whether an entity leads to one that the destroy was asked for, on a short way, and not by
    /// itself.
    fn is_founded(&self, indexes: &Indexes, id: UntypedId) -> bool {
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

    /// Takes an entity out of the plan, with those that would have ended with it alone; returns false
    /// if some of these may end with others.
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

/// Notifies the *will be destroyed* observers, at once: the entity is whole.
pub(super) fn announce<C: HasCore>(context: &mut C, id: EntityId<C>) {
    let queue = &mut context.core_mut().queue;
    (queue.destroying, queue.untidy) = (Some(id.untyped()), true);
    let mut announcement = Announcement {
        session: Session::new(context),
        done: false,
    };
    let now = u64::MAX; // all observers there are
    let (subject, of) = (Subject::WILL_BE_DESTROYED, Notification::Entity(id));
    notify(announcement.session.context(), subject, now, &of);
    announcement.done = true;
}

/// An announcement under way. If an observer panics, nothing is destroyed, and
/// what was put off until after the destroy is forgotten.
struct Announcement<'a, C: HasCore> {
    session: Session<'a, C>,
    done: bool,
}

impl<C: HasCore> Drop for Announcement<'_, C> {
    fn drop(&mut self) {
        let Some(core) = self.session.core_mut() else {
            return; // it recovers later
        };
        core.queue.destroying = None;
        if !self.done {
            core.queue.pending.clear();
        }
    }
}
