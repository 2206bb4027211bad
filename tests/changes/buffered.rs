//! Changes recorded in a buffer and applied later.

use std::sync::Arc;

use ecs::prelude::*;

use support::game::{Frozen, Game, Health, Position, Targets};
use support::numbers::{self, A, B, Flag, Id, World};
use support::panic_of;

const fn is_shared<T: Send + Sync>() {}
const _: () = is_shared::<CommandBuffer<Game>>();

/// Records every command for two types each, in mixed order.
fn record(buffer: &mut CommandBuffer<World>, ids: &[Id]) {
    buffer.add(ids[0], B(1));
    buffer.replace(ids[1], A(2));
    buffer.create((A(3), B(3)));
    buffer.insert(ids[2], (A(4), Flag));
    buffer.remove::<A>(ids[1]);
    buffer.add(ids[1], A(5));
    buffer.create(A(6));
    buffer.destroy(ids[3]);
    buffer.run(|world: &mut World| _ = world.create_with(B(7)));
}

fn state_of(world: &World) -> Vec<(Id, Option<u32>, Option<u32>, bool)> {
    let all = world.query::<(Id, Option<&A>, Option<&B>, Option<&Flag>)>();
    let all = all.iter();
    all.map(|(id, a, b, flag)| (id, a.map(|a| a.0), b.map(|b| b.0), flag.is_some()))
        .collect()
}

#[test]
fn changes_are_made_in_the_order_in_which_they_were_recorded() {
    let (mut world, ids) = numbers::world(4);
    let seen = world.collector(World::all_of::<A>().any_change());
    let mut buffer = CommandBuffer::new();
    record(&mut buffer, &ids);
    assert_eq!(buffer.len(), 9);
    assert!(seen.is_empty(&world) && world.len() == 4);
    assert_eq!(buffer.apply(&mut world), 0);
    assert!(buffer.is_empty());

    let (mut direct, ids) = numbers::world(4);
    direct.entity_mut(ids[0]).add_b(1);
    direct.entity_mut(ids[1]).replace_a(2);
    direct.create_with((A(3), B(3)));
    direct.entity_mut(ids[2]).insert((A(4), Flag));
    direct.entity_mut(ids[1]).remove_a().add_a(5);
    direct.create_with(A(6));
    direct.destroy(ids[3]);
    direct.create_with(B(7));
    let indices = |world: &World| -> Vec<_> {
        let states = state_of(world).into_iter();
        states
            .map(|(id, a, b, flag)| (id.index(), a, b, flag))
            .collect()
    };
    assert_eq!(indices(&world), indices(&direct));
    assert_eq!(seen.drain(&mut world).len(), 5);
}

#[test]
fn a_buffer_is_filled_again_and_appended_to_another() {
    let (mut world, ids) = numbers::world(2);
    let (mut first, mut second) = (CommandBuffer::new(), CommandBuffer::new());
    second.replace(ids[0], A(20));
    first.replace(ids[0], A(10));
    first.add(ids[1], Flag);
    first.append(&mut second);
    assert!(second.is_empty() && first.len() == 3);
    second.replace(ids[1], A(30));
    first.append(&mut second);
    assert_eq!(first.apply(&mut world), 0);
    assert_eq!(
        (world.entity(ids[0]).a().0, world.entity(ids[1]).a().0),
        (20, 30)
    );

    first.replace(ids[0], A(1));
    first.clear();
    first.replace(ids[0], A(2));
    assert_eq!(first.apply(&mut world), 0);
    assert_eq!(world.entity(ids[0]).a().0, 2);
    assert_eq!(format!("{first:?}"), "CommandBuffer(0 commands)");
}

#[test]
fn commands_for_dead_entities_are_skipped_and_their_values_dropped() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2)]);
    let kept = Arc::new(());
    let mut buffer = CommandBuffer::new();
    for &id in &ids {
        let kept = kept.clone();
        buffer.destroy(id);
        buffer.run(move |_| drop(kept));
        buffer.add(id, Frozen);
        buffer.replace(id, Health(9));
        buffer.insert(id, (Position(1), Frozen));
        buffer.remove::<Health>(id);
        buffer.destroy(id);
    }
    assert_eq!(buffer.apply(&mut game), 10);
    assert!(game.is_empty() && Arc::strong_count(&kept) == 1);
}

#[test]
fn a_dead_target_is_skipped_as_a_dead_entity_is() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2)]);
    let mut buffer = CommandBuffer::new();
    buffer.destroy(ids[1]);
    buffer.add(ids[0], Targets(ids[1]));
    buffer.insert(ids[0], (Frozen, Targets(ids[1])));
    buffer.create(Targets(ids[1]));
    buffer.remove::<Frozen>(ids[0]); // rejected: it has none
    buffer.replace(ids[0], Health(5));
    assert!(buffer.try_apply(&mut game).is_err());
    let skipped = buffer.try_apply(&mut game).unwrap();
    let targets = skipped.iter().map(|error| (error.kind(), error.owner()));
    let dead = (ErrorKind::TargetNotAlive, Some(ids[1].raw()));
    assert_eq!(targets.collect::<Vec<_>>(), [dead; 3]);
    assert_eq!((game.len(), game.entity(ids[0]).health().0), (1, 5));
    assert!(!game.entity(ids[0]).has_frozen());
}

#[test]
fn values_are_applied_to_the_entities_beside_them() {
    let mut game = Game::new();
    let updated = game.collector(Game::all_of::<Health>().updated());
    let ids = game.create_many((0..100).map(Health));
    game.destroy(ids[3]);
    game.entity_mut(ids[5]).remove_health();
    let backwards: Vec<_> = ids.iter().rev().map(|&id| (id, id.index())).collect();
    let mut visited = Vec::new();
    let query = game.query_mut::<(EntityId<Game>, &mut Health)>();
    query.among_with(&backwards, |(id, health), &value| {
        visited.push((id.index(), value));
        health.0 += 1_000;
    });
    assert_eq!(visited.len(), 98);
    assert!(visited.iter().all(|(index, value)| index == value));
    assert_eq!(updated.len(&game), 98);

    game.defragment();
    let more = [(ids[9], 1), (ids[2], 2), (ids[7], 3)];
    let query = game.query_mut::<&mut Health>().without::<Frozen>();
    query.among_with(&more, |health, value| health.0 = *value);
    let values = more.map(|(id, _)| game.entity(id).health().0);
    assert_eq!(values, [1, 2, 3]);

    let twice = [(ids[9], 1), (ids[2], 2), (ids[9], 3)];
    let text = panic_of(|| {
        let query = game.query_mut::<&mut Health>();
        query.among_with(&twice, |health, value| health.0 = *value + 7);
    });
    assert_eq!(
        text,
        "entity 9v1 of context `Game` is listed twice with a value; combine its values into one first"
    );
    assert_eq!(game.entity(ids[2]).health().0, 2);
}

#[test]
fn a_rejection_or_panic_leaves_the_rest_in_the_buffer() {
    let mut game = Game::new();
    let freezing = game.group(Game::all_of::<Frozen>());
    let subscription = freezing.on_entered(&mut game, |_, _| panic!("{}", "in an observer"));
    let ids = game.create_many([Health(1), Health(2), Health(3)]);
    let mut buffer = CommandBuffer::new();
    buffer.add(ids[0], Frozen);
    buffer.remove::<Frozen>(ids[1]);
    buffer.replace(ids[2], Health(7));
    assert_eq!(panic_of(|| buffer.apply(&mut game)), "in an observer");
    assert!(game.entity(ids[0]).has_frozen() && buffer.len() == 2);
    game.unsubscribe(subscription);
    let error = buffer.try_apply(&mut game).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot remove component `Frozen` from entity 1v1 of context `Game`: it has none; check \
         `has_frozen` first or use `try_remove_frozen`"
    );
    assert_eq!(buffer.try_apply(&mut game), Ok(vec![]));
    assert_eq!(game.entity(ids[2]).health().0, 7);
}

#[test]
fn a_history_undoes_them() {
    let (mut world, ids) = numbers::world(4);
    let history = world.record();
    let mark = history.mark(&mut world);
    let before = state_of(&world);
    let mut buffer = CommandBuffer::new();
    record(&mut buffer, &ids);
    buffer.apply(&mut world);
    let after = state_of(&world);
    let end = history.mark(&mut world);
    history.rewind(&mut world, mark);
    assert_eq!(state_of(&world), before);
    history.forward(&mut world, end);
    assert_eq!(state_of(&world), after);
}

#[test]
fn threads_record_in_the_order_of_one() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let run = |threads: Option<usize>| {
        let (mut world, _) = numbers::world(5_000);
        let mut buffer = CommandBuffer::new();
        buffer.create(A(1_000_000));
        let record = |buffer: &mut CommandBuffer<World>, id: Id, a: u32| match a % 5 {
            0 => buffer.destroy(id),
            1 => buffer.add(id, B(a)),
            2 => (0..a % 3).for_each(|n| buffer.create((A(a), B(n)))),
            _ => buffer.replace(id, A(a + 1)),
        };
        let write = |a: &mut A| a.0 = a.0.wrapping_mul(7);
        match threads {
            None => {
                let query = world.query_mut::<(Id, &mut A)>();
                query.for_each(|(id, a)| {
                    write(a);
                    record(&mut buffer, id, a.0);
                });
                let query = world.query::<(Id, &A)>();
                query.for_each(|(id, a)| record(&mut buffer, id, a.0 + 1));
            }
            Some(threads) => pool(threads).unwrap().install(|| {
                let query = world.query_mut::<(Id, &mut A)>();
                query.par_for_each_with(&mut buffer, |buffer, (id, a)| {
                    write(a);
                    record(buffer, id, a.0);
                });
                let query = world.query::<(Id, &A)>();
                query.par_for_each_with(&mut buffer, |buffer, (id, a)| {
                    record(buffer, id, a.0 + 1);
                });
            }),
        }
        let rejected: Vec<_> = std::iter::from_fn(|| buffer.try_apply(&mut world).err()).collect();
        let states = state_of(&world).into_iter();
        let states: Vec<_> = states.map(|(id, a, b, _)| (id.index(), a, b)).collect();
        (states, rejected.len())
    };
    let one = run(None);
    for threads in [1, 2, 5] {
        assert_eq!(run(Some(threads)), one);
    }
}

#[test]
fn a_panic_in_a_thread_records_nothing() {
    let (mut world, _) = numbers::world(1_000);
    let mut buffer = CommandBuffer::new();
    buffer.create(A(1));
    let text = panic_of(|| {
        let query = world.query_mut::<(Id, &mut A)>();
        query.par_for_each_with(&mut buffer, |buffer, (id, a)| {
            buffer.destroy(id);
            assert!(a.0 != 700, "{}", "in a thread");
        });
    });
    assert_eq!((text.as_str(), buffer.len()), ("in a thread", 1));
}
