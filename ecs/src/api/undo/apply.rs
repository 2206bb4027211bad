//! Undoing and redoing a step by ordinary changes, which all observers see.
//!
//! ```text
//! remove    components that are absent on that side
//! set       keys and unique components of entities that are alive on both sides
//! create    entities that are alive on that side, all at once, so that they may refer to each other
//! set       the other values of entities that are alive on both sides
//! destroy   entities that are not alive on that side
//! ```
//!
//! In this order a unique component or a key is free before another entity gets it, and no entity
//! refers to one that is destroyed.

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::step::{CurrentIds, Edit, UndoStep};
use crate::api::copying::put_in_place;
use crate::state::{self, HasCore, PendingEntities};
use crate::storage::chunk::Chunk;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, ErrorKind};
use crate::words::map_ids::IdMap;

/// Restores one side of a step: 0 before it, 1 after it. Returns the first error.
pub(super) fn apply<C: HasCore>(
    context: &mut C,
    step: &UndoStep,
    side: usize,
    current: &mut CurrentIds,
) -> Result<(), Error> {
    let mut result = Ok(());
    let mut record = |done: Result<(), Error>| {
        if result.is_ok() {
            result = done;
        }
    };
    remove(context, step, side, current);
    let is_exclusive = |chunk: &Chunk| {
        let descriptor = chunk.descriptor();
        (descriptor.unique || descriptor.keyed) && !descriptor.has_ids()
    };
    set(context, step, side, current, &is_exclusive, &mut record);
    record(create(context, step, side, current));
    set(
        context,
        step,
        side,
        current,
        &|chunk| !is_exclusive(chunk),
        &mut record,
    );
    record(destroy(context, step, side, current));
    result
}

fn alive<C: HasCore>(context: &C, edit: &Edit, current: &CurrentIds) -> Option<EntityId<C>> {
    let id = current.of(edit.id).typed();
    context.core().slots().get(id).map(|_| id)
}

/// Removes the components that are absent on that side; also, from entities that are dead there,
/// those that another entity may get.
fn remove<C: HasCore>(context: &mut C, step: &UndoStep, side: usize, current: &CurrentIds) {
    for edit in &step.edits {
        let Some(id) = alive(context, edit, current) else {
            continue;
        };
        for edited in &edit.components {
            let descriptor = context.core().describe(edited.component);
            let goes = match edit.alive_at[side] {
                true => edited.values[side].is_none(),
                false => descriptor.unique || descriptor.keyed,
            };
            if goes {
                let _ = state::remove_at(context, id.untyped(), edited.component); // it may lack it
            }
        }
    }
}

/// Creates the entities that are alive only on that side, all or none.
fn create<C: HasCore>(
    context: &mut C,
    step: &UndoStep,
    side: usize,
    current: &mut CurrentIds,
) -> Result<(), Error> {
    let edits = step.edits.iter();
    let back: Vec<_> = edits
        .filter(|edit| edit.alive_at[side] && !edit.alive_at[1 - side])
        .filter(|edit| alive(context, edit, current).is_none())
        .collect();
    if back.is_empty() {
        return Ok(());
    }
    let mut pending = PendingEntities::reserve(context, back.len())?;
    let before = back.iter().map(|edit| current.of(edit.id));
    let made = pending.reserved().iter().map(|id| id.untyped());
    let new: HashMap<_, _> = before.zip(made).collect();
    let map = |id| {
        let id = current.of(id);
        new.get(&id).copied().unwrap_or(id)
    };
    let map = IdMap::of::<C>(&map);
    for edit in back {
        let mut values: Vec<_> = values_at(edit, side, &map).collect();
        pending.make_reserved(|writer| {
            for chunk in &mut values {
                if let Some(value) = chunk.values.pop() {
                    writer.put_moved(chunk.component, value);
                }
            }
        })?;
    }
    let checked = pending.check()?;
    current.extend(new);
    checked.arrive(&[]);
    Ok(())
}

/// Clones of the values on a side, with current ids inside.
fn values_at<'e>(
    edit: &'e Edit,
    side: usize,
    map: &'e IdMap<'_>,
) -> impl Iterator<Item = Chunk> + 'e {
    let values = edit.components.iter();
    values.filter_map(move |edited| {
        let mut chunk = edited.values[side].clone()?;
        let descriptor = chunk.descriptor();
        if let Some(value) = chunk.values.get_mut(0) {
            descriptor.map_ids(value, map);
        }
        Some(chunk)
    })
}

/// Sets some of the values of entities that are alive on both sides. Swapped keys are all freed
/// before the first is set again.
fn set<C: HasCore>(
    context: &mut C,
    step: &UndoStep,
    side: usize,
    current: &CurrentIds,
    which: &dyn Fn(&Chunk) -> bool,
    record: &mut impl FnMut(Result<(), Error>),
) {
    let map = |id| current.of(id);
    let map = IdMap::of::<C>(&map);
    let mut taken: Vec<(EntityId<C>, RawComponentIndex, Chunk)> = Vec::new();
    for edit in step.edits.iter().filter(|edit| edit.alive_at == [true; 2]) {
        let Some(id) = alive(context, edit, current) else {
            continue;
        };
        for chunk in values_at(edit, side, &map).filter(which) {
            let (component, again) = (chunk.component, chunk.descriptor().keyed);
            let again = again.then(|| chunk.clone());
            match (put_in_place(context, id, [chunk].into()), again) {
                (Err(error), Some(again)) if error.kind() == ErrorKind::DuplicateKey => {
                    taken.push((id, component, again));
                }
                (done, _) => record(done),
            }
        }
    }
    for (id, component, _) in &taken {
        let _ = state::remove_at(context, id.untyped(), *component); // it may be dead
    }
    for (id, _, chunk) in taken {
        record(put_in_place(context, id, [chunk].into()));
    }
}

/// Destroys the entities that are not alive on that side.
fn destroy<C: HasCore>(
    context: &mut C,
    step: &UndoStep,
    side: usize,
    current: &CurrentIds,
) -> Result<(), Error> {
    let gone = step.edits.iter().rev().filter(|edit| !edit.alive_at[side]);
    let gone = gone.filter_map(|edit| alive(context, edit, current));
    let gone: Vec<_> = gone.collect();
    match gone.is_empty() {
        true => Ok(()),
        false => state::destroy_many(context, &gone),
    }
}
