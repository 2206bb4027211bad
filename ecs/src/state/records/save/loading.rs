//! Bringing the entities of a save to life, as one change: everything is checked first, then all
//! values are stored, then groups, indexes and collectors follow, and at last observers are
//! notified, as of bundles.
//!
//! A load goes this way into a context of its own, whose slots are those of the save; a merge into
//! one that is there, whose next ids its entities get. An error has changed nothing: the entities
//! that were made for the checks are taken back, and so are they by a panic.

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

use hashbrown::HashMap;

use crate::matching::effects::EffectsIndex;
use crate::reactions::subscription::Subject;
use crate::state::bundle_plan::BundlePlan;
use crate::state::core::{HasCore, Registries};
use crate::state::pending::PendingEntities;
use crate::state::rejection::Turn;
use crate::state::relation::SourceOrder;
use crate::state::validate::bundle_writer::Made;
use crate::storage::chunk::Chunk;
use crate::storage::slots::{Row, Slots};
use crate::storage::value_list::ValueList;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::signature::RawComponentSet;

/// Which of a list of entities have a component, by their places in it.
pub(crate) enum OwnerPlaces {
    /// All there are, in order.
    All,
    Listed(Vec<u32>),
}

impl OwnerPlaces {
    /// The place of one of them.
    pub(crate) fn get(&self, nth: usize) -> Option<usize> {
        match self {
            Self::All => Some(nth),
            Self::Listed(places) => places.get(nth).map(|&place| place as usize),
        }
    }

    /// How many there are, of so many entities.
    pub(crate) fn count(&self, entities: usize) -> usize {
        match self {
            Self::All => entities,
            Self::Listed(places) => places.len(),
        }
    }

    /// Says so if all of so many entities are listed in order.
    pub(crate) fn simplify(&mut self, entities: usize) {
        if let Self::Listed(places) = self
            && places.len() == entities
            && places.iter().copied().eq(0..entities as u32)
        {
            *self = Self::All;
        }
    }

    /// Those of a list that they are.
    pub(crate) fn of<'l, T: Copy>(&self, list: &'l [T]) -> Cow<'l, [T]> {
        match self {
            Self::All => Cow::Borrowed(list),
            Self::Listed(places) => places.iter().map(|&place| list[place as usize]).collect(),
        }
    }
}

impl Default for OwnerPlaces {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

/// The order in which entities arrive, which is that of the links of relations and of the entities of
/// a key.
pub(crate) enum Arrival {
    /// That of their places.
    ByPlace,
    /// Their places, in order.
    Listed(Vec<u32>),
}

impl Arrival {
    fn place(&self, nth: usize) -> usize {
        match self {
            Self::ByPlace => nth,
            Self::Listed(places) => places[nth] as usize,
        }
    }
}

/// All entities of these slots, which a context without any gets.
pub(super) fn stage<'a, C: HasCore>(
    context: &'a mut C,
    mut slots: Slots,
    ids: Vec<EntityId<C>>,
) -> PendingEntities<'a, C> {
    context.core_mut().slots.swap_all(&mut slots);
    PendingEntities::with_ids(context, EntityId::untyped_list(ids))
}

/// Gives entities that have their ids their components, and makes them known in this order; or returns why
/// one of them cannot have a value. Then nothing has changed, and all values are dropped.
pub(super) fn arrive<C: HasCore>(
    mut pending: PendingEntities<'_, C>,
    columns: Vec<Chunk<OwnerPlaces>>,
    arrival: &Arrival,
    orders: &[SourceOrder],
) -> Result<(), Error> {
    let (core, ids) = pending.parts();
    core.columns.catch_up();
    core.install_indexes();
    core.collect_signatures();
    for column in &columns {
        let ids = column.owners.of(ids);
        check_loaded(core, column.component, &ids, &column.values)?;
    }
    let plans = Plans::new(core, &columns, ids.len());
    let rows: Vec<_> = ids.iter().map(|&id| core.slots.row_of(id)).collect();
    for column in columns {
        let owner = column.owners.get(0).map(|place| ids[place]);
        let rows = column.owners.of(&rows);
        store_loaded(core, (&rows, owner), column.component, column.values);
    }
    let made = made(core, (ids, arrival), &plans);
    pending.arrive_as(&made, |core| core.order_sources(orders));
    Ok(())
}

/// The plans of the signatures that entities have, and the signature of each entity.
struct Plans {
    plans: Vec<Option<BundlePlan>>,
    of_entities: OfEntities,
}

impl Plans {
    /// Where each of so many entities belongs.
    fn new(core: &mut Registries, columns: &[Chunk<OwnerPlaces>], entities: usize) -> Self {
        let mut signatures = SignaturesMet::new();
        let mut of_entities = OfEntities::Same(0, entities);
        for column in columns {
            let component = column.component;
            let with = |signature| signatures.with(signature, component);
            of_entities.change(&column.owners, with);
        }
        let Registries { graph, groups, .. } = &mut *core;
        let used = signatures.used(&of_entities);
        let sets = signatures.sets.into_iter().zip(used);
        let nodes = sets.map(|(set, used)| used.then(|| graph.node(set, groups)));
        let nodes: Vec<_> = nodes.collect(); // all of them first: effects depend on which there are
        let mut plan = |node| BundlePlan::of_node(core, node);
        let plans = nodes.into_iter().map(|node| node.map(&mut plan)).collect();
        Self { plans, of_entities }
    }

    /// The plan of the entity at a place.
    fn get(&self, place: usize) -> Option<BundlePlan> {
        let signature = match &self.of_entities {
            OfEntities::Same(signature, _) => *signature,
            OfEntities::Each(signatures) => signatures[place],
        };
        self.plans[signature as usize]
    }

    /// Hands each entity to `each`, with its plan.
    fn for_each(&self, ids: &[UntypedId], mut each: impl FnMut(UntypedId, BundlePlan)) {
        match &self.of_entities {
            OfEntities::Same(signature, _) => {
                if let Some(plan) = self.plans[*signature as usize] {
                    ids.iter().for_each(|&id| each(id, plan));
                }
            }
            OfEntities::Each(signatures) => {
                for (&id, &signature) in ids.iter().zip(signatures) {
                    if let Some(plan) = self.plans[signature as usize] {
                        each(id, plan);
                    }
                }
            }
        }
    }
}

/// The signature of each entity.
enum OfEntities {
    /// One signature for all, and how many they are.
    Same(u32, usize),
    Each(Vec<u32>),
}

impl OfEntities {
    fn change(&mut self, owners: &OwnerPlaces, mut change: impl FnMut(u32) -> u32) {
        match (&mut *self, owners) {
            (Self::Same(signature, _), OwnerPlaces::All) => *signature = change(*signature),
            (Self::Each(each), OwnerPlaces::All) => {
                each.iter_mut().for_each(|it| *it = change(*it));
            }
            (Self::Each(each), OwnerPlaces::Listed(places)) => {
                for &place in places {
                    let signature = &mut each[place as usize];
                    *signature = change(*signature);
                }
            }
            (Self::Same(signature, len), OwnerPlaces::Listed(_)) => {
                *self = Self::Each(vec![*signature; *len]);
                self.change(owners, change);
            }
        }
    }

    /// Those that some entity has.
    fn all(&self) -> &[u32] {
        match self {
            Self::Same(signature, _) => core::slice::from_ref(signature),
            Self::Each(each) => each,
        }
    }
}

/// The sets of components that are met while entities get one component after the other.
struct SignaturesMet {
    sets: Vec<RawComponentSet>,
    next: HashMap<(u32, RawComponentIndex), u32>,
    /// The last step, which most entities have in common.
    last: (u32, RawComponentIndex, u32),
}

impl SignaturesMet {
    fn new() -> Self {
        Self {
            sets: vec![RawComponentSet::new()],
            next: HashMap::new(),
            last: (u32::MAX, RawComponentIndex::new(0), 0),
        }
    }

    /// The set with one component more.
    #[inline]
    fn with(&mut self, set: u32, component: RawComponentIndex) -> u32 {
        let (from, by, to) = self.last;
        if (from, by) == (set, component) {
            return to;
        }
        let to = self.step(set, component);
        self.last = (set, component, to);
        to
    }

    fn step(&mut self, set: u32, component: RawComponentIndex) -> u32 {
        let sets = &mut self.sets;
        *self.next.entry((set, component)).or_insert_with(|| {
            let mut larger = sets[set as usize].clone();
            larger.insert(component);
            sets.push(larger);
            sets.len() as u32 - 1 // at most one for each value
        })
    }

    /// Which sets entities have in the end.
    fn used(&self, of_entities: &OfEntities) -> Vec<bool> {
        let mut used = vec![false; self.sets.len()];
        for &set in of_entities.all() {
            used[set as usize] = true;
        }
        used
    }
}

/// Rejects values if entities cannot have them all at once.
fn check_loaded(
    core: &mut Registries,
    component: RawComponentIndex,
    ids: &[UntypedId],
    values: &ValueList,
) -> Result<(), Error> {
    let descriptor = values.descriptor();
    let rejected = core.check_one_owner(ids, component).and_then(|()| {
        let pairs: Vec<_> = match descriptor.checked {
            true => ids.iter().copied().zip(values.iter()).collect(),
            false => Vec::new(),
        };
        let checked = core.check_values(component, &pairs, Turn::Loaded);
        checked.map_err(|rejection| (ids[0], rejection)) // which says itself which entity it is
    });
    rejected.map_err(|(id, rejection)| rejection.error(id, descriptor.names, Operation::Add))
}

/// Stores the values in the rows of entities, which have none, with the first of the entities. No
/// row is listed twice.
fn store_loaded(
    core: &mut Registries,
    (rows, owner): (&[Row], Option<UntypedId>),
    component: RawComponentIndex,
    values: ValueList,
) {
    if values.descriptor().unique
        && let Some(owner) = owner
    {
        core.owners.record(component, owner);
    }
    if let Some(column) = core.columns.at_mut(component) {
        column.load(rows, values);
    }
}

/// Puts entities into their nodes whose values are stored; returns them, if anybody is to know of them.
fn made(
    core: &mut Registries,
    (ids, arrival): (&[UntypedId], &Arrival),
    plans: &Plans,
) -> Vec<Made> {
    plans.for_each(ids, |id, plan| core.slots.set_node(id, plan.node));
    let mut all = plans.plans.iter().flatten();
    let is_silent = all.all(|plan| plan.effects == EffectsIndex::NONE);
    if is_silent && core.observers.is_empty(Subject::CREATED) {
        return Vec::new();
    }
    let mut made = Vec::with_capacity(ids.len());
    for nth in 0..ids.len() {
        let place = arrival.place(nth);
        let id = ids[place];
        let row = core.slots.row_of(id);
        made.extend(plans.get(place).map(|plan| Made { id, row, plan }));
    }
    made
}
