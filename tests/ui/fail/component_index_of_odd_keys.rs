//! Fields that cannot be keys, and a component that cannot have a primary index.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct NotHash(#[component(index)] f32);

#[derive(Component)]
struct NotIterable(#[component(index(each))] u32);

#[derive(Component)]
struct NotClone(#[component(primary_index)] u32);

#[derive(Component)]
struct NotHashInBrackets(#[component(index)] (f32, u8));

#[derive(Component)]
#[component(instances(NotHashOfInstance<u8> as not_hash_of_instance))]
struct NotHashOfInstance<T>(#[component(index)] (f32, T));

fn main() {}
