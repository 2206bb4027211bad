//! Matchers: their components, matching, equality, and text.

use std::hash::{DefaultHasher, Hash, Hasher};

use ecs::ComponentSet;
use ecs::prelude::*;

use super::world::{A, B, C, D, Test, kinds};

/// The names of the components in a set, after a check of its length.
fn names(set: &ComponentSet<Test>) -> Vec<&'static str> {
    let game = Test::new();
    let names: Vec<_> = set
        .iter()
        .map(|index| game.components()[index.get()].name())
        .collect();
    assert_eq!(names.len(), set.len());
    names
}

/// The names in the all-of, any-of and none-of set, and those in all three together.
#[track_caller]
fn assert_names(matcher: &Matcher<Test>, sets: [&[&str]; 3], union: &[&str]) {
    let any: ComponentSet<Test> = matcher.any().iter().flat_map(ComponentSet::iter).collect();
    let found = [matcher.all(), &any, matcher.none()].map(names);
    assert_eq!(found.each_ref().map(Vec::as_slice), sets);
    assert_eq!(names(&matcher.components()), union);
}

/// The matching ones of the sixteen combinations of four components, by their letters.
fn matched(matcher: &Matcher<Test>) -> Vec<String> {
    let mut game = Test::new();
    let group = game.group(matcher.clone());
    for bits in 0..16 {
        let mut entity = game.create_entity();
        let has = |bit: i32| bits & 1 << bit != 0;
        if has(0) {
            entity.add_a(0);
        }
        if has(1) {
            entity.add_b(0);
        }
        if has(2) {
            entity.add_c(0);
        }
        entity.set_d(has(3));
    }
    let by_hand: Vec<_> = game
        .entities()
        .filter(|entity| matcher.matches(&entity.component_indices().into_iter().collect()))
        .map(|entity| entity.id())
        .collect();
    let ids = group.ids(&game);
    assert_eq!(by_hand, ids);
    ids.into_iter()
        .map(|id| kinds(&game, id).concat())
        .collect()
}

fn hash(matcher: &Matcher<Test>) -> u64 {
    let mut hasher = DefaultHasher::new();
    matcher.hash(&mut hasher);
    hasher.finish()
}

/// Asserts that two matchers are equal, with the same hash and group.
#[track_caller]
fn assert_same(one: Matcher<Test>, other: Matcher<Test>) {
    assert_eq!(one, other);
    assert_eq!(hash(&one), hash(&other));
    let mut game = Test::new();
    assert_eq!(game.group(one), game.group(other));
}

/// Asserts that two matchers are different and have different groups.
#[track_caller]
fn assert_different(one: Matcher<Test>, other: Matcher<Test>) {
    assert_ne!(one, other);
    let mut game = Test::new();
    assert_ne!(game.group(one), game.group(other));
}

/// MAT-001, MAT-002.
#[test]
fn a_matcher_names_just_the_kinds_it_was_given() {
    assert_names(
        &Test::all_of::<(A, B)>(),
        [&["A", "B"], &[], &[]],
        &["A", "B"],
    );
    assert_names(
        &Test::any_of::<(A, B)>(),
        [&[], &["A", "B"], &[]],
        &["A", "B"],
    );
    assert_names(
        &Test::none_of::<(A, B)>(),
        [&[], &[], &["A", "B"]],
        &["A", "B"],
    );
}

/// MAT-003, MAT-004, MAT-005, MAT-046, MAT-047.
#[test]
fn a_compound_matcher_names_the_union_and_keeps_the_sets_apart() {
    let union = &["A", "B", "C", "D"];
    assert_names(
        &Test::all_of::<(A, B)>().none_of::<(C, D)>(),
        [&["A", "B"], &[], &["C", "D"]],
        union,
    );
    assert_names(
        &Test::any_of::<(A, B)>().none_of::<(C, D)>(),
        [&[], &["A", "B"], &["C", "D"]],
        union,
    );
    assert_names(
        &Test::all_of::<(A, B)>().any_of::<(C, D)>(),
        [&["A", "B"], &["C", "D"], &[]],
        union,
    );
}

/// MAT-006, MAT-007.
#[test]
fn kinds_given_twice_count_once() {
    assert_names(
        &Test::all_of::<(A, A, B)>(),
        [&["A", "B"], &[], &[]],
        &["A", "B"],
    );
    assert_names(
        &Test::any_of::<(B, A, B)>(),
        [&[], &["A", "B"], &[]],
        &["A", "B"],
    );
}

/// MAT-008, MAT-009, MAT-010.
#[test]
fn a_kind_of_two_sets_is_in_both_and_once_in_the_union() {
    let never = Test::all_of::<(A, B)>().none_of::<(A, C)>();
    assert_names(&never, [&["A", "B"], &[], &["A", "C"]], &["A", "B", "C"]);
    assert_eq!(matched(&never), [""; 0]);

    let without_a = Test::any_of::<(A, B)>().none_of::<(A, C)>();
    assert_names(
        &without_a,
        [&[], &["A", "B"], &["A", "C"]],
        &["A", "B", "C"],
    );
    assert_eq!(matched(&without_a), ["B", "BD"]);

    let both = Test::all_of::<(A, B)>().any_of::<(A, C)>();
    assert_names(&both, [&["A", "B"], &["A", "C"], &[]], &["A", "B", "C"]);
    assert_eq!(matched(&both), ["AB", "ABC", "ABD", "ABCD"]);
}

/// MAT-016, MAT-021.
#[test]
fn all_of_matches_what_has_all() {
    assert_eq!(
        matched(&Test::all_of::<(A, B)>()),
        ["AB", "ABC", "ABD", "ABCD"]
    );
}

/// MAT-017, MAT-022.
#[test]
fn any_of_matches_what_has_any() {
    assert_eq!(
        matched(&Test::any_of::<(A, B)>()),
        [
            "A", "B", "AB", "AC", "BC", "ABC", "AD", "BD", "ABD", "ACD", "BCD", "ABCD"
        ]
    );
}

/// MAT-018, MAT-019, MAT-023, MAT-024.
#[test]
fn none_of_rejects_entities_with_one() {
    assert_eq!(
        matched(&Test::all_of::<(A, B)>().none_of::<(C, D)>()),
        ["AB"]
    );
    assert_eq!(
        matched(&Test::any_of::<(A, B)>().none_of::<(C, D)>()),
        ["A", "B", "AB"]
    );
}

/// MAT-020, MAT-025.
#[test]
fn all_of_and_any_of_are_both_asked_for() {
    assert_eq!(
        matched(&Test::all_of::<(A, B)>().any_of::<(C, D)>()),
        ["ABC", "ABD", "ABCD"]
    );
}

/// MAT-026, MAT-027, MAT-028, MAT-029, MAT-052.
#[test]
fn matchers_are_combined_from_single_kinds() {
    assert_same(Test::all_of::<A>().all_of::<B>(), Test::all_of::<(A, B)>());
    assert_same(
        Test::all_of::<A>().all_of::<B>().all_of::<(A, B)>(),
        Test::all_of::<(A, B)>(),
    );
    assert_same(
        Test::any_of::<B>().any_of::<(C, A)>().any_of::<B>(),
        Test::any_of::<(A, C)>().any_of::<B>(),
    );
    assert_same(
        Test::none_of::<D>()
            .any_of::<C>()
            .all_of::<B>()
            .none_of::<A>(),
        Test::all_of::<B>().any_of::<C>().none_of::<(A, D)>(),
    );
}

/// MAT-026, MAT-027: in Entitas a second `AnyOf` extends the first one, here it is another
/// condition.
#[test]
fn a_second_any_of_narrows_a_matcher() {
    assert_different(Test::any_of::<A>().any_of::<B>(), Test::any_of::<(A, B)>());
    assert_eq!(
        matched(&Test::any_of::<(A, B)>().any_of::<(C, D)>()),
        ["AC", "BC", "ABC", "AD", "BD", "ABD", "ACD", "BCD", "ABCD"]
    );
    assert_eq!(
        matched(&Test::any_of::<A>().any_of::<(A, B)>()),
        matched(&Test::all_of::<A>())
    );
    let text = format!("{:?}", Test::any_of::<(C, D)>().any_of::<(B, A)>());
    assert_eq!(text, "AnyOf(A, B).AnyOf(C, D)");
    assert_same(
        Test::any_of::<A>().any_of::<()>(),
        Test::any_of::<()>().any_of::<A>(),
    );
}

/// An update of a component of any set is an update of the group.
#[test]
fn every_any_of_set_is_watched() {
    let mut game = Test::new();
    let matcher = Test::any_of::<(A, B)>().any_of::<(C, D)>();
    let updated = game.collector(matcher.updated());
    let id = game.create_entity().add_a(0).add_c(0).id();
    game.entity_mut(id).replace_a(1);
    assert_eq!(updated.drain(&mut game), [id]);
    game.entity_mut(id).replace_c(1);
    assert_eq!(updated.drain(&mut game), [id]);
    let group = game.group(matcher);
    game.entity_mut(id).remove_c();
    assert!(group.is_empty(&game));
}

/// MAT-032, MAT-033, MAT-034, MAT-035, MAT-036, MAT-037, MAT-039.
#[test]
fn a_matcher_as_text_lists_its_parts_by_the_names_of_the_components() {
    let text = |matcher: Matcher<Test>| format!("{matcher:?}");
    assert_eq!(text(Test::all_of::<(B, A)>()), "AllOf(A, B)");
    assert_eq!(text(Test::any_of::<(A, B)>()), "AnyOf(A, B)");
    assert_eq!(text(Test::none_of::<D>()), "NoneOf(D)");
    assert_eq!(
        text(Test::none_of::<(C, D)>().all_of::<(A, B)>()),
        "AllOf(A, B).NoneOf(C, D)"
    );
    assert_eq!(
        text(Test::any_of::<(A, B)>().none_of::<(C, D)>()),
        "AnyOf(A, B).NoneOf(C, D)"
    );
    assert_eq!(
        text(Test::any_of::<(C, D)>().all_of::<(A, B)>()),
        "AllOf(A, B).AnyOf(C, D)"
    );
    assert_eq!(
        text(Test::all_of::<A>().none_of::<(C, D)>().any_of::<B>()),
        "AllOf(A).AnyOf(B).NoneOf(C, D)"
    );
}

/// MAT-040, MAT-041, MAT-042, MAT-043, MAT-044, MAT-045.
#[test]
fn narrowing_a_matcher_makes_another_one_and_leaves_it_as_it_was() {
    for first in [
        Test::all_of::<(A, B)>(),
        Test::all_of::<A>().all_of::<B>(),
        Test::any_of::<(A, B)>(),
        Test::any_of::<A>().any_of::<B>(),
    ] {
        let before = first.clone();
        let mut game = Test::new();
        let group = game.group(first.clone());
        for narrowed in [
            first.clone().none_of::<C>(),
            first.clone().any_of::<C>(),
            first.clone().all_of::<C>(),
        ] {
            assert_ne!(narrowed, first);
            assert_ne!(game.group(narrowed), group);
        }
        assert_eq!((&first, group.matcher(&game)), (&before, &before));
        assert_eq!(game.group(first), group);
    }
}

/// MAT-048, MAT-049, MAT-053, MAT-054, MAT-055.
#[test]
fn different_matchers_differ() {
    assert_different(Test::all_of::<A>(), Test::all_of::<(A, B)>());
    assert_different(Test::all_of::<A>(), Test::any_of::<A>());
    assert_eq!(matched(&Test::all_of::<A>()), matched(&Test::any_of::<A>()));
    assert_different(Test::all_of::<(A, B)>(), Test::any_of::<(A, B)>());
    assert_different(
        Test::all_of::<A>().all_of::<B>(),
        Test::any_of::<A>().any_of::<B>(),
    );
    assert_different(Test::all_of::<A>(), Test::all_of::<A>().any_of::<B>());
    assert_different(Test::all_of::<A>(), Test::all_of::<A>().none_of::<B>());
    assert_different(
        Test::all_of::<A>().any_of::<B>(),
        Test::all_of::<A>().none_of::<B>(),
    );
}

/// MAT-050, MAT-051, MAT-056.
#[test]
fn matchers_with_the_same_kinds_are_equal_in_any_order() {
    assert_same(Test::all_of::<(A, B)>(), Test::all_of::<(A, B)>());
    assert_same(Test::all_of::<(A, B, C)>(), Test::all_of::<(C, A, B)>());
    assert_same(Test::any_of::<(A, B)>(), Test::any_of::<(B, A)>());
    assert_same(
        Test::all_of::<(A, B)>().any_of::<C>().none_of::<D>(),
        Test::none_of::<D>().any_of::<C>().all_of::<(B, A)>(),
    );
}

/// ACM-001, ACM-002, ACM-003.
#[test]
fn the_entry_points_of_a_context_narrow_the_matcher_of_all_entities() {
    let all = Matcher::<Test>::default();
    assert_eq!(matched(&all).len(), 16);
    assert_same(all.clone(), Test::all_of::<()>());
    assert_same(Test::all_of::<(A, B)>(), all.clone().all_of::<(A, B)>());
    assert_same(Test::any_of::<(A, B)>(), all.clone().any_of::<(A, B)>());
    assert_same(Test::none_of::<(A, B)>(), all.none_of::<(A, B)>());
}
