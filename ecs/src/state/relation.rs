//! Relations: the links of each relation are an index, and the target of a value is checked before
//! the value is stored.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::any::TypeId;

use hashbrown::{HashMap, HashSet};

use super::core::HasCore;
use super::entity_indexes::{owners_of, start_index, value_of};
use super::rejection::{FieldFunctions, MapTarget, Rejection, Turn};
use super::validate::check_all;
use crate::reactions::entity_index::{IndexState, Links, Refresh};
use crate::reactions::subscribers::Subscribers;
use crate::storage::columns::Columns;
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::index_of;
use crate::storage::slots::Slots;
use crate::storage::value_list::ValueList;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::field_index::{FieldIndex, IndexKind, IndexedField};
use crate::words::relation::{OnTargetDestroyed, Relation};
use crate::world::World;

/// Describes the field of a relation; it comes after the indexed fields of the component.
#[doc(hidden)]
pub const fn relation_index<C: HasCore, T: Relation<C>>() -> FieldIndex<T> {
    FieldIndex::new(IndexedField {
        kind: IndexKind::Relation,
        functions: const {
            &FieldFunctions {
                context: TypeId::of::<C>,
                install: install::<C, T>,
                check: check_targets::<C, T>,
                map_target: Some(map_target::<C, T>),
            }
        },
    })
}

/// The order of the sources of a target in a relation; sources not listed come last.
#[derive(Clone)]
pub(crate) struct SourceOrder {
    pub(crate) component: RawComponentIndex,
    pub(crate) target: UntypedId,
    pub(crate) sources: Vec<UntypedId>,
}

fn map_target<C: HasCore, T: Relation<C>>(copy: &mut AnyValue, map: MapTarget<'_>) {
    if let Some(copy) = copy.downcast_mut::<T>() {
        copy.set_target(map(copy.target().untyped()).typed());
    }
}

/// Maps the targets of copied values, if they are of a relation.
pub(crate) fn map_targets(copies: &mut ValueList, map: MapTarget<'_>) {
    let fields = copies.descriptor().indexes.iter();
    let functions = fields.filter_map(|field| field.functions.downcast_ref::<FieldFunctions>());
    let Some(map_target) = functions
        .rev() // the relation is the last field
        .find_map(|functions| functions.map_target)
    else {
        return;
    };
    for at in 0..copies.len() {
        if let Some(copy) = copies.get_mut(at) {
            map_target(copy, map);
        }
    }
}

/// Creates the links of a relation.
fn install<C: HasCore, T: Relation<C>>(world: &mut World, subs: &mut Subscribers) {
    let component = index_of::<C, T>();
    let links = Links::new(component, T::ON_TARGET_DESTROYED, T::ORDERED);
    let group = owners_of(world, subs, component);
    let refresh = Refresh::Links(target_of::<C, T>);
    let number = subs.indexes.add_field(IndexState::new(group, links));
    start_index(world, subs, number, refresh);
    subs.indexes.assign(component, number);
}

/// The target of an entity.
fn target_of<C: HasCore, T: Relation<C>>(
    columns: &Columns,
    slots: &Slots,
    id: UntypedId,
) -> Option<UntypedId> {
    let column = columns.at(index_of::<C, T>())?.typed::<T>()?;
    Some(column.get(slots.get(id)?.row)?.target().untyped())
}

/// Whether an entity is alive, and its id is not only borrowed to validate a bundle.
fn can_be_target(world: &World, target: UntypedId) -> bool {
    let spare = world.attempt.as_ref().and_then(|attempt| attempt.spare);
    world.slots.get(target).is_some() && spare != Some(target)
}

/// Whether entities can have a relation to this target. It must be alive; or the relation keeps
/// dead targets, and the id is not one that will be created.
pub(crate) fn may_point_to(world: &World, links: &Links, target: UntypedId) -> bool {
    let is_kept = links.on_target_destroyed == OnTargetDestroyed::Keep;
    world.slots.is_alive(target) || is_kept && !world.slots.is_future(target.raw())
}

/// The links of a relation, if it has been used.
#[inline]
pub(crate) fn links<C: 'static, T: Relation<C>>(subs: &Subscribers) -> Option<&Links> {
    let field = T::INDEXES.len().checked_sub(1)?;
    let number = subs.indexes.of_field(index_of::<C, T>(), field)?;
    subs.indexes.links(number)
}

/// The entries of an entity, in order, each with its relation to the entity.
pub(crate) fn entries<'a>(
    world: &'a World,
    subs: &'a Subscribers,
    owner: UntypedId,
) -> impl Iterator<Item = (UntypedId, RawComponentIndex)> + 'a {
    let relations = subs.indexes.relations();
    let to_owners = relations.filter(|links| world.describe(links.component).entry_of().is_some());
    to_owners.flat_map(move |links| {
        let ids = links.each_source(owner);
        ids.map(|id| (id, links.component))
    })
}

/// Sorts sources in these orders.
pub(crate) fn order_sources(subs: &mut Subscribers, orders: &[SourceOrder]) {
    subs.indexes.change_relations(|links| {
        for order in orders {
            if order.component == links.component {
                let sources = &order.sources;
                links.order(order.target, sources);
            }
        }
    });
}

/// The orders of copies as sources in ordered relations, unless it is the order in which they
/// are made. Copies with a target outside of the copied entities come after its present
/// sources.
pub(crate) fn orders_of_copies(
    subs: &Subscribers,
    originals: &[UntypedId],
    copies: &[UntypedId],
) -> Vec<SourceOrder> {
    let mut orders = Vec::new();
    let ordered = subs.indexes.relations().filter(|links| links.are_ordered());
    let mut nth = HashMap::new();
    for links in ordered {
        if nth.is_empty() {
            nth = originals.iter().copied().zip(0..).collect();
        }
        let targets: BTreeSet<_> = originals
            .iter()
            .filter_map(|&id| links.target(id))
            .collect();
        for target in targets {
            let sources = links.each_source(target);
            let places: Vec<usize> = sources.filter_map(|it| nth.get(&it).copied()).collect();
            if places.is_sorted() {
                continue;
            }
            let copy = nth.get(&target).map(|&place| copies[place]);
            let mut sources = match copy {
                Some(_) => Vec::new(),
                None => links.sources(target).to_vec(),
            };
            sources.extend(places.into_iter().map(|place| copies[place]));
            orders.push(SourceOrder {
                component: links.component,
                target: copy.unwrap_or(target),
                sources,
            });
        }
    }
    orders
}

/// Rejects values with targets that are dead, or that refer back to the entity.
fn check_targets<C: HasCore, T: Relation<C>>(
    world: &World,
    subs: &Subscribers,
    values: &[(UntypedId, &AnyValue)],
    turn: Turn,
) -> Result<(), Rejection> {
    let target = |&(id, value): &(UntypedId, &AnyValue)| {
        let value = value.downcast_ref::<T>()?;
        Some((id, value.target().untyped()))
    };
    let (links, pairs) = (links::<C, T>(subs), values.iter().filter_map(target));
    if turn == Turn::OneByOne && are_simple(world, links, T::ACYCLIC, pairs.clone()) {
        return Ok(());
    }
    let values: Vec<_> = pairs.collect();
    let values = &values[..];
    let mut moves = Moves::new(world, subs, links, turn);
    if let Turn::Together { may_be_dead } = turn {
        let keeps = T::ON_TARGET_DESTROYED == OnTargetDestroyed::Keep;
        return moves.check_together::<C, T>(values, keeps && may_be_dead);
    }
    if turn == Turn::Swap {
        values
            .iter()
            .for_each(|&(id, target)| moves.record(id, target));
    }
    for &(id, target) in values {
        moves.check::<C, T>(id, target)?;
        if values.len() > 1 {
            moves.record(id, target);
        }
    }
    Ok(())
}

/// Whether values are certainly valid, without a traversal: each target is alive, and there can be no cycle because
/// no entity of the list has a source or gets one.
fn are_simple(
    world: &World,
    links: Option<&Links>,
    acyclic: bool,
    pairs: impl Iterator<Item = (UntypedId, UntypedId)> + Clone,
) -> bool {
    let has_sources = |id| links.is_some_and(|links| links.has_sources(id));
    let mut count = 0;
    let each_is_simple = pairs.clone().all(|(id, target)| {
        world.slots.check(target);
        count += 1;
        target != id && can_be_target(world, target) && !(acyclic && has_sources(id))
    });
    if !each_is_simple || !acyclic || count <= 1 {
        return each_is_simple;
    }
    let slots = world.slots.len();
    if slots / 32 > count {
        return false; // a flag for each slot would take longer
    }
    let mut is_changed = vec![false; slots];
    for (id, _) in pairs.clone() {
        match is_changed.get_mut(id.index() as usize) {
            Some(flag) => *flag = true,
            None => return false,
        }
    }
    let is_changed = |id: UntypedId| is_changed.get(id.index() as usize) != Some(&false);
    !pairs.into_iter().any(|(_, target)| is_changed(target))
}

/// The links of a relation, combined with the pending ones of a list of entities.
struct Moves<'a> {
    world: &'a World,
    links: Option<&'a Links>,
    /// Whether an undo stack restores values.
    restores: bool,
    turn: Turn,
    targets: HashMap<UntypedId, UntypedId>,
    with_sources: HashSet<UntypedId>,
}

impl<'a> Moves<'a> {
    fn new(world: &'a World, subs: &'a Subscribers, links: Option<&'a Links>, turn: Turn) -> Self {
        Self {
            world,
            links,
            restores: subs.indexes.is_restoring(),
            turn,
            targets: HashMap::new(),
            with_sources: HashSet::new(),
        }
    }

    /// Records the pending target of an entity.
    fn record(&mut self, id: UntypedId, target: UntypedId) {
        self.targets.insert(id, target);
        self.with_sources.insert(target);
    }

    /// Checks values of new entities that get them all at once. No other entity refers to one of
    /// these yet, so a cycle is among them. A dead target must not be an id that will be created:
    /// the entity would seem to refer to it.
    ///
    /// Complexity: linear in the number of values, in any order.
    fn check_together<C: HasCore, T: Relation<C>>(
        &mut self,
        values: &[(UntypedId, UntypedId)],
        may_be_dead: bool,
    ) -> Result<(), Rejection> {
        let slots = &self.world.slots;
        for &(id, target) in values {
            slots.check(target); // before it is compared
            let pair = || Box::new((id.raw(), target.raw()));
            if target == id {
                return Err(Rejection::Cycle(pair()));
            }
            let is_past = || may_be_dead && !slots.is_future(target.raw());
            if slots.get(target).is_none() && !is_past() {
                return Err(Rejection::DeadTarget(pair()));
            }
            self.record(id, target);
        }
        match T::ACYCLIC.then(|| self.cycle(values)).flatten() {
            Some((id, target)) => Err(Rejection::Cycle(Box::new((id.raw(), target.raw())))),
            None => Ok(()),
        }
    }

    /// An entity that refers back to itself, with its target.
    fn cycle(&self, values: &[(UntypedId, UntypedId)]) -> Option<(UntypedId, UntypedId)> {
        let mut seen = HashMap::new();
        for (traversal, &(start, _)) in values.iter().enumerate() {
            let mut at = start;
            while let Some(&target) = self.targets.get(&at) {
                match seen.insert(at, traversal) {
                    Some(before) if before == traversal => return Some((at, target)),
                    Some(_) => break,
                    None => at = target,
                }
            }
        }
        None
    }

    fn check<C: HasCore, T: Relation<C>>(
        &self,
        id: UntypedId,
        target: UntypedId,
    ) -> Result<(), Rejection> {
        self.world.slots.check(target); // before it is compared
        let pair = || Box::new((id.raw(), target.raw()));
        if target == id {
            return Err(Rejection::Cycle(pair()));
        }
        if !can_be_target(self.world, target)
            && !self.is_kept::<C, T>(id, target)
            && !self.may_be_dead::<C, T>(target)
        {
            return Err(Rejection::DeadTarget(pair()));
        }
        match T::ACYCLIC && self.refers_to(target, id) {
            true => Err(Rejection::Cycle(pair())),
            false => Ok(()),
        }
    }

    /// Whether an entity has this target already: it may have died since.
    #[cold]
    fn is_kept<C: HasCore, T: Relation<C>>(&self, id: UntypedId, target: UntypedId) -> bool {
        let present = value_of::<C, T>(self.world, id).map(|value| value.target().untyped());
        let present = self.targets.get(&id).copied().or(present);
        present == Some(target)
    }

    /// Whether an undo stack restores a relation that was kept while its target was dead.
    #[cold]
    fn may_be_dead<C: HasCore, T: Relation<C>>(&self, target: UntypedId) -> bool {
        let keeps = T::ON_TARGET_DESTROYED == OnTargetDestroyed::Keep;
        let slots = &self.world.slots;
        let is_past = || slots.get(target).is_none() && !slots.is_future(target.raw()); // nor borrowed
        keeps && self.restores && is_past()
    }

    /// Whether an entity refers to another one, directly or indirectly. Nothing refers to an entity
    /// without sources, and an unchanged target makes no cycle, so in nearly all cases no traversal
    /// is needed.
    ///
    /// Complexity: linear in the entities between them.
    fn refers_to(&self, from: UntypedId, to: UntypedId) -> bool {
        if !self.has_sources(to) || self.stays(to, from) {
            return false;
        }
        let mut at = from;
        let most = self.world.slots.len(); // a swap may lead into a cycle of others
        for _ in 0..most {
            match self.target(at) {
                Some(next) if next == to => return true,
                Some(next) => at = next,
                None => return false,
            }
        }
        true
    }

    /// Whether any entity refers to this one, considering pending targets.
    fn has_sources(&self, id: UntypedId) -> bool {
        let links = self.links.into_iter();
        let mut sources = links.flat_map(|links| links.each_source(id));
        let stays = |source: UntypedId| {
            let about_to_be = self.targets.get(&source);
            about_to_be.is_none_or(|&target| target == id)
        };
        self.with_sources.contains(&id) || sources.any(stays)
    }

    /// Whether an entity already has this target at that point.
    fn stays(&self, id: UntypedId, target: UntypedId) -> bool {
        self.turn == Turn::OneByOne && self.target(id) == Some(target)
    }

    fn target(&self, id: UntypedId) -> Option<UntypedId> {
        let about_to_be = self.targets.get(&id).copied();
        about_to_be.or_else(|| self.links?.target(id))
    }
}

/// Rejects swapping the component of two entities if one would refer back to itself.
pub(super) fn check_swap(
    world: &World,
    subs: &Subscribers,
    component: RawComponentIndex,
    [a, b]: [UntypedId; 2],
) -> Result<(), (UntypedId, Rejection)> {
    let value = |id| world.columns.at(component)?.view(world.slots.get(id)?.row);
    let (true, Some(of_a), Some(of_b)) = (
        world.columns.describe(component).relation,
        value(a),
        value(b),
    ) else {
        return Ok(()); // rejected later, or not a relation
    };
    let values = [(a, of_b), (b, of_a)];
    let checked = check_all(world, subs, component, &values, Turn::Swap);
    checked.map_err(|rejection| (a, rejection)) // the rejection has the right entity
}
