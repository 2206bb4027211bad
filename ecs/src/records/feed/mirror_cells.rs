//! The cells that a mirror has applied, from which it reads the next ones. Local changes of the values do not
//! concern them.

use alloc::boxed::Box;

use hashbrown::HashMap;

use super::delta::Delta;
use crate::state::core::HasCore;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::saving::cells::Cell;

/// The cells that a mirror has applied.
pub(super) struct MirrorCells<C: 'static>(HashMap<(RawComponentIndex, EntityId<C>), Box<[Cell]>>);

impl<C: HasCore> MirrorCells<C> {
    pub(super) fn new() -> Self {
        Self(HashMap::new())
    }

    pub(super) fn get(&self, component: RawComponentIndex, id: EntityId<C>) -> Option<&[Cell]> {
        self.0.get(&(component, id)).map(|cells| &**cells)
    }

    /// Records what a delta has.
    pub(super) fn record(&mut self, delta: &Delta<C>) {
        if delta.everything {
            self.0.clear();
        }
        for column in &delta.columns {
            let component = column.component();
            let Some(cells) = &column.cells else { continue };
            for id in column.removed.iter().copied().chain(delta.vanished()) {
                self.0.remove(&(component, id));
            }
            for (&id, (_, image)) in column.set.owners.iter().zip(cells.iter()) {
                match self.0.get_mut(&(component, id)) {
                    Some(known) => known.clone_from_slice(image),
                    None => _ = self.0.insert((component, id), image.into()),
                }
            }
        }
    }
}
