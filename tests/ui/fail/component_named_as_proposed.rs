//! Components used by the names that the messages propose: no further errors.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component, Clone)]
struct Id(#[component(index)] u64);

#[derive(Component)]
#[component(unique, event(any(set)))]
struct Entity(u8);

#[derive(Component, Clone)]
struct Leads(#[component(relation(reverse = leads))] EntityId<Game>);

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity
        .add_id_component(3)
        .replace_id_component(4)
        .update_id_component(|id| id.0 += 1);
    let _ = (entity.has_id_component(), entity.id_component().0);
    entity.remove_id_component();
    game.set_entity_component(1);
    let _ = game.entity_component().0;
    game.on_any_entity_component_set(|_| ());
    let _ = game.entities_with_id(&3).ids();
}
