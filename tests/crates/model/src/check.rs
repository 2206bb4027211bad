//! What holds of a context at any time, whatever has happened, as far as it can be seen from outside.

use ecs::ComponentSet;
use ecs::prelude::*;

use crate::game::{E, F, G, Game, GameEntity, Id, Numbered, number_of, with_type};
use crate::op::Kind;

/// Compares all ways in which a context can be looked at with a look at every entity.
///
/// # Panics
///
/// Panics if two of them disagree.
pub fn check_invariants(game: &Game) {
    check_entities(game);
    check_groups(game);
    for kind in Kind::ALL {
        with_type!(kind, T => check_walks::<T>(game));
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
    for group in Group::all(game) {
        let mut members = group.ids(game);
        assert_eq!(members.len(), group.len(game));
        members.sort_unstable();
        let matcher = group.matcher(game);
        let signature =
            |it: &GameEntity<'_>| it.component_indices().into_iter().collect::<ComponentSet>();
        let matching = game.entities().filter(|it| matcher.matches(&signature(it)));
        let matching: Vec<Id> = matching.map(|it| it.id()).collect();
        assert_eq!(members, matching, "{matcher:?}");
    }
}

/// All ways of walking give the same values in the same order.
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

fn check_indexes(game: &Game) {
    let owner = game.unique::<E>().entity().map(|it| it.id());
    let owners = game.entities().filter(|it| it.has::<E>()).map(|it| it.id());
    assert!(owners.eq(owner), "the owner of the unique component");
    for key in 0..16 {
        let key = crate::faults::Val::new(key);
        let mut found = game.entities_with_f(&key).ids();
        found.sort_unstable();
        let having = game
            .entities()
            .filter(|it| it.get::<F>().is_some_and(|f| f.0 == key));
        assert!(having.map(|it| it.id()).eq(found), "index of F");
        let found = game.entity_with_g(&key).map(|it| it.id());
        let having = game
            .entities()
            .filter(|it| it.get::<G>().is_some_and(|g| g.0 == key));
        assert!(having.map(|it| it.id()).eq(found), "index of G");
    }
}

fn check_relations(game: &Game) {
    for kind in [Kind::H, Kind::I, Kind::J, Kind::K] {
        for target in game.entities() {
            let mut sources = match kind {
                Kind::H => target.of_h().to_vec(),
                Kind::I => target.of_i().to_vec(),
                Kind::J => target.of_j().to_vec(),
                _ => target.of_k().to_vec(),
            };
            sources.sort_unstable();
            let bits = target.id().to_bits();
            let leading = game
                .entities()
                .filter(|it| number_of(*it, kind) == Some(bits));
            assert!(
                leading.map(|it| it.id()).eq(sources),
                "{kind:?} of {target:?}"
            );
        }
    }
    for source in game.entities() {
        for kind in [Kind::H, Kind::I, Kind::K] {
            let target = number_of(source, kind).and_then(Id::from_bits);
            assert!(
                target.is_none_or(|target| game.contains(target)),
                "{source:?}"
            );
        }
    }
}
