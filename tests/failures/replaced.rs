//! User code that replaces the context it received, swaps it with another one or moves it away,
//! inside every public call that runs such code: always one panic that names the remedy. The new
//! context is usable afterwards; the old one can be read, and works or panics with the reason.

mod calls;

use std::mem;
use std::sync::{Arc, Mutex};

use ecs::ComponentSet;
use ecs::prelude::*;
use proptest::prelude::*;

use self::calls::{Call, calls};
use super::game::{Log, Signature, assert_groups_agree};
use support::{attempt, panic_of};

/// Has components that run user code in every way: observers, listeners, cleanup, unique owners.
#[ecs::context]
pub(crate) struct Game;

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game, event(any, set), event(self, removed))]
struct Health(u32);

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game)]
struct Name(&'static str);

#[derive(Component, Clone)]
#[component(context = Game, cleanup(remove))]
struct Hit;

#[derive(Component, Clone)]
#[component(context = Game, unique)]
struct Score(u32);

#[derive(Component, Clone)]
#[component(context = Game, unique)]
struct Paused;

impl Signature<Game> for GameEntity<'_> {
    fn signature(&self) -> (EntityId<Game>, ComponentSet<Game>) {
        (self.id(), self.component_indices().into_iter().collect())
    }
}

/// What user code does to the context it received.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// Replaces it by a new context.
    Replace,
    /// Swaps it with another one, which has its own entities and observers.
    Swap,
    /// Moves it away and leaves a new one.
    MoveAway,
}

const WAYS: [Way; 3] = [Way::Replace, Way::Swap, Way::MoveAway];

/// Stores a context that was moved away, and decides when to act.
#[derive(Clone)]
struct Thief {
    way: Way,
    /// The number of calls before it acts; `None` once it has acted.
    after: Arc<Mutex<Option<usize>>>,
    kept: Arc<Mutex<Option<Game>>>,
}

impl Thief {
    fn new(way: Way, after: usize) -> Self {
        let kept = matches!(way, Way::Swap).then(other_game);
        Self {
            way,
            after: Arc::new(Mutex::new(Some(after))),
            kept: Arc::new(Mutex::new(kept)),
        }
    }

    fn act(&self, game: &mut Game) {
        let mut after = self.after.lock().unwrap();
        match *after {
            Some(0) => *after = None,
            Some(count) => return *after = Some(count - 1),
            None => return,
        }
        let mut kept = self.kept.lock().unwrap();
        match self.way {
            Way::Replace => *game = other_game(),
            Way::Swap => mem::swap(game, kept.as_mut().unwrap()),
            Way::MoveAway => *kept = Some(mem::replace(game, other_game())),
        }
    }

    fn has_acted(&self) -> bool {
        self.after.lock().unwrap().is_none()
    }
}

/// The number of entities of the other game, which must not be touched.
const OTHERS: u32 = 5;

fn other_game() -> Game {
    let mut game = Game::new();
    game.create_many((0..OTHERS).map(|n| (Health(100 + n), Name("other"), Hit)));
    game
}

fn assert_untouched(game: &Game) {
    let seen = game.entities().map(|entity| {
        let values = (entity.get_health().cloned(), entity.get_name().cloned());
        (values, entity.has_hit())
    });
    let expected = (0..OTHERS).map(|n| ((Some(Health(100 + n)), Some(Name("other"))), true));
    assert!(seen.eq(expected), "the new context has been written to");
    assert!(Group::all(game).is_empty(), "no group was created in it");
}

/// A context with observers of everything; `thief` is one of them, the rest log their
/// notifications.
struct Scene {
    game: Game,
    ids: Vec<EntityId<Game>>,
    log: Log,
    thief: Thief,
}

impl Scene {
    fn new(observed: Observed, way: Way, after: usize) -> Self {
        let mut game = Game::new();
        game.events().warn_of_undelivered(false); // most calls deliver none
        let ids = game.create_many((0..4).map(|n| (Health(n), Hit)));
        let (log, thief) = (Log::default(), Thief::new(way, after));
        let mut scene = Self {
            game,
            ids,
            log,
            thief,
        };
        scene.note_all("first");
        scene.observe(observed);
        scene.note_all("last");
        scene
    }

    /// Adds an observer of each kind that logs its notifications.
    fn note_all(&mut self, name: &'static str) {
        let note = |what: &'static str| {
            let log = self.log.clone();
            move |_: &mut Game, id: EntityId<Game>| log.note(format!("{name} {what} {id}"))
        };
        let game = &mut self.game;
        game.observers().on_created(note("created"));
        game.observers()
            .on_will_be_destroyed(note("will be destroyed"));
        game.observers().on_destroyed(note("destroyed"));
        let group = game.group(Game::all_of::<Health>());
        let of = |what| {
            let note = note(what);
            move |game: &mut Game, change: &Change<'_, Game>| note(game, change.entity())
        };
        group.on_entered(game, of("entered"));
        group.on_left(game, of("left"));
        group.on_updated(game, of("updated"));
        let set = note("set");
        game.on_any_health_set(move |mut entity| {
            let id = entity.id();
            set(entity.context_mut(), id);
        });
    }

    fn observe(&mut self, observed: Observed) {
        let (game, thief) = (&mut self.game, self.thief.clone());
        let health = game.group(Game::all_of::<Health>());
        let act = thief.clone();
        let of_group = move |game: &mut Game, _: &Change<'_, Game>| act.act(game);
        let act = thief.clone();
        let of_entity = move |game: &mut Game, _| act.act(game);
        match observed {
            Observed::Created => _ = game.observers().on_created(of_entity),
            Observed::WillBeDestroyed => _ = game.observers().on_will_be_destroyed(of_entity),
            Observed::Destroyed => _ = game.observers().on_destroyed(of_entity),
            Observed::Entered => _ = health.on_entered(game, of_group),
            Observed::Left => _ = health.on_left(game, of_group),
            Observed::Updated => _ = health.on_updated(game, of_group),
            Observed::HitLeft => {
                _ = game.group(Game::all_of::<Hit>()).on_left(game, of_group);
            }
            Observed::ScoreEntered => {
                _ = game
                    .group(Game::all_of::<Score>())
                    .on_entered(game, of_group);
            }
            Observed::ScoreUpdated => {
                _ = game
                    .group(Game::all_of::<Score>())
                    .on_updated(game, of_group);
            }
            Observed::PausedEntered => {
                _ = game
                    .group(Game::all_of::<Paused>())
                    .on_entered(game, of_group);
            }
            Observed::GroupCreated => {
                _ = game
                    .observers()
                    .on_group_created(move |game, _| thief.act(game));
            }
            Observed::Set => {
                _ = game.on_any_health_set(move |mut entity| thief.act(entity.context_mut()));
            }
            Observed::Removed => {
                let mut entity = game.entity_mut(self.ids[0]);
                entity.on_health_removed(move |mut entity| thief.act(entity.context_mut()));
            }
            Observed::Nothing => {}
        }
    }
}

impl Scene {
    /// Puts back the context that was moved away.
    fn bring_back(&mut self) {
        self.game = self.thief.kept.lock().unwrap().take().unwrap();
    }
}

/// The observer that replaces the context; or none, if a closure of the call does.
#[derive(Clone, Copy, Debug)]
enum Observed {
    Created,
    WillBeDestroyed,
    Destroyed,
    Entered,
    Left,
    Updated,
    HitLeft,
    ScoreEntered,
    ScoreUpdated,
    PausedEntered,
    GroupCreated,
    Set,
    Removed,
    Nothing,
}

/// Checks that a context has all its observers, which are notified once and in order, and that
/// their changes update groups and events.
fn assert_whole(game: &mut Game, log: &Log) {
    log.take();
    assert_groups_agree(game);
    game.events().deliver();
    log.take();
    let id = game.create_with(Health(1)).id();
    let lines_of = |what: &str| ["first", "last"].map(|name| format!("{name} {what} {id}"));
    assert_eq!(
        log.take(),
        [lines_of("created"), lines_of("entered")].concat()
    );
    game.entity_mut(id).replace_health(2);
    assert_eq!(log.take(), lines_of("updated"));
    assert!(game.events().deliver() >= 2);
    assert_eq!(log.take(), lines_of("set"));
    game.destroy(id);
    let expected = ["will be destroyed", "left", "destroyed"]
        .map(lines_of)
        .concat();
    assert_eq!(log.take(), expected);
    assert!(!game.contains(id));
    game.destroy_all();
    assert!(game.is_empty());
    assert_groups_agree(game);
}

/// Checks a context that was moved away: usable if it was not notifying; otherwise it can be read,
/// and panics with the reason when it must notify.
fn assert_whole_or_lost(game: &mut Game, log: &Log) {
    game.storage().check_invariants();
    assert_groups_agree(game);
    match attempt(|| _ = game.create_with(Health(1))) {
        None => assert_whole(game, log),
        Some(message) => assert_lost(game, &message),
    }
}

fn assert_lost(game: &mut Game, message: &str) {
    assert!(
        message.contains("context `Game` lost a running observer") && message.contains("`reset()`"),
        "{message}"
    );
    let before = game.len();
    assert_eq!(panic_of(|| _ = game.create_with(Health(2))), message);
    assert_eq!(game.len(), before + 1, "the change itself is made");
    assert_eq!(panic_of(|| game.events().deliver()), message);
    assert_groups_agree(game);
    game.storage().check_invariants();
}

/// Makes the call, with the context replaced after this many calls of the thief.
fn try_call((name, observed, call): Call, way: Way, after: usize) {
    let mut scene = Scene::new(observed, way, after);
    if after > 0 {
        // There may be fewer calls.
        let _ = attempt(|| call(&mut scene));
        if !scene.thief.has_acted() {
            return;
        }
    } else {
        let message = panic_of(|| call(&mut scene));
        assert!(
            message.contains("context `Game` was replaced or moved away")
                && message.contains("`reset()`"),
            "{name}, {way:?}: {message}"
        );
    }
    assert_untouched(&scene.game);
    let mut kept = scene.thief.kept.lock().unwrap();
    if let Some(old) = kept.as_mut() {
        assert_whole_or_lost(old, &scene.log);
    }
    drop(kept);
    scene.game.create_with(Health(1));
    scene.game.destroy_all();
}

#[test]
fn every_call_rejects_a_context_that_is_replaced_meanwhile() {
    for call in calls() {
        for way in WAYS {
            try_call(call, way, 0);
        }
    }
}

#[test]
fn a_closure_that_moves_the_context_away_leaves_it_valid() {
    let mut scene = Scene::new(Observed::Nothing, Way::MoveAway, 0);
    let (thief, group) = (
        scene.thief.clone(),
        scene.game.group(Game::all_of::<Health>()),
    );
    let message = panic_of(|| {
        group.for_each(&mut scene.game, |mut entity| {
            thief.act(entity.context_mut());
        });
    });
    assert!(message.contains("was replaced or moved away"), "{message}");
    scene.bring_back();
    assert_whole(&mut scene.game, &scene.log);
}

#[test]
fn a_context_put_back_after_the_call_reports_its_lost_observer() {
    let mut scene = Scene::new(Observed::Updated, Way::MoveAway, 0);
    let id = scene.ids[0];
    panic_of(|| _ = scene.game.entity_mut(id).replace_health(7));
    scene.bring_back();
    assert_eq!(scene.game.entity(id).health(), &Health(7));
    let message = panic_of(|| _ = scene.game.entity_mut(id).replace_health(8));
    assert_lost(&mut scene.game, &message);
}

#[test]
fn a_context_put_back_before_the_observer_returns_is_valid() {
    let mut scene = Scene::new(Observed::Nothing, Way::MoveAway, 0);
    let (thief, named) = (
        scene.thief.clone(),
        scene.game.group(Game::all_of::<Name>()),
    );
    named.on_entered(&mut scene.game, move |game, change| {
        *thief.after.lock().unwrap() = Some(0);
        thief.act(game);
        let mut aside = thief.kept.lock().unwrap().take().unwrap();
        aside.entity_mut(change.entity()).replace_health(7);
        *game = aside;
    });
    scene.log.take();
    let id = scene.ids[0];
    scene.game.entity_mut(id).add_name("first");
    let updated = ["first", "last"].map(|name| format!("{name} updated {id}"));
    assert_eq!(scene.log.take(), updated);
    scene.game.storage().check_invariants();
    assert_whole(&mut scene.game, &scene.log);
}

#[test]
fn a_context_that_is_replaced_between_two_calls_is_fine() {
    let mut scene = Scene::new(Observed::Nothing, Way::MoveAway, 0);
    let mut aside = mem::replace(&mut scene.game, other_game());
    assert_untouched(&scene.game);
    assert_whole(&mut aside, &scene.log);
    mem::swap(&mut scene.game, &mut aside);
    assert_whole(&mut scene.game, &scene.log);
}

/// An observer delivers events, a listener moves the context away and panics, and the observer puts
/// it back: only the listener is lost, and the delivery is finished.
#[test]
fn only_a_listener_that_moves_the_context_away_is_lost() {
    let mut scene = Scene::new(Observed::Set, Way::MoveAway, 0);
    let (thief, log) = (scene.thief.clone(), scene.log.clone());
    let named = scene.game.group(Game::all_of::<Name>());
    named.on_entered(&mut scene.game, move |game, _| {
        let message = panic_of(|| game.events().deliver());
        assert!(message.contains("was replaced or moved away"), "{message}");
        *game = thief.kept.lock().unwrap().take().unwrap();
    });
    let (set, named) = (scene.ids[0], scene.ids[3]);
    scene.game.entity_mut(set).replace_health(7);
    scene.game.entity_mut(named).add_name("fourth");
    assert_whole(&mut scene.game, &log);
}

#[test]
fn a_nested_delivery_does_nothing_when_the_context_is_back() {
    let mut scene = Scene::new(Observed::Nothing, Way::MoveAway, 0);
    let inner = Log::default();
    let log = inner.clone();
    scene.game.on_any_health_set(move |mut entity| {
        let delivered = entity.context_mut().events().deliver();
        log.note(format!("{delivered}"));
    });
    let mut aside = mem::replace(&mut scene.game, other_game());
    for id in &scene.ids[..2] {
        aside.entity_mut(*id).replace_health(7);
    }
    aside.events().deliver();
    assert_eq!(inner.take(), ["0", "0"]);
}

proptest! {
    #[test]
    fn it_is_rejected_whenever_it_happens(
        call in 0..calls().len(),
        way in prop::sample::select(&WAYS[..]),
        after in 0..6_usize,
    ) {
        try_call(calls()[call], way, after);
    }
}
