//! A hand-written context that returns one core or another (F39): panics and wrong results, but
//! never undefined behavior, and no value dropped twice.
//!
//! Its random programs have their own, smaller set of operations: those of the crate `model` need
//! derived components and accessors, and derived contexts do not lie. There is no oracle for them.

use std::cell::Cell;

use ecs::__private::IndexCell;
use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex, ComponentNames, Core, Handles, HasCore};
use proptest::prelude::*;

use super::game::{Ledger, Token};
use support::attempt;

/// Two cores; `TURNS` selects which one is returned.
struct Fickle([Core<Fickle>; 2]);

thread_local! {
    /// The core to return next: one bit per call, repeated.
    static TURNS: Cell<u64> = const { Cell::new(0) };
}

fn turn() -> usize {
    let turns = TURNS.get();
    TURNS.set(turns.rotate_right(1));
    (turns & 1) as usize
}

impl ecs::__private::HasThreads for Fickle {
    type Threads = ecs::__private::Shared;
}

impl HasCore for Fickle {
    const NAME: &'static str = "Fickle";

    fn core(&self) -> &Core<Self> {
        &self.0[turn()]
    }

    fn core_mut(&mut self) -> &mut Core<Self> {
        &mut self.0[turn()]
    }
}

impl Context for Fickle {}

impl Handles for Fickle {
    type Entity<'a> = ecs::Entity<'a, Self>;
    type EntityMut<'a> = ecs::EntityMut<'a, Self>;
}

macro_rules! components {
    ($($(#[$attribute:meta])* $name:ident)*) => { $(
        $(#[$attribute])*
        struct $name(Token);

        impl Components<Fickle> for $name {
            fn visit(each: &mut dyn FnMut(ComponentIndex<Fickle>)) {
                each(ecs::__private::index_of::<Fickle, Self>());
            }
        }

        impl Component<Fickle> for $name {
            const NAMES: &'static ComponentNames = &ComponentNames {
                context: "Fickle",
                component: stringify!($name),
                accessor: stringify!($name),
            };

            fn cell() -> &'static IndexCell<Fickle, Self> {
                static CELL: IndexCell<Fickle, $name> = IndexCell::new();
                &CELL
            }
        }

        impl Bundle<Fickle> for $name {
            fn visit_components(each: &mut dyn FnMut(ComponentIndex<Fickle>)) {
                <Self as Components<Fickle>>::visit(each);
            }

            fn put(self, writer: &mut BundleWriter<'_, Fickle>) {
                writer.put(self);
            }
        }
    )* };
}

components!(Left #[repr(align(64))] Right); // sparse blocks of large values share memory

/// The handles of a program, from either core.
#[derive(Default)]
struct Taken {
    ids: Vec<EntityId<Fickle>>,
    groups: Vec<Group<Fickle>>,
    collectors: Vec<Collector<Fickle>>,
    subscriptions: Vec<Subscription>,
}

fn pick<T>(list: &[T], at: u8) -> Option<&T> {
    list.get(usize::from(at) % list.len().max(1))
}

fn change(fickle: &mut Fickle, id: EntityId<Fickle>, what: u8, token: Token) {
    let Some(mut entity) = fickle.get_entity_mut(id) else {
        return;
    };
    match what {
        0 => _ = entity.try_add(Left(token)),
        1 => _ = entity.try_replace(Right(token)),
        2 => _ = entity.try_remove::<Left>(),
        3 => _ = entity.take::<Right>(),
        4 => _ = entity.remove_all(),
        5 => _ = entity.try_update(|value: &mut Left| *value = Left(token)),
        6 => _ = entity.try_destroy(),
        _ => _ = (entity.has_all::<(Left, Right)>(), format!("{entity:?}")),
    }
}

fn act(fickle: &mut Fickle, handles: &mut Taken, ledger: &Ledger, (what, at): (u8, u8)) {
    let token = || ledger.token();
    let group = pick(&handles.groups, at).copied();
    match (what, group) {
        (0..10, _) if !handles.ids.is_empty() => {
            let id = handles.ids[usize::from(at) % handles.ids.len()];
            change(fickle, id, what, token());
        }
        (10, _) => handles.ids.push(fickle.create_entity().id()),
        (11, _) => handles.groups.push(fickle.group(Fickle::all_of::<Left>())),
        (12, _) => handles
            .groups
            .push(fickle.group(Fickle::none_of::<(Left, Right)>())),
        (13, _) => {
            let trigger = Fickle::any_of::<(Left, Right)>().any_change();
            handles.collectors.push(fickle.collector(trigger));
        }
        (14, Some(group)) => group.for_each(fickle, |entity| _ = entity.try_destroy()),
        (15, Some(group)) => _ = (group.ids(fickle), group.iter(fickle).map(|e| e.id()).last()),
        (16, _) => _ = pick(&handles.collectors, at).map(|held| held.drain(fickle)),
        (17, _) if at % 16 == 0 => fickle.destroy_all(),
        (18, _) if at % 16 == 0 => fickle.reset(),
        (19, Some(group)) => {
            let observer = |fickle: &mut Fickle, _: &Change<'_, Fickle>| _ = fickle.create_entity();
            handles.subscriptions.push(group.on_left(fickle, observer));
        }
        (20, _) => _ = pick(&handles.subscriptions, at).map(|one| fickle.unsubscribe(*one)),
        (21, _) => fickle
            .query_mut::<&mut Left>()
            .for_each(|left| left.0 = token()),
        (22, Some(group)) => {
            let both = fickle.query_mut::<(EntityId<Fickle>, Option<&Left>, &mut Right)>();
            both.in_group(group)
                .for_each(|(_, _, right)| right.0 = token());
        }
        (24, _) => fickle
            .query_mut::<(&mut Left, Option<&mut Right>)>()
            .for_each(|(left, right)| {
                left.0 = token();
                right.into_iter().for_each(|right| right.0 = token());
            }),
        (25, _) => fickle
            .query_mut::<(EntityId<Fickle>, ecs::View<'_, Fickle, Left>, &mut Right)>()
            .for_each_slice(|(ids, lefts, rights)| {
                let pairs = ids.iter().zip(rights);
                pairs.for_each(|(id, right)| _ = (lefts.contains(id), right.0 = token()));
            }),
        (23, _) => _ = fickle.entities().map(|entity| format!("{entity:?}")).last(),
        (26, _) => handles
            .ids
            .push(fickle.create_with((Left(token()), Right(token()))).id()),
        _ => act_on_many(fickle, handles, ledger, what, at),
    }
}

/// The ids from some position on, of both cores, including dead ones.
fn some(handles: &Taken, at: u8) -> Vec<EntityId<Fickle>> {
    let all = handles.ids.iter().copied();
    all.skip(usize::from(at % 8))
        .take(usize::from(at))
        .collect()
}

fn act_on_many(fickle: &mut Fickle, handles: &mut Taken, ledger: &Ledger, what: u8, at: u8) {
    let token = || ledger.token();
    let many = usize::from(at % 70);
    let ids = some(handles, at);
    match what {
        27 if at.is_multiple_of(2) => _ = fickle.many(&ids).try_add_with(|_| Left(token())),
        27 => {
            let mut left = at % 8;
            _ = fickle.many(&ids).try_add_with(|_| {
                left = left.checked_sub(1).expect("a value that panics");
                Right(token())
            });
        }
        28 => _ = fickle.many(&ids).try_remove::<Left>(),
        29 => _ = fickle.many(&ids).try_replace_with(|_| Left(token())),
        30 => {
            _ = fickle.many(&ids).try_update(|_, left: &mut Left| {
                assert_ne!(many, 5, "a change that panics");
                left.0 = token();
            });
        }
        31 => _ = fickle.many(&ids).try_destroy(),
        32 => {
            let pair = |nth| {
                assert_ne!(nth, 50, "an iterator that panics");
                (Left(token()), Right(token()))
            };
            handles.ids.extend(fickle.create_many((0..many).map(pair)));
        }
        33 => {
            let columns = (0..many).map(|_| (Left(token()), Right(token()))).unzip();
            let columns: (Vec<_>, Vec<_>) = columns;
            handles.ids.extend(fickle.create_columns(columns));
        }
        34 => fickle.defragment(),
        35 => _ = fickle.storage_mut().defragment_for(many),
        _ => act_on_members(fickle, handles, ledger, what, at),
    }
}

fn act_on_members(fickle: &mut Fickle, handles: &mut Taken, ledger: &Ledger, what: u8, at: u8) {
    let token = || ledger.token();
    let many = usize::from(at % 70);
    let group = pick(&handles.groups, at).copied();
    match (what, group, pick(&handles.collectors, at)) {
        (36, _, Some(held)) => {
            let mut query = fickle.query_mut::<&mut Left>().drained_from(held);
            let items: Vec<_> = query.iter_mut().take(many).collect();
            items.into_iter().for_each(|left| left.0 = token());
            query.for_each(|left| left.0 = token());
        }
        (37, _, Some(held)) => fickle
            .query_mut::<&mut Left>()
            .drained_from(held)
            .for_each_slice(|lefts| lefts.iter_mut().for_each(|left| left.0 = token())),
        (38, Some(group), _) => _ = group.remove_from_all::<Left>(fickle),
        (39, Some(group), _) => _ = group.destroy_all(fickle),
        (40, Some(group), _) => {
            let observer = move |fickle: &mut Fickle, change: &Change<'_, Fickle>| {
                assert!(!at.is_multiple_of(5), "an observer that panics");
                _ = fickle
                    .get_entity_mut(change.entity())
                    .map(|mut e| _ = e.try_remove::<Left>());
            };
            let event = [Group::on_entered, Group::on_updated][usize::from(at) % 2];
            handles.subscriptions.push(event(group, fickle, observer));
        }
        (41, _, _) => {
            let ledger = ledger.clone();
            let observer =
                move |fickle: &mut Fickle, _| _ = fickle.create_with(Right(ledger.token()));
            handles
                .subscriptions
                .push(fickle.observers().on_will_be_destroyed(observer));
        }
        _ => {
            for (nth, mut left) in fickle.query_mut::<Mut<'_, Left>>().iter_mut().enumerate() {
                assert_ne!((nth, at), (5, 6), "a loop that panics");
                if nth == many {
                    break;
                }
                left.0 = token();
            }
        }
    }
}

proptest! {
    /// F39: a context whose `core` returns different cores.
    #[test]
    fn a_context_with_two_cores_is_sound(
        turns in any::<u64>(),
        program in prop::collection::vec((0u8..43, any::<u8>()), 1..60),
    ) {
        let ledger = Ledger::default();
        let mut fickle = Fickle([Core::new(), Core::new()]);
        let mut handles = Taken::default();
        TURNS.set(turns);
        for step in program {
            attempt(|| act(&mut fickle, &mut handles, &ledger, step));
        }
        drop(fickle);
        ledger.assert_none_dropped_twice(); // a value may leak: its row can be in the other core
    }
}
