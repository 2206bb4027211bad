//! Restoring one side of a step by ordinary changes, which all observers see.
//!
//! ```text
//! remove    components that are absent on that side
//! set       keys and unique components of entities that are alive on both sides
//! set       relations of these to entities that are alive; else remove those to doomed entities
//! destroy   entities that are not alive on that side
//! create    entities that are alive on that side, all at once, so that they may refer to each other
//! set       the other values of entities that are alive on both sides
//! place     sources in ordered relations
//! ```
//!
//! In this order a unique component, a key or a slot is free before another entity gets it, and no
//! entity is destroyed because it refers to a destroyed one. A legal side may be reached through
//! an illegal state: keys that are swapped, or relations that form a ring for a moment. So values
//! that are rejected for that are all removed before the first of them is set again.

use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};

use super::ids::CurrentIds;
use super::step::{Edit, UndoStep, map_chunk};
use crate::api::copying::put_in_place;
use crate::state::{self, HasCore, PendingEntities, target_in};
use crate::storage::chunk::Chunk;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, ErrorKind};
use crate::words::map_ids::IdMap;

/// How often reactions are corrected. Observers that react to each correction have the last word.
pub(super) const ROUNDS: usize = 8;

/// How often the components of entities were set.
pub(super) type SetCounts = HashMap<(UntypedId, RawComponentIndex), usize>;

/// A value for an entity that is alive.
type NewValue<C> = (EntityId<C>, Chunk);

/// A step one side of which is restored: 0 before it, 1 after it.
pub(super) struct Apply<'a, C> {
    context: &'a mut C,
    step: &'a UndoStep,
    side: usize,
    current: &'a mut CurrentIds,
    /// Whether to create the others if an entity is rejected.
    tries_each: bool,
    set: SetCounts,
    result: Result<(), Error>,
}

impl<'a, C: HasCore> Apply<'a, C> {
    pub(super) fn new(
        context: &'a mut C,
        step: &'a UndoStep,
        side: usize,
        current: &'a mut CurrentIds,
    ) -> Self {
        Self {
            context,
            step,
            side,
            current,
            tries_each: false,
            set: SetCounts::new(),
            result: Ok(()),
        }
    }

    /// Creates as many entities as possible, instead of all or none.
    pub(super) fn trying_each(mut self) -> Self {
        self.tries_each = true;
        self
    }

    /// Restores the side. Returns the first error, and which components were set.
    pub(super) fn run(mut self) -> (Result<(), Error>, SetCounts) {
        let occupants = self.occupants().into_iter().collect();
        self.remove_absent();
        let exclusive = self.values(is_exclusive);
        self.set_all(exclusive);
        let relations = |chunk: &Chunk| chunk.descriptor().relation;
        let rejected = self.set_if_legal(self.values(relations));
        self.destroy();
        self.evict(&occupants);
        self.create();
        let mut again = self.values(relations); // their targets may have new ids now
        again.retain(|(id, value)| rejected.contains(&(id.untyped(), value.component)));
        self.set_all(again);
        let others = self.values(|chunk| !is_exclusive(chunk) && !chunk.descriptor().relation);
        self.set_all(others);
        self.step
            .moves
            .restore(self.context, self.side, self.current);
        (self.result, self.set)
    }

    fn record(&mut self, result: Result<(), Error>) {
        if self.result.is_ok() {
            self.result = result;
        }
    }

    /// The current id of an entity, if it is alive.
    fn alive(&self, edit: &Edit) -> Option<EntityId<C>> {
        let id = self.current.of(edit.id).typed();
        self.context.core().world.slots().get(id).map(|_| id)
    }

    /// Removes the components that are absent on that side; also, from entities that are dead
    /// there, those that another entity may get.
    fn remove_absent(&mut self) {
        for edit in &self.step.edits {
            let Some(id) = self.alive(edit) else {
                continue;
            };
            for edited in &edit.components {
                let descriptor = self.context.core().world.describe(edited.component);
                let goes = match edit.alive_at[self.side] {
                    true => edited.values[self.side].is_none(),
                    false => descriptor.unique || descriptor.keyed,
                };
                if goes {
                    let _ = state::remove_at(self.context, id.untyped(), edited.component); // it may lack it
                }
            }
        }
    }

    /// Clones of some values of entities that are alive on both sides, with current ids inside.
    fn values(&self, which: impl Fn(&Chunk) -> bool) -> Vec<NewValue<C>> {
        let map = |id| self.current.of(id);
        let map = IdMap::of::<C>(&map);
        let mut values = Vec::new();
        for edit in self.step.edits.iter().filter(|it| it.alive_at == [true; 2]) {
            if let Some(id) = self.alive(edit) {
                let of_entity = values_at(edit, self.side, &which, &map);
                values.extend(of_entity.map(|value| (id, value)));
            }
        }
        values
    }

    /// Sets values. Those that are rejected because another entity has the key, or because of a
    /// ring, are removed from all entities before the first of them is set.
    fn set_all(&mut self, values: Vec<NewValue<C>>) {
        let mut rejected = Vec::new();
        for (id, value) in values {
            let again =
                (value.descriptor().keyed || value.descriptor().relation).then(|| value.clone());
            match (self.put(id, value), again) {
                (Err(error), Some(again)) if is_of_others(&error) => rejected.push((id, again)),
                (done, _) => self.record(done),
            }
        }
        for (id, value) in &rejected {
            let _ = state::remove_at(self.context, id.untyped(), value.component); // it may be dead
        }
        for (id, value) in rejected {
            let done = self.put(id, value);
            self.record(done);
        }
    }

    /// Sets relations to entities that are alive. Returns which were rejected; if the present value
    /// refers to an entity that is to be destroyed, it is removed.
    fn set_if_legal(
        &mut self,
        values: Vec<NewValue<C>>,
    ) -> HashSet<(UntypedId, RawComponentIndex)> {
        let doomed = self.step.edits.iter().filter(|it| !it.alive_at[self.side]);
        let doomed: HashSet<_> = doomed.map(|edit| self.current.of(edit.id)).collect();
        let mut rejected = HashSet::new();
        for (id, value) in values {
            let component = value.component;
            if self.put(id, value).is_err() {
                if self.refers_to(id, component, &doomed) {
                    let _ = state::remove_at(self.context, id.untyped(), component);
                }
                rejected.insert((id.untyped(), component));
            }
        }
        rejected
    }

    /// Whether the relation of an entity has one of these targets.
    fn refers_to(
        &self,
        id: EntityId<C>,
        relation: RawComponentIndex,
        targets: &HashSet<UntypedId>,
    ) -> bool {
        let target = target_in(&self.context.core().subs, relation, id.untyped());
        target.is_some_and(|target| targets.contains(&target))
    }

    fn put(&mut self, id: EntityId<C>, value: Chunk) -> Result<(), Error> {
        let component = value.component;
        match put_in_place(self.context, id, [value].into()) {
            Err(error) if error.kind() == ErrorKind::NotAlive => return Ok(()), // by an observer
            done => done?,
        }
        *self.set.entry((id.untyped(), component)).or_default() += 1;
        Ok(())
    }

    /// Destroys the entities that are not alive on that side.
    fn destroy(&mut self) {
        let gone = self.step.edits.iter().rev();
        let gone = gone.filter(|edit| !edit.alive_at[self.side]);
        let gone: Vec<_> = gone.filter_map(|edit| self.alive(edit)).collect();
        if !gone.is_empty() {
            let destroyed = state::destroy_many(self.context, &gone);
            self.record(destroyed);
        }
    }

    /// The entities that are alive only on that side.
    fn back(&self) -> impl Iterator<Item = &'a Edit> {
        let (edits, side) = (self.step.edits.iter(), self.side);
        edits.filter(move |edit| edit.alive_at[side] && !edit.alive_at[1 - side])
    }

    /// The entities that have the slots of those.
    fn occupants(&self) -> Vec<EntityId<C>> {
        let slots = self.context.core().world.slots();
        let back = self.back().map(|edit| self.current.of(edit.id).index());
        back.filter_map(|index| Some(slots.alive_in(index)?.0))
            .collect()
    }

    /// Destroys entities that observers have created meanwhile in these slots. They would be destroyed in the end, as all
    /// that is changed in reaction is reverted.
    fn evict(&mut self, before: &HashSet<EntityId<C>>) {
        for _ in 0..ROUNDS {
            let mut reactions = self.occupants();
            reactions.retain(|id| !before.contains(id));
            if reactions.is_empty() {
                return;
            }
            let _ = state::destroy_many(self.context, &reactions); // else others get new ids
        }
    }

    /// Creates the entities that are alive only on that side, all or none; under their old ids,
    /// unless other entities have the slots.
    fn create(&mut self) {
        let back = self.back();
        let mut back: Vec<_> = back.filter(|edit| self.alive(edit).is_none()).collect();
        if back.is_empty() {
            return;
        }
        back.reverse(); // slots that were freed last are taken first
        while !back.is_empty() {
            self.sort_by_slots(&mut back);
            let mut nth = 0;
            let created = self.create_all(&back, &mut nth);
            let is_created = created.is_ok();
            self.record(created);
            if is_created || !self.tries_each {
                break;
            }
            back.remove(nth);
        }
    }

    /// Moves entities that get their old ids back to the front: slots are taken in this order. If two
    /// had the same slot, the first one gets it.
    fn sort_by_slots(&self, back: &mut [&Edit]) {
        let slots = self.context.core().world.slots();
        let mut taken = HashSet::new();
        back.sort_by_cached_key(|edit| {
            let id = self.current.of(edit.id);
            !(slots.can_reclaim(id) && taken.insert(id.index()))
        });
    }

    /// Creates entities; `nth` counts them until one is rejected.
    fn create_all(&mut self, back: &[&Edit], nth: &mut usize) -> Result<(), Error> {
        let ids: Vec<_> = back.iter().map(|edit| self.current.of(edit.id)).collect();
        let mut pending = PendingEntities::reserve_again(self.context, &ids)?;
        let made: Vec<_> = pending.reserved().iter().map(|id| id.untyped()).collect();
        let moved = back.iter().zip(&ids).zip(&made);
        let moved = moved.filter(|((_, before), made)| before != made);
        let new: HashMap<_, _> = moved.map(|((edit, _), made)| (edit.id, *made)).collect();
        let current = &*self.current;
        let map = |id| new.get(&id).copied().unwrap_or_else(|| current.of(id));
        let map = IdMap::of::<C>(&map);
        for edit in back {
            let mut values: Vec<_> = values_at(edit, self.side, &|_| true, &map).collect();
            pending.make_reserved(|writer| {
                for chunk in &mut values {
                    if let Some(value) = chunk.values.pop() {
                        writer.put_moved(chunk.component, value);
                    }
                }
            })?;
            *nth += 1;
        }
        let checked = match pending.check() {
            Ok(checked) => checked,
            Err(error) => {
                let entity = error.entity();
                let place = made.iter().position(|id| Some(id.raw()) == entity);
                *nth = place.unwrap_or(0);
                return Err(error);
            }
        };
        for (first, id) in new {
            self.current.record(first, id);
        }
        for (edit, id) in back.iter().zip(made) {
            let components = edit.components.iter().map(|it| it.component);
            self.set
                .extend(components.map(|component| ((id, component), 1)));
        }
        checked.arrive(&[]);
        Ok(())
    }
}

fn is_exclusive(chunk: &Chunk) -> bool {
    let descriptor = chunk.descriptor();
    (descriptor.unique || descriptor.keyed) && !descriptor.has_ids()
}

/// Whether a value was rejected because of values that others have now.
fn is_of_others(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DuplicateKey | ErrorKind::RelationCycle
    )
}

/// Clones of some values on a side, with current ids inside.
fn values_at<'e>(
    edit: &'e Edit,
    side: usize,
    which: &'e dyn Fn(&Chunk) -> bool,
    map: &'e IdMap<'_>,
) -> impl Iterator<Item = Chunk> + 'e {
    let values = edit.components.iter();
    let values = values.filter_map(move |edited| edited.values[side].as_ref());
    values
        .filter(move |chunk| which(chunk))
        .filter_map(move |chunk| {
            let mut copy = Some(chunk.clone());
            map_chunk(&mut copy, Some(map));
            copy
        })
}
