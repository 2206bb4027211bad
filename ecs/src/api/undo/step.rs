//! The changes of a step: for each entity whether it was alive, and the values of its components,
//! before and after the step.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use hashbrown::HashMap;

use super::ids::CurrentIds;
use super::moves::SourceMoves;
use super::record::{Seen, StepRecord};
use crate::reactions::entered::SeenChange;
use crate::reactions::entity_change::ChangeKind;
use crate::state::HasCore;
use crate::storage::chunk::Chunk;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::map_ids::IdMap;

/// A step, with the first ids of entities.
#[derive(Default)]
pub(super) struct UndoStep {
    pub(super) name: Cow<'static, str>,
    /// Its number in the [`Edits`](crate::reactions::edits::Edits) of a context.
    pub(super) number: u64,
    pub(super) edits: Vec<Edit>,
    pub(super) moves: SourceMoves,
    /// What systems have seen of states, before and after.
    states: Vec<SeenChange>,
    /// The places of entities in the list.
    places: HashMap<UntypedId, usize>,
}

/// The changes of one entity.
pub(super) struct Edit {
    pub(super) id: UntypedId,
    /// Whether it was alive before and after.
    pub(super) alive_at: [bool; 2],
    pub(super) components: Vec<EditedValue>,
    /// Whether it was seen to be created or destroyed.
    is_whole: bool,
}

/// The value of a component before and after.
pub(super) struct EditedValue {
    pub(super) component: RawComponentIndex,
    pub(super) values: [Option<Chunk>; 2],
}

impl UndoStep {
    pub(super) fn new(name: Cow<'static, str>) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Restores what systems had seen of states before the step or after it.
    pub(super) fn restore_states<C: HasCore>(&self, context: &mut C, side: usize) {
        let (entered, changes) = (context.core_mut().subs.entered_mut(), self.states.iter());
        let replaced = match side {
            0 => entered.put_sides(changes.rev(), side),
            _ => entered.put_sides(changes, side),
        };
        drop(replaced); // user code
    }

    /// The changes of an entity.
    pub(super) fn edit(&self, first: UntypedId) -> Option<&Edit> {
        Some(&self.edits[*self.places.get(&first)?])
    }

    /// Adds changes of an entity that the step does not have.
    pub(super) fn push(&mut self, edit: Edit) {
        self.places.insert(edit.id, self.edits.len());
        self.edits.push(edit);
    }

    /// Adds recorded changes to the step, except those that change nothing: earlier values before
    /// the step are kept, values after it are the current ones.
    ///
    /// Complexity: linear in the recorded changes.
    pub(super) fn extend<C: HasCore>(
        &mut self,
        context: &C,
        record: StepRecord,
        current: &CurrentIds,
    ) {
        let touched = self.add::<C>(record, current);
        let to_first = |id| current.first_of(id);
        let to_first = IdMap::of::<C>(&to_first);
        let map = (!current.is_empty()).then_some(&to_first);
        for (&at, components) in &touched {
            let edit = &mut self.edits[at];
            edit.read_present(context, current.of(edit.id), components, map);
        }
        for (at, _) in touched.into_iter().rev() {
            self.remove_unchanged(context, at, current);
        }
    }

    /// Adds all recorded changes to the step, without the values after it. Returns the places of
    /// the entities with the components concerned.
    pub(super) fn add<C: HasCore>(
        &mut self,
        record: StepRecord,
        current: &CurrentIds,
    ) -> BTreeMap<usize, Vec<RawComponentIndex>> {
        let mut touched: BTreeMap<usize, Vec<RawComponentIndex>> = BTreeMap::new();
        let to_first = |id| current.first_of(id);
        let to_first = IdMap::of::<C>(&to_first);
        let map = (!current.is_empty()).then_some(&to_first);
        for seen in record.seen {
            let first = current.first_of(seen.id);
            let at = *self.places.entry(first).or_insert(self.edits.len());
            if at == self.edits.len() {
                self.edits.push(Edit::new(first));
            }
            touched.entry(at).or_default().extend(seen.component);
            self.edits[at].record(seen, map);
        }
        self.moves.extend(record.moves, current);
        self.states.extend(record.states);
        touched
    }

    /// Removes the changes of an entity that change nothing.
    fn remove_unchanged<C: HasCore>(&mut self, context: &C, at: usize, current: &CurrentIds) {
        let edit = &mut self.edits[at];
        let (id, moves) = (edit.id, &self.moves);
        edit.components
            .retain(|it| it.changes() || moves.is_moved(context, (it.component, id), current));
        if edit.changes() {
            return;
        }
        let edit = self.edits.swap_remove(at);
        self.places.remove(&edit.id);
        if let Some(moved) = self.edits.get(at) {
            self.places.insert(moved.id, at);
        }
    }

    /// Passes all ids of the step, which are in place and in values, to the map. It must return
    /// them unchanged.
    pub(super) fn visit_ids(&mut self, visit: &dyn Fn(UntypedId) -> UntypedId, map: &IdMap<'_>) {
        for edit in &mut self.edits {
            visit(edit.id);
            let values = edit.components.iter_mut().flat_map(|it| &mut it.values);
            values.for_each(|value| map_chunk(value, Some(map)));
        }
        self.moves.ids().for_each(|id| _ = visit(id));
    }
}

impl Edit {
    fn new(id: UntypedId) -> Self {
        Self {
            id,
            alive_at: [true; 2],
            components: Vec::new(),
            is_whole: false,
        }
    }

    fn record(&mut self, seen: Seen, map: Option<&IdMap<'_>>) {
        match seen.kind {
            ChangeKind::Created if !self.is_whole => self.alive_at = [false, true],
            ChangeKind::Created => self.alive_at[1] = true,
            ChangeKind::Destroyed => self.alive_at[1] = false,
            ChangeKind::Added | ChangeKind::Removed | ChangeKind::Replaced => {}
        }
        let Some(component) = seen.component else {
            self.is_whole = true;
            return;
        };
        if self.value(component).is_none() {
            let mut values = [seen.previous, None];
            values.iter_mut().for_each(|value| map_chunk(value, map));
            self.components.push(EditedValue { component, values });
        }
    }

    /// The values of a component.
    pub(super) fn value(&self, component: RawComponentIndex) -> Option<&EditedValue> {
        let mut components = self.components.iter();
        components.find(|edited| edited.component == component)
    }

    /// Uses the values on a side of another edit as those before.
    pub(super) fn prefer(&mut self, other: &Self, side: usize) {
        for EditedValue { component, values } in &other.components {
            let component = *component;
            let value = values[side].clone();
            let mut known = self.components.iter_mut();
            match known.find(|edited| edited.component == component) {
                Some(known) => known.values[0] = value,
                None => self.components.push(EditedValue {
                    component,
                    values: [value, None],
                }),
            }
        }
    }

    /// Stores the current values of these components as those after the step.
    fn read_present<C: HasCore>(
        &mut self,
        context: &C,
        id: UntypedId,
        touched: &[RawComponentIndex],
        map: Option<&IdMap<'_>>,
    ) {
        let core = context.core();
        let row = core.world.slots().get(id.typed::<C>()).map(|slot| slot.row);
        for EditedValue { component, values } in &mut self.components {
            if touched.contains(component) {
                values[1] = row.and_then(|row| {
                    let value = core.world.value_in(row, *component)?;
                    Chunk::of_clone(*component, core.world.describe(*component), value)
                });
                map_chunk(&mut values[1], map);
            }
        }
    }

    /// Whether there is anything to undo.
    fn changes(&self) -> bool {
        match self.alive_at {
            [false, false] => false,
            [true, true] => !self.components.is_empty(),
            _ => true,
        }
    }
}

impl EditedValue {
    /// Whether the value may have changed.
    fn changes(&self) -> bool {
        match &self.values {
            [None, None] => false,
            [Some(before), Some(after)] => !before.is_identical(after),
            _ => true,
        }
    }
}

/// Maps the ids inside a value.
pub(super) fn map_chunk(chunk: &mut Option<Chunk>, map: Option<&IdMap<'_>>) {
    if let (Some(chunk), Some(map)) = (chunk, map) {
        let descriptor = chunk.descriptor();
        if let Some(value) = chunk.values.get_mut(0) {
            descriptor.map_ids(value, map);
        }
    }
}
