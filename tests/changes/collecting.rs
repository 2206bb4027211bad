//! Collectors hold the same whether changes come one by one or many at a time, whatever
//! happens before they are drained.

use ecs::prelude::*;
use proptest::prelude::*;

use support::Notes;
use support::numbers::{A, B, Flag, Id, World};

/// How many collectors are looked at.
const COLLECTORS: usize = 6;

/// What happens to both worlds alike, or in bulk here and one by one there.
#[derive(Clone, Debug)]
enum Op {
    /// All A.
    UpdateA,
    /// All A of entities with the flag, and B where it is there.
    UpdateFlagged,
    /// To the entities from a place on, in descending order.
    AddFlags(usize),
    RemoveFlags(usize),
    Create(usize),
    Replace(usize),
    /// Of those from a place on that have the flag.
    ReplaceMany(usize),
    ToggleB(usize),
    Destroy(usize),
    DestroyMany(usize),
    Defragment,
    DefragmentFor(usize),
    Drain(usize),
    DrainRows(usize),
    Look(usize),
    Clear(usize),
    Pause(usize),
    Shrink,
    Reset,
}

fn op() -> impl Strategy<Value = Op> {
    let at = 0..300_usize;
    prop_oneof![
        6 => Just(Op::UpdateA),
        4 => Just(Op::UpdateFlagged),
        3 => at.clone().prop_map(Op::AddFlags),
        3 => at.clone().prop_map(Op::RemoveFlags),
        2 => (1..100_usize).prop_map(Op::Create),
        3 => at.clone().prop_map(Op::Replace),
        2 => at.clone().prop_map(Op::ReplaceMany),
        4 => at.clone().prop_map(Op::ToggleB),
        3 => at.clone().prop_map(Op::Destroy),
        1 => at.clone().prop_map(Op::DestroyMany),
        1 => Just(Op::Defragment),
        1 => (1..9_usize).prop_map(Op::DefragmentFor),
        3 => at.clone().prop_map(Op::Drain),
        3 => at.clone().prop_map(Op::DrainRows),
        2 => at.clone().prop_map(Op::Look),
        1 => at.clone().prop_map(Op::Clear),
        1 => at.prop_map(Op::Pause),
        1 => Just(Op::Shrink),
        1 => Just(Op::Reset),
    ]
}

/// A world with collectors, and the ids of all entities there ever were.
struct Side {
    world: World,
    collectors: Vec<Collector<World>>,
    ids: Vec<Id>,
    bulk: bool,
}

impl Side {
    /// `before` collectors that gather nothing come first.
    fn new(bulk: bool, before: usize) -> Self {
        let mut world = World::new();
        meet_all_signatures(&mut world);
        for _ in 0..before {
            let idle = world.collector(World::all_of::<(A, B, Flag)>().left());
            idle.deactivate(&mut world);
        }
        let triggers = [
            World::all_of::<A>().updated(),
            World::all_of::<B>().any_change(),
            World::any_of::<(A, B)>().none_of::<Flag>().updated(),
            World::all_of::<(A, Flag)>().entered(),
            World::all_of::<Flag>().left(),
            World::all_of::<A>()
                .updated()
                .or(World::all_of::<Flag>().entered_or_updated()),
        ];
        let collectors = triggers.map(|trigger| world.collector(trigger)).into();
        Self {
            world,
            collectors,
            ids: Vec::new(),
            bulk,
        }
    }

    fn chosen(&self, at: usize) -> Option<Id> {
        let id = *self.ids.get(at % self.ids.len().max(1))?;
        self.world.contains(id).then_some(id)
    }

    /// The living from a place on, the last first, that have the flag or have not.
    fn after(&mut self, at: usize, flagged: bool) -> Vec<Id> {
        let ids = self.ids.iter().skip(at).rev().copied();
        let world = &self.world;
        ids.filter(|&id| {
            let entity = world.get_entity(id);
            entity.is_some_and(|entity| entity.is_flag() == flagged)
        })
        .collect()
    }

    /// What a query visits, in its order.
    fn visited(query: ecs::Query<'_, World, Id>) -> Vec<Id> {
        query.iter().collect()
    }

    fn update_a(&mut self) {
        if self.bulk {
            self.world.query_mut::<&mut A>().for_each(|a| a.0 += 1);
            return;
        }
        for id in Self::visited(self.world.query::<Id>().with::<A>()) {
            self.world.entity_mut(id).update_a(|a| a.0 += 1);
        }
    }

    fn update_flagged(&mut self) {
        if self.bulk {
            let query = self.world.query_mut::<(&mut A, Option<&mut B>)>();
            query.with::<Flag>().for_each(|(a, b)| {
                a.0 += 1;
                b.into_iter().for_each(|b| b.0 += 1);
            });
            return;
        }
        for id in Self::visited(self.world.query::<Id>().with::<(A, Flag)>()) {
            let mut entity = self.world.entity_mut(id);
            entity.update_a(|a| a.0 += 1);
            if entity.has_b() {
                entity.update_b(|b| b.0 += 1);
            }
        }
    }

    fn add_flags(&mut self, ids: &[Id]) {
        if self.bulk {
            self.world.many(ids).add(|_| Flag);
        } else {
            ids.iter()
                .for_each(|&id| _ = self.world.entity_mut(id).add_flag());
        }
    }

    fn remove_flags(&mut self, ids: &[Id]) {
        if self.bulk {
            self.world.many(ids).remove::<Flag>();
        } else {
            ids.iter()
                .for_each(|&id| _ = self.world.entity_mut(id).remove_flag());
        }
    }

    fn replace_many(&mut self, ids: &[Id]) {
        if self.bulk {
            self.world.many(ids).replace(|_| A(9));
        } else {
            ids.iter()
                .for_each(|&id| _ = self.world.entity_mut(id).replace_a(9));
        }
    }

    fn create(&mut self, count: usize) {
        let values = (0..count as u32).map(|n| (A(n), B(n)));
        if self.bulk {
            self.ids.extend(self.world.create_many(values));
        } else {
            let made = values.map(|value| self.world.create_with(value).id());
            self.ids.extend(made);
        }
    }

    fn toggle_b(&mut self, id: Id) {
        let mut entity = self.world.entity_mut(id);
        match entity.has_b() {
            true => entity.remove_b(),
            false => entity.add_b(0),
        };
    }

    fn destroy_many(&mut self, ids: &[Id]) {
        if self.bulk {
            self.world.many(ids).destroy();
        } else {
            ids.iter().for_each(|&id| self.world.destroy(id));
        }
    }

    /// The living with A that a collector held, in the order of rows.
    fn drain_rows(&mut self, collector: usize) -> Vec<Id> {
        let collector = &self.collectors[collector];
        if self.bulk {
            let query = self.world.query_mut::<(Id, &A)>().drained_from(collector);
            return query.iter().map(|(id, _)| id).collect();
        }
        let held = collector.drain(&mut self.world);
        let mut all = Self::visited(self.world.query::<Id>().with::<A>());
        all.retain(|id| held.contains(id));
        all
    }

    /// Does what is asked for; gives what there is to see of it.
    fn apply(&mut self, op: &Op) -> Vec<Id> {
        match *op {
            Op::UpdateA => self.update_a(),
            Op::UpdateFlagged => self.update_flagged(),
            Op::AddFlags(at) => {
                let ids = self.after(at, false);
                self.add_flags(&ids);
            }
            Op::RemoveFlags(at) => {
                let ids = self.after(at, true);
                self.remove_flags(&ids);
            }
            Op::Create(count) => self.create(count),
            Op::Replace(at) => {
                if let Some(id) = self.chosen(at) {
                    self.world.entity_mut(id).replace_a(7);
                }
            }
            Op::ReplaceMany(at) => {
                let ids = self.after(at, true);
                self.replace_many(&ids);
            }
            Op::ToggleB(at) => {
                if let Some(id) = self.chosen(at) {
                    self.toggle_b(id);
                }
            }
            Op::Destroy(at) => {
                if let Some(id) = self.chosen(at) {
                    self.world.destroy(id);
                }
            }
            Op::DestroyMany(at) => {
                let ids = self.after(at, true);
                self.destroy_many(&ids);
            }
            Op::Defragment => self.world.defragment(),
            Op::DefragmentFor(moves) => _ = self.world.storage_mut().defragment_for(moves),
            Op::Shrink => self.world.storage_mut().shrink_to_fit(),
            Op::Reset => self.world.reset(),
            Op::Drain(at) => {
                let (collectors, world) = (&self.collectors, &mut self.world);
                return collectors[at % COLLECTORS].drain(world);
            }
            Op::DrainRows(at) => return self.drain_rows(at % COLLECTORS),
            Op::Look(at) => return self.collectors[at % COLLECTORS].ids(&self.world).into(),
            Op::Clear(at) => {
                let (collectors, world) = (&self.collectors, &mut self.world);
                collectors[at % COLLECTORS].clear(world);
            }
            Op::Pause(at) => {
                let (collectors, world) = (&self.collectors, &mut self.world);
                collectors[at % COLLECTORS].deactivate(world);
                collectors[at % COLLECTORS].activate(world);
            }
        }
        Vec::new()
    }
}

/// After this, moving entities together puts them into the same order in both worlds,
/// whichever signature comes up first.
fn meet_all_signatures(world: &mut World) {
    let mut entity = world.create_entity();
    for _ in 0..2 {
        entity.add_a(0).add_b(0).remove_a().remove_b();
        let flagged = entity.is_flag();
        entity.set_flag(!flagged);
    }
    entity.add_b(0).add_flag().add_a(0).remove_b();
    entity.destroy();
}

fn held(side: &Side) -> Vec<Vec<Id>> {
    let ids = |collector: &Collector<World>| {
        assert_eq!(collector.len(&side.world), collector.ids(&side.world).len());
        collector.ids(&side.world).to_vec()
    };
    side.collectors.iter().map(ids).collect()
}

proptest! {
    /// Looking at what is held changes how it is kept; so it is looked at now and then.
    #[test]
    fn what_is_collected_in_bulk_is_what_is_collected_one_by_one(
        ops in prop::collection::vec((op(), prop::bool::weighted(0.2)), 1..60),
        before in prop_oneof![Just(0_usize), Just(30)],
    ) {
        let (mut bulk, mut single) = (Side::new(true, before), Side::new(false, before));
        for (op, look) in &ops {
            prop_assert_eq!(bulk.apply(op), single.apply(op), "{:?}", op);
            if *look {
                prop_assert_eq!(held(&bulk), held(&single), "after {:?}", op);
            }
        }
        prop_assert_eq!(held(&bulk), held(&single));
    }
}

fn world(count: u32) -> (World, Vec<Id>, Collector<World>) {
    let mut world = World::new();
    let ids = world.create_many((0..count).map(A));
    let updated = world.collector(World::all_of::<A>().updated());
    (world, ids, updated)
}

#[test]
fn several_collectors_narrow_a_query_to_what_all_of_them_hold() {
    let (mut world, ids, updated) = world(200);
    let flagged = world.collector(World::all_of::<Flag>().entered());
    world.query_mut::<&mut A>().for_each(|_| {});
    world.many(&ids[60..70]).add(|_| Flag);
    let both = world
        .query_mut::<(Id, &A)>()
        .drained_from(&updated)
        .drained_from(&flagged);
    assert!(
        both.iter()
            .map(|(id, _)| id)
            .eq(ids[60..70].iter().copied())
    );
    assert!(updated.is_empty(&world) && flagged.is_empty(&world));
    let none = world.query_mut::<Id>().drained_from(&updated);
    assert_eq!(none.iter().count(), 0);
}

#[test]
fn a_query_that_is_not_walked_has_emptied_the_collector() {
    let (mut world, _, updated) = world(3);
    world.query_mut::<&mut A>().for_each(|_| {});
    drop(world.query_mut::<&A>().drained_from(&updated));
    assert!(updated.is_empty(&world));
    assert_eq!(world.query::<&A>().iter().count(), 3);
}

#[test]
fn the_writers_of_a_query_of_what_changed_are_collected_anew() {
    let (mut world, ids, updated) = world(100);
    world.entity_mut(ids[5]).update_a(|a| a.0 = 0);
    let query = world.query_mut::<&mut A>().drained_from(&updated);
    query.for_each(|a| a.0 += 1);
    assert_eq!(updated.drain(&mut world), [ids[5]]);
    assert_eq!(world.entity(ids[5]).a().0, 1);
}

#[test]
#[should_panic = "this collector belongs to another `World`"]
fn a_collector_of_another_context_is_refused() {
    let (_other, _, foreign) = world(1);
    let (mut world, ..) = world(1);
    drop(world.query_mut::<&A>().drained_from(&foreign));
}

#[test]
fn collectors_of_which_none_holds_all_of_the_other_narrow_a_query_to_what_both_hold() {
    let (mut world, ids, updated) = world(200);
    let flagged = world.collector(World::all_of::<Flag>().entered());
    for turn in [false, true] {
        world.many(&ids[20..150]).add(|_| Flag);
        let first = world.many(&ids[..90]);
        first.update::<A>(|_, a| a.0 += 1);
        let (one, other) = if turn {
            (&updated, &flagged)
        } else {
            (&flagged, &updated)
        };
        let query = world.query_mut::<(Id, &A)>();
        let both = query.drained_from(one).drained_from(other);
        let found: Vec<_> = both.iter().map(|(id, _)| id).collect();
        assert_eq!(found, ids[20..90]);
        assert!(updated.is_empty(&world) && flagged.is_empty(&world));
        world.many(&ids[20..150]).remove::<Flag>();
    }
}

#[test]
fn every_collector_of_updates_collects_beside_an_observer_however_many_there_are() {
    let (mut world, ids, _) = world(3);
    let collectors: Vec<_> = (0..70)
        .map(|_| world.collector(World::all_of::<A>().updated()))
        .collect();
    let told = Notes::default();
    let notes = told.clone();
    let group = world.group(World::all_of::<A>());
    group.on_updated(
        &mut world,
        move |_: &mut World, change: &Change<'_, World>| {
            notes.push(change.entity());
        },
    );
    let replace: fn(&mut World, Id) = |world, id| _ = world.entity_mut(id).replace_a(7);
    let update: fn(&mut World, Id) = |world, id| _ = world.entity_mut(id).update_a(|a| a.0 = 8);
    let walk: fn(&mut World, Id) = |world, _| world.query_mut::<&mut A>().for_each(|a| a.0 = 9);
    for (way, expected) in [
        (replace, &ids[1..2]),
        (update, &ids[1..2]),
        (walk, &ids[..]),
    ] {
        way(&mut world, ids[1]);
        assert_eq!(told.take(), expected);
        for (at, collector) in collectors.iter().enumerate() {
            assert_eq!(collector.drain(&mut world), expected, "collector {at}");
        }
    }
}
