//! Random programs: slices put together are the items of `for_each`, in the same order,
//! and both are what a plain map says.
//!
//! The number of programs is that of `PROPTEST_CASES` (256 where it is not set).

use std::collections::BTreeMap;

use ecs::prelude::*;
use proptest::prelude::*;

use support::numbers::{A, Flag, Id, Name, World};

/// One step; entities by their number among the living, ranges by start and length.
#[derive(Clone, Debug)]
enum Op {
    Create { count: u8, name: bool, flag: bool },
    Destroy(u16, u8),
    ToggleA(u16, u8),
    ToggleName(u16, u8),
    ToggleFlag(u16, u8),
    Defragment,
}

fn op() -> impl Strategy<Value = Op> {
    let range = || (0u16..600, prop_oneof![Just(1u8), 1u8..140]);
    prop_oneof![
        4 => (1u8..150, any::<bool>(), any::<bool>())
            .prop_map(|(count, name, flag)| Op::Create { count, name, flag }),
        2 => range().prop_map(|(at, len)| Op::Destroy(at, len)),
        1 => range().prop_map(|(at, len)| Op::ToggleA(at, len)),
        3 => range().prop_map(|(at, len)| Op::ToggleName(at, len)),
        2 => range().prop_map(|(at, len)| Op::ToggleFlag(at, len)),
        1 => Just(Op::Defragment),
    ]
}

/// What an entity has.
#[derive(Clone, Debug, Default, PartialEq)]
struct Has {
    a: Option<u32>,
    name: Option<String>,
    flag: bool,
}

#[derive(Default)]
struct Player {
    world: World,
    model: BTreeMap<Id, Has>,
    last: u32,
}

impl Player {
    fn next(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    fn range(&self, at: u16, len: u8) -> Vec<Id> {
        let ids = self.model.keys().copied();
        ids.skip(at as usize).take(len as usize).collect()
    }

    fn play(&mut self, op: &Op) {
        match *op {
            Op::Create { count, name, flag } => {
                for _ in 0..count {
                    let id = self.world.create_entity().id();
                    self.model.insert(id, Has::default());
                    self.toggle_a(id);
                    if name {
                        self.toggle_name(id);
                    }
                    if flag {
                        self.toggle_flag(id);
                    }
                }
            }
            Op::Destroy(at, len) => {
                for id in self.range(at, len) {
                    self.world.destroy(id);
                    self.model.remove(&id);
                }
            }
            Op::ToggleA(at, len) => {
                for id in self.range(at, len) {
                    self.toggle_a(id);
                }
            }
            Op::ToggleName(at, len) => {
                for id in self.range(at, len) {
                    self.toggle_name(id);
                }
            }
            Op::ToggleFlag(at, len) => {
                for id in self.range(at, len) {
                    self.toggle_flag(id);
                }
            }
            Op::Defragment => self.world.defragment(),
        }
    }

    fn toggle_a(&mut self, id: Id) {
        let value = self.next();
        let has = self.model.get_mut(&id).unwrap();
        let mut entity = self.world.entity_mut(id);
        if has.a.take().is_some() {
            entity.remove_a();
        } else {
            has.a = Some(value);
            entity.add_a(value);
        }
    }

    fn toggle_name(&mut self, id: Id) {
        let value = self.next().to_string();
        let has = self.model.get_mut(&id).unwrap();
        let mut entity = self.world.entity_mut(id);
        if has.name.take().is_some() {
            entity.remove_name();
        } else {
            has.name = Some(value.clone());
            entity.add_name(Name(value));
        }
    }

    fn toggle_flag(&mut self, id: Id) {
        let has = self.model.get_mut(&id).unwrap();
        has.flag = !has.flag;
        self.world.entity_mut(id).set_flag(has.flag);
    }

    /// The model in the order of the rows, which queries of ids alone show.
    fn rows(&mut self) -> Vec<(Id, Has)> {
        let ids: Vec<Id> = self.world.query::<EntityId<World>>().iter().collect();
        assert_eq!(ids.len(), self.model.len());
        ids.into_iter()
            .map(|id| (id, self.model[&id].clone()))
            .collect()
    }

    fn check(&mut self) -> Result<(), TestCaseError> {
        let rows = self.rows();
        self.check_pairs(&rows)?;
        self.check_options(&rows)
    }

    /// A query of two components, one of them written, one a flag.
    fn check_pairs(&mut self, rows: &[(Id, Has)]) -> Result<(), TestCaseError> {
        let (mut items, mut slices) = (Vec::new(), Vec::new());
        self.world
            .query_mut::<(&mut Name, EntityId<World>, &Flag)>()
            .for_each(|(name, id, _)| items.push((id, name.0.clone())));
        self.world
            .query_mut::<(&mut Name, EntityId<World>, &Flag)>()
            .for_each_slice(|(names, ids, flags)| {
                assert_eq!((names.len(), ids.len()), (flags.len(), flags.len()));
                slices.extend(ids.iter().zip(names.iter().map(|name| name.0.clone())));
            });
        let expected = rows.iter().filter(|(_, has)| has.flag);
        let expected: Vec<_> = expected
            .filter_map(|(id, has)| Some((*id, has.name.clone()?)))
            .collect();
        prop_assert_eq!(&items, &expected);
        prop_assert_eq!(slices, expected);
        Ok(())
    }

    /// A query of optional components alone.
    fn check_options(&mut self, rows: &[(Id, Has)]) -> Result<(), TestCaseError> {
        let mut slices = Vec::new();
        self.world
            .query_mut::<(
                EntityId<World>,
                Option<&A>,
                Option<&mut Name>,
                Option<&Flag>,
            )>()
            .for_each_slice(|(ids, values, names, flags)| {
                for (place, id) in ids.iter().enumerate() {
                    let has = Has {
                        a: values.map(|values| values[place].0),
                        name: names.as_ref().map(|names| names[place].0.clone()),
                        flag: flags.map(|flags| &flags[place]).is_some(),
                    };
                    slices.push((id, has));
                }
            });
        prop_assert_eq!(slices, rows);
        Ok(())
    }
}

proptest! {
    #[test]
    fn slices_put_together_are_the_items(program in prop::collection::vec(op(), 1..25)) {
        let mut player = Player::default();
        for op in &program {
            player.play(op);
            player.check()?;
        }
    }
}
