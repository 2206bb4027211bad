//! The cells that a mirror has applied, from which it reads the next ones. Local changes of the values do not
//! concern them.

use hashbrown::HashMap;

use super::delta::Delta;
use crate::state::core::HasCore;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::saving::cells::Image;

/// The cells that a mirror has applied.
pub(super) struct MirrorCells<C: 'static>(HashMap<(RawComponentIndex, EntityId<C>), Image>);

impl<C: HasCore> MirrorCells<C> {
    pub(super) fn new() -> Self {
        Self(HashMap::new())
    }

    pub(super) fn get(&self, component: RawComponentIndex, id: EntityId<C>) -> Option<&Image> {
        self.0.get(&(component, id))
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
            let owners = column.set.owners.iter().zip(&cells.owners);
            let images = owners.map(|(&id, owner)| ((component, id), owner.image.clone()));
            self.0.extend(images);
        }
    }
}
