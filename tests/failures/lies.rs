//! Hand-written implementations of the traits of the macros, as wrong as safe code can make them
//! (F39): at worst a clean panic, never undefined behavior.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ecs::__private::{IndexCell, Registration, index_of, inventory};
use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex, ComponentNames};

use super::game::assert_groups_agree;
use super::game::{Ledger, Signature, Token};
use support::{attempt, panic_of};

/// Has components that lie, for this test only.
#[ecs::context]
struct World;

impl Signature<World> for WorldEntity<'_> {
    fn signature(&self) -> (EntityId<World>, ecs::ComponentSet<World>) {
        (self.id(), self.component_indices().into_iter().collect())
    }
}

/// The names of all of them, all wrong.
const NAMES: &ComponentNames = &ComponentNames {
    context: "Nowhere",
    component: "",
    accessor: "🦀",
};

type Visitor<'a, C> = &'a mut dyn FnMut(ComponentIndex<C>);

/// A component by hand: its cell, and the components that its bundle visits.
macro_rules! by_hand {
    ($name:ident of $context:ident, cell $cell:expr, visit $visit:expr) => {
        impl Components<$context> for $name {
            fn visit(each: Visitor<'_, $context>) {
                let visit: fn(Visitor<'_, $context>) = $visit;
                visit(each);
            }
        }

        impl Component<$context> for $name {
            const NAMES: &'static ComponentNames = NAMES;

            fn cell() -> &'static IndexCell<$context, Self> {
                $cell
            }
        }

        impl Bundle<$context> for $name {
            fn visit_components(each: &mut dyn FnMut(ComponentIndex<$context>)) {
                <Self as Components<$context>>::visit(each);
            }

            fn put(self, writer: &mut BundleWriter<'_, $context>) {
                writer.put(self);
            }
        }
    };
}

/// Returns another cell at each call, and its bundle visits no component.
struct Forgetful(#[expect(dead_code, reason = "its drop is counted")] Token);

fn another_cell() -> &'static IndexCell<World, Forgetful> {
    static CELLS: Mutex<Vec<&IndexCell<World, Forgetful>>> = Mutex::new(Vec::new());
    let new: &IndexCell<_, _> = Box::leak(Box::new(IndexCell::new()));
    CELLS.lock().unwrap().push(new);
    new
}

by_hand!(Forgetful of World, cell another_cell(), visit |_| {});

/// Is registered twice, and its bundle visits another component.
struct Impostor(
    [u64; 9],
    #[expect(dead_code, reason = "its drop is counted")] Token,
);

static IMPOSTOR: IndexCell<World, Impostor> = IndexCell::new();

by_hand!(Impostor of World, cell &IMPOSTOR, visit |each| each(index_of::<World, Honest>()));

inventory::submit! { Registration::new::<World, Impostor>() }
inventory::submit! { Registration::new::<World, Impostor>() }

/// Its bundle visits itself many times, and another component.
#[derive(Debug, PartialEq)]
struct Boaster;

static BOASTER: IndexCell<World, Boaster> = IndexCell::new();

by_hand!(Boaster of World, cell &BOASTER, visit |each| {
    (0..9).for_each(|_| each(index_of::<World, Boaster>()));
    each(index_of::<World, Forgetful>());
});

#[derive(Component, Debug, PartialEq, Clone)]
#[component(context = World)]
struct Honest(u8);

/// F39: changing cells, double registrations, wrong names and wrong visits: all values stay intact.
#[test]
fn components_by_hand_keep_their_values_apart() {
    let ledger = Ledger::default();
    let mut world = World::new();
    let ids = world.create_many((0..200).map(Honest));
    for &id in &ids {
        let mut entity = world.entity_mut(id);
        entity.add(Forgetful(ledger.token())).add(Boaster);
        entity.add(Impostor([u64::from(id.index()); 9], ledger.token()));
        entity.replace(Forgetful(ledger.token()));
    }
    for &id in ids.iter().step_by(3) {
        world.entity_mut(id).remove::<Forgetful>();
    }
    for (at, &id) in ids.iter().enumerate() {
        let entity = world.entity(id);
        let count = at as u64;
        assert_eq!(entity.honest(), &Honest(at as u8));
        assert_eq!(entity.component::<Impostor>().0, [count; 9]);
        assert_eq!(entity.component::<Boaster>(), &Boaster);
        assert_eq!(entity.has::<Forgetful>(), at % 3 != 0);
    }
    world.destroy_all();
    assert_eq!(ledger.alive(), 0);
    ledger.assert_all_dropped_once();
}

/// F39: matchers, triggers and queries from wrong visits match the visited components.
#[test]
fn wrong_visits_make_consistent_groups() {
    let mut world = World::new();
    let groups = [
        world.group(World::all_of::<Forgetful>()),
        world.group(World::all_of::<Impostor>().none_of::<Boaster>()),
        world.group(World::any_of::<(Boaster, Honest)>()),
        world.group(World::none_of::<Impostor>()),
    ];
    let collector = world.collector(
        World::all_of::<Boaster>()
            .entered_or_updated()
            .or(groups[1].matcher(&world).left()),
    );
    let ids = world.create_many((0..70).map(Honest));
    world
        .entity_mut(ids[3])
        .add(Boaster)
        .replace(Boaster)
        .remove::<Honest>();
    world.entity_mut(ids[5]).remove_all();
    assert_groups_agree(&world);
    let with = world.query_mut::<(&mut Honest, Option<&mut Boaster>, EntityId<World>)>();
    assert_eq!(
        with.with::<Impostor>()
            .without::<Forgetful>()
            .untracked()
            .iter()
            .count(),
        68
    );
    assert_eq!(
        world.query::<&Boaster>().with::<Boaster>().iter().count(),
        0
    );
    assert_eq!(world.query::<&Boaster>().iter().count(), 1);
    assert!(collector.drain(&mut world).contains(&ids[5]));
    let shown = groups.map(|group| group.display(&world).to_string());
    assert!(shown.iter().all(|text| text.contains("Of(")), "{shown:?}");
    world.reset();
    assert_groups_agree(&world);
}

/// Panics at the call of `cell` with this number.
static MOODY_CALLS: AtomicUsize = AtomicUsize::new(0);
static MOODY_PANICS_AT: AtomicUsize = AtomicUsize::new(usize::MAX);

struct Moody(#[expect(dead_code, reason = "its drop is counted")] Token);

static MOODY: IndexCell<World, Moody> = IndexCell::new();

/// Only one test at a time sets when the cell panics.
fn turn() -> std::sync::MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn moody() -> &'static IndexCell<World, Moody> {
    let call = MOODY_CALLS.fetch_add(1, Ordering::Relaxed);
    assert!(call != MOODY_PANICS_AT.load(Ordering::Relaxed), "moody");
    &MOODY
}

by_hand!(Moody of World, cell moody(), visit |_| {});

/// F39: `cell` panics at each of its calls in each operation: the value is added, removed, replaced
/// or dropped, but never twice, and groups stay correct.
#[test]
fn a_cell_that_panics_leaves_a_valid_context() {
    let _turn = turn();
    type Operation = fn(&mut World, EntityId<World>, Moody);
    let operations: [Operation; 6] = [
        |world, id, new| _ = world.entity_mut(id).add(new),
        |world, id, new| _ = world.entity_mut(id).replace(new).replace(Honest(1)),
        |world, id, _| _ = world.entity_mut(id).try_remove::<Moody>(),
        |world, id, _| _ = world.entity_mut(id).take::<Moody>(),
        |world, _, new| _ = world.create_with((Honest(9), new)),
        |world, id, new| _ = world.entity_mut(id).try_update(|value| *value = new),
    ];
    for operation in operations {
        for has_one in [false, true] {
            for call in 0..6 {
                moody_panics(operation, has_one, call);
            }
        }
    }
}

fn moody_panics(operation: fn(&mut World, EntityId<World>, Moody), has_one: bool, call: usize) {
    let ledger = Ledger::default();
    let mut world = World::new();
    let group = world.group(World::all_of::<Honest>());
    group.on_updated(&mut world, |_, _| {});
    let id = world.create_with(Honest(0)).id();
    if has_one {
        world.entity_mut(id).add(Moody(ledger.token()));
    }
    let new = Moody(ledger.token());
    MOODY_PANICS_AT.store(
        MOODY_CALLS.load(Ordering::Relaxed) + call,
        Ordering::Relaxed,
    );
    attempt(|| operation(&mut world, id, new));
    MOODY_PANICS_AT.store(usize::MAX, Ordering::Relaxed);
    let entity = world.entity(id);
    let in_signature = entity.component_indices().len() == 2;
    assert_eq!(entity.has::<Moody>(), in_signature, "value and signature");
    assert_groups_agree(&world);
    world.reset();
    let next = world.create_with((Honest(1), Moody(ledger.token()))).id();
    assert_eq!(world.entity(next).component_indices().len(), 2);
    drop(world);
    ledger.assert_all_dropped_once();
}

/// A bundle that writes other components than it visits.
enum Parcel {
    Nothing,
    Others(Token, Token),
    SameTwice(Token, Token),
    SameTwiceCaught(Token, Token),
    PanicsHalfWay(Token),
}

impl Components<World> for Parcel {
    fn visit(each: Visitor<'_, World>) {
        each(index_of::<World, Boaster>());
    }
}

impl Bundle<World> for Parcel {
    fn visit_components(each: &mut dyn FnMut(ComponentIndex<World>)) {
        <Self as Components<World>>::visit(each);
    }

    fn put(self, writer: &mut BundleWriter<'_, World>) {
        match self {
            Self::Nothing => {}
            Self::Others(a, b) => {
                writer.put(Impostor([7; 9], a));
                writer.put(Forgetful(b));
            }
            Self::SameTwice(a, b) => {
                writer.put(Forgetful(a));
                writer.put(Forgetful(b));
            }
            Self::SameTwiceCaught(a, b) => {
                writer.put(Forgetful(a));
                panic_of(|| writer.put(Forgetful(b)));
                writer.put(Honest(4));
            }
            Self::PanicsHalfWay(a) => {
                writer.put(Forgetful(a));
                panic!("half-way");
            }
        }
    }
}

/// F39: a bundle that writes other values than it visits, none, or the same twice: the entity has
/// the written values, or does not exist.
#[test]
fn a_bundle_consists_of_the_values_it_writes() {
    let ledger = Ledger::default();
    let token = || ledger.token();
    let mut world = World::new();
    let group = world.group(World::none_of::<Forgetful>());
    let size = |world: &World, id| world.entity(id).component_indices().len();
    let id = world.create_with(Parcel::Nothing).id();
    assert_eq!(size(&world, id), 0);
    let id = world
        .create_with((Honest(1), Parcel::Others(token(), token())))
        .id();
    assert_eq!(size(&world, id), 3);
    let id = world
        .create_with(Parcel::SameTwiceCaught(token(), token()))
        .id();
    assert_eq!((size(&world, id), world.entity(id).honest().0), (2, 4));
    panic_of(|| _ = world.create_with(Parcel::SameTwice(token(), token())));
    panic_of(|| _ = world.create_with((Honest(2), Parcel::PanicsHalfWay(token()))));
    assert_eq!((world.len(), group.len(&world)), (3, 3));
    let next = world.create_with(Honest(2)).id();
    assert_eq!(size(&world, next), 1);
    assert_groups_agree(&world);
    drop(world);
    ledger.assert_all_dropped_once();
}

/// Has a large component whose bundle visits no component.
#[ecs::context]
struct Cave;

#[derive(Component, Clone)]
#[component(context = Cave)]
struct Guest(u8);

/// Its bundle visits no component, and it is large enough for sparse blocks to share memory.
struct Hermit(
    [u64; 9],
    #[expect(dead_code, reason = "its drop is counted")] Token,
);

static HERMIT: IndexCell<Cave, Hermit> = IndexCell::new();

by_hand!(Hermit of Cave, cell &HERMIT, visit |_| {});

/// F39: components whose bundle visits no component, created by columns: the entities have them
/// anyway, and values added later overwrite no other value.
#[test]
fn columns_hold_their_values_regardless_of_visits() {
    let ledger = Ledger::default();
    let mut cave = Cave::new();
    let hermits = |range: std::ops::Range<u64>| -> Vec<_> {
        let hermit = |nth| Hermit([nth; 9], ledger.token());
        range.map(hermit).collect()
    };
    let ids = cave.create_columns(hermits(0..3));
    let mut left = 1;
    let mut value = |_| {
        assert!(left > 0, "the second one");
        left -= 1;
        Hermit([7; 9], ledger.token())
    };
    attempt(|| assert!(cave.many(&ids).try_add_with(&mut value).is_err()));
    let late = cave.create_many((0..90).map(Guest));
    for (&id, nth) in late.iter().zip(100..) {
        cave.entity_mut(id).add(Hermit([nth; 9], ledger.token()));
    }
    for (nth, &id) in (0..3).chain(100..).zip(ids.iter().chain(&late)) {
        let entity = cave.entity(id);
        assert_eq!(entity.component::<Hermit>().0, [nth; 9]);
        let index = cave.components().index_of::<Hermit>();
        assert!(entity.component_indices().contains(&index));
    }
    cave.destroy_all();
    assert_eq!(ledger.alive(), 0);
    ledger.assert_all_dropped_once();
}

/// A bundle by hand that does not write its value.
struct Stingy(#[expect(dead_code, reason = "its drop is counted")] Token);

static STINGY: IndexCell<Cave, Stingy> = IndexCell::new();

impl Components<Cave> for Stingy {
    fn visit(each: Visitor<'_, Cave>) {
        each(index_of::<Cave, Stingy>());
    }
}

impl Component<Cave> for Stingy {
    const NAMES: &'static ComponentNames = NAMES;

    fn cell() -> &'static IndexCell<Cave, Self> {
        &STINGY
    }
}

impl Bundle<Cave> for Stingy {
    fn visit_components(each: &mut dyn FnMut(ComponentIndex<Cave>)) {
        <Self as Components<Cave>>::visit(each);
    }

    fn put(self, writer: &mut BundleWriter<'_, Cave>) {
        writer.put(Guest(7));
    }
}

/// F39: a component whose bundle writes another one, created by columns in recycled and new slots,
/// with and without observers: the entities have the values of the columns.
#[test]
fn values_written_by_a_bundle_do_not_affect_columns() {
    for is_observed in [false, true] {
        let ledger = Ledger::default();
        let mut cave = Cave::new();
        if is_observed {
            let group = cave.group(Cave::all_of::<Guest>());
            group.on_entered(&mut cave, |_, _| ());
        }
        let old = cave.create_many((0..5).map(Guest));
        old.iter().for_each(|&id| cave.destroy(id));
        let stingy = (0..9).map(|_| Stingy(ledger.token())).collect::<Vec<_>>();
        let ids = cave.create_columns((stingy, vec![Guest(1); 9]));
        assert_eq!(ledger.alive(), 9);
        for &id in &ids {
            let entity = cave.entity(id);
            assert!(entity.has::<Stingy>() && entity.guest().0 == 1);
            assert_eq!(entity.component_indices().len(), 2);
        }
        drop(cave);
        ledger.assert_all_dropped_once();
    }
}

/// F39: `cell` panics at each of its calls while entities are created from columns: all of them
/// exist or none does, and a later entity has only its own values.
#[test]
fn a_cell_that_panics_among_columns_leaves_no_value_behind() {
    let _turn = turn();
    for call in 0..12 {
        let ledger = Ledger::default();
        let mut world = World::new();
        let moody = (0..3).map(|_| Moody(ledger.token())).collect::<Vec<_>>();
        let honest = vec![Honest(1); 3];
        let next = MOODY_CALLS.load(Ordering::Relaxed) + call;
        MOODY_PANICS_AT.store(next, Ordering::Relaxed);
        let panicked = attempt(|| _ = world.create_columns((honest, moody)));
        MOODY_PANICS_AT.store(usize::MAX, Ordering::Relaxed);
        let expected = if panicked.is_none() { 3 } else { 0 };
        assert_eq!(world.len(), expected, "panics at call {call}");
        let late = world.create_columns(vec![Forgetful(ledger.token())])[0];
        let entity = world.entity(late);
        assert!(!entity.has_honest() && !entity.has::<Moody>(), "{call}");
        assert_eq!(entity.component_indices().len(), 1);
        drop(world);
        ledger.assert_all_dropped_once();
    }
}
