//! Panics of user code that a history lives through: a rewind whose `Clone` panics has changed nothing.

use std::cell::Cell;

use ecs::prelude::*;
use ecs::{History, Mark, RemovedValues};
use support::attempt;

/// All of it can feed a checksum, which the components of the shared game cannot.
#[ecs::context]
struct World;

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

    /// All that a rewind puts back.
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
