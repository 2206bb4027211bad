//! Values that come and go many at a time: each is there once, whatever order the ids
//! have, and wherever a closure panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ecs::prelude::*;
use proptest::prelude::*;

#[ecs::context]
struct World;

#[derive(Component)]
#[component(context = World)]
struct Frozen;

/// A value that is counted as long as it lives.
#[derive(Component, Clone, Debug)]
#[component(context = World)]
struct Counted(u32, Arc<()>);

/// The same, kept on the pool stack when it is removed.
#[derive(Component, Clone, Debug, Default)]
#[component(context = World, pooled)]
struct Pooled(u32);

struct Crowd {
    world: World,
    ids: Vec<EntityId<World>>,
    token: Arc<()>,
}

impl Crowd {
    /// Entities whose rows are those of their slots, or others.
    fn new(moved: bool) -> Self {
        let mut world = World::new();
        let ids: Vec<_> = (0..300).map(|_| world.create_entity().id()).collect();
        if moved {
            for &id in ids.iter().step_by(3) {
                world.entity_mut(id).add_frozen();
            }
            world.defragment();
        }
        let token = Arc::new(());
        Self { world, ids, token }
    }

    /// The entities of some stretches of the list, each of them once.
    fn picked(&self, stretches: &[(usize, usize, usize)]) -> Vec<EntityId<World>> {
        let mut picked = Vec::new();
        for &(start, len, step) in stretches {
            for &id in self.ids.iter().skip(start).take(len).step_by(step) {
                if !picked.contains(&id) {
                    picked.push(id);
                }
            }
        }
        picked
    }

    /// Who has a value, and that there are no others.
    fn values(&self) -> Vec<(EntityId<World>, u32)> {
        let all = self.ids.iter().filter_map(|&id| {
            let value = self.world.entity(id).get_counted()?;
            assert!(Arc::ptr_eq(&value.1, &self.token));
            Some((id, value.0))
        });
        let all: Vec<_> = all.collect();
        assert_eq!(Arc::strong_count(&self.token), all.len() + 1);
        all
    }
}

fn stretches() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    prop::collection::vec((0..300usize, 1..200usize, 1..4usize), 1..6)
}

proptest! {
    #[test]
    fn every_value_finds_its_entity(
        (moved, first, second) in (any::<bool>(), stretches(), stretches()),
    ) {
        let mut crowd = Crowd::new(moved);
        let ids = crowd.picked(&first);
        let token = crowd.token.clone();
        crowd.world.add_many(&ids, |id| Counted(id.index(), token.clone())).unwrap();
        drop(token);
        let mut expected: Vec<_> = ids.iter().map(|&id| (id, id.index())).collect();
        expected.sort();
        prop_assert_eq!(crowd.values(), expected.clone());

        let gone = crowd.picked(&second);
        let gone: Vec<_> = gone.into_iter().filter(|id| ids.contains(id)).collect();
        crowd.world.remove_many::<Counted>(&gone).unwrap();
        expected.retain(|(id, _)| !gone.contains(id));
        prop_assert_eq!(crowd.values(), expected);
    }

    #[test]
    fn a_panic_in_between_drops_every_value_made(
        (moved, picks, at) in (any::<bool>(), stretches(), 0..900usize),
    ) {
        let mut crowd = Crowd::new(moved);
        let ids = crowd.picked(&picks);
        let (token, mut left) = (crowd.token.clone(), at % ids.len());
        let add = AssertUnwindSafe(|| {
            crowd.world.add_many(&ids, |id| {
                left = left.checked_sub(1).expect("as many as there are to be");
                Counted(id.index(), token.clone())
            })
        });
        prop_assert!(catch_unwind(add).is_err());
        drop(token);
        prop_assert!(crowd.values().is_empty());
        let token = crowd.token.clone();
        crowd.world.add_many(&ids, |_| Counted(1, token.clone())).unwrap();
        drop(token);
        prop_assert_eq!(crowd.values().len(), ids.len());
    }
}

#[test]
fn pooled_values_come_back_in_the_order_of_the_ids() {
    let mut crowd = Crowd::new(false);
    let ids = [3, 4, 5, 1, 200, 7].map(|at| crowd.ids[at]);
    crowd.world.add_many(&ids, |id| Pooled(id.index())).unwrap();
    crowd.world.remove_many::<Pooled>(&ids).unwrap();
    let mut last = |at: usize| {
        let mut found = 0;
        let id = crowd.ids[at];
        crowd
            .world
            .entity_mut(id)
            .add_pooled_with(|value| found = value.0);
        found
    };
    assert_eq!(
        [20, 21, 22, 23, 24, 25].map(&mut last),
        [7, 200, 1, 5, 4, 3]
    );
}
