//! A crate without prelude whose modules are named like those of the standard library.

#![no_implicit_prelude]

mod alloc {}
mod core {}
mod ecs {}
mod std {}

use ::ecs::Context as _;

pub struct Option;
pub struct Result;
pub struct Box;
pub struct Vec;

#[::ecs::context]
pub struct Game;

#[derive(::ecs::Component)]
pub struct Name {
    #[component(into)]
    pub text: ::std::string::String,
    pub option: Option,
}

#[derive(::ecs::Component, ::std::default::Default)]
#[component(pooled)]
pub struct Bag(pub ::std::vec::Vec<u8>);

#[derive(::ecs::Component)]
#[component(event(any, set), event(self, removed, priority = 1))]
pub enum Kind {
    One,
}

#[derive(::ecs::Component)]
pub struct Flag;

#[derive(::ecs::Component)]
#[component(extension, event(any, set), event(self, removed))]
pub struct Outside(pub u8);

#[derive(::ecs::Contexts)]
pub struct World {
    pub r#type: Game,
    #[contexts(skip)]
    pub option: Option,
}

#[derive(::ecs::Component, ::std::clone::Clone)]
pub struct Seat {
    #[component(primary_index)]
    pub number: u32,
    #[component(index(each))]
    pub guests: ::std::vec::Vec<::std::string::String>,
}

#[derive(::ecs::Component)]
#[component(extension)]
pub struct OutsideKey(#[component(index)] pub u8);

#[derive(::ecs::Bundle)]
pub struct Outsides(pub Outside, pub OutsideKey);

fn main() {
    let mut world = World {
        r#type: Game::new(),
        option: Option,
    };
    ::ecs::HasContext::<Game>::context_mut(&mut world).create_entity();
    let mut game = Game::new();
    let _ = game.entity_with_seat_number(&1);
    let _ = game.entities_with_seat_guests("Ann").ids();
    let _ = game.entities_with_outside_key(&1).ids();
    game.on_any_kind_set(|_| ());
    game.on_any_outside_set(|_| ());
    game.events().warn_of_undelivered(false);
    game.create_with(Outsides(Outside(1), OutsideKey(2)));
    let mut entity = game.create_entity();
    entity
        .add_name("x", Option)
        .add_kind(Kind::One)
        .set_flag(true);
    entity.on_kind_removed(|_| ());
    entity.add_bag_with(|bag| bag.0.push(1)).add_outside(1);
}
