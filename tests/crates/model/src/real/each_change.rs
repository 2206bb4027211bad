//! Observers of each change, of all entities or of one, and guards that end observers.

use ecs::prelude::*;
use ecs::{EntityChange, SubscriptionGuard};

use super::Shared;
use super::names::{present, target, unless};
use super::observe::{nth, react};
use crate::game::{Game, Id, Numbered, with_type};
use crate::op::{Kind, Listen, Op};

/// An observer that is removed when its guard is dropped.
pub(crate) struct Guarded {
    subscription: Subscription,
    _guard: SubscriptionGuard,
}

/// Adds an observer of each change, unless its entity is dead.
pub(super) fn observe(
    game: &mut Game,
    shared: &Shared,
    listen: Listen,
    script: &[Op],
    it: Option<Id>,
) {
    let (notified, script) = (shared.clone(), script.to_vec());
    let number = shared.hand().subscriptions.len();
    let observer = move |game: &mut Game, change: &EntityChange<'_, Game>| {
        notified.note(line(game, number, change));
        react(game, &notified, &script, Some(change.entity()));
    };
    let subscription = match listen {
        Listen::ToOwnChanges(on) => {
            let id = target(shared, on, it).filter(|id| game.contains(*id));
            let Some(id) = id else {
                return shared.answer("dead");
            };
            shared.hand().listened_to.push(id);
            game.entity_mut(id).on_change(observer)
        }
        _ => game.observers().on_change(observer),
    };
    shared.hand().subscriptions.push(subscription);
}

fn line(game: &Game, observer: usize, change: &EntityChange<'_, Game>) -> String {
    let (id, what) = (change.entity(), change.kind());
    let via = change
        .component()
        .map(|component| Kind::ALL[component.get()]);
    let previous = Kind::ALL.into_iter().find_map(|kind| {
        with_type!(kind, T => {
            let value = change.previous::<T>().map(T::number);
            assert!(value.is_none() || change.is::<T>());
            value
        })
    });
    let now = present(game, id);
    format!("#{observer} {id} {what:?} {via:?} from {previous:?}; now {now}")
}

/// Creates and drops guards of observers.
pub(super) fn run_guards(game: &mut Game, shared: &Shared, op: &Op) {
    match *op {
        Op::Guard(n) => {
            let subscription = nth(&shared.hand().subscriptions, n);
            let guarded = subscription.map(|one| {
                unless(shared, "has ended", || game.unsubscribe_on_drop(one)).map(|guard| Guarded {
                    subscription: one,
                    _guard: guard,
                })
            });
            let is_guarded = guarded.as_ref().map(Result::is_ok);
            shared
                .hand()
                .guards
                .extend(guarded.and_then(Result::ok).map(Some));
            shared.answer(format!("{is_guarded:?}"));
        }
        Op::DropGuard(n) => {
            let taken = {
                let guards = &mut shared.hand().guards;
                let at = usize::from(n).checked_rem(guards.len());
                at.and_then(|at| guards[at].take())
            };
            if let Some(Guarded {
                subscription,
                _guard,
            }) = taken
            {
                drop(_guard);
                // A dropped guard ends an observer at once, but frees it later, and until then it
                // counts as a listener.
                game.unsubscribe(subscription);
            }
        }
        _ => unreachable!("run by `run`"),
    }
}
