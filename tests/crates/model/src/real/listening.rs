//! Listeners to component events, and the delivery.

use ecs::prelude::*;

use super::Shared;
use super::names::{present, target};
use super::observe::{nth, react};
use crate::game::{Game, GameEntityMut, Id, number_of, with_type};
use crate::op::{Kind, Listen, Op, Switch};

/// The closure of a listener.
type Call = Box<dyn FnMut(&mut Game, Id) + Send + Sync>;

/// Adds a listener to an event, unless its entity is dead.
pub(super) fn listen(
    game: &mut Game,
    shared: &Shared,
    listen: Listen,
    script: &[Op],
    it: Option<Id>,
) {
    let (kind, removed, entity) = listen
        .event()
        .expect("others are subscribed by `subscribe`");
    let entity = entity.map(|on| target(shared, on, it).filter(|id| game.contains(*id)));
    if let Some(None) = entity {
        return shared.answer("dead");
    }
    let call = call(shared, (kind, removed), script);
    let subscription = subscribe(game, (kind, removed), entity.flatten(), call);
    let mut hand = shared.hand();
    hand.subscriptions.push(subscription);
    hand.listeners.push(subscription);
    hand.listened_to.extend(entity.flatten());
}

/// A listener that logs its notifications, and runs a program.
fn call(shared: &Shared, (kind, removed): (Kind, bool), script: &[Op]) -> Call {
    let (notified, script) = (shared.clone(), script.to_vec());
    let number = {
        let mut hand = shared.hand();
        hand.listened += 1;
        hand.listened
    };
    let what = if removed { "removed" } else { "set" };
    Box::new(move |game, id| {
        let now = present(game, id);
        notified.note(format!(
            "listener {number}: {id} {kind:?} {what}; now {now}"
        ));
        react(game, &notified, &script, Some(id));
    })
}

/// Adds a listener to an event of any entity, or of a living one.
fn subscribe(
    game: &mut Game,
    (kind, removed): (Kind, bool),
    entity: Option<Id>,
    mut call: Call,
) -> Subscription {
    let call = move |mut it: GameEntityMut<'_>| {
        let id = it.id();
        assert!(entity.is_none_or(|entity| entity == id));
        let now = it.context().get_entity(id);
        let has = now.is_some_and(|now| number_of(now, kind).is_some());
        assert_eq!(has, !removed, "the event is true");
        call(it.context_mut(), id);
    };
    with_type!(kind, T => match (entity, removed) {
        (None, false) => game.events().on_set::<T>(call),
        (None, true) => game.events().on_removed::<T>(call),
        (Some(id), false) => game.entity_mut(id).on_set::<T>(call),
        (Some(id), true) => game.entity_mut(id).on_removed::<T>(call),
    })
}

pub(super) fn run_events(game: &mut Game, shared: &Shared, op: &Op) {
    match *op {
        Op::Deliver(by_system) => deliver(game, shared, by_system),
        Op::Replay(n) => {
            let listener = nth(&shared.hand().listeners, n);
            let calls = listener.map(|listener| game.events().replay(listener));
            shared.answer(format!("{calls:?}"));
        }
        Op::SwitchEvents(switch) => switch_events(game, switch),
        _ => unreachable!("run by `run_observing`"),
    }
}

fn deliver(game: &mut Game, shared: &Shared, by_system: bool) {
    let waiting = game.events().undelivered();
    let calls = match by_system {
        true => {
            let mut events = EventSystems::<Game>::new();
            events.execute(game);
            System::<Game>::reactions(&events).map_or(0, |reactions| reactions.last)
        }
        false => game.events().deliver(),
    };
    let listeners = game.events().listeners();
    shared.answer(format!(
        "{calls} calls, {waiting} waited, {listeners} listeners"
    ));
}

/// Switches events like other subscribers; to release them removes all listeners.
pub(super) fn switch_events(game: &mut Game, switch: Switch) {
    let mut events = EventSystems::<Game>::new();
    match switch {
        Switch::Activate => events.activate(game),
        Switch::Deactivate => events.deactivate(game),
        Switch::Clear => events.clear(game),
        Switch::Release => game.events().clear_listeners(),
    }
}
