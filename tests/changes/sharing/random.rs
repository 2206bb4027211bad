//! Random programs over a component of 64 bytes and a small one beside it: every value is
//! where a plain map says, each is dropped once, and all ways of walking agree.
//!
//! The number of programs is that of `PROPTEST_CASES` (256 where it is not set).

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ecs::prelude::*;
use proptest::prelude::*;

use super::{Big, Id, Ledger, Small, World, WorldEntity};

/// One step. Entities are picked from the living by a start, a distance and a number.
#[derive(Clone, Debug)]
enum Op {
    Create { count: u8, big: bool },
    Each(Picked, Change),
    Many(Picked, Change),
    AddHalfAndPanic(Picked),
    Swap(u16, u16),
    Defragment,
    DefragmentFor(u8),
    Shrink,
    Reserve(u8),
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Add,
    Remove,
    Replace,
    Destroy,
    ToggleSmall,
}

#[derive(Clone, Copy, Debug)]
struct Picked {
    start: u16,
    step: u8,
    count: u8,
}

fn picked() -> impl Strategy<Value = Picked> {
    let steps = prop_oneof![Just(1u8), 2u8..20, 50u8..80, any::<u8>()];
    (0u16..2000, steps, 0u8..60).prop_map(|(start, step, count)| Picked { start, step, count })
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => Just(Change::Add),
        3 => Just(Change::Remove),
        1 => Just(Change::Replace),
        1 => Just(Change::Destroy),
        1 => Just(Change::ToggleSmall),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => (any::<u8>(), any::<bool>()).prop_map(|(count, big)| Op::Create { count, big }),
        10 => (picked(), change()).prop_map(|(picked, change)| Op::Each(picked, change)),
        5 => (picked(), change()).prop_map(|(picked, change)| Op::Many(picked, change)),
        1 => picked().prop_map(Op::AddHalfAndPanic),
        1 => (any::<u16>(), any::<u16>()).prop_map(|(a, b)| Op::Swap(a, b)),
        1 => Just(Op::Defragment),
        2 => any::<u8>().prop_map(Op::DefragmentFor),
        2 => Just(Op::Shrink),
        1 => any::<u8>().prop_map(Op::Reserve),
    ]
}

/// What an entity has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Has {
    small: bool,
    big: Option<u64>,
}

struct Player {
    world: World,
    model: BTreeMap<Id, Has>,
    ledger: Arc<Ledger>,
    last: u64,
}

impl Player {
    fn new() -> Self {
        let mut world = World::new();
        let ids = world.create_many((0..1500).map(Small));
        let has = Has {
            small: true,
            big: None,
        };
        Self {
            world,
            model: ids.into_iter().map(|id| (id, has)).collect(),
            ledger: Arc::default(),
            last: 0,
        }
    }

    fn next(&mut self) -> Big {
        self.last += 1;
        Big::new(self.last, &self.ledger)
    }

    fn ids(&self, Picked { start, step, count }: Picked, fits: impl Fn(&Has) -> bool) -> Vec<Id> {
        let len = self.model.len().max(1);
        let all = self.model.iter().skip(start as usize % len);
        let some = all.step_by(step.max(1).into()).take(count.into());
        some.filter(|(_, has)| fits(has))
            .map(|(id, _)| *id)
            .collect()
    }

    fn play(&mut self, op: &Op) {
        match *op {
            Op::Create { count, big } => self.create(count, big),
            Op::Each(picked, change) => self.change(picked, change, false),
            Op::Many(picked, change) => self.change(picked, change, true),
            Op::AddHalfAndPanic(picked) => self.add_half(picked),
            Op::Swap(a, b) => self.swap(a, b),
            Op::Defragment => self.world.defragment(),
            Op::DefragmentFor(moves) => _ = self.world.storage_mut().defragment_for(moves.into()),
            Op::Shrink => self.world.storage_mut().shrink_to_fit(),
            Op::Reserve(count) => self.world.storage_mut().reserve::<Big>(count.into()),
        }
    }

    fn create(&mut self, count: u8, big: bool) {
        let small = Small(7);
        let made: Vec<_> = if big {
            let bigs: Vec<_> = (0..count).map(|_| self.next()).collect();
            let numbers: Vec<_> = bigs.iter().map(Big::whole).collect();
            let ids = self
                .world
                .create_many(bigs.into_iter().map(|big| (small.clone(), big)));
            ids.into_iter().zip(numbers.into_iter().map(Some)).collect()
        } else {
            let ids = self.world.create_many((0..count).map(|_| small.clone()));
            ids.into_iter().map(|id| (id, None)).collect()
        };
        let has = |(id, big)| (id, Has { small: true, big });
        self.model.extend(made.into_iter().map(has));
    }

    fn change(&mut self, picked: Picked, change: Change, many: bool) {
        match change {
            Change::Add => self.add(picked, many),
            Change::Remove => self.remove(picked, many),
            Change::Replace => self.replace(picked, many),
            Change::Destroy => self.destroy(picked, many),
            Change::ToggleSmall => self.toggle_small(picked),
        }
    }

    fn add(&mut self, picked: Picked, many: bool) {
        let ids = self.ids(picked, |has| has.big.is_none());
        if many {
            let (mut last, ledger) = (self.last, &self.ledger);
            let big = |_| {
                last += 1;
                Big::new(last, ledger)
            };
            self.world.many(&ids).add(big);
            for id in ids {
                self.last += 1;
                self.model.get_mut(&id).unwrap().big = Some(self.last);
            }
        } else {
            for id in ids {
                let big = self.next();
                self.world.entity_mut(id).add_big(big);
                self.model.get_mut(&id).unwrap().big = Some(self.last);
            }
        }
    }

    fn remove(&mut self, picked: Picked, many: bool) {
        let ids = self.ids(picked, |has| has.big.is_some());
        if many {
            self.world.many(&ids).remove::<Big>();
        }
        for (at, id) in ids.into_iter().enumerate() {
            let number = self.model.get_mut(&id).unwrap().big.take();
            if many {
                continue;
            } else if at % 2 == 0 {
                self.world.entity_mut(id).remove_big();
            } else {
                let taken = self.world.entity_mut(id).take_big();
                assert_eq!(taken.map(|big| big.whole()), number);
            }
        }
    }

    fn replace(&mut self, picked: Picked, many: bool) {
        for id in self.ids(picked, |has| !many || has.big.is_some()) {
            let big = self.next();
            self.model.get_mut(&id).unwrap().big = Some(self.last);
            self.world.entity_mut(id).replace_big(big);
        }
    }

    fn destroy(&mut self, picked: Picked, many: bool) {
        let ids = self.ids(picked, |_| true);
        if many {
            self.world.many(&ids).destroy();
        }
        for id in ids {
            self.model.remove(&id);
            if !many {
                self.world.destroy(id);
            }
        }
    }

    fn toggle_small(&mut self, picked: Picked) {
        for id in self.ids(picked, |_| true) {
            let has = self.model.get_mut(&id).unwrap();
            has.small = !has.small;
            let mut entity = self.world.entity_mut(id);
            if has.small {
                entity.add_small(3);
            } else {
                entity.remove_small();
            }
        }
    }

    fn add_half(&mut self, picked: Picked) {
        let ids = self.ids(picked, |has| has.big.is_none());
        let (mut left, ledger) = (ids.len() / 2, &self.ledger);
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            self.world.many(&ids).try_add(|_| {
                // Not by `panic!`, which would print each of them.
                match left.checked_sub(1) {
                    Some(fewer) => left = fewer,
                    None => std::panic::resume_unwind(Box::new("half-way")),
                }
                Big::new(0, ledger)
            })
        }));
        assert_eq!(attempt.is_err(), !ids.is_empty());
    }

    fn swap(&mut self, a: u16, b: u16) {
        let owners = self.model.iter().filter(|(_, has)| has.big.is_some());
        let ids: Vec<_> = owners.map(|(id, _)| *id).collect();
        if ids.is_empty() {
            return;
        }
        let (a, b) = (ids[a as usize % ids.len()], ids[b as usize % ids.len()]);
        self.world.entity_mut(a).swap::<Big>(b);
        let (of_a, of_b) = (self.model[&a].big, self.model[&b].big);
        self.model.get_mut(&a).unwrap().big = of_b;
        self.model.get_mut(&b).unwrap().big = of_a;
    }

    fn check(&mut self) -> Result<(), TestCaseError> {
        let world = &mut self.world;
        let rows: Vec<Id> = world.query::<EntityId<World>>().iter().collect();
        prop_assert_eq!(rows.len(), self.model.len());
        let has = |entity: WorldEntity<'_>| Has {
            small: entity.has_small(),
            big: entity.get_big().map(Big::whole),
        };
        for (&id, expected) in &self.model {
            prop_assert_eq!(has(world.entity(id)), *expected);
        }
        self.check_walks(&rows)?;
        let alive = self.model.values().filter(|has| has.big.is_some()).count();
        prop_assert_eq!(Arc::strong_count(&self.ledger), 1 + alive);
        Ok(())
    }

    fn check_walks(&mut self, rows: &[Id]) -> Result<(), TestCaseError> {
        let world = &mut self.world;
        let expected = |id: &Id| Some((*id, self.model[id].big?));
        let expected: Vec<_> = rows.iter().filter_map(expected).collect();
        let (mut items, mut slices, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        let query = world.query_mut::<(EntityId<World>, &mut Big)>();
        query.for_each(|(id, big)| items.push((id, big.whole())));
        let query = world.query_mut::<(EntityId<World>, &mut Big)>();
        query.for_each_slice(|(ids, bigs)| {
            slices.extend(ids.iter().zip(bigs.iter().map(Big::whole)));
        });
        prop_assert_eq!(&items, &expected);
        prop_assert_eq!(slices, items);
        let query = world.query::<(EntityId<World>, Option<&Big>, &Small)>();
        query.for_each_slice(|(ids, bigs, _)| {
            let bigs = bigs.iter().flat_map(|bigs| bigs.iter());
            pairs.extend(ids.iter().zip(bigs.map(Big::whole)));
        });
        let small: Vec<_> = expected
            .into_iter()
            .filter(|(id, _)| self.model[id].small)
            .collect();
        prop_assert_eq!(pairs, small);
        Ok(())
    }
}

proptest! {
    #[test]
    fn every_value_stays_where_it_was_put(program in prop::collection::vec(op(), 1..60)) {
        let mut player = Player::new();
        for (at, op) in program.iter().enumerate() {
            player.play(op);
            // To look at everything takes much longer than to do something.
            if at % 4 == 0 || at == program.len() - 1 {
                player.check()?;
            }
        }
        let ledger = Arc::clone(&player.ledger);
        drop(player);
        prop_assert_eq!(Arc::strong_count(&ledger), 1);
    }
}
