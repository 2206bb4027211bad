//! Random programs beside a model that keeps a list of pairs.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Op {
    Create,
    Lead(usize, usize),
    LeadMany(Vec<usize>, usize),
    Target(usize, usize),
    Remember(usize, usize),
    Need(usize, usize),
    Swap(usize, usize),
    Free(usize),
    Destroy(usize),
    DestroyMany(Vec<usize>),
    Observe,
}

fn op() -> impl Strategy<Value = Op> {
    let at = || 0..12_usize;
    prop_oneof![
        4 => Just(Op::Create),
        6 => (at(), at()).prop_map(|(a, b)| Op::Lead(a, b)),
        2 => (prop::collection::vec(at(), 0..5), at()).prop_map(|(a, b)| Op::LeadMany(a, b)),
        3 => (at(), at()).prop_map(|(a, b)| Op::Target(a, b)),
        2 => (at(), at()).prop_map(|(a, b)| Op::Remember(a, b)),
        1 => (at(), at()).prop_map(|(a, b)| Op::Need(a, b)),
        2 => (at(), at()).prop_map(|(a, b)| Op::Swap(a, b)),
        2 => at().prop_map(Op::Free),
        2 => at().prop_map(Op::Destroy),
        1 => prop::collection::vec(at(), 0..4).prop_map(Op::DestroyMany),
        1 => Just(Op::Observe),
    ]
}

/// For each relation the pairs of source and target, in the order in which they came to be.
#[derive(Default)]
struct Model {
    alive: Vec<EntityId<Game>>,
    pairs: [Vec<(EntityId<Game>, EntityId<Game>)>; 4],
}

const CHILD: usize = 0;
const TARGET: usize = 1;
const REMEMBER: usize = 2;
const NEED: usize = 3;

impl Model {
    fn target(&self, relation: usize, id: EntityId<Game>) -> Option<EntityId<Game>> {
        let pair = self.pairs[relation].iter().find(|pair| pair.0 == id);
        pair.map(|pair| pair.1)
    }

    fn sources(&self, relation: usize, id: EntityId<Game>) -> Vec<EntityId<Game>> {
        let pairs = self.pairs[relation].iter().filter(|pair| pair.1 == id);
        pairs.map(|pair| pair.0).collect()
    }

    fn can_lead(&self, relation: usize, id: EntityId<Game>, to: EntityId<Game>) -> bool {
        let mut at = Some(to);
        while let Some(here) = at {
            if here == id {
                return false;
            }
            at = (relation == CHILD)
                .then(|| self.target(CHILD, here))
                .flatten();
        }
        let is_kept = self.target(relation, id) == Some(to);
        self.alive.contains(&id) && (self.alive.contains(&to) || is_kept)
    }

    fn lead(&mut self, relation: usize, id: EntityId<Game>, to: EntityId<Game>) -> bool {
        let can = self.can_lead(relation, id, to);
        if can && self.target(relation, id) != Some(to) {
            self.pairs[relation].retain(|pair| pair.0 != id);
            self.pairs[relation].push((id, to));
        }
        can
    }

    fn destroy(&mut self, roots: &[EntityId<Game>]) -> bool {
        let mut all = roots.to_vec();
        let mut next = 0;
        while let Some(&id) = all.get(next) {
            next += 1;
            let more = self.sources(CHILD, id);
            all.extend(more.into_iter().filter(|id| !roots.contains(id)));
        }
        let is_dead = roots.iter().any(|id| !self.alive.contains(id));
        let is_repeated = (1..roots.len()).any(|n| roots[..n].contains(&roots[n]));
        let outside = |id: &EntityId<Game>| !all.contains(id);
        let is_needed = all
            .iter()
            .any(|&id| self.sources(NEED, id).iter().any(outside));
        if is_dead || is_repeated || is_needed {
            return false;
        }
        self.alive.retain(outside);
        for pairs in &mut self.pairs {
            pairs.retain(|pair| outside(&pair.0));
        }
        self.pairs[TARGET].retain(|pair| outside(&pair.1));
        true
    }
}

fn play(game: &mut Game, model: &mut Model, ids: &mut Vec<EntityId<Game>>, op: Op) {
    let id = |n: usize| ids.get(n % ids.len().max(1)).copied();
    match op {
        Op::Create => {
            let id = game.create_with(Name("")).id();
            model.alive.push(id);
            ids.push(id);
        }
        Op::Lead(a, b) => {
            let (Some(a), Some(b)) = (id(a), id(b)) else {
                return;
            };
            let done = game.many(&[a]).try_replace(|_| ChildOf { parent: b });
            assert_eq!(done.is_ok(), model.lead(CHILD, a, b));
        }
        Op::LeadMany(list, b) => {
            let Some(b) = id(b) else { return };
            let list: Vec<_> = list.into_iter().filter_map(id).collect();
            let done = game.many(&list).try_replace(|_| ChildOf { parent: b });
            let can = list.iter().all(|&a| model.can_lead(CHILD, a, b));
            assert_eq!(done.is_ok(), can);
            list.iter()
                .filter(|_| can)
                .for_each(|&a| assert!(model.lead(CHILD, a, b)));
        }
        Op::Target(a, b) => {
            let (Some(a), Some(b)) = (id(a), id(b)) else {
                return;
            };
            let entity = game.get_entity_mut(a);
            let done = entity.map(|mut it| it.try_replace_targets(b).is_ok());
            assert_eq!(done.unwrap_or(false), model.lead(TARGET, a, b));
        }
        Op::Remember(a, b) => {
            let (Some(a), Some(whom)) = (id(a), id(b)) else {
                return;
            };
            let entity = game.get_entity_mut(a);
            let value = Remembers { times: 0, whom };
            let done = entity.map(|mut it| it.try_insert((value, Name("x"))).is_ok());
            assert_eq!(done.unwrap_or(false), model.lead(REMEMBER, a, whom));
        }
        Op::Need(a, b) => {
            let (Some(a), Some(b)) = (id(a), id(b)) else {
                return;
            };
            let entity = game.get_entity_mut(a);
            let done = entity.map(|mut it| it.try_replace_needs(b).is_ok());
            assert_eq!(done.unwrap_or(false), model.lead(NEED, a, b));
        }
        Op::Swap(a, b) => {
            let (Some(a), Some(b)) = (id(a), id(b)) else {
                return;
            };
            let done = game
                .get_entity_mut(a)
                .map(|mut it| it.try_swap::<Targets>(b).is_ok());
            let targets = [a, b].map(|id| model.target(TARGET, id));
            let [Some(of_a), Some(of_b)] = targets else {
                return assert!(!done.unwrap_or(false));
            };
            let can = a == b || of_a != b && of_b != a;
            assert_eq!(done, Some(can));
            if can && of_a != of_b {
                assert!(model.lead(TARGET, a, of_b) && model.lead(TARGET, b, of_a));
            }
        }
        Op::Free(a) => {
            let Some(a) = id(a) else { return };
            let entity = game.get_entity_mut(a);
            let done = entity.is_some_and(|mut it| it.try_remove_child_of().is_ok());
            assert_eq!(done, model.target(CHILD, a).is_some());
            model.pairs[CHILD].retain(|pair| pair.0 != a);
        }
        Op::Destroy(a) => {
            let Some(a) = id(a) else { return };
            assert_eq!(game.try_destroy(a).is_ok(), model.destroy(&[a]));
        }
        Op::DestroyMany(list) => {
            let list: Vec<_> = list.into_iter().filter_map(id).collect();
            assert_eq!(game.many(&list).try_destroy().is_ok(), model.destroy(&list));
        }
        Op::Observe => {
            game.observers()
                .on_will_be_destroyed(|game, id| assert!(game.contains(id)));
            game.observers()
                .on_destroyed(|game, id| assert!(!game.contains(id)));
            let children = game.group(Game::all_of::<ChildOf>());
            children.on_left(game, |_, change| {
                assert!(change.previous::<ChildOf>().is_some())
            });
        }
    }
}

fn check(game: &Game, model: &Model) {
    let sorted = |mut ids: Vec<_>| {
        ids.sort_unstable();
        ids
    };
    let alive = game.entities().map(|it| it.id()).collect();
    assert_eq!(sorted(alive), sorted(model.alive.clone()));
    for &id in &model.alive {
        let entity = game.entity(id);
        assert_eq!(entity.children(), model.sources(CHILD, id), "ordered");
        let found = [
            entity.targeted_by(),
            entity.remembered_by(),
            entity.needed_by(),
        ];
        for (relation, found) in (TARGET..).zip(found) {
            assert_eq!(sorted(found.to_vec()), sorted(model.sources(relation, id)));
        }
        assert_eq!(
            entity.get_child_of().map(|it| it.parent),
            model.target(CHILD, id)
        );
        assert_eq!(
            entity.get_targets().map(|it| it.0),
            model.target(TARGET, id)
        );
        assert_eq!(
            entity.get_remembers().map(|it| it.whom),
            model.target(REMEMBER, id)
        );
        assert_eq!(
            entity.related::<ChildOf>().target(),
            model.target(CHILD, id)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 256 }))]

    #[test]
    fn links_are_those_of_a_list_of_pairs(ops in prop::collection::vec(op(), 1..80)) {
        let (mut game, mut model, mut ids) = (Game::new(), Model::default(), Vec::new());
        for op in ops {
            play(&mut game, &mut model, &mut ids, op);
            check(&game, &model);
        }
    }
}
