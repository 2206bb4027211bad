//! Rejections and their messages.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::{Snapshot, SnapshotError};

use super::{Game, Health, change, seen, world};
use support::panic_of;

/// Has components that cannot be cloned.
#[ecs::context]
struct Other;

#[derive(Component)]
#[component(context = Other)]
struct Texture(u32);

#[derive(Component)]
#[component(context = Other)]
struct Sound(u32);

#[test]
fn components_that_are_not_clone_are_named() {
    let mut other = Other::new();
    let id = other.create_with((Texture(1), Sound(2))).id();
    let text = "cannot copy context `Other`: components `Sound`, `Texture` are not `Clone`; derive \
                `Clone` for them, or leave them out: `Snapshot::builder().without::<Sound>()`";
    let rejected = Snapshot::builder().try_snapshot(&mut other).unwrap_err();
    assert_eq!(rejected.to_string(), text);
    assert_eq!(panic_of(|| _ = other.snapshot()), text);
    assert_eq!(panic_of(|| _ = other.fork()), text);
    let builder = Snapshot::builder().without::<Texture>();
    let rejected = builder.try_snapshot(&mut other).unwrap_err();
    assert_eq!(
        rejected,
        SnapshotError::NotClone {
            context: "Other",
            components: vec!["Sound"],
        }
    );
    assert_eq!(other.entity(id).texture().0 + other.entity(id).sound().0, 3);
}

#[test]
fn a_restore_is_rejected_while_observers_are_notified() {
    let mut game = Game::new();
    game.create_with(Health(1));
    let snapshot = Arc::new(game.snapshot());
    let message = Arc::new(Mutex::new(String::new()));
    let healthy = game.group(Game::all_of::<Health>());
    healthy.on_entered(&mut game, {
        let (snapshot, message) = (snapshot.clone(), message.clone());
        move |game, _| {
            let rejected = snapshot.try_restore(game).unwrap_err();
            *message.lock().unwrap() = rejected.to_string();
        }
    });
    game.create_with(Health(2));
    assert_eq!(
        *message.lock().unwrap(),
        "cannot restore or reload context `Game` now: observers are being notified of a change; do it after the call that made the change has returned"
    );
    assert_eq!(game.len(), 2);
    game.restore(&snapshot);
    assert_eq!(game.len(), 1);
}

#[test]
fn a_restore_is_rejected_while_a_history_records() {
    let (mut game, _) = world();
    let (snapshot, before) = (game.snapshot(), seen(&game));
    let history = game.record();
    change(&mut game);
    let after = seen(&game);
    let text = panic_of(|| game.restore(&snapshot));
    assert_eq!(
        text,
        "cannot restore or reload context `Game` while it is recorded: its history could not take that back; use \
         `History::rewind`, or release the history first and record again after it"
    );
    assert_eq!(seen(&game), after);
    drop(history);
    game.restore(&snapshot);
    assert_eq!(seen(&game), before);
    let history = game.record();
    let mark = history.mark(&mut game);
    change(&mut game);
    history.rewind(&mut game, mark);
    assert_eq!(seen(&game), before);
}

#[test]
fn a_snapshot_is_send_and_sync_and_debug() {
    fn is_shared<T: Send + Sync + 'static>(_: &T) {}
    let (mut game, _) = world();
    let snapshot = game.snapshot();
    is_shared(&snapshot);
    assert_eq!(
        format!("{snapshot:?}"),
        format!("Snapshot({} entities of Game)", game.len())
    );
}
