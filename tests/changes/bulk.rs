//! Bulk changes: the same result as one by one, or no change at all.

mod values;
mod whole;
mod writes;

use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use support::game::{Frozen, Game, Health, Id, Name, Path};

/// Entities of three signatures, in turn.
fn game() -> (Game, Vec<Id>) {
    let mut game = Game::new();
    let ids = (0..9u32)
        .map(|n| match n % 3 {
            0 => game.create_entity().id(),
            1 => game.create_with(Name(n.to_string())).id(),
            _ => game.create_with((Name(n.to_string()), Frozen)).id(),
        })
        .collect();
    (game, ids)
}

/// A value that is recognized by its capacity, whatever its contents.
fn path_of(number: u32) -> Path {
    let points = Vec::with_capacity(number as usize + 100);
    Path { points }
}

fn number_of(path: &Path) -> usize {
    assert!(path.points.is_empty());
    path.points.capacity() - 100
}

/// The visible state of a game.
fn picture(game: &Game, groups: &[Group<Game>], collectors: &[Collector<Game>]) -> String {
    let entities: Vec<_> = game.entities().collect();
    let groups: Vec<_> = groups.iter().map(|group| group.ids(game)).collect();
    let collected: Vec<_> = collectors
        .iter()
        .map(|collector| collector.ids(game))
        .collect();
    format!("{entities:?} {groups:?} {collected:?}")
}

struct Watched {
    game: Game,
    ids: Vec<Id>,
    groups: Vec<Group<Game>>,
    collectors: Vec<Collector<Game>>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    fn new(observed: bool) -> Self {
        let (mut game, ids) = game();
        let matchers = [
            Game::all_of::<Health>(),
            Game::all_of::<(Name, Health)>(),
            Game::any_of::<(Name, Frozen)>().none_of::<Health>(),
        ];
        let groups = matchers.clone().map(|matcher| game.group(matcher)).to_vec();
        let collectors = matchers.map(|matcher| game.collector(matcher.any_change()));
        let log = Arc::new(Mutex::new(Vec::new()));
        if observed {
            observe(&mut game, &groups, &log);
        }
        Self {
            game,
            ids,
            groups,
            collectors: collectors.into(),
            log,
        }
    }

    fn picture(&self) -> (String, Vec<String>) {
        let picture = picture(&self.game, &self.groups, &self.collectors);
        (picture, self.log.lock().unwrap().clone())
    }
}

/// Logs all notifications.
fn observe(game: &mut Game, groups: &[Group<Game>], log: &Arc<Mutex<Vec<String>>>) {
    for group in groups {
        let log = log.clone();
        let note = move |_: &mut Game, change: &Change<'_, Game>| {
            log.lock().unwrap().push(format!("{change:?}"));
        };
        group.on_entered(game, note.clone());
        group.on_left(game, note);
    }
}

#[test]
fn many_at_once_have_the_events_of_one_by_one() {
    for observed in [false, true] {
        let (mut bulk, mut single) = (Watched::new(observed), Watched::new(observed));
        let order = [4, 1, 7, 0, 8, 2];
        let [ids, single_ids] = [&bulk, &single].map(|game| order.map(|at| game.ids[at]));
        bulk.game.many(&ids).add_with(|id| Health(id.index()));
        for id in single_ids {
            single.game.entity_mut(id).add_health(id.index());
        }
        assert_eq!(bulk.picture(), single.picture());
        assert_eq!(bulk.game.view::<Health>().get(ids[2]), Some(&Health(7)));

        bulk.game.many(&ids[1..]).remove::<Health>();
        for &id in &single_ids[1..] {
            single.game.entity_mut(id).remove_health();
        }
        assert_eq!(bulk.picture(), single.picture());
    }
}

#[test]
fn an_id_that_cannot_take_part_is_named_and_nothing_has_changed() {
    for observed in [false, true] {
        let mut all = Watched::new(observed);
        let ids = all.ids.clone();
        all.game.entity_mut(ids[5]).add_health(1);
        let dead = all.game.create_entity().id();
        all.game.destroy(dead);
        let before = all.picture();

        let add = |all: &mut Watched, ids: &[Id]| all.game.many(ids).try_add_with(|_| Health(9));
        let rejected = add(&mut all, &[ids[0], ids[5], ids[1]]).unwrap_err();
        assert!(matches!(rejected.kind(), ErrorKind::AlreadyHasComponent));
        assert_eq!(rejected.entity(), Some(ids[5].raw()));
        let rejected = add(&mut all, &[ids[0], ids[1], ids[0]]).unwrap_err();
        assert_eq!(rejected.entity(), Some(ids[0].raw()));
        let rejected = add(&mut all, &[ids[0], dead]).unwrap_err();
        assert!(matches!(rejected.kind(), ErrorKind::NotAlive));

        let remove = |all: &mut Watched, ids: &[Id]| all.game.many(ids).try_remove::<Name>();
        let rejected = remove(&mut all, &[ids[1], ids[2], ids[0]]).unwrap_err();
        assert!(matches!(rejected.kind(), ErrorKind::DoesNotHaveComponent));
        assert!(remove(&mut all, &[ids[1], ids[1]]).is_err());
        assert!(remove(&mut all, &[ids[1], dead]).is_err());
        assert_eq!(all.picture(), before);
    }
}

#[test]
fn a_panic_while_the_values_are_made_changes_nothing() {
    let mut all = Watched::new(false);
    let (ids, before) = (all.ids.clone(), all.picture());
    let panics = std::panic::AssertUnwindSafe(|| {
        all.game
            .many(&ids)
            .try_add_with(|id| Health(if id.index() == 3 { panic!("no") } else { 1 }))
    });
    assert!(std::panic::catch_unwind(panics).is_err());
    assert_eq!(all.picture(), before);
    all.game.many(&ids).add_with(|_| Health(1));
}

#[test]
fn all_have_changed_before_the_first_observer_runs() {
    let (mut game, ids) = game();
    let healthy = game.group(Game::all_of::<Health>());
    let last = ids[2];
    let notes = support::Notes::default();
    let notified = notes.clone();
    healthy.on_entered(
        &mut game,
        move |game: &mut Game, change: &Change<'_, Game>| {
            notified.push((change.entity(), healthy.len(game)));
            let _ = game.try_destroy(last);
        },
    );
    game.many(&[ids[1], ids[0], last]).add(Health(1));
    let expected = [(ids[1], 3), (ids[0], 2), (last, 2)];
    assert_eq!(notes.take(), expected, "in the order of the list");
    assert_eq!(healthy.ids(&game), ids[..2]);
}

#[test]
fn defragmenting_makes_entities_of_a_signature_adjacent() {
    let (mut game, ids) = game();
    game.defragment();
    let walked: Vec<_> = game.query::<EntityId<Game>>().iter().collect();
    assert_eq!(walked, [0, 3, 6, 1, 4, 7, 2, 5, 8].map(|at| ids[at]));
}

#[test]
fn an_observer_may_shrink_the_context_between_two_runs_of_a_bulk_change() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2), Health(3)]);
    game.entity_mut(ids[1]).add_frozen();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let group = game.group(Game::all_of::<Health>());
    group.on_updated(&mut game, move |game, change| {
        game.storage_mut().shrink_to_fit();
        log.lock().unwrap().push(change.entity());
    });
    game.many(&ids).replace_with(|id| Health(id.index() + 5));
    assert_eq!(*seen.lock().unwrap(), ids);
}
