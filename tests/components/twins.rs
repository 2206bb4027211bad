//! Groups that have the same members until the components of some entity distinguish them: they
//! share their data, which cannot be observed.

use ecs::prelude::*;

use support::game::{Game, GameEntity, GameEntityMut, Id};

macro_rules! components {
    ($($name:ident)*) => {$(
        #[derive(Component, Clone)]
        #[component(context = Game, extension)]
        struct $name;
    )*};
}

components!(Alert Busy Cold Damp);

type Test = fn([bool; 4]) -> bool;

/// Matchers that are equivalent in a game without `Cold` and `Damp`, each with a predicate of
/// whether an entity has `Alert`, `Busy`, `Cold`, `Damp`.
fn matchers() -> Vec<(Matcher<Game>, Test)> {
    vec![
        (Game::all_of::<Alert>(), |[a, ..]| a),
        (Game::all_of::<Alert>().none_of::<Cold>(), |[a, _, c, _]| {
            a && !c
        }),
        (Game::all_of::<Alert>().none_of::<Damp>(), |[a, _, _, d]| {
            a && !d
        }),
        (Game::any_of::<(Alert, Cold)>(), |[a, _, c, _]| a || c),
        (Game::all_of::<(Alert, Busy)>(), |[a, b, ..]| a && b),
        (
            Game::all_of::<(Alert, Busy)>().none_of::<Cold>(),
            |[a, b, c, _]| a && b && !c,
        ),
        (Game::none_of::<Cold>(), |[.., c, _]| !c),
        (Game::none_of::<Damp>(), |[.., d]| !d),
        (Game::all_of::<Cold>(), |[.., c, _]| c),
        (Game::all_of::<Damp>(), |[.., d]| d),
    ]
}

fn check(game: &Game, groups: &[(Group<Game>, Test)]) {
    for (group, matches) in groups {
        let wanted = |entity: &GameEntity<'_>| {
            matches([
                entity.has_alert(),
                entity.has_busy(),
                entity.has_cold(),
                entity.has_damp(),
            ])
        };
        let mut expected: Vec<Id> = game.entities().filter(wanted).map(|e| e.id()).collect();
        let mut found = group.ids(game);
        assert_eq!(group.len(game), expected.len());
        assert!(found.iter().all(|&id| group.contains(game, id)));
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{:?}", group.matcher(game));
    }
}

/// A random generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % end
    }
}

/// Toggles a component of one entity.
fn toggle(game: &mut Game, id: Id, component: usize) {
    let mut entity = game.entity_mut(id);
    macro_rules! toggle {
        ($has:ident $add:ident $remove:ident) => {
            if entity.$has() {
                entity.$remove();
            } else {
                entity.$add();
            }
        };
    }
    match component {
        0 => toggle!(has_alert add_alert remove_alert),
        1 => toggle!(has_busy add_busy remove_busy),
        2 => toggle!(has_cold add_cold remove_cold),
        _ => toggle!(has_damp add_damp remove_damp),
    }
}

/// Makes a random change, at first none that distinguishes the groups by `Cold` and `Damp`.
fn change(game: &mut Game, random: &mut Random, ids: &mut Vec<Id>, kinds: usize) {
    let some: Vec<Id> = (0..3).map(|_| ids[random.below(ids.len())]).collect();
    let lacking = |game: &Game, ids: &[Id]| -> Vec<Id> {
        let lacks = |id: &&Id| !game.entity(**id).has_busy();
        ids.iter().filter(lacks).copied().collect()
    };
    match random.below(8) {
        0 => ids.extend(game.create_many((0..40).map(|_| (Alert, Busy)))),
        1 => ids.push(game.create_with(Alert).id()),
        2 if ids.len() > 200 => {
            let ended = ids.split_off(ids.len() - 90);
            game.many(&ended).destroy();
        }
        3 => {
            let lacking = lacking(game, ids);
            game.many(&lacking).add_with(|_| Busy);
        }
        4 if random.below(10) == 0 => game.defragment(),
        _ => some
            .iter()
            .for_each(|&id| toggle(game, id, random.below(kinds))),
    }
}

#[test]
fn groups_have_their_members_before_and_after_they_are_distinguished() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for late in 0..matchers().len() {
        let mut game = Game::new();
        let mut groups = Vec::new();
        let mut matchers = matchers();
        let others = matchers.split_off(late);
        groups.extend(matchers.into_iter().map(|(m, test)| (game.group(m), test)));
        let mut ids = game.create_many((0..150).map(|_| Alert));
        for round in 0..120 {
            change(&mut game, &mut random, &mut ids, (2 + round / 30).min(4));
            if round == 60 {
                let others = others.clone().into_iter();
                groups.extend(others.map(|(m, test)| (game.group(m), test)));
            }
            check(&game, &groups);
        }
    }
}

#[test]
fn observers_of_each_group_with_shared_members_are_notified() {
    use std::sync::{Arc, Mutex};
    let mut game = Game::new();
    let log = Arc::new(Mutex::new(Vec::new()));
    for (number, (matcher, _)) in matchers().into_iter().take(4).enumerate() {
        let log = log.clone();
        let group = game.group(matcher);
        group.on_entered(
            &mut game,
            move |game: &mut Game, change: &Change<'_, Game>| {
                assert!(group.contains(game, change.entity()));
                log.lock().unwrap().push(number);
            },
        );
    }
    game.create_with(Alert);
    assert_eq!(*log.lock().unwrap(), [0, 1, 2, 3]);
    game.create_with((Alert, Cold));
    assert_eq!(log.lock().unwrap()[4..], [0, 2, 3]);
}

#[test]
fn the_members_of_a_group_take_no_memory() {
    let bytes = |entities: usize| {
        let mut game = Game::new();
        let all = || Game::all_of::<Alert>();
        for matcher in [all(), all().none_of::<Cold>(), all().none_of::<Damp>()] {
            game.group(matcher);
        }
        game.create_many((0..entities).map(|_| Alert));
        game.storage().memory().groups
    };
    assert_eq!(bytes(1), bytes(100_000));
}
