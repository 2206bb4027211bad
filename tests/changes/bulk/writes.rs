//! Bulk replace and update: rejections, which change nothing; panics; keys in turn.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use support::game::{Frozen, Game, Id, Name, Pooled, Score, Seat, Team};

use super::{number_of, path_of};

struct Watched {
    game: Game,
    ids: Vec<Id>,
    groups: Vec<Group<Game>>,
    collectors: Vec<Collector<Game>>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    fn new(observed: bool) -> Self {
        let mut game = Game::new();
        let ids: Vec<_> = (0..100).map(|_| game.create_entity().id()).collect();
        for &id in ids.iter().step_by(3) {
            game.entity_mut(id).add_frozen().add_name("old");
        }
        let matchers = [
            Game::all_of::<Name>(),
            Game::all_of::<(Name, Pooled)>(),
            Game::any_of::<(Team, Frozen)>().none_of::<Pooled>(),
        ];
        let groups: Vec<_> = matchers.clone().map(|matcher| game.group(matcher)).into();
        let [a, b, c] = matchers;
        let triggers = [a.entered_or_updated(), b.updated(), c.any_change()];
        let collectors = triggers.map(|trigger| game.collector(trigger)).into();
        let log = Arc::new(Mutex::new(Vec::new()));
        if observed {
            observe(&mut game, groups[1], &log);
        }
        Self {
            game,
            ids,
            groups,
            collectors,
            log,
        }
    }

    fn picked(&self, picks: &[usize]) -> Vec<Id> {
        picks
            .iter()
            .map(|&at| self.ids[at % self.ids.len()])
            .collect()
    }

    /// The entities among some that have a component.
    fn having<T: Component<Game>>(&self, picks: &[usize]) -> Vec<Id> {
        let mut ids = self.picked(picks);
        ids.retain(|&id| self.game.entity(id).has::<T>());
        ids
    }

    fn picture(&self) -> String {
        let entities: Vec<_> = self.game.entities().collect();
        let groups: Vec<_> = self
            .groups
            .iter()
            .map(|group| group.ids(&self.game))
            .collect();
        let collected: Vec<_> = self
            .collectors
            .iter()
            .map(|all| all.ids(&self.game))
            .collect();
        let log = self.log.lock().unwrap();
        format!("{entities:?} {groups:?} {collected:?} {log:?}")
    }
}

/// Logs all notifications of a group, with the components of all entities at that time.
fn observe(game: &mut Game, group: Group<Game>, log: &Arc<Mutex<Vec<String>>>) {
    let log = log.clone();
    let note = move |game: &mut Game, change: &Change<'_, Game>| {
        let (name, pooled) = (change.previous::<Name>(), change.previous::<Pooled>());
        let now: Vec<_> = game
            .entities()
            .map(|entity| entity.get_pooled().map(|value| value.0))
            .collect();
        log.lock()
            .unwrap()
            .push(format!("{change:?} {name:?} {pooled:?} {now:?}"));
    };
    group.on_entered(game, note.clone());
    group.on_updated(game, note.clone());
    group.on_left(game, note);
}

#[test]
fn an_id_that_cannot_take_part_is_named_and_nothing_is_written() {
    for observed in [false, true] {
        let mut all = Watched::new(observed);
        let (with, without) = (all.ids[0], all.ids[1]);
        let dead = all.game.create_entity().id();
        all.game.destroy(dead);
        let before = all.picture();
        let update = |all: &mut Watched, ids: &[Id]| {
            let changed = all
                .game
                .many(ids)
                .try_update(|_, _: &mut Name| panic!("it is rejected"));
            changed.unwrap_err()
        };
        let rejected = update(&mut all, &[with, without, dead]);
        assert!(matches!(rejected.kind(), ErrorKind::DoesNotHaveComponent));
        assert_eq!(rejected.entity(), Some(without.raw()));
        let rejected = update(&mut all, &[with, dead, without]);
        assert!(matches!(rejected.kind(), ErrorKind::NotAlive));
        assert_eq!(rejected.entity(), Some(dead.raw()));

        let make = |_| -> Name { panic!("it is rejected") };
        let rejected = all
            .game
            .many(&[with, without, dead])
            .try_replace_with(make)
            .unwrap_err();
        assert_eq!(rejected.entity(), Some(dead.raw()));
        assert_eq!(all.picture(), before);
    }
}

#[test]
fn a_panic_reports_the_updates_up_to_it() {
    let mut all = Watched::new(false);
    let ids = all.having::<Name>(&(0..100).collect::<Vec<_>>());
    let change = AssertUnwindSafe(|| {
        all.game.many(&ids).try_update(|id, name: &mut Name| {
            name.0 = "new".into();
            assert_ne!(id, ids[7], "no");
        })
    });
    assert!(catch_unwind(change).is_err());
    assert_eq!(all.collectors[0].ids(&all.game), &ids[..8]);
    let new = |id: &&Id| all.game.entity(**id).name().0 == "new";
    assert_eq!(ids.iter().filter(new).count(), 8);
}

#[test]
fn a_panic_while_values_are_made_replaces_nothing() {
    let mut all = Watched::new(false);
    let (ids, before) = (all.ids.clone(), all.picture());
    let replace = AssertUnwindSafe(|| {
        all.game.many(&ids).try_replace_with(|id| {
            assert_ne!(id, ids[70], "no");
            Name("new".into())
        })
    });
    assert!(catch_unwind(replace).is_err());
    assert_eq!(all.picture(), before);
}

#[test]
fn a_unique_component_is_replaced_on_one_entity() {
    let mut all = Watched::new(false);
    let [a, b] = [all.ids[4], all.ids[5]];
    let rejected = all
        .game
        .many(&[a, a, b])
        .try_replace_with(|_| Score(1))
        .unwrap_err();
    assert!(matches!(rejected.kind(), ErrorKind::UniqueAlreadySet));
    assert_eq!(
        (rejected.entity(), all.game.has_score()),
        (Some(b.raw()), false)
    );
    let mut turn = 0;
    let kings = |_| {
        turn += 1;
        Score(turn)
    };
    all.game.many(&[a, a]).replace_with(kings);
    assert_eq!(
        (all.game.score().0, all.game.entity(a).has_score()),
        (2, true)
    );
    assert!(all.game.many(&[b]).try_replace_with(|_| Score(3)).is_err());
    all.game
        .many(&[a, a])
        .update(|_, score: &mut Score| score.0 += 1);
    assert_eq!(all.game.score().0, 4);
}

#[test]
fn keys_are_checked_in_turn_before_any_value_is_written() {
    let mut all = Watched::new(false);
    let ids = all.ids[..3].to_vec();
    let numbers = |id: Id| Seat(id.index());
    all.game.many(&ids).replace_with(numbers);
    assert_eq!(all.game.entity_with_seat(&2).map(|e| e.id()), Some(ids[2]));
    // Each entity moves up by one seat: the last one first.
    let reversed = [ids[2], ids[1], ids[0]];
    all.game
        .many(&reversed)
        .update(|_, seat: &mut Seat| seat.0 += 1);
    assert_eq!(all.game.entity_with_seat(&1).map(|e| e.id()), Some(ids[0]));
    let taken = all
        .game
        .many(&[ids[2], ids[0], ids[1]])
        .try_update(|_, seat: &mut Seat| seat.0 += 1);
    assert!(matches!(taken, Err(error) if error.kind() == ErrorKind::DuplicateKey));
    let seats = ids.iter().map(|&id| all.game.entity(id).seat().0);
    assert_eq!(
        seats.collect::<Vec<_>>(),
        [1, 2, 3],
        "nothing has been updated"
    );
    let taken = all
        .game
        .many(&[ids[0], ids[1]])
        .try_replace_with(|_| Seat(9))
        .unwrap_err();
    assert_eq!(taken.entity(), Some(ids[1].raw()));
    let taken = all
        .game
        .many(&ids[..2])
        .try_replace_with(|id| Seat(7 - 4 * id.index()));
    assert!(matches!(taken, Err(error) if error.kind() == ErrorKind::DuplicateKey));
    let seats = ids.iter().map(|&id| all.game.entity(id).seat().0);
    assert_eq!(
        seats.collect::<Vec<_>>(),
        [1, 2, 3],
        "nothing has been replaced"
    );
    // The third one frees its seat for the first one, which comes after it.
    let seats = |id: Id| Seat(if id == ids[2] { 7 } else { 3 });
    all.game.many(&[ids[2], ids[0]]).replace_with(seats);
    assert_eq!(all.game.entity_with_seat(&3).map(|e| e.id()), Some(ids[0]));
    // A duplicate starts from the result of its first update.
    all.game
        .many(&[ids[0], ids[0]])
        .update(|_, seat: &mut Seat| seat.0 += 1);
    assert_eq!(all.game.entity_with_seat(&5).map(|e| e.id()), Some(ids[0]));
}

#[test]
fn all_are_written_before_the_first_observer_runs() {
    let mut all = Watched::new(false);
    let last = all.ids[6];
    all.groups[0].on_updated(&mut all.game, move |game: &mut Game, _| {
        let _ = game.try_destroy(last);
    });
    let ids = [all.ids[0], all.ids[3], last];
    all.game
        .many(&ids)
        .update(|_, name: &mut Name| name.0.push('x'));
    assert!(!all.game.contains(last));
    assert_eq!(all.game.entity(ids[1]).name().0, "oldx");
    let rejected = all
        .game
        .many(&ids[..2])
        .try_replace_with(|_| Name("new".into()));
    assert!(rejected.is_ok());
}

#[test]
fn pooled_values_replaced_in_bulk_are_reused() {
    let mut all = Watched::new(false);
    let ids = all.picked(&[5, 1, 70]);
    all.game.many(&ids).add_with(|id| path_of(id.index()));
    all.game.many(&ids).replace_with(|_| path_of(0));
    let found = [10, 11, 12].map(|at| {
        let mut entity = all.game.entity_mut(all.ids[at]);
        number_of(entity.add_path_with(|_| ()).path())
    });
    assert_eq!(found, [70, 1, 5]);
}

/// A duplicate entity gets the component, then another value of it.
#[test]
fn a_bulk_replace_notifies_of_added_components() {
    for update in [false, true] {
        let mut all = Watched::new(false);
        let log = all.log.clone();
        let note = move |_: &mut Game, change: &Change<'_, Game>| {
            let text = format!("{} {:?}", change.entity(), change.previous::<Pooled>());
            log.lock().unwrap().push(text);
        };
        let group = all.game.group(Game::all_of::<Pooled>());
        match update {
            true => group.on_updated(&mut all.game, note),
            false => group.on_entered(&mut all.game, note),
        };
        let [a, b] = [all.ids[3], all.ids[4]];
        let mut next = 0..;
        let value = |_| Pooled(next.next().unwrap());
        all.game.many(&[a, b, a]).replace_with(value);
        let expected = match update {
            true => vec![format!("{a} Some(Pooled(0))")],
            false => vec![format!("{a} None"), format!("{b} None")],
        };
        assert_eq!(*all.log.lock().unwrap(), expected);
    }
}
