//! Malformed instances of generic components.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(instances)]
struct Alone<T>(T);

#[derive(Component)]
#[component(instances())]
struct OfNone<T>(T);

#[derive(Component)]
#[component(instances(NoName<u8>))]
struct NoName<T>(T);

#[derive(Component)]
#[component(instances(NameAsText<u8> as "text"))]
struct NameAsText<T>(T);

#[derive(Component)]
#[component(instances(Vec<u8> as bytes, u8 as byte, &'static str as text))]
struct Another<T>(T);

#[derive(Component)]
#[component(instances(TwoParameters<u8> as one, TwoParameters as none))]
struct TwoParameters<T, U>(T, U);

#[derive(Component)]
#[component(instances(Repeated<u8> as a, Repeated<u8> as b, Repeated<u16> as a))]
struct Repeated<T>(T);

#[derive(Component)]
#[component(name = "named", instances(Named<u8> as one))]
struct Named<T>(T);

#[derive(Component)]
#[component(instances(Plain as plain))]
struct Plain(u8);

#[derive(Component)]
#[component(instances(Colliding<u8> as id))]
struct Colliding<T>(T);

#[derive(Component)]
#[component(instances(Items<std::vec::IntoIter<u8>> as items))]
struct Items<T: Iterator>(Option<T::Item>);

#[derive(Component)]
#[component(instances(Bounded<std::rc::Rc<u8>> as shared))]
struct Bounded<T>(T);

#[derive(Component)]
#[component(unique, instances(Only<u8> as only))]
struct Only<T>(T);

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_one(3).add(Named(3_u8)); // each mistake is one error
    entity.add(Only(3_u16)); // an instance that is not named
}
