//! What relations reject, without a change or a notification.

use super::*;

fn dead(game: &mut Game) -> Id {
    let id = game.create_entity().id();
    game.destroy(id);
    id
}

#[test]
fn errors_name_both_entities_the_component_and_the_remedy() {
    let mut game = Game::new();
    let target = dead(&mut game);
    let id = game.create_entity().id(); // in the same slot
    let other = game.create_entity().id();
    let mut entity = game.entity_mut(other);
    let error = entity.try_add_child_of(target).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TargetNotAlive);
    assert_eq!(
        (error.entity(), error.owner()),
        (Some(other.raw()), Some(target.raw()))
    );
    assert_eq!(
        error.to_string(),
        "cannot add component `ChildOf` to entity 1v1 of context `Game`: its target, entity 0v1, \
         is not alive; check `contains` first"
    );
    let error = entity.try_replace_child_of(other).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RelationCycle);
    assert_eq!(
        error.to_string(),
        "cannot replace component `ChildOf` of entity 1v1 of context `Game`: an entity cannot be \
         its own target; give it another one, or none"
    );
    entity.add_child_of(id);
    let error = game
        .entity_mut(id)
        .try_add_child_of(other)
        .map(drop)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot add component `ChildOf` to entity 0v2 of context `Game`: its target, entity 1v1, \
         refers to it already, and the relation is `acyclic`; give one of them another target"
    );
    game.entity_mut(other).remove_child_of().add_needs(id);
    let error = game.try_destroy(id).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TargetInUse);
    assert_eq!(
        (error.entity(), error.owner()),
        (Some(id.raw()), Some(other.raw()))
    );
    assert_eq!(
        error.to_string(),
        "cannot destroy entity 0v2 of context `Game`: entity 1v1 refers to it by component `Needs`, \
         which rejects that its target is destroyed; destroy both at once by \
         `many(&[..]).destroy()`, or call `remove_needs` on that entity first"
    );
}

#[test]
fn every_way_to_write_rejects_a_dead_target_with_nothing_changed() {
    let mut game = Game::new();
    let target = dead(&mut game);
    let parent = named(&mut game, "parent");
    let id = child(&mut game, parent, "child");
    let free = named(&mut game, "free");
    let all = game.group(Game::none_of::<()>());
    let changed = game.collector(Game::all_of::<ChildOf>().any_change().or(all_created()));
    let kind = |result: Result<(), Error>| result.unwrap_err().kind();
    let gone = || ChildOf { parent: target };
    let index = game.components().index_of::<ChildOf>();

    let mut entity = game.entity_mut(id);
    let rejected = [
        entity.try_replace_child_of(target).map(drop),
        entity
            .try_update_child_of(|it| it.parent = target)
            .map(drop),
        entity
            .try_update_with::<ChildOf, _>(|it, _| it.parent = target)
            .map(drop),
        entity.try_insert((called("other"), gone())).map(drop),
        entity
            .dynamic()
            .try_replace(index, Box::new(gone()))
            .map(drop),
    ];
    let more = [
        game.entity_mut(free).try_add(gone()).map(drop),
        game.entity_mut(free)
            .try_add_all((Doomed, gone()))
            .map(drop),
        game.try_create_columns((vec![gone()],)).map(drop),
        game.many(&[free]).try_add_with(|_| gone()),
        game.many(&[free, id]).try_replace_with(|_| gone()),
        game.many(&[id])
            .try_update(|_, it: &mut ChildOf| it.parent = target),
    ];
    for result in rejected.into_iter().chain(more) {
        assert_eq!(kind(result), ErrorKind::TargetNotAlive);
    }
    let panics = |make: &mut dyn FnMut(&mut Game)| {
        let rejected = std::panic::AssertUnwindSafe(|| make(&mut game));
        assert!(std::panic::catch_unwind(rejected).is_err());
    };
    let mut panics = panics;
    panics(&mut |game| _ = game.create_with((called("new"), gone())));
    panics(&mut |game| _ = game.create_many([gone()]));
    panics(&mut |game| _ = game.create_columns((vec![gone()],)));
    panics(&mut |game| _ = Template::new().with(gone()).create(game));
    assert_eq!(all.len(&game), 3);
    assert_eq!(game.entity(parent).children(), [id]);
    assert_eq!(game.entity(id).name().0, "child");
    assert!(!game.entity(free).has_doomed() && changed.drain(&mut game).is_empty());
}

fn all_created() -> Trigger<Game> {
    Game::none_of::<()>().entered()
}

#[test]
fn cycles_are_rejected_and_only_these() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let a = child(&mut game, root, "a");
    let b = child(&mut game, a, "b");
    let c = child(&mut game, b, "c");
    let rejected = |game: &mut Game, id, parent| {
        let result = game.entity_mut(id).try_replace_child_of(parent).map(drop);
        assert_eq!(result.unwrap_err().kind(), ErrorKind::RelationCycle);
    };
    for parent in [root, a, b, c] {
        rejected(&mut game, root, parent);
    }
    rejected(&mut game, a, c);
    let insert = game
        .entity_mut(a)
        .try_insert((called("a"), ChildOf { parent: c }))
        .map(drop);
    assert_eq!(insert.unwrap_err().kind(), ErrorKind::RelationCycle);
    let update = game
        .entity_mut(a)
        .try_update_child_of(|it| it.parent = b)
        .map(drop);
    assert_eq!(update.unwrap_err().kind(), ErrorKind::RelationCycle);
    game.entity_mut(b).replace_child_of(root);
    game.entity_mut(a).replace_child_of(c);
    assert!(
        game.entity(root)
            .related::<ChildOf>()
            .descendants()
            .eq([b, c, a])
    );

    // A relation that is not acyclic may have cycles, but not to the entity itself.
    let x = game.create_with(Targets(a)).id();
    let y = game.create_with(Targets(x)).id();
    game.entity_mut(x).replace_targets(y);
    let result = game.entity_mut(x).try_replace_targets(x).map(drop);
    assert_eq!(result.unwrap_err().kind(), ErrorKind::RelationCycle);
}

#[test]
fn cycles_among_the_values_of_a_list_are_rejected() {
    let mut game = Game::new();
    let ids = game.create_many([called("a"), called("b"), called("c")]);
    let next = |id| ids[(ids.iter().position(|&it| it == id).unwrap() + 1) % 3];
    let error = game
        .many(&ids)
        .try_add_with(|id| ChildOf { parent: next(id) })
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RelationCycle);
    assert_eq!(
        (error.entity(), error.owner()),
        (Some(ids[2].raw()), Some(ids[0].raw()))
    );
    assert!(ids.iter().all(|&id| game.entity(id).children().is_empty()));
    game.many(&ids[..2])
        .add_with(|id| ChildOf { parent: next(id) });
    assert!(
        game.entity(ids[0])
            .related::<ChildOf>()
            .ancestors()
            .eq([ids[1], ids[2]])
    );
    // One after the other: the first gets another target before the last refers to it.
    let lead = |id| if id == ids[0] { ids[2] } else { ids[0] };
    game.many(&ids[..2])
        .replace_with(|id| ChildOf { parent: lead(id) });
    assert!(
        game.entity(ids[1])
            .related::<ChildOf>()
            .ancestors()
            .eq([ids[0], ids[2]])
    );
}

#[test]
fn a_swap_that_makes_an_entity_its_own_target_is_rejected() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let a = child(&mut game, root, "a");
    let b = child(&mut game, a, "b");
    let c = child(&mut game, b, "c");
    for (one, other) in [(a, b), (b, a), (a, c), (c, a)] {
        let result = game.entity_mut(one).try_swap::<ChildOf>(other).map(drop);
        assert_eq!(result.unwrap_err().kind(), ErrorKind::RelationCycle);
    }
    let d = child(&mut game, root, "d");
    game.entity_mut(d).swap::<ChildOf>(c);
    assert!(
        game.entity(root)
            .related::<ChildOf>()
            .descendants()
            .eq([a, b, d, c])
    );
    let x = game.create_with(Targets(a)).id();
    let y = game.create_with(Targets(x)).id();
    let result = game.entity_mut(x).try_swap::<Targets>(y).map(drop);
    assert_eq!(result.unwrap_err().kind(), ErrorKind::RelationCycle);
}

#[test]
fn a_panic_in_a_closure_changes_nothing() {
    let mut game = Game::new();
    let [a, b] = [named(&mut game, "a"), named(&mut game, "b")];
    let id = child(&mut game, a, "child");
    let update = std::panic::AssertUnwindSafe(|| {
        game.entity_mut(id).update_child_of(|it| {
            it.parent = b;
            panic!("on purpose");
        });
    });
    assert!(std::panic::catch_unwind(update).is_err());
    assert_eq!(game.entity(id).child_of().parent, a);
    assert_eq!(game.entity(a).children(), [id]);
}

#[test]
#[should_panic(expected = "component `Targets` of context `Game` cannot be written to untracked")]
fn untracked_writes_are_rejected() {
    let mut game = Game::new();
    let target = game.create_entity().id();
    game.create_with(Targets(target)).mut_untracked::<Targets>();
}
