//! Snapshots of every kind of component, restored in the same context or in another one. The random
//! programs are in the model ([`model::restore`](crate::model)).

mod differing;
mod excluded;
mod forks;
mod kinds;
mod late;
mod panics;
mod rejections;
mod subscribers;

use ecs::prelude::*;
use support::game::{
    ChildOf, Frozen, Game, GameEntity, GameEntityMut, Health, Large, Mood, Path, Score, Seat, Tags,
    Team,
};

/// A relation that stays when its target is destroyed.
#[derive(Component, Clone, Debug)]
#[component(context = Game, extension)]
pub(crate) struct Keeps(
    #[component(relation(on_target_destroyed = keep))] pub(crate) EntityId<Game>,
);

/// The ids of entities found by an index.
fn ids_of<'g>(found: impl Iterator<Item = GameEntity<'g>>) -> Vec<EntityId<Game>> {
    found.map(|entity| entity.id()).collect()
}

/// The visible state of the entities, in the order of iteration.
fn seen(game: &Game) -> Vec<String> {
    let mut seen = Vec::new();
    for entity in game.entities() {
        let own = (entity.get_health(), entity.is_frozen(), entity.get_seat());
        let other = (entity.get_team(), entity.get_tags(), entity.get_large());
        let links = (entity.children(), entity.targeted_by(), entity.get_path());
        seen.push(format!("{} {own:?} {other:?} {links:?}", entity.id()));
    }
    let owner = game.score_entity().map(|entity| entity.id());
    seen.push(format!("{:?} {owner:?}", game.get_score()));
    for team in ["red", "blue", "green"] {
        let ids = ids_of(game.entities_with_team(&team));
        seen.push(format!("{team} {ids:?}"));
    }
    for tag in 0..4 {
        let ids = ids_of(game.entities_with_tags(&tag));
        seen.push(format!("{tag} {ids:?}"));
    }
    for seat in 0..4 {
        let sits = game.entity_with_seat(&seat).map(|entity| entity.id());
        seen.push(format!("{seat} {sits:?}"));
    }
    let walked = game.query::<(EntityId<Game>, &Health)>();
    let walked: Vec<_> = walked.iter().map(|(id, _)| id).collect();
    seen.push(format!("{walked:?}"));
    seen
}

/// A world with every kind of component, in which rows differ from indices.
fn world() -> (Game, Vec<EntityId<Game>>) {
    let mut game = Game::new();
    let mut ids = game.create_many((0..150).map(Health));
    for (nth, &id) in ids.iter().enumerate() {
        let mut entity = game.entity_mut(id);
        if nth % 3 == 0 {
            entity.add_large([nth as u64; 8]).set_frozen(true);
        }
        if nth % 5 == 0 {
            entity.add_team(["red", "blue"][nth % 2]);
            entity.add_tags(vec![(nth % 3) as u8, (nth % 4) as u8]);
        }
        if nth % 7 == 0 {
            entity.remove_health().add_path(vec![nth as u32]);
        }
    }
    for pair in ids.windows(10).step_by(4) {
        game.entity_mut(pair[1]).add_child_of(pair[0]);
        game.entity_mut(pair[2]).add_child_of(pair[0]);
        game.entity_mut(pair[3]).add_child_of(pair[0]);
        game.entity_mut(pair[1]).add_targets(pair[9]);
    }
    game.entity_mut(ids[2]).add_score(7);
    game.entity_mut(ids[3]).add_seat(1);
    for at in [140, 90, 63, 64, 20] {
        game.destroy(ids.swap_remove(at));
    }
    ids.retain(|&id| game.contains(id));
    game.defragment();
    game.create_with(Health(1000));
    (game, ids)
}

/// Changes a bit of everything.
fn change(game: &mut Game) {
    let ids: Vec<_> = game.entities().map(|entity| entity.id()).collect();
    for (nth, &id) in ids.iter().enumerate() {
        let Some(mut entity) = game.get_entity_mut(id) else {
            continue; // destroyed with its parent
        };
        match nth % 9 {
            0 => entity.destroy(),
            1 => _ = entity.insert((Health(1), Team("green"), Tags(vec![3, 2, 1]))),
            2 => _ = entity.insert((Large([1; 8]), Path { points: vec![9] })),
            3 if entity.has_team() => _ = entity.remove_team(),
            4 if entity.has_large() => _ = entity.remove_large(),
            5 if entity.has_tags() => entity.update_tags(|tags| tags.0 = vec![1]),
            6 if entity.has_child_of() => _ = entity.remove_child_of(),
            7 => _ = entity.set_frozen(true),
            _ => {}
        }
    }
    game.set_score(8);
    game.create_with((Seat(2), Health(5)));
    game.create_many((0..70).map(|n| (Health(n), Team("red"))));
    game.storage_mut().shrink_to_fit();
}
