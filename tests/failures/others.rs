//! F42: values created by one context and used with another one of the same type: rejected with a
//! message and without a change in either context; or valid for both, as documented.

use std::sync::OnceLock;

use ecs::prelude::*;
use ecs::{Feed, History, Inbox, Mirror, RemovedValues, Snapshot};
use support::game::{Game, GameEntity, GameEntityMut, Health, Id, Name};
use support::panic_of;

/// An entity of another context.
static ELSEWHERE: OnceLock<Id> = OnceLock::new();

/// A relation whose clones refer to another context.
#[derive(Component)]
#[component(context = Game, extension)]
struct Astray(#[component(relation)] Id);

impl Clone for Astray {
    fn clone(&self) -> Self {
        Self(*ELSEWHERE.get().expect("another context"))
    }
}

/// Every value that a context creates for later use with it.
struct Made {
    index: EntityIndex<Game, u32>,
    inbox: Inbox<Game, u8>,
    lost: RemovedValues<Game, Health>,
    feed: Feed<Game>,
    history: History<Game>,
}

/// Creates a game in which each of them has contents.
fn game(first: u32) -> (Game, Made, Id) {
    let mut game = Game::new();
    let made = Made {
        index: game.entity_index(Game::all_of::<Health>(), |it: GameEntity<'_>| it.health().0),
        inbox: game.inbox(),
        lost: game.removed_values(),
        feed: game.feed::<Health>(),
        history: game.record(),
    };
    let ids = game.create_many((first..first + 3).map(Health));
    game.destroy(ids[0]);
    game.send(first as u8);
    (game, made, ids[1])
}

/// Uses a value of one context with another one.
type Use = fn(&mut Game, &Made);

/// The uses, each with the name of the value in the message.
const USES: [(&str, Use); 19] = [
    ("entity index", |game, made| _ = made.index.get(game, &1)),
    ("entity index", |game, made| {
        _ = made.index.contains(game, &1)
    }),
    ("entity index", |game, made| _ = made.index.len(game)),
    ("entity index", |game, made| {
        _ = made.index.keys(game).next()
    }),
    ("entity index", |game, made| made.index.deactivate(game)),
    ("entity index", |game, made| made.index.activate(game)),
    ("inbox", |game, made| _ = made.inbox.drain(game)),
    ("inbox", |game, made| _ = made.inbox.len(game)),
    ("inbox", |game, made| made.inbox.clear(game)),
    ("list of removed values", |game, made| {
        _ = made.lost.drain(game)
    }),
    ("list of removed values", |game, made| made.lost.clear(game)),
    ("list of removed values", |game, made| {
        made.lost.deactivate(game)
    }),
    ("feed", |game, made| _ = made.feed.take(game)),
    ("feed", |game, made| _ = made.feed.take_all(game)),
    ("feed", |game, made| made.feed.look_again(game)),
    ("history", |game, made| _ = made.history.mark(game)),
    ("history", |game, made| _ = made.history.len(game)),
    ("history", |game, made| _ = made.history.is_empty(game)),
    ("history", |game, made| {
        _ = made.history.changes(game).count()
    }),
];

fn entities(game: &Game) -> Vec<String> {
    game.entities().map(|it| format!("{it:?}")).collect()
}

/// The visible state of a game.
fn picture(game: &Game, made: &Made) -> String {
    game.storage().check_invariants();
    let entities = entities(game);
    let mut keys: Vec<_> = made.index.keys(game).collect();
    keys.sort();
    let held = [
        made.inbox.len(game),
        made.lost.len(game),
        made.history.len(game),
    ];
    format!("{entities:?} {keys:?} {held:?}")
}

#[test]
fn values_of_another_context_are_rejected() {
    let ((mut game, made, _), (mut other, others, _)) = (game(0), game(100));
    let before = [picture(&game, &made), picture(&other, &others)];
    for (nth, (name, using)) in USES.into_iter().enumerate() {
        let notified = panic_of(|| using(&mut other, &made));
        let expected = format!("this {name} belongs to another `Game`");
        assert!(notified.contains(&expected), "{nth}: {notified}");
        let after = [picture(&game, &made), picture(&other, &others)];
        assert_eq!(after, before, "{nth}");
    }
    assert!(made.inbox.drain(&mut game).iter().eq([&0]));
    assert!(others.inbox.drain(&mut other).iter().eq([&100]));
    let notified = [made.feed.take(&mut game), others.feed.take(&mut other)];
    assert!(notified.iter().all(|delta| delta.appeared().len() == 2));
}

/// A mark belongs to one history; it is invalid for other histories, of the same context or of
/// another one.
#[test]
fn a_mark_of_another_history_is_rejected() {
    let ((mut game, made, _), (mut other, others, _)) = (game(0), game(100));
    let foreign = others.history.mark(&mut other);
    let first = made.history.mark(&mut game);
    let before = picture(&game, &made);
    assert!(made.history.try_rewind(&mut game, foreign).is_err());
    assert!(made.history.try_forward(&mut game, foreign).is_err());
    assert!(made.history.try_forget_before(&mut game, foreign).is_err());
    assert_eq!(picture(&game, &made), before);
    made.history.release(&mut game);
    let next = game.record();
    let own = next.mark(&mut game);
    assert!(next.try_rewind(&mut game, first).is_err() && first != own);
    assert!(next.try_rewind(&mut game, own).is_ok());
}

/// A view borrows its context, so only ids can belong to another one.
#[test]
fn a_view_rejects_ids_of_another_context_or_finds_no_entity() {
    let ((mut game, ..), (mut other, ..)) = (game(0), game(100));
    let id = other.create_many((0..50).map(Health))[49];
    game.create_with(Name("n".into()));
    let view = game.view::<Health>();
    match cfg!(debug_assertions) {
        true => assert!(panic_of(|| view.get(id)).contains("was looked up in `Game` number")),
        false => assert!(view.get(id).is_none()),
    }
}

/// A snapshot may be restored into any context of the type, which then equals the original.
#[test]
fn a_snapshot_can_be_restored_into_another_context() {
    let ((mut game, ..), (mut other, others, _)) = (game(0), game(100));
    let snapshot = game.snapshot();
    drop(others.history);
    other.restore(&snapshot);
    other.storage().check_invariants();
    assert_eq!(entities(&other), entities(&game));
    assert_eq!(others.index.get(&other, &1).count(), 1);
    assert!(others.inbox.is_empty(&other) && others.lost.is_empty(&other));
}

/// Deltas belong to one feed; a mirror that follows one feed rejects those of another.
#[test]
fn a_mirror_rejects_deltas_of_another_feed() {
    let ((mut game, made, _), (mut other, others, _)) = (game(0), game(100));
    let (mut copy, mut mirror) = (Game::new(), Mirror::new());
    mirror.apply(&mut copy, &made.feed.take(&mut game)).unwrap();
    other.create_with(Health(1));
    others.feed.take(&mut other);
    others.feed.take(&mut other);
    let before = entities(&copy);
    assert!(
        mirror
            .apply(&mut copy, &others.feed.take(&mut other))
            .is_err()
    );
    assert_eq!(entities(&copy), before);
}

/// F42: its snapshots are restored without a check of the target.
#[test]
fn a_relation_whose_clone_refers_to_another_context_has_no_target() {
    let mut other = Game::new();
    other.create_many([(); 9]);
    ELSEWHERE.get_or_init(|| other.create_entity().id());
    let mut game = Game::new();
    let target = game.create_entity().id();
    let source = game.create_with(Astray(target)).id();
    let snapshot = game.snapshot();
    game.restore(&snapshot);
    let builder = Snapshot::builder().without::<Astray>();
    let snapshot = builder.snapshot(&mut game);
    game.restore(&snapshot);
    assert!(!game.entity(source).has::<Astray>());
    game.storage().check_invariants();
}
