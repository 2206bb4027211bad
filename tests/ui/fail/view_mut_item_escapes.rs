//! A reference from a reporting view must not outlive the report.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
#[component(context = Game)]
struct Health(u32);

fn main() {
    let mut game = Game::new();
    let id = game.create_with(Health(3)).id();
    let mut kept = None;
    game.view_mut::<Health>(|healths| kept = healths.get_mut(id));
    let mut kept = None;
    game.view_mut::<Health>(|healths| kept = Some(healths));
    game.view_mut::<Health>(|healths| {
        let health = healths.get(id);
        healths.replace(id, Health(4));
        drop(health);
    });
    game.view_mut::<Health>(|_| game.destroy(id));
}
