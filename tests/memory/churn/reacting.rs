//! Observers, listeners, collectors, indexes, messages and removed values.

use std::hint::black_box;

use ecs::prelude::*;

use super::*;

pub(super) fn observers_of_one(_: &mut Field) -> Frame {
    Box::new(|game, frame| {
        for with_value in [true, false] {
            let id = game.create_entity().id();
            game.entity_mut(id).on_change(|_, _| ());
            let other = game.entity_mut(id).on_change(|_, _| ());
            if with_value {
                game.entity_mut(id).add_mass(frame);
                game.unsubscribe(other);
            }
            game.destroy(id);
        }
    })
}

/// Destroyed by one call, by a relation, and by an observer of another one.
pub(super) fn observers_of_many(_: &mut Field) -> Frame {
    Box::new(|game, frame| {
        let ids = game.create_many((0..4).map(Mass));
        let parent = game.create_with(Mass(frame)).id();
        let child = game.create_with(ChildOf { parent }).id();
        for &id in ids.iter().chain(&[parent, child]) {
            game.entity_mut(id).on_change(|_, _| ());
        }
        let next = game.create_with(Mass(0)).id();
        game.entity_mut(next).on_change(|_, _| ());
        game.entity_mut(ids[0]).on_change(move |game, change| {
            if change.component().is_none() {
                game.destroy(next);
            }
        });
        game.many(&ids).destroy();
        game.destroy(parent);
        assert!(!game.contains(next) && !game.contains(child));
    })
}

pub(super) fn listeners_of_one(_: &mut Field) -> Frame {
    Box::new(|game, frame| {
        let ids = game.create_many((0..4).map(|n| Mass(n + frame)));
        for &id in &ids {
            game.entity_mut(id).on_set::<Mass>(|_| ());
            game.entity_mut(id).on_removed::<Mass>(|_| ());
        }
        let id = ids[0];
        let subscription = game.entity_mut(id).on_set::<Plot>(|_| ());
        game.entity_mut(id).add_plot(frame);
        if frame % 2 == 0 {
            game.unsubscribe(subscription);
        }
        game.many(&ids).destroy();
        game.events().deliver();
    })
}

pub(super) fn listeners(_: &mut Field) -> Frame {
    Box::new(|game, frame| {
        let subscription = game.events().on_set::<Mass>(|_| ());
        let id = game.create_with(Mass(frame)).id();
        if frame % 2 == 0 {
            game.events().deliver();
        }
        game.destroy(id);
        game.unsubscribe(subscription);
    })
}

pub(super) fn subscriptions(game: &mut Field) -> Frame {
    let group = game.group(Field::all_of::<Mass>());
    let mut last = None;
    Box::new(move |game, frame| {
        let entered = group.on_entered(game, |_, _| ());
        let left = group.on_left(game, |_, _| ());
        drop(last.replace(game.unsubscribe_on_drop(left)));
        let of_all = game.observers().on_change(|_, _| ());
        let id = game.create_with(Mass(frame)).id();
        let of_one = game.entity_mut(id).on_change(|_, _| ());
        let guard = game.unsubscribe_on_drop(of_one);
        game.destroy(id);
        game.unsubscribe(entered);
        game.unsubscribe(of_all);
        drop(guard);
    })
}

pub(super) fn collectors(game: &mut Field) -> Frame {
    let drained = game.collector(Field::all_of::<Mass>().any_change());
    let mut last = None;
    Box::new(move |game, frame| {
        let group = game.group(Field::all_of::<(Mass, Plot)>().none_of::<Asleep>());
        let collector = game.collector(Field::all_of::<Mass>().any_change());
        let id = whole(game, 500 + frame % 100);
        black_box(group.iter(game).count());
        drop(last.replace(game.collector(Field::all_of::<Plot>().left())));
        game.destroy(id);
        black_box(drained.drain(game));
        if frame % 2 == 0 {
            collector.release(game);
        }
    })
}

pub(super) fn indexes(_: &mut Field) -> Frame {
    let mut last = None;
    Box::new(move |game, frame| {
        let index = game.entity_index(Field::all_of::<Plot>(), |e| e.plot().0 / 2);
        let id = game.create_with(Plot(frame)).id();
        assert!(index.get(game, &(frame / 2)).any(|it| it.id() == id));
        drop(last.replace(index));
        game.entity_mut(id).replace_plot(frame + 7);
        game.destroy(id);
    })
}

pub(super) fn messages(game: &mut Field) -> Frame {
    let inbox = game.inbox::<String>();
    let mut last = None;
    Box::new(move |game, _| {
        let other = game.inbox::<String>();
        let observer = game.on_message(|_, _: &u32| ());
        game.send(String::from("a message"));
        game.send(1_u32);
        game.unsubscribe(observer);
        assert_eq!(inbox.drain(game).len(), 1);
        drop(last.replace(other));
    })
}

pub(super) fn removed_values(game: &mut Field) -> Frame {
    let removed = game.removed_values::<Title>();
    let mut last = None;
    Box::new(move |game, frame| {
        let other = game.removed_values::<Title>();
        let id = whole(game, 700 + frame % 10);
        game.destroy(id);
        black_box(removed.drain(game).len());
        drop(last.replace(other));
    })
}
