//! Leaked, stale and forged handles, and those of another context (F07, F09, F12, F14, F42).
//!
//! Ids of another context of the same type (F11) are tested in `other_context.rs`. The last
//! generation (F10) and the last slot (F32) are tested next to the slots, in the library.

mod dead;
mod leaked;

use ecs::prelude::*;
use proptest::prelude::*;

use super::game::{Alpha, Flag, Game, Ledger, Log, Other, Value, assert_sound, assert_usable};
use support::panic_of;

/// Generic, so that it leaks handles that get a `Drop` later, too.
fn leak<T>(handle: T) {
    std::mem::forget(handle);
}

/// F07: every guard, handle and iterator may be leaked half-way.
#[test]
fn leaked_handles_and_iterators_do_no_harm() {
    let ledger = Ledger::default();
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Alpha>());
    let collector = game.collector(Game::all_of::<Alpha>().entered_or_updated());
    let ids = game.create_many([(); 70].map(|()| Alpha(ledger.token())));
    leak(game.entity_mut(ids[0]));
    leak(game.create_entity());
    let mut members = group.iter(&game);
    members.next();
    leak(members);
    let mut entities = game.entities();
    entities.next();
    leak(entities);
    let mut values = game
        .query_mut::<(EntityId<Game>, &mut Alpha)>()
        .untracked()
        .iter();
    values.next();
    leak(values);
    leak(game.query_mut::<&mut Alpha>());
    leak(collector.drain(&mut game));
    leak(collector);
    group.for_each(&mut game, |mut entity| {
        entity.replace(Alpha(ledger.token()));
        leak(entity);
    });
    assert_sound(game, &ledger);
}

/// Every operation on a dead id is rejected and leaves the slot's new owner alone.
fn try_everything(game: &mut Game, dead: EntityId<Game>) {
    let group = game.group(Game::all_of::<Value>());
    assert!(!game.contains(dead) && !group.contains(game, dead));
    assert!(game.get_entity(dead).is_none() && game.get_entity_mut(dead).is_none());
    assert!(game.view::<Value>().get(dead).is_none());
    assert!(
        game.query_mut::<&mut Value>()
            .untracked()
            .get(dead, |_| ())
            .is_none()
    );
    let rejected = game.try_destroy(dead).unwrap_err();
    assert!(matches!(rejected.kind(), ErrorKind::NotAlive));
    assert_eq!(rejected.entity(), Some(dead.raw()));
    let name = format!("entity {dead} of context `Game`");
    for message in [
        panic_of(|| _ = game.entity(dead)),
        panic_of(|| _ = game.entity_mut(dead)),
        panic_of(|| game.destroy(dead)),
    ] {
        assert!(
            message.contains(&name) && message.contains("not alive"),
            "{message}"
        );
    }
}

/// F09: a stale id, before and after its slot has a new owner.
#[test]
fn a_stale_id_is_rejected_everywhere() {
    let mut game = Game::new();
    let dead = game.create_entity().add_value(1).id();
    game.destroy(dead);
    try_everything(&mut game, dead);
    let owner = game.create_entity().add_value(2).id();
    assert_eq!(owner.index(), dead.index());
    try_everything(&mut game, dead);
    assert_eq!(game.entity(owner).value(), &Value(2));
    assert_usable(&mut game);
}

/// F09: a handle whose entity was destroyed through it rejects every change, and does not touch the
/// entity that reuses the slot.
#[test]
fn a_handle_of_a_dead_entity_rejects_changes() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    let id = entity.add_value(1).id();
    entity.context_mut().destroy(id);
    let owner = entity.context_mut().create_entity().add_value(2).id();
    assert!(!entity.is_alive() && !entity.has_value() && entity.get_value().is_none());
    assert!(entity.try_add_other(1).is_err() && entity.try_remove_value().is_err());
    assert!(entity.try_update(|value: &mut Value| value.0 = 9).is_err());
    assert!(entity.try_replace(Value(9)).is_err());
    for message in [
        panic_of(|| _ = entity.replace_value(9)),
        panic_of(|| entity.update_value(|value| value.0 = 9)),
        panic_of(|| _ = entity.take_value()),
        panic_of(|| _ = entity.remove_all()),
        panic_of(|| _ = entity.value_mut_untracked()),
        panic_of(|| _ = entity.as_ref()),
    ] {
        assert!(
            message.contains("0v1") && message.contains("not alive"),
            "{message}"
        );
    }
    let message = panic_of(|| entity.destroy());
    assert!(message.contains("0v1"), "{message}");
    assert_eq!(game.entity(owner).value(), &Value(2));
    assert_usable(&mut game);
}

type Use<T> = fn(T, &mut Game);

const GROUP_USES: [Use<Group<Game>>; 16] = [
    |group, game| _ = group.len(game),
    |group, game| _ = group.is_empty(game),
    |group, game| _ = group.ids(game),
    |group, game| _ = group.iter(game),
    |group, game| _ = group.single(game),
    |group, game| _ = group.matcher(game),
    |group, game| _ = group.display(game),
    |group, game| group.collect_into(game, &mut Vec::new()),
    |group, game| group.for_each(game, |_| {}),
    |group, game| group.clear_observers(game),
    |group, game| _ = group.on_entered(game, |_, _| {}),
    |group, game| _ = group.on_left(game, |_, _| {}),
    |group, game| _ = group.on_updated(game, |_, _| {}),
    |group, game| _ = game.query::<&Value>().in_group(group),
    |group, game| {
        let id = game.entities().next().unwrap().id();
        _ = group.contains(game, id);
    },
    |group, game| _ = game.query::<EntityId<Game>>().in_group(group).single(),
];

const COLLECTOR_USES: [Use<Collector<Game>>; 11] = [
    |collector, game| _ = collector.len(game),
    |collector, game| _ = collector.is_empty(game),
    |collector, game| _ = collector.ids(game),
    |collector, game| _ = collector.drain(game),
    |collector, game| collector.drain_into(game, &mut Vec::new()),
    |collector, game| collector.clear(game),
    |collector, game| _ = collector.is_active(game),
    |collector, game| collector.activate(game),
    |collector, game| collector.deactivate(game),
    |collector, game| collector.release(game),
    |collector, game| _ = collector.display(game),
];

/// F11, F42: using a group, collector or subscription with another context of the same type panics
/// with a message, and changes neither context.
#[test]
fn handles_of_another_context_are_rejected() {
    let (mut game, mut other) = (Game::new(), Game::new());
    for one in [&mut game, &mut other] {
        one.create_entity().add_value(1);
    }
    let group = game.group(Game::all_of::<Value>());
    let same_place = other.group(Game::all_of::<Value>());
    assert_ne!(group, same_place);
    for using in GROUP_USES {
        let message = panic_of(|| using(group, &mut other));
        assert!(
            message.contains("group belongs to another `Game`"),
            "{message}"
        );
    }
    for using in COLLECTOR_USES {
        let collector = game.collector(Game::all_of::<Value>().entered_or_updated());
        let message = panic_of(|| using(collector, &mut other));
        assert!(
            message.contains("collector belongs to another `Game`"),
            "{message}"
        );
    }
    let (log, heard) = (Log::default(), Log::default());
    let (at_home, abroad) = (log.clone(), heard.clone());
    let subscription = game
        .observers()
        .on_created(move |_, _| at_home.note("created"));
    other
        .observers()
        .on_created(move |_, _| abroad.note("created"));
    let message = panic_of(|| _ = other.unsubscribe(subscription));
    assert!(
        message.contains("subscription belongs to another `Game`"),
        "{message}"
    );
    for one in [&mut game, &mut other] {
        one.create_entity();
    }
    assert_eq!((log.len(), heard.len()), (1, 1));
    assert_usable(&mut game);
    assert_usable(&mut other);
}

/// F42: matchers, triggers and component indices belong to the context type, not to an instance.
#[test]
fn matchers_are_valid_for_every_context_of_the_type() {
    let matcher = Game::all_of::<Value>().none_of::<Flag>();
    let trigger = matcher.entered_or_updated();
    for _ in 0..2 {
        let mut game = Game::new();
        let group = game.group(matcher.clone());
        let collector = game.collector(trigger.clone());
        let id = game.create_entity().add_value(1).id();
        assert_eq!(
            (group.ids(&game), collector.drain(&mut game)),
            (vec![id], vec![id])
        );
        assert_usable(&mut game);
    }
}

/// Bits, many of which are those of an entity.
fn bits() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        (0u64..5, 0u64..5).prop_map(|(index, generation)| generation << 32 | index),
        (any::<u32>(), 0u64..3).prop_map(|(index, generation)| generation << 32 | u64::from(index)),
        prop::sample::select(vec![
            0,
            1,
            1 << 31,
            1 << 32,
            1 << 63,
            u64::MAX,
            u64::MAX >> 1
        ]),
    ]
}

proptest! {
    /// F12: an id made from arbitrary bits is either the id of a living entity or is rejected
    /// everywhere.
    #[test]
    fn a_forged_id_matches_no_entity(bits in prop::collection::vec(bits(), 1..20)) {
        let mut game = Game::new();
        let ids = game.create_many([Value(0), Value(1), Value(2)]);
        game.destroy(ids[1]);
        game.destroy(ids[2]);
        let reborn = game.create_with(Value(3)).id();
        for bits in bits {
            let Some(forged) = EntityId::from_bits(bits) else { continue };
            prop_assert_eq!(forged.to_bits(), bits);
            if forged == ids[0] || forged == reborn {
                prop_assert!(game.entity(forged).has_value());
            } else {
                try_everything(&mut game, forged);
            }
        }
        assert_usable(&mut game);
    }
}

/// A world with entities, a group, a collector and a counting observer.
fn filled(log: &Log) -> (Game, Vec<EntityId<Game>>, Group<Game>, Collector<Game>) {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Value>());
    let collector = game.collector(Game::all_of::<Value>().any_change());
    let left = log.clone();
    group.on_left(&mut game, move |_, change| {
        left.note(change.entity().to_string())
    });
    let ids = game.create_many((0..5).map(Value));
    (game, ids, group, collector)
}

/// F14: ids, groups, collectors and observers after `destroy_all` and `reset`.
#[test]
fn handles_outlive_a_reset() {
    for reset in [false, true] {
        let log = Log::default();
        let (mut game, ids, group, collector) = filled(&log);
        if reset {
            game.reset();
        } else {
            game.destroy_all();
        }
        assert_eq!(log.take(), ["0v1", "1v1", "2v1", "3v1", "4v1"]);
        assert!(game.is_empty() && group.is_empty(&game));
        assert_eq!(collector.len(&game), if reset { 0 } else { 5 });
        for &id in &ids {
            try_everything(&mut game, id);
        }
        let next = game.create_entity().add_value(1).id();
        assert_eq!(next.index(), if reset { 0 } else { 4 });
        assert_eq!((next.generation(), group.ids(&game)), (2, vec![next]));
        assert_eq!(collector.drain(&mut game).last(), Some(&next));
        assert_usable(&mut game);
    }
}

/// F14: the same inside every kind of observer, inside a loop over a group.
#[test]
fn an_observer_may_reset_everything() {
    let empty: [fn(&mut Game); 2] = [|game| game.destroy_all(), |game| game.reset()];
    for (round, emptying) in empty.into_iter().enumerate() {
        for event in 0..5 {
            let log = Log::default();
            let (mut game, ids, group, collector) = filled(&log);
            match event {
                0 => group.on_updated(&mut game, move |game, _| emptying(game)),
                1 => group.on_left(&mut game, move |game, _| emptying(game)),
                2 => game.observers().on_created(move |game, _| emptying(game)),
                3 => game.observers().on_destroyed(move |game, _| emptying(game)),
                _ => game
                    .observers()
                    .on_will_be_destroyed(move |game, _| emptying(game)),
            };
            group.for_each(&mut game, |mut entity| {
                entity.replace_value(9);
                _ = entity.try_replace(Other(1));
                _ = entity.try_remove_value();
            });
            game.create_entity();
            ids.iter().for_each(|id| _ = game.try_destroy(*id));
            game.observers().clear();
            assert!(ids.iter().all(|id| !game.contains(*id)), "{round} {event}");
            assert!(log.take().len() >= 5);
            collector.release(&mut game);
            assert_usable(&mut game);
        }
    }
}
