//! Random programs that disable entities, compared with a predicate for each matcher.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Whether an entity has `Health`, `Position`, `Disabled` and `Asleep`.
type Has = [bool; 4];

/// A matcher, and its predicate.
type Case = (Matcher<Game>, fn(Has) -> bool);

fn cases() -> Vec<Case> {
    let (health, both) = (Game::all_of::<Health>, Game::all_of::<(Health, Position)>);
    vec![
        (health(), |[h, _, d, a]| h && !d && !a),
        (both(), |[h, p, d, a]| h && p && !d && !a),
        (Game::none_of::<Health>(), |[h, _, d, a]| !h && !d && !a),
        (health().with_disabled(), |[h, ..]| h),
        (health().all_of::<Disabled>(), |[h, _, d, a]| h && d && !a),
        (Game::any_of::<(Position, Asleep)>(), |[_, p, d, a]| {
            (p || a) && !d
        }),
        (
            both().none_of::<Disabled>().with_disabled(),
            |[h, p, d, _]| h && p && !d,
        ),
        (Matcher::default(), |[_, _, d, a]| !d && !a),
    ]
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

fn has(entity: GameEntity<'_>) -> Has {
    let (disabled, asleep) = (entity.is_disabled(), entity.has_asleep());
    [entity.has_health(), entity.has_position(), disabled, asleep]
}

/// Makes a random change.
fn step(game: &mut Game, all: &[Id], random: &mut Random) {
    let Some(&id) = all.get(random.below(all.len().max(1))) else {
        game.create_with((Health(0), Position(0)));
        return;
    };
    match random.below(12) {
        0 => _ = game.create_with((Health(1), Position(1), Disabled)),
        1 => _ = game.create_many([(Health(2), Position(2)), (Health(3), Position(3))]),
        2 => game.destroy(id),
        3 => _ = game.entity_mut(id).set_disabled(true),
        4 => _ = game.entity_mut(id).set_disabled(false),
        5 => _ = game.entity_mut(id).replace_asleep(3),
        6 => _ = game.entity_mut(id).take_asleep(),
        7 => _ = game.entity_mut(id).take_health(),
        8 => _ = game.entity_mut(id).replace_health(9),
        9 => _ = game.entity_mut(id).insert((Position(5), Disabled)),
        10 => {
            let query = game.query_mut::<&mut Health>();
            query.for_each(|health| health.0 += 1);
        }
        _ => {
            let disabled = all
                .iter()
                .copied()
                .filter(|id| game.entity(*id).is_disabled());
            let some: Vec<_> = disabled.step_by(2).collect();
            game.many(&some).remove::<Disabled>();
        }
    }
}

type World = BTreeMap<Id, (Has, Option<u32>)>;

fn world(game: &Game) -> World {
    let entities = game.entities();
    let each = entities.map(|it| (it.id(), (has(it), it.get_health().map(|health| health.0))));
    each.collect()
}

/// The entities that a collector of any change of a matcher's group must hold after a change.
fn changed(before: &World, after: &World, (_, fits): &Case) -> Vec<Id> {
    let is_in = |world: &World, id| world.get(id).is_some_and(|(has, _)| fits(*has));
    let ids: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let changed = ids.into_iter().filter(|&id| {
        let (was, is) = (is_in(before, id), is_in(after, id));
        was != is || was && is && before[id].1 != after[id].1
    });
    changed.copied().collect()
}

fn check(game: &mut Game, case: &Case, seed: u64) {
    let (matcher, fits) = case;
    let expected: Vec<_> = world(game)
        .iter()
        .filter(|(_, (has, _))| fits(*has))
        .map(|(id, _)| *id)
        .collect();
    let mut found = ids(game, matcher.clone());
    found.sort();
    assert_eq!(found, expected, "{matcher:?} of program {seed}");
    let query = game.query::<Id>().matching(matcher.clone());
    let mut found: Vec<_> = query.iter().collect();
    found.sort();
    assert_eq!(found, expected, "a query of {matcher:?} of program {seed}");
    for entity in game.entities() {
        let components = entity.component_indices().into_iter().collect();
        assert_eq!(
            matcher.matches(&components),
            fits(has(entity)),
            "{matcher:?}"
        );
    }
}

/// Groups, collectors and queries always agree with the predicates, and a history restores all of
/// them.
#[test]
fn random_programs_agree_with_predicates() {
    for seed in 1_u64..40 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut game = Game::new();
        let cases = cases();
        // Only those of `Health`, whose values are compared.
        let watched =
            [&cases[0], &cases[3]].map(|case| (game.collector(case.0.any_change()), case));
        let history = game.record();
        let mut marks = Vec::new();
        for _ in 0..60 {
            let before = world(&game);
            let all: Vec<_> = before.keys().copied().collect();
            marks.push((history.mark(&mut game), before.clone()));
            watched
                .iter()
                .for_each(|(collector, _)| collector.clear(&mut game));
            step(&mut game, &all, &mut random);
            let after = world(&game);
            for (collector, case) in &watched {
                let mut held = collector.drain(&mut game);
                held.sort();
                let expected = changed(&before, &after, case);
                let missing: Vec<_> = expected.iter().filter(|id| !held.contains(id)).collect();
                assert!(
                    missing.is_empty(),
                    "{:?} of program {seed} lacks {missing:?}",
                    case.0
                );
                let is_in = |id: &Id| {
                    [&before, &after]
                        .iter()
                        .any(|world| world.get(id).is_some_and(|(has, _)| (case.1)(*has)))
                };
                assert!(
                    held.iter().all(is_in),
                    "{:?} of program {seed} holds {held:?}",
                    case.0
                );
            }
            cases.iter().for_each(|case| check(&mut game, case, seed));
        }
        game.storage().check_invariants();
        let (mark, then) = &marks[random.below(marks.len())];
        history.rewind(&mut game, *mark);
        assert_eq!(&world(&game), then);
        cases.iter().for_each(|case| check(&mut game, case, seed));
        game.storage().check_invariants();
    }
}
