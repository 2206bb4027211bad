//! Templates of trees: several entities created together.

use ecs::prelude::*;
use ecs::{CloneOptions, ErrorKind};
use support::game::{ChildOf, Frozen, Game, GameEntity, GameEntityMut, Health, Id, Name, Score};
use support::panic_of;

fn part(name: &str) -> Template<Game> {
    Template::new().with(Name(name.into())).named(name)
}

fn child_of(parent: Id) -> ChildOf {
    ChildOf { parent }
}

/// A tank with two turrets, one of which has a gun.
fn tank() -> Template<Game> {
    let gun = part("gun").with(Health(1));
    let turret = part("turret").with(Health(5)).with_child(child_of, gun);
    let tank = part("tank").with_child(child_of, turret);
    tank.with_child(child_of, part("hatch"))
}

/// The names of an entity and of its descendants.
fn names(game: &Game, id: Id) -> Vec<String> {
    let below = game.entity(id).related::<ChildOf>().descendants();
    let all = [id].into_iter().chain(below);
    all.map(|id| game.entity(id).name().0.clone()).collect()
}

#[test]
fn a_tree_is_created_as_one_change() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<ChildOf>());
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let notified = seen.clone();
    group.on_entered(&mut game, move |game, change| {
        notified
            .lock()
            .unwrap()
            .push((change.entity().index(), game.len()));
    });
    let tank = tank();
    assert_eq!(tank.entities(), 4);
    let id = tank.create(&mut game).id();
    assert_eq!(names(&game, id), ["tank", "turret", "gun", "hatch"]);
    assert_eq!(*seen.lock().unwrap(), [(1, 4), (2, 4), (3, 4)]);
    let ids = tank.create_many(&mut game, 3);
    assert_eq!((ids.len(), game.len()), (3, 16));
    assert_eq!(names(&game, ids[2]), names(&game, id));
    game.storage().check_invariants();
}

#[test]
fn a_tree_that_is_rejected_is_an_error_and_creates_nothing() {
    let mut game = Game::new();
    let tank = tank();
    assert_eq!(tank.try_create(&mut game).unwrap().name().0, "tank");
    let gone = game.create_entity().id();
    game.destroy(gone);
    let lost = tank.with_at("hatch", child_of(gone));
    let error = lost.try_create(&mut game).map(drop).unwrap_err();
    assert_eq!((error.kind(), game.len()), (ErrorKind::TargetNotAlive, 4));
    assert!(
        error.to_string().contains("entry hatch of the template"),
        "{error}"
    );
    game.storage().check_invariants();
}

#[test]
fn entities_are_overridden_by_name_and_by_position() {
    let mut game = Game::new();
    let tank = tank();
    let strong = tank.clone().with(Health(9)).with_at("gun", Health(7));
    let strong = strong.with_at(3, Frozen).without_at::<Health>("turret");
    assert_eq!(strong.get_at::<Health>("gun"), Some(&Health(7)));
    assert_eq!(tank.get_at::<Health>(2), Some(&Health(1))); // a different value
    let id = strong.create(&mut game).id();
    let all: Vec<_> = game.entity(id).related::<ChildOf>().descendants().collect();
    let health = |id| game.entity(id).get_health().map(|health| health.0);
    assert_eq!(
        (health(id), health(all[0]), health(all[1])),
        (Some(9), None, Some(7))
    );
    assert!(game.entity(all[2]).is_frozen());
}

#[test]
fn missing_and_duplicate_entities_cannot_be_overridden() {
    let twice = tank().with_child(child_of, part("gun"));
    assert_eq!(
        panic_of(|| _ = twice.clone().with_at("gun", Frozen)),
        "a template of context `Game` has several entities named `gun`, at 2 and 4: name them apart, or give \
         the position"
    );
    assert_eq!(
        panic_of(|| _ = tank().with_at("wheel", Frozen)),
        "a template of context `Game` has no entity named `wheel`: it has 4 of which these are named: [tank, \
         turret, gun, hatch]"
    );
    assert_eq!(
        panic_of(|| _ = tank().get_at::<Health>(4)),
        "a template of context `Game` has no entity at position 4: it has 4, from 0 on"
    );
    let mut game = Game::new();
    let other = game.create_entity().id();
    let text = panic_of(|| _ = Template::new().with_child(|_| child_of(other), part("gun")));
    assert!(
        text.contains("refers to entity 0v1 of context `Game`: make it of the id"),
        "{text}"
    );
}

#[test]
fn a_template_of_a_tree_has_the_links_inside_it_and_those_outside() {
    let mut game = Game::new();
    let target = game.create_entity().id();
    let ship = tank().create(&mut game).id();
    let all: Vec<_> = game
        .entity(ship)
        .related::<ChildOf>()
        .descendants()
        .collect();
    game.entity_mut(ship).add_targets(target); // outside
    game.entity_mut(all[0]).add_targets(all[2]); // inside
    game.entity_mut(all[1]).add_targets(ship);
    let template = CloneOptions::all()
        .with_descendants::<ChildOf>()
        .template(&game, ship);
    assert_eq!(template.entities(), 4);
    let text = format!("{template:?}");
    assert!(
        text.starts_with(r#"Template(Name("tank"), Targets("#),
        "{text}"
    );
    assert!(
        text.contains("ChildOf { parent: #0 }") && !text.contains("v2147483647"),
        "{text}"
    );
    game.entity_mut(all[0]).replace_health(99); // the template keeps the old value

    for _ in 0..2 {
        let copy = template.create(&mut game).id();
        let copies: Vec<_> = game
            .entity(copy)
            .related::<ChildOf>()
            .descendants()
            .collect();
        assert_eq!(names(&game, copy), ["tank", "turret", "gun", "hatch"]);
        assert_eq!(game.entity(copies[0]).health().0, 5);
        assert_eq!(game.entity(copy).targets().0, target);
        assert_eq!(game.entity(copies[0]).targets().0, copies[2]);
        assert_eq!(game.entity(copies[1]).targets().0, copy);
    }
    game.storage().check_invariants();
}

/// Has an order.
#[derive(Component, Clone, Debug)]
#[component(context = Game, extension)]
struct Waits(#[component(relation(ordered))] Id);

#[test]
fn ordered_relations_keep_their_order() {
    let mut game = Game::new();
    let ship = tank().create(&mut game).id();
    let all: Vec<_> = game
        .entity(ship)
        .related::<ChildOf>()
        .descendants()
        .collect();
    for nth in [2, 0, 1] {
        game.entity_mut(all[nth]).add(Waits(ship));
    }
    let template = CloneOptions::all()
        .with_descendants::<ChildOf>()
        .template(&game, ship);
    let fleet = part("fleet")
        .with_child(child_of, part("boat"))
        .with_child(child_of, template);
    let fleet = fleet.create(&mut game).id();
    let copy = game.entity(fleet).children()[1];
    let line = game.entity(copy).related::<Waits>().sources();
    let line: Vec<_> = line
        .iter()
        .map(|id| game.entity(*id).name().0.as_str())
        .collect();
    assert_eq!(line, ["hatch", "turret", "gun"]);
}

/// F02.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
struct Route(Vec<Id>);

#[test]
fn an_entity_alone_that_refers_to_itself_is_copied_as_one_of_a_tree() {
    let mut game = Game::new();
    let other = game.create_entity().id();
    let id = game.create_entity().id();
    game.entity_mut(id).add(Route(vec![id, other]));
    let template = CloneOptions::all()
        .with_descendants::<ChildOf>()
        .template(&game, id);
    let mut ids = vec![template.create(&mut game).id()];
    ids.push(template.try_create(&mut game).unwrap().id());
    ids.extend(template.create_many(&mut game, 2));
    let place = game.create_entity().id();
    template.apply_to(&mut game, place, ecs::OnConflict::Reject);
    ids.push(place);
    for id in ids {
        assert_eq!(game.entity(id).route().0, [id, other]);
    }
    let alone = CloneOptions::all()
        .template(&game, id)
        .create(&mut game)
        .id();
    assert_eq!(
        game.entity(alone).route().0,
        [id, other],
        "as by `clone_entity`"
    );
    let inside = Template::new().with_child(child_of, template);
    let root = inside.create(&mut game).id();
    let child = game.entity(root).children()[0];
    assert_eq!(game.entity(child).route().0, [child, other]);
}

#[test]
fn a_tree_that_cannot_be_created_has_used_no_id() {
    let mut game = Game::new();
    let tank = tank().with_at("gun", Score(3));
    tank.create(&mut game);
    let text = panic_of(|| _ = tank.create(&mut game));
    assert!(
        text.contains("component `Score` to a new entity of context `Game`: it is unique"),
        "{text}"
    );
    let twice = tank
        .without_at::<Score>("gun")
        .with(Score(1))
        .with_at(3, Score(2));
    game.destroy_score_entity();
    assert!(panic_of(|| _ = twice.create(&mut game)).contains("it is unique"));
    assert_eq!(game.len(), 3);
    game.storage().check_invariants();

    let id = game.create_with(Score(4)).id();
    game.entity_mut(id).add_name("x");
    let rejected = CloneOptions::all()
        .with_descendants::<ChildOf>()
        .try_template(&game, id);
    assert_eq!(rejected.map(drop).unwrap_err().kind(), ErrorKind::OnlyOnce);
}
