//! Groups, collectors and observers of the library.

use ecs::prelude::*;

use super::listening::{listen, run_events};
use super::names::{group, group_number, names, present};
use super::step::run;
use super::{Shared, each_change, follow};
use crate::check::check_indexes;
use crate::faults::{is_armed, user_code};
use crate::game::{Game, GameEntity, Id, Numbered, number_of, with_type};
use crate::op::{Events, Kind, Listen, Op, Sets};
use crate::play::{FEW, sum};

fn matcher(sets: Sets) -> Matcher<Game> {
    let (mut matcher, mut any) = (Game::all_of::<()>(), Vec::new());
    // By types or by indices, which must not matter either.
    let by_types = (sets.all ^ sets.none).count_ones().is_multiple_of(2);
    // Backwards, because the order must not matter.
    for kind in Kind::ALL.into_iter().rev() {
        let has = |set: u16| set >> kind as u16 & 1 != 0;
        with_type!(kind, T => {
            let index = Game::any_of::<(T, T)>().components().iter().next();
            if has(sets.none) {
                matcher = match by_types {
                    true => matcher.none_of::<T>(),
                    false => matcher.none_of_indices(index),
                };
            }
            if has(sets.all) {
                matcher = match by_types {
                    true => matcher.all_of::<T>(),
                    false => matcher.all_of_indices(index),
                };
            }
            if has(sets.any) {
                any.extend(index);
            }
        });
    }
    matcher.any_of_indices(any)
}

pub(super) fn trigger(parts: &[(Sets, Events)]) -> Trigger<Game> {
    let part = |&(sets, events): &(Sets, Events)| {
        let matcher = matcher(sets);
        match events {
            Events::Entered => matcher.entered(),
            Events::Left => matcher.left(),
            Events::Updated => matcher.updated(),
            Events::Added => matcher.entered_or_updated(),
            Events::Removed => matcher.left_or_updated(),
            Events::AddedOrRemoved => matcher.any_change(),
        }
    };
    let parts = parts.iter().map(part);
    parts.reduce(Trigger::or).expect("a trigger has parts")
}

pub(super) fn run_reaction(game: &mut Game, shared: &Shared, op: &Op, it: Option<Id>) {
    match op {
        Op::MakeGroup(sets) => {
            let group = game.group(matcher(*sets));
            shared.answer(format!("group {}", group_number(game, group)));
        }
        Op::MakeCollector(parts) => {
            let collector = game.collector(trigger(parts));
            shared.hand().collectors.push(Some(collector));
        }
        Op::MakeCollectors(count, parts) => {
            for _ in 0..*count {
                let collector = game.collector(trigger(parts));
                shared.hand().collectors.push(Some(collector));
            }
        }
        Op::Drain(n) => {
            let is_second = shared.is_second_turn();
            let ids = collector(shared, *n, |collector| drain(game, collector, is_second));
            shared.answer(names(&ids.unwrap_or_default()));
        }
        Op::Clear(n) => _ = collector(shared, *n, |collector| collector.clear(game)),
        Op::Activate(n) => _ = collector(shared, *n, |collector| collector.activate(game)),
        Op::Deactivate(n) => _ = collector(shared, *n, |collector| collector.deactivate(game)),
        Op::Release(n) => {
            let collectors = &mut shared.hand().collectors;
            let at = usize::from(*n) % collectors.len().max(1);
            if let Some(collector) = collectors.get_mut(at).and_then(Option::take) {
                collector.release(game);
            }
        }
        _ => run_observing(game, shared, op, it),
    }
}

fn drain(game: &mut Game, collector: &Collector<Game>, into_a_list: bool) -> Vec<Id> {
    if !into_a_list {
        return collector.drain(game);
    }
    let mut ids = game.entities().map(|entity| entity.id()).take(2).collect();
    collector.drain_into(game, &mut ids);
    ids
}

fn run_observing(game: &mut Game, shared: &Shared, op: &Op, it: Option<Id>) {
    match op {
        Op::ClearGroupObservers(n) => {
            if let Some(group) = group(game, *n) {
                group.clear_observers(game);
            }
        }
        Op::Subscribe(to, script) if to.is_to_event() => listen(game, shared, *to, script, it),
        Op::Subscribe(to, script) if to.is_to_each_change() => {
            each_change::observe(game, shared, *to, script, it);
        }
        Op::Subscribe(listen, script) => subscribe(game, shared, *listen, script),
        Op::Guard(_) | Op::DropGuard(_) => each_change::run_guards(game, shared, op),
        Op::Deliver(_) | Op::Replay(_) | Op::SwitchEvents(_) => run_events(game, shared, op),
        Op::Unsubscribe(n) => {
            let one = nth(&shared.hand().subscriptions, *n);
            let was_live = one.map(|one| game.unsubscribe(one));
            shared.answer(format!("{was_live:?}"));
        }
        Op::ClearObservers => game.observers().clear(),
        _ => unreachable!("run by `run`"),
    }
}

/// The subscription with this number.
pub(super) fn nth(subscriptions: &[Subscription], n: u8) -> Option<Subscription> {
    let at = usize::from(n).checked_rem(subscriptions.len())?;
    subscriptions.get(at).copied()
}

fn collector<R>(shared: &Shared, n: u8, act: impl FnOnce(&Collector<Game>) -> R) -> Option<R> {
    let collectors = &shared.hand().collectors;
    let at = usize::from(n) % collectors.len().max(1);
    collectors.get(at)?.as_ref().map(act)
}

/// Runs the script of an observer that was notified.
pub(super) fn react(game: &mut Game, shared: &Shared, script: &[Op], it: Option<Id>) {
    user_code();
    if game.len() < FEW && !is_armed() {
        check_indexes(game);
        follow::check_finders(game, shared);
    }
    for op in script {
        if shared.hand().budget > 0 {
            shared.hand().budget -= 1;
            run(game, shared, op, it);
        }
    }
}

fn subscribe(game: &mut Game, shared: &Shared, listen: Listen, script: &[Op]) {
    let number = shared.hand().subscriptions.len();
    let (notified, script) = (shared.clone(), script.to_vec());
    let on_change = {
        let (notified, script) = (notified.clone(), script.clone());
        move |game: &mut Game, change: &Change<'_, Game>| {
            notified.note(line(game, number, change));
            react(game, &notified, &script, Some(change.entity()));
        }
    };
    let on_entity = |what: &'static str| {
        let (notified, script) = (notified.clone(), script.clone());
        move |game: &mut Game, id: Id| {
            notified.note(format!("#{number} {id} {what}; now {}", present(game, id)));
            react(game, &notified, &script, Some(id));
        }
    };
    let subscription = match listen {
        Listen::ToEntered(n) => group(game, n).map(|group| group.on_entered(game, on_change)),
        Listen::ToLeft(n) => group(game, n).map(|group| group.on_left(game, on_change)),
        Listen::ToUpdated(n) => group(game, n).map(|group| group.on_updated(game, on_change)),
        Listen::ToCreated => Some(game.observers().on_created(on_entity("created"))),
        Listen::ToDying => Some(
            game.observers()
                .on_will_be_destroyed(on_entity("will be destroyed")),
        ),
        Listen::ToDestroyed => Some(game.observers().on_destroyed(on_entity("destroyed"))),
        Listen::ToMessage => Some(game.on_message(move |game: &mut Game, message: &u8| {
            notified.note(format!("#{number} message {message}"));
            react(game, &notified, &script, None);
        })),
        Listen::ToGroupCreated => Some(game.observers().on_group_created(move |game, group| {
            let group = Some(group_number(game, group));
            notified.note(format!("#{number} group {group:?} created"));
            react(game, &notified, &script, None);
        })),
        _ => unreachable!("subscribed by `listen`"),
    };
    shared.hand().subscriptions.extend(subscription);
}

fn line(game: &Game, observer: usize, change: &Change<'_, Game>) -> String {
    let (id, event, group) = (change.entity(), change.event(), change.group());
    let via = change
        .component()
        .map(|component| Kind::ALL[component.get()]);
    let previous = Kind::ALL.into_iter().find_map(|kind| {
        with_type!(kind, T => {
            let value = change.previous::<T>().map(T::number);
            assert!(value.is_none() || change.is::<T>());
            assert!(!change.is::<T>() || change.component_name() == Some(format!("{kind:?}").as_str()));
            value
        })
    });
    let (now, inside) = (present(game, id), group.contains(game, id));
    let (group, all) = (group_number(game, group), digest(game));
    format!(
        "#{observer} {id} {event:?} group {group} via {via:?} from {previous:?}; \
         now {now}, inside {inside}, all {all:?}"
    )
}

/// A checksum of all entities, if they are few.
fn digest(game: &Game) -> Option<u64> {
    (game.len() < FEW).then(|| {
        let of =
            |it: GameEntity<'_>, kind| Some(sum(it.id().to_bits(), kind, number_of(it, kind)?));
        let of_all = |it| Kind::ALL.into_iter().filter_map(move |kind| of(it, kind));
        game.entities().flat_map(of_all).fold(0, u64::wrapping_add)
    })
}
