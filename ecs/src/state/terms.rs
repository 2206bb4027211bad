//! The flags of terms over relations ([`Term`]): which entities have them follows from the links of the
//! relation and from the members of the term's group.
//!
//! ```text
//! change   links changed, entities enter or leave the term's group ─► recorded when the change is marked
//! commit   the flags of the entities concerned, before observers run ─► further runs of the commit
//! ```
//!
//! Histories exclude flags, and saves leave them out; after a rewind, a restore or a load they are
//! computed again. Terms within terms have older flags, so one pass in order of age is enough.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::commit::mark::{commit_rewound, mark};
use super::commit::previous::Previous;
use super::commit::run::Run;
use super::core::{Core, HasCore};
use super::entity_indexes::{install_indexes_of, prepare_indexes};
use super::groups::{add_group, forget_effects};
use super::reindex::flush;
use crate::matching::effects::EffectsIndex;
use crate::matching::group::GroupIndex;
use crate::matching::matcher::{Condition, GroupEvent, Other, Term};
use crate::matching::members::{Members, Terms};
use crate::reactions::entity_index::{
    ChangedLinks, ChangedMembers, Flag, IndexState, Links, Refresh,
};
use crate::reactions::subscribers::Subscribers;
use crate::storage::descriptor::term::TermFlag;
use crate::storage::moved::ValueSlot;
use crate::storage::slots::Slot;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::limits::ROWS;
use crate::world::World;

/// A flag that was given to an entity or taken from it.
#[derive(Clone, Copy)]
pub(crate) struct Flip {
    id: UntypedId,
    component: RawComponentIndex,
    is_set: bool,
    effects: EffectsIndex,
}

impl Flip {
    /// The change as a part of a commit.
    pub(super) fn run(self) -> Run<'static> {
        let previous = match self.is_set {
            true => Previous::none(self.component),
            false => Previous::of_flag(self.component),
        };
        Run::of(self.id, self.effects, previous)
    }
}

/// Who is notified of flags that change, other than by the commit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notified {
    /// As for any other change.
    All,
    /// Collectors that include rewinds.
    Rewinds,
    /// The other flags alone.
    Flags,
}

/// Whether flags may have to be updated.
#[inline]
pub(super) fn any_changed(subs: &Subscribers) -> bool {
    !subs.indexes.flags.is_empty() && is_any_pending(subs)
}

fn is_any_pending(subs: &Subscribers) -> bool {
    let members = |flag: &Flag| subs.indexes.changed_members(flag.number);
    let mut flags = subs.indexes.flags.iter();
    flags.any(|flag| members(flag).is_some_and(|changed| !changed.is_empty()))
        || subs
            .indexes
            .relations()
            .any(|links| !links.changed().is_empty())
}

/// Updates the flags that a change concerns, and marks the entities whose flags change. Runs no user
/// code.
pub(super) fn update_flags(world: &mut World, subs: &mut Subscribers) -> Vec<Flip> {
    update(world, subs, Notified::All)
}

/// Updates the flags that a rewind concerns; collectors that include rewinds are notified. The keys of the
/// entities are to be computed.
pub(crate) fn update_rewound_flags(world: &mut World, subs: &mut Subscribers) -> Vec<Flip> {
    match any_changed(subs) {
        true => update(world, subs, Notified::Rewinds),
        false => Vec::new(),
    }
}

/// Computes the keys of entities whose flags have changed: user code.
pub(crate) fn flush_flips<C: HasCore>(context: &mut C, flips: &[Flip]) {
    for flip in flips {
        flush(context, &[flip.id], flip.effects);
    }
}

fn update(world: &mut World, subs: &mut Subscribers, notified: Notified) -> Vec<Flip> {
    let links = take_links(subs);
    let mut flips = Vec::new();
    for at in 0..subs.indexes.flags.len() {
        let flag = subs.indexes.flags[at];
        for id in concerned(world, subs, flag, &links) {
            flips.extend(flip(world, subs, flag, id, notified));
        }
    }
    flips
}

/// The changed links of all relations.
fn take_links(subs: &mut Subscribers) -> Vec<(RawComponentIndex, ChangedLinks)> {
    let mut all = Vec::new();
    subs.indexes
        .change_relations(|links| all.push((links.component, links.take_changed())));
    all
}

/// The entities whose flag may change.
fn concerned(
    world: &World,
    subs: &mut Subscribers,
    flag: Flag,
    changed: &[(RawComponentIndex, ChangedLinks)],
) -> Vec<UntypedId> {
    let members = subs.indexes.take_changed_members(flag.number);
    let changed = changed
        .iter()
        .find(|(relation, _)| *relation == flag.relation);
    let mut concerned = match changed {
        Some((_, ChangedLinks::All)) => return world.slots.iter().map(|(id, _)| id).collect(),
        Some((_, ChangedLinks::Few(pairs))) => pairs
            .iter()
            .map(|&(source, target)| match flag.other {
                Other::Target => source,
                Other::Sources => target,
            })
            .collect(),
        Some((_, ChangedLinks::Unwatched)) | None => Vec::new(),
    };
    let Some(links) = subs.indexes.links_of(flag.relation) else {
        return concerned;
    };
    for id in members
        .into_iter()
        .filter(|id| world.slots.get(*id).is_some())
    {
        match flag.other {
            Other::Target => concerned.extend(links.each_source(id)),
            Other::Sources => concerned.extend(links.target(id)),
        }
    }
    concerned
}

/// Gives the flag to an entity, or takes it away, if that is necessary.
fn flip(
    world: &mut World,
    subs: &mut Subscribers,
    flag: Flag,
    id: UntypedId,
    notified: Notified,
) -> Option<Flip> {
    let node = world.slots.get(id)?.node;
    let is_set = is_fulfilled(world, subs, flag, id);
    if world.graph.components(node).contains(flag.component) == is_set {
        return None;
    }
    let effects = set(world, id, flag.component, is_set)?;
    match notified {
        Notified::All => mark(world, subs, id, effects),
        Notified::Rewinds => {
            commit_rewound(world, subs, &[id], effects);
            mark_in_indexes(world, subs, id, effects);
        }
        Notified::Flags => mark_in_indexes(world, subs, id, effects),
    }
    Some(Flip {
        id,
        component: flag.component,
        is_set,
        effects,
    })
}

fn mark_in_indexes(world: &World, subs: &mut Subscribers, id: UntypedId, effects: EffectsIndex) {
    if effects.is_indexed() {
        prepare_indexes(world, subs, &[id], effects);
    }
}

/// Whether a living entity fulfills the term of a flag.
fn is_fulfilled(world: &World, subs: &Subscribers, flag: Flag, id: UntypedId) -> bool {
    let Some((links, group)) = subs
        .indexes
        .links_of(flag.relation)
        .zip(group_of(subs, flag))
    else {
        return false;
    };
    let is_member = |other: UntypedId| world.is_member(group, other);
    match flag.other {
        Other::Target => links.target(id).is_some_and(is_member),
        Other::Sources => links.each_source(id).any(is_member),
    }
}

fn group_of(subs: &Subscribers, flag: Flag) -> Option<GroupIndex> {
    Some(subs.indexes.state(flag.number)?.group)
}

/// Sets or clears a flag of a living entity; returns the effects.
fn set(
    world: &mut World,
    id: UntypedId,
    flag: RawComponentIndex,
    is_set: bool,
) -> Option<EffectsIndex> {
    let slot = world.slots.get(id)?;
    let (target, effects) = world.graph.edge(slot.node, flag, &world.groups);
    let column = world.columns.ensured(flag);
    match is_set {
        true => _ = column.put(slot.row, ValueSlot::of(TermFlag).moved(column.descriptor())),
        false => column.discard(slot.row),
    }
    world.slots.set_node(id, target);
    Some(effects)
}

/// Computes the flags of all entities again, after a restore. The caller restores collectors and
/// indexes. Runs no user code.
pub(crate) fn refresh_flags(world: &mut World, subs: &mut Subscribers) {
    clear_unkept(world, subs);
    let all: Vec<_> = match subs.indexes.flags.is_empty() {
        true => Vec::new(),
        false => world.slots.iter().map(|(id, _)| id).collect(),
    };
    for at in 0..subs.indexes.flags.len() {
        let flag = subs.indexes.flags[at];
        for &id in &all {
            flip(world, subs, flag, id, Notified::Flags);
        }
    }
    take_links(subs);
    for at in 0..subs.indexes.flags.len() {
        subs.indexes
            .take_changed_members(subs.indexes.flags[at].number);
    }
}

/// Clears flags that the context does not keep up to date: those of another one whose entities it has
/// got.
fn clear_unkept(world: &mut World, subs: &Subscribers) {
    let columns = world.columns.iter().enumerate();
    let flags = columns.filter(|(_, column)| column.descriptor().term.is_some());
    let flags = flags.map(|(at, _)| RawComponentIndex::at(at));
    let unkept: Vec<_> = flags.filter(|&flag| !subs.indexes.has_flag(flag)).collect();
    for flag in unkept {
        let entities = world.slots.iter();
        let has = |slot: Slot| world.graph.components(slot.node).contains(flag);
        let ids = entities.filter_map(|(id, slot)| has(slot).then_some(id));
        for id in ids.collect::<Vec<UntypedId>>() {
            set(world, id, flag, false);
        }
    }
}

/// Keeps the flags of all terms of a condition up to date from now on.
pub(super) fn keep_flags(world: &mut World, subs: &mut Subscribers, condition: &Condition) {
    if condition.has_terms() {
        for component in condition.components().iter() {
            keep_flag(world, subs, component);
        }
    }
}

/// Keeps a flag up to date, if the component is one. Nothing that depends on it exists yet, so nothing
/// is notified of the entities that get it now.
fn keep_flag(world: &mut World, subs: &mut Subscribers, component: RawComponentIndex) {
    let Some(term) = Term::of(world.columns.describe(component)) else {
        return;
    };
    if subs.indexes.has_flag(component) {
        return;
    }
    install_indexes_of(world, subs, term.relation);
    let condition = term.condition.clone().hiding(world.columns.disabling());
    let known = world.groups.find(&condition);
    let group = known.unwrap_or_else(|| {
        keep_flags(world, subs, &condition);
        add_group(world, subs, condition)
    });
    let number = subs
        .indexes
        .add_field(IndexState::new(group, ChangedMembers::default()));
    subs.refreshes.add(number, Refresh::Flags);
    for event in [GroupEvent::Entered, GroupEvent::Left] {
        world
            .groups
            .change_watch(group, event, |watch| watch.set_index(number, true));
        forget_effects(world, subs, group, event);
    }
    exclude_from_history(world, subs, component);
    let flag = Flag {
        component,
        relation: term.relation,
        other: term.other,
        number,
    };
    world.columns.ensured(component);
    world.groups.add_flag(component);
    subs.indexes.keep_flag(flag);
    let all: Vec<_> = world.slots.iter().map(|(id, _)| id).collect();
    for id in all {
        flip(world, subs, flag, id, Notified::Flags);
    }
}

fn exclude_from_history(world: &mut World, subs: &mut Subscribers, flag: RawComponentIndex) {
    let is_dispatching = !subs.queue.turn.is_idle();
    if let Some(recording) = subs.history.as_deref_mut() {
        recording.excluded.insert(flag);
        let excluded = recording.excluded.clone();
        world.graph.set_recorded(Some(excluded), is_dispatching);
    }
}

impl<C: 'static> Core<C> {
    /// The rows that match a condition, which need not have a group. Terms whose flags the context does
    /// not keep are evaluated for all links.
    pub(crate) fn matching(&self, condition: &Condition) -> Members<'_, Terms> {
        let members = self.world.matching(condition);
        if !condition.has_terms() {
            return members;
        }
        let terms = condition.components();
        let terms = terms
            .iter()
            .filter(|&flag| !self.subs.indexes.has_flag(flag));
        let evaluated = terms.filter_map(|flag| {
            let term = Term::of(self.world.columns.describe(flag))?;
            Some((flag, self.evaluate(term)))
        });
        members.with_evaluated(evaluated.collect())
    }

    /// The rows of the entities that fulfill a term, as bits.
    fn evaluate(&self, term: &Term) -> Box<[u64]> {
        let (world, subs) = (&self.world, &self.subs);
        let mut rows = vec![0; world.slots.rows().div_ceil(ROWS)].into_boxed_slice();
        let condition = term.condition.clone().hiding(world.columns.disabling());
        let members = self.matching(&condition);
        let row_of = |id| world.slots.row_of(id).0 as usize;
        let is_member = |id| members.word(row_of(id) / ROWS) >> (row_of(id) % ROWS) & 1 != 0;
        let mut set = |id| rows[row_of(id) / ROWS] |= 1 << (row_of(id) % ROWS);
        let links = subs.indexes.links_of(term.relation);
        for (target, sources) in links.into_iter().flat_map(Links::listed) {
            match term.other {
                Other::Target if is_member(target) => sources.iter().copied().for_each(&mut set),
                Other::Sources if sources.iter().copied().any(is_member) => set(target),
                Other::Target | Other::Sources => {}
            }
        }
        rows
    }
}

/// Panics if a flag is not that of exactly the entities that fulfill its term.
#[cfg(any(test, feature = "__checks"))]
pub(super) fn check_flags(world: &World, subs: &Subscribers) {
    for &flag in &subs.indexes.flags {
        for (id, slot) in world.slots.iter() {
            let has = world.graph.components(slot.node).contains(flag.component);
            let name = world.columns.describe(flag.component).names.component;
            assert_eq!(has, is_fulfilled(world, subs, flag, id), "{id}: {name}");
        }
    }
}
