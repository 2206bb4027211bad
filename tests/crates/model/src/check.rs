//! Invariants of a context that hold at any time and can be seen from outside.

use std::collections::{BTreeMap, BTreeSet};

use ecs::prelude::*;
use ecs::{ComponentSet, Place as _};
use support::attempt;

use crate::faults::Val;
use crate::game::{
    A, C, D, E, F, G, Game, GameEntity, H, Id, L, M, Numbered, groups, may_name, number_of,
    with_type,
};
use crate::op::Kind;

/// Compares all ways to read a context with reading every entity.
///
/// # Panics
///
/// Panics if two of them disagree.
pub fn check_invariants(game: &Game) {
    game.storage().check_invariants(); // from inside
    check_entities(game);
    check_groups(game);
    for kind in Kind::ALL.into_iter().filter(|kind| may_name(game, *kind)) {
        with_type!(kind, T => check_walks::<T>(game));
    }
    if may_name(game, Kind::L) {
        check_slices(game);
    }
    check_indexes(game);
    check_relations(game);
}

fn check_entities(game: &Game) {
    let ids: Vec<Id> = game.entities().map(|entity| entity.id()).collect();
    assert!(ids.is_sorted() && ids.len() == game.len());
    let mut rows: Vec<Id> = game.query::<Id>().iter().collect();
    rows.sort_unstable();
    assert_eq!(rows, ids, "rows");
    for entity in game.entities() {
        assert!(game.contains(entity.id()));
        let has = Kind::ALL.into_iter();
        let has = has.filter(|kind| number_of(entity, *kind).is_some());
        let signature = entity.component_indices().into_iter();
        assert!(
            signature
                .map(|index| index.get())
                .eq(has.map(|kind| kind as usize))
        );
    }
}

fn check_groups(game: &Game) {
    let rows = game.query::<Id>().iter();
    let rows: BTreeMap<Id, usize> = rows.enumerate().map(|(row, id)| (id, row)).collect();
    let signature = |it: GameEntity<'_>| it.component_indices().into_iter().collect();
    let signatures = game.entities().map(|it| (it.id(), signature(it)));
    let signatures: Vec<(Id, ComponentSet<Game>)> = signatures.collect();
    for group in groups(game) {
        let mut members = group.ids(game);
        assert_eq!(members.len(), group.len(game));
        let query = game.query::<Id>().matching(group.matcher(game).clone());
        assert!(query.iter().eq(members.iter().copied()));
        let mut collected = members.iter().copied().take(1).collect();
        group.collect_into(game, &mut collected);
        assert_eq!(collected, members);
        if members.len() < 2 {
            let single = group.single(game).map(|it| it.id());
            assert_eq!(single, members.first().copied());
        }
        assert!(
            members.is_sorted_by_key(|id| rows[id]),
            "in the order of rows"
        );
        members.sort_unstable();
        let matcher = group.matcher(game);
        let matching = signatures.iter().filter(|(_, set)| matcher.matches(set));
        assert!(matching.map(|(id, _)| *id).eq(members), "{matcher:?}");
    }
}

/// Checks that all ways of iteration give the same values in the same order.
fn check_walks<T: Numbered>(game: &Game) {
    let items: Vec<_> = game
        .query::<(Id, &T)>()
        .iter()
        .map(|(id, value)| (id, value.number()))
        .collect();
    let (mut slices, mut optional) = (Vec::new(), Vec::new());
    game.query::<(Id, &T)>().for_each_slice(|(ids, values)| {
        slices.extend(ids.iter().zip(values.iter().map(T::number)));
    });
    game.query::<(Id, Option<&T>)>().for_each(|(id, value)| {
        optional.extend(value.map(|value| (id, value.number())));
    });
    assert_eq!(slices, items);
    assert_eq!(optional, items);
    let mut sorted = items;
    sorted.sort_unstable();
    let owners = game
        .entities()
        .filter_map(|it| Some((it.id(), it.get::<T>()?.number())));
    assert!(owners.eq(sorted));
}

/// Checks that slices of several components, some optional, give the components of the entities.
fn check_slices(game: &Game) {
    let numbers = |id: Id, kinds: &[Kind]| -> Vec<Option<u64>> {
        let entity = game.entity(id);
        kinds.iter().map(|kind| number_of(entity, *kind)).collect()
    };
    let rows: Vec<Id> = game.query::<Id>().iter().collect();
    let mut both = Vec::new();
    let query = game.query::<(&L, Id, &A)>().without::<D>();
    query.for_each_slice(|(l, ids, a)| {
        assert_eq!((l.len(), a.len()), (ids.len(), ids.len()));
        let pairs = l
            .iter()
            .zip(a)
            .map(|(l, a)| vec![Some(l.number()), Some(a.number())]);
        both.extend(ids.iter().zip(pairs));
    });
    let expected = rows
        .iter()
        .map(|id| (*id, numbers(*id, &[Kind::L, Kind::A])));
    let visited = |(id, has): &(Id, Vec<Option<u64>>)| {
        has.iter().all(Option::is_some) && !game.entity(*id).has::<D>()
    };
    assert!(
        both.into_iter().eq(expected.filter(visited)),
        "slices of two"
    );
    let mut any = Vec::new();
    let query = game.query::<(Option<&C>, Id, Option<&L>, Option<&D>)>();
    query.for_each_slice(|(c, ids, l, d)| {
        for (place, id) in ids.iter().enumerate() {
            let (c, l) = (c.map(|c| c[place].number()), l.map(|l| l[place].number()));
            any.push((id, vec![c, l, d.map(|d| d[place].number())]));
        }
    });
    let expected = rows
        .iter()
        .map(|id| (*id, numbers(*id, &[Kind::C, Kind::L, Kind::D])));
    assert!(any.into_iter().eq(expected), "slices of options");
}

/// Checks the indexes of fields against every entity.
pub(crate) fn check_indexes(game: &Game) {
    let kinds = [Kind::E, Kind::F, Kind::G, Kind::M].into_iter();
    for kind in kinds.filter(|kind| may_name(game, *kind)) {
        match kind {
            Kind::E => check_owner(game),
            Kind::F => check_f(game),
            Kind::G => check_g(game),
            _ => check_m(game),
        }
    }
}

fn check_owner(game: &Game) {
    let owner = game.unique::<E>().entity().map(|it| it.id());
    let owners = game.entities().filter(|it| it.has::<E>()).map(|it| it.id());
    assert!(owners.eq(owner), "the owner of the unique component");
}

fn check_f(game: &Game) {
    let keys_of_f = |it: GameEntity<'_>| it.get::<F>().map(|f| f.0.get()).into_iter().collect();
    check_index(game, keys_of_f, |key| game.entities_with_f(key).ids());
    if let Some(grid) = unless_outdated(|| game.entities_by_f()) {
        let owners = game
            .entities()
            .filter_map(|it| Some((it.id(), it.get::<F>()?.at())));
        let mut found: Vec<_> = grid.iter().collect();
        found.sort_unstable_by_key(|(id, _)| *id);
        assert!(owners.eq(found), "the grid of the entities with `F`");
    }
}

/// A structure, unless a key has panicked.
fn unless_outdated<T>(structure: impl FnOnce() -> T) -> Option<T> {
    let mut found = None;
    let panicked = attempt(|| found = Some(structure()));
    assert!(panicked.is_none_or(|text| text.contains("out of date")));
    found
}

fn check_g(game: &Game) {
    let keys_of_g = |it: GameEntity<'_>| it.get::<G>().map(|g| g.0.get()).into_iter().collect();
    check_index(game, keys_of_g, |key| {
        let found = game.entity_with_g(key);
        found.map(|it| it.id()).into_iter().collect()
    });
    if let Some(ordered) = unless_outdated(|| game.entities_by_g()) {
        let owners = game
            .entities()
            .filter_map(|it| Some((it.get::<G>()?.0.get(), it.id())));
        let mut owners: Vec<_> = owners.collect();
        owners.sort_unstable();
        assert!(ordered.iter().map(|(key, id)| (key.get(), id)).eq(owners));
    }
}

fn check_m(game: &Game) {
    let keys_of_m = |it: GameEntity<'_>| {
        let keys = it.get::<M>().map(|m| m.keys.iter().map(Val::get));
        keys.into_iter().flatten().collect()
    };
    check_index(game, keys_of_m, |key| game.entities_with_m(key).ids());
}

fn check_index(
    game: &Game,
    keys_of: impl Fn(GameEntity<'_>) -> Vec<u8>,
    find: impl Fn(&Val) -> Vec<Id>,
) {
    let mut expected: BTreeMap<u8, BTreeSet<Id>> = BTreeMap::new();
    for entity in game.entities() {
        for key in keys_of(entity) {
            expected.entry(key).or_default().insert(entity.id());
        }
    }
    for key in 0..16 {
        let found = find(&Val::new(key));
        let expected = expected.remove(&key).unwrap_or_default();
        assert!(
            found.iter().eq(&expected),
            "key {key}: {found:?}, not {expected:?}"
        );
    }
}

/// Checks that traversals of a hierarchy follow its links step by step.
fn check_hierarchy(game: &Game) {
    for entity in game.entities() {
        let related = entity.related::<H>();
        let (id, target) = (entity.id(), related.target());
        assert_eq!(target.is_some(), entity.has::<H>());
        let above = target.map(|it| game.entity(it).related::<H>());
        let ancestors: Vec<Id> = related.ancestors().collect();
        let expected = above.into_iter().flat_map(|it| it.ancestors());
        assert!(
            target
                .into_iter()
                .chain(expected)
                .eq(ancestors.iter().copied())
        );
        assert_eq!(related.root(), *ancestors.last().unwrap_or(&id));
        let below = related.sources().iter().flat_map(|source| {
            let descendants = game.entity(*source).related::<H>().descendants();
            std::iter::once(*source).chain(descendants)
        });
        assert!(below.eq(related.descendants()));
    }
}

/// Checks that both ends of all relations agree.
fn check_relations(game: &Game) {
    let relations = [Kind::H, Kind::I, Kind::J, Kind::K].into_iter();
    if may_name(game, Kind::H) {
        check_hierarchy(game);
    }
    for kind in relations.filter(|kind| may_name(game, *kind)) {
        let mut sources: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
        for source in game.entities() {
            if let Some(target) = number_of(source, kind).and_then(Id::from_bits) {
                let is_kept = kind == Kind::J;
                assert!(is_kept || game.contains(target), "{source:?}");
                sources.entry(target).or_default().push(source.id());
            }
        }
        for target in game.entities() {
            let mut led = match kind {
                Kind::H => target.of_h().to_vec(),
                Kind::I => target.of_i().to_vec(),
                Kind::J => target.of_j().to_vec(),
                _ => target.of_k().to_vec(),
            };
            led.sort_unstable();
            let expected = sources.remove(&target.id()).unwrap_or_default();
            assert_eq!(led, expected, "{kind:?} of {target:?}");
        }
    }
}
