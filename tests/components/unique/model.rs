//! Random programs beside a naive model: who has which unique component.

use std::collections::{BTreeMap, BTreeSet};

use ecs::prelude::*;
use proptest::prelude::*;

use support::panic_of;

#[ecs::context]
struct Game;

#[derive(Component, Clone, Copy)]
#[component(context = Game, unique)]
struct A(u8);

#[derive(Component, Clone, Copy)]
#[component(context = Game, unique)]
struct B;

#[derive(Component, Clone, Copy)]
#[component(context = Game)]
struct Common;

/// What a step does; the number picks one of the entities made so far.
#[derive(Clone, Debug)]
enum Op {
    Create,
    CreateWith(u8),
    CreateColumns(usize),
    Destroy(usize),
    Add(usize, u8),
    AddFlag(usize),
    AddMany(Vec<usize>),
    Replace(usize, u8),
    Remove(usize),
    SetFlag(bool),
    Set(u8),
    ReplaceUnique(u8),
    RemoveUnique,
    DestroyOwner,
    Defragment,
}

fn op() -> impl Strategy<Value = Op> {
    let entity = || any::<usize>();
    prop_oneof![
        Just(Op::Create),
        any::<u8>().prop_map(Op::CreateWith),
        (0..3_usize).prop_map(Op::CreateColumns),
        entity().prop_map(Op::Destroy),
        (entity(), any::<u8>()).prop_map(|(at, value)| Op::Add(at, value)),
        entity().prop_map(Op::AddFlag),
        proptest::collection::vec(entity(), 0..3).prop_map(Op::AddMany),
        (entity(), any::<u8>()).prop_map(|(at, value)| Op::Replace(at, value)),
        entity().prop_map(Op::Remove),
        any::<bool>().prop_map(Op::SetFlag),
        any::<u8>().prop_map(Op::Set),
        any::<u8>().prop_map(Op::ReplaceUnique),
        Just(Op::RemoveUnique),
        Just(Op::DestroyOwner),
        Just(Op::Defragment),
    ]
}

type Id = EntityId<Game>;

/// The library beside the model: the living entities, and who has what.
#[derive(Default)]
struct Both {
    game: Game,
    ids: Vec<Id>,
    living: BTreeSet<Id>,
    common: BTreeSet<Id>,
    a: BTreeMap<Id, u8>,
    b: BTreeMap<Id, ()>,
}

impl Both {
    fn pick(&self, at: usize) -> Option<Id> {
        let place = at.checked_rem(self.ids.len())?;
        self.ids.get(place).copied()
    }

    fn born(&mut self, id: Id, a: Option<u8>) {
        self.ids.push(id);
        self.living.insert(id);
        self.a.extend(a.map(|value| (id, value)));
    }

    fn dies(&mut self, id: Id) {
        self.living.remove(&id);
        self.common.remove(&id);
        self.a.remove(&id);
        self.b.remove(&id);
    }

    /// An entity has lost a unique component, through the context: it dies if it has nothing else.
    fn loses(&mut self, id: Id) {
        let has_unique = self.a.contains_key(&id) || self.b.contains_key(&id);
        if !has_unique && !self.common.contains(&id) {
            self.dies(id);
        }
    }

    fn play(&mut self, op: &Op) {
        let free = self.a.is_empty();
        match op {
            Op::Create => {
                let id = self.game.create_entity().id();
                self.born(id, None);
            }
            Op::CreateWith(value) if free => {
                let id = self.game.create_with((Common, A(*value))).id();
                self.born(id, Some(*value));
                self.common.insert(id);
            }
            Op::CreateWith(value) => {
                panic_of(|| self.game.create_with((Common, A(*value))).id());
            }
            Op::CreateColumns(rows) => self.create_columns(*rows, free),
            Op::Set(value) => {
                let set = self.game.try_set_a(*value).map(|entity| entity.id());
                assert_eq!(set.is_ok(), free);
                set.into_iter().for_each(|id| self.born(id, Some(*value)));
            }
            Op::ReplaceUnique(value) => {
                let id = self.game.replace_a(*value).id();
                match free {
                    true => self.born(id, Some(*value)),
                    false => _ = self.a.insert(id, *value),
                }
            }
            Op::RemoveUnique => {
                assert_eq!(self.game.try_remove_a().is_err(), free);
                if let Some((owner, _)) = self.a.pop_first() {
                    self.loses(owner);
                }
            }
            Op::DestroyOwner => {
                assert_eq!(self.game.try_destroy_a_entity().is_err(), free);
                let owner = self.a.keys().next().copied();
                owner.into_iter().for_each(|id| self.dies(id));
            }
            Op::SetFlag(on) => self.set_flag(*on),
            Op::Defragment => self.game.defragment(),
            _ => self.play_on_entity(op, free),
        }
    }

    fn create_columns(&mut self, rows: usize, free: bool) {
        let columns = vec![A(7); rows];
        if rows == 0 || rows == 1 && free {
            let ids = self.game.create_columns(columns);
            ids.into_iter().for_each(|id| self.born(id, Some(7)));
            return;
        }
        panic_of(|| self.game.create_columns(columns));
        if free {
            let first = self.game.a_entity().unwrap().id();
            self.born(first, Some(7));
        }
    }

    fn set_flag(&mut self, on: bool) {
        let owner = self.b.keys().next().copied();
        let now = self.game.set_b(on).map(|entity| entity.id());
        match (on, owner) {
            (true, None) => {
                self.born(now.unwrap(), None);
                self.b.insert(now.unwrap(), ());
            }
            (true, Some(owner)) => assert_eq!(now, Some(owner)),
            (false, owner) => {
                assert_eq!(now, None);
                self.b.clear();
                owner.into_iter().for_each(|id| self.loses(id));
            }
        }
    }

    fn play_on_entity(&mut self, op: &Op, free: bool) {
        let (Op::Destroy(at) | Op::Add(at, _) | Op::AddFlag(at)) = op else {
            return self.play_on_several(op, free);
        };
        let Some(id) = self.pick(*at) else { return };
        let alive = self.game.contains(id);
        match op {
            Op::Destroy(_) => {
                assert_eq!(self.game.try_destroy(id).is_ok(), alive);
                self.dies(id);
            }
            Op::Add(_, value) if alive => {
                let added = self.game.entity_mut(id).try_add_a(*value).is_ok();
                assert_eq!(added, free);
                self.a.extend(added.then_some((id, *value)));
            }
            Op::AddFlag(_) if alive => {
                let added = self.game.entity_mut(id).try_add_b().is_ok();
                assert_eq!(added, self.b.is_empty());
                self.b.extend(added.then_some((id, ())));
            }
            _ => {}
        }
    }

    fn play_on_several(&mut self, op: &Op, free: bool) {
        match op {
            Op::Replace(at, value) => {
                let Some(id) = self.pick(*at).filter(|&id| self.game.contains(id)) else {
                    return;
                };
                let may = free || self.a.contains_key(&id);
                let replaced = self.game.entity_mut(id).try_replace(A(*value)).is_ok();
                assert_eq!(replaced, may);
                self.a.extend(may.then_some((id, *value)));
            }
            Op::Remove(at) => {
                let Some(mut entity) = self.pick(*at).and_then(|id| self.game.get_entity_mut(id))
                else {
                    return;
                };
                let removed = entity.try_remove_a().is_ok();
                let id = entity.id();
                assert_eq!(removed, self.a.remove(&id).is_some());
            }
            Op::AddMany(places) => {
                let ids: Vec<_> = places.iter().filter_map(|&at| self.pick(at)).collect();
                let may = match ids[..] {
                    [] => true,
                    [id] => free && self.game.contains(id),
                    _ => false,
                };
                assert_eq!(self.game.many(&ids).try_add(|_| A(9)).is_ok(), may);
                self.a
                    .extend(ids.first().filter(|_| may).map(|&id| (id, 9)));
            }
            other => unreachable!("{other:?} is played elsewhere"),
        }
    }

    fn check(&mut self) {
        assert!(self.a.len() <= 1 && self.b.len() <= 1);
        let a = self
            .game
            .a_entity()
            .map(|entity| (entity.id(), entity.a().0));
        assert_eq!(a, self.a.iter().next().map(|(&id, &value)| (id, value)));
        assert_eq!(self.game.get_a().map(|a| a.0), a.map(|(_, value)| value));
        let b = self.game.b_entity().map(|entity| entity.id());
        assert_eq!(b, self.b.keys().next().copied());
        let owners = self.game.entities().filter(|entity| entity.has_a()).count();
        assert_eq!(owners, self.a.len());
        let living: BTreeSet<_> = self.game.entities().map(|entity| entity.id()).collect();
        assert_eq!(living, self.living);
    }
}

proptest! {
    /// However components come and go, the context names the one owner, and refuses a
    /// second one.
    #[test]
    fn the_owner_is_the_one_entity_that_has_it(
        program in proptest::collection::vec(op(), 0..40)
    ) {
        let mut both = Both::default();
        for op in &program {
            both.play(op);
            both.check();
        }
    }
}
