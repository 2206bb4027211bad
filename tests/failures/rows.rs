//! Bundles written to rows, many at once (F39): whatever and however many values a hand-written
//! component writes, each value is stored in its place or dropped.

use ecs::__private::{IndexCell, Registration, RowWriter, index_of, inventory};
use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex, ComponentNames};

use super::game::{Ledger, Token};
use support::panic_of;

/// Has components that lie, for this test only.
#[ecs::context]
struct World;

#[derive(Component)]
#[component(context = World)]
struct Honest(Token);

const NAMES: &ComponentNames = &ComponentNames {
    context: "World",
    component: "ByHand",
    accessor: "by_hand",
};

/// A component that claims to fit into a row, and the values it writes.
macro_rules! by_hand {
    ($name:ident: $cell:ident, $row:ident, $value:ident => $put:expr) => {
        static $cell: IndexCell<World, $name> = IndexCell::new();

        inventory::submit! { Registration::new::<World, $name>() }

        impl Components<World> for $name {
            fn visit(each: &mut dyn FnMut(ComponentIndex<World>)) {
                each(index_of::<World, $name>());
            }
        }

        impl Component<World> for $name {
            const NAMES: &'static ComponentNames = NAMES;

            fn cell() -> &'static IndexCell<World, Self> {
                &$cell
            }
        }

        impl Bundle<World> for $name {
            fn visit_components(each: &mut dyn FnMut(ComponentIndex<World>)) {
                <Self as Components<World>>::visit(each);
            }

            const FITS_INTO_ROW: bool = true;

            fn put(self, writer: &mut BundleWriter<'_, World>) {
                writer.put(self);
            }

            fn put_in_row<'l>(self, $row: RowWriter<'l, World>) -> RowWriter<'l, World> {
                let $value = self;
                $put
            }
        }
    };
}

struct Silent(#[expect(dead_code, reason = "its drop is counted")] Token);
struct Twofold(#[expect(dead_code, reason = "it is put twice")] u64);
struct Other(Token);
struct Late(u8);

by_hand!(Silent: SILENT, row, _silent => row);
by_hand!(Twofold: TWOFOLD, row, twofold => row.put(Twofold(1)).put(twofold));
by_hand!(Other: OTHER, row, other => row.put(Honest(other.0)));
by_hand!(Late: LATE, row, late => {
    assert!(late.0 < 70, "too late");
    row.put(late)
});

/// Returns the message for rejected bundles; no value must be stored.
#[track_caller]
fn rejection<B: Bundle<World>>(bundle: impl Fn(Honest) -> B) -> String {
    let (ledger, mut world) = (Ledger::default(), World::new());
    let bundles = (0..100).map(|_| bundle(Honest(ledger.token())));
    let message = panic_of(|| _ = world.create_many(bundles));
    assert!(world.is_empty() && world.group(World::all_of::<Honest>()).is_empty(&world));
    ledger.assert_all_dropped_once();
    world.create_many((0..100).map(|_| Honest(ledger.token())));
    assert_eq!((world.len(), ledger.alive()), (100, 100));
    message
}

/// F39: nothing, too much, and something else.
#[test]
fn a_row_takes_only_values_it_has_places_for() {
    let silent = Ledger::default();
    let message = rejection(|honest| (honest, Silent(silent.token())));
    assert!(
        message.contains("a row has a value of each lane"),
        "{message}"
    );
    silent.assert_all_dropped_once();
    let message = rejection(|honest| (Twofold(0), honest));
    assert!(message.contains("Twofold` in a row"), "{message}");
    let message = rejection(|honest| (honest, Twofold(0)));
    assert!(message.contains("Twofold` in a row"), "{message}");
    let other = Ledger::default();
    let message = rejection(|honest| (honest, Other(other.token())));
    assert!(message.contains("Honest` in a row"), "{message}");
    other.assert_all_dropped_once();
}

/// F39: the entities before one that panics are complete, in full blocks and in the last one.
#[test]
fn a_panic_while_a_row_is_filled_drops_its_values_alone() {
    let (ledger, mut world) = (Ledger::default(), World::new());
    let bundles = (0..100).map(|at| (Honest(ledger.token()), Late(at), Twofold(0)));
    panic_of(|| _ = world.create_many(bundles));
    assert_eq!((world.len(), ledger.alive()), (0, 0)); // a duplicate in the first row
    let bundles = (0..100).map(|at| (Honest(ledger.token()), Late(at)));
    let message = panic_of(|| _ = world.create_many(bundles));
    assert_eq!(
        (&*message, world.len(), ledger.alive()),
        ("too late", 70, 70)
    );
    let members = world.group(World::all_of::<(Honest, Late)>());
    assert_eq!(members.len(&world), 70);
    world.create_many((0..70).map(|at| (Honest(ledger.token()), Late(at))));
    assert_eq!((members.len(&world), ledger.alive()), (140, 140));
    drop(world);
    ledger.assert_all_dropped_once();
}

macro_rules! letters {
    ($($name:ident)*) => {
        $(
            #[derive(Component, Debug, PartialEq)]
            #[component(context = World)]
            struct $name(u16);
        )*
        impl World {
            /// The sum of all values of an entity that has no other component.
            fn sum(&self, id: EntityId<World>) -> u64 {
                let entity = self.entity(id);
                0 $(+ entity.get::<$name>().map_or(0, |value| u64::from(value.0)))*
            }
        }
    };
}

letters!(Aa Bb Cc Dd Ee Ff Gg Hh Ii Jj Kk Ll Mm Nn Oo Pp Qq Rr Ss Tt Uu Vv Ww Xx Yy);

type Twelve = (Aa, Bb, Cc, Dd, Ee, Ff, Gg, Hh, Ii, Jj, Kk, Ll);
type Others = (Mm, Nn, Oo, Pp, Qq, Rr, Ss, Tt, Uu, Vv, Ww, Xx);

fn twelve(at: u16) -> Twelve {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = [at; 12];
    (
        Aa(a),
        Bb(b),
        Cc(c),
        Dd(d),
        Ee(e),
        Ff(f),
        Gg(g),
        Hh(h),
        Ii(i),
        Jj(j),
        Kk(k),
        Ll(l),
    )
}

fn others(at: u16) -> Others {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = [at; 12];
    (
        Mm(a),
        Nn(b),
        Oo(c),
        Pp(d),
        Qq(e),
        Rr(f),
        Ss(g),
        Tt(h),
        Uu(i),
        Vv(j),
        Ww(k),
        Xx(l),
    )
}

/// The largest number of values of a row in a bulk create, and one more.
#[test]
fn bundles_of_many_components_are_complete() {
    let mut world = World::new();
    let ids = world.create_many((0..100).map(|at| (twelve(at), others(at))));
    for (&id, at) in ids.iter().zip(0..) {
        assert_eq!(world.sum(id), 24 * at);
    }
    let ids = world.create_many((0..100).map(|at| (twelve(at), Yy(at), ((), others(at)))));
    for (&id, at) in ids.iter().zip(0..) {
        assert_eq!(world.sum(id), 25 * at);
    }
    let all = world.group(World::all_of::<((Twelve, Others), Yy)>());
    assert_eq!((world.len(), all.len(&world)), (200, 100));
}
