//! Checksums of a context: the same as those of a history, which need not exist.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use ecs::prelude::*;
use ecs::{Checksum, ChecksumHasher, History};
use support::attempt;
use support::game::{Game, GameEntity, GameEntityMut, Health, Mood, Team};

/// A component that cannot be part of a checksum.
#[derive(Clone)]
struct Opaque;

#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Held(Opaque);

/// Fills a game with entities of several kinds, after some were destroyed.
fn filled() -> (Game, Vec<EntityId<Game>>) {
    let mut game = Game::new();
    let ids = game.create_many((0..100).map(Health));
    for (at, &id) in ids.iter().enumerate() {
        match at % 4 {
            0 => game.destroy(id),
            1 => _ = game.entity_mut(id).add_frozen(),
            2 => _ = game.entity_mut(id).add_team("red"),
            _ => {}
        }
    }
    let alive = game.entities().map(|entity| entity.id()).collect();
    (game, alive)
}

#[test]
fn a_checksum_needs_no_history_and_equals_that_of_one() {
    let (mut game, ids) = filled();
    let bare = game.checksum();
    let history = game.record();
    assert_eq!((history.checksum(&mut game), game.checksum()), (bare, bare));
    game.entity_mut(ids[3]).replace_health(77).insert(Mood(1));
    game.destroy(ids[5]);
    let changed = game.checksum(); // before the history knows its sum
    assert_eq!(history.checksum(&mut game), changed);
    assert_eq!(game.checksum(), changed);
    history.release(&mut game);
    assert_eq!(game.checksum(), changed);
    assert_ne!(changed, bare);
}

#[test]
fn a_checksum_is_the_sum_over_entities() {
    let (mut game, ids) = filled();
    let parts = ids.iter().map(|&id| game.checksum_of(id));
    assert_eq!(parts.fold(0, u64::wrapping_add), game.checksum());
    let before = game.checksum_of(ids[0]);
    game.entity_mut(ids[0]).replace_health(1_000);
    assert_ne!(game.checksum_of(ids[0]), before);
    game.destroy(ids[0]);
    assert_eq!(game.checksum_of(ids[0]), 0);
    game.create_with(Health(1_000)); // in the same slot
    assert_eq!(game.checksum_of(ids[0]), 0);
}

#[test]
fn copies_have_the_same_checksum_whatever_their_layout() {
    let (mut game, ids) = filled();
    let (sum, start) = (game.checksum(), game.snapshot());
    let mut fork = game.fork();
    fork.entity_mut(ids[0]).add_mood(1).remove_mood();
    fork.defragment();
    assert_eq!(fork.checksum(), sum);
    game.destroy_all();
    assert_ne!(game.checksum(), sum);
    game.restore(&start);
    assert_eq!(game.checksum(), sum);
}

#[test]
fn components_excluded_from_a_history_are_excluded_while_it_exists() {
    let (mut game, ids) = filled();
    let all = game.checksum();
    let history = History::builder().without::<Team>().record(&mut game);
    let without = game.checksum();
    assert_eq!(history.checksum(&mut game), without);
    assert_ne!(without, all);
    game.entity_mut(ids[0]).replace_health(5);
    assert_eq!(game.checksum(), history.checksum(&mut game));
    drop(history); // no change has noticed yet
    game.entity_mut(ids[0]).replace_health(1);
    let of_all = ids.iter().map(|&id| game.checksum_of(id));
    assert_eq!(of_all.fold(0, u64::wrapping_add), game.checksum());
    let ended = game.checksum();
    game.record().release(&mut game);
    assert_eq!((ended, game.checksum()), (all, all));
}

#[test]
fn an_observer_can_compute_the_checksum_of_the_final_state() {
    let (mut game, ids) = filled();
    let group = game.group(Game::all_of::<Health>());
    let seen = Arc::new(AtomicU64::new(0));
    let by_observer = Arc::clone(&seen);
    group.on_updated(&mut game, move |game, _| {
        by_observer.store(game.checksum(), Ordering::Relaxed);
    });
    game.entity_mut(ids[0]).replace_health(9);
    assert_eq!(game.checksum(), seen.load(Ordering::Relaxed));
}

#[test]
fn a_component_without_a_checksum_is_an_error_that_names_it_and_its_entity() {
    let (mut game, ids) = filled();
    assert!(game.try_checksum().is_ok()); // no entity has it yet
    let error = game.check_checksums().unwrap_err();
    assert_eq!(
        (error.kind(), error.entity()),
        (ErrorKind::NoChecksum, None)
    );
    let text = error.to_string();
    assert!(text.starts_with("cannot hash component `"), "{text}");
    let id = game.create_with((Health(1), Held(Opaque))).id();
    let error = game.try_checksum().unwrap_err();
    assert_eq!(
        (error.kind(), error.entity()),
        (ErrorKind::NoChecksum, Some(id.raw()))
    );
    let expected = format!(
        "cannot hash component `Held` of entity {id} of context `Game`: the type of its field `0` has \
         neither `Hash` nor `ecs::Checksum`; derive `ecs::Checksum` for it, or implement it for `Held`, \
         empty to exclude it from checksums"
    );
    assert_eq!(error.to_string(), expected);
    assert_eq!(attempt(|| _ = game.checksum()), Some(expected.clone()));
    assert_eq!(attempt(|| _ = game.checksum_of(id)), Some(expected.clone()));
    assert_ne!(game.checksum_of(ids[0]), 0);
    let history = game.record();
    assert_eq!(history.try_checksum(&mut game).unwrap_err(), error);
    drop(history);
    let _history = History::builder().without::<Held>().record(&mut game);
    assert!(game.try_checksum().is_ok());
}

/// Counts how often it is fed.
#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Fed(u32);

static FED: AtomicUsize = AtomicUsize::new(0);

impl Checksum for Fed {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        FED.fetch_add(1, Ordering::Relaxed);
        self.0.feed(hasher);
    }
}

#[test]
fn a_checksum_feeds_what_has_changed_or_everything_once_whichever_is_less() {
    let mut game = Game::new();
    let ids = game.create_many((0..100).map(Fed));
    let fed = |game: &Game| {
        let before = FED.load(Ordering::Relaxed);
        game.checksum();
        FED.load(Ordering::Relaxed) - before
    };
    assert_eq!(fed(&game), 100);
    let history = game.record();
    history.checksum(&mut game);
    assert_eq!(fed(&game), 0);
    game.entity_mut(ids[0]).replace(Fed(7));
    assert_eq!(fed(&game), 2); // before and after
    for round in 0..10 {
        ids.iter()
            .for_each(|&id| _ = game.entity_mut(id).replace(Fed(round)));
    }
    assert_eq!(fed(&game), 100);
    history.checksum(&mut game);
    assert_eq!(fed(&game), 0);
}

/// In no save, and so in no checksum, whatever its type has.
#[derive(Component, Clone)]
#[component(context = Game, extension, transient)]
struct Handle(u32, Opaque);

#[test]
fn a_checksum_does_not_cover_what_no_save_has() {
    let (mut game, ids) = filled();
    let without = game.checksum();
    let history = game.record();
    history.checksum(&mut game);
    game.entity_mut(ids[0]).insert(Handle(1, Opaque));
    game.entity_mut(ids[1]).insert(Handle(2, Opaque));
    assert_eq!(history.checksum(&mut game), without);
    game.entity_mut(ids[0]).update(|it: &mut Handle| it.0 += 1);
    game.entity_mut(ids[1]).remove::<Handle>();
    assert_eq!(
        (game.checksum(), history.checksum(&mut game)),
        (without, without)
    );
    let (entity, bare) = (game.checksum_of(ids[0]), game.fork().checksum());
    game.entity_mut(ids[0]).remove::<Handle>();
    assert_eq!((game.checksum_of(ids[0]), game.checksum()), (entity, bare));
}

/// Has no `Checksum`.
#[derive(Clone, PartialEq, Hash)]
struct Hashed(u8);

#[derive(Clone, Checksum)]
struct Angle<T = f32> {
    turns: T,
    #[checksum(skip)]
    _cached: Option<Opaque>,
}

/// Floats, a type that has only `Hash`, parameters, and itself.
#[derive(Clone, Checksum)]
enum Effect<'a, const N: usize> {
    None,
    Slow { factor: f32, by: Hashed },
    Turn(Angle<f64>, [f32; N], &'a str),
    Both(Box<Effect<'a, N>>, Vec<Effect<'a, N>>),
}

#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Armed(Effect<'static, 2>);

#[derive(Component, Clone, Checksum)]
#[component(context = Game, extension)]
struct Aimed(f32, #[checksum(skip)] Opaque);

fn turn(turns: f64, cached: Option<Opaque>) -> Effect<'static, 2> {
    Effect::Turn(
        Angle {
            turns,
            _cached: cached,
        },
        [1.0, 2.0],
        "left",
    )
}

#[test]
fn a_derived_checksum_covers_all_fields_that_are_not_skipped() {
    let of = |effect: Effect<'static, 2>| {
        let mut hasher = ChecksumHasher::default();
        effect.feed(&mut hasher);
        let alone = std::hash::Hasher::finish(&hasher);
        let mut game = Game::new();
        let id = game.create_with(Armed(effect)).id();
        (alone, game.checksum_of(id))
    };
    let slow = |factor, by| Effect::Slow {
        factor,
        by: Hashed(by),
    };
    let all = [
        Effect::None,
        slow(0.5, 1),
        slow(0.5, 2),
        slow(0.25, 1),
        turn(1.0, None),
        turn(1.5, None),
        Effect::Both(Box::new(Effect::None), vec![]),
        Effect::Both(Box::new(Effect::None), vec![Effect::None]),
        Effect::Both(Box::new(slow(0.5, 1)), vec![]),
    ];
    let sums: Vec<_> = all.iter().cloned().map(of).collect();
    for (at, (alone, stored)) in sums.iter().enumerate() {
        let others = sums.iter().enumerate().filter(|(other, _)| *other != at);
        others.for_each(|(_, other)| assert!(other.0 != *alone && other.1 != *stored));
    }
    assert_eq!(of(turn(1.0, Some(Opaque))), of(turn(1.0, None)));
    assert_eq!(of(all[3].clone()), sums[3]);
}

#[test]
fn a_component_with_a_derived_checksum_is_fed_by_it() {
    let mut game = Game::new();
    let id = game.create_with(Aimed(1.0, Opaque)).id();
    let before = game.try_checksum().unwrap();
    game.entity_mut(id)
        .update(|aimed: &mut Aimed| aimed.0 = 2.0);
    assert_ne!(game.checksum(), before);
    game.entity_mut(id)
        .update(|aimed: &mut Aimed| aimed.0 = 1.0);
    assert_eq!(game.checksum(), before);
}
