//! Sources and targets after each way to write a relation, and traversals along it.

use ecs::{Ancestors, OnTargetDestroyed, Relation};

use super::*;

#[test]
fn every_way_to_write_a_component_is_followed() {
    let mut game = Game::new();
    let [a, b] = [named(&mut game, "a"), named(&mut game, "b")];
    let id = game.create_entity().id();
    let children = |game: &Game| [a, b].map(|id| game.entity(id).children().to_vec());

    game.entity_mut(id).add_child_of(a);
    assert_eq!(children(&game), [vec![id], vec![]]);
    game.entity_mut(id).replace_child_of(b);
    assert_eq!(children(&game), [vec![], vec![id]]);
    game.entity_mut(id).update_child_of(|it| it.parent = a);
    assert_eq!(children(&game), [vec![id], vec![]]);
    game.entity_mut(id)
        .update_with::<ChildOf, _>(|it, _| it.parent = b);
    assert_eq!(children(&game), [vec![], vec![id]]);
    game.entity_mut(id)
        .insert((ChildOf { parent: a }, called("c")));
    assert_eq!(children(&game), [vec![id], vec![]]);
    game.entity_mut(id).remove_child_of();
    assert_eq!(children(&game), [vec![], vec![]]);
    game.entity_mut(id)
        .add_all((ChildOf { parent: b }, Targets(a)));
    assert_eq!(children(&game), [vec![], vec![id]]);
    assert_eq!(
        game.entity_mut(id).take_child_of(),
        Some(ChildOf { parent: b })
    );
    assert_eq!(children(&game), [vec![], vec![]]);

    let index = game.components().index_of::<ChildOf>();
    let mut entity = game.entity_mut(id);
    entity
        .dynamic()
        .try_replace(index, Box::new(ChildOf { parent: a }))
        .unwrap();
    assert_eq!(children(&game), [vec![id], vec![]]);
    game.entity_mut(id).remove_all();
    assert_eq!(children(&game), [vec![], vec![]]);
}

#[test]
fn every_way_to_create_entities_is_followed() {
    let mut game = Game::new();
    let parent = named(&mut game, "a");
    let one = game.create_with(ChildOf { parent }).id();
    let many = game.create_many((0..100).map(|_| (ChildOf { parent }, called("m"))));
    let columns = game.create_columns((vec![ChildOf { parent }, ChildOf { parent }],));
    let copy = game.clone_entity(one).id();
    let template = Template::new().with(ChildOf { parent });
    let of_template = template.create(&mut game).id();
    let all = [&[one][..], &many, &columns, &[copy, of_template]].concat();
    assert_eq!(game.entity(parent).children(), all);
}

#[test]
fn changes_of_many_are_followed() {
    let mut game = Game::new();
    let [a, b] = [named(&mut game, "a"), named(&mut game, "b")];
    let ids = game.create_many([called("x"), called("y"), called("z")]);
    game.many(&ids).add_with(|_| Targets(a));
    assert_eq!(game.entity(a).targeted_by(), ids);
    game.many(&ids[1..]).replace_with(|_| Targets(b));
    assert_eq!(game.entity(b).targeted_by(), &ids[1..]);
    game.many(&ids)
        .update(|_, targets: &mut Targets| targets.0 = b);
    assert_eq!(game.entity(b).targeted_by(), [ids[1], ids[2], ids[0]]);
    game.many(&ids).remove::<Targets>();
    assert!(game.entity(b).targeted_by().is_empty());
}

#[test]
fn a_swap_updates_links() {
    let mut game = Game::new();
    let [a, b] = [named(&mut game, "a"), named(&mut game, "b")];
    let x = game.create_with(Targets(a)).id();
    let y = game.create_with(Targets(b)).id();
    game.entity_mut(x).swap::<Targets>(y);
    assert_eq!(game.entity(a).targeted_by(), [y]);
    assert_eq!(game.entity(b).targeted_by(), [x]);
}

#[test]
fn destroyed_sources_have_no_target() {
    let mut game = Game::new();
    let parent = named(&mut game, "a");
    let ids = game.create_many((0..4).map(|_| ChildOf { parent }));
    game.destroy(ids[1]);
    assert_eq!(game.entity(parent).children(), [ids[0], ids[2], ids[3]]);
    game.many(&ids[2..]).destroy();
    assert_eq!(game.entity(parent).children(), [ids[0]]);
    let reused = game.create_entity().id(); // in the slot of an earlier source
    game.entity_mut(reused).add_targets(ids[0]);
    assert_eq!(game.entity(parent).children(), [ids[0]]);
}

#[test]
fn ordered_sources_stay_in_order_and_others_may_be_moved() {
    let mut game = Game::new();
    let target = named(&mut game, "a");
    let ids = game.create_many((0..4).map(|_| (ChildOf { parent: target }, Targets(target))));
    for &id in &ids[..2] {
        game.entity_mut(id).remove_child_of().remove_targets();
    }
    assert_eq!(game.entity(target).children(), [ids[2], ids[3]]);
    assert_eq!(game.entity(target).targeted_by(), [ids[3], ids[2]]);
    // A value with the same target does not move its entity to the end.
    game.entity_mut(ids[2]).replace_child_of(target);
    assert_eq!(game.entity(target).children(), [ids[2], ids[3]]);
}

#[test]
fn traversals_go_up_and_down() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let [a, b] = ["a", "b"].map(|name| child(&mut game, root, name));
    let [c, d] = ["c", "d"].map(|name| child(&mut game, a, name));
    let e = child(&mut game, d, "e");
    let related = |id| game.entity(id).related::<ChildOf>();

    assert!(related(root).descendants().eq([a, c, d, e, b]));
    assert!(related(a).descendants().eq([c, d, e]));
    assert!(related(e).descendants().next().is_none());
    assert!(related(e).ancestors().eq([d, a, root]));
    assert_eq!(related(e).root(), root);
    assert_eq!(related(root).root(), root);
    assert_eq!(
        (related(e).target(), related(root).target()),
        (Some(d), None)
    );
    assert_eq!(
        format!("{:?}", related(e).ancestors()),
        format!("{:?}", [d, a, root])
    );
}

#[test]
fn a_handle_of_a_dead_entity_has_no_relations() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    child(&mut game, root, "child");
    let doomed = game.group(Game::all_of::<Doomed>());
    let reuse = |game: &mut Game, change: &Change<'_, Game>| {
        game.destroy(change.entity());
        let new = game.create_entity().id(); // in the same slot
        game.create_with(Targets(new));
    };
    doomed.on_entered(&mut game, reuse);
    let entity = game.entity_mut(root);
    let mut entity = entity;
    entity.add_doomed();
    assert!(entity.children().is_empty() && entity.targeted_by().is_empty());
    let related = entity.related::<ChildOf>();
    assert_eq!((related.root(), related.target()), (root, None));
}

#[test]
fn a_relation_says_its_rules() {
    fn rules<T: Relation<Game>>() -> (OnTargetDestroyed, bool, bool) {
        (T::ON_TARGET_DESTROYED, T::ACYCLIC, T::ORDERED)
    }
    assert_eq!(rules::<ChildOf>(), (OnTargetDestroyed::Destroy, true, true));
    assert_eq!(
        rules::<Targets>(),
        (OnTargetDestroyed::Remove, false, false)
    );
    assert_eq!(OnTargetDestroyed::default(), OnTargetDestroyed::Remove);
}

/// The traversals are nameable types.
fn depth(ancestors: Ancestors<'_, Game>) -> usize {
    ancestors.count()
}

#[test]
#[cfg_attr(miri, ignore = "takes too long")]
fn long_chains_are_traversed_and_destroyed() {
    const COUNT: usize = if cfg!(debug_assertions) {
        200_000
    } else {
        1_000_000
    };
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let mut last = root;
    for _ in 1..COUNT {
        last = game.create_with(ChildOf { parent: last }).id();
    }
    assert_eq!(
        depth(game.entity(last).related::<ChildOf>().ancestors()),
        COUNT - 1
    );
    let root = game.entity(last).related::<ChildOf>().root();
    assert_eq!(
        game.entity(root).related::<ChildOf>().descendants().count(),
        COUNT - 1
    );
    let error = game
        .entity_mut(root)
        .try_add_child_of(last)
        .map(drop)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RelationCycle);
    game.destroy(root);
    assert!(game.is_empty());
}
