//! A hand-written context that answers with one core or another (F39): panics, wrong
//! answers, but never undefined behaviour, and no value dropped twice.

use std::cell::Cell;

use ecs::__private::IndexCell;
use ecs::prelude::*;
use ecs::{
    BundleWriter, ComponentIndex, ComponentNames, Core, HasCore, Lifecycle, LookUp, Observing,
};
use proptest::prelude::*;

use super::support::{Ledger, Token, attempt};

/// Two cores of which either may answer, as `TURNS` says.
struct Fickle([Core<Fickle>; 2]);

thread_local! {
    /// Which core answers next: one bit a call, over and over.
    static TURNS: Cell<u64> = const { Cell::new(0) };
}

fn turn() -> usize {
    let turns = TURNS.get();
    TURNS.set(turns.rotate_right(1));
    (turns & 1) as usize
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

impl Context for Fickle {
    type Entity<'a> = ecs::Entity<'a, Self>;
    type EntityMut<'a> = ecs::EntityMut<'a, Self>;
}

macro_rules! components {
    ($($name:ident)*) => { $(
        struct $name(Token);

        impl Components<Fickle> for $name {
            fn visit(each: &mut dyn FnMut(ComponentIndex)) {
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
            fn put(self, writer: &mut BundleWriter<'_, Fickle>) {
                writer.put(self);
            }
        }
    )* };
}

components!(Left Right);

/// The handles of a program, whichever core they came from.
#[derive(Default)]
struct Handles {
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

fn act(fickle: &mut Fickle, handles: &mut Handles, ledger: &Ledger, (what, at): (u8, u8)) {
    let token = || ledger.token();
    let group = pick(&handles.groups, at).copied();
    match (what, group) {
        (0..10, _) if !handles.ids.is_empty() => {
            let id = handles.ids[usize::from(at) % handles.ids.len()];
            change(fickle, id, what, token());
        }
        (10, _) => handles.ids.push(fickle.create_entity().id()),
        (11, _) => handles.groups.push(fickle.group(Matcher::all_of::<Left>())),
        (12, _) => handles
            .groups
            .push(fickle.group(Matcher::none_of::<(Left, Right)>())),
        (13, _) => {
            let trigger = Matcher::any_of::<(Left, Right)>().added_or_removed();
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
            .query::<&mut Left>()
            .for_each(|left| left.0 = token()),
        (22, Some(group)) => {
            let both = fickle.query::<(EntityId<Fickle>, Option<&Left>, &mut Right)>();
            both.in_group(group)
                .for_each(|(_, _, right)| right.0 = token());
        }
        (24, _) => fickle
            .query::<(&mut Left, Option<&mut Right>)>()
            .update_each(|(left, right)| {
                left.0 = token();
                right.into_iter().for_each(|right| right.0 = token());
            }),
        (25, _) => fickle
            .query::<(EntityId<Fickle>, ecs::View<'_, Fickle, Left>, &mut Right)>()
            .for_each_slice(|(ids, lefts, rights)| {
                let pairs = ids.iter().zip(rights);
                pairs.for_each(|(id, right)| _ = (lefts.contains(id), right.0 = token()));
            }),
        (23, _) => _ = fickle.entities().map(|entity| format!("{entity:?}")).last(),
        _ => handles
            .ids
            .push(fickle.create_with((Left(token()), Right(token()))).id()),
    }
}

proptest! {
    /// F39: a context whose `core` answers with different cores.
    #[test]
    fn a_context_of_two_minds_is_sound(
        turns in any::<u64>(),
        program in prop::collection::vec((0u8..30, any::<u8>()), 1..60),
    ) {
        let ledger = Ledger::default();
        let mut fickle = Fickle([Core::new(), Core::new()]);
        let mut handles = Handles::default();
        TURNS.set(turns);
        for step in program {
            attempt(|| act(&mut fickle, &mut handles, &ledger, step));
        }
        ledger.assert_none_dropped_twice();
        drop(fickle);
        ledger.assert_all_dropped_once();
    }
}
