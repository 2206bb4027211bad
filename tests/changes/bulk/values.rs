//! Values added and removed in bulk: each exists once, for any order of ids, and wherever a closure
//! panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex};
use proptest::prelude::*;
use support::game::{Frozen, Game, GameEntity, GameEntityMut, Path, Pooled};

use super::{number_of, path_of};

use support::panic_of;

/// A value that is counted while it is alive.
#[derive(Component, Clone, Debug)]
#[component(context = Game, extension)]
struct Numbered(u32, Arc<()>);

struct Crowd {
    game: Game,
    ids: Vec<EntityId<Game>>,
    token: Arc<()>,
}

impl Crowd {
    /// Creates entities whose rows equal their slots, or not.
    fn new(moved: bool) -> Self {
        let mut game = Game::new();
        let ids: Vec<_> = (0..300).map(|_| game.create_entity().id()).collect();
        if moved {
            for &id in ids.iter().step_by(3) {
                game.entity_mut(id).add_frozen();
            }
            game.defragment();
        }
        let token = Arc::new(());
        Self { game, ids, token }
    }

    /// The entities of some ranges of the list, each once.
    fn picked(&self, stretches: &[(usize, usize, usize)]) -> Vec<EntityId<Game>> {
        let mut picked = Vec::new();
        for &(start, len, step) in stretches {
            for &id in self.ids.iter().skip(start).take(len).step_by(step) {
                if !picked.contains(&id) {
                    picked.push(id);
                }
            }
        }
        picked
    }

    /// The values by entity; checks that no others are alive.
    fn values(&self) -> Vec<(EntityId<Game>, u32)> {
        let all = self.ids.iter().filter_map(|&id| {
            let value = self.game.entity(id).get_numbered()?;
            assert!(Arc::ptr_eq(&value.1, &self.token));
            Some((id, value.0))
        });
        let all: Vec<_> = all.collect();
        assert_eq!(Arc::strong_count(&self.token), all.len() + 1);
        all
    }
}

fn stretches() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    prop::collection::vec((0..300usize, 1..200usize, 1..4usize), 1..6)
}

proptest! {
    #[test]
    fn every_value_finds_its_entity(
        (moved, first, second) in (any::<bool>(), stretches(), stretches()),
    ) {
        let mut crowd = Crowd::new(moved);
        let ids = crowd.picked(&first);
        let token = crowd.token.clone();
        crowd.game.many(&ids).add_with(|id| Numbered(id.index(), token.clone()));
        drop(token);
        let mut expected: Vec<_> = ids.iter().map(|&id| (id, id.index())).collect();
        expected.sort();
        prop_assert_eq!(crowd.values(), expected.clone());

        let gone = crowd.picked(&second);
        let gone: Vec<_> = gone.into_iter().filter(|id| ids.contains(id)).collect();
        crowd.game.many(&gone).remove::<Numbered>();
        expected.retain(|(id, _)| !gone.contains(id));
        prop_assert_eq!(crowd.values(), expected);
    }

    #[test]
    fn a_panic_in_between_drops_every_value_made(
        (moved, picks, at) in (any::<bool>(), stretches(), 0..900usize),
    ) {
        let mut crowd = Crowd::new(moved);
        let ids = crowd.picked(&picks);
        let (token, mut left) = (crowd.token.clone(), at % ids.len());
        let add = AssertUnwindSafe(|| {
            crowd.game.many(&ids).try_add_with(|id| {
                left = left.checked_sub(1).expect("as many as there are to be");
                Numbered(id.index(), token.clone())
            })
        });
        prop_assert!(catch_unwind(add).is_err());
        drop(token);
        prop_assert!(crowd.values().is_empty());
        let token = crowd.token.clone();
        crowd.game.many(&ids).add_with(|_| Numbered(1, token.clone()));
        drop(token);
        prop_assert_eq!(crowd.values().len(), ids.len());
    }
}

#[test]
fn pooled_values_are_reused_in_the_order_of_the_ids() {
    let mut crowd = Crowd::new(false);
    let ids = [3, 4, 5, 1, 200, 7].map(|at| crowd.ids[at]);
    crowd.game.many(&ids).add_with(|id| path_of(id.index()));
    crowd.game.many(&ids).remove::<Path>();
    let mut last = |at: usize| {
        let mut entity = crowd.game.entity_mut(crowd.ids[at]);
        number_of(entity.add_path_with(|_| ()).path())
    };
    assert_eq!(
        [20, 21, 22, 23, 24, 25].map(&mut last),
        [7, 200, 1, 5, 4, 3]
    );
}

/// A bundle that writes two values or one.
struct Moody(Numbered, bool);

impl Components<Game> for Moody {
    fn visit(each: &mut dyn FnMut(ComponentIndex<Game>)) {
        <(Numbered, Frozen)>::visit(each);
    }
}

impl Bundle<Game> for Moody {
    fn visit_components(each: &mut dyn FnMut(ComponentIndex<Game>)) {
        <Self as Components<Game>>::visit(each);
    }

    fn put(self, writer: &mut BundleWriter<'_, Game>) {
        if self.1 {
            writer.put(Frozen);
        }
        writer.put(self.0);
    }
}

/// F02.
#[test]
fn a_bulk_update_that_panics_collects_updated_entities() {
    let mut crowd = Crowd::new(false);
    let (game, ids) = (&mut crowd.game, &crowd.ids[..5]);
    ids.iter()
        .for_each(|&id| _ = game.entity_mut(id).add_pooled(0));
    let collector = game.collector(Game::all_of::<Pooled>().updated());
    panic_of(|| {
        game.many(ids).update::<Pooled>(|id, pooled| {
            pooled.0 = 1;
            assert_ne!(id, ids[2], "the third");
        });
    });
    assert_eq!(collector.ids(game), &ids[..3]);
}

/// Yields some bundles, then panics or ends; its size hint is arbitrary.
struct Unreliable {
    given: u32,
    panics_at: u32,
    ends_at: u32,
    promises: (usize, Option<usize>),
    token: Arc<()>,
}

impl Iterator for Unreliable {
    type Item = (Pooled, (Numbered, Frozen));

    fn next(&mut self) -> Option<Self::Item> {
        assert!(self.given < self.panics_at, "no more");
        self.given += 1;
        let numbered = Numbered(self.given, self.token.clone());
        (self.given <= self.ends_at).then_some((Pooled(self.given), (numbered, Frozen)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.promises
    }
}

proptest! {
    #[test]
    fn entities_of_an_unreliable_iterator_are_complete(
        (before, ends_at, panics_at) in (0..150usize, 0..300u32, 0..400u32),
        promises in (0..500usize, prop::option::of(0..500usize)),
    ) {
        let mut crowd = Crowd { game: Game::new(), ids: Vec::new(), token: Arc::new(()) };
        (0..before).for_each(|_| _ = crowd.game.create_entity());
        let all = crowd.game.group(Game::all_of::<(Numbered, Pooled)>());
        let came = crowd.game.collector(Game::all_of::<Numbered>().entered());
        let token = crowd.token.clone();
        let bundles = Unreliable { given: 0, panics_at, ends_at, promises, token };
        let created = catch_unwind(AssertUnwindSafe(|| crowd.game.create_many(bundles)));
        prop_assert_eq!(created.is_err(), panics_at <= ends_at);
        crowd.ids = all.ids(&crowd.game);
        let made = ends_at.min(panics_at);
        let values: Vec<_> = crowd.values().into_iter().map(|(_, value)| value).collect();
        prop_assert_eq!(values, (1..=made).collect::<Vec<_>>());
        prop_assert_eq!(came.ids(&crowd.game), &crowd.ids[..]);
        prop_assert_eq!(crowd.game.len(), before + made as usize);
        let id = crowd.game.create_with((Pooled(1), Frozen)).id();
        prop_assert!(crowd.game.entity(id).is_frozen() && all.len(&crowd.game) == made as usize);
    }
}

#[test]
fn a_hand_written_bundle_may_write_other_components() {
    let mut crowd = Crowd::new(false);
    let token = crowd.token.clone();
    let moody = (0..150).map(|at| Moody(Numbered(at, token.clone()), at % 3 == 0));
    crowd.ids = crowd.game.create_many(moody);
    drop(token);
    assert_eq!(crowd.values().len(), 150);
    let frozen = crowd
        .ids
        .iter()
        .map(|&id| crowd.game.entity(id).is_frozen());
    assert!(frozen.eq((0..150).map(|at| at % 3 == 0)));
}

#[test]
fn a_component_twice_in_one_of_many_bundles_is_rejected() {
    let mut crowd = Crowd::new(false);
    let twice = (0..100).map(|at| (Pooled(at), (Frozen, Pooled(at))));
    let notified = panic_of(|| crowd.game.create_many(twice));
    assert!(notified.contains("twice"), "{notified}");
    assert_eq!(crowd.game.len(), 300);
}
