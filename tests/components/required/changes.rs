//! Every way to add a component to one entity.

use super::*;

type Way = fn(&mut Game) -> Id;

const WAYS: &[(&str, Way)] = &[
    ("add", |game| game.create_entity().add_player(1).id()),
    ("add by type", |game| {
        game.create_entity().add(Player(1)).id()
    }),
    ("replace", |game| {
        game.create_entity().replace_player(1).id()
    }),
    ("create_with", |game| game.create_with(Player(1)).id()),
    ("try_create_with", |game| {
        game.try_create_with(Player(1)).unwrap().id()
    }),
    ("try_create_many", |game| {
        game.try_create_many((0..9).map(|_| Player(1))).unwrap()[8]
    }),
    ("in a tuple", |game| {
        game.create_with((Visible, Player(1))).id()
    }),
    ("in an option", |game| {
        game.create_with((Visible, Some(Player(1)))).id()
    }),
    ("insert", |game| {
        game.create_entity().insert((Visible, Player(1))).id()
    }),
    ("add_all", |game| {
        game.create_entity().add_all((Player(1), Visible)).id()
    }),
    ("a bundle", |game| {
        game.create_with(Squad {
            player: Player(1),
            visible: Visible,
        })
        .id()
    }),
    ("a bundle by hand", |game| game.create_with(ByHand).id()),
    ("a template", |game| {
        Template::new().with(Player(1)).create(game).id()
    }),
    ("a template, many", |game| {
        Template::new().with(Player(1)).create_many(game, 2)[1]
    }),
    ("a template applied", |game| {
        let id = game.create_entity().id();
        Template::new()
            .with(Player(1))
            .apply_to(game, id, OnConflict::Reject);
        id
    }),
    ("a clone", |game| {
        let id = game
            .create_with(Player(1))
            .remove_health()
            .remove_velocity()
            .id();
        game.clone_entity(id).id()
    }),
    ("a copy", |game| {
        let from = game
            .create_with(Player(1))
            .remove_health()
            .remove_velocity()
            .id();
        let to = game.create_entity().id();
        CloneOptions::all().copy(game, from, to);
        to
    }),
    ("by index", |game| {
        let index = game.components().index_of::<Player>();
        let id = game.create_entity().id();
        let mut entity = game.entity_mut(id);
        entity
            .dynamic()
            .try_add(index, Box::new(Player(1)))
            .unwrap();
        id
    }),
    ("many, added", |game| {
        let ids = game.create_many([Visible, Visible]);
        game.many(&ids).add_with(|_| Player(1));
        ids[1]
    }),
    ("many, replaced", |game| {
        let ids = game.create_many([Visible, Visible]);
        game.many(&ids).replace_with(|_| Player(1));
        ids[1]
    }),
    ("create_many", |game| {
        game.create_many((0..100).map(|_| Player(1)))[99]
    }),
    ("create_many of tuples", |game| {
        game.create_many((0..100).map(|_| (Visible, Player(1))))[99]
    }),
    ("create_columns", |game| {
        let lists = (vec![Player(1); 100], vec![Visible; 100]);
        game.create_columns(lists)[99]
    }),
    ("try_create_columns", |game| {
        let lists = (vec![Player(1); 100], vec![Visible; 100]);
        game.try_create_columns(lists).unwrap()[99]
    }),
    ("create_columns of copies", |game| {
        let ids = game.create_columns(&[Marked; 100][..]);
        assert_eq!(game.entity(ids[99]).health(), &Health(3));
        game.entity_mut(ids[99])
            .replace_health(100)
            .add_player(1)
            .id()
    }),
];

#[derive(Component, Clone, Copy)]
#[component(context = Game, extension, requires(Health = Health(3)))]
struct Marked;

#[derive(Bundle)]
struct Squad {
    player: Player,
    visible: Visible,
}

struct ByHand;

impl Bundle<Game> for ByHand {
    fn visit_components(each: &mut dyn FnMut(ecs::ComponentIndex<Game>)) {
        <(Visible, Player)>::visit_components(each);
    }

    fn put(self, writer: &mut ecs::BundleWriter<'_, Game>) {
        writer.put(Player(1));
        writer.put(Visible);
    }
}

#[test]
fn every_way_adds_missing_required_components() {
    for &(name, way) in WAYS {
        let mut game = Game::new();
        let id = way(&mut game);
        assert_eq!(player(&game, id), (1, (0, 0), 100), "{name}");
    }
}

#[test]
fn it_is_added_in_the_same_change_by_every_way() {
    for &(name, way) in WAYS {
        let mut game = Game::new();
        let players = Game::all_of::<Player>();
        let apart = game.collector(players.clone().none_of::<Health>().entered());
        let together = game.group(Game::all_of::<(Player, Health, Velocity)>());
        let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let group = game.group(players);
        group.on_entered(&mut game, {
            let seen = seen.clone();
            move |game, change| {
                let is_whole = together.contains(game, change.entity());
                seen.lock().unwrap().push((change.entity(), is_whole));
            }
        });
        let id = way(&mut game);
        let seen = seen.lock().unwrap();
        let here: Vec<_> = seen.iter().filter(|(entity, _)| *entity == id).collect();
        assert_eq!(here, [&(id, true)], "{name}");
        let apart = apart.drain(&mut game);
        assert!(!apart.contains(&id), "{name}");
    }
}

#[test]
fn existing_values_and_those_of_the_bundle_are_not_overwritten() {
    let mut game = Game::new();
    let there = game.create_entity().add_health(5).add_player(1).id();
    assert_eq!(player(&game, there), (1, (0, 0), 5));
    let brought = game.create_with((Player(1), Health(6))).id();
    assert_eq!(player(&game, brought), (1, (0, 0), 6));
    let both = game
        .create_with(Velocity { dx: 1, dy: 2 })
        .insert((Player(1), Health(7)))
        .id();
    assert_eq!(player(&game, both), (1, (1, 2), 7));
    let ids = game.create_many((0..9).map(|n| (Player(1), Health(n))));
    assert_eq!(player(&game, ids[8]), (1, (0, 0), 8));
    let whole = game.create_with((Player(1), Velocity::default(), Health(1)));
    assert_eq!(whole.health().0, 1);

    let updated = game.collector(Game::all_of::<Health>().updated());
    game.entity_mut(there).remove_player().add_player(2);
    assert!(updated.drain(&mut game).is_empty());
    assert_eq!(player(&game, there), (2, (0, 0), 5));
}

#[test]
fn a_copy_has_its_own_values_and_adds_missing_requirements() {
    let mut game = Game::new();
    let boss = game.create_with((Boss, Player(3), Health(5))).id();
    let template = CloneOptions::all().template(&game, boss);
    let ways: [Way; 2] = [
        |game| game.create_with(Velocity { dx: 1, dy: 1 }).id(),
        |game| game.create_entity().id(),
    ];
    for make in ways {
        for by_template in [false, true] {
            let updated = game.collector(Game::all_of::<Health>().updated());
            let to = make(&mut game);
            match by_template {
                true => template.apply_to(&mut game, to, OnConflict::Replace),
                false => CloneOptions::all()
                    .on_conflict(OnConflict::Replace)
                    .copy(&mut game, boss, to),
            }
            assert_eq!(player(&game, to), (3, (0, 0), 5));
            assert!(updated.drain(&mut game).is_empty());
        }
    }
    let keep = CloneOptions::only::<Boss>().on_conflict(OnConflict::Keep);
    let to = game.create_with(Health(1)).id();
    keep.copy(&mut game, boss, to);
    assert_eq!(player(&game, to), (7, (0, 0), 1));
    let made = template.create(&mut game).id();
    assert_eq!(player(&game, made), (3, (0, 0), 5));
}

#[test]
fn requirements_are_transitive_and_the_nearest_value_counts() {
    let mut game = Game::new();
    for way in [
        |game: &mut Game| game.create_entity().add_boss().id(),
        |game: &mut Game| game.create_with(Boss).id(),
        |game: &mut Game| game.create_entity().set_boss(true).id(),
    ] {
        let id = way(&mut game);
        assert_eq!(player(&game, id), (7, (0, 0), 500));
        assert!(game.entity(id).is_visible());
    }
    let id = game.create_with((Player(1), Boss)).id();
    assert_eq!(player(&game, id), (1, (0, 0), 100), "the player came first");
    let there = game.create_with(Player(1)).remove_health().id();
    game.entity_mut(there).add_boss();
    assert_eq!(player(&game, there), (1, (0, 0), 500));
}

#[test]
fn requirements_of_existing_components_are_added_too() {
    let mut game = Game::new();
    let id = game.create_with(Player(1)).remove_velocity().id();
    game.entity_mut(id).add_visible().add_boss();
    assert_eq!(player(&game, id), (1, (0, 0), 100));
}

#[test]
fn components_may_require_each_other() {
    let mut game = Game::new();
    let left = game.create_with(Left(1));
    assert_eq!((left.left().0, left.right().0), (1, 0));
    let mut right = game.create_entity();
    right.add_right(1);
    assert_eq!((right.left().0, right.right().0), (9, 1));
    right.remove_left().remove_right().add_left(3);
    assert_eq!((right.left().0, right.right().0), (3, 0));
    let mut input = Input::new();
    assert_eq!(input.create_with(Right(2)).left().0, 9);
}

#[test]
fn a_unique_component_adds_its_required_components() {
    let mut game = Game::new();
    assert_eq!(game.set_music(true).unwrap().volume().0, 0);
    let id = game.music_entity().unwrap().id();
    game.set_music(false);
    assert!(
        game.entity(id).has_volume(),
        "the entity has something else"
    );
    game.entity_mut(id).replace_volume(4).set_music(true);
    assert_eq!(game.music_entity().unwrap().volume().0, 4);
    let other = game.create_entity().id();
    let rejected = game
        .entity_mut(other)
        .try_add_music()
        .map(drop)
        .unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::UniqueAlreadySet);
    assert!(game.entity(other).is_empty());
}
