//! The world of `shipyard` in programs of frames: views are borrowed once for each kind of work.

use std::ops::Range;

use shipyard::{Delete, EntitiesView, EntityId, Get, Remove, View, ViewMut};

use super::{Movers, step};
use crate::frames::World;
use crate::types::*;

#[derive(Default)]
struct Frames {
    world: shipyard::World,
    ids: Vec<EntityId>,
}

/// Returns an empty world.
pub fn world() -> Box<dyn World> {
    Box::new(Frames::default())
}

impl World for Frames {
    fn create(&mut self, numbers: Range<usize>) {
        let views = self.world.borrow::<Movers<'_>>().unwrap();
        let (mut entities, mut positions, mut velocities) = views;
        for number in numbers {
            let storages = (&mut positions, &mut velocities);
            let id = entities.add_entity(storages, (position(number), velocity()));
            self.ids.push(id);
        }
    }

    fn advance(&mut self) {
        step(&self.world);
    }

    fn respawn(&mut self, numbers: &[usize]) {
        let views = self.world.borrow::<Movers<'_>>().unwrap();
        let (mut entities, mut positions, mut velocities) = views;
        let mut flags = self.world.borrow::<ViewMut<'_, Flag>>().unwrap();
        for &number in numbers {
            let id = &mut self.ids[number];
            (&mut positions, &mut velocities, &mut flags).delete(*id);
            assert!(entities.delete_unchecked(*id));
            let storages = (&mut positions, &mut velocities);
            *id = entities.add_entity(storages, (position(number), velocity()));
        }
    }

    fn flag(&mut self, numbers: &[usize], flagged: bool) {
        type Flags<'a> = (EntitiesView<'a>, ViewMut<'a, Flag>);
        let (entities, mut flags) = self.world.borrow::<Flags<'_>>().unwrap();
        for &number in numbers {
            match flagged {
                true => entities.add_component(self.ids[number], &mut flags, Flag),
                false => _ = flags.remove(self.ids[number]),
            }
        }
    }

    fn read(&self, number: usize) -> (Position, bool) {
        type Views<'a> = (View<'a, Position>, View<'a, Flag>);
        let (positions, flags) = self.world.borrow::<Views<'_>>().unwrap();
        let id = self.ids[number];
        (*(&positions).get(id).unwrap(), flags.contains(id))
    }
}
