//! Creating the entities of a part as one change: everything is validated, then all values are
//! stored, then groups, indexes and collectors are updated, and finally observers are notified, as
//! for bundles.
//!
//! A load uses a new context, whose slots are those of the save; a merge uses an existing one,
//! whose next ids the entities get. After an error or a panic nothing has changed: the entities
//! created for validation are removed.

use alloc::vec;
use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};

use super::part::{Arrival, Dangling, Part};
use super::places::OwnerPlaces;
use crate::matching::effects::EffectsIndex;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::state::bulk::plan::check_one_owner;
use crate::state::bundle_plan::BundlePlan;
use crate::state::core::HasCore;
use crate::state::entity_indexes::install_indexes;
use crate::state::groups::collect_signatures;
use crate::state::pending::PendingEntities;
use crate::state::rejection::Turn;
use crate::state::relation::{map_targets, order_sources};
use crate::state::validate::bundle_writer::Made;
use crate::state::validate::check_values;
use crate::storage::chunk::Chunk;
use crate::storage::descriptor::RequiredPart;
use crate::storage::mailbox::Mailbox;
use crate::storage::slots::{Row, Slots};
use crate::storage::value_list::ValueList;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::relation::OnTargetDestroyed;
use crate::words::signature::RawComponentSet;
use crate::world::World;

/// Replaces the slots of an empty context, and makes the entities in them pending.
pub(super) fn stage<'a, C: HasCore>(
    context: &'a mut C,
    mut slots: Slots,
    ids: Vec<EntityId<C>>,
) -> PendingEntities<'a, C> {
    context.core_mut().world.slots.swap_all(&mut slots);
    PendingEntities::with_ids(context, EntityId::untyped_list(ids))
}

/// Stores the components of a part in pending entities, and commits these in the order of their ids in
/// the part. If a value is rejected, nothing has changed, and all values are dropped.
pub(super) fn install<C: HasCore>(
    mut pending: PendingEntities<'_, C>,
    part: &mut Part<C>,
) -> Result<(), Error> {
    let (arrival, mut columns) = (part.arrival(), part.take_columns());
    let (core, ids) = pending.parts();
    core.world.columns.catch_up();
    install_indexes(&mut core.world, &mut core.subs);
    collect_signatures(&mut core.world, &core.subs);
    check_entries(&core.world, &columns, ids)?;
    if let Some(dangling) = &mut part.dangling {
        for column in &mut columns {
            remove_dangling(&core.world, &core.subs, (column, ids), dangling);
        }
        columns.retain(|column| column.owners.count(ids.len()) > 0);
    }
    for column in &columns {
        let ids = column.owners.of(ids);
        check_loaded(
            &mut core.world,
            &mut core.subs,
            column.component,
            &ids,
            &column.values,
        )?;
    }
    let plans = Plans::new(&mut core.world, &columns, ids.len());
    store_all(&mut core.world, columns, ids);
    let made = made(&mut core.world, &core.subs, (ids, &arrival), &plans);
    pending.arrive_as(&made, |subs| order_sources(subs, &part.orders));
    Ok(())
}

/// Rejects components with `many` of entities that are no entries.
fn check_entries(
    world: &World,
    columns: &[Chunk<OwnerPlaces>],
    ids: &[UntypedId],
) -> Result<(), Error> {
    for column in columns {
        let (descriptor, mut rejected) = (column.descriptor(), None);
        let mut check = |part: RequiredPart| {
            let given = world.columns.index_of(part.descriptor);
            let given = columns
                .iter()
                .filter(|it| part.is_given() && it.component == given);
            let given: HashSet<_> = given
                .flat_map(|it| it.owners.of(ids).into_owned())
                .collect();
            let all = column.owners.of(ids);
            let mut lacking = all
                .iter()
                .filter(|id| part.is_given() && !given.contains(*id));
            rejected = rejected.or(lacking.next().copied());
        };
        if let Some(visit) = descriptor.required {
            visit(&mut check);
        }
        if let Some(id) = rejected {
            return Err(Error::not_an_entry(id.raw(), descriptor.names));
        }
    }
    Ok(())
}

/// Removes relations to dead targets, unless they keep these.
fn remove_dangling(
    world: &World,
    subs: &Subscribers,
    (column, ids): (&mut Chunk<OwnerPlaces>, &[UntypedId]),
    dangling: &mut Vec<Dangling>,
) {
    let links = subs.indexes.links_of(column.component);
    let Some(links) = links.filter(|it| it.on_target_destroyed != OnTargetDestroyed::Keep) else {
        return;
    };
    let targets = Mailbox::new();
    map_targets(&mut column.values, &|target| {
        targets.put(target);
        target
    });
    let targets = targets.take().into_iter();
    let are_alive: Vec<_> = targets.map(|target| world.is_alive(target)).collect();
    if are_alive.iter().all(|it| *it) {
        return;
    }
    column.values.retain(&are_alive); // user code
    let mut kept = Vec::new();
    for (nth, is_alive) in are_alive.into_iter().enumerate() {
        let Some(place) = column.owners.get(nth) else {
            break;
        };
        match is_alive {
            true => kept.push(place as u32), // there are fewer than 2³² ids
            false => dangling.push(Dangling {
                source: ids[place],
                relation: column.descriptor().names.component,
                destroys: links.on_target_destroyed == OnTargetDestroyed::Destroy,
            }),
        }
    }
    column.owners = OwnerPlaces::Listed(kept);
}

/// A plan per signature, and the signature of each entity.
struct Plans {
    plans: Vec<Option<BundlePlan>>,
    of_entities: Vec<u32>,
}

impl Plans {
    /// Plans where each of `entities` entities belongs.
    fn new(world: &mut World, columns: &[Chunk<OwnerPlaces>], entities: usize) -> Self {
        let mut signatures = SignatureSets::new();
        let mut of_entities = vec![0; entities];
        for column in columns {
            let mut add = |of_entity: &mut u32| {
                *of_entity = signatures.with(*of_entity, column.component);
            };
            match &column.owners {
                OwnerPlaces::All => of_entities.iter_mut().for_each(add),
                OwnerPlaces::Listed(places) => {
                    places
                        .iter()
                        .for_each(|&place| add(&mut of_entities[place as usize]));
                }
            }
        }
        let mut used = vec![false; signatures.sets.len()];
        for &signature in &of_entities {
            used[signature as usize] = true;
        }
        let World { graph, groups, .. } = world;
        let sets = signatures.sets.into_iter().zip(used);
        let nodes = sets.map(|(set, used)| used.then(|| graph.node(set, groups)));
        let nodes: Vec<_> = nodes.collect(); // before any plan: effects depend on the set of nodes
        let mut plan = |node| BundlePlan::of_node(world, node);
        let plans = nodes.into_iter().map(|node| node.map(&mut plan)).collect();
        Self { plans, of_entities }
    }

    /// The plan of the entity at a position.
    #[inline]
    fn get(&self, place: usize) -> Option<BundlePlan> {
        self.plans[self.of_entities[place] as usize]
    }
}

/// The component sets that occur while entities get one component after the other.
struct SignatureSets {
    sets: Vec<RawComponentSet>,
    next: HashMap<(u32, RawComponentIndex), u32>,
    /// The last step, a cache: most entities have it in common.
    last: (u32, RawComponentIndex, u32),
}

impl SignatureSets {
    fn new() -> Self {
        Self {
            sets: vec![RawComponentSet::new()],
            next: HashMap::new(),
            last: (u32::MAX, RawComponentIndex::new(0), 0),
        }
    }

    /// The set with one more component.
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
            sets.len() as u32 - 1 // at most one per value
        })
    }
}

/// Rejects values that the entities cannot all have at the same time.
fn check_loaded(
    world: &mut World,
    subs: &mut Subscribers,
    component: RawComponentIndex,
    ids: &[UntypedId],
    values: &ValueList,
) -> Result<(), Error> {
    let descriptor = values.descriptor();
    let rejected = check_one_owner(world, ids, component).and_then(|()| {
        let pairs: Vec<_> = match descriptor.checked {
            true => ids.iter().copied().zip(values.iter()).collect(),
            false => Vec::new(),
        };
        let turn = Turn::Together { may_be_dead: true };
        let checked = check_values(world, subs, component, &pairs, turn);
        checked.map_err(|rejection| (ids[0], rejection)) // the rejection has the right entity
    });
    rejected.map_err(|(id, rejection)| rejection.error(id, descriptor.names, Operation::Add))
}

/// Stores all values in the rows of their entities, which are empty.
fn store_all(world: &mut World, columns: Vec<Chunk<OwnerPlaces>>, ids: &[UntypedId]) {
    let rows: Vec<_> = ids.iter().map(|&id| world.slots.row_of(id)).collect();
    for column in columns {
        let owner = column.owners.get(0).map(|place| ids[place]);
        let rows = column.owners.of(&rows);
        store_loaded(world, (&rows, owner), column.component, column.values);
    }
}

/// Stores values in empty rows and records the first of their entities as owner. No row is listed
/// twice.
fn store_loaded(
    world: &mut World,
    (rows, owner): (&[Row], Option<UntypedId>),
    component: RawComponentIndex,
    values: ValueList,
) {
    if values.descriptor().unique
        && let Some(owner) = owner
    {
        world.owners.record(component, owner);
    }
    if let Some(column) = world.columns.at_mut(component) {
        column.load(rows, values);
    }
}

/// Moves entities whose values are stored to their nodes; returns them if anything depends on them.
fn made(
    world: &mut World,
    subs: &Subscribers,
    (ids, arrival): (&[UntypedId], &Arrival),
    plans: &Plans,
) -> Vec<Made> {
    for (place, &id) in ids.iter().enumerate() {
        if let Some(plan) = plans.get(place) {
            world.slots.set_node(id, plan.node);
        }
    }
    let mut all = plans.plans.iter().flatten();
    let is_silent = all.all(|plan| plan.effects == EffectsIndex::NONE);
    if is_silent && subs.observers.is_empty(Subject::CREATED) {
        return Vec::new();
    }
    let mut made = Vec::with_capacity(ids.len());
    for nth in 0..ids.len() {
        let place = arrival.place(nth);
        let id = ids[place];
        let row = world.slots.row_of(id);
        made.extend(plans.get(place).map(|plan| Made { id, row, plan }));
    }
    made
}
