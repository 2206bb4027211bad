//! A history survives panics of user code: a rewind whose `Clone` panics changes nothing, and an
//! update whose closure panics is recorded like a finished one.

use std::cell::Cell;

use ecs::prelude::*;
use ecs::{History, Mark, RemovedValues};
use support::attempt;

/// Has only components with checksums, unlike the shared game.
#[ecs::context]
struct World;

#[derive(Component, Clone, Debug, Hash, PartialEq)]
#[component(context = World)]
struct Health(u32);

#[derive(Component, Clone, Debug, Hash, PartialEq)]
#[component(context = World, unique)]
struct Score(u32);

#[derive(Component, Clone, Debug, Hash)]
#[component(context = World)]
struct Team(#[component(index)] &'static str);

#[derive(Component, Clone, Debug, Hash)]
#[component(context = World)]
struct Seat(#[component(primary_index)] u32);

#[derive(Component, Clone, Debug, Hash)]
#[component(context = World)]
struct ChildOf(#[component(relation(reverse = children, acyclic))] EntityId<World>);

thread_local! {
    /// Whether the next clone of a `Fickle` panics.
    static ARMED: Cell<bool> = const { Cell::new(false) };
}

/// A value whose `Clone` may panic.
#[derive(Component, Debug, Hash, PartialEq)]
#[component(context = World)]
struct Fickle(u32);

impl Clone for Fickle {
    fn clone(&self) -> Self {
        assert!(!ARMED.replace(false), "clone");
        Self(self.0)
    }
}

/// A world with a removed value at both its marks, and all kinds of changes between them.
struct Recorded {
    world: World,
    history: History<World>,
    lost: RemovedValues<World, Fickle>,
    touched: Collector<World>,
    marks: [Mark<World>; 2],
}

impl Recorded {
    fn new() -> Self {
        let mut world = World::new();
        let lost = world.removed_values::<Fickle>();
        let touched = world.collector(World::any_of::<(Team, ChildOf)>().entered_or_updated());
        let id = world.create_with((Team("red"), Fickle(1), Seat(1))).id();
        world.entity_mut(id).remove_fickle();
        let history = world.record();
        let before = history.mark(&mut world);
        let child = world.create_with((Team("red"), ChildOf(id))).id();
        world.create_with((Team("red"), ChildOf(id)));
        world.entity_mut(id).replace_team("blue").replace_seat(2);
        world.destroy(child);
        let marks = [before, history.mark(&mut world)];
        Self {
            world,
            history,
            lost,
            touched,
            marks,
        }
    }

    /// Everything that a rewind restores.
    fn seen(&mut self) -> String {
        let world = &self.world;
        let teams = ["red", "blue"].map(|team| world.entities_with_team(team).ids());
        let seats = [1, 2].map(|seat| world.entity_with_seat(&seat).map(|it| it.id()));
        let links = world.entities().map(|it| (it.id(), it.children().to_vec()));
        let links: Vec<_> = links.collect();
        let (held, len) = (self.touched.ids(world), self.history.len(world));
        let seen = format!("{teams:?} {seats:?} {links:?} {held:?} {len}");
        format!("{seen} {}", self.history.checksum(&mut self.world))
    }

    fn go(&mut self, back: bool) -> usize {
        match back {
            true => self.history.rewind(&mut self.world, self.marks[0]),
            false => self.history.forward(&mut self.world, self.marks[1]),
        }
    }
}

/// F02.
#[test]
fn a_rewind_whose_clone_panics_has_changed_nothing() {
    let mut recorded = Recorded::new();
    for back in [true, false, true] {
        let before = recorded.seen();
        ARMED.set(true);
        assert_eq!(attempt(|| _ = recorded.go(back)).as_deref(), Some("clone"));
        recorded.world.storage().check_invariants();
        assert_eq!(recorded.seen(), before, "back: {back}");
        assert!(recorded.go(back) > 0);
        recorded.world.storage().check_invariants();
        assert_ne!(recorded.seen(), before);
    }
    let lost = recorded.lost.drain(&mut recorded.world);
    assert_eq!(lost.len(), 1, "what was held at the mark");
}

/// Subscribers to the changes of values, all of them empty.
struct Followed {
    world: World,
    id: EntityId<World>,
    history: History<World>,
    start: Mark<World>,
    sum: u64,
    updated: Collector<World>,
}

impl Followed {
    fn new(observed: bool) -> Self {
        let mut world = World::new();
        let id = world.create_with((Health(0), Score(0))).id();
        let updated = world.collector(World::any_of::<(Health, Score)>().updated());
        if observed {
            let group = world.group(World::any_of::<(Health, Score)>());
            group.on_updated(&mut world, |_, _| panic!("no observer is notified"));
        }
        let history = world.record();
        let (start, sum) = (history.mark(&mut world), history.checksum(&mut world));
        Self {
            world,
            id,
            history,
            start,
            sum,
            updated,
        }
    }
}

fn write(value: &mut u32) {
    *value = 1;
    panic!("half-way");
}

/// F02.
#[test]
fn an_update_whose_closure_panics_is_recorded_and_collected_like_a_finished_one() {
    type Update = fn(&mut World, EntityId<World>);
    let updates: [Update; 6] = [
        |world, id| {
            world
                .entity_mut(id)
                .update_health(|health| write(&mut health.0))
        },
        |world, id| {
            _ = world
                .entity_mut(id)
                .try_update::<Health, _>(|health| write(&mut health.0))
        },
        |world, id| {
            world
                .many(&[id])
                .update::<Health>(|_, health| write(&mut health.0))
        },
        |world, id| {
            _ = world
                .many(&[id])
                .try_update::<Health>(|_, it| write(&mut it.0))
        },
        |world, _| world.update_score(|score| write(&mut score.0)),
        |world, _| {
            world
                .unique_mut::<Score>()
                .update(|score| write(&mut score.0))
        },
    ];
    for (update, observed) in updates.iter().flat_map(|it| [(it, false), (it, true)]) {
        let followed = Followed::new(observed);
        let (mut world, id, history) = (followed.world, followed.id, followed.history);
        let message = attempt(|| update(&mut world, id));
        assert_eq!(message.as_deref(), Some("half-way"));
        assert_ne!(history.checksum(&mut world), followed.sum);
        assert_eq!(followed.updated.ids(&world), [id]);
        assert_eq!(history.rewind(&mut world, followed.start), 1);
        assert_eq!(history.checksum(&mut world), followed.sum);
        assert_eq!((world.entity(id).health().0, world.score().0), (0, 0));
        world.storage().check_invariants();
    }
}

/// F02.
#[test]
fn an_update_of_a_clone_that_panics_is_no_change() {
    type Update = fn(&mut World, EntityId<World>);
    let updates: [Update; 3] = [
        |world, id| {
            world
                .entity_mut(id)
                .update_health_with(|it, _| write(&mut it.0))
        },
        |world, id| world.entity_mut(id).update_seat(|seat| write(&mut seat.0)),
        |world, id| {
            world
                .many(&[id])
                .update::<Seat>(|_, seat| write(&mut seat.0))
        },
    ];
    for update in updates {
        let followed = Followed::new(true);
        let (mut world, id, history) = (followed.world, followed.id, followed.history);
        world.entity_mut(id).add_seat(7);
        let (sum, len) = (history.checksum(&mut world), history.len(&world));
        assert!(attempt(|| update(&mut world, id)).is_some());
        assert!(followed.updated.is_empty(&world));
        assert_eq!(history.len(&world), len);
        assert_eq!(history.checksum(&mut world), sum);
    }
}
